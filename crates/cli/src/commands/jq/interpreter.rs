//! Runs a program for each input, and prints its results.

use std::io;
use std::sync::mpsc::Receiver;

use jsonx_jq::{Program, Value};

use super::feed::{Feed, Next};
use super::jobs::{Contents, FileJob, Job};
use super::printing::Printing;
use super::run_elements::run_elements;
use super::run_lines::run_lines;
use super::runner::{Progress, run};
use super::settings::Source;
use super::{FAILED_PROGRAM, NO_PROGRAM, USABLE_STACK};
use crate::args::Jq;
use crate::check::Failure;
use crate::check::lines::LineFindings;
use crate::output::Stdout;

/// How a run ended.
pub struct Outcome {
    pub code: u8,
    pub is_halted: bool,
}

pub struct Interpreter<'a> {
    pub args: &'a Jq,
    pub source: &'a Source,
    pub printing: Printing,
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
        // It compiled before.
        let Ok(program) = source.compile() else {
            return Ok(Outcome {
                code: NO_PROGRAM,
                is_halted: false,
            });
        };
        let feed = Feed::new(args, source, &printing, receiver, out);
        let mut progress = Progress::default();
        let ended = run_all(args, &program, &feed, &mut progress);
        let flushed = feed.out.borrow_mut().flush();
        ended?;
        flushed?;
        let code = match (args.exit_status, progress.last) {
            _ if progress.halted.is_some() => progress.halted.unwrap_or_default(),
            _ if progress.failed => FAILED_PROGRAM,
            (true, None) => 4,
            (true, Some(false)) => 1,
            _ => 0,
        };
        Ok(Outcome {
            code,
            is_halted: progress.halted.is_some(),
        })
    }
}

/// Runs the program for each input, until it halts.
fn run_all(
    args: &Jq,
    program: &Program,
    feed: &Feed<'_>,
    progress: &mut Progress,
) -> io::Result<()> {
    if args.null_input {
        return run(program, Value::Null, USABLE_STACK, feed, progress);
    }
    if args.slurp {
        let values = std::iter::from_fn(|| feed.next_value());
        let all = if args.raw_input {
            let texts = values.map(|text| text.as_str().unwrap_or_default().into_owned());
            Value::from(texts.collect::<String>())
        } else {
            Value::array(values.collect())
        };
        return run(program, all, USABLE_STACK, feed, progress);
    }
    while progress.halted.is_none() {
        match feed.next() {
            Next::Value(value) => run(program, value, USABLE_STACK, feed, progress)?,
            Next::File(job) => run_file(*job, program, feed, progress)?,
            Next::End => break,
        }
    }
    Ok(())
}

/// Runs the program for a file on several threads.
fn run_file(
    job: FileJob,
    program: &Program,
    feed: &Feed<'_>,
    progress: &mut Progress,
) -> io::Result<()> {
    let worked = match &job.contents {
        Contents::Lines(search) => run_lines(&job, search, program, feed, progress),
        Contents::Elements(elements) => {
            let (path, each) = program.per_element().expect("elements were found by it");
            let ended = run_elements(&job, elements, &path, &each, feed, progress);
            ended.map(|end| (LineFindings::default(), end))
        }
    };
    if let Err(Failure::Write(error)) = worked {
        return Err(error);
    }
    // The thread that reads waits for it.
    let _ = job.done.send((job.input, worked));
    Ok(())
}
