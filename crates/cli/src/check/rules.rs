//! `--input`: rules for the kinds of inputs.

use std::path::Path;

use crate::files::globs::Globs;
use crate::input::InputKind;
use crate::words::Words;

/// One value of `--input`: a kind, for all inputs or for those that match a glob.
#[derive(Clone, Debug)]
pub struct InputRule {
    kind: InputKind,
    glob: Option<Globs<()>>,
}

impl InputRule {
    /// Parses `KIND` or `GLOB=KIND`.
    ///
    /// # Errors
    /// An unknown kind, or a bad glob.
    pub fn parse(argument: &str) -> Result<InputRule, String> {
        let (glob, name) = match argument.rsplit_once('=') {
            Some((glob, name)) => (Some(glob), name),
            None => (None, argument),
        };
        let kind = InputKind::from_word(name)
            .ok_or_else(|| format!("the kinds are {}", InputKind::words().join(", ")))?;
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
