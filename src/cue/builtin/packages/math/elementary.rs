//! Elementary functions by the approximations that the reference uses, so that last digits agree.

use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, LN_2, PI};

/// From here on the reduction to an octant needs more digits.
const LARGE: f64 = (1u64 << 29) as f64;

/// The polynomial of some coefficients, highest power first.
pub(super) fn poly(x: f64, coefficients: &[f64]) -> f64 {
    coefficients.iter().fold(0.0, |sum, c| sum * x + c)
}

const SIN: [f64; 6] = [
    1.589_623_015_765_465_7e-10,
    -2.505_074_776_285_780_7e-8,
    2.755_731_362_138_572_2e-6,
    -1.984_126_982_958_954e-4,
    8.333_333_333_322_118e-3,
    -1.666_666_666_666_663e-1,
];
const COS: [f64; 6] = [
    -1.135_853_652_138_768_2e-11,
    2.087_570_084_197_473e-9,
    -2.755_731_417_929_674e-7,
    2.480_158_728_885_170_4e-5,
    -1.388_888_888_887_305_6e-3,
    4.166_666_666_666_659_5e-2,
];

/// The octant of a positive angle, even, and what remains of the angle.
fn reduced(x: f64) -> (u64, f64) {
    let mut octant = (x * (4.0 / PI)) as u64;
    let mut count = octant as f64;
    if octant & 1 == 1 {
        octant += 1;
        count += 1.0;
    }
    let rest = ((x - count * f64::from_bits(0x3fe9_21fb_4000_0000))
        - count * f64::from_bits(0x3e64_442d_0000_0000))
        - count * f64::from_bits(0x3ce8_4698_98cc_5170);
    (octant & 7, rest)
}

fn sin_part(z: f64) -> f64 {
    let zz = z * z;
    z + z * zz * poly(zz, &SIN)
}

fn cos_part(z: f64) -> f64 {
    let zz = z * z;
    1.0 - 0.5 * zz + zz * zz * poly(zz, &COS)
}

pub(super) fn sin(x: f64) -> f64 {
    let size = x.abs();
    if x == 0.0 || !x.is_finite() || size >= LARGE {
        return libm::sin(x);
    }
    let (octant, z) = reduced(size);
    let y = if matches!(octant & 3, 1 | 2) {
        cos_part(z)
    } else {
        sin_part(z)
    };
    if (octant > 3) == (x < 0.0) { y } else { -y }
}

pub(super) fn cos(x: f64) -> f64 {
    let size = x.abs();
    if !x.is_finite() || size >= LARGE {
        return libm::cos(x);
    }
    let (octant, z) = reduced(size);
    let half = octant & 3;
    let y = if matches!(half, 1 | 2) {
        sin_part(z)
    } else {
        cos_part(z)
    };
    if (octant > 3) == (half > 1) { y } else { -y }
}

pub(super) fn tan(x: f64) -> f64 {
    let size = x.abs();
    if x == 0.0 || !x.is_finite() || size >= LARGE {
        return libm::tan(x);
    }
    let (octant, z) = reduced(size);
    let zz = z * z;
    let mut y = z;
    if zz > 1e-14 {
        let above = [
            -1.309_369_391_813_837_8e4,
            1.153_516_648_385_874_2e6,
            -1.795_652_519_764_848_8e7,
        ];
        let below = [
            1.0,
            1.368_129_634_706_929_5e4,
            -1.320_892_344_402_109_7e6,
            2.500_838_018_233_579e7,
            -5.386_957_559_294_546_4e7,
        ];
        y = z + z * (zz * poly(zz, &above) / poly(zz, &below));
    }
    if octant & 2 == 2 {
        y = -1.0 / y;
    }
    if x < 0.0 { -y } else { y }
}

/// The arc tangent of a number up to 0.66.
fn small_atan(x: f64) -> f64 {
    let above = [
        -8.750_608_600_031_904e-1,
        -1.615_753_718_733_365_2e1,
        -7.500_855_792_314_705e1,
        -1.228_866_684_490_136_1e2,
        -6.485_021_904_942_025e1,
    ];
    let below = [
        1.0,
        2.485_846_490_142_306_3e1,
        1.650_270_098_316_988_5e2,
        4.328_810_604_912_902_7e2,
        4.853_903_996_359_137e2,
        1.945_506_571_482_614e2,
    ];
    let mut z = x * x;
    z = z * poly(z, &above) / poly(z, &below);
    x * z + x
}

