//! Two texts as a unified diff, anchored at lines that occur once in each.

use std::collections::HashMap;

/// Lines around a change.
const CONTEXT: usize = 3;

/// The changes from one text to another; nothing if they are equal.
pub(super) fn unified(old_name: &str, old: &[u8], new_name: &str, new: &[u8]) -> Vec<u8> {
    if old == new {
        return Vec::new();
    }
    let (x, y) = (lines(old), lines(new));
    let head = format!("diff {old_name} {new_name}\n--- {old_name}\n+++ {new_name}\n");
    let mut out = head.into_bytes();
    let mut hunk = Hunk::default();
    let (mut done_x, mut done_y) = (0, 0);
    for (at_x, at_y) in anchors(&x, &y) {
        if at_x < done_x {
            // reached already from the anchor before
            continue;
        }
        let (mut start_x, mut start_y) = (at_x, at_y);
        while start_x > done_x && start_y > done_y && x[start_x - 1] == y[start_y - 1] {
            (start_x, start_y) = (start_x - 1, start_y - 1);
        }
        let (mut end_x, mut end_y) = (at_x, at_y);
        while end_x < x.len() && end_y < y.len() && x[end_x] == y[end_y] {
            (end_x, end_y) = (end_x + 1, end_y + 1);
        }
        hunk.push(b'-', &x[done_x..start_x]);
        hunk.push(b'+', &y[done_y..start_y]);
        let same = end_x - start_x;
        let at_end = end_x >= x.len() && end_y >= y.len();
        if !at_end && (same < CONTEXT || (!hunk.text.is_empty() && same < 2 * CONTEXT)) {
            hunk.push(b' ', &x[start_x..end_x]);
            (done_x, done_y) = (end_x, end_y);
            continue;
        }
        if !hunk.text.is_empty() {
            let n = same.min(CONTEXT);
            hunk.push(b' ', &x[start_x..start_x + n]);
            hunk.write(&mut out);
        }
        if at_end {
            break;
        }
        hunk = Hunk {
            x: end_x - CONTEXT,
            y: end_y - CONTEXT,
            ..Hunk::default()
        };
        hunk.push(b' ', &x[end_x - CONTEXT..end_x]);
        (done_x, done_y) = (end_x, end_y);
    }
    out
}

/// Changes that are close to each other.
#[derive(Default)]
struct Hunk {
    /// Where it begins in both texts.
    x: usize,
    y: usize,
    count_x: usize,
    count_y: usize,
    text: Vec<u8>,
}

impl Hunk {
    fn push(&mut self, mark: u8, lines: &[&[u8]]) {
        for line in lines {
            self.text.push(mark);
            self.text.extend_from_slice(line);
            if !line.ends_with(b"\n") {
                self.text
                    .extend_from_slice(b"\n\\ No newline at end of file\n");
            }
        }
        let n = lines.len();
        self.count_x += if mark == b'+' { 0 } else { n };
        self.count_y += if mark == b'-' { 0 } else { n };
    }

    fn write(&self, out: &mut Vec<u8>) {
        // lines count from one, but an empty side begins at its line zero
        let x = self.x + usize::from(self.count_x > 0);
        let y = self.y + usize::from(self.count_y > 0);
        let head = format!("@@ -{x},{} +{y},{} @@\n", self.count_x, self.count_y);
        out.extend_from_slice(head.as_bytes());
        out.extend_from_slice(&self.text);
    }
}

fn lines(text: &[u8]) -> Vec<&[u8]> {
    text.split_inclusive(|b| *b == b'\n').collect()
}

/// Pairs of equal lines that are alone in both texts, the longest run of such pairs that is in
/// order in both; the starts and the ends of both texts around them.
fn anchors(x: &[&[u8]], y: &[&[u8]]) -> Vec<(usize, usize)> {
    let mut counts: HashMap<&[u8], (usize, usize)> = HashMap::new();
    for line in x {
        counts.entry(line).or_default().0 += 1;
    }
    for line in y {
        counts.entry(line).or_default().1 += 1;
    }
    let mut place: HashMap<&[u8], usize> = HashMap::new();
    for (i, line) in y.iter().enumerate() {
        if counts.get(line) == Some(&(1, 1)) {
            place.insert(line, i);
        }
    }
    let pairs: Vec<(usize, usize)> = x
        .iter()
        .enumerate()
        .filter_map(|(i, line)| Some((i, *place.get(line)?)))
        .collect();
    // the length of the longest run that ends in each pair
    let mut ends: Vec<usize> = Vec::new();
    let mut lengths = Vec::with_capacity(pairs.len());
    for (_, at) in &pairs {
        let k = ends.partition_point(|end| end < at);
        if k == ends.len() {
            ends.push(*at);
        } else {
            ends[k] = *at;
        }
        lengths.push(k + 1);
    }
    let mut wanted = ends.len();
    let mut out = vec![(x.len(), y.len())];
    for (pair, length) in pairs.iter().zip(&lengths).rev() {
        if *length == wanted {
            out.push(*pair);
            wanted -= 1;
        }
    }
    out.push((0, 0));
    out.reverse();
    out
}

#[cfg(test)]
mod tests {
    use super::unified;

    fn shown(old: &str, new: &str) -> String {
        let text = unified("a", old.as_bytes(), "b", new.as_bytes());
        String::from_utf8(text).expect("text")
    }

    #[test]
    fn changes_far_apart_are_hunks_of_their_own() {
        let old = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n";
        let new = "1\nx\n3\n4\n5\n6\n7\n8\n9\n10\ny\n";
        let want = "diff a b\n--- a\n+++ b\n@@ -1,5 +1,5 @@\n 1\n-2\n+x\n 3\n 4\n 5\n\
                    @@ -8,3 +8,4 @@\n 8\n 9\n 10\n+y\n";
        assert_eq!(shown(old, new), want);
    }

    #[test]
    fn a_missing_last_newline_is_told() {
        let want =
            "diff a b\n--- a\n+++ b\n@@ -1,1 +1,1 @@\n-x\n\\ No newline at end of file\n+x\n";
        assert_eq!(shown("x", "x\n"), want);
        assert_eq!(shown("x\n", "x\n"), "");
        assert_eq!(
            shown("", "x\n"),
            "diff a b\n--- a\n+++ b\n@@ -0,0 +1,1 @@\n+x\n"
        );
    }
}
