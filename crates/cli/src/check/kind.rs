//! The kind of an input: one value, with or without comments, one value per line, or a stream of values.

use std::path::Path;

use clap::ValueEnum;
use jsonx_core::jsonc::Dialect;

use crate::files::dialects::Language;
use crate::files::globs::Globs;
use crate::input::TextStructure;

/// The framing of the values of an input, and whether it may have comments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum InputKind {
    /// By the name of the input.
    Auto,
    /// One value.
    Json,
    /// One value, with comments and trailing commas.
    Jsonc,
    /// One value, with comments and without trailing commas: only by the name of the input.
    #[value(skip)]
    Comments,
    /// One value, in JSON5.
    Json5,
    /// One value per line.
    Jsonl,
    /// Any number of values, one after another.
    Stream,
}

impl InputKind {
    /// The kind of a file in this language.
    pub fn new(language: Language) -> InputKind {
        match language {
            Language::Json => InputKind::Json,
            Language::Comments => InputKind::Comments,
            Language::Jsonc => InputKind::Jsonc,
            Language::Json5 => InputKind::Json5,
        }
    }

    /// The kind with this name on the command line.
    pub fn named(name: &str) -> Option<InputKind> {
        InputKind::from_str(name, false).ok()
    }

    /// The names of all kinds that have one.
    pub fn names() -> Vec<String> {
        let kinds = InputKind::value_variants().iter();
        kinds.filter_map(|&kind| kind.name()).collect()
    }

    /// Its name on the command line, if it has one.
    pub fn name(self) -> Option<String> {
        let value = self.to_possible_value()?;
        Some(value.get_name().to_owned())
    }

    /// The dialect of an input of this kind; for JSON5, that of its translation.
    pub fn dialect(self) -> Dialect {
        match self {
            InputKind::Jsonc | InputKind::Json5 => Dialect::Jsonc,
            InputKind::Comments => Dialect::Comments,
            _ => Dialect::Json,
        }
    }

    /// The structure of its text.
    pub fn text(self) -> TextStructure {
        match self {
            InputKind::Jsonl => TextStructure::Lines,
            InputKind::Jsonc | InputKind::Comments | InputKind::Json5 => TextStructure::Commented,
            _ => TextStructure::Values,
        }
    }

    /// Whether the input is a single value.
    pub fn is_one_value(self) -> bool {
        matches!(
            self,
            InputKind::Json | InputKind::Jsonc | InputKind::Comments | InputKind::Json5
        )
    }

    /// The dialect for `--verbose`, unless it is JSON.
    pub fn note(self) -> &'static str {
        match self {
            InputKind::Jsonc => " (JSONC)",
            InputKind::Json5 => " (JSON5)",
            InputKind::Comments => " (JSON with comments)",
            _ => "",
        }
    }
}

/// One value of `--input`: a kind, for all inputs or for those that match a glob.
#[derive(Clone, Debug)]
pub struct InputRule {
    kind: InputKind,
    glob: Option<Globs<()>>,
}

impl InputRule {
    /// A kind for all inputs.
    pub fn all(kind: InputKind) -> InputRule {
        InputRule { kind, glob: None }
    }

    /// Parses `KIND` or `GLOB=KIND`.
    ///
    /// # Errors
    /// An unknown kind, or a bad glob.
    pub fn parse(argument: &str) -> Result<InputRule, String> {
        let (glob, name) = match argument.rsplit_once('=') {
            Some((glob, name)) => (Some(glob), name),
            None => (None, argument),
        };
        let kind = InputKind::named(name)
            .ok_or_else(|| format!("the kinds are {}", InputKind::names().join(", ")))?;
        let glob = glob.map(|glob| {
            // A `!` at the start has no meaning here.
            let glob = match glob.as_bytes().first() {
                None => return Err("GLOB is missing before `=`".to_owned()),
                Some(b'!') => format!("\\{glob}"),
                Some(_) => glob.to_owned(),
            };
            Globs::new([(glob, ())])
        });
        Ok(InputRule {
            kind,
            glob: glob.transpose()?,
        })
    }

    /// The kind of a file by the last matching rule, if any matches.
    pub(super) fn kind_of(rules: &[InputRule], path: Option<&Path>) -> Option<InputKind> {
        let matches = |rule: &&InputRule| match (&rule.glob, path) {
            (None, _) => true,
            (Some(_), None) => false,
            (Some(glob), Some(path)) => glob.find(path).is_some(),
        };
        // A glob takes precedence over a kind for all inputs.
        let with_glob = rules.iter().rev().filter(|rule| rule.glob.is_some());
        let without = rules.iter().rev().filter(|rule| rule.glob.is_none());
        with_glob.chain(without).find(matches).map(|rule| rule.kind)
    }
}
