//! Messages about paths: invalid paths, paths without a match, and suggestions.

use std::ffi::OsStr;

use jsonx_core::edit::EditError;
use jsonx_core::path::{Location, Notation, Path, PathError, Segment};
use jsonx_core::query::Missing;
use jsonx_core::string::decode_key;
use jsonx_core::{Document, Kind};

use crate::messages;
use crate::report::{escape, width_of};
use jsonx_core::string::nearest::{Nearest, SHORT};

/// Longest text that is compiled as a program.
#[cfg(feature = "jq")]
const LONGEST_PROGRAM: usize = 4096;

/// Longest container whose keys are read for a suggestion.
const LONGEST_READ: u64 = 16 << 20;

/// Characters of a value that a message shows.
const SHOWN: usize = 40;

/// The message for an invalid path, of an option if one is given, with a caret under the offending character.
pub fn bad_path(option: Option<&str>, typed: &OsStr, error: &PathError) -> String {
    let option = option.map_or(String::new(), |option| format!(" for {option}"));
    let bytes = typed.as_encoded_bytes();
    let indent = " ".repeat(width_of(&escape(&bytes[..error.offset])));
    let message = &error.message;
    format!(
        "jsonx: bad path{option}: {message}\n  {}\n  {indent}^",
        escape(bytes)
    )
}

/// The did-you-mean question.
pub fn did_you_mean(meant: &(impl AsRef<[u8]> + ?Sized)) -> String {
    format!("did you mean {}?", escape(meant))
}

/// The line after the message for an invalid path, with the path that may have been meant, or the command that runs it as a
/// program of jq.
pub fn meant_path(
    typed: &OsStr,
    error: &PathError,
    command: impl FnOnce(&str) -> Option<String>,
) -> String {
    let text = typed.to_string_lossy();
    let of_root = ROOTS.iter().find_map(|root| {
        let path = text.strip_prefix(root)?;
        (path.starts_with(['.', '[']) && Path::parse(path).is_ok()).then(|| path.to_owned())
    });
    let program = [text.to_string(), text.replacen("$.", ".", 1)];
    let program = program.iter().find(|program| is_program(program));
    let run = program.and_then(|program| command(program));
    // A program may be a path with pipes and spaces, or a key.
    let steps = |text: &str| text.replace(['|', ' '], "");
    let is_path = |near: &String| steps(near) == steps(&text) && !near.contains("...");
    let is_name = |near: &String| *near == format!(".{text}");
    let near = of_root.or_else(|| error.suggestion.clone());
    let near = near.filter(|near| run.is_none() || is_path(near) || is_name(near));
    match (near, run) {
        (Some(path), Some(run)) if is_name(&path) => {
            format!("\ndid you mean {}, or `{run}`?", escape(&path))
        }
        (Some(path), _) => format!("\n{}", did_you_mean(&path)),
        (None, Some(run)) => format!("\nthat is a jq program: `{run}`"),
        (None, None) => String::new(),
    }
}

/// The names of the document in gron and fx.
const ROOTS: [&str; 2] = ["json", "this"];

/// Whether a text is a program of jq, with an operator or a function.
#[cfg(feature = "jq")]
pub fn is_program(text: &str) -> bool {
    let is_step = |c: char| c.is_alphanumeric() || "_-.[]:'\"?".contains(c);
    let has_steps_only = text.starts_with(['.', '[']) && text.chars().all(is_step);
    text.len() <= LONGEST_PROGRAM
        && !text.starts_with('#')
        && (!has_steps_only || text.contains("[."))
        && jsonx_core::validate(text.as_bytes()).is_err()
        && jsonx_jq::Program::compile(text, &jsonx_jq::Settings::default()).is_ok()
}

#[cfg(not(feature = "jq"))]
pub fn is_program(_: &str) -> bool {
    false
}

/// The advice about duplicate keys.
pub const LAST_COUNTS: &str = "the last one counts";

