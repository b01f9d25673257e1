//! Create, nothing to do, change, replace, remove, destroy; what is read and what is not.

use super::{actions, chain, texts};
use crate::testing::World;
use crate::testing::estate::{Sketch, Sketched, address, of, text};
use pravo_plan::{Mode, ReadKind, Reason};
use pravo_state::{Data, Status};

#[test]
fn a_new_estate_is_planned_in_its_order_and_then_there_is_nothing_to_do() {
    let world = World::new();
    let plan = world.plan(&chain()).unwrap();
    assert_eq!(actions(&plan), ["create a", "create b", "create c"]);
    assert_eq!(plan.summary.graph_line(), "Graph: planned 3 of 3.");
    assert_eq!(
        plan.changes[1].after.as_ref().unwrap().get("input"),
        Some(&Data::Unknown)
    );
    assert_eq!(plan.changes[1].reasons, [Reason::New]);
    assert!(
        world.transactions().is_empty(),
        "a plan that reads nothing is not recorded"
    );

    let applied = world.apply(&chain()).unwrap();
    assert_eq!(applied.error, None);
    assert_eq!(
        (applied.added, applied.changed, applied.destroyed),
        (3, 0, 0)
    );
    assert_eq!(world.cloud.names(), ["a", "b", "c"]);
    let records = world.records();
    assert_eq!(
        records[&address("c")].dependencies,
        [address("a"), address("b")]
    );
    assert!(
        records
            .values()
            .all(|r| r.revision == 1 && !r.config_hash.is_empty())
    );
    assert!(
        records
            .values()
            .all(|r| r.generation == applied.txn && r.txn == applied.txn)
    );
    let value = applied.outputs.0["last"].value.as_str().unwrap().to_owned();
    assert!(value.starts_with("[id-"), "{value}");
    assert_eq!(world.transactions()[0].status, Status::Applied);
    assert!(world.locks().is_empty());

    let launched = world.cloud.lock().launched;
    let plan = world.plan(&chain()).unwrap();
    assert!(plan.is_empty());
    assert_eq!(
        plan.summary.graph_line(),
        "Graph: planned 0 of 3, 3 unchanged and skipped, 3 within refresh age."
    );
    assert_eq!(
        world.cloud.lock().launched,
        launched,
        "no plugin is started"
    );
    assert_eq!(world.cloud.lock().closed, launched, "every plugin is ended");
}

#[test]
fn a_change_reaches_what_reads_it_and_no_more() {
    let world = World::new();
    let sketch = |input: &str| {
        let mut nodes = chain().nodes;
        nodes[0] = Sketched::thing("a").with("input", text(input));
        nodes.push(Sketched::thing("other"));
        nodes.push(Sketched::thing("reader").with("input", of("other", "id")));
        Sketch::new(nodes)
    };
    world.apply(&sketch("one")).unwrap();
    world.cloud.calls();
    let plan = world.plan(&sketch("two")).unwrap();
    assert_eq!(actions(&plan), ["update a", "update b", "update c"]);
    assert_eq!(world.cloud.calls(), ["plan a", "plan b", "plan c"]);
    assert_eq!(plan.summary.blast_radius, 3);
    let applied = world.apply(&sketch("two")).unwrap();
    assert_eq!(
        (applied.added, applied.changed, applied.destroyed),
        (0, 3, 0)
    );
    assert_eq!(world.records()[&address("a")].revision, 2);
    assert!(world.plan(&sketch("two")).unwrap().is_empty());
}

#[test]
fn a_replacement_makes_its_readers_wait() {
    let world = World::new();
    let sketch = |force: &str| {
        let mut sketch = chain();
        sketch.nodes[0] = Sketched::thing("a")
            .with("input", text("one"))
            .with("force", text(force));
        sketch
    };
    world.apply(&sketch("1")).unwrap();
    let first = world.records()[&address("a")].generation.clone();
    world.cloud.calls();
    let plan = world.plan(&sketch("2")).unwrap();
    assert_eq!(actions(&plan), ["replace a", "update b", "update c"]);
    let reasons: Vec<String> = plan.changes[0]
        .reasons
        .iter()
        .map(ToString::to_string)
        .collect();
    assert!(reasons[0].starts_with("the specification changed since the last apply (hash "));
    assert_eq!(
        reasons[1],
        "refresh skipped: the record is within its refresh age"
    );
    assert_eq!(
        reasons[2],
        "the provider cannot change force in place; replacement required"
    );
    assert_eq!(
        plan.changes[1].reasons[0],
        Reason::InputsUnknown(vec![address("a")])
    );
    let applied = world.apply(&sketch("2")).unwrap();
    assert_eq!(applied.error, None);
    // `b` reads what turned out the same, so nothing is left to do there
    assert_eq!(
        (applied.added, applied.changed, applied.destroyed),
        (1, 1, 1)
    );
    let record = &world.records()[&address("a")];
    assert_eq!(record.revision, 2);
    assert_ne!(record.generation, first);
    assert!(world.plan(&sketch("2")).unwrap().is_empty());
}

