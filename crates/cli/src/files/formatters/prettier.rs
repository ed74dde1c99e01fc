//! The options of Prettier.

use jsonx_core::Kind;
use jsonx_core::document::Node;

use super::config::{Config, ConfigText, Override};
use super::patterns::Patterns;
use crate::files::layout::{Eol, LayoutSettings, LayoutStyle, Parser, TrailingCommas};
use crate::report::escape;

/// Options without an effect on JSON, with any value.
const OTHERS: &str = "$schema overrides pluginSearchDirs editorconfig";

/// Options without an effect on JSON that are true or false. Prettier formats nothing if one has another value.
const SWITCHES: &str = "bracketSameLine experimentalTernaries jsxBracketSameLine jsxSingleQuote semi singleAttributePerLine \
    vueIndentScriptAndStyle";

/// Other options without an effect on JSON, each with its values.
const CHOICES: [(&str, &str); 5] = [
    ("arrowParens", "always avoid"),
    ("embeddedLanguageFormatting", "auto off"),
    ("experimentalOperatorPosition", "start end"),
    ("htmlWhitespaceSensitivity", "css strict ignore"),
    ("proseWrap", "always never preserve"),
];

/// Plugins for languages other than JSON.
const PLUGINS: &str = "@ianvs/prettier-plugin-sort-imports @prettier/plugin-php @prettier/plugin-pug @prettier/plugin-ruby \
    @prettier/plugin-xml @shopify/prettier-plugin-liquid @trivago/prettier-plugin-sort-imports prettier-plugin-astro \
    prettier-plugin-css-order prettier-plugin-go-template prettier-plugin-java prettier-plugin-jinja-template \
    prettier-plugin-jsdoc prettier-plugin-organize-attributes prettier-plugin-organize-imports prettier-plugin-prisma \
    prettier-plugin-sh prettier-plugin-solidity prettier-plugin-sql prettier-plugin-style-order prettier-plugin-svelte \
    prettier-plugin-tailwindcss prettier-plugin-toml prettier-plugin-twig-melody";

/// Plugins that change only `package.json`.
const PLUGINS_OF_PACKAGES: &str = "prettier-plugin-packagejson prettier-plugin-pkg";

/// Whether a list has a word.
fn has(list: &str, word: &str) -> bool {
    list.split(' ').any(|known| known == word)
}

/// The settings of a configuration.
pub(super) fn config(text: &ConfigText<'_>, root: Node<'_, '_>) -> Config {
    let mut config = Config::default();
    match root.kind() {
        // An empty file.
        Kind::Null => return config,
        Kind::Object => {}
        Kind::String => {
            config.settings.unknown = Some(text.unknown(root, "it names a package"));
            return config;
        }
        _ => {
            config.settings.unknown = Some(text.unknown(root, "it is not an object"));
            return config;
        }
    }
    let has_plugins = root
        .get("plugins")
        .is_some_and(|plugins| !plugins.is_empty());
    config.settings = options(text, root, has_plugins);
    for plugin in root.get("plugins").into_iter().flat_map(Node::elements) {
        let name = plugin.as_str().unwrap_or_default();
        if has(PLUGINS_OF_PACKAGES, &name) {
            let mut files = Patterns::default();
            let _ = files.add("package.json");
            config.overrides.push(Override {
                files,
                not: Patterns::default(),
                settings: LayoutSettings {
                    unknown: Some(text.unknown(plugin, format!("the plugin {name} may change it"))),
                    ..LayoutSettings::default()
                },
            });
        }
    }
    let overrides = root.get("overrides");
    if let Some(other) = overrides.filter(|it| !matches!(it.kind(), Kind::Array | Kind::Null)) {
        config.settings.unknown = Some(text.unknown(other, "`overrides` is not a list"));
    }
    for rule in overrides.into_iter().flat_map(Node::elements) {
        let Some(files) = rule.get("files") else {
            config.settings.unknown = Some(text.unknown(rule, "an override has no `files`"));
            continue;
        };
        let Some(changed) = rule.get("options") else {
            continue;
        };
        let files = text.globs(Some(files));
        let not = text.globs(rule.get("excludeFiles"));
        match (files, not) {
            (Ok(files), Ok(not)) => config.overrides.push(Override {
                files,
                not,
                settings: options(text, changed, has_plugins),
            }),
            (Err(unknown), _) | (_, Err(unknown)) => config.settings.unknown = Some(unknown),
        }
    }
    config
}

