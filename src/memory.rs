//! The allocator of the binary: the one of the system, on large pages.
//!
//! An evaluation keeps its values in a few tables that grow to tens of megabytes, and in many small
//! blocks. On pages of four kilobytes a quarter of the time of an evaluation went into page faults.
//! Large blocks are mappings of their own, which grow without being copied; everything else lies in
//! the heap of the system, which gets large pages once, when the program starts.

#![allow(unsafe_code, reason = "an allocator is an unsafe trait")]

#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub(crate) use large::{Allocator, LARGE_PAGE, reserve};

/// The allocator of the system.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub(crate) use std::alloc::System as Allocator;

/// The heaps of other systems are left as they are.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub(crate) fn reserve() {}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
mod large {
    use crate::ahead;
    use rustix::mm::{Advice, MapFlags, MremapFlags, ProtFlags, madvise, mmap_anonymous, mremap};
    use std::alloc::{GlobalAlloc, Layout, System};
    use std::ffi::c_int;
    use std::ptr::{copy_nonoverlapping, null_mut};

    /// A large page, where the processor has them.
    pub(crate) const LARGE_PAGE: usize = 2 << 20;

    /// Blocks of this size and more are mappings of their own.
    const LARGE_BLOCK: usize = 2 * LARGE_PAGE;

    const PAGE: usize = 4096;

    /// Gives the heap room on large pages, before anything else is done.
    ///
    /// Only addresses are taken, no memory: a page is there once something lies on it. What the
    /// heap needs beyond that room it gets as always, and all of it where so many addresses are not
    /// to be had.
    pub(crate) fn reserve() {
        /// The room, in bytes of addresses.
        const ROOM: c_int = 1 << 30;
        /// More than what the heap has room for at first, so that it grows.
        const GROWING: usize = 160 << 10;
        /// Large pages that come first, in bytes.
        const AT_FIRST: usize = 2 * LARGE_PAGE;
        /// Small pages behind them, in bytes: what a small evaluation needs beyond the first would
        /// fill only a part of a large one.
        const BETWEEN: usize = LARGE_PAGE;
        /// By how much a heap grows otherwise.
        const USUAL: c_int = 128 << 10;

        // SAFETY: the program has no other thread yet. The first block is given back; the second
        // ends where the large pages begin, and stays, so that the next blocks lie on them. The
        // advice is given to addresses of the heap that hold nothing yet.
        unsafe {
            libc::mallopt(libc::M_MMAP_THRESHOLD, LARGE_BLOCK as c_int);
            libc::mallopt(libc::M_TRIM_THRESHOLD, c_int::MAX);
            libc::mallopt(libc::M_TOP_PAD, ROOM);
            let block = libc::malloc(GROWING);
            libc::mallopt(libc::M_TOP_PAD, USUAL);
            if !block.is_null() {
                let size = (block.addr() + GROWING).next_multiple_of(LARGE_PAGE) - block.addr();
                let first = block.wrapping_byte_add(size);
                let room = libc::sbrk(0).addr().saturating_sub(first.addr());
                for (from, to) in [(0, AT_FIRST), (AT_FIRST + BETWEEN, room)] {
                    let block = first.wrapping_byte_add(from);
                    let size = to.min(room).saturating_sub(from);
                    let _ = madvise(block, size, Advice::LinuxHugepage);
                }
                ahead::follow_room(first.addr(), AT_FIRST + BETWEEN, room);
                libc::free(block);
                // Not seen by the compiler, which leaves out a block that nobody uses.
                std::hint::black_box(libc::malloc(size));
            }
        }
    }

    /// The allocator of the system for small blocks, mappings for large ones.
    pub(crate) struct Allocator;

    /// Whether a block of that layout is a mapping. Mappings begin with a page.
    fn is_mapping(layout: Layout) -> bool {
        layout.size() >= LARGE_BLOCK && layout.align() <= PAGE
    }

    // SAFETY: a layout says which of the two a block is from, and blocks that change from one to
    // the other are copied. Mappings hold zeros, and are as long as was asked for at least.
    unsafe impl GlobalAlloc for Allocator {
        unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
            match is_mapping(layout) {
                true => map(layout.size()),
                // SAFETY: the caller's promises are those that are asked for, here and below.
                false => unsafe { System.alloc(layout) },
            }
        }

        unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
            match is_mapping(layout) {
                true => map(layout.size()),
                // SAFETY: as above.
                false => unsafe { System.alloc_zeroed(layout) },
            }
        }

        unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
            match is_mapping(layout) {
                true => {
                    ahead::forget(block.addr(), layout.size());
                    // SAFETY: the block is a mapping of that length.
                    let _ = unsafe { rustix::mm::munmap(block.cast(), pages(layout.size())) };
                }
                // SAFETY: as above.
                false => unsafe { System.dealloc(block, layout) },
            }
        }

        unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
            // SAFETY: the caller promises that the size is one of a layout.
            let new = unsafe { Layout::from_size_align_unchecked(size, layout.align()) };
            match (is_mapping(layout), is_mapping(new)) {
                // SAFETY: as above.
                (false, false) => unsafe { System.realloc(block, layout, size) },
                // SAFETY: the block is a mapping of that length.
                (true, true) => unsafe { remap(block, layout.size(), size) },
                _ => {
                    // SAFETY: the new block holds what both sizes have, and the old one is not used
                    // again.
                    unsafe {
                        let to = self.alloc(new);
                        if !to.is_null() {
                            copy_nonoverlapping(block, to, size.min(layout.size()));
                            self.dealloc(block, layout);
                        }
                        to
                    }
                }
            }
        }
    }

    fn pages(size: usize) -> usize {
        size.next_multiple_of(PAGE)
    }

    fn map(size: usize) -> *mut u8 {
        let access = ProtFlags::READ | ProtFlags::WRITE;
        // SAFETY: the kernel chooses where the mapping lies.
        let made = unsafe { mmap_anonymous(null_mut(), pages(size), access, MapFlags::PRIVATE) };
        made.map_or(null_mut(), |block| advised(block.cast(), 0, size))
    }

    /// # Safety
    /// The block is a mapping of `before` bytes, and is not used again unless null is returned.
    unsafe fn remap(block: *mut u8, before: usize, size: usize) -> *mut u8 {
        ahead::forget(block.addr(), before);
        // SAFETY: the caller promises it.
        let made = unsafe {
            mremap(
                block.cast(),
                pages(before),
                pages(size),
                MremapFlags::MAYMOVE,
            )
        };
        made.map_or(null_mut(), |block| advised(block.cast(), before, size))
    }

    /// Asks for large pages behind a mapping, of which the first bytes are `written`.
    fn advised(block: *mut u8, written: usize, size: usize) -> *mut u8 {
        // SAFETY: the pages are those of the mapping; advice changes nothing of what they hold, and
        // a kernel without large pages refuses it.
        let _ = unsafe { madvise(block.cast(), pages(size), Advice::LinuxHugepage) };
        ahead::follow(block.addr(), written, size);
        block
    }
}
