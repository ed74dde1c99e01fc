use std::fs;

use super::*;
use crate::files::layout::{Eol, LayoutSettings, LayoutStyle, TrailingCommas};

fn read(name: &str, text: &str) -> LayoutSettings {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join(".git")).unwrap();
    fs::write(folder.path().join(name), text).unwrap();
    let settings = Formatters::default().settings(&folder.path().join("a/x.json"));
    LayoutSettings {
        sources: Vec::new(),
        ..settings
    }
}

#[test]
fn files_of_prettier() {
    let expected = LayoutSettings {
        style: Some(LayoutStyle::Prettier),
        tabs: Some(true),
        indent: Some(4),
        width: Some(100),
        line_end: Some(Eol::Crlf),
        bracket_spacing: Some(false),
        collapse: Some(true),
        trailing_commas: Some(TrailingCommas::None),
        ..LayoutSettings::default()
    };
    let json = r#"{"printWidth": 100, "tabWidth": 4, "useTabs": true, "semi": false, "endOfLine": "crlf",
        "bracketSpacing": false, "objectWrap": "collapse", "trailingComma": "none", "plugins": ["prettier-plugin-astro"]}"#;
    let yaml = "---\n# layout\nprintWidth: 100\ntabWidth: 4 # columns\nuseTabs: true\nsemi: false\nendOfLine: 'crlf'\n\
        \"bracketSpacing\": false\nobjectWrap: collapse\r\ntrailingComma: \"none\"\n";
    assert_eq!(read(".prettierrc", json), expected);
    assert_eq!(read(".prettierrc.json", json), expected);
    let json5 = json.replace(",\n", ", // ends\n");
    assert_eq!(read(".prettierrc.json5", &json5), expected);
    let package = format!("{{\"prettier\": {json}}}");
    assert_eq!(read("package.json", &package), expected);
    // The last of equal keys counts in JSON.
    let twice = json.replace("{", "{\"tabWidth\": 2, ");
    assert_eq!(read(".prettierrc.json", &twice), expected);
    for name in [".prettierrc", ".prettierrc.yaml", ".prettierrc.yml"] {
        assert_eq!(read(name, yaml), expected, "{name}");
    }
    let defaults = LayoutSettings {
        style: Some(LayoutStyle::Prettier),
        ..LayoutSettings::default()
    };
    for (name, text) in [
        (".prettierrc", ""),
        (".prettierrc", "{}"),
        (".prettierrc", "overrides:\n  - files: x\n"),
        (
            ".prettierrc",
            "plugins: [prettier-plugin-astro]\nastroOption: 1",
        ),
        (".prettierrc", "plugins: [prettier-plugin-packagejson]"),
    ] {
        assert_eq!(read(name, text), defaults, "{name}: {text}");
    }
    for (name, text) in [
        ("package.json", "{\"name\": \"prettier\"}"),
        ("package.json", "{\"dependencies\": {\"prettier\": \"3\"}}"),
        ("package.yaml", "name: x\n"),
    ] {
        assert_eq!(
            read(name, text),
            LayoutSettings::default(),
            "{name}: {text}"
        );
    }
}

