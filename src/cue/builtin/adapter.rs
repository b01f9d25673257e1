//! A call of the evaluator as a call of one of our functions, and its result as a value again.

mod documents;
mod faults;

use self::faults::{code_of, told};
use super::call::Call;
use super::host::{
    Check, Data, Elements, Equality, ErrorHandle, Failure, Format, Handle, Host, Part, Place,
    Purpose, Scalar, StructShape,
};
use super::kind::Kind;
use super::library::FUNCTIONS;
use crate::eval::context::Evaluator;
use crate::eval::equal::REGULAR;
use crate::eval::error::{Arg, Bottom, ErrId};
use crate::eval::kind::{ArcType, Code};
use crate::eval::library::{self, R, Yield};
use crate::eval::node::{Cond, Flags, Mode};
use crate::eval::program::{self, Decl, Elem, Expr, StructLit, XId};
use crate::eval::validate::Config;
use crate::eval::value::{Data as Of, Val};
use crate::eval::vertex::{CloseInfo, Conjunct, EnvId, Item, VId, Vertex};
use crate::openapi::{self, Request, Stop};
use crate::print::{DataError, DataStyle, deeper, to_data};
use crate::syntax::source::Pos;

/// Runs the function of a call.
pub(super) fn run(call: &mut library::Call<'_>) -> R<Val> {
    let Some(function) = FUNCTIONS.get(&(call.func.package, call.func.name)).copied() else {
        return Ok(Val::UNSET);
    };
    if function.non_concrete {
        schemas(call)?;
    }
    let mut host = EvaluatorHost {
        ev: call.ctx,
        values: Vec::new(),
        stopped: false,
    };
    let arguments = call.args.iter().map(|v| host.handle(*v)).collect();
    let validator = call.is_validator;
    let mut inner = Call {
        host: &mut host,
        function,
        arguments,
        validator,
    };
    let outcome = (function.run)(&mut inner);
    if host.stopped {
        return Err(Yield);
    }
    match outcome {
        Ok(_) if function.result == Kind::BOTTOM => Ok(Val::UNSET),
        Ok(data) => host.make(data),
        Err(Failure::Invalid { .. } | Failure::Unfit { .. }) if !validator => {
            Ok(host.ev.new_bool(false))
        }
        Err(Failure::Invalid { text, .. }) if text.is_empty() => Ok(host.ev.new_bool(false)),
        Err(Failure::Invalid {
            text,
            at,
            incomplete,
        }) => {
            let args = vec![Arg::Text(text.into())];
            let e = host.fault_of(code_of(incomplete), "{}", args, &at);
            Ok(Val::bare(Of::Err(e)))
        }
        Err(Failure::Unfit {
            template,
            parts,
            at,
        }) => {
            let mut args: Vec<Arg> = parts.into_iter().map(|p| host.part(p)).collect();
            host.ev.settle(&mut args);
            let e = host.fault_of(Code::Eval, template, args, &at);
            host.ev.place_error(e);
            Ok(Val::bare(Of::Err(e)))
        }
        Err(Failure::Fatal(text)) if function.result == Kind::BOTTOM => {
            let e = host.placed_fault(text, None, false);
            Ok(Val::bare(Of::Err(ErrId(e.0 as u32))))
        }
        Err(Failure::Fatal(text)) => Ok(host.fail(Code::Eval, text)),
        Err(Failure::Incomplete(text)) => Ok(host.fail(Code::Incomplete, text)),
        Err(Failure::Error(e)) => Ok(Val::bare(Of::Err(ErrId(e.0 as u32)))),
        Err(Failure::Errors(list)) => {
            let joined = list.into_iter().fold(ErrId(0), |joined, e| {
                host.ev.combine(joined, ErrId(e.0 as u32))
            });
            Ok(Val::bare(Of::Err(joined)))
        }
    }
}

/// Evaluates the arguments that are schemas once more, where the value is checked: a schema that
/// leads back to that value makes what is unified with it cyclic.
fn schemas(call: &mut library::Call<'_>) -> R<()> {
    for i in 1..call.args.len() {
        let x = call.expr(i);
        if x.is_some() {
            let flags = Flags::new(Cond::SCALAR, Mode::Finalize);
            let (v, info) = call.ctx.eval_info(x, flags)?;
            if let Of::Vertex(schema) = v.data {
                call.ctx.finalize_early(schema)?;
            }
            call.args[i] = v;
            call.ctx.reg.info = info;
        }
    }
    Ok(())
}

struct EvaluatorHost<'a> {
    ev: &'a mut Evaluator,
    values: Vec<Val>,
    /// Something was asked for that is not there yet: the call will run again.
    stopped: bool,
}

