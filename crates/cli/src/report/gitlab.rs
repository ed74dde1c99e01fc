//! GitLab's Code Quality report: an array of issues in the format of Code Climate.
//!
//! Paths are relative to the root of the repository, without `./`, because GitLab finds no others. Lines and columns
//! count from 1; columns are Unicode code points, and an end is exclusive. GitLab shows only one of several issues with
//! the same fingerprint, so equal findings are numbered.

use jsonx_diagnose::Severity;

use super::entry::{FileEntries, Region};
use super::fingerprint::{Fingerprints, of_unreadable};
use super::object::Object;
use super::path::Repository;
use super::{Checked, Outcome, Position};

/// The issues of one file, at most `most` findings of each severity (0 for all), joined by commas.
pub(super) fn file(checked: &Checked, most: usize, repository: &Repository) -> String {
    let name = checked.file.name;
    let path = repository.path(name);
    let shown = String::from_utf8_lossy(&path);
    if let Outcome::Unreadable { reason } = &checked.outcome {
        return Object::each([reason], |reason, issue| {
            issue.text("type", "issue");
            issue.text("check_name", "unreadable");
            issue.text("description", reason);
            issue.text("severity", "blocker");
            issue.text("fingerprint", &of_unreadable(&path));
            issue.object("location", |location| {
                location.text("path", &shown);
                location.object("lines", |lines| lines.number("begin", 1));
            });
        });
    }
    let source = FileEntries::new(checked, most);
    let mut fingerprints = Fingerprints::default();
    Object::each(&source.entries, |entry, issue| {
        issue.text("type", "issue");
        issue.text("check_name", entry.code);
        issue.text("description", &entry.text);
        issue.object("content", |content| {
            content.text("body", &entry.details_and_places(&source.index, repository))
        });
        issue.text("severity", severity(entry.severity));
        issue.text("fingerprint", &fingerprints.next(&path, entry));
        issue.object("location", |location| {
            location.text("path", &shown);
            location.object("positions", |positions| {
                place(source.region(entry.span), positions);
            });
        });
    })
}

fn place(region: Region, positions: &mut Object) {
    let mut put = |key, position: Position| {
        positions.object(key, |place| {
            place.number("line", position.line);
            place.number("column", position.column);
        });
    };
    put("begin", region.start);
    put("end", region.end);
}

fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "critical",
        Severity::Warning => "minor",
    }
}
