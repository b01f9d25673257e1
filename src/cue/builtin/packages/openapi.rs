//! `encoding/openapi`: its configuration. Schemas are not converted.

use crate::builtin::host::Failure;
use crate::builtin::kind::Kind;
use crate::builtin::registry::{ANY, Member, Package, schema_function};

pub(super) static PACKAGE: Package = Package {
    path: "encoding/openapi",
    members: MEMBERS,
    source: r#"{
    #Config: {
        version!: "3.0.0"
        info?:    #Info
        selfContained:    bool | *false
        expandReferences: bool | *false
    }
    #Info: {
        title!:          string
        version!:        string
        summary?:        string
        description?:    string
        termsOfService?: string
        contact?:        #Contact
        license?:        #License
    }
    #Contact: {
        name?:  string
        url?:   string
        email?: string
    }
    #License: {
        name!: string
        url?:  string
    }
}"#,
};

static MEMBERS: &[Member] = &[schema_function(
    "MarshalSchema",
    &[ANY, ANY],
    Kind::STRING,
    |_| Failure::fatal("encoding/openapi.MarshalSchema is not built in"),
)];
