//! From an evaluated package to a specification: discovery, settings, edges.

use super::{Links, Specification};
use crate::desired::{missing_fields, missing_line};
use crate::discover::{Found, Kind, discover};
use crate::graph::{Graph, Hit, Target, cycles};
use crate::view::{Path, Shape, View};
use crate::{
    Age, Counts, Mode, NodeDecl, OutputDecl, ProviderDecl, Settings, SpecErrors, StateLocation,
};
use pravo_cue::eval::kind::ArcType;
use pravo_cue::eval::label::Label;
use pravo_cue::eval::vertex::VId;
use pravo_cue::syntax::source::Pos;
use pravo_state::{Address, Diagnostic};
use std::collections::{BTreeMap, HashMap};

impl Specification {
    /// Finds what a package declares and how it hangs together.
    ///
    /// # Errors
    /// A dependency cycle before anything else, as an evaluation cannot name it; then what the
    /// evaluation says; then what discovery says.
    pub(crate) fn of_package(mut view: View, fingerprint: String) -> Result<Self, SpecErrors> {
        let evaluated = view.evaluate();
        let found = match discover(&mut view) {
            Ok(found) => found,
            Err(error) => return Err(evaluated.err().unwrap_or(error)),
        };
        let mut graph = graph(&found);
        let edges = Edges::new(&found, &mut graph, &mut view);
        edges.check(&view)?;
        evaluated?;
        let settings = settings(&mut view)?;
        required(&view, &found)?;
        let providers = providers(&mut view, &found)?;
        let nodes = nodes(&mut view, &found, &graph, &providers)?;
        let outputs = outputs(&mut view, &found, &edges)?;
        let provider_dependencies = edges
            .providers
            .iter()
            .map(|to| edges.sorted(to.iter().copied()))
            .collect();
        let links = links(&found, edges, &nodes);
        let paths = |kind: &dyn Fn(Kind) -> bool| -> Vec<Path> {
            let found = found.iter().filter(|f| kind(f.kind));
            found.map(|f| f.path.clone()).collect()
        };
        Ok(Self {
            counts: counts(&found),
            provider_dependencies,
            provider_paths: paths(&|kind| kind == Kind::Provider),
            output_paths: paths(&|kind| kind == Kind::Output),
            numbers: numbers(&nodes),
            nodes: nodes.into_iter().map(|(node, _)| node).collect(),
            view,
            graph,
            refill: crate::refill::Refill::default(),
            settings,
            providers,
            links,
            outputs,
            fingerprint,
            bodies: HashMap::new(),
            schemas: HashMap::new(),
        })
    }
}

fn is_node(kind: Kind) -> bool {
    matches!(kind, Kind::Resource | Kind::Data)
}

fn numbers(nodes: &[(NodeDecl, bool)]) -> HashMap<Address, usize> {
    let numbered = nodes.iter().enumerate();
    numbered.map(|(i, (n, _))| (n.address.clone(), i)).collect()
}

fn graph(found: &[Found]) -> Graph<Label> {
    let (mut nodes, mut providers) = (0, 0);
    let mut targets = Vec::new();
    for thing in found {
        let target = match thing.kind {
            kind if is_node(kind) => {
                nodes += 1;
                Target::Node(nodes - 1)
            }
            Kind::Provider => {
                providers += 1;
                Target::Provider(providers - 1)
            }
            _ => continue,
        };
        targets.push((thing.path.clone(), target));
    }
    Graph::new(&targets)
}

fn counts(found: &[Found]) -> Counts {
    let mut counts = Counts::default();
    for thing in found {
        match thing.kind {
            Kind::Resource => counts.managed += 1,
            Kind::Data => counts.data += 1,
            Kind::Ephemeral => counts.ephemeral += 1,
            Kind::Call => counts.calls += 1,
            Kind::Output => counts.outputs += 1,
            Kind::Provider => counts.providers += 1,
            Kind::Policy => counts.policies += 1,
            Kind::Env | Kind::SecretEnv | Kind::RemoteOutputs => {}
        }
    }
    counts
}

/// What nodes and outputs read.
struct Edges {
    addresses: Vec<Address>,
    /// Per node: the numbers of the nodes it depends on, and where the first reference stands.
    nodes: Vec<BTreeMap<usize, Pos>>,
    /// Per output likewise.
    outputs: Vec<Vec<usize>>,
    /// Per provider likewise.
    providers: Vec<Vec<usize>>,
}

impl Edges {
    fn new(found: &[Found], graph: &mut Graph<Label>, view: &mut View) -> Self {
        let mut edges = Self {
            addresses: Vec::new(),
            nodes: Vec::new(),
            outputs: Vec::new(),
            providers: Vec::new(),
        };
        for thing in found {
            if is_node(thing.kind) {
                let this = edges.nodes.len();
                let (hits, mut positions) = graph.reads(&thing.path, view);
                let to_itself = |hit: &Hit<Label>| hit.node == this && hit.by_provider;
                if !hits.iter().any(to_itself) {
                    positions.remove(&this);
                }
                edges.addresses.push(thing.address.clone());
                edges.nodes.push(positions);
            } else if thing.kind == Kind::Output {
                let (_, positions) = graph.reads(&thing.path, view);
                edges.outputs.push(positions.into_keys().collect());
            } else if thing.kind == Kind::Provider {
                let (_, positions) = graph.reads(&thing.path, view);
                edges.providers.push(positions.into_keys().collect());
            }
        }
        edges
    }

