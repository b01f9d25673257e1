//! What a plugin prints. It is read to the end, whatever it is: a plugin whose output nobody
//! reads stops in the middle of a call.

use serde_json::Value;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard};
use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncRead, AsyncReadExt};

/// The longest piece of a line that is looked at, in bytes.
pub(crate) const MAX_LINE: usize = 64 * 1024;
/// How many lines are kept to explain an end.
const KEPT: usize = 20;
/// How much of a kept line is kept, in characters.
const KEPT_LENGTH: usize = 2000;

/// The last lines that a plugin wrote to its error output.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tail(Arc<Mutex<Kept>>);

#[derive(Debug, Default)]
struct Kept {
    lines: VecDeque<String>,
    /// Whether the lines are the message of a crash, which begins with them.
    crashed: bool,
}

impl Tail {
    /// The lines that explain an end: the message of a crash, or the last lines.
    pub(crate) fn text(&self) -> String {
        let kept = self.lock();
        let lines: Vec<&str> = kept.lines.iter().map(String::as_str).collect();
        lines.join("\n")
    }

    fn lock(&self) -> MutexGuard<'_, Kept> {
        self.0
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    fn add(&self, line: &Line) {
        let mut kept = self.lock();
        let crash = line.text.starts_with("panic: ") || line.text.starts_with("fatal error: ");
        if crash && !kept.crashed {
            kept.crashed = true;
            kept.lines.clear();
        }
        let told = line.level >= Level::Error;
        if kept.crashed && kept.lines.len() < KEPT || !kept.crashed && told {
            if kept.lines.len() == KEPT {
                kept.lines.pop_front();
            }
            kept.lines
                .push_back(line.text.chars().take(KEPT_LENGTH).collect());
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Trace,
    Debug,
    Info,
    Warning,
    Error,
    /// Written by nobody's logger.
    Plain,
}

#[derive(Debug, PartialEq, Eq)]
struct Line {
    level: Level,
    text: String,
}

/// Reads the error output to its end, a line at a time, and keeps the last lines. Where the log is
/// wanted each line becomes an event.
pub(crate) async fn read_log(
    output: impl AsyncRead + Unpin,
    tail: Tail,
    plugin: String,
    log: bool,
) {
    let mut output = tokio::io::BufReader::new(output);
    while let Some(piece) = next_line(&mut output).await {
        let Some(line) = understand(&String::from_utf8_lossy(&piece)) else {
            continue;
        };
        tail.add(&line);
        if log {
            emit(&plugin, &line);
        }
    }
}

/// The next line, or a piece of one that is too long; nothing at the end.
pub(crate) async fn next_line(output: &mut (impl AsyncBufRead + Unpin)) -> Option<Vec<u8>> {
    let mut piece = Vec::new();
    let mut limited = output.take(MAX_LINE as u64);
    match limited.read_until(b'\n', &mut piece).await {
        Ok(0) | Err(_) => None,
        Ok(_) => Some(piece),
    }
}

/// Reads output to its end and drops it.
pub(crate) async fn drain(mut output: impl AsyncRead + Unpin) {
    let mut buffer = [0; 4096];
    while let Ok(1..) = output.read(&mut buffer).await {}
}

/// The level and the text of a line; nothing for an empty one.
fn understand(line: &str) -> Option<Line> {
    let line = line.trim_end();
    if line.is_empty() {
        return None;
    }
    if let Ok(Value::Object(fields)) = serde_json::from_str(line) {
        let text = |name: &str| fields.get(name).and_then(Value::as_str);
        if let Some(message) = text("@message") {
            let level = text("@level").and_then(level).unwrap_or(Level::Debug);
            let text = match text("error") {
                Some(error) => format!("{message}: {error}"),
                None => message.to_owned(),
            };
            return Some(Line { level, text });
        }
    }
    let tagged = line.strip_prefix('[').and_then(|rest| rest.split_once(']'));
    let tagged = tagged.and_then(|(tag, text)| Some((level(&tag.to_lowercase())?, text)));
    Some(match tagged {
        Some((level, text)) => Line {
            level,
            text: text.trim_start().to_owned(),
        },
        None => Line {
            level: Level::Plain,
            text: line.to_owned(),
        },
    })
}

fn level(name: &str) -> Option<Level> {
    Some(match name {
        "trace" => Level::Trace,
        "debug" => Level::Debug,
        "info" => Level::Info,
        "warn" => Level::Warning,
        "error" => Level::Error,
        _ => return None,
    })
}

fn emit(plugin: &str, line: &Line) {
    let text = line.text.as_str();
    match line.level {
        Level::Trace => tracing::trace!(target: "pravo::plugin", plugin, "{text}"),
        Level::Debug | Level::Plain => tracing::debug!(target: "pravo::plugin", plugin, "{text}"),
        Level::Info => tracing::info!(target: "pravo::plugin", plugin, "{text}"),
        Level::Warning => tracing::warn!(target: "pravo::plugin", plugin, "{text}"),
        Level::Error => tracing::error!(target: "pravo::plugin", plugin, "{text}"),
    }
}

#[cfg(test)]
mod tests;
