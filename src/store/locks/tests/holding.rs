//! Holding: taking, waiting, renewing, losing, reclaiming, giving back, and by hand.

use super::*;
use crate::Fault;
use crate::testing::record;

#[tokio::test]
async fn a_lock_is_there_while_it_is_held() {
    let scene = Scene::new().await;
    let one = scene.command(1, "u");
    let held = one
        .acquire_all(&set(&["b", "a", "c[0]"]), &apply("T1"))
        .await
        .unwrap();
    let addrs: Vec<&str> = held.iter().map(|held| held.lock.addr.as_str()).collect();
    assert_eq!(addrs, ["a", "b", "c[0]"]);
    assert_eq!(
        scene.lock_keys(),
        ["locks/a.lock", "locks/b.lock", "locks/c%005B0%005D.lock"]
    );
    let lock = scene.lock_of("a").await.unwrap();
    assert_eq!((lock.txn, lock.holder.pid), (Some(id("T1")), 1));
    let nonces: BTreeSet<&str> = held.iter().map(|held| held.lock.nonce.as_str()).collect();
    assert_eq!(nonces.len(), 3);
    one.release_all(held, Ending::Done).await.unwrap();
    assert!(scene.lock_keys().is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_run_that_has_begun_rejects_others_at_once_and_the_smallest_address_is_named() {
    let scene = Scene::new().await;
    let one = scene.command(1, "u");
    one.acquire_all(&set(&["b", "c", "d"]), &apply("T1"))
        .await
        .unwrap();
    scene.begin(&one, "T1").await;
    let started = tokio::time::Instant::now();
    let two = scene.command(2, "v");
    let refusal = two
        .acquire_all(&set(&["a", "b", "c", "x"]), &apply("T2"))
        .await
        .unwrap_err();
    assert_eq!(
        refusal.to_string(),
        "b is locked by pravo apply 1 (pid 1 on here, u, since 2026-01-01T00:00:00Z); \
         1 other node is held as well"
    );
    assert_eq!(started.elapsed(), Duration::ZERO);
    assert_eq!(scene.lock_keys().len(), 3, "all were given back");
    let refusal = two
        .acquire_all(&set(&["d"]), &apply("T2"))
        .await
        .unwrap_err()
        .to_string();
    assert!(
        refusal.ends_with(", since 2026-01-01T00:00:00Z)"),
        "{refusal}"
    );
    let free = two.acquire_all(&set(&["a", "x"]), &apply("T2")).await;
    assert_eq!(free.unwrap().len(), 2);
}

#[tokio::test(start_paused = true)]
async fn a_command_that_has_not_begun_is_looked_at_for_three_seconds() {
    let scene = Scene::new().await;
    let one = scene.command(1, "u");
    let held = one.acquire_all(&set(&["a"]), &apply("T1")).await.unwrap();
    let two = scene.command(2, "u");
    let started = tokio::time::Instant::now();
    assert!(two.acquire_all(&set(&["a"]), &apply("T2")).await.is_err());
    assert_eq!(started.elapsed(), Duration::from_secs(3));
    let waiting = two.clone();
    let waiting =
        tokio::spawn(async move { waiting.acquire_all(&set(&["a"]), &apply("T2")).await });
    tokio::time::sleep(Duration::from_secs(1)).await;
    one.release_all(held, Ending::Nothing).await.unwrap();
    let got = waiting.await.unwrap().unwrap();
    assert_eq!(got[0].previous, None);
}

#[tokio::test(start_paused = true)]
async fn patience_waits_for_a_run_as_well() {
    let scene = Scene::new().await;
    let one = scene.command(1, "u");
    let held = one.acquire_all(&set(&["a"]), &apply("T1")).await.unwrap();
    let mut open = scene.begin(&one, "T1").await;
    let two = scene.command(2, "u");
    let purpose = Purpose {
        patience: Duration::from_secs(60),
        ..apply("T2")
    };
    let waiting = tokio::spawn(async move { two.acquire_all(&set(&["a"]), &purpose).await });
    tokio::time::sleep(Duration::from_secs(30)).await;
    open.finish(Status::Applied, "", scene.now()).await.unwrap();
    one.release_all(held, Ending::Done).await.unwrap();
    assert_eq!(waiting.await.unwrap().unwrap().len(), 1);
    let three = scene.command(3, "u");
    let refusal = three.acquire_all(&set(&["a"]), &apply("T3")).await;
    assert!(matches!(refusal, Err(Refusal::Held { others: 0, .. })));
}

#[tokio::test]
async fn a_dead_process_on_this_machine_holds_nothing() {
    let scene = Scene::new().await;
    let one = scene.command(1, "u");
    one.acquire(&address("a"), &apply("T1")).await.unwrap();
    scene.begin(&one, "T1").await;
    scene.machine.kill(1);
    let two = scene.command(2, "u");
    let held = two.acquire(&address("a"), &apply("T2")).await.unwrap();
    assert_eq!(held.inherited(), Some(&id("T1")));
    assert_eq!(scene.lock_of("a").await.unwrap().txn, Some(id("T2")));
}

#[tokio::test]
async fn a_process_elsewhere_is_given_ten_minutes() {
    let scene = Scene::new().await;
    let elsewhere = scene.on_host(Host::new("ci-1"), 1, "u");
    elsewhere
        .acquire(&address("a"), &apply("T1"))
        .await
        .unwrap();
    scene.machine.kill(1);
    scene.world.pass(minutes(9));
    let two = scene.command(2, "u");
    assert!(two.acquire(&address("a"), &apply("T2")).await.is_err());
    scene.world.pass(minutes(2));
    assert!(two.acquire(&address("a"), &apply("T2")).await.is_ok());
}

#[tokio::test]
async fn a_number_in_use_by_another_process_counts_for_ten_minutes_at_most() {
    let scene = Scene::new().await;
    let text = r#"{"addr":"a","pid":9,"host":"here","user":"u","command":"c","nonce":"n",
        "since":"2026-01-01T00:00:00Z","kind":"lock","renewed_at":"2026-01-01T00:00:00Z"}"#;
    scene.memory.plant("locks/a.lock", text);
    let two = scene.command(2, "u");
    assert!(two.acquire(&address("a"), &apply("T2")).await.is_err());
    scene.world.pass(minutes(11));
    assert!(two.acquire(&address("a"), &apply("T2")).await.is_ok());
}

#[tokio::test]
async fn a_renewed_lock_lives_on_and_a_former_holder_changes_nothing() {
    let scene = Scene::new().await;
    let one = scene.on_host(Host::new("ci-1"), 1, "u");
    let mut held = vec![one.acquire(&address("a"), &apply("T1")).await.unwrap()];
    scene.world.pass(minutes(9));
    one.renew_all(&mut held).await.unwrap();
    scene.world.pass(minutes(9));
    let two = scene.command(2, "v");
    assert!(two.acquire(&address("a"), &apply("T2")).await.is_err());
    scene.world.pass(minutes(2));
    two.acquire(&address("a"), &apply("T2")).await.unwrap();
    let after = scene.memory.contents();
    let lost = one.renew_all(&mut held).await.unwrap_err().to_string();
    assert_eq!(
        lost,
        "lock lost: a is now held by pravo apply 2 (pid 2 on here, v)"
    );
    one.release_all(held, Ending::Done).await.unwrap();
    assert_eq!(scene.memory.contents(), after);
}

#[tokio::test]
async fn a_lost_answer_is_no_lost_lock() {
    let scene = Scene::new().await;
    let one = scene.command(1, "u");
    scene
        .memory
        .inject(scene.memory.operations(), Fault::AnswerLost);
    let mut held = one.acquire(&address("a"), &apply("T1")).await.unwrap();
    scene
        .memory
        .inject(scene.memory.operations(), Fault::AnswerLost);
    one.renew(&mut held).await.unwrap();
    // The renewal is done, its answer is lost, and it can't be read back.
    scene.world.pass(minutes(1));
    scene
        .memory
        .inject(scene.memory.operations(), Fault::AnswerLost);
    scene
        .memory
        .inject(scene.memory.operations() + 1, Fault::NotDone);
    let unsure = one.renew(&mut held).await.unwrap_err();
    assert!(matches!(unsure, LockLost::Unconfirmed(_)), "{unsure}");
    scene.world.pass(minutes(1));
    one.renew(&mut held).await.unwrap();
    scene
        .memory
        .inject(scene.memory.operations(), Fault::AnswerLost);
    one.release(held, Ending::Done).await.unwrap();
    assert!(scene.lock_keys().is_empty());
}

#[tokio::test]
async fn what_a_stopped_apply_left_is_put_back_by_one_that_did_nothing() {
    let scene = Scene::new().await;
    let one = scene.command(1, "u");
    one.acquire_all(&set(&["a", "b"]), &apply("T1"))
        .await
        .unwrap();
    scene.begin(&one, "T1").await;
    scene.machine.kill(1);
    let left = scene.lock_of("a").await;
    let two = scene.command(2, "u");
    let held = two.acquire_all(&set(&["a"]), &apply("T2")).await.unwrap();
    two.release_all(held, Ending::Nothing).await.unwrap();
    assert_eq!(scene.lock_of("a").await, left);
    assert_eq!(two.trace(&left.unwrap()), Some(&id("T1")));
    // A plan that is killed at the instant of its write leaves the trace as well.
    let plan = scene.command(3, "u");
    let held = plan
        .acquire(&address("a"), &Purpose::default())
        .await
        .unwrap();
    assert_eq!(scene.lock_of("a").await.unwrap().txn, Some(id("T1")));
    plan.release(held, Ending::Written).await.unwrap();
    assert_eq!(scene.lock_of("a").await, None);
}

#[tokio::test]
async fn a_plan_that_does_not_know_of_a_stopped_apply_is_refused() {
    let scene = Scene::new().await;
    let one = scene.command(1, "u");
    one.acquire(&address("a"), &apply("T1")).await.unwrap();
    scene.machine.kill(1);
    let two = scene.command(2, "u");
    let knows = |txns: &[&str]| Purpose {
        inherit: Inherit::Only(txns.iter().map(|txn| id(txn)).collect()),
        ..apply("T2")
    };
    let refusal = two
        .acquire_all(&set(&["a"]), &knows(&[]))
        .await
        .unwrap_err();
    let want = "a was left locked by an apply that stopped (txn T1)";
    assert_eq!(refusal.to_string(), want);
    assert!(two.acquire_all(&set(&["a"]), &knows(&["T1"])).await.is_ok());
}

#[tokio::test]
async fn a_run_is_interrupted_when_neither_process_nor_lock_lives() {
    let scene = Scene::new().await;
    let one = scene.on_host(Host::new("ci-1"), 1, "u");
    let mut held = vec![one.acquire(&address("a"), &apply("T1")).await.unwrap()];
    let open = scene.begin(&one, "T1").await;
    let two = scene.command(2, "u");
    scene.world.pass(minutes(9));
    one.renew_all(&mut held).await.unwrap();
    scene.world.pass(minutes(5));
    let locks = scene.state.locks().await.unwrap();
    assert!(!two.is_interrupted(open.transaction(), &locks));
    scene.world.pass(minutes(6));
    assert!(two.is_interrupted(open.transaction(), &locks));
}

#[tokio::test]
async fn by_hand_a_live_lock_needs_force_and_the_next_plan_still_reads() {
    let scene = Scene::new().await;
    let mut kept = record("a");
    kept.refreshed_at = Some(scene.now());
    scene.state.put_record(&kept, None).await.unwrap();
    let one = scene.command(1, "u");
    one.acquire_all(&set(&["a", "b"]), &apply("T1"))
        .await
        .unwrap();
    let two = scene.command(2, "u");
    let addr = address("a");
    assert_eq!(
        two.unlock(&address("x"), false).await.unwrap(),
        Unlocked::Free
    );
    assert!(matches!(
        two.unlock(&addr, false).await.unwrap(),
        Unlocked::Live(_)
    ));
    assert!(matches!(
        two.unlock(&addr, true).await.unwrap(),
        Unlocked::Released(_)
    ));
    let read = scene.state.record(&addr).await.unwrap().unwrap();
    assert_eq!((read.refreshed_at, read.revision), (None, 1));
    assert!(two.unlock_stale().await.unwrap().is_empty());
    scene.machine.kill(1);
    let released = two.unlock_stale().await.unwrap();
    assert_eq!(released[0].addr.as_str(), "b");
    assert!(scene.lock_keys().is_empty());
}

#[tokio::test]
async fn a_broken_lock_is_named_and_force_removes_it() {
    let scene = Scene::new().await;
    scene.memory.plant("locks/a.lock", "");
    let one = scene.command(1, "u");
    let refusal = one
        .acquire(&address("a"), &apply("T1"))
        .await
        .unwrap_err()
        .to_string();
    assert!(
        refusal.starts_with("memory/locks/a.lock is empty"),
        "{refusal}"
    );
    assert!(one.unlock(&address("a"), false).await.is_err());
    one.unlock(&address("a"), true).await.unwrap();
    assert!(one.acquire(&address("a"), &apply("T1")).await.is_ok());
}

#[tokio::test]
async fn a_lock_ahead_of_the_clock_needs_no_force() {
    let scene = Scene::new().await;
    scene.world.pass(minutes(60));
    let one = scene.on_host(Host::new("ci-1"), 1, "u");
    one.acquire(&address("a"), &apply("T1")).await.unwrap();
    let behind = Scene {
        world: Arc::new(World::new()),
        ..scene
    };
    let two = behind.command(2, "u");
    let lock = behind.lock_of("a").await.unwrap();
    assert_eq!(two.standing(&lock), Standing::ClockAhead);
    assert!(two.acquire(&address("a"), &apply("T2")).await.is_err());
    assert!(matches!(
        two.unlock(&address("a"), false).await.unwrap(),
        Unlocked::Released(_)
    ));
}
