//! Lines that real and broken plugins print.

use super::*;

#[test]
fn good_lines_are_read() {
    let certificate = "MIICMTCCAZKgAwIBAgI".repeat(4);
    let unix = Place::Unix("/tmp/plugin1".into());
    let tcp = Place::Tcp("127.0.0.1:10003".into());
    for (line, protocol, place, has_certificate) in [
        (
            "1|5|unix|/tmp/plugin1|grpc".to_owned(),
            Protocol::V5,
            &unix,
            false,
        ),
        (
            "1|6|tcp|127.0.0.1:10003|grpc|\r\n".to_owned(),
            Protocol::V6,
            &tcp,
            false,
        ),
        (
            "1|6|unix|/tmp/plugin1|grpc|short text|false".to_owned(),
            Protocol::V6,
            &unix,
            false,
        ),
        (
            format!("1|6|unix|/tmp/plugin1|grpc|{certificate}"),
            Protocol::V6,
            &unix,
            true,
        ),
    ] {
        let read = parse(&line).unwrap();
        assert_eq!((read.protocol, &read.place), (protocol, place), "{line}");
        assert_eq!(read.certificate.is_some(), has_certificate, "{line}");
    }
}

#[test]
fn each_bad_line_says_why() {
    let long = "*".repeat(60);
    for (line, problem) in [
        ("hello\n".to_owned(), "may be no plugin"),
        ("1|6|unix".to_owned(), "may be no plugin"),
        ("2|6|unix|/x|grpc".to_owned(), "version \"2\""),
        ("1|4|unix|/x|grpc".to_owned(), "protocol 4"),
        ("1|6|pipe|/x|grpc".to_owned(), "\"pipe\""),
        ("1|6|unix||grpc".to_owned(), "no address"),
        ("1|6|unix|/x".to_owned(), "netrpc"),
        ("1|6|unix|/x|netrpc".to_owned(), "netrpc"),
        ("1|6|unix|/x|http".to_owned(), "\"http\""),
        ("1|6|unix|/x|grpc||true".to_owned(), "multiplexes"),
        (format!("1|6|unix|/x|grpc|{long}"), "base64"),
    ] {
        let error = parse(&line).unwrap_err();
        assert!(error.contains(problem), "{line}: {error}");
    }
}
