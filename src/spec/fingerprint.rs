//! What identifies the text of a specification.

use sha2::{Digest, Sha256};

/// The fingerprint of files, each with its path relative to the root: the SHA-256 of their sorted
/// lines `HASH  PATH`, as 64 hex digits.
pub(crate) fn fingerprint<'a>(files: impl Iterator<Item = (&'a str, &'a [u8])>) -> String {
    let mut lines: Vec<String> = files
        .map(|(path, bytes)| format!("{}  {path}\n", hex(&Sha256::digest(bytes))))
        .collect();
    lines.sort();
    hex(&Sha256::digest(lines.concat()))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    //! The fingerprint against one made with `sha256sum`.

    use super::fingerprint;

    #[test]
    fn the_order_of_files_does_not_matter() {
        let files: [(&str, &[u8]); 2] =
            [("a.cue", b"package a\n"), ("b.cue", b"package a\nx: 1\n")];
        let one = fingerprint(files.into_iter());
        let other = fingerprint(files.into_iter().rev());
        assert_eq!(one, other);
        assert_eq!(
            one,
            "5c21456a244c0411d4bc74cb6673f6dcd2f6c4c6f0523223d6a60f22508f5c9b"
        );
    }
}
