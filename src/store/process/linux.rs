//! Linux: `/proc`.

use std::fs;

/// Which start of the system this is; empty when it is not known.
pub(super) fn boot() -> String {
    let text = fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
    text.trim().to_owned()
}

/// Which process numbers are meant, such as `4026531836`; empty when it is not known.
pub(super) fn namespace() -> String {
    let link = fs::read_link("/proc/self/ns/pid").unwrap_or_default();
    let text = link.to_string_lossy();
    text.chars().filter(char::is_ascii_digit).collect()
}

/// Ticks between the start of the system and that of the process: field 22 of its `stat`. A
/// process that has ended but was not waited for counts as gone.
pub(super) fn start_of(pid: u32) -> Option<String> {
    let text = match fs::read_to_string(format!("/proc/{pid}/stat")) {
        Ok(text) => text,
        // Without a process table nobody can tell: such a process counts as running.
        Err(_) if !fs::exists("/proc/self/stat").unwrap_or(false) => return Some(String::new()),
        Err(_) => return None,
    };
    // The name of the program stands in brackets and may hold spaces and brackets itself.
    let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
    let state = fields.first()?;
    if matches!(*state, "Z" | "X") {
        return None;
    }
    fields.get(19).map(|ticks| (*ticks).to_owned())
}
