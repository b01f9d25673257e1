//! `encoding/toml`.

use crate::builtin::host::{Data, Failure, Format, Purpose};
use crate::builtin::kind::Kind;
use crate::builtin::registry::{ANY, BYTES, Member, Package, function};
use crate::print::write_toml;

pub(super) static PACKAGE: Package = Package {
    path: "encoding/toml",
    members: MEMBERS,
    source: "",
};

static MEMBERS: &[Member] = &[
    function("Marshal", &[ANY], Kind::STRING, |c| {
        match write_toml(&c.valid_data(0, Purpose::Json)?) {
            Ok(text) => Ok(text.into()),
            Err(text) => Failure::fatal(text),
        }
    }),
    function("Unmarshal", &[BYTES], Kind::TOP, |c| {
        let text = c.text(0)?;
        let values = c.host.decode(Format::Toml, "", &text)?;
        Ok(Data::Value(values[0]))
    }),
];
