//! How text for people looks where it goes.

use std::io;

use crate::args::Color;
use crate::report::human;

/// What can be asked for its width.
pub trait Terminal {
    /// Cells of a line, if it is a terminal.
    fn cells(&self) -> Option<usize>;
}

impl Terminal for io::Stdout {
    fn cells(&self) -> Option<usize> {
        terminal_size::terminal_size_of(self).map(|(width, _)| usize::from(width.0))
    }
}

impl Terminal for io::Stderr {
    fn cells(&self) -> Option<usize> {
        terminal_size::terminal_size_of(self).map(|(width, _)| usize::from(width.0))
    }
}

/// Whether text for people on `stream` has colours.
pub fn colour_on<S: anstream::stream::RawStream>(color: Color, stream: &S) -> bool {
    match color {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => anstream::AutoStream::choice(stream) != anstream::ColorChoice::Never,
    }
}

/// How text for people looks on `stream`: as wide as the terminal, else `COLUMNS`, else 100, within reason.
pub fn look<S>(color: Color, stream: &S) -> human::Options
where
    S: anstream::stream::RawStream + Terminal,
{
    human::Options {
        width: stream
            .cells()
            .or_else(|| std::env::var("COLUMNS").ok()?.parse().ok())
            .unwrap_or(100)
            .clamp(60, 200),
        colour: colour_on(color, stream),
        ci: is_ci(),
        ..human::Options::default()
    }
}

/// Whether the output is the log of a CI service that carries out commands in it.
pub fn is_ci() -> bool {
    ["GITHUB_ACTIONS", "TF_BUILD", "TEAMCITY_VERSION"]
        .iter()
        .any(|name| std::env::var_os(name).is_some_and(|value| !value.is_empty()))
}
