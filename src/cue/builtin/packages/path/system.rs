//! What the operating systems make of a path.

/// A family of operating systems.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum System {
    Unix,
    Windows,
    Plan9,
}

impl System {
    fn separator(self) -> char {
        if self == Self::Windows { '\\' } else { '/' }
    }

    pub(super) fn separates(self, c: char) -> bool {
        c == '/' || (self == Self::Windows && c == '\\')
    }

    pub(super) fn with_separators(self, path: String) -> String {
        if self == Self::Windows {
            path.replace('/', "\\")
        } else {
            path
        }
    }

    /// Bytes of `C:` or `\\host\share`.
    pub(super) fn volume_length(self, path: &str) -> usize {
        let bytes = path.as_bytes();
        if self != Self::Windows || bytes.len() < 2 {
            return 0;
        }
        if bytes[1] == b':' && bytes[0].is_ascii_alphabetic() {
            return 2;
        }
        let slash = |b: u8| b == b'\\' || b == b'/';
        let share = bytes.len() >= 5
            && slash(bytes[0])
            && slash(bytes[1])
            && !slash(bytes[2])
            && bytes[2] != b'.';
        if !share {
            return 0;
        }
        let Some(host) = (3..bytes.len() - 1).find(|n| slash(bytes[*n])) else {
            return 0;
        };
        let start = host + 1;
        if slash(bytes[start]) || bytes[start] == b'.' {
            return 0;
        }
        (start..bytes.len())
            .find(|n| slash(bytes[*n]))
            .unwrap_or(bytes.len())
    }

    pub(super) fn is_absolute(self, path: &str) -> bool {
        match self {
            Self::Unix => path.starts_with('/'),
            Self::Plan9 => path.starts_with(['/', '#']),
            Self::Windows => {
                const RESERVED: [&str; 4] = ["CON", "PRN", "AUX", "NUL"];
                let upper = path.to_ascii_uppercase();
                let numbered = (upper.starts_with("COM") || upper.starts_with("LPT"))
                    && upper.len() == 4
                    && matches!(upper.as_bytes()[3], b'1'..=b'9');
                if RESERVED.contains(&upper.as_str()) || numbered {
                    return true;
                }
                let volume = self.volume_length(path);
                volume > 0 && path[volume..].starts_with(['\\', '/'])
            }
        }
    }

    /// The shortest path of the same meaning.
    pub(super) fn clean(self, path: &str) -> String {
        let volume = self.volume_length(path);
        let rest = &path[volume..];
        if rest.is_empty() {
            if volume > 1 && !path[1..].starts_with(':') {
                return self.with_separators(path.to_owned());
            }
            return format!("{path}.");
        }
        let rooted = rest.starts_with(|c| self.separates(c));
        let mut parts: Vec<&str> = Vec::new();
        for part in rest.split(|c| self.separates(c)) {
            match part {
                "" | "." => {}
                ".." => match parts.last() {
                    Some(last) if *last != ".." => {
                        parts.pop();
                    }
                    _ if rooted => {}
                    _ => parts.push(".."),
                },
                part => parts.push(part),
            }
        }
        let separator = self.separator().to_string();
        let mut out = path[..volume].to_owned();
        if rooted {
            out.push_str(&separator);
        }
        if parts.is_empty() && !rooted {
            out.push('.');
        }
        out.push_str(&parts.join(&separator));
        self.with_separators(out)
    }

    /// Where the last element starts.
    pub(super) fn split_at(self, path: &str) -> usize {
        let volume = self.volume_length(path);
        path[volume..]
            .rfind(|c| self.separates(c))
            .map_or(volume, |i| volume + i + 1)
    }

    pub(super) fn split_list(self, path: &str) -> Vec<String> {
        if path.is_empty() {
            return Vec::new();
        }
        let mark = match self {
            Self::Unix => ':',
            Self::Plan9 => '\0',
            Self::Windows => ';',
        };
        let mut quoted = false;
        path.split(|c| {
            quoted ^= self == Self::Windows && c == '"';
            c == mark && !quoted
        })
        .map(|part| {
            if self == Self::Windows {
                part.replace('"', "")
            } else {
                part.to_owned()
            }
        })
        .collect()
    }

    pub(super) fn join(self, elements: &[String]) -> String {
        let Some(first) = elements.iter().position(|e| !e.is_empty()) else {
            return String::new();
        };
        let elements = &elements[first..];
        let separator = self.separator().to_string();
        if self != Self::Windows {
            return self.clean(&elements.join(&separator));
        }
        let drive = elements[0].len() == 2 && elements[0].ends_with(':');
        if drive {
            // a drive without a slash stays relative
            let rest = elements[1..]
                .iter()
                .position(|e| !e.is_empty())
                .map_or(elements.len(), |i| i + 1);
            return self.clean(&format!(
                "{}{}",
                elements[0],
                elements[rest..].join(&separator)
            ));
        }
        let share = |path: &str| self.volume_length(path) > 2;
        let joined = self.clean(&elements.join(&separator));
        let head = self.clean(&elements[0]);
        if !share(&joined) || share(&head) {
            return joined;
        }
        let tail = self.clean(&elements[1..].join(&separator));
        if head.ends_with('\\') {
            head + &tail
        } else {
            format!("{head}\\{tail}")
        }
    }

    fn same(self, a: &str, b: &str) -> bool {
        if self == Self::Windows {
            a.to_lowercase() == b.to_lowercase()
        } else {
            a == b
        }
    }

    /// The way from one path to another. `None` if there is none without more knowledge.
    pub(super) fn relative(self, base: &str, target: &str) -> Option<String> {
        let volumes = (self.volume_length(base), self.volume_length(target));
        let (base_clean, target_clean) = (self.clean(base), self.clean(target));
        if self.same(&base_clean, &target_clean) {
            return Some(".".into());
        }
        let b = &base_clean[volumes.0..];
        let b = if b == "." { "" } else { b };
        let t = &target_clean[volumes.1..];
        let separator = self.separator();
        if b.starts_with(separator) != t.starts_with(separator)
            || !self.same(&base[..volumes.0], &target[..volumes.1])
        {
            return None;
        }
        let parts = |text: &str| -> Vec<String> {
            text.split(separator)
                .filter(|p| !p.is_empty())
                .map(str::to_owned)
                .collect()
        };
        let (b, t) = (parts(b), parts(t));
        let common = b
            .iter()
            .zip(&t)
            .take_while(|(x, y)| self.same(x, y))
            .count();
        if b.get(common).is_some_and(|part| part == "..") {
            return None;
        }
        let mut out: Vec<&str> = vec![".."; b.len() - common];
        out.extend(t[common..].iter().map(String::as_str));
        Some(out.join(&separator.to_string()))
    }

    pub(super) fn base(self, path: &str) -> String {
        if path.is_empty() {
            return ".".into();
        }
        let trimmed = path.trim_end_matches(|c| self.separates(c));
        let rest = &trimmed[self.volume_length(trimmed)..];
        let last = rest
            .rfind(|c| self.separates(c))
            .map_or(rest, |i| &rest[i + 1..]);
        if last.is_empty() {
            self.separator().to_string()
        } else {
            last.to_owned()
        }
    }

    pub(super) fn dir(self, path: &str) -> String {
        let volume = self.volume_length(path);
        let dir = self.clean(&path[volume..self.split_at(path)]);
        if dir == "." && volume > 2 {
            return path[..volume].to_owned();
        }
        format!("{}{dir}", &path[..volume])
    }
}
