//! Reservations: for one actor, all or none, until they expire.

use super::*;

#[tokio::test(start_paused = true)]
async fn a_reserved_node_is_kept_from_other_actors_only() {
    let scene = Scene::new().await;
    let alice = scene.command(1, "alice");
    let until = alice
        .reserve_all(&set(&["a", "b"]), minutes(10))
        .await
        .unwrap();
    assert_eq!(until, scene.now() + minutes(10));
    scene.machine.kill(1);
    let bob = scene.command(2, "bob");
    let started = tokio::time::Instant::now();
    let refusal = bob
        .acquire_all(&set(&["a", "b", "c"]), &apply("T2"))
        .await
        .unwrap_err();
    assert_eq!(
        refusal.to_string(),
        "a is reserved by alice (pravo apply 1 until 2026-01-01T00:10:00Z, since \
         2026-01-01T00:00:00Z); 1 other node is held as well"
    );
    assert_eq!(started.elapsed(), Duration::ZERO);
    let lock = scene.lock_of("a").await.unwrap();
    assert!(bob.is_reserved_by_other(&lock) && !alice.is_reserved_by_other(&lock));
    assert_eq!(lock.renewed_at, Some(lock.since));
    let apply = scene.command(3, "alice");
    let held = apply
        .acquire_all(&set(&["a", "b"]), &super::apply("T3"))
        .await
        .unwrap();
    apply.release_all(held, Ending::Done).await.unwrap();
    assert!(scene.lock_keys().is_empty(), "his apply ends them");
}

#[tokio::test]
async fn an_own_reservation_outlives_a_rejected_apply_and_a_written_refresh() {
    let scene = Scene::new().await;
    let alice = scene.command(1, "alice");
    alice.reserve_all(&set(&["a"]), minutes(10)).await.unwrap();
    let reserved = scene.lock_of("a").await;
    for ending in [Ending::Nothing, Ending::Written] {
        let held = alice
            .acquire(&address("a"), &Purpose::default())
            .await
            .unwrap();
        assert_eq!(scene.lock_of("a").await.unwrap().kind, LockKind::Lock);
        alice.release(held, ending).await.unwrap();
        assert_eq!(scene.lock_of("a").await, reserved);
    }
    let held = alice
        .acquire(&address("a"), &Purpose::default())
        .await
        .unwrap();
    scene.world.pass(minutes(11));
    alice.release(held, Ending::Nothing).await.unwrap();
    assert!(scene.lock_keys().is_empty(), "it expired in the meantime");
}

#[tokio::test]
async fn own_reservations_are_extended_and_expired_ones_are_free() {
    let scene = Scene::new().await;
    let alice = scene.command(1, "alice");
    alice.reserve_all(&set(&["a"]), minutes(10)).await.unwrap();
    scene.world.pass(minutes(5));
    let until = alice
        .reserve_all(&set(&["a", "b"]), minutes(10))
        .await
        .unwrap();
    assert_eq!(scene.lock_of("a").await.unwrap().expires, Some(until));
    scene.world.pass(minutes(10));
    let bob = scene.command(2, "bob");
    assert!(!bob.is_reserved_by_other(&scene.lock_of("a").await.unwrap()));
    bob.reserve_all(&set(&["a"]), minutes(1)).await.unwrap();
    assert_eq!(scene.lock_of("a").await.unwrap().holder.user, "bob");
    let released = bob.unlock_stale().await.unwrap();
    assert_eq!(released[0].addr.as_str(), "b");
}

#[tokio::test(start_paused = true)]
async fn all_nodes_are_reserved_or_none() {
    let scene = Scene::new().await;
    let bob = scene.command(2, "bob");
    bob.acquire_all(&set(&["c"]), &apply("T2")).await.unwrap();
    scene.begin(&bob, "T2").await;
    let alice = scene.command(1, "alice");
    let refusal = alice
        .reserve_all(&set(&["a", "b", "c"]), minutes(10))
        .await
        .unwrap_err();
    assert!(
        refusal.to_string().starts_with("c is locked by "),
        "{refusal}"
    );
    assert_eq!(scene.lock_keys(), ["locks/c.lock"]);
}

#[tokio::test]
async fn a_reservation_keeps_the_trace_of_a_stopped_apply() {
    let scene = Scene::new().await;
    let one = scene.command(1, "u");
    one.acquire(&address("a"), &apply("T1")).await.unwrap();
    scene.machine.kill(1);
    let alice = scene.command(2, "alice");
    alice.reserve_all(&set(&["a"]), minutes(10)).await.unwrap();
    let lock = scene.lock_of("a").await.unwrap();
    assert_eq!(alice.trace(&lock), Some(&id("T1")));
    assert_eq!(alice.standing(&lock), Standing::Live);
    alice.reserve_all(&set(&["a"]), minutes(10)).await.unwrap();
    let held = alice.acquire(&address("a"), &apply("T2")).await.unwrap();
    assert_eq!(held.inherited(), Some(&id("T1")));
}

#[tokio::test]
async fn by_hand_a_reservation_needs_no_force() {
    let scene = Scene::new().await;
    let alice = scene.command(1, "alice");
    alice.reserve_all(&set(&["a"]), minutes(10)).await.unwrap();
    let bob = scene.command(2, "bob");
    assert!(matches!(
        bob.unlock(&address("a"), false).await.unwrap(),
        Unlocked::Released(_)
    ));
}
