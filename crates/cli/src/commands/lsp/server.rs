//! The state of a server: its documents, its settings, and the waiting messages.

use std::collections::{HashMap, HashSet, VecDeque};
use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use jsonx_core::{Document, Node};
use serde_json::{Value, json};

use super::document::Open;
use super::frames::{self, Frame};
use super::protocol::{Client, Refused, code, text_of, uri_of};
use super::text::Encoding;
use super::uri;
use super::view::is_container;
use crate::args::Lsp;
use crate::config::{FileSchemas, RunOptions};
use crate::diagnostics::Diagnoser;

/// A server.
pub struct Server<W> {
    output: W,
    /// The options of the command line.
    pub args: Lsp,
    pub run: RunOptions,
    pub schemas: Option<FileSchemas>,
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

/// Maximum length of a message that cancels a request.
const SHORT: usize = 1024;

impl<W: Write> Server<W> {
    /// A server that waits for `initialize`.
    pub fn new(args: Lsp, mut run: RunOptions, output: W) -> Server<W> {
        let diagnoser = Diagnoser {
            keeps_findings: true,
            is_hasty: false,
            ..Diagnoser::clone(&run.diagnoser)
        };
        run.diagnoser = Arc::new(diagnoser);
        let mut server = Server {
            output,
            args,
            run,
            schemas: None,
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

    /// Appends a message to those that wait.
    pub fn queue(&mut self, frame: Frame) {
        match frame {
            Frame::Dropped(why) => self.dropped.push(why),
            Frame::Message(message) => match cancelled_by(&message) {
                // A request that does not wait was already answered.
                Some(_) if self.waiting.is_empty() => {}
                Some(id) => {
                    self.cancelled.insert(id);
                }
                None => {
                    if self.waiting.is_empty() {
                        self.cancelled.clear();
                    }
                    self.waiting.push_back(message);
                }
            },
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
            let handled = catch_unwind(AssertUnwindSafe(|| self.notified(&method, root)));
            return match handled {
                Ok(handled) => handled.map(|()| false),
                Err(_) => Ok(false),
            };
        };
        let was_cancelled = self.cancelled.remove(&raw(id));
        let id: Value = serde_json::from_slice(id.raw()).unwrap_or(Value::Null);
        let answer = match &*method {
            _ if was_cancelled => Err(Refused(code::CANCELLED, "cancelled".to_owned())),
            "initialize" if self.is_initialized => {
                let text = "initialize was already sent".to_owned();
                Err(Refused(code::INVALID_REQUEST, text))
            }
            "initialize" => {
                self.is_initialized = true;
                Ok(self.initialize(root.get("params")))
            }
            _ if !self.is_initialized => {
                let text = "initialize must come first".to_owned();
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
    pub fn ask(&mut self, method: &str, params: Option<Value>) -> io::Result<()> {
        self.asked += 1;
        let id = format!("jsonx-{}", self.asked);
        let mut request = json!({"jsonrpc": "2.0", "id": id, "method": method});
        if let Some(params) = params {
            request["params"] = params;
        }
        self.send(&request)
    }

    /// Publishes the findings of a document, if any are not; returns whether there was one.
    ///
    /// # Errors
    /// The output cannot be written.
    pub fn publish_next(&mut self) -> io::Result<bool> {
        if self.client.pulls || !self.is_initialized || self.was_shut_down {
            return Ok(false);
        }
        let mut open = self.documents.values();
        let Some(open) = open.find(|open| !open.is_published.get()) else {
            return Ok(false);
        };
        open.is_published.set(true);
        let checked = catch_unwind(AssertUnwindSafe(|| self.reported(open)));
        let items = checked.unwrap_or_default();
        let mut params = json!({"uri": open.uri, "diagnostics": items});
        if let Some(version) = open.version {
            params["version"] = json!(version);
        }
        self.notify("textDocument/publishDiagnostics", params)?;
        Ok(true)
    }

    /// Handles a notification.
    fn notified(&mut self, method: &str, root: Node<'_, '_>) -> io::Result<()> {
        if !self.is_initialized {
            return Ok(());
        }
        if method == "initialized" {
            return self.watch();
        }
        let Some(params) = root.get("params") else {
            return Ok(());
        };
        match method {
            "textDocument/didOpen" => {
                let item = params.get("textDocument");
                let opened = item.and_then(|item| Open::new(item, self.encoding));
                let opened = opened.map(|open| (open.uri.clone(), open));
                self.documents.extend(opened);
            }
            "textDocument/didChange" => {
                let open = uri_of(params).and_then(|uri| self.documents.get_mut(&uri));
                let item = params.get("textDocument");
                let version = item.and_then(|item| item.get("version")?.as_i64());
                if let Some((open, changes)) = open.zip(params.get("contentChanges")) {
                    open.change(version, changes, self.encoding);
                }
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
            "textDocument/didSave" if !self.client.watches => {
                if let Some(uri) = uri_of(params) {
                    return self.saved(&uri);
                }
            }
            "workspace/didChangeWatchedFiles" => {
                if let Some(changes) = params.get("changes") {
                    return self.watched_files_changed(changes);
                }
            }
            "workspace/didChangeConfiguration" => return self.settings_changed(),
            "workspace/didChangeWorkspaceFolders" => {
                if let Some(event) = params.get("event") {
                    self.folders_changed(event);
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Adds and removes folders of the workspace.
    fn folders_changed(&mut self, event: Node<'_, '_>) {
        let removed: Vec<PathBuf> = event.get("removed").map(folders).unwrap_or_default();
        self.roots.retain(|root| !removed.contains(root));
        self.roots
            .extend(event.get("added").map(folders).unwrap_or_default());
        self.read_settings();
    }

    /// The open document of a file.
    pub fn open_at(&self, path: &Path) -> Option<&Open> {
        self.documents.values().find(|open| open.path == path)
    }
}

/// The paths of an array of folders.
pub fn folders(all: Node<'_, '_>) -> Vec<PathBuf> {
    let uris = all.elements().filter_map(|folder| text_of(folder, "uri"));
    uris.filter_map(|uri| uri::to_path(&uri)).collect()
}

/// The request that a message cancels, if any.
fn cancelled_by(message: &[u8]) -> Option<String> {
    const METHOD: &str = "$/cancelRequest";
    if message.len() > SHORT || memchr::memmem::find(message, METHOD.as_bytes()).is_none() {
        return None;
    }
    let document = Document::parse(message).ok()?;
    // A text that is edited may have this word.
    if document.get("method")?.as_str()? != METHOD {
        return None;
    }
    Some(raw(document.get("params")?.get("id")?))
}

/// The text of an identifier.
fn raw(id: Node<'_, '_>) -> String {
    String::from_utf8_lossy(id.raw()).into_owned()
}