fn positive_atan(x: f64) -> f64 {
    const MORE: f64 = 6.123_233_995_736_766e-17;
    if x <= 0.66 {
        small_atan(x)
    } else if x > 2.414_213_562_373_095 {
        FRAC_PI_2 - small_atan(1.0 / x) + MORE
    } else {
        FRAC_PI_4 + small_atan((x - 1.0) / (x + 1.0)) + 0.5 * MORE
    }
}

pub(super) fn atan(x: f64) -> f64 {
    if x == 0.0 || x.is_nan() {
        x
    } else if x > 0.0 {
        positive_atan(x)
    } else {
        -positive_atan(-x)
    }
}

pub(super) fn atan2(y: f64, x: f64) -> f64 {
    if y == 0.0 || x == 0.0 || !y.is_finite() || !x.is_finite() {
        return libm::atan2(y, x);
    }
    let q = atan(y / x);
    match (x < 0.0, q <= 0.0) {
        (true, true) => q + PI,
        (true, false) => q - PI,
        _ => q,
    }
}

pub(super) fn asin(x: f64) -> f64 {
    let size = x.abs();
    if x == 0.0 || x.is_nan() || size > 1.0 {
        return if size > 1.0 { f64::NAN } else { x };
    }
    let rest = (1.0 - size * size).sqrt();
    let y = if size > 0.7 {
        FRAC_PI_2 - positive_atan(rest / size)
    } else {
        positive_atan(size / rest)
    };
    if x < 0.0 { -y } else { y }
}

pub(super) fn acos(x: f64) -> f64 {
    FRAC_PI_2 - asin(x)
}

/// The exponential function as processors with fused multiplication compute it there.
fn exp(x: f64) -> f64 {
    const LN_2_HIGH: f64 = f64::from_bits(0x3fe6_2e42_fefa_3000);
    const LN_2_LOW: f64 = 2.823_529_056_303_157_7e-13;
    const TAYLOR: [f64; 8] = [
        1.0 / 40_320.0,
        1.0 / 5_040.0,
        1.0 / 720.0,
        1.0 / 120.0,
        1.0 / 24.0,
        1.0 / 6.0,
        0.5,
        1.0,
    ];
    if x.is_nan() {
        return x;
    }
    if x > 709.782_712_893_384 {
        return f64::INFINITY;
    }
    let power = (x * std::f64::consts::LOG2_E).round_ties_even();
    if power < -1022.0 {
        return 0.0;
    }
    let rest = power.mul_add(-LN_2_LOW, power.mul_add(-LN_2_HIGH, x)) * 0.0625;
    let series = TAYLOR[1..]
        .iter()
        .fold(TAYLOR[0], |sum, c| sum.mul_add(rest, *c));
    let mut y = rest * series;
    for _ in 0..3 {
        y *= y + 2.0;
    }
    libm::scalbn(y.mul_add(y + 2.0, 1.0), power as i32)
}

pub(super) fn sinh(x: f64) -> f64 {
    let size = x.abs();
    let y = if size > 21.0 {
        exp(size) * 0.5
    } else if size > 0.5 {
        (exp(size) - exp(-size)) * 0.5
    } else {
        let above = [
            -2.630_563_213_397_497e1,
            -2.894_211_355_989_564e3,
            -8.991_272_022_039_509e4,
            -6.307_673_640_497_717e5,
        ];
        let below = [
            1.0,
            -1.736_789_535_582_337e2,
            1.521_517_378_790_019e4,
            -6.307_673_640_497_717e5,
        ];
        let square = size * size;
        poly(square, &above) * size / poly(square, &below)
    };
    if x < 0.0 { -y } else { y }
}

pub(super) fn cosh(x: f64) -> f64 {
    let size = x.abs();
    if size > 21.0 {
        exp(size) * 0.5
    } else {
        (exp(size) + exp(-size)) * 0.5
    }
}

pub(super) fn tanh(x: f64) -> f64 {
    let size = x.abs();
    if size > 44.014_845_965_556_53 {
        return if x < 0.0 { -1.0 } else { 1.0 };
    }
    if size >= 0.625 {
        let y = 1.0 - 2.0 / (exp(2.0 * size) + 1.0);
        return if x < 0.0 { -y } else { y };
    }
    if x == 0.0 || x.is_nan() {
        return x;
    }
    let above = [
        -9.643_991_794_250_523e-1,
        -9.928_772_310_019_185e1,
        -1.614_687_684_417_084_5e3,
    ];
    let below = [
        1.0,
        1.128_116_784_916_329_3e2,
        2.235_488_390_601_004_5e3,
        4.844_063_053_251_255e3,
    ];
    let square = x * x;
    x + x * square * poly(square, &above) / poly(square, &below)
}

