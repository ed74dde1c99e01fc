//! Hostile and costly schemas and values.

use super::*;

/// The error for exceeding the steps names the option that allows more; a costly pattern is shown in the schema.
#[test]
fn expensive_requests_are_refused() {
    let mut doubling = String::from("{\n\"$defs\": {");
    for number in 0..30 {
        let next = format!("{{\"$ref\": \"#/$defs/a{}\"}}", number + 1);
        doubling += &format!("\n\"a{number}\": {{\"anyOf\": [{next}, {next}]}},");
    }
    doubling += "\n\"a30\": {\"type\": \"integer\"}},\n\"$ref\": \"#/$defs/a0\"}";
    let shown = |schema: &str, instance: &str, options: &[&str]| {
        let ran = ran(schema, instance, options);
        (ran.out, ran.code)
    };
    let (out, code) = shown(&doubling, "\"x\"", &[]);
    assert!(
        out.contains("cannot be checked with the schema: too many steps"),
        "{out}"
    );
    assert!(
        out.contains("the limit is 5001500 steps: `--max-steps N` sets it"),
        "{out}"
    );
    assert_eq!(code, 4);

    let shorter = doubling.replace("\"$ref\": \"#/$defs/a0\"", "\"$ref\": \"#/$defs/a20\"");
    for (steps, expected) in [("100", 4), ("100000000", 1), ("0", 1)] {
        let (out, code) = shown(&shorter, "\"x\"", &["--max-steps", steps]);
        assert_eq!(code, expected, "{steps}: {out}");
    }

    let text = format!("\"{}\"", "a".repeat(40));
    let schema = "{\"allOf\": [\n{\"pattern\": \"^(([a-z])+.)+[A-Z](?!q)([a-z])+$\"}]}";
    let (out, code) = shown(schema, &text, &["--reporter", "concise"]);
    assert!(out.contains("[by this pattern: s.json:2:2]"), "{out}");
    assert_eq!(code, 4);
    let (out, code) = shown(schema, &text, &["--max-steps", "0"]);
    let limit = "a pattern may backtrack 100000 times in one text, also with `--max-steps 0`";
    assert!(code == 4 && out.contains(limit), "{out}");
    let schema = "{\n\"patternProperties\": {\"^(([a-z])+.)+[A-Z](?!q)([a-z])+$\": true}}";
    let (out, code) = shown(
        schema,
        &format!("{{{text}: 1}}"),
        &["--reporter", "concise"],
    );
    assert!(out.contains("[by this pattern: s.json:2:23]"), "{out}");
    assert_eq!(code, 4);

    // Keywords that compare whole values or long numbers, even if applied once.
    let list: Vec<String> = (0..20_000).map(|number| number.to_string()).collect();
    let list = format!("[{}]", list.join(","));
    let long = "7".repeat(900);
    let (multiple, divisor) = (format!("{long}{long}0"), format!("{long}1"));
    for (keyword, value, instance) in [
        ("uniqueItems", "true", &list),
        ("enum", &*format!("[{}]", list.replace("[0", "[1")), &list),
        ("const", &list.replace("[0", "[1"), &list),
        ("multipleOf", &divisor, &multiple),
    ] {
        let schema = format!("{{\"allOf\": [true, {{\"{keyword}\": {value}}}]}}");
        let options = ["--max-steps", "5000", "--reporter", "concise"];
        let (out, code) = shown(&schema, instance, &options);
        assert!(
            out.contains("cannot be checked with the schema: too many steps"),
            "{keyword} {out}"
        );
        assert_eq!(code, 4);
    }
}

