//! Messages of `get` for invalid paths and for paths without a match.

use std::ffi::OsStr;
use std::path::{Path as FilePath, PathBuf};

use jsonx_core::Kind;
use jsonx_core::path::{Location, Notation, Path, PathError};
use jsonx_core::query::{Answer, Missing, Query, QueryOptions};

use super::reread::Reread;
use crate::args::hints::of_function;
use crate::input::Name;
use crate::path_messages::{self, did_you_mean, is_program};
use crate::report::in_shell;
use jsonx_core::string::nearest::Nearest;

/// The hint if a file is given instead of the path.
pub const PATH_FIRST: &str = "the path comes first: jsonx get PATH FILE";

/// The message for an invalid path, with a caret under the offending character, and a suggestion.
pub fn bad_path(typed: &OsStr, error: &PathError, files: &[PathBuf]) -> String {
    let bytes = typed.as_encoded_bytes();
    let text = typed.to_string_lossy();
    let hint = if FilePath::new(typed).is_file() {
        format!("\nthat is the name of a file; {PATH_FIRST}")
    } else if bytes == b"-" {
        "\n`-` is standard input; the path comes first: `jsonx get PATH -`".to_owned()
    } else if matches!(bytes.first(), Some(b'{' | b'[')) && jsonx_core::validate(bytes).is_ok() {
        "\nthat is JSON, which comes from a file or standard input: `echo '…' | jsonx get PATH`"
            .to_owned()
    } else if let Some(command) = of_function(&text) {
        format!("\n{}", did_you_mean(&command))
    } else {
        path_messages::meant_path(typed, error, |program| {
            let names = files
                .iter()
                .map(|file| in_shell(file.as_os_str().as_encoded_bytes()));
            Some(jq(program, names))
        })
    };
    path_messages::bad_path(None, typed, error) + &hint
}

/// The command that runs a program of jq.
fn jq(program: &str, files: impl Iterator<Item = String>) -> String {
    let words = [in_shell(program)].into_iter().chain(files);
    words.fold("jsonx jq".to_owned(), |command, word| command + " " + &word)
}

/// `FILE:LINE:COL`, or `FILE` and the offset if the line is unknown.
fn place(name: &Name, place: Option<(u64, u64)>, at: u64) -> String {
    match place {
        Some((line, column)) => format!("{name}:{line}:{column}"),
        None => format!("{name}, byte {at}"),
    }
}

/// The number of values without a match, in words.
pub fn among(values: u64) -> String {
    match values {
        0 | 1 => String::new(),
        n => format!(", in none of its {n} values"),
    }
}

/// Operators of jq that keys of dot paths may contain.
const IN_KEYS: [char; 5] = ['/', '=', '+', '%', '@'];

/// A path without a match, to be explained.
pub struct Absence<'a> {
    /// The path as typed.
    pub typed: &'a str,
    pub path: &'a Path,
    pub missing: Option<Missing>,
    pub place: Option<(u64, u64)>,
    /// Number of values at the root without a match.
    pub misses: u64,
}

