//! `jsonx fmt`.

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use jsonx_core::format::Indent;

use super::reporter::{self, reporter};
use super::{Changes, Common};
use crate::files::Selection;
use crate::files::layout::{Eol, LayoutStyle, TrailingCommas};
use crate::session::Reporter;

const LONG_HELP_END: &str = "\
Exit codes:
  0  done, or already formatted
  1  --check or --diff: something is not formatted
  2  wrong usage, a bad glob, or no file at all
  3  an input is not JSON, or has no canonical form
  4  a file could not be read or written, exceeds --max-depth, or has an unknown layout

Examples:
  jsonx fmt data.json
  jsonx fmt --write .
  jsonx fmt --check src config.json
  jsonx fmt --diff . | patch -p0
  jsonx fmt -c data.json > data.min.json
  jsonx fmt --width 80 --sort-keys package.json
  jsonx fmt --style prettier data.json
  jsonx fmt --canonical claims.json | sha256sum
  jsonx fmt --to msgpack data.json > data.msgpack
  tail -f events.ndjson | jsonx fmt";

/// Format JSON: change white space and nothing else.
///
/// Numbers, escapes, key order and duplicate keys are kept byte for byte, unless --sort-keys, --ascii, --unescape,
/// --html-safe or --canonical is given. The default layout is that of `jq .`, one element per line, with the indentation of the file or two
/// spaces. In a repository with a configuration of Prettier, the default is its layout with its options (--style); files that
/// Biome formats are left alone by --write, --check and --diff, unless --no-config or --style is given. For an invalid file, nothing is printed. On a terminal, control characters in strings are
/// shown as escapes.
///
/// A single input is printed to standard output, which must not be the input itself. Several files need --write, --check
/// or --diff. --write replaces a file atomically: owner, mode and extended attributes are kept, symbolic links still
/// point to the file, and other hard links keep the old text. A file that is already formatted is not touched.
///
/// JSON Lines keep one value per line whatever the layout, and so does any file that begins with one value per line; `--input
/// stream` expands them. Invalid records are reported, and the others are formatted. Standard input without a name is a stream
/// of values, as in `jq .`; -c writes one value per line.
///
/// Comments keep their positions (`jsonx explain jsonc` lists the files that may have them); consecutive blank lines become
/// one. --sort-keys moves comments with their members. --width never puts a container with a comment inside on one line.
/// --ascii, --unescape and --html-safe change strings, not comments. --compact, --canonical and --to json write plain JSON without
/// comments. --to msgpack writes MessagePack. For JSON5, all other layouts change only white space and trailing commas.
///
/// Guide: `jsonx help formatting`.
#[derive(Debug, Args)]
#[command(after_long_help = LONG_HELP_END)]
pub struct Fmt {
    #[command(flatten)]
    pub selection: Selection,

    /// Format the staged version of the files that the next commit changes
    ///
    /// With --write, the file and its staged version are formatted; a file with unstaged changes is left alone, and the exit code
    /// is 4.
    #[arg(long, conflicts_with_all = ["paths", "ext", "glob", "stdin_filename"], help_heading = "File selection")]
    pub staged: bool,

    #[command(flatten)]
    pub changes: Changes,

    /// Format standard input as if it were the file NAME, for editors
    ///
    /// The name selects the settings and the format, and is used in messages. Nothing is printed if the text is invalid.
    #[arg(long, value_name = "NAME", conflicts_with_all = ["write", "in_place", "check", "diff", "skip_invalid", "paths"], hide_short_help = true)]
    pub stdin_filename: Option<PathBuf>,

    #[arg(long, value_name = "NAME[=FILE]", value_parser = reporter, help = reporter::help("Report format of --check"), long_help = reporter::long_help("Report format of --check", "Without this option, --check lists file names on standard output and errors on standard error; in GitHub Actions, it also writes annotations."), requires = "check", conflicts_with_all = ["diff", "write", "in_place"], hide_short_help = true)]
    pub reporter: Vec<Reporter>,

