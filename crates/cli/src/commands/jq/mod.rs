//! `jsonx jq`: programs in jq's language.
//!
//! ```text
//! files ──► inputs.rs: read, verify ──► texts ──► interpreter.rs, on a thread with a large stack ──► standard output
//! ```

mod counts;
mod elements;
mod events;
mod feed;
mod inputs;
mod interpreter;
mod jobs;
mod printing;
mod projection;
mod records;
mod results;
mod rows;
mod run_elements;
mod runner;
mod sequence;
mod settings;
mod tally;
mod transform;
mod worker;
mod wrong_keys;

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread;

use jsonx_jq::ProgramError;

use self::interpreter::{Interpreter, Outcome};
use self::jobs::Job;
use self::printing::Printing;
use self::settings::ProgramSource;
use self::transform::Rewriting;
use self::wrong_keys::WrongKeys;
use super::fmt::Layouts;
use super::{Command, Plan, UsageError};
use crate::args::{Common, Global, Jq, Layout};
use crate::changes::{self, Action};
use crate::exit::Exit;
use crate::messages;
use crate::output::{Stdout, out_of_memory};
use crate::report::{self, escape, in_shell};
use crate::session::Session;

/// The stack of the interpreter. Only touched pages take memory.
const STACK: usize = 512 << 20;

/// The part that a program may use; the rest is for one operation at the deepest point.
const USABLE_STACK: usize = STACK - (16 << 20);

/// The largest input that is read as text.
const MAX_TEXT: u64 = 1 << 31;

/// Maximum number of texts that wait for the interpreter.
const WAITING: usize = 2;

/// Exit codes of jq.
const FAILED_INPUT: u8 = 2;
const NO_PROGRAM: u8 = 3;
const FAILED_PROGRAM: u8 = 5;
const INVALID_INPUT: u8 = 5;

impl Command for Jq {
    const NAME: &'static str = "jq";
    type Work<'a> = ProgramSource;

    fn named(&self) -> Option<&[PathBuf]> {
        Some(&self.inputs.selection.paths)
    }

    fn common(&self) -> &Common {
        &self.common
    }

    fn skips_invalid(&self) -> bool {
        self.skip_invalid
    }

    fn plan(&self, _: &Global) -> Result<Plan<ProgramSource>, UsageError> {
        let mut source = ProgramSource::new(self)?;
        if let Some(reason) = self.usage_error() {
            return Err(UsageError::Arguments(reason.to_owned()));
        }
        // Threads receive the program as text; this checks once that it compiles.
        let program = source.compile().map_err(|error| {
            let mut message = pointed(&source.program, &error);
            // The program was forgotten.
            let is_file = !self.from_file && self.inputs.selection.is_empty();
            if is_file && Path::new(&source.program).is_file() {
                let file = in_shell(&source.program);
                message += &format!("\nthe program comes first: `jsonx jq . {file}`");
            }
            UsageError::Failed(NO_PROGRAM, format!("jsonx jq: {message}"))
        })?;
        let reads_values = !self.null_input && !self.raw_input && !self.is_streamed();
        let prints_values = self.row_form().is_none() && !self.tally && !self.with_filename;
        source.joins = self.slurp && reads_values && prints_values && program.is_identity();
        let takes_records = reads_values && (!self.slurp || source.joins);
        source.is_for_each = takes_records && !program.reads_inputs() && !self.unbuffered;
        source.reads_line_numbers = program.reads_line_numbers();
        source.has_fixed_keys = program.result_keys().is_some();
        let array = program.per_element().map(|(path, _)| path);
        source.array = array.map(|path| path.iter().map(|key| key.to_string()).collect());
        let is_examined = self.row_form().is_some() || self.tally || io::stderr().is_terminal();
        if is_examined && !self.null_input && !self.raw_input && !self.is_streamed() {
            source.wrong_keys = WrongKeys::new(program.member_paths());
        }
        let reads_stdin = self.inputs.selection.is_empty() && !self.null_input;
        Ok(Plan::with_findings_on_stderr(source, reads_stdin))
    }

