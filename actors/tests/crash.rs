//! A process that dies at every step of an apply, and what the next one makes of it.

use super::chain;
use crate::testing::World;
use crate::testing::estate::{Sketch, Sketched, of, text};
use std::collections::BTreeSet;

fn first() -> Sketch {
    let mut nodes = chain().nodes;
    nodes.push(Sketched::thing("old").with("input", of("a", "id")));
    nodes.push(Sketched::lookup("found", of("a", "echo")));
    nodes.push(Sketched::lookup("fresh", of("b", "echo")).aged("always"));
    Sketch::new(nodes).output("last", of("c", "echo"))
}

/// Creates `new`, updates and replaces, deletes `old`.
fn second() -> Sketch {
    let mut sketch = first();
    sketch.nodes[0].attributes.insert("input", text("two"));
    sketch.nodes[1].attributes.insert("force", text("x"));
    sketch.nodes[3] = Sketched::thing("new").with("input", of("b", "id"));
    sketch
}

/// Dies at a step of applying `sketch`, then checks that the next process finds everything.
fn dies(world: &World, sketch: &Sketch, step: u64) {
    if let Ok(running) = world.start(sketch, Some(step))
        && let Ok(plan) = running.session.plan()
    {
        // Whatever it says, it is dead.
        let _ = running.session.apply(&plan);
    }
    let running = world.start(sketch, None).unwrap();
    let plan = running.session.plan().unwrap();
    let recorded: BTreeSet<String> = world
        .records()
        .values()
        .filter_map(|record| record.attributes.id())
        .collect();
    let orphans: Vec<String> = {
        let inner = world.cloud.lock();
        let unknown = inner
            .things
            .iter()
            .filter(|(id, _)| !recorded.contains(*id));
        unknown
            .map(|(_, t)| t.get("name").unwrap().as_str().unwrap().to_owned())
            .collect()
    };
    for orphan in &orphans {
        let start = format!("{orphan}: an apply (txn ");
        let told = plan
            .warnings
            .iter()
            .any(|warning| warning.starts_with(&start));
        assert!(
            told,
            "step {step}: {orphan} is nobody's, warnings {:?}",
            plan.warnings
        );
    }
    let applied = running.session.apply(&plan).unwrap();
    assert_eq!(applied.error, None, "step {step}");
    drop(running);
    let plan = world.plan(sketch).unwrap();
    assert!(plan.is_empty(), "step {step}: {:?}", super::actions(&plan));
    assert!(plan.warnings.is_empty(), "step {step}: {:?}", plan.warnings);
    assert!(world.locks().is_empty(), "step {step}: {:?}", world.locks());
}

fn steps(prepare: impl Fn(&World), sketch: &Sketch) -> u64 {
    let world = World::new();
    prepare(&world);
    let running = world.start(sketch, None).unwrap();
    let plan = running.session.plan().unwrap();
    assert_eq!(running.session.apply(&plan).unwrap().error, None);
    running.life.steps()
}

fn at_every_step(prepare: impl Fn(&World), sketch: &Sketch) {
    let steps = steps(&prepare, sketch);
    assert!(steps > 30, "{steps}");
    for step in 0..=steps {
        let world = World::new();
        prepare(&world);
        dies(&world, sketch, step);
    }
}

#[test]
fn a_first_apply_can_die_at_every_step() {
    at_every_step(|_| {}, &first());
}

#[test]
fn an_apply_with_every_action_can_die_at_every_step() {
    let prepare = |world: &World| assert_eq!(world.apply(&first()).unwrap().error, None);
    at_every_step(prepare, &second());
}
