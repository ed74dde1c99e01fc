//! Programs as a transform of files: `--write`, `--check` and `--diff`. Each value of a file is replaced by its only result.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use jsonx_core::engine::{Mode, Options};
use jsonx_core::position::locate;
use jsonx_jq::{Exception, Host, IndexedText, Program, Rewritten, TextBytes, Value, rewrite};

use super::runner::print_message;
use super::settings::ProgramSource;
use super::{STACK, USABLE_STACK, marked};
use crate::changes::{NewText, Transform, comments};
use crate::check::{CheckOptions, Failure, InputKind, json5};
use crate::commands::fmt::Layouts;
use crate::config::FileOptions;
use crate::exit::Exit;
use crate::input::Input;
use crate::output::{AnyOutput, out_of_memory};
use crate::report::escape;

/// A program for any number of files.
pub struct Rewriting<'a> {
    pub options: CheckOptions,
    /// The layouts of files that `fmt` has formatted.
    pub layouts: Arc<Layouts>,
    pub source: &'a ProgramSource,
    /// Set if a program fails, which has its own exit code.
    pub program_failed: &'a AtomicBool,
}

/// A file whose values are changed.
struct Place {
    name: Option<String>,
}

impl Host for Place {
    fn input_filename(&self) -> Option<String> {
        self.name.clone()
    }

    fn message(&self, text: &str) {
        print_message(text);
    }
}

/// The reason why a value cannot be replaced: its offset, and a message.
type Refused = (usize, String);

impl Rewriting<'_> {
    /// The new text with the comments removed from the old one, or the reason for its absence.
    fn run(
        &self,
        old: &[u8],
        kind: InputKind,
        options: Options,
        place: &Place,
    ) -> Result<Result<Rewritten, Refused>, Failure> {
        // Already compiled once.
        let Ok(program) = self.source.compile() else {
            return Ok(Ok(Rewritten {
                text: old.to_vec(),
                ..Rewritten::default()
            }));
        };
        let text = TextBytes::Owned(old.to_vec());
        let text = IndexedText::new(text, options.mode(Mode::Stream));
        let text = std::rc::Rc::new(text.map_err(Failure::Invalid)?);
        let is_one = !matches!(kind, InputKind::Jsonl | InputKind::Stream);
        let mut new = Rewritten::default();
        let mut at = 0;
        for value in text.values() {
            let Value::Lazy(lazy) = &value else {
                continue;
            };
            let Range { start, end } = lazy.span();
            let result = match self.result(&program, &value, place) {
                Ok(result) => result,
                Err(message) => return Ok(Err((start, message))),
            };
            // With the text around it: comments before and after a single value belong to it.
            let (from, to) = if is_one { (0, old.len()) } else { (at, end) };
            match rewrite(lazy, from..to, kind.dialect(), &result) {
                Ok(one) => {
                    new.text.extend_from_slice(&one.text);
                    new.dropped_comments.extend(one.dropped_comments);
                }
                Err(error) => return Ok(Err((start, error.to_string()))),
            }
            at = to;
        }
        new.text.extend_from_slice(&old[at..]);
        Ok(Ok(new))
    }

    /// The only result for a value.
    fn result(&self, program: &Program, value: &Value, place: &Place) -> Result<Value, String> {
        let mut results = Vec::new();
        let ended = program.run_within(value.clone(), place, USABLE_STACK, &mut |result| {
            results.push(result);
            Ok(())
        });
        match ended {
            Ok(()) | Err(Exception::Break(_) | Exception::Stopped) => {}
            Err(Exception::Halt(_)) => {
                return Err("the program halts, so there is nothing to write".to_owned());
            }
            Err(Exception::Error(error)) => {
                let mut message = escape(&error.to_string());
                if let Some(span) = error.span {
                    message += &marked(&self.source.program, span);
                }
                return Err(message);
            }
        }
        match <[Value; 1]>::try_from(results) {
            Ok([result]) => match (value.type_name(), result.type_name()) {
                // Nearly always a path or a comparison in place of an assignment.
                (whole @ ("object" | "array"), part) if !matches!(part, "object" | "array") => {
                    let article = if part == "null" { "" } else { "a " };
                    Err(format!(
                        "the result, {article}{part}, would replace the whole {whole}; nothing was written (`=` assigns, as in `.a = 1`)"
                    ))
                }
                _ => Ok(result),
            },
            Err(results) => Err(format!(
                "the program has {} results, but only one can replace a file",
                results.len()
            )),
        }
    }
}

impl Transform for Rewriting<'_> {
    const UNCHANGED: &'static str = "unchanged";
    const WOULD_CHANGE: &'static str = "would change";

    type Plan = NewText;

    fn plan(&self, input: &mut Input, kind: InputKind) -> Result<NewText, Failure> {
        json5::not_json5(input, "jq --write")?;
        json5::has_value(input)?;
        let mut old = Vec::new();
        self.options.read_checked(input, kind, &mut old)?;
        json5::finite(input)?;
        let options = self.options.engine(kind);
        let name = input.name();
        let place = Place {
            name: (!name.is_stdin()).then(|| name.to_string()),
        };
        // The program may need a large stack, and the threads that change files have small ones.
        let new = thread::scope(|scope| {
            let work = || self.run(&old, kind, options, &place);
            let running = thread::Builder::new()
                .stack_size(STACK)
                .spawn_scoped(scope, work);
            running
                .unwrap_or_else(|_| out_of_memory(STACK))
                .join()
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        });
        match new? {
            Ok(new) => {
                comments::report_removed(input.name(), &new.dropped_comments);
                let mut new = NewText::new(&old, new.text);
                self.layouts.keep(&self.options, input, kind, &mut new);
                Ok(new)
            }
            Err((offset, message)) => {
                let position = locate(&old, offset);
                let name = input.name();
                let message = format!(
                    "jsonx jq: {name}:{}:{}: {message}",
                    position.line, position.column
                );
                self.program_failed.store(true, Ordering::Relaxed);
                Err(Failure::Declined {
                    exit: Exit::No,
                    message,
                })
            }
        }
    }

    fn changes(&self, new: &NewText) -> bool {
        new.differs
    }

    fn with_options(&self, options: &FileOptions) -> Self {
        Rewriting {
            options: options.check.clone(),
            layouts: self.layouts.clone(),
            ..*self
        }
    }

    fn write(
        &self,
        new: &NewText,
        input: &mut Input,
        _: InputKind,
        output: &mut AnyOutput<'_>,
    ) -> Result<(), Failure> {
        new.write(input, output)
    }
}
