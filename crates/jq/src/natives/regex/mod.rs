//! Regular expressions: `match` and its derivatives. Patterns are those of Oniguruma, which jq uses, [translated](pattern) for
//! `fancy-regex`, with look-around, back-references and a limit on backtracking.

mod class;
mod pattern;
mod scanner;

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use fancy_regex::{Captures, Regex, RegexBuilder};

use self::pattern::{Options, Texts, translate};
use super::{Native, native};
use crate::error::{Result, about, described, error};
use crate::value::{Type, Value};

pub(super) const NATIVES: &[Native] = &[native("_match", 3, |input, arguments| {
    matches(&input, &arguments[0], &arguments[1], &arguments[2])
})];

/// The number of cached expressions, for programs that use them for each input.
const MOST: usize = 64;

/// Steps of backtracking in one match.
const BACKTRACKING: usize = 10_000_000;

/// The text of an expression, its flags, and its texts.
type Key = (Rc<str>, Flags, Texts);

/// A compiled expression, and the names of its groups.
struct Compiled {
    regex: Regex,
    names: Vec<Option<Rc<str>>>,
}

thread_local! {
    static COMPILED: RefCell<HashMap<Key, Rc<Compiled>>> = RefCell::default();
}

/// The flags of a match.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct Flags {
    is_global: bool,
    skips_empty: bool,
    is_longest: bool,
    options: Options,
}

fn flags(value: &Value) -> Result<Flags> {
    let mut flags = Flags::default();
    let text = match value.type_of() {
        Type::Null => return Ok(flags),
        _ => value
            .as_str()
            .ok_or_else(|| error(format!("{} is not a string", described(value))))?,
    };
    for flag in text.chars() {
        match flag {
            'g' => flags.is_global = true,
            'n' => flags.skips_empty = true,
            'l' => flags.is_longest = true,
            'i' => flags.options.ignores_case = true,
            'x' => flags.options.is_extended = true,
            'm' | 'p' => flags.options.dot_matches_all = true,
            // `^` and `$` are those of the whole text without it, too.
            's' => {}
            _ => return Err(error(format!("{text} is not a valid modifier string"))),
        }
    }
    Ok(flags)
}

fn compiled(pattern: &Rc<str>, flags: Flags, text: &str) -> Result<Rc<Compiled>> {
    let texts = Texts::of(text);
    let key = (pattern.clone(), flags, texts);
    COMPILED.with_borrow_mut(|compiled| {
        if let Some(regex) = compiled.get(&key) {
            return Ok(regex.clone());
        }
        let failed = |reason: String| error(format!("Regex failure: {reason}"));
        let translated = translate(pattern, flags.options, texts).map_err(failed)?;
        let build = |text: &str, skips_empty| {
            RegexBuilder::new(text)
                .backtrack_limit(BACKTRACKING)
                .find_not_empty(skips_empty)
                .leftmost_longest(flags.is_longest)
                .build()
                .map_err(|reason| failed(reason.to_string()))
        };
        let regex = match build(&translated.text, flags.skips_empty) {
            // A pattern that only matches empty texts is an error then.
            Err(_) if flags.skips_empty && build(&translated.text, false).is_ok() => {
                build("a(?!)", false)?
            }
            regex => regex?,
        };
        let names = translated.names.into_iter();
        let regex = Rc::new(Compiled {
            regex,
            names: names.map(|name| name.map(Rc::from)).collect(),
        });
        if compiled.len() >= MOST {
            compiled.clear();
        }
        compiled.insert(key, regex.clone());
        Ok(regex)
    })
}

