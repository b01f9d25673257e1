//! Shell patterns: `*`, `?`, `[a-z]`, and a backslash before a character that means itself.

use super::system::System;

const BAD: &str = "syntax error in pattern";

/// Whether the pattern matches the whole name. The error is a fault of the pattern.
pub(super) fn matches(pattern: &str, name: &str, os: System) -> Result<bool, &'static str> {
    if pattern.contains("**") {
        return Err("'**' is not supported in patterns as of yet");
    }
    let pattern: Vec<char> = pattern.chars().collect();
    let name: Vec<char> = name.chars().collect();
    check(&pattern, os)?;
    let (mut p, mut n) = (0, 0);
    // where to go on if the text after a star does not match
    let mut retry: Option<(usize, usize)> = None;
    loop {
        if p == pattern.len() && n == name.len() {
            return Ok(true);
        }
        if p < pattern.len() && pattern[p] == '*' {
            retry = Some((p + 1, n));
            p += 1;
            continue;
        }
        if p < pattern.len() && n < name.len() {
            let (found, next) = one(&pattern, p, name[n], os)?;
            if found {
                (p, n) = (next, n + 1);
                continue;
            }
        }
        match retry {
            // a star matches no separator
            Some((after, at)) if at < name.len() && !os.separates_strictly(name[at]) => {
                retry = Some((after, at + 1));
                (p, n) = (after, at + 1);
            }
            _ => return Ok(false),
        }
    }
}

/// Looks at every part, as a fault counts even where no text reaches it.
fn check(pattern: &[char], os: System) -> Result<(), &'static str> {
    let mut p = 0;
    while p < pattern.len() {
        p = if pattern[p] == '*' {
            p + 1
        } else {
            one(pattern, p, 'a', os)?.1
        };
    }
    Ok(())
}

/// Whether the part at `p` matches a character, and where the next part starts.
fn one(pattern: &[char], p: usize, c: char, os: System) -> Result<(bool, usize), &'static str> {
    match pattern[p] {
        '?' => Ok((!os.separates_strictly(c), p + 1)),
        '[' => class(pattern, p + 1, c, os),
        '\\' if os != System::Windows => {
            let escaped = pattern.get(p + 1).ok_or(BAD)?;
            Ok((*escaped == c, p + 2))
        }
        plain => Ok((plain == c, p + 1)),
    }
}

fn class(pattern: &[char], p: usize, c: char, os: System) -> Result<(bool, usize), &'static str> {
    let mut p = p;
    let negative = pattern.get(p) == Some(&'^');
    p += usize::from(negative);
    let (mut found, mut count) = (false, 0);
    loop {
        if pattern.get(p) == Some(&']') && count > 0 {
            return Ok((found != negative, p + 1));
        }
        let low;
        (low, p) = member(pattern, p, os)?;
        let mut high = low;
        if pattern.get(p) == Some(&'-') {
            (high, p) = member(pattern, p + 1, os)?;
        }
        found |= (low..=high).contains(&c);
        count += 1;
    }
}

fn member(pattern: &[char], p: usize, os: System) -> Result<(char, usize), &'static str> {
    let mut p = p;
    let c = *pattern.get(p).ok_or(BAD)?;
    if c == '-' || c == ']' {
        return Err(BAD);
    }
    if c == '\\' && os != System::Windows {
        p += 1;
    }
    let c = *pattern.get(p).ok_or(BAD)?;
    if p + 1 >= pattern.len() {
        return Err(BAD);
    }
    Ok((c, p + 1))
}

impl System {
    fn separates_strictly(self, c: char) -> bool {
        c == if self == Self::Windows { '\\' } else { '/' }
    }
}