    fn sorted(&self, numbers: impl Iterator<Item = usize>) -> Vec<Address> {
        let mut addresses: Vec<Address> = numbers.map(|n| self.addresses[n].clone()).collect();
        addresses.sort();
        addresses
    }

    fn check(&self, view: &View) -> Result<(), SpecErrors> {
        let direct: Vec<Vec<usize>> = self
            .nodes
            .iter()
            .map(|edges| edges.keys().copied().collect())
            .collect();
        let mut errors = SpecErrors::default();
        for group in cycles(&direct) {
            let names = self.sorted(group.iter().copied());
            let names: Vec<&str> = names.iter().map(Address::as_str).collect();
            let mut error =
                Diagnostic::error(format!("dependency cycle between {}", names.join(", ")));
            let mut lines = Vec::new();
            for from in &group {
                let inside = self.nodes[*from]
                    .iter()
                    .filter(|(to, _)| group.contains(to));
                for (to, pos) in inside {
                    let (from, to) = (&self.addresses[*from], &self.addresses[*to]);
                    let place = view.place(*pos);
                    let place = place.map(|p| format!(" ({p})")).unwrap_or_default();
                    lines.push(format!("  {from} reads {to}{place}"));
                }
            }
            lines.sort();
            error.detail = lines.join("\n");
            errors.0.push(error);
        }
        errors.into_result()
    }
}

fn links(found: &[Found], edges: Edges, nodes: &[(NodeDecl, bool)]) -> Vec<Links> {
    let paths = found
        .iter()
        .filter(|f| is_node(f.kind))
        .map(|f| f.path.clone());
    let dependencies = edges
        .nodes
        .iter()
        .map(|to| edges.sorted(to.keys().copied()));
    paths
        .zip(dependencies)
        .zip(nodes)
        .map(|((path, dependencies), (_, copy))| Links {
            path,
            dependencies,
            copy: *copy,
            known: false,
        })
        .collect()
}

/// Required fields that found structs and the settings lack, below them too.
fn required(view: &View, found: &[Found]) -> Result<(), SpecErrors> {
    let mut lines = Vec::new();
    for thing in found {
        let Some(v) = view.vertex(&thing.path) else {
            continue;
        };
        for path in missing(view, &thing.path, v) {
            lines.push(missing_line(&view.text(&path), thing.position.as_ref()));
        }
    }
    if lines.is_empty() {
        return Ok(());
    }
    Err(missing_fields(lines))
}

fn missing(view: &View, path: &[Label], top: VId) -> Vec<Path> {
    let mut found = Vec::new();
    let mut stack = vec![(path.to_vec(), top)];
    while let Some((path, v)) = stack.pop() {
        let (Shape::Struct(inner) | Shape::List(inner)) = view.shape(v) else {
            continue;
        };
        for arc in view.ev.arcs(inner).iter().rev() {
            let label = view.ev.label(*arc);
            if !label.is_regular() || v == top && view.label(label) == "$depends_on" {
                continue;
            }
            let mut below = path.clone();
            below.push(label);
            match view.ev.arc_type(*arc) {
                ArcType::Required => found.push(below),
                ArcType::Member => stack.push((below, *arc)),
                _ => {}
            }
        }
    }
    found
}

/// The text of a field, where it is one.
fn text_of(view: &mut View, v: VId, names: &[&str]) -> Option<String> {
    let mut v = v;
    for name in names {
        let (Shape::Struct(inner) | Shape::List(inner)) = view.shape(v) else {
            return None;
        };
        v = view.named(inner, name)?;
    }
    match view.shape(v) {
        Shape::String(text) => Some(text),
        _ => None,
    }
}

fn settings(view: &mut View) -> Result<Settings, SpecErrors> {
    let mut settings = Settings::default();
    let root = view.root();
    let Some(v) = view.named(root, "$settings") else {
        return Ok(settings);
    };
    let position = view.position(v);
    let label = view.ev.string_label("$settings");
    let missing = missing(view, &[label], v);
    if !missing.is_empty() {
        let lines = missing
            .iter()
            .map(|p| missing_line(&view.text(p), position.as_ref()));
        return Err(missing_fields(lines.collect()));
    }
    if let Some(text) = text_of(view, v, &["refresh"]) {
        settings.refresh = Age::parse(&text).ok_or_else(|| {
            let wanted =
                "want \"always\", \"never\" or a duration such as \"15m\", \"1h\" or \"7d\"";
            SpecErrors::at(format!("$settings.refresh: {wanted}"), position.as_ref())
        })?;
    }
    match text_of(view, v, &["state", "backend"]).as_deref() {
        None | Some("local") => {}
        Some(other) => {
            let error = format!(
                "$settings.state: this version of pravo does not support the backend {other:?}; \
                 use a directory: {{backend: \"local\"}}"
            );
            return Err(SpecErrors::at(error, position.as_ref()));
        }
    }
    if let Some(path) = text_of(view, v, &["state", "path"]) {
        settings.state = StateLocation::Local(path.into());
    }
    Ok(settings)
}

