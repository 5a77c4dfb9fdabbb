use super::Failure;
use super::output::{write_data, wrote};
use clap::Command;
use clap_mangen::Man as Page;
use lucena_files::{WriteError, write_file};
use std::io::{self, Write};
use std::path::PathBuf;

/// Print the manual: every verb with its options, as --help has them
#[derive(clap::Args)]
#[command(after_help = "Examples:
  lucena man | man -l -
  lucena man prove | man -l -
  lucena man --out ~/.local/share/man/man1
  lucena man --chapter > reference.md")]
pub(super) struct Man {
    /// The verb, as it is written after lucena; if left out, lucena itself
    #[arg(value_name = "VERB", conflicts_with = "out")]
    verb: Vec<String>,
    /// All verbs as a chapter in Markdown
    #[arg(long, conflicts_with = "out")]
    chapter: bool,
    /// Write a page for each verb to a folder: lucena.1, lucena-prove.1, ...
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

impl Man {
    pub(super) fn run(self, mut lucena: Command) -> Result<(), Failure> {
        // Every verb then knows by what it is called.
        lucena.build();
        let asked = self.verb.iter().try_fold(&lucena, |command, verb| {
            let found = command.get_subcommands().find(|known| known.get_name() == verb);
            found.ok_or_else(|| {
                let known: Vec<&str> = names(command).collect();
                let (of, known) = (command.get_name(), known.join(", "));
                Failure::usage(format!("{of} has no verb {verb:?}; its verbs: {known}"))
            })
        })?;
        if self.chapter {
            return write_data(chapter(asked).as_bytes());
        }
        let Some(folder) = &self.out else { return write_data(&page(asked)?) };
        std::fs::create_dir_all(folder)
            .map_err(|source| WriteError { path: folder.clone(), source })?;
        for command in with_verbs(asked) {
            let path = folder.join(format!("{}.1", dashed(command)));
            write_file(&path, &page(command)?)?;
            wrote(&path);
        }
        Ok(())
    }
}

/// The verbs of a command, less `help`.
fn names(command: &Command) -> impl Iterator<Item = &str> {
    verbs(command).map(Command::get_name)
}

fn verbs(command: &Command) -> impl Iterator<Item = &Command> {
    command.get_subcommands().filter(|verb| verb.get_name() != "help")
}

/// A command, its verbs, theirs, and so on.
fn with_verbs(command: &Command) -> Vec<&Command> {
    let mut all = vec![command];
    verbs(command).for_each(|verb| all.extend(with_verbs(verb)));
    all
}

/// `lucena-experiment-search`.
fn dashed(command: &Command) -> String {
    called(command).replace(' ', "-")
}

/// `lucena experiment search`.
fn called(command: &Command) -> &str {
    command.get_bin_name().unwrap_or_else(|| command.get_name())
}

fn page(command: &Command) -> io::Result<Vec<u8>> {
    let mut page = Vec::new();
    let named = command.clone().name(dashed(command)).display_name(dashed(command));
    Page::new(named).render(&mut page)?;
    Ok(page)
}

/// A heading and the help of each verb.
fn chapter(command: &Command) -> String {
    let mut chapter = Vec::new();
    let written = with_verbs(command).into_iter().try_for_each(|command| {
        let depth = called(command).split(' ').count();
        let help = command.clone().term_width(WIDTH).render_long_help().to_string();
        let heading = "#".repeat(depth);
        writeln!(chapter, "{heading} {}\n\n```text\n{}\n```\n", called(command), help.trim_end())
    });
    written.expect("writing to memory does not fail");
    String::from_utf8(chapter).expect("help is text")
}

/// So many characters fit into a line of a book.
const WIDTH: usize = 92;
