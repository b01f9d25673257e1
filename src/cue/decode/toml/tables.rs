//! Lines to a struct: where tables go, and which keys may come again.

use super::parse::{Key, Line, Parser, Value};
use super::{Bad, bad};
use crate::syntax::data::{DataBuilder, DataField, NOWHERE, TimeLayout};
use crate::syntax::literal::quote_label;
use crate::syntax::names::Names;
use crate::syntax::source::{FileId, Sources};
use crate::syntax::tree::{ExprId, LitKind, Tree};
use rustc_hash::FxHashSet;

/// What a field holds before all lines are read.
#[derive(Clone, Copy)]
enum Part {
    Done(ExprId),
    Table(usize),
    /// An array of tables.
    List(usize),
}

type Fields = Vec<(String, usize, Part)>;

/// An array of tables to which headers may still add.
struct Open {
    key: String,
    level: usize,
    list: usize,
    last: usize,
}

/// Reads a document and builds its tree.
pub(super) struct Decoder<'a> {
    parser: Parser<'a>,
    names: &'a mut Names,
    data: DataBuilder,
    tables: Vec<Fields>,
    lists: Vec<Vec<usize>>,
    /// Keys that are taken, from the root.
    seen: FxHashSet<String>,
    arrays: Vec<Open>,
    /// The table that fields go to, and its key.
    current: usize,
    current_key: String,
}

