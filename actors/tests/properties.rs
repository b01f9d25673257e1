//! What holds for every estate.

use crate::testing::World;
use crate::testing::estate::{Piece, Sketch, Sketched, of, text};
use proptest::prelude::*;
use std::collections::BTreeSet;

/// A node: what it reads of earlier ones, its own text, whether it is a data source.
type Plan = (Vec<usize>, u8, bool);

fn estate(nodes: &[Plan]) -> Sketch {
    let name = |at: usize| format!("n{at}");
    let mut all: Vec<Sketched> = Vec::new();
    for (at, (reads, own, data)) in nodes.iter().enumerate() {
        let mut value: Vec<Piece> = text(format!("{own}"));
        for read in reads.iter().filter(|_| at > 0) {
            let up = read % at;
            let attribute = if nodes[up].2 { "value" } else { "echo" };
            value.extend(of(name(up), attribute));
        }
        all.push(match data {
            true => Sketched::lookup(name(at), value),
            false => Sketched::thing(name(at)).with("input", value),
        });
    }
    Sketch::new(all)
}

fn plans() -> impl Strategy<Value = Vec<Plan>> {
    let node = (
        prop::collection::vec(0usize..20, 0..3),
        0u8..3,
        prop::bool::weighted(0.2),
    );
    prop::collection::vec(node, 1..14)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    #[test]
    fn the_plan_after_an_apply_is_empty_and_starts_nothing(nodes in plans()) {
        let world = World::new();
        let sketch = estate(&nodes);
        let applied = world.apply(&sketch).unwrap();
        prop_assert_eq!(&applied.error, &None);
        let launched = world.cloud.lock().launched;
        let plan = world.plan(&sketch).unwrap();
        prop_assert!(plan.is_empty());
        prop_assert_eq!(world.cloud.lock().launched, launched);
        prop_assert_eq!(world.records().len(), nodes.len());
    }

    #[test]
    fn a_change_reaches_only_what_is_downstream_of_it(
        nodes in plans(),
        which in 0usize..14,
        remove in any::<bool>(),
    ) {
        let world = World::new();
        world.apply(&estate(&nodes)).unwrap();
        let which = which % nodes.len();
        let mut changed = nodes.clone();
        let next = if remove && which + 1 == nodes.len() {
            changed.pop();
            estate(&changed)
        } else {
            changed[which].1 += 1;
            estate(&changed)
        };
        let downstream = downstream(&nodes, which);
        let plan = world.plan(&next).unwrap();
        for change in &plan.changes {
            let at: usize = change.address.as_str()[1..].parse().unwrap();
            prop_assert!(downstream.contains(&at), "{} is not downstream", change.address);
        }
        let applied = world.apply(&next).unwrap();
        prop_assert_eq!(&applied.error, &None);
        prop_assert!(world.plan(&next).unwrap().is_empty());
        prop_assert_eq!(world.records().len(), changed.len());
        let things = changed.iter().filter(|(_, _, data)| !data).count();
        prop_assert_eq!(world.cloud.names().len(), things);
        prop_assert!(world.locks().is_empty());
    }

    #[test]
    fn what_was_proved_is_not_asked_again_and_changes_no_plan(
        nodes in plans(),
        which in 0usize..14,
    ) {
        let world = World::new();
        let plain = estate(&nodes);
        let remembering = estate(&nodes).remembering();
        world.apply(&plain).unwrap();
        let plan = |sketch: &Sketch| {
            let plan = world.plan(sketch).unwrap();
            let changes = plan.changes.iter();
            let changes = changes.map(|c| format!("{} {:?} {:?} {:?}", c.address, c.action, c.reasons, c.after));
            (changes.collect::<Vec<String>>(), plan.outputs.len(), plan.summary)
        };
        prop_assert_eq!(plan(&remembering), plan(&plain));
        prop_assert_eq!(remembering.asked(), nodes.len());
        prop_assert_eq!(plan(&remembering), plan(&plain));
        prop_assert_eq!(remembering.asked(), 0);
        let mut changed = nodes.clone();
        changed[which % nodes.len()].1 += 1;
        world.apply(&estate(&changed)).unwrap();
        prop_assert_eq!(plan(&remembering), plan(&plain));
    }

    #[test]
    fn a_destroy_leaves_nothing(nodes in plans()) {
        let world = World::new();
        let sketch = estate(&nodes);
        world.apply(&sketch).unwrap();
        let applied = world.destroy(&sketch).unwrap();
        prop_assert_eq!(&applied.error, &None);
        prop_assert!(world.records().is_empty());
        prop_assert!(world.cloud.names().is_empty());
    }
}

fn downstream(nodes: &[Plan], from: usize) -> BTreeSet<usize> {
    let mut found = BTreeSet::from([from]);
    for (at, (reads, _, _)) in nodes.iter().enumerate().skip(from + 1) {
        if reads.iter().any(|read| found.contains(&(read % at))) {
            found.insert(at);
        }
    }
    found
}
