//! Finds members that a program names and no input has, beside a similar key: probably wrong keys.
//!
//! Inputs are examined until each member was found in one: usually the first one has all of them.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use jsonx_core::engine::{Mode, Options};
use jsonx_core::string::nearest::{Nearest, SHORT};
use jsonx_jq::{IndexedText, MemberPath, TextBytes, Value};

use crate::messages;
use crate::path_messages::did_you_mean;
use crate::report::escape;

/// The members that no input had so far.
#[derive(Default)]
pub struct WrongKeys {
    /// There are some.
    is_open: AtomicBool,
    has_input: AtomicBool,
    missing: Mutex<Vec<Missing>>,
}

struct Missing {
    path: MemberPath,
    /// A similar key beside it.
    meant: Option<String>,
}

impl WrongKeys {
    /// A search for these members.
    pub fn new(paths: Vec<MemberPath>) -> WrongKeys {
        let missing = paths.into_iter().map(|path| Missing { path, meant: None });
        let missing: Vec<Missing> = missing.collect();
        WrongKeys {
            is_open: AtomicBool::new(!missing.is_empty()),
            has_input: AtomicBool::new(false),
            missing: Mutex::new(missing),
        }
    }

    /// Whether inputs are examined.
    pub fn is_open(&self) -> bool {
        self.is_open.load(Ordering::Relaxed)
    }

    /// Examines an input or, with the path of an array, one of its elements.
    pub fn see(&self, value: &Value, array: Option<&[String]>) {
        self.has_input.store(true, Ordering::Relaxed);
        let mut missing = self.missing();
        missing.retain_mut(|Missing { path, meant }| {
            let within = match array {
                Some(array) => path.within(array),
                None => Some(path.clone()),
            };
            // What leads to an element is there.
            let Some(within) = within.filter(|within| !within.is_in(value)) else {
                return false;
            };
            // Most short keys differ by a single letter.
            if meant.is_none() && within.key().len() >= SHORT {
                let mut nearest = Nearest::new(within.key().as_bytes());
                within.each_other_key(value, |key| nearest.offer(key.as_bytes()));
                let found = nearest.found().map(String::from_utf8_lossy);
                *meant = found.map(|key| within.with_key(&key).key().to_owned());
            }
            true
        });
        self.is_open.store(!missing.is_empty(), Ordering::Relaxed);
    }

    /// Examines a text of inputs or elements, of which the program sees reduced ones.
    pub fn see_text(&self, text: &[u8], options: Options, array: Option<&[String]>) {
        let line = memchr::memchr(b'\n', text).map_or(text.len(), |end| end + 1);
        for text in [&text[..line], text] {
            if !self.is_open() {
                return;
            }
            let text = TextBytes::Owned(text.to_vec());
            if let Ok(text) = IndexedText::new(text, options.mode(Mode::Stream)) {
                let mut values = std::rc::Rc::new(text).values();
                while self.is_open()
                    && let Some(value) = values.next()
                {
                    self.see(&value, array);
                }
            }
        }
    }

    /// Warns of the members that none of the inputs has.
    pub fn warn(&self) {
        let missing = self.missing();
        if !self.has_input.load(Ordering::Relaxed) {
            return;
        }
        for (at, Missing { path, meant }) in missing.iter().enumerate() {
            let is_below = |other: &Missing| path.starts_with(&other.path);
            // Paths precede those that lead through them.
            if missing[..at].iter().any(is_below) {
                continue;
            }
            // Without a similar key, its absence is rather no mistake.
            let Some(key) = meant else { continue };
            let hint = did_you_mean(&format!("`{}`", path.with_key(key)));
            let path = escape(&path.to_string()).to_string();
            messages::line(&format!(
                "jsonx jq: warning: no record has `{path}`; {hint}"
            ));
        }
    }

    fn missing(&self) -> MutexGuard<'_, Vec<Missing>> {
        self.missing.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
