//! Generated types and values, and broken texts, compared with `serde_json`: the same result, or an error in both.

mod choices;
mod derived;
mod out;
mod seen;
mod shape;
mod text;

use std::cell::RefCell;

use choices::Choices;
use jsonx_core::{Error, ErrorKind};
use jsonx_testing::cases;
use proptest::prelude::*;
use seen::Seen;
use serde::de::{Deserialize, DeserializeSeed, Deserializer};
use shape::Shape;

thread_local! {
    static SHAPE: RefCell<Shape> = const { RefCell::new(Shape::Any) };
}

/// The value read by the shape of this thread.
#[derive(Debug, PartialEq)]
struct Shaped(Seen);

impl<'de> Deserialize<'de> for Shaped {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        SHAPE
            .with_borrow(|shape| shape.deserialize(from))
            .map(Shaped)
    }
}

/// Fails unless both agree, except for the differences in `docs/library.md`.
fn agree<T: PartialEq + std::fmt::Debug>(
    ours: Result<T, Error>,
    theirs: Result<T, serde_json::Error>,
    text: &[u8],
    of: &dyn std::fmt::Debug,
) {
    match (&ours, &theirs) {
        (Ok(ours), Ok(theirs)) if ours == theirs => return,
        (Err(_), Err(_)) => return,
        // serde_json does not check the UTF-8 of ignored strings, nor strings read as bytes.
        (Err(error), Ok(_)) => {
            let is_bytes = || format!("{of:?}").contains("Byte");
            let is_allowed = match error.kind() {
                Some(ErrorKind::InvalidUtf8) => str::from_utf8(text).is_err(),
                Some(ErrorKind::ControlCharacter) => is_bytes(),
                Some(_) => false,
                None => error.to_string().contains("lone surrogate") && is_bytes(),
            };
            if is_allowed {
                return;
            }
        }
        _ => {}
    }
    panic!(
        "{:?} as {of:?}\n{ours:?}\n{theirs:?}",
        String::from_utf8_lossy(text)
    );
}

/// Whether `serde_json` 1.0.154 may create an invalid `str`: if a boolean key does not begin with ASCII, its error shows the
/// key without the first byte.
fn is_undefined(of: &str, text: &[u8]) -> bool {
    of.contains("Map(") && of.contains("Bool") && !text.is_ascii()
}

/// Reads a text in all ways.
fn read(shape: Shape, text: &[u8]) -> bool {
    let of = format!("{shape:?}");
    SHAPE.set(shape);
    let ours = jsonx_core::from_slice::<Shaped>(text);
    let is_read = ours.is_ok();
    if is_undefined(&of, text) {
        return is_read;
    }
    agree(ours, serde_json::from_slice::<Shaped>(text), text, &of);
    if let Ok(text) = str::from_utf8(text) {
        agree(
            jsonx_core::from_str::<Shaped>(text),
            serde_json::from_str::<Shaped>(text),
            text.as_bytes(),
            &of,
        );
    }
    is_read
}

/// A shape, and a text that fits it, nearly fits it, fits another one, or is broken.
fn case(choices: &[u32]) -> bool {
    let mut choices = Choices::new(choices);
    let kind = choices.below(6);
    let shape = Shape::choose(&mut choices, 3);
    let other = (kind == 1).then(|| Shape::choose(&mut choices, 2));
    let mut writer = text::Writer {
        choices: &mut choices,
        text: Vec::new(),
        faults: [0, 0, 0, 6, 12, 30][kind],
    };
    writer.value(other.as_ref().unwrap_or(&shape));
    let mut text = writer.text;
    if matches!(kind, 2 | 5) {
        text::mutate(&mut text, &mut choices);
    }
    read(shape, &text)
}

proptest! {
    #![proptest_config(cases(20_000))]

    #[test]
    fn types_read_as_with_serde_json(choices in prop::collection::vec(any::<u32>(), 0..150)) {
        case(&choices);
    }

    #[test]
    fn values_are_written_as_with_serde_json(choices in prop::collection::vec(any::<u32>(), 0..100)) {
        out::case(&choices);
    }

    #[test]
    fn derived_types_read_as_with_serde_json(choices in prop::collection::vec(any::<u32>(), 0..100)) {
        derived::case(&choices);
    }
}

/// Half of all texts fit, so that the other tests compare values too, and not only errors.
#[test]
fn many_texts_fit_their_shapes() {
    let read = (0..2000).filter(|&seed| case(&random(seed, 150))).count();
    assert!((700..1500).contains(&read), "{read}");
    let written = (0..2000)
        .filter(|&seed| out::case(&random(seed, 100)))
        .count();
    assert!((1500..2000).contains(&written), "{written}");
    let derived: usize = (0..2000)
        .map(|seed| derived::case(&random(seed, 100)))
        .sum();
    assert!(derived > 2000, "{derived}");
}

/// Numbers from a seed: xorshift.
fn random(seed: u64, count: usize) -> Vec<u32> {
    let mut state = (seed + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 32) as u32
    };
    std::iter::repeat_with(next).take(count).collect()
}

/// `JSONX_MILLIONS` million cases of each kind.
#[test]
#[ignore = "takes minutes: cargo test --release -p jsonx-core --test serde_types millions -- --ignored --nocapture"]
fn millions() {
    let millions =
        std::env::var("JSONX_MILLIONS").map_or(2, |text| text.parse().expect("a number"));
    let cases: u64 = millions * 1_000_000;
    let (mut read, mut written, mut derived) = (0, 0, 0);
    // To reproduce a failure.
    let first = std::env::var("JSONX_SEED").map_or(0, |text| text.parse().expect("a number"));
    for seed in first..first + cases {
        let choices = random(seed, 150);
        let failed = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            read += u64::from(case(&choices));
            written += u64::from(out::case(&choices));
            derived += derived::case(&choices);
        }));
        assert!(failed.is_ok(), "seed {seed}");
    }
    println!(
        "{cases} types and texts, of which {read} fit; {cases} values, of which {written} have JSON; \
         {cases} texts for {} derived types, which fit {derived} times",
        derived::TYPES
    );
}
