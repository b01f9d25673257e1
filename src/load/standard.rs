//! The names of the standard packages.

const STANDARD: &[&str] = &[
    "crypto/ed25519",
    "crypto/hmac",
    "crypto/md5",
    "crypto/sha1",
    "crypto/sha256",
    "crypto/sha512",
    "encoding/base64",
    "encoding/csv",
    "encoding/hex",
    "encoding/json",
    "encoding/openapi",
    "encoding/toml",
    "encoding/yaml",
    "html",
    "list",
    "math",
    "math/bits",
    "net",
    "path",
    "regexp",
    "strconv",
    "strings",
    "struct",
    "text/tabwriter",
    "text/template",
    "time",
    "tool",
    "tool/cli",
    "tool/exec",
    "tool/file",
    "tool/http",
    "tool/os",
    "uuid",
];

/// Whether a path is that of a standard package, built or not.
pub fn is_standard(path: &str) -> bool {
    STANDARD.binary_search(&path).is_ok()
}

/// The path of the standard package of a short name, as single expressions may use it.
pub fn short_name(name: &str) -> Option<&'static str> {
    STANDARD
        .iter()
        .copied()
        .find(|p| p.rsplit('/').next() == Some(name))
}