impl EvaluatorHost<'_> {
    fn handle(&mut self, v: Val) -> Handle {
        self.values.push(v);
        Handle(self.values.len() as u64 - 1)
    }

    fn val(&self, h: Handle) -> Val {
        self.values.get(h.0 as usize).copied().unwrap_or(Val::UNSET)
    }

    fn part(&self, part: Part) -> Arg {
        match part {
            Part::Value(h) => Arg::Val(self.val(h)),
            Part::Count(n) => Arg::Int(n as i64),
        }
    }

    fn or_stop<T>(&mut self, r: R<T>, instead: T) -> T {
        r.unwrap_or_else(|Yield| {
            self.stopped = true;
            instead
        })
    }

    fn finalize(&mut self, v: VId) {
        let r = self.ev.finalize_inner(v);
        self.or_stop(r, ());
    }

    /// The value with its default taken, vertices looked through.
    fn plain(&self, h: Handle) -> Val {
        let v = self.ev.plain_default(self.val(h));
        match v.data {
            Of::Vertex(x) => match self.ev.vx(x).base.data {
                Of::Struct | Of::List(_) | Of::Unset => v,
                _ => self.ev.vx(x).base,
            },
            _ => v,
        }
    }

    /// The vertex of a struct or list, evaluated.
    fn composite(&mut self, h: Handle) -> Option<VId> {
        let Of::Vertex(x) = self.plain(h).data else {
            return None;
        };
        self.finalize(x);
        Some(x)
    }

    /// A value of data. Lists and structs become literals of the program: their members take
    /// part in
    /// closedness where the value goes, and fields have an order.
    fn make(&mut self, data: Data) -> R<Val> {
        let pos = self.ev.reg.src;
        Ok(match data {
            Data::Null => Val::new(Of::Null, pos),
            Data::Bool(value) => self.ev.new_bool(value),
            Data::Number(number) | Data::Literal(number, _) => self.ev.new_number(number, pos),
            Data::String(text) => self.ev.new_string(&text),
            Data::Bytes(bytes) => self.ev.new_bytes(bytes),
            Data::Value(h) => self.val(h),
            Data::Tagged(_, inner) => return self.make(*inner),
            composite => {
                let x = self.expression(composite);
                let (env, info) = (EnvId::NONE, self.ev.reg.info);
                let v = self.ev.inline_vertex([Conjunct {
                    item: Item::Expr(x),
                    env,
                    info,
                }]);
                self.ev.finalize_inner(v)?;
                Val::bare(Of::Vertex(v))
            }
        })
    }

    /// Data as an expression of the program.
    fn expression(&mut self, data: Data) -> XId {
        let expr = match data {
            Data::List(items) => {
                self.ev.charge(items.len() * size_of::<Elem>());
                let items: Vec<Elem> = items
                    .into_iter()
                    .map(|item| Elem::Expr(deeper(|| self.expression(item))))
                    .collect();
                let elems = &mut self.ev.program.elems;
                let run = program::Run {
                    start: elems.len() as u32,
                    len: items.len() as u32,
                };
                elems.extend(items);
                Expr::List(run)
            }
            Data::Struct(fields) => {
                let mut decls = Vec::with_capacity(fields.len());
                for (name, value) in fields {
                    let value = deeper(|| self.expression(value));
                    let label = self.ev.string_label(&name);
                    let decl = Decl::Field {
                        label,
                        arc: ArcType::Member,
                        value,
                    };
                    decls.push(self.ev.program.add_decl(decl, Pos::NONE, None));
                }
                let program = &mut self.ev.program;
                let start = program.decl_lists.len() as u32;
                let run = program::Run {
                    start,
                    len: decls.len() as u32,
                };
                program.decl_lists.extend(decls);
                // its fields are shown where the call stands among others
                let lit = StructLit::of_fields(run, self.ev.reg.src);
                program.structs.push(lit);
                Expr::Struct(program::SId(program.structs.len() as u32 - 1))
            }
            scalar => Expr::Val(self.make(scalar).unwrap_or(Val::UNSET)),
        };
        self.ev.program.add_made(expr, Pos::NONE)
    }

    /// A file that embeds an expression.
    fn as_file(&mut self, x: XId) -> XId {
        let pos = self.ev.program.pos(x);
        let program = &mut self.ev.program;
        let decl = program.add_decl(Decl::Embed(x), pos, None);
        let decls = program::Run {
            start: program.decl_lists.len() as u32,
            len: 1,
        };
        program.decl_lists.push(decl);
        program.structs.push(StructLit {
            is_file: true,
            embeds: true,
            ..StructLit::of_fields(decls, Pos::NONE)
        });
        let file = Expr::Struct(program::SId(program.structs.len() as u32 - 1));
        program.add_made(file, Pos::NONE)
    }

    /// The vertex of a document, which stands where the call stands.
    fn document(&mut self, x: XId) -> VId {
        let (env, info) = (EnvId::NONE, self.ev.reg.info);
        let item = Item::Expr(x);
        let v = self.ev.inline_vertex([Conjunct { item, env, info }]);
        let at = self.ev.reg.vertex;
        if at.is_some() {
            let (parent, label) = (self.ev.vx(at).parent, self.ev.vx(at).label);
            let made = self.ev.vm(v);
            made.parent = parent;
            made.label = label;
        }
        v
    }

    fn unified(&mut self, a: Val, b: Val) -> VId {
        let r = self.ev.unify_values(a, b);
        self.or_stop(r, VId::NONE)
    }

    fn valid(&mut self, v: VId, check: Check) -> ErrId {
        if self.stopped {
            return ErrId(0);
        }
        let concrete = check == Check::Whole;
        let config = Config {
            concrete,
            required: check != Check::Partial,
            no_cycles: true,
            incomplete: concrete,
            all: true,
        };
        let r = self.ev.validate_inner(v, config);
        self.or_stop(r, ErrId(0))
    }
}

