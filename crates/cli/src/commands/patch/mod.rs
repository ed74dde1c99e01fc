//! `jsonx patch`: RFC 6902 and RFC 7396 on files, keeping every other byte.
//!
//! ```text
//! PATCH ─► source.rs: read, validate ─► Document ─► Change ─┐
//!                                                           ├─► apply.rs ─► standard output, or files
//! FILE  ─► commands/edit: each value ───────────────────────┘
//! ```

mod apply;
mod source;

use std::path::{Path, PathBuf};
use std::{fs, io};

use jsonx_core::engine::Options;
use jsonx_core::patch::{MergePatch, Patch as JsonPatch, PatchError};
use jsonx_core::{Document, Kind, Node};

use self::apply::Patching;
use self::source::PatchText;
use super::edit::Editing;
use super::{Command, Plan, UsageError};
use crate::args::{Common, Global, Patch};
use crate::changes;
use crate::exit::Exit;
use crate::files::Files;
use crate::input::Name;
use crate::messages;
use crate::session::Session;

/// A patch of either kind.
pub enum Change<'p> {
    Operations(JsonPatch<'p>),
    Merge(MergePatch<'p, 'p>),
}

impl<'p> Change<'p> {
    /// # Errors
    /// The text is JSON, but not a patch.
    fn new(document: &'p Document<'p>, is_merge: bool) -> Result<Change<'p>, PatchError> {
        match document.root().kind() {
            Kind::Object => MergePatch::parse(document).map(Change::Merge),
            _ if is_merge => MergePatch::parse(document).map(Change::Merge),
            _ => JsonPatch::parse(document).map(Change::Operations),
        }
    }
}

impl Command for Patch {
    const NAME: &'static str = "patch";
    type Work<'a> = Files<'a>;

    fn common(&self) -> &Common {
        &self.common
    }

    fn plan(&self, _: &Global) -> Result<Plan<Files<'_>>, UsageError> {
        Plan::of_files(&self.selection, self.usage_error())
    }

    fn run(&self, files: Files<'_>, session: &mut Session) -> io::Result<()> {
        let Some(source) = PatchText::read(session, self)? else {
            return Ok(());
        };
        let document = match Document::index(source.text(), Options::default()) {
            Ok(document) => document,
            // There is no memory for an index.
            Err(error) => {
                messages::line(&format!("jsonx: {}: {:?}", source.name(), error.kind));
                session.note(Exit::Failure);
                return Ok(());
            }
        };
        if let Some(patch) = self.patch_among_files() {
            let is_patch = matches!(Change::new(&document, false), Ok(Change::Operations(_)));
            if !is_patch && !self.merge {
                messages::line(&wrong_order(self, patch));
                session.note(Exit::Usage);
                return Ok(());
            }
        }
        if !self.merge && is_operation(document.root()) {
            let text = "one operation of a JSON Patch, which is an array of them: `[{…}]`";
            let pointed = source.pointed(text, document.root().span());
            messages::line(&format!("{pointed}\nas a merge patch: --merge"));
            session.note(Exit::Usage);
            return Ok(());
        }
        let change = match Change::new(&document, self.merge) {
            Ok(change) => change,
            Err(error) => {
                messages::line(&source.pointed(&error.to_string(), error.span));
                session.note(Exit::Usage);
                return Ok(());
            }
        };
        let patching = Patching {
            change: &change,
            source: &source,
        };
        let editing = Editing::new(&patching, session);
        let action = self.changes.action();
        changes::run(session, editing, action, &self.selection, files)
    }
}

impl Patch {
    /// The first of the named files that is a JSON Patch with operations.
    fn patch_among_files(&self) -> Option<&Path> {
        let mut paths = self.selection.paths.iter();
        let is_patch = |path: &&PathBuf| {
            let is_short = fs::metadata(path)
                .is_ok_and(|about| about.is_file() && about.len() <= LONGEST_PATCH);
            let text = is_short.then(|| fs::read(path).ok()).flatten();
            let document = text.as_ref().and_then(|text| Document::parse(text).ok());
            document.is_some_and(|document| {
                let root = document.root();
                root.kind() == Kind::Array
                    && root.elements().next().is_some()
                    && JsonPatch::parse(&document).is_ok()
            })
        };
        paths.find(is_patch).map(PathBuf::as_path)
    }
}

/// Whether a value is an operation of a JSON Patch, known or not.
fn is_operation(value: Node<'_, '_>) -> bool {
    ["op", "path"].iter().all(|key| {
        let member = value.get(*key);
        member.is_some_and(|it| it.kind() == Kind::String)
    })
}

/// Maximum length of a file that is examined for being a patch.
const LONGEST_PATCH: u64 = 16 << 20;

/// The message if a file is a patch and the patch is not: patch(1) takes them in the other order.
fn wrong_order(args: &Patch, file: &Path) -> String {
    let (patch, file) = (Name::new(Path::new(&args.patch)), Name::new(file));
    let hint = if args.is_text() {
        String::new()
    } else {
        format!("\nthe patch comes first: jsonx patch {file} {patch}")
    };
    format!(
        "jsonx: {file} is a JSON Patch, and {patch} is not{hint}\nto patch the patch itself, use --merge"
    )
}
