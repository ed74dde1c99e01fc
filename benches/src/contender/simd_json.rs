//! simd-json: a tape. It overwrites its input, so each check starts with a copy; all buffers, including the tape, are reused,
//! which is its fastest mode.

use super::{Contender, Side, lines};
use crate::input::Input;
use simd_json::{Buffers, INPUT_PADDING, Tape, fill_tape_padded};

pub struct SimdJson {
    copy: Vec<u8>,
    buffers: Buffers,
    /// Empty between checks; kept to reuse its memory.
    tape: Option<Tape<'static>>,
}

impl Default for SimdJson {
    fn default() -> SimdJson {
        SimdJson {
            copy: Vec::new(),
            buffers: Buffers::default(),
            tape: Some(Tape::null()),
        }
    }
}

impl SimdJson {
    fn check_one(&mut self, bytes: &[u8]) -> bool {
        self.copy.clear();
        self.copy.extend_from_slice(bytes);
        self.copy.resize(bytes.len() + INPUT_PADDING, b' ');
        let mut tape = self.tape.take().unwrap_or_else(Tape::null).reset();
        let valid =
            fill_tape_padded(&mut self.copy, bytes.len(), &mut self.buffers, &mut tape).is_ok();
        self.tape = Some(tape.reset());
        valid
    }
}

impl Contender for SimdJson {
    fn name(&self) -> String {
        "simd-json".into()
    }

    fn side(&self) -> Side {
        Side::Rust
    }

    fn check(&mut self, input: &Input) -> bool {
        if !input.lines {
            return self.check_one(&input.bytes);
        }
        lines(&input.bytes).all(|line| self.check_one(line))
    }
}