/// Warns about duplicate keys in an input, or only along a path, and explains the consequence.
pub fn warn_of_duplicates(place: &str, path: Option<&str>, what: &str) {
    let way = path.map_or(String::new(), |path| format!(" along {path}"));
    messages::line(&format!(
        "jsonx: {place}: warning: duplicate keys{way}; {what}"
    ));
}

/// The value at which a path stopped.
pub struct NoMatch {
    /// The number of steps to it.
    pub steps: usize,
    pub kind: Kind,
    /// The length of an array if the next step is an index.
    pub length: Option<u64>,
    /// Its text, unless that is too long.
    pub container: Vec<u8>,
}

impl NoMatch {
    /// The place where a lookup stopped; `container` returns the text of the value there.
    pub fn of_missing(missing: &Missing, container: impl FnOnce() -> Vec<u8>) -> NoMatch {
        let readable = missing.end - missing.start <= LONGEST_READ;
        NoMatch {
            steps: missing.steps,
            kind: missing.kind,
            length: missing.length,
            container: readable.then(container).unwrap_or_default(),
        }
    }

    /// The place where a path stopped, if that prevented an edit. `container` returns the text of the value after this many
    /// steps.
    pub fn new(error: &EditError, container: impl FnOnce(usize) -> Vec<u8>) -> Option<NoMatch> {
        let (steps, kind, length) = match *error {
            EditError::Missing { steps, .. } => (steps, Kind::Object, None),
            EditError::PastEnd { steps, length, .. } => (steps, Kind::Array, Some(length as u64)),
            EditError::NotContainer { steps, kind, .. } => (steps, kind, None),
            _ => return None,
        };
        Some(NoMatch {
            steps,
            kind,
            length,
            container: container(steps),
        })
    }
}

/// The sentence about where a path stopped, and a did-you-mean question.
pub fn explain(path: &Path, stopped: &NoMatch) -> (String, String) {
    let meant = near(path, &path.to_string(), stopped.steps, |offer| {
        let document = Document::parse(&stopped.container).ok();
        let document = document.filter(|_| stopped.kind == Kind::Object);
        for (key, _) in document
            .iter()
            .flat_map(|document| document.root().members())
        {
            let raw = key.raw();
            offer(&decode_key(&raw[1..raw.len() - 1]));
        }
    });
    let hint = meant.map_or(String::new(), |meant| did_you_mean(&meant));
    let sentence = sentence(path, stopped.steps, stopped.kind, stopped.length);
    (sentence, hint)
}

/// The key that a step selects.
pub fn key_at(path: &Path, step: usize) -> Option<&[u8]> {
    path.segments().get(step)?.selectors.first()?.key()
}

/// The sentence about a value of this kind after `steps` steps, at which the path stopped. `length` is the length of an array if the
/// next step is an index.
pub fn sentence(path: &Path, steps: usize, kind: Kind, length: Option<u64>) -> String {
    let reached = match steps {
        0 => "the document".to_owned(),
        steps => escape(&path.first(steps).to_string()),
    };
    let there = match (kind, length, key_at(path, steps)) {
        (Kind::Object, _, Some(key)) => format!("has no key `{}`", escape(key)),
        (Kind::Object, ..) => "is an object, not an array".to_owned(),
        (Kind::Array, Some(1), _) => "has 1 element".to_owned(),
        (Kind::Array, Some(length), _) => format!("has {length} elements"),
        (Kind::Array, ..) => "is an array, not an object".to_owned(),
        (kind, ..) => format!("is {kind}"),
    };
    format!("{reached} {there}")
}

/// Maximum number of steps tried as one key.
const MAX_JOINED: usize = 8;