#[test]
fn what_is_no_longer_declared_goes_against_the_edges() {
    let world = World::new();
    world.apply(&chain()).unwrap();
    world.cloud.calls();
    let rest = Sketch::new([chain().nodes[0].clone()]);
    let plan = world.plan(&rest).unwrap();
    assert_eq!(actions(&plan), ["delete b", "delete c"]);
    assert_eq!(
        plan.summary.graph_line(),
        "Graph: planned 2 of 3, 1 unchanged and skipped, 3 within refresh age."
    );
    world.cloud.calls();
    let applied = world.apply(&rest).unwrap();
    assert_eq!(applied.destroyed, 2);
    assert!(applied.outputs.0.is_empty());
    let calls = world.cloud.calls();
    assert_eq!(calls[calls.len() - 2..], ["delete c", "delete b"]);
    assert_eq!(world.cloud.names(), ["a"]);
    assert_eq!(world.records().len(), 1);
}

#[test]
fn a_destroy_takes_everything_and_its_outputs() {
    let world = World::new();
    let mut sketch = chain();
    sketch.nodes.push(Sketched::lookup("found", text("k")));
    world.apply(&sketch).unwrap();
    world.cloud.calls();
    let applied = world.destroy(&sketch).unwrap();
    assert_eq!(applied.error, None);
    assert_eq!((applied.destroyed, applied.forgotten), (3, 0));
    assert!(applied.outputs.0.is_empty());
    assert!(world.records().is_empty() && world.cloud.names().is_empty());
    let calls = world.cloud.calls();
    assert_eq!(
        calls[calls.len() - 3..],
        ["delete c", "delete b", "delete a"]
    );
    assert!(
        world.destroy(&sketch).unwrap().txn.is_none(),
        "nothing is left to destroy"
    );
}

#[test]
fn data_sources_wait_for_what_is_pending_and_are_read_by_their_age() {
    let world = World::new();
    let sketch = Sketch::new([
        Sketched::thing("a").with("input", text("one")),
        Sketched::lookup("found", text("k"))
            .after("a")
            .aged("always"),
        Sketched::thing("b").with("input", of("found", "value")),
    ]);
    let plan = world.plan(&sketch).unwrap();
    assert_eq!(actions(&plan), ["create a", "read found", "create b"]);
    assert_eq!(plan.changes[1].read, Some(ReadKind::Deferred));
    assert_eq!(plan.changes[1].mode, Mode::Data);
    assert_eq!(
        plan.changes[2].after.as_ref().unwrap().get("input"),
        Some(&Data::Unknown)
    );
    world.apply(&sketch).unwrap();
    world.cloud.calls();

    let plan = world.plan(&sketch).unwrap();
    assert!(plan.is_empty());
    assert_eq!(world.cloud.calls(), ["look up k"]);
    assert_eq!(
        plan.summary.graph_line(),
        "Graph: planned 0 of 3, 3 unchanged and skipped, 1 refreshed, 2 within refresh age."
    );
    assert_eq!(world.records()[&address("found")].revision, 1);

    world.cloud.lock().suffix = "!".into();
    let plan = world.plan(&sketch).unwrap();
    assert_eq!(actions(&plan), ["read found", "update b"]);
    assert_eq!(plan.changes[0].read, Some(ReadKind::Differs));
    let applied = world.apply(&sketch).unwrap();
    assert_eq!((applied.added, applied.changed), (0, 1));
    assert_eq!(world.records()[&address("found")].revision, 2);
    assert!(world.plan(&sketch).unwrap().is_empty());
}

