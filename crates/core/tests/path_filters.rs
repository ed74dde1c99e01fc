//! JSONPath filters: errors, depth, patterns and numbers.

use std::cmp::Ordering;

use jsonx_core::number;
use jsonx_core::path::{MAX_NESTING, Path, Regexp};
use jsonx_testing::cases;
use proptest::prelude::*;

#[test]
fn filters_that_are_none_are_explained() {
    // Text, offset of the error, suggestion ("" for none).
    let cases = [
        ("$[?name=='x']", 3, "$[?@.name=='x']"),
        ("$[?.a==1]", 3, "$[?@.a==1]"),
        ("$[@.a]", 2, "$[?@.a]"),
        ("$[?@.a==x]", 8, "$[?@.a=='x']"),
        ("$[?@.a = 1]", 7, "$[?@.a == 1]"),
        ("$[?@.a===1]", 6, "$[?@.a==1]"),
        ("$[?@.a<>1]", 6, "$[?@.a!=1]"),
        ("$[?@.a=~/x/]", 6, ""),
        ("$[?@.a==1 and @.b]", 10, "$[?@.a==1 && @.b]"),
        ("$[?@.a OR @.b]", 7, "$[?@.a || @.b]"),
        ("$[?@.a&@.b]", 6, "$[?@.a&&@.b]"),
        ("$[?not @.a]", 3, "$[?!@.a]"),
        ("$[?!!@.a]", 4, "$[?@.a]"),
        ("$[?!@.a==1]", 3, "$[?!(@.a==1)]"),
        ("$[?@.a==None]", 8, "$[?@.a==null]"),
        ("$[?@.a==TRUE]", 8, "$[?@.a==true]"),
        ("$[?@.a==.5]", 8, "$[?@.a==0.5]"),
        ("$[?@.a==-.5]", 9, "$[?@.a==-0.5]"),
        ("$[?@.a==5.]", 10, "$[?@.a==5.0]"),
        ("$[?@.a==+5]", 8, "$[?@.a==5]"),
        ("$[?@.a==007]", 8, "$[?@.a==7]"),
        ("$[?@.a==5e]", 10, ""),
        ("$[?@.a==[1]]", 8, ""),
        ("$[?true]", 3, ""),
        ("$[?length(@.a)]", 3, ""),
        ("$[?(@.a)==1]", 3, "$[?@.a==1]"),
        ("$[?(@.a]", 3, "$[?(@.a)]"),
        ("$[?@.a", 1, "$[?@.a]"),
        ("$[?lenght(@.a)>1]", 3, "$[?length(@.a)>1]"),
        ("$[?sum(@.a)>1]", 3, ""),
        ("$[?count (@.*)>1]", 8, "$[?count(@.*)>1]"),
        ("$[?length(@.a>1]", 10, "$[?length(@.a)>1]"),
        ("$[?length(@.a]", 13, ""),
        ("$[?length(@.*)>1]", 10, ""),
        ("$[?count('a')>1]", 9, ""),
        ("$[?match(@.a,'x')==true]", 3, "$[?match(@.a,'x')]"),
        ("$[?match(@.a)]", 12, ""),
        ("$[?match(@.a,'x','y')]", 16, ""),
        ("$[?count(@.a || @.b)>1]", 9, ""),
        ("$[?@.*==1]", 3, ""),
        ("$[?@.a-b==1]", 6, "$[?@['a-b']==1]"),
        (".a[?(@.b = 1)]", 3, "$.a[?(@.b == 1)]"),
    ];
    for (text, offset, suggestion) in cases {
        let error = Path::parse(text).expect_err(text);
        assert_eq!(
            (error.offset, error.suggestion.as_deref().unwrap_or("")),
            (offset, suggestion),
            "{text}: {}",
            error.message
        );
    }
}

#[test]
fn filters_are_written_back() {
    for (text, written) in [
        ("$[?@.a]", "$[?@.a]"),
        ("$..[? ( @.a ) , 1]", "$..[?( @.a ),1]"),
        ("$.b[?(@.a||@.b)&&!@.c ]", "$['b'][?(@.a||@.b)&&!@.c]"),
        (
            r#"$[?search(@.a, "it's") || @ == null]"#,
            r#"$[?search(@.a, "it's") || @ == null]"#,
        ),
        ("$[?@[?@.b > -0]]", "$[?@[?@.b > -0]]"),
    ] {
        let path = Path::parse(text).unwrap();
        assert_eq!(path.to_string(), written);
        assert_eq!(Path::parse(written).as_ref(), Ok(&path));
    }
}

