//! Checks JSON Lines window by window, for commands that write output while they read.

use jsonx_core::engine::{Options, Validator};

use super::line::is_blank;
use crate::check::{Checks, Failure, Findings, moved};
use crate::input::Window;

/// Checks that every line of an input is blank or exactly one value, in constant memory. Other code may read the same windows.
pub struct LineValidator {
    options: Options,
    line: Validator,
    /// Whether the line has only white space so far.
    blank: bool,
    /// Offset in the input of the first unchecked byte; 0 before the first window.
    seen: u64,
    checks: Checks,
    /// Non-blank lines so far.
    records: u64,
}

impl LineValidator {
    /// Creates a check for an input; `options` are those for one value.
    pub fn new(options: Options) -> LineValidator {
        LineValidator {
            line: Validator::new(options),
            options,
            blank: true,
            seen: 0,
            checks: Checks::default(),
            records: 0,
        }
    }

    /// Also runs those `checks` that see tokens, on every line.
    #[must_use]
    pub fn with_checks(self, checks: Checks) -> LineValidator {
        LineValidator { checks, ..self }
    }

    /// Offset of the first finding of the checks so far.
    pub fn first(&self) -> Option<u64> {
        self.checks.first()
    }

    /// Returns the findings of the checks.
    pub fn finish(mut self) -> Findings {
        self.checks.end()
    }

    /// Checks the bytes of a window that were not in earlier windows.
    ///
    /// # Errors
    /// The first line that is not a value, with the offset in the input.
    pub fn push(&mut self, window: &Window<'_>) -> Result<(), Failure> {
        // A window starts beyond `seen` only at the start of the input, after a byte-order mark.
        if self.seen < window.offset() || self.seen == 0 {
            self.seen = self.seen.max(window.offset());
            self.begin_line();
        }
        let mut bytes = &window.bytes()[(self.seen - window.offset()) as usize..];
        while let Some(end) = memchr::memchr(b'\n', bytes) {
            self.write(&bytes[..end])?;
            self.end_line()?;
            self.seen += 1;
            self.begin_line();
            bytes = &bytes[end + 1..];
        }
        self.write(bytes)?;
        if window.is_last() {
            self.end_line()
        } else {
            Ok(())
        }
    }

    /// Checks the next bytes of the current line.
    fn write(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        let origin = self.seen - self.line.offset();
        self.seen += bytes.len() as u64;
        self.blank = self.blank && is_blank(bytes);
        let written = self.line.write(bytes, &mut self.checks);
        written.map_err(|stop| moved(stop.into(), origin))
    }

    fn begin_line(&mut self) {
        self.checks.begin(self.seen, Some(self.records + 1));
    }

    fn end_line(&mut self) -> Result<(), Failure> {
        let origin = self.seen - self.line.offset();
        let line = std::mem::replace(&mut self.line, Validator::new(self.options));
        let ended = line.finish(&mut self.checks);
        let ended = ended.map_err(|stop| moved(stop.into(), origin));
        if std::mem::replace(&mut self.blank, true) {
            Ok(())
        } else {
            self.records += 1;
            ended
        }
    }
}

#[cfg(all(test, unix))]
mod tests;
