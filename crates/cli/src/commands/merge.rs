//! `jsonx merge`: three versions of a document, as a merge driver of git.

use std::collections::{BTreeMap, HashMap};
use std::io;
use std::path::Path;
use std::sync::Arc;

use jsonx_core::diff::{ChangeKind, Conflict, merge};
use jsonx_core::edit::EditError;
use jsonx_core::engine::Options;
use jsonx_core::format::Output;
use jsonx_core::path::{Notation, Step};
use jsonx_core::string::decode_key;
use jsonx_core::{Document, Kind, Node, position};
use jsonx_diagnose::json5::Translation;

use super::diff::{open, shown};
use super::fmt::Layouts;
use super::{Command, Plan, UsageError};
use crate::args::{Common, Global, Layout, Merge};
use crate::changes::{NewText, comments};
use crate::check::{Failure, InputKind};
use crate::exit::Exit;
use crate::input::{self, Input, Name};
use crate::messages;
use crate::output::{FileToReplace, ReplaceError, TerminalOutput};
use crate::path_messages;
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
            let text = "merge takes three versions of a document; `jsonx jq -s '.[0] * .[1]' FILE FILE` combines two documents";
            return Err(UsageError::Arguments(text.to_owned()));
        };
        let files = [&self.base, &self.ours, theirs];
        let pipes = files.iter().filter(|file| Name::new(file).is_stdin());
        if pipes.count() > 1 || self.writes() && Name::new(&self.ours).is_stdin() {
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
                let merged = match merged {
                    Some(merged) => merging.formatted(merged, session),
                    None => merging.theirs.source().concat(),
                };
                merging.deliver(self, session, &merged)?;
                if !conflicts.is_empty() {
                    session.note(Exit::No);
                    session.out.flush()?;
                    conflicts.iter().for_each(|line| messages::line(line));
                }
                Ok(())
            }
            Err(failure) => {
                session.report_failure(&mut merging.ours.input, merging.ours.kind, failure)
            }
        }
    }
}

/// The value of an empty file.
const EMPTY: &[u8] = b"{}";

/// One of the three versions, read and valid.
struct Version {
    input: Input,
    kind: InputKind,
    /// Its text without a byte-order mark, or the translation if it is JSON5.
    text: Vec<u8>,
}

impl Version {
    fn open(session: &mut Session, path: &Path, name: Name) -> io::Result<Option<Version>> {
        let opened = open(session, path, name)?;
        Ok(opened.map(|(input, kind, text)| Version { input, kind, text }))
    }

    /// Of a file without text, which is taken for an empty object.
    fn of_empty_file(
        session: &mut Session,
        path: &Path,
        name: Name,
    ) -> io::Result<Option<Version>> {
        let opened = session.open_as(path, name)?;
        Ok(opened.map(|mut input| {
            input.complete(Vec::new(), EMPTY);
            Version {
                input,
                kind: InputKind::Json,
                text: EMPTY.to_vec(),
            }
        }))
    }

    fn is_lines(&self) -> bool {
        matches!(self.kind, InputKind::Jsonl | InputKind::Stream)
    }

    /// Whether it is an empty object.
    fn has_nothing(&self) -> bool {
        self.document().is_ok_and(|document| {
            let root = document.root();
            root.kind() == Kind::Object && root.members().next().is_none()
        })
    }

    /// The bytes of the file: a byte-order mark, and the text.
    fn source(&self) -> [&[u8]; 2] {
        let text = self.input.json5().map_or(&self.text[..], |it| it.source());
        [self.input.byte_order_mark(), text]
    }

    fn document(&self) -> Result<Document<'_>, Failure> {
        let options = Options::default().dialect(self.kind.dialect());
        Document::index(&self.text, options).map_err(Failure::Invalid)
    }

    /// Values of this version, and the position of the first one; `removed` if there are none. Their offsets are those of the
    /// translation.
    fn shown(&self, nodes: &[Node<'_, '_>], translation: Option<&Translation>) -> String {
        let Some(first) = nodes.first() else {
            return "removed".to_owned();
        };
        let (at, [_, text]) = (first.span().start, self.source());
        let at = translation.map_or(at, |it| input::in_source(it, at as u64));
        let position = position::locate(text, at);
        let values: Vec<String> = nodes.iter().map(|&node| shown(node)).collect();
        format!(
            "{} at {}:{}",
            values.join(", "),
            position.line,
            position.column
        )
    }
}

