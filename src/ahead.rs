//! Pages that are there before they are needed.
//!
//! A table that grows is written from its start to its end. The first write to a page waits until
//! the kernel has cleared it, and on a virtual machine until the host has found room for it: for
//! hundreds of megabytes that takes as long as computing what is written there. A second thread
//! asks for the pages that come next.
//!
//! How far a table is written is seen from its pages: one behind those that were asked for stays
//! untouched, as a mark, and once it is there, the next ones are due. So no more than a part of a
//! table lies there unused.

#![allow(unsafe_code, reason = "it asks the system for pages")]

use crate::memory::LARGE_PAGE;
use rustix::mm::{Advice, madvise};
use std::ffi::c_void;
use std::mem::MaybeUninit;
use std::ptr::{null, null_mut, without_provenance_mut};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Tables of this size and more are followed, in bytes.
const LARGE_TABLE: usize = 4 * LARGE_PAGE;

/// So large are the tables together before it pays, in bytes: a smaller program would have a large
/// part of its memory unused.
const LARGE_PROGRAM: usize = 32 * LARGE_PAGE;

/// How many pages are asked for behind a mark, at least.
const FEW: usize = 3;

/// What part of a table may lie there unused where that is more.
const UNUSED: usize = 10;

/// How many tables are followed at once; the large ones of a program are few.
const MOST: usize = 16;

/// How long the thread waits between two looks, in nanoseconds.
const PAUSE: i64 = 200_000;

/// After so many looks that found nothing to do the thread ends; the next table begins it anew.
const IDLE: usize = 1000;

/// A table that grows; all fields are addresses.
#[derive(Clone, Copy, Debug)]
struct Table {
    /// Its first byte; 0 for none.
    start: usize,
    /// The page that is asked for next, unless it is the mark.
    next: usize,
    /// The page that stays untouched.
    mark: usize,
    /// Behind its last byte.
    end: usize,
}

const NONE: Table = Table {
    start: 0,
    next: 0,
    mark: 0,
    end: 0,
};

static TABLES: Mutex<[Table; MOST]> = Mutex::new([NONE; MOST]);

/// The bytes of all large tables.
static FOLLOWED: AtomicUsize = AtomicUsize::new(0);

static RUNS: AtomicBool = AtomicBool::new(false);

impl Table {
    /// A table whose first bytes are `written`.
    fn new(start: usize, written: usize, size: usize) -> Table {
        let mark = (start + written).next_multiple_of(LARGE_PAGE);
        Table {
            start,
            next: mark,
            mark,
            end: start + size,
        }
    }

    /// The next page to ask for, if it is time for one.
    fn due(&mut self, is_there: impl Fn(usize) -> bool) -> Option<usize> {
        if self.next == self.mark {
            // Pages that are asked for lie wholly within the table.
            if self.mark + LARGE_PAGE > self.end || !is_there(self.mark) {
                return None;
            }
            let pages = FEW.max((self.mark - self.start) / UNUSED / LARGE_PAGE);
            self.next = self.mark + LARGE_PAGE;
            self.mark = (self.next + pages * LARGE_PAGE).min(self.end / LARGE_PAGE * LARGE_PAGE);
        }
        let page = self.next;
        self.next = (page + LARGE_PAGE).min(self.mark);
        (page < self.mark).then_some(page)
    }
}

/// Follows a block that is written from its start to its end, of which the first bytes are
/// `written` already, if it is large.
pub(super) fn follow(block: usize, written: usize, size: usize) {
    if size < LARGE_TABLE {
        return;
    }
    add(Table::new(block, written, size));
    let followed = FOLLOWED.fetch_add(size, Ordering::Relaxed) + size;
    if followed >= LARGE_PROGRAM && has_several_processors() && !RUNS.swap(true, Ordering::AcqRel) {
        begin();
    }
}

/// As [`follow`], but the block is only room for what may come.
pub(super) fn follow_room(block: usize, written: usize, size: usize) {
    add(Table::new(block, written, size));
}

/// The block is about to be given back, or to move.
pub(super) fn forget(block: usize, size: usize) {
    if size >= LARGE_TABLE
        && let Ok(mut tables) = TABLES.lock()
    {
        let known = tables.iter_mut().filter(|t| t.start == block);
        known.for_each(|t| *t = NONE);
        FOLLOWED.fetch_sub(size, Ordering::Relaxed);
    }
}

fn add(table: Table) {
    if let Ok(mut tables) = TABLES.lock()
        && let Some(free) = tables.iter_mut().find(|t| t.start == 0)
    {
        *free = table;
    }
}

