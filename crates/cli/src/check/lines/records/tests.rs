use std::collections::BTreeMap;

use super::findings::More;
use super::*;
use jsonx_core::ErrorKind;
use jsonx_diagnose::Lints;
use jsonx_diagnose::lint::Linter;
use proptest::prelude::*;

const LINTS: Lints = Lints {
    byte_order_mark: false,
    ..Lints::ALL
};

pub fn search(limit: usize) -> Search {
    Search {
        options: Options::default(),
        checks: Checks::new(LINTS, None, limit),
        limit,
        takes_several: false,
    }
}

/// The expected findings, from a check line by line.
fn expected(text: &[u8]) -> LineFindings {
    let mut found = LineFindings::default();
    let mut offset = 0;
    for line in text.split_inclusive(|&byte| byte == b'\n') {
        let content = line.strip_suffix(b"\n").unwrap_or(line);
        if content.iter().any(|byte| !b" \t\r".contains(byte)) {
            let mut linter = Linter::new(LINTS, 0);
            let validator = Validator::new(Options::default());
            let error = match validator.check(content, &mut linter) {
                Ok(()) => None,
                Err(Stop::Invalid(error)) => Some(SyntaxError {
                    offset: offset + error.offset,
                    ..error
                }),
            };
            let findings = linter.finish().findings;
            let lints: Vec<Code> = match error {
                None => findings.iter().map(|finding| finding.code).collect(),
                Some(_) => Vec::new(),
            };
            if error.is_some() || !lints.is_empty() {
                let noted = Noted {
                    line: found.breaks,
                    record: found.records,
                    offset,
                    error,
                    lints,
                    evidence: Evidence::Line(line.to_vec()),
                };
                found.add(noted, 0);
            }
            found.records += 1;
        }
        found.breaks += u64::from(line.ends_with(b"\n"));
        let pairs = line
            .windows(2)
            .filter(|pair| pair[0] == b'\r' && pair[1] != b'\n');
        found.breaks += pairs.count() as u64 + u64::from(line.ends_with(b"\r"));
        offset += line.len() as u64;
    }
    found
}

fn pushed(text: &[u8], sizes: &[usize], limit: usize) -> LineFindings {
    let mut records = Records::new(search(limit), 0);
    let mut rest = text;
    for &size in sizes.iter().cycle() {
        let (piece, behind) = rest.split_at(size.min(rest.len()));
        records.push(piece);
        rest = behind;
        if rest.is_empty() {
            break;
        }
    }
    records.finish()
}

pub fn line() -> impl Strategy<Value = String> {
    prop_oneof![
        6 => "[0-9]{1,90}".prop_map(|digits| format!("[1{digits}]")),
        4 => "[a-z ]{0,150}".prop_map(|text| format!("{{\"text\": \"{text}\"}}\r")),
        2 => "[ \t\r]{0,70}",
        1 => Just("1 2".to_owned()),
        1 => Just("[1,".to_owned()),
        1 => Just("2]".to_owned()),
        1 => Just("{\"a\": 1, \"\\u0061\": 1e400}".to_owned()),
        1 => Just("[9007199254740993]".to_owned()),
        1 => "[a-z]{0,70}".prop_map(|text| format!("\"{text}")),
    ]
}

/// A valid line, most often with findings.
fn error_prone_line() -> impl Strategy<Value = String> {
    prop_oneof![
        2 => Just("[9007199254740993, 1e400, -9007199254740993]".to_owned()),
        1 => Just("9007199254740993".to_owned()),
        2 => Just("{\"a\": 1, \"\\u0061\": [1e400], \"a\": \"\\ud800 \\udc00\"}\r".to_owned()),
        1 => Just("\"\\ud800 \\ud83d\\ude00\"".to_owned()),
        1 => Just("[1,\r1e400]".to_owned()),
        1 => "[ \t\r]{0,70}",
        1 => "\"[a-z]{0,70}\"",
    ]
}

pub fn lines(most: usize) -> impl Strategy<Value = Vec<String>> {
    prop_oneof![
        prop::collection::vec(line(), 0..most),
        prop::collection::vec(error_prone_line(), 0..most),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]
    #[test]
    fn all_invalid_lines_are_found_for_any_chunk_sizes(
        lines in lines(14),
        sizes in prop::collection::vec(1usize..300, 1..5),
        limit in 1usize..5,
    ) {
        let text = lines.join("\n").into_bytes();
        let all = expected(&text);
        prop_assert_eq!(&pushed(&text, &sizes, 0), &all);

        let few = pushed(&text, &sizes, limit);
        let (mut retained, mut rest) = (Vec::new(), BTreeMap::new());
        let (mut invalid, mut error_prone) = (0, 0);
        for noted in &all.noted {
            let count = if noted.error.is_some() { &mut invalid } else { &mut error_prone };
            *count += 1;
            if *count <= limit {
                retained.push(noted.clone());
            } else {
                let codes = match noted.error {
                    Some(_) => &vec![Code::SyntaxError],
                    None => &noted.lints,
                };
                let place = LineStart { line: noted.line, offset: noted.offset };
                for &code in codes {
                    let more = rest.entry(code).or_insert(More { count: 0, ..More::one(place) });
                    more.count += 1;
                    more.last = place;
                }
            }
        }
        prop_assert_eq!(&few.noted, &retained);
        prop_assert_eq!(&few.more, &rest);
        prop_assert_eq!(few.first, all.first);
    }

    #[test]
    fn segments_add_up_to_the_whole(
        lines in lines(14).prop_filter("a line", |lines| !lines.is_empty()),
        cut in 0usize..14,
        limit in 0usize..5,
    ) {
        let text = lines.join("\n").into_bytes();
        let cut = lines[..cut.min(lines.len() - 1)].iter().map(|line| line.len() + 1).sum::<usize>();
        let mut first = Records::new(search(limit), 0);
        first.push(&text[..cut]);
        let mut second = Records::new(search(limit), cut as u64);
        second.push(&text[cut..]);
        let mut both = first.finish();
        both.append(second.finish(), limit);
        prop_assert_eq!(both, pushed(&text, &[100], limit));
    }
}

