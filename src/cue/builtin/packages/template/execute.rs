//! Running templates.

use super::functions;
use super::lexer::line_of;
use super::parse::{Arg, ArgKind, Node, Pipe, Templates};
use super::value::{Value, Width};
use crate::builtin::quote_go;

/// Deepest nesting of templates.
const MAX_DEPTH: usize = 10_000;
/// How much a template may write.
const MAX_OUTPUT: usize = 1 << 30;

/// Runs the template of the text itself.
pub(super) fn run(text: &str, templates: &Templates, data: Value) -> Result<String, String> {
    let mut run = Run {
        text,
        templates,
        name: String::new(),
        out: String::new(),
        variables: vec![("$".to_owned(), Slot::of(data.clone()))],
        depth: 0,
    };
    let Some(nodes) = templates.get("") else {
        return Err("template: : \"\" is an incomplete or empty template".to_owned());
    };
    run.list(&Slot::of(data), nodes)?;
    Ok(run.out)
}

/// A value, and whether its static type is that of any value.
#[derive(Clone, Debug)]
pub(super) struct Slot {
    pub(super) value: Value,
    any: bool,
}

impl Slot {
    fn of(value: Value) -> Slot {
        Slot { value, any: false }
    }

    fn inner(value: Value) -> Slot {
        Slot { value, any: true }
    }

    fn type_name(&self) -> &'static str {
        if self.any {
            "interface {}"
        } else {
            self.value.type_name()
        }
    }
}

#[derive(PartialEq)]
enum Flow {
    On,
    Break,
    Continue,
}

struct Run<'a> {
    text: &'a str,
    templates: &'a Templates,
    name: String,
    out: String,
    variables: Vec<(String, Slot)>,
    depth: usize,
}

type Step<T> = Result<T, String>;

