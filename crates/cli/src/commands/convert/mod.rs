//! `jsonx convert`: JSON to MessagePack, and back.
//!
//! ```text
//! format ──► encode.rs   validator ─► linter, encoder ─► MessagePack
//!       └──► decode.rs   decoder ─► emit.rs ─► JSON, in a layout if requested
//! ```
//!
//! A file is read twice, so that nothing is printed if it cannot be converted. A pipe is converted as it arrives; values that
//! are too large for memory are stored in a temporary file.

mod decode;
mod emit;
mod encode;

use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};

use jsonx_core::diagnose::{Code, Lints};
use jsonx_core::format::{Indent, RewriteOptions, Style};
use jsonx_core::msgpack::{self, DecodeError, EncodeOptions, Float32, JsonOptions};
use jsonx_core::path::{Location, Notation};

use self::decode::Decoding;
use self::encode::Encoding;
use super::{Command, Plan, UsageError};
use crate::args::convert::{Format, FromFormat};
use crate::args::{Common, Convert, Global};
use crate::check::{self, CheckOptions, Failure, InputKind, InputRule, json5};
use crate::diagnostics::Levels;
use crate::exit::Exit;
use crate::files::EXTENSIONS;
use crate::input::{BYTE_ORDER_MARK, Input, Name};
use crate::messages;
use crate::report::{escape, in_shell};
use crate::session::{Channel, Reporter, Session};

/// Maximum length of a file, or of a value in a pipe, whose result is held in memory.
const HELD: usize = 16 << 20;

/// An error of a temporary file, with a message.
fn spool_failed(error: io::Error) -> Failure {
    let message = format!("temporary file: {error}");
    Failure::Read(io::Error::new(error.kind(), message))
}

impl Command for Convert {
    const NAME: &'static str = "convert";
    type Work<'a> = Work;

    fn common(&self) -> &Common {
        &self.common
    }

    fn plan(&self, _: &Global) -> Result<Plan<Work>, UsageError> {
        let (float32, after) = match self.float32.as_deref() {
            None => (None, None),
            Some(word) if word.is_empty() => (Some(Float32::Exact), None),
            Some(word) if word == "short" => (Some(Float32::Short), None),
            // The option has no value, and the file follows it.
            Some(file) => (Some(Float32::Exact), Some(PathBuf::from(file))),
        };
        if let (Some(after), Some(_)) = (&after, &self.file) {
            let name = Name::new(after);
            let text = format!(
                "--float32 takes `short` or nothing, not {name}; only one FILE is converted"
            );
            return Err(UsageError::Arguments(text));
        }
        let file = self.file.clone().or(after);
        Ok(Plan {
            meant: None,
            stdin_is_implied: file.is_none(),
            channel: Channel::Diagnostics,
            reporters: vec![Reporter::HUMAN],
            levels: Levels {
                shown: Lints::NONE.with(Code::DuplicateKey, true),
                ..Levels::NONE
            },
            work: Work {
                file: file.unwrap_or_else(|| PathBuf::from("-")),
                float32,
            },
        })
    }

    fn run(&self, work: Work, session: &mut Session) -> io::Result<()> {
        run(session, self, &work)
    }
}

/// The arguments that need more than parsing.
pub struct Work {
    file: PathBuf,
    /// `--float32`.
    float32: Option<Float32>,
}

/// The reason why an input is not converted.
enum Unconverted {
    /// It is not MessagePack, or JSON cannot represent a value.
    Invalid(DecodeError, Location),
    /// It is already in the requested format.
    SameFormat(Format),
    /// The output would be binary, and is a terminal.
    Terminal,
    /// The input is empty.
    Empty,
}

/// The error of converting an input.
type Interrupted = check::Interrupted<Unconverted>;

