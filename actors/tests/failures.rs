//! Providers that fail, locks that are held, plans that no longer hold.

use super::{actions, chain, texts};
use crate::Class;
use crate::testing::World;
use crate::testing::cloud::Mishap;
use crate::testing::estate::{Sketch, Sketched, address, of, text};
use pravo_state::{Event, Status};

#[test]
fn a_failed_create_blocks_its_readers_and_nothing_else() {
    let world = World::new();
    let mut sketch = chain();
    sketch.nodes.push(Sketched::thing("other"));
    world.cloud.mishap("b", Mishap::Refused);
    let applied = world.apply(&sketch).unwrap();
    assert_eq!(
        (applied.added, applied.failed, applied.not_started),
        (2, 1, 1)
    );
    assert_eq!(applied.error.unwrap().to_string(), "Error: b: no room");
    assert_eq!(world.cloud.names(), ["a", "other"]);
    assert!(
        applied.outputs.0.is_empty(),
        "an output whose inputs failed is not recorded"
    );
    assert_eq!(world.transactions()[0].status, Status::Failed);
    assert!(world.locks().is_empty());
    world.cloud.heal();
    assert_eq!(texts(&world, &sketch), "create b, create c");
    assert_eq!(world.apply(&sketch).unwrap().error, None);
    assert!(world.plan(&sketch).unwrap().is_empty());
}

#[test]
fn a_create_that_fails_with_an_object_is_recorded_and_replaced() {
    let world = World::new();
    world.cloud.mishap("a", Mishap::HalfDone);
    let applied = world.apply(&chain()).unwrap();
    assert_eq!(
        (applied.added, applied.failed, applied.not_started),
        (0, 1, 2)
    );
    let record = world.records()[&address("a")].value.clone();
    assert!(record.tainted && record.config_hash.is_empty());
    world.cloud.heal();
    let plan = world.plan(&chain()).unwrap();
    assert_eq!(actions(&plan), ["replace a", "create b", "create c"]);
    assert!(plan.changes[0].before.is_some());
    let applied = world.apply(&chain()).unwrap();
    assert_eq!(applied.error, None);
    assert_eq!((applied.added, applied.destroyed), (3, 1));
    assert_eq!(world.cloud.names(), ["a", "b", "c"]);
    assert!(world.plan(&chain()).unwrap().is_empty());
}

#[test]
fn a_failed_update_with_an_object_is_planned_again_and_not_tainted() {
    let world = World::new();
    let sketch = |input: &str| Sketch::new([Sketched::thing("a").with("input", text(input))]);
    world.apply(&sketch("one")).unwrap();
    world.cloud.mishap("a", Mishap::HalfDone);
    let applied = world.apply(&sketch("two")).unwrap();
    assert_eq!(applied.failed, 1);
    let record = world.records()[&address("a")].value.clone();
    assert!(!record.tainted && record.config_hash.is_empty() && record.revision == 2);
    world.cloud.heal();
    assert_eq!(texts(&world, &sketch("two")), "no-op a");
    assert_eq!(world.apply(&sketch("two")).unwrap().error, None);
    assert!(world.plan(&sketch("two")).unwrap().is_empty());
}

#[test]
fn a_create_of_unknown_result_keeps_its_lock_and_every_plan_warns() {
    let world = World::new();
    world.cloud.mishap("a", Mishap::AnswerLost);
    let applied = world.apply(&chain()).unwrap();
    assert_eq!((applied.failed, applied.not_started), (1, 2));
    assert!(!world.records().contains_key(&address("a")));
    assert_eq!(world.locks(), ["a"]);
    assert!(world.transactions()[0].changes[0].unknown);
    world.cloud.heal();
    for _ in 0..2 {
        let running = world.start(&chain(), None).unwrap();
        let plan = running.session.plan().unwrap();
        assert_eq!(actions(&plan)[0], "create a");
        assert_eq!(plan.warnings.len(), 1);
        assert!(
            plan.warnings[0].starts_with("a: an apply (txn "),
            "{}",
            plan.warnings[0]
        );
        assert!(plan.warnings[0].ends_with(
            "tester on host here) stopped while it was being created; look for an object nobody \
             manages"
        ));
        assert_eq!(plan.changes[0].warnings, plan.warnings);
        assert_eq!(world.locks(), ["a"], "a plan leaves the lock");
    }
    assert_eq!(world.apply(&chain()).unwrap().error, None);
    assert!(world.locks().is_empty());
    assert!(world.plan(&chain()).unwrap().warnings.is_empty());
}

