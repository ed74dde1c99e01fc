//! sonic-rs: a lazy value, which is a checked skip over the whole document, and its UTF-8 check. Its SIMD code is selected at
//! compile time, so `RUSTFLAGS=-Ctarget-cpu=native` gives its best speed. JSON Lines are read line by line, because its stream
//! of values ends in an error even if the input is complete.

use super::{Contender, Side, lines};
use crate::input::Input;
use sonic_rs::LazyValue;

pub struct SonicRs;

fn check_one(bytes: &[u8]) -> bool {
    sonic_rs::from_slice::<LazyValue>(bytes).is_ok()
}

impl Contender for SonicRs {
    fn name(&self) -> String {
        "sonic-rs".into()
    }

    fn side(&self) -> Side {
        Side::Rust
    }

    fn check(&mut self, input: &Input) -> bool {
        if !input.lines {
            return check_one(&input.bytes);
        }
        lines(&input.bytes).all(check_one)
    }
}
