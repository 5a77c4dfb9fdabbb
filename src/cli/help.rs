//! Help: what the help of a verb shows of it, and pages that belong to no verb.

use super::Result;
use super::output::write_data;
use clap::Command;
use clap::builder::{Resettable, StyledStr};
use std::ffi::OsString;

/// The options that many verbs have, by id: no help of a verb lists them, but [`OPTIONS`] does.
const COMMON: [&str; 5] = ["tables", "memory", "syzygy", "verbose", "quiet"];

/// The end of every help.
const NOTE: &str = "Options of many verbs, such as the folder of tables: lucena help options";

/// A page about the options of many verbs.
pub(super) const OPTIONS: &str = "\
Options of many verbs

  --tables <DIR>     The folder of solved endgames: what is not there is solved and kept there
                     [default: in the platform's cache directory]
  --memory <SIZE>    The most memory that solving and proving may take, such as 800MiB or 2GiB
                     [default: no limit]
  --syzygy <DIR>     Folders of Syzygy files of up to seven men, separated by colons (semicolons on
                     Windows) [default: those of the variable LUCENA_SYZYGY]
  --format <FORMAT>  Of a report: text, sentences for people, or json, one object for programs, whose
                     fields \"lucena schema VERB\" describes
  --out <FILE>       The file for the result, in place of standard output or in addition to the report;
                     - is standard output, and the report then goes to standard error
  --csv <FILE>       The rows of the report, for spreadsheets
  --svg <FILE>       A picture of the result
  --seed <N>         The beginning of all random choices: the same seed gives the same result
  -v, --verbose      Log the work on standard error; -vv logs more. RUST_LOG allows finer control, as in
                     RUST_LOG=lucena::tablebase=debug
  -q, --quiet        Print nothing but errors: no progress, no notes
  -h, --help         -h prints a summary, --help the whole help; \"lucena man VERB\" prints these
                     and those of this page

Every option can have another default, in a file or in the environment. The file is lucena.toml
(`tables = \"DIR\"`, or `player = \"theory\"` below `[prove]`) in the working directory, in a directory
above it, or in the folder lucena of the platform's configuration directory. A relative path in it counts
from the folder of the file, and ~ is the home folder. A variable is named like LUCENA_TABLES or
LUCENA_PROVE_PLAYER; an empty one sets nothing. A default that names no verb applies wherever the option
accepts the value: dataset ignores `format = \"json\"`.
";

/// A page about the players.
pub(super) const PLAYERS: &str = "\
Players, as --player and the arguments of \"lucena match\" name them

Of this build, for the endgames that \"lucena show --list\" names:
  strategy, strategy:NAME    the smallest strategy, a few rules about moves; or another by its name
  measure, measure:NAME      the smallest measure, a number that it makes smaller, looking ahead
  theory                     the smallest tree that always wins
  exact                      the tree that knows every distance
  learned                    the tree as learned, before it was distilled
  tree:NAME                  another tree

From files:
  tree:FILE, strategy:FILE, measure:FILE
  trained:FILE               weights, as written by train; trained:FILE,plies=2 looks two plies ahead

For every endgame that can be solved:
  tablebase                  looks its moves up
  stubborn                   looks its moves up, and leaves many replies to a draw that lose

For whole games:
  search:SETTINGS            a search, such as search:depth=6 or search:time=50ms,eval=mop-up
  published                  the network of a published study before training, also as
                             published:reading=program,plies=2,seed=7
  random                     any legal move
  king-refugee               random moves that keep the king near the centre

The settings of a search, separated by commas:
  depth=6, nodes=100000, time=50ms, whole=60s   limits; whole is the time for thirty moves
  eval=material, parts, mop-up, complete, FILE  the evaluation at the leaves
  eval=measure:FILE                             a measure, in its endgame; elsewhere material
  algorithm=minimax, negamax, alpha-beta, negascout
  on=..., off=...   separated by +, or all: deepening aspiration hash-table hash-move captures
                    promotions killers history checks null-move quiescence quiet-checks extend-checks
                    extend-recaptures extend-pawn-endings reductions
  table=16          MiB for the hash table

Another program that speaks UCI is an --engine, with settings separated by spaces and quotes around
values with spaces:
  cmd=PROGRAM, args=ARGUMENTS, dir=FOLDER   the command line and its directory
  name=NAME                                 its name; if left out, the one it gives itself
  depth=N, nodes=N                          limits of its search for each move
  option.NAME=VALUE                         the value of one of its options
";

/// Print the options of many verbs
#[derive(clap::Args)]
#[command(override_help = OPTIONS)]
pub(super) struct OptionsPage {}

impl OptionsPage {
    pub(super) fn run(self) -> Result<()> {
        write_data(OPTIONS.as_bytes())
    }
}

/// Print the names of players
#[derive(clap::Args)]
#[command(override_help = PLAYERS)]
pub(super) struct PlayersPage {}

impl PlayersPage {
    pub(super) fn run(self) -> Result<()> {
        write_data(PLAYERS.as_bytes())
    }
}

/// Leaves the options of many verbs to their page, which the help of each verb names.
pub(super) fn brief(command: Command) -> Command {
    let command = command.mut_subcommands(brief);
    let after = match command.get_after_help() {
        Some(after) => format!("{after}\n\n{NOTE}"),
        None => NOTE.into(),
    };
    let is_common = |id: &str| COMMON.contains(&id);
    let hide = |arg: clap::Arg| match is_common(arg.get_id().as_str()) {
        true => arg.hide(true),
        false => arg,
    };
    command.mut_args(hide).after_help(after)
}

/// Prepares a brief command line for its arguments: if they request the whole help of a verb, that help has the full
/// texts, but a line for each option, as the summary has.
pub(super) fn prepare(lucena: Command, arguments: &[OsString]) -> Command {
    if !arguments.iter().any(|word| word == "--help" || word == "help") {
        return lucena;
    }
    unfold(lucena, arguments)
}

fn unfold(command: Command, words: &[OsString]) -> Command {
    let verb = words.iter().enumerate().find_map(|(at, word)| {
        let verb = command.find_subcommand(word)?;
        Some((at, verb.get_name().to_owned()))
    });
    match verb {
        Some((at, verb)) => command.mut_subcommand(verb, |verb| unfold(verb, &words[at + 1..])),
        None => full(command),
    }
}

/// Puts the long texts of a command in the place of the short ones.
fn full(command: Command) -> Command {
    let about = command.get_long_about().or(command.get_about()).cloned();
    let command = command.about(resettable(about)).long_about(Resettable::Reset);
    command.mut_args(|arg| {
        let help = arg.get_long_help().or(arg.get_help()).cloned();
        arg.help(resettable(help)).long_help(Resettable::Reset)
    })
}

fn resettable(text: Option<StyledStr>) -> Resettable<StyledStr> {
    text.map_or(Resettable::Reset, Resettable::Value)
}
