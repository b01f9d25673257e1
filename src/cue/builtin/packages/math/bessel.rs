//! Bessel functions by the approximations that the reference uses, so that last digits agree.

use super::bessel_tables::{FAR_0, FAR_1, J0, J0_BY, J1, J1_BY, Y0, Y0_BY, Y1, Y1_BY};
use super::elementary::{cos, poly, sin};
use std::f64::consts::FRAC_2_PI;

/// One over the root of pi.
const BY_ROOT_PI: f64 = 0.564_189_583_547_756_3;

/// From here on nothing but the first term counts.
const TWO_129: f64 = (1u128 << 127) as f64 * 4.0;

/// From here on the recurrence of orders is not needed: 2 to the power of 302.
const TWO_302: f64 = f64::from_bits((1023 + 302) << 52);

/// What is the same of the functions of order 0 and 1.
#[derive(Clone, Copy, PartialEq)]
enum Order {
    Zero,
    One,
}

/// Which of the two kinds.
#[derive(Clone, Copy, PartialEq)]
enum Sort {
    First,
    Second,
}

impl Order {
    /// A value from 2 on.
    fn far(self, sort: Sort, x: f64) -> f64 {
        let (s, c) = (sin(x), cos(x));
        let (mut ss, mut cc) = match self {
            Self::Zero => (s - c, s + c),
            Self::One => (-s - c, s - c),
        };
        // The smaller one by the larger one: nothing is cancelled.
        if x < f64::MAX / 2.0 {
            let (z, by_sine) = match self {
                Self::Zero => (-cos(x + x), s * c < 0.0),
                Self::One => (cos(x + x), s * c > 0.0),
            };
            if by_sine {
                cc = z / ss;
            } else {
                ss = z / cc;
            }
        }
        let sum = if x > TWO_129 {
            if sort == Sort::First { cc } else { ss }
        } else {
            let (u, v) = self.expansion(x);
            match sort {
                Sort::First => u * cc - v * ss,
                Sort::Second => u * ss + v * cc,
            }
        };
        BY_ROOT_PI * sum / x.sqrt()
    }

    fn expansion(self, x: f64) -> (f64, f64) {
        let (ranges, first) = match self {
            Self::Zero => (&FAR_0, -0.125),
            Self::One => (&FAR_1, 0.375),
        };
        let r = ranges.iter().find(|r| x >= r.from).unwrap_or(&ranges[3]);
        let z = 1.0 / (x * x);
        let p = 1.0 + poly(z, &r.p) / poly(z, &r.p_by);
        let q = (first + poly(z, &r.q) / poly(z, &r.q_by)) / x;
        (p, q)
    }
}

/// First kind, order 0.
pub(super) fn j0(x: f64) -> f64 {
    let x = x.abs();
    if x.is_nan() {
        return x;
    }
    if x.is_infinite() {
        return 0.0;
    }
    if x >= 2.0 {
        return Order::Zero.far(Sort::First, x);
    }
    if x < 2f64.powi(-27) {
        return 1.0;
    }
    if x < 2f64.powi(-13) {
        return 1.0 - 0.25 * x * x;
    }
    let z = x * x;
    let (r, s) = (poly(z, &J0), poly(z, &J0_BY));
    if x < 1.0 {
        return 1.0 + z * (-0.25 + r / s);
    }
    let u = 0.5 * x;
    (1.0 + u) * (1.0 - u) + z * (r / s)
}

/// First kind, order 1.
pub(super) fn j1(x: f64) -> f64 {
    if x.is_nan() {
        return x;
    }
    if x.is_infinite() || x == 0.0 {
        return 0.0;
    }
    if x < 0.0 {
        return -j1(-x);
    }
    if x >= 2.0 {
        return Order::One.far(Sort::First, x);
    }
    if x < 2f64.powi(-27) {
        return 0.5 * x;
    }
    let z = x * x;
    let (r, s) = (poly(z, &J1) * x, poly(z, &J1_BY));
    0.5 * x + r / s
}

/// What the second kind is where it is no ordinary number.
fn outside(x: f64) -> Option<f64> {
    if x < 0.0 || x.is_nan() {
        Some(f64::NAN)
    } else if x.is_infinite() {
        Some(0.0)
    } else {
        (x == 0.0).then_some(f64::NEG_INFINITY)
    }
}

/// Second kind, order 0.
pub(super) fn y0(x: f64) -> f64 {
    if let Some(y) = outside(x) {
        return y;
    }
    if x >= 2.0 {
        return Order::Zero.far(Sort::Second, x);
    }
    if x <= 2f64.powi(-27) {
        return Y0[6] + FRAC_2_PI * libm::log(x);
    }
    let z = x * x;
    poly(z, &Y0) / poly(z, &Y0_BY) + FRAC_2_PI * j0(x) * libm::log(x)
}

