//! The records of each shape.

mod catalog;
mod escapes;
mod mixed;
mod nested;
mod numbers;
mod order_book;
mod russian;
mod tweets;

use crate::Shape;
use crate::document::{Document, Look};
use crate::random::SplitMix64;

/// A source of records, with the state that later records depend on, such as the last price.
pub trait Records {
    /// Writes the text before the first record: by default, the opening bracket of the array of records.
    fn begin(&mut self, document: &mut Document, random: &mut SplitMix64) {
        let _ = random;
        document.array();
    }

    /// Writes one record, and closes all containers that it opens.
    fn record(&mut self, document: &mut Document, random: &mut SplitMix64);
}

/// The records of `shape`.
pub fn records(shape: Shape) -> Box<dyn Records> {
    match shape {
        Shape::Nested => Box::new(nested::Trees),
        Shape::Numbers => Box::new(numbers::Series),
        Shape::Escapes => Box::new(escapes::Messages),
        Shape::Russian => Box::new(russian::Articles),
        Shape::Pretty | Shape::Minified => Box::new(catalog::Products::default()),
        Shape::OrderBook => Box::new(order_book::Feed::default()),
        Shape::Tweets => Box::new(tweets::Statuses::default()),
        Shape::Mixed => Box::new(mixed::Everything::default()),
    }
}

/// The white space of the outermost container.
pub fn root_look(shape: Shape) -> Look {
    if shape == Shape::Pretty {
        Look::Pretty
    } else {
        Look::Compact
    }
}
