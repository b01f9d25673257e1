//! Orders along and against edges.

use super::{Graph, Step, apply_order};
use pravo_state::Address;
use proptest::prelude::*;

fn address(text: &str) -> Address {
    Address::parse(text).unwrap()
}

fn graph(nodes: &[(&str, &[&str])]) -> Graph {
    let nodes: Vec<(Address, Vec<Address>)> = nodes
        .iter()
        .map(|(a, deps)| (address(a), deps.iter().map(|d| address(d)).collect()))
        .collect();
    Graph::new(nodes.iter().map(|(a, deps)| (a.clone(), deps.iter())))
}

fn names(graph: &Graph, places: &[usize]) -> Vec<String> {
    places
        .iter()
        .map(|at| graph.address(*at).to_string())
        .collect()
}

#[test]
fn nodes_come_after_what_they_depend_on_and_else_as_listed() {
    let graph = graph(&[("c", &["a"]), ("b", &[]), ("a", &["elsewhere"])]);
    assert_eq!(names(&graph, &graph.sorted().unwrap()), ["b", "a", "c"]);
}

#[test]
fn a_cycle_is_named_without_its_followers() {
    let graph = graph(&[
        ("after", &["b"]),
        ("a", &["b"]),
        ("b", &["a", "before"]),
        ("before", &[]),
    ]);
    assert_eq!(graph.sorted().unwrap_err(), [address("a"), address("b")]);
}

#[test]
fn deletes_go_against_the_edges_and_before_changes_of_what_they_used() {
    let (a, b, c, d) = (address("a"), address("b"), address("c"), address("d"));
    let on_a = [a.clone()];
    let on_b = [b.clone()];
    let steps = [
        Step {
            address: &a,
            delete: false,
            dependencies: &[],
        },
        Step {
            address: &b,
            delete: true,
            dependencies: &on_a,
        },
        Step {
            address: &c,
            delete: true,
            dependencies: &on_b,
        },
        Step {
            address: &d,
            delete: false,
            dependencies: &on_a,
        },
    ];
    let waits = apply_order(&steps, &Graph::default()).unwrap();
    assert_eq!(waits, [vec![1], vec![2], vec![], vec![0]]);
}

#[test]
fn an_order_holds_through_nodes_that_have_no_step() {
    let bridge = graph(&[("a", &[]), ("b", &["a"]), ("c", &["b"])]);
    let (a, c) = (address("a"), address("c"));
    let on_b = [address("b")];
    let steps = [
        Step {
            address: &c,
            delete: false,
            dependencies: &on_b,
        },
        Step {
            address: &a,
            delete: false,
            dependencies: &[],
        },
    ];
    assert_eq!(apply_order(&steps, &bridge).unwrap(), [vec![1], vec![]]);
}

#[test]
fn a_cycle_between_deletes_is_an_error_that_names_them() {
    let (a, b) = (address("a"), address("b"));
    let (on_a, on_b) = ([a.clone()], [b.clone()]);
    let steps = [
        Step {
            address: &a,
            delete: true,
            dependencies: &on_b,
        },
        Step {
            address: &b,
            delete: true,
            dependencies: &on_a,
        },
    ];
    assert_eq!(apply_order(&steps, &Graph::default()).unwrap_err(), [a, b]);
}

proptest! {
    #[test]
    fn every_acyclic_graph_is_sorted_along_its_edges(
        edges in prop::collection::vec((0usize..30, 0usize..30), 0..80),
    ) {
        let nodes: Vec<Address> = (0..30).map(|n| address(&format!("n{n}"))).collect();
        let mut deps: Vec<Vec<Address>> = vec![Vec::new(); 30];
        for (from, to) in edges {
            if from > to {
                deps[from].push(nodes[to].clone());
            }
        }
        let graph = Graph::new(nodes.iter().cloned().zip(&deps));
        let order = graph.sorted().unwrap();
        prop_assert_eq!(order.len(), 30);
        let mut place = [0; 30];
        for (position, at) in order.iter().enumerate() {
            place[*at] = position;
        }
        for at in 0..30 {
            for up in graph.upstream(at) {
                prop_assert!(place[*up] < place[at]);
            }
        }
        let all = graph.reachable(0..30);
        prop_assert!(all.iter().all(|seen| *seen));
        let up = graph.needed([29]);
        let down = graph.reachable([0]);
        prop_assert_eq!(up[0], down[29]);
    }
}