/// Second kind, order 1.
pub(super) fn y1(x: f64) -> f64 {
    if let Some(y) = outside(x) {
        return y;
    }
    if x >= 2.0 {
        return Order::One.far(Sort::Second, x);
    }
    if x <= 2f64.powi(-54) {
        return -FRAC_2_PI / x;
    }
    let z = x * x;
    let quotient = poly(z, &Y1) / poly(z, &Y1_BY);
    x * quotient + FRAC_2_PI * (j1(x) * libm::log(x) - 1.0 / x)
}

/// The sum of sine and cosine with the signs of an order, for the largest values.
fn largest(n: i32, x: f64, sort: Sort) -> f64 {
    let (s, c) = (sin(x), cos(x));
    let sum = match (n & 3, sort) {
        (0, Sort::First) => c + s,
        (1, Sort::First) => -c + s,
        (2, Sort::First) => -c - s,
        (_, Sort::First) => c - s,
        (0, Sort::Second) => s - c,
        (1, Sort::Second) => -s - c,
        (2, Sort::Second) => -s + c,
        (_, Sort::Second) => s + c,
    };
    BY_ROOT_PI * sum / x.sqrt()
}

/// First kind of any order.
pub(super) fn jn(n: i32, x: f64) -> f64 {
    if x.is_nan() {
        return x;
    }
    if x.is_infinite() {
        return 0.0;
    }
    if n == 0 {
        return j0(x);
    }
    if x == 0.0 {
        return 0.0;
    }
    let (n, x) = if n < 0 {
        (n.saturating_neg(), -x)
    } else {
        (n, x)
    };
    if n == 1 {
        return j1(x);
    }
    let negative = x < 0.0 && n & 1 == 1;
    let x = x.abs();
    let b = if f64::from(n) > x {
        if x < 2f64.powi(-29) {
            tiny(n, x)
        } else {
            downwards(n, x)
        }
    } else if x >= TWO_302 {
        largest(n, x, Sort::First)
    } else {
        let (mut a, mut b) = (j0(x), j1(x));
        for i in 1..n {
            (a, b) = (b, b * (twice(i) / x) - a);
        }
        b
    };
    if negative { -b } else { b }
}

fn twice(i: i32) -> f64 {
    2.0 * f64::from(i)
}

/// The first term of the series.
fn tiny(n: i32, x: f64) -> f64 {
    if n > 33 {
        return 0.0;
    }
    let half = x * 0.5;
    let (mut power, mut factorial) = (half, 1.0);
    for i in 2..=n {
        factorial *= f64::from(i);
        power *= half;
    }
    power / factorial
}

/// By a continued fraction, then from the order downwards to 0.
fn downwards(n: i32, x: f64) -> f64 {
    let (w, h) = (twice(n) / x, 2.0 / x);
    let mut z = w + h;
    let (mut q0, mut q1) = (w, w * z - 1.0);
    let mut k = 1.0;
    while q1 < 1e9 {
        k += 1.0;
        z += h;
        (q0, q1) = (q1, z * q1 - q0);
    }
    let m = twice(n);
    let mut t = 0.0;
    let mut i = 2.0 * (f64::from(n) + k);
    while i >= m {
        t = 1.0 / (i / x - t);
        i -= 2.0;
    }
    let (mut a, mut b) = (t, 1.0);
    let size = f64::from(n) * libm::log((h * f64::from(n)).abs());
    let large = size >= 7.097_827_128_933_84e2;
    for i in (1..n).rev() {
        (a, b) = (b, b * twice(i) / x - a);
        if large && b > 1e100 {
            a /= b;
            t /= b;
            b = 1.0;
        }
    }
    t * j0(x) / b
}

/// Second kind of any order.
pub(super) fn yn(n: i32, x: f64) -> f64 {
    if n == 0 {
        return y0(x);
    }
    let odd = n & 1 == 1;
    match outside(x) {
        Some(y) if y.is_infinite() && n < 0 && odd => return f64::INFINITY,
        Some(y) => return y,
        None => {}
    }
    let negative = n < 0 && odd;
    let n = n.saturating_abs();
    let b = if n == 1 {
        y1(x)
    } else if x >= TWO_302 {
        largest(n, x, Sort::Second)
    } else {
        let (mut a, mut b) = (y0(x), y1(x));
        let mut i = 1;
        while i < n && b != f64::NEG_INFINITY {
            (a, b) = (b, twice(i) / x * b - a);
            i += 1;
        }
        b
    };
    if negative { -b } else { b }
}
