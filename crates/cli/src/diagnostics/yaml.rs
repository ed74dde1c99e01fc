//! Files named `.yaml`: one line such as `x: 1` is plain text under any other name.

use jsonx_diagnose::{Advice, Code, Diagnostic, Span};

use crate::input::Name;

/// The first line of a file named as YAML, if it is not JSON.
pub(super) fn line(name: &Name, text: &[u8]) -> Option<Diagnostic> {
    let is_named = [&b".yaml"[..], b".yml"]
        .iter()
        .any(|it| name.bytes().ends_with(it));
    if !is_named {
        return None;
    }
    let mut end = 0;
    let mut lines = text.split_inclusive(|byte| *byte == b'\n');
    let line = lines.find(|line| {
        end += line.len();
        !line.trim_ascii().is_empty() && !line.starts_with(b"#")
    })?;
    let start = end - line.trim_ascii_start().len();
    let line = line.trim_ascii();
    let is_mapping = line.ends_with(b":") || line.windows(2).any(|pair| pair == b": ");
    let label = match line {
        [b'{' | b'[', ..] => return None,
        [b'-', b'-', b'-', ..] | [b'%', ..] => "YAML document",
        [b'-'] | [b'-', b' ', ..] => "YAML sequence",
        _ if is_mapping => "YAML mapping",
        _ => return None,
    };
    let mut finding = Diagnostic::new(Code::WrongFormat, Span::new(start, start + line.len()));
    finding.message = "this looks like YAML, not JSON".to_owned();
    finding.label = label.to_owned();
    finding.detected = Some("yaml");
    finding.advice = Some(Advice::Convert);
    Some(finding)
}
