//! SARIF 2.1.0, one run for all files.
//!
//! Lines and columns count from 1; columns are Unicode code points, as `columnKind` states, and an end is exclusive.
//! Byte offsets count from 0, and are omitted for text decoded from another encoding. Files are named by a URI
//! reference relative to the root of the repository, which preserves every byte of the name.
//!
//! The standard (section 3.11.5) requires doubled braces in messages, because of placeholders. They are not doubled here:
//! readers show a message without `arguments` verbatim, and advice to insert `}}` would be wrong.

use jsonx_core::path::Notation;
use jsonx_diagnose::{Fix, Severity};

use super::entry::{Entry, FileEntries};
use super::explain::{Rule, first_sentence, rules};
use super::fingerprint::Fingerprints;
use super::object::Object;
use super::path::Repository;
use super::{Checked, File, Index, Outcome, Run};
use jsonx_diagnose::Span;

/// The URL of the schema.
const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// The text before the first result: the tool, its rules, and the unit of columns.
pub(super) fn begin() -> String {
    let mut out = format!("{{\"$schema\":\"{SCHEMA}\",\"version\":\"2.1.0\",\"runs\":[{{\"tool\":");
    Object::write(&mut out, |tool| {
        tool.object("driver", |driver| {
            driver.text("name", "jsonx");
            driver.text("version", env!("CARGO_PKG_VERSION"));
            driver.text("semanticVersion", env!("CARGO_PKG_VERSION"));
            driver.list("rules", rules(), |rule, object| rule.write(object));
        });
    });
    out.push_str(
        ",\"defaultEncoding\":\"utf-8\",\"newlineSequences\":[\"\\r\\n\",\"\\n\",\"\\r\"]",
    );
    out.push_str(",\"columnKind\":\"unicodeCodePoints\",\"results\":[\n");
    out
}

/// The number of the rule with this code.
fn number_of(code: &str) -> Option<usize> {
    rules().position(|rule| rule.code == code)
}

impl Rule {
    fn write(&self, rule: &mut Object) {
        let brief = first_sentence(self.meaning);
        rule.text("id", self.code);
        rule.object("shortDescription", |text| {
            text.text("text", &format!("{brief}."));
        });
        rule.object("fullDescription", |text| text.text("text", self.meaning));
        rule.object("defaultConfiguration", |configuration| {
            configuration.text("level", level(self.severity));
        });
        rule.object("help", |help| {
            help.text("text", &self.help(str::to_owned));
            help.text("markdown", &self.help(fenced));
        });
    }

    fn help(&self, format: impl Fn(&str) -> String) -> String {
        let mut help = self.meaning.to_owned();
        for (name, text) in self.examples() {
            help += &format!("\n\n{name}:\n\n{}", format(text));
        }
        help
    }
}

/// Any text as a code block in Markdown.
fn fenced(text: &str) -> String {
    format!("~~~~~~json\n{}\n~~~~~~", text.trim_end_matches('\n'))
}

/// Whether a text starts like a report, up to the program's version, which may differ.
pub(super) fn is_report(head: &[u8]) -> bool {
    let begin = begin();
    let end = begin.find("\"semanticVersion\"").unwrap_or(begin.len());
    let end = begin[..end].find("\"version\":\"0").unwrap_or(end);
    head.starts_with(&begin.as_bytes()[..end.min(head.len())]) && !head.is_empty()
}

/// The results of one file, at most `most` findings of each severity (0 for all), joined by commas.
pub(super) fn file(checked: &Checked, most: usize, repository: &Repository) -> String {
    if let Outcome::Unreadable { .. } = checked.outcome {
        return String::new();
    }
    let source = FileEntries::new(checked, most);
    let path = repository.path(checked.file.name);
    let uri = repository.uri(checked.file.name);
    let mut fingerprints = Fingerprints::default();
    Object::each(&source.entries, |entry, object| {
        let fingerprint = fingerprints.next(&path, entry);
        result(entry, &source, (&uri, repository), &fingerprint, object);
    })
}

