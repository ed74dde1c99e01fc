//! Adds color to the output, without changing its text.

use anstyle::{AnsiColor, Style};
use jsonx_diagnose::Severity;

/// The role of a segment of the output, which determines its color.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Plain,
    Severity(Severity),
    Message,
    Frame,
    Primary(Severity),
    /// The primary span in the source line itself.
    Source(Severity),
    Related,
    Note,
    Help,
}

fn style(role: Role) -> Style {
    let bold = |color: AnsiColor| color.on_default().bold();
    let of = |severity| match severity {
        Severity::Error => AnsiColor::Red,
        Severity::Warning => AnsiColor::Yellow,
    };
    match role {
        Role::Plain => Style::new(),
        Role::Severity(severity) | Role::Primary(severity) => bold(of(severity)),
        Role::Source(severity) => of(severity).on_default().underline(),
        Role::Message => Style::new().bold(),
        Role::Frame => bold(AnsiColor::Blue),
        Role::Related => AnsiColor::Blue.on_default(),
        Role::Note => bold(AnsiColor::Green),
        Role::Help => bold(AnsiColor::Cyan),
    }
}

/// Builds text with or without color.
pub(super) struct Painter {
    pub out: String,
    color: bool,
}

impl Painter {
    pub fn new(color: bool) -> Self {
        Painter {
            out: String::new(),
            color,
        }
    }

    pub fn put(&mut self, role: Role, text: &str) {
        if !self.color || role == Role::Plain || text.is_empty() {
            self.out.push_str(text);
            return;
        }
        let style = style(role);
        self.out.push_str(&format!("{style}{text}{style:#}"));
    }
}
