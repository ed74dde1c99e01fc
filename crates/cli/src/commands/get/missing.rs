//! Messages of `get` for invalid paths and for paths without a match.

use std::ffi::OsStr;
use std::path::Path as FilePath;

use jsonx_core::Kind;
use jsonx_core::engine::{Members, Mode, Validator};
use jsonx_core::path::{Location, Notation, Path, PathError, Reach, Selector};
use jsonx_core::query::{Answer, Missing, Query, QueryOptions};
use jsonx_core::string::decode_key;

use super::idioms;
use super::keys::each_key;
use super::select;
use crate::check::InputKind;
use crate::check::{CheckOptions, Failure, push};
use crate::input::{Consumed, Input, Name};
use crate::path_messages;
use crate::report::{escape, in_shell};
use jsonx_core::diagnose::nearest::{Nearest, SHORT};

/// The hint if a file is given in place of the path.
pub const PATH_FIRST: &str = "the path comes first: jsonx get PATH FILE";

/// The message for an invalid path, with a caret under the offending character.
pub fn bad_path(typed: &OsStr, error: &PathError) -> String {
    let bytes = typed.as_encoded_bytes();
    let mut out = path_messages::bad_path(None, typed, error);
    match &error.suggestion {
        _ if FilePath::new(typed).is_file() => {
            out += &format!("\nthat is the name of a file; {PATH_FIRST}");
        }
        _ if bytes == b"-" => {
            out += "\n`-` is standard input; the path comes first: `jsonx get PATH -`";
        }
        _ if matches!(bytes.first(), Some(b'{' | b'[')) && jsonx_core::validate(bytes).is_ok() => {
            out += "\nthat is JSON, which comes from a file or standard input: `echo '…' | jsonx get PATH`";
        }
        near => {
            let text = typed.to_string_lossy();
            let near = near.as_ref().filter(|near| !quotes_operators(&text, near));
            // A path that selects the same is better than an example.
            let is_exact = |idiom: &&idioms::Idiom| near.is_some() && idiom.signs == ["map("];
            if let Some(command) = edit(&text) {
                out += &format!(
                    "\nget changes nothing; did you mean `{}`?",
                    escape(&command)
                );
            } else if let Some(command) = select::command(&text) {
                out += &match text.contains("select(") {
                    true => format!("\ndid you mean `{}`?", escape(&command)),
                    false => format!("\na condition follows --where: `{}`", escape(&command)),
                };
            } else if let Some(meant) = option(&text) {
                out += &format!("\ndid you mean {}?", escape(&meant));
            } else if let Some(idiom) = idioms::of(&text).filter(|idiom| !is_exact(idiom)) {
                out += &match idiom.ours.strip_prefix("jq: ") {
                    Some(why) => format!("\nuse jq for this: {why}"),
                    None => format!("\nin jsonx, {} is {}", plain(idiom.jq), plain(idiom.ours)),
                };
            } else if let Some(meant) = near {
                out += &format!("\ndid you mean {}?", escape(meant));
            }
        }
    }
    out
}

/// The command that makes the change of a program of jq.
fn edit(text: &str) -> Option<String> {
    let argument = |path: &str| match path.contains(|c: char| "[]*?$'\" ".contains(c)) {
        true => format!("'{}'", path.replace('\'', r"'\''")),
        false => path.to_owned(),
    };
    let is_path = |path: &&str| Path::parse(path).is_ok();
    if let Some(path) = text.strip_prefix("del(") {
        let path = path.strip_suffix(')').map(str::trim).filter(is_path)?;
        return Some(format!("jsonx del {}", argument(path)));
    }
    let (path, value) = text.split_once(" = ")?;
    let path = Some(path.trim()).filter(is_path)?;
    let value = value.trim();
    // Anything else is computed.
    let is_value = jsonx_core::validate(value.as_bytes()).is_ok();
    is_value.then(|| format!("jsonx set {} {}", argument(path), argument(value)))
}

/// Whether a suggested key is an operator of jq.
fn quotes_operators(text: &str, suggestion: &str) -> bool {
    let quotes = |text: &str| text.matches(['"', '\'']).count();
    quotes(suggestion) > quotes(text) && text.contains(['=', '|', '$', '+', '*', '/', '(', ','])
}

/// A cell of the table of idioms, without its remark.
fn plain(cell: &str) -> String {
    let cell = cell.split(" (").next().unwrap_or(cell);
    cell.replace("\\|", "|")
}