impl Host for EvaluatorHost<'_> {
    fn has_room(&mut self, bytes: usize) -> bool {
        self.ev.would_fit(bytes)
    }

    fn kind(&mut self, value: Handle) -> Kind {
        self.ev.kind(self.val(value))
    }

    fn scalar(&mut self, value: Handle) -> Option<Scalar> {
        // An element that a slice copied may not have been looked at yet.
        if let Of::Vertex(x) = self.val(value).data {
            let x = self.ev.deref(x);
            if self.ev.vx(x).base.is_unset() {
                self.finalize(x);
            }
        }
        let v = self.plain(value);
        Some(match v.data {
            Of::Null => Scalar::Null,
            Of::Bool(b) => Scalar::Bool(b),
            Of::Int(_) | Of::Num(_) => Scalar::Number(self.ev.number(v)?),
            Of::Str(_) => Scalar::String(self.ev.str(v)?.to_owned()),
            Of::Bytes(_) => Scalar::Bytes(self.ev.bytes_of(v)?.to_vec()),
            _ => return None,
        })
    }

    fn error(&mut self, value: Handle) -> Option<ErrorHandle> {
        match self.ev.unwrap(self.val(value)).data {
            Of::Err(e) => Some(told(e)),
            _ => None,
        }
    }

    fn fault(&mut self, text: String, at: Place, incomplete: bool) -> ErrorHandle {
        let code = code_of(incomplete);
        let args = vec![Arg::Text(text.into())];
        told(self.fault_of(code, "{}", args, &[at]))
    }

    fn placed_fault(&mut self, text: String, at: Option<Handle>, incomplete: bool) -> ErrorHandle {
        let args = vec![Arg::Text(text.into())];
        let at = at.map(Place::Parts);
        let fault = self.fault_of(code_of(incomplete), "{}", args, at.as_slice());
        self.ev.place_error(fault);
        told(fault)
    }

    fn is_incomplete(&mut self, error: ErrorHandle) -> bool {
        self.ev.incomplete(ErrId(error.0 as u32))
    }

    fn elements(&mut self, value: Handle) -> Result<Option<Elements>, ErrorHandle> {
        let Some(x) = self.composite(value) else {
            return Ok(None);
        };
        let Of::List(open) = self.ev.vx(x).base.data else {
            return match self.ev.vx(x).base.data {
                Of::Err(e) => Err(told(e)),
                _ => Ok(None),
            };
        };
        let items: Vec<VId> = self.ev.elements(x).collect();
        let items = items
            .into_iter()
            .map(|a| self.handle(Val::bare(Of::Vertex(a))))
            .collect();
        Ok(Some(Elements { items, open }))
    }

    fn shape(&mut self, value: Handle) -> Option<StructShape> {
        let x = self.composite(value)?;
        if self.ev.vx(x).base.data != Of::Struct {
            return None;
        }
        let vertex = self.ev.vx(x);
        let arcs = || vertex.arcs.iter().map(|a| self.ev.vx(*a));
        let fields = arcs()
            .filter(|a| a.label.is_string())
            .filter(|a| !matches!(a.arc, ArcType::Optional | ArcType::Required))
            .count();
        let constraints = arcs()
            .filter(|a| a.label.is_regular() && a.arc != ArcType::Member)
            .count();
        let open = self.ev.is_open_struct(x) || !vertex.patterns().is_empty();
        Some(StructShape {
            fields,
            constraints,
            open,
        })
    }

    fn fields(&mut self, value: Handle) -> Option<Vec<(String, Handle)>> {
        let x = self.composite(value)?;
        if self.ev.vx(x).base.data != Of::Struct {
            return None;
        }
        let mut out = Vec::new();
        for a in self.ev.printed_arcs(x) {
            let arc = self.ev.vx(a);
            if arc.label.is_string() && arc.arc == ArcType::Member {
                let name = self.ev.names.get(arc.label.name()).to_owned();
                out.push((name, self.handle(Val::bare(Of::Vertex(a)))));
            }
        }
        Some(out)
    }

    fn text(&mut self, value: Handle) -> String {
        self.ev.compact(self.val(value))
    }

    fn equal(&mut self, a: Handle, b: Handle) -> Equality {
        let (a, b) = (self.val(a), self.val(b));
        let r = self.ev.equal(a, b, REGULAR);
        if !self.or_stop(r, false) {
            return Equality::Different;
        }
        match self.ev.plain_default(b).data {
            Of::Vertex(x) if !self.is_final(x) => Equality::SoFar,
            Of::Vertex(_) => Equality::Final,
            _ if self.ev.is_concrete(b) => Equality::Final,
            _ => Equality::SoFar,
        }
    }

    fn data(&mut self, value: Handle, purpose: Purpose) -> Result<Data, Failure> {
        let style = DataStyle {
            literals: purpose == Purpose::Yaml,
        };
        match to_data(self.ev, self.val(value), style) {
            Ok(data) => Ok(data),
            Err(_) if purpose == Purpose::Template => {
                let mut faults = Vec::new();
                self.no_data(self.val(value), &mut faults);
                Err(Failure::Errors(faults))
            }
            Err(DataError::Error(e)) => Err(Failure::Error(told(e))),
            Err(DataError::NotData(e)) => {
                let pos = self.ev.pos_of(e.value);
                Err(self.not_data(e.incomplete, e.text, pos))
            }
        }
    }

    fn syntax(&mut self, value: Handle) -> String {
        self.shown(self.val(value))
    }

    fn accepts(&mut self, schema: Handle, data: &Data) -> bool {
        let made = self.make(data.clone());
        let value = self.or_stop(made, Val::UNSET);
        let v = self.unified(self.val(schema), value);
        !self.valid(v, Check::Partial).is_some() && !self.stopped && !self.ev.is_err(v)
    }

    fn matches(&mut self, schema: Handle, value: Handle) -> bool {
        let v = self.unified(self.val(schema), self.val(value));
        !self.stopped && !self.valid(v, Check::Final).is_some()
    }

    fn decode(&mut self, format: Format, file: &str, text: &str) -> Result<Vec<Handle>, Failure> {
        let trees = documents::read(self.ev, format, file, text).map_err(|e| {
            if e.pos.is_valid() {
                Failure::Error(self.fault_at(Code::Eval, e.text, &[e.pos]))
            } else {
                Failure::Fatal(e.text)
            }
        })?;
        let mut out = Vec::with_capacity(trees.len());
        for tree in trees {
            let (x, faults) = self.ev.lower_document(tree);
            if !faults.is_empty() {
                return Err(Failure::Errors(
                    faults.into_iter().map(|m| self.error_of(m)).collect(),
                ));
            }
            let is_file = format == Format::JsonFile;
            let x = if is_file { self.as_file(x) } else { x };
            let v = self.document(x);
            self.ev.vm(v).set_dynamic(!is_file);
            self.finalize(v);
            out.push(self.handle(Val::bare(Of::Vertex(v))));
        }
        Ok(out)
    }

    fn settle(&mut self, value: Handle) {
        if let Of::Vertex(v) = self.plain(value).data {
            let r = self.ev.finalize_early(v);
            self.or_stop(r, ());
        }
    }

    fn validate(&mut self, value: Handle) -> Result<(), Failure> {
        let Of::Vertex(v) = self.val(value).data else {
            return Ok(());
        };
        let e = self.valid(v, Check::Whole);
        if e.is_some() {
            Err(Failure::Error(told(e)))
        } else {
            Ok(())
        }
    }

    fn validate_value(
        &mut self,
        schema: Handle,
        value: Handle,
        check: Check,
    ) -> Result<(), Failure> {
        let v = self.unified(self.val(value), self.val(schema));
        let e = self.valid(v, check);
        if e.is_some() {
            let mut error = self.ev.error(e).clone();
            if check == Check::Whole && error.code == Code::Incomplete {
                error.code = Code::Eval;
            }
            let e = self.ev.push_error(error);
            Err(Failure::Error(told(e)))
        } else {
            Ok(())
        }
    }

    fn less(&mut self, comparator: Handle, x: Handle, y: Handle) -> Option<Result<bool, Failure>> {
        let Of::Vertex(c) = self.val(comparator).data else {
            return None;
        };
        let c = self.ev.deref(c);
        let c = self.ev.vx(c);
        let mut copy = Vertex::new(c.parent, c.label, ArcType::Member);
        copy.conjuncts = c.conjuncts.clone();
        let v = self.ev.new_vertex(copy);
        let made = self.compared(v, x, y);
        let less = self.or_stop(made, VId::NONE);
        if !less.is_some() {
            return None;
        }
        let result = self.ev.unwrap(Val::bare(Of::Vertex(less)));
        Some(match self.ev.plain_default(result).data {
            Of::Bool(b) => Ok(b),
            Of::Err(e) => {
                // what is missing in an element is missing for good
                let error = Bottom {
                    code: Code::Eval,
                    ..self.ev.error(e).clone()
                };
                let e = self.ev.push_error(error);
                Err(Failure::Error(told(e)))
            }
            _ => Ok(false),
        })
    }

    fn openapi(&mut self, schema: Handle, request: Request) -> Result<Data, Failure> {
        let schema = match self.val(schema) {
            Val {
                data: Of::Vertex(v),
                ..
            } => v,
            scalar => {
                let item = Item::Val(scalar);
                let (env, info) = (EnvId::NONE, Default::default());
                self.ev.inline_vertex([Conjunct { item, env, info }])
            }
        };
        self.finalize(schema);
        openapi::document(self.ev, schema, request).map_err(|stop| match stop {
            Stop::Yield => {
                self.stopped = true;
                Failure::Fatal(String::new())
            }
            Stop::Lacking(text) => Failure::Incomplete(text),
            Stop::Error(e) => Failure::Error(told(e)),
            Stop::Text(text, pos) => Failure::Error(self.fault_at(Code::Eval, text, &[pos])),
        })
    }

    fn field(&mut self, value: Handle, name: &str) -> Option<Handle> {
        let x = self.composite(value)?;
        let label = self.ev.string_label(name);
        let arc = self.ev.arc_raw(x, label)?;
        if self.ev.vx(arc).arc != ArcType::Member {
            return None;
        }
        Some(self.handle(Val::bare(Of::Vertex(arc))))
    }
}

