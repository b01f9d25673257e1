//! The allocator of the binary: the one of the system, with large blocks on large pages.
//!
//! An evaluation keeps its values in a few tables that grow to tens of megabytes. On pages of four
//! kilobytes a quarter of the time of a large evaluation went into page faults. Small blocks lie in
//! the heap of the system, which gets large pages once, when the program starts.

#![allow(unsafe_code, reason = "an allocator is an unsafe trait")]

use std::alloc::{GlobalAlloc, Layout, System};

/// The allocator of the system.
pub(crate) struct LargePages;

// SAFETY: every call is handed on unchanged, and what it returns is returned unchanged; advice does
// not change what a block holds.
unsafe impl GlobalAlloc for LargePages {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promises are those that are asked for.
        advised(unsafe { System.alloc(layout) }, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above.
        advised(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(block, layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as above.
        advised(unsafe { System.realloc(block, layout, size) }, size)
    }
}

/// A large page: two megabytes, where the processor has them.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const LARGE_PAGE: usize = 2 << 20;

/// Gives the heap room on large pages, before anything else is done.
///
/// Only addresses are taken, no memory: a page is there once something lies on it. What the heap
/// needs beyond that room it gets as always, and all of it where so many addresses are not to be
/// had.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub(crate) fn reserve() {
    use rustix::mm::{Advice, madvise};
    use std::ffi::c_int;
    /// The room, in bytes of addresses.
    const ROOM: c_int = 1 << 30;
    /// Larger blocks lie outside of the heap, and are given back to the system when they are freed.
    const LARGEST: c_int = 512 << 10;
    /// More than what the heap has room for at first, so that it grows, and less than `LARGEST`.
    const GROWING: usize = 160 << 10;

    // SAFETY: the program has no other thread yet. The first block is given back; the second ends
    // where the large pages begin, and stays, so that the next blocks lie on them. The advice is
    // given to addresses of the heap that hold nothing yet.
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, 2 * LARGE_PAGE as c_int);
        libc::mallopt(libc::M_TRIM_THRESHOLD, c_int::MAX);
        libc::mallopt(libc::M_TOP_PAD, ROOM);
        let block = libc::malloc(GROWING);
        libc::mallopt(libc::M_TOP_PAD, LARGEST);
        if !block.is_null() {
            let size = (block.addr() + GROWING).next_multiple_of(LARGE_PAGE) - block.addr();
            let first = block.wrapping_byte_add(size);
            let room = libc::sbrk(0).addr().saturating_sub(first.addr());
            let _ = madvise(first, room, Advice::LinuxHugepage);
            libc::free(block);
            // Not seen by the compiler, which leaves out a block that nobody uses.
            std::hint::black_box(libc::malloc(size));
        }
        libc::mallopt(libc::M_MMAP_THRESHOLD, LARGEST);
    }
}

/// The heaps of other systems are left as they are.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub(crate) fn reserve() {}

/// Asks for large pages behind a large block.
#[cfg(target_os = "linux")]
fn advised(block: *mut u8, size: usize) -> *mut u8 {
    use rustix::mm::{Advice, madvise};
    /// Blocks of this size and more are worth large pages, which are two megabytes.
    const LARGE: usize = 4 << 20;
    const PAGE: usize = 4096;

    if size >= LARGE && !block.is_null() {
        // Whole pages: a mapping that is advised in part only could not grow in place.
        let before = block.addr() % PAGE;
        let length = (before + size).next_multiple_of(PAGE);
        // SAFETY: the pages are those of the block; advice changes nothing of what they hold, and a
        // kernel without large pages refuses it.
        let _ = unsafe { madvise(block.sub(before).cast(), length, Advice::LinuxHugepage) };
    }
    block
}

/// Other systems choose the size of pages themselves.
#[cfg(not(target_os = "linux"))]
fn advised(block: *mut u8, _: usize) -> *mut u8 {
    block
}
