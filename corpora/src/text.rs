//! Words, sentences and names in several scripts, plain and escaped.

use crate::random::SplitMix64;

#[rustfmt::skip]
const ENGLISH: &[&str] = &[
    "a", "about", "after", "again", "agreement", "all", "although", "and", "answer", "archive", "as", "at",
    "autumn", "bakery", "because", "before", "between", "boundary", "bridge", "but", "by", "carefully",
    "change", "city", "cloud", "coffee", "delivery", "different", "during", "each", "engine", "evening",
    "every", "factory", "field", "finally", "for", "forecast", "from", "garden", "harbour", "have",
    "history", "how", "if", "in", "index", "interesting", "into", "is", "it", "journey", "kitchen",
    "language", "late", "letter", "library", "light", "long", "machine", "market", "measure", "morning",
    "mountain", "music", "near", "never", "night", "no", "of", "office", "often", "on", "only", "open",
    "orchestra", "over", "parser", "people", "perhaps", "photograph", "question", "quickly", "rain",
    "reader", "responsibility", "river", "road", "season", "second", "seldom", "ship", "snow", "something",
    "station", "still", "story", "street", "sunlight", "table", "telescope", "than", "the", "there",
    "through", "ticket", "time", "to", "train", "under", "understanding", "until", "very", "village",
    "voice", "water", "weather", "we", "when", "where", "window", "winter", "with", "without", "world",
    "write", "yesterday", "yet",
];

#[rustfmt::skip]
const RUSSIAN: &[&str] = &[
    "а", "без", "берег", "большой", "был", "в", "вагон", "весна", "ветер", "вечером", "вокзал", "вопрос",
    "время", "всегда", "говорить", "город", "давно", "дерево", "длинный", "дождь", "дом", "дорога",
    "думать", "ещё", "её", "жизнь", "завтра", "здание", "зима", "и", "из", "искать", "история", "как",
    "книга", "когда", "корабль", "который", "лес", "лето", "лодка", "люди", "маленький", "между", "месяц",
    "молоко", "море", "мост", "музыка", "на", "над", "начало", "не", "небо", "несколько", "новый", "ночь",
    "о", "облако", "объяснение", "один", "окно", "осень", "ответственность", "очень", "письмо", "площадь",
    "по", "поезд", "поле", "помнить", "почему", "путь", "работа", "река", "с", "сад", "свет", "сегодня",
    "слово", "снег", "солнце", "старый", "стол", "тихо", "только", "улица", "утро", "хлеб", "холодный",
    "хорошо", "через", "чай", "человек", "что", "шум", "экспедиция", "это", "юг", "яблоко",
];

/// Short texts in other scripts, with characters of two, three and four bytes.
const WORLD: &[&str] = &[
    "Grüße aus München",
    "crème brûlée",
    "el niño comió piñones",
    "łódź i żółw",
    "καλημέρα κόσμε",
    "שלום עולם",
    "مرحبا بالعالم",
    "नमस्ते दुनिया",
    "こんにちは世界",
    "東京の天気は晴れです",
    "你好，世界",
    "안녕하세요 여러분",
    "สวัสดีชาวโลก",
    "🚀🚀",
    "☕️ 👩‍💻",
    "🎉",
    "𝒳 ≠ 𝒴",
];

#[rustfmt::skip]
const FIRST_NAMES: &[&str] = &[
    "Ada", "Björn", "Chloé", "Dmitri", "Elif", "Farid", "Grace", "Håkon", "Ines", "Jürgen", "Kofi", "Lucía",
    "Mei", "Nadia", "Olga", "Priya", "Quentin", "Rosa", "Søren", "Tomáš", "Uma", "Viktor", "Wanjiru",
    "Xenia", "Yusuf", "Zoë",
];

#[rustfmt::skip]
const LAST_NAMES: &[&str] = &[
    "Abe", "Brandt", "Castillo", "Dvořák", "Eriksen", "Fischer", "Guðmundsson", "Haddad", "Ivanova",
    "Jansen", "Kowalczyk", "Lindqvist", "Moreau", "Núñez", "O'Neill", "Petrov", "Quispe", "Rossi", "Sato",
    "Tanaka", "Ueda", "Väisänen", "Wójcik", "Yılmaz", "Zhang",
];

