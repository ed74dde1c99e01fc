//! `jsonx merge`: three versions of a document, as a merge driver of git.

use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use jsonx_core::diff::{ChangeKind, Conflict, merge};
use jsonx_core::edit::EditError;
use jsonx_core::engine::Options;
use jsonx_core::format::Output;
use jsonx_core::json5::Translation;
use jsonx_core::path::Notation;
use jsonx_core::{Document, Node};

use super::diff::{CheckedText, memory, open, shown};
use super::fmt::Layouts;
use super::{Command, Plan, UsageError};
use crate::args::{Common, Global, Layout, Merge};
use crate::changes::{NewText, comments};
use crate::check::{Failure, InputKind};
use crate::exit::Exit;
use crate::input::{Input, Name};
use crate::messages;
use crate::output::{FileToReplace, ReplaceError};
use crate::report::escape;
use crate::session::Session;

impl Command for Merge {
    const NAME: &'static str = "merge";
    type Work<'a> = &'a Path;

    fn common(&self) -> &Common {
        &self.common
    }

    fn plan(&self, _: &Global) -> Result<Plan<&Path>, UsageError> {
        let Some(theirs) = &self.theirs else {
            let text = "three versions of a document are merged; `jsonx jq -s '.[0] * .[1]' FILE FILE` combines two documents";
            return Err(UsageError::Arguments(text.to_owned()));
        };
        let files = [&self.base, &self.ours, theirs];
        let pipes = files.iter().filter(|file| Name::new(file).is_stdin());
        if pipes.count() > 1 || self.write && Name::new(&self.ours).is_stdin() {
            let text =
                "standard input can only be one of the three documents, and is not rewritten";
            return Err(UsageError::Arguments(text.to_owned()));
        }
        Ok(Plan::with_findings_on_stderr(theirs, false))
    }

    fn run(&self, theirs: &Path, session: &mut Session) -> io::Result<()> {
        session.expect_documents();
        let Some(mut merging) = Merging::read(self, theirs, session)? else {
            return Ok(());
        };
        match merging.result() {
            Ok((merged, conflicts)) => {
                let merged = merging.formatted(merged, session);
                merging.deliver(self, session, &merged)?;
                if !conflicts.is_empty() {
                    session.note(Exit::No);
                    session.out.flush()?;
                    conflicts.iter().for_each(|line| messages::line(line));
                }
                Ok(())
            }
            Err(failure) => session.report_failure(&mut merging.input, merging.kind, failure),
        }
    }
}

/// The three versions, read and valid.
struct Merging {
    base: Option<CheckedText>,
    theirs: CheckedText,
    input: Input,
    kind: InputKind,
    /// Ours, or its translation if it is JSON5.
    text: Vec<u8>,
    json5: Option<Translation>,
    target: Option<FileToReplace>,
}

impl Merging {
    /// Reads all three, so that the errors of all are shown; `None` if there are any.
    fn read(args: &Merge, theirs: &Path, session: &mut Session) -> io::Result<Option<Merging>> {
        let name = |file: &Path| Name::new(args.path.as_deref().unwrap_or(file));
        let target = match args
            .write
            .then(|| FileToReplace::new(&args.ours))
            .transpose()
        {
            Ok(target) => target,
            Err(error) => {
                not_written(session, &name(&args.ours), &error);
                return Ok(None);
            }
        };
        // Git gives an empty file if both versions added theirs.
        let is_empty = |file: &Path| {
            file.metadata()
                .is_ok_and(|it| it.is_file() && it.len() == 0)
        };
        let base = if is_empty(&args.base) {
            Some(None)
        } else {
            CheckedText::read(session, &args.base, name(&args.base))?.map(Some)
        };
        let ours = open(session, &args.ours, name(&args.ours))?;
        let other = CheckedText::read(session, theirs, name(theirs))?;
        for (what, file, is_read) in [
            ("BASE", &*args.base, base.is_some()),
            ("OURS", &args.ours, ours.is_some()),
            ("THEIRS", theirs, other.is_some()),
        ] {
            if !is_read && args.path.is_some() {
                let (name, file) = (name(file), Name::new(file));
                messages::line(&format!("jsonx: {name}: not merged: {what} is {file}"));
            }
        }
        let (Some(base), Some((input, kind, text)), Some(theirs)) = (base, ours, other) else {
            return Ok(None);
        };
        let is_lines = matches!(kind, InputKind::Jsonl | InputKind::Stream);
        if is_lines || theirs.is_lines() || base.as_ref().is_some_and(CheckedText::is_lines) {
            messages::line("jsonx: one document is merged; git merges JSON Lines, line by line");
            session.note(Exit::Usage);
            return Ok(None);
        }
        let json5 = input.json5();
        let json5 = json5.map(|it| Translation::for_edits(it.source().to_vec()));
        Ok(Some(Merging {
            base,
            theirs,
            kind,
            text: json5.as_ref().map_or(text, |it| it.text().to_vec()),
            json5,
            input,
            target,
        }))
    }

