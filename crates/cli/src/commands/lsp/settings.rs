//! The settings of documents: configs, schemas and dialects, and their reloading.

use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use jsonx_core::Node;
use serde_json::json;

use super::document::Open;
use super::protocol::text_of;
use super::server::Server;
use super::uri;
use super::view::View;
use crate::check::{CheckOptions, InputKind, by_name};
use crate::config::{self, Configs, FileOptions, FileSchemas};
use crate::input::{Input, Name};

/// Configs and schemas. The files of Prettier, Biome and EditorConfig are read for each formatting.
const WATCHED: &str = "**/*.{json,jsonc,json5}";

impl<W: Write> Server<W> {
    /// Discards configs, schemas and findings, which are read or computed again when needed.
    pub fn read_settings(&mut self) {
        self.run.configs = Arc::new(Configs::new(&self.args.common.config));
        let levels = self.args.levels;
        let mut options = self.args.schemas.options(levels);
        options.roots.extend_from_slice(&self.roots);
        let schemas = FileSchemas::new(options, levels);
        self.schemas = schemas.ok();
        for open in self.documents.values_mut() {
            open.forget_findings();
        }
    }

    /// Asks the client to watch the files that may contain settings.
    pub fn watch(&mut self) -> io::Result<()> {
        if !self.client.watches {
            return Ok(());
        }
        let registration = json!({
            "id": "watched",
            "method": "workspace/didChangeWatchedFiles",
            "registerOptions": {"watchers": [{"globPattern": WATCHED}]},
        });
        self.ask(
            "client/registerCapability",
            Some(json!({"registrations": [registration]})),
        )
    }

    /// Reloads settings if these changes concern their files.
    pub fn watched_files_changed(&mut self, changes: Node<'_, '_>) -> io::Result<()> {
        let uris = changes
            .elements()
            .filter_map(|change| text_of(change, "uri"));
        let mut paths = uris.filter_map(|uri| uri::to_path(&uri));
        if paths.any(|path| self.is_setting(&path)) {
            self.settings_changed()
        } else {
            Ok(())
        }
    }

    /// Reloads settings if this saved file is one of them.
    pub fn saved(&mut self, uri: &str) -> io::Result<()> {
        if uri::to_path(uri).is_some_and(|path| self.is_setting(&path)) {
            self.settings_changed()
        } else {
            Ok(())
        }
    }

    /// Reloads settings.
    pub fn settings_changed(&mut self) -> io::Result<()> {
        self.read_settings();
        if self.client.pulls && self.client.refreshes {
            self.ask("workspace/diagnostic/refresh", None)
        } else {
            Ok(())
        }
    }

    /// Whether a file is a config or a schema in use. The texts of schemas are never freed, so that they are not read again for
    /// each file that is saved.
    fn is_setting(&self, path: &Path) -> bool {
        let named = self.args.common.config.config.as_deref();
        let name = path.file_name();
        name == Some(config::NAME.as_ref())
            || named.is_some_and(|named| named.file_name() == name)
            || self.schemas.as_ref().is_some_and(|it| it.depend_on(path))
    }

    /// The options for a document: by its config, its name and its language.
    pub fn options_of(&self, open: &Open) -> Option<FileOptions> {
        let mut file = self.run.for_file(&Name::new(&open.path)).ok()?;
        self.set_language(&mut file, open);
        Some(file)
    }

    /// Sets the kind implied by the language of a document, if neither its config nor its name sets one.
    pub fn set_language(&self, file: &mut FileOptions, open: &Open) {
        if open.is_config() {
            file.check.configured = Some(InputKind::Jsonc);
        } else if file.check.configured.is_none() && by_name(&open.path) == InputKind::Json {
            file.check.configured = open.kind_of_language();
        }
    }

    /// The value at an offset of a document.
    pub fn view<'o>(&self, open: &'o Open, at: usize) -> View<'o> {
        let (check, kind) = self.reading(open);
        View::at(open.text.bytes(), kind, &check, at)
    }

    /// The values of a document, up to a limit, and its kind.
    pub fn views<'o>(&self, open: &'o Open, most: usize) -> (InputKind, Vec<View<'o>>) {
        let (check, kind) = self.reading(open);
        (kind, View::all(open.text.bytes(), kind, &check, most))
    }

    /// The options for reading a document, without its config if that cannot be used.
    pub fn reading(&self, open: &Open) -> (CheckOptions, InputKind) {
        let file = self.options_of(open).unwrap_or_else(|| self.run.for_all());
        let mut input = Input::of_text(&open.path, open.text.bytes().clone());
        let kind = file.check.kind_of(&input);
        let kind = file.check.by_first_lines(&mut input, kind);
        (file.check, kind)
    }
}