/// Appends one English word.
pub fn word(buffer: &mut Vec<u8>, random: &mut SplitMix64) {
    buffer.extend_from_slice(random.pick(ENGLISH).as_bytes());
}

/// Appends the English word number `at`, modulo their number. Consecutive numbers give different words, so an object that
/// numbers its keys from a random start has no duplicates.
pub fn word_at(buffer: &mut Vec<u8>, at: u64) {
    buffer.extend_from_slice(ENGLISH[(at % ENGLISH.len() as u64) as usize].as_bytes());
}

/// Appends `words` English words, separated by spaces.
pub fn words(buffer: &mut Vec<u8>, random: &mut SplitMix64, words: u64) {
    for at in 0..words {
        if at > 0 {
            buffer.push(b' ');
        }
        word(buffer, random);
    }
}

/// Appends `words` English words as a sentence: a capital letter, commas, a full stop.
pub fn sentence(buffer: &mut Vec<u8>, random: &mut SplitMix64, words: u64) {
    for at in 0..words {
        let start = buffer.len();
        word(buffer, random);
        if at == 0 {
            buffer[start].make_ascii_uppercase();
        }
        if at + 1 == words {
            buffer.push(b'.');
        } else {
            if random.one_in(9) {
                buffer.push(b',');
            }
            buffer.push(b' ');
        }
    }
}

/// Appends a few words in another script, as UTF-8.
pub fn foreign(buffer: &mut Vec<u8>, random: &mut SplitMix64) {
    if random.one_in(3) {
        for at in 0..random.between(2, 7) {
            if at > 0 {
                buffer.push(b' ');
            }
            buffer.extend_from_slice(random.pick(RUSSIAN).as_bytes());
        }
    } else {
        buffer.extend_from_slice(random.pick(WORLD).as_bytes());
    }
}

/// Appends a first and a last name, as UTF-8.
pub fn name(buffer: &mut Vec<u8>, random: &mut SplitMix64) {
    buffer.extend_from_slice(random.pick(FIRST_NAMES).as_bytes());
    buffer.push(b' ');
    buffer.extend_from_slice(random.pick(LAST_NAMES).as_bytes());
}

/// Appends an identifier such as `open_window3`.
pub fn identifier(buffer: &mut Vec<u8>, random: &mut SplitMix64) {
    word(buffer, random);
    buffer.push(b'_');
    word(buffer, random);
    if random.one_in(4) {
        buffer.push(b'0' + random.below(10) as u8);
    }
}

/// Appends `words` Russian words as a sentence, each letter as a `\u` escape with lower-case digits.
pub fn escaped_russian(buffer: &mut Vec<u8>, random: &mut SplitMix64, words: u64) {
    for at in 0..words {
        let mut letters = random.pick(RUSSIAN).chars();
        if at == 0 {
            let first = letters.next().into_iter().flat_map(char::to_uppercase);
            first.for_each(|letter| push_escape(buffer, letter));
        } else {
            buffer.push(b' ');
        }
        letters.for_each(|letter| push_escape(buffer, letter));
        if at + 1 < words && random.one_in(8) {
            buffer.push(b',');
        }
    }
}

/// Appends `letter` as a `\u` escape with four digits, or as two beyond the basic plane.
pub fn push_escape(buffer: &mut Vec<u8>, letter: char) {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    for unit in letter.encode_utf16(&mut [0; 2]) {
        buffer.extend_from_slice(b"\\u");
        for shift in [12, 8, 4, 0] {
            buffer.push(DIGITS[usize::from(*unit >> shift & 15)]);
        }
    }
}

/// Appends a text in another script with every non-ASCII character escaped.
pub fn escaped_foreign(buffer: &mut Vec<u8>, random: &mut SplitMix64) {
    for letter in random.pick(WORLD).chars() {
        if letter.is_ascii() {
            buffer.push(letter as u8);
        } else {
            push_escape(buffer, letter);
        }
    }
}
