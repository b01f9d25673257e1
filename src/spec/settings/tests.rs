//! Ages as they are written.

use super::*;

#[test]
fn ages_are_read_as_written() {
    let every = |seconds, text: &str| Some(Age::Every(seconds, text.to_owned()));
    assert_eq!(Age::parse("always"), Some(Age::Always));
    assert_eq!(Age::parse("never"), Some(Age::Never));
    assert_eq!(Age::parse("15m"), every(900, "15m"));
    assert_eq!(Age::parse("1h30m"), every(5_400, "1h30m"));
    assert_eq!(Age::parse("1w2d"), every(777_600, "1w2d"));
    assert_eq!(
        Age::parse("99999999999999999999w"),
        every(u64::MAX, "99999999999999999999w")
    );
}

#[test]
fn what_is_no_age_is_nothing() {
    for text in ["", "soon", "1", "h", "1h5", "-1h", "1 h", "1ms1"] {
        assert_eq!(Age::parse(text), None, "{text}");
    }
}
