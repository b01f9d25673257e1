//! Races: of those who start together one gets through, and nobody's death leaves two holders.

use super::*;
use crate::testing::record;
use crate::{DirObjects, Fault};
use proptest::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio::task::JoinSet;

#[tokio::test]
async fn of_those_who_find_a_lock_left_behind_one_reclaims_it() {
    let scene = Scene::new().await;
    for round in 0..20 {
        let dead = scene.command(1000 + round, "u");
        dead.acquire(&address("a"), &apply("T0")).await.unwrap();
        scene.machine.kill(1000 + round);
        let mut racers = JoinSet::new();
        for pid in 1..12 {
            let locker = scene.command(pid, "u");
            racers.spawn(async move { locker.acquire(&address("a"), &apply("T1")).await });
        }
        let mut won: Vec<HeldLock> = racers.join_all().await.into_iter().flatten().collect();
        let held = won.pop().unwrap();
        assert!(won.is_empty());
        scene
            .command(1, "u")
            .release(held, Ending::Done)
            .await
            .unwrap();
    }
}

#[tokio::test(start_paused = true)]
async fn of_runs_that_start_together_one_gets_through_and_no_lock_is_left() {
    for round in 0..10 {
        let scene = Arc::new(Scene::new().await);
        let through = Arc::new(AtomicUsize::new(0));
        let mut runs = JoinSet::new();
        for pid in 1..6_u32 {
            let (scene, through) = (Arc::clone(&scene), Arc::clone(&through));
            runs.spawn(async move {
                let locker = scene.command(pid, "u");
                let names = [
                    format!("n{}", pid % 3),
                    "shared".into(),
                    format!("z{}", pid % 2),
                ];
                let addrs = names.iter().map(|name| address(name)).collect();
                let txn = format!("T{round}-{pid}");
                let Ok(held) = locker.acquire_all(&addrs, &apply(&txn)).await else {
                    return;
                };
                let mut open = scene.begin(&locker, &txn).await;
                through.fetch_add(1, Ordering::Relaxed);
                tokio::time::sleep(Duration::from_secs(20)).await;
                open.finish(Status::Applied, "", scene.now()).await.unwrap();
                locker.release_all(held, Ending::Done).await.unwrap();
            });
        }
        runs.join_all().await;
        assert_eq!(through.load(Ordering::Relaxed), 1, "round {round}");
        assert!(scene.lock_keys().is_empty());
        let loser = scene.command(9, "u");
        assert!(
            loser
                .acquire_all(&set(&["n0", "shared", "z0"]), &apply("T9"))
                .await
                .is_ok()
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_held_node_has_one_writer_in_a_directory() {
    let folder = tempfile::tempdir().unwrap();
    let mut scene = Scene::new().await;
    let objects: Arc<dyn Objects> = Arc::new(DirObjects::new(folder.path(), "state"));
    scene.state = State::open_write(objects, scene.world.as_ref())
        .await
        .unwrap();
    scene.state.put_record(&record("a"), None).await.unwrap();
    let (inside, rounds) = (Arc::new(AtomicUsize::new(0)), 5);
    let mut writers = JoinSet::new();
    for pid in 1..=6 {
        let (locker, inside) = (scene.command(pid, "u"), Arc::clone(&inside));
        writers.spawn(async move {
            for _ in 0..rounds {
                let purpose = Purpose {
                    patience: Duration::from_secs(120),
                    ..Purpose::default()
                };
                let held = locker.acquire_all(&set(&["a"]), &purpose).await.unwrap();
                assert_eq!(inside.fetch_add(1, Ordering::SeqCst), 0);
                let kept = locker.state().record(&address("a")).await.unwrap().unwrap();
                let mut next = kept.value.clone();
                next.revision += 1;
                locker
                    .state()
                    .put_record(&next, Some(&kept.version))
                    .await
                    .unwrap();
                inside.fetch_sub(1, Ordering::SeqCst);
                locker.release_all(held, Ending::Done).await.unwrap();
            }
        });
    }
    writers.join_all().await;
    let kept = scene.state.record(&address("a")).await.unwrap().unwrap();
    assert_eq!(kept.revision, 1 + 6 * rounds);
    assert!(scene.state.locks().await.unwrap().is_empty());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..Default::default() })]

    /// Wherever a run dies among its locks, or its place loses answers, whoever comes next gets
    /// all of them once the process is gone, and none before as far as they were taken.
    #[test]
    fn a_run_that_dies_among_its_locks_stands_in_nobodys_way(
        at in 0_u64..30, second in 0_u64..30, lost in any::<bool>(), reserved in any::<bool>(),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time().start_paused(true).build().unwrap();
        runtime.block_on(async {
            let scene = Scene::new().await;
            let addrs = set(&["a", "b", "c"]);
            let dying = scene.command(1, "u");
            if reserved {
                dying.reserve_all(&set(&["b"]), minutes(10)).await.unwrap();
            }
            let base = scene.memory.operations();
            scene.memory.inject(base + second, if lost { Fault::AnswerLost } else { Fault::NotDone });
            scene.memory.inject(base + at, Fault::Dead);
            if let Ok(held) = dying.acquire_all(&addrs, &apply("T1")).await {
                let _ = dying.release_all(held, Ending::Nothing).await;
            }
            scene.memory.revive();
            let locks = scene.state.locks().await.unwrap();
            let next = scene.command(2, "u");
            prop_assert!(locks.iter().all(|lock| next.standing(lock) == Standing::Live));
            scene.machine.kill(1);
            let held = next.acquire_all(&addrs, &apply("T2")).await.unwrap();
            next.release_all(held, Ending::Done).await.unwrap();
            prop_assert!(scene.lock_keys().is_empty());
            Ok(())
        })?;
    }
}
