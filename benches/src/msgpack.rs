//! MessagePack: writes 100 values into a buffer, and converts whole documents both ways.

use crate::input::Input;
use crate::peer::{Peer, built};
use crate::report::markdown;
use crate::rounds::{Plan, Timed, Times, interleave};
use jsonx_corpora::{Shape, generate};
use jsonx_msgpack::{EncodeOptions, JsonOptions, Writer, from_json, to_json};
use std::cell::RefCell;
use std::fmt::Write as _;
use std::hint::black_box;
use std::io;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

/// The number of values to write into the buffer.
const VALUES: usize = 100;

/// Space for as many of the longest values.
const ROOM: usize = 9 * VALUES;

/// One way to fill the buffer; returns the number of bytes written.
type Fill<'a> = Box<dyn FnMut(&mut [u8]) -> usize + 'a>;

/// The documents to convert: those of `JSONX_CORPORA` that publications use, or generated documents of `size` bytes.
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

/// Compares the writer with `rmp`, msgpuck and msgpack-c, and conversion with `serde_transcode` with `serde_json` and
/// `rmp_serde` and with Python's msgpack; programs that are not installed are skipped, with a line on standard error.
///
/// # Panics
///
/// If the results differ.
pub fn run(inputs: &[Input], plan: Plan, figure: impl Fn(&Times) -> f64) -> String {
    format!(
        "{}\n{}",
        values(plan, &figure),
        documents(inputs, plan, &figure)
    )
}

/// 100 values, and the ways to write them.
struct Case<'a> {
    name: &'a str,
    /// The request to `msgpack-bench`.
    request: String,
    jsonx: Fill<'a>,
    rmp: Fill<'a>,
}

fn values(plan: Plan, figure: &dyn Fn(&Times) -> f64) -> String {
    let small: Vec<u64> = (0..VALUES as u64).collect();
    // All widths in turn, so that a branch predictor cannot derive the width from the previous value.
    let widths: Vec<u64> = (0..VALUES as u64)
        .map(|at| 0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(at + 1) >> (at * 37 % 64))
        .collect();
    let doubles: Vec<f64> = (0..VALUES).map(|at| at as f64 / 7.0).collect();
    let mut writer = Writer::new();
    let cases = [
        Case {
            name: "100 small integers",
            request: request("integers", small.iter().copied()),
            jsonx: integers(&small),
            rmp: rmp_integers(&small),
        },
        Case {
            name: "100 integers of all widths",
            request: request("integers", widths.iter().copied()),
            jsonx: integers(&widths),
            rmp: rmp_integers(&widths),
        },
        Case {
            name: "100 doubles",
            request: request("doubles", doubles.iter().map(|value| value.to_bits())),
            jsonx: Box::new(|room| {
                writer.clear();
                for &value in &doubles {
                    writer.float(value);
                }
                copied(writer.as_bytes(), room)
            }),
            rmp: Box::new(|room| {
                let mut rest = room;
                for &value in &doubles {
                    rmp::encode::write_f64(&mut rest, value).expect("room");
                }
                ROOM - rest.len()
            }),
        },
    ];
    let c = match built("msgpack-bench", "MSGPACK_BENCH") {
        Some(path) => Peer::start(&mut Command::new(path)),
        None => {
            Err("no msgpack-bench in the target folder; benches/msgpack/build.sh makes it".into())
        }
    };
    let c = c
        .map(RefCell::new)
        .inspect_err(|why| absent("msgpuck and msgpack-c", why))
        .ok();
    let mut head = vec!["into a buffer, ns", "jsonx", "rmp"];
    if c.is_some() {
        head.extend(LIBRARIES);
    }
    head.push("jsonx / best other");
    let rows: Vec<_> = cases
        .into_iter()
        .map(|case| row(case, c.as_ref(), plan, figure))
        .collect();
    markdown(&head, &rows)
}

/// Written in C.
const LIBRARIES: [&str; 2] = ["msgpuck", "msgpack-c"];

fn absent(what: &str, why: &str) {
    eprintln!("without {what}: {why}");
}

fn request(kind: &str, values: impl ExactSizeIterator<Item = u64>) -> String {
    let mut request = format!("{kind} {}", values.len());
    for value in values {
        write!(request, " {value}").expect("a string takes all");
    }
    request
}

/// The results are compared, so they are copied to where the others write.
fn copied(bytes: &[u8], room: &mut [u8]) -> usize {
    room[..bytes.len()].copy_from_slice(bytes);
    bytes.len()
}

