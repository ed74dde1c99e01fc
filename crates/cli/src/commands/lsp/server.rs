//! The state of a server: its documents, its settings, and the messages that wait.

use std::collections::{HashMap, HashSet, VecDeque};
use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;

use jsonx_core::diagnose::Diagnostic;
use jsonx_core::{Document, Node};
use serde_json::{Value, json};

use super::frames::{self, Frame};
use super::schemas::SchemaFiles;
use super::text::{Encoding, Position, Text};
use super::uri;
use super::view::is_container;
use crate::args::Layout;
use crate::check::{CheckOptions, InputKind, by_name};
use crate::config::{ConfigOptions, Configs, FileOptions, FileSchemas, RunOptions};
use crate::diagnostics::{Diagnoser, Levels};
use crate::input::{Input, Name};
use crate::schema::SchemaOptions;

/// What the command line says.
pub struct Settings {
    pub configs: ConfigOptions,
    pub layout: Layout,
    pub schemas: SchemaOptions,
    pub levels: Levels,
}

/// A document that the client holds.
pub struct Open {
    pub path: PathBuf,
    pub language: String,
    pub version: Option<i64>,
    pub text: Text,
    /// What was found in this version.
    pub findings: Option<Arc<Vec<Diagnostic>>>,
    /// The findings of this version were sent.
    pub is_published: bool,
}

/// What the client understands.
#[derive(Clone, Copy, Default)]
pub struct Client {
    /// It asks for findings itself.
    pub pulls: bool,
    pub refreshes: bool,
    pub has_snippets: bool,
    pub has_versioned_edits: bool,
    pub creates_files: bool,
    pub has_nested_symbols: bool,
    pub watches: bool,
    pub shows_documents: bool,
}

/// An error of a request: its code and a message.
pub struct Refused(pub i32, pub String);

/// The codes of errors.
pub mod code {
    pub const PARSE: i32 = -32700;
    pub const INVALID_REQUEST: i32 = -32600;
    pub const METHOD_NOT_FOUND: i32 = -32601;
    pub const INVALID_PARAMS: i32 = -32602;
    pub const INTERNAL: i32 = -32603;
    pub const NOT_INITIALIZED: i32 = -32002;
    pub const CANCELLED: i32 = -32800;
    pub const FAILED: i32 = -32803;
}

pub type Answer = Result<Value, Refused>;

/// A server.
pub struct Server<W> {
    output: W,
    pub settings: Settings,
    pub run: RunOptions,
    pub schemas: Option<FileSchemas>,
    pub schema_files: SchemaFiles,
    pub documents: HashMap<String, Open>,
    pub encoding: Encoding,
    pub client: Client,
    /// The folders of the workspace.
    pub roots: Vec<PathBuf>,
    waiting: VecDeque<Vec<u8>>,
    dropped: Vec<&'static str>,
    cancelled: HashSet<String>,
    asked: u64,
    is_initialized: bool,
    was_shut_down: bool,
    has_exited: bool,
}

/// A message of at most this length may be one that cancels a request.
const SHORT: usize = 1024;

impl<W: Write> Server<W> {
    /// A server that waits for `initialize`.
    pub fn new(settings: Settings, mut run: RunOptions, output: W) -> Server<W> {
        let diagnoser = Diagnoser {
            keeps_findings: true,
            ..Diagnoser::clone(&run.diagnoser)
        };
        run.diagnoser = Arc::new(diagnoser);
        let mut server = Server {
            output,
            settings,
            run,
            schemas: None,
            schema_files: SchemaFiles::default(),
            documents: HashMap::new(),
            encoding: Encoding::Utf16,
            client: Client::default(),
            roots: Vec::new(),
            waiting: VecDeque::new(),
            dropped: Vec::new(),
            cancelled: HashSet::new(),
            asked: 0,
            is_initialized: false,
            was_shut_down: false,
            has_exited: false,
        };
        server.read_settings();
        server
    }

