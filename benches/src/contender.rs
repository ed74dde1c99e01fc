//! The contenders, each an implementation of [`Contender`].

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

/// The group of a contender.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// jsonx, with any kernel.
    Jsonx,
    /// A parser written in Rust; the fastest is one reference.
    Rust,
    /// simdjson, the other reference.
    Cpp,
}

/// A parser that validates JSON.
pub trait Contender {
    /// The heading of its column.
    fn name(&self) -> String;

    /// Its group.
    fn side(&self) -> Side;

    /// Sets the text of the following calls, and does everything that a program would do once, such as allocating buffers.
    fn load(&mut self, input: &Input) {
        let _ = input;
    }

    /// Whether `input`, which has been loaded, is valid JSON.
    fn check(&mut self, input: &Input) -> bool;

    /// The time of `iterations` checks alone.
    fn time(&mut self, input: &Input, iterations: u32) -> Duration {
        let start = Instant::now();
        for _ in 0..iterations {
            black_box(self.check(black_box(input)));
        }
        start.elapsed()
    }
}

/// All available contenders: jsonx with each of `kernels`, the Rust parsers, and simdjson if its program has been built.
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
