//! Checking whole documents in memory: jsonx against the parsers of other projects.

use crate::contender::{Contender, Side};
use crate::input::Input;
use crate::report::{geometric_mean, markdown};
use crate::rounds::{Plan, Timed, Times, interleave};
use jsonx_corpora::Shape;
use std::path::PathBuf;

/// The size of the generated documents, in bytes.
pub const GENERATED_SIZE: u64 = 3_000_000;

/// The inputs: the files of `JSONX_CORPORA`, if that is set, and a document of each shape of `size` bytes.
pub fn inputs(size: u64) -> std::io::Result<Vec<Input>> {
    let mut inputs = match std::env::var_os("JSONX_CORPORA") {
        Some(folder) => Input::all_of(&PathBuf::from(folder))?,
        None => {
            eprintln!("JSONX_CORPORA is not set: generated documents only");
            Vec::new()
        }
    };
    inputs.extend(Shape::ALL.map(|shape| Input::generated(shape, size)));
    Ok(inputs)
}

/// The times of all contenders on all inputs.
#[derive(Debug)]
pub struct Report {
    names: Vec<String>,
    sides: Vec<Side>,
    rows: Vec<Row>,
}

#[derive(Debug)]
struct Row {
    input: String,
    bytes: usize,
    times: Vec<Times>,
}

/// Times all `contenders` on each of `inputs`.
///
/// # Panics
///
/// If a contender rejects an input, or accepts one of its invalid variants, whose errors are at the very end.
pub fn run(contenders: &mut [Box<dyn Contender>], inputs: &[Input], plan: Plan) -> Report {
    let names = contenders
        .iter()
        .map(|contender| contender.name())
        .collect();
    let sides = contenders
        .iter()
        .map(|contender| contender.side())
        .collect();
    let mut rows = Vec::new();
    for input in inputs {
        for contender in &mut *contenders {
            assert_results(contender.as_mut(), input);
        }
        let mut timed: Vec<Timed> = contenders
            .iter_mut()
            .map(|contender| Box::new(|repetitions| contender.time(input, repetitions)) as Timed)
            .collect();
        let times = interleave(&mut timed, plan);
        rows.push(Row {
            input: input.name.clone(),
            bytes: input.bytes.len(),
            times,
        });
    }
    Report { names, sides, rows }
}

/// Leaves `input` loaded.
fn assert_results(contender: &mut dyn Contender, input: &Input) {
    for broken in input.broken() {
        contender.load(&broken);
        assert!(
            !contender.check(&broken),
            "{} accepts {}",
            contender.name(),
            broken.name
        );
    }
    contender.load(input);
    assert!(
        contender.check(input),
        "{} rejects {}",
        contender.name(),
        input.name
    );
}

impl Report {
    /// The report as two tables: GB/s (10⁹ bytes per second) of all contenders; then the speedup of each
    /// jsonx over the fastest Rust parser, file by file, and over simdjson. Both end with the geometric
    /// means.
    ///
    /// `figure` selects the time to use.
    pub fn markdown(&self, figure: impl Fn(&Times) -> f64) -> String {
        let speed = |row: &Row, at: usize| row.bytes as f64 / figure(&row.times[at]) / 1e9;
        let everyone: Vec<_> = (0..self.names.len())
            .map(|at| (self.names[at].clone(), vec![at]))
            .collect();
        let speeds = self.table(&everyone, |row, of| speed(row, of[0]));

        let mut pairs = Vec::new();
        for own in self.of(Side::Jsonx) {
            for (side, rival) in [(Side::Rust, "best Rust"), (Side::Cpp, "simdjson")] {
                let rivals: Vec<usize> = self.of(side).collect();
                if !rivals.is_empty() {
                    pairs.push((
                        format!("{} / {rival}", self.names[own]),
                        [vec![own], rivals].concat(),
                    ));
                }
            }
        }
        let ratios = self.table(&pairs, |row, of| {
            let best = of[1..]
                .iter()
                .map(|&rival| speed(row, rival))
                .fold(f64::MIN, f64::max);
            speed(row, of[0]) / best
        });
        format!("{speeds}\n{ratios}")
    }

    /// A row for each input, a column for each of `columns`, computed from the row and the contenders of the column.
    fn table(
        &self,
        columns: &[(String, Vec<usize>)],
        figure: impl Fn(&Row, &[usize]) -> f64,
    ) -> String {
        let figures: Vec<Vec<f64>> = self
            .rows
            .iter()
            .map(|row| columns.iter().map(|(_, of)| figure(row, of)).collect())
            .collect();
        let cells = |name: &str, size: String, figures: &mut dyn Iterator<Item = f64>| {
            let figures = figures.map(|figure| format!("{figure:.2}"));
            [name.to_owned(), size]
                .into_iter()
                .chain(figures)
                .collect::<Vec<_>>()
        };
        let mut rows: Vec<Vec<String>> = self
            .rows
            .iter()
            .zip(&figures)
            .map(|(row, figures)| {
                cells(
                    &row.input,
                    format!("{:.2}", row.bytes as f64 / 1e6),
                    &mut figures.iter().copied(),
                )
            })
            .collect();
        let mut means = (0..columns.len()).filter_map(|column| {
            let column: Vec<f64> = figures.iter().map(|figures| figures[column]).collect();
            geometric_mean(&column)
        });
        rows.push(cells("geometric mean", String::new(), &mut means));
        let mut head = vec!["file", "MB"];
        head.extend(columns.iter().map(|(name, _)| name.as_str()));
        markdown(&head, &rows)
    }

    fn of(&self, side: Side) -> impl Iterator<Item = usize> {
        self.sides
            .iter()
            .enumerate()
            .filter(move |(_, of)| **of == side)
            .map(|(at, _)| at)
    }
}
