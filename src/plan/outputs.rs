//! How the published outputs change.

use pravo_state::Data;
use std::collections::BTreeMap;

/// What happens to one output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutputAction {
    /// It was not recorded.
    Create,
    /// Its value or its mark changes.
    Update,
    /// It is recorded and no longer declared.
    Delete,
}

impl OutputAction {
    /// The word in documents.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Create => "create",
            Self::Update => "update",
            Self::Delete => "delete",
        }
    }
}

/// One output: its value and whether it is hidden where outputs are listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutputValue {
    /// The value; unknown parts only in a plan.
    pub value: Data,
    /// Whether it is hidden.
    pub sensitive: bool,
}

/// The change of one output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutputChange {
    /// What happens.
    pub action: OutputAction,
    /// The recorded value.
    pub before: Option<Data>,
    /// The value after the apply, with unknown parts.
    pub after: Option<Data>,
    /// Whether either side is hidden.
    pub sensitive: bool,
}

/// The outputs that differ, by name.
pub fn output_changes(
    recorded: &BTreeMap<String, OutputValue>,
    wanted: &BTreeMap<String, OutputValue>,
) -> BTreeMap<String, OutputChange> {
    let mut changes = BTreeMap::new();
    for (name, now) in wanted {
        let was = recorded.get(name);
        if was == Some(now) && now.value.is_wholly_known() {
            continue;
        }
        let change = OutputChange {
            action: if was.is_some() {
                OutputAction::Update
            } else {
                OutputAction::Create
            },
            before: was.map(|o| o.value.clone()),
            after: Some(now.value.clone()),
            sensitive: now.sensitive || was.is_some_and(|o| o.sensitive),
        };
        changes.insert(name.clone(), change);
    }
    for (name, was) in recorded {
        if !wanted.contains_key(name) {
            let change = OutputChange {
                action: OutputAction::Delete,
                before: Some(was.value.clone()),
                after: None,
                sensitive: was.sensitive,
            };
            changes.insert(name.clone(), change);
        }
    }
    changes
}