/// The deepest allowed filters are parsed, written, compared and dropped in a small stack, and deeper ones are rejected.
/// Parsing takes the most: at these 64 levels less than 192 KiB with optimization, 512 KiB without.
#[test]
fn nesting_is_limited_and_fits_a_small_stack() {
    let shapes: [(&str, &str, &str, &str); 4] = [
        ("$[?", "(", "@.a", ")"),
        ("$[?", "!(", "@.a", ")"),
        ("$[?1==", "length(", "@.a", ")"),
        ("$", "[?@", "", "]"),
    ];
    let all_hold = move || {
        for (start, open, inside, close) in shapes {
            let levels = |n: usize| {
                let end = if start == "$" { "" } else { "]" };
                start.to_owned() + &open.repeat(n) + inside + &close.repeat(n) + end
            };
            // The filter itself is the first level.
            let most = MAX_NESTING - usize::from(start != "$");
            let path = Path::parse(&levels(most)).unwrap();
            assert_eq!(Path::parse(&path.to_string()).as_ref(), Ok(&path.clone()));
            assert_eq!(path.warnings(), [""; 0]);
            for n in [most + 1, 1_000_000] {
                let error = Path::parse(&levels(n)).unwrap_err();
                assert!(error.message.contains("at most 64 levels"), "{error:?}");
                let deepest = start.len() + most * open.len();
                assert!(
                    (deepest..deepest + open.len()).contains(&error.offset),
                    "{error:?}"
                );
            }
        }
    };
    std::thread::Builder::new()
        .stack_size(768 << 10)
        .spawn(all_hold)
        .unwrap()
        .join()
        .unwrap();
}

#[test]
fn chains_may_be_of_any_length() {
    let text = format!("$[?@.a{}]", "||@.a&&@.b".repeat(100_000));
    let path = Path::parse(&text).unwrap();
    assert_eq!(Path::parse(&path.to_string()), Ok(path));
}

#[test]
fn patterns_that_can_match_nothing_are_warned_of() {
    let path = Path::parse(r"$[?count(@[?!match(@.a, '\\y')]) > 1 || search(@.b, '(')]").unwrap();
    assert_eq!(
        path.warnings(),
        [
            r"match() is always false: in `\y`, unrecognized escape sequence",
            "search() is always false: in `(`, unclosed group",
        ]
    );
    let path = Path::parse(r"$[?match(@.a, '\u001b\\y') || match(@.a, @.b)]").unwrap();
    assert_eq!(
        path.warnings(),
        [r"match() is always false: in `␛\y`, unrecognized escape sequence"]
    );
}

