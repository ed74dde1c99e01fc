//! `jsonx fmt`: the same tokens with other white space between them.
//!
//! ```text
//! one input    check ─► format ─► standard output                       here
//! --write      check and compare ─► format ─► Replacement               many
//! --check      check and compare ─► the name                            many, compare
//! --diff       check and compare ─► format ─► what differs              many, diff
//! ```

mod compare;
mod diff;
mod many;

use std::io;
use std::path::Path;

use jsonx_core::{Formatter, Indent, Kernel, Style, Validator};

use super::parts::{self, Starts};
use super::session::{Channel, Failure, Session, push};
use super::{ON_STDERR, tell, usage};
use crate::args::{Fmt, Levels, What};
use crate::exit::Exit;
use crate::files::Files;
use crate::input::{Input, Taken};

/// Starts the command.
pub fn start(kernel: Option<Kernel>, args: &Fmt) -> Exit {
    if let Some(mistake) = args.mistake() {
        return usage("fmt", mistake);
    }
    let files = match args.selection.files() {
        Ok(files) => files,
        Err(error) => {
            tell(&format!("jsonx: {error:#}"));
            return Exit::Usage;
        }
    };
    super::start(
        "fmt",
        kernel,
        &args.common,
        (Channel::Diagnostics, &ON_STDERR, Levels::NONE),
        args.selection.is_empty(),
        |session| run(session, args, files),
    )
}

/// Does what was asked for to each file.
fn run(session: &mut Session, args: &Fmt, files: Files<'_>) -> io::Result<()> {
    if args.quiet {
        session.hush();
    }
    match args.what() {
        What::Print => files.into_iter().try_for_each(|found| match found {
            Ok(path) => print(session, style(args), &path),
            Err(problem) => session.miss(&problem),
        }),
        what => many::run(session, args, what, files),
    }
}

/// The look that the flags ask for; the last one of them was left by clap.
fn style(args: &Fmt) -> Style {
    match args {
        Fmt { compact: true, .. }
        | Fmt {
            tab: false,
            indent: 0,
            ..
        } => Style::Compact,
        Fmt { tab: true, .. } => Style::Pretty(Indent::Tab),
        Fmt { indent, .. } => Style::Pretty(Indent::Spaces(*indent)),
    }
}

/// Formats one input onto standard output.
fn print(session: &mut Session, style: Style, path: &Path) -> io::Result<()> {
    let Some(mut input) = session.open(path)? else {
        return Ok(());
    };
    let formatted = format(session, style, &mut input);
    session.warn_of_byte_order_mark(&input);
    if let Err(failure) = formatted {
        let kind = session.reading().kind_of(&input);
        session.report(&mut input, kind, failure)?;
    }
    Ok(())
}

fn format(session: &mut Session, style: Style, input: &mut Input) -> Result<(), Failure> {
    let kind = session.reading().kind_of(input);
    // Nothing of an invalid file is printed, so it is read twice; a pipe cannot be. JSON Lines are checked line by
    // line first, because the formatter sees a stream of values, to which a line end is white space.
    if input.is_file() {
        let mut starts = Starts::new(Validator::new(session.reading().options(kind)));
        session
            .reading()
            .check_noting(input, kind, |validator| starts.note(validator))?;
        let threads = starts.threads();
        if threads.get() > 1 {
            return parts::format(input, &starts, threads, style, &mut session.out);
        }
    }
    let live = !input.is_file();
    let mut validator = Validator::new(session.reading().options(kind));
    let mut lines = session.reading().lines(kind).filter(|_| live);
    let mut formatter = Formatter::new(style, &mut session.out);
    let formatted = input.each_window(|window| {
        if let Some(lines) = &mut lines {
            lines.look(window)?;
        }
        let taken = push(&mut validator, window, &mut formatter)?;
        // Somebody may be waiting for the record that has just come through the pipe.
        if live {
            formatter.flush().map_err(Failure::Write)?;
            formatter.output().flush().map_err(Failure::Write)?;
        }
        Ok(Taken::from(taken))
    });
    formatter.finish().map_err(Failure::Write)?;
    formatted
}
