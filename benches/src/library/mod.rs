//! Compares the library with others: deserializing documents and lines into types, and reading one value from a document.

pub(crate) mod types;

use crate::input::Input;
use crate::report::markdown;
use crate::rounds::{Plan, Timed, Times, interleave};
use jsonx_corpora::Shape;
use serde::Deserialize;
use std::fmt::Debug;
use std::hint::black_box;
use std::path::PathBuf;
use std::time::Instant;
use types::{Canada, Citm, Id, Text, Twitter, Update};

/// One contender's work on a text.
type Read<'t, T> = Box<dyn FnMut(&'t [u8]) -> T + 't>;

/// A table of times, in microseconds for each text.
#[derive(Debug, Default)]
pub struct Report {
    rows: Vec<(String, Vec<(&'static str, Times)>)>,
}

impl Report {
    /// The report as a table: the times, and the ratio of jsonx to the best contender that preserves its input.
    pub fn markdown(&self, figure: impl Fn(&Times) -> f64) -> String {
        let mut names: Vec<&str> = Vec::new();
        for (name, _) in self.rows.iter().flat_map(|(_, times)| times) {
            if !names.contains(name) {
                names.push(name);
            }
        }
        let rows: Vec<Vec<String>> = self
            .rows
            .iter()
            .map(|(row, times)| {
                let of = |name: &str| {
                    let found = times.iter().find(|(other, _)| *other == name);
                    found.map(|(_, times)| figure(times) * 1e6)
                };
                let own = of(OWN).unwrap_or(f64::NAN);
                let rivals = names.iter().filter(|name| !NOT_COMPARED.contains(name));
                let best = rivals.filter_map(|name| of(name)).fold(f64::MAX, f64::min);
                let cell =
                    |time: Option<f64>| time.map_or("-".to_owned(), |time| format!("{time:.1}"));
                let mut cells = vec![row.clone()];
                cells.extend(names.iter().map(|name| cell(of(name))));
                cells.push(match best == f64::MAX {
                    true => "-".to_owned(),
                    false => format!("{:.2}", own / best),
                });
                cells
            })
            .collect();
        let mut head = vec!["µs"];
        head.extend(&names);
        head.push("jsonx / best");
        markdown(&head, &rows)
    }
}

const OWN: &str = "jsonx";

/// Contenders excluded from the ratio: jsonx itself, the lower bound, and a parser that overwrites its input.
const NOT_COMPARED: [&str; 3] = [OWN, "verify only", "simd-json (copy)"];

struct Bench {
    report: Report,
    plan: Plan,
    only: String,
}

impl Bench {
    /// Times contenders that must all produce the same result from `text`.
    fn row<'t, T: PartialEq + Debug + 't>(
        &mut self,
        name: &str,
        text: &'t [u8],
        contenders: Vec<(&'static str, Read<'t, T>)>,
    ) {
        if !name.contains(&self.only) {
            return;
        }
        let (names, mut reads): (Vec<_>, Vec<Read<'t, T>>) = contenders.into_iter().unzip();
        let expected = reads[0](text);
        for (name, read) in names.iter().zip(&mut reads).skip(1) {
            assert!(read(text) == expected, "{name} reads something else");
        }
        let mut timed: Vec<Timed<'_>> = reads
            .into_iter()
            .map(|mut read| {
                Box::new(move |repetitions: u32| {
                    let start = Instant::now();
                    for _ in 0..repetitions {
                        black_box(read(black_box(text)));
                    }
                    start.elapsed()
                }) as Timed<'_>
            })
            .collect();
        timed.push(Box::new(move |repetitions: u32| {
            let start = Instant::now();
            for _ in 0..repetitions {
                let options =
                    jsonx_core::engine::Options::default().mode(jsonx_core::engine::Mode::Stream);
                assert!(jsonx_core::engine::validate_with(black_box(text), options).is_ok());
            }
            start.elapsed()
        }));
        let mut names = names;
        names.push("verify only");
        let times = interleave(&mut timed, self.plan);
        drop(timed);
        let row = names.into_iter().zip(times).collect();
        self.report.rows.push((name.to_owned(), row));
    }

    /// A document into a type.
    fn typed<'t, T: Deserialize<'t> + PartialEq + Debug + 't>(
        &mut self,
        name: &str,
        text: &'t [u8],
        further: Vec<(&'static str, Read<'t, T>)>,
    ) {
        let mut contenders: Vec<(&'static str, Read<'t, T>)> = vec![
            (OWN, Box::new(|text| jsonx_core::from_slice(text).unwrap())),
            (
                "serde_json",
                Box::new(|text| serde_json::from_slice(text).unwrap()),
            ),
            (
                "sonic-rs",
                Box::new(|text| sonic_rs::from_slice(text).unwrap()),
            ),
            ("flexon", Box::new(|text| flexon::from_slice(text).unwrap())),
        ];
        contenders.extend(further);
        self.row(name, text, contenders);
    }

    /// A document into an owned type.
    fn owned<T: for<'de> Deserialize<'de> + PartialEq + Debug>(&mut self, name: &str, text: &[u8]) {
        let mut copy = Vec::new();
        let simd_json: Read<'_, T> = Box::new(move |text: &[u8]| {
            copy.clear();
            copy.extend_from_slice(text);
            simd_json::from_slice(&mut copy).unwrap()
        });
        self.typed(name, text, vec![("simd-json (copy)", simd_json)]);
    }