impl Absence<'_> {
    /// The message: where the path stopped, and the value there. A second line suggests a path.
    pub fn text(mut self, again: &mut Reread<'_>) -> String {
        let path = self.typed;
        if self.misses == 0 {
            return format!(
                "jsonx: no match for {path}: {} holds no value",
                again.input.name()
            );
        }
        if self.missing.is_none() {
            self.missing = first_step(self.path, again);
        }
        let Some(missing) = self.missing else {
            let among = among(self.misses);
            let near = self.nearest_of_many(again);
            return format!(
                "jsonx: no match for {path} in {}{among}{near}",
                again.input.name()
            );
        };
        let is_sum =
            self.path.notation() == Notation::Dot && path.contains(IN_KEYS) && is_program(path);
        let is_last = missing.steps + 1 == self.path.segments().len();
        let near = match missing.kind {
            _ if is_sum => None,
            Kind::Array => self.in_elements(&missing, again),
            Kind::Object => self.in_object(&missing, again),
            _ => self.with_dots(&missing, again),
        };
        let near = near.or_else(|| of_function(path).filter(|_| is_last));
        let near = match near {
            Some(meant) => format!("\n{}", did_you_mean(&meant)),
            None if is_sum => {
                let name = again.input.name();
                let file = (!name.is_stdin()).then(|| in_shell(&name.to_string()));
                format!("\nas a jq program: `{}`", jq(path, file.into_iter()))
            }
            None => String::new(),
        };
        let at = self.place.or_else(|| {
            let excerpt = again.input.excerpt(missing.start).ok()?;
            Some(excerpt.position())
        });
        let at = place(again.input.name(), at, missing.start);
        let more = match self.misses {
            1 => String::new(),
            2 => ", nor in the value after it".to_owned(),
            n => format!(", nor in the {} values after it", n - 1),
        };
        let sentence =
            path_messages::sentence(self.path, missing.steps, missing.kind, missing.length);
        format!("jsonx: no match for {path}: {sentence} ({at}){more}{near}")
    }

    /// The path with another key of the object where this one stopped.
    fn in_object(&self, missing: &Missing, again: &mut Reread<'_>) -> Option<String> {
        let mut searched = true;
        let near = path_messages::near(self.path, self.typed, missing.steps, |offer| {
            searched = again.each_key_of(missing.start, missing.end, offer);
        });
        near.filter(|_| searched)
    }

    /// The path in which the steps around the stop are one key with dots.
    fn with_dots(&self, missing: &Missing, again: &mut Reread<'_>) -> Option<String> {
        (0..missing.steps).rev().find_map(|step| {
            let joined = path_messages::joined_keys(self.path, step);
            let before = self.path.segments().iter().take(step);
            // The same in dots, for pointers too.
            let before = before.map(|segment| {
                let selector = segment.selectors.first()?;
                let mut way = Location::default();
                way.push_key(selector.key()?);
                Some(match selector.index() {
                    Some(index) => format!(".{index}"),
                    None => way.display(Notation::Dot).to_string(),
                })
            });
            let members = before.collect::<Option<String>>()? + ".*";
            let mut whole = None;
            let is_whole = |found: &[u8]| joined.iter().find(|(_, joined)| joined[..] == *found);
            again.each_key(&Path::parse(&members).ok()?, |found| {
                whole = whole.or_else(|| is_whole(found));
            });
            let (steps, key) = whole.filter(|(steps, _)| step + steps > missing.steps)?;
            Some(path_messages::with_key(self.path, step, *steps, key))
        })
    }

    /// The path through every element of the array where this one stopped, if one of them has the missing key.
    fn in_elements(&self, missing: &Missing, again: &mut Reread<'_>) -> Option<String> {
        let key = path_messages::key_at(self.path, missing.steps)?;
        let every = match self.path.notation() {
            Notation::Dot => "[]",
            Notation::JsonPath => "[*]",
            _ => return None,
        };
        let whole = self.path.to_string();
        let array = self.path.first(missing.steps).to_string();
        let after = match (missing.steps, self.path.notation()) {
            // The dot of the root is also the dot of the key.
            (0, Notation::Dot) => &whole[..],
            _ => whole.strip_prefix(&array)?,
        };
        let mut there = false;
        let members = Path::parse(&format!("{array}[*].*")).ok()?;
        let searched = again.each_key(&members, |found| there |= found == key);
        (searched && there).then(|| format!("{array}{every}{after}"))
    }

    /// Suggests the key nearest to one that is missing in each of many objects.
    fn nearest_of_many(&self, again: &mut Reread<'_>) -> String {
        let segments = self.path.segments();
        for at in (1..segments.len()).rev() {
            let Some(key) = segments[at].key() else {
                continue;
            };
            let mut nearest = Nearest::new(key);
            let members = format!("{}.*", self.path.first(at));
            let any = Path::parse(&members)
                .is_ok_and(|members| again.each_key(&members, |key| nearest.offer(key)));
            // The key itself is in an object that a later member with the same key replaces.
            if let Some(found) = nearest.found().filter(|found| *found != key) {
                let meant = path_messages::with_near_key(self.path, self.typed, at, found);
                return meant.map_or(String::new(), |meant| format!("\n{}", did_you_mean(&meant)));
            }
            // The steps before this one do match.
            if any {
                break;
            }
        }
        String::new()
    }
}

/// Where a path that may select many values stops, if that is within its longest singular prefix. Found by looking up
/// that prefix.
pub fn first_step(path: &Path, again: &mut Reread<'_>) -> Option<Missing> {
    if !again.input.is_file() || !again.kind.is_one_value() {
        return None;
    }
    let is_single = |count: usize| {
        let path = Path::parse(&path.first(count).to_string()).ok()?;
        path.is_singular()
            .then(|| Query::new(&[path], QueryOptions::default()))
    };
    let query = (1..path.segments().len()).rev().find_map(is_single)?;
    let mut first = None;
    let origin = again.answers(query, |answer| {
        first.get_or_insert(answer);
    })?;
    match first? {
        Answer::Missing { missing, .. } => Some(Missing {
            start: missing.start + origin,
            end: missing.end + origin,
            ..missing
        }),
        Answer::Match(_) => None,
    }
}
