//! Safe fixes compared with JavaScript and Python: a repair has the value that node or Python gives the text. Skipped
//! with a message if they are not installed.

use std::io::Write;
use std::process::{Command, Stdio};

use jsonx_diagnose::repair::{RepairOptions, repair};
use jsonx_testing::documents::value;
use jsonx_testing::inject::Random;

/// The number of generated texts.
const TEXTS: usize = 6000;

const SCALARS: &[&str] = &[
    "1",
    "-2.5",
    "+3",
    ".5",
    "5.",
    "0x1F",
    "0b101",
    "0o17",
    "1_000",
    "1e3",
    "010",
    "007",
    "true",
    "false",
    "null",
    "True",
    "False",
    "None",
    "\"a\"",
    "'b'",
    "'it\\'s'",
    "\"say \\\"hi\\\"\"",
    "'\\x41'",
    "'\\u0041'",
    "\"\\d\"",
    "'a\\\nb'",
    "'tab\\t'",
    "u'c'",
    "r'd\\d'",
    "'''e\n\"e\"'''",
    "`f`",
    "\"g\" + 'h'",
    "\"g\"+\"h\"",
    "\"it\\'s\"",
    "'i' 'j'",
    "(2)",
    "(3,)",
    "(4, 5)",
    "()",
    "'\"'",
    "'\\0'",
    "'\\v'",
    "-.5",
    "+.5e1",
    "'é'",
    "\"// no\"",
    "'/* no */'",
];

const KEYS: &[&str] = &[
    "a", "'b'", "\"c\"", "$d", "e_1", "1", "None", "0x10", "true", "u'k'",
];

const GAPS: &[&str] = &[
    "",
    "",
    "",
    " ",
    "\n",
    " /* c */ ",
    " // c\n",
    " # c\n",
    "/*c*/",
    "//c\n",
    "#c\n",
    "/* 'c': \"d\", [*/",
    "// don't\n",
];

/// A text in no particular language: each may reject it.
fn text(random: &mut Random, depth: usize) -> String {
    let mut pick = |list: &[&'static str]| list[random.below(list.len())];
    let (before, after) = (pick(GAPS), pick(GAPS));
    let kind = random.below(if depth < 3 { 6 } else { 4 });
    if kind < 4 {
        let scalar = SCALARS[random.below(SCALARS.len())];
        return format!("{before}{scalar}{after}");
    }
    let count = random.below(4);
    let mut inside = String::new();
    for number in 0..count {
        if kind == 4 {
            let key = KEYS[random.below(KEYS.len())];
            let gap = GAPS[random.below(GAPS.len())];
            inside += &format!("{key}{gap}:");
        }
        inside += &text(random, depth + 1);
        if number + 1 < count || random.below(3) == 0 {
            inside.push(',');
        }
    }
    match kind {
        4 => format!("{before}{{{inside}}}{after}"),
        _ => format!("{before}[{inside}]{after}"),
    }
}

/// The output of a program: an array with a JSON text or `null` for each text.
fn values(program: &str, script: &str, texts: &[String]) -> Option<Vec<Option<String>>> {
    let flag = if program == "node" { "-e" } else { "-c" };
    let mut child = Command::new(program)
        .args([flag, script])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let mut input = child.stdin.take()?;
    let texts = serde_json::to_vec(texts).ok()?;
    let writer = std::thread::spawn(move || input.write_all(&texts));
    let output = child.wait_with_output().ok()?;
    writer.join().ok()?.ok()?;
    serde_json::from_slice(&output.stdout).ok()
}

const NODE: &str = "
const texts = JSON.parse(require('fs').readFileSync(0, 'utf8'));
const seen = texts.map(text => {
  try {
    const value = (0, eval)('\"use strict\";(' + text + '\\n)');
    const json = JSON.stringify(value, (_, v) => {
      if (typeof v === 'bigint' || typeof v === 'undefined') throw 0;
      return v;
    });
    return json === undefined ? null : json;
  } catch { return null; }
});
console.log(JSON.stringify(seen));";

const PYTHON: &str = "
import ast, json, sys, warnings
warnings.simplefilter('ignore')
def one(text):
    try: return json.dumps(ast.literal_eval(text.strip()))
    except Exception: return None
print(json.dumps([one(text) for text in json.load(sys.stdin)]))";

#[test]
fn safe_fixes_preserve_the_values() {
    let mut random = Random(20_261_122);
    let texts: Vec<String> = (0..TEXTS).map(|_| text(&mut random, 0)).collect();
    for (program, script) in [("node", NODE), ("python3", PYTHON)] {
        let Some(seen) = values(program, script, &texts) else {
            eprintln!("skipped: {program} is not installed");
            continue;
        };
        let (mut accepted, mut repaired) = (0, 0);
        for (text, seen) in texts.iter().zip(&seen) {
            let Some(seen) = seen else { continue };
            accepted += 1;
            let repair = repair(text.as_bytes(), &RepairOptions::default());
            if !repair.is_valid() {
                continue;
            }
            repaired += 1;
            let result = String::from_utf8(repair.text).unwrap();
            assert_eq!(
                value(result.as_bytes()),
                value(seen.as_bytes()),
                "{program}: {text:?} is {result:?}"
            );
        }
        eprintln!("{program} reads {accepted} of {TEXTS} texts, and {repaired} are repaired");
        assert!(
            accepted > TEXTS / 10 && repaired > accepted / 4,
            "{program}: {accepted}, {repaired}"
        );
    }
}