    /// Every line into a type.
    fn lines<'t, T: Deserialize<'t> + PartialEq + Debug + 't>(
        &mut self,
        name: &str,
        text: &'t [u8],
    ) {
        fn each<'t, T>(text: &'t [u8], mut read: impl FnMut(&'t [u8]) -> T) -> Vec<T> {
            let lines = text.split(|&byte| byte == b'\n');
            let lines = lines.filter(|line| !line.is_empty());
            lines.map(&mut read).collect()
        }
        self.row::<Vec<T>>(
            name,
            text,
            vec![
                (
                    OWN,
                    Box::new(|text| {
                        let records = jsonx_core::lines_in(text);
                        records.map(|record| record.unwrap()).collect()
                    }),
                ),
                (
                    "serde_json",
                    Box::new(|text| each(text, |line| serde_json::from_slice(line).unwrap())),
                ),
                (
                    "sonic-rs",
                    Box::new(|text| each(text, |line| sonic_rs::from_slice(line).unwrap())),
                ),
                (
                    "flexon",
                    Box::new(|text| each(text, |line| flexon::from_slice(line).unwrap())),
                ),
            ],
        );
    }

    /// One value of a document as a number, with the whole document parsed.
    fn document(&mut self, name: &str, text: &[u8], path: &[&'static str], pointer: &'static str) {
        let path: Vec<&'static str> = path.to_vec();
        let mut copy = Vec::new();
        let keys = path.clone();
        let steps = path.clone();
        let tape = move |text: &[u8]| {
            copy.clear();
            copy.extend_from_slice(text);
            let tape = simd_json::to_tape(&mut copy).unwrap();
            let mut value = tape.as_value();
            for key in &keys {
                value = match key.parse::<usize>() {
                    Ok(index) => value.as_array().and_then(|array| array.get(index)).unwrap(),
                    Err(_) => value
                        .as_object()
                        .and_then(|object| object.get(key))
                        .unwrap(),
                };
            }
            simd_json::prelude::ValueAsScalar::as_u64(&value)
        };
        self.row::<Option<u64>>(
            name,
            text,
            vec![
                (
                    OWN,
                    Box::new(move |text| {
                        let document = jsonx_core::Document::parse(text).unwrap();
                        document.find(pointer).unwrap().as_u64()
                    }),
                ),
                (
                    "serde_json",
                    Box::new(move |text| {
                        let value: serde_json::Value = serde_json::from_slice(text).unwrap();
                        value.pointer(pointer)?.as_u64()
                    }),
                ),
                (
                    "sonic-rs",
                    Box::new(move |text| {
                        let value: sonic_rs::Value = sonic_rs::from_slice(text).unwrap();
                        let mut value = &value;
                        for step in &steps {
                            value = match step.parse::<usize>() {
                                Ok(index) => &value[index],
                                Err(_) => &value[*step],
                            };
                        }
                        sonic_rs::JsonValueTrait::as_u64(&value)
                    }),
                ),
                ("simd-json (tape, copy)", Box::new(tape)),
                (
                    "jiter",
                    Box::new(move |text| {
                        let value = jiter::JsonValue::parse(text, false).unwrap();
                        let mut value = &value;
                        for step in &path {
                            value = match value {
                                jiter::JsonValue::Array(items) => {
                                    &items[step.parse::<usize>().unwrap()]
                                }
                                jiter::JsonValue::Object(members) => {
                                    &members.iter().find(|(key, _)| key == step).unwrap().1
                                }
                                _ => return None,
                            };
                        }
                        match value {
                            jiter::JsonValue::Int(value) => u64::try_from(*value).ok(),
                            _ => None,
                        }
                    }),
                ),
            ],
        );
    }

    /// The sum of one field of each record.
    fn field(&mut self, name: &str, text: &[u8]) {
        fn sum(records: Vec<Id>) -> u64 {
            records.iter().map(|record| record.id).sum()
        }
        self.row::<u64>(
            name,
            text,
            vec![
                (
                    OWN,
                    Box::new(|text| sum(jsonx_core::from_slice(text).unwrap())),
                ),
                (
                    "serde_json",
                    Box::new(|text| sum(serde_json::from_slice(text).unwrap())),
                ),
                (
                    "sonic-rs",
                    Box::new(|text| sum(sonic_rs::from_slice(text).unwrap())),
                ),
                (
                    "flexon",
                    Box::new(|text| sum(flexon::from_slice(text).unwrap())),
                ),
            ],
        );
    }
}

