//! Paths as texts: joined, cleaned, relative to each other. Separators are slashes.

/// Joins and removes `.`, `..` and doubled slashes.
pub fn clean(path: &str) -> String {
    let absolute = path.starts_with('/');
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => match parts.last() {
                Some(last) if *last != ".." => {
                    parts.pop();
                }
                _ if absolute => {}
                _ => parts.push(".."),
            },
            _ => parts.push(part),
        }
    }
    let joined = parts.join("/");
    match (absolute, joined.is_empty()) {
        (true, _) => format!("/{joined}"),
        (false, true) => ".".to_owned(),
        (false, false) => joined,
    }
}

/// A path below a directory; an absolute one stays.
pub(crate) fn join(dir: &str, path: &str) -> String {
    if path.starts_with('/') {
        clean(path)
    } else {
        clean(&format!("{dir}/{path}"))
    }
}

/// The directory a path lies in.
pub(crate) fn parent(path: &str) -> Option<&str> {
    let at = path.rfind('/')?;
    if at == 0 {
        return (path.len() > 1).then_some("/");
    }
    Some(&path[..at])
}

/// The last element.
pub(crate) fn base(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// The part of a path below a directory: empty for the directory itself.
pub(crate) fn below<'a>(dir: &str, path: &'a str) -> Option<&'a str> {
    if dir == path {
        return Some("");
    }
    let rest = path.strip_prefix(dir)?;
    if dir.ends_with('/') {
        Some(rest)
    } else {
        rest.strip_prefix('/')
    }
}

/// A path as messages show it: relative to the directory, with `./` in front.
pub(crate) fn shown(dir: &str, path: &str) -> String {
    match below(dir, path) {
        Some("") => ".".to_owned(),
        Some(rest) => format!("./{rest}"),
        None => relative(dir, path),
    }
}

/// A path relative to a directory, with `..` where it must.
pub fn relative(dir: &str, path: &str) -> String {
    let split = |p: &str| {
        p.split('/')
            .filter(|x| !x.is_empty())
            .map(str::to_owned)
            .collect()
    };
    let (from, to): (Vec<String>, Vec<String>) = (split(dir), split(path));
    let common = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    let mut out = vec!["..".to_owned(); from.len() - common];
    out.extend_from_slice(&to[common..]);
    if out.is_empty() {
        ".".to_owned()
    } else {
        out.join("/")
    }
}

/// The extension with its dot; none for names that only begin with one.
pub(crate) fn extension(path: &str) -> &str {
    let name = base(path);
    match name.rfind('.') {
        Some(at) if at > 0 && !name.chars().all(|c| c == '.') => &name[at..],
        _ => "",
    }
}
