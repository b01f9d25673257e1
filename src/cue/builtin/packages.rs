//! The packages, one module each.

use super::registry::Package;

mod binary;
mod bits;
mod json;
mod list;
mod math;
mod regexp;
mod strconv;
mod strings;
mod structs;
mod yaml;

/// All packages by import path.
pub(super) static ALL: &[&Package] = &[
    &binary::BASE64,
    &binary::HEX,
    &bits::PACKAGE,
    &json::PACKAGE,
    &list::PACKAGE,
    &math::PACKAGE,
    &regexp::PACKAGE,
    &strconv::PACKAGE,
    &strings::PACKAGE,
    &structs::PACKAGE,
    &yaml::PACKAGE,
];
