//! Pages that are there before they are needed.
//!
//! A table that grows is written from its start to its end. The first write to a page waits until
//! the kernel has cleared it, and on a virtual machine until the host has found room for it: for
//! hundreds of megabytes that takes as long as computing what is written there. A second thread
//! asks for the pages that come next.
//!
//! How far a table is written is seen from what lies there: pages that were asked for hold zeros
//! until something else is written. The kernel reads them for the thread, so that it matters not
//! whether they are written or given back meanwhile. A page that begins with zeros all the same is
//! no loss but of time.

#![allow(unsafe_code, reason = "it asks the system for pages")]

use crate::memory::LARGE_PAGE;
use rustix::mm::{Advice, madvise};
use std::ffi::{c_int, c_void};
use std::mem::MaybeUninit;
use std::ptr::{null, null_mut, without_provenance_mut};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Tables of this size and more are followed, in bytes.
const LARGE_TABLE: usize = 4 * LARGE_PAGE;

/// So large are the tables together before it pays, in bytes: a smaller program would have a large
/// part of its memory unused.
const LARGE_PROGRAM: usize = 20 * LARGE_PAGE;

/// How many pages of a table lie there before they are written.
const LEAD: usize = 2;

/// How many bytes of a page are looked at.
const SEEN: usize = 256;

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
    /// The first page that is wholly unwritten at first.
    first: usize,
    /// The page that is asked for next.
    next: usize,
    /// Behind its last byte.
    end: usize,
}

const NONE: Table = Table {
    start: 0,
    first: 0,
    next: 0,
    end: 0,
};

static TABLES: Mutex<[Table; MOST]> = Mutex::new([NONE; MOST]);

/// The bytes of all large tables.
static FOLLOWED: AtomicUsize = AtomicUsize::new(0);

static RUNS: AtomicBool = AtomicBool::new(false);

/// What the thread can see of pages.
trait Look {
    /// Whether a page has memory behind it.
    fn is_there(&self, page: usize) -> bool;
    /// Whether a page that has memory behind it is written.
    fn is_written(&self, page: usize) -> bool;
}

impl Table {
    /// A table whose first bytes are `written`.
    fn new(start: usize, written: usize, size: usize) -> Table {
        let first = (start + written).next_multiple_of(LARGE_PAGE);
        Table {
            start,
            first,
            next: first,
            end: start + size,
        }
    }

