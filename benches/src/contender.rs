//! The contenders, each an implementation of one small trait.

mod jiter;
mod jsonx;
mod serde_json;
mod simd_json;
mod simdjson;
mod sonic_rs;

use crate::input::Input;
use jsonx_core::engine::Kernel;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// On whose account a contender is timed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// jsonx, whichever of its kernels.
    Jsonx,
    /// A parser written in Rust; the fastest of them is one mark to beat.
    Rust,
    /// simdjson, the other mark.
    Cpp,
}

/// A parser that can say whether a text is valid JSON.
pub trait Contender {
    /// The name at the head of its column.
    fn name(&self) -> String;

    /// On whose account it is timed.
    fn side(&self) -> Side;

    /// Makes `input` the text of the following calls: what a program would do once and not for each
    /// document, such as getting buffers.
    fn load(&mut self, input: &Input) {
        let _ = input;
    }

    /// Checks all of `input`, which has been loaded: whether it is valid JSON.
    fn check(&mut self, input: &Input) -> bool;

    /// The time that `iterations` checks take, the call and nothing else.
    fn time(&mut self, input: &Input, iterations: u32) -> Duration {
        let start = Instant::now();
        for _ in 0..iterations {
            black_box(self.check(black_box(input)));
        }
        start.elapsed()
    }
}

/// Everyone who can take part here: jsonx with each of `kernels`, the Rust parsers, and simdjson when
/// its program has been built.
pub fn all(kernels: &[Kernel]) -> Vec<Box<dyn Contender>> {
    let mut contenders: Vec<Box<dyn Contender>> = Vec::new();
    for kernel in kernels {
        contenders.push(Box::new(jsonx::Jsonx::new(*kernel)));
    }
    contenders.push(Box::new(serde_json::SerdeJson));
    contenders.push(Box::new(simd_json::SimdJson::default()));
    contenders.push(Box::new(sonic_rs::SonicRs));
    contenders.push(Box::new(jiter::Jiter));
    match simdjson::Simdjson::start() {
        Ok(simdjson) => contenders.push(Box::new(simdjson)),
        Err(reason) => eprintln!("simdjson takes no part: {reason}"),
    }
    contenders
}

/// The lines of `bytes` that are not blank.
fn lines(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = bytes;
    std::iter::from_fn(move || {
        while !rest.is_empty() {
            let end = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
            let line = &rest[..end];
            rest = rest.get(end + 1..).unwrap_or_default();
            if !line.trim_ascii().is_empty() {
                return Some(line);
            }
        }
        None
    })
}
