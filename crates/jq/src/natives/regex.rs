//! Regular expressions: `match` and its derivatives. jq uses Oniguruma; this uses `fancy-regex`, with look-around, back-references
//! and a limit on backtracking.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use fancy_regex::{Captures, Regex, RegexBuilder};

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

/// An expression, its flags, and whether its texts end with a line feed.
type Key = (Rc<str>, String, bool);

thread_local! {
    static COMPILED: RefCell<HashMap<Key, Rc<Regex>>> = RefCell::default();
}

/// The flags of a match.
#[derive(Default)]
struct Flags {
    global: bool,
    skip_empty: bool,
    /// The flags inside the expression.
    inner: String,
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
            'g' => flags.global = true,
            'n' => flags.skip_empty = true,
            'i' | 'x' => flags.inner.push(flag),
            'p' => flags.inner.push('s'),
            // `^` and `$` are those of the whole text without `s`, too.
            's' => {}
            // Requests the longest match; this engine only has the first one.
            'l' => {}
            _ => return Err(error(format!("{text} is not a valid modifier string"))),
        }
    }
    Ok(flags)
}

/// The expression whose `$` also matches before a final line feed, as in Oniguruma. Only used for texts that end with one, because
/// look-ahead is slower than `$`.
fn with_final_line_feed(pattern: &str) -> String {
    let mut out = String::with_capacity(pattern.len());
    let mut classes = 0_usize;
    let mut characters = pattern.chars().peekable();
    while let Some(character) = characters.next() {
        if character == '$' && classes == 0 {
            out.push_str(r"(?:$|(?=\n\z))");
            continue;
        }
        out.push(character);
        match character {
            '\\' => out.extend(characters.next()),
            '[' => {
                classes += 1;
                out.extend(characters.next_if_eq(&'^'));
                // A bracket at the start of a class does not close it.
                out.extend(characters.next_if_eq(&']'));
            }
            ']' => classes = classes.saturating_sub(1),
            _ => {}
        }
    }
    out
}

fn compiled(pattern: &Rc<str>, flags: &Flags, text: &str) -> Result<Rc<Regex>> {
    let has_final_line_feed = text.ends_with('\n') && pattern.contains('$');
    let key = (pattern.clone(), flags.inner.clone(), has_final_line_feed);
    COMPILED.with_borrow_mut(|compiled| {
        if let Some(regex) = compiled.get(&key) {
            return Ok(regex.clone());
        }
        let mut inner = match has_final_line_feed {
            true => with_final_line_feed(pattern),
            false => pattern.to_string(),
        };
        if !flags.inner.is_empty() {
            inner = format!("(?{}){inner}", flags.inner);
        }
        let regex = RegexBuilder::new(&inner)
            .backtrack_limit(BACKTRACKING)
            .build();
        let regex = regex.map_err(|reason| {
            error(format!(
                "{pattern} (at offset 0) is not a valid regex: {reason}"
            ))
        })?;
        let regex = Rc::new(regex);
        if compiled.len() >= MOST {
            compiled.clear();
        }
        compiled.insert(key, regex.clone());
        Ok(regex)
    })
}

/// What is `"matches"`: all matches as objects; `"test"`: whether there is a match; `"parts"`: the matches, and the texts before,
/// between and after them.
fn matches(value: &Value, pattern: &Value, flag: &Value, what: &Value) -> Result<Value> {
    let Some(text) = value.as_str() else {
        return Err(about(value, "cannot be matched, as it is not a string"));
    };
    let Some(pattern) = pattern.to_rc_str() else {
        let message = format!(
            "{} cannot be matched, as it is not a string",
            described(pattern)
        );
        return Err(error(message).of(value));
    };
    let flags = flags(flag)?;
    let regex = compiled(&pattern, &flags, &text)?;
    let mut found = Vec::new();
    let mut positions = Positions::default();
    let what = what.as_str();
    let (is_test, has_parts) = (
        what.as_deref() == Some("test"),
        what.as_deref() == Some("parts"),
    );
    let (mut from, mut matched_to) = (0, 0);
    while from <= text.len() {
        let captures = regex.captures_from_pos(&*text, from);
        let captures =
            captures.map_err(|reason| error(format!("the regex {pattern} failed: {reason}")))?;
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
        if whole.is_empty() && flags.skip_empty {
            continue;
        }
        if is_test {
            return Ok(Value::Bool(true));
        }
        if has_parts {
            found.push(Value::from(&text[matched_to..whole.start]));
            matched_to = whole.end;
        }
        found.push(match_object(&regex, &captures, &text, &mut positions));
        if !flags.global {
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
    regex: &Regex,
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
    let names: Vec<Option<&str>> = regex.capture_names().collect();
    let groups = (1..captures.len()).map(|at| {
        let (offset, length, string) = place(captures.get(at).map(|group| group.range()));
        let name = names
            .get(at)
            .copied()
            .flatten()
            .map_or(Value::Null, Value::from);
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
