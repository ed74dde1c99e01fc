//! One match, in the look that was asked for.

use std::collections::HashSet;
use std::io;

use jsonx_core::path::{Dialect, Location};
use jsonx_core::string::{Surrogates, decode_into, decode_key};
use jsonx_core::{Formatter, Indent, Kind, Members, Options, Output, Style, Validator};

use super::text::Text;
use crate::args::Get;
use crate::check::Failure;
use crate::input::Name;
use crate::output::Stdout;
use crate::report::{escape, escape_json, escape_lines};

/// What is printed of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Show {
    Value,
    Type,
    Length,
    Keys,
    Locate,
    Count,
    Exists,
}

impl Show {
    fn of(args: &Get) -> Show {
        match args {
            Get {
                show_type: true, ..
            } => Show::Type,
            Get { length: true, .. } => Show::Length,
            Get { keys: true, .. } => Show::Keys,
            Get { locate: true, .. } => Show::Locate,
            Get { count: true, .. } => Show::Count,
            Get { exists: true, .. } => Show::Exists,
            _ => Show::Value,
        }
    }
}

/// Where output goes: on, or into memory until its turn comes.
pub enum Sheet<'a> {
    Out(&'a mut Stdout),
    Kept(&'a mut Vec<u8>),
}

impl Output for Sheet<'_> {
    type Error = io::Error;

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        match self {
            Sheet::Out(out) => out.write(bytes),
            Sheet::Kept(kept) => {
                kept.try_reserve(bytes.len())?;
                kept.extend_from_slice(bytes);
                Ok(())
            }
        }
    }
}

/// How matches are printed.
pub struct Printer {
    pub show: Show,
    /// Each match says its path.
    pub with_path: bool,
    /// Each match says its file.
    names: bool,
    /// `None`: exactly as they stand.
    style: Option<Style>,
    /// Strings become their text.
    raw: bool,
    /// What stands behind each value.
    end: &'static [u8],
    /// A person's terminal must not obey what a value says.
    guard: bool,
    /// For one value.
    options: Options,
}

/// What is said of a match beside its value.
pub struct Labels<'l> {
    pub name: &'l Name,
    pub location: Option<&'l Location>,
    /// Line and column.
    pub place: Option<(u64, u64)>,
}

/// What somebody should know about what was printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Remarks {
    /// Halves of surrogate pairs became U+FFFD.
    pub surrogates: bool,
    /// There was nothing to print: the value has no keys.
    pub keyless: Option<Kind>,
}

impl Printer {
    /// The look that the flags ask for, for so many files. `options` are those for one value.
    pub fn new(args: &Get, quiet: bool, files: usize, terminal: bool, options: Options) -> Printer {
        let joined = args.join || args.raw_output0;
        let names = args.with_filename || files > 1 && !args.no_filename && !joined;
        let style = match args {
            Get { source: true, .. } => None,
            Get { compact: true, .. } => Some(Style::Compact),
            Get { with_path, .. } if *with_path || names => Some(Style::Compact),
            _ => Some(Style::Pretty(Indent::Spaces(2))),
        };
        let show = match quiet {
            true => Show::Exists,
            false => Show::of(args),
        };
        Printer {
            show,
            with_path: args.with_path,
            names,
            style,
            raw: args.raw || joined,
            end: match args {
                Get { join: true, .. } => b"",
                Get {
                    raw_output0: true, ..
                } => b"\0",
                _ => b"\n",
            },
            guard: terminal,
            options,
        }
    }

    /// Prints a match.
    ///
    /// # Errors
    /// Those of the file, of the sheet and of memory; `Invalid` if the file was changed since it was checked.
    pub fn one(
        &self,
        sheet: &mut Sheet<'_>,
        labels: &Labels<'_>,
        value: &mut Text<'_>,
    ) -> Result<Remarks, Failure> {
        let mut remarks = Remarks::default();
        if self.show == Show::Keys {
            return self.keys(sheet, labels, value);
        }
        self.labels(sheet, labels).map_err(Failure::Write)?;
        match self.show {
            Show::Count | Show::Exists | Show::Keys => return Ok(remarks),
            Show::Locate => self.place(sheet, labels).map_err(Failure::Write)?,
            Show::Type => self.line(sheet, kind(Kind::of(value.first()?)).as_bytes())?,
            Show::Length => {
                let length = self.length(value)?;
                let text = length.map_or("null".to_owned(), |length| length.to_string());
                self.line(sheet, text.as_bytes())?;
            }
            Show::Value if self.raw && value.first()? == b'"' => {
                let whole = value.whole()?;
                let quoted = whole
                    .strip_prefix(b"\"")
                    .and_then(|t| t.strip_suffix(b"\""));
                remarks.surrogates = self.string(sheet, quoted.unwrap_or(&whole))?;
            }
            Show::Value => self.value(sheet, value)?,
        }
        Ok(remarks)
    }

