//! Exit codes: the same meaning in every command, and the highest of several files wins.

use std::process::ExitCode;

/// The outcome of a run. The highest of several inputs wins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Exit {
    /// Success: all valid, all formatted, at least one match.
    #[default]
    Done = 0,
    /// Check failed: something is invalid (`validate`), nothing matches (`get`).
    No = 1,
    /// The command could not start: usage, a bad path expression, an unknown kernel.
    Usage = 2,
    /// The input of `fmt` or `get` is not JSON.
    NotJson = 3,
    /// Something could not be read or written, or a limit was reached.
    Failure = 4,
}

impl Exit {
    /// The higher of the two.
    pub fn and(self, other: Exit) -> Exit {
        self.max(other)
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}