    #[command(flatten)]
    pub layout: Layout,

    /// Skip the files that FILE excludes, instead of those that .prettierignore excludes
    ///
    /// FILE has the syntax of .gitignore, and its patterns are relative to its directory. May be repeated. By default, the
    /// .prettierignore of each directory applies to the files in it.
    #[arg(
        long,
        value_name = "FILE",
        help_heading = "File selection",
        hide_short_help = true
    )]
    pub ignore_path: Vec<PathBuf>,

    /// JSON Lines: report invalid records as warnings, and ignore them in the exit code
    ///
    /// Valid records are formatted with and without this option. If no record is valid, the exit code is 3. A file with an
    /// invalid record is never rewritten.
    #[arg(long, conflicts_with_all = ["write", "in_place", "check", "diff"], hide_short_help = true)]
    pub skip_invalid: bool,

    #[command(flatten)]
    pub common: Common,
}

/// The layout of formatted text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Args)]
pub struct Layout {
    /// Remove all white space: one value per line, as in JSON Lines
    #[arg(short, long, conflicts_with_all = ["indent", "tab", "width", "style", "trailing_commas"])]
    pub compact: bool,

    /// Indent by N spaces or a tab per level, or keep the indentation [default: keep]
    ///
    /// tab: as --tab. keep: the indentation of the file if it is consistent in the first 8 KiB, otherwise 2 spaces. Standard
    /// input without a name is indented by 2 spaces.
    #[arg(long, value_name = "N", value_parser = indent, overrides_with = "tab")]
    pub indent: Option<IndentArg>,

    /// Indent by one tab per level
    #[arg(long, overrides_with = "indent")]
    pub tab: bool,

    /// Put arrays and objects on one line if they fit in N characters
    ///
    /// For example `[1, 2, 3]` and `{"a": 1, "b": 2}`.
    #[arg(
        long,
        value_name = "N",
        value_parser = clap::value_parser!(u16).range(1..=10_000)
    )]
    pub width: Option<u16>,

    /// Layout: lines, prettier
    ///
    /// lines: one element per line, or with --width whole containers on one line. prettier: the layout of Prettier 3, with its
    /// width of 80 and its spelling of numbers (1.5 for 1.50). The default is prettier if a configuration of Prettier applies,
    /// otherwise lines.
    #[arg(
        long,
        value_name = "STYLE",
        value_parser = PossibleValuesParser::new(["lines", "prettier"]).try_map(|word| LayoutStyle::from_str(&word, false)),
        hide_possible_values = true,
        conflicts_with = "canonical"
    )]
    pub style: Option<LayoutStyle>,

    /// Trailing commas in JSONC: keep, none, all [default: keep]
    ///
    /// all: wherever the file may have them; in arrays and objects that --width puts on one line, only where they are. With the
    /// style prettier, the default is all in `.jsonc` files and none in others.
    #[arg(
        long,
        value_name = "WHICH",
        hide_possible_values = true,
        hide_short_help = true,
        conflicts_with = "to"
    )]
    pub trailing_commas: Option<TrailingCommas>,

    /// Write plain JSON, without comments and trailing commas, or MessagePack: json, msgpack
    ///
    /// msgpack: each value becomes one of a sequence. Integers take their smallest form; `-0` and numbers with a point or an
    /// exponent become doubles. A number beyond 64 bits is an error, or with --lossy the nearest double.
    #[arg(
        long,
        value_name = "FORMAT",
        hide_possible_values = true,
        hide_short_help = true
    )]
    pub to: Option<To>,

    /// Line ends: keep, lf, crlf [default: keep]
    ///
    /// keep: the more frequent kind in the first 64 KiB of the file; LF if there is none. In a pipe, the first line end
    /// decides.
    #[arg(long, value_name = "END", hide_possible_values = true)]
    pub eol: Option<Eol>,

    /// Ignore .editorconfig files
    ///
    /// These files supply settings that neither an option nor a configuration of Prettier sets: indent_style,
    /// indent_size and tab_width (--indent, --tab), end_of_line (--eol), max_line_length (--width) and insert_final_newline.
    #[arg(long, hide_short_help = true)]
    pub no_editorconfig: bool,

    /// Sort object members by key
    ///
    /// Keys are compared by code point; members with equal keys keep their order. Needs memory for the largest outermost
    /// object.
    #[arg(short = 'S', long)]
    pub sort_keys: bool,

    /// Escape all non-ASCII characters as \u escapes
    #[arg(short, long, hide_short_help = true)]
    pub ascii: bool,

    /// Replace \u escapes and \/ with the characters, except where JSON requires an escape
    #[arg(long, conflicts_with = "ascii", hide_short_help = true)]
    pub unescape: bool,

    /// Escape `<`, `>`, `&`, U+2028 and U+2029, for JSON inside HTML
    #[arg(long, hide_short_help = true)]
    pub html_safe: bool,

    /// Write the canonical form of RFC 8785, for signatures and hashes
    ///
    /// The output is exactly the canonical form, without a final newline; several values are separated by newlines. Duplicate
    /// keys, lone surrogates, and numbers that would have to be rounded are errors.
    #[arg(
        long,
        conflicts_with_all = ["compact", "indent", "tab", "width", "eol", "sort_keys", "ascii", "unescape", "html_safe"],
        hide_short_help = true
    )]
    pub canonical: bool,
}