fn result(
    entry: &Entry,
    source: &FileEntries,
    (uri, repository): (&str, &Repository),
    fingerprint: &str,
    result: &mut Object,
) {
    let number = number_of(entry.code);
    result.text("ruleId", entry.code);
    // The layout rule is not listed: it is not a diagnostic code.
    if let Some(number) = number {
        result.number("ruleIndex", number as u64);
    }
    result.text("level", level(entry.severity));
    message(&entry.details(), result);
    result.list("locations", [entry.span], |span, location| {
        physical(span, source, uri, location);
        let Some(path) = entry.finding.map(|finding| &finding.path) else {
            return;
        };
        if !path.is_root() {
            location.list(
                "logicalLocations",
                [path.display(Notation::Dot).to_string()],
                |path, logical| {
                    logical.text("fullyQualifiedName", &path);
                },
            );
        }
    });
    result.object("partialFingerprints", |fingerprints| {
        fingerprints.text("jsonxFinding/v1", fingerprint);
    });
    let Some(finding) = entry.finding else { return };
    let related = finding.related.iter().map(|r| (r.span, r.label.as_str()));
    let more = finding.more.iter().map(|&span| (span, "here too"));
    let others: Vec<(Span, &str)> = related.chain(more).collect();
    let places = others.into_iter().map(Ok);
    let places: Vec<_> = places.chain(finding.elsewhere.iter().map(Err)).collect();
    if !places.is_empty() {
        result.list("relatedLocations", places, |place, location| match place {
            Ok((span, label)) => {
                physical(span, source, uri, location);
                message(label, location);
            }
            Err(other) => {
                let file = File::new(&other.source.name, &other.source.text);
                let source = FileEntries {
                    index: Index::new(&file),
                    entries: Vec::new(),
                    file,
                };
                let uri = repository.uri(&other.source.name);
                physical(other.span, &source, &uri, location);
                message(&other.label, location);
            }
        });
    }
    if let Some(found) = entry.fix() {
        result.list("fixes", [found], |found, object| {
            fix(found, source, uri, object)
        });
    }
}

fn fix(found: &Fix, source: &FileEntries, uri: &str, fix: &mut Object) {
    fix.object("description", |text| text.text("text", &found.description));
    fix.list("artifactChanges", [found], |found, change| {
        artifact(uri, change);
        change.list("replacements", &found.edits, |edit, replacement| {
            replacement.object("deletedRegion", |object| region(edit.span, source, object));
            replacement.object("insertedContent", |text| text.text("text", &edit.text));
        });
    });
    fix.object("properties", |properties| {
        properties.text("applicability", found.applicability.as_str());
    });
}

fn physical(span: Span, source: &FileEntries, uri: &str, location: &mut Object) {
    location.object("physicalLocation", |physical| {
        artifact(uri, physical);
        physical.object("region", |object| region(span, source, object));
    });
}

fn artifact(uri: &str, owner: &mut Object) {
    owner.object("artifactLocation", |location| {
        location.text("uri", uri);
        if !uri.starts_with("file:") {
            location.text("uriBaseId", "%SRCROOT%");
        }
    });
}

fn region(span: Span, source: &FileEntries, object: &mut Object) {
    let region = source.region(span);
    object.number("startLine", region.start.line);
    object.number("startColumn", region.start.column);
    object.number("endLine", region.end.line);
    object.number("endColumn", region.end.column);
    if !source.file.decoded {
        object.number("byteOffset", source.index.offset(span.start));
        object.number("byteLength", (span.end - span.start) as u64);
    }
}

/// Writes a `message`. Escapes `[text](target)`, which would be a link, because the text may come from a file.
fn message(text: &str, owner: &mut Object) {
    let text = if text.contains("](") {
        text.replace('[', "\\[").replace(']', "\\]")
    } else {
        text.to_owned()
    };
    owner.object("message", |message| message.text("text", &text));
}

fn level(severity: Severity) -> &'static str {
    severity.as_str()
}

/// The text after the last result: the outcome of the run, and the files that could not be read.
pub(super) fn end(run: &Run, repository: &Repository) -> String {
    let mut out = String::from("\n],\"invocations\":[");
    Object::write(&mut out, |invocation| {
        invocation.boolean("executionSuccessful", run.failures == 0);
        let unnamed = run.failures - run.unreadable.len() as u64;
        if run.failures == 0 {
            return;
        }
        let named = run.unreadable.iter().map(Some);
        let rest = (unnamed > 0).then_some(None);
        invocation.list(
            "toolExecutionNotifications",
            named.chain(rest),
            |file, notification| {
                notification.text("level", "error");
                let Some(file) = file else {
                    message(
                        &format!("{unnamed} more files could not be read"),
                        notification,
                    );
                    return;
                };
                message(&file.reason, notification);
                notification.list("locations", [&file.name], |name, location| {
                    location.object("physicalLocation", |physical| {
                        artifact(&repository.uri(name), physical);
                    });
                });
            },
        );
    });
    out.push_str("]}]}\n");
    out
}