/// The option and the path equivalent to an operator or a function of jq and other tools.
fn option(text: &str) -> Option<String> {
    let is_path = |path: &&str| Path::parse(path).is_ok();
    if let Some((path, value)) = text.split_once("//") {
        let path = Some(path.trim()).filter(is_path)?;
        let value = Some(value.trim()).filter(|it| jsonx_core::validate(it.as_bytes()).is_ok())?;
        return Some(format!("--default {} {}", in_shell(value), in_shell(path)));
    }
    ["length", "keys", "type"].into_iter().find_map(|name| {
        let function = text.strip_suffix("()").unwrap_or(text);
        let path = function.strip_suffix(name)?.trim_end();
        let path = path.strip_suffix(['|', '.'])?.trim_end();
        let piped = function.len() == text.len();
        let path = Some(path).filter(is_path)?;
        (!piped || function.contains('|')).then(|| format!("--{name} {path}"))
    })
}

/// `FILE:LINE:COL`, or `FILE` and the offset if that is all that is known.
fn place(name: &Name, place: Option<(u64, u64)>, at: u64) -> String {
    match place {
        Some((line, column)) => format!("{name}:{line}:{column}"),
        None => format!("{name}, byte {at}"),
    }
}

/// Among how many values of an input there is no match.
pub fn among(values: u64) -> String {
    match values {
        0 | 1 => String::new(),
        n => format!(", in none of its {n} values"),
    }
}

/// Maximum number of steps tried as one key.
const MAX_JOINED: usize = 8;

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
    /// The message: where the path stopped, and the value there. A second line suggests the path that may have been
    /// meant.
    pub fn text(
        mut self,
        check_options: &CheckOptions,
        input: &mut Input,
        kind: InputKind,
    ) -> String {
        let path = self.typed;
        if self.misses == 0 {
            return format!(
                "jsonx: no match for {path}: {} holds no value",
                input.name()
            );
        }
        if self.missing.is_none() {
            self.missing = first_step(self.path, check_options, input, kind);
        }
        let Some(missing) = self.missing else {
            let among = among(self.misses);
            let near = self.nearest_of_many(check_options, input, kind);
            return format!(
                "jsonx: no match for {path} in {}{among}{near}",
                input.name()
            );
        };
        let mut near = match missing.kind {
            Kind::Array => self.in_elements(&missing, check_options, input, kind),
            _ => self.nearest(&missing, check_options, input, kind),
        };
        if near.is_empty()
            && path.contains("//")
            && let Some(meant) = option(path)
        {
            near = format!("\ndid you mean {meant}?");
        }
        let at = self.place.or_else(|| {
            let excerpt = input.excerpt(missing.start).ok()?;
            Some(excerpt.position())
        });
        let at = place(input.name(), at, missing.start);
        let more = match self.misses {
            1 => String::new(),
            2 => ", nor in the value after it".to_owned(),
            n => format!(", nor in the {} values after it", n - 1),
        };
        let sentence =
            path_messages::sentence(self.path, missing.steps, missing.kind, missing.length);
        format!("jsonx: no match for {path}: {sentence} ({at}){more}{near}")
    }

    /// Suggests the key nearest to the missing one in the object where the path stopped.
    fn nearest(
        &self,
        missing: &Missing,
        check_options: &CheckOptions,
        input: &mut Input,
        input_kind: InputKind,
    ) -> String {
        let Some(key) = step(self.path, missing).and_then(Selector::key) else {
            return String::new();
        };
        if missing.kind != Kind::Object {
            return String::new();
        }
        let mut nearest = Nearest::new(key);
        let joined = joined_keys(self.path, missing.steps);
        let mut whole = None;
        let mut members = Members::new(|key: &[u8]| {
            let key = decode_key(key);
            if let Some(at) = joined.iter().position(|joined| joined[..] == key[..]) {
                whole = Some(at);
            }
            nearest.offer(&key);
        });
        let options = check_options.engine(input_kind).mode(Mode::One);
        let mut validator = Validator::new(options);
        let searched = match input.is_file() {
            true => input
                .each_window_of(
                    missing.start,
                    missing.end,
                    |window| -> Result<Consumed, Failure> {
                        Ok(push(&mut validator, window, &mut members)?)
                    },
                )
                .is_ok(),
            false => input
                .held(missing.start, missing.end)
                .is_some_and(|bytes| validator.check(bytes, &mut members).is_ok()),
        };
        if let Some(at) = whole.filter(|_| searched) {
            let meant = with_key(self.path, missing.steps, at + 2, &joined[at]);
            return format!("\ndid you mean {}?", escape(&meant));
        }
        match nearest.found().filter(|_| searched) {
            Some(found) => self.meant(missing.steps, key, found),
            None => String::new(),
        }
    }

    /// Suggests the path through every element of the array where the path stopped, if one of them has the missing key.
    fn in_elements(
        &self,
        missing: &Missing,
        check_options: &CheckOptions,
        input: &mut Input,
        kind: InputKind,
    ) -> String {
        let key = step(self.path, missing).and_then(Selector::key);
        let (Some(key), false) = (key, self.path.notation() == Notation::Pointer) else {
            return String::new();
        };
        let whole = self.path.to_string();
        let array = self.path.first(missing.steps).to_string();
        let after = match (missing.steps, self.path.notation()) {
            // The dot of the root is also the dot of the key.
            (0, Notation::Dot) => Some(&whole[..]),
            _ => whole.strip_prefix(&array),
        };
        let Some(after) = after else {
            return String::new();
        };
        let mut there = false;
        let members = Path::parse(&format!("{array}[*].*"));
        let searched = members.is_ok_and(|members| {
            each_key(&members, check_options, input, kind, |found| {
                there |= found == key
            })
        });
        let every = match self.path.notation() {
            Notation::Dot => "[]",
            _ => "[*]",
        };
        match searched && there {
            true => format!(
                "\ndid you mean {}?",
                escape(&format!("{array}{every}{after}"))
            ),
            false => String::new(),
        }
    }

    /// Suggests the key nearest to one that is missing in each of many objects.
    fn nearest_of_many(
        &self,
        check_options: &CheckOptions,
        input: &mut Input,
        kind: InputKind,
    ) -> String {
        let segments = self.path.segments();
        for at in (1..segments.len()).rev() {
            let [selector] = segments[at].selectors.as_slice() else {
                continue;
            };
            let Some(key) = selector
                .key()
                .filter(|_| segments[at].reach == Reach::Child)
            else {
                continue;
            };
            let mut nearest = Nearest::new(key);
            let members = format!("{}.*", self.path.first(at));
            let any = Path::parse(&members).ok().is_some_and(|members| {
                let offer = |key: &[u8]| nearest.offer(key);
                each_key(&members, check_options, input, kind, offer)
            });
            if let Some(found) = nearest.found() {
                return self.meant(at, key, found);
            }
            // The steps before this one do match.
            if any {
                break;
            }
        }
        String::new()
    }

    /// The question whether the key `found` was meant in this step.
    fn meant(&self, at: usize, key: &[u8], found: &[u8]) -> String {
        // Most short keys differ by a single letter.
        if key.len() < SHORT && !found.eq_ignore_ascii_case(key) {
            return String::new();
        }
        let meant = with_key(self.path, at, 1, found);
        // In the user's notation, if that is equivalent.
        let typed = match (std::str::from_utf8(key), std::str::from_utf8(found)) {
            (Ok(key), Ok(found)) => self.typed.replace(key, found),
            _ => meant.clone(),
        };
        let segments = |text: &str| Some(Path::parse(text).ok()?.segments().to_vec());
        let same = segments(&typed).is_some_and(|path| Some(path) == segments(&meant));
        format!(
            "\ndid you mean {}?",
            escape(if same { &typed } else { &meant })
        )
    }
}

