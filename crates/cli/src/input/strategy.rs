//! Chooses the strategy for an input: one function of the facts known before the first byte is read.
//!
//! A test below has them as a table.
//!
//! In a worker, which is one of several anyway, the number of threads is one. No result depends on the strategy.

use std::num::NonZeroUsize;

use jsonx_core::jsonc::Dialect;

use super::InputKind;

/// The source of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SourceKind {
    /// A regular file of this length in bytes.
    File(u64),
    /// Anything that can be read only once.
    Stream,
}

/// The task of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Task {
    /// Its windows are read for any other purpose.
    Windows,
    /// It is validated, and linted or checked with a schema if that is asked for.
    Checks,
    /// Each line is checked, and findings are collected.
    Records,
    /// Values are looked up.
    LookUp,
    /// The elements of a large array are processed in batches.
    #[cfg_attr(not(feature = "jq"), allow(dead_code))]
    Elements,
    /// It is formatted.
    Format,
    /// The second pass of formatting, after one that made this many checkpoints, 256 KiB apart.
    Resume { checkpoints: usize },
}

/// A strategy for processing an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    /// One thread, window by window.
    Windows,
    /// Windows that a second thread reads ahead.
    ReadAhead,
    /// Windows of a file of lines, checked as a stream of values while each line has one value.
    LinesAtOnce,
    /// Windows whose whole lines may be processed on other threads once many arrive together.
    Batches,
    /// Segments of a file on this many threads.
    Segments(NonZeroUsize),
}

/// From this length in bytes, several threads check a file.
const SEGMENTS_FROM: u64 = 16 << 20;

/// The same if each segment is a batch of whole lines.
const LINE_SEGMENTS_FROM: u64 = 2 << 20;

/// A thread with fewer segments to format, 6 MB, costs more than it saves, mainly for its buffers: 4 MB took 6.4 ms on one thread
/// and 7.5 on two, 8 MB 10.8 on both, 16 MB 20.6 and 16.2.
const CHECKPOINTS_OF_A_THREAD: usize = 24;

/// From this length in bytes, a second thread reads ahead. Text in memory is faster without a copy: 32 MB took 9.2 ms with a second
/// thread and 7.7 ms mapped, 76 MB 17.6 and 16.3 ms, 300 MB 69 and 91 ms.
const AHEAD_FROM: u64 = 128 << 20;

/// More threads would wait for the one that reads the stream or writes the output.
pub const MAX_AROUND_ONE: NonZeroUsize = NonZeroUsize::new(8).unwrap();

/// The strategy for an input. `threads` returns the number of threads; it is called only if that matters, because it takes
/// twenty system calls.
pub(super) fn choose(
    source: SourceKind,
    kind: InputKind,
    task: Task,
    threads: impl FnOnce() -> NonZeroUsize,
) -> Strategy {
    match source {
        SourceKind::File(length) => of_file(length, kind, task, threads),
        SourceKind::Stream => match task {
            Task::LookUp | Task::Format if kind.dialect() == Dialect::Json => Strategy::Batches,
            _ => Strategy::Windows,
        },
    }
}

