//! Lookup of any path in a document.

use super::options::{Duplicates, Order, QueryOptions};
use super::query::Query;
use super::results::Answer;
use crate::document::{Document, Node, OwnedDocument, ToPath};
use crate::error::Error;
use crate::path::{Path, Reach, Segment, Selector};
use crate::window::{Options, Validator};

/// The minimum limit of repeated matches of a path; the limit also grows with the text. In 120 bytes, `$..*..*..*` with twelve
/// `..*` selects 60 values a trillion times.
const MATCHES: u64 = 1 << 20;
const MATCHES_PER_BYTE: u64 = 8;

impl<'d, 't> Node<'d, 't> {
    /// All values that a path selects, with this value as the root: in the order of RFC 9535, and as often as the path selects
    /// them, `$[0, 0]` twice. Of duplicate keys, the last one counts. Scans the text of the value again;
    /// [`find`](Node::find) is faster for a path to one value.
    ///
    /// # Errors
    ///
    /// The path is invalid; the path selects values repeatedly, more than a million times and eight times for each byte of the
    /// text ([`Query`] yields each once). A path without a match is not an error.
    ///
    /// ```
    /// use jsonx_core::Document;
    ///
    /// let document = Document::parse(br#"{"items": [{"id": 1, "price": 5}, {"id": 2, "price": 999}]}"#)?;
    /// let items = document.find(".items")?;
    /// let cheap = items.query("$[?@.price < 10].id")?;
    /// assert_eq!(cheap.iter().map(|id| id.as_u64()).collect::<Vec<_>>(), [Some(1)]);
    /// # Ok::<(), jsonx_core::Error>(())
    /// ```
    pub fn query(self, path: impl ToPath) -> Result<Vec<Node<'d, 't>>, Error> {
        let path = path.to_path()?.into_owned();
        self.limit_matches(&path)?;
        let mut query = Query::new(&[path], QueryOptions::default().order(Order::Standard));
        self.search(&mut query)?;
        let starts = query.answers().filter_map(|answer| match answer {
            Answer::Match(one) => Some(self.start() + one.start as usize),
            Answer::Missing { .. } => None,
        });
        Ok(self.beginning_at(&starts.collect::<Vec<usize>>()))
    }

    fn search(self, query: &mut Query) -> Result<(), Error> {
        // The depth was checked when the document was parsed.
        let options = Options::default()
            .max_depth(u64::MAX)
            .dialect(self.dialect());
        Validator::new(options).check(self.raw(), &mut *query)?;
        query.end();
        Ok(())
    }

    /// An error if a path selects too many matches, at any of its segments. An unordered query counts them without storing
    /// each.
    fn limit_matches(self, path: &Path) -> Result<(), Error> {
        let segments = path.segments();
        let descents = segments.iter().filter(|it| it.reach == Reach::Descendant);
        let repeats = segments.iter().any(|it| it.selectors.len() > 1);
        if descents.count() < 2 && !repeats {
            return Ok(());
        }
        let all: Vec<Segment> = segments.iter().map(undecided).collect();
        let prefixes = (1..=all.len()).map(|length| Path::of_segments(all[..length].to_vec()));
        let prefixes: Vec<Path> = prefixes.collect();
        let options = QueryOptions::default().duplicates(Duplicates::Each);
        let mut query = Query::new(&prefixes, options);
        self.search(&mut query)?;
        let copies = query.answers().map(|answer| match answer {
            Answer::Match(one) => one.copies,
            Answer::Missing { .. } => 0,
        });
        let count = copies.fold(0, u64::saturating_add);
        let limit = MATCHES + MATCHES_PER_BYTE * self.raw().len() as u64;
        if count > limit {
            Err(Error::data(format_args!(
                "the path selects values {count} times, more than {limit}: it has too many `..` or unions; with `Query`, each value is selected once"
            )))
        } else {
            Ok(())
        }
    }

    /// The nodes below this one that begin at these offsets, in the same order.
    fn beginning_at(self, starts: &[usize]) -> Vec<Node<'d, 't>> {
        let mut in_order: Vec<usize> = (0..starts.len()).collect();
        in_order.sort_unstable_by_key(|&at| starts[at]);
        let mut found = vec![self; starts.len()];
        let mut node = self;
        for at in in_order {
            while node.start() < starts[at] {
                let is_around = node.is_container() && starts[at] < node.span().end;
                let inside = node.word() + 2;
                node = node.at_word(if is_around { inside } else { node.end_word() });
            }
            found[at] = node;
        }
        found
    }
}

/// The segment with selectors for everything that it may select: filters and indices from the end are decided later.
fn undecided(segment: &Segment) -> Segment {
    let mut segment = segment.clone();
    for selector in &mut segment.selectors {
        let is_index = selector.index().is_some_and(|index| index >= 0);
        if !is_index && !matches!(selector, Selector::Key(_) | Selector::Itself) {
            *selector = Selector::Wildcard;
        }
    }
    segment
}

impl<'t> Document<'t> {
    /// All values that a path selects: see [`Node::query`].
    ///
    /// # Errors
    ///
    /// As for [`Node::query`].
    ///
    /// ```
    /// use jsonx_core::Document;
    ///
    /// let document = Document::parse(br#"{"a": {"id": 1}, "b": [{"id": 2}]}"#)?;
    /// let ids: Vec<Option<u64>> = document.query("$..id")?.iter().map(|id| id.as_u64()).collect();
    /// assert_eq!(ids, [Some(1), Some(2)]);
    /// assert!(document.query("$.c[*]")?.is_empty());
    /// # Ok::<(), jsonx_core::Error>(())
    /// ```
    pub fn query(&self, path: impl ToPath) -> Result<Vec<Node<'_, 't>>, Error> {
        self.root().query(path)
    }
}

impl OwnedDocument {
    /// All values that a path selects: see [`Node::query`].
    ///
    /// # Errors
    ///
    /// As for [`Node::query`].
    ///
    /// ```
    /// use jsonx_core::OwnedDocument;
    ///
    /// let document = OwnedDocument::parse("[1, [2, 3]]")?;
    /// assert_eq!(document.query("$[1][*]")?.len(), 2);
    /// # Ok::<(), jsonx_core::Error>(())
    /// ```
    pub fn query(&self, path: impl ToPath) -> Result<Vec<Node<'_, '_>>, Error> {
        self.root().query(path)
    }
}
