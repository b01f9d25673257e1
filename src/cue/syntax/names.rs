//! Interned names: one number per distinct identifier text, shared by all files of a load.

use hashbrown::HashTable;

/// An interned identifier. Two names are equal exactly if their texts are.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Name(pub u32);

/// The texts behind [`Name`]s. Names of different tables must not be mixed.
#[derive(Clone, Default, Debug)]
pub struct Names {
    /// All texts, one after the other.
    text: String,
    /// End of each text; it starts where the one before ends.
    ends: Vec<u32>,
    /// The first byte of each text, 0 of an empty one.
    firsts: Vec<u8>,
    /// The names by their texts, each with the hash of its text.
    index: HashTable<(u32, Name)>,
}

impl Names {
    /// An empty table.
    pub fn new() -> Names {
        Names::default()
    }

    /// The name of a text, made if it is new.
    pub fn intern(&mut self, text: &str) -> Name {
        let hash = hash(text.as_bytes());
        if let Some(name) = self.find(hash, text) {
            return name;
        }
        let name = Name(u32::try_from(self.ends.len()).expect("fewer than 2^32 distinct names"));
        self.text.push_str(text);
        self.ends
            .push(u32::try_from(self.text.len()).expect("names of less than 4 GiB"));
        self.firsts.push(text.bytes().next().unwrap_or_default());
        self.index
            .insert_unique(spread(hash), (hash, name), |(hash, _)| spread(*hash));
        name
    }

    /// The name of a text, if it was interned.
    pub fn lookup(&self, text: &str) -> Option<Name> {
        self.find(hash(text.as_bytes()), text)
    }

    /// The text of a name of this table.
    pub fn get(&self, name: Name) -> &str {
        let i = name.0 as usize;
        let start = if i == 0 { 0 } else { self.ends[i - 1] as usize };
        &self.text[start..self.ends[i] as usize]
    }

    /// Whether a name is the blank identifier `_`.
    pub fn is_blank(&self, name: Name) -> bool {
        self.first(name) == b'_' && self.get(name) == "_"
    }

    /// The first byte of the text of a name, 0 if it has none: what begins with a letter is not
    /// looked at for it.
    pub(crate) fn first(&self, name: Name) -> u8 {
        self.firsts[name.0 as usize]
    }

    /// How many distinct names there are; names are numbered from zero.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether no name was interned yet.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    fn find(&self, hash: u32, text: &str) -> Option<Name> {
        let same = |(h, name): &(u32, Name)| *h == hash && self.get(*name) == text;
        self.index.find(spread(hash), same).map(|(_, name)| *name)
    }
}

/// The hash that the index asks for: it uses the lowest and the highest bits.
fn spread(hash: u32) -> u64 {
    u64::from(hash).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// FNV-1a over eight bytes at a time, then mixed: names are short, so speed of set-up counts.
fn hash(bytes: &[u8]) -> u32 {
    let mut h: u64 = 0xcbf2_9ce4_8422_2325 ^ bytes.len() as u64;
    let mut chunks = bytes.chunks_exact(8);
    for c in &mut chunks {
        let word = u64::from_le_bytes([c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7]]);
        h = (h ^ word)
            .wrapping_mul(0x9e37_79b9_7f4a_7c15)
            .rotate_left(29);
    }
    let mut last = 0u64;
    for (i, b) in chunks.remainder().iter().enumerate() {
        last |= u64::from(*b) << (8 * i);
    }
    h = (h ^ last).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (h >> 32) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_again_and_say_how_they_begin() {
        let mut names = Names::new();
        let texts = ["", "_", "__", "#a", "_#a", "é", "a"].map(str::to_owned);
        let texts: Vec<String> = texts
            .into_iter()
            .chain((0..5000).map(|i| format!("name_{i}")))
            .collect();
        let made: Vec<Name> = texts.iter().map(|t| names.intern(t)).collect();
        assert_eq!(names.len(), texts.len());
        for (text, name) in texts.iter().zip(made) {
            assert_eq!(names.lookup(text), Some(name));
            assert_eq!(names.intern(text), name);
            assert_eq!(names.get(name), text);
            assert_eq!(names.first(name), text.bytes().next().unwrap_or(0));
            assert_eq!(names.is_blank(name), text == "_");
        }
        assert_eq!(names.lookup("name_5000"), None);
    }
}
