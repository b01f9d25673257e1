//! Columns: cells of consecutive lines get one width.

/// A cell: its text lies in the table's buffer.
#[derive(Clone, Copy)]
struct Cell {
    start: u32,
    len: u32,
    /// Width in characters.
    width: u32,
    /// It stands for one level of indentation.
    tab: bool,
}

/// Lines waiting for their columns, and the text that is done.
pub(super) struct Table {
    pub(super) out: String,
    text: String,
    cells: Vec<Cell>,
    /// Per line: the range of its cells.
    lines: Vec<(usize, usize)>,
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
    pub(super) fn new(level: Level) -> Table {
        Table {
            out: String::new(),
            text: String::new(),
            cells: Vec::new(),
            lines: Vec::new(),
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
        self.cell_start == self.text.len() && self.cells[self.line_start..].iter().all(|c| c.tab)
    }

    pub(super) fn indent(&mut self, levels: usize) {
        for _ in 0..levels {
            self.close_cell(true);
        }
    }

    pub(super) fn end_cell(&mut self) {
        self.close_cell(false);
    }

    fn close_cell(&mut self, tab: bool) {
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
            tab,
        });
        self.cell_start = end;
    }

    pub(super) fn end_line(&mut self, ends_table: bool) {
        // Indentation before nothing is no text.
        if self.at_line_start() {
            self.cells.truncate(self.line_start);
        }
        self.close_cell(false);
        let single = self.cells.len() - self.line_start == 1;
        self.lines.push((self.line_start, self.cells.len()));
        self.line_start = self.cells.len();
        if ends_table || single {
            self.flush_lines();
        }
    }

    pub(super) fn flush(&mut self) {
        if self.at_line_start() && self.cell_start == self.text.len() {
            self.cells.truncate(self.line_start);
            self.flush_lines();
            return;
        }
        self.close_cell(false);
        self.lines.push((self.line_start, self.cells.len()));
        self.flush_lines();
        self.out.pop();
    }

    fn flush_lines(&mut self) {
        let n = self.lines.len();
        let common = self.common_indentation();
        self.widths.resize(common, 1);
        self.block(0, n);
        self.widths.clear();
        self.text.clear();
        self.cells.clear();
        self.lines.clear();
        (self.line_start, self.cell_start) = (0, 0);
    }

    /// How many levels of indentation all lines begin with: these columns are one block each.
    fn common_indentation(&self) -> usize {
        let levels = self.lines.iter().map(|(start, end)| {
            let cells = &self.cells[*start..end - 1];
            cells.iter().take_while(|c| c.tab && c.len == 0).count()
        });
        levels.min().unwrap_or(0)
    }

    /// Lays out lines whose columns left of `widths.len()` are known.
    fn block(&mut self, first: usize, end: usize) {
        let column = self.widths.len();
        let mut done = first;
        let mut i = first;
        while i < end {
            if !self.has(i, column) {
                i += 1;
                continue;
            }
            self.write(done, i);
            done = i;
            let (mut width, mut empty) = (0, true);
            while i < end && self.has(i, column) {
                let cell = self.cells[self.lines[i].0 + column];
                width = width.max(cell.width as usize + 1);
                empty &= cell.width == 0 && !cell.tab;
                i += 1;
            }
            self.widths.push(if empty { 0 } else { width });
            self.block(done, i);
            self.widths.pop();
            done = i;
        }
        self.write(done, end);
    }

    /// Whether a line has a cell in a column that is not its last.
    fn has(&self, line: usize, column: usize) -> bool {
        let (start, end) = self.lines[line];
        start + column + 1 < end
    }

    fn write(&mut self, first: usize, end: usize) {
        for i in first..end {
            let (start, stop) = self.lines[i];
            let mut leading = true;
            for (j, c) in self.cells[start..stop].iter().enumerate() {
                leading &= c.len == 0;
                if leading {
                    // a line in a column with wider cells is indented as far as they reach
                    let width = self.widths.get(j).copied().unwrap_or(0);
                    for _ in 0..self.level.covering(width) {
                        self.out.push_str(self.level.text());
                    }
                    continue;
                }
                let text = &self.text[c.start as usize..(c.start + c.len) as usize];
                push(&mut self.out, text, self.level);
                if let Some(width) = self.widths.get(j) {
                    pad(&mut self.out, width.saturating_sub(c.width as usize));
                }
            }
            self.out.push('\n');
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
