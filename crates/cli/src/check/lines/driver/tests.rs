use std::fs;
use std::io;

use jsonx_core::engine::Verdict;
use proptest::prelude::{
    Just, ProptestConfig, Strategy, prop, prop_assert_eq, prop_oneof, proptest,
};

use super::super::Search;
use super::super::records::tests::{lines, search};
use super::*;
use crate::input::Task;

/// Passes on the valid records: the line on which each text begins, and the text.
struct Copying;

type Copied = Vec<(u64, Vec<u8>)>;

impl Handler for Copying {
    type Part = Copied;

    fn begin(&self) -> Copied {
        Vec::new()
    }

    fn batch(&self, batch: Batch<'_>, records: &mut Records, part: &mut Copied) -> Flow {
        batch.each_valid(records, |batch, mode| {
            let Ok(checked) = batch.checked(mode, Verdict);
            Ok(checked.map(|(_, counts)| {
                part.push((batch.line, batch.text.to_vec()));
                counts
            }))
        })
    }
}

/// Counts the lines passed on.
#[derive(Default)]
struct Collecting {
    copied: Copied,
    reported: Vec<LineFindings>,
}

impl Collector for Collecting {
    type Part = Copied;

    fn join(
        &mut self,
        part: &mut Copied,
        before: u64,
        _: bool,
    ) -> Result<ControlFlow<()>, Failure> {
        for (line, text) in part.drain(..) {
            let mut at = 0;
            for record in text.split_inclusive(|&byte| byte == b'\n') {
                let line = before + line + super::super::line_breaks(&text[..at]);
                at += record.len();
                if !record.trim_ascii().is_empty() {
                    self.copied.push((line, record.trim_ascii().to_vec()));
                }
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    fn report(&mut self, _: &mut Input, found: LineFindings) -> io::Result<()> {
        self.reported.push(found);
        Ok(())
    }
}

/// The records passed on, the findings, whether values span lines, and the offset of the rest.
type Outcome = (Copied, LineFindings, bool, u64);

fn outcome(input: &mut Input, batching: &Batching, lengths: Lengths) -> Outcome {
    let mut collecting = Collecting::default();
    let ended = each_batch_of(lengths, input, batching, &Copying, &mut collecting);
    let ended = ended.map_err(|failure| format!("{failure:?}")).unwrap();
    let spans = ended.flow.is_break();
    let at = if spans { ended.at } else { 0 };
    let mut all = LineFindings::default();
    for found in collecting.reported.into_iter().chain([ended.found]) {
        all.breaks = 0;
        all.records = 0;
        all.append(found, batching.search.limit);
        all.is_continuation = false;
    }
    (collecting.copied, all, spans, at)
}

/// The outcome for a text that is written to a pipe in chunks of these sizes, and the rest of the text.
fn piped(
    text: &[u8],
    sizes: &[usize],
    batching: &Batching,
    lengths: Lengths,
) -> (Outcome, Vec<u8>) {
    Input::with_pipe(text, sizes, |mut input| {
        let found = outcome(&mut input, batching, lengths);
        let mut rest = Vec::new();
        if found.2 {
            let read = input.each_window(|window| Ok::<_, io::Error>(window.append_to(&mut rest)));
            read.unwrap();
        }
        (found, rest)
    })
}

fn batching(one_per_line: bool, limit: usize, task: Task, is_divisible: bool) -> Batching {
    // Whether a stream is a log depends on the lines so far.
    let search = Search {
        takes_several: one_per_line,
        ..search(limit).for_reading()
    };
    Batching {
        one_per_line,
        is_divisible,
        ..Batching::new(task, search, InputKind::Stream)
    }
}

const LOOK_UP: Task = Task::LookUp;

/// Lengths that exercise every path with short texts.
fn short(segment: u64) -> Lengths {
    Lengths {
        segment,
        batch: 64,
        fast: 16,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn threads_and_sources_change_nothing(
        lines in lines(40),
        segment in 1u64..400,
        sizes in prop::collection::vec(1usize..300, 1..4),
        mark in prop::sample::select(vec!["", "\u{FEFF}"]),
        limit in 0usize..6,
    ) {
        let text = (mark.to_owned() + &lines.join("\n")).into_bytes();
        let start = mark.len();
        let mut whole = Records::new(search(limit).for_reading(), start as u64);
        whole.push(&text[start..]);
        let findings = whole.finish();

        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(file.path(), &text).unwrap();
        let open = || Input::open(file.path()).unwrap();
        let alone = batching(true, limit, LOOK_UP, false);
        let expected = outcome(&mut open(), &alone, LENGTHS);
        prop_assert_eq!(&expected.1, &findings);
        prop_assert_eq!(expected.0.len() as u64, findings.records - findings.invalid());
        let segments = batching(true, limit, Task::Records, true);
        prop_assert_eq!(&outcome(&mut open(), &segments, short(segment)), &expected);
        let divided = batching(true, limit, LOOK_UP, true);
        prop_assert_eq!(&piped(&text, &sizes, &divided, short(segment)).0, &expected);
    }
}

/// Lines of a stream, which may have several values or begin one that spans lines.
fn stream_line() -> impl Strategy<Value = String> {
    prop_oneof![
        8 => (0u32..9).prop_map(|number| format!("{{\"a\": {number}}}")),
        1 => Just("[1] [2]".to_owned()),
        1 => Just("[1,\n 2]".to_owned()),
        1 => Just("{\"a\":\n{\"b\":\n[]}}".to_owned()),
        1 => Just("{\"a\" 1}".to_owned()),
        1 => Just(String::new()),
        1 => Just("x".repeat(40)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]
    #[test]
    fn threads_do_not_change_a_stream(
        lines in prop::collection::vec(stream_line(), 1..40),
        sizes in prop::collection::vec(1usize..300, 1..4),
    ) {
        // The first line causes line-by-line reading.
        let text = ("1\n".to_owned() + &lines.join("\n")).into_bytes();
        let alone = piped(&text, &[1 << 20], &batching(false, 5, LOOK_UP, false), LENGTHS);
        let divided = piped(&text, &sizes, &batching(false, 5, LOOK_UP, true), short(1));
        prop_assert_eq!(&divided, &alone);

        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(file.path(), &text).unwrap();
        let mut input = Input::open(file.path()).unwrap();
        let of_file = outcome(&mut input, &batching(false, 5, LOOK_UP, true), short(1));
        prop_assert_eq!(of_file, alone.0);
    }
}

/// The length of the longest text that is passed on at once.
struct Longest(usize);

impl Collector for Longest {
    type Part = Copied;

    fn join(&mut self, part: &mut Copied, _: u64, _: bool) -> Result<ControlFlow<()>, Failure> {
        let longest = part.iter().map(|(_, text)| text.len()).max();
        self.0 = self.0.max(longest.unwrap_or_default());
        Ok(ControlFlow::Continue(()))
    }

    fn report(&mut self, _: &mut Input, _: LineFindings) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn windows_of_a_long_file_do_not_grow() {
    let file = tempfile::NamedTempFile::new().unwrap();
    fs::write(file.path(), "[1, 2, 3]\n".repeat(1 << 20)).unwrap();
    for one_per_line in [true, false] {
        let mut input = Input::open(file.path()).unwrap();
        let batching = batching(one_per_line, 5, LOOK_UP, true);
        let mut longest = Longest(0);
        each_batch_of(LENGTHS, &mut input, &batching, &Copying, &mut longest).unwrap();
        assert!(longest.0 <= 2 << 20, "{}", longest.0);
    }
}