fn run(session: &mut Session, args: &Convert, work: &Work) -> io::Result<()> {
    let Some(mut input) = session.open(&work.file)? else {
        return Ok(());
    };
    input.set_binary();
    let mut options = session.check_options();
    if let Some(kind) = kind(args) {
        options.rules = [InputRule::all(kind)].into();
    }
    let name = input.name().to_string();
    let mut kind = InputKind::Auto;
    let converted = options.by_content(&mut input, &mut kind, |input, kind| {
        convert(session, args, work, &options, input, kind)
    });
    let why = match converted {
        Ok(()) => return Ok(()),
        Err(Interrupted::Failed(failure)) => {
            return session.report_failure(&mut input, kind, failure);
        }
        Err(Interrupted::Early(Unconverted::Invalid(error, location))) => {
            session.note(match error.kind {
                msgpack::DecodeErrorKind::OutOfMemory | msgpack::DecodeErrorKind::TooDeep => {
                    Exit::Failure
                }
                _ => Exit::NotJson,
            });
            let place = match location.steps() {
                [] => String::new(),
                _ => format!(
                    ", at {}",
                    escape(&location.display(Notation::Dot).to_string())
                ),
            };
            let help = match error.kind {
                msgpack::DecodeErrorKind::NonFinite => "; --nonfinite null writes null",
                msgpack::DecodeErrorKind::Key if args.keys == msgpack::Keys::Error => {
                    "; --keys stringify converts numbers, booleans and nil to strings"
                }
                msgpack::DecodeErrorKind::TooDeep => "; --max-depth N sets another limit",
                _ => "",
            };
            format!("byte {}{place}: {error}{help}", error.offset)
        }
        Err(Interrupted::Early(Unconverted::SameFormat(format))) => {
            session.note(Exit::Usage);
            match format {
                Format::Json => {
                    let file = match input.name().is_stdin() {
                        true => String::new(),
                        false => format!(" {}", in_shell(&name)),
                    };
                    match kind {
                        InputKind::Json5 => {
                            format!("is JSON5; `jsonx fmt --to json{file}` converts it to JSON")
                        }
                        InputKind::Jsonc => format!(
                            "is JSON with comments; `jsonx fmt --to json{file}` removes them"
                        ),
                        _ => format!("is not MessagePack; `jsonx fmt{file}` formats JSON"),
                    }
                }
                Format::Msgpack => "is MessagePack already".to_owned(),
            }
        }
        Err(Interrupted::Early(Unconverted::Empty)) => {
            session.note(Exit::NotJson);
            "is empty: there is no MessagePack value in it".to_owned()
        }
        Err(Interrupted::Early(Unconverted::Terminal)) => {
            session.note(Exit::Usage);
            "MessagePack is binary and is not printed to a terminal; redirect it to a file or a pipe"
                .to_owned()
        }
    };
    session.out.flush()?;
    messages::line(&format!("jsonx: {name}: {why}"));
    Ok(())
}

/// The framing of the input, if --from sets it.
fn kind(args: &Convert) -> Option<InputKind> {
    match args.from {
        FromFormat::Jsonl => Some(InputKind::Jsonl),
        FromFormat::Stream | FromFormat::Msgpack => Some(InputKind::Stream),
        FromFormat::Json if args.common.input.is_empty() => Some(InputKind::Json),
        _ => None,
    }
}

fn convert(
    session: &mut Session,
    args: &Convert,
    work: &Work,
    options: &CheckOptions,
    input: &mut Input,
    kind: InputKind,
) -> Result<(), Interrupted> {
    let encoding = Encoding {
        options: options.clone(),
        kind,
        encode: encode_options(args, work),
    };
    let decoding = Decoding {
        options: json_options(args, work, options),
        rewrite: layout(args),
        engine: options.engine(InputKind::Stream),
        color: session.color(),
    };
    let terminal = session.out.is_terminal();
    let named = by_name(args, input);
    let format = if input.is_file() {
        json5::finite(input)?;
        let first = input.span(0, BYTE_ORDER_MARK.len() as u64)?;
        let format = named.unwrap_or_else(|| by_content(&first));
        allow(args, format, terminal)?;
        match format {
            Format::Json => encoding.file(session, input)?,
            Format::Msgpack => decoding.file(session, input)?,
        }
        format
    } else {
        let linter = encoding.linter(session);
        let mut start = Some((linter, &mut session.out));
        let mut running: Option<Running<'_>> = None;
        if named != Some(Format::Json) {
            input.set_binary();
        }
        let read = input.each_window_noting(|window| -> Result<_, Interrupted> {
            if let Some((linter, out)) = start.take() {
                let format = named.unwrap_or_else(|| match window.offset() {
                    0 => by_content(window.bytes()),
                    // A byte-order mark, which no window shows.
                    _ => Format::Json,
                });
                allow(args, format, terminal)?;
                running = Some(match format {
                    Format::Json => Running::Encode(Box::new(encoding.pipe(linter, out))),
                    Format::Msgpack => Running::Decode(Box::new(decoding.pipe(out))),
                });
            }
            let first = match &mut running {
                Some(Running::Encode(pipe)) => pipe.window(window)?,
                Some(Running::Decode(pipe)) => pipe.window(window).map(|()| None)?,
                None => None,
            };
            Ok((window.bytes().len().into(), first))
        });
        let (format, findings) = match (running, read) {
            (Some(Running::Encode(pipe)), Ok(())) => (Format::Json, Some(pipe.finish()?)),
            (Some(Running::Decode(pipe)), Ok(())) => {
                pipe.finish()?;
                (Format::Msgpack, None)
            }
            // Complete values before the error are still printed.
            (Some(Running::Encode(pipe)), Err(stopped)) => {
                pipe.abandon()?;
                return Err(stopped);
            }
            (_, Err(stopped)) => return Err(stopped),
            (None, Ok(())) => return Ok(()),
        };
        if let Some(findings) = findings {
            encoding.report(session, input, &findings)?;
        }
        format
    };
    if session.is_verbose() {
        let (from, to) = match format {
            Format::Json => ("JSON", "MessagePack"),
            Format::Msgpack => ("MessagePack", "JSON"),
        };
        messages::line(&format!("{}: {from} to {to}", input.name()));
    }
    Ok(())
}

