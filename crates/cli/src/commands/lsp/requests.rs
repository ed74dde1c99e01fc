//! The requests of a client.

use std::io::Write;
use std::ops::Range;

use jsonx_core::path::Notation;
use jsonx_core::{Node, Path};
use jsonx_diagnose::Applicability;
use memchr::memrchr;
use serde_json::{Value, json};

use super::actions::uri_argument;
use super::document::Open;
use super::layout::{self, Change};
use super::protocol::{
    Answer, Client, Refused, code, ends, lists, position, range, text_of, uri_of,
};
use super::server::{Server, folders};
use super::text::Encoding;
use super::uri;
use crate::args::IndentArg;

/// The commands.
const COMMANDS: [&str; 5] = [
    "jsonx.copyPath",
    "jsonx.jumpToPath",
    "jsonx.repair",
    "jsonx.minify",
    "jsonx.sort",
];

impl<W: Write> Server<W> {
    /// Answers `initialize`.
    pub fn initialize(&mut self, params: Option<Node<'_, '_>>) -> Value {
        self.client = Client::new(params);
        let find = |path: &str| params.and_then(|params| params.find(path).ok());
        let encodings = find("/capabilities/general/positionEncodings");
        self.encoding = if encodings.is_some_and(|all| lists(all, "utf-8")) {
            Encoding::Utf8
        } else {
            Encoding::Utf16
        };
        self.roots = find("/workspaceFolders").map(folders).unwrap_or_default();
        if self.roots.is_empty() {
            let root = params.and_then(|params| text_of(params, "rootUri"));
            self.roots.extend(root.and_then(|root| uri::to_path(&root)));
        }
        self.read_settings();
        json!({
            "capabilities": {
                "positionEncoding": match self.encoding {
                    Encoding::Utf8 => "utf-8",
                    Encoding::Utf16 => "utf-16",
                },
                "textDocumentSync": {"openClose": true, "change": 2, "save": true},
                "diagnosticProvider": {
                    "identifier": "jsonx",
                    "interFileDependencies": true,
                    "workspaceDiagnostics": false,
                },
                "codeActionProvider": {
                    "codeActionKinds": ["quickfix", "source.fixAll.jsonx", "source.sortKeys.jsonx"],
                },
                "documentFormattingProvider": true,
                "documentRangeFormattingProvider": true,
                "documentSymbolProvider": true,
                "foldingRangeProvider": true,
                "selectionRangeProvider": true,
                "definitionProvider": true,
                "referencesProvider": true,
                "executeCommandProvider": {"commands": COMMANDS},
                "workspace": {
                    "workspaceFolders": {"supported": true, "changeNotifications": true},
                },
            },
            "serverInfo": {"name": "jsonx", "version": env!("CARGO_PKG_VERSION")},
        })
    }

    /// Answers a request.
    pub fn request(&mut self, method: &str, params: Option<Node<'_, '_>>) -> Answer {
        if !method.starts_with("textDocument/") && method != "workspace/executeCommand" {
            let text = format!("unknown method {}", crate::report::escape(method));
            return Err(Refused(code::METHOD_NOT_FOUND, text));
        }
        let invalid = |text: &str| Refused(code::INVALID_PARAMS, text.to_owned());
        let params = params.ok_or_else(|| invalid("params are missing"))?;
        if method == "workspace/executeCommand" {
            return self.execute(params);
        }
        let name = method.trim_start_matches("textDocument/");
        let uri = uri_of(params).ok_or_else(|| invalid("textDocument.uri is missing"))?;
        let at = params.get("position").and_then(position);
        let needs_position = ["definition", "references"].contains(&name);
        if needs_position && at.is_none() {
            return Err(invalid("position is missing"));
        }
        let Some(open) = self.documents.get(&uri) else {
            return Err(invalid("the document is not open"));
        };
        let at = at.map_or(0, |at| open.text.offset(at));
        match name {
            "diagnostic" => Ok(json!({"kind": "full", "items": self.reported(open)})),
            "codeAction" => self.actions(open, params),
            "formatting" => self.format(open, params, 0..usize::MAX),
            "rangeFormatting" => {
                let chosen = params
                    .get("range")
                    .ok_or_else(|| invalid("range is missing"))?;
                let (start, end) =
                    ends(chosen).ok_or_else(|| invalid("range has no start and end"))?;
                let span = open.text.offset(start)..open.text.offset(end);
                // The indentation of the first line is selected too, with the end of the line above.
                let text = &open.text.bytes()[..span.start];
                let line = memrchr(b'\n', text).map_or(0, |at| text[..at].trim_ascii_end().len());
                // A selection of whole lines ends at the start of the next one, whose indentation is not selected.
                let bytes = open.text.bytes();
                let ends_line = !span.is_empty()
                    && span.end < bytes.len()
                    && bytes[..span.end].ends_with(b"\n");
                let end = span.end - usize::from(ends_line);
                self.format(open, params, line..end)
            }
            "documentSymbol" => Ok(self.symbols(open)),
            "foldingRange" => Ok(self.folding(open)),
            "selectionRange" => {
                let positions = params.get("positions");
                let positions = positions.ok_or_else(|| invalid("positions are missing"))?;
                let wanted = positions.elements().take(1000);
                Ok(self.selections(open, wanted.filter_map(position)))
            }
            "definition" => Ok(self.definition(open, at).unwrap_or(Value::Null)),
            "references" => Ok(self.references(open, at).unwrap_or(Value::Null)),
            _ => {
                let text = format!("unknown method {}", crate::report::escape(method));
                Err(Refused(code::METHOD_NOT_FOUND, text))
            }
        }
    }

