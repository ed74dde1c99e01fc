//! Sorts the keys of a large file on one thread, and lays out the sorted text on another.
//!
//! ```text
//! file ──► check again, sort, minify ──► 128 KiB of text at a time ──► check, lay out ──► output
//!          this thread                   (what `fmt -S -c` writes)     second thread
//! ```
//!
//! The second step is more than a third of the time: 0.2 of 0.6 s for 200 MB.

use std::io;
use std::panic::resume_unwind;
use std::sync::mpsc::{Receiver, SyncSender, channel, sync_channel};
use std::thread;

use jsonx_core::engine::Validator;
use jsonx_core::format::{Output, RewriteOptions, Rewriter, Style};

use crate::check::{CheckOptions, Failure, InputKind};
use crate::input::{Input, Strategy, Task, Text};
use crate::output::AnyOutput;
use crate::threads::spawn_helper;

/// Bytes that are handed over at once.
const PIECE: usize = 128 << 10;

/// Pieces that wait at most.
const MAX_PIECES_IN_FLIGHT: usize = 4;

/// Whether a second thread helps with these options. A compact text has its layout when it is sorted.
pub fn pays(rewrite: RewriteOptions, input: &Input) -> bool {
    let is_laid_out = rewrite.style != Style::Compact;
    let is_sorted = rewrite.sort_keys && !rewrite.canonical && is_laid_out;
    is_sorted && input.strategy(Text::Values, Task::SortAndLayOut) == Strategy::Pipeline
}

/// Formats a file that a first pass has found valid. Returns false if there is no second thread, and has done nothing then.
///
/// # Errors
/// Reading or writing fails; `Invalid` if the file has changed since the first pass.
pub fn format(
    check_options: &CheckOptions,
    rewrite: RewriteOptions,
    kind: InputKind,
    input: &mut Input,
    out: &mut (dyn Output<Error = io::Error> + Send),
) -> Result<bool, Failure> {
    let sorted = RewriteOptions::from(Style::Compact).sort_keys(true);
    // What is valid at its depth before is so when it is sorted.
    let options = check_options.engine(kind).max_depth(u64::MAX);
    thread::scope(|scope| {
        let (full, pieces) = sync_channel(MAX_PIECES_IN_FLIGHT);
        let (spent, empty) = channel();
        let lay_out = move || -> Result<(), Failure> {
            let mut validator = Validator::new(options);
            let out: &mut AnyOutput<'_> = out;
            let mut rewriter = Rewriter::new(rewrite.sort_keys(false), out);
            for piece in pieces {
                let Piece::Text(text) = piece else {
                    return Ok(validator.finish(rewriter).map(drop)?);
                };
                validator.write(&text, &mut rewriter)?;
                // Not needed after the last one.
                let _ = spent.send(text);
            }
            // The first step has failed.
            Ok(rewriter.abandon().map(drop)?)
        };
        let Some(second) = spawn_helper(scope, lay_out) else {
            return Ok(false);
        };
        let mut sending = Sending { full, empty };
        let first = super::write(check_options, sorted, kind, input, &mut sending);
        if first.is_ok() {
            // If the second step has ended, it says why.
            let _ = sending.full.send(Piece::End);
        }
        drop(sending);
        second.join().unwrap_or_else(|panic| resume_unwind(panic))?;
        first.map(|()| true)
    })
}

/// A message to the second thread.
enum Piece {
    Text(Vec<u8>),
    /// The text has ended as it should.
    End,
}

/// The output of the first step.
struct Sending {
    full: SyncSender<Piece>,
    /// Buffers to reuse.
    empty: Receiver<Vec<u8>>,
}

impl Output for Sending {
    type Error = io::Error;

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        for piece in bytes.chunks(PIECE) {
            let mut text = self.empty.try_recv().unwrap_or_default();
            text.clear();
            text.try_reserve(piece.len())?;
            text.extend_from_slice(piece);
            let sent = self.full.send(Piece::Text(text));
            // The second step has failed, and says why.
            sent.map_err(|_| io::Error::from(io::ErrorKind::BrokenPipe))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jsonx_core::engine::Options;
    use jsonx_core::format::{Indent, LineEnd};

    /// Fails after some bytes.
    struct Written<'a>(&'a mut Vec<u8>, usize);

    impl Output for Written<'_> {
        type Error = io::Error;

        fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
            if self.0.len() + bytes.len() > self.1 {
                return Err(io::ErrorKind::StorageFull.into());
            }
            self.0.extend_from_slice(bytes);
            Ok(())
        }
    }

    fn options() -> CheckOptions {
        CheckOptions {
            kernel: None,
            max_depth: 10_000,
            rules: [].into(),
            configured: None,
            takes_streams: true,
        }
    }

    fn text() -> String {
        let record = r#"{"name": "é<b>", "at": [{"y": 1, "x": [2.50, {}]}, []], "id": 1, "Id": {"b": 2, "a": 1}}"#;
        format!(
            "{{\"z\": [{0}, {0}], \"a\": [{0}]}}\n",
            [record; 400].join(", ")
        )
    }

    /// Formats a file that has only the first bytes of a text.
    fn formatted(
        text: &str,
        length: usize,
        rewrite: RewriteOptions,
        kind: InputKind,
        room: usize,
    ) -> (Result<bool, Failure>, Vec<u8>) {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), &text[..length]).unwrap();
        let mut input = Input::open(file.path()).unwrap();
        let mut written = Vec::new();
        let mut out = Written(&mut written, room);
        let done = format(&options(), rewrite, kind, &mut input, &mut out);
        (done, written)
    }

    #[test]
    fn two_steps_make_what_one_makes() {
        let pretty = RewriteOptions::default().sort_keys(true);
        for rewrite in [
            pretty,
            pretty.style(Style::Pretty(Indent::Tab)).ascii(true),
            pretty
                .width(Some(60))
                .html_safe(true)
                .line_end(LineEnd::CrLf),
            pretty.final_newline(false),
        ] {
            for (text, kind) in [
                (text(), InputKind::Json),
                (text().repeat(3) + "1 2", InputKind::Stream),
                ("[".repeat(9_999) + &"]".repeat(9_999), InputKind::Json),
            ] {
                let mut whole = Rewriter::new(rewrite, Vec::new());
                let engine: Options = options().engine(kind);
                Validator::new(engine)
                    .check(text.as_bytes(), &mut whole)
                    .unwrap();
                let (done, written) = formatted(&text, text.len(), rewrite, kind, usize::MAX);
                assert!(done.unwrap());
                assert!(written == whole.finish().unwrap(), "{rewrite:?}");
            }
        }
    }

    #[test]
    fn failures_of_either_step_are_told() {
        let rewrite = RewriteOptions::default().sort_keys(true);
        let text = text();
        let (done, _) = formatted(&text, text.len() - 3, rewrite, InputKind::Json, usize::MAX);
        assert!(matches!(done, Err(Failure::Invalid(_))));
        let (done, written) = formatted(&text, text.len(), rewrite, InputKind::Json, 100_000);
        assert!(
            matches!(done, Err(Failure::Write(error)) if error.kind() == io::ErrorKind::StorageFull)
        );
        assert!(written.len() <= 100_000);
    }
}
