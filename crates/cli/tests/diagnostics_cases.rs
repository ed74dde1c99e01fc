//! The thirty broken files of the shared suite, and the expected reports.

use std::collections::BTreeMap;
use std::fs;

use jsonx_cli::report::{Checked, File, FileTotals, Format, ReportSettings, Run};
use jsonx_diagnose::{DiagnoseOptions, diagnose};
use jsonx_testing::suite;

/// Reports that improve on the expected text: options were renamed, and there is more advice.
const BETTER: [(&str, &str); 6] = [
    (
        "export it as data: `node -p 'JSON.stringify(require(\"./FILE\"), null, 2)'`",
        "if it sets `module.exports`, export it as data: `cp FILE data.cjs && node -p 'JSON.stringify(require(\"./data.cjs\"), null, 2)'`",
    ),
    (
        "`yq -o=json FILE`, or",
        "`yq -o=json . FILE` (or `yq . FILE`, if that is the one from PyPI), or",
    ),
    (
        "use `--format concat` if a stream",
        "use `--input stream` if a stream",
    ),
    (
        "this looks like NDJSON (one value per line): validate it with `jsonx validate --format ndjson`",
        "this looks like JSON Lines (one value per line): add `--input jsonl`",
    ),
    (
        "  = at: .mean\n",
        "  = at: .mean\n  = help: `--input json5` reads such numbers, and `jsonx fix --all` writes null in their place\n",
    ),
    // Which files may have comments.
    (
        "listens on\n  |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ remove this comment\n",
        "listens on\n  |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ remove this comment\n  = help: `--input jsonc` allows \
         comments here, and `\"overrides\": [{\"files\": [\"06-comments.json\"], \"input\": \"jsonc\"}]` in jsonx.json always; `jsonx explain jsonc` lists the \
         files that may have them\n",
    ),
];

#[test]
fn the_text_of_every_case_is_as_expected() {
    let Some(suite) = suite("diagnostics") else {
        return;
    };
    let mut cases = BTreeMap::new();
    for entry in fs::read_dir(suite.join("cases")).expect("the cases") {
        let path = entry.expect("an entry").path();
        let name = path
            .file_stem()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        cases.insert(name, fs::read(path).expect("a case"));
    }
    assert_eq!(cases.len(), 30, "the suite is whole");
    for (name, text) in cases {
        let expected =
            fs::read_to_string(suite.join(format!("expected/{name}.txt"))).expect("the text");
        let expected = BETTER
            .iter()
            .fold(expected, |text, (old, new)| text.replace(old, new));
        // The commands contain the file name.
        let expected = expected.replace("FILE", &format!("{name}.json"));
        let report = diagnose(&text, &DiagnoseOptions::default());
        let file_name = format!("{name}.json");
        let file = File::new(&file_name, &text);
        let checked = Checked::invalid(file, report, Some(0), text.len() as u64);
        let settings = ReportSettings::default();
        let mut run = Run::default();
        run.add(FileTotals::new(&checked));
        let shown = Format::Human.file(&checked, &settings) + &Format::Human.end(&run, &settings);
        assert_eq!(shown, expected, "{name}");
    }
}
