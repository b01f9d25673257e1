//! `math`: rounding and decimal functions at 34 digits.

use crate::builtin::call::Call;
use crate::builtin::host::{Data, Failure, Outcome};
use crate::builtin::kind::Kind;
use crate::builtin::registry::{Function, INT, NUMBER, Package, Parameter, function};
use crate::number::{ArithmeticError, Decimal, Number, NumberKind, PRECISION};
use num_bigint::{BigInt, Sign};
use std::cmp::Ordering;

mod constants;

const fn def(
    name: &'static str,
    parameters: &'static [Parameter],
    result: Kind,
    run: fn(&mut Call<'_>) -> Outcome,
) -> Function {
    function("math", name, parameters, result, run)
}

pub(super) static PACKAGE: Package = Package {
    path: "math",
    functions: FUNCTIONS,
    constants: constants::ALL,
    source: "",
};

static FUNCTIONS: &[Function] = &[
    def("Jacobi", &[INT, INT], Kind::INT, jacobi),
    def("Floor", &[NUMBER], Kind::INT, |c| {
        floor(&c.decimal(0)?, true)
    }),
    def("Ceil", &[NUMBER], Kind::INT, |c| {
        floor(&c.decimal(0)?, false)
    }),
    def("Trunc", &[NUMBER], Kind::INT, |c| {
        Ok(whole(c.decimal(0)?.truncated()))
    }),
    def("Round", &[NUMBER], Kind::INT, |c| {
        Ok(whole(c.decimal(0)?.to_integral()))
    }),
    def("RoundToEven", &[NUMBER], Kind::INT, round_to_even),
    def("MultipleOf", &[NUMBER, NUMBER], Kind::BOOL, |c| {
        let (x, y) = (c.decimal(0)?, c.decimal(1)?);
        checked(x.quo_reduced(&y)).map(|q| q.is_integral().into())
    }),
    def("Abs", &[NUMBER], Kind::NUMBER, |c| {
        checked(c.decimal(0)?.abs().rounded(PRECISION)).map(Data::decimal)
    }),
    def("Copysign", &[NUMBER, NUMBER], Kind::NUMBER, |c| {
        let (x, y) = (c.decimal(0)?, c.decimal(1)?);
        Ok(Data::decimal(x.with_sign(y.is_negative())))
    }),
    def("Dim", &[NUMBER, NUMBER], Kind::NUMBER, |c| {
        let difference = checked(c.decimal(0)?.sub(&c.decimal(1)?))?;
        let positive = if difference.is_negative() {
            Decimal::ZERO
        } else {
            difference
        };
        Ok(Data::decimal(positive))
    }),
    def("Pow10", &[INT], Kind::NUMBER, |c| {
        Ok(Data::decimal(Decimal::from_parts(1, c.int32(0)? as i32)))
    }),
    def("Signbit", &[NUMBER], Kind::BOOL, |c| {
        Ok(c.decimal(0)?.is_negative().into())
    }),
    def("Sqrt", &[NUMBER], Kind::NUMBER, |c| {
        Ok(c.float(0)?.sqrt().into())
    }),
];

fn checked(result: Result<Decimal, ArithmeticError>) -> Result<Decimal, Failure> {
    result.or_else(|e| Failure::fatal(e.to_string()))
}

/// An integer; infinities and NaN count as zero.
fn whole(value: Option<Decimal>) -> Data {
    let mut value = value.unwrap_or(Decimal::ZERO);
    if value.is_zero() {
        value = Decimal::ZERO;
    }
    Data::Number(Number {
        kind: NumberKind::Int,
        value,
    })
}

/// Results of more than 34 digits come out as zero, like in the reference.
fn floor(x: &Decimal, down: bool) -> Outcome {
    let Some(truncated) = x.truncated() else {
        return Ok(whole(None));
    };
    let one = Decimal::from_i64(1);
    let cut = truncated.order(x);
    let result = match (down, cut) {
        (true, Ordering::Greater) => checked(truncated.sub(&one))?,
        (false, Ordering::Less) => checked(truncated.add(&one))?,
        _ => truncated,
    };
    let integral = result
        .to_integral()
        .filter(|r| r.digits() <= i64::from(PRECISION));
    Ok(whole(integral))
}

fn round_to_even(c: &mut Call<'_>) -> Outcome {
    let x = c.decimal(0)?;
    let Some(truncated) = x.truncated() else {
        return Ok(whole(None));
    };
    let odd = truncated.to_bigint().is_some_and(|n| n.bit(0));
    if x.fraction_order_half() == Ordering::Equal && !odd {
        return Ok(whole(Some(truncated)));
    }
    Ok(whole(x.to_integral()))
}

fn jacobi(c: &mut Call<'_>) -> Outcome {
    let (x, y) = (c.bigint(0)?, c.bigint(1)?);
    if !y.bit(0) {
        return Failure::fatal(format!(
            "big: invalid 2nd argument to Int.Jacobi: need odd integer but got {y}"
        ));
    }
    let mut result = 1i64;
    let (mut a, mut b) = (x, y);
    if b.sign() == Sign::Minus {
        if a.sign() == Sign::Minus {
            result = -1;
        }
        b = -b;
    }
    loop {
        if b == BigInt::from(1) {
            return Ok(result.into());
        }
        a = ((a % &b) + &b) % &b;
        if a.sign() == Sign::NoSign {
            return Ok(0i64.into());
        }
        let twos = a.trailing_zeros().unwrap_or(0);
        a >>= twos;
        let low = |n: &BigInt, bits: u32| {
            n.magnitude().iter_u64_digits().next().unwrap_or(0) & ((1 << bits) - 1)
        };
        if twos % 2 == 1 && matches!(low(&b, 3), 3 | 5) {
            result = -result;
        }
        if low(&a, 2) == 3 && low(&b, 2) == 3 {
            result = -result;
        }
        std::mem::swap(&mut a, &mut b);
    }
}
