use super::output::OutArgs;
use super::{Arguments, Result};
use clap::CommandFactory;
use clap_complete::Shell;

/// Print a script by which the tab key of a shell completes verbs and options
#[derive(clap::Args)]
#[command(after_help = "Examples:
  lucena completions bash > ~/.local/share/bash-completion/completions/lucena
  lucena completions zsh > ~/.zfunc/_lucena          with ~/.zfunc in fpath
  lucena completions fish > ~/.config/fish/completions/lucena.fish")]
pub(super) struct Completions {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
    #[command(flatten)]
    file: OutArgs,
}

impl Completions {
    pub(super) fn run(self) -> Result<()> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Arguments::command(), "lucena", &mut script);
        self.file.write(&script)
    }
}
