//! `.editorconfig`: the layout of the files of a repository, <https://spec.editorconfig.org>.
//!
//! ```text
//! a/b/data.json    a/b/.editorconfig ─► a/.editorconfig ─► … up to one that says `root = true`
//!                  read.rs, parse.rs    the nearest file that sets a property decides
//! ```
//!
//! The crate `ec4rs` is not used: it matches globs by backtracking, so one line in a hostile repository could take years, and
//! its version with limits is not released. Here a glob becomes a regular expression, which is matched in linear time
//! (`glob.rs`); the rest of the format is lines.

mod glob;
mod parse;

use std::path::Path;
use std::sync::Arc;

use self::parse::Sections;
use super::folders::{Folders, full};
use super::layout::LayoutSettings;
use super::rules;

/// The name of the files.
const NAME: &str = ".editorconfig";

/// The settings for the layout of one file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EditorConfig {
    /// The settings, and the files that have them, the nearest first.
    pub layout: LayoutSettings,
    /// Whether a level is a tab, and its columns, as Prettier reads them: `tab_width` before `indent_size`, unless `indent_style =
    /// space`; `indent_size = tab` with a `tab_width` is that number of spaces.
    pub prettier: (Option<bool>, Option<u8>),
}

/// Looks up `.editorconfig` files; each is read once.
#[derive(Debug, Default)]
pub struct EditorConfigs {
    folders: Folders<Option<Arc<Sections>>>,
}

impl EditorConfigs {
    /// The settings for `path`, from the files in its directory and above. The file need not exist.
    pub fn settings(&self, path: &Path) -> EditorConfig {
        let Some(path) = full(path) else {
            return EditorConfig::default();
        };
        let mut properties = parse::Properties::default();
        let mut sources = Vec::new();
        for directory in path.ancestors().skip(1) {
            let Some(sections) = self.in_directory(directory) else {
                continue;
            };
            if let Ok(relative) = path.strip_prefix(directory)
                && sections.apply(relative, &mut properties)
            {
                sources.push(directory.join(NAME));
            }
            if sections.is_root {
                break;
            }
        }
        let mut found = properties.resolve();
        found.layout.sources = sources;
        found
    }

    fn in_directory(&self, directory: &Path) -> Option<Arc<Sections>> {
        self.folders.get(directory, || {
            let text = rules::read_file(&directory.join(NAME), ".editorconfig");
            text.map(|text| Arc::new(Sections::parse(&text)))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::layout::Eol;
    use std::fs;

    #[test]
    fn the_nearest_file_that_sets_a_property_decides() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        fs::create_dir_all(root.join("a/b")).unwrap();
        fs::write(
            root.join(".editorconfig"),
            "root = true\n[*]\nend_of_line = crlf\nindent_size = 8\nindent_style=space\n[*.md]\nindent_size = 3\n",
        )
        .unwrap();
        fs::write(
            root.join("a/.editorconfig"),
            "; nearer\n[*.{json,jsonc}]\nindent_size = 4\nmax_line_length = off\n[b/*]\nend_of_line = unset\n",
        )
        .unwrap();
        let configs = EditorConfigs::default();
        let nearest = configs.settings(&root.join("a/b/x.json"));
        assert_eq!(
            nearest,
            EditorConfig {
                layout: LayoutSettings {
                    tabs: Some(false),
                    indent: Some(4),
                    width: Some(0),
                    sources: vec![root.join("a/.editorconfig"), root.join(".editorconfig")],
                    ..LayoutSettings::default()
                },
                prettier: (Some(false), Some(4)),
            }
        );
        let outer = configs.settings(&root.join("x.json")).layout;
        assert_eq!((outer.tabs, outer.indent), (Some(false), Some(8)));
        assert_eq!(outer.line_end, Some(Eol::Crlf));
        // Files above a root are not read.
        fs::write(root.join("a/.editorconfig"), "root=TRUE\n").unwrap();
        let configs = EditorConfigs::default();
        assert_eq!(
            configs.settings(&root.join("a/x.json")),
            EditorConfig::default()
        );
    }
}
