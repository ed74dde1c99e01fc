//! Reduces records to the values that a program reads, found by a query.
//!
//! ```text
//! .user.name  .id     {"id":7,"text":"…","user":{"name":"a","lang":"en"}}   ──►   {"id":7,"user":{"name":"a"}}
//! ```
//!
//! If the parent of a value on a path is neither an object nor null, the program fails and needs the whole record.

use std::cell::Cell;

use jsonx_core::Kind;
use jsonx_core::engine::{Mode, OnePerLine, Options, Validator};
use jsonx_core::path::Path;
use jsonx_core::query::{Answer, Query, QueryOptions};
use jsonx_jq::{IndexedText, Program, TextBytes, Value};

/// The values that a program reads.
pub struct Projection {
    /// Sorted.
    paths: Vec<Path>,
    /// The text before each value, and after the last one.
    before: Vec<String>,
    after: String,
    /// Whether the last text was much shorter than its records.
    is_shorter: Cell<bool>,
}

/// The values that a program reads from each record of a text.
pub struct Projected {
    /// A value for each record.
    pub text: IndexedText,
    pub records: Vec<Record>,
    pub line_feeds: u64,
}

#[derive(Clone, Copy, Debug, Default)]
pub struct Record {
    /// The offset of one of its bytes.
    pub within: usize,
    /// The reduced value is not sufficient.
    pub needs_all: bool,
    answers: u32,
}

impl Projection {
    /// `None` if the program may read anything.
    pub fn new(program: &Program) -> Option<Projection> {
        let mut reads = program.reads()?;
        reads.sort();
        let quoted = |key: &str| Value::from(key).to_string();
        let mut before = Vec::new();
        let mut text = "{".to_owned();
        let mut last: &[_] = &[];
        for keys in &reads {
            let (key, holders) = keys.split_last()?;
            // Objects that contain the previous value but not this one end.
            let held = last.split_last().map_or(&[][..], |(_, holders)| holders);
            let shared = held.iter().zip(holders).take_while(|(a, b)| a == b).count();
            if !last.is_empty() {
                text += &"}".repeat(held.len() - shared);
                text += ",";
            }
            for holder in &holders[shared..] {
                text += &format!("{}:{{", quoted(holder));
            }
            text += &format!("{}:", quoted(key));
            before.push(std::mem::take(&mut text));
            last = keys;
        }
        let path = |keys: &Vec<_>| {
            keys.iter()
                .fold(Path::root(), |path, key: &std::rc::Rc<str>| path.key(key))
        };
        Some(Projection {
            paths: reads.iter().map(path).collect(),
            before,
            after: "}".repeat(last.len()) + "\n",
            is_shorter: Cell::new(true),
        })
    }

    /// Verifies records, and reduces them. `None` unless every line is blank or one value, or if it is not worthwhile.
    pub fn of_lines(&self, text: &[u8], options: Options) -> Option<Projected> {
        let mut lines = OnePerLine::new(self.query()?);
        let validator = Validator::new(options.mode(Mode::Stream));
        validator.check_lines(text, &mut lines).ok()?;
        let (line_feeds, holds) = (lines.breaks(), lines.holds());
        let records = self.records(text, options, lines.into_inner())?;
        holds.then_some(Projected {
            line_feeds,
            ..records
        })
    }

    /// Verifies values, and reduces them. `None` if they are invalid, or if it is not worthwhile.
    pub fn of_values(&self, text: &[u8], options: Options) -> Option<Projected> {
        let mut query = self.query()?;
        let validator = Validator::new(options.mode(Mode::Stream));
        validator.check(text, &mut query).ok()?;
        self.records(text, options, query)
    }

    fn query(&self) -> Option<Query> {
        let query = || Query::new(&self.paths, QueryOptions::default());
        self.is_shorter.get().then(query)
    }

    fn records(&self, text: &[u8], options: Options, mut query: Query) -> Option<Projected> {
        query.end();
        let mut records = vec![Record::default(); query.roots() as usize];
        let mut spans = vec![(0, 0); records.len() * self.paths.len()];
        for answer in query.answers() {
            match answer {
                Answer::Match(one) => {
                    let record = &mut records[one.root as usize];
                    record.within = one.start as usize;
                    record.answers += 1;
                    let span = one.start as usize..one.end as usize;
                    spans[one.root as usize * self.paths.len() + one.path] = (span.start, span.end);
                }
                Answer::Missing { root, missing, .. } => {
                    let record = &mut records[root as usize];
                    record.within = missing.start as usize;
                    record.answers += 1;
                    record.needs_all |= !matches!(missing.kind, Kind::Object | Kind::Null);
                }
            }
        }
        let mut values = Vec::with_capacity(text.len() / 8);
        for (record, spans) in records.iter().zip(spans.chunks(self.paths.len())) {
            if record.answers as usize != self.paths.len() {
                return None;
            }
            for (before, span) in self.before.iter().zip(spans) {
                values.extend_from_slice(before.as_bytes());
                match *span {
                    (0, 0) => values.extend_from_slice(b"null"),
                    (start, end) => values.extend_from_slice(&text[start..end]),
                }
            }
            values.extend_from_slice(self.after.as_bytes());
        }
        self.is_shorter.set(values.len() < text.len() / 2);
        Some(Projected {
            text: IndexedText::new(TextBytes::Owned(values), options.mode(Mode::Stream)).ok()?,
            records,
            line_feeds: 0,
        })
    }
}
