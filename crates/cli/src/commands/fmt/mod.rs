//! `jsonx fmt`: the same tokens with other white space between them, and what else was asked for.
//!
//! ```text
//! one input    check ─► format ─► standard output                       here
//! --write      check and compare ─► format ─► Replacement               many
//! --check      check and compare ─► the name                            many, compare
//! --diff       check and compare ─► format ─► what differs              many, diff
//! ```

mod compare;
mod diff;
mod guard;
mod many;
mod segments;

use std::io;
use std::path::Path;

use jsonx_core::{Indent, Kernel, LineEnd, Output, RewriteOptions, Rewriter, Style, Validator};

use self::guard::Guard;
use self::segments::Checkpoints;
use super::{ON_STDERR, usage};
use crate::args::{Eol, Fmt, InputKind, Levels, Look, What};
use crate::check::{CheckOptions, Failure, push};
use crate::exit::Exit;
use crate::files::Files;
use crate::input::{Input, Name, Taken};
use crate::messages;
use crate::output::Stdout;
use crate::session::{Channel, Session};
use crate::system;

/// Checkpoints the command.
pub fn start(kernel: Option<Kernel>, args: &Fmt) -> Exit {
    if let Some(mistake) = args.mistake() {
        return usage("fmt", mistake);
    }
    let files = match args.selection.files() {
        Ok(files) => files,
        Err(error) => {
            messages::line(&format!("jsonx: {error:#}"));
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
        session.set_quiet();
    }
    match args.what() {
        What::Print => files.into_iter().try_for_each(|found| match found {
            Ok(path) => print(session, rewrite(&args.look), &path),
            Err(problem) => session.miss(&problem),
        }),
        what => many::run(session, args, what, files),
    }
}

/// What the flags ask for; of those that exclude one another, the last one was left by clap.
pub fn rewrite(look: &Look) -> RewriteOptions {
    let style = match look {
        Look { compact: true, .. }
        | Look { jsonl: true, .. }
        | Look {
            tab: false,
            indent: 0,
            ..
        } => Style::Compact,
        Look { tab: true, .. } => Style::Pretty(Indent::Tab),
        Look { indent, .. } => Style::Pretty(Indent::Spaces(*indent)),
    };
    let options = RewriteOptions::from(style)
        .line_end(match look.eol {
            Eol::Lf => LineEnd::Lf,
            Eol::Crlf => LineEnd::CrLf,
        })
        .sort_keys(look.sort_keys)
        .ascii(look.ascii)
        .html_safe(look.html_safe)
        .canonical(look.canonical);
    match look.width {
        Some(width) => options.width(width),
        None => options,
    }
}

/// What is done to an input of this kind: JSON Lines stay lines, or else they would not be what they were.
fn rewriting(rewrite: RewriteOptions, kind: InputKind) -> RewriteOptions {
    match kind {
        InputKind::Jsonl => rewrite.style(Style::Compact),
        _ => rewrite,
    }
}

/// Formats one input onto standard output.
fn print(session: &mut Session, rewrite: RewriteOptions, path: &Path) -> io::Result<()> {
    if system::is_stdout(path) {
        // The shell has emptied it, or what is printed would be read again.
        let name = Name::of(path);
        session.note(Exit::Failure);
        messages::line(&format!(
            "jsonx: {name}: standard output goes into the same file; --write rewrites a file in place"
        ));
        return Ok(());
    }
    let Some(mut input) = session.open(path)? else {
        return Ok(());
    };
    let formatted = format(session, rewrite, &mut input);
    session.warn_of_byte_order_mark(&input);
    if let Err(failure) = formatted {
        let kind = session.check_options().kind_of(&input);
        session.report(&mut input, kind, failure)?;
    }
    Ok(())
}

/// Formats an input onto standard output.
fn format(
    session: &mut Session,
    rewrite: RewriteOptions,
    input: &mut Input,
) -> Result<(), Failure> {
    let check_options = session.check_options();
    let kind = check_options.kind_of(input);
    let rewrite = rewriting(rewrite, kind);
    let terminal = session.out.is_terminal();
    // Nothing of an invalid file is printed, so it is read twice; a pipe cannot be.
    if input.is_file() {
        if rewrite == RewriteOptions::from(rewrite.style) {
            let mut checkpoints = Checkpoints::new(Validator::new(check_options.engine(kind)));
            check_options.check_noting(input, kind, |validator| checkpoints.note(validator))?;
            let threads = checkpoints.threads();
            if threads.get() > 1 && !terminal {
                return segments::format(
                    input,
                    &checkpoints,
                    threads,
                    rewrite.style,
                    &mut session.out,
                );
            }
        } else {
            check(check_options, rewrite, kind, input)?;
        }
    }
    if terminal {
        let out = Guard::new(&mut session.out);
        return write(check_options, rewrite, kind, input, out, Guard::flush).map(drop);
    }
    let flush = |out: &mut &mut Stdout| out.flush();
    write(check_options, rewrite, kind, input, &mut session.out, flush).map(drop)
}

/// Reads an input to its end, to know whether it can be rewritten.
///
/// # Errors
/// It is invalid, cannot be read, or has no canonical form.
pub fn check(
    check_options: CheckOptions,
    rewrite: RewriteOptions,
    kind: InputKind,
    input: &mut Input,
) -> Result<(), Failure> {
    /// Takes what is written, and forgets it.
    struct Nowhere;

    impl Output for Nowhere {
        type Error = io::Error;

        fn write(&mut self, _: &[u8]) -> io::Result<()> {
            Ok(())
        }
    }

    // JSON Lines are checked line by line, because the rewriter sees a stream of values, to which a line end is white
    // space.
    if !rewrite.canonical || kind == InputKind::Jsonl {
        check_options.check(input, kind)?;
    }
    match rewrite.canonical {
        true => write(check_options, rewrite, kind, input, Nowhere, |_| Ok(())).map(drop),
        false => Ok(()),
    }
}

/// Rewrites an input onto an output. What comes through a pipe is handed on as it comes, and then `flush` is called.
///
/// # Errors
/// It is invalid, cannot be read, or has no canonical form; the output cannot be written.
pub fn write<O: Output<Error = io::Error>>(
    check_options: CheckOptions,
    rewrite: RewriteOptions,
    kind: InputKind,
    input: &mut Input,
    output: O,
    mut flush: impl FnMut(&mut O) -> io::Result<()>,
) -> Result<O, Failure> {
    let live = !input.is_file();
    let mut validator = Validator::new(check_options.engine(kind));
    let mut lines = check_options.lines(kind).filter(|_| live);
    let mut rewriter = Rewriter::new(rewrite, output);
    let read = input.each_window(|window| -> Result<Taken, Failure> {
        if let Some(lines) = &mut lines {
            lines.look(window)?;
        }
        let taken = push(&mut validator, window, &mut rewriter)?;
        // Somebody may be waiting for the record that has just come through the pipe.
        if live {
            rewriter.flush()?;
            flush(rewriter.output()).map_err(Failure::Write)?;
        }
        Ok(taken.into())
    });
    match read {
        Ok(()) => rewriter.finish().map_err(Failure::from),
        // What was printed stays.
        Err(failure) => Err(rewriter.abandon().err().map_or(failure, Failure::from)),
    }
}
