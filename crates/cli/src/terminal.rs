//! Color and width of text printed for people.

use std::io;

use clap::ValueEnum;

use crate::report::human;

/// `--color`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Color {
    Auto,
    Always,
    Never,
}

/// A stream that may be a terminal.
pub trait Terminal {
    /// Columns of the terminal, if it is one.
    fn columns(&self) -> Option<usize>;
}

impl Terminal for io::Stdout {
    fn columns(&self) -> Option<usize> {
        terminal_size::terminal_size_of(self).map(|(width, _)| usize::from(width.0))
    }
}

impl Terminal for io::Stderr {
    fn columns(&self) -> Option<usize> {
        terminal_size::terminal_size_of(self).map(|(width, _)| usize::from(width.0))
    }
}

/// Whether text on `stream` is colored.
pub fn is_colored<S: anstream::stream::RawStream>(color: Color, stream: &S) -> bool {
    match color {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => anstream::AutoStream::choice(stream) != anstream::ColorChoice::Never,
    }
}

/// The terminal that shows what is printed.
#[derive(Clone, Copy)]
pub struct Screen {
    /// In columns of text.
    pub width: usize,
    pub is_colored: bool,
}

/// The terminal that shows what is printed, if one does.
pub fn screen(color: Color) -> Option<Screen> {
    let stdout = io::stdout();
    Some(Screen {
        width: stdout.columns()?,
        is_colored: is_colored(color, &stdout),
    })
}

/// Options for text on `stream`. The width is that of the terminal, else `COLUMNS`, else 100, and is clamped to 60 to
/// 200 columns.
pub fn human_options<S>(color: Color, stream: &S) -> human::Options
where
    S: anstream::stream::RawStream + Terminal,
{
    let columns = stream.columns();
    let columns = columns.or_else(|| std::env::var("COLUMNS").ok()?.parse().ok());
    human::Options {
        width: columns.unwrap_or(100).clamp(60, 200),
        is_bounded: columns.is_some(),
        color: is_colored(color, stream),
        wraps: stream.columns().is_some(),
        ci: is_ci(),
        ..human::Options::default()
    }
}

/// Whether the output is the log of a CI service that executes commands in it.
pub fn is_ci() -> bool {
    ["GITHUB_ACTIONS", "TF_BUILD", "TEAMCITY_VERSION"]
        .iter()
        .any(|name| std::env::var_os(name).is_some_and(|value| !value.is_empty()))
}