#[test]
fn a_lone_carriage_return_ends_a_line_but_not_a_record() {
    let long = "[1\r".to_owned() + &", 1".repeat(MAX_LINE / 2) + "\r]\r\n";
    for (first, breaks) in [
        ("[1,\r2]\n", 2),
        ("[1]\r\n", 1),
        ("[1,\r\r]\n", 3),
        (&long, 3),
    ] {
        let text = format!("{first}x\n");
        for pieces in [vec![1 << 20], vec![1, 2, 3]] {
            if text.len() > 100 && pieces.len() > 1 {
                continue;
            }
            let found = pushed(text.as_bytes(), &pieces, 0);
            let bad = found.noted.last().expect("the last line is wrong");
            assert_eq!((bad.line, bad.record), (breaks, 1), "{first:.20?}");
        }
    }
}

#[test]
fn lints_of_a_long_line_are_counted() {
    let text =
        "[1]\n[1e400".to_owned() + &", 1".repeat(MAX_LINE / 2) + ", 9007199254740993]\n1e999\n";
    let found = pushed(text.as_bytes(), &[1 << 20], 0);
    let more: Vec<_> = found
        .more
        .iter()
        .map(|(code, more)| (*code, more.count, more.first.line))
        .collect();
    assert_eq!(
        more,
        [(Code::UnsafeInteger, 1, 1), (Code::NumberRange, 1, 1)]
    );
    assert_eq!((found.noted.len(), found.noted[0].line), (1, 2));
}

#[test]
fn a_line_too_long_to_buffer_is_checked_as_it_arrives() {
    let long = "[\"語\"".to_owned() + &", 1".repeat(MAX_LINE / 2);
    for (end, error) in [
        ("]", None),
        (", ]", Some((ErrorKind::ExpectedValue, 2))),
        ("", Some((ErrorKind::UnexpectedEnd, 0))),
        ("] 1", Some((ErrorKind::TrailingContent, 2))),
    ] {
        let text = format!("1 2\n\n{long}{end}\nx\n");
        let found = pushed(text.as_bytes(), &[1 << 20, 63], 0);
        assert_eq!((found.breaks, found.records), (4, 3));
        assert_eq!(
            found.noted.len(),
            2 + usize::from(error.is_some()),
            "{end:?}"
        );
        assert_eq!(found.noted.last().unwrap().line, 3);
        let Some((_, behind)) = error else { continue };
        let bad = &found.noted[1];
        let offset = (5 + long.len() + behind) as u64;
        assert_eq!((bad.line, bad.record, bad.offset), (2, 1, 5));
        assert_eq!(bad.error.unwrap().offset, offset, "{end:?}");
        let Evidence::Excerpt(around, at, base) = &bad.evidence else {
            panic!("a line of {} bytes is held", long.len());
        };
        let place = base.offset as usize;
        assert_eq!(place + at, offset as usize);
        assert_eq!(around[..], text.as_bytes()[place..place + around.len()]);
        // One character before it in the line has three bytes.
        assert_eq!((base.line, base.column), (3, base.offset - 5 + 1 - 2));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]
    /// The lines of a valid stream with several values are noted if at least as many have one.
    #[test]
    fn lines_with_several_values_are_noted_in_a_log(
        lines in prop::collection::vec(prop::sample::select(vec!["1", "{}", "", "{}{} {}", "[1] 2"]), 0..40),
        before in 0u64..10,
        ends: bool,
    ) {
        let text = lines.join("\n") + if ends { "\n" } else { "" };
        let mut several = Vec::new();
        let (mut single, mut values) = (before, 0);
        for (number, line) in lines.iter().enumerate() {
            let count = match *line {
                "" => 0,
                "1" | "{}" => 1,
                "[1] 2" => 2,
                _ => 3,
            };
            single += u64::from(count == 1);
            if count > 1 {
                several.push((number as u64, values));
            }
            values += count;
        }
        let feeds = text.matches('\n').count() as u64;
        let counts = Counts { line_feeds: feeds, records: values };
        // Blank lines hide as many.
        let is_log = several.len() as u64 <= single && values > feeds + u64::from(!text.ends_with('\n'));
        let mut records = Records::new(search(0).for_reading(), 0);
        records.skip(text.as_bytes(), counts, before);
        let found = records.finish();
        prop_assert_eq!((found.breaks, found.records), (feeds, values));
        let noted = found.noted.iter().map(|noted| (noted.line, noted.record));
        let expected = if is_log { several } else { Vec::new() };
        // Many lines in a row with several values end the search.
        if found.noted.is_empty() && before + 8 < expected.len() as u64 {
            return Ok(());
        }
        prop_assert_eq!(noted.collect::<Vec<_>>(), expected);
    }
}
