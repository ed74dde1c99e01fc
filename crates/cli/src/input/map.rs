//! Reads a regular file through a sliding window: maps a few MiB at a time, and unmaps each window before mapping the next.
//!
//! A file that is truncated while it is mapped raises `SIGBUS` at the first access after its new end. The handler maps zeros
//! over the rest of the window, so that the reader continues, and sets a flag; the window loop checks the flag and the size of
//! the file before it trusts what was read.

#![allow(unsafe_code)]

use std::fs::File;
use std::io;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use memmap2::{Mmap, MmapOptions};

use super::window::{Consume, Ended, Window, skip_mark, truncated};

/// Length of a window in bytes, which determines resident memory. Measured on 0.9 GB in the page cache (AVX-512, best of 12):
/// 0.36 s with 1 MiB and less, 0.28 s with 2, 4 and 16 MiB.
const WINDOW: u64 = 4 << 20;

/// Upper bound of the page size; a mapping starts at a multiple of it.
const LARGEST_PAGE: u64 = 64 * 1024;

/// Passes the bytes `from..to` of a file, whose offset 0 is at `origin`, to `consume` in windows.
///
/// # Errors
/// Errors of `consume`; `UnexpectedEof` if the file became shorter than the bytes passed.
pub fn each_window(
    file: &File,
    origin: u64,
    from: u64,
    to: u64,
    marked: &mut bool,
    consume: &mut Consume<'_>,
) -> io::Result<Ended> {
    let mut at = from;
    loop {
        // Queried again for every window: the file may grow and shrink.
        let end = file.metadata()?.len().saturating_sub(origin).min(to);
        if end == from && at == from {
            return Ok(Ended::Fallback(at));
        }
        // The previous window was not the last one, so the file has shrunk.
        if end <= at {
            return Err(truncated());
        }
        let place = origin + at;
        let page = place - place % LARGEST_PAGE;
        let length = (origin + end - page).min(WINDOW);
        let Some(mapped) = Mapped::new(file, page, length as usize) else {
            return Ok(Ended::Fallback(at));
        };
        let mut bytes = &mapped.bytes()[(place - page) as usize..];
        bytes = skip_mark(bytes, &mut at, marked);
        let last = page + length == origin + end;
        let taken = consume(&Window::of_file(bytes, at, last));
        // Verified before the verdict: the checked bytes may have been our zeros or those of the last page.
        if mapped.was_cut() || file.metadata()?.len() < page + length {
            return Err(truncated());
        }
        let taken = taken?;
        if last {
            return Ok(Ended::Complete);
        }
        debug_assert!(taken.bytes > 0 && taken.bytes <= bytes.len());
        at += taken.bytes as u64;
    }
}

/// Bytes of a file, mapped until this is dropped.
pub struct MappedRange {
    mapped: Mapped,
    /// Number of bytes in the mapping before the range.
    skipped: usize,
    /// The offset in the file after the range.
    end: u64,
}

impl MappedRange {
    /// Maps at most `length` bytes of a file from `from` on. Returns `None` at its end, or if it cannot be mapped.
    pub fn new(file: &File, from: u64, length: u64) -> Option<MappedRange> {
        let end = file.metadata().ok()?.len().min(from + length);
        let page = from - from % LARGEST_PAGE;
        let mapped = Mapped::new(file, page, end.checked_sub(page)? as usize)?;
        let skipped = (from - page) as usize;
        (from < end).then_some(MappedRange {
            mapped,
            skipped,
            end,
        })
    }

    pub fn bytes(&self) -> &[u8] {
        &self.mapped.bytes()[self.skipped..]
    }

    /// Whether the bytes may not be those of the file, because it has become shorter.
    ///
    /// # Errors
    /// Errors of the system.
    pub fn was_cut(&self, file: &File) -> io::Result<bool> {
        Ok(self.mapped.was_cut() || file.metadata()?.len() < self.end)
    }
}

/// A window registered with the `SIGBUS` handler.
struct Mapped {
    map: Mmap,
    watch: &'static Watch,
}

impl Mapped {
    /// Returns `None` if the system refuses, or if too many windows are registered.
    fn new(file: &File, page: u64, length: usize) -> Option<Mapped> {
        install_handler()?;
        let mut options = MmapOptions::new();
        // Populating makes no difference on a system that maps 16 pages around each fault; others fault on every page.
        options.offset(page).len(length).populate();
        // SAFETY: the bytes may be changed by others while we read them. Nothing relies on two reads being equal
        // (every pass checks for itself, nothing is taken for UTF-8 unchecked), and the handler takes care of a
        // file that shrinks.
        let map = unsafe { options.map(file) }.ok()?;
        let watch = Watch::over(&map)?;
        Some(Mapped { map, watch })
    }

