//! Sequences of messages for the language server: it answers each request once, and after edits it formats the text of a naive
//! model, whose positions count UTF-16 code units.

#![no_main]

use libfuzzer_sys::fuzz_target;
use serde_json::{Value, json};

const METHODS: [&str; 13] = [
    "codeAction",
    "completion",
    "definition",
    "diagnostic",
    "documentLink",
    "documentSymbol",
    "foldingRange",
    "formatting",
    "hover",
    "rangeFormatting",
    "references",
    "selectionRange",
    "unknown",
];

const NAMES: [&str; 5] = ["a.json", "a.jsonc", "a.json5", "a.jsonl", "jsonx.json"];

/// What to put into a text.
const TEXTS: [&str; 12] = [
    "", "\"a\"", ":", "1.50", ",", "{", "}", "[", "]", "\n", "é😀", "// x\r\n",
];

fuzz_target!(|bytes: &[u8]| {
    let mut sent = Vec::new();
    let mut asked = Vec::new();
    let mut model = String::new();
    push(
        &mut sent,
        &json!({"id": 0, "method": "initialize", "params": {"capabilities": {}}}),
    );
    let mut bytes = bytes.iter().copied();
    let Some(name) = bytes.next() else { return };
    let uri = format!("file:///none/{}", NAMES[usize::from(name) % NAMES.len()]);
    let document = json!({"uri": uri, "languageId": "json", "version": 0, "text": ""});
    push(
        &mut sent,
        &json!({"method": "textDocument/didOpen", "params": {"textDocument": document}}),
    );
    let mut number = 0;
    while let Some(kind) = bytes.next() {
        let mut next = || u64::from(bytes.next().unwrap_or(0));
        number += 1;
        match kind {
            0..128 => {
                let start = (next() % 8, next() % 32);
                let end = (next() % 8, next() % 32);
                let text = TEXTS[next() as usize % TEXTS.len()];
                let range = json!({"start": place(start), "end": place(end)});
                let change = json!({"range": range, "text": text});
                let item = json!({"uri": uri, "version": number});
                let params = json!({"textDocument": item, "contentChanges": [change]});
                push(
                    &mut sent,
                    &json!({"method": "textDocument/didChange", "params": params}),
                );
                let from = offset(&model, start);
                let to = offset(&model, end).max(from);
                model.replace_range(from..to, text);
            }
            128..240 => {
                let method = METHODS[next() as usize % METHODS.len()];
                let at = (next() % 8, next() % 32);
                let params = json!({
                    "textDocument": {"uri": uri},
                    "position": place(at),
                    "positions": [place(at)],
                    "range": {"start": place(at), "end": place((next(), next()))},
                    "context": {"diagnostics": []},
                });
                let method = format!("textDocument/{method}");
                push(
                    &mut sent,
                    &json!({"id": number, "method": method, "params": params}),
                );
                asked.push(number);
            }
            // Bytes that are no message.
            _ => {
                let length = next() % 16;
                let body: Vec<u8> = (0..length).map(|_| next() as u8).collect();
                sent.extend_from_slice(format!("Content-Length: {length}\r\n\r\n").as_bytes());
                sent.extend_from_slice(&body);
            }
        }
    }
    // The whole text, as what a fold of all of it would not show: the place of its end.
    let last = json!({
        "textDocument": {"uri": uri},
        "positions": [place((1000, 0))],
    });
    push(
        &mut sent,
        &json!({"id": -1, "method": "textDocument/selectionRange", "params": last}),
    );
    let mut output = Vec::new();
    let ended = jsonx_cli::serve(std::io::Cursor::new(sent), &mut output);
    assert!(!ended.expect("memory can be written"));
    let answers = messages(&output);
    let answered = |id: &i64| answers.iter().filter(|it| it["id"] == json!(id)).count();
    for id in asked {
        assert_eq!(answered(&id), 1, "{id}");
    }
    let end = answers
        .iter()
        .find(|it| it["id"] == json!(-1))
        .expect("an answer");
    if let Some(found) = end["result"][0]["range"]["end"]["line"].as_u64() {
        let lines = model.matches('\n').count() as u64;
        assert!(found == 1000 || found <= lines, "{found} of {lines}");
    }
});

fn push(sent: &mut Vec<u8>, message: &Value) {
    let text = message.to_string();
    sent.extend_from_slice(format!("Content-Length: {}\r\n\r\n{text}", text.len()).as_bytes());
}

fn place((line, character): (u64, u64)) -> Value {
    json!({"line": line, "character": character})
}

/// The offset of a position, line by line and character by character.
fn offset(text: &str, (line, character): (u64, u64)) -> usize {
    let mut at = 0;
    for _ in 0..line {
        match text[at..].find('\n') {
            None => return text.len(),
            Some(end) => at += end + 1,
        }
    }
    let mut column = 0;
    for c in text[at..].chars() {
        let width = c.len_utf16() as u64;
        if c == '\n' || c == '\r' || column + width > character {
            break;
        }
        column += width;
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
