//! What happens during a run, as lines of progress.

use pravo_state::{Event, Operation};

/// What a person reads while something runs and once it is done.
struct Words {
    running: &'static str,
    done: &'static str,
    still: &'static str,
}

fn words(operation: Operation) -> Words {
    let (running, done, still) = match operation {
        Operation::Refresh => ("Refreshing state...", "", "Still refreshing..."),
        Operation::Read => ("Reading...", "Read complete", "Still reading..."),
        Operation::Create => ("Creating...", "Creation complete", "Still creating..."),
        Operation::Update => (
            "Modifying...",
            "Modifications complete",
            "Still modifying...",
        ),
        Operation::Delete => (
            "Destroying...",
            "Destruction complete",
            "Still destroying...",
        ),
        Operation::DeleteForReplacement => ("Destroying...", "", "Still destroying..."),
        Operation::Replace => (
            "Creating replacement...",
            "Replacement complete",
            "Still creating replacement...",
        ),
        Operation::Import => ("Importing...", "Import complete", "Still importing..."),
        Operation::Open => ("Opening...", "Opening complete", "Still opening..."),
        Operation::Close => ("Closing...", "Closing complete", "Still closing..."),
    };
    Words {
        running,
        done,
        still,
    }
}

/// The line of progress for an event; nothing for one that is not shown.
pub(crate) fn line(event: &Event) -> Option<String> {
    let bracket = |id: &Option<String>| match id {
        Some(id) => format!(" [id={id}]"),
        None => String::new(),
    };
    match event {
        Event::Started {
            addr,
            operation,
            id,
        } => Some(format!(
            "{addr}: {}{}",
            words(*operation).running,
            bracket(id)
        )),
        Event::Progressed {
            addr,
            operation,
            elapsed,
        } => {
            let words = words(*operation);
            Some(format!(
                "{addr}: {} [{}s elapsed]",
                words.still,
                elapsed.as_secs()
            ))
        }
        Event::Completed {
            addr,
            operation,
            elapsed,
            id,
        } => {
            let words = words(*operation);
            let id = if *operation == Operation::Delete {
                String::new()
            } else {
                bracket(id)
            };
            (!words.done.is_empty())
                .then(|| format!("{addr}: {} after {}s{id}", words.done, elapsed.as_secs()))
        }
        _ => None,
    }
}

/// What a person reads after the first Ctrl-C.
pub(crate) fn stopping(running: usize) -> String {
    let running = match running {
        1 => "1 operation is running".to_owned(),
        n => format!("{n} operations are running"),
    };
    format!(
        "Stopping: {running} and will be recorded; press Ctrl-C again to leave without waiting."
    )
}

/// What `-v` says of an event.
pub(crate) fn verbose(event: &Event) -> Option<String> {
    match event {
        Event::ProviderStarted {
            key,
            source,
            version,
        } => Some(format!("provider started: {key} ({source} v{version})")),
        Event::PhaseCompleted { name, took, counts } => {
            let counts: String = counts
                .iter()
                .map(|(word, n)| format!(" {word}={n}"))
                .collect();
            Some(format!("{name}{counts} took={took:.1?}"))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests;
