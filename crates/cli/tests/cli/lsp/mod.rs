//! `jsonx lsp` over a pipe: it finds, fixes and formats like the commands, and it never exits early.

mod actions;
mod client;
mod completion;
mod findings;
mod hostile;
mod layout;
mod schemas;
mod structure;

use serde_json::{Value, json};

/// The requests about a document, and an unknown one.
const METHODS: [&str; 13] = [
    "diagnostic",
    "codeAction",
    "formatting",
    "rangeFormatting",
    "documentSymbol",
    "foldingRange",
    "selectionRange",
    "documentLink",
    "definition",
    "references",
    "hover",
    "completion",
    "unknown",
];

/// The capabilities of an editor.
fn editor() -> Value {
    json!({
        "textDocument": {
            "completion": {"completionItem": {"snippetSupport": true}},
            "documentSymbol": {"hierarchicalDocumentSymbolSupport": true},
        },
        "workspace": {"workspaceEdit": {"documentChanges": true, "resourceOperations": ["create"]}},
    })
}
