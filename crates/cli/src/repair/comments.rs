//! Files that are not rewritten because their comments would be lost.

use jsonx_core::engine::Options;
use jsonx_core::jsonc::Dialect;
use jsonx_diagnose::Code;
use jsonx_diagnose::repair::Repair;

use crate::input::{BYTE_ORDER_MARK, Name};

/// Whether comments are among the remaining errors.
pub fn has_comments(repair: &Repair) -> bool {
    let mut left = repair.left.diagnostics.iter();
    left.any(|finding| finding.code == Code::Comment)
}

/// Whether a text is valid as JSON with comments and trailing commas.
pub fn is_jsonc(text: &[u8]) -> bool {
    let text = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
    let options = Options::default().dialect(Dialect::Jsonc);
    jsonx_core::engine::validate_with(text, options).is_ok()
}

/// The option that allows the comments of a file, and the command that removes them.
pub fn hint(name: &Name, is_jsonc: bool) -> String {
    let kind = match glob(name) {
        Some(glob) => format!("'{glob}=jsonc'"),
        None => "jsonc".to_owned(),
    };
    let effect = if is_jsonc {
        "makes it valid"
    } else {
        "allows them"
    };
    format!(
        "jsonx: {name}: comments are not removed from a file: `--input {kind}` {effect}, `jsonx fix --all` removes them\n"
    )
}

/// A glob that a file matches: its path, or its name if the path is not below this directory.
fn glob(name: &Name) -> Option<String> {
    let path = name.path()?;
    let below = path.strip_prefix(".").unwrap_or(path);
    let outside = below.is_absolute() || below.starts_with("..");
    let glob = if outside {
        below.file_name()?.to_str()?
    } else {
        below.to_str()?
    };
    let is_plain = |c: char| c.is_alphanumeric() || "._-/+,@%: ".contains(c);
    glob.chars().all(is_plain).then(|| glob.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn globs_name_one_file() {
        for (path, expected) in [
            ("a.json", Some("a.json")),
            ("./b/a.json", Some("b/a.json")),
            ("/etc/a b.conf", Some("a b.conf")),
            ("../a.json", Some("a.json")),
            ("[a].json", None),
            ("it's.json", None),
        ] {
            assert_eq!(glob(&Name::new(Path::new(path))).as_deref(), expected);
        }
    }
}
