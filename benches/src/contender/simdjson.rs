//! simdjson (C++), built by `benches/simdjson/build.sh`.

use super::{Contender, Side};
use crate::input::Input;
use crate::peer::{Peer, built};
use std::process::Command;
use std::time::Duration;

pub struct Simdjson {
    peer: Peer,
    implementation: String,
}

impl Simdjson {
    pub fn start() -> Result<Simdjson, String> {
        let path = built("simdjson-bench", "SIMDJSON_BENCH")
            .ok_or("no simdjson-bench in the target folder; benches/simdjson/build.sh makes it")?;
        let mut peer = Peer::start(&mut Command::new(&path))?;
        let implementation = peer
            .ask("name", b"")
            .map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(Simdjson {
            peer,
            implementation,
        })
    }
}

impl Contender for Simdjson {
    fn name(&self) -> String {
        format!("simdjson {}", self.implementation)
    }

    fn side(&self) -> Side {
        Side::Cpp
    }

    fn load(&mut self, input: &Input) {
        let kind = if input.lines { "lines" } else { "document" };
        let request = format!("load {kind} {}", input.bytes.len());
        self.peer.load(&request, &input.bytes);
    }

    fn check(&mut self, _input: &Input) -> bool {
        self.peer.number("check") >= 0
    }

    fn time(&mut self, _input: &Input, iterations: u32) -> Duration {
        self.peer.time(&format!("time {iterations}"))
    }
}