/// Of the nearest configuration between a file and the root of the repository, only two keys count.
#[test]
fn biome_formats_unless_it_is_turned_off() {
    for (text, formats) in [
        ("{}", true),
        ("", true),
        ("{\"formatter\": {\"enabled\": ", true),
        (
            r#"{"formatter": {"enabled": true, "indentWidth": 4}, "unheardOf": 1}"#,
            true,
        ),
        (r#"{"formatter": {"enabled": false}}"#, false),
        (
            r#"{"json": {"formatter": {"enabled": false}},} // c"#,
            false,
        ),
        (r#"{"json": {"linter": {"enabled": false}}}"#, true),
        (r#"{"files": {"includes": ["!**"]}}"#, true),
    ] {
        for name in ["biome.json", "biome.jsonc", ".biome.json"] {
            let found = read(name, text);
            let is_of_biome = found.unknown.is_some_and(|it| it.is_of_biome);
            assert_eq!(is_of_biome, formats, "{name}: {text}");
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let off = r#"{"formatter": {"enabled": false}}"#;
    for (name, text) in [
        (".git/HEAD", ""),
        ("biome.json", "{}"),
        (".prettierrc", "tabWidth: 5"),
        ("off/biome.json", off),
        ("off/b/.prettierrc", "tabWidth: 6"),
        ("inner/.git/HEAD", ""),
    ] {
        fs::create_dir_all(root.join(name).parent().unwrap()).unwrap();
        fs::write(root.join(name), text).unwrap();
    }
    let formatters = Formatters::default();
    for (name, is_of_biome, indent) in [
        ("a.json", true, None),
        ("other/a.json", true, None),
        ("off/a.json", false, Some(5)),
        ("off/b/a.json", false, Some(6)),
        ("inner/a.json", false, None),
    ] {
        let found = formatters.settings(&root.join(name));
        assert_eq!(
            (found.unknown.is_some(), found.indent),
            (is_of_biome, indent),
            "{name}"
        );
    }
}

#[test]
fn overrides_by_glob() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    fs::create_dir_all(root.join("a/.git")).unwrap();
    fs::write(
        root.join("a/.prettierrc"),
        r#"{"tabWidth": 4, "overrides": [
            {"files": "*.json", "options": {"tabWidth": 3}},
            {"files": ["data/**/*.json", "x.json"], "excludeFiles": "data/no/*", "options": {"tabWidth": 1, "parser": "jsonc"}},
            {"files": ["nothing.json"]}]}"#,
    )
    .unwrap();
    fs::write(root.join(".prettierrc"), "tabWidth: 8").unwrap();
    let formatters = Formatters::default();
    let indent = |name: &str| formatters.settings(&root.join(name)).indent;
    assert_eq!(indent("a/y.jsonc"), Some(4));
    assert_eq!(indent("a/y.json"), Some(3));
    assert_eq!(indent("a/b/x.json"), Some(1));
    assert_eq!(indent("a/data/b/y.json"), Some(1));
    assert_eq!(indent("a/data/no/y.json"), Some(3));
    assert_eq!(indent("a/nothing.json"), Some(3));
    assert_eq!(indent("y.json"), Some(8));
    // Files above the root of a repository are not read.
    fs::remove_file(root.join("a/.prettierrc")).unwrap();
    assert_eq!(
        Formatters::default().settings(&root.join("a/x.json")),
        LayoutSettings::default()
    );
}

/// Each with the position of the unsupported setting.
#[test]
fn settings_that_are_not_understood() {
    for (name, text, place, reason) in [
        (
            ".prettierrc.json",
            "{",
            ".prettierrc.json",
            "it is not JSON: ",
        ),
        (
            ".prettierrc.json",
            "{} // c",
            ".prettierrc.json",
            "it is not JSON: ",
        ),
        (
            "package.json",
            "{\"prettier\": {},}",
            "package.json",
            "it is not JSON: ",
        ),
        (".prettierrc", "{", ".prettierrc:", "it is not YAML: "),
        (
            ".prettierrc",
            "\ttabWidth: 4",
            ".prettierrc:1",
            "it is indented with tabs",
        ),
        (
            ".prettierrc",
            "tabWidth: 4\ntabWidth: 2",
            ".prettierrc:2",
            "duplicate key `tabWidth`",
        ),
        (
            ".prettierrc",
            "{\"tabWidth\": 4,\n\"tabWidth\": 2}",
            ".prettierrc:2",
            "duplicate key `tabWidth`",
        ),
        (
            ".prettierrc",
            "{tabWidth: 4 /* c */}",
            ".prettierrc:1",
            "it has a date, or a number in another notation",
        ),
        (
            ".prettierrc",
            "semi: x",
            ".prettierrc:1",
            "`semi` is neither true nor false",
        ),
        (
            ".prettierrc",
            "arrowParens: x",
            ".prettierrc:1",
            "`arrowParens` is `x`",
        ),
        (
            ".prettierrc",
            "overrides: {}",
            ".prettierrc:1",
            "`overrides` is not a list",
        ),
        (
            ".prettierrc",
            "overrides: [{options: {}}]",
            ".prettierrc:1",
            "an override has no `files`",
        ),
        (".prettierrc", "a: [", ".prettierrc:", "it is not YAML: "),
        (
            ".prettierrc",
            "tabWidth: 4\nindent: 2",
            ".prettierrc:2",
            "`indent` is not an option that jsonx knows",
        ),
        (
            ".prettierrc",
            "{\"tabWidth\": 4,\n\"tabWidht\": 2}",
            ".prettierrc:2",
            "`tabWidht` is not an option that jsonx knows",
        ),
        (
            ".prettierrc",
            "tabWidth: x",
            ".prettierrc:1",
            "`tabWidth` is not a whole number",
        ),
        (
            ".prettierrc",
            "endOfLine: cr",
            ".prettierrc:1",
            "`endOfLine` is `cr`",
        ),
        (
            ".prettierrc",
            "parser: typescript",
            ".prettierrc:1",
            "`parser` is `typescript`",
        ),
        (
            ".prettierrc",
            "insertPragma: true",
            ".prettierrc:1",
            "`insertPragma` is not an option that jsonx knows",
        ),
        (
            ".prettierrc",
            "plugins:\n- ./a.js",
            ".prettierrc:2",
            "the plugin ./a.js may change it",
        ),
        (
            ".prettierrc",
            "overrides:\n- files: a/x.json\n  options:\n    x: 1",
            ".prettierrc:4",
            "`x` is not an option that jsonx knows",
        ),
        (
            ".prettierrc",
            "overrides:\n- files: '!(b)'\n  options: {}",
            ".prettierrc:2",
            "the glob `!(b)` is not understood",
        ),
        (
            ".prettierrc",
            "\"@company/config\"",
            ".prettierrc:1",
            "it names a package",
        ),
        (".prettierrc", "[1]", ".prettierrc:1", "it is not an object"),
        (
            "package.json",
            "{\"prettier\": \"@company/config\"}",
            "package.json:1",
            "it names a package",
        ),
        (
            "prettier.config.mjs",
            "export default {};",
            "prettier.config.mjs",
            "it is a program, which jsonx does not run",
        ),
        (
            ".prettierrc.toml",
            "tabWidth = 4",
            ".prettierrc.toml",
            "it is TOML",
        ),
    ] {
        let unknown = read(name, text).unknown.expect(text);
        let found = unknown.place.rsplit('/').next().unwrap();
        assert!(found.starts_with(place), "{text}: {found}");
        assert!(
            unknown.reason.starts_with(reason),
            "{text}: {}",
            unknown.reason
        );
    }
}

#[test]
fn a_plugin_of_packages_leaves_the_others() {
    let folder = tempfile::tempdir().unwrap();
    let text = "plugins: [prettier-plugin-packagejson]";
    fs::write(folder.path().join(".prettierrc"), text).unwrap();
    let formatters = Formatters::default();
    assert!(
        formatters
            .settings(&folder.path().join("a/package.json"))
            .unknown
            .is_some()
    );
    assert!(
        formatters
            .settings(&folder.path().join("a/x.json"))
            .unknown
            .is_none()
    );
}

/// Names that jsonx takes and Prettier does not are left alone.
#[test]
fn names_that_prettier_takes() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    for directory in ["p", "none"] {
        fs::create_dir_all(root.join(directory).join(".git")).unwrap();
    }
    fs::write(root.join("p/.prettierrc"), "{}").unwrap();
    let formatters = Formatters::default();
    for (name, prettier) in [
        ("a.json", true),
        ("a.jsonc", true),
        ("a.jsonl", false),
        ("a.ipynb", false),
        ("deno.lock", false),
        ("composer.lock", false),
        ("a.jsonld", false),
        ("a.har", true),
        ("a.geojson", true),
        (".swcrc", true),
        (".eslintrc", false),
        (".releaserc", false),
        // Only the user can have selected it.
        ("a.txt", true),
    ] {
        let is_taken = |directory: &str| {
            let found = formatters.settings(&root.join(directory).join(name));
            found.formatted != Some(false)
        };
        assert_eq!(is_taken("p"), prettier, "{name}");
        assert!(is_taken("none"), "{name}");
    }
}
