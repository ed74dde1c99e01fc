//! `get` prints the same in every dialect, from every source, with any number of threads.

use std::io::Write;

use crate::{Folder, jsonx, run};

/// A document in one dialect: the file name, the value of `--input`, and the text.
struct Written {
    name: &'static str,
    kind: &'static str,
    text: String,
}

/// The tokens of one document in JSON and in JSON5. `,?` is a trailing comma.
const TOKENS: &str = r#"{ "v" : { "a" : 1 , "b" : [ 1 , 2.50 , "x y" , null , true ,? ] , "c" : 16 , "d" : { } ,? } , "w" : [ [ 1 ,? ] , [ 0.5 , 5.0 ] , "it's" , "it's" , 1 ,? ] , "n" : [ 1 , 16 , -2 , 0.5 ,? ] ,? }"#;
const JSON5: [(&str, &str); 12] = [
    ("\"v\"", "v"),
    ("\"a\"", "'a'"),
    ("\"b\"", "$b"),
    ("\"c\"", "c"),
    ("\"x y\"", "'x y'"),
    ("\"it's\"", "'it\\'s'"),
    ("16", "0x10"),
    ("1", "+1"),
    ("0.5", ".5"),
    ("5.0", "5.0"),
    ("\"w\"", "w"),
    ("\"n\"", "n"),
];

/// The document with `gap` at every token boundary.
fn text(gap: &str, is_json5: bool, has_commas: bool, padding: &str) -> String {
    let mut out = gap.to_owned();
    let mut tokens: Vec<&str> = Vec::new();
    let mut rest = TOKENS;
    while !rest.is_empty() {
        let end = match rest.strip_prefix('"') {
            Some(inside) => inside.find('"').expect("a quote") + 2,
            None => rest.find(' ').unwrap_or(rest.len()),
        };
        tokens.push(&rest[..end]);
        rest = rest[end..].trim_start();
    }
    for token in tokens {
        match (token, JSON5.iter().find(|(json, _)| *json == token)) {
            (",?", _) if has_commas => out.push(','),
            (",?", _) => continue,
            ("\"b\"", _) => out += if is_json5 { "b" } else { token },
            (_, Some((_, json5))) if is_json5 => out += json5,
            (json, _) => out += json,
        }
        out += gap;
        if token == "[" && !padding.is_empty() {
            let quote = if is_json5 { '\'' } else { '"' };
            out += &format!("{quote}{padding}{quote}{gap},{gap}");
        }
    }
    out
}

fn documents(padding: &str) -> Vec<Written> {
    let mut all = Vec::new();
    let mut add = |name, kind, text| all.push(Written { name, kind, text });
    for gap in ["", " ", "\r\n\t"] {
        add("a.json", "json", text(gap, false, false, padding));
    }
    for gap in ["/*x*/", " // \"x\",]}\n", "\t/* [ */ //*/\n"] {
        add("a.jsonc", "jsonc", text(gap, false, true, padding));
    }
    for gap in ["", "/*'*/", "\u{a0}//'\n", "\u{c}"] {
        add("a.json5", "json5", text(gap, true, true, padding));
    }
    all
}

const OPTIONS: &[&[&str]] = &[
    &["."],
    &[".*"],
    &["..*"],
    &["-c", "."],
    &["-c", ".*"],
    &["-c", "..*"],
    &["-H", ".v"],
    &["-H", ".v.b[2]"],
    &["-r", ".w[]"],
    &["-j", ".v[]"],
    &["--raw-output0", ".w[]"],
    &["--with-path", "..*"],
    &["--count", "..*"],
    &["--limit=2", "-c", ".w[]"],
    &["-c", "-e", ".w", "-e", ".v"],
    &["-c", "--default=[1, 2]", "-e", ".w", "-e", ".nope"],
    &["-c", "$.w[?@[-1] == 1]"],
    &["-c", "$[?length(@.b) > 4]"],
    &["-c", "$.w[?@ == \"it's\"]"],
];

