//! Columns: cells of consecutive lines get one width.

/// A cell: its text lies in the table's buffer.
#[derive(Clone, Copy)]
struct Cell {
    start: usize,
    len: usize,
    /// Width in characters.
    width: usize,
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
    /// How many columns a tab of the indentation covers.
    tab_width: usize,
}

impl Table {
    pub(super) fn new(tab_width: usize) -> Table {
        Table {
            out: String::new(),
            text: String::new(),
            cells: Vec::new(),
            lines: Vec::new(),
            line_start: 0,
            cell_start: 0,
            widths: Vec::new(),
            tab_width,
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
        let width = self.text[start..end].chars().count();
        self.cells.push(Cell {
            start,
            len: end - start,
            width,
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
        self.block(0, n);
        self.text.clear();
        self.cells.clear();
        self.lines.clear();
        (self.line_start, self.cell_start) = (0, 0);
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
                width = width.max(cell.width + 1);
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
                    let tabs = width.div_ceil(self.tab_width);
                    self.out.extend(std::iter::repeat_n('\t', tabs));
                    continue;
                }
                self.out.push_str(&self.text[c.start..c.start + c.len]);
                if let Some(width) = self.widths.get(j) {
                    let pad = width.saturating_sub(c.width);
                    self.out.extend(std::iter::repeat_n(' ', pad));
                }
            }
            self.out.push('\n');
        }
    }
}
