//! Checks with the published schemas, if available; their licenses do not allow copying all of them.
//!
//! `JSONX_SCHEMAS` names a folder with `sarif-schema-2.1.0.json` (OASIS), and
//! `junit-10.xsd` (the xUnit plug-in of Jenkins). Python checks, with its modules `jsonschema` and `lxml`.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use super::documents;

const CHECK: &str = r#"
import io, json, sys
schema, document = sys.argv[1], sys.stdin.buffer.read()
if schema.endswith(".xsd"):
    from lxml import etree
    etree.XMLSchema(etree.parse(schema)).assertValid(etree.parse(io.BytesIO(document)))
else:
    import jsonschema
    schema = json.load(open(schema, encoding="utf-8"))
    kind = jsonschema.validators.validator_for(schema)
    kind(schema, format_checker=jsonschema.FormatChecker()).validate(json.loads(document))
"#;

/// A Python that has the module.
fn python(module: &str) -> Option<&'static str> {
    let works = |name: &&str| {
        let mut command = Command::new(name);
        command.args(["-c", &format!("import {module}")]);
        let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
        status.is_ok_and(|status| status.success())
    };
    ["python3", "python"].into_iter().find(works)
}

#[test]
fn the_published_schemas_accept_every_document() {
    let Some(folder) = std::env::var_os("JSONX_SCHEMAS").map(PathBuf::from) else {
        eprintln!("skipped: JSONX_SCHEMAS does not name a folder with the published schemas");
        return;
    };
    for (format, schema, module) in [
        ("sarif", "sarif-schema-2.1.0.json", "jsonschema"),
        ("junit", "junit-10.xsd", "lxml.etree"),
    ] {
        let schema = folder.join(schema);
        let Some(python) = python(module).filter(|_| schema.is_file()) else {
            eprintln!(
                "skipped {format}: no {} or no Python with {module}",
                schema.display()
            );
            continue;
        };
        for (name, document) in documents(format) {
            let mut command = assert_cmd::Command::new(python);
            command
                .args(["-c", CHECK])
                .arg(&schema)
                .write_stdin(document);
            let output = command.output().expect("Python starts");
            assert!(
                output.status.success(),
                "{format} {name}: {}",
                String::from_utf8_lossy(&output.stderr)
            );
        }
    }
}
