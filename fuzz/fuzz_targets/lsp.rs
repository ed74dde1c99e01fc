//! Sequences of messages for the language server: it answers each request once, and after edits its answers equal those for
//! another document, opened with the text of a naive model.

#![no_main]

use libfuzzer_sys::fuzz_target;
use serde_json::{Value, json};

const METHODS: [&str; 10] = [
    "codeAction",
    "definition",
    "diagnostic",
    "documentSymbol",
    "foldingRange",
    "formatting",
    "rangeFormatting",
    "references",
    "selectionRange",
    "unknown",
];

const NAMES: [&str; 5] = ["a.json", "a.jsonc", "a.json5", "a.jsonl", "jsonx.json"];

/// The folders of the edited document and of the other one.
const FOLDERS: [&str; 2] = ["/edited", "/opened"];

/// Texts to insert.
const TEXTS: [&str; 20] = [
    "",
    "\"a\"",
    ":",
    "1.50",
    ",",
    "{",
    "}",
    "[",
    "]",
    "\n",
    "é😀",
    "// x\r\n",
    "\r",
    "\u{feff}",
    "{\"a\": [1, 2], \"a\": {\"$ref\": \"#/a\"}}",
    "\"\\ud83d\\ude00\"",
    "'",
    "\"lints\": {",
    "/*",
    "tru",
];

fuzz_target!(|bytes: &[u8]| {
    let mut bytes = bytes.iter().copied();
    let Some(first) = bytes.next() else { return };
    let name = NAMES[usize::from(first) % NAMES.len()];
    let [uri, other] = FOLDERS.map(|folder| format!("file://{folder}/{name}"));
    let is_utf8 = first & 0x80 != 0;
    let mut sent = Sent::default();
    sent.request("initialize", json!({"capabilities": capabilities(first)}));
    let mut version = 0;
    let open = |uri: &str, text: &str| {
        let document = json!({"uri": uri, "languageId": "json", "version": 0, "text": text});
        json!({"textDocument": document})
    };
    sent.tell("textDocument/didOpen", open(&uri, ""));
    let mut model = String::new();
    while let Some(kind) = bytes.next() {
        let mut next = || u64::from(bytes.next().unwrap_or(0));
        match kind {
            0..160 => {
                let start = (next() % 8, next() % 32);
                let end = (next() % 8, next() % 32);
                let text = TEXTS[next() as usize % TEXTS.len()];
                let range = json!({"start": place(start), "end": place(end)});
                let change = json!({"range": range, "text": text});
                version += 1;
                let item = json!({"uri": uri, "version": version});
                let params = json!({"textDocument": item, "contentChanges": [change]});
                sent.tell("textDocument/didChange", params);
                let from = offset(&model, start, is_utf8);
                let to = offset(&model, end, is_utf8).max(from);
                model.replace_range(from..to, text);
            }
            160..232 => {
                let method = METHODS[next() as usize % METHODS.len()];
                sent.about(&uri, method, (next() % 8, next() % 32), (next(), next()));
            }
            232..236 => sent.tell("$/cancelRequest", json!({"id": next() % sent.requests})),
            236..240 => {
                sent.tell(
                    "textDocument/didClose",
                    json!({"textDocument": {"uri": uri}}),
                );
                sent.tell("textDocument/didOpen", open(&uri, &model));
                version = 0;
            }
            // Arbitrary bytes instead of a message.
            _ => {
                let length = next() % 16;
                let body: Vec<u8> = (0..length).map(|_| next() as u8).collect();
                let header = format!("Content-Length: {length}\r\n\r\n");
                sent.bytes.extend_from_slice(header.as_bytes());
                sent.bytes.extend_from_slice(&body);
            }
        }
    }
    sent.tell("textDocument/didOpen", open(&other, &model));
    let at = (u64::from(first) % 5, u64::from(first) % 11);
    let compared =
        METHODS.map(|method| [&uri, &other].map(|uri| sent.about(uri, method, at, (9, 9))));
    let mut output = Vec::new();
    let ended = jsonx_cli::serve(std::io::Cursor::new(sent.bytes), &mut output);
    assert!(!ended.expect("memory can be written"));
    let answers = messages(&output);
    let answer = |id: u64| {
        let mut all = answers.iter().filter(|it| it["id"] == json!(id));
        let answer = all.next().unwrap_or_else(|| panic!("no answer to {id}"));
        assert!(all.next().is_none(), "two answers to {id}");
        answer
    };
    (0..sent.requests).for_each(|id| _ = answer(id));
    for (method, ids) in METHODS.iter().zip(compared) {
        let [edited, opened] = ids.map(|id| {
            let mut answer = answer(id).clone();
            answer["id"] = Value::Null;
            let text = answer.to_string();
            // Messages contain the name of the file too.
            let text = FOLDERS.iter().fold(text, |text, it| text.replace(it, ""));
            // The version of a new document is 0.
            text.replace(&format!("\"version\":{version}"), "\"version\":0")
        });
        assert_eq!(edited, opened, "{method}: {model:?}");
    }
});

