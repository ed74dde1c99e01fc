//! Edits of formatted files: a new child of the same shape as its siblings leaves the file formatted.

use std::path::PathBuf;

use super::laws::{pointer, values};
use crate::Document;
use crate::engine::{Options, Validator};
use crate::format::{Indent, NumberArrays, PrettierStyle, RewriteOptions, Rewriter, Style};
use crate::token::Kind;

/// Longer files are skipped.
const LONGEST: u64 = 256 << 10;

/// Containers of a file that are edited.
const EDITED: usize = 24;

/// The width of a line of the styles that have one.
const WIDTH: usize = 80;

fn styles() -> Vec<(&'static str, RewriteOptions)> {
    let pretty = RewriteOptions::default();
    let prettier = PrettierStyle::default();
    let tight = prettier.bracket_spacing(false);
    vec![
        ("compact", pretty.style(Style::Compact)),
        ("2 spaces", pretty),
        ("4 spaces", pretty.style(Style::Pretty(Indent::Spaces(4)))),
        ("tabs", pretty.style(Style::Pretty(Indent::Tab))),
        ("width", pretty.width(Some(WIDTH as u16))),
        ("prettier", pretty.prettier(Some(prettier))),
        ("prettier, tight", pretty.prettier(Some(tight))),
        (
            "width, prettier",
            pretty.prettier(Some(prettier.collapse(true))),
        ),
    ]
}

fn formatted(text: &[u8], options: RewriteOptions) -> Option<Vec<u8>> {
    let check = || Validator::new(Options::default());
    let arrays = check().check(text, NumberArrays::default()).ok()?;
    let rewriter = Rewriter::new(options, Vec::new()).number_arrays(arrays);
    check().check(text, rewriter).ok()
}

fn files() -> Vec<PathBuf> {
    let mut folders: Vec<PathBuf> = Vec::new();
    folders.extend(jsonx_testing::suite("JSON-Schema-Test-Suite"));
    folders.extend(std::env::var_os("JSONX_CORPORA").map(PathBuf::from));
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap().flatten() {
            let path = entry.path();
            let is_short = || entry.metadata().is_ok_and(|it| it.len() <= LONGEST);
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|it| it == "json") && is_short() {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

#[test]
fn formatted_files_stay_formatted() {
    let (mut tried, mut by_width, mut wrong) = (0, 0, Vec::new());
    for file in files() {
        let text = std::fs::read(&file).unwrap();
        for (name, options) in styles() {
            let Some(text) = formatted(&text, options) else {
                continue;
            };
            let document = Document::parse(&text).unwrap();
            let containers = values(&document).into_iter().filter_map(|(place, node)| {
                let count = match node.kind() {
                    Kind::Array => node.elements().count(),
                    Kind::Object => node.members().count(),
                    _ => 0,
                };
                // Prettier divides arrays of more than one object.
                (count > 1).then(|| (pointer(&place), node, count))
            });
            let containers: Vec<_> = containers.collect();
            for (path, node, count) in containers.iter().step_by(1 + containers.len() / EDITED) {
                let last = match node.kind() {
                    Kind::Array => node.elements().last(),
                    _ => node.members().last().map(|(_, value)| value),
                };
                let value = last.unwrap().minified();
                let places = match node.kind() {
                    Kind::Array => vec![format!("{path}/-"), format!("{path}/{}", count - 1)],
                    _ => vec![format!("{path}/new key")],
                };
                for place in places {
                    let edited = document.edit().insert(&place, &*value).unwrap().finish();
                    let has_width = options.width.is_some() || options.prettier.is_some();
                    let too_wide = |line: &[u8]| line.len() > WIDTH && has_width;
                    if edited.split(|byte| *byte == b'\n').any(too_wide) {
                        continue;
                    }
                    tried += 1;
                    let expected = formatted(&edited, options).unwrap();
                    if edited != expected && name.starts_with("width") {
                        by_width += 1;
                    } else if edited != expected {
                        let shown = String::from_utf8_lossy(&edited).into_owned();
                        let expected = String::from_utf8_lossy(&expected).into_owned();
                        let differs = shown.lines().zip(expected.lines()).find(|(a, b)| a != b);
                        wrong.push(format!("{} {name} {place}: {differs:?}", file.display()));
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {tried}: {wrong:#?}", wrong.len());
    // The siblings do not show whether a value fits.
    assert!(100 * by_width <= tried, "{by_width} of {tried}");
}
