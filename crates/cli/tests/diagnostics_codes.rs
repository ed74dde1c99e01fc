//! Snapshots of the report for every code of the catalog, and properties of every report.

use std::collections::BTreeSet;

use jsonx_cli::report::{Checked, File, Format, Index, ReportSettings, explain, human};
use jsonx_diagnose::{Code, DiagnoseOptions, Framing, Lints, Report, diagnose};
use jsonx_testing::examples::{EXAMPLES, Example};

/// Compares `text` with `tests/diagnostics/snapshots/NAME.snap`.
fn snapshot(name: &str, text: &str) {
    let settings = {
        let mut settings = insta::Settings::clone_current();
        settings.set_snapshot_path("../../../tests/diagnostics/snapshots");
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        settings
    };
    settings.bind(|| insta::assert_snapshot!(name, text));
}

/// A file name with control sequences.
const NAME: &[u8] = b"a\x1b[2J\xFF\n.json";

fn examine(code: Code, example: &Example) -> Report {
    let framing = match example.mode {
        "lines" => Framing::Lines,
        "stream" => Framing::Stream,
        _ => Framing::OneValue,
    };
    let options = explain::example_options(code);
    diagnose(example.text, &options.lints(Lints::ALL).framing(framing))
}

/// The examples of the catalog, and additional ones.
fn all() -> Vec<(Code, Example)> {
    let own = Code::ALL.iter().map(|&code| {
        (
            code,
            Example {
                text: code.wrong(),
                mode: "",
            },
        )
    });
    let more = EXAMPLES.iter().flat_map(|(name, examples)| {
        let code: Code = name.parse().expect("a code of the catalog");
        examples.iter().map(move |&example| (code, example))
    });
    own.chain(more).collect()
}

#[test]
fn the_text_for_every_code() {
    let examples = all();
    for &code in Code::ALL {
        let mut text = String::new();
        for (_, example) in examples.iter().filter(|(of, _)| *of == code) {
            let report = examine(code, example);
            let found = report.diagnostics.iter().any(|d| d.code == code);
            assert!(
                found,
                "{code} is found in {:?}: {:?}",
                String::from_utf8_lossy(example.text),
                report.diagnostics
            );
            text.push_str(&human::render(
                &report,
                &File::new("f.json", example.text),
                &human::Options::default(),
            ));
            text.push_str("----------\n");
        }
        assert!(!text.is_empty(), "{code} has an example");
        snapshot(code.as_str(), &text);
    }
}

#[test]
fn output_of_explain() {
    let text: String = ["trailing-comma", "duplicate-key"]
        .map(|name| explain::explain(name.parse().expect("a code"), &human::Options::default()))
        .join("==========\n");
    snapshot("explain", &text);
}

/// A report in every format.
fn everything(report: &Report, text: &[u8], name: &[u8]) -> Vec<(String, String)> {
    let file = File::new(name, text);
    let checked = Checked::invalid(file, report.clone(), Some(0), text.len() as u64);
    let plain = ReportSettings::default();
    let in_ci = ReportSettings {
        human: human::Options {
            ci: true,
            ..plain.human
        },
        ..plain.clone()
    };
    let narrow = ReportSettings {
        human: human::Options {
            width: 60,
            ..plain.human
        },
        max_errors: Some(0),
        ..plain.clone()
    };
    let mut shown = Vec::new();
    for format in Format::all() {
        for (name, settings) in [("plain", &plain), ("in CI", &in_ci), ("narrow", &narrow)] {
            shown.push((
                format!("{format:?} {name}"),
                format.file(&checked, settings),
            ));
        }
    }
    shown
}