impl<'a> Decoder<'a> {
    pub(super) fn new(
        text: &'a str,
        sources: &Sources,
        names: &'a mut Names,
        file: FileId,
    ) -> Decoder<'a> {
        Decoder {
            parser: Parser::new(text),
            names,
            data: DataBuilder::new(sources, file),
            tables: vec![Vec::new()],
            lists: Vec::new(),
            seen: FxHashSet::default(),
            arrays: Vec::new(),
            current: 0,
            current_key: String::new(),
        }
    }

    pub(super) fn document(mut self) -> Result<Tree, Bad> {
        while let Some(line) = self.parser.line()? {
            match line {
                Line::Field(key, value) => {
                    let base = self.current_key.clone();
                    let (fields, part) = self.field(&base, key, value)?;
                    self.insert(self.current, &fields, part);
                }
                Line::Table(key) => self.table(&key)?,
                Line::ArrayTable(key) => self.array_table(&key)?,
            }
        }
        let root = self.finish(0);
        Ok(self.data.finish(root))
    }

    fn finish(&mut self, table: usize) -> ExprId {
        stacker::maybe_grow(64 << 10, 2 << 20, || {
            let fields = std::mem::take(&mut self.tables[table]);
            let mut out = Vec::with_capacity(fields.len());
            for (name, at, part) in fields {
                let value = match part {
                    Part::Done(x) => x,
                    Part::Table(table) => self.finish(table),
                    Part::List(list) => {
                        let items = std::mem::take(&mut self.lists[list]);
                        let ids: Vec<ExprId> = items.iter().map(|t| self.finish(*t)).collect();
                        self.data.list(&ids, NOWHERE)
                    }
                };
                out.push(DataField::new(name, at, value));
            }
            self.data.structure(&out, NOWHERE)
        })
    }

    fn new_table(&mut self) -> usize {
        self.tables.push(Vec::new());
        self.tables.len() - 1
    }

    /// Puts a value under a dotted key: every part but the last becomes a table of its own, which
    /// unifies with others of its name.
    fn insert(&mut self, table: usize, key: &[Key], part: Part) {
        let mut table = table;
        for (i, k) in key.iter().enumerate() {
            if i + 1 == key.len() {
                self.tables[table].push((k.name.clone(), k.at, part));
            } else {
                let inner = self.new_table();
                self.tables[table].push((k.name.clone(), k.at, Part::Table(inner)));
                table = inner;
            }
        }
    }

    fn table(&mut self, key: &[Key]) -> Result<(), Bad> {
        let (rooted, at) = (rooted("", key), key[0].at);
        if !self.seen.insert(rooted.clone()) {
            return bad(at, format!("duplicate key: {rooted}"));
        }
        let new = self.new_table();
        match self.array_before(&rooted) {
            Some(i) if self.arrays[i].key == rooted => {
                let quoted = crate::builtin::quote_go(&rooted);
                return bad(
                    at,
                    format!("cannot redeclare table array {quoted} as a table"),
                );
            }
            Some(i) => {
                let (level, last) = (self.arrays[i].level, self.arrays[i].last);
                self.insert(last, &key[level..], Part::Table(new));
            }
            None => self.insert(0, key, Part::Table(new)),
        }
        self.current = new;
        self.current_key = rooted;
        Ok(())
    }

    fn array_table(&mut self, key: &[Key]) -> Result<(), Bad> {
        let (rooted, at) = (rooted("", key), key[0].at);
        if self.seen.contains(&rooted) {
            let quoted = crate::builtin::quote_go(&rooted);
            return bad(
                at,
                format!("cannot redeclare key {quoted} as a table array"),
            );
        }
        let new = self.new_table();
        let array = self.array_before(&rooted);
        self.current = new;
        if let Some(i) = array.filter(|i| self.arrays[*i].level == key.len()) {
            let list = self.arrays[i].list;
            self.current_key = format!("{rooted}.{}", self.lists[list].len());
            self.arrays[i].last = new;
            self.lists[list].push(new);
            return Ok(());
        }
        self.lists.push(vec![new]);
        let list = self.lists.len() - 1;
        match array {
            None => self.insert(0, key, Part::List(list)),
            Some(i) => {
                let (level, last) = (self.arrays[i].level, self.arrays[i].last);
                self.insert(last, &key[level..], Part::List(list));
            }
        }
        self.current_key = format!("{rooted}.0");
        self.arrays.push(Open {
            key: rooted,
            level: key.len(),
            list,
            last: new,
        });
        Ok(())
    }

    /// The array of tables with a key, or the longest one the key leads through. A new element of
    /// an array forgets what was said of the one before.
    fn array_before(&mut self, key: &str) -> Option<usize> {
        if self.arrays.iter().any(|a| a.key == key) {
            let inside = format!("{key}.");
            self.arrays.retain(|a| !a.key.starts_with(&inside));
            self.seen.retain(|k| !k.starts_with(&inside));
            return self.arrays.iter().position(|a| a.key == key);
        }
        let mut best: Option<usize> = None;
        for (i, a) in self.arrays.iter().enumerate() {
            let leads = key.strip_prefix(a.key.as_str());
            let longer = best.is_none_or(|b| a.level > self.arrays[b].level);
            if leads.is_some_and(|rest| rest.starts_with('.')) && longer {
                best = Some(i);
            }
        }
        best
    }

    fn field(&mut self, base: &str, key: Vec<Key>, value: Value) -> Result<(Vec<Key>, Part), Bad> {
        let (rooted, at) = (rooted(base, &key), key[0].at);
        if self.arrays.iter().any(|a| a.key == rooted) {
            let quoted = crate::builtin::quote_go(&rooted);
            return bad(
                at,
                format!("cannot redeclare table array {quoted} as a table"),
            );
        }
        if !self.seen.insert(rooted.clone()) {
            return bad(at, format!("duplicate key: {rooted}"));
        }
        let value = self.value(&rooted, value)?;
        Ok((key, Part::Done(value)))
    }

    fn value(&mut self, key: &str, value: Value) -> Result<ExprId, Bad> {
        stacker::maybe_grow(64 << 10, 2 << 20, || self.value_inner(key, value))
    }

    fn value_inner(&mut self, key: &str, value: Value) -> Result<ExprId, Bad> {
        Ok(match value {
            Value::String(text, at) => self.data.string(&text, at),
            Value::Int(text, at) => self.data.raw_number(LitKind::Int, &text, false, at),
            Value::Float(text, at) => self.data.raw_number(LitKind::Float, &text, false, at),
            Value::Bool(value) => self.data.bool(value, NOWHERE),
            Value::Array(items) => {
                let mut ids = Vec::with_capacity(items.len());
                for (i, item) in items.into_iter().enumerate() {
                    ids.push(self.value(&format!("{key}.{i}"), item)?);
                }
                self.data.list(&ids, NOWHERE)
            }
            Value::Table(fields, at) => {
                let table = self.new_table();
                for (name, value) in fields {
                    let (name, part) = self.field(key, name, value)?;
                    self.insert(table, &name, part);
                }
                let x = self.finish(table);
                self.data.place(x, at);
                x
            }
            Value::Date(text) => self.time(&text, TimeLayout::Named("RFC3339Date")),
            Value::Time(text) => self.time(&text, TimeLayout::Text("15:04:05")),
            Value::LocalDateTime(text) => self.time(&text, TimeLayout::Text("2006-01-02T15:04:05")),
            Value::DateTime(text) => self.time(&text, TimeLayout::Named("RFC3339")),
        })
    }

    fn time(&mut self, text: &str, layout: TimeLayout<'_>) -> ExprId {
        self.data.time(self.names, text, layout, NOWHERE)
    }
}

/// A dotted key from the root, its parts quoted where they need it.
fn rooted(base: &str, key: &[Key]) -> String {
    let mut out = base.to_owned();
    for part in key {
        if !out.is_empty() {
            out.push('.');
        }
        out.push_str(&quote_label(&part.name));
    }
    out
}
