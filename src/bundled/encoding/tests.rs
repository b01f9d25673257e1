//! What the texts look like and which are refused.

use super::*;

#[test]
fn writes() {
    assert_eq!(hex(&[0, 0xde, 0xad]), "00dead");
    assert_eq!(base64(&[0xde, 0xad, 0xbe, 0xef]), "3q2+7w==");
    assert_eq!(base64_url(&[0xfb, 0xff]), "-_8");
}

#[test]
fn reads_what_go_reads() {
    assert_eq!(
        from_base64("3q2+\r\n7w==\n"),
        Ok(vec![0xde, 0xad, 0xbe, 0xef])
    );
    assert_eq!(from_base64("3q2+7x=="), Ok(vec![0xde, 0xad, 0xbe, 0xef]));
    assert_eq!(from_base64_url("-_8"), Ok(vec![0xfb, 0xff]));
    assert_eq!(from_base64_url("-_9"), Ok(vec![0xfb, 0xff]));
}

#[test]
fn refuses() {
    for text in ["%%", "3q2+7w", "3q2+7w=", "3q2-7w=="] {
        assert!(from_base64(text).is_err(), "{text}");
    }
    for text in ["AA==", "!!!", "p-9hg", "+/8"] {
        assert!(from_base64_url(text).is_err(), "{text}");
    }
}