fn providers(view: &mut View, found: &[Found]) -> Result<Vec<ProviderDecl>, SpecErrors> {
    let mut providers: Vec<ProviderDecl> = Vec::new();
    let mut keys: HashMap<String, usize> = HashMap::new();
    for thing in found.iter().filter(|f| f.kind == Kind::Provider) {
        let address = thing.address.clone();
        let v = vertex(view, thing)?;
        let key = address
            .as_str()
            .strip_prefix('$')
            .unwrap_or(address.as_str());
        let source = text_of(view, v, &["$source"]).ok_or_else(|| {
            SpecErrors::at(
                format!("{address}.$source: want a text"),
                thing.position.as_ref(),
            )
        })?;
        if let Some(other) = keys.insert(key.to_owned(), providers.len()) {
            let other = &providers[other].address;
            return Err(SpecErrors::at(
                format!("providers {other} and {address} share the key {key}"),
                thing.position.as_ref(),
            ));
        }
        providers.push(ProviderDecl {
            key: key.to_owned(),
            source,
            version: text_of(view, v, &["$version"]),
            position: thing.position.clone(),
            address,
        });
    }
    Ok(providers)
}

fn vertex(view: &View, thing: &Found) -> Result<VId, SpecErrors> {
    let lost = || SpecErrors::one(format!("{}: not found again", thing.address));
    view.vertex(&thing.path).ok_or_else(lost)
}

/// The declarations of nodes, and whether each is built from another node.
fn nodes(
    view: &mut View,
    found: &[Found],
    graph: &Graph<Label>,
    providers: &[ProviderDecl],
) -> Result<Vec<(NodeDecl, bool)>, SpecErrors> {
    let mut nodes = Vec::new();
    let mut errors = SpecErrors::default();
    for thing in found.iter().filter(|f| is_node(f.kind)) {
        match node(view, thing, graph, providers) {
            Ok(node) => nodes.push(node),
            Err(error) => errors.append(error),
        }
    }
    errors.into_result().map(|()| nodes)
}

fn node(
    view: &mut View,
    thing: &Found,
    graph: &Graph<Label>,
    providers: &[ProviderDecl],
) -> Result<(NodeDecl, bool), SpecErrors> {
    let address = &thing.address;
    let v = vertex(view, thing)?;
    let fail = |what: String| SpecErrors::at(what, thing.position.as_ref());
    let text = |view: &mut View, name: &str| {
        text_of(view, v, &[name]).ok_or_else(|| fail(format!("{address}.{name}: want a text")))
    };
    let kind = text(view, "$type")?;
    let source = text(view, "$source")?;
    let (instances, copy) = graph.instances(&thing.path, view);
    let provider_key = match instances[..] {
        [one] => providers[one].key.clone(),
        [] => return Err(fail(without_provider(address, &source))),
        [one, two, ..] => {
            let (one, two) = (&providers[one].address, &providers[two].address);
            return Err(fail(format!(
                "{address} is built from two providers, {one} and {two}; build it from one"
            )));
        }
    };
    let refresh = match text_of(view, v, &["$lifecycle", "refresh"]) {
        Some(text) => Some(Age::parse(&text).ok_or_else(|| {
            fail(format!(
                "{address}.$lifecycle.refresh: {text:?} is no refresh age"
            ))
        })?),
        None => None,
    };
    let mode = match thing.kind {
        Kind::Data => Mode::Data,
        _ => Mode::Managed,
    };
    let node = NodeDecl {
        address: address.clone(),
        mode,
        kind,
        source,
        provider_key,
        refresh,
        position: thing.position.clone(),
    };
    Ok((node, copy))
}

fn without_provider(address: &Address, source: &str) -> String {
    let kind = source.rsplit('/').next().unwrap_or(source);
    let package = crate::generate::package_name(kind);
    format!(
        "{address} is built from the package, not from a provider: declare ${kind}: \
         {package}.#Provider"
    )
}

fn outputs(view: &mut View, found: &[Found], edges: &Edges) -> Result<Vec<OutputDecl>, SpecErrors> {
    let mut outputs = Vec::new();
    let things = found.iter().filter(|f| f.kind == Kind::Output);
    for (thing, reads) in things.zip(&edges.outputs) {
        let v = vertex(view, thing)?;
        let (Shape::Struct(inner) | Shape::List(inner)) = view.shape(v) else {
            continue;
        };
        let flag = view
            .named(inner, "sensitive")
            .map(|field| view.shape(field));
        outputs.push(OutputDecl {
            address: thing.address.clone(),
            sensitive: flag == Some(Shape::Bool(true)),
            dependencies: edges.sorted(reads.iter().copied()),
            position: thing.position.clone(),
        });
    }
    Ok(outputs)
}
