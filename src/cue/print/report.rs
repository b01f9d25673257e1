//! Errors as texts: one message with its causes, lists in order, positions below each.

use crate::eval::context::Evaluator;
use crate::eval::error::{ErrId, MsgId};
use crate::eval::kind::Code;
use crate::eval::vertex::VId;
use crate::syntax::error::SyntaxError;
use crate::syntax::source::{Pos, Sources};
use std::cmp::Ordering;

/// One error, ready to be printed.
#[derive(Clone, Debug)]
pub struct Report {
    /// Its class; [`Code::Eval`] for errors in the syntax.
    pub code: Code,
    /// Labels of the place, quoted where they are no identifiers.
    pub path: Vec<String>,
    /// The message with its causes, without path.
    pub message: String,
    /// Where it is, if there is one place above others.
    pub primary: Pos,
    /// Places that contribute, in order of discovery.
    pub more: Vec<Pos>,
}

impl Report {
    /// An error in the syntax of a file.
    pub fn of_syntax(error: &SyntaxError) -> Self {
        Self {
            code: Code::Eval,
            path: Vec::new(),
            message: error.text.clone(),
            primary: error.pos,
            more: Vec::new(),
        }
    }

    /// Path and message on one line.
    pub fn headline(&self) -> String {
        if self.path.is_empty() {
            self.message.clone()
        } else {
            format!("{}: {}", self.path.join("."), self.message)
        }
    }

    /// All places in the order they are printed: the primary one first, the others sorted.
    pub fn positions(&self, sources: &Sources) -> Vec<Pos> {
        let mut out: Vec<Pos> = self.more.iter().copied().filter(|p| p.is_valid()).collect();
        if self.primary.is_valid() {
            out.retain(|p| *p != self.primary);
        }
        out.sort_by(|a, b| sources.compare(*a, *b));
        out.dedup();
        if self.primary.is_valid() {
            out.insert(0, self.primary);
        }
        out
    }
}

/// How positions are written.
#[derive(Clone, Copy, Debug, Default)]
pub struct ReportStyle<'a> {
    /// The working directory, which absolute file names are made relative to.
    pub directory: Option<&'a str>,
    /// What stands between groups of three digits of lines and columns.
    pub group: Option<char>,
}

impl Evaluator {
    /// The messages of an error, each on its own, sorted, equal ones once.
    pub fn reports(&self, e: ErrId) -> Vec<Report> {
        self.reports_under(&[], e)
    }

    /// The messages of an error of a value. One that has no path of its own is at the path of the
    /// value.
    ///
    /// An error that met itself is told without its causes.
    pub fn reports_of(&self, v: VId, e: ErrId) -> Vec<Report> {
        let path = self.path_texts(&self.path(v));
        let mut out = self.reports_under(&path, e);
        if let Some(m) = met_itself(self, e)
            && let [one] = out.as_mut_slice()
        {
            one.message = self.message_text(m);
        }
        out
    }

    fn reports_under(&self, path: &[String], e: ErrId) -> Vec<Report> {
        let bottom = self.error(e);
        let mut out: Vec<Report> = bottom
            .messages
            .iter()
            .map(|m| report(self, *m, bottom.code))
            .collect();
        for report in out.iter_mut().filter(|r| r.path.is_empty()) {
            report.path = path.to_vec();
        }
        sort_reports(&mut out, &self.sources);
        out
    }
}

impl Evaluator {
    /// Messages without an error around them, as adding a package returns them.
    pub fn message_reports(&self, messages: &[MsgId]) -> Vec<Report> {
        let mut out: Vec<Report> = messages
            .iter()
            .map(|m| report(self, *m, Code::Eval))
            .collect();
        sort_reports(&mut out, &self.sources);
        out
    }
}

/// Sorts errors as they are printed and drops repeated ones.
pub fn sort_reports(reports: &mut Vec<Report>, sources: &Sources) {
    let by_place = |a: &Report, b: &Report| -> Ordering {
        match (a.primary.is_valid(), b.primary.is_valid()) {
            (false, true) => Ordering::Less,
            (true, false) => Ordering::Greater,
            _ => sources.compare(a.primary, b.primary),
        }
        .then_with(|| a.path.cmp(&b.path))
    };
    if reports.len() < 2 {
        return;
    }
    reports.sort_by(|a, b| by_place(a, b).then_with(|| a.message.cmp(&b.message)));
    reports.dedup_by(|a, b| a.primary == b.primary && a.path == b.path && a.message == b.message);
}