/// The conversion of a pipe, once its format is known.
enum Running<'a> {
    Encode(Box<encode::Pipe<'a>>),
    Decode(Box<decode::Pipe<'a>>),
}

/// The format of an input by --from or by its name.
fn by_name(args: &Convert, input: &Input) -> Option<Format> {
    let extension = input
        .name()
        .path()
        .and_then(Path::extension)
        .and_then(OsStr::to_str);
    match (args.from, extension) {
        (FromFormat::Msgpack, _) => Some(Format::Msgpack),
        (FromFormat::Json | FromFormat::Jsonl | FromFormat::Stream, _) => Some(Format::Json),
        (FromFormat::Auto, Some("msgpack" | "mpk" | "msgp" | "mp")) => Some(Format::Msgpack),
        (FromFormat::Auto, Some(extension)) if EXTENSIONS.contains(&extension) => {
            Some(Format::Json)
        }
        (FromFormat::Auto, _) => None,
    }
}

/// The format of an input by its first bytes: JSON begins with an ASCII character, or wrongly with a byte-order mark; most
/// MessagePack with another byte.
fn by_content(first: &[u8]) -> Format {
    match first {
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] | [0xef, 0xbb, 0xbf, ..] | [] => Format::Json,
        [b'\t' | b'\n' | b'\r' | 0x20..=0x7f, ..] => Format::Json,
        _ => Format::Msgpack,
    }
}

/// Whether this format can be converted to the requested one.
fn allow(args: &Convert, format: Format, terminal: bool) -> Result<(), Interrupted> {
    match format {
        _ if args.to == Some(format) => Err(Interrupted::Early(Unconverted::SameFormat(format))),
        Format::Json if terminal => Err(Interrupted::Early(Unconverted::Terminal)),
        _ => Ok(()),
    }
}

fn encode_options(args: &Convert, work: &Work) -> EncodeOptions {
    EncodeOptions::default()
        .big(args.big)
        .float32(work.float32.is_some())
        .unwrap(args.unwrap)
}

fn json_options(args: &Convert, work: &Work, options: &CheckOptions) -> JsonOptions {
    JsonOptions::default()
        .binary(args.bin)
        .non_finite(args.nonfinite)
        .keys(args.keys)
        .float32(work.float32.unwrap_or_default())
        .max_depth(options.max_depth)
        .final_newline(true)
}

/// The requested layout; `None` for the decoder's, one value per line.
fn layout(args: &Convert) -> Option<RewriteOptions> {
    let style = match (args.tab, args.indent, args.width) {
        (true, ..) => Style::Pretty(Indent::Tab),
        (_, Some(0), _) => Style::Compact,
        (_, Some(spaces), _) => Style::Pretty(Indent::Spaces(spaces)),
        (.., Some(_)) => Style::Pretty(Indent::Spaces(2)),
        _ => Style::Compact,
    };
    let options = RewriteOptions::from(style)
        .sort_keys(args.sort_keys)
        .ascii(args.ascii);
    let options = options.width(args.width);
    (options != RewriteOptions::from(Style::Compact)).then_some(options)
}
