//! What stands in the records of each shape.

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

/// A supply of records. What a record needs to know of those before it, such as the last price, is state
/// of the supply.
pub trait Records {
    /// Writes what stands before the first record: the opening of the array that holds them all.
    fn begin(&mut self, document: &mut Document, random: &mut SplitMix64) {
        let _ = random;
        document.array();
    }

    /// Writes one record, and leaves as many containers open as there were.
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

/// The look of the outermost container.
pub fn root_look(shape: Shape) -> Look {
    if shape == Shape::Pretty {
        Look::Pretty
    } else {
        Look::Compact
    }
}
