//! The program's words for [`Advice`]: its own options, and commands of other programs.

use std::borrow::Cow;

use jsonx_core::diagnose::{Advice, Code, Diagnostic};

/// The sentences of help for a finding: its own, then its advice in terms of this program's options.
pub fn help(finding: &Diagnostic) -> Vec<Cow<'_, str>> {
    let advice = finding.advice.and_then(|advice| words(advice, finding));
    let help = finding.help.iter().map(|help| Cow::Borrowed(help.as_str()));
    advice.into_iter().chain(help).collect()
}

fn words(advice: Advice, finding: &Diagnostic) -> Option<Cow<'static, str>> {
    Some(Cow::Borrowed(match (advice, finding.detected) {
        (Advice::RaiseDepthLimit, _) => "`--max-depth N` sets another limit",
        (Advice::AllowComments, _) => {
            "comments are allowed in `*.jsonc`, `tsconfig.json`, `.vscode/*.json` and others that `jsonx explain jsonc` lists; `--input jsonc` allows them here"
        }
        (Advice::ReadLines, _) => {
            "this looks like JSON Lines (one value per line): add `--input jsonl`"
        }
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
            "export it as data: `node -p 'JSON.stringify(require(\"./FILE\"), null, 2)'`"
        }
        (Advice::Convert, Some("yaml")) => "convert it: `yq -o=json FILE`, or rename it to `.yaml`",
        (Advice::LeaveCanonicalForm, _) => {
            "RFC 8785 keeps numbers as doubles and text as Unicode; `--canonical` changes none of them silently"
        }
        (Advice::ConvertBigNumbers, _) => {
            "`--big float` writes the nearest double, `--big string` its digits as a string"
        }
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
