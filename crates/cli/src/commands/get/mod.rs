//! `jsonx get`: the values that paths select.
//!
//! ```text
//! paths ──► query ──► answers.rs ──► print.rs ──► standard output
//!             ▲       in order,      as JSON, raw,
//!             │       limited        positions
//!  file.rs    validates a file, then prints
//!  stream.rs  prints while reading
//!  lines.rs   searches JSON Lines record by record, and continues after an invalid one
//! ```

mod answers;
mod conclude;
mod file;
mod lines;
mod missing;
mod notes;
mod print;
mod request;
mod reread;
mod stream;
mod text;

use std::io;
use std::path::{Path as FilePath, PathBuf};

use jsonx_core::engine::Mode;
use jsonx_core::query::Duplicates;
use jsonx_query::Shape;

use self::answers::Answers;
use self::conclude::{conclude, warn_of_duplicates};
use self::print::{Printer, Show};
pub use self::request::Request;
use self::request::name_of_a_file;
use self::reread::Reread;
use self::stream::StreamOptions;
use super::{Command, Plan, UsageError};
use crate::args::{Common, Get, Global};
use crate::changes;
use crate::check::{Failure, InputKind};
use crate::exit::Exit;
use crate::input::Input;
use crate::messages;
use crate::session::Session;

impl Command for Get {
    const NAME: &'static str = "get";
    type Work<'a> = Request;

    fn named(&self) -> Option<&[PathBuf]> {
        // Otherwise, the first file is in the place of the path.
        self.option_paths
            .is_empty()
            .then_some(&self.selection.paths[..])
    }

    fn common(&self) -> &Common {
        &self.common
    }

    fn skips_invalid(&self) -> bool {
        self.skip_invalid
    }

    fn plan(&self, _: &Global) -> Result<Plan<Request>, UsageError> {
        let request = request::parse(self)?;
        let stdin_is_implied = request.selection.is_empty();
        request.selection.files().map_err(|e| UsageError::new(&e))?;
        Ok(Plan::with_findings_on_stderr(request, stdin_is_implied))
    }

    fn run(&self, request: Request, session: &mut Session) -> io::Result<()> {
        run(session, self, &request)
    }
}

/// From this length in bytes, a file is printed while it is checked, as a pipe is, unless the output is stored in a file: checking
/// 2 GB takes a second or more, and the reader may need only the first values.
const PRINTED_AT_ONCE: u64 = 64 << 20;

/// The search of all inputs.
struct Search<'a> {
    args: &'a Get,
    request: &'a Request,
    /// The property of matches to print.
    show: Show,
    /// That of all inputs, if requested.
    shape: Box<Shape>,
    /// Number of files found in directories, and of the matches of each path in them.
    found: usize,
    found_matches: Vec<u64>,
}

/// Looks up the paths in each input.
fn run(session: &mut Session, args: &Get, request: &Request) -> io::Result<()> {
    let show = Show::new(args, session.is_quiet());
    let mut search = Search::new(args, request, show);
    search.each_input(session)?;
    search.conclude_found(session);
    Ok(())
}

/// The shape of all matches; `None` if there are none.
///
/// # Errors
/// Standard output cannot be written.
pub fn shape(session: &mut Session, args: &Get, request: &Request) -> io::Result<Option<Shape>> {
    let mut search = Search::new(args, request, Show::Shape);
    search.each_input(session)?;
    search.conclude_found(session);
    let is_none = search.shape.paths().iter().all(|path| path.count == 0);
    Ok((!is_none).then_some(*search.shape))
}