#[test]
fn patterns_follow_rfc_9485() {
    for (pattern, matching, others) in [
        ("", &[""][..], &["a"][..]),
        ("a|b|", &["a", "b", ""], &["c"]),
        (
            "a.c",
            &["abc", "a\u{2028}c", "a😀c"],
            &["a\nc", "a\rc", "ac"],
        ),
        ("(ab)*c?d+", &["d", "ababcdd"], &["ab", "ccd"]),
        ("a{2}b{1,}c{0,1}", &["aab", "aabbc"], &["ab", "aabcc"]),
        (
            r"\(\)\*\+\-\.\?\[\\\]\^\{\|\}\n\r\t",
            &["()*+-.?[\\]^{|}\n\r\t"],
            &[""],
        ),
        ("[abc]", &["a", "c"], &["d", ""]),
        ("[^a-c]", &["d", "-", "\n"], &["a", "b"]),
        ("[-a]", &["-", "a"], &["b"]),
        ("[a-]", &["-", "a"], &["b"]),
        ("[^-]", &["^"], &["-"]),
        ("[a^]", &["a", "^"], &["b"]),
        (r"[\^a]", &["a", "^"], &["b"]),
        (r"[\--/]", &["-", ".", "/"], &["0", ","]),
        ("[a&&b]", &["a", "&", "b"], &["c"]),
        ("[a~~b]", &["a", "~", "b"], &["c"]),
        ("[.*$]", &[".", "*", "$"], &["a"]),
        (r"[\]\[]", &["[", "]"], &["\\"]),
        (r"[\n-\r]", &["\n", "\u{b}", "\r"], &["n", "\t"]),
        (r"[\p{Lu}0-9]\P{L}", &["Ä1", "7-"], &["ä1", "AA"]),
        (r"\p{Zs}\p{Sc}\p{Cn}", &[" €\u{378}"], &["€"]),
        ("^ab$", &["ab"], &["^ab$"]),
        ("#x y", &["#x y"], &["#xy"]),
        // Extensions.
        (r"\d+\w(?i)b", &["12xB", "٣éb"], &["xb"]),
        (r"(?s)a.\b", &["a1"], &["a\n"]),
    ] {
        let regexp = Regexp::new(pattern, true).unwrap();
        let search = Regexp::new(pattern, false).unwrap();
        for text in matching {
            assert!(regexp.is_match(text.as_bytes()), "{pattern} {text:?}");
            assert!(search.is_match(text.as_bytes()), "{pattern} {text:?}");
        }
        for text in others {
            assert!(!regexp.is_match(text.as_bytes()), "{pattern} {text:?}");
        }
    }
    for category in
        "L Ll Lm Lo Lt Lu M Mc Me Mn N Nd Nl No P Pc Pd Pe Pf Pi Po Ps Z Zl Zp Zs S Sc Sk \
                     Sm So C Cc Cf Cn Co"
            .split_whitespace()
    {
        for form in [
            format!("\\p{{{category}}}"),
            format!("[^\\P{{{category}}}a]"),
        ] {
            assert!(Regexp::new(&form, true).is_ok(), "{form}");
        }
    }
    for (pattern, message) in [
        ("*a", "repetition operator missing expression"),
        ("a)", "unopened group"),
        ("a)|(b", "unopened group"),
        ("((a)", "unclosed group"),
        ("[]", "unclosed character class"),
        ("[a[b]", "unclosed character class"),
        (r"[a-\p{L}]", "invalid range boundary, must be a literal"),
        (
            "[z-a]",
            "invalid character class range, the start must be <= the end",
        ),
        (r"\p{Cs}", "Unicode property value not found"),
        (
            r"a\",
            "incomplete escape sequence, reached end of pattern prematurely",
        ),
        (
            "(?=a)",
            "look-around, including look-ahead and look-behind, is not supported",
        ),
        ("a\n(", "unclosed group"),
        ("((a{999}){999}){999}", "the pattern takes too much memory"),
    ] {
        for entire in [false, true] {
            let error = Regexp::new(pattern, entire).expect_err(pattern);
            assert_eq!(error.to_string(), message, "{pattern}");
        }
    }
}

#[test]
fn lone_surrogates_are_not_characters_in_patterns() {
    let subject = b"a\xed\xa0\x80b";
    assert!(!Regexp::new("a.b", true).unwrap().is_match(subject));
    assert!(Regexp::new("b", false).unwrap().is_match(subject));
}

#[test]
fn numbers_compare_by_value() {
    let long = format!("1{}", "0".repeat(100_000));
    for (a, order, b) in [
        ("0", Ordering::Equal, "-0.0e5"),
        ("1", Ordering::Equal, "1.000"),
        ("1e2", Ordering::Equal, "100"),
        ("0.001E+3", Ordering::Equal, "1"),
        ("9007199254740993", Ordering::Greater, "9007199254740992"),
        ("0.1", Ordering::Less, "0.10000000000000000000000001"),
        ("-2", Ordering::Less, "-1"),
        ("-1", Ordering::Less, "0"),
        ("10", Ordering::Greater, "9.99"),
        ("1e400", Ordering::Less, "1e401"),
        ("1e99999999999", Ordering::Equal, "10e99999999998"),
        ("1e-99999999999", Ordering::Greater, "0"),
        (
            "1e99999999999999999999999999999999999999999999",
            Ordering::Greater,
            "1e999999",
        ),
        (
            "-1e99999999999999999999999999999999999999999999",
            Ordering::Less,
            "1e-99999999999999999999999999999999999999999999",
        ),
        (&long, Ordering::Equal, "1e100000"),
    ] {
        assert_eq!(
            number::compare(a.as_bytes(), b.as_bytes()),
            order,
            "{a} {b}"
        );
        assert_eq!(
            number::compare(b.as_bytes(), a.as_bytes()),
            order.reverse(),
            "{b} {a}"
        );
    }
}

