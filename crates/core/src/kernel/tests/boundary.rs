//! Tests that no kernel reads beyond the last byte of a text: the text ends at a page boundary, and the next page is
//! not readable.

use std::ptr;

use super::super::Kernel;
use crate::engine::{
    Chunk, Interest, Mode, Options, Sink, Stop, Validator, Verdict, validate_with,
};
use crate::format::{Formatter, Style};

/// Readable pages, followed by an unreadable one.
struct Pages {
    start: *mut u8,
    readable: usize,
    all: usize,
}

impl Pages {
    fn new(at_least: usize) -> Pages {
        // SAFETY: `sysconf` only returns a number.
        let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) } as usize;
        let readable = at_least.next_multiple_of(page);
        let all = readable + page;
        // SAFETY: maps new memory, to which no other pointer exists.
        let start = unsafe {
            libc::mmap(
                ptr::null_mut(),
                all,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_PRIVATE | libc::MAP_ANON,
                -1,
                0,
            )
        };
        assert_ne!(start, libc::MAP_FAILED);
        let start = start.cast::<u8>();
        // SAFETY: protects the last page of that mapping.
        let closed = unsafe { libc::mprotect(start.add(readable).cast(), page, libc::PROT_NONE) };
        assert_eq!(closed, 0);
        Pages {
            start,
            readable,
            all,
        }
    }

    /// Copies the text to the end of the readable pages.
    fn end_with(&mut self, text: &[u8]) -> &[u8] {
        assert!(text.len() <= self.readable);
        // SAFETY: stays within the readable pages, which are exclusively borrowed through `self`.
        unsafe {
            let to = self.start.add(self.readable - text.len());
            ptr::copy_nonoverlapping(text.as_ptr(), to, text.len());
            std::slice::from_raw_parts(to, text.len())
        }
    }
}

impl Drop for Pages {
    fn drop(&mut self) {
        // SAFETY: unmaps the memory mapped by `new`; no borrow of it is alive.
        unsafe { libc::munmap(self.start.cast(), self.all) };
    }
}

/// Texts of this length: valid ones, and some with an error at the end.
fn texts(length: usize) -> Vec<Vec<u8>> {
    let fill = |begin: &str, middle: &str, end: &str| {
        let room = length.saturating_sub(begin.len() + end.len());
        let middle = middle.repeat(room / middle.len());
        let spaces = " ".repeat(room - middle.len());
        let mut text = (begin.to_owned() + &middle + &spaces + end).into_bytes();
        text.truncate(length);
        text
    };
    vec![
        fill("", " ", "1"),
        fill("\"", "x", "\""),
        fill("\"", "é", "\""),
        fill("\"", "\\u00e9", "\""),
        fill("\"", "\\\\", "\""),
        fill("[", "1,", "1]"),
        fill("[", "-1.5e3 ,", "true]"),
        fill("", "[", ""),
        fill("[{\"a\":1}", ",{\"b\":[]}", "]"),
        fill("{\"a\":1", ",\"b\":2", ",\"a\":12345678901234567}"),
        fill("", "9", ""),
        fill("\"", "\u{10348}", ""),
        fill("", " ", "\\"),
    ]
}

/// Asks for what the lints need.
struct Lints;

impl Sink for Lints {
    type Error = std::convert::Infallible;
    type Output = ();

    fn interest(&self, _: Mode) -> Interest {
        Interest {
            lints: true,
            ..Interest::default()
        }
    }

    fn chunk(&mut self, _: &Chunk<'_>) -> Result<(), Self::Error> {
        Ok(())
    }

    fn finish(self) -> Result<(), Self::Error> {
        Ok(())
    }
}

/// The error offset of a text written to a validator, which checks whole blocks in place.
fn fed<S: Sink>(bytes: &[u8], kernel: Kernel, sink: &mut S) -> Option<u64> {
    let mut validator = Validator::new(Options::default().kernel(kernel));
    let go = || {
        validator.write(bytes, sink)?;
        validator.finish(sink)
    };
    match go() {
        Ok(()) => None,
        Err(Stop::Invalid(error)) => Some(error.offset),
        Err(Stop::Sink(_)) => panic!("the sink has no reason to stop"),
    }
}

#[test]
fn no_byte_after_the_text_is_read() {
    let mut pages = Pages::new(3 << 13);
    let lengths = (0..=256)
        .chain((1 << 13) - 65..=(1 << 13) + 65)
        .chain([3 << 13]);
    for length in lengths {
        for text in texts(length) {
            let expected = validate_with(&text, Options::default().kernel(Kernel::swar()));
            let expected = expected.err().map(|error| error.offset);
            let bytes = pages.end_with(&text);
            for kernel in Kernel::available() {
                let shown = || format!("{kernel:?}, {length} bytes: {:?}", &text[..length.min(30)]);
                let whole = validate_with(bytes, Options::default().kernel(kernel));
                assert_eq!(
                    whole.err().map(|error| error.offset),
                    expected,
                    "{}",
                    shown()
                );
                assert_eq!(fed(bytes, kernel, &mut Verdict), expected, "{}", shown());
                assert_eq!(fed(bytes, kernel, &mut Lints), expected, "{}", shown());
                let mut formatter = Formatter::new(Style::Compact, Vec::new());
                assert_eq!(fed(bytes, kernel, &mut formatter), expected, "{}", shown());
            }
            let special = crate::string::find_special(bytes, 0);
            assert_eq!(special, crate::string::find_special(&text, 0));
            assert_eq!(crate::string::decode(bytes), crate::string::decode(&text));
            assert_eq!(crate::string::end(bytes, 0), crate::string::end(&text, 0));
            let mut lines = crate::position::LineCounter::new();
            lines.feed(bytes);
            assert_eq!(lines.offset(), length as u64);
        }
    }
}
