//! `math`: rounding and decimal functions at 34 digits.

use crate::builtin::call::Call;
use crate::builtin::host::{Data, Failure, Outcome};
use crate::builtin::kind::Kind;
use crate::builtin::registry::{INT, Member, NUMBER, Package, constant, function};
use crate::number::{ArithmeticError, Decimal, Number, NumberKind, PRECISION};
use num_bigint::{BigInt, Sign};
use std::cmp::Ordering;

mod bessel;
mod bessel_tables;
mod elementary;

pub(super) static PACKAGE: Package = Package {
    path: "math",
    members: MEMBERS,
    source: "",
};

static MEMBERS: &[Member] = &[
    constant("MaxExp", "2147483647"),
    constant("MinExp", "-2147483648"),
    constant("MaxPrec", "4294967295"),
    constant("ToNearestEven", "0"),
    constant("ToNearestAway", "1"),
    constant("ToZero", "2"),
    constant("AwayFromZero", "3"),
    constant("ToNegativeInf", "4"),
    constant("ToPositiveInf", "5"),
    constant("Below", "-1"),
    constant("Exact", "0"),
    constant("Above", "1"),
    function("Jacobi", &[INT, INT], Kind::INT, jacobi),
    constant("MaxBase", "62"),
    function("Floor", &[NUMBER], Kind::INT, |c| {
        floor(&c.decimal(0)?, true)
    }),
    function("Ceil", &[NUMBER], Kind::INT, |c| {
        floor(&c.decimal(0)?, false)
    }),
    function("Trunc", &[NUMBER], Kind::INT, |c| {
        Ok(whole(c.decimal(0)?.truncated()))
    }),
    function("Round", &[NUMBER], Kind::INT, |c| {
        Ok(whole(c.decimal(0)?.to_integral()))
    }),
    function("RoundToEven", &[NUMBER], Kind::INT, round_to_even),
    function("MultipleOf", &[NUMBER, NUMBER], Kind::BOOL, |c| {
        let (x, y) = (c.decimal(0)?, c.decimal(1)?);
        checked(x.quo_reduced(&y)).map(|q| q.is_integral().into())
    }),
    function("Abs", &[NUMBER], Kind::NUMBER, |c| {
        checked(c.decimal(0)?.abs().rounded(PRECISION)).map(Data::decimal)
    }),
    function("Acosh", &[NUMBER], Kind::NUMBER, |c| {
        Ok(libm::acosh(c.float(0)?).into())
    }),
    function("Asin", &[NUMBER], Kind::NUMBER, |c| {
        Ok(elementary::asin(c.float(0)?).into())
    }),
    function("Acos", &[NUMBER], Kind::NUMBER, |c| {
        Ok(elementary::acos(c.float(0)?).into())
    }),
    function("Asinh", &[NUMBER], Kind::NUMBER, |c| {
        Ok(libm::asinh(c.float(0)?).into())
    }),
    function("Atan", &[NUMBER], Kind::NUMBER, |c| {
        Ok(elementary::atan(c.float(0)?).into())
    }),
    function("Atan2", &[NUMBER, NUMBER], Kind::NUMBER, |c| {
        Ok(elementary::atan2(c.float(0)?, c.float(1)?).into())
    }),
    function("Atanh", &[NUMBER], Kind::NUMBER, |c| {
        Ok(libm::atanh(c.float(0)?).into())
    }),
    function("Cbrt", &[NUMBER], Kind::NUMBER, |c| {
        decimal(c, Decimal::cbrt)
    }),
    constant(
        "E",
        "2.71828182845904523536028747135266249775724709369995957496696763",
    ),
    constant(
        "Pi",
        "3.14159265358979323846264338327950288419716939937510582097494459",
    ),
    constant(
        "Phi",
        "1.61803398874989484820458683436563811772030917980576286213544861",
    ),
    constant(
        "Sqrt2",
        "1.41421356237309504880168872420969807856967187537694807317667974",
    ),
    constant(
        "SqrtE",
        "1.64872127070012814684865078781416357165377610071014801157507931",
    ),
    constant(
        "SqrtPi",
        "1.77245385090551602729816748334114518279754945612238712821380779",
    ),
    constant(
        "SqrtPhi",
        "1.27201964951406896425242246173749149171560804184009624861664038",
    ),
    constant(
        "Ln2",
        "0.693147180559945309417232121458176568075500134360255254120680009",
    ),
    constant(
        "Log2E",
        "1.442695040888963407359924681001892137426645954152985934135449408",
    ),
    constant(
        "Ln10",
        "2.3025850929940456840179914546843642076011014886287729760333278",
    ),
    constant(
        "Log10E",
        "0.43429448190325182765112891891660508229439700580366656611445378",
    ),
    function("Copysign", &[NUMBER, NUMBER], Kind::NUMBER, |c| {
        let (x, y) = (c.decimal(0)?, c.decimal(1)?);
        Ok(Data::decimal(x.with_sign(y.is_negative())))
    }),
    function("Dim", &[NUMBER, NUMBER], Kind::NUMBER, |c| {
        let difference = checked(c.decimal(0)?.sub(&c.decimal(1)?))?;
        let positive = if difference.is_negative() {
            Decimal::ZERO
        } else {
            difference
        };
        Ok(Data::decimal(positive))
    }),
    function("Erf", &[NUMBER], Kind::NUMBER, |c| {
        Ok(libm::erf(c.float(0)?).into())
    }),
    function("Erfc", &[NUMBER], Kind::NUMBER, |c| {
        Ok(libm::erfc(c.float(0)?).into())
    }),
    function("Erfinv", &[NUMBER], Kind::NUMBER, |c| {
        Ok(elementary::erfinv(c.float(0)?).into())
    }),
    function("Erfcinv", &[NUMBER], Kind::NUMBER, |c| {
        Ok(elementary::erfinv(1.0 - c.float(0)?).into())
    }),
    function("Exp", &[NUMBER], Kind::NUMBER, |c| decimal(c, Decimal::exp)),
    function("Exp2", &[NUMBER], Kind::NUMBER, |c| {
        checked(Decimal::from_i64(2).pow(&c.decimal(0)?)).map(Data::decimal)
    }),
    function("Expm1", &[NUMBER], Kind::NUMBER, |c| {
        Ok(libm::expm1(c.float(0)?).into())
    }),
    function("Gamma", &[NUMBER], Kind::NUMBER, |c| {
        Ok(elementary::gamma(c.float(0)?).into())
    }),
    function("Hypot", &[NUMBER, NUMBER], Kind::NUMBER, |c| {
        Ok(libm::hypot(c.float(0)?, c.float(1)?).into())
    }),
    function("J0", &[NUMBER], Kind::NUMBER, |c| {
        Ok(bessel::j0(c.float(0)?).into())
    }),
    function("Y0", &[NUMBER], Kind::NUMBER, |c| {
        Ok(bessel::y0(c.float(0)?).into())
    }),
    function("J1", &[NUMBER], Kind::NUMBER, |c| {
        Ok(bessel::j1(c.float(0)?).into())
    }),
    function("Y1", &[NUMBER], Kind::NUMBER, |c| {
        Ok(bessel::y1(c.float(0)?).into())
    }),
    function("Jn", &[INT, NUMBER], Kind::NUMBER, |c| {
        Ok(bessel::jn(order(c)?, c.float(1)?).into())
    }),
    function("Yn", &[INT, NUMBER], Kind::NUMBER, |c| {
        Ok(bessel::yn(order(c)?, c.float(1)?).into())
    }),
    function("Ldexp", &[NUMBER, INT], Kind::NUMBER, |c| {
        let (x, n) = (c.float(0)?, c.int(1)?);
        Ok(libm::ldexp(x, n.clamp(-100_000, 100_000) as i32).into())
    }),
    function("Log", &[NUMBER], Kind::NUMBER, |c| decimal(c, Decimal::ln)),
    function("Log10", &[NUMBER], Kind::NUMBER, |c| {
        decimal(c, Decimal::log10)
    }),
    function("Log2", &[NUMBER], Kind::NUMBER, |c| {
        decimal(c, Decimal::log2)
    }),
    function("Log1p", &[NUMBER], Kind::NUMBER, |c| {
        Ok(libm::log1p(c.float(0)?).into())
    }),
    function("Logb", &[NUMBER], Kind::NUMBER, |c| {
        Ok(logb(c.float(0)?).into())
    }),
    function("Ilogb", &[NUMBER], Kind::INT, |c| {
        let x = c.float(0)?;
        Ok(match x {
            _ if x == 0.0 => i64::from(i32::MIN),
            _ if !x.is_finite() => i64::from(i32::MAX),
            _ => logb(x) as i64,
        }
        .into())
    }),
    function("Mod", &[NUMBER, NUMBER], Kind::NUMBER, |c| {
        Ok(libm::fmod(c.float(0)?, c.float(1)?).into())
    }),
    function("Pow", &[NUMBER, NUMBER], Kind::NUMBER, |c| {
        let (x, y) = (c.decimal(0)?, c.decimal(1)?);
        checked(x.pow(&y)).map(Data::decimal)
    }),
    function("Pow10", &[INT], Kind::NUMBER, |c| {
        Ok(Data::decimal(Decimal::from_parts(1, c.int32(0)? as i32)))
    }),
    function("Remainder", &[NUMBER, NUMBER], Kind::NUMBER, |c| {
        Ok(libm::remainder(c.float(0)?, c.float(1)?).into())
    }),
    function("Signbit", &[NUMBER], Kind::BOOL, |c| {
        Ok(c.decimal(0)?.is_negative().into())
    }),
    function("Cos", &[NUMBER], Kind::NUMBER, |c| {
        Ok(elementary::cos(c.float(0)?).into())
    }),
    function("Sin", &[NUMBER], Kind::NUMBER, |c| {
        Ok(elementary::sin(c.float(0)?).into())
    }),
    function("Sinh", &[NUMBER], Kind::NUMBER, |c| {
        Ok(elementary::sinh(c.float(0)?).into())
    }),
    function("Cosh", &[NUMBER], Kind::NUMBER, |c| {
        Ok(elementary::cosh(c.float(0)?).into())
    }),
    function("Sqrt", &[NUMBER], Kind::NUMBER, |c| {
        Ok(c.float(0)?.sqrt().into())
    }),
    function("Tan", &[NUMBER], Kind::NUMBER, |c| {
        Ok(elementary::tan(c.float(0)?).into())
    }),
    function("Tanh", &[NUMBER], Kind::NUMBER, |c| {
        Ok(elementary::tanh(c.float(0)?).into())
    }),
];

fn decimal(c: &mut Call<'_>, f: fn(&Decimal) -> Result<Decimal, ArithmeticError>) -> Outcome {
    checked(f(&c.decimal(0)?)).map(Data::decimal)
}

fn checked(result: Result<Decimal, ArithmeticError>) -> Result<Decimal, Failure> {
    result.or_else(|e| Failure::fatal(e.to_string()))
}

fn order(c: &mut Call<'_>) -> Result<i32, Failure> {
    Ok(c.int(0)?.clamp(-1_000_000, 1_000_000) as i32)
}

/// The binary exponent of a float.
fn logb(x: f64) -> f64 {
    if x == 0.0 {
        return f64::NEG_INFINITY;
    }
    if !x.is_finite() {
        return if x.is_nan() { x } else { f64::INFINITY };
    }
    let (_, exponent) = libm::frexp(x);
    f64::from(exponent - 1)
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
