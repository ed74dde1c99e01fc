//! The published test suites for paths: JSONPath (RFC 9535) and JSON Pointer (RFC 6901), read from the directory in the
//! environment variable `JSONX_SUITES`.

use serde_json::Value;

use super::naive::select;
use super::{Notation, Path};

/// Reads a file of the suites, or reports that the test is skipped.
pub(crate) fn suite(file: &str) -> Option<Value> {
    let text = std::fs::read(jsonx_testing::suite(file)?).expect(file);
    Some(serde_json::from_slice(&text).expect(file))
}

fn text<'v>(case: &'v Value, field: &str) -> &'v str {
    case[field]
        .as_str()
        .unwrap_or_else(|| panic!("{field} of {case}"))
}

#[cfg(feature = "regex")]
#[test]
fn jsonpath_compliance() {
    let Some(suite) = suite("jsonpath-cts/cts.json") else {
        return;
    };
    let cases = suite["tests"].as_array().expect("tests");
    assert!(cases.len() >= 703, "only {} cases", cases.len());
    for case in cases {
        let (name, selector) = (text(case, "name"), text(case, "selector"));
        let path = Path::parse(selector);
        if case["invalid_selector"] == true {
            let error = path.expect_err(name);
            assert!(selector.is_char_boundary(error.offset), "{name}: {error:?}");
            if let Some(suggestion) = error.suggestion {
                Path::parse(&suggestion).expect(name);
            }
            continue;
        }
        let path = path.unwrap_or_else(|error| panic!("{name}: {selector}: {error:?}"));
        assert_eq!(Path::parse(&path.to_string()).as_ref(), Ok(&path), "{name}");
        let found = select(&path, &case["document"]);
        let values: Value = found.iter().map(|(_, value)| (*value).clone()).collect();
        let paths: Value = found
            .iter()
            .map(|(location, _)| location.display(Notation::JsonPath).to_string())
            .collect();
        let wanted = if case["results"].is_array() {
            let results = case["results"].as_array().into_iter().flatten();
            let paths = case["results_paths"].as_array().into_iter().flatten();
            results.zip(paths).collect()
        } else {
            vec![(&case["result"], &case["result_paths"])]
        };
        assert!(
            wanted.contains(&(&values, &paths)),
            "{name}: {selector} selects {values} at {paths}, not {wanted:?}"
        );
    }
}

#[test]
fn json_pointer_examples() {
    let Some(suite) = suite("rfc6901-pointer/pointer.json") else {
        return;
    };
    let cases = suite.as_array().expect("cases");
    assert!(cases.len() >= 60, "only {} cases", cases.len());
    for case in cases {
        let mut texts = vec![text(case, "pointer")];
        texts.extend(case["fragment"].as_str());
        for text in texts {
            let path = Path::parse(text).ok();
            let pointer = path.filter(|path| path.notation() == Notation::Pointer);
            let Some(path) = pointer else {
                assert_eq!(case["error"], "syntax", "{text:?} {case}");
                continue;
            };
            if case["error"] == "syntax" {
                // The suite only covers plain pointers; the fragment form is a separate notation here.
                assert!(text.starts_with('#'), "{text:?} {case}");
                continue;
            }
            let found = select(&path, &case["doc"]);
            let value = found.first().map(|(_, value)| *value);
            let wanted = case.get("result");
            assert_eq!(value, wanted, "{text:?} {case}");
            assert_eq!(wanted.is_none(), case["error"] == "not-found", "{case}");
            for (location, value) in found {
                let printed = location.display(Notation::Pointer).to_string();
                assert_eq!(case["doc"].pointer(&printed), Some(value));
            }
        }
    }
}
