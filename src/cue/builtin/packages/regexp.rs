//! `regexp`.

use crate::builtin::call::Call;
use crate::builtin::host::{Data, Failure, Outcome};
use crate::builtin::kind::Kind;
use crate::builtin::registry::{INT, Member, Package, STRING, function};
use crate::regexp::{Regexp, quote_meta};

pub(super) static PACKAGE: Package = Package {
    path: "regexp",
    members: MEMBERS,
    source: "",
};

static MEMBERS: &[Member] = &[
    function("Find", &[STRING, STRING], Kind::STRING, |c| {
        let (_, text, found) = find(c, Some(1))?;
        Ok(group(&text, &found[0], 0).into())
    }),
    function("FindAll", &[STRING, STRING, INT], Kind::LIST, |c| {
        let (_, text, found) = find(c, None)?;
        Ok(Data::strings(found.iter().map(|m| group(&text, m, 0))))
    }),
    function(
        "FindAllNamedSubmatch",
        &[STRING, STRING, INT],
        Kind::LIST,
        |c| {
            let (re, text, found) = find(c, None)?;
            Ok(Data::List(
                found.iter().map(|m| named(&re, &text, m)).collect(),
            ))
        },
    ),
    function("FindAllSubmatch", &[STRING, STRING, INT], Kind::LIST, |c| {
        let (_, text, found) = find(c, None)?;
        Ok(Data::List(
            found.iter().map(|m| submatch(&text, m)).collect(),
        ))
    }),
    function("FindNamedSubmatch", &[STRING, STRING], Kind::STRUCT, |c| {
        let (re, text, found) = find(c, Some(1))?;
        Ok(named(&re, &text, &found[0]))
    }),
    function("FindSubmatch", &[STRING, STRING], Kind::LIST, |c| {
        let (_, text, found) = find(c, Some(1))?;
        Ok(submatch(&text, &found[0]))
    }),
    function("ReplaceAll", &[STRING, STRING, STRING], Kind::STRING, |c| {
        replace(c, true)
    }),
    function(
        "ReplaceAllLiteral",
        &[STRING, STRING, STRING],
        Kind::STRING,
        |c| replace(c, false),
    ),
    function("Valid", &[STRING], Kind::BOOL, |c| {
        compile(&c.string(0)?)?;
        Ok(true.into())
    }),
    function("Match", &[STRING, STRING], Kind::BOOL, |c| {
        let (pattern, text) = (c.string(0)?, c.string(1)?);
        Ok(compile(&pattern)?.is_match(text.as_bytes()).into())
    }),
    function("QuoteMeta", &[STRING], Kind::STRING, |c| {
        Ok(quote_meta(&c.string(0)?).into())
    }),
];

type Groups = Vec<Option<(usize, usize)>>;

fn compile(pattern: &str) -> Result<Regexp, Failure> {
    Regexp::new(pattern).or_else(|e| Failure::fatal(e.to_string()))
}

/// The matches, at least one; `limit` is the third argument unless given.
fn find(c: &mut Call<'_>, limit: Option<usize>) -> Result<(Regexp, String, Vec<Groups>), Failure> {
    let (pattern, text) = (c.string(0)?, c.string(1)?);
    let limit = match limit {
        Some(limit) => limit,
        None => usize::try_from(c.int(2)?).unwrap_or(usize::MAX),
    };
    let re = compile(&pattern)?;
    let found = re.matches(&text, limit);
    if found.is_empty() {
        return Failure::fatal("no match");
    }
    Ok((re, text, found))
}

fn group<'a>(text: &'a str, groups: &Groups, i: usize) -> &'a str {
    groups
        .get(i)
        .copied()
        .flatten()
        .map_or("", |(start, end)| &text[start..end])
}

fn submatch(text: &str, groups: &Groups) -> Data {
    Data::strings((0..groups.len()).map(|i| group(text, groups, i)))
}

/// Named groups sorted by name; of equal names the last one counts.
fn named(re: &Regexp, text: &str, groups: &Groups) -> Data {
    let mut fields = std::collections::BTreeMap::new();
    for (i, name) in re.names().iter().enumerate().filter(|(_, n)| !n.is_empty()) {
        fields.insert(name.clone(), group(text, groups, i));
    }
    Data::Struct(
        fields
            .into_iter()
            .map(|(name, text)| (name, text.into()))
            .collect(),
    )
}

fn replace(c: &mut Call<'_>, template: bool) -> Outcome {
    let (pattern, text, by) = (c.string(0)?, c.string(1)?, c.string(2)?);
    let re = compile(&pattern)?;
    let replaced = re.replace(&text, |groups, out| {
        if template {
            expand(&re, &by, &text, groups, out);
        } else {
            out.push_str(&by);
        }
    });
    Ok(replaced.into())
}

/// Writes a template: `$1`, `${1}`, `$name`, `${name}`, `$$`; what is none of them stays.
fn expand(
    re: &Regexp,
    template: &str,
    text: &str,
    groups: &[Option<(usize, usize)>],
    out: &mut String,
) {
    let mut rest = template;
    while let Some(at) = rest.find('$') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        if let Some(after) = rest.strip_prefix("$$") {
            out.push('$');
            rest = after;
            continue;
        }
        let Some((name, after)) = reference(&rest[1..]) else {
            out.push('$');
            rest = &rest[1..];
            continue;
        };
        rest = after;
        let number = name.bytes().all(|b| b.is_ascii_digit());
        let leading_zero = name.len() > 1 && name.starts_with('0');
        let found = if number && !leading_zero {
            name.parse()
                .ok()
                .and_then(|i: usize| groups.get(i).copied().flatten())
        } else {
            let mut places = re.names().iter().enumerate().filter(|(_, n)| *n == name);
            places.find_map(|(i, _)| groups.get(i).copied().flatten())
        };
        if let Some((start, end)) = found {
            out.push_str(&text[start..end]);
        }
    }
    out.push_str(rest);
}

/// The name after a `$` and what follows it.
fn reference(text: &str) -> Option<(&str, &str)> {
    let (braced, body) = match text.strip_prefix('{') {
        Some(body) => (true, body),
        None => (false, text),
    };
    let word = |c: char| c == '_' || c.is_alphanumeric();
    let end = body.find(|c| !word(c)).unwrap_or(body.len());
    if end == 0 {
        return None;
    }
    let (name, rest) = body.split_at(end);
    if !braced {
        return Some((name, rest));
    }
    Some((name, rest.strip_prefix('}')?))
}