    /// Prints what stands in for a value: JSON, or any text where strings are printed raw.
    ///
    /// # Errors
    /// As [`Printer::one`].
    pub fn default(
        &self,
        sheet: &mut Sheet<'_>,
        labels: &Labels<'_>,
        value: &[u8],
    ) -> Result<(), Failure> {
        if is_json(value) {
            return self.one(sheet, labels, &mut Text::Bytes(value)).map(drop);
        }
        self.labels(sheet, labels).map_err(Failure::Write)?;
        self.line(sheet, value)
    }

    /// Prints how many matches there are.
    ///
    /// # Errors
    /// Those of the sheet.
    pub fn count(&self, sheet: &mut Sheet<'_>, name: &Name, count: u64) -> io::Result<()> {
        let labels = Labels {
            name,
            location: None,
            place: None,
        };
        self.labels(sheet, &labels)?;
        sheet.write(count.to_string().as_bytes())?;
        sheet.write(self.end_of_line())
    }

    fn labels(&self, sheet: &mut Sheet<'_>, labels: &Labels<'_>) -> io::Result<()> {
        if self.names && self.show != Show::Locate {
            self.name(sheet, labels.name)?;
            sheet.write(b":")?;
        }
        if let Some(location) = labels.location {
            let path = location.display(Dialect::JsonPath).to_string();
            let path = if self.guard { escape(&path) } else { path };
            sheet.write(path.as_bytes())?;
            sheet.write(b"\t")?;
        }
        Ok(())
    }

    fn name(&self, sheet: &mut Sheet<'_>, name: &Name) -> io::Result<()> {
        match self.guard {
            true => sheet.write(name.to_string().as_bytes()),
            false => sheet.write(name.bytes()),
        }
    }

    fn place(&self, sheet: &mut Sheet<'_>, labels: &Labels<'_>) -> io::Result<()> {
        let (line, column) = labels.place.unwrap_or_default();
        self.name(sheet, labels.name)?;
        sheet.write(format!(":{line}:{column}").as_bytes())?;
        sheet.write(self.end_of_line())
    }

