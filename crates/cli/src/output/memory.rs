//! An allocator that ends the program with a message if there is no memory.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout};
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};

use super::temporary::remove_all_at_once;
use crate::exit::Exit;

/// Whether an allocation that fails ends the program. Otherwise its caller decides: what reads and writes JSON reports an error
/// for the file; a program in jq's language cannot.
static ENDS: AtomicBool = AtomicBool::new(false);

/// From now on, an allocation that fails ends the program with a message.
#[cfg(feature = "jq")]
pub fn end_without_memory() {
    ENDS.store(true, Ordering::Relaxed);
}

/// Another allocator, and what happens if it fails.
#[derive(Debug)]
pub struct Allocator<A>(pub A);

impl<A> Allocator<A> {
    fn checked(address: *mut u8, size: usize) -> *mut u8 {
        // `swap`: the message may allocate, too.
        if address.is_null() && ENDS.swap(false, Ordering::Relaxed) {
            end(size);
        }
        address
    }
}

// SAFETY: the calls are passed on with their arguments, and the results are those of the other allocator.
unsafe impl<A: GlobalAlloc> GlobalAlloc for Allocator<A> {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as the caller guarantees.
        Self::checked(unsafe { self.0.alloc(layout) }, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as the caller guarantees.
        Self::checked(unsafe { self.0.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn realloc(&self, address: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as the caller guarantees.
        Self::checked(unsafe { self.0.realloc(address, layout, size) }, size)
    }

    unsafe fn dealloc(&self, address: *mut u8, layout: Layout) {
        // SAFETY: as the caller guarantees.
        unsafe { self.0.dealloc(address, layout) }
    }
}

/// Ends the program: reports the failed allocation, and removes temporary files.
#[cold]
fn end(size: usize) -> ! {
    // Without the lock and the buffer of `messages`, which this thread may hold.
    let _ = writeln!(
        std::io::stderr(),
        "jsonx: out of memory: {size} bytes more are needed"
    );
    remove_all_at_once();
    std::process::exit(Exit::Failure as i32)
}