/// Messages to the server.
#[derive(Default)]
struct Sent {
    bytes: Vec<u8>,
    requests: u64,
}

impl Sent {
    fn push(&mut self, message: &Value) {
        let text = message.to_string();
        let header = format!("Content-Length: {}\r\n\r\n", text.len());
        self.bytes.extend_from_slice(header.as_bytes());
        self.bytes.extend_from_slice(text.as_bytes());
    }

    fn tell(&mut self, method: &str, params: Value) {
        self.push(&json!({"method": method, "params": params}));
    }

    /// Returns the identifier of a request.
    fn request(&mut self, method: &str, params: Value) -> u64 {
        let id = self.requests;
        self.requests += 1;
        self.push(&json!({"id": id, "method": method, "params": params}));
        id
    }

    fn about(&mut self, uri: &str, method: &str, at: (u64, u64), end: (u64, u64)) -> u64 {
        let params = json!({
            "textDocument": {"uri": uri},
            "position": place(at),
            "positions": [place(at), place(end)],
            "range": {"start": place(at), "end": place(end)},
            "context": {"diagnostics": []},
        });
        self.request(&format!("textDocument/{method}"), params)
    }
}

/// The capabilities of a client, by the bits of a byte.
fn capabilities(bits: u8) -> Value {
    let has = |bit: u32| bits >> bit & 1 == 1;
    let encodings = if has(7) {
        json!(["utf-8"])
    } else {
        json!(["utf-16"])
    };
    json!({
        "general": {"positionEncodings": encodings},
        "textDocument": {
            "documentSymbol": {"hierarchicalDocumentSymbolSupport": has(5)},
        },
        "workspace": {"workspaceEdit": {"documentChanges": has(4)}},
    })
}

fn place((line, character): (u64, u64)) -> Value {
    json!({"line": line, "character": character})
}

/// The offset of a position, line by line and character by character.
fn offset(text: &str, (line, character): (u64, u64), is_utf8: bool) -> usize {
    let mut at = 0;
    for _ in 0..line {
        match text[at..].find(['\n', '\r']) {
            None => return text.len(),
            Some(end) => at += end,
        }
        at += if text[at..].starts_with("\r\n") { 2 } else { 1 };
    }
    let mut column = 0;
    for c in text[at..].chars() {
        let width = if is_utf8 { c.len_utf8() } else { c.len_utf16() };
        column += width as u64;
        if c == '\n' || c == '\r' || column > character {
            break;
        }
        at += c.len_utf8();
    }
    at
}

fn messages(mut output: &[u8]) -> Vec<Value> {
    let mut all = Vec::new();
    while !output.is_empty() {
        let end = output
            .windows(4)
            .position(|it| it == b"\r\n\r\n")
            .expect("a header");
        let header = std::str::from_utf8(&output[..end]).expect("ASCII");
        let length: usize = header
            .trim_start_matches("Content-Length: ")
            .parse()
            .expect("a number");
        let body = &output[end + 4..][..length];
        all.push(serde_json::from_slice(body).expect("JSON"));
        output = &output[end + 4 + length..];
    }
    all
}