/// The three versions.
struct Merging {
    /// `None` if both added the file.
    base: Option<Version>,
    ours: Version,
    theirs: Version,
    json5: Option<Translation>,
    target: Option<FileToReplace>,
}

impl Merging {
    /// Reads all three, so that the errors of all are shown; `None` if there are any.
    fn read(args: &Merge, theirs: &Path, session: &mut Session) -> io::Result<Option<Merging>> {
        let name = |file: &Path| Name::new(args.path.as_deref().unwrap_or(file));
        let target = args
            .writes()
            .then(|| FileToReplace::new(&args.ours, args.in_place));
        let target = match target.transpose() {
            Ok(target) => target,
            Err(error) => {
                not_written(session, &name(&args.ours), &error);
                return Ok(None);
            }
        };
        // Git gives an empty file if both versions added theirs.
        let is_empty = |file: &Path| {
            let about = file.metadata();
            about.is_ok_and(|it| it.is_file() && it.len() == 0)
        };
        let base = if is_empty(&args.base) {
            Some(None)
        } else {
            Version::open(session, &args.base, name(&args.base))?.map(Some)
        };
        let base_is_empty = match &base {
            Some(None) => true,
            Some(Some(base)) => base.has_nothing(),
            None => false,
        };
        let ours = if base_is_empty && is_empty(&args.ours) {
            Version::of_empty_file(session, &args.ours, name(&args.ours))?
        } else {
            Version::open(session, &args.ours, name(&args.ours))?
        };
        let other = Version::open(session, theirs, name(theirs))?;
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
        let (Some(base), Some(ours), Some(theirs)) = (base, ours, other) else {
            return Ok(None);
        };
        let is_lines = |version: &Version| version.is_lines();
        if is_lines(&ours) || is_lines(&theirs) || base.as_ref().is_some_and(is_lines) {
            messages::line(
                "jsonx: merge takes one document per file; git itself merges JSON Lines, line by line",
            );
            session.note(Exit::Usage);
            return Ok(None);
        }
        let json5 = ours.input.json5();
        let json5 = json5.map(|it| Translation::for_edits(it.source().to_vec()));
        Ok(Some(Merging {
            base,
            ours,
            theirs,
            json5,
            target,
        }))
    }

    /// The merged text, formatted if ours is, with the byte-order mark of ours.
    fn formatted(&mut self, merged: Vec<u8>, session: &Session) -> Vec<u8> {
        let layouts = Layouts::new(&Layout::default(), session.options().configs.clone());
        let old = match &self.json5 {
            Some(json5) => json5.source(),
            None => &self.ours.text,
        };
        let mut new = NewText::new(old, merged);
        let options = session.check_options();
        Arc::new(layouts).keep(&options, &mut self.ours.input, self.ours.kind, &mut new);
        [self.ours.input.byte_order_mark(), &new.text].concat()
    }

