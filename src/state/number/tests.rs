//! Numbers: one text for each value.

use super::*;
use proptest::prelude::*;

#[test]
fn every_spelling_has_one_canonical_text() {
    for (text, want) in [
        ("0", "0"),
        ("-0.0", "0"),
        ("007", "7"),
        ("1.50", "1.5"),
        ("1e3", "1000"),
        ("12.5e-3", "0.0125"),
        ("-1E2", "-100"),
        (
            "123456789012345678901234567890.10",
            "123456789012345678901234567890.1",
        ),
    ] {
        assert_eq!(Number::parse(text).unwrap().as_str(), want, "{text}");
    }
}

#[test]
fn what_is_no_decimal_is_refused() {
    for text in ["", "-", ".", "1x", "0x10", "1e", "1e99999", "NaN"] {
        assert!(Number::parse(text).is_none(), "{text}");
    }
}

proptest! {
    #[test]
    fn orders_as_doubles_do(a in -1e9f64..1e9, b in -1e9f64..1e9) {
        let (x, y) = (Number::from_f64(a).unwrap(), Number::from_f64(b).unwrap());
        prop_assert_eq!(x.cmp(&y), a.partial_cmp(&b).unwrap());
        prop_assert_eq!(x.as_f64(), a);
    }
}