    /// Reads configs and schemas when they are next needed, and all findings are made anew.
    pub fn read_settings(&mut self) {
        self.run.configs = Arc::new(Configs::new(&self.settings.configs));
        let schemas = FileSchemas::new(self.settings.schemas.clone(), self.settings.levels);
        self.schemas = schemas.ok();
        self.schema_files = SchemaFiles::default();
        for open in self.documents.values_mut() {
            open.findings = None;
            open.is_published = false;
        }
    }

    /// Appends a message to those that wait.
    pub fn queue(&mut self, frame: Frame) {
        match frame {
            Frame::Dropped(why) => self.dropped.push(why),
            Frame::Message(message) => {
                let is_short = message.len() <= SHORT;
                if is_short && memchr::memmem::find(&message, b"$/cancelRequest").is_some() {
                    let parsed = Document::parse(&message).ok();
                    let id = parsed.as_ref().and_then(|it| it.get("params")?.get("id"));
                    self.cancelled.extend(id.map(|id| raw(id)));
                    return;
                }
                self.waiting.push_back(message);
            }
        }
    }

    /// Whether no message waits.
    pub fn is_idle(&self) -> bool {
        self.waiting.is_empty() && self.dropped.is_empty()
    }

    pub fn was_shut_down(&self) -> bool {
        self.was_shut_down
    }

    pub fn has_exited(&self) -> bool {
        self.has_exited && self.was_shut_down
    }

    /// Answers the next message; returns whether it was the last.
    ///
    /// # Errors
    /// The output cannot be written.
    pub fn step(&mut self) -> io::Result<bool> {
        for why in std::mem::take(&mut self.dropped) {
            self.refuse(Value::Null, Refused(code::PARSE, why.to_owned()))?;
        }
        let Some(message) = self.waiting.pop_front() else {
            return Ok(false);
        };
        let Ok(document) = Document::parse(&message) else {
            let refused = Refused(code::PARSE, "the message is not JSON".to_owned());
            return self.refuse(Value::Null, refused).map(|()| false);
        };
        let root = document.root();
        let id = root.get("id").filter(|id| !is_container(*id));
        let Some(method) = root.get("method").and_then(Node::as_str) else {
            // An answer to a request of the server, or nothing.
            let is_answer = root.get("result").is_some() || root.get("error").is_some();
            if !is_answer {
                let refused = Refused(code::INVALID_REQUEST, "no method".to_owned());
                self.refuse(Value::Null, refused)?;
            }
            return Ok(false);
        };
        let Some(id) = id else {
            if method == "exit" {
                self.has_exited = true;
                return Ok(true);
            }
            let told = catch_unwind(AssertUnwindSafe(|| self.notified(&method, root)));
            return match told {
                Ok(told) => told.map(|()| false),
                Err(_) => Ok(false),
            };
        };
        let was_cancelled = self.cancelled.remove(&raw(id));
        let id: Value = serde_json::from_slice(id.raw()).unwrap_or(Value::Null);
        let answer = match &*method {
            _ if was_cancelled => Err(Refused(code::CANCELLED, "cancelled".to_owned())),
            "initialize" if self.is_initialized => {
                let text = "initialize was sent before".to_owned();
                Err(Refused(code::INVALID_REQUEST, text))
            }
            "initialize" => {
                self.is_initialized = true;
                Ok(self.initialize(root.get("params")))
            }
            _ if !self.is_initialized => {
                let text = "initialize comes first".to_owned();
                Err(Refused(code::NOT_INITIALIZED, text))
            }
            _ if self.was_shut_down => {
                let text = "the server was shut down".to_owned();
                Err(Refused(code::INVALID_REQUEST, text))
            }
            "shutdown" => {
                self.was_shut_down = true;
                Ok(Value::Null)
            }
            _ => {
                let answer = AssertUnwindSafe(|| self.request(&method, root.get("params")));
                catch_unwind(answer).unwrap_or_else(|_| {
                    let text = "internal error; please report it".to_owned();
                    Err(Refused(code::INTERNAL, text))
                })
            }
        };
        match answer {
            Ok(result) => self.send(&json!({"jsonrpc": "2.0", "id": id, "result": result})),
            Err(refused) => self.refuse(id, refused),
        }
        .map(|()| false)
    }