    fn bytes(&self) -> &[u8] {
        &self.map
    }

    fn was_cut(&self) -> bool {
        self.watch.cut.load(Ordering::Acquire)
    }
}

impl Drop for Mapped {
    /// Runs before the mapping is removed: a registered address is always ours.
    fn drop(&mut self) {
        self.watch.end.store(0, Ordering::Release);
        self.watch.start.store(0, Ordering::Release);
    }
}

/// The addresses of one open window. Free while `start` is 0.
struct Watch {
    start: AtomicUsize,
    end: AtomicUsize,
    cut: AtomicBool,
}

/// More windows than threads can hold. If no slot is free, the file is read instead.
static WATCHED: [Watch; 256] = [const {
    Watch {
        start: AtomicUsize::new(0),
        end: AtomicUsize::new(0),
        cut: AtomicBool::new(false),
    }
}; 256];

impl Watch {
    fn over(map: &Mmap) -> Option<&'static Watch> {
        let start = map.as_ptr() as usize;
        let watch = WATCHED.iter().find(|watch| {
            watch
                .start
                .compare_exchange(0, start, Ordering::AcqRel, Ordering::Relaxed)
                .is_ok()
        })?;
        watch.cut.store(false, Ordering::Release);
        watch.end.store(start + map.len(), Ordering::Release);
        Some(watch)
    }
}

/// Returns `None` if the system refuses; then nothing may be mapped.
fn install_handler() -> Option<()> {
    static ONCE: Once = Once::new();
    static INSTALLED: AtomicBool = AtomicBool::new(false);
    ONCE.call_once(|| {
        // SAFETY: an all-zero `sigaction` is a valid value (no flags, an empty mask), the handler has the signature
        // that SA_SIGINFO asks for, and it does only what a handler may: atomics and system calls.
        let installed = unsafe {
            let mut action: libc::sigaction = std::mem::zeroed();
            action.sa_sigaction = on_bus_error as *const () as usize;
            action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
            libc::sigaction(libc::SIGBUS, &raw const action, std::ptr::null_mut()) == 0
        };
        INSTALLED.store(installed, Ordering::Release);
    });
    INSTALLED.load(Ordering::Acquire).then_some(())
}

/// Maps zeros from the page that faulted to the end of its window. For a fault elsewhere it restores the default action:
/// the instruction runs again and ends the process as it would have.
extern "C" fn on_bus_error(signal: libc::c_int, info: *mut libc::siginfo_t, _: *mut libc::c_void) {
    // SAFETY: with SA_SIGINFO the system hands a valid `siginfo_t`, and for SIGBUS it holds an address.
    let address = unsafe { (*info).si_addr() } as usize;
    for watch in &WATCHED {
        let (start, end) = (
            watch.start.load(Ordering::Acquire),
            watch.end.load(Ordering::Acquire),
        );
        if start != 0 && (start..end).contains(&address) {
            // SAFETY: MAP_FIXED replaces pages of our own read-only mapping, which stays mapped until its owner,
            // interrupted here or waiting for us, drops it. `mmap` and `sysconf` are plain calls that take no lock,
            // and `errno` is put back because the interrupted code may be about to read it.
            unsafe {
                let errno = *errno_place();
                let page = libc::sysconf(libc::_SC_PAGESIZE) as usize;
                let from = address - address % page;
                let flags = libc::MAP_PRIVATE | libc::MAP_ANON | libc::MAP_FIXED;
                let zeros = libc::mmap(
                    from as *mut libc::c_void,
                    end - from,
                    libc::PROT_READ,
                    flags,
                    -1,
                    0,
                );
                *errno_place() = errno;
                if zeros != libc::MAP_FAILED {
                    watch.cut.store(true, Ordering::Release);
                    return;
                }
            }
        }
    }
    // SAFETY: plain call with a plain constant.
    unsafe { libc::signal(signal, libc::SIG_DFL) };
}

#[cfg(any(target_os = "linux", target_os = "emscripten", target_os = "hurd"))]
unsafe fn errno_place() -> *mut libc::c_int {
    // SAFETY: no conditions.
    unsafe { libc::__errno_location() }
}

#[cfg(any(
    target_vendor = "apple",
    target_os = "freebsd",
    target_os = "dragonfly"
))]
unsafe fn errno_place() -> *mut libc::c_int {
    // SAFETY: no conditions.
    unsafe { libc::__error() }
}

#[cfg(any(target_os = "android", target_os = "openbsd", target_os = "netbsd"))]
unsafe fn errno_place() -> *mut libc::c_int {
    // SAFETY: no conditions.
    unsafe { libc::__errno() }
}