fn integers(values: &[u64]) -> Fill<'_> {
    let mut writer = Writer::new();
    Box::new(move |room| {
        writer.clear();
        for &value in values {
            writer.uint(value);
        }
        copied(writer.as_bytes(), room)
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
    mut case: Case<'_>,
    c: Option<&RefCell<Peer>>,
    plan: Plan,
    figure: &dyn Fn(&Times) -> f64,
) -> Vec<String> {
    let (mut one, mut other) = ([0; ROOM], [0; ROOM]);
    let (length, expected) = ((case.jsonx)(&mut one), (case.rmp)(&mut other));
    let written = &one[..length];
    assert_eq!(written, &other[..expected], "{}", case.name);
    let fills = [case.jsonx, case.rmp];
    let mut timed: Vec<Timed<'_>> = fills.into_iter().map(filling).collect();
    if let Some(c) = c {
        c.borrow_mut().load(&case.request, b"");
        let expected: String = written.iter().map(|byte| format!("{byte:02x}")).collect();
        for library in LIBRARIES {
            let answer = c.borrow_mut().ask(&format!("write {library}"), b"");
            assert_eq!(
                answer.ok().as_ref(),
                Some(&expected),
                "{library}, {}",
                case.name
            );
            timed.push(Box::new(move |repetitions| {
                c.borrow_mut()
                    .time(&format!("time {library} {repetitions}"))
            }));
        }
    }
    let times: Vec<f64> = interleave(&mut timed, plan)
        .iter()
        .map(|times| figure(times) * 1e9)
        .collect();
    let best = times[1..].iter().copied().fold(f64::INFINITY, f64::min);
    let mut row = vec![case.name.to_owned()];
    row.extend(times.iter().map(|time| format!("{time:.0}")));
    row.push(format!("{:.2}", times[0] / best));
    row
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
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("msgpack/convert.py");
    let python = Peer::start(Command::new("python3").arg(script)).and_then(|mut peer| {
        let name = peer.ask("name", b"");
        let name = name.map_err(|_| "python3 has no module msgpack (pip install msgpack)")?;
        Ok((name, RefCell::new(peer)))
    });
    let python = python.inspect_err(|why| absent("Python", why)).ok();
    let mut head = vec![
        "JSON, GB/s",
        "jsonx to MessagePack",
        "serde_transcode",
        "jsonx to JSON",
        "serde_transcode",
    ];
    if let Some((name, _)) = &python {
        head.splice(3..3, [name.as_str()]);
        head.push(name);
    }
    let mut rows = Vec::new();
    for input in inputs {
        let text = &input.bytes;
        let packed = from_json(text, EncodeOptions::default()).expect("MessagePack has its values");
        assert_eq!(transcode_to(text).len(), packed.len(), "{}", input.name);
        let json = to_json(&packed, JsonOptions::default()).expect("JSON has its values");
        let again = from_json(&json, EncodeOptions::default()).expect("MessagePack has its values");
        assert!(again == packed, "{}", input.name);
        let mut encoders: Vec<Timed<'_>> = vec![
            repeated(|| from_json(text, EncodeOptions::default()).map_or(0, |out| out.len())),
            repeated(|| transcode_to(text).len()),
        ];
        let mut decoders: Vec<Timed<'_>> = vec![
            repeated(|| to_json(&packed, JsonOptions::default()).map_or(0, |out| out.len())),
            repeated(|| transcode_from(&packed).len()),
        ];
        if let Some((name, peer)) = &python {
            peer.borrow_mut()
                .load(&format!("load {}", text.len()), text);
            let length = peer.borrow_mut().number("encode");
            assert_eq!(length, packed.len() as i64, "{name}, {}", input.name);
            let timed = |work: &'static str| -> Timed<'_> {
                Box::new(move |times| peer.borrow_mut().time(&format!("time {work} {times}")))
            };
            encoders.push(timed("encode"));
            decoders.push(timed("decode"));
        }
        // JSON, in both directions.
        let lengths = [text.len(), json.len()].into_iter();
        let cuts = lengths
            .flat_map(|length| vec![length; encoders.len()])
            .collect::<Vec<_>>();
        encoders.append(&mut decoders);
        let speeds = interleave(&mut encoders, plan);
        let speeds = speeds.iter().zip(cuts);
        rows.push(
            [input.name.clone()]
                .into_iter()
                .chain(
                    speeds.map(|(times, length)| {
                        format!("{:.2}", length as f64 / figure(times) / 1e9)
                    }),
                )
                .collect(),
        );
    }
    markdown(&head, &rows)
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
