//! serde_json: the values are skipped. UTF-8 within strings is not checked in this mode.

use super::{Contender, Side};
use crate::input::Input;
use serde::de::IgnoredAny;

pub struct SerdeJson;

impl Contender for SerdeJson {
    fn name(&self) -> String {
        "serde_json".into()
    }

    fn side(&self) -> Side {
        Side::Rust
    }

    fn check(&mut self, input: &Input) -> bool {
        if input.lines {
            let mut values =
                serde_json::Deserializer::from_slice(&input.bytes).into_iter::<IgnoredAny>();
            values.all(|value| value.is_ok())
        } else {
            serde_json::from_slice::<IgnoredAny>(&input.bytes).is_ok()
        }
    }
}
