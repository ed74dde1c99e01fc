//! Runs a program for each input, and prints its results.

use std::io;
use std::sync::atomic::Ordering;
use std::sync::mpsc::Receiver;

use jsonx_jq::{Program, Value};

use super::feed::{Feed, Next};
use super::jobs::Job;
use super::printing::{Form, Printing};
use super::run_elements::Current;
use super::runner::{Progress, run};
use super::settings::ProgramSource;
use super::wrong_keys::WrongKeys;
use super::{FAILED_PROGRAM, NO_PROGRAM, USABLE_STACK, exit_code};
use crate::args::Jq;
use crate::bar;
use crate::output::Stdout;

/// The end of a run.
pub struct Outcome {
    pub code: u8,
    pub is_halted: bool,
}

impl Outcome {
    /// The exit code, given that of problems with the inputs.
    pub fn exit_code(&self, problems: u8) -> u8 {
        match (problems, self.code) {
            (_, code) if self.is_halted => code,
            (0, code) => code,
            (1, 0) => 1,
            (1, code) => code,
            (problems, _) => exit_code(problems),
        }
    }
}

pub struct Interpreter<'a> {
    pub args: &'a Jq,
    pub source: &'a ProgramSource,
    pub printing: &'a Printing,
    pub receiver: Receiver<Job>,
    pub out: Stdout,
}

impl Interpreter<'_> {
    /// Runs the program for all inputs.
    ///
    /// # Errors
    /// Standard output cannot be written.
    pub fn run(self) -> io::Result<Outcome> {
        let Interpreter {
            args,
            source,
            printing,
            receiver,
            out,
        } = self;
        // Already compiled once.
        let Ok(program) = source.compile() else {
            return Ok(Outcome {
                code: NO_PROGRAM,
                is_halted: false,
            });
        };
        let feed = Feed::new(args, source, printing, receiver, out);
        let mut progress = Progress::default();
        let ended = run_all(args, &program, &source.wrong_keys, &feed, &mut progress);
        let has_misfit = feed.has_misfit.get();
        let (has_ended, is_invalid) = (feed.has_ended.get(), feed.is_invalid.get());
        let printed = feed.out.into_inner().end(is_invalid);
        if !has_misfit {
            ended?;
        }
        printed?;
        if has_ended && progress.halted.is_none() {
            source.wrong_keys.warn();
        }
        if has_misfit {
            return Ok(Outcome {
                code: FAILED_PROGRAM,
                is_halted: true,
            });
        }
        let has_failed = match printing.form {
            // As in jq, the exit code is that of the last input.
            Form::Values => progress.failed == Some(true),
            // Rows are missing.
            _ => progress.has_failed,
        };
        // An array is not false.
        let last = source.joins.then_some(true).or(progress.last);
        let code = match (args.exit_status, last) {
            _ if progress.halted.is_some() => progress.halted.unwrap_or_default(),
            _ if is_invalid || has_failed => FAILED_PROGRAM,
            (true, None) => 4,
            (true, Some(false)) => 1,
            _ => 0,
        };
        let outcome = Outcome {
            code,
            is_halted: progress.halted.is_some(),
        };
        if !has_ended && source.may_wait.load(Ordering::Relaxed) {
            // The other thread may wait for input that the program does not need.
            bar::end();
            std::process::exit(
                outcome
                    .exit_code(source.exit.load(Ordering::Relaxed))
                    .into(),
            );
        }
        Ok(outcome)
    }
}

/// Runs the program for each input, until it halts.
fn run_all(
    args: &Jq,
    program: &Program,
    keys: &WrongKeys,
    feed: &Feed<'_>,
    progress: &mut Progress,
) -> io::Result<()> {
    if args.null_input {
        return run(program, Value::Null, USABLE_STACK, feed, progress);
    }
    if feed.slurps() {
        return match feed.next_value() {
            None => Ok(()),
            Some(all) => {
                keys.see(&all, None);
                run(program, all, USABLE_STACK, feed, progress)
            }
        };
    }
    let mut document = None;
    while progress.halted.is_none() {
        match (feed.next(), &mut document) {
            (Next::Value(value), _) => {
                if keys.is_open() {
                    keys.see(&value, None);
                }
                run(program, value, USABLE_STACK, feed, progress)?;
            }
            (Next::Document(found), document) => *document = Some(Current::new(*found, program)),
            (Next::Ran(ran), Some(document)) if ran.elements.is_some() => {
                document.take(*ran, feed, progress)?;
            }
            (Next::Ran(ran), _) => ran.print(&mut feed.out.borrow_mut(), progress)?,
            (Next::End | Next::Invalid, _) => break,
        }
    }
    Ok(())
}
