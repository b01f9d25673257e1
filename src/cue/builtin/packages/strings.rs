//! `strings`: byte semantics; indices count bytes unless the name says runes.

use crate::builtin::call::Call;
use crate::builtin::host::{Data, Failure, Outcome};
use crate::builtin::kind::Kind;
use crate::builtin::registry::{BYTES, INT, LIST, Member, Package, STRING, TO_BYTES, function};
use crate::builtin::unicode;

/// Most copies that `Repeat` makes.
pub(super) const REPEAT_LIMIT: i64 = 1_000_000;

pub(super) static PACKAGE: Package = Package {
    path: "strings",
    members: MEMBERS,
    source: "",
};

static MEMBERS: &[Member] = &[
    function("ByteAt", &[BYTES, INT], Kind::INT, byte_at),
    function("ByteSlice", &[BYTES, INT, INT], TO_BYTES, byte_slice),
    function("Runes", &[STRING], Kind::LIST, |c| {
        Ok(Data::List(
            c.string(0)?
                .chars()
                .map(|r| Data::from(i64::from(u32::from(r))))
                .collect(),
        ))
    }),
    function("Repeat", &[STRING, INT], Kind::STRING, repeat),
    function("MinRunes", &[STRING, INT], Kind::BOOL, |c| {
        Ok((runes(c)? >= c.int(1)?).into())
    }),
    function("MaxRunes", &[STRING, INT], Kind::BOOL, |c| {
        Ok((runes(c)? <= c.int(1)?).into())
    }),
    function("ToTitle", &[STRING], Kind::STRING, |c| {
        first_of_words(c, unicode::to_title)
    }),
    function("ToCamel", &[STRING], Kind::STRING, |c| {
        first_of_words(c, unicode::to_lower)
    }),
    function("SliceRunes", &[STRING, INT, INT], Kind::STRING, slice_runes),
    function("Compare", &[STRING, STRING], Kind::INT, |c| {
        Ok((c.string(0)?.as_bytes().cmp(c.string(1)?.as_bytes()) as i64).into())
    }),
    function("Count", &[STRING, STRING], Kind::INT, count),
    function("Contains", &[STRING, STRING], Kind::BOOL, |c| {
        Ok(c.string(0)?.contains(&c.string(1)?).into())
    }),
    function("ContainsAny", &[STRING, STRING], Kind::BOOL, |c| {
        let (text, set) = (c.string(0)?, c.string(1)?);
        Ok(text.contains(|r| set.contains(r)).into())
    }),
    function("LastIndex", &[STRING, STRING], Kind::INT, |c| {
        let (text, part) = (c.string(0)?, c.string(1)?);
        Ok(position(text.rfind(&part)))
    }),
    function("IndexAny", &[STRING, STRING], Kind::INT, |c| {
        let (text, set) = (c.string(0)?, c.string(1)?);
        Ok(position(text.find(|r| set.contains(r))))
    }),
    function("LastIndexAny", &[STRING, STRING], Kind::INT, |c| {
        let (text, set) = (c.string(0)?, c.string(1)?);
        Ok(position(text.rfind(|r| set.contains(r))))
    }),
    function("SplitN", &[STRING, STRING, INT], Kind::LIST, |c| {
        let (text, by, n) = (c.string(0)?, c.string(1)?, c.int(2)?);
        Ok(split(&text, &by, n, false))
    }),
    function("SplitAfterN", &[STRING, STRING, INT], Kind::LIST, |c| {
        let (text, by, n) = (c.string(0)?, c.string(1)?, c.int(2)?);
        Ok(split(&text, &by, n, true))
    }),
    function("Split", &[STRING, STRING], Kind::LIST, |c| {
        Ok(split(&c.string(0)?, &c.string(1)?, -1, false))
    }),
    function("SplitAfter", &[STRING, STRING], Kind::LIST, |c| {
        Ok(split(&c.string(0)?, &c.string(1)?, -1, true))
    }),
    function("Fields", &[STRING], Kind::LIST, |c| {
        Ok(Data::strings(c.string(0)?.split_whitespace()))
    }),
    function("Join", &[LIST, STRING], Kind::STRING, |c| {
        let (parts, by) = (c.strings(0)?, c.string(1)?);
        c.room(parts.len(), by.len())?;
        Ok(parts.join(&by).into())
    }),
    function("HasPrefix", &[STRING, STRING], Kind::BOOL, |c| {
        Ok(c.string(0)?.starts_with(&c.string(1)?).into())
    }),
    function("HasSuffix", &[STRING, STRING], Kind::BOOL, |c| {
        Ok(c.string(0)?.ends_with(&c.string(1)?).into())
    }),
    function("ToUpper", &[STRING], Kind::STRING, |c| {
        map(c, unicode::to_upper)
    }),
    function("ToLower", &[STRING], Kind::STRING, |c| {
        map(c, unicode::to_lower)
    }),
    function("Trim", &[STRING, STRING], Kind::STRING, |c| {
        let (text, set) = (c.string(0)?, c.string(1)?);
        Ok(text.trim_matches(|r| set.contains(r)).into())
    }),
    function("TrimLeft", &[STRING, STRING], Kind::STRING, |c| {
        let (text, set) = (c.string(0)?, c.string(1)?);
        Ok(text.trim_start_matches(|r| set.contains(r)).into())
    }),
    function("TrimRight", &[STRING, STRING], Kind::STRING, |c| {
        let (text, set) = (c.string(0)?, c.string(1)?);
        Ok(text.trim_end_matches(|r| set.contains(r)).into())
    }),
    function("TrimSpace", &[STRING], Kind::STRING, |c| {
        Ok(c.string(0)?.trim().into())
    }),
    function("TrimPrefix", &[STRING, STRING], Kind::STRING, |c| {
        let (text, part) = (c.string(0)?, c.string(1)?);
        Ok(text.strip_prefix(part.as_str()).unwrap_or(&text).into())
    }),
    function("TrimSuffix", &[STRING, STRING], Kind::STRING, |c| {
        let (text, part) = (c.string(0)?, c.string(1)?);
        Ok(text.strip_suffix(part.as_str()).unwrap_or(&text).into())
    }),
    function(
        "Replace",
        &[STRING, STRING, STRING, INT],
        Kind::STRING,
        replace,
    ),
    function("Index", &[STRING, STRING], Kind::INT, |c| {
        let (text, part) = (c.string(0)?, c.string(1)?);
        Ok(position(text.find(&part)))
    }),
];