#[test]
fn a_data_source_with_a_span_is_read_once_within_it() {
    let world = World::new();
    let sketch = Sketch::new([Sketched::lookup("found", text("k")).aged("1h")]);
    let plan = world.plan(&sketch).unwrap();
    assert_eq!(plan.changes[0].read, Some(ReadKind::First));
    world.apply(&sketch).unwrap();
    world.cloud.calls();
    world.plan(&sketch).unwrap();
    assert!(world.cloud.calls().is_empty());
    world.clock.advance(3700);
    world.plan(&sketch).unwrap();
    assert_eq!(world.cloud.calls(), ["look up k"]);
    world.plan(&sketch).unwrap();
    assert!(
        world.cloud.calls().is_empty(),
        "the plan recorded the time of the read"
    );
    assert_eq!(world.records()[&address("found")].revision, 1);
}

#[test]
fn reached_nodes_and_their_inputs_are_read_when_old_and_others_are_not() {
    let world = World::new();
    let sketch = |note: &str| {
        let mut nodes = chain().nodes;
        nodes[2].attributes.insert("force", text(note));
        nodes.push(Sketched::thing("other"));
        nodes.push(Sketched::thing("watched").aged("15m"));
        Sketch::new(nodes)
    };
    world.apply(&sketch("1")).unwrap();
    world.clock.advance(7200);
    world.cloud.calls();
    let plan = world.plan(&sketch("2")).unwrap();
    assert_eq!(actions(&plan), ["replace c"]);
    let mut calls = world.cloud.calls();
    calls.sort();
    assert_eq!(
        calls,
        [
            "plan c",
            "plan c",
            "read a",
            "read b",
            "read c",
            "read watched"
        ]
    );
    assert_eq!(
        plan.summary.graph_line(),
        "Graph: planned 1 of 5, 4 unchanged and skipped, 4 refreshed, 1 not read."
    );
    assert_eq!(plan.changes[0].reasons[1], Reason::Refreshed(false));
    let log = &world.transactions()[0];
    assert_eq!(log.status, Status::Planned);
    assert_eq!(log.changes.len(), 4);
    // what was read a moment ago is not read again
    world.plan(&sketch("2")).unwrap();
    assert_eq!(world.cloud.calls(), ["plan c", "plan c"]);
}

#[test]
fn drift_is_marked_planned_and_ended_by_the_apply() {
    let world = World::new();
    let sketch = Sketch::new([Sketched::thing("a")
        .with("input", text("one"))
        .aged("always")]);
    world.apply(&sketch).unwrap();
    {
        let mut inner = world.cloud.lock();
        let thing = inner.things.values_mut().next().unwrap();
        let Data::Map(entries) = thing else {
            panic!("an object")
        };
        entries.insert("input".into(), "meddled".into());
    }
    let plan = world.plan(&sketch).unwrap();
    assert_eq!(actions(&plan), ["update a"]);
    assert!(plan.changes[0].drifted && plan.changes[0].refreshed);
    assert_eq!(
        plan.changes[0].reasons,
        [Reason::Drift, Reason::Refreshed(true)]
    );
    assert_eq!(plan.summary.drifted, 1);
    let record = world.records()[&address("a")].value.clone();
    assert!(record.drifted_at.is_some() && record.revision == 2);
    let plan = world.plan(&sketch).unwrap();
    assert!(matches!(
        plan.changes[0].reasons[0],
        Reason::DriftEarlier(_)
    ));
    world.apply(&sketch).unwrap();
    assert!(!world.records()[&address("a")].is_marked());
    assert!(world.plan(&sketch).unwrap().is_empty());

    world.cloud.lock().things.clear();
    let plan = world.plan(&sketch).unwrap();
    assert_eq!(actions(&plan), ["create a"]);
    assert_eq!(
        plan.changes[0].heading(false),
        Some("will be created (the object is gone)")
    );
    assert!(world.records()[&address("a")].gone);
    world.apply(&sketch).unwrap();
    assert_eq!(world.cloud.names(), ["a"]);
    let record = world.records()[&address("a")].value.clone();
    assert!(
        !record.is_marked() && record.revision == 5,
        "{}",
        record.revision
    );
}

#[test]
fn an_input_that_drifted_is_found_in_one_more_walk() {
    for order in 0..10 {
        drifted_input(order);
    }
}

