//! Damages files of JSON Lines: records on one line, truncated records, a file whose start or end was cut.

use crate::inject::Random;

/// The kinds of damage.
pub const DAMAGES: [&str; 7] = [
    "glued",
    "one-line",
    "torn",
    "torn-and-glued",
    "cut-first",
    "cut-first-and-glued",
    "cut-last",
];

/// A damaged file.
#[derive(Debug)]
pub struct Damaged {
    /// Its text.
    pub text: String,
    /// The records that are whole in it.
    pub whole: Vec<String>,
}

/// A record; all have the same first key.
fn record(random: &mut Random) -> String {
    const TEXTS: [&str; 6] = ["", "up", "a b", "}{", "say \\\"so\\\"", "é, [1]"];
    let text = TEXTS[random.below(TEXTS.len())];
    let number = random.below(1000);
    let rest = match random.below(4) {
        0 => format!("\"text\":\"{text}\""),
        1 => format!("\"list\":[{number},\"{text}\",{{\"x\":[]}}]"),
        2 => format!("\"more\":{{\"id\":{number},\"text\":\"{text}\"}},\"last\":null"),
        _ => format!("\"text\":\"{text}\",\"is\":true,\"size\":-{number}.5e3"),
    };
    format!("{{\"id\":{number},{rest}}}")
}

/// Five records, damaged.
pub fn damage(kind: &str, random: &mut Random) -> Damaged {
    let mut records: Vec<String> = (0..5).map(|_| record(random)).collect();
    let mut whole = records.clone();
    // Not the last record, after which nothing follows.
    let place = random.below(records.len() - 1);
    let mut cut = |record: &str| loop {
        let at = 1 + random.below(record.len() - 1);
        // After these, the record that follows on the line would be a value.
        let is_before_value = |text: &str| {
            text.ends_with([':', '[']) || text.ends_with(',') && text.contains("\"list\":")
        };
        let head = record.get(..at);
        if head.is_some_and(|head| kind != "torn-and-glued" || !is_before_value(head)) {
            break at;
        }
    };
    let mut ends = ["\n"; 5];
    match kind {
        "glued" => ends[place] = "",
        "one-line" => ends = [""; 5],
        "torn" | "torn-and-glued" => {
            let at = cut(&records[place]);
            records[place].truncate(at);
            whole.remove(place);
            if kind == "torn-and-glued" {
                ends[place] = "";
            }
        }
        "cut-first" | "cut-first-and-glued" => {
            let at = cut(&records[0]);
            records[0].drain(..at);
            whole.remove(0);
            if kind == "cut-first-and-glued" {
                ends = [""; 5];
            }
        }
        "cut-last" => {
            let at = cut(&records[4]);
            records[4].truncate(at);
            whole.remove(4);
            ends[4] = "";
        }
        _ => unreachable!("{kind} is in the list"),
    }
    let lines = records.iter().zip(ends);
    Damaged {
        text: lines
            .map(|(record, end)| format!("{record}{end}"))
            .collect(),
        whole,
    }
}
