//! `jsonx get`: the value at a path.

use std::io::{self, IsTerminal};
use std::path::PathBuf;

use jsonx_core::path::Path;
use jsonx_core::{Found, Outcome, Selector, Validator};

use super::print::Printer;
use super::session::{Failure, Session, push};
use super::{missing, tell};
use crate::args::{Get, InputKind};
use crate::exit::Exit;
use crate::input::{Input, Taken};
use crate::report::escape;

/// The path, or how the command ends without one.
///
/// # Errors
/// The path is none, or one that may lead to several values: why has been told.
pub fn parse(args: &Get) -> Result<Path, Exit> {
    let path = Path::parse(&args.path).map_err(|error| {
        tell(&missing::bad_path(&args.path, &error));
        Exit::Usage
    })?;
    // Read as a JSON Pointer, a file's name is fine; a person at a terminal who gave nothing else meant the file.
    if args.files.is_empty()
        && io::stdin().is_terminal()
        && std::fs::exists(&args.path).unwrap_or(false)
    {
        tell(&format!(
            "jsonx: {} is the name of a file; {}",
            escape(&args.path),
            missing::PATH_FIRST
        ));
        return Err(Exit::Usage);
    }
    if Selector::new(&path).is_none() {
        tell(&format!(
            "jsonx: {}: a path to a single value is needed: keys and indices only",
            escape(&args.path)
        ));
        return Err(Exit::Usage);
    }
    Ok(path)
}

/// Looks the path up in each input.
pub fn run(session: &mut Session, args: &Get, path: &Path, files: &[PathBuf]) -> io::Result<()> {
    let printer = Printer::new(args, session);
    for file in files {
        let Some(mut input) = session.open(file)? else {
            continue;
        };
        let mut found = Tally::default();
        let looked = look(session, &printer, path, &mut input, &mut found);
        session.warn_of_byte_order_mark(&input);
        found.tell(path, &input, looked.is_ok());
        match looked {
            Ok(()) if found.matches == 0 => {
                session.note(Exit::No);
                if args.files.is_empty() && std::fs::exists(&args.path).unwrap_or(false) {
                    tell(&format!(
                        "jsonx: {} is the name of a file; {}",
                        escape(&args.path),
                        missing::PATH_FIRST
                    ));
                }
            }
            Ok(()) => {}
            Err(failure) => {
                let kind = session.reading().kind_of(&input);
                session.report(&mut input, kind, failure)?;
            }
        }
    }
    Ok(())
}

/// What became of the values of one input.
#[derive(Default)]
struct Tally {
    matches: u64,
    misses: u64,
    duplicates: u64,
    first_miss: Option<String>,
}

impl Tally {
    fn matched(&mut self, value: &Found) {
        self.matches += 1;
        self.duplicates += u64::from(value.duplicate);
    }

    /// Says what somebody should know who sees less than they asked for.
    fn tell(&self, path: &Path, input: &Input, complete: bool) {
        if self.duplicates > 0 {
            let path = path.to_string();
            tell(&format!(
                "jsonx: {}: warning: duplicate keys on the way to {path}; the last one counts",
                input.name()
            ));
        }
        if self.matches + self.misses == 0 && complete {
            tell(&format!(
                "jsonx: no match for {}: {} holds no value",
                escape(&path.to_string()),
                input.name()
            ));
        }
        match &self.first_miss {
            // Like grep: records without the field are no event where others have it.
            Some(text) if self.matches == 0 => {
                let more = match self.misses {
                    1 => String::new(),
                    n => format!(", nor in the {} values after it", n - 1),
                };
                tell(&format!("jsonx: {text}{more}"));
            }
            _ => {}
        }
    }
}

fn look(
    session: &mut Session,
    printer: &Printer,
    path: &Path,
    input: &mut Input,
    found: &mut Tally,
) -> Result<(), Failure> {
    let kind = session.reading().kind_of(input);
    let mut validator = Validator::new(session.reading().options(kind));
    let Some(mut selector) = Selector::new(path) else {
        return Ok(());
    };
    if kind == InputKind::Json && input.is_file() {
        // One pass for verdict and place; the value itself is read again, only now that all is known to be well.
        let mut origin = 0;
        input.each_window(|window| -> Result<Taken, Failure> {
            origin = window.offset() - validator.offset();
            Ok(push(&mut validator, window, &mut selector)?.into())
        })?;
        for outcome in selector.finish(validator.offset()) {
            match outcome {
                Outcome::Found(value) => {
                    found.matched(&value);
                    printer.span(session, input, value.start + origin, value.end + origin)?;
                }
                Outcome::Missing(miss) => {
                    found.misses += 1;
                    let at = miss.start + origin;
                    let place = place_in_file(input, at);
                    let place = missing::place(input.name(), place, at);
                    found.first_miss = Some(missing::sentence(path, &miss, &place));
                }
            }
        }
        return Ok(());
    }
    // Values are printed as they come by, so a file is checked before.
    if input.is_file() {
        session.reading().check(input, kind)?;
    }
    let live = !input.is_file();
    let mut first_miss = None;
    let mut lines = session.reading().lines(kind).filter(|_| live);
    let read = input.each_chunk(|window| {
        if let Some(lines) = &mut lines {
            lines.look(window)?;
        }
        let origin = window.offset() - validator.offset();
        let pushed = push(&mut validator, window, &mut selector);
        let outcomes = match pushed {
            Ok(_) if window.is_last() => selector.finish(validator.offset()),
            _ => selector.take_outcomes(),
        };
        for outcome in outcomes {
            match outcome {
                Outcome::Found(value) => {
                    found.matched(&value);
                    let bytes = window
                        .held(value.start + origin, value.end + origin)
                        .unwrap_or_default();
                    printer.bytes(session, bytes)?;
                }
                Outcome::Missing(miss) => {
                    found.misses += 1;
                    if first_miss.is_none() {
                        let at = miss.start + origin;
                        first_miss = Some((window.place(at), at, miss));
                    }
                }
            }
        }
        if live {
            session.out.flush().map_err(Failure::Write)?;
        }
        let keep_from = selector.keep_from().saturating_add(origin);
        Ok(Taken {
            bytes: pushed?,
            keep_from,
        })
    });
    found.first_miss = first_miss
        .filter(|_| found.matches == 0)
        .map(|(place, at, miss)| {
            let place = place.or_else(|| place_in_file(input, at));
            missing::sentence(path, &miss, &missing::place(input.name(), place, at))
        });
    read
}

fn place_in_file(input: &mut Input, at: u64) -> Option<(u64, u64)> {
    input.excerpt(at).ok().map(|excerpt| excerpt.place())
}