impl Compiled {
    /// The first match from an offset, or with the flag `l`, the longest one.
    fn find<'t>(
        &self,
        text: &'t str,
        from: usize,
        is_longest: bool,
    ) -> Result<Option<Captures<'t, str>>> {
        let search = |from| {
            let captures = self.regex.captures_from_pos(text, from);
            captures.map_err(|reason| error(format!("Regex failure: {reason}")))
        };
        let mut best = search(from)?;
        let mut next = best
            .as_ref()
            .filter(|_| is_longest)
            .and_then(|first| first.get(0));
        while let Some(last) = next {
            let from = last.start()
                + text[last.start()..]
                    .chars()
                    .next()
                    .map_or(1, char::len_utf8);
            if from > text.len() {
                break;
            }
            let found = search(from)?;
            next = found.as_ref().and_then(|captures| captures.get(0));
            let length =
                |captures: &Captures<'_, str>| captures.get(0).map(|whole| whole.range().len());
            if found.as_ref().and_then(length) > best.as_ref().and_then(length) {
                best = found;
            }
        }
        Ok(best)
    }
}

/// What is `"matches"`: all matches as objects; `"test"`: whether there is a match; `"parts"`: the matches, and the texts before,
/// between and after them.
fn matches(value: &Value, pattern: &Value, flag: &Value, what: &Value) -> Result<Value> {
    let Some(text) = value.as_str() else {
        return Err(about(value, "cannot be matched, as it is not a string"));
    };
    let Some(pattern) = pattern.to_rc_str() else {
        return Err(about(pattern, "is not a string"));
    };
    let flags = flags(flag)?;
    let regex = compiled(&pattern, flags, &text)?;
    let mut found = Vec::new();
    let mut positions = Positions::default();
    let what = what.as_str();
    let (is_test, has_parts) = (
        what.as_deref() == Some("test"),
        what.as_deref() == Some("parts"),
    );
    let (mut from, mut matched_to) = (0, 0);
    while from <= text.len() {
        let captures = regex.find(&text, from, flags.is_longest)?;
        let Some((captures, whole)) = captures.and_then(|captures| {
            let whole = captures.get(0)?.range();
            Some((captures, whole))
        }) else {
            break;
        };
        // Do not find an empty match twice.
        from = if whole.is_empty() {
            whole.end + text[whole.end..].chars().next().map_or(1, char::len_utf8)
        } else {
            whole.end
        };
        if is_test {
            return Ok(Value::Bool(true));
        }
        if has_parts {
            found.push(Value::from(&text[matched_to..whole.start]));
            matched_to = whole.end;
        }
        found.push(match_object(&regex.names, &captures, &text, &mut positions));
        if !flags.is_global {
            break;
        }
    }
    if is_test {
        return Ok(Value::Bool(false));
    }
    if has_parts {
        found.push(Value::from(&text[matched_to..]));
    }
    Ok(Value::array(found))
}

/// Counts characters up to offsets that mostly ascend.
#[derive(Default)]
struct Positions {
    offset: usize,
    characters: usize,
}

impl Positions {
    fn at(&mut self, text: &str, offset: usize) -> usize {
        if offset >= self.offset {
            self.characters += text[self.offset..offset].chars().count()
        } else {
            self.characters -= text[offset..self.offset].chars().count()
        }
        self.offset = offset;
        self.characters
    }
}

fn match_object(
    names: &[Option<Rc<str>>],
    captures: &Captures<'_, str>,
    text: &str,
    positions: &mut Positions,
) -> Value {
    let mut place = |range: Option<std::ops::Range<usize>>| match range {
        Some(range) => {
            let matched = &text[range.clone()];
            (
                Value::from(positions.at(text, range.start)),
                Value::from(matched.chars().count()),
                Value::from(matched),
            )
        }
        None => (Value::Number(-1.0), Value::Number(0.0), Value::Null),
    };
    let groups = (1..captures.len()).map(|at| {
        let (offset, length, string) = place(captures.get(at).map(|group| group.range()));
        let name = names.get(at - 1).cloned().flatten();
        let name = name.map_or(Value::Null, Value::String);
        Value::object([
            ("offset".into(), offset),
            ("length".into(), length),
            ("string".into(), string),
            ("name".into(), name),
        ])
    });
    let groups = Value::array(groups.collect());
    let (offset, length, string) = place(captures.get(0).map(|whole| whole.range()));
    Value::object([
        ("offset".into(), offset),
        ("length".into(), length),
        ("string".into(), string),
        ("captures".into(), groups),
    ])
}
