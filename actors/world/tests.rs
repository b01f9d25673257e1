//! When people hear of a call that takes its time.

use super::next_beat;
use std::time::Duration;

#[test]
fn beats_come_at_10_30_and_60_seconds_and_then_each_minute() {
    let mut beat = Duration::from_secs(10);
    let mut seconds = Vec::new();
    for _ in 0..6 {
        seconds.push(beat.as_secs());
        beat = next_beat(beat);
    }
    assert_eq!(seconds, [10, 30, 60, 120, 180, 240]);
}
