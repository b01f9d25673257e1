//! One line of source, one line of answer.

use super::eval;

#[test]
fn scalars() {
    assert_eq!(eval("a: 1\nb: a + 2\n"), "{a:1,b:3}");
}
