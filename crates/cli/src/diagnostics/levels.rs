//! The levels of lints: off, warning or error.

use jsonx_diagnose::{Code, Lints};

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
    /// The lints and the keywords whose level the command line sets.
    pub explicit: (Lints, Set),
}

/// The level of a lint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// It is not reported.
    Off,
    /// It is a warning.
    Warn,
    /// It is an error.
    Deny,
}

/// The lints and schema keywords selected by a name.
#[derive(Clone, Copy, Debug)]
pub struct LintSelection {
    /// The lints.
    pub lints: Lints,
    /// The keywords.
    pub keywords: Set,
}

impl LintSelection {
    /// All lints.
    pub const ALL: LintSelection = LintSelection {
        lints: Lints::ALL,
        keywords: Set::NONE,
    };

    /// Parses a name: a lint, `schema/KEYWORD`, `schema` for all keywords, or `all` for all lints.
    pub fn named(name: &str) -> Option<LintSelection> {
        if name == "all" {
            return Some(LintSelection::ALL);
        }
        let mut codes = Lints::CODES.into_iter();
        if let Some(code) = codes.find(|code| code.as_str() == name) {
            return Some(LintSelection {
                lints: Lints::NONE.with(code, true),
                keywords: Set::NONE,
            });
        }
        Set::new(name).map(|keywords| LintSelection {
            lints: Lints::NONE,
            keywords,
        })
    }

    /// The lints for which the condition holds.
    fn only(self, holds: impl Fn(Code) -> bool) -> Lints {
        let codes = Lints::CODES.into_iter();
        let codes = codes.filter(|&code| self.lints.contains(code) && holds(code));
        codes.fold(Lints::NONE, |lints, code| lints.with(code, true))
    }
}

impl Default for Levels {
    /// All lints are warnings.
    fn default() -> Levels {
        Levels {
            shown: Lints::ALL,
            schema_warned: Set::warnings(),
            ..Levels::NONE
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
        explicit: (Lints::NONE, Set::NONE),
    };

    /// Sets the level of lints and keywords, as the command line does.
    pub fn set_explicit(&mut self, selection: LintSelection, level: Level) {
        self.set(selection, level);
        let (lints, keywords) = self.explicit;
        let explicit = |lints: Lints, &code: &Code| lints.with(code, true);
        let codes = Lints::CODES.iter();
        let codes = codes.filter(|&&code| selection.lints.contains(code));
        self.explicit = (
            codes.fold(lints, explicit),
            keywords.with(selection.keywords, true),
        );
    }

    fn set(&mut self, selection: LintSelection, level: Level) {
        let (is_shown, is_denied) = (level != Level::Off, level == Level::Deny);
        for code in Lints::CODES {
            if selection.lints.contains(code) {
                self.shown = self.shown.with(code, is_shown);
                self.denied = self.denied.with(code, is_denied);
            }
        }
        let keywords = selection.keywords;
        self.schema_allowed = self.schema_allowed.with(keywords, !is_shown);
        self.schema_warned = self.schema_warned.with(keywords, is_shown && !is_denied);
    }

    /// The levels with these changes, except where the command line sets them. A lint that the command does not report is
    /// not turned on.
    #[must_use]
    pub fn with_config(self, changes: impl IntoIterator<Item = (LintSelection, Level)>) -> Levels {
        let (explicit, explicit_keywords) = self.explicit;
        let mut levels = self;
        for (selection, level) in changes {
            let is_open = |code: Code| self.shown.contains(code) && !explicit.contains(code);
            let selection = LintSelection {
                lints: selection.only(is_open),
                keywords: selection.keywords.with(explicit_keywords, false),
            };
            levels.set(selection, level);
        }
        levels
    }
}