/// A suggestion for a path that stopped in an object before this step: several steps joined to one key, or the most similar
/// key. `each_key` enumerates the keys of the object.
pub fn near(
    path: &Path,
    typed: &str,
    step: usize,
    each_key: impl FnOnce(&mut dyn FnMut(&[u8])),
) -> Option<String> {
    let key = key_at(path, step)?;
    let joined = joined_keys(path, step);
    let mut nearest = Nearest::new(key);
    let mut whole = None;
    each_key(&mut |found| {
        whole = whole.or_else(|| joined.iter().find(|(_, joined)| joined[..] == *found));
        nearest.offer(found);
    });
    match whole {
        Some((steps, key)) => Some(with_key(path, step, *steps, key)),
        None => with_near_key(path, typed, step, nearest.found()?),
    }
}

/// The path with the key `found` at a step, if it is similar enough, in the user's notation if that is equivalent.
pub fn with_near_key(path: &Path, typed: &str, step: usize, found: &[u8]) -> Option<String> {
    let key = key_at(path, step)?;
    // Most short keys differ by a single letter.
    if key.len() < SHORT && !found.eq_ignore_ascii_case(key) {
        return None;
    }
    let meant = with_key(path, step, 1, found);
    let typed = match (std::str::from_utf8(key), std::str::from_utf8(found)) {
        (Ok(key), Ok(found)) => typed.replace(key, found),
        _ => meant.clone(),
    };
    let segments = |text: &str| Some(Path::parse(text).ok()?.segments().to_vec());
    let is_same = segments(&typed).is_some_and(|path| Some(path) == segments(&meant));
    Some(if is_same { typed } else { meant })
}

/// The keys made by joining two, three and more steps from `from` on, with dots, and in a pointer also with slashes; each with
/// the number of steps.
pub fn joined_keys(path: &Path, from: usize) -> Vec<(usize, Vec<u8>)> {
    let between: &[u8] = match path.notation() {
        Notation::Pointer => b"/.",
        _ => b".",
    };
    let segments = path.segments().iter().skip(from);
    let keys: Vec<&[u8]> = segments.map_while(Segment::key).take(MAX_JOINED).collect();
    let joined = |count: usize| {
        let keys = &keys[..count];
        between.iter().map(move |mark| (count, keys.join(mark)))
    };
    (2..=keys.len()).flat_map(joined).collect()
}

/// Whether the object at which a path stopped has a key that joins several of its steps.
pub fn has_joined_key(path: &Path, stopped: &NoMatch) -> bool {
    let joined = joined_keys(path, stopped.steps);
    let document = Document::parse(&stopped.container).ok();
    let document = document.filter(|_| stopped.kind == Kind::Object && !joined.is_empty());
    document.is_some_and(|document| {
        let mut keys = document.root().members().map(|(key, _)| key.raw());
        keys.any(|raw| {
            joined
                .iter()
                .any(|(_, it)| it[..] == *decode_key(&raw[1..raw.len() - 1]))
        })
    })
}

/// The path with `steps` steps replaced by `key`.
pub fn with_key(path: &Path, at: usize, steps: usize, key: &[u8]) -> String {
    let mut step = Location::default();
    step.push_key(key);
    let step = step.display(path.notation()).to_string();
    let (before, until) = match at {
        0 => (String::new(), path.first(steps).to_string()),
        _ => (
            path.first(at).to_string(),
            path.first(at + steps).to_string(),
        ),
    };
    let step = match at {
        0 => &step,
        // Brackets follow the step before them directly.
        _ if step.starts_with(".[") => &step[1..],
        _ => step.strip_prefix('$').unwrap_or(&step),
    };
    let whole = path.to_string();
    let after = whole.strip_prefix(&until).unwrap_or_default();
    format!("{before}{step}{after}")
}

/// The JSON number or literal probably meant by a text without quotes.
pub fn spelled_in_json(text: &str) -> Option<String> {
    let meant = text.trim_start_matches('+').to_ascii_lowercase();
    jsonx_core::validate(meant.as_bytes())
        .is_ok()
        .then_some(meant)
}

/// A value in a message, cut if it is long.
pub fn shown(value: &[u8]) -> String {
    let text = escape(value);
    match text.char_indices().nth(SHOWN) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text,
    }
}