pub(super) fn gamma(x: f64) -> f64 {
    if x.is_nan() || x == f64::NEG_INFINITY || x < 0.0 && x == x.trunc() {
        return f64::NAN;
    }
    if x == f64::INFINITY || x == 0.0 {
        return 1.0 / x.recip();
    }
    if x.abs() > 33.0 {
        return libm::tgamma(x);
    }
    let (mut x, mut z) = (x, 1.0);
    while x >= 3.0 {
        x -= 1.0;
        z *= x;
    }
    let small = |x: f64, z: f64| z / ((1.0 + 0.577_215_664_901_532_9 * x) * x);
    while x < 0.0 {
        if x > -1e-9 {
            return small(x, z);
        }
        z /= x;
        x += 1.0;
    }
    while x < 2.0 {
        if x < 1e-9 {
            return if x == 0.0 { f64::INFINITY } else { small(x, z) };
        }
        z /= x;
        x += 1.0;
    }
    if x == 2.0 {
        return z;
    }
    let above = [
        1.601_195_224_767_518_6e-4,
        1.191_351_470_065_863_8e-3,
        1.042_137_975_617_615_7e-2,
        4.763_678_004_571_372e-2,
        2.074_482_276_484_359_8e-1,
        4.942_148_268_014_971e-1,
        1.0,
    ];
    let below = [
        -2.315_818_733_241_201_3e-5,
        5.396_055_804_933_034e-4,
        -4.456_419_138_517_973e-3,
        1.181_397_852_220_604_4e-2,
        3.582_363_986_054_986_5e-2,
        -2.345_917_957_182_433_5e-1,
        7.143_049_170_302_73e-2,
        1.0,
    ];
    x -= 2.0;
    z * poly(x, &above) / poly(x, &below)
}

/// The inverse of the error function.
pub(super) fn erfinv(x: f64) -> f64 {
    let size = x.abs();
    if size.is_nan() || size >= 1.0 {
        return if size == 1.0 {
            f64::INFINITY.copysign(x)
        } else {
            f64::NAN
        };
    }
    let y = if size <= 0.85 {
        let r = 0.180_625 - 0.25 * size * size;
        let above = [
            8.870_940_696_254_552e2,
            1.181_949_334_706_229_4e4,
            2.378_204_138_211_438_5e4,
            1.623_586_251_516_757_5e4,
            4.854_886_889_384_388e3,
            6.970_626_653_438_96e2,
            4.707_268_811_238_398e1,
            1.197_532_311_567_091_2,
        ];
        let below = [
            5.226_495_278_852_854e3,
            2.872_908_573_572_194_3e4,
            3.930_789_580_009_271e4,
            2.121_379_430_158_659_6e4,
            5.394_196_021_424_751e3,
            6.871_870_074_920_579e2,
            4.231_333_070_160_091e1,
            1.0,
        ];
        size * poly(r, &above) / poly(r, &below)
    } else {
        tail(LN_2 - libm::log(1.0 - size))
    };
    if x < 0.0 { -y } else { y }
}

/// The inverse of the error function near one.
fn tail(log: f64) -> f64 {
    let r = log.sqrt();
    if r <= 5.0 {
        let above = [
            7.745_450_142_783_414e-4,
            2.272_384_498_926_918_4e-2,
            2.417_807_251_774_506e-1,
            1.270_458_252_452_368_4,
            3.647_848_324_763_204_5,
            5.769_497_221_460_691,
            4.630_337_846_156_546,
            1.423_437_110_749_683_5,
        ];
        let below = [
            1.485_985_001_984_035_5e-9,
            7.744_145_906_515_771e-4,
            2.149_416_038_425_287_8e-2,
            2.094_506_521_051_275e-1,
            9.754_783_200_178_743e-1,
            2.370_766_162_602_453_4,
            2.903_651_444_541_994_8,
            std::f64::consts::SQRT_2,
        ];
        poly(r - 1.6, &above) / poly(r - 1.6, &below)
    } else {
        let above = [
            2.010_334_399_292_288_1e-7,
            2.711_555_568_743_487_6e-5,
            1.242_660_947_388_078_4e-3,
            2.653_218_952_657_612_4e-2,
            2.965_605_718_285_048_7e-1,
            1.784_826_539_917_291_3,
            5.463_784_911_164_114,
            6.657_904_643_501_103,
        ];
        let below = [
            2.891_024_605_872_965_5e-15,
            2.010_321_207_683_943e-7,
            2.611_088_405_080_593_5e-5,
            1.112_800_997_078_859_7e-3,
            2.103_693_768_272_069e-2,
            1.936_480_946_950_659_1e-1,
            8.482_908_416_595_164e-1,
            std::f64::consts::SQRT_2,
        ];
        poly(r - 5.0, &above) / poly(r - 5.0, &below)
    }
}
