//! Prints a change as a line for people, or as a JSON record.

use anstyle::{AnsiColor, Style};
use jsonx_core::diff::{Change, ChangeKind, Diff};
use jsonx_core::path::{Location, Notation};
use jsonx_core::position::Position;
use jsonx_core::{Kind, Node};

use super::context::{Around, Context};
use super::text::Body;
use crate::input::Name;
use crate::report::{Marks, Object, escape, escape_json};

/// Characters of a value that are printed.
const SHOWN: usize = 120;

/// Maximum length in bytes of an array or object that is printed; for longer ones, only the length is.
const PRINTED: usize = 1 << 10;

/// Prints the changes of a difference.
pub struct Printer<'a, 'd, 't> {
    sides: [Side<'a>; 2],
    /// The path of both files in their directories.
    file: Option<&'a Name>,
    context: Context<'d, 't>,
    colored: bool,
    /// Whether the names of the files have been printed.
    has_names: bool,
}

/// One of the two files.
struct Side<'a> {
    name: String,
    body: &'a Body,
    marks: Marks,
}

impl Side<'_> {
    fn position(&self, at: usize) -> Position {
        let text = self.body.text();
        self.marks.counter(text, at).position(&text[at..])
    }
}

const OLD: usize = 0;
const NEW: usize = 1;

impl<'a, 'd, 't> Printer<'a, 'd, 't> {
    /// A printer of the changes of a difference.
    pub fn new(
        names: [&Name; 2],
        bodies: [&'a Body; 2],
        diff: &Diff<'d, 't>,
        file: Option<&'a Name>,
        context: usize,
        colored: bool,
    ) -> Printer<'a, 'd, 't> {
        let side = |number: usize| Side {
            name: names[number].to_string(),
            body: bodies[number],
            marks: Marks::default(),
        };
        Printer {
            sides: [side(OLD), side(NEW)],
            file,
            context: Context::new(diff, context),
            colored,
            has_names: false,
        }
    }

    /// The line of a change, with its line feed, and lines of the context before and after it; before the first, the names of
    /// the files.
    pub fn lines(&mut self, change: &Change<'_, 'd, 't>) -> String {
        let names = match std::mem::replace(&mut self.has_names, true) {
            true => String::new(),
            false => self.names(),
        };
        let line = self.line(change);
        let Around {
            separated,
            before,
            after,
        } = self.context.around(change);
        let line_of = |(path, node): &(Location, Node<'d, 't>)| {
            let path = escape(&path.display(Notation::Dot).to_string());
            let text = format!("  {path}  {}", shown(*node));
            if self.colored {
                format!("{0}{text}{0:#}\n", Style::new().dimmed())
            } else {
                text + "\n"
            }
        };
        let [before, after] =
            [before, after].map(|nodes| nodes.iter().map(line_of).collect::<String>());
        let separator = if separated { "--\n" } else { "" };
        [&names, separator, &before, &line, &after].concat()
    }

    fn names(&self) -> String {
        let line =
            |mark: &str, side: usize| self.bold(&format!("{mark} {}", self.sides[side].name));
        format!("{}\n{}\n", line("---", OLD), line("+++", NEW))
    }

    fn line(&self, change: &Change<'_, 'd, 't>) -> String {
        let place = |number: usize| {
            let side = &self.sides[number];
            let Position { line, column, .. } = side.position(start(change, number, side.body));
            format!("{line}:{column}")
        };
        let path = escape(&change.path().display(Notation::Dot).to_string());
        let old = change
            .old()
            .map(|node| self.paint(AnsiColor::Red, &shown(node)));
        let new = change
            .new()
            .map(|node| self.paint(AnsiColor::Green, &shown(node)));
        let (old, new) = (old.unwrap_or_default(), new.unwrap_or_default());
        let what = match change.kind() {
            ChangeKind::Added => format!("{} {new}", self.paint(AnsiColor::Green, "+")),
            ChangeKind::Removed => format!("{} {old}", self.paint(AnsiColor::Red, "-")),
            ChangeKind::Moved { .. } => {
                let from = change.old_path().unwrap_or_default();
                format!(
                    "moved from {}",
                    escape(&from.display(Notation::Dot).to_string())
                )
            }
            _ => format!("{old} → {new}"),
        };
        let path = self.bold(&path);
        format!("{} → {}  {path}  {what}\n", place(OLD), place(NEW))
    }

