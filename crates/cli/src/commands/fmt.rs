//! `jsonx fmt`: the same tokens with other white space between them.

use std::io;
use std::path::PathBuf;

use jsonx_core::{Formatter, Indent, Style, Validator};

use super::parts::{self, Starts};
use super::session::{Failure, Session, push};
use crate::args::Fmt;
use crate::input::{Input, Taken};

/// Formats one input onto standard output.
pub fn run(session: &mut Session, args: &Fmt, files: &[PathBuf]) -> io::Result<()> {
    for path in files {
        let Some(mut input) = session.open(path)? else {
            continue;
        };
        let formatted = format(session, style(args), &mut input);
        session.warn_of_byte_order_mark(&input);
        if let Err(failure) = formatted {
            let kind = session.reading().kind_of(&input);
            session.report(&mut input, kind, failure)?;
        }
    }
    Ok(())
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