impl Run<'_> {
    fn fail<T>(&self, at: usize, node: &str, text: impl std::fmt::Display) -> Step<T> {
        let start = self.text[..at].rfind('\n').map_or(0, |i| i + 1);
        let (line, column) = (line_of(self.text, at), at - start);
        let name = quote_go(&self.name);
        Err(format!(
            "template: :{line}:{column}: executing {name} at <{node}>: {text}"
        ))
    }

    fn list(&mut self, dot: &Slot, nodes: &[Node]) -> Step<Flow> {
        for node in nodes {
            let flow = crate::print::deeper(|| self.node(dot, node))?;
            if flow != Flow::On {
                return Ok(flow);
            }
        }
        Ok(Flow::On)
    }

    fn node(&mut self, dot: &Slot, node: &Node) -> Step<Flow> {
        match node {
            Node::Text(text) => self.out.push_str(text),
            Node::Action(pipe, text) => {
                let value = self.pipe(dot, pipe)?;
                if pipe.variables.is_empty() {
                    self.out.push_str(&functions::printed(&value.value));
                }
                if self.out.len() > MAX_OUTPUT {
                    return self.fail(pipe.at, text, "output too large");
                }
            }
            Node::If(pipe, then, other) => return self.branch(dot, pipe, then, other, false),
            Node::With(pipe, then, other) => return self.branch(dot, pipe, then, other, true),
            Node::Range(pipe, then, other, text) => {
                return self.range(dot, pipe, then, other, text);
            }
            Node::Template {
                name,
                data,
                at,
                text,
            } => {
                self.template(dot, name, data.as_ref(), (*at, text))?;
            }
            Node::Break => return Ok(Flow::Break),
            Node::Continue => return Ok(Flow::Continue),
        }
        Ok(Flow::On)
    }

    fn branch(
        &mut self,
        dot: &Slot,
        pipe: &Pipe,
        then: &[Node],
        other: &[Node],
        with: bool,
    ) -> Step<Flow> {
        let scope = self.variables.len();
        let value = self.pipe(dot, pipe)?;
        let flow = if value.value.is_true() {
            self.list(if with { &value } else { dot }, then)
        } else {
            self.list(dot, other)
        };
        self.variables.truncate(scope);
        flow
    }

    fn template(
        &mut self,
        dot: &Slot,
        name: &str,
        data: Option<&Pipe>,
        (at, text): (usize, &str),
    ) -> Step<()> {
        let Some(nodes) = self.templates.get(name) else {
            let name = quote_go(name);
            return self.fail(at, text, format!("template {name} not defined"));
        };
        if self.depth == MAX_DEPTH {
            let limit = format!("exceeded maximum template depth ({MAX_DEPTH})");
            return self.fail(at, text, limit);
        }
        let data = match data {
            Some(pipe) => self.pipe(dot, pipe)?,
            None => Slot::of(Value::Missing),
        };
        let variables = vec![("$".to_owned(), data.clone())];
        let saved = std::mem::replace(&mut self.variables, variables);
        let outer = std::mem::replace(&mut self.name, name.to_owned());
        self.depth += 1;
        self.list(&data, nodes)?;
        self.depth -= 1;
        self.name = outer;
        self.variables = saved;
        Ok(())
    }

    fn range(
        &mut self,
        dot: &Slot,
        pipe: &Pipe,
        then: &[Node],
        other: &[Node],
        text: &str,
    ) -> Step<Flow> {
        let index = |i| Value::Int(i, Width::Word);
        let scope = self.variables.len();
        let value = self.pipe(dot, pipe)?.value;
        let pairs: Vec<(Value, Value)> = match &value {
            Value::List(items) => (0..).map(index).zip(items.iter().cloned()).collect(),
            Value::Bytes(bytes) => (0..)
                .map(index)
                .zip(bytes.iter().map(|b| Value::Int(i64::from(*b), Width::Byte)))
                .collect(),
            Value::Map(fields) => fields
                .iter()
                .map(|(k, v)| (Value::Str(k.clone()), v.clone()))
                .collect(),
            Value::Int(n, width) => (0..*n)
                .map(|i| (Value::Int(i, *width), Value::Int(i, *width)))
                .collect(),
            Value::Missing | Value::Nil => Vec::new(),
            other => {
                let shown = functions::printed(other);
                return self.fail(pipe.at, text, format!("range can't iterate over {shown}"));
            }
        };
        if pairs.is_empty() {
            self.variables.truncate(scope);
            return self.list(dot, other);
        }
        let inner = self.variables.len();
        for (key, item) in pairs {
            let item = Slot::inner(item);
            let values: Vec<Slot> = match pipe.variables.len() {
                0 => Vec::new(),
                1 => vec![item.clone()],
                _ => vec![Slot::of(key), item.clone()],
            };
            for (name, value) in pipe.variables.iter().zip(values) {
                self.set(name, value);
            }
            let flow = self.list(&item, then)?;
            self.variables.truncate(inner);
            if flow == Flow::Break {
                break;
            }
        }
        self.variables.truncate(scope);
        Ok(Flow::On)
    }

    fn set(&mut self, name: &str, value: Slot) {
        if let Some(slot) = self.variables.iter_mut().rev().find(|(n, _)| n == name) {
            slot.1 = value;
        }
    }

    fn pipe(&mut self, dot: &Slot, pipe: &Pipe) -> Step<Slot> {
        let mut value = None;
        for command in &pipe.commands {
            let result = self.command(dot, command, value)?;
            value = Some(Slot::of(match result.value {
                Value::Nil => Value::Missing,
                other => other,
            }));
        }
        let value = value.unwrap_or_else(|| Slot::of(Value::Missing));
        for name in &pipe.variables {
            if pipe.assign {
                self.set(name, value.clone());
            } else {
                self.variables.push((name.clone(), value.clone()));
            }
        }
        Ok(value)
    }

    fn command(&mut self, dot: &Slot, args: &[Arg], last: Option<Slot>) -> Step<Slot> {
        let head = &args[0];
        match &head.kind {
            ArgKind::Function(name) => return self.call(dot, name, args, last),
            ArgKind::Field(_) | ArgKind::Variable(..) | ArgKind::Chain(..) => {
                let with_arguments = args.len() > 1 || last.is_some();
                return self.path(dot, head, with_arguments);
            }
            _ => {}
        }
        if args.len() > 1 || last.is_some() {
            let text = format!("can't give argument to non-function {}", head.text);
            return self.fail(head.at, &head.text, text);
        }
        match &head.kind {
            ArgKind::Nil => self.fail(head.at, &head.text, "nil is not a command"),
            _ => self.argument(dot, head),
        }
    }

    fn argument(&mut self, dot: &Slot, arg: &Arg) -> Step<Slot> {
        Ok(match &arg.kind {
            ArgKind::Dot => dot.clone(),
            ArgKind::Nil => Slot::of(Value::Nil),
            ArgKind::Constant(value) => Slot::of(value.clone()),
            ArgKind::Pipe(pipe) => crate::print::deeper(|| self.pipe(dot, pipe))?,
            ArgKind::Function(name) => self.call(dot, name, std::slice::from_ref(arg), None)?,
            _ => self.path(dot, arg, false)?,
        })
    }

    fn path(&mut self, dot: &Slot, arg: &Arg, with_arguments: bool) -> Step<Slot> {
        let (mut value, path) = match &arg.kind {
            ArgKind::Field(path) => (dot.clone(), path),
            ArgKind::Variable(name, path) => {
                let found = self.variables.iter().rev().find(|(n, _)| n == name);
                let value = found.map_or(Slot::of(Value::Missing), |(_, v)| v.clone());
                if path.is_empty() && with_arguments {
                    let text = format!("can't give argument to non-function {}", arg.text);
                    return self.fail(arg.at, &arg.text, text);
                }
                (value, path)
            }
            ArgKind::Chain(pipe, path) => (crate::print::deeper(|| self.pipe(dot, pipe))?, path),
            _ => return self.argument(dot, arg),
        };
        for (i, name) in path.iter().enumerate() {
            let last = i + 1 == path.len();
            value = self.field(&value, name, arg, with_arguments && last)?;
        }
        Ok(value)
    }

    fn field(&self, of: &Slot, name: &str, arg: &Arg, with_arguments: bool) -> Step<Slot> {
        match &of.value {
            Value::Missing => Ok(of.clone()),
            Value::Nil => {
                let text = format!("nil pointer evaluating {}.{name}", of.type_name());
                self.fail(arg.at, &arg.text, text)
            }
            Value::Map(_) if with_arguments => {
                let text = format!("{name} is not a method but has arguments");
                self.fail(arg.at, &arg.text, text)
            }
            Value::Map(_) => Ok(match of.value.get(name) {
                Some(value) => Slot::inner(value.clone()),
                None => Slot::of(Value::Missing),
            }),
            _ => {
                let text = format!("can't evaluate field {name} in type {}", of.type_name());
                self.fail(arg.at, &arg.text, text)
            }
        }
    }

    fn call(&mut self, dot: &Slot, name: &str, args: &[Arg], last: Option<Slot>) -> Step<Slot> {
        let head = &args[0];
        let count = args.len() - 1 + usize::from(last.is_some());
        if let Some(text) = functions::wrong_count(name, count) {
            return self.fail(head.at, &head.text, text);
        }
        let lazy = matches!(name, "and" | "or");
        let mut values = Vec::with_capacity(count);
        for arg in &args[1..] {
            let value = self.argument(dot, arg)?.value;
            let decided = lazy && value.is_true() == (name == "or");
            values.push(value);
            if decided {
                return Ok(Slot::of(values.pop().unwrap_or(Value::Missing)));
            }
        }
        values.extend(last.map(|l| l.value));
        if lazy {
            return Ok(Slot::of(values.pop().unwrap_or(Value::Missing)));
        }
        match functions::call(name, &values) {
            Ok(value) => Ok(Slot::of(value)),
            Err(functions::Fault::Calling(text)) => {
                let text = format!("error calling {name}: {text}");
                let words: Vec<&str> = args.iter().map(|a| a.text.as_str()).collect();
                self.fail(head.at, &words.join(" "), text)
            }
            Err(functions::Fault::Argument(i, text)) => {
                let at = args.get(i + 1).unwrap_or(head);
                self.fail(at.at, &at.text, text)
            }
        }
    }
}