fn generated(shape: Shape, size: u64) -> Vec<u8> {
    Input::generated(shape, size).bytes
}

/// Times everything whose name contains `only`: the files of `JSONX_CORPORA`, if that is set, and generated documents of
/// `size` bytes.
///
/// # Panics
///
/// If a contender rejects a text, or reads a different value than jsonx.
pub fn run(size: u64, only: &str, plan: Plan) -> std::io::Result<Report> {
    let mut bench = Bench {
        report: Report::default(),
        plan,
        only: only.to_owned(),
    };
    if let Some(folder) = std::env::var_os("JSONX_CORPORA").map(PathBuf::from) {
        let canada = std::fs::read(folder.join("canada.json"))?;
        let citm = std::fs::read(folder.join("citm_catalog.json"))?;
        let twitter = std::fs::read(folder.join("twitter.json"))?;
        bench.owned::<Canada<f64>>("canada, f64", &canada);
        bench.owned::<Canada<f32>>("canada, f32", &canada);
        bench.owned::<Citm<String>>("citm, owned", &citm);
        bench.typed::<Citm<Text<'_>>>("citm, borrowed", &citm, Vec::new());
        bench.owned::<Twitter<String>>("twitter, owned", &twitter);
        bench.typed::<Twitter<Text<'_>>>("twitter, borrowed", &twitter, Vec::new());
        bench.document(
            "twitter, one value of a document",
            &twitter,
            &["statuses", "50", "user", "id"],
            "/statuses/50/user/id",
        );
        bench.document(
            "citm, one value of a document",
            &citm,
            &["performances", "200", "id"],
            "/performances/200/id",
        );
    }
    let book = generated(Shape::OrderBook, size);
    bench.lines::<Update<String>>("order book lines, owned", &book);
    bench.lines::<Update<Text<'_>>>("order book lines, borrowed", &book);
    let line = book.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let message = format!("one message of {} bytes", line.len());
    bench.owned::<Update<String>>(&format!("{message}, owned"), line);
    bench.typed::<Update<Text<'_>>>(&format!("{message}, borrowed"), line, Vec::new());
    let tweets = generated(Shape::Minified, size);
    bench.field("one field of each record", &tweets);
    Ok(bench.report)
}
