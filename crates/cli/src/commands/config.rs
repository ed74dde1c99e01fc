//! `jsonx config`: the settings that apply to a file, and the source of each.

use std::io::{self, Write};
use std::path::Path;

use jsonx_core::format::Style;
use jsonx_diagnose::Lints;
use jsonx_schema::keywords::KEYWORDS;

use super::fmt::{Layouts, Sources};
use super::{Command, Plan, UsageError};
use crate::args::{Common, Config, Global};
use crate::check::{InputKind, by_name};
use crate::config::table::{AllowedIn, Key, LEVELS, SettingRow, rows};
use crate::config::{FileOptions, Setting, Settings, Value, shown_layout};
use crate::diagnostics::{Level, LintSelection};
use crate::files::layout::Unknown;
use crate::input::Name;
use crate::report::escape;
use crate::session::Session;
use crate::words::Words;

impl Command for Config {
    const NAME: &'static str = "config";
    type Work<'a> = ();

    fn common(&self) -> &Common {
        &self.common
    }

    fn plan(&self, _: &Global) -> Result<Plan<()>, UsageError> {
        Ok(Plan {
            meant: None,
            levels: self.levels,
            ..Plan::with_findings_on_stderr((), false)
        })
    }

    fn run(&self, (): (), session: &mut Session) -> io::Result<()> {
        let layouts = Layouts::new(&self.layout, session.options().configs.clone());
        for (number, path) in self.files.iter().enumerate() {
            let name = Name::new(path);
            let options = match session.options().for_file(&name) {
                Ok(options) => options,
                Err(config) => {
                    session.report_config(&name, &config)?;
                    continue;
                }
            };
            let kind = options.check.kind_of_path(name.path());
            let layout = layouts.for_file(name.path(), kind);
            let applied = Applied {
                args: self,
                path: name.path(),
                settings: options.settings.as_ref(),
                options: &options,
                is_compact: layout.rewrite.style == Style::Compact,
                is_prettier: layout.rewrite.prettier.is_some(),
                layout: layouts.sources(name.path(), kind),
                unknown: layouts.unknown(name.path(), kind),
                left_out: name.path().and_then(|path| layouts.left_out(path, false)),
            };
            let mut text = String::new();
            if self.files.len() > 1 {
                let gap = if number > 0 { "\n" } else { "" };
                text += &format!("{gap}{name}\n");
            }
            text += &table(&applied.lines());
            session.out.write_all(text.as_bytes())?;
        }
        Ok(())
    }
}

/// The settings that apply to a file.
struct Applied<'a> {
    args: &'a Config,
    path: Option<&'a Path>,
    settings: Option<&'a Settings>,
    options: &'a FileOptions,
    is_compact: bool,
    is_prettier: bool,
    layout: Sources,
    /// The reasons why `fmt` leaves the file alone in directories, or always.
    unknown: Option<Unknown>,
    left_out: Option<String>,
}

/// A setting, its value, and its source.
type Line = [String; 3];

const COMMAND_LINE: &str = "command line";
const DEFAULT: &str = "default";

