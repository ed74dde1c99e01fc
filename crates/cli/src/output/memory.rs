//! An allocator that ends the program with a message if there is no memory.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout};
use std::cell::Cell;
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::temporary::remove_all_at_once;
use crate::exit::Exit;
use crate::system;

/// Another allocator, and what happens if it fails.
#[derive(Debug)]
pub struct Allocator<A>(pub A);

thread_local! {
    /// A failure is an answer: this thread asks whether there is memory. Has no destructor and takes no allocation.
    static ASKS: Cell<bool> = const { Cell::new(false) };
}

/// Whether there is memory for this many bytes, for what can be done without.
pub fn has_memory(bytes: u64) -> bool {
    ASKS.set(true);
    let reserved = Vec::<u8>::new().try_reserve_exact(bytes as usize);
    ASKS.set(false);
    reserved.is_ok()
}

impl<A> Allocator<A> {
    fn checked(address: *mut u8, size: usize) -> *mut u8 {
        if address.is_null() && !ASKS.get() {
            out_of_memory(size);
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

/// Ends the program: reports that this many bytes are not there, and removes temporary files.
#[cold]
pub fn out_of_memory(size: usize) -> ! {
    static ENDS: AtomicBool = AtomicBool::new(false);
    if ENDS.swap(true, Ordering::Relaxed) {
        // Another thread is ending it, or this one, which needed memory for that.
        std::thread::sleep(Duration::from_secs(1));
    } else {
        // Neither allocates nor takes a lock, which this thread may hold.
        let mut line = [0; 80];
        let mut rest = &mut line[..];
        let _ = writeln!(rest, "jsonx: out of memory: {size} bytes more are needed");
        let unused = rest.len();
        system::write_error(&line[..line.len() - unused]);
        remove_all_at_once();
    }
    system::exit_at_once(Exit::Failure as i32)
}
