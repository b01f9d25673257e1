//! Expressions against recorded answers.

use super::parse::pattern_of;
use super::{Regexp, quote_meta};
use proptest::prelude::*;

#[test]
fn faults_are_named_as_recorded() {
    let cases = include_str!("../../../tests/cue/library/regexp.txt");
    let mut count = 0;
    for line in cases
        .lines()
        .filter(|l| !l.starts_with('#') && !l.is_empty())
    {
        let mut parts = line.split('\t');
        let (Some(pattern), Some(text), Some(want)) = (parts.next(), parts.next(), parts.next())
        else {
            panic!("a case is PATTERN, TEXT and ANSWER: {line}");
        };
        let got = match Regexp::new(pattern) {
            Err(e) => format!("! {e}"),
            Ok(re) => {
                let found = re.matches(text, usize::MAX);
                let all = found.iter().map(|m| m[0].map_or("", |(a, b)| &text[a..b]));
                all.collect::<Vec<_>>().join("|")
            }
        };
        assert_eq!(got, want, "{pattern} on {text} ({})", pattern_of(pattern));
        count += 1;
    }
    assert!(count > 80, "the cases are read");
}

proptest! {
    #[test]
    fn quoted_text_matches_itself(text in ".{0,20}") {
        let re = Regexp::new(&quote_meta(&text)).expect("quoted text is an expression");
        prop_assert!(re.is_match(text.as_bytes()));
    }

    #[test]
    fn no_expression_panics(pattern in r"[a-c\[\](){}?*+|^$\\.\-:pPxLQE0-9,=!<>_]{0,16}") {
        if let Ok(re) = Regexp::new(&pattern) {
            re.matches("abcab 01-é", 5);
        }
    }
}
