//! Reduces records to the values that a program reads, found by a query.
//!
//! ```text
//! .user.name  .id     {"id":7,"text":"…","user":{"name":"a","lang":"en"}}   ──►   {"id":7,"user":{"name":"a"}}
//! ```
//!
//! Scalars are built from their bytes, and only arrays and objects are indexed. The result of a path is printed without a run.
//!
//! If the parent of a value on a path is neither an object nor null, the program fails and needs the whole record.

use std::cell::{Cell, OnceCell};
use std::ops::Range;
use std::rc::Rc;

use jsonx_core::Kind;
use jsonx_core::engine::{Mode, OnePerLine, Options, Validator};
use jsonx_core::path::Path;
use jsonx_core::query::{Answer, Query, QueryOptions};
use jsonx_jq::{IndexedText, Program, Reads, Reduced, TextBytes, Value};

/// Finding a value takes as long as indexing this many bytes.
const FOUND: usize = 16;

/// The values that a program reads.
pub struct Projection {
    reads: Reads,
    paths: Vec<Path>,
    /// Whether the values of the last text were much shorter than its records.
    is_shorter: Cell<bool>,
}

/// The values that a program reads from each record of a text.
pub struct Projected<'t> {
    text: &'t [u8],
    pub records: Vec<Record>,
    /// For each record, the places of its values; empty ones if they are missing.
    spans: Vec<Range<usize>>,
    /// The arrays and objects among them, once one is needed.
    containers: OnceCell<Vec<Value>>,
    options: Options,
    pub line_feeds: u64,
}

#[derive(Clone, Copy, Debug, Default)]
pub struct Record {
    /// The offset of one of its bytes.
    pub within: usize,
    /// The reduced value is not sufficient.
    pub needs_all: bool,
    answers: u32,
    /// The number of arrays and objects before its own.
    containers: usize,
}

impl Projection {
    /// `None` if the program may read anything.
    pub fn new(program: &Program) -> Option<Projection> {
        let reads = program.reads()?;
        let paths = reads.paths.iter().map(|keys| {
            let root = Path::root();
            keys.iter().fold(root, |path, key| path.key(key))
        });
        Some(Projection {
            paths: paths.collect(),
            reads,
            is_shorter: Cell::new(true),
        })
    }

    /// Whether the value at the only path is the result.
    pub fn is_path(&self) -> bool {
        self.reads.is_path
    }

    /// A record with these values.
    pub fn reduced(&self) -> Reduced {
        Reduced::new(&self.reads.paths)
    }

    /// Verifies records, and reduces them. `None` unless every line is blank or one value, or if it is not worthwhile.
    pub fn of_lines<'t>(&self, text: &'t [u8], options: Options) -> Option<Projected<'t>> {
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
    pub fn of_values<'t>(&self, text: &'t [u8], options: Options) -> Option<Projected<'t>> {
        let mut query = self.query()?;
        let validator = Validator::new(options.mode(Mode::Stream));
        validator.check(text, &mut query).ok()?;
        self.records(text, options, query)
    }

    fn query(&self) -> Option<Query> {
        let query = || Query::new(&self.paths, QueryOptions::default());
        self.is_shorter.get().then(query)
    }

    fn records<'t>(
        &self,
        text: &'t [u8],
        options: Options,
        mut query: Query,
    ) -> Option<Projected<'t>> {
        query.end();
        let mut records = vec![Record::default(); query.roots() as usize];
        let mut spans = vec![0..0; records.len() * self.paths.len()];
        let mut length = 0;
        for answer in query.answers() {
            match answer {
                Answer::Match(one) => {
                    let record = &mut records[one.root as usize];
                    record.within = one.start as usize;
                    record.answers += 1;
                    length += one.end - one.start;
                    let span = one.start as usize..one.end as usize;
                    spans[one.root as usize * self.paths.len() + one.path] = span;
                }
                Answer::Missing { root, missing, .. } => {
                    let record = &mut records[root as usize];
                    record.within = missing.start as usize;
                    record.answers += 1;
                    record.needs_all |= match missing.kind {
                        Kind::Object => false,
                        // The result may be the record: null, rather than an object.
                        Kind::Null => self.reads.keeps && missing.steps == 0,
                        _ => true,
                    };
                }
            }
        }
        let is_answered = |record: &Record| record.answers as usize == self.paths.len();
        if !records.iter().all(is_answered) {
            return None;
        }
        let length = length + (FOUND * spans.len()) as u64;
        let is_shorter = length < text.len() as u64 / 2;
        self.is_shorter.set(is_shorter || self.reads.is_path);
        let mut containers = 0;
        for (record, spans) in records.iter_mut().zip(spans.chunks(self.paths.len())) {
            record.containers = containers;
            let spans = spans.iter();
            containers += spans
                .filter(|span| is_container(&text[(*span).clone()]))
                .count();
        }
        Some(Projected {
            text,
            records,
            spans,
            containers: OnceCell::new(),
            options: options.mode(Mode::Stream),
            line_feeds: 0,
        })
    }
}

fn is_container(raw: &[u8]) -> bool {
    matches!(raw, [b'{' | b'[', ..])
}

impl<'t> Projected<'t> {
    /// The texts of the values of a record, by its number.
    pub fn texts(&self, record: usize) -> impl Iterator<Item = &'t [u8]> {
        let paths = self.spans.len() / self.records.len();
        let spans = &self.spans[record * paths..][..paths];
        spans.iter().map(|span| match &self.text[span.clone()] {
            [] => b"null",
            raw => raw,
        })
    }

    /// The values of a record, by its number.
    pub fn values(&self, record: usize) -> impl Iterator<Item = Value> {
        let containers = self.containers.get_or_init(|| self.containers());
        let first = self.records[record].containers;
        let mut containers = containers.get(first..).unwrap_or_default().iter();
        self.texts(record).map(move |raw| {
            let container = || containers.next().cloned().unwrap_or_default();
            Value::scalar(raw).unwrap_or_else(container)
        })
    }

    fn containers(&self) -> Vec<Value> {
        let mut all = Vec::new();
        for span in &self.spans {
            let raw = &self.text[span.clone()];
            if is_container(raw) {
                all.extend_from_slice(raw);
                all.push(b'\n');
            }
        }
        // They have been verified.
        let all = IndexedText::new(TextBytes::Owned(all), self.options);
        all.map_or_else(|_| Vec::new(), |all| Rc::new(all).values().collect())
    }
}
