//! Common parts of the messages: capabilities, errors, URIs and positions.

use jsonx_core::Node;
use serde_json::{Value, json};

use super::text::Position;

/// The capabilities of the client.
#[derive(Clone, Copy, Default)]
pub struct Client {
    /// It requests findings itself.
    pub pulls: bool,
    pub refreshes: bool,
    pub has_versioned_edits: bool,
    pub creates_files: bool,
    pub has_nested_symbols: bool,
    pub watches: bool,
    pub shows_documents: bool,
}

impl Client {
    /// The capabilities in the parameters of `initialize`.
    pub fn new(params: Option<Node<'_, '_>>) -> Client {
        let find = |path: &str| params.and_then(|params| params.find(path).ok());
        let can = |path: &str| find(path).and_then(Node::as_bool) == Some(true);
        let has = |path: &str| find(path).is_some_and(|node| !node.is_null());
        Client {
            pulls: has("/capabilities/textDocument/diagnostic"),
            refreshes: can("/capabilities/workspace/diagnostics/refreshSupport"),
            has_versioned_edits: can("/capabilities/workspace/workspaceEdit/documentChanges"),
            creates_files: find("/capabilities/workspace/workspaceEdit/resourceOperations")
                .is_some_and(|all| lists(all, "create")),
            has_nested_symbols: can(
                "/capabilities/textDocument/documentSymbol/hierarchicalDocumentSymbolSupport",
            ),
            watches: can("/capabilities/workspace/didChangeWatchedFiles/dynamicRegistration"),
            shows_documents: can("/capabilities/window/showDocument/support"),
        }
    }
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

/// The result of a request.
pub type Answer = Result<Value, Refused>;

/// Whether an array has this string.
pub fn lists(array: Node<'_, '_>, text: &str) -> bool {
    array
        .elements()
        .any(|it| it.as_str().as_deref() == Some(text))
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
pub fn position(node: Node<'_, '_>) -> Option<Position> {
    Some(Position {
        line: node.get("line")?.as_u64()?,
        character: node.get("character")?.as_u64()?,
    })
}

/// The ends of a range in a message.
pub fn ends(range: Node<'_, '_>) -> Option<(Position, Position)> {
    position(range.get("start")?).zip(position(range.get("end")?))
}

/// A range as JSON.
pub fn range((start, end): (Position, Position)) -> Value {
    let place = |at: Position| json!({"line": at.line, "character": at.character});
    json!({"start": place(start), "end": place(end)})
}