#[test]
fn hostile_input_ends_in_an_error() {
    let recursive = r##"{"items": {"$ref": "#"}, "contains": {"$ref": "#"}, "minContains": 0}"##;
    let deep = |levels: usize| "[".repeat(levels) + &"]".repeat(levels);
    let ran_of = |schema: &str, instance: &str, options: &[&str]| {
        ran(
            schema,
            instance,
            &[&["--reporter", "concise"], options].concat(),
        )
    };
    let ran = ran_of(recursive, &deep(100_000), &["--max-depth", "0"]);
    assert!(ran.out.contains("error[schema/limit]: the document cannot be checked with the schema: nested more than 10000 levels deep"), "{}{}", ran.out, ran.err);
    assert_eq!(ran.code, 4);
    assert_eq!(ran_of(recursive, &deep(100_000), &[]).code, 4);
    assert_eq!(ran_of(recursive, &deep(2_000), &[]).code, 0);
    // Errors double with each level.
    let doubling = r##"{"anyOf": [{"type": "integer"}, {"type": "object", "properties": {"a": {"$ref": "#"}}, "required": ["a"]}, {"type": "object", "properties": {"a": {"$ref": "#"}}, "required": ["a"], "maxProperties": 9}]}"##;
    let nested = "{\"a\": ".repeat(60) + "\"x\"" + &"}".repeat(60);
    let ran = ran_of(doubling, &nested, &[]);
    assert!(
        [1, 4].contains(&ran.code) && ran.out.contains("error[schema/"),
        "{}{}",
        ran.out,
        ran.err
    );
    // Every alternative has two alternatives of the next level, without recursion.
    let mut doubling = String::from("{\"$ref\": \"#/$defs/a0\", \"$defs\": {");
    for number in 0..60 {
        let next = format!("{{\"$ref\": \"#/$defs/a{}\"}}", number + 1);
        doubling += &format!("\"a{number}\": {{\"anyOf\": [{next}, {next}]}},");
    }
    doubling += "\"a60\": {\"type\": \"integer\"}}}";
    let ran = ran_of(&doubling, "\"x\"", &[]);
    assert!(
        ran.code == 4 && ran.out.contains("too many steps"),
        "{}{}",
        ran.out,
        ran.err
    );
    assert_eq!(ran_of(&doubling, "1", &[]).code, 0);
    // A pattern with exponential backtracking.
    let pattern = r#"{"pattern": "^(([a-z])+.)+[A-Z](?!q)([a-z])+$"}"#;
    let text = format!("\"{}\"", "a".repeat(40));
    let ran = ran_of(pattern, &text, &[]);
    assert!(
        ran.code == 4 && ran.out.contains("a pattern needs too many steps"),
        "{}{}",
        ran.out,
        ran.err
    );
    // A long chain of references.
    let mut chain = String::from("{\"$ref\": \"#/$defs/a0\", \"$defs\": {");
    for number in 0..1_000 {
        chain += &format!("\"a{number}\": {{\"$ref\": \"#/$defs/a{}\"}},", number + 1);
    }
    chain += "\"a1000\": {\"type\": \"integer\"}}}";
    assert_eq!(ran_of(&chain, "1", &[]).code, 0);
    assert_eq!(ran_of(&chain, "\"x\"", &[]).code, 1);
    // A schema that is nested too deeply itself.
    let nested = "{\"not\": ".repeat(5_000) + "{}" + &"}".repeat(5_000);
    let ran = ran_of(&nested, "1", &[]);
    assert!(
        ran.out.contains("schema nested more than 256 levels deep") && ran.code == 2,
        "{}{}",
        ran.out,
        ran.err
    );
}

/// Compiling `unevaluatedProperties` takes time for each way through the alternatives.
#[test]
fn a_schema_that_combines_too_many_others_is_refused() {
    for (keyword, group, levels, code) in [
        ("unevaluatedProperties", "anyOf", 8, 0),
        ("unevaluatedProperties", "anyOf", 40, 2),
        ("unevaluatedItems", "allOf", 40, 2),
    ] {
        let defs = (0..levels).map(|level| {
            let next = level + 1;
            format!(r##""a{level}": {{"{group}": [{{"$ref": "#/$defs/a{next}"}}, {{"$ref": "#/$defs/a{next}"}}]}}, "##)
        });
        let defs: String = defs.collect();
        let schema = format!(
            r##"{{"$ref": "#/$defs/a0", "{keyword}": false, "$defs": {{{defs}"a{levels}": {{}}}}}}"##
        );
        let ran = crate::schema::ran(&schema, "{}", &[]);
        assert_eq!(ran.code, code, "{} {}", ran.out, ran.err);
        assert_eq!(
            ran.out.contains("combines too many subschemas"),
            code == 2,
            "{}",
            ran.out
        );
    }
}

#[test]
fn a_divisor_of_many_digits_is_refused() {
    for (digits, code) in [(1000, 1), (1001, 2)] {
        let schema = format!(r#"{{"multipleOf": {}}}"#, "7".repeat(digits));
        let ran = crate::schema::ran(&schema, &"8".repeat(20_000), &[]);
        assert_eq!(ran.code, code, "{}", ran.err);
        assert_eq!(
            ran.out.contains("`multipleOf` has more than 1000 digits"),
            code == 2,
            "{}",
            ran.out
        );
    }
}