#[test]
fn an_update_or_delete_of_unknown_result_is_read_first() {
    let world = World::new();
    let sketch = |input: &str| Sketch::new([Sketched::thing("a").with("input", text(input))]);
    world.apply(&sketch("one")).unwrap();
    world.cloud.mishap("a", Mishap::AnswerLost);
    assert_eq!(world.apply(&sketch("two")).unwrap().failed, 1);
    let record = world.records()[&address("a")].value.clone();
    assert!(record.refreshed_at.is_none() && !record.config_hash.is_empty());
    assert!(world.locks().is_empty());
    world.cloud.calls();
    let plan = world.plan(&sketch("one")).unwrap();
    assert_eq!(
        actions(&plan),
        ["update a"],
        "the update was done, and one wants it back"
    );
    assert!(world.cloud.calls().contains(&"read a".to_owned()));
    assert_eq!(world.destroy(&sketch("one")).unwrap().failed, 1);
    world.cloud.heal();
    let applied = world.destroy(&sketch("one")).unwrap();
    assert_eq!(applied.error, None);
    assert!(world.records().is_empty());
}

#[test]
fn the_second_half_of_a_replacement_may_fail() {
    let world = World::new();
    let sketch = |force: &str| {
        Sketch::new([
            Sketched::thing("p").with("force", text(force)),
            Sketched::thing("q").with("input", of("p", "id")),
        ])
    };
    world.apply(&sketch("1")).unwrap();
    let running = world.start(&sketch("2"), None).unwrap();
    let plan = running.session.plan().unwrap();
    // only the create is refused: the delete is of a thing whose name is the same
    world.cloud.mishap("p", Mishap::Refused);
    let applied = running.session.apply(&plan).unwrap();
    assert_eq!((applied.failed, applied.not_started), (1, 1));
    assert!(world.records().contains_key(&address("q")));
    world.cloud.heal();
    assert_eq!(world.apply(&sketch("2")).unwrap().error, None);
    assert!(world.plan(&sketch("2")).unwrap().is_empty());
}

#[test]
fn a_provider_that_plans_otherwise_in_the_apply_stops_it() {
    let world = World::new();
    let sketch = |input: &str| Sketch::new([Sketched::thing("a").with("input", text(input))]);
    world.apply(&sketch("one")).unwrap();
    world.cloud.mishap("a", Mishap::PlansOtherwise);
    world.cloud.calls();
    let applied = world.apply(&sketch("two")).unwrap();
    let error = applied.error.unwrap();
    assert_eq!(error.class, Class::Stale);
    assert!(error.to_string().starts_with(
        "Error: the plan changed while it waited; run \"pravo apply\" again:\n  - a: "
    ));
    assert!(!world.cloud.calls().contains(&"update a".to_owned()));
    assert_eq!(world.records()[&address("a")].revision, 1);
}

#[test]
fn a_record_that_another_command_wrote_makes_the_plan_stale() {
    let world = World::new();
    let waiting = world.start(&chain(), None).unwrap();
    let plan = waiting.session.plan().unwrap();
    world.apply(&chain()).unwrap();
    let error = waiting.session.apply(&plan).unwrap_err();
    assert_eq!(error.class, Class::Stale);
    assert_eq!(
        error.to_string(),
        "Error: the plan changed while it waited; run \"pravo apply\" again:\n\
         \x20 - a changed in state (revision 1, plan expected 0)\n\
         \x20 - b changed in state (revision 1, plan expected 0)\n\
         \x20 - c changed in state (revision 1, plan expected 0)"
    );
    assert_eq!(world.transactions()[0].status, Status::Rejected);
    assert!(world.locks().is_empty());
}

