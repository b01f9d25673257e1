//! `pravo state graph` and `pravo state dependents`: the recorded edges.

use super::{address, no_record};
use crate::context::Context;
use crate::exit::{Code, Failure};
use crate::render::text::quote;
use pravo_state::{Address, json};
use pravo_store::Records;
use std::collections::{BTreeMap, BTreeSet};

fn edges(records: &Records) -> impl Iterator<Item = (&Address, &Address)> {
    records
        .values()
        .flat_map(|r| r.value.dependencies.iter().map(|to| (&r.value.addr, to)))
}

/// Every edge, from the one that reads to the one that is read.
pub(super) fn graph(context: &Context, dot: bool) -> Result<Code, Failure> {
    let state = context.read_state()?;
    let records = context.wait(state.records())?;
    let mut out = String::new();
    if context.global.json {
        let edges = edges(&records)
            .map(|(from, to)| serde_json::json!({"from": from.as_str(), "to": to.as_str()}));
        out = json::pretty(&edges.collect::<serde_json::Value>());
    } else if dot {
        out.push_str("digraph {\n");
        for address in records.keys() {
            out.push_str(&format!("\t{}\n", quote(address.as_str())));
        }
        for (from, to) in edges(&records) {
            out.push_str(&format!(
                "\t{} -> {}\n",
                quote(from.as_str()),
                quote(to.as_str())
            ));
        }
        out.push_str("}\n");
    } else {
        for (from, to) in edges(&records) {
            out.push_str(&format!("{from} -> {to}\n"));
        }
    }
    context.screen.result(&out);
    Ok(Code::Done)
}

/// Everything that reads a node, directly or through others.
pub(super) fn dependents(context: &Context, text: &str) -> Result<Code, Failure> {
    let start = address(text)?;
    let state = context.read_state()?;
    let records = context.wait(state.records())?;
    if !records.contains_key(&start) {
        return Err(no_record(&start));
    }
    let mut readers: BTreeMap<&Address, Vec<&Address>> = BTreeMap::new();
    for (from, to) in edges(&records) {
        readers.entry(to).or_default().push(from);
    }
    let mut found: BTreeSet<&Address> = BTreeSet::new();
    let mut open = vec![&start];
    while let Some(address) = open.pop() {
        for reader in readers.get(address).into_iter().flatten() {
            if **reader != start && found.insert(reader) {
                open.push(reader);
            }
        }
    }
    let shown = if context.global.json {
        let addresses: Vec<&str> = found.iter().map(|address| address.as_str()).collect();
        json::pretty(&serde_json::json!(addresses))
    } else {
        found.iter().map(|address| format!("{address}\n")).collect()
    };
    context.screen.result(&shown);
    Ok(Code::Done)
}
