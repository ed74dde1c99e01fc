//! jq's language over verified JSON.
//!
//! ```text
//! program ──► lex ──► parse ──► term ──► machine ──► results
//!      modules, library ┘               paths, update, natives
//! text ──► jsonx_core ──► value: lazy ──┘
//! ```
//!
//! Values refer to the text until an operation changes them: numbers keep their digits, and unused values are never decoded. An
//! error has its position in the program and the value that caused it.
//!
//! ```
//! use jsonx_jq::{Program, Settings, Value};
//!
//! let program = Program::compile(".a[] | select(. > 1)", &Settings::default())?;
//! let input = Value::from_json(r#"{"a": [1, 2, 3.50]}"#).unwrap();
//! let results: Vec<String> = program.results(input).unwrap().iter().map(Value::to_string).collect();
//! assert_eq!(results, ["2", "3.50"]);
//! # Ok::<(), jsonx_jq::ProgramError>(())
//! ```

mod access;
mod bind;
mod branching;
mod env;
mod error;
mod events;
mod host;
mod iterate;
mod lex;
mod library;
mod machine;
mod member_paths;
mod modules;
mod natives;
mod ops;
mod parse;
mod paths;
mod program;
mod program_error;
mod reads;
mod rewrite;
mod settings;
mod special;
mod specials;
mod term;
mod tracked;
mod update;
mod value;

pub use error::{Exception, Halt, RunError};
pub use events::Events;
pub use host::{Host, NoHost};
pub use member_paths::MemberPath;
pub use program::Program;
pub use program_error::{ProgramError, Span};
pub use reads::Reads;
pub use rewrite::{RewriteError, Rewritten, rewrite};
pub use settings::Settings;
pub use value::{IndexedText, Layout, Lazy, Printer, Reduced, TextBytes, Value, order, read_all};