impl Applied<'_> {
    fn lines(&self) -> Vec<Line> {
        let mut lines = Vec::new();
        for row in rows(AllowedIn::Both) {
            match row.key {
                Key::Lints => lines.extend(self.lints()),
                Key::Style if let Some(Unknown { place, reason, .. }) = &self.unknown => {
                    let source = format!("{place}: {reason}");
                    lines.push([row.name.to_owned(), "unknown".to_owned(), source]);
                }
                // They have no effect then.
                Key::Indent | Key::Width if self.is_compact => {}
                _ => {
                    let (value, source) = self.setting(row);
                    lines.push([row.name.to_owned(), value, source]);
                }
            }
        }
        let (value, source) = match self.settings.and_then(Settings::ignored) {
            Some((config, span)) => ("yes", config.place(span.start)),
            None => ("no", DEFAULT.to_owned()),
        };
        lines.push(["ignore".to_owned(), value.to_owned(), source]);
        if let Some(reason) = &self.left_out {
            lines.push(["formatted".to_owned(), "no".to_owned(), reason.clone()]);
        }
        lines
    }

    /// The value of a setting, and its source.
    fn setting(&self, row: &SettingRow) -> (String, String) {
        if let Some(explicit) = self.explicit(row.key) {
            return (explicit, COMMAND_LINE.to_owned());
        }
        let found = self.settings.and_then(|settings| settings.found(row.key));
        let is_overruled = row.key == Key::Style && !self.is_compact;
        if let Some(found) = found.filter(|found| !is_overruled || !is_word(found, "compact")) {
            let value = match &found.value.value {
                Value::Null => "none".to_owned(),
                Value::Boolean(is) => is.to_string(),
                Value::Integer(number) => number.to_string(),
                Value::Text(text) => escape(&**text),
            };
            return (value, found.config.place(found.value.span.start));
        }
        for source in [&self.layout.formatter, &self.layout.editor_config] {
            if let Some(value) = shown_layout(source, row.key) {
                return (value, source.names().join(", "));
            }
        }
        match (row.key, row.default) {
            (Key::Indent, _) if self.is_prettier => ("2".to_owned(), DEFAULT.to_owned()),
            (Key::Width, _) if self.is_prettier => ("80".to_owned(), DEFAULT.to_owned()),
            (Key::Eol, _) if self.is_prettier => ("lf".to_owned(), DEFAULT.to_owned()),
            (Key::Input, _) => {
                let kind = self.path.map_or(InputKind::Auto, by_name);
                let name = kind
                    .word()
                    .unwrap_or_else(|| "json with comments".to_owned());
                (name, format!("{DEFAULT}, by its name"))
            }
            (_, "") => ("none".to_owned(), DEFAULT.to_owned()),
            (_, default) => (default.to_owned(), DEFAULT.to_owned()),
        }
    }

    /// The settings of the command line.
    fn explicit(&self, key: Key) -> Option<String> {
        let Config {
            schemas, common, ..
        } = self.args;
        match key {
            Key::Input => self.options.check.by_option(self.path)?.word(),
            Key::Schema => schemas.schema.as_deref().map(escape),
            Key::Catalog => {
                let maps: Vec<String> = schemas.schema_map.iter().map(escape).collect();
                (!maps.is_empty()).then(|| maps.join(", "))
            }
            Key::SchemaDir => schemas
                .schema_dir
                .as_ref()
                .map(|it| Name::new(it).to_string()),
            Key::SchemaRoot => {
                let roots = schemas.schema_root.iter();
                let roots: Vec<String> = roots.map(|it| Name::new(it).to_string()).collect();
                (!roots.is_empty()).then(|| roots.join(", "))
            }
            Key::FollowSchema => schemas.use_schema_key.then(|| "true".to_owned()),
            Key::Draft => schemas.draft.clone(),
            Key::Formats => schemas.formats?.word(),
            Key::MaxDepth => common.max_depth.map(|depth| depth.to_string()),
            Key::MaxErrors => common.max_errors.map(|errors| errors.to_string()),
            _ => shown_layout(&self.layout.requested, key),
        }
    }

    /// The levels of all lints, and of schema rules with another than the default.
    fn lints(&self) -> Vec<Line> {
        let levels = self.options.diagnoser.levels;
        let (explicit, explicit_keywords) = self.args.levels.explicit;
        let line = |name: &str,
                    level: Level,
                    is_explicit: bool,
                    is_about: &dyn Fn(LintSelection) -> bool| {
            let setting = self.settings.and_then(|settings| {
                let mut setting = settings.levels().into_iter().rev();
                setting.find(|(_, setting)| is_about(setting.selection))
            });
            let source = match setting {
                _ if is_explicit => COMMAND_LINE.to_owned(),
                Some((config, setting)) => config.place(setting.span.start),
                None => DEFAULT.to_owned(),
            };
            [
                format!("lints.{name}"),
                LEVELS[level as usize].to_owned(),
                source,
            ]
        };
        let lints = Lints::CODES.into_iter().map(|code| {
            let level = match (levels.shown.contains(code), levels.denied.contains(code)) {
                (false, _) => Level::Off,
                (true, false) => Level::Warn,
                (true, true) => Level::Deny,
            };
            line(code.as_str(), level, explicit.contains(code), &|it| {
                it.lints.contains(code)
            })
        });
        let keywords = KEYWORDS.iter().map(|keyword| {
            let code = keyword.code;
            let level = match (
                levels.schema_allowed.contains(code),
                levels.schema_warned.contains(code),
            ) {
                (true, _) => Level::Off,
                (false, true) => Level::Warn,
                (false, false) => Level::Deny,
            };
            line(code, level, explicit_keywords.contains(code), &|it| {
                it.keywords.contains(code)
            })
        });
        lints
            .chain(keywords.filter(|[_, _, source]| source != DEFAULT))
            .collect()
    }
}

fn is_word(found: &Setting<'_>, word: &str) -> bool {
    matches!(&found.value.value, Value::Text(text) if **text == *word)
}

/// Aligns the lines in columns.
fn table(lines: &[Line]) -> String {
    let width = |column: usize| lines.iter().map(|line| line[column].len()).max();
    let (names, values) = (width(0).unwrap_or(0), width(1).unwrap_or(0).min(40));
    let lines = lines.iter();
    lines
        .map(|[name, value, source]| format!("{name:names$}  {value:values$}  {source}\n"))
        .collect()
}
