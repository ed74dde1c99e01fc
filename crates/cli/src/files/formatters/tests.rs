use std::fs;

use super::*;
use crate::files::layout::{Eol, Expand, LayoutSettings, LayoutStyle, TrailingCommas};

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
        expand: Some(Expand::Never),
        trailing_commas: Some(TrailingCommas::None),
        ..LayoutSettings::default()
    };
    let json = r#"{"printWidth": 100, "tabWidth": 4, "useTabs": true, "semi": false, "endOfLine": "crlf", // ends
        "bracketSpacing": false, "objectWrap": "collapse", "trailingComma": "none", "plugins": ["prettier-plugin-astro"]}"#;
    let yaml = "---\n# layout\nprintWidth: 100\ntabWidth: 4 # columns\nuseTabs: true\nsemi: false\nendOfLine: 'crlf'\n\
        \"bracketSpacing\": false\nobjectWrap: collapse\r\ntrailingComma: \"none\"\n";
    assert_eq!(read(".prettierrc", json), expected);
    assert_eq!(read(".prettierrc.json", json), expected);
    assert_eq!(
        read(
            "package.json",
            &format!("{{\"prettier\": {}}}", json.replace("// ends", ""))
        ),
        expected
    );
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

#[test]
fn files_of_biome() {
    let settings = LayoutSettings {
        style: Some(LayoutStyle::Biome),
        tabs: Some(true),
        indent: Some(2),
        width: Some(80),
        line_end: Some(Eol::Lf),
        trailing_commas: Some(TrailingCommas::None),
        max_size: Some(1 << 20),
        without_editorconfig: Some(true),
        ..LayoutSettings::default()
    };
    assert_eq!(read("biome.json", "{}"), settings);
    let text = r#"{"formatter": {"indentStyle": "space", "indentWidth": 4, "lineWidth": 100, "lineEnding": "auto"},
        "json": {"formatter": {"indentWidth": 3, "bracketSpacing": false, "expand": "never", "trailingCommas": "all"}}, }"#;
    let expected = LayoutSettings {
        tabs: Some(false),
        indent: Some(3),
        width: Some(100),
        line_end: Some(if cfg!(windows) { Eol::Crlf } else { Eol::Lf }),
        bracket_spacing: Some(false),
        expand: Some(Expand::Never),
        trailing_commas: Some(TrailingCommas::All),
        ..settings
    };
    assert_eq!(read("biome.jsonc", text), expected);
    assert_eq!(read("biome.json", text), expected);
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
        (".prettierrc", "{", ".prettierrc", "it is not JSON: "),
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
            "it is a program",
        ),
        (
            ".prettierrc.toml",
            "tabWidth = 4",
            ".prettierrc.toml",
            "it is TOML",
        ),
        (
            "biome.json",
            "{\n\"organizeImports\": {}}",
            "biome.json:2",
            "`organizeImports` is not a setting of Biome 2 that jsonx knows",
        ),
        (
            "biome.json",
            "{\"files\": {\"ignore\": []}}",
            "biome.json:1",
            "`ignore` is not a setting of Biome 2 that jsonx knows",
        ),
        (
            "biome.json",
            "{\"formatter\": {\"expand\": \"some\"}}",
            "biome.json:1",
            "`expand` is not a setting of Biome 2 that jsonx knows, or its value is not",
        ),
        (
            "biome.json",
            "{\"formatter\": {\"delimiterSpacing\": true}}",
            "biome.json:1",
            "`delimiterSpacing` is not",
        ),
        (
            "biome.json",
            "{\"overrides\": [{\"formatter\": {\"lineWidth\": 9}}]}",
            "biome.json:1",
            "an override without `includes`",
        ),
        (
            "biome.json",
            "{\"files\": {\"includes\": [\"[a]\"]}}",
            "biome.json:1",
            "the glob `[a]` is not understood",
        ),
        (
            "biome.json",
            "{\"extends\": [\"./none.json\"]}",
            "biome.json:1",
            "`./none.json`, which it extends, is not found",
        ),
        (
            "biome.json",
            "{\"extends\": [\"./biome.json\"]}",
            "biome.json:1",
            "too many files extend one another",
        ),
        (
            "biome.json",
            "{\"root\": false, \"extends\": \"//\"}",
            "biome.json:1",
            "there is no configuration above it",
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

/// The files that Biome formats, and their inherited settings: as in Biome 2.6.
#[test]
fn files_of_biome_extend_others_and_select_files() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    for (name, text) in [
        (
            "biome.json",
            r#"{"extends": ["./base.json", "@x/biome/json"], "json": {"formatter": {"indentWidth": 5}},
            "files": {"includes": ["**", "!out"]}, "formatter": {"includes": ["**", "!**/*.min.json"]}}"#,
        ),
        (
            "base.json",
            r#"{"formatter": {"lineWidth": 33}, "files": {"includes": ["!out", "**", "!base-out"]},
            "overrides": [{"includes": ["off/**"], "formatter": {"enabled": false}}, {"includes": ["off/on.json"], "formatter": {"enabled": true}},
                {"includes": ["off/general.json"], "formatter": {}}]}"#,
        ),
        (
            "node_modules/@x/biome/package.json",
            r#"{"exports": {"./json": "./biome.json"}}"#,
        ),
        (
            "node_modules/@x/biome/biome.json",
            r#"{"formatter": {"indentWidth": 7, "indentStyle": "space"}}"#,
        ),
        (
            "inner/biome.json",
            r#"{"root": false, "extends": "//", "formatter": {"lineWidth": 44}}"#,
        ),
        (
            "alone/biome.json",
            r#"{"root": false, "files": {"includes": ["**", "!d"]}, "formatter": {"includes": ["**", "!e", "!f/**"]}}"#,
        ),
        ("out/biome.json", r#"{"root": false}"#),
        ("off/.prettierrc", "tabWidth: 6"),
        ("prettier/.prettierrc", "tabWidth: 8"),
        (
            "prettier/biome/biome.json",
            r#"{"files": {"includes": ["**", "!a.json"]}}"#,
        ),
    ] {
        fs::create_dir_all(root.join(name).parent().unwrap()).unwrap();
        fs::write(root.join(name), text).unwrap();
    }
    fs::create_dir(root.join(".git")).unwrap();
    let formatters = Formatters::default();
    let found = |name: &str| {
        let found = formatters.settings(&root.join(name));
        assert_eq!(found.unknown, None, "{name}");
        (found.formatted != Some(false)).then_some((found.indent.unwrap(), found.width))
    };
    for (name, expected) in [
        ("a.json", Some((5, Some(33)))),
        ("inner/a.json", Some((5, Some(44)))),
        ("alone/a.json", Some((2, Some(80)))),
        ("out/a.json", None),
        // A later glob selects it again.
        ("base-out/a.json", Some((5, Some(33)))),
        ("a.min.json", None),
        // The root does not decide on files below a nested configuration that excludes them, but on more than those.
        ("alone/d/a.json", None),
        ("alone/e/a.json", Some((2, Some(80)))),
        ("alone/f/a.json", None),
        ("alone/a.min.json", None),
        ("b/package-lock.json", None),
        ("b/c.json5", None),
        // The nearest configuration decides, whichever program it belongs to.
        ("off/a.json", Some((6, None))),
        ("prettier/a.json", Some((8, None))),
        ("prettier/biome/a.json", None),
        ("prettier/biome/b.json", Some((2, Some(80)))),
    ] {
        assert_eq!(found(name), expected, "{name}");
    }
    fs::remove_file(root.join("off/.prettierrc")).unwrap();
    let formatters = Formatters::default();
    let is_off = |name: &str| formatters.settings(&root.join(name)).formatted;
    assert_eq!(is_off("off/a.json"), Some(false));
    assert_eq!(is_off("off/on.json"), Some(true));
    assert_eq!(is_off("off/general.json"), Some(true));
}