fn of_file(
    length: u64,
    kind: InputKind,
    task: Task,
    threads: impl FnOnce() -> NonZeroUsize,
) -> Strategy {
    let several = |threads: NonZeroUsize| Some(threads).filter(|threads| threads.get() > 1);
    // A line is divided after its line feed, other text anywhere, as the state after a comma can be guessed; but a guess cannot
    // tell what is commented out.
    let is_divisible = kind != InputKind::Jsonl && kind.dialect() == Dialect::Json;
    let is_cut = is_divisible && length >= SEGMENTS_FROM;
    let segments = match (task, kind) {
        (Task::Records, InputKind::Jsonl) => Some(threads()),
        (Task::LookUp, InputKind::Jsonl) if length >= LINE_SEGMENTS_FROM => Some(threads()),
        (Task::Format, InputKind::Jsonl) if length >= LINE_SEGMENTS_FROM => several(threads()),
        (Task::Checks, InputKind::Jsonl) => return Strategy::LinesAtOnce,
        (Task::Checks | Task::LookUp, _) if is_cut => several(threads()),
        (Task::Elements, _) if is_cut => Some(threads()),
        (Task::Resume { checkpoints }, _) => {
            NonZeroUsize::new(checkpoints / CHECKPOINTS_OF_A_THREAD)
                .and_then(several)
                .and_then(|most| several(threads().min(most).min(MAX_AROUND_ONE)))
        }
        (Task::Windows, _) if length >= AHEAD_FROM => {
            return match several(threads()) {
                Some(_) => Strategy::ReadAhead,
                None => Strategy::Windows,
            };
        }
        _ => None,
    };
    segments.map_or(Strategy::Windows, Strategy::Segments)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIB: u64 = 1 << 20;

    /// By the number of threads: 1, 2, 3, 4 and 16.
    fn by_threads(source: SourceKind, kind: InputKind, task: Task) -> String {
        let all = [1, 2, 3, 4, 16].map(|threads| {
            let threads = NonZeroUsize::new(threads).unwrap();
            match choose(source, kind, task, || threads) {
                Strategy::Windows => "windows".to_owned(),
                Strategy::ReadAhead => "ahead".to_owned(),
                Strategy::LinesAtOnce => "at once".to_owned(),
                Strategy::Batches => "batches".to_owned(),
                Strategy::Segments(threads) => format!("segments {threads}"),
            }
        });
        let mut shown: Vec<&str> = all.iter().map(String::as_str).collect();
        shown.dedup();
        shown.join(", ")
    }

    #[test]
    fn the_table() {
        use InputKind::{Json, Jsonc, Jsonl};
        use SourceKind::{File, Stream};
        let resume = |checkpoints| Task::Resume { checkpoints };
        let several = "windows, segments 2, segments 3, segments 4, segments 16";
        let any = "segments 1, segments 2, segments 3, segments 4, segments 16";
        let limited = "windows, segments 2, segments 3, segments 4, segments 8";
        for (source, kinds, tasks, expected) in [
            (
                File(16 * MIB - 1),
                &[Json, Jsonc][..],
                &[Task::Checks, Task::LookUp, Task::Elements][..],
                "windows",
            ),
            (
                File(16 * MIB),
                &[Json],
                &[Task::Checks, Task::LookUp],
                several,
            ),
            (File(16 * MIB), &[Json], &[Task::Elements], any),
            (
                File(16 * MIB),
                &[Jsonc],
                &[Task::Checks, Task::LookUp, Task::Elements],
                "windows",
            ),
            (File(0), &[Jsonl], &[Task::Records], any),
            (File(0), &[Jsonl], &[Task::Checks], "at once"),
            (File(300 * MIB), &[Jsonl], &[Task::Checks], "at once"),
            (
                File(2 * MIB - 1),
                &[Jsonl],
                &[Task::LookUp, Task::Format],
                "windows",
            ),
            (File(2 * MIB), &[Jsonl], &[Task::LookUp], any),
            (File(2 * MIB), &[Jsonl], &[Task::Format], several),
            (File(300 * MIB), &[Json, Jsonc], &[Task::Format], "windows"),
            (File(12 * MIB), &[Json], &[resume(47)], "windows"),
            (
                File(12 * MIB),
                &[Json],
                &[resume(48)],
                "windows, segments 2",
            ),
            (File(300 * MIB), &[Json], &[resume(1200)], limited),
            (
                File(128 * MIB - 1),
                &[Json, Jsonl, Jsonc],
                &[Task::Windows],
                "windows",
            ),
            (
                File(128 * MIB),
                &[Json, Jsonl, Jsonc],
                &[Task::Windows],
                "windows, ahead",
            ),
            (
                Stream,
                &[Json, Jsonl, Jsonc],
                &[Task::Checks, Task::Windows, Task::Records],
                "windows",
            ),
            (Stream, &[Jsonc], &[Task::LookUp, Task::Format], "windows"),
            (
                Stream,
                &[Json, Jsonl],
                &[Task::LookUp, Task::Format],
                "batches",
            ),
        ] {
            for &kind in kinds {
                for &task in tasks {
                    let found = by_threads(source, kind, task);
                    assert_eq!(found, expected, "{source:?} {kind:?} {task:?}");
                }
            }
        }
    }

    /// Querying the number of processors takes system calls that a small file need not wait for.
    #[test]
    fn small_files_do_not_count_threads() {
        for task in [Task::Windows, Task::Checks, Task::Format] {
            for kind in [InputKind::Json, InputKind::Jsonc] {
                choose(SourceKind::File(MIB), kind, task, || {
                    unreachable!("{task:?}")
                });
            }
        }
    }
}
