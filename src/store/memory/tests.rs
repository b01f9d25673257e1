//! The faults of the place in memory.

use super::*;

#[tokio::test]
async fn faults_come_before_or_after_the_work() {
    let memory = MemoryObjects::new();
    memory.inject(0, Fault::NotDone);
    memory.inject(1, Fault::AnswerLost);
    memory.inject(3, Fault::Dead);
    assert!(memory.create("a", b"1".to_vec()).await.is_err());
    assert!(memory.contents().is_empty());
    assert!(memory.create("a", b"1".to_vec()).await.is_err());
    assert_eq!(memory.contents()["a"], b"1");
    assert_eq!(
        memory.create("a", b"2".to_vec()).await.unwrap(),
        Written::Refused
    );
    assert!(memory.get("a").await.is_err());
    assert!(memory.get("a").await.is_err());
    memory.revive();
    assert_eq!(memory.get("a").await.unwrap().unwrap().bytes, b"1");
    assert_eq!((memory.operations(), memory.bytes_written()), (6, 1));
}

#[tokio::test]
async fn cases_fold_where_asked_for() {
    let memory = MemoryObjects::folding_case();
    memory.create("resources/Web", b"1".to_vec()).await.unwrap();
    let again = memory.create("resources/web", b"2".to_vec()).await.unwrap();
    assert_eq!(again, Written::Refused);
    assert_eq!(memory.list("resources/").await.unwrap(), ["resources/Web"]);
}
