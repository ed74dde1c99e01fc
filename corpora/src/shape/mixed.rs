//! Records of all the other shapes side by side, each with white space of its own.

use super::{Records, catalog, escapes, nested, numbers, order_book, russian, tweets};
use crate::document::{Document, Look};
use crate::random::SplitMix64;

pub struct Everything {
    supplies: [Box<dyn Records>; 7],
}

impl Default for Everything {
    fn default() -> Everything {
        Everything {
            supplies: [
                Box::new(nested::Trees),
                Box::new(numbers::Series),
                Box::new(escapes::Messages),
                Box::new(russian::Articles),
                Box::new(catalog::Products::default()),
                Box::new(order_book::Feed::default()),
                Box::new(tweets::Statuses::default()),
            ],
        }
    }
}

impl Records for Everything {
    fn record(&mut self, document: &mut Document, random: &mut SplitMix64) {
        let looks = [Look::Compact, Look::Pretty, Look::Spaced, Look::Tabs];
        document.set_look(looks[random.below(looks.len() as u64) as usize]);
        let supply = random.below(self.supplies.len() as u64) as usize;
        self.supplies[supply].record(document, random);
        // The array around the records, and so the way a document ends, is compact.
        document.set_look(Look::Compact);
    }
}