#[test]
fn a_value_is_printed_the_same_in_every_dialect() {
    for padding in ["", &"p q".repeat(9_000)] {
        let documents = documents(padding);
        let plain = Folder::with(&[("a.json", documents[0].text.as_bytes())]);
        // Long values take time, and a few suffice to show that they are read in chunks.
        let step = if padding.is_empty() { 1 } else { 3 };
        for written in documents.iter().step_by(step) {
            let mut gzip = flate2::write::GzEncoder::new(Vec::new(), Default::default());
            gzip.write_all(written.text.as_bytes()).unwrap();
            let name = written.name;
            let folder = Folder::with(&[(name, written.text.as_bytes())]);
            std::fs::write(folder.path("a.gz"), gzip.finish().unwrap()).unwrap();
            let input = format!("--input={}", written.kind);
            for &options in OPTIONS {
                let expected = plain.run(&[&["get"], options, &["a.json"]].concat());
                assert!(!expected.out.is_empty(), "{options:?}: {}", expected.err);
                let sources: [&[&str]; 4] = [
                    &[name],
                    &[name, "--threads=1"],
                    &["a.gz", &input],
                    &["-", &input],
                ];
                for source in sources {
                    let args = [&["get"], options, source].concat();
                    let mut command = jsonx(&args);
                    command.current_dir(folder.path(""));
                    let ran = run(command.write_stdin(written.text.as_bytes()));
                    let shown = if source[0] == "-" {
                        "<stdin>"
                    } else {
                        source[0]
                    };
                    let out = ran.out.replace(shown, "a.json");
                    assert!(
                        out == expected.out && ran.code == expected.code,
                        "{args:?} of {:.300}\n{out:.300}\n{:.300}\n{}",
                        written.text,
                        expected.out,
                        ran.err
                    );
                }
            }
        }
    }
}

/// `--source` prints the bytes of the input: a substring that parses as the same value.
#[test]
fn the_source_of_a_value_is_its_bytes() {
    for mut written in documents("") {
        let has_mark = written.text.len() % 2 == 0;
        if has_mark {
            written.text.insert(0, '\u{feff}');
        }
        let name = written.name;
        let folder = Folder::with(&[(name, written.text.as_bytes()), ("part.json5", b"")]);
        for path in [
            ".", ".v", ".v.a", ".v.b", ".v.b[2]", ".v.c", ".w[0]", ".w[3]", ".n[3]",
        ] {
            let expected = folder.run(&["get", "-c", path, name]).out;
            let ran = folder.run(&["get", "--source", path, name]);
            let source = ran.out.strip_suffix('\n').expect("a line feed");
            assert!(written.text.contains(source), "{path}: {source}");
            std::fs::write(folder.path("part.json5"), source).unwrap();
            let read = folder.run(&["get", "-c", ".", "part.json5"]);
            assert_eq!(read.out, expected, "{path} of {}: {source}", written.text);
            let named = folder.run(&["get", "--source", "--with-path", "-H", path, name]);
            assert_eq!(named.out, format!("{name}:{path}\t{source}\n"));
            let piped = crate::piped(
                &["get", "--source", path, "--input", written.kind],
                &written.text,
            );
            assert_eq!(piped.out, ran.out, "{path}");
        }
    }
}

/// JSON cannot represent these, so nothing is printed instead.
#[test]
fn numbers_that_json_lacks_are_refused_or_printed_as_they_are() {
    let text = "[1, NaN, -Infinity, null, [+Infinity], NaN]";
    let folder = Folder::with(&[("a.json5", text.as_bytes())]);
    for options in [
        &["-c", "."][..],
        &[".[]"],
        &["-r", ".[1]"],
        &["--with-path", "..*"],
    ] {
        let ran = folder.run(&[&["get"], options, &["a.json5"]].concat());
        let message = "; `jsonx fix --all` writes null\n";
        assert!(ran.err.ends_with(message), "{options:?}: {}", ran.err);
        assert_eq!(ran.code, 3, "{options:?}");
        assert!(!ran.out.contains("null"), "{options:?}: {}", ran.out);
    }
    for (options, out) in [
        (&["--source", ".[1]"][..], "NaN\n"),
        (
            &["--source", "."],
            "[1, NaN, -Infinity, null, [+Infinity], NaN]\n",
        ),
        (&["--count", "..*"], "7\n"),
        (&["--limit=1", ".[]"], "1\n"),
    ] {
        let ran = folder.run(&[&["get"], options, &["a.json5"]].concat());
        assert_eq!((ran.out.as_str(), ran.code), (out, 0), "{options:?}");
    }
}
