//! Edges over a written-down set of references.

use super::*;
use pravo_cue::syntax::source::Rel;
use pravo_state::{Address, Step as AddressStep};

/// `PATH: TARGET, TARGET` a line: what the value at a path refers to; `=` before a target that it
/// is built from.
struct Written(HashMap<Vec<AddressStep>, Vec<Reference<AddressStep>>>);

fn path(text: &str) -> Vec<AddressStep> {
    let steps = text
        .split(['.', '['])
        .map(|step| match step.strip_suffix(']') {
            Some(index) => AddressStep::Index(index.parse().unwrap()),
            None => AddressStep::Field(step.to_owned()),
        });
    steps.collect()
}

fn text(path: &[AddressStep]) -> String {
    Address::from_steps(path).to_string()
}

impl Written {
    fn new(text: &str) -> Self {
        let line = |(number, line): (usize, &str)| {
            let (from, targets) = line.split_once(": ").unwrap();
            let reference = |(column, target): (usize, &str)| Reference {
                path: path(target.trim_start_matches('=')),
                own: target.starts_with('='),
                position: Pos::new((100 * number + column) as u32, Rel::None),
            };
            let targets = targets.split(", ").enumerate().map(reference).collect();
            (path(from), targets)
        };
        Self(text.lines().enumerate().map(line).collect())
    }
}

impl References<AddressStep> for Written {
    fn references(&mut self, path: &[AddressStep]) -> Vec<Reference<AddressStep>> {
        self.0.get(path).cloned().unwrap_or_default()
    }

    fn builds(&self, step: &AddressStep) -> bool {
        matches!(step, AddressStep::Field(label) if label == "#Resource")
    }
}

const FOUND: [&str; 5] = ["port", "web", "ports.a", "ports.b", "servers[0]"];

fn graph() -> Graph<AddressStep> {
    let nodes = FOUND.iter().enumerate();
    let mut found: Vec<_> = nodes.map(|(i, p)| (path(p), Target::Node(i))).collect();
    found.push((path("$random"), Target::Provider(0)));
    found.push((path("clouds.eu"), Target::Provider(1)));
    Graph::new(&found)
}

fn reads(written: &str, of: &str) -> Vec<String> {
    let (hits, _) = graph().reads(&path(of), &mut Written::new(written));
    hits.iter()
        .map(|hit| {
            let mut full = path(FOUND[hit.node]);
            full.extend(hit.rest.clone());
            let mark = if hit.by_provider { " by provider" } else { "" };
            format!("{}{mark}", text(&full))
        })
        .collect()
}

#[test]
fn a_reference_ends_at_the_node_whose_address_is_a_prefix() {
    assert_eq!(reads("web: port.result", "web"), ["port.result"]);
    assert_eq!(reads("web: servers[0].id", "web"), ["servers[0].id"]);
}

#[test]
fn plain_fields_are_passed_through() {
    let written = "web: listen\nlisten: text, port.result\ntext: listen, #Base.x\n#Base.x: ports.a";
    assert_eq!(reads(written, "web"), ["port.result", "ports.a"]);
    let mut all = graph();
    let mut source = Written::new(written);
    let (first, _) = all.reads(&path("text"), &mut source);
    let (again, _) = all.reads(&path("web"), &mut source);
    assert_eq!(first, again);
}

#[test]
fn a_container_stands_for_all_nodes_below() {
    assert_eq!(reads("web: ports", "web"), ["ports.a", "ports.b"]);
    assert_eq!(reads("web: servers", "web"), ["servers[0]"]);
}

#[test]
fn what_a_provider_reads_is_read_by_what_it_builds() {
    let written = "web: $random.#Resource.random_pet\n$random: endpoint\nendpoint: port.result";
    assert_eq!(reads(written, "web"), ["port.result by provider"]);
    let written = "web: clouds.eu.#Resource.x, port.id\nclouds.eu: port.id";
    assert_eq!(reads(written, "web"), ["port.id", "port.id by provider"]);
}

fn instances(written: &str, of: &str) -> (Vec<usize>, bool) {
    graph().instances(&path(of), &mut Written::new(written))
}

#[test]
fn the_instance_is_the_provider_that_references_lead_to() {
    let direct = "web: =$random.#Resource.random_pet, clouds.eu.region";
    assert_eq!(instances(direct, "web"), (vec![0], false));
    let defined = "web: =#Pet\n#Pet: =$random.#Resource.random_pet";
    assert_eq!(instances(defined, "web"), (vec![0], false));
    let copied = "web: =port\nport: =clouds.eu.#Resource.x";
    assert_eq!(instances(copied, "web"), (vec![1], true));
    let handed = "web: =web.#on.#Resource.x\nweb.#on: =clouds.eu";
    assert_eq!(instances(handed, "web"), (vec![1], false));
    let two = "web: =$random.#Resource.x, =clouds.eu.#Resource.x";
    assert_eq!(instances(two, "web"), (vec![0, 1], false));
    assert_eq!(instances("web: port.id", "web"), (vec![], false));
}

#[test]
fn a_provider_that_was_handed_on_is_read_as_well() {
    let written = "web: =ports.a.#on.#Resource.x\nweb: x\n#t.#on: =$random\n\
                   $random: port.id\nservers: =#t.#on.#Resource.x";
    assert_eq!(reads(written, "servers"), ["port.id by provider"]);
}

#[test]
fn positions_are_those_of_the_first_reference_that_leads_there() {
    let written = "web: other, listen, port.id\nlisten: port.result";
    let (_, positions) = graph().reads(&path("web"), &mut Written::new(written));
    assert_eq!(positions[&0].place(), 1);
}

#[test]
fn plain_reads_are_the_plain_fields_on_the_way() {
    let written = "web: listen, port.id\nlisten: env, listen, port.result\nenv: base";
    let plain = graph().plain_reads(&path("web"), &mut Written::new(written));
    let plain: Vec<String> = plain.iter().map(|p| text(p)).collect();
    assert_eq!(plain, ["listen", "env", "base"]);
}

#[test]
fn circles_are_found_whole_and_sorted() {
    assert_eq!(
        cycles(&[vec![1], vec![2], vec![]]),
        Vec::<Vec<usize>>::new()
    );
    assert_eq!(cycles(&[vec![2], vec![0], vec![1, 3], vec![]]), [[0, 1, 2]]);
    let two = [vec![1], vec![0, 2], vec![3], vec![2], vec![4]];
    assert_eq!(cycles(&two), [vec![0, 1], vec![2, 3], vec![4]]);
}

#[test]
fn a_long_chain_needs_no_stack() {
    let length = 200_000;
    let mut edges: Vec<Vec<usize>> = (1..length).map(|next| vec![next]).collect();
    edges.push(vec![0]);
    assert_eq!(cycles(&edges)[0].len(), length);
}
