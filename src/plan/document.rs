//! The plan as one JSON document: what `plan --json` prints and policies judge. Not masked.

use crate::{Change, LeftAlone, Order, OutputChange, Plan, Summary};
use pravo_state::{Address, Data};
use serde_json::{Map, Value, json};
use std::collections::HashMap;

/// Which entries a document has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// What the plan does, and nodes that went to their provider and stay as they are.
    Planned,
    /// Every declared node, with an entry for each one left alone.
    WithSkipped,
}

/// Makes the document.
pub fn document(plan: &Plan, shown: Shown) -> Value {
    let header = &plan.header;
    let mut top = Map::new();
    top.insert("format".into(), json!(1));
    top.insert("created".into(), json!(header.created));
    top.insert("command".into(), json!(header.command));
    if let Some(actor) = &header.actor {
        top.insert("actor".into(), json!(actor));
    }
    if let Some(reason) = &header.reason {
        top.insert("reason".into(), json!(reason));
    }
    top.insert("lineage".into(), json!(header.lineage));
    top.insert(
        "tags".into(),
        json!({"t": header.tags, "T": header.inject_vars}),
    );
    top.insert("mode".into(), json!(header.mode.as_str()));
    top.insert("refresh".into(), json!(header.refresh));
    let providers: Vec<Value> = plan
        .providers
        .iter()
        .map(|p| json!({"key": p.key, "source": p.source, "version": p.version}))
        .collect();
    top.insert("providers".into(), providers.into());
    top.insert("changes".into(), entries(plan, shown).into());
    let outputs: Map<String, Value> = plan
        .outputs
        .iter()
        .map(|(name, change)| (name.clone(), output(change)))
        .collect();
    top.insert("outputs".into(), outputs.into());
    top.insert(
        "policies".into(),
        json!({"added": [], "changed": [], "removed": []}),
    );
    top.insert("summary".into(), summary(&plan.summary));
    top.insert("warnings".into(), json!(plan.warnings));
    top.into()
}

/// The text form of a document: two spaces, one final newline.
pub fn text(document: &Value) -> String {
    format!("{document:#}\n")
}

fn entries(plan: &Plan, shown: Shown) -> Vec<Value> {
    let changes: HashMap<&Address, &Change> =
        plan.changes.iter().map(|c| (&c.address, c)).collect();
    let left: HashMap<&Address, &LeftAlone> =
        plan.left_alone.iter().map(|l| (&l.address, l)).collect();
    let mut all = Vec::new();
    for address in &plan.order {
        if let Some(change) = changes.get(address) {
            all.push(entry(change));
        } else if let Some(node) = left.get(address)
            && (shown == Shown::WithSkipped || !node.skipped)
        {
            all.push(left_alone(node));
        }
    }
    let declared: std::collections::HashSet<&Address> = plan.order.iter().collect();
    let removed = plan
        .changes
        .iter()
        .filter(|c| !declared.contains(&c.address));
    all.extend(removed.map(entry));
    all
}

fn entry(change: &Change) -> Value {
    let mut fields = Map::new();
    fields.insert("addr".into(), json!(change.address.as_str()));
    fields.insert("mode".into(), json!(change.mode.as_str()));
    fields.insert("type".into(), json!(change.type_name));
    fields.insert("name".into(), json!(change.address.name()));
    fields.insert("action".into(), json!(change.action.as_str()));
    if !change.provider.is_empty() {
        fields.insert("provider".into(), json!(change.provider));
    }
    list(&mut fields, "reasons", &change.reasons);
    list(&mut fields, "requires_replace", &change.requires_replace);
    if let Some(before) = &change.before {
        fields.insert("before".into(), value(before));
    }
    if let Some(after) = &change.after {
        fields.insert("after".into(), value(after));
    }
    flag(&mut fields, "deferred", change.deferred());
    flag(&mut fields, "refreshed", change.refreshed);
    flag(&mut fields, "drifted", change.drifted);
    list(&mut fields, "dependencies", &change.dependencies);
    list(&mut fields, "dependents", &change.dependents);
    if change.order == Order::CreateFirst {
        fields.insert("order".into(), json!("create_first"));
    }
    list(&mut fields, "warnings", &change.warnings);
    fields.into()
}

fn left_alone(node: &LeftAlone) -> Value {
    let mut fields = Map::new();
    fields.insert("addr".into(), json!(node.address.as_str()));
    fields.insert("mode".into(), json!(node.mode.as_str()));
    fields.insert("type".into(), json!(node.type_name));
    fields.insert("name".into(), json!(node.address.name()));
    fields.insert("action".into(), json!("no-op"));
    if node.skipped {
        fields.insert("skipped".into(), json!(true));
    } else {
        list(&mut fields, "reasons", &node.reasons);
    }
    fields.into()
}

fn flag(fields: &mut Map<String, Value>, name: &str, set: bool) {
    if set {
        fields.insert(name.into(), json!(true));
    }
}

fn list<T: ToString>(fields: &mut Map<String, Value>, name: &str, items: &[T]) {
    if !items.is_empty() {
        let texts: Vec<Value> = items.iter().map(|i| i.to_string().into()).collect();
        fields.insert(name.into(), texts.into());
    }
}

fn output(change: &OutputChange) -> Value {
    let mut fields = Map::new();
    fields.insert("action".into(), json!(change.action.as_str()));
    if let Some(before) = &change.before {
        fields.insert("before".into(), value(before));
    }
    if let Some(after) = &change.after {
        fields.insert("after".into(), value(after));
    }
    fields.insert("sensitive".into(), json!(change.sensitive));
    fields.into()
}

fn summary(summary: &Summary) -> Value {
    json!({
        "add": summary.add,
        "change": summary.change,
        "destroy": summary.destroy,
        "blast_radius": summary.blast_radius,
        "replace": summary.replace,
        "read": summary.read,
        "forget": summary.forget,
        "moved": summary.moved,
        "imported": summary.imported,
        "planned": summary.planned,
        "total": summary.total,
        "skipped": summary.skipped,
        "refreshed": summary.refreshed,
        "drifted": summary.drifted,
        "within_refresh_age": summary.within_refresh_age,
        "not_read": summary.not_read,
        "ephemeral": summary.ephemeral,
        "calls": summary.calls,
    })
}

/// A value as JSON: keys sorted, digits as they are, `{"$unknown": true}` where it is not known.
pub fn value(data: &Data) -> Value {
    match data {
        Data::Null => Value::Null,
        Data::Bool(flag) => (*flag).into(),
        Data::Number(number) => number
            .as_str()
            .parse::<serde_json::Number>()
            .map_or_else(|_| number.as_str().into(), Value::Number),
        Data::String(text) => text.as_str().into(),
        Data::List(items) => items.iter().map(value).collect::<Vec<_>>().into(),
        Data::Map(entries) => {
            let entries = entries
                .iter()
                .map(|(name, inner)| (name.clone(), value(inner)));
            entries.collect::<Map<_, _>>().into()
        }
        Data::Dynamic(_, inner) => value(inner),
        Data::Unknown => json!({"$unknown": true}),
    }
}

#[cfg(test)]
mod tests;
