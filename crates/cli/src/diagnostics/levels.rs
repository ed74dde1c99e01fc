//! Which lints are reported, and which count as errors.

use jsonx_core::diagnose::Lints;

/// The level of every lint: allowed, a warning, or an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Levels {
    /// Lints that are reported.
    pub shown: Lints,
    /// The reported lints that are errors.
    pub denied: Lints,
}

impl Default for Levels {
    /// All lints are warnings.
    fn default() -> Levels {
        Levels {
            shown: Lints::ALL,
            denied: Lints::NONE,
        }
    }
}

impl Levels {
    /// No lint is reported.
    pub const NONE: Levels = Levels {
        shown: Lints::NONE,
        denied: Lints::NONE,
    };
}