fn out_of_range<T>() -> Result<T, Failure> {
    Failure::fatal("index out of range")
}

/// A length or index of things in memory as the functions return it.
pub(super) fn position(at: Option<usize>) -> Data {
    at.map_or_else(|| Data::from(-1i64), Data::from)
}

/// `start..end` if it lies within `length`.
fn range(start: i64, end: i64, length: usize) -> Option<std::ops::Range<usize>> {
    let (start, end) = (usize::try_from(start).ok()?, usize::try_from(end).ok()?);
    (start <= end && end <= length).then_some(start..end)
}

fn byte_at(c: &mut Call<'_>) -> Outcome {
    let (bytes, i) = (c.bytes(0)?, c.int(1)?);
    match usize::try_from(i).ok().and_then(|i| bytes.get(i)) {
        Some(byte) => Ok(i64::from(*byte).into()),
        None => out_of_range(),
    }
}

fn byte_slice(c: &mut Call<'_>) -> Outcome {
    let (bytes, start, end) = (c.bytes(0)?, c.int(1)?, c.int(2)?);
    match range(start, end, bytes.len()) {
        Some(range) => Ok(bytes[range].to_vec().into()),
        None => out_of_range(),
    }
}

fn slice_runes(c: &mut Call<'_>) -> Outcome {
    let (text, start, end) = (c.string(0)?, c.int(1)?, c.int(2)?);
    match range(start, end, text.chars().count()) {
        Some(range) => Ok(text
            .chars()
            .skip(range.start)
            .take(range.len())
            .collect::<String>()
            .into()),
        None => out_of_range(),
    }
}

/// Checks the count of copies that `strings.Repeat` and `list.Repeat` make.
pub(super) fn repeat_count(count: i64) -> Result<usize, Failure> {
    match usize::try_from(count) {
        Err(_) => Failure::fatal("negative count"),
        Ok(_) if count > REPEAT_LIMIT => {
            Failure::fatal(format!("count {count} exceeds limit of {REPEAT_LIMIT}"))
        }
        Ok(count) => Ok(count),
    }
}

fn repeat(c: &mut Call<'_>) -> Outcome {
    let (text, count) = (c.string(0)?, c.int(1)?);
    let count = repeat_count(count)?;
    c.room(count, text.len())?;
    Ok(text.repeat(count).into())
}

fn runes(c: &mut Call<'_>) -> Result<i64, Failure> {
    Ok(c.string(0)?.chars().count() as i64)
}

fn map(c: &mut Call<'_>, f: fn(char) -> char) -> Outcome {
    Ok(c.string(0)?.chars().map(f).collect::<String>().into())
}

fn first_of_words(c: &mut Call<'_>, f: fn(char) -> char) -> Outcome {
    let mut previous = ' ';
    let text: String = c
        .string(0)?
        .chars()
        .map(|r| {
            let first = previous.is_whitespace();
            previous = r;
            if first { f(r) } else { r }
        })
        .collect();
    Ok(text.into())
}

fn count(c: &mut Call<'_>) -> Outcome {
    let (text, part) = (c.string(0)?, c.string(1)?);
    let count = if part.is_empty() {
        text.chars().count() + 1
    } else {
        text.matches(&part).count()
    };
    Ok(count.into())
}

/// At most `n` parts, the last one with the rest; all if `n` is negative.
fn split(text: &str, by: &str, n: i64, keep: bool) -> Data {
    let limit = match usize::try_from(n) {
        Ok(0) => return Data::List(Vec::new()),
        Ok(n) => n,
        Err(_) => usize::MAX,
    };
    let mut parts = Vec::new();
    let mut rest = text;
    while parts.len() + 1 < limit {
        let (end, next) = if by.is_empty() {
            // runes; the last one is the rest
            match rest.char_indices().nth(1) {
                Some((at, _)) => (at, at),
                None => break,
            }
        } else {
            match rest.find(by) {
                Some(at) => (if keep { at + by.len() } else { at }, at + by.len()),
                None => break,
            }
        };
        parts.push(&rest[..end]);
        rest = &rest[next..];
    }
    if !(by.is_empty() && rest.is_empty()) {
        parts.push(rest);
    }
    Data::strings(parts)
}

fn replace(c: &mut Call<'_>) -> Outcome {
    let (text, old, new, n) = (c.string(0)?, c.string(1)?, c.string(2)?, c.int(3)?);
    let limit = usize::try_from(n).unwrap_or(usize::MAX);
    c.room(limit.min(text.matches(old.as_str()).count()), new.len())?;
    Ok(if old.is_empty() {
        let mut out = String::new();
        let mut done = 0;
        for r in text.chars() {
            if done < limit {
                out.push_str(&new);
                done += 1;
            }
            out.push(r);
        }
        if done < limit {
            out.push_str(&new);
        }
        out.into()
    } else {
        text.replacen(&old, &new, limit).into()
    })
}
