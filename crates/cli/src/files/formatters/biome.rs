//! Whether Biome formats the JSON files of a folder. Nothing else of its configuration is read.

use std::path::Path;

use jsonx_core::document::Node;

use super::Read;
use super::config::ConfigText;
use crate::files::rules;

/// The names of the files; the first that exists in a folder counts.
pub(super) const NAMES: [&str; 4] = ["biome.json", "biome.jsonc", ".biome.json", ".biome.jsonc"];

/// Whether a configuration leaves `formatter.enabled` and `json.formatter.enabled` on, as one that cannot be read does.
pub(super) fn formats(path: &Path) -> bool {
    let text = rules::read_file(path, "configuration").unwrap_or_default();
    let mut is_on = true;
    ConfigText::read(path, &text, Read::Json5, |_, root| {
        let is_off = |section: Option<Node<'_, '_>>| {
            let enabled = section.and_then(|it| it.get("formatter")?.get("enabled")?.as_bool());
            enabled == Some(false)
        };
        is_on = !is_off(Some(root)) && !is_off(root.get("json"));
        None
    });
    is_on
}
