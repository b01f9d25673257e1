//! Expressions.

use super::Lowerer;
use super::scope::Frame;
use crate::eval::error::Arg;
use crate::eval::kind::Code;
use crate::eval::program::{Elem, Expr, Op, Run, XId};
use crate::eval::source_text;
use crate::eval::value::{Data, Val};
use crate::syntax::literal::{self, Content, Quotes};
use crate::syntax::tree::{self, ExprId, LitKind, Text};

impl Lowerer<'_> {
    pub(super) fn expr(&mut self, x: ExprId) -> XId {
        stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || self.expr_inner(x))
    }

    fn expr_inner(&mut self, x: ExprId) -> XId {
        let pos = self.tree.pos(x);
        match self.tree.expr(x) {
            tree::Expr::Bad => self.fail(pos, "invalid expression", vec![]),
            tree::Expr::Bottom => self.bottom(x),
            tree::Expr::Ident(name) => self.identifier(x, name),
            tree::Expr::Literal(kind, text) => self.literal(x, kind, text),
            tree::Expr::Interpolation(items) => self.interpolation(x, items),
            tree::Expr::Struct { decls, .. } => {
                self.stack.push(Frame::new(1));
                let decls = self.tree.decl_list(decls).to_vec();
                let (s, _) = self.members(&decls, pos, false);
                self.pop();
                self.add(Expr::Struct(s), pos, x)
            }
            tree::Expr::List { items, .. } => self.list(x, items),
            tree::Expr::Unary(op, y) => self.unary(x, op, y),
            tree::Expr::Binary(Op::Or, ..) => self.disjunction(x),
            tree::Expr::Binary(op, a, b, _) => self.binary(x, op, a, b),
            tree::Expr::Paren(y, _) => self.expr(y),
            tree::Expr::Selector(..)
            | tree::Expr::Index(..)
            | tree::Expr::Slice { .. }
            | tree::Expr::Call { .. } => self.postfix(x),
            tree::Expr::Open(y, dots) => {
                if !self.tree.experiments.explicitopen {
                    return self.fail(
                        dots,
                        "postfix ... operator requires @experiment(explicitopen)",
                        vec![],
                    );
                }
                let y = self.expr(y);
                self.add(Expr::Open(y), pos, x)
            }
            tree::Expr::Optional(y, _) => self.optional(x, y),
            tree::Expr::Ellipsis(_) => {
                self.fail(pos, "ellipsis values not allowed in this position", vec![])
            }
            tree::Expr::Alias(_) => {
                self.fail(pos, "alias values not allowed in this position", vec![])
            }
            tree::Expr::Comprehension { .. } => self.fail(
                pos,
                "comprehension values not allowed in this position",
                vec![],
            ),
        }
    }

    /// Selectors, indexes, slices and calls.
    fn postfix(&mut self, x: ExprId) -> XId {
        let pos = self.tree.pos(x);
        match self.tree.expr(x) {
            tree::Expr::Selector(y, sel) => {
                let y = self.expr(y);
                let label = self.fixed_label(sel);
                let sel_pos = self.tree.pos(sel);
                self.add(
                    Expr::Selector {
                        x: y,
                        sel: label,
                        pos: sel_pos,
                        optional: false,
                    },
                    pos,
                    x,
                )
            }
            tree::Expr::Index(y, index, _) => {
                let y = self.expr(y);
                let index = self.expr(index);
                self.add(
                    Expr::Index {
                        x: y,
                        index,
                        optional: false,
                    },
                    pos,
                    x,
                )
            }
            tree::Expr::Slice { x: y, ends, .. } => {
                let [lo, hi] = self.tree.ends(ends);
                let y = self.expr(y);
                let lo = lo.map_or(XId::NONE, |e| self.expr(e));
                let hi = hi.map_or(XId::NONE, |e| self.expr(e));
                self.add(Expr::Slice(y, lo, hi), pos, x)
            }
            tree::Expr::Call { fun, args, .. } => {
                let fun = self.expr(fun);
                let args: Vec<XId> = self
                    .tree
                    .args(args)
                    .to_vec()
                    .into_iter()
                    .map(|a| self.expr(a))
                    .collect();
                let run = self.arguments(args);
                self.add(Expr::Call(fun, run), pos, x)
            }
            _ => XId::NONE,
        }
    }

    fn bottom(&mut self, x: ExprId) -> XId {
        let pos = self.tree.pos(x);
        let m = crate::eval::error::Message {
            template: "explicit error (_|_ literal) in source",
            args: vec![],
            pos,
            more: Vec::new(),
            path: Vec::new(),
            no_path: true,
            cause: Vec::new(),
        };
        let m = self.e.push_message(m);
        let e = self
            .e
            .error_at(Code::Literal, m, crate::eval::vertex::VId::NONE);
        self.val(Data::Err(e), x)
    }

    fn arguments(&mut self, args: Vec<XId>) -> Run {
        let p = &mut self.e.program;
        let run = Run {
            start: p.args.len() as u32,
            len: args.len() as u32,
        };
        p.args.extend(args);
        run
    }

    fn literal(&mut self, x: ExprId, kind: LitKind, text: Text) -> XId {
        let pos = self.tree.pos(x);
        match kind {
            LitKind::Null => self.val(Data::Null, x),
            LitKind::True => self.val(Data::Bool(true), x),
            LitKind::False => self.val(Data::Bool(false), x),
            LitKind::Int | LitKind::Float => {
                let tree = self.tree.clone();
                match crate::number::parse_literal(tree.text(text)) {
                    Ok(n) => {
                        let v = self.e.new_number(n, pos);
                        self.add(Expr::Val(v), pos, x)
                    }
                    Err(e) => self.fail(
                        pos,
                        "parse error: {}",
                        vec![Arg::Text(e.to_string().into())],
                    ),
                }
            }
            LitKind::String | LitKind::Bytes | LitKind::Piece => {
                match literal::unquote(self.tree.text(text)) {
                    Ok(Content::String(s)) => {
                        let v = self.e.string_at(&s, pos);
                        self.add(Expr::Val(v), pos, x)
                    }
                    Ok(Content::Bytes(b)) => {
                        let v = self.e.bytes_at(b, pos);
                        self.add(Expr::Val(v), pos, x)
                    }
                    Err(e) => self.fail(
                        pos,
                        "invalid string: {}",
                        vec![Arg::Text(e.to_string().into())],
                    ),
                }
            }
        }
    }

    fn piece_text(&self, x: ExprId) -> String {
        match self.tree.expr(x) {
            tree::Expr::Literal(_, t) => self.tree.text(t).to_owned(),
            _ => String::new(),
        }
    }

    fn interpolation(&mut self, x: ExprId, items: tree::Exprs) -> XId {
        let pos = self.tree.pos(x);
        let list = self.tree.list(items).to_vec();
        let (Some(first), Some(last)) = (list.first(), list.last()) else {
            return XId::NONE;
        };
        let quotes = match Quotes::of(&self.piece_text(*first), &self.piece_text(*last)) {
            Ok(q) => q,
            Err(e) => {
                return self.fail(
                    pos,
                    "invalid interpolation: {}",
                    vec![Arg::Text(e.to_string().into())],
                );
            }
        };
        let bytes = quotes.is_bytes();
        let mut parts = Vec::new();
        for (i, item) in list.iter().enumerate() {
            if i % 2 == 1 {
                parts.push(self.expr(*item));
                continue;
            }
            let text = self.piece_text(*item);
            let at = self.tree.pos(*item);
            match quotes.content(&text, i == 0, i + 1 == list.len()) {
                Ok(content) if bytes => {
                    let v = self.e.bytes_at(content, at);
                    parts.push(self.add(Expr::Val(v), at, *item));
                }
                Ok(content) => {
                    let s = String::from_utf8_lossy(&content).into_owned();
                    let v = self.e.string_at(&s, at);
                    parts.push(self.add(Expr::Val(v), at, *item));
                }
                Err(e) => {
                    parts.push(self.fail(
                        at,
                        "invalid string: {}",
                        vec![Arg::Text(e.to_string().into())],
                    ));
                }
            }
        }
        let run = self.arguments(parts);
        self.add(Expr::Interpolation(bytes, run), pos, x)
    }

    fn list(&mut self, x: ExprId, items: tree::Exprs) -> XId {
        let pos = self.tree.pos(x);
        self.stack.push(Frame::new(1));
        let mut elems = Vec::new();
        for item in self.tree.list(items).to_vec() {
            match self.tree.expr(item) {
                tree::Expr::Ellipsis(t) => {
                    let t = t.map_or(XId::NONE, |t| self.expr(t));
                    elems.push(Elem::Ellipsis(t, self.tree.pos(item)));
                }
                tree::Expr::Comprehension { .. } => {
                    if let Some(c) = self.comprehension(item, true) {
                        elems.push(Elem::Comprehension(c));
                    }
                }
                _ => elems.push(Elem::Expr(self.expr(item))),
            }
        }
        self.pop();
        let p = &mut self.e.program;
        let run = Run {
            start: p.elems.len() as u32,
            len: elems.len() as u32,
        };
        p.elems.extend(elems);
        self.add(Expr::List(run), pos, x)
    }

    fn unary(&mut self, x: ExprId, op: Op, y: ExprId) -> XId {
        let pos = self.tree.pos(x);
        match op {
            Op::Not | Op::Add | Op::Subtract => {
                let y = self.expr(y);
                self.add(Expr::Unary(op, y), pos, x)
            }
            Op::Multiply => self.fail(pos, "preference mark not allowed at this position", vec![]),
            _ => {
                let y = self.expr(y);
                self.add(Expr::Bound(op, y), pos, x)
            }
        }
    }

    fn binary(&mut self, x: ExprId, op: Op, a: ExprId, b: ExprId) -> XId {
        // Long chains of one operator lean to the left: walk them in a loop.
        let mut spine = vec![(x, op, b)];
        let mut left = a;
        while let tree::Expr::Binary(op, a, b, _) = self.tree.expr(left)
            && op != Op::Or
        {
            spine.push((left, op, b));
            left = a;
        }
        let mut source = left;
        let mut out = self.expr(left);
        for (x, op, b) in spine.into_iter().rev() {
            let right = self.expr(b);
            if op != Op::And {
                self.must_be_concrete(source, op, out);
                self.must_be_concrete(b, op, right);
            }
            let pos = self.tree.pos(x);
            out = self.add(Expr::Binary(op, out, right), pos, x);
            source = x;
        }
        out
    }

    fn must_be_concrete(&mut self, source: ExprId, op: Op, x: XId) {
        if self.e.can_be_concrete(x) {
            return;
        }
        let text = source_text::text(&self.tree, source, &self.e.names);
        let pos = self.tree.pos(source);
        let args = vec![Arg::Text(text.into()), Arg::Op(op)];
        self.fail(
            pos,
            "invalid operand {} ('{}' requires concrete value)",
            args,
        );
    }

    fn disjunction(&mut self, x: ExprId) -> XId {
        let pos = self.tree.pos(x);
        let mut items = Vec::new();
        let mut has_defaults = false;
        let mut todo = vec![(x, false)];
        while let Some((x, mark)) = todo.pop() {
            match self.tree.expr(x) {
                tree::Expr::Binary(Op::Or, a, b, _) => {
                    todo.push((b, mark));
                    todo.push((a, mark));
                }
                tree::Expr::Unary(Op::Multiply, y) => {
                    has_defaults = true;
                    todo.push((y, true));
                }
                _ => items.push((self.expr(x), mark)),
            }
        }
        let p = &mut self.e.program;
        let run = Run {
            start: p.disjuncts.len() as u32,
            len: items.len() as u32,
        };
        p.disjuncts.extend(items);
        self.add(Expr::Disjunction(run, has_defaults), pos, x)
    }

    fn optional(&mut self, x: ExprId, y: ExprId) -> XId {
        let pos = self.tree.pos(x);
        if !self.tree.experiments.try_ {
            let text = "optional marker (?) requires the try experiment (language version v0.16.0 or later)";
            self.fail(pos, text, vec![]);
        } else if self.in_try == 0 {
            self.fail(
                pos,
                "optional marker (?) is only valid within a try clause",
                vec![],
            );
        }
        let y = self.expr(y);
        match &mut self.e.program.exprs[y.i()] {
            Expr::Field { optional, .. }
            | Expr::Selector { optional, .. }
            | Expr::Index { optional, .. } => {
                *optional = true;
                y
            }
            Expr::Val(Val {
                data: Data::Err(_), ..
            }) => y,
            _ => self.fail(
                pos,
                "optional marker (?) can only be used on references",
                vec![],
            ),
        }
    }
}