    fn run(&self, mut source: ProgramSource, session: &mut Session) -> io::Result<()> {
        if !source.read_files(session)? {
            session.exit_with(FAILED_INPUT);
            return Ok(());
        }
        if self.changes.action() != Action::Print {
            return rewrite(self, &source, session);
        }
        session.set_hasty();
        // A terminal shows what is escaped or colored as one text.
        let is_shown = session.out.is_terminal() || printing::colors(self, session).is_some();
        if source.joins && is_shown {
            (source.joins, source.is_for_each) = (false, false);
        }
        let printing = Printing::new(self, &source, session);
        let out = std::mem::replace(&mut session.out, Stdout::new()?);
        let (sender, receiver) = sync_channel(WAITING);
        let outcome = thread::scope(|scope| -> io::Result<Outcome> {
            let builder = thread::Builder::new().stack_size(STACK);
            let (source, printing) = (&source, &printing);
            let interpreting = builder.spawn_scoped(scope, move || {
                let interpreter = Interpreter {
                    args: self,
                    source,
                    printing,
                    receiver,
                    out,
                };
                interpreter.run()
            });
            let interpreting = interpreting.unwrap_or_else(|_| out_of_memory(STACK));
            let read = inputs::read(self, source, printing, session, sender);
            let outcome = interpreting
                .join()
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
            read?;
            Ok(outcome)
        })?;
        session.exit_with(outcome.exit_code(session.exit() as u8));
        Ok(())
    }
}

/// jq's exit code for the problems of inputs.
fn exit_code(problems: u8) -> u8 {
    match problems {
        problems if problems == Exit::NotJson as u8 => INVALID_INPUT,
        _ => FAILED_INPUT,
    }
}

/// Waits until everything before has been printed. Returns false if the program has halted; then inputs that were read ahead
/// are not reported.
fn flush(jobs: &SyncSender<Job>) -> bool {
    let (done, printed) = sync_channel(1);
    // The interpreter drops what it has not received.
    jobs.send(Job::Flush(done)).is_ok() && printed.recv().is_ok()
}

/// Changes files, or shows what would change.
fn rewrite(args: &Jq, source: &ProgramSource, session: &mut Session) -> io::Result<()> {
    let selection = &args.inputs.selection;
    let files = match selection.files() {
        Ok(files) => files,
        Err(error) => {
            messages::line(&format!("jsonx jq: {error:#}"));
            session.note(Exit::Usage);
            return Ok(());
        }
    };
    let program_failed = AtomicBool::new(false);
    let rewriting = Rewriting {
        options: session.check_options(),
        layouts: Layouts::new(&Layout::default(), session.options().configs.clone()).into(),
        source,
        program_failed: &program_failed,
    };
    let action = match args.changes.action() {
        // The new text of a pipe is printed.
        Action::Write { .. } if args.reads_stdin() => Action::Print,
        action => action,
    };
    changes::run(session, rewriting, action, selection, files)?;
    // The same codes as without these options, and one for a difference.
    session.exit_with(match session.exit() {
        Exit::Done => 0,
        Exit::No if program_failed.into_inner() => FAILED_PROGRAM,
        Exit::No => 1,
        problem => exit_code(problem as u8),
    });
    Ok(())
}

/// A message about a program, with the line and a mark under the error.
pub fn pointed(program: &str, error: &ProgramError) -> String {
    let (line, column) = error.position(program);
    let mut text = format!("program:{line}:{column}: {}", escape(&error.message));
    text += &marked(program, error.span);
    if let Some(note) = &error.note {
        text += &format!("\n{}", escape(note));
    }
    text
}

/// A line of a program, and a line with a mark under a range.
pub fn marked(program: &str, span: jsonx_jq::Span) -> String {
    let (start, end) = (span.start as usize, span.end as usize);
    let start = program.floor_char_boundary(start);
    format!("\n{}", report::marked(program.as_bytes(), start..end))
}
