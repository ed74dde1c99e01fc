//! Programs for jq, and the same for jsonx. The table "From jq" of `docs/paths.md` has the same rows, which a test
//! compares; messages about paths that are jq programs name the row that fits.

/// An idiom of jq.
pub struct Idiom {
    /// The words that a program must contain, all of them, for this row to be shown.
    pub signs: &'static [&'static str],
    /// The cells of the table.
    pub jq: &'static str,
    pub ours: &'static str,
}

const fn idiom(signs: &'static [&'static str], jq: &'static str, ours: &'static str) -> Idiom {
    Idiom { signs, jq, ours }
}

/// The rows of the table. Of those that fit, the first one is named.
pub const IDIOMS: [Idiom; 33] = [
    idiom(&[], "`jq .a.b`", "`jsonx get .a.b`"),
    idiom(
        &[],
        "`jq '.\"a-b\"'`, `jq '.[\"a-b\"]'`",
        "`jsonx get .a-b`",
    ),
    idiom(
        &[],
        "`jq '.a[0]'`, `jq '.a[-1]'`",
        "`jsonx get .a.0`, `jsonx get .a.-1`",
    ),
    idiom(
        &[],
        "`jq '.a[2:5]'` (an array)",
        "`jsonx get .a.2:5` (the elements)",
    ),
    idiom(
        &[],
        "`jq '.a[]'`, `jq '.a[].b'`",
        "`jsonx get '.a[]'`, `jsonx get '.a[].b'`",
    ),
    idiom(
        &["..", "|", "?"],
        "`jq '.. | .b? // empty'`",
        "`jsonx get ..b`",
    ),
    idiom(
        &["test("],
        "`jq '.a[] | select(.s | test(\"^x\"))'`",
        "`jsonx get '.a[]' --where 'search(.s, \"^x\")'`",
    ),
    idiom(
        &["@tsv"],
        "`jq -r '.a[] | [.b, .c] | @tsv'`",
        "`jsonx get '.a[]' --columns .b,.c --tsv`",
    ),
    idiom(
        &["@csv"],
        "`jq -r '.a[] | [.b, .c] | @csv'`",
        "`jsonx get '.a[]' --columns .b,.c --csv`",
    ),
    idiom(
        &["\\("],
        "`jq -r '.a[] | \"\\(.b): \\(.c)\"'`",
        "`jsonx jq -r '.a[] | \"\\(.b): \\(.c)\"'`",
    ),
    idiom(
        &["map(select("],
        "`jq '.a | map(select(.n > 3))'` (an array)",
        "`jsonx get '.a[]' --where '.n > 3'` (the elements)",
    ),
    idiom(
        &["select(", "length"],
        "`jq '.a[] | select(.b | length > 0)'`",
        "`jsonx get '.a[]' --where 'length(.b) > 0'`",
    ),
    idiom(
        &["select("],
        "`jq '.a[] | select(.n > 3)'`",
        "`jsonx get '.a[]' --where '.n > 3'`",
    ),
    idiom(
        &[],
        "`jq -c 'select(.level == \"error\")' app.jsonl`",
        "`jsonx get -c . --where '.level == \"error\"' app.jsonl`",
    ),
    idiom(
        &["to_entries"],
        "`jq -r '.a | to_entries[] | [.key, .value] | @tsv'`",
        "`jsonx get --with-path '.a.*'`",
    ),
    idiom(
        &["join("],
        "`jq -r 'map(.b) | join(\",\")'`",
        "`jsonx get -r '.[].b' \\| paste -sd,`",
    ),
    idiom(
        &["map("],
        "`jq 'map(.b)'` (an array)",
        "`jsonx get '.[].b'` (the elements)",
    ),
    idiom(
        &["keys"],
        "`jq '.a | keys'` (sorted, an array)",
        "`jsonx get --keys .a` (in document order, one per line)",
    ),
    idiom(&["length"], "`jq '.a | length'`", "`jsonx get --length .a`"),
    idiom(&["type"], "`jq '.a | type'`", "`jsonx get --type .a`"),
    idiom(
        &["first("],
        "`jq 'first(.a[])'`",
        "`jsonx get --limit 1 '.a[]'`",
    ),
    idiom(&["first"], "`jq '.a | first'`", "`jsonx get .a.0`"),
    idiom(&["last"], "`jq '.a | last'`", "`jsonx get .a.-1`"),
    idiom(
        &["//"],
        "`jq '.a // \"none\"'` (also for `null` and `false`)",
        "`jsonx get --default '\"none\"' .a` (if missing)",
    ),
    idiom(&["del("], "`jq 'del(.a.b)'`", "`jsonx del .a.b`"),
    idiom(
        &["|="],
        "`jq '.a |= f'`",
        "jq: `jsonx set` writes given values, and computes none",
    ),
    idiom(
        &["+="],
        "`jq '.a += [1]'` (an array)",
        "`jsonx append .a 1`",
    ),
    idiom(&[" = "], "`jq '.a.b = 5'`", "`jsonx set .a.b 5`"),
    idiom(
        &["{"],
        "`jq '{x: .a, y: .b}'`",
        "`jsonx get . --columns x=.a,y=.b --json`",
    ),
    idiom(
        &["sort_by("],
        "`jq 'sort_by(.b)'`, `group_by`, `unique`, `add`, arithmetic",
        "jq: `get` computes nothing but `--tally` (distinct values) and `--stats` (sums)",
    ),
    idiom(&[", "], "`jq '.a, .b'`", "`jsonx get -e .a -e .b`"),
    idiom(&[], "`jq -r`, `-j`, `-c`, `--raw-output0`", "the same"),
    idiom(
        &[],
        "`jq -e .a` (fails on `null` and `false` too)",
        "`jsonx get --exists .a` (fails if missing)",
    ),
];

/// The row that fits a program of jq.
pub fn of(program: &str) -> Option<&'static Idiom> {
    let fits = |idiom: &&Idiom| {
        !idiom.signs.is_empty() && idiom.signs.iter().all(|sign| program.contains(sign))
    };
    IDIOMS.iter().find(fits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_guide_has_the_same_table() {
        let guide = include_str!(concat!(env!("JSONX_GUIDES"), "/paths.md"));
        let (_, table) = guide.split_once("## From jq\n").expect("the section");
        let rows: Vec<String> = table
            .lines()
            .filter(|line| line.starts_with("| "))
            .skip(1)
            .map(str::to_owned)
            .collect();
        let escaped = |cell: &str| cell.replace("\\|", "|").replace('|', "\\|");
        let expected: Vec<String> = IDIOMS
            .iter()
            .map(|idiom| format!("| {} | {} |", escaped(idiom.jq), escaped(idiom.ours)))
            .collect();
        assert_eq!(rows, expected, "\n{}\n", expected.join("\n"));
    }

    #[test]
    fn programs_are_answered_by_the_row_that_fits() {
        for (program, ours) in [
            (".users | map(select(.age > 3))", "--where '.n > 3'"),
            (".a[] | [.b, .c] | @tsv", "--tsv"),
            (".a|to_entries", "--with-path"),
            (".a[]|select(.s|test(\"x\"))", "search("),
            (".a|first", ".a.0"),
            (".a, .b", "-e .a -e .b"),
            (".a | keys", "--keys"),
        ] {
            let found = of(program).expect(program);
            assert!(found.ours.contains(ours), "{program}: {}", found.ours);
        }
        assert!(of(".a.b").is_none());
    }
}