    /// The merged text without its byte-order mark, and a line for each conflict. `None` if it is theirs: only theirs has changed,
    /// so its comments and layout are as wanted, too.
    fn result(&self) -> Result<(Option<Vec<u8>>, Vec<String>), Failure> {
        let is_base = |base: &Version| base.source() == self.ours.source();
        let ours_is_empty = self
            .ours
            .input
            .without_value()
            .is_some_and(<[u8]>::is_empty);
        if ours_is_empty || self.base.as_ref().is_some_and(is_base) {
            return Ok((None, Vec::new()));
        }
        let theirs = self.theirs.document()?;
        let text = self
            .json5
            .as_ref()
            .map_or(&self.ours.text[..], Translation::text);
        let options = Options::default().dialect(self.ours.kind.dialect());
        let ours = Document::index(text, options).map_err(Failure::Invalid)?;
        let base = match &self.base {
            Some(base) => base.document()?,
            None => Document::index(EMPTY, Options::default()).map_err(Failure::Invalid)?,
        };
        let merge = merge(&base, &ours, &theirs);
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
        comments::report_removed(self.ours.input.name(), editor.dropped_comments());
        let plain = editor.splices().apply(text);
        let plain = Document::index(&plain, options).map_err(Failure::Invalid)?;
        let lost = lost([&base, &ours, &theirs, &plain]);
        let merged = match &self.json5 {
            Some(json5) => json5.edited(&editor.splices(), &[]),
            None => editor.finish(),
        };
        let line = |conflict: &Conflict<'_, '_>| {
            let mut path = escape(&conflict.path.display(Notation::Dot).to_string());
            if conflict
                .path
                .steps()
                .iter()
                .any(|step| matches!(step, Step::Index(_)))
            {
                path += " of the result";
            }
            let ours = self.ours.shown(&conflict.ours, self.json5.as_ref());
            let json5 = self.theirs.input.json5();
            let theirs = self.theirs.shown(&conflict.theirs, json5.map(|it| &**it));
            let name = self.ours.input.name();
            format!("jsonx: {name}: conflict: {path}: {ours} in ours, {theirs} in theirs")
        };
        let mut lines: Vec<String> = merge.conflicts.iter().map(line).collect();
        let name = self.ours.input.name();
        lines.extend(lost.map(|member| {
            let path = escape(&member.path().display(Notation::Dot).to_string());
            let value = path_messages::shown(&member.minified());
            format!("jsonx: {name}: conflict: duplicate key {path}: the versions differ in {value}, which does not count because a later value does")
        }));
        Ok((Some(merged), lines))
    }

    fn declined(&self, path: &str, error: &EditError) -> Failure {
        let reason = match error {
            EditError::Comment => comments::BLOCKED_BY_COMMENT.to_owned(),
            error => error.to_string(),
        };
        let name = self.ours.input.name();
        Failure::Declined {
            exit: Exit::Failure,
            message: format!("jsonx: {name}: not merged: {}: {reason}", escape(path)),
        }
    }

    fn deliver(&mut self, args: &Merge, session: &mut Session, merged: &[u8]) -> io::Result<()> {
        let Some(target) = self.target.take() else {
            return TerminalOutput::plain(&mut session.out).write(merged);
        };
        let original = self.ours.input.file().ok_or(ReplaceError::CHANGED);
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

/// A value whose change is not merged, as the last of duplicate keys counts. The documents are base, ours, theirs and the result.
fn lost<'d, 't>(documents: [&'d Document<'t>; 4]) -> Option<Node<'d, 't>> {
    let mut counts = BTreeMap::new();
    for (version, document) in documents.into_iter().enumerate() {
        for (key, value) in shadowed(document) {
            let member = (key, value.minified().to_vec());
            counts.entry(member).or_insert(([0_isize; 4], value)).0[version] += 1;
        }
    }
    let is_lost = |&[base, ours, theirs, merged]: &[isize; 4]| {
        merged != ours + theirs - base && !(ours == theirs && merged == ours)
    };
    counts
        .into_values()
        .find(|(counts, _)| is_lost(counts))
        .map(|(_, member)| member)
}

/// All members that a later one with the same key replaces: their keys and values.
fn shadowed<'d, 't>(document: &'d Document<'t>) -> Vec<(Vec<u8>, Node<'d, 't>)> {
    let (mut found, mut open) = (Vec::new(), vec![document.root()]);
    while let Some(value) = open.pop() {
        let mut last = HashMap::new();
        for (key, value) in value.members() {
            let key = key.raw();
            let key = decode_key(&key[1..key.len() - 1]).into_owned();
            if let Some(earlier) = last.insert(key.clone(), value) {
                found.push((key, earlier));
            }
        }
        let children = value
            .members()
            .map(|(_, value)| value)
            .chain(value.elements());
        open.extend(children.filter(|child| matches!(child.kind(), Kind::Object | Kind::Array)));
    }
    found
}

fn not_written(session: &mut Session, name: &Name, error: &ReplaceError) {
    messages::line(&format!("jsonx: {name}: {error}"));
    session.note(Exit::Failure);
}
