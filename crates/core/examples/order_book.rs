//! Applies the messages of an exchange, one a line, to an order book, and checks the result against a plain implementation.
//!
//!     cargo run -p jsonx-core --features serde --example order_book

use std::collections::BTreeMap;
use std::error::Error;

use jsonx_core::lines_in;
use jsonx_core::number::compare;
use serde::Deserialize;

/// A message: the prices that have changed, with the amount that is offered now. Numbers come as strings, to keep their digits.
#[derive(Deserialize)]
struct Update<'a> {
    sequence: u64,
    #[serde(borrow)]
    bids: Vec<(&'a str, &'a str)>,
    #[serde(borrow)]
    asks: Vec<(&'a str, &'a str)>,
}

/// Prices and amounts as they were written.
#[derive(Debug, Default, PartialEq)]
struct Book {
    sequence: u64,
    bids: BTreeMap<String, String>,
    asks: BTreeMap<String, String>,
}

fn apply(side: &mut BTreeMap<String, String>, changes: &[(&str, &str)]) {
    for &(price, amount) in changes {
        if compare(amount.as_bytes(), b"0").is_eq() {
            side.remove(price)
        } else {
            side.insert(price.to_owned(), amount.to_owned())
        };
    }
}

fn book(messages: &[u8]) -> Result<Book, Box<dyn Error>> {
    let mut book = Book::default();
    for update in lines_in::<Update<'_>>(messages) {
        let update = update?;
        if update.sequence <= book.sequence {
            continue;
        }
        book.sequence = update.sequence;
        apply(&mut book.bids, &update.bids);
        apply(&mut book.asks, &update.asks);
    }
    Ok(book)
}

/// The same with `serde_json`, from the last message to the first: what is known of a price stays.
fn plain(messages: &str) -> Result<Book, Box<dyn Error>> {
    let mut values: Vec<serde_json::Value> = messages
        .lines()
        .map(serde_json::from_str)
        .collect::<Result<_, _>>()?;
    values.sort_by_key(|value| value["sequence"].as_u64());
    let sequence = values.last().and_then(|value| value["sequence"].as_u64());
    let side = |name: &str| {
        let mut known: BTreeMap<String, String> = BTreeMap::new();
        for change in values
            .iter()
            .rev()
            .flat_map(|value| value[name].as_array())
            .flatten()
        {
            let text = |at: usize| change[at].as_str().unwrap_or_default().to_owned();
            known.entry(text(0)).or_insert(text(1));
        }
        known.retain(|_, amount| amount.parse() != Ok(0.0));
        known
    };
    Ok(Book {
        sequence: sequence.unwrap_or(0),
        bids: side("bids"),
        asks: side("asks"),
    })
}

/// Messages in which prices come, change and go.
fn messages(count: u64) -> String {
    let level = |seed: u64| {
        let amount = seed * 7919 % 13;
        format!(
            "[\"{}.{:02}\",\"{}.50\"]",
            100 + seed * 31 % 17,
            seed % 50,
            amount
        )
        .replace("\"0.50\"", "\"0.000\"")
    };
    let message = |sequence: u64| {
        let (bids, asks) = (level(sequence * 3), level(sequence * 5 + 1));
        format!(
            "{{\"type\":\"update\",\"sequence\":{sequence},\"bids\":[{bids}],\"asks\":[{asks}]}}\n"
        )
    };
    (1..=count).map(message).collect()
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let messages = messages(5000);
    let book = book(messages.as_bytes())?;
    assert_eq!(book, plain(&messages)?);
    println!(
        "{} bids, {} asks after {}",
        book.bids.len(),
        book.asks.len(),
        book.sequence
    );
    Ok(())
}
