use super::help::{OPTIONS, PLAYERS, brief, prepare};
use super::output::{write, write_data};
use super::{Arguments, Failure, Result};
use clap::{Command, CommandFactory};
use clap_mangen::Man as Page;
use clap_mangen::roff::Roff;
use lucena::named::nearest;
use lucena_files::add_folder;
use std::ffi::OsString;
use std::io;
use std::path::PathBuf;

/// Print the manual: every verb with its options, as in --help
#[derive(clap::Args)]
#[command(after_help = "Examples:
  lucena man | man -l -
  lucena man prove | man -l -
  lucena man --out ~/.local/share/man/man1
  lucena man --chapter > reference.md")]
pub(super) struct Manual {
    /// The verb, as written after lucena; if left out, lucena itself
    #[arg(value_name = "VERB", conflicts_with = "out")]
    verb: Vec<String>,
    /// Print all verbs as a chapter in Markdown
    #[arg(long, conflicts_with = "out")]
    chapter: bool,
    /// Write a page for each verb to a folder: lucena.1, lucena-prove.1, ...
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

impl Manual {
    pub(super) fn run(self) -> Result<()> {
        let mut lucena = Arguments::command();
        // This sets the full name of every verb.
        lucena.build();
        let command = self.verb.iter().try_fold(&lucena, |command, verb| {
            let found = command.get_subcommands().find(|known| known.get_name() == verb);
            found.ok_or_else(|| {
                let known: Vec<&str> = verbs(command).map(Command::get_name).collect();
                let mend = match nearest(verb, known.iter().copied()) {
                    Some(meant) => format!("perhaps {meant} is meant"),
                    None if known.is_empty() => format!("leave {verb:?} out"),
                    None => format!("its verbs: {}", known.join(", ")),
                };
                Failure::usage(format!("{} has no verb {verb:?}; {mend}", called(command)))
            })
        })?;
        if self.chapter {
            return write_data(chapter(command).as_bytes());
        }
        let Some(folder) = &self.out else { return write_data(&page(command)?) };
        add_folder(folder)?;
        for command in with_verbs(command) {
            write(&folder.join(format!("{}.1", dashed(command))), &page(command)?)?;
        }
        Ok(())
    }
}

/// The verbs of a command, without `help` and those that have another place now.
fn verbs(command: &Command) -> impl Iterator<Item = &Command> {
    command.get_subcommands().filter(|verb| verb.get_name() != "help" && !verb.is_hide_set())
}

/// A command and all verbs below it.
fn with_verbs(command: &Command) -> Vec<&Command> {
    let mut all = vec![command];
    verbs(command).for_each(|verb| all.extend(with_verbs(verb)));
    all
}

/// The name of a page, as in `lucena-experiment-search`.
fn dashed(command: &Command) -> String {
    called(command).replace(' ', "-")
}

/// The full name of a command, as in `lucena experiment search`.
fn called(command: &Command) -> &str {
    command.get_bin_name().unwrap_or_else(|| command.get_name())
}

fn page(command: &Command) -> io::Result<Vec<u8>> {
    let mut page = Vec::new();
    let named = command.clone().name(dashed(command)).display_name(dashed(command));
    let (has_verbs, has_version) = (verbs(&named).next().is_some(), named.get_version().is_some());
    let after = named.get_after_help().map(ToString::to_string).unwrap_or_default();
    let of_clap = Page::new(named);
    of_clap.render_title(&mut page)?;
    of_clap.render_name_section(&mut page)?;
    of_clap.render_synopsis_section(&mut page)?;
    of_clap.render_description_section(&mut page)?;
    of_clap.render_options_section(&mut page)?;
    if has_verbs {
        of_clap.render_subcommands_section(&mut page)?;
    }
    verbatim(&after).to_writer(&mut page)?;
    if has_version {
        of_clap.render_version_section(&mut page)?;
    }
    Ok(page)
}

/// The examples and the notes below them, with lines kept as they are.
fn verbatim(after: &str) -> Roff {
    let mut roff = Roff::new();
    let (examples, notes) = after.split_once("\n\n").unwrap_or((after, ""));
    let examples = examples.strip_prefix("Examples:\n").unwrap_or(examples);
    for (title, text) in [("EXAMPLES", examples), ("NOTES", notes)] {
        if !text.is_empty() {
            roff.control("SH", [title]).control("nf", []);
            for line in text.lines() {
                roff.text([line.into()]);
            }
            roff.control("fi", []);
        }
    }
    roff
}

/// The help of each verb under a heading, and the pages of help, as Markdown.
fn chapter(command: &Command) -> String {
    let mut chapter = String::new();
    let mut add = |name: &str, text: &str| {
        let heading = "#".repeat(name.split(' ').count());
        chapter.push_str(&format!("{heading} {name}\n\n```text\n{}\n```\n\n", text.trim_end()));
    };
    for command in with_verbs(command) {
        add(called(command), &help(called(command)));
    }
    for (name, page) in [("options", OPTIONS), ("players", PLAYERS)] {
        add(&format!("lucena {name}"), page);
    }
    chapter
}

/// The whole help of a verb, which is given by its full name.
fn help(name: &str) -> String {
    let words: Vec<OsString> = name.split(' ').chain(["--help"]).map(OsString::from).collect();
    let mut lucena = prepare(brief(Arguments::command()), &words);
    lucena.build();
    let mut command = &lucena;
    for verb in name.split(' ').skip(1) {
        command = command.find_subcommand(verb).expect("the verb of a command");
    }
    command.clone().term_width(WIDTH).render_help().to_string()
}

/// The number of characters in a line of the book.
const WIDTH: usize = 92;
