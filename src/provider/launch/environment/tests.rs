//! What is inherited, what is replaced and what is added.

use super::*;

fn with(own: &[(&str, &str)], log: bool) -> Vec<(String, String)> {
    let own: Vec<_> = own.iter().map(|(n, v)| (n.into(), v.into())).collect();
    let text = |text: OsString| text.into_string().unwrap();
    environment(&own, "my-cloud", "PEM", Path::new("/s"), log)
        .into_iter()
        .map(|(name, value)| (text(name), text(value)))
        .collect()
}

fn value<'a>(all: &'a [(String, String)], name: &str) -> Option<&'a str> {
    let found: Vec<_> = all.iter().filter(|(n, _)| n == name).collect();
    assert!(found.len() <= 1, "{name} is there twice");
    found.first().map(|(_, value)| value.as_str())
}

#[test]
fn what_an_outer_host_left_is_removed() {
    let all = with(
        &[
            ("PLUGIN_CLIENT_CERT", "rubbish"),
            ("PLUGIN_PROTOCOL_VERSIONS", "4"),
            ("PLUGIN_MULTIPLEX_GRPC", "true"),
            ("TF_PLUGIN_MAGIC_COOKIE", "other"),
            ("HOME", "/home/x"),
        ],
        false,
    );
    assert_eq!(value(&all, "PLUGIN_CLIENT_CERT"), Some("PEM"));
    assert_eq!(value(&all, "PLUGIN_PROTOCOL_VERSIONS"), Some("5,6"));
    assert_eq!(value(&all, "PLUGIN_MULTIPLEX_GRPC"), None);
    assert_eq!(value(&all, COOKIE.0), Some(COOKIE.1));
    assert_eq!(value(&all, "HOME"), Some("/home/x"));
    assert_eq!(value(&all, "PLUGIN_UNIX_SOCKET_DIR"), Some("/s"));
}

#[test]
fn plugins_are_quiet_unless_asked() {
    let quiet = with(&[("TF_LOG_SDK", "trace")], false);
    assert_eq!(value(&quiet, "TF_LOG_SDK"), Some("trace"));
    assert_eq!(value(&quiet, "TF_LOG_PROVIDER_MY_CLOUD"), Some("error"));
    let loud = with(&[], true);
    assert_eq!(value(&loud, "TF_LOG_SDK"), None);
}
