//! `math/bits`: integers of any size as two's complement.

use crate::builtin::call::Call;
use crate::builtin::host::{Data, Failure, Outcome};
use crate::builtin::kind::Kind;
use crate::builtin::registry::{INT, Member, Package, Parameter, function};
use num_bigint::BigInt;

const fn def(
    name: &'static str,
    parameters: &'static [Parameter],
    run: fn(&mut Call<'_>) -> Outcome,
) -> Member {
    function(name, parameters, Kind::INT, run)
}

pub(super) static PACKAGE: Package = Package {
    path: "math/bits",
    members: MEMBERS,
    source: "",
};

/// Most bits that a shift may produce; beyond it the result would not fit in memory.
const SHIFT_LIMIT: u64 = 1 << 26;

static MEMBERS: &[Member] = &[
    def("Lsh", &[INT, INT], |c| {
        let (x, n) = (c.bigint(0)?, c.uint(1)?);
        if n > SHIFT_LIMIT {
            return Failure::fatal("shift count too large");
        }
        Ok((x << n).into())
    }),
    def("Rsh", &[INT, INT], |c| {
        let (x, n) = (c.bigint(0)?, c.uint(1)?);
        Ok((x >> n).into())
    }),
    def("At", &[INT, INT], |c| {
        let (x, i) = (c.bigint(0)?, c.uint(1)?);
        if i > i32::MAX as u64 {
            return Failure::fatal("bit index too large");
        }
        Ok(Data::from(i64::from(x.bit(i))))
    }),
    def("Set", &[INT, INT, INT], set),
    def("And", &[INT, INT], |c| {
        Ok((c.bigint(0)? & c.bigint(1)?).into())
    }),
    def("Or", &[INT, INT], |c| {
        Ok((c.bigint(0)? | c.bigint(1)?).into())
    }),
    def("Xor", &[INT, INT], |c| {
        Ok((c.bigint(0)? ^ c.bigint(1)?).into())
    }),
    def("Clear", &[INT, INT], |c| {
        let (a, b) = (c.bigint(0)?, c.bigint(1)?);
        Ok((a & !b).into())
    }),
    def("OnesCount", &[INT], |c| {
        let x = c.bigint(0)?;
        Ok(Data::from(
            x.iter_u64_digits()
                .map(|d| i64::from(d.count_ones()))
                .sum::<i64>(),
        ))
    }),
    def("Len", &[INT], |c| {
        Ok(Data::from(c.bigint(0)?.bits() as i64))
    }),
];

fn set(c: &mut Call<'_>) -> Outcome {
    let (x, i, bit) = (c.bigint(0)?, c.int(1)?, c.uint(2)?);
    let Ok(i) = u64::try_from(i) else {
        return Failure::fatal("negative bit index");
    };
    if i > SHIFT_LIMIT {
        return Failure::fatal("bit index too large");
    }
    let mask = BigInt::from(1) << i;
    match bit {
        0 => Ok((x & !mask).into()),
        1 => Ok((x | mask).into()),
        _ => Failure::fatal("set bit is not 0 or 1"),
    }
}
