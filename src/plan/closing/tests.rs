//! The closing lines, word by word.

use super::Summary;

#[test]
fn parts_of_the_graph_line_are_left_out_at_zero_and_planned_never() {
    let mut summary = Summary {
        total: 16,
        ..Summary::default()
    };
    assert_eq!(summary.graph_line(), "Graph: planned 0 of 16.");
    summary.planned = 2;
    summary.skipped = 14;
    summary.within_refresh_age = 16;
    assert_eq!(
        summary.graph_line(),
        "Graph: planned 2 of 16, 14 unchanged and skipped, 16 within refresh age."
    );
    summary.refresh_off = true;
    assert_eq!(
        summary.graph_line(),
        "Graph: planned 2 of 16, 14 unchanged and skipped."
    );
}

#[test]
fn the_sentence_without_changes_promises_what_was_read() {
    let mut summary = Summary::default();
    assert_eq!(
        summary.no_changes_sentence(),
        "No changes. Your infrastructure matches the configuration."
    );
    summary.not_read = 1;
    assert!(summary.no_changes_sentence().ends_with(
        "1 record was not read; run pravo drift to compare it with the infrastructure."
    ));
    summary.not_read = 21;
    assert!(summary.no_changes_sentence().ends_with(
        "21 records were not read; run pravo drift to compare them with the infrastructure."
    ));
    summary.refresh_off = true;
    assert!(
        summary
            .no_changes_sentence()
            .ends_with("Nothing was read from the infrastructure.")
    );
}

#[test]
fn a_transaction_records_every_count() {
    let summary = Summary {
        add: 2,
        destroy: 2,
        planned: 2,
        total: 2,
        moved: 1,
        ..Summary::default()
    };
    assert_eq!(
        summary.recorded(),
        "2 to add, 0 to change, 2 to destroy; 2 of 2 reached, 0 skipped, 0 refreshed, \
         0 within refresh age, 0 not read, 0 ephemeral opened, 0 functions called, \
         0 imported, 1 moved"
    );
    assert_eq!(
        summary.plan_line(),
        "Plan: 2 to add, 0 to change, 2 to destroy."
    );
}
