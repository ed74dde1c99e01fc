//! The text of a patch: from a file, from standard input, or from the command line.

use std::io;
use std::ops::Range;
use std::path::Path;

use jsonx_core::jsonc;
use jsonx_core::position::locate;
use jsonx_diagnose::{DiagnoseOptions, diagnose};

use crate::args::Patch;
use crate::check::InputKind;
use crate::exit::Exit;
use crate::input::Name;
use crate::messages;
use crate::report::{File, human, in_shell, marked};
use crate::session::Session;
use crate::terminal::human_options;

/// The name in messages of a patch on the command line.
const ARGUMENT: &str = "<patch>";

/// A patch that was read and is JSON.
pub struct PatchText {
    name: String,
    text: Vec<u8>,
}

impl PatchText {
    /// Reads the patch. If that fails, or it is not JSON, reports why and returns `None`.
    ///
    /// # Errors
    /// Standard output cannot be written, which ends the run.
    pub fn read(session: &mut Session, args: &Patch) -> io::Result<Option<PatchText>> {
        if args.is_text() {
            return Ok(PatchText::of_argument(
                session,
                args.patch.as_encoded_bytes(),
            ));
        }
        let path = Path::new(&args.patch);
        let Some(mut input) = session.open(path)? else {
            return Ok(None);
        };
        // The file name decides whether comments are accepted.
        let options = session.check_options();
        let kind = options.kind_of(&input);
        let by_lines = options.by_first_lines(&mut input, kind);
        let kind = match by_lines {
            kind @ (InputKind::Jsonc | InputKind::Comments | InputKind::Json5) => kind,
            _ => InputKind::Json,
        };
        let Some(mut text) = session.read(&mut input, kind)? else {
            if by_lines == InputKind::Jsonl {
                let name = in_shell(path.as_os_str().as_encoded_bytes());
                messages::line(&format!(
                    "jsonx: a patch is one array of operations: `jsonx jq -s 'flatten(1)' {name}` makes it"
                ));
            }
            return Ok(None);
        };
        if kind != InputKind::Json {
            // The text read so far is valid.
            let _ = jsonc::blank(&mut text, kind.dialect());
        }
        Ok(Some(PatchText {
            name: Name::new(path).to_string(),
            text,
        }))
    }

    fn of_argument(session: &mut Session, text: &[u8]) -> Option<PatchText> {
        let options = session.check_options().engine(InputKind::Json);
        if jsonx_core::engine::validate_with(text, options).is_ok() {
            return Some(PatchText {
                name: ARGUMENT.to_owned(),
                text: text.to_vec(),
            });
        }
        let report = diagnose(text, &DiagnoseOptions::default());
        let shown = human_options(session.color(), &io::stderr());
        messages::text(&human::render(&report, &File::new(ARGUMENT, text), &shown));
        session.note(Exit::NotJson);
        None
    }

    /// Its name in messages.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The text, without a byte-order mark.
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// Name, line and column of an offset.
    pub fn place(&self, at: usize) -> String {
        let position = locate(&self.text, at);
        format!("{}:{}:{}", self.name, position.line, position.column)
    }

    /// A message with its position, and the line with a mark under the span.
    pub fn pointed(&self, message: &str, span: Range<usize>) -> String {
        let place = self.place(span.start);
        format!("jsonx: {place}: {message}\n{}", marked(&self.text, span))
    }
}