fn has_several_processors() -> bool {
    rustix::thread::sched_getaffinity(None).is_ok_and(|set| set.count() > 1)
}

/// Starts the thread; without one everything is as it would be without this file.
fn begin() {
    // SAFETY: the thread runs a function that takes nothing, and nobody waits for its end. The
    // standard library would allocate here, in the middle of an allocation.
    unsafe {
        let mut thread: MaybeUninit<libc::pthread_t> = MaybeUninit::uninit();
        match libc::pthread_create(thread.as_mut_ptr(), null(), watch, null_mut()) {
            0 => drop(libc::pthread_detach(thread.assume_init())),
            _ => RUNS.store(false, Ordering::Release),
        }
    }
}

extern "C" fn watch(_: *mut c_void) -> *mut c_void {
    let mut idle = 0;
    while idle < IDLE {
        // One page of each table at a time, so that none waits for all of the others.
        let asked = (0..MOST).filter_map(due).map(ask).count();
        if asked > 0 {
            idle = 0;
            continue;
        }
        idle += 1;
        let pause = libc::timespec {
            tv_sec: 0,
            tv_nsec: PAUSE,
        };
        // SAFETY: the pause is a time; nothing is written where no rest is asked for.
        unsafe { libc::nanosleep(&raw const pause, null_mut()) };
    }
    RUNS.store(false, Ordering::Release);
    null_mut()
}

fn due(i: usize) -> Option<usize> {
    TABLES.lock().ok()?[i].due(is_there)
}

fn ask(page: usize) {
    if !is_there(page) {
        let page = without_provenance_mut(page);
        // SAFETY: asking for a page changes nothing of what lies there. Where a table was given
        // back in the meantime there is nothing, or another block that is written as well.
        let _ = unsafe { madvise(page, LARGE_PAGE, Advice::LinuxPopulateWrite) };
    }
}

/// Whether a page has memory behind it.
fn is_there(page: usize) -> bool {
    let mut there = 0u8;
    // SAFETY: one byte is written for the one page that is asked about; an address that is not
    // mapped gives an error.
    let asked = unsafe { libc::mincore(without_provenance_mut(page), 1, &raw mut there) };
    asked == 0 && there & 1 == 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// Writes a table page by page; the thread looks as often after each as is said.
    fn written(mut table: Table, looks: usize) -> (BTreeSet<usize>, usize) {
        let mut there: BTreeSet<usize> = BTreeSet::new();
        let (mut asked, mut unused) = (BTreeSet::new(), 0);
        let first = table.mark;
        for page in (first..table.end).step_by(LARGE_PAGE) {
            there.insert(page);
            for _ in 0..looks {
                if let Some(page) = table.due(|p| there.contains(&p)) {
                    assert!(page > first && page + LARGE_PAGE <= table.end);
                    assert!(asked.insert(page), "asked for twice");
                    there.insert(page);
                }
            }
            unused = unused.max(there.range(page + 1..).count());
        }
        (asked, unused)
    }

    #[test]
    fn pages_are_asked_for_before_they_are_written_and_few_are_not_used() {
        let size = 200 * LARGE_PAGE + 5;
        let table = Table::new(7 << 40, 0, size);
        let (asked, unused) = written(table, 2);
        assert!(asked.len() >= 150, "{}", asked.len());
        assert!(unused <= 200 / UNUSED + 1, "{unused}");
    }

    #[test]
    fn a_thread_that_comes_late_goes_on_behind_what_is_written() {
        let mut table = Table::new(LARGE_PAGE, 5, 64 * LARGE_PAGE);
        assert_eq!(table.due(|_| false), None);
        let page = |n: usize| (n + 1) * LARGE_PAGE;
        let asked: Vec<_> = (0..9).map(|_| table.due(|p| p <= page(20))).collect();
        assert_eq!(asked[0], Some(page(2)));
        assert!(
            asked
                .iter()
                .flatten()
                .all(|p| *p != page(1) && *p != page(FEW + 2))
        );
    }

    #[test]
    fn a_table_that_ends_within_a_page_asks_for_no_part_of_it() {
        let table = Table::new(LARGE_PAGE / 2, LARGE_PAGE, 3 * LARGE_PAGE);
        let (asked, _) = written(table, 8);
        assert!(asked.is_empty(), "{asked:?}");
    }

    #[test]
    fn blocks_keep_what_was_written_while_pages_are_asked_for() {
        let mut block: Vec<u64> = Vec::new();
        for i in 0..(6 * LARGE_TABLE / 8) as u64 {
            block.push(i);
        }
        assert!(block.iter().enumerate().all(|(i, x)| i as u64 == *x));
    }
}
