//! What a failing place did not take, and how it comes back.

use super::*;
use crate::testing::{World, address, record};
use crate::{MemoryObjects, Objects};
use pravo_state::{Attributes, Outside as _};
use std::os::unix::fs::PermissionsExt as _;
use std::sync::Arc;

fn recovery() -> Recovery {
    let mut changed = record("a");
    changed.revision = 2;
    changed.attributes = Attributes::parse(r#"{"id":"s3cret","n":1.50}"#).unwrap();
    let at = |count| Revision {
        count,
        generation: None,
    };
    let write = |addr: &str, count, record| Refused {
        addr: address(addr),
        expects: at(count),
        record,
    };
    Recovery {
        txn: TransactionId::parse("T1").unwrap(),
        lineage: "l".into(),
        created: World::new().now(),
        writes: vec![
            write("a", 1, Some(changed)),
            write("b", 1, None),
            write("c", 0, Some(record("c"))),
        ],
    }
}

#[test]
fn the_file_is_private_and_reads_back() {
    let folder = tempfile::tempdir().unwrap();
    let path = recovery().save(folder.path()).unwrap();
    assert_eq!(path.file_name().unwrap(), "pravo.recovery-T1.json");
    assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(
        Recovery::parse(&std::fs::read(&path).unwrap()).unwrap(),
        recovery()
    );
    recovery().save(folder.path()).unwrap();
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    assert!(recovery().save(&folder.path().join("none")).is_err());
}

#[test]
fn broken_and_newer_files_are_refused() {
    let text = recovery().to_text();
    assert!(Recovery::parse(&text.as_bytes()[..50]).is_err());
    let newer = text.replacen("\"format\": 1", "\"format\": 2", 1);
    let error = Recovery::parse(newer.as_bytes()).unwrap_err();
    assert_eq!(error, "was written by a newer pravo (format 2)");
}

#[tokio::test]
async fn a_write_is_put_back_only_over_what_the_run_found() {
    let memory: Arc<dyn Objects> = Arc::new(MemoryObjects::new());
    let state = State::open_write(memory, &World::new()).await.unwrap();
    for addr in ["a", "b"] {
        state.put_record(&record(addr), None).await.unwrap();
    }
    for want in [PutBack::Done, PutBack::Already] {
        for write in &recovery().writes {
            assert_eq!(state.put_back(write).await.unwrap(), want, "{}", write.addr);
        }
    }
    let records = state.records().await.unwrap();
    assert_eq!(records.len(), 2);
    assert_eq!(records[&address("a")].revision, 2);
    let mut other = records[&address("a")].value.clone();
    other.revision = 3;
    state
        .put_record(&other, Some(&records[&address("a")].version))
        .await
        .unwrap();
    let moved = state.put_back(&recovery().writes[0]).await.unwrap();
    assert_eq!(moved, PutBack::Moved { found: other.at() });
}