#[cfg(test)]
mod tests {
    use super::super::Consumed;
    use super::*;
    use std::io::ErrorKind;
    use std::io::Write;

    const MIB: usize = 1 << 20;

    fn file_of(bytes: &[u8]) -> File {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(bytes).unwrap();
        file
    }

    /// The bytes of all windows if whole 64-byte blocks are consumed, as by the engine.
    fn collect(file: &File, origin: u64, from: u64, to: u64) -> (Vec<u8>, bool) {
        let (mut all, mut marked) = (Vec::new(), false);
        let ended = each_window(
            file,
            origin,
            from,
            to,
            &mut marked,
            &mut |window| -> io::Result<Consumed> {
                let bytes = window.bytes();
                let take = if window.is_last() {
                    bytes.len()
                } else {
                    bytes.len() & !63
                };
                all.extend_from_slice(&bytes[..take]);
                Ok(take.into())
            },
        );
        assert!(matches!(ended.unwrap(), Ended::Complete));
        (all, marked)
    }

    #[test]
    fn windows_join_to_the_file() {
        let bytes: Vec<u8> = (0..9 * MIB + 77).map(|i| (i * 7 % 251) as u8).collect();
        let file = file_of(&bytes);
        let whole = |(all, marked): (Vec<u8>, bool)| {
            assert!(!marked);
            all
        };
        assert!(whole(collect(&file, 0, 0, u64::MAX)) == bytes);
        assert!(whole(collect(&file, 4097, 0, u64::MAX)) == bytes[4097..]);
        assert!(whole(collect(&file, 5, 100, 5 * MIB as u64 + 1)) == bytes[105..5 * MIB + 6]);
    }

    #[test]
    fn a_byte_order_mark_is_left_out() {
        let mut bytes = b"\xEF\xBB\xBF".to_vec();
        bytes.extend((0..5 * MIB).map(|i| (i % 249) as u8));
        let (all, marked) = collect(&file_of(&bytes), 0, 0, u64::MAX);
        assert!(marked);
        assert!(all == bytes[3..]);
    }

    #[test]
    fn a_file_truncated_under_the_window_is_an_error_and_not_a_signal() {
        for left in [0, 1, 4096, 100_000, WINDOW - 1] {
            let file = file_of(&vec![b' '; 6 * MIB]);
            let ended = each_window(
                &file,
                0,
                0,
                u64::MAX,
                &mut false,
                &mut |window| -> io::Result<Consumed> {
                    file.set_len(left).unwrap();
                    // Touches every page, including lost ones.
                    let spaces = window.bytes().iter().filter(|&&byte| byte == b' ').count();
                    assert!(spaces <= window.bytes().len());
                    Ok((window.bytes().len() & !63).into())
                },
            );
            let error = ended.err().unwrap();
            assert_eq!(error.kind(), ErrorKind::UnexpectedEof, "cut to {left}");
        }
    }

    #[test]
    fn a_file_that_is_cut_behind_the_window_ends_there() {
        let file = file_of(&vec![b' '; 6 * MIB]);
        let mut seen = 0;
        let ended = each_window(
            &file,
            0,
            0,
            u64::MAX,
            &mut false,
            &mut |window| -> io::Result<Consumed> {
                file.set_len(5 * MIB as u64).unwrap();
                seen += window.bytes().len();
                assert_eq!(window.is_last(), seen == 5 * MIB);
                Ok(window.bytes().len().into())
            },
        );
        assert!(matches!(ended.unwrap(), Ended::Complete));
        assert_eq!(seen, 5 * MIB);
    }

    #[test]
    fn cut_windows_of_several_threads_do_not_disturb_one_another() {
        std::thread::scope(|scope| {
            for thread in 0..8 {
                scope.spawn(move || {
                    for round in 0..20 {
                        let file = file_of(&vec![b'x'; MIB]);
                        let cut = (thread + round) % 2 == 0;
                        let ended = each_window(
                            &file,
                            0,
                            0,
                            u64::MAX,
                            &mut false,
                            &mut |window| -> io::Result<Consumed> {
                                if cut {
                                    file.set_len(10).unwrap();
                                }
                                let x = window.bytes().iter().filter(|&&byte| byte == b'x').count();
                                assert_eq!(x == MIB, !cut);
                                Ok(x.into())
                            },
                        );
                        assert_eq!(ended.is_err(), cut);
                    }
                });
            }
        });
    }

    #[test]
    fn unmappable_files_fall_back() {
        let empty = file_of(b"");
        let ended = each_window(&empty, 0, 0, u64::MAX, &mut false, &mut |_| -> io::Result<
            Consumed,
        > {
            unreachable!()
        });
        assert!(matches!(ended.unwrap(), Ended::Fallback(0)));
    }
}
