//! jiter: the values are skipped. UTF-8 within strings is not checked in this mode.

use super::{Contender, Side, lines};
use crate::input::Input;

pub struct Jiter;

fn check_one(bytes: &[u8]) -> bool {
    let mut parser = jiter::Jiter::new(bytes);
    parser.next_skip().is_ok() && parser.finish().is_ok()
}

impl Contender for Jiter {
    fn name(&self) -> String {
        "jiter".into()
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
