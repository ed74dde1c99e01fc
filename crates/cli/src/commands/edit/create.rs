//! `set -p` and `append -p` of a file that does not exist or is empty.

use std::fs::{self, File};
use std::path::Path;
use std::sync::Arc;

use jsonx_core::format::Output;

use super::Work;
use super::outcome::{FIRST_ELEMENT, Warning};
use super::request::EditKind;
use crate::args::Layout;
use crate::changes::Action;
use crate::check::InputKind;
use crate::commands::fmt::Layouts;
use crate::files::compression::text_name;
use crate::input::Name;
use crate::output::{FileToReplace, ReplaceError};
use crate::report::in_shell;
use crate::session::Session;
use crate::system;

impl Work {
    /// The only named file, if it has no text and an edit could create it.
    pub(super) fn empty_file(&self, session: &Session) -> Option<&Path> {
        let [path] = &*self.selection.paths else {
            return None;
        };
        let is_empty = match fs::metadata(path) {
            Ok(about) => about.is_file() && about.len() == 0,
            Err(_) => path.as_os_str() != "-" && fs::symlink_metadata(path).is_err(),
        };
        let kind = session.check_options().kind_of_path(Some(path));
        let is_text = text_name(path).is_none() && kind != InputKind::MessagePack;
        (is_empty && is_text && self.request.edit.value().is_some()).then_some(path)
    }

    /// Whether it is to be created.
    pub(super) fn creates(&self) -> bool {
        self.request.options.parents
            && matches!(self.action, Action::Write { .. })
            && self.request.edit.nested(0).is_some()
    }

    /// The command that creates it, or why there is none.
    pub(super) fn creating(&self, path: &Path) -> String {
        if self.request.edit.nested(0).is_none() {
            return FIRST_ELEMENT.into();
        }
        let command = match self.request.edit.kind {
            EditKind::Append(_) => "append",
            _ => "set",
        };
        let typed = in_shell(&self.request.edit.path.typed);
        let name = in_shell(path.as_os_str().as_encoded_bytes());
        format!("`jsonx {command} -p {typed} VALUE {name} -w` creates it")
    }

    /// Writes the value, inside the containers of its path, in the layout of `fmt`.
    pub(super) fn create(&self, path: &Path, session: &Session) -> Result<(), ReplaceError> {
        let edit = &self.request.edit;
        let text = [&*edit.nested(0).unwrap_or_default(), b"\n"].concat();
        let options = session.check_options();
        let layouts = Layouts::new(&Layout::default(), session.options().configs.clone());
        let kind = options.kind_of_path(Some(path));
        let formatted = Arc::new(layouts).formatted(&options, path, kind, text.clone());
        let is_new = !path.exists();
        if is_new {
            system::create(path).map_err(ReplaceError::unwritten)?;
        }
        let in_place = self.action == Action::Write { in_place: true };
        let written = FileToReplace::new(path, in_place).and_then(|target| {
            let original = File::open(path).map_err(ReplaceError::unwritten)?;
            let mut replacement = target.replacement(&original)?;
            let written = replacement.write(&formatted.unwrap_or(text));
            written.map_err(ReplaceError::unwritten)?;
            replacement.commit()
        });
        if written.is_err() && is_new {
            // The error of writing it is reported.
            let _ = fs::remove_file(path);
        } else if let Some(warning) = Warning::of_parents(&edit.path.path, 0) {
            warning.print(&Name::new(path).to_string());
        }
        written
    }
}
