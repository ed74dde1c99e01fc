use clap::{Args, FromArgMatches};
use proptest::prelude::*;

use super::super::request::{EditKind, Request};
use super::edit;
use crate::args::Set;
use crate::check::{CheckOptions, Failure, InputKind};
use crate::exit::Exit;
use crate::input::Input;

/// Sets `.a` to 9.
fn request() -> Request {
    let command = Set::augment_args(clap::Command::new("set"));
    let set = Set::from_arg_matches(&command.get_matches_from(["set", ".a", "9"])).unwrap();
    Request::of_addition(&set.path, &set.addition, EditKind::Set, &mut Vec::new())
        .unwrap_or_else(|_| unreachable!("the path and the value are valid"))
}

/// What was printed, and whether anything has changed or the reason to stop.
type Edited = (String, Result<bool, &'static str>);

/// The edit of a text that is written to a pipe in chunks of these sizes.
fn piped(text: &[u8], sizes: &[usize], kind: InputKind) -> Edited {
    let check = CheckOptions {
        kernel: None,
        lossy: false,
        max_depth: 100,
        rules: [].into(),
        configured: Some(kind),
        takes_streams: true,
        staged: None,
    };
    let mut printed = Vec::new();
    let ended = Input::with_pipe(text, sizes, |mut input| {
        edit(&request(), &check, &mut input, kind, false, |new| {
            printed.extend_from_slice(new);
            Ok(())
        })
    });
    let ended = ended.map_err(|failure| match failure {
        Failure::Invalid(_) => "invalid",
        Failure::Declined {
            exit: Exit::Usage, ..
        } => "refused",
        Failure::Declined { exit: Exit::No, .. } => "no match",
        _ => "other",
    });
    (String::from_utf8(printed).unwrap(), ended)
}

/// Lines, what each becomes, and the outcome for it.
const LINES: [(&str, &str, &str); 10] = [
    ("{\"a\": 1}\n", "{\"a\": 9}\n", "changed"),
    ("  { \"a\" : 9}\r\n", "  { \"a\" : 9}\r\n", "match"),
    (
        "{\"b\": [\"a\"]}\n",
        "{\"b\": [\"a\"], \"a\": 9}\n",
        "changed",
    ),
    ("[1]\n", "[1]\n", "miss"),
    (" \t\n", " \t\n", "blank"),
    ("{\"a\": \"x\"}\n", "", "refused"),
    ("{\"a\" 1}\n", "", "invalid"),
    // In JSON Lines, the last two are invalid.
    ("\"x\" }\n", "", "invalid"),
    (
        "{\"a\": 1} {\"a\":2}\n",
        "{\"a\": 9} {\"a\":9}\n",
        "changed",
    ),
    (
        "{\n  \"a\":\n\n  [1, 2]\n}\n",
        "{\n  \"a\":\n\n  9\n}\n",
        "changed",
    ),
];

/// Edits each line by itself.
fn naive(lines: &[usize], kind: InputKind) -> Edited {
    let (mut printed, mut matched, mut changed) = (String::new(), false, false);
    for &number in lines {
        let (_, new, outcome) = LINES[number];
        match outcome {
            _ if kind == InputKind::Jsonl && number >= LINES.len() - 2 => {
                return (printed, Err("invalid"));
            }
            "invalid" | "refused" => return (printed, Err(outcome)),
            _ => {}
        }
        matched |= matches!(outcome, "match" | "changed");
        changed |= outcome == "changed";
        printed += new;
    }
    if matched {
        (printed, Ok(changed))
    } else {
        (String::new(), Err("no match"))
    }
}

proptest! {
    #![proptest_config(jsonx_testing::cases(2_000))]

    /// The lines before a failing one are edited as each by itself, however the text is divided.
    #[test]
    fn records_are_edited_as_lines(
        lines in prop::collection::vec(
            prop_oneof![20 => 0..5_usize, 1 => 5..8_usize, 4 => 8..LINES.len()], 0..30),
        sizes in prop::collection::vec(1..100_usize, 1..4),
        mark in prop::sample::select(vec!["", "\u{FEFF}"]),
        kind in prop::sample::select(vec![InputKind::Jsonl, InputKind::Stream]),
    ) {
        let text: String = lines.iter().map(|&number| LINES[number].0).collect();
        let text = [mark, &text].concat();
        let (printed, ended) = naive(&lines, kind);
        let printed = match printed.as_str() {
            "" => String::new(),
            printed => [mark, printed].concat(),
        };
        let (found, found_end) = piped(text.as_bytes(), &sizes, kind);
        prop_assert_eq!(found.strip_prefix(mark).unwrap_or(&found), printed.strip_prefix(mark).unwrap_or(&printed));
        prop_assert!(printed.is_empty() || found.starts_with(mark));
        prop_assert_eq!(found_end, ended, "{:?}", text);
    }
}

#[test]
fn a_long_value_is_edited_when_it_is_complete() {
    let items = "  \"an element of a long array\",\n".repeat(100_000);
    let text = format!("{{\"a\": 1}}\n{{\"b\": [\n{items}  0], \"a\": 1}}\n{{\"a\": 1}}\n");
    let (printed, ended) = piped(text.as_bytes(), &[50_000], InputKind::Stream);
    assert_eq!(ended, Ok(true));
    assert!(printed == text.replace("\"a\": 1", "\"a\": 9"));
}