    /// The edits that format a range.
    fn format(&self, open: &Open, params: Node<'_, '_>, wanted: Range<usize>) -> Answer {
        let change = Change::Format {
            within: wanted.clone(),
            indent: params.get("options").and_then(indent),
        };
        let new = self.formatted(open, change)?;
        let old = open.text.bytes();
        let wanted = wanted.start..wanted.end.min(old.len());
        let edits = layout::edits(old, &new, wanted);
        Ok(Value::Array(layout::as_json(&open.text, edits)))
    }

    /// Runs a command.
    fn execute(&mut self, params: Node<'_, '_>) -> Answer {
        let refused = |text: String| Refused(code::INVALID_PARAMS, text);
        let name = text_of(params, "command").unwrap_or_default();
        let arguments = params.get("arguments");
        if !COMMANDS.contains(&&*name) {
            return Err(refused(format!(
                "unknown command {}",
                crate::report::escape(&name)
            )));
        }
        let uri = uri_argument(arguments);
        let uri = uri.ok_or_else(|| refused("the first argument is not a URI".to_owned()))?;
        let Some(open) = self.documents.get(&uri) else {
            return Err(refused("the document is not open".to_owned()));
        };
        let second = arguments.and_then(|all| all.elements().nth(1));
        let new = match &*name {
            "jsonx.copyPath" => {
                let Some(at) = second.and_then(position) else {
                    return Err(refused("the second argument is not a position".to_owned()));
                };
                let at = open.text.offset(at);
                let third = arguments.and_then(|all| all.elements().nth(2)?.as_str());
                let notation = match third.as_deref() {
                    None | Some("dot") => Notation::Dot,
                    Some("jsonpath") => Notation::JsonPath,
                    Some("pointer") => Notation::Pointer,
                    Some(other) => {
                        let text = crate::report::escape(other);
                        return Err(refused(format!("{text} is not dot, jsonpath or pointer")));
                    }
                };
                let view = self.view(open, at);
                let place = view.locate(view.offset(at));
                return Ok(place.map_or(Value::Null, |place| {
                    json!(place.location.display(notation).to_string())
                }));
            }
            "jsonx.jumpToPath" => {
                let typed = second.and_then(Node::as_str);
                let typed =
                    typed.ok_or_else(|| refused("the second argument is not a path".to_owned()))?;
                return self.jump(&uri, &typed);
            }
            "jsonx.repair" => self.repaired(open, Applicability::Review),
            "jsonx.minify" => Some(self.formatted(open, Change::Minify)?),
            "jsonx.sort" => Some(self.formatted(open, Change::Sort)?),
            _ => None,
        };
        if let Some(edit) = new.and_then(|new| self.rewritten(open, &new)) {
            let label = name.trim_start_matches("jsonx.").to_owned();
            let asked = self.ask(
                "workspace/applyEdit",
                Some(json!({"label": label, "edit": edit})),
            );
            asked.map_err(|error| Refused(code::FAILED, error.to_string()))?;
        }
        Ok(Value::Null)
    }

    /// Finds the value at a path, and shows it.
    fn jump(&mut self, uri: &str, typed: &str) -> Answer {
        let failed = |text: String| Refused(code::FAILED, text);
        let path = Path::parse(typed).map_err(|error| failed(error.to_string()))?;
        let Some(open) = self.documents.get(uri) else {
            return Ok(Value::Null);
        };
        let view = self.view(open, 0);
        let document = view.document();
        let document = document.ok_or_else(|| failed("the text is not valid".to_owned()))?;
        let node = document
            .find(&path)
            .map_err(|error| failed(error.to_string()))?;
        let range = range(open.text.range(view.span(node.span())));
        if self.client.shows_documents {
            let shown = json!({"uri": uri, "takeFocus": true, "selection": range});
            let asked = self.ask("window/showDocument", Some(shown));
            asked.map_err(|error| failed(error.to_string()))?;
        }
        Ok(json!({"uri": uri, "range": range}))
    }
}

/// The indentation of the editor.
fn indent(options: Node<'_, '_>) -> Option<IndentArg> {
    if options.get("insertSpaces")?.as_bool()? {
        let size = u8::try_from(options.get("tabSize")?.as_i64()?).ok()?;
        (size > 0).then_some(IndentArg::Spaces(size))
    } else {
        Some(IndentArg::Tab)
    }
}
