//! Paths as text: what each notation accepts, what it compiles to, how it is printed, and the errors of other texts.

use jsonx_core::path::{Location, Notation, Path, Reach, Segment, Selector, Slice, Step};

fn parse(text: &str) -> Path {
    Path::parse(text).unwrap_or_else(|error| panic!("{text}: {error:?}"))
}

fn key(key: &str) -> Selector {
    Selector::Key(key.as_bytes().into())
}

fn key_or_index(index: i64) -> Selector {
    Selector::KeyOrIndex {
        key: index.to_string().into_bytes().into(),
        index,
    }
}

fn slice(start: Option<i64>, end: Option<i64>, step: Option<i64>) -> Slice {
    Slice { start, end, step }
}

fn child(selectors: impl Into<Vec<Selector>>) -> Segment {
    Segment {
        reach: Reach::Child,
        selectors: selectors.into(),
        optional: false,
    }
}

fn descendant(selectors: impl Into<Vec<Selector>>) -> Segment {
    Segment {
        reach: Reach::Descendant,
        ..child(selectors)
    }
}

fn optional(segment: Segment) -> Segment {
    Segment {
        optional: true,
        ..segment
    }
}

#[test]
fn the_dot_path_compiles() {
    let from_to = |text: &str, start, end, step| Selector::KeyOrSlice {
        key: text.as_bytes().into(),
        slice: slice(start, end, step),
    };
    let cases: &[(&str, Vec<Segment>)] = &[
        (".", vec![]),
        (".a", vec![child([key("a")])]),
        (".a.b", vec![child([key("a")]), child([key("b")])]),
        (
            ".a[3].b",
            vec![
                child([key("a")]),
                child([Selector::Index(3)]),
                child([key("b")]),
            ],
        ),
        (
            ".a.3.b",
            vec![
                child([key("a")]),
                child([key_or_index(3)]),
                child([key("b")]),
            ],
        ),
        (".a.-1", vec![child([key("a")]), child([key_or_index(-1)])]),
        (".[3]", vec![child([Selector::Index(3)])]),
        (
            ".a.[3]",
            vec![child([key("a")]), child([Selector::Index(3)])],
        ),
        (r#".["3"]"#, vec![child([key("3")])]),
        (r#"."3""#, vec![child([key("3")])]),
        (r".\3", vec![child([key("3")])]),
        (".01", vec![child([key("01")])]),
        (".-0", vec![child([key("-0")])]),
        (
            ".9007199254740991",
            vec![child([key_or_index(9_007_199_254_740_991)])],
        ),
        (".9007199254740992", vec![child([key("9007199254740992")])]),
        (
            ".items.0:5",
            vec![
                child([key("items")]),
                child([from_to("0:5", Some(0), Some(5), None)]),
            ],
        ),
        (
            ".items.:",
            vec![
                child([key("items")]),
                child([from_to(":", None, None, None)]),
            ],
        ),
        (
            ".::-1",
            vec![child([from_to("::-1", None, None, Some(-1))])],
        ),
        (".1:2:3:4", vec![child([key("1:2:3:4")])]),
        (".xml:lang", vec![child([key("xml:lang")])]),
        (
            ".dev-dependencies.some-pkg",
            vec![child([key("dev-dependencies")]), child([key("some-pkg")])],
        ),
        (
            ".@id.$ref.a/b.c+d.50%.~.k=v.#",
            vec![
                child([key("@id")]),
                child([key("$ref")]),
                child([key("a/b")]),
                child([key("c+d")]),
                child([key("50%")]),
                child([key("~")]),
                child([key("k=v")]),
                child([key("#")]),
            ],
        ),
        (
            ".ключ.日本",
            vec![child([key("ключ")]), child([key("日本")])],
        ),
        (r".a\.b\ c\*", vec![child([key("a.b c*")])]),
        (r".\\", vec![child([key("\\")])]),
        (
            r#"."a b".'c d'"#,
            vec![child([key("a b")]), child([key("c d")])],
        ),
        (
            r#".["a b"]['it\'s']"#,
            vec![child([key("a b")]), child([key("it's")])],
        ),
        (
            r#".["\u0041\ud83d\ude00\n\/"]"#,
            vec![child([key("A😀\n/")])],
        ),
        (
            r#".["\ud800"]"#,
            vec![child([Selector::Key([0xed, 0xa0, 0x80].into())])],
        ),
        (
            r#".["\ud800\ud800\udc00"]"#,
            vec![child([Selector::Key(
                [0xed, 0xa0, 0x80, 0xf0, 0x90, 0x80, 0x80].into(),
            )])],
        ),
        (".[]", vec![child([Selector::Wildcard])]),
        (".a[]", vec![child([key("a")]), child([Selector::Wildcard])]),
        (".a.*", vec![child([key("a")]), child([Selector::Wildcard])]),
        (
            ".a[*]",
            vec![child([key("a")]), child([Selector::Wildcard])],
        ),
        (
            ".[0,-1, 'a' ,\"b\",*,1:,:2,:,::2]",
            vec![child([
                Selector::Index(0),
                Selector::Index(-1),
                key("a"),
                key("b"),
                Selector::Wildcard,
                Selector::Slice(slice(Some(1), None, None)),
                Selector::Slice(slice(None, Some(2), None)),
                Selector::Slice(slice(None, None, None)),
                Selector::Slice(slice(None, None, Some(2))),
            ])],
        ),
        ("..", vec![descendant([Selector::Itself])]),
        ("..a", vec![descendant([key("a")])]),
        ("..3", vec![descendant([key_or_index(3)])]),
        ("..*", vec![descendant([Selector::Wildcard])]),
        ("..[0]", vec![descendant([Selector::Index(0)])]),
        ("..\"a\"", vec![descendant([key("a")])]),
        (
            "...a",
            vec![descendant([Selector::Itself]), child([key("a")])],
        ),
        (
            ".a..b.c",
            vec![child([key("a")]), descendant([key("b")]), child([key("c")])],
        ),
        (".a?", vec![optional(child([key("a")]))]),
        (
            ".a?.b[0]??",
            vec![
                optional(child([key("a")])),
                child([key("b")]),
                optional(child([Selector::Index(0)])),
            ],
        ),
        ("..?", vec![optional(descendant([Selector::Itself]))]),
    ];
    for (text, segments) in cases {
        assert_eq!(parse(text).segments(), segments, "{text}");
        assert_eq!(parse(text).notation(), Notation::Dot, "{text}");
    }
}

#[test]
fn paths_are_written_with_quotes_only_where_needed() {
    let cases = [
        (".", "."),
        (r#".["a"]"#, ".a"),
        (r#".["3"]"#, r#".["3"]"#),
        (r".\3", r#".["3"]"#),
        (".3", ".3"),
        (".a.-1", ".a.-1"),
        (".a[0][1]", ".a[0][1]"),
        (".a.[0]", ".a[0]"),
        (".a.'b c'.d", r#".a["b c"].d"#),
        (r".a\.b", r#".["a.b"]"#),
        (".''", r#".[""]"#),
        (".a[]", ".a.*"),
        (".[ 0 , 1 : 2 : 3 ]", ".[0,1:2:3]"),
        ("...[0]", "...[0]"),
        ("..[0]", "..[0]"),
        (".a..", ".a.."),
        ("..['b c']?", r#"..["b c"]?"#),
        (".\"\\u001b[31m\"", r#".["\u001b[31m"]"#),
        (".a\u{202e}b", r#".["a\u202eb"]"#),
        (r#".["\udc00"]"#, r#".["\udc00"]"#),
        ("$.a[3]..b.*", "$['a'][3]..['b'][*]"),
        (r#"$["it's"]["\u0007\n"]"#, r"$['it\'s']['\u0007\n']"),
        ("/a~1b/~0/3", "/a~1b/~0/3"),
        ("#/a%20b", "/a b"),
        ("", ""),
    ];
    for (text, written) in cases {
        assert_eq!(parse(text).to_string(), written, "{text}");
        assert_eq!(parse(written).segments(), parse(text).segments(), "{text}");
    }
}

#[test]
fn invalid_paths_are_explained() {
    // Text, offset of the error, suggestion.
    let cases = [
        ("name", 0, ".name"),
        ("name[0].first", 0, ".name[0].first"),
        ("[3]", 0, ".[3]"),
        ("\"a b\"", 0, ".\"a b\""),
        ("*", 0, ".*"),
        (" .a", 0, ".a"),
        (".a ", 2, ".a"),
        ("@.a", 0, "$.a"),
        (".a.", 2, ".a"),
        (".a b", 2, ".\"a b\""),
        (".a.b c.d", 4, ".a.\"b c\".d"),
        (".(a)", 1, ".\"(a)\""),
        (".a|.b", 2, ".a.b"),
        (".a | .b", 2, ".a.b"),
        (". | .a", 1, ".a"),
        (".[] | .a | .b[0]", 3, ".[].a.b[0]"),
        (".. | .a", 2, "...a"),
        (".a | ", 2, ".a"),
        (". ", 1, "."),
        (".a. ", 3, ".a"),
        (".a .b", 2, ".a.b"),
        (".[0] [1]", 4, ".[0][1]"),
        ("..|", 2, ".."),
        (".a\"b\"", 2, ".a.\"b\""),
        (".a[0]b", 5, ".a[0].b"),
        (".[a]", 2, ".[\"a\"]"),
        (".[some-key]", 2, ".[\"some-key\"]"),
        (".[3d]", 2, ".[\"3d\"]"),
        (".[\"a]", 2, ".[\"a\"]"),
        (".[\"a].b[0]", 2, ".[\"a\"].b[0]"),
        (".[“a”]", 2, ".[\"a\"]"),
        (".[‘a b’, 1]", 2, ".[\"a b\", 1]"),
        (".a[0.name", 2, ".a[0].name"),
        (".a[1-3]", 4, ".a[1:3]"),
        (".a[2024-01-01]", 3, ".a[\"2024-01-01\"]"),
        (".a, .b", 2, ".[\"a\",\"b\"]"),
        ("{.items[*].name}", 0, ".items[*].name"),
        ("{$.a}", 0, "$.a"),
        ("a/b", 0, "/a/b"),
        ("a/b.c", 0, ".a/b.c"),
        (".a[0", 2, ".a[0]"),
        (".a[", 2, ".a"),
        (".a[01]", 3, ".a[1]"),
        (".a[00]", 3, ".a[0]"),
        (".a[-0]", 3, ".a[0]"),
        (".a[+1]", 3, ".a[1]"),
        (".a[- 1]", 4, ".a[-1]"),
        (".a[,1,]", 3, ".a[1]"),
        (".a[0 1]", 5, ".a[0, 1]"),
        ("[01][0 1]a b.", 0, ".[1][0, 1].\"a b\""),
        (".a\\", 2, ".a"),
        (".\"a\tb\"", 3, ".\"a\\u0009b\""),
        (".\"C:\\dir\"", 4, ".\"C:\\\\dir\""),
        (".'a\\\"b'", 3, ".'a\"b'"),
        ("$a", 1, "$.a"),
        ("$.a-b", 3, "$['a-b']"),
        ("$.a.b-c.d", 5, "$.a['b-c'].d"),
        ("$..a-b", 4, "$..['a-b']"),
        ("$.1", 2, "$[1]"),
        ("$.1a", 2, "$['1a']"),
        ("$.'a b'", 2, "$['a b']"),
        ("$.[0]", 1, "$[0]"),
        ("$. a", 2, "$.a"),
        ("$..", 3, "$..*"),
        ("$.", 1, "$"),
        ("$ ", 1, "$"),
        ("$[]", 1, "$[*]"),
        ("$[a]", 2, "$['a']"),
        ("$[(@.length-1)]", 2, "$[-1]"),
        ("$[?@.a == 'x]", 10, "$[?@.a == 'x']"),
        ("$[?(@.a == 'x)]", 11, "$[?(@.a == 'x')]"),
        ("$[?@.a == “x”]", 10, "$[?@.a == \"x\"]"),
        ("/a~", 2, "/a~0"),
        ("/a~2b", 2, "/a~02b"),
        ("#a", 1, "#/a"),
        ("#/100%", 5, "#/100%25"),
    ];
    for (text, offset, suggestion) in cases {
        let Err(error) = Path::parse(text) else {
            panic!("{text} is no path");
        };
        assert_eq!(
            error.suggestion.as_deref(),
            Some(suggestion),
            "{text}: {error:?}"
        );
        assert_eq!(error.offset, offset, "{text}: {error:?}");
    }
    // No suggestion without a near match; the position is still reported.
    for (text, offset) in [
        (".a[1.5]", 4),
        (".[9007199254740992]", 2),
        ("$['\\ud800']", 3),
        (".\"\\u12\"", 2),
        (".a,.b.c", 2),
        (".a[b>2]", 3),
        (".a|length", 2),
        (".a | select(.b == 1)", 2),
        (".a | map(.b)", 2),
        (".a[] | select(.b == 1)", 4),
        ("$.a.length()", 10),
        (".a[1:2:3:4]", 8),
        ("{}", 0),
        (".?", 1),
        ("#/%ff", 2),
        // The last element, or the place after it.
        (".a[-]", 3),
        ("$.a[+]", 4),
    ] {
        let error = Path::parse(text).unwrap_err();
        assert_eq!((error.offset, error.suggestion), (offset, None), "{text}");
    }
    let error = Path::parse(b".a\xff").unwrap_err();
    assert_eq!((error.offset, error.suggestion), (2, None));
}

#[test]
fn pointer_tokens_are_keys_and_canonical_numbers_also_indices() {
    let steps = [
        key_or_index(0),
        key_or_index(12),
        key("00"),
        key("-1"),
        key("-"),
        key(""),
        key("a/b~1"),
        key("18446744073709551616"),
    ];
    let text = "/0/12/00/-1/-//a~1b~01/18446744073709551616";
    let segments: Vec<Segment> = steps.map(|step| child([step])).into();
    assert_eq!(parse(text).segments(), segments);
    assert_eq!(parse(&format!("#{text}")).segments(), segments);
    assert_eq!(parse("#").segments(), []);
    assert_eq!(parse("#/a%2Fb%7E0").segments(), parse("/a/b~0").segments());
}

#[test]
fn a_location_prints_what_leads_to_it() {
    let mut location = Location::default();
    for notation in [Notation::Dot, Notation::JsonPath, Notation::Pointer] {
        let printed = location.display(notation).to_string();
        assert_eq!(parse(&printed).segments(), []);
    }
    location.push_index(11518);
    location.push_key(b"active");
    assert_eq!(
        location.display(Notation::Dot).to_string(),
        ".[11518].active"
    );
    location.push_key("\u{7}'\\/~".as_bytes());
    assert_eq!(
        location.display(Notation::JsonPath).to_string(),
        r"$[11518]['active']['\u0007\'\\/~']"
    );
    assert_eq!(
        location.display(Notation::Pointer).to_string(),
        "/11518/active/\u{7}'\\~1~0"
    );
    location.pop();
    location.pop();
    assert_eq!(location.pop(), Some(Step::Index(11518)));
    assert_eq!(location.pop(), None);
}

#[test]
fn slices_select_as_a_list_of_all_their_cases_does() {
    // The procedure of RFC 9535, section 2.3.4.2.2, step by step.
    fn by_the_book(slice: Slice, length: i64) -> Vec<u64> {
        let step = slice.step.unwrap_or(1);
        let normal = |i: i64| if i >= 0 { i } else { length + i };
        let mut selected = Vec::new();
        if step > 0 {
            let (mut i, upper) = (
                normal(slice.start.unwrap_or(0)).max(0).min(length),
                normal(slice.end.unwrap_or(length)).max(0).min(length),
            );
            while i < upper {
                selected.push(i as u64);
                i += step;
            }
        } else if step < 0 {
            let (mut i, lower) = (
                normal(slice.start.unwrap_or(length - 1))
                    .max(-1)
                    .min(length - 1),
                normal(slice.end.unwrap_or(-length - 1))
                    .max(-1)
                    .min(length - 1),
            );
            while lower < i {
                selected.push(i as u64);
                i += step;
            }
        }
        selected
    }
    let bounds: Vec<Option<i64>> = (-7..=7).map(Some).chain([None]).collect();
    for length in 0..6 {
        for &start in &bounds {
            for &end in &bounds {
                for &step in &bounds {
                    let slice = slice(start, end, step);
                    let selected: Vec<u64> = slice.indices(length as u64).collect();
                    assert_eq!(selected, by_the_book(slice, length), "{slice} of {length}");
                }
            }
        }
    }
    let extreme = slice(Some(i64::MIN), Some(i64::MAX), Some(i64::MAX));
    assert_eq!(extreme.indices(u64::MAX).collect::<Vec<_>>(), [0]);
    let extreme = slice(Some(i64::MAX), Some(i64::MIN), Some(i64::MIN));
    assert_eq!(extreme.indices(3).collect::<Vec<_>>(), [2]);
}
