//! Sample documents: a fixed set of shapes, each of any size, deterministic.
//!
//! ```text
//! SplitMix64 ──► shape/*  (what stands in a record) ──► Document (commas, white space, the size) ──► Write
//! ```
//!
//! A shape writes one record after another into a buffer; the record that would exceed the requested size is removed, and all
//! open containers are closed. So memory is constant, and every document is complete.
//!
//! ```
//! use jsonx_corpora::{DEFAULT_SEED, Shape, generate};
//!
//! let mut document = Vec::new();
//! let written = generate(Shape::Numbers, 2_000, DEFAULT_SEED, &mut document).unwrap();
//! assert_eq!(written, document.len() as u64);
//! assert!((1_000..=2_000).contains(&document.len()));
//! assert!(document.starts_with(b"[") && document.ends_with(b"]"));
//! ```

mod document;
mod random;
mod shape;
mod size;
mod text;

pub use random::SplitMix64;
pub use size::parse_size;

use document::Document;
use std::fmt;
use std::io::{self, Write};
use std::str::FromStr;

/// The seed of the samples in `corpora/samples/`, and the default seed of the `corpora` program.
pub const DEFAULT_SEED: u64 = 2026;

/// The requested size of the samples in `corpora/samples/`, in bytes.
pub const SAMPLE_SIZE: u64 = 6_000;

/// The shape of a generated document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Shape {
    /// Trees of arrays and objects, up to 100 levels deep, with few scalars.
    Nested,
    /// Arrays of numbers: coordinates, counters, measurements with fractions and exponents.
    Numbers,
    /// Strings with every kind of escape: paths, quotations, line ends, code points.
    Escapes,
    /// Russian text with every letter as a `\u` escape, as many serializers write it.
    Russian,
    /// A product catalog, indented by two spaces.
    Pretty,
    /// The catalog of [`Shape::Pretty`] without white space.
    Minified,
    /// JSON Lines: the messages of an order-book feed.
    OrderBook,
    /// A response of a social network's search API: nested objects, text in many scripts, nulls and booleans.
    Tweets,
    /// Records of all other shapes in one array, with varying white space.
    Mixed,
}

impl Shape {
    /// All shapes, in the order of the documentation.
    pub const ALL: [Shape; 9] = [
        Shape::Nested,
        Shape::Numbers,
        Shape::Escapes,
        Shape::Russian,
        Shape::Pretty,
        Shape::Minified,
        Shape::OrderBook,
        Shape::Tweets,
        Shape::Mixed,
    ];

    /// The name of the shape on the command line, in lower case.
    ///
    /// ```
    /// use jsonx_corpora::Shape;
    /// assert_eq!(Shape::OrderBook.name(), "order-book");
    /// assert_eq!("order-book".parse(), Ok(Shape::OrderBook));
    /// ```
    pub fn name(self) -> &'static str {
        match self {
            Shape::Nested => "nested",
            Shape::Numbers => "numbers",
            Shape::Escapes => "escapes",
            Shape::Russian => "russian",
            Shape::Pretty => "pretty",
            Shape::Minified => "minified",
            Shape::OrderBook => "order-book",
            Shape::Tweets => "tweets",
            Shape::Mixed => "mixed",
        }
    }

    /// Whether a document of this shape is JSON Lines rather than a single value.
    ///
    /// ```
    /// use jsonx_corpora::Shape;
    /// assert!(Shape::ALL.into_iter().filter(|shape| shape.is_lines()).eq([Shape::OrderBook]));
    /// ```
    pub fn is_lines(self) -> bool {
        matches!(self, Shape::OrderBook)
    }

    /// The name of a file of this shape: its name and `.json`, or `.jsonl` for JSON Lines.
    ///
    /// ```
    /// use jsonx_corpora::Shape;
    /// assert_eq!(Shape::OrderBook.file_name(), "order-book.jsonl");
    /// assert_eq!(Shape::Tweets.file_name(), "tweets.json");
    /// ```
    pub fn file_name(self) -> String {
        let extension = if self.is_lines() { "jsonl" } else { "json" };
        format!("{}.{extension}", self.name())
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// An unknown name of a [`Shape`]; the error message lists the known ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownShape(String);

impl fmt::Display for UnknownShape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = Shape::ALL.map(Shape::name).join(", ");
        write!(f, "no shape is called {:?}; there are {names}", self.0)
    }
}

impl std::error::Error for UnknownShape {}

impl FromStr for Shape {
    type Err = UnknownShape;

    fn from_str(name: &str) -> Result<Shape, UnknownShape> {
        Shape::ALL
            .into_iter()
            .find(|shape| shape.name() == name)
            .ok_or_else(|| UnknownShape(name.to_owned()))
    }
}

/// Writes a document of `shape` to `out`: at most `size` bytes, and as many records as fit into them.
///
/// Returns the number of bytes written. The same shape, size and seed give the same bytes on every
/// machine. If not even one record fits, the smallest document of the shape, such as `[]`, is written, whatever its length.
/// `out` receives chunks of about 64 KiB and need not be buffered; its errors are returned unchanged.
///
/// ```
/// use jsonx_corpora::{Shape, generate};
///
/// let (mut one, mut other) = (Vec::new(), Vec::new());
/// generate(Shape::Tweets, 10_000, 1, &mut one).unwrap();
/// generate(Shape::Tweets, 10_000, 2, &mut other).unwrap();
/// assert_ne!(one, other);
/// ```
pub fn generate(shape: Shape, size: u64, seed: u64, out: &mut impl Write) -> io::Result<u64> {
    let mut random = SplitMix64::new(seed);
    let mut document = Document::new(shape::root_look(shape));
    let mut records = shape::records(shape);
    records.begin(&mut document, &mut random);
    loop {
        let mark = document.mark();
        records.record(&mut document, &mut random);
        if shape.is_lines() {
            document.end_line();
        }
        if document.len_when_closed() > size {
            document.take_back(mark);
            break;
        }
        document.flush_when_full(out)?;
    }
    document.close_all();
    document.flush(out)?;
    Ok(document.len_when_closed())
}