    /// The merged text, formatted if ours is, with the byte-order mark of ours.
    fn formatted(&mut self, merged: Vec<u8>, session: &Session) -> Vec<u8> {
        let layouts = Layouts::new(&Layout::default(), session.options().configs.clone());
        let old = match &self.json5 {
            Some(json5) => json5.source(),
            None => &self.text,
        };
        let mut new = NewText::new(old, merged);
        let options = session.check_options();
        Arc::new(layouts).keep(&options, &mut self.input, self.kind, &mut new);
        [self.input.byte_order_mark(), &new.text].concat()
    }

    /// The merged text without its byte-order mark, and a line for each conflict.
    fn result(&self) -> Result<(Vec<u8>, Vec<String>), Failure> {
        let base = self
            .base
            .as_ref()
            .map_or(&b"{}"[..], |base| base.body.value());
        let base = Document::index(base, Options::default()).map_err(memory)?;
        let theirs = Document::index(self.theirs.body.value(), Options::default());
        let theirs = theirs.map_err(memory)?;
        let options = Options::default().dialect(self.kind.dialect());
        let ours = Document::index(&self.text, options).map_err(memory)?;
        let merge = merge(&base, &ours, &theirs).map_err(memory)?;
        let mut editor = ours.edit();
        for change in &merge.changes {
            let path = change.path.display(Notation::Dot).to_string();
            let value = change.value.map(Node::minified).unwrap_or_default();
            let made = match change.kind {
                ChangeKind::Removed => editor.delete(&path),
                ChangeKind::Added => editor.insert(&path, value),
                _ => editor.replace(&path, value),
            };
            made.map_err(|error| self.declined(&path, &error))?;
        }
        comments::report_removed(self.input.name(), editor.dropped_comments());
        let merged = match &self.json5 {
            Some(json5) => json5.edited(&editor.splices(), &[]),
            None => editor.finish(),
        };
        let line = |conflict: &Conflict<'_, '_>| {
            let path = conflict.path.display(Notation::Dot).to_string();
            let [ours, theirs] = [&conflict.ours, &conflict.theirs].map(|nodes| {
                if nodes.is_empty() {
                    "removed".to_owned()
                } else {
                    nodes
                        .iter()
                        .map(|&node| shown(node))
                        .collect::<Vec<_>>()
                        .join(", ")
                }
            });
            let name = self.input.name();
            format!(
                "jsonx: {name}: conflict: {}: {ours} in ours, {theirs} in theirs",
                escape(&path)
            )
        };
        Ok((merged, merge.conflicts.iter().map(line).collect()))
    }

    fn declined(&self, path: &str, error: &EditError) -> Failure {
        let reason = match error {
            EditError::Comment => comments::BLOCKED_BY_COMMENT.to_owned(),
            error => error.to_string(),
        };
        let name = self.input.name();
        Failure::Declined {
            exit: Exit::Failure,
            message: format!("jsonx: {name}: not merged: {}: {reason}", escape(path)),
        }
    }

    fn deliver(&mut self, args: &Merge, session: &mut Session, merged: &[u8]) -> io::Result<()> {
        let Some(target) = self.target.take() else {
            return session.out.write_all(merged);
        };
        let original = self.input.file().ok_or(ReplaceError::CHANGED);
        let written = original.and_then(|original| {
            let mut replacement = target.replacement(original)?;
            replacement.write(merged).map_err(ReplaceError::unwritten)?;
            replacement.commit()
        });
        if let Err(error) = written {
            not_written(session, &Name::new(&args.ours), &error);
        }
        Ok(())
    }
}

fn not_written(session: &mut Session, name: &Name, error: &ReplaceError) {
    messages::line(&format!("jsonx: {name}: {error}"));
    session.note(Exit::Failure);
}
