//! Lines of loggers, of crashes and of nobody.

use super::*;

#[test]
fn lines_have_levels() {
    for (line, level, text) in [
        (
            r#"{"@message":"hi","@level":"info","k":1}"#,
            Level::Info,
            "hi",
        ),
        (
            r#"{"@message":"plugin init error","error":"no room"}"#,
            Level::Debug,
            "plugin init error: no room",
        ),
        ("[WARN] careful\n", Level::Warning, "careful"),
        ("[1,2,3]", Level::Plain, "[1,2,3]"),
        (r#"{"@message":5}"#, Level::Plain, r#"{"@message":5}"#),
        ("text", Level::Plain, "text"),
    ] {
        let text = text.to_owned();
        assert_eq!(understand(line), Some(Line { level, text }), "{line}");
    }
    assert_eq!(understand("\n"), None);
}

fn tail_of(lines: impl IntoIterator<Item = String>) -> String {
    let tail = Tail::default();
    for line in lines {
        tail.add(&understand(&line).unwrap());
    }
    tail.text()
}

#[test]
fn a_crash_is_kept_from_its_first_line() {
    let before = (0..50).map(|n| format!("before {n}"));
    let crash = ["panic: boom".to_owned(), "goroutine 1".to_owned()];
    let after = (0..50).map(|n| format!("after {n}"));
    let text = tail_of(before.chain(crash).chain(after));
    assert!(
        text.starts_with("panic: boom\ngoroutine 1\nafter 0"),
        "{text}"
    );
    assert_eq!(text.lines().count(), KEPT);
}

#[test]
fn without_a_crash_the_last_lines_are_kept_but_no_log() {
    let text = tail_of((0..50).flat_map(|n| [format!("line {n}"), "[DEBUG] secret".to_owned()]));
    assert!(
        text.starts_with("line 30") && text.ends_with("line 49"),
        "{text}"
    );
}

#[tokio::test]
async fn long_and_broken_lines_do_not_end_the_reader() {
    let mut bytes = vec![b'x'; 1 << 20];
    bytes.extend(b"\n\xff\xfe\n[]\nplain\n");
    let tail = Tail::default();
    read_log(bytes.as_slice(), tail.clone(), "p".into(), false).await;
    assert!(tail.text().ends_with("[]\nplain"));
}
