//! Messages of an exchange about its order books, as in a feed.

use super::Records;
use crate::document::{Document, push_integer, push_padded};
use crate::random::SplitMix64;

/// The names of the books, and the number of decimals of their prices.
const BOOKS: [(&str, usize); 6] = [
    ("BTC-USD", 2),
    ("ETH-USD", 2),
    ("ETH-BTC", 5),
    ("SOL-EUR", 3),
    ("EUR-USD", 5),
    ("XAU-USD", 1),
];

pub struct Feed {
    sequence: u64,
    /// Microseconds since midnight.
    clock: u64,
    /// The mid price of each book, in ticks.
    prices: [u64; BOOKS.len()],
}

impl Default for Feed {
    fn default() -> Feed {
        Feed {
            sequence: 7_000_000_000,
            clock: 34_200_000_000,
            prices: [6_741_250, 352_018, 5_223, 141_372, 108_412, 23_315],
        }
    }
}

impl Records for Feed {
    /// Lines have no enclosing array.
    fn begin(&mut self, _document: &mut Document, _random: &mut SplitMix64) {}

    fn record(&mut self, document: &mut Document, random: &mut SplitMix64) {
        self.sequence += 1;
        self.clock = (self.clock + random.below(40_000)) % 86_400_000_000;
        let book = random.below(BOOKS.len() as u64) as usize;
        self.prices[book] = (self.prices[book] + random.below(21))
            .saturating_sub(10)
            .max(1000);

        document.object();
        let kind = match random.below(100) {
            0..3 => "snapshot",
            3..78 => "update",
            78..96 => "trade",
            _ => "heartbeat",
        };
        document.key("type");
        document.string(kind);
        document.key("product_id");
        document.string(BOOKS[book].0);
        document.key("sequence");
        document.integer(self.sequence);
        document.key("time");
        document.string_with(|buffer| self.time(buffer));
        match kind {
            "snapshot" => self.levels(document, random, book, 25),
            "update" => {
                let levels = random.between(1, 4);
                self.levels(document, random, book, levels);
            }
            "trade" => self.trade(document, random, book),
            _ => {
                document.key("last_trade_id");
                document.null();
            }
        }
        document.close();
    }
}

impl Feed {
    fn time(&self, buffer: &mut Vec<u8>) {
        let seconds = self.clock / 1_000_000;
        buffer.extend_from_slice(b"2026-03-02T");
        for (part, mark) in [
            (seconds / 3600, b':'),
            (seconds / 60 % 60, b':'),
            (seconds % 60, b'.'),
        ] {
            push_padded(buffer, part, 2);
            buffer.push(mark);
        }
        push_padded(buffer, self.clock % 1_000_000, 6);
        buffer.push(b'Z');
    }

    /// Both sides of the book, the best price first, as pairs of strings.
    fn levels(&self, document: &mut Document, random: &mut SplitMix64, book: usize, levels: u64) {
        for side in ["bids", "asks"] {
            document.key(side);
            document.array();
            let mut price = self.prices[book];
            for _ in 0..levels {
                let step = random.between(1, 9);
                price = if side == "bids" {
                    price - step
                } else {
                    price + step
                };
                document.array();
                document.string_with(|buffer| push_price(buffer, price, BOOKS[book].1));
                document.string_with(|buffer| amount(buffer, random));
                document.close();
            }
            document.close();
        }
    }

    /// One trade; its price and size are numbers, as some venues send them.
    fn trade(&self, document: &mut Document, random: &mut SplitMix64, book: usize) {
        document.key("trade_id");
        document.integer(random.between(100_000_000, 999_999_999));
        document.key("side");
        document.string(if random.one_in(2) { "buy" } else { "sell" });
        document.key("price");
        document.scalar_with(|buffer| push_price(buffer, self.prices[book], BOOKS[book].1));
        document.key("size");
        document.scalar_with(|buffer| {
            if random.one_in(20) {
                push_integer(buffer, random.between(1, 9));
                buffer.extend_from_slice(b"e-05");
            } else {
                amount(buffer, random);
            }
        });
        document.key("maker");
        document.boolean(random.one_in(2));
    }
}

fn amount(buffer: &mut Vec<u8>, random: &mut SplitMix64) {
    if random.one_in(8) {
        buffer.push(b'0');
    } else {
        let whole = if random.one_in(3) {
            random.below(100)
        } else {
            0
        };
        push_integer(buffer, whole);
        buffer.push(b'.');
        let decimals = random.between(2, 8) as usize;
        push_padded(buffer, random.next_u64(), decimals);
    }
}

fn push_price(buffer: &mut Vec<u8>, price: u64, decimals: usize) {
    let unit = 10_u64.pow(decimals as u32);
    push_integer(buffer, price / unit);
    buffer.push(b'.');
    push_padded(buffer, price % unit, decimals);
}
