//! `jsonx completions`.

use clap::Args;
use clap_complete::Shell;

/// Print a script that completes commands, options and files on Tab.
#[derive(Debug, Args)]
#[command(after_help = "\
Where it goes, into a folder that may have to be made first:
  bash         jsonx completions bash > ~/.local/share/bash-completion/completions/jsonx
  zsh          jsonx completions zsh > \"${fpath[1]}/_jsonx\"
  fish         jsonx completions fish > ~/.config/fish/completions/jsonx.fish
  powershell   jsonx completions powershell >> $PROFILE

Exit codes:
  0  printed
  2  wrong usage, or no such shell
  4  it could not be written")]
pub struct Completions {
    /// The shell: bash, elvish, fish, powershell, zsh
    #[arg(hide_possible_values = true)]
    pub shell: Shell,
}
