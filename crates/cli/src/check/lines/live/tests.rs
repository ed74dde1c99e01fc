use super::super::records::tests::line;
use super::*;
use crate::input::{Consumed, Input};
use jsonx_core::engine::validate_with;
use proptest::prelude::*;
use std::io::Write;

/// The first error in a line that is not blank, from a check of each line on its own.
fn expected(text: &[u8]) -> Option<u64> {
    let mut start = 0;
    for line in text.split(|&byte| byte == b'\n') {
        let blank = line.iter().all(|byte| b" \t\r".contains(byte));
        if let (false, Err(error)) = (blank, validate_with(line, Options::default())) {
            return Some(start + error.offset);
        }
        start += line.len() as u64 + 1;
    }
    None
}

/// The result of the check when the text is written to a pipe in chunks of these sizes.
fn found(text: &[u8], sizes: &[usize]) -> Option<u64> {
    let (reader, mut writer) = std::io::pipe().unwrap();
    let mut input = Input::of_stream(reader.into());
    let sizes: Vec<usize> = sizes.iter().copied().cycle().take(text.len()).collect();
    let (mut rest, mut sizes) = (text.to_vec(), sizes.into_iter());
    let writing = std::thread::spawn(move || {
        while !rest.is_empty() {
            let after = rest.split_off(sizes.next().unwrap().min(rest.len()));
            if writer.write_all(&rest).is_err() {
                break;
            }
            rest = after;
        }
    });
    let mut lines = LineValidator::new(Options::default());
    let checked = input.each_window(|window| {
        lines.push(window)?;
        Ok(Consumed::from(window.bytes().len()))
    });
    drop(input);
    writing.join().unwrap();
    match checked {
        Ok(()) => None,
        Err(Failure::Invalid(error)) => Some(error.offset),
        Err(Failure::Read(error) | Failure::Write(error)) => panic!("{error}"),
        Err(Failure::Refused(refusal)) => panic!("{refusal}"),
        Err(Failure::NotEncodable { kind, .. }) => panic!("{kind}"),
        Err(Failure::Declined { message, .. }) => panic!("{message}"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]
    #[test]
    fn lines_have_the_verdicts_they_have_alone(
        lines in prop::collection::vec(line(), 0..12),
        sizes in prop::collection::vec(1usize..200, 1..4),
    ) {
        let text = lines.join("\n").into_bytes();
        prop_assert_eq!(found(&text, &sizes), expected(&text));
    }
}
