//! The words for the values of an option, which `jsonx.json` and messages share with the command line.

use clap::ValueEnum;

/// Values with words.
pub trait Words: ValueEnum {
    /// The value of a word.
    fn from_word(word: &str) -> Option<Self> {
        Self::from_str(word, false).ok()
    }

    /// The word for the value, if it has one.
    fn word(&self) -> Option<String> {
        Some(self.to_possible_value()?.get_name().to_owned())
    }

    /// The words for all values that have one.
    fn words() -> Vec<String> {
        let values = Self::value_variants().iter();
        values.filter_map(Self::word).collect()
    }
}

impl<V: ValueEnum> Words for V {}