impl<'a> Search<'a> {
    fn new(args: &'a Get, request: &'a Request, show: Show) -> Search<'a> {
        Search {
            args,
            request,
            show,
            shape: Box::default(),
            found: 0,
            found_matches: vec![0; request.paths.len()],
        }
    }

    fn each_input(&mut self, session: &mut Session) -> io::Result<()> {
        let files = self.request.selection.files().map_err(io::Error::other)?;
        for found in session.select(files, false) {
            match found {
                Ok(path) => self.input(session, &path)?,
                Err(problem) => session.report_problem(&problem)?,
            }
        }
        Ok(())
    }

    /// Searches an input.
    fn input(&mut self, session: &mut Session, path: &FilePath) -> io::Result<()> {
        let (args, request) = (self.args, self.request);
        let Some(mut input) = session.open(path)? else {
            return Ok(());
        };
        let check_options = session.check_options();
        let mut kind = check_options.kind_of(&input);
        // Values are printed as they are read.
        kind = check_options.by_first_lines(&mut input, kind);
        let options = check_options.engine(kind).mode(Mode::One);
        let (terminal, color) = (session.out.is_terminal(), session.color());
        let several = !request.selection.is_one();
        let printer = Printer::new(args, self.show, several, terminal, color, options);
        let name = input.name().clone();
        let mut answers = Answers::new(request, &printer, &name);
        let at_once = input.is_file()
            && input.json5().is_none()
            && input.size() >= PRINTED_AT_ONCE
            && !session.out.is_file()
            && !matches!(self.show, Show::Count | Show::Nothing | Show::Shape);
        let is_open = kind == InputKind::Json && check_options.is_open(&input);
        // Lines without the name of JSON Lines may turn out to be values that span lines.
        let at_once = at_once && !(is_open && check_options.is_lines(&mut input));
        let printed = if at_once {
            if is_open {
                kind = InputKind::Stream;
            }
            let printed = print_answers(session, &mut input, kind, &mut answers, true);
            if kind == InputKind::Stream && answers.roots() == 1 {
                kind = check_options.kind_of(&input);
            }
            printed
        } else {
            session.by_content(&mut input, &mut kind, |session, input, kind| {
                answers = Answers::new(request, &printer, &name);
                answers.translation = input.json5().cloned();
                print_answers(session, input, kind, &mut answers, false)
            })
        };
        if printed.is_ok() {
            answers.end_shape(&mut self.shape);
        }
        session.warn_of_byte_order_mark(&input);
        answers.warnings.report(&name);
        if let Some((failure, others)) = answers.refused.take() {
            session.report_refused(failure, others);
        }
        let counts = std::mem::take(&mut answers.counts);
        let unsettled = match printed {
            Ok(unsettled) => unsettled,
            Err(failure) => {
                warn_of_duplicates(request, &counts, &input, false);
                session.report_failure(&mut input, kind, failure)?;
                if request.selection.is_empty()
                    && let Some(text) = name_of_a_file(args.path.as_deref().as_ref())
                {
                    messages::line(&text);
                }
                return Ok(());
            }
        };
        warn_of_duplicates(request, &counts, &input, unsettled);
        session.warn_of_several(&mut input, Some(answers.roots()))?;
        let is_named = request.names(path);
        self.found += usize::from(!is_named);
        let mut again = Reread {
            options: session.check_options(),
            input: &mut input,
            kind,
        };
        for (path, count) in counts.iter().enumerate() {
            if printer.show == Show::Count {
                printer.count(&mut session.out, &name, count.matches)?;
            }
            if is_named {
                conclude(session, request, args, path, count, &mut again);
            } else {
                // As an answer, a file without a match is one among others; without answers, those that lack one are named.
                if printer.show == Show::Nothing && count.matches == 0 && request.default.is_none()
                {
                    session.note(Exit::No);
                    changes::list(session, &name)?;
                }
                let matches = &mut self.found_matches[path];
                *matches = matches.saturating_add(count.matches);
            }
        }
        if session.is_verbose() {
            session.out.flush()?;
            let matches: u64 = counts.iter().map(|count| count.matches).sum();
            let plural = if matches == 1 { "" } else { "es" };
            messages::line(&format!("{name}: {matches} match{plural}{}", kind.note()));
        }
        Ok(())
    }

    /// Reports the paths without a match in any file found in directories. A single file need not have one.
    fn conclude_found(&self, session: &mut Session) {
        let request = self.request;
        let none = self.found_matches.iter().zip(&request.typed);
        for (_, typed) in none.filter(|&(&matches, _)| self.found > 0 && matches == 0) {
            if request.default.is_some() {
                continue;
            }
            session.note(Exit::No);
            if request.messages {
                let files = if self.found == 1 { "file" } else { "files" };
                messages::line(&format!(
                    "jsonx: no match for {typed} in {} {files}",
                    self.found
                ));
            }
        }
    }
}

/// Prints the answers of one input, those of a file `at_once` or after it was checked. Returns whether a key was repeated after its
/// first value had been printed.
fn print_answers(
    session: &mut Session,
    input: &mut Input,
    kind: InputKind,
    answers: &mut Answers<'_>,
    at_once: bool,
) -> Result<bool, Failure> {
    if kind == InputKind::Jsonl || session.is_piped(input) {
        let ended = lines::run(session, input, kind, answers)?;
        if ended.is_continue() {
            return Ok(false);
        }
    }
    if input.is_file() && !at_once {
        return file::run(session, input, kind, answers).map(|()| false);
    }
    let options = StreamOptions {
        duplicates: Duplicates::Last,
        settles: !answers.request.singular,
        checked: false,
    };
    match file::print_meanwhile(session, input, kind, options, answers)? {
        Some(unsettled) => Ok(unsettled),
        None => stream::run(session, input, kind, options, answers),
    }
}
