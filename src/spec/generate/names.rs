//! Names in generated packages: import paths, package clauses, labels.

use pravo_state::address::is_identifier;

/// The host that import paths leave out.
const DEFAULT_HOST: &str = "registry.opentofu.org";

/// What import paths of providers begin with.
const PREFIX: &str = "pravo.dev/providers/";

/// The import path of a provider's package, such as `pravo.dev/providers/hashicorp/random`, from
/// its source address with host.
///
/// # Errors
/// The sentence of the error, when the source is no source address.
pub fn import_path(source: &str) -> Result<String, String> {
    let [host, namespace, kind] = parts(source)?;
    Ok(if host == DEFAULT_HOST {
        format!("{PREFIX}{namespace}/{kind}")
    } else {
        format!("{PREFIX}{host}/{namespace}/{kind}")
    })
}

/// The source address, with host, of the provider whose package has that import path; nothing when
/// it is not the path of a provider's package. A package name after `:` or a version after `@` is
/// left out.
pub fn source_of_import(path: &str) -> Option<String> {
    let path = path.strip_prefix(PREFIX)?;
    let path = path.split_once([':', '@']).map_or(path, |(path, _)| path);
    let source = match path.split('/').count() {
        2 => format!("{DEFAULT_HOST}/{path}"),
        _ => path.to_owned(),
    };
    parts(&source).is_ok().then_some(source)
}

/// The last part of a source address.
pub(super) fn provider_type(source: &str) -> Result<String, String> {
    Ok(parts(source)?[2].to_owned())
}

fn parts(source: &str) -> Result<[&str; 3], String> {
    let wanted = || format!("{source:?} is not a provider source: want HOST/NAMESPACE/TYPE");
    let parts: Vec<&str> = source.split('/').collect();
    let parts: [&str; 3] = parts.try_into().map_err(|_| wanted())?;
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    if parts
        .iter()
        .all(|p| p.starts_with(|c: char| c.is_ascii_alphanumeric()) && p.chars().all(plain))
    {
        return Ok(parts);
    }
    Err(wanted())
}

/// The package clause of a provider's package, from the type in its source address: an identifier
/// that is neither a keyword nor a predeclared name.
pub fn package_name(kind: &str) -> String {
    let mut name: String = kind
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
        .collect();
    if name.starts_with(|c: char| !c.is_ascii_alphabetic()) {
        name.insert(0, 'p');
    }
    if RESERVED.contains(&name.as_str()) {
        name.push('_');
    }
    name
}

/// A name as the label of a field. One that could be taken for something else, a keyword, a name
/// that types or imports use or a hidden field, is quoted: quoted labels capture no reference.
pub(super) fn label(name: &str) -> String {
    if is_identifier(name) && !name.starts_with(['_', '#', '$']) && !RESERVED.contains(&name) {
        return name.to_owned();
    }
    quote(name)
}

fn quote(name: &str) -> String {
    let mut text = String::from("\"");
    for character in name.chars() {
        match character {
            '"' | '\\' => text.extend(['\\', character]),
            other if other.is_control() => text.push_str(&format!("\\u{:04x}", other as u32)),
            other => text.push(other),
        }
    }
    text.push('"');
    text
}

/// CUE's keywords and predeclared names, and the packages that generated text imports.
const RESERVED: &[&str] = &[
    "and",
    "bool",
    "bytes",
    "close",
    "div",
    "else",
    "error",
    "fallback",
    "false",
    "float",
    "float32",
    "float64",
    "for",
    "func",
    "if",
    "import",
    "in",
    "int",
    "int128",
    "int16",
    "int32",
    "int64",
    "int8",
    "len",
    "let",
    "list",
    "matchIf",
    "matchN",
    "mod",
    "null",
    "number",
    "or",
    "otherwise",
    "package",
    "pravo",
    "quo",
    "rem",
    "rune",
    "self",
    "string",
    "true",
    "try",
    "uint",
    "uint128",
    "uint16",
    "uint32",
    "uint64",
    "uint8",
];
