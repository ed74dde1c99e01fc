//! `jsonx locate`: the path of the value at a position.

mod place;

use std::io;
use std::path::{Path, PathBuf};

use jsonx_core::engine::{Locator, Place, Validator};
use jsonx_core::format::Output;
use jsonx_core::path::Notation;

use self::place::{Finder, SearchResult, TextPosition};
use super::{Command, Plan, UsageError};
use crate::args::{Common, Global, Locate};
use crate::check::{CheckOptions, Failure, InputKind, Interrupted};
use crate::exit::Exit;
use crate::input::{Consumed, Input};
use crate::messages;
use crate::report::escape;
use crate::session::Session;
use crate::system;

impl Command for Locate {
    const NAME: &'static str = "locate";
    type Work<'a> = (PathBuf, TextPosition);

    fn common(&self) -> &Common {
        &self.common
    }

    fn plan(&self, _: &Global) -> Result<Plan<(PathBuf, TextPosition)>, UsageError> {
        let typed = self.place.as_encoded_bytes();
        let parsed = match self.offset {
            Some(offset) => Some((typed, TextPosition::Offset(offset))),
            None => place::parse(typed),
        };
        let work = parsed
            .and_then(|(file, place)| Some((system::file_name(file.to_vec()).ok()?.into(), place)));
        match work {
            Some(work) => Ok(Plan::with_findings_on_stderr(work, false)),
            None => Err(UsageError::message(format!(
                "jsonx: {}: a position is FILE:LINE:COL or FILE:LINE, both counted from 1, or FILE and --offset N",
                escape(typed)
            ))),
        }
    }

    fn run(&self, (file, place): (PathBuf, TextPosition), session: &mut Session) -> io::Result<()> {
        run(session, self, &file, place)
    }
}

/// Prints the path of the value at a position of a file.
fn run(session: &mut Session, args: &Locate, file: &Path, place: TextPosition) -> io::Result<()> {
    let Some(mut input) = session.open(file)? else {
        return Ok(());
    };
    let mut kind = InputKind::Auto;
    let located = session.by_content(&mut input, &mut kind, |session, input, kind| {
        locate(session, args, input, kind, place)
    });
    session.warn_of_byte_order_mark(&input);
    match located {
        Ok(None) => {}
        Ok(Some(why)) => {
            session.note(Exit::No);
            messages::line(&format!("jsonx: {}: {why}", input.name()));
        }
        Err(failure) => session.report_failure(&mut input, kind, failure)?,
    }
    Ok(())
}

/// Validates an input, finds a position in the same pass, and prints its path, or the reason why there is none.
fn locate(
    session: &mut Session,
    args: &Locate,
    input: &mut Input,
    kind: InputKind,
    place: TextPosition,
) -> Result<Option<String>, Failure> {
    let place = match input.json5() {
        Some(translation) => match place::of_json5(place, translation) {
            Ok(place) => place,
            Err(why) => return Ok(Some(why)),
        },
        None => place,
    };
    let options = session.check_options();
    let mut validator = options.validator(kind);
    let mut finder = Finder::new(place);
    let mut locator = Locator::new(u64::MAX);
    let read = input.each_window(|window| -> Result<Consumed, Failure> {
        finder.read(window.offset(), window.bytes());
        if let Some(&SearchResult::At(offset)) = finder.found() {
            locator.aim(offset.saturating_sub(validator.origin(window)));
        }
        validator.push(window, &mut locator)
    });
    let found = match read {
        Err(Failure::Invalid(_)) if kind == InputKind::Jsonl && input.is_file() => {
            match in_record(&options, input, place)? {
                Some(found) => Some(found),
                None => return read.map(|()| None),
            }
        }
        _ => {
            read?;
            match finder.end() {
                SearchResult::At(offset) if offset < input.length() => locator.finish(),
                SearchResult::At(_) => None,
                SearchResult::Beyond(why) => return Ok(Some(why)),
            }
        }
    };
    let Some(found) = found else {
        return Ok(Some(format!("no value at {place}")));
    };
    let notation = match args {
        Locate { jsonpath: true, .. } => Notation::JsonPath,
        Locate { pointer: true, .. } => Notation::Pointer,
        _ => Notation::Dot,
    };
    if !found.location.is_expressible(notation) {
        let name = match notation {
            Notation::JsonPath => "JSONPath",
            _ => "JSON Pointer",
        };
        return Ok(Some(format!(
            "{name} cannot name a key with a lone surrogate; the dot path is {}",
            found.location.display(Notation::Dot)
        )));
    }
    let mut path = found.location.display(notation).to_string();
    if session.out.is_terminal() {
        path = escape(&path);
    }
    path.push('\n');
    session.out.write(path.as_bytes()).map_err(Failure::Write)?;
    Ok(None)
}

/// The value at a position of JSON Lines with invalid records, if it is in a valid one.
fn in_record(
    options: &CheckOptions,
    input: &mut Input,
    place: TextPosition,
) -> Result<Option<Place>, Failure> {
    let mut finder = Finder::new(place);
    let (mut line, mut start) = (Vec::new(), input.text_start());
    let read = input.each_window(|window| {
        finder.read(window.offset(), window.bytes());
        for text in window.bytes().split_inclusive(|&byte| byte == b'\n') {
            line.extend_from_slice(text);
            if !text.ends_with(b"\n") {
                break;
            }
            let end = start + line.len() as u64;
            if matches!(finder.found(), Some(&SearchResult::At(offset)) if offset < end) {
                return Err(Interrupted::Early(()));
            }
            line.clear();
            start = end;
        }
        Ok(Consumed::from(window.bytes().len()))
    });
    if let Err(Interrupted::Failed(failure)) = read {
        return Err(failure);
    }
    let SearchResult::At(offset) = finder.end() else {
        return Ok(None);
    };
    let mut locator = Locator::new(offset - start);
    match Validator::new(options.engine(InputKind::Json)).check(&line, &mut locator) {
        Ok(()) => Ok(locator.finish()),
        Err(_) => Ok(None),
    }
}
