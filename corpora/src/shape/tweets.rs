//! The search response of a social network: typical input of programs that read JSON.

use super::Records;
use crate::document::{Document, push_integer, push_padded};
use crate::random::SplitMix64;
use crate::text;

pub struct Statuses {
    id: u64,
}

impl Default for Statuses {
    fn default() -> Statuses {
        Statuses {
            id: 1_890_000_000_000_000_000,
        }
    }
}

impl Records for Statuses {
    fn begin(&mut self, document: &mut Document, random: &mut SplitMix64) {
        document.object();
        document.key("search_metadata");
        document.object();
        document.key("query");
        document.string_with(|buffer| text::word(buffer, random));
        document.key("completed_in");
        document.scalar_with(|buffer| {
            buffer.extend_from_slice(b"0.");
            push_padded(buffer, random.next_u64(), 3);
        });
        document.key("next");
        document.null();
        document.close();
        document.key("statuses");
        document.array();
    }

    fn record(&mut self, document: &mut Document, random: &mut SplitMix64) {
        self.status(document, random);
    }
}

impl Statuses {
    /// One status. One in four embeds another before the rest of its fields; the embedded status embeds none.
    fn status(&mut self, document: &mut Document, random: &mut SplitMix64) {
        document.object();
        if random.one_in(4) {
            document.key("repeated_status");
            document.object();
            self.fields(document, random);
            document.close();
        } else {
            document.key("repeated_status");
            document.null();
        }
        self.fields(document, random);
        document.close();
    }

    fn fields(&mut self, document: &mut Document, random: &mut SplitMix64) {
        self.id += random.between(1_000, 90_000_000);
        let id = self.id;
        document.key("id");
        document.integer(id);
        document.key("id_str");
        document.string_with(|buffer| push_integer(buffer, id));
        document.key("created_at");
        document.string_with(|buffer| date(buffer, random));
        document.key("text");
        document.string_with(|buffer| post(buffer, random));
        document.key("truncated");
        document.boolean(random.one_in(20));
        document.key("in_reply_to_status_id");
        if random.one_in(4) {
            document.integer(id - random.below(1 << 40))
        } else {
            document.null()
        }
        document.key("coordinates");
        if random.one_in(10) {
            coordinates(document, random)
        } else {
            document.null()
        }
        user(document, random);
        entities(document, random);
        document.key("repeat_count");
        document.integer(skewed(random, 100_000));
        document.key("like_count");
        document.integer(skewed(random, 1_000_000));
        document.key("sensitive");
        if random.one_in(6) {
            document.null()
        } else {
            document.boolean(false)
        }
        document.key("lang");
        document.string(random.pick(&["en", "ru", "ja", "de", "es", "ar", "ko", "und"]));
    }
}

/// A number below `limit`, small ones far more often than large ones.
fn skewed(random: &mut SplitMix64, limit: u64) -> u64 {
    let bound = random.below(limit) + 1;
    let bound = random.below(bound) + 1;
    random.below(bound)
}

fn date(buffer: &mut Vec<u8>, random: &mut SplitMix64) {
    buffer.extend_from_slice(
        random
            .pick(&["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"])
            .as_bytes(),
    );
    buffer.extend_from_slice(
        random
            .pick(&[" Jan ", " Mar ", " Jun ", " Aug ", " Nov "])
            .as_bytes(),
    );
    push_padded(buffer, random.between(1, 30), 2);
    for (limit, mark) in [(24, b' '), (60, b':'), (60, b':')] {
        buffer.push(mark);
        push_padded(buffer, random.below(limit), 2);
    }
    buffer.extend_from_slice(b" +0000 2025");
}

fn post(buffer: &mut Vec<u8>, random: &mut SplitMix64) {
    for at in 0..random.between(1, 4) {
        if at > 0 {
            buffer.extend_from_slice(random.pick(&[" ", "\\n", "\\n\\n", " \\u2014 "]).as_bytes());
        }
        match random.below(8) {
            0..3 => {
                let words = random.between(2, 18);
                text::sentence(buffer, random, words);
            }
            3..6 => text::foreign(buffer, random),
            6 => {
                buffer.push(b'#');
                text::word(buffer, random);
            }
            _ => link(buffer, random),
        }
    }
}

fn link(buffer: &mut Vec<u8>, random: &mut SplitMix64) {
    buffer.extend_from_slice(
        random
            .pick(&["https://example.org/", "https:\\/\\/example.net\\/"])
            .as_bytes(),
    );
    text::identifier(buffer, random);
}

fn coordinates(document: &mut Document, random: &mut SplitMix64) {
    document.object();
    document.key("type");
    document.string("Point");
    document.key("coordinates");
    document.array();
    for limit in [180, 90] {
        document.scalar_with(|buffer| {
            if random.one_in(2) {
                buffer.push(b'-');
            }
            push_integer(buffer, random.below(limit));
            buffer.push(b'.');
            push_padded(buffer, random.next_u64(), 6);
        });
    }
    document.close();
    document.close();
}

fn user(document: &mut Document, random: &mut SplitMix64) {
    document.key("user");
    document.object();
    document.key("id");
    document.integer(random.below(4_000_000_000));
    document.key("name");
    document.string_with(|buffer| text::name(buffer, random));
    document.key("screen_name");
    document.string_with(|buffer| text::identifier(buffer, random));
    document.key("location");
    if random.one_in(3) {
        document.string("");
    } else {
        document.string_with(|buffer| text::foreign(buffer, random));
    }
    document.key("description");
    let words = random.below(20);
    document.string_with(|buffer| text::sentence(buffer, random, words));
    document.key("url");
    if random.one_in(2) {
        document.null()
    } else {
        document.string_with(|buffer| link(buffer, random))
    }
    for key in ["followers_count", "friends_count", "statuses_count"] {
        document.key(key);
        document.integer(skewed(random, 10_000_000));
    }
    for key in ["protected", "verified", "default_profile"] {
        document.key(key);
        document.boolean(random.one_in(5));
    }
    document.key("utc_offset");
    match random.below(3) {
        0 => document.null(),
        _ => document.scalar_with(|buffer| {
            buffer.extend_from_slice(random.pick(&["", "-"]).as_bytes());
            push_integer(buffer, 3600 * random.between(1, 12));
        }),
    }
    document.close();
}

fn entities(document: &mut Document, random: &mut SplitMix64) {
    document.key("entities");
    document.object();
    document.key("hashtags");
    document.array();
    for _ in 0..random.below(3) {
        document.object();
        document.key("text");
        document.string_with(|buffer| text::word(buffer, random));
        document.key("indices");
        document.array();
        let start = random.below(120);
        document.integer(start);
        document.integer(start + random.between(2, 14));
        document.close();
        document.close();
    }
    document.close();
    document.key("urls");
    document.array();
    if random.one_in(4) {
        document.object();
        document.key("url");
        document.string_with(|buffer| link(buffer, random));
        document.close();
    }
    document.close();
    document.key("user_mentions");
    document.array();
    document.close();
    document.close();
}
