//! The packages, one module each.

use super::registry::Package;

mod binary;
mod bits;
mod crypto;
mod csv;
mod html;
mod json;
mod list;
mod math;
mod net;
mod openapi;
mod path;
mod regexp;
mod strconv;
mod strings;
mod structs;
mod tabwriter;
mod time;
mod toml;
mod tool;
mod uuid;
mod yaml;

pub(super) use path::unix_matches;

/// All packages by import path.
pub(super) static ALL: &[&Package] = &[
    &binary::BASE64,
    &binary::HEX,
    &bits::PACKAGE,
    &crypto::HMAC,
    &crypto::MD5,
    &crypto::SHA1,
    &crypto::SHA256,
    &crypto::SHA512,
    &csv::PACKAGE,
    &crypto::ED25519,
    &html::PACKAGE,
    &json::PACKAGE,
    &list::PACKAGE,
    &math::PACKAGE,
    &net::PACKAGE,
    &openapi::PACKAGE,
    &path::PACKAGE,
    &regexp::PACKAGE,
    &strconv::PACKAGE,
    &strings::PACKAGE,
    &structs::PACKAGE,
    &tabwriter::PACKAGE,
    &time::PACKAGE,
    &toml::PACKAGE,
    &tool::TOOL,
    &tool::CLI,
    &tool::EXEC,
    &tool::FILE,
    &tool::HTTP,
    &tool::OS,
    &uuid::PACKAGE,
    &yaml::PACKAGE,
];