    /// The end of a place or a count: numbers that are not separated could not be told apart, so `--join` keeps the newline.
    fn end_of_line(&self) -> &'static [u8] {
        match self.end {
            b"" => b"\n",
            end => end,
        }
    }

    /// A value that is printed as JSON.
    fn value(&self, sheet: &mut Sheet<'_>, value: &mut Text<'_>) -> Result<(), Failure> {
        if self.guard {
            let mut kept = Vec::new();
            self.unguarded(&mut Sheet::Kept(&mut kept), value)?;
            let shown = escape_json(&kept);
            return sheet.write(shown.as_bytes()).map_err(Failure::Write);
        }
        self.unguarded(sheet, value)
    }

    fn unguarded(&self, sheet: &mut Sheet<'_>, value: &mut Text<'_>) -> Result<(), Failure> {
        let is_container = matches!(value.first()?, b'{' | b'[');
        match self.style {
            Some(style) if is_container => {
                let mut formatter = Formatter::new(style, Lines::new(sheet));
                value.push(self.options, &mut formatter)?;
                formatter.finish().map(drop).map_err(Failure::Write)?;
            }
            _ => value.each_part(|part| sheet.write(part).map_err(Failure::Write))?,
        }
        sheet.write(self.end).map_err(Failure::Write)
    }

    /// Prints what a string says and whether halves of surrogate pairs, which UTF-8 cannot say, became U+FFFD, as in jq.
    fn string(&self, sheet: &mut Sheet<'_>, raw: &[u8]) -> Result<bool, Failure> {
        // Most strings have nothing to decode.
        if !self.guard && self.end != b"\0" && memchr::memchr(b'\\', raw).is_none() {
            sheet.write(raw).map_err(Failure::Write)?;
            return sheet
                .write(self.end)
                .map(|()| false)
                .map_err(Failure::Write);
        }
        let mut said = Vec::new();
        said.try_reserve(raw.len()).map_err(io::Error::from)?;
        let surrogates = decode_into(raw, &mut said).map_err(Failure::Invalid)?;
        if self.end == b"\0" && said.contains(&0) {
            let text = "a string holds a NUL, which --raw-output0 cannot print";
            return Err(Failure::Read(io::Error::other(text)));
        }
        if self.guard {
            said = escape_lines(&said).into_bytes();
        }
        said.extend_from_slice(self.end);
        sheet.write(&said).map_err(Failure::Write)?;
        Ok(matches!(surrogates, Surrogates::Replaced { .. }))
    }

    /// A short text of ours.
    fn line(&self, sheet: &mut Sheet<'_>, text: &[u8]) -> Result<(), Failure> {
        let written = sheet.write(text).and_then(|()| sheet.write(self.end));
        written.map_err(Failure::Write)
    }

    fn length(&self, value: &mut Text<'_>) -> Result<Option<u64>, Failure> {
        match value.first()? {
            b'"' => {
                let whole = value.whole()?;
                let mut said = Vec::new();
                said.try_reserve(whole.len()).map_err(io::Error::from)?;
                decode_into(&whole[1..whole.len() - 1], &mut said).map_err(Failure::Invalid)?;
                // Of each code point, the one byte that begins it.
                let begins = |byte: &&u8| !(0x80..0xC0).contains(*byte);
                Ok(Some(said.iter().filter(begins).count() as u64))
            }
            b'[' => {
                let mut members = Members::new(|_: &[u8]| ());
                value.push(self.options, &mut members)?;
                Ok(Some(members.count()))
            }
            b'{' => {
                let mut keys = HashSet::new();
                let mut members = Members::new(|key: &[u8]| {
                    keys.insert(decode_key(key).into_owned());
                });
                value.push(self.options, &mut members)?;
                Ok(Some(keys.len() as u64))
            }
            _ => Ok(None),
        }
    }

    /// The keys of an object, or the indices of an array, one on each line.
    fn keys(
        &self,
        sheet: &mut Sheet<'_>,
        labels: &Labels<'_>,
        value: &mut Text<'_>,
    ) -> Result<Remarks, Failure> {
        let first = value.first()?;
        let mut remarks = Remarks::default();
        if !matches!(first, b'{' | b'[') {
            remarks.keyless = Some(Kind::of(first));
            return Ok(remarks);
        }
        let mut seen = HashSet::new();
        let mut printed = Ok(());
        let mut members = Members::new(|key: &[u8]| {
            if printed.is_err() || !seen.insert(decode_key(key).into_owned()) {
                return;
            }
            printed = self.labels(sheet, labels).map_err(Failure::Write);
            if printed.is_ok() {
                printed = match self.raw {
                    true => self
                        .string(sheet, key)
                        .map(|lone| remarks.surrogates |= lone),
                    false => self.value(sheet, &mut Text::Bytes(&[b"\"", key, b"\""].concat())),
                };
            }
        });
        value.push(self.options, &mut members)?;
        let count = members.count();
        printed?;
        if first == b'[' {
            for index in 0..count {
                self.labels(sheet, labels).map_err(Failure::Write)?;
                self.line(sheet, index.to_string().as_bytes())?;
            }
        }
        Ok(remarks)
    }
}

/// Whether a text is one JSON value.
pub fn is_json(text: &[u8]) -> bool {
    let validator = Validator::new(Options::default().max_depth(10_000));
    validator.check(text, jsonx_core::Verdict).is_ok()
}

/// What a value is called in JSON.
pub fn kind(kind: Kind) -> &'static str {
    match kind {
        Kind::Object => "object",
        Kind::Array => "array",
        Kind::String => "string",
        Kind::Number => "number",
        Kind::Boolean => "boolean",
        Kind::Null => "null",
    }
}

/// The lines of a formatted value but for the line feed at their end.
struct Lines<'s, 'o> {
    sheet: &'s mut Sheet<'o>,
    /// A line feed that is the last one unless something follows.
    held_back: bool,
}

impl<'s, 'o> Lines<'s, 'o> {
    fn new(sheet: &'s mut Sheet<'o>) -> Self {
        Lines {
            sheet,
            held_back: false,
        }
    }
}

impl Output for Lines<'_, '_> {
    type Error = io::Error;

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        if self.held_back && !bytes.is_empty() {
            self.held_back = false;
            self.sheet.write(b"\n")?;
        }
        match bytes {
            [most @ .., b'\n'] => {
                self.held_back = true;
                self.sheet.write(most)
            }
            all => self.sheet.write(all),
        }
    }
}