    fn bold(&self, text: &str) -> String {
        if self.colored {
            format!("{0}{text}{0:#}", Style::new().bold())
        } else {
            text.to_owned()
        }
    }

    fn paint(&self, color: AnsiColor, text: &str) -> String {
        if self.colored {
            format!("{0}{text}{0:#}", color.on_default())
        } else {
            text.to_owned()
        }
    }

    /// The record of a change, with a line feed.
    pub fn record(&self, change: &Change<'_, '_, '_>) -> String {
        let mut out = String::new();
        let kind = match change.kind() {
            ChangeKind::Added => "added",
            ChangeKind::Removed => "removed",
            ChangeKind::Moved { .. } => "moved",
            _ => "replaced",
        };
        let path = change.path();
        Object::write(&mut out, |object| {
            if let Some(file) = self.file {
                object.text("file", &String::from_utf8_lossy(file.bytes()));
            }
            object.text("kind", kind);
            object.text("path", &path.display(Notation::Dot).to_string());
            object.text("pointer", &path.display(Notation::Pointer).to_string());
            for (key, side, node) in [
                ("old", &self.sides[OLD], change.old()),
                ("new", &self.sides[NEW], change.new()),
            ] {
                let Some(node) = node else { continue };
                let at = side.body.offset(node.span().start);
                object.object(key, |object| {
                    let Position { line, column, .. } = side.position(at);
                    object.number("line", line);
                    object.number("column", column);
                    object.number("offset", side.body.in_file(at));
                    object.raw("value", &escape_json(&node.minified()));
                });
            }
        });
        out.push('\n');
        out
    }
}

/// The record of a file that only one directory has.
pub fn file_record(file: &Name, kind: &str) -> String {
    let mut out = String::new();
    Object::write(&mut out, |object| {
        object.text("file", &String::from_utf8_lossy(file.bytes()));
        object.text("kind", kind);
        object.text("path", ".");
        object.text("pointer", "");
    });
    out + "\n"
}

/// The offset in a file where a change is shown: that of the value, or of the container that lacks it.
fn start(change: &Change<'_, '_, '_>, side: usize, body: &Body) -> usize {
    let value = match side {
        OLD => change.old(),
        _ => change.new(),
    };
    let containers = change.containers().map(|(old, new)| [old, new][side]);
    let node = value.or(containers);
    body.offset(node.map_or(0, |node| node.span().start))
}

/// A value on one line, safe for a terminal: the beginning of a long string, and the size of a long container.
pub fn shown(node: Node<'_, '_>) -> String {
    let count = |singular: &str, plural: &str| match node.len() {
        1 => format!("1 {singular}"),
        length => format!("{length} {plural}"),
    };
    if node.raw().len() <= PRINTED || !matches!(node.kind(), Kind::Array | Kind::Object) {
        let raw = node.minified();
        let text = escape(&escape_json(&raw[..raw.len().min(PRINTED)]));
        let is_short = text.chars().nth(SHOWN).is_none() && raw.len() <= PRINTED;
        match node.kind() {
            _ if is_short => return text,
            Kind::Array | Kind::Object => {}
            _ => return text.chars().take(SHOWN - 1).chain(['…']).collect(),
        }
    }
    match node.kind() {
        Kind::Object => format!("{{{}}}", count("member", "members")),
        _ => format!("[{}]", count("element", "elements")),
    }
}
