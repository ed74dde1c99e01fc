//! `jsonx completions`.

use clap::Args;
use clap_complete::Shell;

/// Print a shell completion script.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Where it goes; create the directory if it does not exist:
  bash         jsonx completions bash > ~/.local/share/bash-completion/completions/jsonx
  zsh          jsonx completions zsh > \"${fpath[1]}/_jsonx\"
  fish         jsonx completions fish > ~/.config/fish/completions/jsonx.fish
  powershell   jsonx completions powershell >> $PROFILE

Exit codes:
  0  printed
  2  wrong usage, or an unknown shell
  4  standard output could not be written")]
pub struct Completions {
    /// The shell: bash, elvish, fish, powershell, zsh
    #[arg(hide_possible_values = true)]
    pub shell: Shell,
}
