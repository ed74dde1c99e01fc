//! Reads an input again, for hints.

use std::convert::Infallible;

use jsonx_core::engine::{Mode, Validator};
use jsonx_core::path::{Path, Step};
use jsonx_core::query::{Answer, Duplicates, Query, QueryOptions};
use jsonx_core::visit::{Event, Events};

use crate::check::{CheckOptions, Failure, InputKind, push};
use crate::input::{Consumed, Input};

/// A file, or a pipe as long as it is completely buffered.
pub struct Reread<'i> {
    pub options: CheckOptions,
    pub input: &'i mut Input,
    pub kind: InputKind,
}

impl Reread<'_> {
    /// Passes the answers of a query to `each`. Returns the offset in the input from which their offsets count; `None` if the
    /// input cannot be read.
    pub fn answers(&mut self, mut query: Query, mut each: impl FnMut(Answer)) -> Option<u64> {
        let mut validator = Validator::new(self.options.engine(self.kind));
        let mut origin = self.input.text_start();
        if self.input.is_file() {
            let read = self
                .input
                .each_window(|window| -> Result<Consumed, Failure> {
                    origin = window.offset() - validator.offset();
                    let taken = push(&mut validator, window, &mut query)?;
                    query.assume_unique_keys(u64::MAX);
                    query.answers().for_each(&mut each);
                    Ok(taken)
                });
            read.ok()?;
        } else {
            let text = self.input.buffered(origin, self.input.length())?;
            validator.check(text, &mut query).ok()?;
        }
        query.end();
        query.answers().for_each(each);
        Some(origin)
    }

    /// Enumerates the keys of the members that a path selects. Returns whether there were any.
    pub fn each_key(&mut self, members: &Path, mut offer: impl FnMut(&[u8])) -> bool {
        let options = QueryOptions::default()
            .duplicates(Duplicates::Each)
            .locations(true);
        let query = Query::new(std::slice::from_ref(members), options);
        let mut any = false;
        let read = self.answers(query, |answer| {
            if let Answer::Match(found) = answer
                && let Some(location) = found.location
                && let Some(Step::Key(key)) = location.steps().last()
            {
                any = true;
                offer(key);
            }
        });
        any && read.is_some()
    }

    /// Enumerates the keys of the object between two offsets. Returns whether it could be read.
    pub fn each_key_of(&mut self, start: u64, end: u64, mut offer: impl FnMut(&[u8])) -> bool {
        let mut depth = 0;
        let mut events = Events::new(|event: Event<'_>| -> Result<(), Infallible> {
            match event {
                Event::BeginArray | Event::BeginObject => depth += 1,
                Event::EndArray | Event::EndObject => depth -= 1,
                Event::Key(key) if depth == 1 => offer(key),
                _ => {}
            }
            Ok(())
        });
        let options = self.options.engine(self.kind).mode(Mode::One);
        let mut validator = Validator::new(options);
        if self.input.is_file() {
            let read =
                self.input
                    .each_window_of(start, end, |window| -> Result<Consumed, Failure> {
                        Ok(push(&mut validator, window, &mut events)?)
                    });
            return read.is_ok();
        }
        let text = self.input.buffered(start, end);
        text.is_some_and(|text| validator.check(text, &mut events).is_ok())
    }
}
