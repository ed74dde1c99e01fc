//! Options of a query.

/// Order in which matches are returned.
///
/// ```
/// use jsonx_core::path::Path;
/// use jsonx_core::engine::{Options, Validator};
/// use jsonx_core::query::{Answer, Order, Query, QueryOptions};
///
/// let found = |order| {
///     let path = Path::parse("$[1, 0]").unwrap();
///     let mut query = Query::new(&[path], QueryOptions::default().order(order));
///     Validator::new(Options::default()).check(b"[10, 20]", &mut query).unwrap();
///     query.end();
///     let starts = query.answers().filter_map(|answer| match answer {
///         Answer::Match(one) => Some(one.start),
///         Answer::Missing { .. } => None,
///     });
///     starts.collect::<Vec<_>>()
/// };
/// assert_eq!(found(Order::Document), [1, 5]);
/// assert_eq!(found(Order::Written), [5, 1]);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// The order in which the values begin in the document. A match is returned as soon as it is complete and nothing
    /// before it is undecided.
    #[default]
    Document,
    /// The order in which the path is written: the selectors of a union one after the other, a slice with a negative
    /// step in reverse (as in RFC 9535), and the paths one after the other. A path with a descendant segment is
    /// answered as with `Document`, so that no match has to be buffered for it.
    Written,
    /// The order of RFC 9535, path by path: a descendant segment yields the matches in a value before those deeper
    /// inside it, a union yields its selectors one after the other, and a slice with a negative step runs in reverse.
    /// The matches of such a segment are buffered, as offsets, until the value it is applied to ends. For a descendant
    /// segment at the root that is the end of the document.
    Standard,
}

/// Treatment of duplicate keys in an object.
///
/// ```
/// use jsonx_core::path::Path;
/// use jsonx_core::engine::{Options, Validator};
/// use jsonx_core::query::{Duplicates, Query, QueryOptions};
///
/// let count = |duplicates| {
///     let options = QueryOptions::default().duplicates(duplicates);
///     let mut query = Query::new(&[Path::parse(".a").unwrap()], options);
///     Validator::new(Options::default()).check(br#"{"a": 1, "a": 2}"#, &mut query).unwrap();
///     query.end();
///     query.answers().count()
/// };
/// assert_eq!((count(Duplicates::Last), count(Duplicates::Each)), (1, 2));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Duplicates {
    /// A key selects its last occurrence, as in JavaScript, Python and jq. Matches below a key are buffered, as
    /// offsets, until the object ends. Wildcards, filters and descendant segments still visit every member.
    #[default]
    Last,
    /// A key selects each of its occurrences. Nothing has to be buffered.
    Each,
}

/// Options of a [`Query`](super::Query).
///
/// ```
/// use jsonx_core::Path;
/// use jsonx_core::engine::Validator;
/// use jsonx_core::query::{Answer, Duplicates, Order, Query, QueryOptions};
///
/// let options = QueryOptions::default().order(Order::Standard).locations(true);
/// // The last of duplicate keys counts.
/// let text = br#"{"a": 1, "a": 2}"#;
/// let mut query = Query::new(&[Path::parse(".a")?], options.duplicates(Duplicates::Last));
/// Validator::default().check(text, &mut query).unwrap();
/// query.end();
/// assert!(query.answers().all(|answer| matches!(answer, Answer::Match(one) if one.start == 14)));
/// # Ok::<(), jsonx_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct QueryOptions {
    pub(crate) order: Order,
    pub(crate) duplicates: Duplicates,
    pub(crate) locations: bool,
}

impl QueryOptions {
    /// Sets the order in which matches are returned.
    ///
    /// ```
    /// use jsonx_core::path::Path;
    /// use jsonx_core::engine::{Options, Validator};
    /// use jsonx_core::query::{Answer, Order, Query, QueryOptions};
    ///
    /// let found = |order| {
    ///     let options = QueryOptions::default().order(order);
    ///     let mut query = Query::new(&[Path::parse("$..n").unwrap()], options);
    ///     Validator::new(Options::default()).check(br#"{"c": {"n": 1}, "n": 2}"#, &mut query).unwrap();
    ///     query.end();
    ///     let starts = query.answers().filter_map(|answer| match answer {
    ///         Answer::Match(one) => Some(one.start),
    ///         Answer::Missing { .. } => None,
    ///     });
    ///     starts.collect::<Vec<_>>()
    /// };
    /// // Only `Standard` sorts a descendant segment: matches in the object itself come first.
    /// assert_eq!(found(Order::Document), [12, 21]);
    /// assert_eq!(found(Order::Written), [12, 21]);
    /// assert_eq!(found(Order::Standard), [21, 12]);
    /// ```
    #[must_use]
    pub fn order(self, order: Order) -> Self {
        QueryOptions { order, ..self }
    }

    /// Sets the treatment of duplicate keys.
    ///
    /// ```
    /// use jsonx_core::path::Path;
    /// use jsonx_core::engine::{Options, Validator};
    /// use jsonx_core::query::{Duplicates, Query, QueryOptions};
    ///
    /// let answers = |path: &str, duplicates| {
    ///     let options = QueryOptions::default().duplicates(duplicates);
    ///     let mut query = Query::new(&[Path::parse(path).unwrap()], options);
    ///     let text = format!(r#"{{"a": 1, "pad": "{}", "a": 2}}"#, "-".repeat(100));
    ///     let mut validator = Validator::new(Options::default());
    ///     validator.write(text.as_bytes(), &mut query).unwrap();
    ///     let early = query.answers().count();
    ///     validator.finish(&mut query).unwrap();
    ///     query.end();
    ///     (early, query.answers().count())
    /// };
    /// // The first match is available at once if no later one can replace it.
    /// assert_eq!(answers(".a", Duplicates::Last), (0, 1));
    /// assert_eq!(answers(".a", Duplicates::Each), (1, 1));
    /// // A wildcard selects all members in either case.
    /// assert_eq!(answers("$.*", Duplicates::Last), (1, 2));
    /// ```
    #[must_use]
    pub fn duplicates(self, duplicates: Duplicates) -> Self {
        QueryOptions { duplicates, ..self }
    }

    /// Sets whether every match includes its location. This requires tracking every container on the way.
    ///
    /// ```
    /// use jsonx_core::path::{Notation, Path};
    /// use jsonx_core::engine::{Options, Validator};
    /// use jsonx_core::query::{Answer, Query, QueryOptions};
    ///
    /// let locations = |options| {
    ///     let mut query = Query::new(&[Path::parse("$..[?@ > 1]").unwrap()], options);
    ///     Validator::new(Options::default()).check(br#"{"a": [1, 2], "b c": 3}"#, &mut query).unwrap();
    ///     query.end();
    ///     let locations = query.answers().map(|answer| match answer {
    ///         Answer::Match(one) => one.location.map(|location| location.display(Notation::Dot).to_string()),
    ///         Answer::Missing { .. } => None,
    ///     });
    ///     locations.collect::<Vec<_>>()
    /// };
    /// let expected = [".a[1]", r#".["b c"]"#].map(|location| Some(location.to_owned()));
    /// assert_eq!(locations(QueryOptions::default().locations(true)), expected);
    /// assert_eq!(locations(QueryOptions::default()), [None, None]);
    /// ```
    #[must_use]
    pub fn locations(self, locations: bool) -> Self {
        QueryOptions { locations, ..self }
    }
}
