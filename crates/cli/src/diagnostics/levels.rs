//! Which lints are reported, and which count as errors.

use jsonx_core::diagnose::Lints;

use jsonx_schema::keywords::Set;

/// The level of every lint: allowed, a warning, or an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Levels {
    /// Lints that are reported.
    pub shown: Lints,
    /// The reported lints that are errors.
    pub denied: Lints,
    /// Keywords of schemas that are not reported.
    pub schema_allowed: Set,
    /// Keywords of schemas that are reported as warnings.
    pub schema_warned: Set,
}

impl Default for Levels {
    /// All lints are warnings.
    fn default() -> Levels {
        Levels {
            shown: Lints::ALL,
            denied: Lints::NONE,
            schema_allowed: Set::default(),
            schema_warned: Set::default(),
        }
    }
}

impl Levels {
    /// No lint is reported.
    pub const NONE: Levels = Levels {
        shown: Lints::NONE,
        denied: Lints::NONE,
        schema_allowed: Set::NONE,
        schema_warned: Set::NONE,
    };
}
