//! Source texts in one space of positions, and what a position prints as.

use std::cmp::Ordering;
use std::sync::{Arc, OnceLock};

/// White space that stood before a token in its source, or that is wished before it in the output.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Rel {
    /// Nothing is known: the formatter decides.
    None = 0,
    /// The token is not in the source (an inserted comma).
    Elided = 1,
    /// Directly after the token before it.
    NoSpace = 2,
    /// After blanks on the same line.
    Blank = 3,
    /// First on a line.
    Newline = 4,
    /// First on a line, after at least one empty line.
    NewSection = 5,
}

/// Limit of all positions: 29 bits of place beside 3 bits of [`Rel`].
const MAX_PLACE: u32 = (1 << 29) - 1;

/// A place in the global space of all sources, with the white space before it.
///
/// Comparison looks at the place only; the place of "no position" is 0 and sorts first.
#[derive(Clone, Copy)]
pub struct Pos(u32);

impl Pos {
    /// No place and no wish for white space.
    pub const NONE: Pos = Pos(0);

    /// A position without place that only wishes white space; for made-up trees.
    pub const fn wish(rel: Rel) -> Pos {
        Pos(rel as u32)
    }

    /// A global place (0 = none) and the white space before it.
    pub fn new(place: u32, rel: Rel) -> Pos {
        debug_assert!(place <= MAX_PLACE);
        Pos(place << 3 | rel as u32)
    }

    /// The global place; 0 if there is none.
    pub fn place(self) -> u32 {
        self.0 >> 3
    }

    /// Whether there is a place.
    pub fn is_valid(self) -> bool {
        self.0 >> 3 != 0
    }

    /// Whether there is a place, or a wish for white space.
    pub fn is_set(self) -> bool {
        self.0 != 0
    }

    /// The white space before the token.
    pub fn rel(self) -> Rel {
        match self.0 & 7 {
            1 => Rel::Elided,
            2 => Rel::NoSpace,
            3 => Rel::Blank,
            4 => Rel::Newline,
            5 => Rel::NewSection,
            _ => Rel::None,
        }
    }

    /// The same place with other white space before it.
    pub fn with_rel(self, rel: Rel) -> Pos {
        Pos(self.0 & !7 | rel as u32)
    }

    /// The position `n` bytes later, without white space before it.
    pub fn plus(self, n: usize) -> Pos {
        if !self.is_valid() {
            return Pos::NONE;
        }
        let place = (self.place() as usize)
            .saturating_add(n)
            .min(MAX_PLACE as usize);
        Pos::new(place as u32, Rel::NoSpace)
    }
}

impl PartialEq for Pos {
    fn eq(&self, other: &Pos) -> bool {
        self.place() == other.place()
    }
}

impl Eq for Pos {}

impl PartialOrd for Pos {
    fn partial_cmp(&self, other: &Pos) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Pos {
    fn cmp(&self, other: &Pos) -> Ordering {
        self.place().cmp(&other.place())
    }
}

impl std::hash::Hash for Pos {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.place().hash(state);
    }
}

impl std::fmt::Debug for Pos {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Pos({}, {:?})", self.place(), self.rel())
    }
}

/// One source of a [`Sources`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct FileId(pub u32);

/// A source text and where it lies in the global space.
#[derive(Debug, Clone)]
pub struct Source {
    name: Arc<str>,
    text: Arc<String>,
    base: u32,
    lines: OnceLock<Vec<u32>>,
}

impl Source {
    /// The name as given by whoever added it: absolute, relative, or made up (`--expression`).
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The text, valid UTF-8 without byte order mark.
    pub fn text(&self) -> &Arc<String> {
        &self.text
    }

    /// Global place of the first byte.
    pub fn base(&self) -> u32 {
        self.base
    }

    /// Byte offsets at which lines start. The newline that ends the text starts no line.
    fn lines(&self) -> &[u32] {
        self.lines.get_or_init(|| {
            let bytes = self.text.as_bytes();
            let mut starts = vec![0];
            for (i, b) in bytes.iter().enumerate() {
                if *b == b'\n' && i + 1 < bytes.len() {
                    starts.push(i as u32 + 1);
                }
            }
            starts
        })
    }
}

/// A position made readable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Location {
    /// The name of the source.
    pub name: Arc<str>,
    /// Line, from 1.
    pub line: u32,
    /// Column in bytes, from 1.
    pub column: u32,
    /// Byte offset in the text.
    pub offset: u32,
}

/// The sources together exceed what positions can address (512 MiB).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooLarge;

impl std::fmt::Display for TooLarge {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("source texts of more than 512 MiB in one load")
    }
}

impl std::error::Error for TooLarge {}

/// All source texts of a load, in one space of positions.
#[derive(Debug, Clone, Default)]
pub struct Sources {
    files: Vec<Source>,
    next: u32,
}

impl Sources {
    /// No sources.
    pub fn new() -> Sources {
        Sources {
            files: Vec::new(),
            next: 1,
        }
    }

    /// Adds a text under a name. Fails if positions run out.
    pub fn add(
        &mut self,
        name: impl Into<Arc<str>>,
        text: impl Into<String>,
    ) -> Result<FileId, TooLarge> {
        let (name, text) = (name.into(), Arc::new(text.into()));
        let base = self.next.max(1);
        let after = text.len() as u64 + u64::from(base) + 2;
        if after > u64::from(MAX_PLACE) {
            return Err(TooLarge);
        }
        self.next = after as u32;
        self.files.push(Source {
            name,
            text,
            base,
            lines: OnceLock::new(),
        });
        Ok(FileId(self.files.len() as u32 - 1))
    }

    /// The source of an id of this table.
    pub fn get(&self, id: FileId) -> &Source {
        &self.files[id.0 as usize]
    }

    /// How many sources there are; ids count from zero.
    pub fn len(&self) -> usize {
        self.files.len()
    }

    /// Whether there is no source.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// The source a position lies in; `None` for "no position".
    pub fn file_of(&self, pos: Pos) -> Option<FileId> {
        if !pos.is_valid() {
            return None;
        }
        let after = self.files.partition_point(|f| f.base <= pos.place());
        let id = after.checked_sub(1)?;
        Some(FileId(id as u32))
    }

    /// Name, line and column of a position; `None` for "no position".
    pub fn locate(&self, pos: Pos) -> Option<Location> {
        let file = self.get(self.file_of(pos)?);
        let offset = pos.place() - file.base;
        let lines = file.lines();
        let line = lines.partition_point(|start| *start <= offset);
        let column = offset - lines[line - 1] + 1;
        Some(Location {
            name: file.name.clone(),
            line: line as u32,
            column,
            offset,
        })
    }

    /// Order in which positions print: none first, absolute file names before others, then by
    /// name, then by offset.
    pub fn compare(&self, a: Pos, b: Pos) -> Ordering {
        let (fa, fb) = (self.file_of(a), self.file_of(b));
        if fa == fb {
            return a.cmp(&b);
        }
        let key = |f: Option<FileId>| {
            f.map(|f| {
                let name = self.get(f).name();
                (!name.starts_with('/'), name)
            })
        };
        key(fa).cmp(&key(fb)).then_with(|| a.cmp(&b))
    }
}