/// Options for all files or for some. With plugins, unknown options are theirs.
fn options(text: &ConfigText<'_>, options: Node<'_, '_>, has_plugins: bool) -> LayoutSettings {
    let mut settings = LayoutSettings {
        style: Some(LayoutStyle::Prettier),
        ..LayoutSettings::default()
    };
    for (key, value) in options.members() {
        let name = key.as_str().unwrap_or_default();
        if let Err(reason) = option(&mut settings, &name, value, has_plugins) {
            let at = if value.kind() == Kind::Array {
                value
            } else {
                key
            };
            settings.unknown = Some(text.unknown(at, reason));
        }
    }
    settings
}

/// Sets one option.
///
/// # Errors
/// The value is invalid or unknown.
fn option(
    settings: &mut LayoutSettings,
    name: &str,
    value: Node<'_, '_>,
    has_plugins: bool,
) -> Result<(), String> {
    let word = value.as_str().unwrap_or_default();
    let columns = || {
        let columns = value.as_u64();
        columns.ok_or_else(|| match value.kind() {
            Kind::Number => format!("`{name}` is `{}`", escape(value.raw())),
            _ => format!("`{name}` is not a whole number"),
        })
    };
    let is = || {
        let is = value.as_bool();
        is.ok_or_else(|| format!("`{name}` is neither true nor false"))
    };
    let unclear = || match value.kind() {
        Kind::String => Err(format!("`{name}` is `{word}`")),
        _ => Err(format!("`{name}` is not a string")),
    };
    match name {
        "printWidth" => settings.width = Some(super::config::width(columns()?)),
        "tabWidth" => settings.indent = Some(u8::try_from(columns()?).unwrap_or(u8::MAX)),
        "useTabs" => settings.tabs = Some(is()?),
        "bracketSpacing" => settings.bracket_spacing = Some(is()?),
        "objectWrap" => {
            settings.collapse = Some(match &*word {
                "preserve" => false,
                "collapse" => true,
                _ => return unclear(),
            });
        }
        "trailingComma" => {
            settings.trailing_commas = Some(match &*word {
                "none" => TrailingCommas::None,
                // Only the parsers that have them print them.
                "all" | "es5" => TrailingCommas::Keep,
                _ => return unclear(),
            });
        }
        "endOfLine" => {
            settings.line_end = Some(match &*word {
                "lf" => Eol::Lf,
                "crlf" => Eol::Crlf,
                "auto" => Eol::Keep,
                _ => return unclear(),
            });
        }
        "parser" => {
            settings.parser = Some(match &*word {
                "json" => Parser::Json,
                "jsonc" => Parser::Jsonc,
                "json5" => Parser::Json5,
                "json-stringify" => Parser::JsonStringify,
                _ => return unclear(),
            });
        }
        "singleQuote" => settings.single_quotes = Some(is()?),
        "quoteProps" => {
            settings.quoted_keys = Some(match &*word {
                "as-needed" => false,
                "consistent" | "preserve" => true,
                _ => return unclear(),
            });
        }
        "plugins" => {
            for plugin in value.elements() {
                let name = plugin.as_str().unwrap_or_default();
                if !has(PLUGINS, &name) && !has(PLUGINS_OF_PACKAGES, &name) {
                    return Err(format!("the plugin {name} may change it"));
                }
            }
        }
        "insertPragma" | "requirePragma" | "checkIgnorePragma"
            if value.as_bool() == Some(false) => {}
        _ if has(OTHERS, name) => {}
        _ if has(SWITCHES, name) => {
            is()?;
        }
        _ if CHOICES.iter().any(|(known, _)| *known == name) => {
            if !CHOICES
                .iter()
                .any(|(known, words)| *known == name && has(words, &word))
            {
                return unclear();
            }
        }
        _ if has_plugins => {}
        _ => return Err(format!("`{name}` is not an option that jsonx knows")),
    }
    Ok(())
}