/// The step at which a path stopped.
fn step<'p>(path: &'p Path, missing: &Missing) -> Option<&'p Selector> {
    path.segments().get(missing.steps)?.selectors.first()
}

/// The keys with dots that the steps from `from` on may have been meant as: of two steps, of three, and so on.
fn joined_keys(path: &Path, from: usize) -> Vec<Vec<u8>> {
    if path.notation() != Notation::Dot {
        return Vec::new();
    }
    let keys = path.segments()[from..].iter().map_while(|segment| {
        let [selector] = segment.selectors.as_slice() else {
            return None;
        };
        selector.key().filter(|_| segment.reach == Reach::Child)
    });
    let keys: Vec<&[u8]> = keys.take(MAX_JOINED).collect();
    (2..=keys.len())
        .map(|count| keys[..count].join(&b'.'))
        .collect()
}

/// The path with `key` in place of `steps` steps.
fn with_key(path: &Path, at: usize, steps: usize, key: &[u8]) -> String {
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
        _ => step.strip_prefix('$').unwrap_or(&step),
    };
    let whole = path.to_string();
    let after = whole.strip_prefix(&until).unwrap_or_default();
    format!("{before}{step}{after}")
}

/// Where a path that may select many values stops, if that is within its longest singular prefix. Found by looking up
/// that prefix.
pub fn first_step(
    path: &Path,
    check_options: &CheckOptions,
    input: &mut Input,
    kind: InputKind,
) -> Option<Missing> {
    if !input.is_file() || !kind.is_one_value() {
        return None;
    }
    let is_single = |count: usize| {
        let path = Path::parse(&path.first(count).to_string()).ok()?;
        path.is_singular()
            .then(|| Query::new(&[path], QueryOptions::default()))
    };
    let mut query = (1..path.segments().len()).rev().find_map(is_single)?;
    let mut validator = Validator::new(check_options.engine(kind));
    let mut origin = 0;
    let read = input.each_window(|window| -> Result<Consumed, Failure> {
        origin = window.offset() - validator.offset();
        Ok(push(&mut validator, window, &mut query)?)
    });
    read.ok()?;
    query.end();
    match query.answers().next() {
        Some(Answer::Missing { missing, .. }) => Some(Missing {
            start: missing.start + origin,
            end: missing.end + origin,
            ..missing
        }),
        _ => None,
    }
}
