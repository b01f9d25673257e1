//! The packages, one module each.

use super::registry::Package;

mod binary;
mod bits;
mod crypto;
mod csv;
mod json;
mod list;
mod math;
mod net;
mod path;
mod regexp;
mod strconv;
mod strings;
mod structs;
mod time;
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
    &json::PACKAGE,
    &list::PACKAGE,
    &math::PACKAGE,
    &net::PACKAGE,
    &path::PACKAGE,
    &regexp::PACKAGE,
    &strconv::PACKAGE,
    &strings::PACKAGE,
    &structs::PACKAGE,
    &time::PACKAGE,
    &yaml::PACKAGE,
];