/// Prettier formats the files that Biome does not; the layout of those that both format is unknown.
#[test]
fn both_programs_in_one_folder() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    fs::write(root.join(".prettierrc"), "tabWidth: 6").unwrap();
    let text = r#"{"files": {"includes": ["**", "!a.json"]}}"#;
    fs::write(root.join("biome.json"), text).unwrap();
    let formatters = Formatters::default();
    let excluded = formatters.settings(&root.join("a.json"));
    assert_eq!((excluded.indent, excluded.unknown), (Some(6), None));
    assert!(formatters.settings(&root.join("b.json")).unknown.is_some());
}

/// Names that jsonx takes and a program does not are left alone, unless the other program formats them.
#[test]
fn names_that_one_program_takes() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    for (directory, names) in [
        ("p", &[".prettierrc"][..]),
        ("b", &["biome.json"]),
        ("both", &[".prettierrc", "biome.json"]),
        ("none", &[]),
    ] {
        fs::create_dir_all(root.join(directory).join(".git")).unwrap();
        for name in names {
            fs::write(root.join(directory).join(name), "{}").unwrap();
        }
    }
    let formatters = Formatters::default();
    for (name, prettier, biome) in [
        ("a.json", true, true),
        ("a.jsonc", true, true),
        ("a.jsonl", false, false),
        ("a.ipynb", false, false),
        ("deno.lock", false, false),
        ("composer.lock", false, false),
        ("a.jsonld", false, true),
        ("a.har", true, false),
        ("a.geojson", true, false),
        (".swcrc", true, false),
        (".eslintrc", true, false),
        // Only the user can have selected it.
        ("a.txt", true, true),
    ] {
        let is_taken = |directory: &str| {
            let found = formatters.settings(&root.join(directory).join(name));
            found.formatted != Some(false)
        };
        assert_eq!((is_taken("p"), is_taken("b")), (prettier, biome), "{name}");
        assert_eq!(is_taken("both"), prettier || biome, "{name}");
        assert!(is_taken("none"), "{name}");
    }
}