#[test]
fn a_reservation_of_another_actor_stands_against_a_plan_of_its_node() {
    let mut world = World::new();
    world.actor = Some("bob".into());
    world.apply(&chain()).unwrap();
    world.objects.plant(
        "locks/b.lock",
        r#"{"addr":"b","pid":1,"host":"x","user":"u","command":"pravo plan --reserve 10m",
        "nonce":"n","actor":"alice","since":"2023-11-14T22:13:20Z","kind":"reservation",
        "expires":"2033-11-14T22:13:20Z","renewed_at":"2023-11-14T22:13:20Z"}"#,
    );
    assert!(
        world.plan(&chain()).unwrap().is_empty(),
        "what is not changed may be reserved"
    );
    let mut changed = chain();
    changed.nodes[1].attributes.insert("force", text("x"));
    let error = world.plan(&changed).unwrap_err();
    assert_eq!(error.class, Class::Locked);
    assert_eq!(
        error.to_string(),
        "Error: plan rejected: b is reserved by alice (pravo plan --reserve 10m until \
         2033-11-14T22:13:20Z, since 2023-11-14T22:13:20Z)"
    );
}

#[test]
fn a_live_lock_rejects_the_apply_and_that_is_recorded() {
    let world = World::new();
    let running = world.start(&chain(), None).unwrap();
    let plan = running.session.plan().unwrap();
    let lock = r#"{"addr":"b","pid":1,"host":"elsewhere","user":"u","command":"pravo apply",
        "nonce":"n","since":"SINCE","kind":"reservation","expires":"2033-11-14T22:13:20Z",
        "renewed_at":"SINCE"}"#;
    world.objects.plant(
        "locks/b.lock",
        lock.replace("SINCE", "2023-11-14T22:13:20Z"),
    );
    let error = running.session.apply(&plan).unwrap_err();
    assert_eq!(error.class, Class::Locked);
    assert!(
        error
            .to_string()
            .starts_with("Error: apply rejected: b is reserved by u")
    );
    assert_eq!(world.locks(), ["b"]);
    let log = &world.transactions()[0];
    assert_eq!((log.status, log.changes.len()), (Status::Rejected, 0));
    assert!(world.cloud.names().is_empty());
}

#[test]
fn a_node_that_panics_fails_alone_and_its_lock_stays() {
    let world = World::new();
    let mut sketch = chain();
    sketch.nodes.push(Sketched::thing("other"));
    world.cloud.mishap("a", Mishap::Panic);
    let applied = world.apply(&sketch).unwrap();
    assert_eq!(
        (applied.added, applied.failed, applied.not_started),
        (1, 1, 2)
    );
    assert_eq!(world.locks(), ["a"]);
    assert_eq!(world.cloud.names(), ["other"]);
}

#[test]
fn no_more_calls_at_once_than_allowed() {
    for parallelism in [1, 3] {
        let mut world = World::new();
        world.parallelism = parallelism;
        let sketch = Sketch::new((0..20).map(|n| Sketched::thing(format!("n{n}"))));
        world.apply(&sketch).unwrap();
        let most = world.cloud.lock().most_at_work;
        assert!(most <= parallelism && most > 0, "{most}");
    }
}

#[test]
fn an_interrupt_lets_what_runs_finish_and_starts_nothing_more() {
    let mut world = World::new();
    world.parallelism = 1;
    let sketch = Sketch::new((0..10).map(|n| Sketched::thing(format!("n{n}"))));
    let running = world.start(&sketch, None).unwrap();
    let plan = running.session.plan().unwrap();
    let applied = std::thread::scope(|scope| {
        let session = &running.session;
        let events = running.events.clone();
        scope.spawn(move || {
            let is_create = |event: &Event| {
                matches!(
                    event,
                    Event::Started {
                        operation: pravo_state::Operation::Create,
                        ..
                    }
                )
            };
            while !is_create(&events.recv().unwrap()) {}
            session.interrupt();
        });
        session.apply(&plan).unwrap()
    });
    assert!(
        applied.added >= 1 && applied.not_started >= 1,
        "{applied:?}"
    );
    assert_eq!(applied.added, world.cloud.names().len());
    assert_eq!(applied.added, world.records().len());
    assert!(applied.error.is_some() && world.locks().is_empty());
}

