//! The stages of checking one text in segments, on one thread, and a model of several cores.

use std::fmt::Debug;
use std::hint::black_box;
use std::time::{Duration, Instant};

use jsonx_core::diagnose::Lints;
use jsonx_core::engine::{Mode, Options, SegmentedSink, Sink, TextSegment, Validator, Verdict};
use jsonx_core::lint::Linter;
use jsonx_corpora::Shape;

use crate::input::Input;
use crate::report::markdown;
use crate::rounds::{Plan, Timed, Times, interleave};

/// The size of the documents, in bytes.
pub const SIZE: u64 = 64_000_000;

/// The length of a segment, as in the program.
const SEGMENT: usize = 2 << 20;

/// The number of findings that are retained, as in the program.
const RETAINED: usize = 20;

/// The numbers of cores in the table.
const CORES: [u32; 4] = [2, 4, 8, 16];

/// Times the stages for a document of each shape of `size` bytes, and returns a table for the verdict and one for lints.
///
/// # Panics
///
/// When many segments are guessed wrong.
#[must_use]
pub fn run(size: u64, plan: Plan, figure: fn(&Times) -> f64) -> String {
    let shapes = Shape::ALL.into_iter().filter(|shape| !shape.is_lines());
    let inputs: Vec<Input> = shapes.map(|shape| Input::generated(shape, size)).collect();
    let length = SEGMENT.min(inputs[0].bytes.len() / 16 + 1);
    let mut tables = String::new();
    for (name, lints) in [("verdict", false), ("with lints", true)] {
        let cores = CORES.map(|cores| format!("{cores} cores"));
        let mut heads = vec![name, "whole, ms", "guess", "join"];
        heads.extend(cores.iter().map(String::as_str));
        let rows = inputs.iter().map(|input| {
            let text = &input.bytes;
            let stages = match lints {
                true => Stages::of(
                    text,
                    length,
                    || Linter::new(Lints::ALL, RETAINED),
                    plan,
                    figure,
                ),
                false => Stages::of(text, length, || Verdict, plan, figure),
            };
            stages.row(&input.name)
        });
        let rows: Vec<Vec<String>> = rows.collect();
        tables += &markdown(&heads, &rows);
        tables.push('\n');
    }
    tables
}

/// Seconds on one thread.
struct Stages {
    /// The text as a whole.
    whole: f64,
    /// All segments by themselves.
    segments: f64,
    /// All joins.
    joins: f64,
    /// The number of segments.
    count: f64,
}

impl Stages {
    fn of<S: SegmentedSink<Error: Debug>>(
        text: &[u8],
        length: usize,
        sink: impl Fn() -> S,
        plan: Plan,
        figure: fn(&Times) -> f64,
    ) -> Stages {
        let count = text.len().div_ceil(length) as f64;
        let mut stages: [Timed; 3] = [
            Box::new(|times| timed(times, || whole(text, sink()))),
            Box::new(|times| timed(times, || drop(segments(text, length, &sink())))),
            Box::new(|times| {
                let joining = |_| {
                    let segments = segments(text, length, &sink());
                    let start = Instant::now();
                    join(segments, sink());
                    start.elapsed()
                };
                (0..times).map(joining).sum()
            }),
        ];
        let [whole, segments, joins] = interleave(&mut stages, plan)
            .try_into()
            .expect("three stages");
        Stages {
            whole: figure(&whole),
            segments: figure(&segments),
            joins: figure(&joins),
            count,
        }
    }

    /// The time on this number of cores: they share segments and joins, but joins are one after another, and the last segment is joined
    /// after it was checked.
    fn model(&self, cores: u32) -> f64 {
        let shared = (self.segments + self.joins) / f64::from(cores);
        shared.max(self.joins) + self.segments / self.count
    }

    fn row(&self, name: &str) -> Vec<String> {
        let share = |seconds: f64| format!("{:.1} %", 100.0 * seconds / self.whole);
        let mut row = vec![
            name.to_owned(),
            format!("{:.1}", 1000.0 * self.whole),
            share(self.segments - self.whole),
            share(self.joins),
        ];
        row.extend(CORES.map(|cores| format!("{:.2}", self.whole / self.model(cores))));
        row
    }
}

fn timed(times: u32, mut work: impl FnMut()) -> Duration {
    let start = Instant::now();
    for _ in 0..times {
        work();
    }
    start.elapsed()
}

fn options() -> Options {
    Options::default().mode(Mode::One)
}

/// Checks a text as a whole.
fn whole<S: Sink<Error: Debug>>(text: &[u8], sink: S) {
    let checked = Validator::new(options()).check(text, sink);
    black_box(checked.expect("valid text"));
}

/// Checks the segments of a text separately.
fn segments<'t, S: SegmentedSink>(
    text: &'t [u8],
    length: usize,
    sink: &S,
) -> Vec<(TextSegment<&'t [u8]>, S::Segment)> {
    let offsets = (0..).step_by(length);
    let checked = offsets.zip(text.chunks(length)).map(|(offset, part)| {
        let mut work = sink.for_segment();
        let segment = TextSegment::new(part, offset, options(), &mut work);
        (segment, work)
    });
    checked.collect()
}

/// Joins segments to the verdict on the text.
fn join<S: SegmentedSink<Error: Debug>>(
    segments: Vec<(TextSegment<&[u8]>, S::Segment)>,
    mut sink: S,
) {
    let mut validator = Validator::new(options());
    let mut wrong = 0;
    for (segment, work) in segments {
        let joined = validator.join(&segment, work, &mut sink);
        wrong += u32::from(!joined.expect("valid text"));
    }
    // The first and the last one may have no comma near their starts.
    assert!(wrong <= 2, "{wrong} wrong guesses");
    black_box(validator.finish(sink).expect("valid text"));
}