impl Layout {
    /// These options as typed in a shell, each followed by a space.
    pub fn typed(&self) -> String {
        let flags = [
            (self.compact, "--compact"),
            (self.tab, "--tab"),
            (self.no_editorconfig, "--no-editorconfig"),
            (self.sort_keys, "--sort-keys"),
            (self.ascii, "--ascii"),
            (self.unescape, "--unescape"),
            (self.html_safe, "--html-safe"),
            (self.canonical, "--canonical"),
        ];
        let mut typed: String = flags
            .iter()
            .filter(|(is_set, _)| *is_set)
            .map(|(_, flag)| format!("{flag} "))
            .collect();
        let mut option = |name: &str, value: Option<String>| {
            if let Some(value) = value {
                typed += &format!("--{name} {value} ");
            }
        };
        option(
            "indent",
            self.indent.map(|indent| match indent {
                IndentArg::Keep => "keep".to_owned(),
                IndentArg::Tab => "tab".to_owned(),
                IndentArg::Spaces(count) => count.to_string(),
            }),
        );
        option("width", self.width.map(|width| width.to_string()));
        option("style", self.style.and_then(name));
        option("trailing-commas", self.trailing_commas.and_then(name));
        option("to", self.to.and_then(name));
        option("eol", self.eol.and_then(name));
        typed
    }
}

/// The name of a value of an option.
fn name(value: impl ValueEnum) -> Option<String> {
    Some(value.to_possible_value()?.get_name().to_owned())
}

/// `--indent`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IndentArg {
    /// That of the file.
    Keep,
    Tab,
    Spaces(u8),
}

impl From<Indent> for IndentArg {
    fn from(indent: Indent) -> IndentArg {
        match indent {
            Indent::Tab => IndentArg::Tab,
            Indent::Spaces(count) => IndentArg::Spaces(count),
        }
    }
}

fn indent(text: &str) -> Result<IndentArg, String> {
    match text {
        "keep" => Ok(IndentArg::Keep),
        "tab" => Ok(IndentArg::Tab),
        number => match number.parse() {
            Ok(0) => Err("-c removes all white space".to_owned()),
            Ok(spaces) => Ok(IndentArg::Spaces(spaces)),
            Err(_) => Err("a number of spaces from 1 to 255, tab or keep".to_owned()),
        },
    }
}

/// `--to`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum To {
    Json,
    #[value(name = "msgpack")]
    MessagePack,
}
