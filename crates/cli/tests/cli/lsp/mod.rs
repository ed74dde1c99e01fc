//! `jsonx lsp` over a pipe: it finds, fixes and formats like the commands, and it never exits early.

mod actions;
mod client;
mod findings;
mod hostile;
mod layout;
mod schemas;
mod structure;

use serde_json::{Value, json};

/// The requests about a document, and an unknown one.
const METHODS: [&str; 10] = [
    "diagnostic",
    "codeAction",
    "formatting",
    "rangeFormatting",
    "documentSymbol",
    "foldingRange",
    "selectionRange",
    "definition",
    "references",
    "unknown",
];

/// The capabilities of an editor.
fn editor() -> Value {
    json!({
        "textDocument": {
            "documentSymbol": {"hierarchicalDocumentSymbolSupport": true},
        },
        "workspace": {"workspaceEdit": {"documentChanges": true, "resourceOperations": ["create"]}},
    })
}