/// The text of a list of errors: each message, then its places, one a line.
pub fn write_reports(reports: &[Report], sources: &Sources, style: ReportStyle<'_>) -> String {
    let mut out = String::new();
    for report in reports {
        out.push_str(&report.headline());
        let positions = report.positions(sources);
        if positions.is_empty() {
            out.push('\n');
            continue;
        }
        out.push_str(":\n");
        for pos in positions {
            out.push_str("    ");
            out.push_str(&position_text(pos, sources, style));
            out.push('\n');
        }
    }
    out
}

/// `./file.cue:1:2`.
pub fn position_text(pos: Pos, sources: &Sources, style: ReportStyle<'_>) -> String {
    let Some(location) = sources.locate(pos) else {
        return String::new();
    };
    let file = relative(&location.name, style.directory);
    let colon = if file.is_empty() { "" } else { ":" };
    let (line, column) = (
        grouped(location.line, style),
        grouped(location.column, style),
    );
    format!("{file}{colon}{line}:{column}")
}

fn grouped(number: u32, style: ReportStyle<'_>) -> String {
    let digits = number.to_string();
    let Some(group) = style.group else {
        return digits;
    };
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(group);
        }
        out.push(digit);
    }
    out
}

/// An absolute name relative to the directory, with `./` in front unless it starts with a point.
fn relative(name: &str, directory: Option<&str>) -> String {
    let Some(directory) = directory.filter(|d| d.starts_with('/') && name.starts_with('/')) else {
        return name.to_owned();
    };
    let parts = |text: &str| -> Vec<String> {
        text.split('/')
            .filter(|p| !p.is_empty())
            .map(str::to_owned)
            .collect()
    };
    let (base, target) = (parts(directory), parts(name));
    let common = base.iter().zip(&target).take_while(|(a, b)| a == b).count();
    let mut out: Vec<String> = vec!["..".into(); base.len() - common];
    out.extend_from_slice(&target[common..]);
    let out = if out.is_empty() {
        ".".to_owned()
    } else {
        out.join("/")
    };
    if out.starts_with('.') {
        out
    } else {
        format!("./{out}")
    }
}

fn report(ev: &Evaluator, m: MsgId, code: Code) -> Report {
    let mut out = Report {
        code,
        path: ev.path_texts(ev.message_path(m)),
        message: message_text(ev, m),
        primary: Pos::NONE,
        more: Vec::new(),
    };
    places(ev, m, &mut out);
    out
}

fn own_path(ev: &Evaluator, m: MsgId) -> Vec<String> {
    let message = ev.message(m);
    if message.no_path {
        return Vec::new();
    }
    ev.path_texts(&message.path)
}

fn places(ev: &Evaluator, m: MsgId, out: &mut Report) {
    let message = ev.message(m);
    if !out.primary.is_valid() {
        out.primary = message.pos;
    } else if message.pos.is_valid() {
        out.more.push(message.pos);
    }
    out.more.extend_from_slice(&message.more);
    if let Some(cause) = message.cause.first() {
        places(ev, *cause, out);
    }
}

/// The message and its causes, without any path.
fn message_text(ev: &Evaluator, m: MsgId) -> String {
    let mut out = ev.message_text(m);
    let causes = &ev.message(m).cause;
    if let Some(first) = causes.first() {
        if !out.is_empty() {
            out.push_str(": ");
        }
        out.push_str(&message_text(ev, *first));
        push_rest(&mut out, causes.len());
    }
    out
}

fn push_rest(out: &mut String, count: usize) {
    if count > 1 {
        out.push_str(&format!(" (and {} more errors)", count - 1));
    }
}

/// The message of an error that is the only one of a list.
fn met_itself(ev: &Evaluator, e: ErrId) -> Option<MsgId> {
    let bottom = ev.error(e);
    match bottom.messages.as_slice() {
        [one] if bottom.list => Some(*one),
        _ => None,
    }
}

/// The message as the comment of a value shows it: each link with its own path.
pub(super) fn comment_text(ev: &Evaluator, e: ErrId) -> String {
    if let Some(m) = met_itself(ev, e) {
        return ev.message_text(m);
    }
    let messages = &ev.error(e).messages;
    let mut out = messages
        .first()
        .map_or_else(String::new, |m| linked_text(ev, *m));
    push_rest(&mut out, messages.len());
    out
}

fn linked_text(ev: &Evaluator, m: MsgId) -> String {
    let path = own_path(ev, m).join(".");
    let mut out = ev.message_text(m);
    if !path.is_empty() {
        out = format!("{path}: {out}");
    }
    let causes = &ev.message(m).cause;
    if let Some(first) = causes.first() {
        if !out.is_empty() {
            out.push_str(": ");
        }
        out.push_str(&linked_text(ev, *first));
        push_rest(&mut out, causes.len());
    }
    out
}
