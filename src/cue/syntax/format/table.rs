//! Columns: cells of consecutive lines get one width.

/// A cell: its text lies in the table's buffer.
#[derive(Clone, Copy)]
struct Cell {
    start: u32,
    len: u32,
    /// Width in characters.
    width: u32,
}

/// A line: its indentation, each level of which is a column of its own, and then its cells.
#[derive(Clone, Copy)]
struct Line {
    levels: usize,
    start: usize,
    end: usize,
}

impl Line {
    fn columns(self) -> usize {
        self.levels + (self.end - self.start)
    }
}

/// Lines waiting for their columns, and the text that is done.
pub(super) struct Table {
    pub(super) out: String,
    text: String,
    cells: Vec<Cell>,
    lines: Vec<Line>,
    /// Levels of indentation of the line that is being written, and its first cell.
    levels: usize,
    line_start: usize,
    cell_start: usize,
    widths: Vec<usize>,
    /// A level of indentation.
    level: Level,
}

/// How a level of indentation is written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Level {
    /// A tab, which covers eight columns.
    Tab,
    /// Four spaces; so are tabs in the text.
    Spaces,
}

impl Level {
    fn text(self) -> &'static str {
        match self {
            Level::Tab => "\t",
            Level::Spaces => "    ",
        }
    }

    /// How many levels cover so many columns.
    fn covering(self, columns: usize) -> usize {
        match self {
            Level::Tab => columns.div_ceil(8),
            Level::Spaces => columns.div_ceil(4),
        }
    }
}

impl Table {
    /// An empty table below a text.
    pub(super) fn new(level: Level, out: String) -> Table {
        Table {
            out,
            text: String::new(),
            cells: Vec::new(),
            lines: Vec::new(),
            levels: 0,
            line_start: 0,
            cell_start: 0,
            widths: Vec::new(),
            level,
        }
    }

    pub(super) fn text(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Whether nothing but indentation is on the line.
    pub(super) fn at_line_start(&self) -> bool {
        self.cell_start == self.text.len() && self.cells.len() == self.line_start
    }

    /// Indents the line, which nothing is on yet.
    pub(super) fn indent(&mut self, levels: usize) {
        self.levels += levels;
    }

    pub(super) fn end_cell(&mut self) {
        let (start, end) = (self.cell_start, self.text.len());
        let text = &self.text[start..end];
        let width = if text.is_ascii() {
            text.len()
        } else {
            text.chars().count()
        };
        self.cells.push(Cell {
            start: start as u32,
            len: text.len() as u32,
            width: width as u32,
        });
        self.cell_start = end;
    }

    fn close_line(&mut self) -> Line {
        self.end_cell();
        let line = Line {
            levels: self.levels,
            start: self.line_start,
            end: self.cells.len(),
        };
        self.lines.push(line);
        self.line_start = line.end;
        self.levels = 0;
        line
    }

    pub(super) fn end_line(&mut self, ends_table: bool) {
        // Indentation before nothing is no text.
        if self.at_line_start() {
            self.levels = 0;
        }
        let line = self.close_line();
        if ends_table || line.columns() == 1 {
            self.flush_lines();
        }
    }

    pub(super) fn flush(&mut self) {
        if self.at_line_start() {
            self.flush_lines();
            return;
        }
        self.close_line();
        self.flush_lines();
        self.out.pop();
    }

    fn flush_lines(&mut self) {
        let n = self.lines.len();
        // Columns that are indentation on all lines are one block each.
        let common = self.lines.iter().map(|line| line.levels).min().unwrap_or(0);
        self.widths.resize(common, 1);
        self.block(0, n);
        self.widths.clear();
        self.text.clear();
        self.cells.clear();
        self.lines.clear();
        (self.levels, self.line_start, self.cell_start) = (0, 0, 0);
    }

    /// Lays out lines whose columns left of `widths.len()` are known.
    fn block(&mut self, first: usize, end: usize) {
        let column = self.widths.len();
        let has = |line: Line| line.columns() > column + 1;
        let mut done = first;
        let mut i = first;
        while i < end {
            if !has(self.lines[i]) {
                i += 1;
                continue;
            }
            self.write(done, i);
            done = i;
            let (mut width, mut empty) = (0, true);
            while i < end && has(self.lines[i]) {
                let line = self.lines[i];
                let text = column
                    .checked_sub(line.levels)
                    .map(|at| self.cells[line.start + at].width as usize);
                width = width.max(text.unwrap_or(0) + 1);
                empty &= text == Some(0);
                i += 1;
            }
            self.widths.push(if empty { 0 } else { width });
            self.block(done, i);
            self.widths.pop();
            done = i;
        }
        self.write(done, end);
    }

    fn write(&mut self, first: usize, end: usize) {
        for i in first..end {
            let line = self.lines[i];
            for level in 0..line.levels {
                self.indentation(level);
            }
            let mut leading = true;
            for (at, c) in self.cells[line.start..line.end].iter().enumerate() {
                let width = self.widths.get(line.levels + at).copied();
                leading &= c.len == 0;
                if leading {
                    let tabs = self.level.covering(width.unwrap_or(0));
                    (0..tabs).for_each(|_| self.out.push_str(self.level.text()));
                    continue;
                }
                let text = &self.text[c.start as usize..(c.start + c.len) as usize];
                push(&mut self.out, text, self.level);
                if let Some(width) = width {
                    pad(&mut self.out, width.saturating_sub(c.width as usize));
                }
            }
            self.out.push('\n');
        }
    }

    /// A level of indentation in a column: as far as the wider cells of other lines there reach.
    fn indentation(&mut self, column: usize) {
        let width = self.widths.get(column).copied().unwrap_or(0);
        for _ in 0..self.level.covering(width) {
            self.out.push_str(self.level.text());
        }
    }
}

/// Adds the text of a cell.
fn push(out: &mut String, text: &str, level: Level) {
    if level == Level::Tab || memchr::memchr(b'\t', text.as_bytes()).is_none() {
        return out.push_str(text);
    }
    for (i, part) in text.split('\t').enumerate() {
        if i > 0 {
            out.push_str(level.text());
        }
        out.push_str(part);
    }
}

fn pad(out: &mut String, mut spaces: usize) {
    const SPACES: &str = "                                ";
    while spaces > SPACES.len() {
        out.push_str(SPACES);
        spaces -= SPACES.len();
    }
    out.push_str(&SPACES[..spaces]);
}
