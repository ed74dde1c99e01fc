//! Parses `.editorconfig`: section headers and properties, one per line.

use std::path::Path;

use super::EditorConfig;
use super::glob::Glob;
use crate::files::layout::{Eol, LayoutSettings, Unknown};

/// The sections of one file.
#[derive(Debug)]
pub struct Sections {
    /// `root = true`: the directories above do not count.
    pub is_root: bool,
    sections: Vec<(Glob, Properties)>,
}

/// Properties in lower case; an empty value is `unset`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Properties {
    values: [Option<String>; NAMES.len()],
}

/// The properties that concern the layout of JSON.
const NAMES: [&str; 6] = [
    "indent_style",
    "indent_size",
    "tab_width",
    "end_of_line",
    "insert_final_newline",
    "max_line_length",
];

impl Sections {
    /// Reads the text of a file. Lines that are neither headers nor properties are skipped, as the specification requires.
    pub fn parse(text: &[u8]) -> Sections {
        let text = String::from_utf8_lossy(text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text));
        let mut parsed = Sections {
            is_root: false,
            sections: Vec::new(),
        };
        // If a glob is too long, the properties of its section are skipped with it.
        let mut skipped = false;
        for line in text.lines().map(str::trim) {
            if line.is_empty() || line.starts_with(['#', ';']) {
                continue;
            }
            if let Some(header) = line
                .strip_prefix('[')
                .and_then(|line| line.strip_suffix(']'))
            {
                let glob = Glob::new(header);
                skipped = glob.is_none();
                parsed
                    .sections
                    .extend(glob.map(|glob| (glob, Properties::default())));
                continue;
            }
            let Some((name, value)) = line.split_once('=') else {
                continue;
            };
            let name = name.trim().to_lowercase();
            let value = value.trim().to_lowercase();
            match parsed.sections.last_mut() {
                _ if skipped => {}
                None if name == "root" => parsed.is_root = value == "true",
                None => {}
                Some((_, properties)) => properties.set(&name, value),
            }
        }
        parsed
    }

    /// Adds the properties of the file at `path`, relative to the directory of this one, that are not set yet. Returns
    /// whether there are any.
    pub fn apply(&self, path: &Path, properties: &mut Properties) -> bool {
        let mut applied = false;
        // The last section that matches decides.
        for (glob, set) in self.sections.iter().rev() {
            if set.is_empty() || !glob.matches(path) {
                continue;
            }
            for (value, new) in properties.values.iter_mut().zip(&set.values) {
                if value.is_none() && new.is_some() {
                    value.clone_from(new);
                    applied = true;
                }
            }
        }
        applied
    }
}

impl Properties {
    fn set(&mut self, name: &str, value: String) {
        if let Some(index) = NAMES.iter().position(|known| *known == name) {
            self.values[index] = Some(value);
        }
    }

    fn is_empty(&self) -> bool {
        self.values.iter().all(Option::is_none)
    }

