//! MessagePack: 100 values into a buffer, and whole documents there and back.

use crate::input::Input;
use crate::report::markdown;
use crate::rounds::{Plan, Timed, Times, interleave};
use jsonx_core::msgpack::{EncodeOptions, JsonOptions, Writer, from_json, to_json};
use jsonx_corpora::{Shape, generate};
use std::hint::black_box;
use std::io;
use std::time::Instant;

/// How many values go into the buffer.
const VALUES: usize = 100;

/// Room for that many of the longest.
const ROOM: usize = 9 * VALUES;

/// One way to fill the buffer; returns how many bytes it wrote.
type Fill<'a> = Box<dyn FnMut(&mut [u8]) -> usize + 'a>;

/// The documents to convert: those of `JSONX_CORPORA` that the literature uses, or generated ones of `size` bytes.
///
/// # Errors
///
/// A file cannot be read.
pub fn inputs(size: u64) -> io::Result<Vec<Input>> {
    if let Some(folder) = std::env::var_os("JSONX_CORPORA") {
        let mut inputs = Input::all_of(folder.as_ref())?;
        let known = ["canada.json", "citm_catalog.json", "twitter.json"];
        inputs.retain(|input| known.contains(&input.name.as_str()));
        if !inputs.is_empty() {
            return Ok(inputs);
        }
    }
    let shapes = [Shape::Numbers, Shape::Minified, Shape::Tweets];
    Ok(shapes
        .iter()
        .map(|&shape| {
            let mut bytes = Vec::new();
            generate(shape, size, jsonx_corpora::DEFAULT_SEED, &mut bytes)
                .expect("writing to memory");
            Input {
                name: format!("generated {shape}"),
                bytes,
                lines: false,
            }
        })
        .collect())
}

/// Times the writer beside `rmp`, and conversion beside `serde_transcode` with `serde_json` and `rmp_serde`.
///
/// # Panics
///
/// When the results differ.
pub fn run(inputs: &[Input], plan: Plan, figure: impl Fn(&Times) -> f64) -> String {
    format!(
        "{}\n{}",
        values(plan, &figure),
        documents(inputs, plan, &figure)
    )
}

fn values(plan: Plan, figure: &dyn Fn(&Times) -> f64) -> String {
    let small: Vec<u64> = (0..VALUES as u64).collect();
    // Every width in turn, so that no branch predictor knows it by its neighbour alone.
    let widths: Vec<u64> = (0..VALUES as u64)
        .map(|at| 0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(at + 1) >> (at * 37 % 64))
        .collect();
    let doubles: Vec<f64> = (0..VALUES).map(|at| at as f64 / 7.0).collect();
    let rows = [
        row(
            "100 small integers",
            integers(&small),
            rmp_integers(&small),
            plan,
            figure,
        ),
        row(
            "100 integers of all widths",
            integers(&widths),
            rmp_integers(&widths),
            plan,
            figure,
        ),
        row(
            "100 doubles",
            Box::new(|room| {
                let mut writer = Writer::new(room);
                for &value in &doubles {
                    writer.float(value).expect("room");
                }
                writer.written().len()
            }),
            Box::new(|room| {
                let mut rest = room;
                for &value in &doubles {
                    rmp::encode::write_f64(&mut rest, value).expect("room");
                }
                ROOM - rest.len()
            }),
            plan,
            figure,
        ),
    ];
    markdown(&["into a buffer, ns", "jsonx", "rmp", "jsonx / rmp"], &rows)
}

fn integers(values: &[u64]) -> Fill<'_> {
    Box::new(move |room| {
        let mut writer = Writer::new(room);
        for &value in values {
            writer.uint(value).expect("room");
        }
        writer.written().len()
    })
}

fn rmp_integers(values: &[u64]) -> Fill<'_> {
    Box::new(move |room| {
        let mut rest = room;
        for &value in values {
            rmp::encode::write_uint(&mut rest, value).expect("room");
        }
        ROOM - rest.len()
    })
}

fn row(
    name: &str,
    mut ours: Fill<'_>,
    mut theirs: Fill<'_>,
    plan: Plan,
    figure: &dyn Fn(&Times) -> f64,
) -> Vec<String> {
    let (mut one, mut other) = ([0; ROOM], [0; ROOM]);
    let (length, expected) = (ours(&mut one), theirs(&mut other));
    assert_eq!(one[..length], other[..expected], "{name}");
    let mut timed: Vec<Timed<'_>> = vec![filling(ours), filling(theirs)];
    let times = interleave(&mut timed, plan);
    let [ours, theirs] = [0, 1].map(|at| figure(&times[at]) * 1e9);
    vec![
        name.to_owned(),
        format!("{ours:.0}"),
        format!("{theirs:.0}"),
        format!("{:.2}", ours / theirs),
    ]
}

fn filling(mut fill: Fill<'_>) -> Timed<'_> {
    let mut room = [0; ROOM];
    Box::new(move |repetitions| {
        let start = Instant::now();
        for _ in 0..repetitions {
            black_box(fill(black_box(&mut room)));
        }
        start.elapsed()
    })
}

fn documents(inputs: &[Input], plan: Plan, figure: &dyn Fn(&Times) -> f64) -> String {
    let mut rows = Vec::new();
    for input in inputs {
        let text = &input.bytes;
        let packed = from_json(text, EncodeOptions::default()).expect("MessagePack has its values");
        assert_eq!(transcode_to(text).len(), packed.len(), "{}", input.name);
        let json = to_json(&packed, JsonOptions::default()).expect("JSON has its values");
        let again = from_json(&json, EncodeOptions::default()).expect("MessagePack has its values");
        assert!(again == packed, "{}", input.name);
        let mut timed: Vec<Timed<'_>> = vec![
            repeated(|| from_json(text, EncodeOptions::default()).map_or(0, |out| out.len())),
            repeated(|| transcode_to(text).len()),
            repeated(|| to_json(&packed, JsonOptions::default()).map_or(0, |out| out.len())),
            repeated(|| transcode_from(&packed).len()),
        ];
        let times = interleave(&mut timed, plan);
        // Of JSON, both ways.
        let speed = |at: usize, bytes: usize| bytes as f64 / figure(&times[at]) / 1e9;
        let speeds = [
            speed(0, text.len()),
            speed(1, text.len()),
            speed(2, json.len()),
            speed(3, json.len()),
        ];
        rows.push(
            [input.name.clone()]
                .into_iter()
                .chain(speeds.map(|speed| format!("{speed:.2}")))
                .collect(),
        );
    }
    markdown(
        &[
            "JSON, GB/s",
            "jsonx to MessagePack",
            "serde_transcode",
            "jsonx to JSON",
            "serde_transcode",
        ],
        &rows,
    )
}

fn repeated<'a>(mut work: impl FnMut() -> usize + 'a) -> Timed<'a> {
    Box::new(move |repetitions| {
        let start = Instant::now();
        for _ in 0..repetitions {
            black_box(work());
        }
        start.elapsed()
    })
}

fn transcode_to(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut from = serde_json::Deserializer::from_slice(text);
    let mut to = rmp_serde::Serializer::new(&mut out);
    serde_transcode::transcode(&mut from, &mut to).expect("a valid document");
    out
}

fn transcode_from(packed: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut from = rmp_serde::Deserializer::from_read_ref(packed);
    let mut to = serde_json::Serializer::new(&mut out);
    serde_transcode::transcode(&mut from, &mut to).expect("a valid document");
    out
}
