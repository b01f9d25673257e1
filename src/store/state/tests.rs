//! The state on a place that fails, folds cases, or holds what it should not.

use super::*;
use crate::testing::{World, address, record};
use crate::{Fault, MemoryObjects};
use pravo_state::transaction::{Action, Status, Touched, Transaction, TransactionKind};
use pravo_state::{Holder, Host, Output, OutputChanges, Record, TransactionId};
use proptest::prelude::*;
use serde_json::json;
use std::collections::BTreeMap;

async fn state(memory: &Arc<MemoryObjects>) -> Result<State, Error> {
    State::open_write(Arc::clone(memory) as Arc<dyn Objects>, &World::new()).await
}

async fn reader(memory: &Arc<MemoryObjects>) -> Result<State, Error> {
    State::open_read(Arc::clone(memory) as Arc<dyn Objects>).await
}

fn holder() -> Holder {
    Holder {
        user: "u".into(),
        host: Host::new("here"),
        pid: 7,
        pid_start: None,
        command: "pravo apply".into(),
        actor: None,
        reason: None,
    }
}

fn run(id: &str) -> Transaction {
    let id = TransactionId::parse(id).unwrap();
    Transaction::new(id, TransactionKind::Apply, holder(), World::new().now())
}

#[tokio::test]
async fn a_reader_makes_nothing_and_a_writer_makes_the_head() {
    let memory = Arc::new(MemoryObjects::new());
    let empty = reader(&memory).await.unwrap();
    assert!(empty.lineage().is_none() && empty.records().await.unwrap().is_empty());
    assert!(empty.outputs().await.unwrap().is_none());
    let error = empty.put_record(&record("a"), None).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "state at memory was opened for reading only"
    );
    assert!(memory.contents().is_empty());
    let first = state(&memory).await.unwrap();
    let again = state(&memory).await.unwrap();
    assert_eq!(first.lineage(), again.lineage());
    assert_eq!(memory.contents().keys().collect::<Vec<_>>(), ["meta.json"]);
    let meta = String::from_utf8(memory.contents()["meta.json"].clone()).unwrap();
    assert!(
        meta.starts_with("{\n  \"format\": 1,\n  \"lineage\": \""),
        "{meta}"
    );
    assert!(
        meta.ends_with("\"created\": \"2026-01-01T00:00:00Z\"\n}\n"),
        "{meta}"
    );
}

#[tokio::test]
async fn writers_that_start_together_agree_on_the_lineage() {
    let memory = Arc::new(MemoryObjects::new());
    let world = Arc::new(World::new());
    let mut writers = tokio::task::JoinSet::new();
    for _ in 0..8 {
        let (memory, world) = (Arc::clone(&memory) as Arc<dyn Objects>, Arc::clone(&world));
        writers.spawn(async move { State::open_write(memory, world.as_ref()).await.unwrap() });
    }
    let states = writers.join_all().await;
    let lineages: Vec<_> = states.iter().map(State::lineage).collect();
    assert!(
        lineages
            .iter()
            .all(|lineage| lineage.is_some() && *lineage == lineages[0])
    );
}

