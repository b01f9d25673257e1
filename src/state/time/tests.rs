//! Times and spans: their text forms and back.

use super::*;
use proptest::prelude::*;

#[test]
fn milliseconds_are_written_only_when_there_are_any() {
    for (milliseconds, text) in [
        (0, "1970-01-01T00:00:00Z"),
        (1_767_225_600_000, "2026-01-01T00:00:00Z"),
        (1_767_225_600_007, "2026-01-01T00:00:00.007Z"),
        (1_767_225_600_120, "2026-01-01T00:00:00.120Z"),
        (-1, "1969-12-31T23:59:59.999Z"),
    ] {
        let time = Time::from_unix_ms(milliseconds).unwrap();
        assert_eq!(time.to_string(), text);
        assert_eq!(Time::parse(text).unwrap(), time);
    }
}

#[test]
fn offsets_and_finer_digits_are_read() {
    let want = Time::parse("2026-01-01T00:00:00.123Z").unwrap();
    for text in [
        "2026-01-01T01:00:00.123456789+01:00",
        "2026-01-01T00:00:00.123999Z",
    ] {
        assert_eq!(Time::parse(text).unwrap(), want, "{text}");
    }
}

#[test]
fn what_is_no_time_is_refused() {
    for text in ["", "now", "2026-01-01", "2026-13-01T00:00:00Z", "12345"] {
        assert!(Time::parse(text).is_err(), "{text:?}");
    }
}

#[test]
fn moments_far_away_neither_wrap_nor_panic() {
    let now = Time::parse("2026-01-01T00:00:00Z").unwrap();
    assert_eq!((now + Duration::MAX).to_string()[..4], *"9999");
    assert_eq!(now.since(now + Duration::from_secs(5)), Duration::ZERO);
    assert_eq!(
        (now + Duration::from_secs(5)).since(now),
        Duration::from_secs(5)
    );
    assert!(Time::from_unix_ms(i64::MAX).is_none());
}

#[test]
fn spans_are_numbers_with_units() {
    for (text, seconds) in [
        ("15m", 900),
        ("1h", 3600),
        ("7d", 604_800),
        ("2w", 1_209_600),
        ("1h30m", 5400),
        ("0s", 0),
        ("30m1h", 5400),
    ] {
        assert_eq!(parse_span(text), Ok(Duration::from_secs(seconds)), "{text}");
    }
    let wrong = [
        "",
        "1",
        "m",
        "1x",
        "-1s",
        "1.5h",
        "1 h",
        "h1",
        "99999999999999999999s",
    ];
    for text in wrong {
        assert!(parse_span(text).is_err(), "{text:?}");
    }
    assert!(parse_span("99999999999999999w").is_err());
}

#[test]
fn ages_have_one_unit() {
    for (seconds, text) in [
        (0, "0s"),
        (59, "59s"),
        (60, "1m"),
        (3599, "59m"),
        (7200, "2h"),
        (86_400 * 20, "20d"),
    ] {
        assert_eq!(brief_span(Duration::from_secs(seconds)), text);
    }
}

proptest! {
    #[test]
    fn parses_what_it_prints(milliseconds in -10_000_000_000_000_i64..100_000_000_000_000) {
        let time = Time::from_unix_ms(milliseconds).unwrap();
        prop_assert_eq!(Time::parse(&time.to_string()).unwrap(), time);
    }
}
