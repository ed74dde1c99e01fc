//! `jsonx shape`: the paths of all values, with their types and numbers.

use std::io::{self, Write};

use jsonx_core::engine::{Options, Validator};
use jsonx_core::format::{Formatter, Indent, Style};
use jsonx_core::number::Number;
use jsonx_core::string::decode_key;
use jsonx_query::ShapePath;

use super::get::{self, Request};
use super::{Command, Plan, UsageError};
use crate::args::{Common, Get, Global, Shape};
use crate::colors::Colors;
use crate::messages;
use crate::output::{Form, Table};
use crate::report::{Object, escape, escape_json, escape_lines};
use crate::session::Session;
use crate::terminal::screen;

/// Digits of a mean that are printed: the last two of a double are mostly those of errors of rounding.
const DIGITS: usize = 15;

/// Characters of a number that are printed in a table.
const EXAMPLE: usize = 64;

impl Command for Shape {
    const NAME: &'static str = "shape";
    type Work<'a> = Request;

    fn named(&self) -> Option<&[std::path::PathBuf]> {
        Some(&self.selection.paths)
    }

    fn common(&self) -> &Common {
        &self.common
    }

    fn skips_invalid(&self) -> bool {
        self.skip_invalid
    }

    fn plan(&self, global: &Global) -> Result<Plan<Request>, UsageError> {
        self.get().plan(global)
    }

    fn run(&self, request: Request, session: &mut Session) -> io::Result<()> {
        let Some(shape) = get::shape(session, &self.get(), &request)? else {
            return Ok(());
        };
        if shape.is_incomplete() {
            messages::line(
                "jsonx: warning: only 16384 paths of up to 256 steps are listed; there are more, or longer ones",
            );
        }
        if self.schema {
            return print_schema(&shape.schema(), session);
        }
        if self.json {
            let is_terminal = session.out.is_terminal();
            return shape.paths().iter().try_for_each(|path| {
                let object = json(path);
                match is_terminal {
                    true => session
                        .out
                        .write_all(escape_json(object.as_bytes()).as_bytes()),
                    false => session.out.write_all(object.as_bytes()),
                }
            });
        }
        let table = Table::new(false).on(screen(session.color()));
        session.out.begin_table(table);
        session.out.note_header();
        let header = "path\tshare\ttypes\tleast\tgreatest\tmean\texample\n";
        session.out.write_all(header.as_bytes())?;
        for path in shape.paths() {
            let row = row(&path).join("\t") + "\n";
            session.out.write_all(row.as_bytes())?;
        }
        session.out.end_table()
    }
}

/// Prints a schema as `fmt` would.
fn print_schema(schema: &str, session: &mut Session) -> io::Result<()> {
    let mut formatter = Formatter::new(Style::Pretty(Indent::Spaces(2)), Vec::new());
    let written = Validator::new(Options::default()).check(schema.as_bytes(), &mut formatter);
    written.map_err(|stop| io::Error::other(stop.to_string()))?;
    let Ok(mut text) = formatter.finish();
    if session.out.is_terminal() {
        text = escape_json(&text).into_bytes();
    }
    if let Some(mut colors) = Colors::of_stdout(session.color()) {
        text = [&colors.paint(&text)[..], colors.end()].concat();
    }
    session.out.write_all(&text)
}

impl Shape {
    /// The search for the values.
    fn get(&self) -> Get {
        Get {
            path: Some(self.path.clone().unwrap_or_else(|| ".".into())),
            selection: self.selection.clone(),
            common: self.common.clone(),
            ..Get::default()
        }
    }
}

/// The cells of a path.
fn row(path: &ShapePath) -> [String; 7] {
    let share = match path.are_elements {
        true if path.count.is_multiple_of(path.of.max(1)) => {
            format!("{} each", path.count / path.of.max(1))
        }
        true => format!("{:.1} each", path.count as f64 / path.of.max(1) as f64),
        false => percent(path.count, path.of),
    };
    let kinds = path.kinds.iter();
    let kinds = kinds.map(|(kind, count)| match path.kinds.len() {
        1 => kind.name().to_owned(),
        _ => format!("{} {}", kind.name(), percent(*count, path.count)),
    });
    let [least, greatest, mean] = numbers(path).map(|text| match text.get(..EXAMPLE) {
        Some(start) if text.len() > EXAMPLE => format!("{start}…"),
        _ => text,
    });
    let example = match example(path).as_deref() {
        Some([b'"', raw @ .., b'"']) => {
            let mut cell = Vec::new();
            Form::Tsv.push_cell(&decode_key(raw), &mut cell);
            escape_lines(&cell)
        }
        scalar => String::from_utf8_lossy(scalar.unwrap_or_default()).into_owned(),
    };
    let kinds = kinds.collect::<Vec<_>>().join(", ");
    [
        escape(&path.path),
        share,
        kinds,
        least,
        greatest,
        mean,
        example,
    ]
}

/// The least and the greatest number, and the mean; empty if there is none.
fn numbers(path: &ShapePath) -> [String; 3] {
    let Some(numbers) = &path.numbers else {
        return Default::default();
    };
    let text = |bytes: &[u8]| match Number::new(bytes) {
        zero if zero.decimal().is_zero() => "0".to_owned(),
        _ => String::from_utf8_lossy(bytes).into_owned(),
    };
    let mean = numbers
        .mean
        .map(|mean| match format!("{mean:.*e}", DIGITS - 1).parse() {
            Ok(rounded) if mean.fract() != 0.0 => rounded,
            _ => mean,
        });
    // Without the sign of zero.
    let mean = mean.map(|mean: f64| serde_json::json!(mean + 0.0).to_string());
    let mean = mean.map(|mean| mean.strip_suffix(".0").unwrap_or(&mean).to_owned());
    [
        text(&numbers.least),
        text(&numbers.greatest),
        mean.unwrap_or_default(),
    ]
}

/// The example as JSON.
fn example(path: &ShapePath) -> Option<Vec<u8>> {
    let (text, is_whole) = path.example.as_ref()?;
    if *is_whole {
        return Some(text.to_vec());
    }
    // The end may be in the middle of a character or an escape.
    let text = text.strip_prefix(b"\"").unwrap_or(text);
    let ends = (0..=text.len()).rev();
    let mut decoded =
        ends.filter_map(|end| serde_json::from_slice(&[b"\"", &text[..end], b"\""].concat()).ok());
    let decoded: String = decoded.next()?;
    serde_json::to_vec(&(decoded + "…")).ok()
}

/// The object of a path, on a line.
fn json(path: &ShapePath) -> String {
    let mut out = String::new();
    Object::write(&mut out, |object| {
        object.text("path", &path.path);
        object.number("count", path.count);
        object.number("of", path.of);
        object.object("types", |types| {
            for (kind, count) in &path.kinds {
                types.number(kind.name(), *count);
            }
        });
        let names = ["least", "greatest", "mean"].into_iter();
        for (name, value) in names.zip(numbers(path)) {
            if !value.is_empty() {
                object.raw(name, &value);
            }
        }
        if let Some(example) = example(path) {
            object.raw("example", &String::from_utf8_lossy(&example));
        }
    });
    out + "\n"
}

/// A share in percent, in which only all is 100% and only nothing 0%.
fn percent(count: u64, of: u64) -> String {
    let share = 100.0 * count as f64 / of.max(1) as f64;
    match share.round() {
        0.0 if count > 0 => "<1%".to_owned(),
        100.0 if count < of => "99%".to_owned(),
        share => format!("{share}%"),
    }
}
