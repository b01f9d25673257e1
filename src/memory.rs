//! The allocator of the binary: the one of the system, with large blocks on large pages.
//!
//! An evaluation keeps its values in a few tables that grow to tens of megabytes. On pages of four
//! kilobytes a quarter of the time of a large evaluation went into page faults.

#![allow(unsafe_code, reason = "an allocator is an unsafe trait")]

use std::alloc::{GlobalAlloc, Layout, System};

/// Blocks of this size and more are worth large pages, which are two megabytes.
const LARGE: usize = 4 << 20;

const PAGE: usize = 4096;

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

/// Asks for large pages behind a large block.
fn advised(block: *mut u8, size: usize) -> *mut u8 {
    #[cfg(target_os = "linux")]
    if size >= LARGE && !block.is_null() {
        use rustix::mm::{Advice, madvise};
        // Whole pages: a mapping that is advised in part only could not grow in place.
        let before = block.addr() % PAGE;
        let length = (before + size).next_multiple_of(PAGE);
        // SAFETY: the pages are those of the block; advice changes nothing of what they hold, and a
        // kernel without large pages refuses it.
        let _ = unsafe { madvise(block.sub(before).cast(), length, Advice::LinuxHugepage) };
    }
    block
}
