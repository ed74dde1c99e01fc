//! Options for the result of commands that change files.

use clap::Args;

use crate::changes::Action;
use crate::files::Selection;

/// The action on the result; without these options, it is printed (one input only).
#[derive(Clone, Copy, Debug, Default, Args)]
pub struct Changes {
    /// Rewrite files that would change, and list them
    ///
    /// Each file is replaced atomically. The list goes to standard error.
    #[arg(short, long, conflicts_with_all = ["check", "diff"])]
    pub write: bool,

    /// Like --write, but overwrite a file that cannot be replaced, such as a bind mount
    ///
    /// The old text is first copied next to the file, or to the folder for temporary files, and restored after an error. Owner,
    /// mode and hard links are kept. Programs that read the file at the same time may see parts of both texts.
    #[arg(long, conflicts_with_all = ["check", "diff"], hide_short_help = true)]
    pub in_place: bool,

    /// List files that would change, and exit with 1 if there are any
    #[arg(long)]
    pub check: bool,

    /// Print a unified diff of the changes, and exit with 1 if there are any
    ///
    /// For `patch -p0` and `git apply -p0`.
    #[arg(long)]
    pub diff: bool,
}

impl Changes {
    /// The action on the results. --diff includes --check.
    pub fn action(self) -> Action {
        match self {
            Changes { in_place: true, .. } => Action::Write { in_place: true },
            Changes { write: true, .. } => Action::Write { in_place: false },
            Changes { diff: true, .. } => Action::Diff,
            Changes { check: true, .. } => Action::Check,
            _ => Action::Print,
        }
    }

    /// The reason why these options cannot be used with these inputs, if any.
    pub fn usage_error(self, selection: &Selection) -> Option<&'static str> {
        match self.action() {
            Action::Write { .. } if selection.has_stdin() => {
                Some("--write needs a FILE: standard input cannot be rewritten")
            }
            Action::Print if !selection.is_one() => Some(
                "several files cannot be printed as one; add --write, --check or --diff, or name one file",
            ),
            _ => None,
        }
    }
}
