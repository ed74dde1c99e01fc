//! Faults in documents of JSONC and JSON5: the value is the original one, and comments that the dialect allows stay.

use jsonx_core::jsonc::Dialect;
use jsonx_diagnose::Applicability;
use jsonx_diagnose::repair::repair;

use crate::words::{JOINED, broken_laws};
use crate::{all, options, report, result, safe};
use jsonx_testing::documents::{documents, value};
use jsonx_testing::inject::{Fault, KINDS, Random, UNFIXABLE, apply, inject};

/// Adds comments and trailing commas of JSONC to the lines of `text` that `faults` do not touch, and, for JSON5, writes keys without
/// quotes and strings in single quotes.
fn in_dialect(text: &str, fault: &Fault, is_json5: bool, random: &mut Random) -> String {
    let (start, end) = (fault.replaced.start, fault.replaced.start + fault.by.len());
    let mut out = String::new();
    let mut at = 0;
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    for (number, line) in lines.iter().enumerate() {
        let is_near = at <= end + 1 && start <= at + line.len() + 1;
        at += line.len();
        let content = line.trim_end();
        if is_near || content.is_empty() {
            out += line;
            continue;
        }
        let mut content = content.to_owned();
        let indent = content.len() - content.trim_start().len();
        if is_json5
            && let Some((key, rest)) = content[indent..].split_once("\": ")
            && let Some(key) = key.strip_prefix('"')
            && key.bytes().all(|byte| byte.is_ascii_alphabetic())
        {
            let rest = match rest.strip_prefix('"').and_then(|rest| rest.split_once('"')) {
                Some((inside, after @ ("" | ","))) if !inside.contains(['\\', '\'']) => {
                    format!("'{inside}'{after}")
                }
                _ => rest.to_owned(),
            };
            content = format!("{}{key}: {rest}", &content[..indent]);
        }
        let is_last = lines
            .get(number + 1)
            .is_some_and(|next| next.trim_start().starts_with(['}', ']']));
        if is_last && !content.ends_with([',', '{', '[']) && at + 1 < start.min(text.len()) {
            content.push(',');
        }
        match random.below(4) {
            0 => content += " // it's \"so\", {said}",
            1 => content += " /* [a], b: c */",
            _ => {}
        }
        out += &content;
        out.push('\n');
    }
    out
}

#[test]
fn faults_in_jsonc_and_json5_are_repaired() {
    let (mut count, mut same, mut wrong, mut lost) = (0, 0, Vec::new(), Vec::new());
    for (number, document) in documents().iter().enumerate() {
        let meant = value(&document.text).expect("valid");
        if !document.text.contains(&b'\n') {
            continue;
        }
        for kind in KINDS {
            for is_json5 in [false, true] {
                let mut random = Random(900 + number as u64);
                let Some(fault) = inject(document, kind, &mut random) else {
                    continue;
                };
                let (broken, _) = apply(&document.text, &[&fault]);
                let Ok(broken) = String::from_utf8(broken) else {
                    continue;
                };
                let text = in_dialect(&broken, &fault, is_json5, &mut random);
                // What the fault leaves of the document as JSON.
                let expected = result(&all(&broken)).unwrap_or_else(|| meant.clone());
                let dialect = if is_json5 {
                    Dialect::Json
                } else {
                    Dialect::Jsonc
                };
                let guesses = options(Applicability::Review).dialect(dialect);
                let repaired = repair(text.as_bytes(), &guesses);
                let json = String::from_utf8_lossy(&repaired.text);
                let found = result(&safe(&json)).filter(|_| repaired.is_valid());
                let name = format!("{kind} at {} of {}", fault.replaced.start, document.name);
                if kind == "truncated" && found.is_none() {
                    lost.push(format!("refused: {name}"));
                } else if !UNFIXABLE.contains(&kind) {
                    count += 1;
                    same += usize::from(found.as_ref() == Some(&expected));
                    if found != Some(expected) {
                        wrong.push(format!("{name}, {dialect:?}"));
                    }
                }
                if is_json5 || !repaired.is_valid() {
                    continue;
                }
                let slashes = |text: &str| text.matches('/').count();
                if slashes(&json) < slashes(&text) {
                    lost.push(format!("a comment: {name}"));
                }
                if !JOINED.contains(&kind) {
                    let laws = broken_laws(&text, &repaired).into_iter();
                    lost.extend(laws.map(|law| law.chars().take(100).collect()));
                }
            }
        }
    }
    eprintln!("{same} of {count} same");
    report(&lost);
    if std::env::var_os("JSONX_FAULTS").is_some() {
        report(&wrong);
    }
    assert!(100 * same >= 97 * count, "{same} of {count}: {wrong:#?}");
}