#[test]
fn a_lost_lock_ends_the_whole_apply_and_what_is_done_is_recorded() {
    let mut world = World::new();
    world.parallelism = 1;
    world.cloud.mishap("a", Mishap::LocksTaken);
    let applied = world.apply(&chain()).unwrap();
    let error = applied.error.clone().unwrap();
    assert_eq!(error.class, Class::Locked);
    assert!(
        error
            .to_string()
            .starts_with("Error: lock lost: b is now held by pravo apply (pid "),
        "{error}"
    );
    assert_eq!(
        (applied.added, applied.failed, applied.not_started),
        (1, 1, 1)
    );
    assert_eq!(world.cloud.names(), ["a"]);
    assert_eq!(world.records().len(), 1);
    assert_eq!(world.locks(), ["b", "c"], "locks of another are left alone");
}

#[test]
fn a_record_that_the_state_does_not_take_goes_to_a_file() {
    let mut world = World::new();
    world.root = std::env::temp_dir().join(format!("pravo-recovery-{}", std::process::id()));
    std::fs::create_dir_all(&world.root).unwrap();
    world.refuses = Some("resources/b.json".to_owned());
    let applied = world.apply(&chain()).unwrap();
    let error = applied.error.clone().unwrap();
    assert_eq!(error.class, Class::Failed);
    let text = error.to_string();
    assert!(
        text.starts_with("Error: the state did not take a record: "),
        "{text}"
    );
    assert!(
        text.contains("pravo state recover pravo.recovery-"),
        "{text}"
    );
    assert_eq!(applied.not_started, 1);
    assert_eq!(world.locks(), ["b"], "the lock of that node stays");
    let name = format!("pravo.recovery-{}.json", applied.txn.clone().unwrap());
    let bytes = std::fs::read(world.root.join(name)).unwrap();
    std::fs::remove_dir_all(&world.root).unwrap();
    let recovery = pravo_store::recovery::Recovery::parse(&bytes).unwrap();
    let record = recovery.writes[0].record.as_ref().unwrap();
    assert_eq!((record.addr.as_str(), record.revision), ("b", 1));
}

#[test]
fn a_create_over_a_gone_object_starts_without_its_private_data() {
    let world = World::new();
    let sketch = Sketch::new([Sketched::thing("a").aged("always")]);
    world.apply(&sketch).unwrap();
    world.cloud.lock().things.clear();
    let running = world.start(&sketch, None).unwrap();
    let plan = running.session.plan().unwrap();
    let frozen = &plan.frozen[&address("a")];
    assert!(frozen.private.is_empty() && frozen.prior.is_null());
    // the mark stays until the apply, which then needs no read
    let plan = world.plan(&sketch).unwrap();
    assert!(plan.frozen[&address("a")].private.is_empty());
    assert_eq!(plan.changes[0].action, pravo_plan::Action::Create);
}

#[test]
fn a_provider_that_cannot_be_configured_is_told_once_and_only_when_it_is_needed() {
    let world = World::new();
    let mut sketch = chain();
    world.apply(&sketch).unwrap();
    sketch.endpoint = text("nowhere");
    sketch.nodes[0].attributes.insert("input", text("two"));
    let error = world.plan(&sketch).unwrap_err();
    assert_eq!(
        error.to_string(),
        "Error: provider cloud: there is no cloud at nowhere"
    );
    let inner = world.cloud.lock();
    assert_eq!(
        inner.launched, inner.closed,
        "the process that was of no use is ended"
    );
}