fn drifted_input(order: u64) {
    let world = World::new();
    world.cloud.lock().serial = order;
    let sketch = |note: &str| {
        let mut nodes = chain().nodes;
        nodes[1].attributes.insert("force", text(note));
        Sketch::new(nodes)
    };
    world.apply(&sketch("1")).unwrap();
    world.clock.advance(7200);
    {
        let mut inner = world.cloud.lock();
        let mut things = inner.things.values_mut();
        let a = things
            .find(|t| t.get("name").and_then(Data::as_str) == Some("a"))
            .unwrap();
        let Data::Map(entries) = a else {
            panic!("an object")
        };
        entries.insert("input".into(), "meddled".into());
    }
    world.cloud.calls();
    let plan = world.plan(&sketch("2")).unwrap();
    assert_eq!(actions(&plan), ["update a", "replace b", "update c"]);
    assert!(plan.changes[0].reasons.contains(&Reason::Drift));
    let reads: Vec<String> = world
        .cloud
        .calls()
        .into_iter()
        .filter(|c| c.starts_with("read"))
        .collect();
    let mut once = reads.clone();
    once.sort();
    once.dedup();
    assert_eq!(
        once.len(),
        reads.len(),
        "no record is read twice: {reads:?}"
    );
    assert_eq!(world.apply(&sketch("2")).unwrap().error, None);
    assert!(world.plan(&sketch("2")).unwrap().is_empty());
}

#[test]
fn only_other_edges_are_written_without_asking_the_provider() {
    let world = World::new();
    let sketch = |after: bool| {
        let b = Sketched::thing("b");
        Sketch::new([Sketched::thing("a"), if after { b.after("a") } else { b }])
    };
    world.apply(&sketch(false)).unwrap();
    world.cloud.calls();
    let plan = world.plan(&sketch(true)).unwrap();
    assert_eq!(actions(&plan), ["no-op b"]);
    assert!(!plan.has_changes() && !plan.is_empty());
    let applied = world.apply(&sketch(true)).unwrap();
    assert_eq!((applied.added, applied.changed), (0, 0));
    assert!(world.cloud.calls().is_empty());
    let record = world.records()[&address("b")].value.clone();
    assert_eq!(
        (record.revision, record.dependencies),
        (2, vec![address("a")])
    );
    assert!(world.plan(&sketch(true)).unwrap().is_empty());
}

#[test]
fn a_provider_that_points_elsewhere_has_its_records_read_once() {
    let world = World::new();
    let sketch = |endpoint: &str| {
        let mut sketch = Sketch::new([Sketched::thing("a")]);
        sketch.endpoint = text(endpoint);
        sketch
    };
    world.apply(&sketch("here")).unwrap();
    world.cloud.calls();
    let plan = world.plan(&sketch("there")).unwrap();
    assert!(plan.is_empty());
    assert_eq!(
        plan.left_alone[0].reasons,
        [Reason::ProviderConfigChanged, Reason::Skipped]
    );
    assert_eq!(world.cloud.calls(), ["read a"]);
    world.plan(&sketch("there")).unwrap();
    assert!(world.cloud.calls().is_empty());
}

#[test]
fn a_provider_that_waits_for_a_node_is_not_started_before_it() {
    let world = World::new();
    let mut sketch = Sketch::new([Sketched::thing("a"), Sketched::thing("b")]);
    // all nodes but `a` itself are built through what `a` gives
    sketch.endpoint = of("a", "id");
    let text = texts(&world, &sketch);
    assert!(
        text.contains("create a") && text.contains("create b"),
        "{text}"
    );
    assert_eq!(world.cloud.lock().launched, 0);
}

#[test]
fn an_error_of_the_specification_is_of_its_class_and_others_are_shown_too() {
    let world = World::new();
    let sketch = Sketch::new([
        Sketched::thing("a").with("wrong", text("x")),
        Sketched::thing("b").with("wrong", text("x")),
        Sketched::thing("c").with("input", of("a", "id")),
    ]);
    let error = world.plan(&sketch).unwrap_err();
    assert_eq!(error.class, crate::Class::Specification);
    assert_eq!(
        error.to_string(),
        "Error: a.wrong: field not allowed\nError: b.wrong: field not allowed"
    );
}