#[tokio::test]
async fn a_newer_format_is_refused_before_anything_is_written() {
    let memory = Arc::new(MemoryObjects::new());
    memory.plant("meta.json", r#"{"format": 4, "shape": "another"}"#);
    let before = memory.contents();
    for error in [state(&memory).await.err(), reader(&memory).await.err()] {
        let want = "state at memory was written by a newer pravo (format 4)";
        assert_eq!(error.unwrap().to_string(), want);
    }
    assert_eq!(memory.contents(), before);
}

#[tokio::test]
async fn a_broken_or_lost_head_is_no_new_state() {
    let cases = [
        ("meta.json", "", "memory/meta.json is empty"),
        (
            "meta.json",
            "{\"format\": 1}",
            "memory/meta.json has no field \"lineage\"",
        ),
        (
            "resources/a.json",
            "{}",
            "memory/meta.json is missing though there are records",
        ),
    ];
    for (key, text, want) in cases {
        let memory = Arc::new(MemoryObjects::new());
        memory.plant(key, text);
        for error in [state(&memory).await.err(), reader(&memory).await.err()] {
            let error = error.unwrap().to_string();
            assert!(error.starts_with(want), "{error}");
        }
        assert_eq!(memory.contents().len(), 1);
    }
}

#[tokio::test]
async fn a_record_is_written_only_over_the_one_that_was_read() {
    let memory = Arc::new(MemoryObjects::new());
    let state = state(&memory).await.unwrap();
    let mut a = record("a");
    let first = state.put_record(&a, None).await.unwrap();
    a.revision = 2;
    assert!(matches!(
        state.put_record(&a, None).await,
        Err(Error::Conflict { .. })
    ));
    let second = state.put_record(&a, Some(&first)).await.unwrap();
    a.revision = 3;
    let stale = state.put_record(&a, Some(&first)).await.unwrap_err();
    let want = "memory/resources/a.json was written by another command in the meantime";
    assert_eq!(stale.to_string(), want);
    assert!(state.delete_record(&a.addr, &first).await.is_err());
    assert_eq!(state.record(&a.addr).await.unwrap().unwrap().revision, 2);
    state.delete_record(&a.addr, &second).await.unwrap();
    assert_eq!(state.record(&a.addr).await.unwrap(), None);
}

#[tokio::test]
async fn broken_records_fail_by_the_name_of_their_file() {
    let other = record("b").to_text();
    let cases = [
        ("", "memory/resources/a.json is empty"),
        ("\0\0\0\0", "memory/resources/a.json is not a JSON object"),
        (&other[..40], "memory/resources/a.json is not a JSON object"),
        (&other, "memory/resources/a.json is"),
    ];
    for (text, want) in cases {
        let memory = Arc::new(MemoryObjects::new());
        let state = state(&memory).await.unwrap();
        memory.plant("resources/a.json", text);
        let one = state.record(&address("a")).await.err();
        let all = state.records().await.err();
        for error in [one, all] {
            let error = error.unwrap().to_string();
            assert!(error.starts_with(want), "{error}");
        }
    }
}

#[tokio::test]
async fn names_that_differ_only_in_case_collide_where_the_place_joins_them() {
    let apart = Arc::new(MemoryObjects::new());
    let joined = Arc::new(MemoryObjects::folding_case());
    for (memory, collide) in [(apart, false), (joined, true)] {
        let state = state(&memory).await.unwrap();
        state.put_record(&record("web"), None).await.unwrap();
        let written = state.put_record(&record("Web"), None).await;
        let read = state.record(&address("Web")).await;
        assert_eq!(written.is_err(), collide);
        if collide {
            for error in [written.err(), read.err()] {
                let error = error.unwrap().to_string();
                assert!(
                    error.starts_with("the state cannot keep both web and Web"),
                    "{error}"
                );
            }
        }
        let web = state.record(&address("web")).await.unwrap().unwrap();
        assert_eq!(web.addr.as_str(), "web");
    }
    let pairs = State::case_pairs(&["a", "B", "b", "A"].map(address));
    assert_eq!(
        pairs,
        [(address("B"), address("b")), (address("a"), address("A"))]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn all_records_are_read_whatever_their_number_and_names() {
    let memory = Arc::new(MemoryObjects::new());
    let state = state(&memory).await.unwrap();
    let long = format!("x.\"{}\"", "é/".repeat(80));
    let mut addrs: Vec<String> = (0..3000).map(|at| format!("r[{at}]")).collect();
    addrs.extend([
        long,
        "\"odd name/é\"".to_owned(),
        "A".to_owned(),
        "a".to_owned(),
    ]);
    for addr in &addrs {
        memory.plant(&key_of(addr), record(addr).to_text());
    }
    let records = state.records().await.unwrap();
    assert_eq!(records.len(), addrs.len());
    for addr in addrs {
        let kept = &records[&address(&addr)];
        assert_eq!(
            kept.version,
            state.record(&kept.addr).await.unwrap().unwrap().version
        );
    }
}

fn key_of(addr: &str) -> String {
    format!(
        "resources/{}.json",
        pravo_state::name::encode(&address(addr))
    )
}

#[tokio::test]
async fn fields_of_a_newer_pravo_survive_a_rewrite() {
    let memory = Arc::new(MemoryObjects::new());
    let state = state(&memory).await.unwrap();
    let text = record("a")
        .to_text()
        .replacen('{', "{\n  \"new\": [1.5, {\"z\": 1}],", 1);
    memory.plant("resources/a.json", text);
    let kept = state.record(&address("a")).await.unwrap().unwrap();
    let mut changed = kept.value.clone();
    changed.revision += 1;
    state
        .put_record(&changed, Some(&kept.version))
        .await
        .unwrap();
    let again = state.record(&address("a")).await.unwrap().unwrap();
    assert_eq!(again.rest["new"], json!([1.5, {"z": 1}]));
}

#[tokio::test]
async fn a_write_whose_answer_is_lost_is_read_back() {
    let memory = Arc::new(MemoryObjects::new());
    let state = state(&memory).await.unwrap();
    memory.inject(memory.operations(), Fault::AnswerLost);
    let version = state.put_record(&record("a"), None).await.unwrap();
    memory.inject(memory.operations(), Fault::AnswerLost);
    let mut a = record("a");
    a.revision = 2;
    let version = state.put_record(&a, Some(&version)).await.unwrap();
    memory.inject(memory.operations(), Fault::NotDone);
    a.revision = 3;
    assert!(state.put_record(&a, Some(&version)).await.is_err());
    memory.inject(memory.operations(), Fault::AnswerLost);
    state.delete_record(&a.addr, &version).await.unwrap();
    assert_eq!(state.record(&a.addr).await.unwrap(), None);
}

fn set(name: &str, value: serde_json::Value) -> OutputChanges {
    OutputChanges {
        set: [(name.to_owned(), Output::new(value, false).unwrap())].into(),
        removed: Vec::new(),
    }
}

#[tokio::test]
async fn outputs_of_runs_that_meet_are_all_there() {
    let memory = Arc::new(MemoryObjects::new());
    let state = state(&memory).await.unwrap();
    assert_eq!(state.outputs().await.unwrap(), None);
    state
        .merge_outputs(&OutputChanges::default())
        .await
        .unwrap();
    assert_eq!(memory.contents()["outputs.json"], b"{}\n");
    let mut runs = tokio::task::JoinSet::new();
    for at in 0..20 {
        let state = state.clone();
        runs.spawn(async move {
            let changes = set(&format!("o{at}"), json!(at));
            state.merge_outputs(&changes).await.unwrap();
        });
    }
    runs.join_all().await;
    assert_eq!(state.outputs().await.unwrap().unwrap().0.len(), 20);
    let before = memory.bytes_written();
    state.merge_outputs(&set("o3", json!(3))).await.unwrap();
    assert_eq!(memory.bytes_written(), before);
}

#[tokio::test]
async fn a_run_is_logged_from_its_begin_to_its_end() {
    let memory = Arc::new(MemoryObjects::new());
    let state = state(&memory).await.unwrap();
    let now = World::new().now();
    let mut open = state.begin(run("T1")).await.unwrap();
    let mut other = run("T1");
    other.holder.user = "v".into();
    assert!(state.begin(other).await.is_err());
    open.append(Touched::new(address("b"), Action::Create, 0, 1));
    memory.inject(memory.operations(), Fault::NotDone);
    assert!(open.renew(now).await.is_err());
    memory.inject(memory.operations(), Fault::AnswerLost);
    memory.inject(memory.operations() + 1, Fault::NotDone);
    assert!(open.renew(now).await.is_err());
    open.append(Touched::new(address("a"), Action::Update, 1, 2));
    open.add_error("one");
    open.add_error("two");
    open.finish(Status::Failed, "0 added, 1 changed, 0 destroyed", now)
        .await
        .unwrap();
    let kept = state
        .transaction(&TransactionId::parse("T1").unwrap())
        .await
        .unwrap()
        .unwrap();
    assert_eq!(
        (kept.status, kept.error.as_deref()),
        (Status::Failed, Some("one\ntwo"))
    );
    let changed: Vec<&str> = kept
        .changes
        .iter()
        .map(|change| change.addr.as_str())
        .collect();
    assert_eq!(changed, ["a", "b"]);
}

#[tokio::test]
async fn the_log_is_newest_first_and_may_be_pruned_at_any_time() {
    let memory = Arc::new(MemoryObjects::new());
    let state = state(&memory).await.unwrap();
    let world = World::new();
    for _ in 0..4 {
        let id = TransactionId::make(&world);
        state.log(&run(id.as_str())).await.unwrap();
        world.pass(std::time::Duration::from_millis(1));
    }
    let all = state.transactions(usize::MAX).await.unwrap();
    assert!(all.len() == 4 && all.windows(2).all(|pair| pair[0].id > pair[1].id));
    assert_eq!(state.transactions(2).await.unwrap(), all[..2]);
    let mut open = state.begin(run("z")).await.unwrap();
    let pruned = state.objects().get("txn/z.json").await.unwrap().unwrap();
    state.delete("txn/z.json", &pruned.version).await.unwrap();
    open.finish(Status::Applied, "", world.now()).await.unwrap();
    assert_eq!(
        state.transactions(1).await.unwrap()[0].status,
        Status::Applied
    );
}

/// One run over a state: what it was told is kept, by address.
async fn scripted(
    state: &State,
    steps: &[u8],
    kept: &mut BTreeMap<String, u64>,
) -> Result<(), Error> {
    let mut open = state.begin(run(&format!("t{}", steps.len()))).await?;
    for step in steps {
        let addr = format!("r[{}]", step % 4);
        let found = state.record(&address(&addr)).await?;
        match found {
            Some(found) if step % 3 == 0 => {
                state.delete_record(&found.addr, &found.version).await?;
                kept.remove(&addr);
            }
            found => {
                let revision = found.as_ref().map_or(1, |found| found.revision + 1);
                let next = Record {
                    revision,
                    ..record(&addr)
                };
                state
                    .put_record(&next, found.as_ref().map(|found| &found.version))
                    .await?;
                kept.insert(addr, revision);
            }
        }
    }
    state.merge_outputs(&set("o", json!(steps))).await?;
    open.finish(Status::Applied, "", World::new().now()).await
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..Default::default() })]

    /// Wherever a run dies, the next one opens the state, finds every record that the dead run was
    /// told is kept, at most one write more, and goes on.
    #[test]
    fn a_run_that_dies_loses_nothing_that_was_kept(
        steps in prop::collection::vec(any::<u8>(), 1..12), at in 0_u64..40, lost in any::<bool>(),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        runtime.block_on(async {
            let memory = Arc::new(MemoryObjects::new());
            memory.inject(at, if lost { Fault::AnswerLost } else { Fault::Dead });
            memory.inject(at + 1, Fault::Dead);
            let mut kept = BTreeMap::new();
            if let Ok(state) = state(&memory).await {
                let _ = scripted(&state, &steps, &mut kept).await;
            }
            memory.revive();
            let state = state(&memory).await.unwrap();
            let records = state.records().await.unwrap();
            let found: BTreeMap<String, u64> =
                records.values().map(|r| (r.addr.to_string(), r.revision)).collect();
            let differ = (0..4).map(|at| format!("r[{at}]")).filter(|a| found.get(a) != kept.get(a));
            prop_assert!(differ.count() <= 1);
            state.transactions(usize::MAX).await.unwrap();
            state.outputs().await.unwrap();
            let mut more = steps.clone();
            more.push(0);
            scripted(&state, &more, &mut kept).await.unwrap();
            Ok(())
        })?;
    }
}
