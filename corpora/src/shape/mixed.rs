//! Records of all other shapes, each with its own white space.

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
        // The array of records is compact, and so is the end of the document.
        document.set_look(Look::Compact);
    }
}