/// C0 except LF, DEL, C1, and the characters that change the direction of text.
fn is_unsafe(c: char) -> bool {
    matches!(c, '\0'..='\x09' | '\x0b'..='\x1f' | '\x7f'..='\u{9f}' | '\u{61c}' | '\u{200e}' | '\u{200f}'
        | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[test]
fn nothing_of_the_file_is_a_command_to_the_terminal() {
    const HOSTILE: [&str; 12] = [
        "\u{1b}[31m",
        "\u{9b}2J",
        "\u{7f}",
        "\u{202e}",
        "\u{2066}",
        "\u{7}",
        "\u{8}",
        "\u{0}",
        "\u{85}",
        "##[error]",
        "\u{200f}",
        "\r",
    ];
    let examples = all();
    // In CI, all of them with each code; otherwise three, different for each code.
    let every = match std::env::var_os("JSONX_CASES") {
        Some(_) => 1,
        None => 4,
    };
    for (number, (code, example)) in examples.iter().enumerate() {
        for hostile in HOSTILE.iter().skip(number % every).step_by(every) {
            // In the middle, and at the start of every token.
            let text = String::from_utf8_lossy(example.text).into_owned();
            let mut texts = vec![
                text.replace('a', hostile),
                text.replace(' ', hostile),
                format!("{text}{hostile}x"),
            ];
            texts.push(text.replace("\"", &format!("\"{hostile}")));
            for text in texts {
                let report = diagnose(text.as_bytes(), &explain::example_options(*code));
                for (reporter, out) in everything(&report, text.as_bytes(), NAME) {
                    let found = out.chars().find(|&c| is_unsafe(c));
                    assert_eq!(found, None, "{reporter}: {text:?}: {out}");
                    if reporter.ends_with("in CI") {
                        assert!(!out.contains("##["), "{reporter}: {text:?}: {out}");
                    }
                }
            }
        }
        let report = examine(*code, example);
        for (reporter, out) in everything(&report, example.text, NAME) {
            assert_eq!(
                out.chars().find(|&c| is_unsafe(c)),
                None,
                "{reporter}: {out}"
            );
        }
    }
}

#[test]
fn color_is_a_layer() {
    for (code, example) in all() {
        let report = examine(code, &example);
        let file = File::new("f.json", example.text);
        let plain = human::render(&report, &file, &human::Options::default());
        let color = human::render(
            &report,
            &file,
            &human::Options {
                color: true,
                ..human::Options::default()
            },
        );
        assert!(color.contains("\x1b["), "{code}");
        assert_eq!(without_escapes(&color), plain, "{code}");
    }
}

fn without_escapes(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("\x1b[") {
        out.push_str(&rest[..at]);
        let end = rest[at..].find('m').expect("a color ends");
        rest = &rest[at + end + 1..];
    }
    out + rest
}

/// The column of the first caret of a block, and the character above it.
fn above_the_caret(block: &str) -> Option<char> {
    let lines: Vec<&str> = block.lines().collect();
    let row = lines
        .iter()
        .position(|line| line.trim_start().starts_with('|') && line.contains('^'))?;
    let bar = lines[row].find('|')?;
    let column = lines[row].find('^')? - bar;
    let source = lines[row - 1];
    let mut cells = 0;
    for c in source[source.find('|')?..].chars() {
        if cells >= column {
            return Some(c);
        }
        cells += unicode_width::UnicodeWidthChar::width(c).unwrap_or(0);
    }
    None
}

#[test]
fn the_caret_is_under_the_offending_character() {
    let mut checked = 0;
    for (code, example) in all() {
        let report = examine(code, &example);
        let file = File::new("f.json", example.text);
        let source = file.text_of(&report);
        let index = Index::new(&source);
        for single in &report.diagnostics {
            let mut alone = Report::from(single.clone());
            alone.text.clone_from(&report.text);
            let shown = human::render(&alone, &file, &human::Options::default());
            let Some(c) = std::str::from_utf8(&source.bytes[single.span.start..])
                .ok()
                .and_then(|s| s.chars().next())
            else {
                continue;
            };
            let first = single
                .more
                .iter()
                .all(|more| more.start > single.span.start);
            if !jsonx_core::terminal::is_printable(c) || !first {
                continue;
            }
            checked += 1;
            let place = index.position(single.span.start);
            assert!(
                shown.contains(&format!("f.json:{}:{}", place.line, place.column)),
                "{shown}"
            );
            assert_eq!(above_the_caret(&shown), Some(c), "{code}:\n{shown}");
        }
    }
    assert!(checked > 80, "{checked} carets were checked");
}

#[test]
fn long_lines_stay_within_the_width() {
    let long = "x".repeat(300);
    let texts = [
        format!("[{}1 2{}]", "1,".repeat(5000), ",3".repeat(5000)),
        format!("{{\"{long}\": 'a', \"{long}\": tru}}"),
        format!("[\"{}\n\", {}]", "名".repeat(400), "'é', ".repeat(400)),
        format!("[{}}}, {}", "\"\t\"".repeat(200), "[".repeat(500)),
        format!("[\"{}\u{1b}{}", "a\u{301}".repeat(900), "b".repeat(900)),
    ];
    for text in texts {
        for width in [60, 100, 200] {
            let report = diagnose(text.as_bytes(), &DiagnoseOptions::default());
            let options = human::Options {
                width,
                ..human::Options::default()
            };
            let shown = human::render(&report, &File::new("f.json", text.as_bytes()), &options);
            assert!(!report.is_valid());
            for line in shown.lines().filter(|line| {
                line.trim_start_matches(|c: char| c.is_ascii_digit())
                    .starts_with(" | ")
            }) {
                // A label follows its mark, which is within the width.
                let marks = line.trim_start().starts_with('|');
                let cells: usize = line
                    .chars()
                    .map(|c| unicode_width::UnicodeWidthChar::width(c).unwrap_or(0))
                    .sum();
                assert!(
                    cells <= width + if marks { 60 } else { 24 },
                    "{cells} cells at width {width}: {line}"
                );
            }
        }
    }
}

#[test]
fn many_findings_are_counted_and_not_shown() {
    let text = "[\n".to_string() + &"  01,\n".repeat(500) + "  'a',\n  1\n]\n";
    let report = diagnose(text.as_bytes(), &DiagnoseOptions::default().limit(100));
    assert_eq!(report.errors, 501);
    let file = File::new("f.json", text.as_bytes());
    let shown = human::render(&report, &file, &human::Options::default());
    assert_eq!(shown.matches("error[leading-zero]").count(), 6);
    assert!(shown.contains("note: 494 more `leading-zero` on lines 8 to 501 of f.json not shown (--max-errors 0 shows all)"), "{shown}");
    let all = diagnose(text.as_bytes(), &DiagnoseOptions::default().limit(0));
    let shown = human::render(
        &all,
        &file,
        &human::Options {
            max_errors: 0,
            ..human::Options::default()
        },
    );
    assert_eq!(shown.matches("error[").count(), 501);
    let checked = Checked::invalid(file, report, Some(1), text.len() as u64);
    let shown = Format::Concise.file(&checked, &ReportSettings::default());
    assert!(shown.contains("error[leading-zero]: "), "{shown}");
    let few = ReportSettings {
        max_errors: Some(5),
        ..ReportSettings::default()
    };
    let shown = Format::Concise.file(&checked, &few);
    assert!(
        shown.contains("7:3: error[leading-zero]: 495 more like this from here on\n"),
        "{shown}"
    );
}

#[test]
fn an_excerpt_is_shown_with_its_place_in_the_file() {
    use jsonx_cli::report::Position;
    use jsonx_diagnose::syntax_error;
    let text = b"\"version\": 1,\n  \"files\": [1, 2, oops, 3],\n  \"more\": ";
    let offset = text
        .windows(4)
        .position(|word| word == b"oops")
        .expect("the fault");
    let error = jsonx_core::validate(b"[1, 2, oops").expect_err("invalid");
    let base = Position {
        offset: 5_000_000_000,
        line: 123_456,
        column: 78,
        column_utf16: 78,
    };
    let report = Report::from(syntax_error(error, text, offset));
    let shown = human::render(
        &report,
        &File::excerpt("big.json", text, base),
        &human::Options::default(),
    );
    snapshot("excerpt", &shown);
    // On the first line of the excerpt, the start of the line is missing.
    let report = Report::from(syntax_error(error, text, 11));
    let shown = human::render(
        &report,
        &File::excerpt("big.json", text, base),
        &human::Options::default(),
    );
    assert!(shown.contains("big.json:123456:89\n"), "{shown}");
    assert!(shown.contains("| ...\"version\": 1,\n"), "{shown}");
}

#[test]
fn every_example_is_of_a_code() {
    let names: BTreeSet<&str> = EXAMPLES.iter().map(|(name, _)| *name).collect();
    assert_eq!(names.len(), EXAMPLES.len(), "a code is listed once");
}
