//! The packages, one module each.

use super::registry::Package;

mod bits;
mod list;
mod math;
mod strconv;
mod strings;

/// All packages by import path.
pub(super) static ALL: &[&Package] = &[
    &bits::PACKAGE,
    &list::PACKAGE,
    &math::PACKAGE,
    &strconv::PACKAGE,
    &strings::PACKAGE,
];
