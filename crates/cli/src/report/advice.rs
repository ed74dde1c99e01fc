//! The wording of [`Advice`]: options of this program, and commands of other programs.

use std::borrow::Cow;

use jsonx_diagnose::{Advice, Code, Diagnostic};

use super::escape::in_shell;

/// The help sentences of a finding in the file `name`: its own, then its advice in terms of this program's options.
pub fn help<'f>(finding: &'f Diagnostic, name: &[u8]) -> Vec<Cow<'f, str>> {
    let argument = argument(name);
    let advice = finding
        .advice
        .and_then(|advice| words(advice, finding, argument.as_deref()));
    let help = finding.help.iter().map(|help| Cow::Borrowed(help.as_str()));
    let named = |text: Cow<'f, str>| match (text.contains("FILE"), &argument) {
        (true, Some(name)) => Cow::Owned(text.replace("FILE", name)),
        _ => text,
    };
    advice.map(named).into_iter().chain(help).collect()
}

/// The name of a file as an argument in a shell; `None` for standard input, and for names that cannot be typed.
fn argument(name: &[u8]) -> Option<String> {
    let name = std::str::from_utf8(name).ok()?;
    if name.is_empty()
        || name.starts_with('<')
        || name.chars().any(char::is_control)
        || name.contains('`')
    {
        return None;
    }
    let name = if name.starts_with('-') {
        format!("./{name}")
    } else {
        name.to_owned()
    };
    Some(in_shell(&name))
}

/// The sentence; `FILE` in it stands for the name of the file, if it has one.
fn words(advice: Advice, finding: &Diagnostic, name: Option<&str>) -> Option<Cow<'static, str>> {
    let bare = name.map(|name| name.trim_end_matches('\''));
    let is_yaml = bare.is_some_and(|name| name.ends_with(".yaml") || name.ends_with(".yml"));
    Some(Cow::Borrowed(match (advice, finding.detected) {
        (Advice::RaiseDepthLimit, _) => "`--max-depth N` sets another limit",
        (Advice::AllowComments, _) if name.is_none() => {
            "`--input jsonc` allows comments here; `jsonx explain jsonc` lists the files that may have them"
        }
        (Advice::AllowComments, _) => {
            "`--input jsonc` allows comments here, and `\"overrides\": [{\"files\": [\"FILE\"], \"input\": \"jsonc\"}]` in jsonx.json always; `jsonx explain jsonc` lists the files that may have them"
        }
        (Advice::ReadJson5, _) => {
            "this looks like JSON5, another format: `--input json5` reads it, and `jsonx fix` converts it to JSON"
        }
        (Advice::ReplaceNonFinite, _) => {
            "`--input json5` reads such numbers, and `jsonx fix --all` writes null in their place"
        }
        (Advice::ReadLines, _) => {
            "this looks like JSON Lines (one value per line): add `--input jsonl`"
        }
        (Advice::ExtractValues, _) => "`jsonx fix --all` extracts the values as JSON Lines",
        (Advice::ReadStream, _) => {
            "wrap them in an array, or use `--input stream` if a stream of values is intended"
        }
        (Advice::Decompress, Some("gzip")) => {
            "decompress it first: `gzip -dc FILE | jsonx validate -`"
        }
        (Advice::Decompress, Some("zip")) => "extract it first: `unzip -p FILE | jsonx validate -`",
        (Advice::Decompress, Some("zstd")) => {
            "decompress it first: `zstd -dc FILE | jsonx validate -`"
        }
        (Advice::Decompress, Some("bzip2")) => {
            "decompress it first: `bzip2 -dc FILE | jsonx validate -`"
        }
        (Advice::Decompress, Some("xz")) => "decompress it first: `xz -dc FILE | jsonx validate -`",
        (Advice::Convert, Some("sqlite")) => {
            "export a table: `sqlite3 -json FILE 'select * from …'`"
        }
        (Advice::Convert, Some("javascript")) => {
            "if it sets `module.exports`, export it as data: `cp FILE data.cjs && node -p 'JSON.stringify(require(\"./data.cjs\"), null, 2)'`"
        }
        (Advice::Convert, Some("server-sent-events")) => {
            "check the data of the events: `sed -n '/\\[DONE\\]/d; s/^data: *//p' FILE | jsonx validate --input jsonl -`"
        }
        (Advice::Convert, Some("logfmt")) => {
            r#"convert it: `jsonx jq -cR '[scan("([^ =]+)=(\"(?:[^\"\\\\]|\\\\.)*\"|[^ ]*)") | {(.[0]): (.[1] | fromjson? // .)}] | add' FILE`"#
        }
        (Advice::Convert, Some("yaml")) if is_yaml => {
            "convert it: `yq -o=json . FILE` (or `yq . FILE`, if that is the one from PyPI)"
        }
        (Advice::Convert, Some("yaml")) => {
            "convert it: `yq -o=json . FILE` (or `yq . FILE`, if that is the one from PyPI), or rename it to `.yaml`"
        }
        (Advice::LeaveCanonicalForm, _) => {
            "RFC 8785 keeps numbers as doubles and text as Unicode; `--canonical` changes none of them silently"
        }
        (Advice::ConvertBigNumbers, _) => "`--lossy` writes the nearest double",
        (Advice::Reencode(from), _) => {
            // The message of the other codes begins with "the file".
            let what = match finding.code {
                Code::InvalidUtf8 => "the file",
                _ => "it",
            };
            return Some(format!("convert {what}: `iconv -f {from} -t UTF-8 FILE`").into());
        }
        _ => return None,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_arguments() {
        for (name, typed) in [
            (&b"a.json"[..], Some("a.json")),
            (b"dir/\xC3\xA9.json", Some("dir/é.json")),
            (b"a b.json", Some("'a b.json'")),
            (b"it's $(x).json", Some(r"'it'\''s $(x).json'")),
            (b"-r.json", Some("./-r.json")),
            (b"<stdin>", None),
            (b"a`b", None),
            (b"a\nb", None),
            (b"\xFF", None),
        ] {
            assert_eq!(argument(name).as_deref(), typed);
        }
    }
}
