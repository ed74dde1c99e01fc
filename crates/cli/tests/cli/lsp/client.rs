//! A client that frames messages and waits for responses.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

pub struct Client {
    process: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    asked: u64,
    /// Messages received while waiting for a response.
    pub others: Vec<Value>,
}

impl Client {
    /// Starts a server in a folder, with these options, and initializes it.
    pub fn start(folder: &Path, options: &[&str], capabilities: Value) -> Client {
        let mut client = Client::raw(folder, options);
        let root = uri(folder);
        client.ask(
            "initialize",
            json!({"capabilities": capabilities, "rootUri": root}),
        );
        client.tell("initialized", json!({}));
        client
    }

    /// Starts a server without initializing it.
    pub fn raw(folder: &Path, options: &[&str]) -> Client {
        let mut command = Command::new(env!("CARGO_BIN_EXE_jsonx"));
        for name in crate::DECIDING {
            command.env_remove(name);
        }
        command.arg("lsp").args(options).current_dir(folder);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = command.spawn().unwrap();
        Client {
            input: process.stdin.take(),
            output: BufReader::new(process.stdout.take().unwrap()),
            process,
            asked: 0,
            others: Vec::new(),
        }
    }

    pub fn send_bytes(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().unwrap();
        // An exited server is detected by the missing response.
        let _ = input.write_all(bytes);
        let _ = input.flush();
    }

    pub fn send(&mut self, message: &Value) {
        let text = message.to_string();
        self.send_bytes(format!("Content-Length: {}\r\n\r\n{text}", text.len()).as_bytes());
    }

    pub fn tell(&mut self, method: &str, params: Value) {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    pub fn receive(&mut self) -> Option<Value> {
        let mut length = 0;
        loop {
            let mut line = String::new();
            if self.output.read_line(&mut line).ok()? == 0 {
                return None;
            }
            match line.trim() {
                "" => break,
                line => length = line.strip_prefix("Content-Length: ")?.parse().ok()?,
            }
        }
        let mut body = vec![0; length];
        self.output.read_exact(&mut body).ok()?;
        serde_json::from_slice(&body).ok()
    }

    /// The response to a request: its result, or its error.
    pub fn answer(&mut self, method: &str, params: Value) -> Result<Value, Value> {
        self.asked += 1;
        let id = self.asked;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        loop {
            let mut message = self.receive().expect("the server has ended");
            if message["id"] == json!(id) && message.get("method").is_none() {
                return match message.get("error") {
                    Some(_) => Err(message["error"].take()),
                    None => Ok(message["result"].take()),
                };
            }
            self.others.push(message);
        }
    }

    pub fn ask(&mut self, method: &str, params: Value) -> Value {
        self.answer(method, params).unwrap()
    }

    /// A request about a document.
    pub fn about(&mut self, path: &Path, method: &str, mut params: Value) -> Value {
        params["textDocument"] = json!({"uri": uri(path)});
        self.ask(&format!("textDocument/{method}"), params)
    }

    /// The parameters of the next message with this method from the server.
    pub fn wait(&mut self, method: &str) -> Value {
        let came = self.others.iter().position(|it| it["method"] == method);
        if let Some(place) = came {
            return self.others.remove(place)["params"].take();
        }
        loop {
            let mut message = self.receive().expect("the server has ended");
            if message["method"] == method {
                return message["params"].take();
            }
            self.others.push(message);
        }
    }

    pub fn open(&mut self, path: &Path, language: &str, text: &str) {
        let document =
            json!({"uri": uri(path), "languageId": language, "version": 1, "text": text});
        self.tell("textDocument/didOpen", json!({"textDocument": document}));
    }

    pub fn change(&mut self, path: &Path, version: i64, changes: Value) {
        let document = json!({"uri": uri(path), "version": version});
        let params = json!({"textDocument": document, "contentChanges": changes});
        self.tell("textDocument/didChange", params);
    }

    /// Notifies the server that these files have changed.
    pub fn changed_files(&mut self, paths: &[&Path]) {
        let changes = paths
            .iter()
            .map(|path| json!({"uri": uri(path), "type": 2}));
        let params = json!({"changes": Vec::from_iter(changes)});
        self.tell("workspace/didChangeWatchedFiles", params);
    }

    /// The next published findings.
    pub fn published(&mut self) -> Vec<Value> {
        let mut params = self.wait("textDocument/publishDiagnostics");
        match params["diagnostics"].take() {
            Value::Array(all) => all,
            _ => panic!("no diagnostics"),
        }
    }

    /// Ends the input, and returns the exit code.
    pub fn end(mut self) -> Option<i32> {
        self.input = None;
        let mut rest = Vec::new();
        let _ = self.output.read_to_end(&mut rest);
        self.process.wait().unwrap().code()
    }
}

/// The URI of a file.
pub fn uri(path: &Path) -> String {
    let path = path.to_str().unwrap().replace('\\', "/");
    format!("file:///{}", path.trim_start_matches('/'))
}

pub fn position(line: u64, character: u64) -> Value {
    json!({"line": line, "character": character})
}

pub fn range(start: (u64, u64), end: (u64, u64)) -> Value {
    json!({"start": position(start.0, start.1), "end": position(end.0, end.1)})
}

/// Applies edits with UTF-16 positions to a text.
pub fn applied(text: &str, edits: &Value) -> String {
    let offset = |position: &Value| {
        let mut at = 0;
        for _ in 0..position["line"].as_u64().unwrap() {
            at += text[at..].find('\n').unwrap() + 1;
        }
        let mut units = position["character"].as_u64().unwrap() as usize;
        for c in text[at..].chars() {
            if units == 0 {
                break;
            }
            units -= c.len_utf16();
            at += c.len_utf8();
        }
        at
    };
    let edits = edits.as_array().unwrap().iter();
    let mut all: Vec<(usize, usize, &str)> = edits
        .map(|edit| {
            let range = &edit["range"];
            let new = edit["newText"].as_str().unwrap();
            (offset(&range["start"]), offset(&range["end"]), new)
        })
        .collect();
    all.sort_by_key(|edit| (edit.0, edit.1));
    let mut result = text.to_owned();
    for (start, end, new) in all.into_iter().rev() {
        result.replace_range(start..end, new);
    }
    result
}