impl EvaluatorHost<'_> {
    /// `less` of a comparator, its `x` and `y` being the given values; none without such a field.
    fn compared(&mut self, comparator: VId, x: Handle, y: Handle) -> R<VId> {
        self.ev.state(comparator)?;
        for (name, value) in [("x", x), ("y", y)] {
            let label = self.ev.string_label(name);
            let (arc, _) = self.ev.get_arc(comparator, label, ArcType::Member);
            let conjunct = Conjunct {
                item: Item::Val(self.val(value)),
                env: EnvId::NONE,
                info: CloseInfo::default(),
            };
            self.ev.vm(arc).conjuncts.push(conjunct);
        }
        let label = self.ev.string_label("less");
        let (less, _) = self.ev.get_arc(comparator, label, ArcType::Member);
        self.ev.finalize_inner(less)?;
        Ok(less)
    }

    /// Whether nothing can be added to a value: scalars, and what is closed with all fields final.
    /// Optional fields that fail do not count.
    fn is_final(&mut self, v: VId) -> bool {
        deeper(|| {
            let v = self.ev.deref(v);
            let x = self.ev.vx(v);
            match x.base.data {
                Of::Struct if !self.ev.is_closed_struct(v) => return false,
                Of::List(true) => return false,
                Of::Struct | Of::List(_) => {}
                Of::Err(_) => return true,
                _ => return self.ev.is_concrete(x.base),
            }
            let arcs = x.arcs.clone();
            arcs.into_iter().all(|a| self.is_final_field(a))
        })
    }

    fn is_final_field(&mut self, a: VId) -> bool {
        let x = self.ev.vx(a);
        let (label, arc) = (x.label, x.arc);
        if !label.is_regular() {
            return true;
        }
        if arc > ArcType::Member {
            self.finalize(a);
            if !self.ev.is_err(a) {
                return false;
            }
        }
        self.is_final(a)
    }
}