    /// Interprets the properties. `unset` and values outside the specification are ignored.
    pub fn resolve(&self) -> EditorConfig {
        let [style, size, tab_width, end, newline, length] =
            self.values.each_ref().map(|value| value.as_deref());
        let columns = |text: Option<&str>| text.and_then(|text| text.parse::<u8>().ok());
        let spaces = match size {
            Some("tab") => columns(tab_width),
            size => columns(size).or(columns(tab_width).filter(|_| size.is_none())),
        };
        let spaces = spaces.filter(|&spaces| spaces > 0);
        let is_tab = match style {
            Some("tab") => Some(true),
            Some("space") => Some(false),
            _ => None,
        };
        let (tabs, indent) = match (style, size) {
            (Some("tab"), _) | (None, Some("tab")) => (Some(true), None),
            (Some("space"), _) => (Some(false), spaces),
            // Editors interpret a size without a style as spaces.
            _ => {
                let size = columns(size).filter(|&size| size > 0);
                (size.map(|_| false), size)
            }
        };
        EditorConfig {
            layout: LayoutSettings {
                tabs,
                indent,
                line_end: match end {
                    Some("lf") => Some(Eol::Lf),
                    Some("crlf") => Some(Eol::Crlf),
                    _ => None,
                },
                // Obsolete, but Prettier writes it.
                unknown: (end == Some("cr")).then(|| Unknown {
                    place: super::NAME.to_owned(),
                    reason: "`end_of_line` is `cr`".to_owned(),
                    is_of_biome: false,
                }),
                final_newline: match newline {
                    Some("true") => Some(true),
                    Some("false") => Some(false),
                    _ => None,
                },
                width: match length {
                    Some("off") => Some(0),
                    Some(columns) => columns
                        .parse()
                        .ok()
                        .filter(|width| (1..=10_000).contains(width)),
                    None => None,
                },
                ..LayoutSettings::default()
            },
            prettier: (
                is_tab.or((size == Some("tab") && tab_width.is_none()).then_some(true)),
                columns(size)
                    .filter(|&size| size > 0 && style == Some("space"))
                    .or(columns(tab_width.or(size)))
                    .filter(|&columns| columns > 0),
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resolved(properties: &str) -> EditorConfig {
        let text = format!("[*]\n{properties}");
        let mut all = Properties::default();
        Sections::parse(text.as_bytes()).apply(Path::new("a.json"), &mut all);
        all.resolve()
    }

    #[test]
    fn properties_and_what_they_mean() {
        for (text, indent) in [
            ("indent_style = tab", (Some(true), None)),
            ("INDENT_STYLE = Tab\nindent_size=4", (Some(true), None)),
            ("indent_size = tab", (Some(true), None)),
            ("indent_style = space", (Some(false), None)),
            (
                "indent_style = space\nindent_size = 4",
                (Some(false), Some(4)),
            ),
            (
                "indent_style = space\nindent_size = tab\ntab_width=3",
                (Some(false), Some(3)),
            ),
            ("indent_style = space\ntab_width=8", (Some(false), Some(8))),
            ("indent_size = 3", (Some(false), Some(3))),
            ("tab_width = 3", (None, None)),
            (
                "indent_style = space\nindent_size = 1000",
                (Some(false), None),
            ),
            ("indent_size = 0", (None, None)),
            ("indent_style = unset\nindent_size = unset", (None, None)),
            ("indent_style", (None, None)),
        ] {
            let layout = resolved(text).layout;
            assert_eq!((layout.tabs, layout.indent), indent, "{text}");
        }
        for (text, prettier) in [
            ("indent_size = tab", (Some(true), None)),
            ("indent_size = tab\ntab_width = 5", (None, Some(5))),
            (
                "indent_style = tab\nindent_size = tab\ntab_width = 5",
                (Some(true), Some(5)),
            ),
            ("indent_size = 3", (None, Some(3))),
        ] {
            assert_eq!(resolved(text).prettier, prettier, "{text}");
        }
        let layout = |text| resolved(text).layout;
        assert_eq!(layout("end_of_line = LF").line_end, Some(Eol::Lf));
        assert!(layout("end_of_line = cr").unknown.is_some());
        assert_eq!(
            layout("insert_final_newline = false").final_newline,
            Some(false)
        );
        assert_eq!(layout("max_line_length = 100").width, Some(100));
        assert_eq!(layout("max_line_length = off").width, Some(0));
        assert_eq!(layout("max_line_length = -1").width, None);
    }

    #[test]
    fn later_lines_count_and_invalid_ones_are_skipped() {
        let sections = Sections::parse(
            b"\xEF\xBB\xBFroot = yes\n# [*]\n; [*]\nno line\n[*]\r\nindent_size = 2\r\n[a.json]\nindent_size = 4\n\
              [{{{]\nindent_size = 8\n",
        );
        assert!(!sections.is_root);
        let mut all = Properties::default();
        assert!(sections.apply(Path::new("a.json"), &mut all));
        assert_eq!(all.resolve().layout.indent, Some(4));
        let mut all = Properties::default();
        assert!(sections.apply(Path::new("b.json"), &mut all));
        assert_eq!(all.resolve().layout.indent, Some(2));
    }
}
