//! jsonx: the verdict for a text in memory, on one thread.

use super::{Contender, Side};
use crate::input::Input;
use jsonx_core::engine::{Kernel, Mode, Options, validate_with};

pub struct Jsonx {
    kernel: Kernel,
}

impl Jsonx {
    pub fn new(kernel: Kernel) -> Jsonx {
        Jsonx { kernel }
    }
}

/// The options for a kernel, and for a stream of values if the input is one.
fn options(kernel: Kernel, input: &Input) -> Options {
    let mode = if input.lines { Mode::Stream } else { Mode::One };
    Options::default().kernel(kernel).mode(mode)
}

impl Contender for Jsonx {
    fn name(&self) -> String {
        format!("jsonx {}", self.kernel.name())
    }

    fn side(&self) -> Side {
        Side::Jsonx
    }

    fn check(&mut self, input: &Input) -> bool {
        validate_with(&input.bytes, options(self.kernel, input)).is_ok()
    }
}