    fn refuse(&mut self, id: Value, Refused(code, message): Refused) -> io::Result<()> {
        let error = json!({"code": code, "message": message});
        self.send(&json!({"jsonrpc": "2.0", "id": id, "error": error}))
    }

    fn send(&mut self, message: &Value) -> io::Result<()> {
        let bytes = serde_json::to_vec(message).map_err(io::Error::other)?;
        frames::write(&mut self.output, &bytes)
    }

    /// Sends a notification.
    ///
    /// # Errors
    /// The output cannot be written.
    pub fn notify(&mut self, method: &str, params: Value) -> io::Result<()> {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}))
    }

    /// Sends a request whose answer does not matter.
    ///
    /// # Errors
    /// The output cannot be written.
    pub fn ask(&mut self, method: &str, params: Value) -> io::Result<()> {
        self.asked += 1;
        let id = format!("jsonx-{}", self.asked);
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))
    }

    /// Publishes the findings of a document, if any are not; returns whether there was one.
    ///
    /// # Errors
    /// The output cannot be written.
    pub fn publish_next(&mut self) -> io::Result<bool> {
        if self.client.pulls || !self.is_initialized {
            return Ok(false);
        }
        let stale = self.documents.iter().find(|(_, open)| !open.is_published);
        let Some(uri) = stale.map(|(uri, _)| uri.clone()) else {
            return Ok(false);
        };
        let checked = catch_unwind(AssertUnwindSafe(|| self.reported(&uri)));
        let version = match self.documents.get_mut(&uri) {
            Some(open) => {
                open.is_published = true;
                open.version
            }
            None => None,
        };
        let items = checked.unwrap_or_default();
        let mut params = json!({"uri": uri, "diagnostics": items});
        if let Some(version) = version {
            params["version"] = json!(version);
        }
        self.notify("textDocument/publishDiagnostics", params)?;
        Ok(true)
    }

    /// Handles a notification.
    fn notified(&mut self, method: &str, root: Node<'_, '_>) -> io::Result<()> {
        let Some(params) = root.get("params").filter(|_| self.is_initialized) else {
            return Ok(());
        };
        match method {
            "initialized" => return self.watch(),
            "textDocument/didOpen" => self.open(params),
            "textDocument/didChange" => {
                self.change(params);
            }
            "textDocument/didClose" => {
                if let Some(uri) = uri_of(params)
                    && self.documents.remove(&uri).is_some()
                    && !self.client.pulls
                {
                    let params = json!({"uri": uri, "diagnostics": []});
                    return self.notify("textDocument/publishDiagnostics", params);
                }
            }
            // A config or a schema may be what was saved, where the client watches no files.
            "textDocument/didSave" if !self.client.watches => return self.reread(),
            "workspace/didChangeWatchedFiles" | "workspace/didChangeConfiguration" => {
                return self.reread();
            }
            _ => {}
        }
        Ok(())
    }

    fn watch(&mut self) -> io::Result<()> {
        if !self.client.watches {
            return Ok(());
        }
        let globs = [
            "**/jsonx.json",
            "**/*.json",
            "**/.editorconfig",
            "**/.prettierrc*",
            "**/biome.jsonc",
        ];
        let watchers: Vec<Value> = globs
            .iter()
            .map(|glob| json!({"globPattern": glob}))
            .collect();
        let registration = json!({
            "id": "watched",
            "method": "workspace/didChangeWatchedFiles",
            "registerOptions": {"watchers": watchers},
        });
        self.ask(
            "client/registerCapability",
            json!({"registrations": [registration]}),
        )
    }

    fn reread(&mut self) -> io::Result<()> {
        self.read_settings();
        match self.client.pulls && self.client.refreshes {
            true => self.ask("workspace/diagnostic/refresh", Value::Null),
            false => Ok(()),
        }
    }

    fn open(&mut self, params: Node<'_, '_>) {
        let Some(item) = params.get("textDocument") else {
            return;
        };
        let (Some(uri), Some(text)) = (text_of(item, "uri"), text_of(item, "text")) else {
            return;
        };
        let open = Open {
            // A document that was never saved has the name of its URI.
            path: uri::to_path(&uri).unwrap_or_else(|| PathBuf::from(&uri)),
            language: text_of(item, "languageId").unwrap_or_default(),
            version: item.get("version").and_then(Node::as_i64),
            text: Text::new(text, self.encoding),
            findings: None,
            is_published: false,
        };
        self.documents.insert(uri, open);
    }

    fn change(&mut self, params: Node<'_, '_>) -> Option<()> {
        let item = params.get("textDocument")?;
        let encoding = self.encoding;
        let open = self.documents.get_mut(&text_of(item, "uri")?)?;
        let version = item.get("version").and_then(Node::as_i64);
        // An older version came late.
        if version
            .zip(open.version)
            .is_some_and(|(new, old)| new < old)
        {
            return None;
        }
        open.version = version.or(open.version);
        open.findings = None;
        open.is_published = false;
        for change in params.get("contentChanges")?.elements() {
            let Some(text) = text_of(change, "text") else {
                continue;
            };
            let range = change.get("range").filter(|range| !range.is_null());
            match range.map(|range| (position(range, "start"), position(range, "end"))) {
                None => open.text = Text::new(text, encoding),
                Some((Some(start), Some(end))) => open.text.replace(start, end, &text),
                Some(_) => {}
            }
        }
        Some(())
    }

    /// The options for a document: by its config, its name and its language.
    pub fn options_of(&self, open: &Open) -> Option<FileOptions> {
        let mut file = self.run.of(&Name::of(&open.path)).ok()?;
        self.set_language(&mut file, open);
        Some(file)
    }

    /// Sets the kind that the language of a document means, where neither its config nor its name has one.
    pub fn set_language(&self, file: &mut FileOptions, open: &Open) {
        if file.check.configured.is_none() && by_name(&open.path) == InputKind::Json {
            file.check.configured = match &*open.language {
                "jsonc" | "hujson" => Some(InputKind::Jsonc),
                "json5" => Some(InputKind::Json5),
                "jsonl" | "jsonlines" | "ndjson" => Some(InputKind::Jsonl),
                _ => None,
            };
        }
    }

    /// How a document is read, without a config if that cannot be used.
    pub fn reading(&self, open: &Open) -> (CheckOptions, InputKind) {
        let file = self.options_of(open).unwrap_or_else(|| self.run.for_all());
        let mut input = Input::of_text(&open.path, open.text.bytes().clone());
        let kind = file.check.kind_of(&input);
        let kind = file.check.by_header(&mut input, kind);
        (file.check, kind)
    }
}

/// The text of a key.
pub fn text_of(node: Node<'_, '_>, key: &str) -> Option<String> {
    Some(node.get(key)?.as_str()?.into_owned())
}

/// The URI of the document that a message is about.
pub fn uri_of(params: Node<'_, '_>) -> Option<String> {
    text_of(params.get("textDocument")?, "uri")
}

/// A position in a message.
pub fn position(node: Node<'_, '_>, key: &str) -> Option<Position> {
    let position = node.get(key)?;
    Some(Position {
        line: position.get("line")?.as_u64()?,
        character: position.get("character")?.as_u64()?,
    })
}

/// The text of an identifier.
fn raw(id: Node<'_, '_>) -> String {
    String::from_utf8_lossy(id.raw()).into_owned()
}

/// A position as JSON.
pub fn place(position: Position) -> Value {
    json!({"line": position.line, "character": position.character})
}

/// A range as JSON.
pub fn range((start, end): (Position, Position)) -> Value {
    json!({"start": place(start), "end": place(end)})
}
