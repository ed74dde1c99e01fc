//! JUnit: well-formed, and valid by its schema.

use roxmltree::{Document, Node};

use super::{documents, shown, tree};

/// An element, its required and optional attributes, and its children, or `text`.
type Element<'a> = (&'a str, &'a [&'a str], &'a [&'a str], &'a [&'a str]);

/// Parses a document and checks the attributes and children of every element.
fn check(text: &str, rules: &[Element]) {
    let document = Document::parse(text).unwrap_or_else(|error| panic!("{error}: {text}"));
    for node in document.descendants().filter(Node::is_element) {
        let name = node.tag_name().name();
        let (_, required, optional, children) = rules
            .iter()
            .find(|(element, ..)| *element == name)
            .unwrap_or_else(|| panic!("<{name}> is not known"));
        for attribute in *required {
            assert!(
                node.has_attribute(*attribute),
                "<{name}> without {attribute}"
            );
        }
        for attribute in node.attributes() {
            let attribute = attribute.name();
            assert!(
                required.contains(&attribute) || optional.contains(&attribute),
                "<{name} {attribute}>"
            );
        }
        for child in node.children() {
            if child.is_element() {
                assert!(
                    children.contains(&child.tag_name().name()),
                    "<{name}> in which {child:?}"
                )
            } else {
                assert!(
                    child.text().is_none_or(|text| text.trim().is_empty()) || children == &["text"],
                    "text in <{name}>"
                )
            }
        }
    }
}

/// From the schema of Jenkins's xUnit plug-in (`junit-10.xsd`).
const JUNIT: &[Element] = &[
    (
        "testsuites",
        &[],
        &["name", "time", "tests", "failures", "errors"],
        &["testsuite"],
    ),
    (
        "testsuite",
        &["name", "tests", "failures", "errors"],
        &[
            "group",
            "time",
            "skipped",
            "timestamp",
            "hostname",
            "id",
            "package",
            "file",
            "log",
            "url",
        ],
        &[
            "testsuite",
            "properties",
            "testcase",
            "system-out",
            "system-err",
        ],
    ),
    (
        "testcase",
        &["name"],
        &["time", "classname", "group"],
        &["skipped", "error", "failure", "system-out", "system-err"],
    ),
    ("failure", &[], &["type", "message"], &["text"]),
    ("error", &[], &["type", "message"], &["text"]),
    ("system-out", &[], &[], &["text"]),
];

#[test]
fn every_document_is_well_formed_and_shaped_as_it_should_be() {
    for (name, document) in documents("junit") {
        eprintln!("junit, {name}");
        check(&document, JUNIT);
    }
}

fn attribute<'a>(node: Node<'a, '_>, name: &str) -> &'a str {
    node.attribute(name)
        .unwrap_or_else(|| panic!("{node:?} has no {name}"))
}

#[test]
fn a_test_case_of_junit_is_a_file() {
    let text = shown(&tree(), "junit").out;
    let document = Document::parse(&text).expect("XML");
    let suites: Vec<Node> = document
        .descendants()
        .filter(|node| node.has_tag_name("testsuite"))
        .collect();
    assert_eq!(suites.len(), 13);
    let mut seen = [0; 3];
    for suite in suites {
        let count = |tag: &str| {
            suite
                .descendants()
                .filter(|node| node.has_tag_name(tag))
                .count()
                .to_string()
        };
        assert_eq!(attribute(suite, "tests"), count("testcase"));
        assert_eq!(attribute(suite, "failures"), count("failure"));
        assert_eq!(attribute(suite, "errors"), count("error"));
        let name = attribute(suite, "name");
        let failure = suite
            .descendants()
            .find(|node| node.has_tag_name("failure"));
        match name {
            "good.json" => assert!(
                failure.is_none() && suite.descendants().all(|node| !node.has_tag_name("error"))
            ),
            "gone.json" => {
                let error = suite
                    .descendants()
                    .find(|node| node.has_tag_name("error"))
                    .expect("an error");
                assert_eq!(attribute(error, "message"), "No such file or directory");
                seen[0] += 1;
            }
            "a.json" => {
                let failure = failure.expect("a failure");
                assert_eq!(attribute(failure, "type"), "missing-comma");
                assert_eq!(
                    attribute(failure, "message"),
                    "2:9: missing comma between members (insert `,` here) (and 3 more)"
                );
                let text = failure.text().expect("text");
                assert!(
                    text.contains("\na.json:3:13: error[trailing-comma]: "),
                    "{text}"
                );
                seen[1] += 1;
            }
            "bom.json" => {
                let out = suite
                    .descendants()
                    .find(|node| node.has_tag_name("system-out"));
                let text = out.and_then(|node| node.text()).expect("text");
                assert!(
                    text.contains("bom.json:1:1: warning[byte-order-mark]: "),
                    "{text}"
                );
                seen[2] += 1;
            }
            _ => assert!(failure.is_some(), "{name}"),
        }
    }
    assert_eq!(seen, [1, 1, 1]);
}

#[test]
fn names_survive_parsing() {
    let text = shown(&tree(), "junit").out;
    let document = Document::parse(&text).expect("XML");
    let names: Vec<&str> = document
        .descendants()
        .filter(|node| node.has_tag_name("testsuite"))
        .map(|node| attribute(node, "name"))
        .collect();
    assert!(names.contains(&"a, b: 100%;'<&\">.json"), "{names:?}");
    #[cfg(unix)]
    assert!(names.contains(&"␛]0;<FF>␊::error::.json"), "{names:?}");
}