/// `digits` × 10^`power` in one of the ways JSON allows.
fn spelled(digits: i64, power: i32, style: u32) -> String {
    let sign = if digits < 0 { "-" } else { "" };
    let whole = digits.unsigned_abs().to_string();
    match style {
        0 => format!("{sign}{whole}e{power}"),
        1 => format!("{sign}{whole}.000E{power:+}"),
        2 => format!("{sign}0.{whole}e{}", power + whole.len() as i32),
        3 => format!("{sign}0.00{whole}0e{}", power + 2 + whole.len() as i32),
        4 => format!(
            "{sign}{}.{}e{}",
            &whole[..1],
            whole[1..].to_owned() + "0",
            power + whole.len() as i32 - 1
        ),
        _ if power >= 0 => format!(
            "{sign}{whole}{}",
            "0".repeat(if digits == 0 { 0 } else { power as usize })
        ),
        _ => {
            let padded = format!(
                "{whole:0>width$}",
                width = power.unsigned_abs() as usize + 1
            );
            let (before, after) = padded.split_at(padded.len() - power.unsigned_abs() as usize);
            format!("{sign}{before}.{after}")
        }
    }
}

/// Filters made of every part of the grammar.
fn filter() -> impl Strategy<Value = String> {
    let query = prop::sample::select(vec!["@", "$", "@.a", "@['b c'][0]", "$ .a", "@[-1]"]);
    let several = prop::sample::select(vec!["@.*", "$..a", "@[1:]", "@[0,'a']", "@..[::-1]"]);
    let literal = prop::sample::select(vec![
        "1",
        "-0",
        "1.5e+2",
        "'it\\'s'",
        "\"\\u00e9\"",
        "true",
        "null",
    ]);
    let value = prop_oneof![query.clone(), literal].prop_map(str::to_owned);
    let value = value.prop_recursive(3, 8, 1, move |inner| {
        let nodes = prop_oneof![several.clone(), query.clone()];
        prop_oneof![
            inner.prop_map(|value| format!("length( {value} )")),
            nodes.clone().prop_map(|nodes| format!("count({nodes})")),
            nodes.prop_map(|nodes| format!("value({nodes})")),
        ]
    });
    let operator = prop::sample::select(vec!["==", " != ", "<", "<= ", " >", ">="]);
    let test = prop::sample::select(vec!["@.a", "$..b", "!@", "! $.a.*", "@[*]"]);
    let leaf = prop_oneof![
        (value.clone(), operator, value.clone()).prop_map(|(a, o, b)| a + o + &b),
        test.prop_map(str::to_owned),
        (value.clone(), value).prop_map(|(a, b)| format!("match({a},{b})")),
    ];
    leaf.prop_recursive(4, 24, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 2..4).prop_map(|parts| parts.join(" && ")),
            prop::collection::vec(inner.clone(), 2..4).prop_map(|parts| parts.join("||")),
            inner.clone().prop_map(|part| format!("({part})")),
            inner.clone().prop_map(|part| format!("!( {part} )")),
            inner.prop_map(|part| format!("@.a[?{part}, 1]")),
        ]
    })
}

proptest! {
    #![proptest_config(cases(5_000))]

    #[test]
    fn filters_read_back_as_themselves(filter in filter()) {
        let text = format!("$[?{filter}]");
        let path = Path::parse(&text).map_err(|error| TestCaseError::fail(format!("{text} {error:?}")))?;
        let written = path.to_string();
        let again = Path::parse(&written);
        prop_assert_eq!(again.as_ref(), Ok(&path), "{} {}", text, written);
    }

    #[test]
    fn numbers_compare_as_integers_of_the_same_scale(
        a in (-2000..2000i64, -8..8i32, 0..6u32),
        b in (-2000..2000i64, -8..8i32, 0..6u32),
    ) {
        let scaled = |(digits, power, _): (i64, i32, u32)| {
            i128::from(digits) * 10i128.pow((power + 8) as u32)
        };
        let text = |(digits, power, style)| spelled(digits, power, style);
        let order = number::compare(text(a).as_bytes(), text(b).as_bytes());
        prop_assert_eq!(order, scaled(a).cmp(&scaled(b)), "{} {}", text(a), text(b));
    }
}
