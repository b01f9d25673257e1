//! `text/tabwriter`: tabs to columns.

use crate::builtin::call::Call;
use crate::builtin::host::{Failure, Handle, Outcome, Scalar};
use crate::builtin::kind::Kind;
use crate::builtin::registry::{ANY, Member, Package, function};

/// Blanks between a cell and the next.
const PADDING: usize = 1;

pub(super) static PACKAGE: Package = Package {
    path: "text/tabwriter",
    members: MEMBERS,
    source: "",
};

static MEMBERS: &[Member] = &[function("Write", &[ANY], Kind::STRING, write)];

fn write(c: &mut Call<'_>) -> Outcome {
    let data = c.concrete(0)?;
    let mut text = String::new();
    if let Some(scalar) = c.host.scalar(data) {
        match piece(scalar) {
            Some(piece) => text.push_str(&piece),
            None => {
                let kind = c.host.kind(data);
                return Failure::fatal(format!("tabwriter.Write: unsupported type {kind}"));
            }
        }
    } else if let Some(elements) = c.host.elements(data).map_err(Failure::Error)? {
        for item in elements.items {
            text.push_str(&line(c, item)?);
            text.push('\n');
        }
    } else {
        let kind = c.host.kind(data);
        return Failure::fatal(format!("tabwriter.Write: unsupported type {kind}"));
    }
    Ok(columns(&text).into())
}

fn piece(scalar: Scalar) -> Option<String> {
    match scalar {
        Scalar::String(text) => Some(text),
        Scalar::Bytes(bytes) => Some(String::from_utf8_lossy(&bytes).into_owned()),
        _ => None,
    }
}

fn line(c: &mut Call<'_>, item: Handle) -> Result<String, Failure> {
    if let Some(error) = c.host.error(item) {
        return Err(Failure::Error(error));
    }
    if let Some(text) = c.host.scalar(item).and_then(piece) {
        return Ok(text);
    }
    Err(c.misfit(item, Kind(Kind::STRING.0 | Kind::BYTES.0)))
}

/// Lays out a text: cells end at tabs, a form feed also ends all columns.
fn columns(text: &str) -> String {
    let mut out = String::new();
    let mut lines: Vec<Vec<&str>> = Vec::new();
    let mut rest = text;
    loop {
        let end = rest.find(['\n', '\u{c}']);
        let line = &rest[..end.unwrap_or(rest.len())];
        let cells: Vec<&str> = line.split(['\t', '\u{b}']).collect();
        let alone = cells.len() == 1;
        lines.push(cells);
        let Some(end) = end else {
            break;
        };
        // A line of one cell ends every column, and so what is known can be written.
        if alone || rest.as_bytes()[end] == 0xc {
            flush(&mut out, &lines);
            out.push('\n');
            lines.clear();
        }
        rest = &rest[end + 1..];
    }
    flush(&mut out, &lines);
    out
}

fn flush(out: &mut String, lines: &[Vec<&str>]) {
    let widths = widths(lines);
    for (i, cells) in lines.iter().enumerate() {
        if i > 0 {
            out.push('\n');
        }
        for (j, cell) in cells.iter().enumerate() {
            out.push_str(cell);
            if j + 1 < cells.len() {
                let blanks = widths[i][j].saturating_sub(cell.chars().count());
                out.extend(std::iter::repeat_n(' ', blanks));
            }
        }
    }
}

/// The width of each cell but the last of its line: the widest of the neighbouring lines that have
/// such a cell.
fn widths(lines: &[Vec<&str>]) -> Vec<Vec<usize>> {
    let mut out: Vec<Vec<usize>> = lines.iter().map(|l| vec![0; l.len() - 1]).collect();
    let most = out.iter().map(Vec::len).max().unwrap_or(0);
    for column in 0..most {
        let mut first = 0;
        while first < lines.len() {
            let height = out[first..].iter().take_while(|l| l.len() > column).count();
            let block = first..first + height;
            let widest = block
                .clone()
                .map(|i| lines[i][column].chars().count())
                .max();
            let width = widest.map_or(0, |n| n + PADDING);
            for i in block {
                out[i][column] = width;
            }
            first += height.max(1);
        }
    }
    out
}