    /// The next page to ask for, if it is time for one.
    fn due(&mut self, look: &impl Look) -> Option<usize> {
        // Pages that are asked for lie wholly within the table.
        if self.start == 0 || self.next + LARGE_PAGE > self.end {
            return None;
        }
        let written = |page| look.is_there(page) && look.is_written(page);
        let behind = self.next.saturating_sub(LEAD * LARGE_PAGE);
        let reached = match behind < self.first {
            // A new table may stay empty; one that grows is written at once.
            true => self.first > self.start.next_multiple_of(LARGE_PAGE) || self.next > self.first,
            false => (behind..self.next).step_by(LARGE_PAGE).any(written),
        };
        if !reached && !look.is_there(self.next) {
            return None;
        }
        self.next += LARGE_PAGE;
        Some(self.next - LARGE_PAGE)
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
    // SAFETY: the path ends with a zero; a file that is not to be had is a negative number.
    let memory =
        unsafe { libc::open(c"/proc/self/mem".as_ptr(), libc::O_RDONLY | libc::O_CLOEXEC) };
    if memory < 0 {
        // Stays begun: it would be no better the next time.
        return null_mut();
    }
    let eye = Eye { memory };
    let mut idle = 0;
    while idle < IDLE {
        // One page of each table at a time, so that none waits for all of the others.
        let due = |i: usize| TABLES.lock().ok()?[i].due(&eye);
        let asked = (0..MOST).filter_map(due).map(|page| eye.ask(page)).count();
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
    // SAFETY: the file is open, and nobody else has it.
    unsafe { libc::close(memory) };
    RUNS.store(false, Ordering::Release);
    null_mut()
}

/// Sees the pages of this process.
struct Eye {
    /// The memory of the process as an open file.
    memory: c_int,
}

impl Eye {
    fn ask(&self, page: usize) {
        if !self.is_there(page) {
            let page = without_provenance_mut(page);
            // SAFETY: asking for a page changes nothing of what lies there. Where a table was given
            // back in the meantime there is nothing, or another block that is written as well.
            let _ = unsafe { madvise(page, LARGE_PAGE, Advice::LinuxPopulateWrite) };
        }
    }
}

impl Look for Eye {
    fn is_there(&self, page: usize) -> bool {
        let mut there = 0u8;
        // SAFETY: one byte is written for the one page that is asked about; an address that is not
        // mapped gives an error.
        let asked = unsafe { libc::mincore(without_provenance_mut(page), 1, &raw mut there) };
        asked == 0 && there & 1 == 1
    }

    fn is_written(&self, page: usize) -> bool {
        let mut seen = [0u8; SEEN];
        let to = seen.as_mut_ptr().cast();
        // SAFETY: no more bytes are written than there is room for; an address that is not mapped
        // gives an error.
        let read = unsafe { libc::pread(self.memory, to, SEEN, page as libc::off_t) };
        read > 0 && seen.iter().any(|b| *b != 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::{BTreeMap, BTreeSet};

    /// Pages that are there, and whether they are written.
    #[derive(Default)]
    struct Pages(BTreeMap<usize, bool>);

    impl Look for Pages {
        fn is_there(&self, page: usize) -> bool {
            self.0.contains_key(&page)
        }

        fn is_written(&self, page: usize) -> bool {
            self.0[&page]
        }
    }

    /// Writes a table page by page; the thread looks as often after each as is said. The pages that
    /// were asked for, and how many of them were unwritten at most.
    fn written(mut table: Table, looks: usize) -> (BTreeSet<usize>, usize) {
        let (mut pages, mut asked, mut unused) = (Pages::default(), BTreeSet::new(), 0);
        let first = table.first;
        for page in (first..table.end).step_by(LARGE_PAGE) {
            pages.0.insert(page, true);
            for _ in 0..looks {
                if let Some(page) = table.due(&pages) {
                    assert!(page >= first && page + LARGE_PAGE <= table.end);
                    if !pages.is_there(page) {
                        assert!(asked.insert(page), "asked for twice");
                        pages.0.insert(page, false);
                    }
                }
            }
            unused = unused.max(pages.0.values().filter(|written| !*written).count());
        }
        (asked, unused)
    }

    #[test]
    fn pages_are_asked_for_before_they_are_written_and_few_are_not_used() {
        let size = 200 * LARGE_PAGE + 5;
        let (asked, unused) = written(Table::new(7 << 40, 0, size), 3);
        assert_eq!((asked.len(), unused), (199, LEAD));
        let (asked, unused) = written(Table::new(7 << 40, 50 * LARGE_PAGE, size), 3);
        assert_eq!((asked.len(), unused), (149, LEAD));
    }

    #[test]
    fn a_thread_that_comes_late_goes_on_behind_what_is_written() {
        let mut table = Table::new(LARGE_PAGE, 0, 64 * LARGE_PAGE);
        let mut pages = Pages::default();
        assert_eq!(table.due(&pages), None);
        pages.0.extend((1..=20).map(|n| (n * LARGE_PAGE, true)));
        let due = std::iter::from_fn(|| {
            let page = table.due(&pages)?;
            pages.0.entry(page).or_insert(false);
            Some(page / LARGE_PAGE)
        });
        assert_eq!(due.collect::<Vec<_>>(), (1..=20 + LEAD).collect::<Vec<_>>());
    }

    #[test]
    fn pages_that_begin_with_zeros_are_passed_once_the_next_one_is_there() {
        let mut table = Table::new(LARGE_PAGE, 0, 64 * LARGE_PAGE);
        let mut pages = Pages::default();
        pages.0.extend((1..=5).map(|n| (n * LARGE_PAGE, n == 5)));
        let due = std::iter::from_fn(|| {
            let page = table.due(&pages)?;
            pages.0.entry(page).or_insert(false);
            Some(page / LARGE_PAGE)
        });
        assert_eq!(due.last(), Some(5 + LEAD));
    }

    #[test]
    fn what_is_written_is_seen() {
        // SAFETY: as in the thread.
        let memory = unsafe { libc::open(c"/proc/self/mem".as_ptr(), libc::O_RDONLY) };
        let eye = Eye { memory };
        let mut block = vec![0u8; LARGE_TABLE];
        let page = block.as_ptr().addr().next_multiple_of(LARGE_PAGE);
        let at = page - block.as_ptr().addr();
        block[at + SEEN] = 1;
        std::hint::black_box(&mut block);
        assert!(eye.is_there(page) && !eye.is_written(page));
        block[at + SEEN - 1] = 1;
        std::hint::black_box(&mut block);
        assert!(eye.is_written(page));
        // SAFETY: as in the thread.
        unsafe { libc::close(memory) };
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
