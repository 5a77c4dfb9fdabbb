//! The command line (feature `cli`), which both the program `lucena` and the Python package run. Each verb
//! has a file: it reads the arguments, calls the library and prints a report. Nothing else in the crate
//! prints or chooses paths.

/// Defines an enum of verbs and its dispatch. The name of a verb is that of its variant. Verbs in brackets are run, but no
/// help lists them: pages of help, and old names.
macro_rules! verbs {
    ($verbs:ident [$($old:ident($moved:ty),)*]: $($(#[cfg($condition:meta)])? $name:ident($verb:ty),)*) => {
        #[derive(clap::Subcommand)]
        enum $verbs {
            $($(#[cfg($condition)])? $name($verb),)*
            $(#[command(hide = true)] $old($moved),)*
        }

        impl $verbs {
            fn run(self) -> Result<()> {
                match self {
                    $($(#[cfg($condition)])? Self::$name(verb) => verb.run(),)*
                    $(Self::$old(verb) => verb.run(),)*
                }
            }
        }

        impl crate::cli::Verbs for $verbs {
            fn named(words: &[std::ffi::OsString]) -> Vec<clap::Command> {
                let mut named = Vec::new();
                $($(#[cfg($condition)])?
                named.extend(crate::cli::named::<$verb>(stringify!($name), words));)*
                $(named.extend(
                    crate::cli::named::<$moved>(stringify!($old), words).map(|verb| verb.hide(true)),
                );)*
                named
            }
        }
    };
}

mod attributes;
mod book;
mod check;
mod completions;
mod curve;
mod dataset;
mod defaults;
mod distil;
mod emit_engine;
mod evolve;
mod experiment;
mod explain;
mod failure;
mod file_kind;
mod find;
#[cfg(feature = "serve")]
mod forms;
mod frontier;
mod help;
mod idle;
mod input;
mod interrupt;
mod job_output;
mod labels;
mod learn;
mod lesson;
mod man;
mod match_games;
mod measure;
mod mine;
#[cfg(not(all(feature = "dist", feature = "serve")))]
mod missing;
mod move_;
mod number;
mod output;
mod play;
mod player_args;
mod probe;
mod prove;
mod question_lines;
mod rules;
mod schema;
mod search;
#[cfg(feature = "serve")]
mod serve;
mod show;
mod slice;
mod solve;
mod strategy;
mod study;
mod syzygy;
mod tables;
mod terminal;
mod train;
mod uci;
mod validate;
mod verify;
#[cfg(feature = "dist")]
mod workers;

use clap::builder::{PossibleValuesParser, Styles, TypedValueParser, styling::AnsiColor};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Args, Command, CommandFactory, FromArgMatches, Parser};
use defaults::Defaults;
use failure::{Failure, Result};
use lucena::named::{Named, nearest};
use std::cell::LazyCell;
use std::ffi::{OsStr, OsString};
use std::io::{self, IsTerminal};

const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Green.on_default().bold())
    .usage(AnsiColor::Green.on_default().bold())
    .literal(AnsiColor::Cyan.on_default().bold())
    .placeholder(AnsiColor::Cyan.on_default());

#[derive(Parser)]
struct Arguments {
    #[command(subcommand)]
    verb: Verb,
    #[command(flatten)]
    general: General,
}

/// Mines knowledge from small chess endgames: solves them exactly, learns decision trees, writes the trees
/// out as Rust code, plays with that code, and proves how strong the player is against every defence.
///
/// Data goes to standard output, everything else to standard error. The exit code is 0 after success, 1 if
/// a check failed, 2 if the command line or a position is invalid, 3 if a file cannot be read or written,
/// 130 after Ctrl-C, 143 after SIGTERM and 129 after SIGHUP.
///
/// "lucena help options" describes options of many verbs and how to change defaults, "lucena help players" the players.
#[derive(clap::Args)]
#[command(version = version(), styles = STYLES, max_term_width = 100)]
#[command(after_help = "Examples:
  lucena mine                          everything about king and rook against king, proved
  lucena probe '8/8/8/8/8/1k6/8/K1R5 w - - 0 1'
  lucena explain 8/8/8/3k4/8/8/8/K6R w --instead Kb2
  lucena play                          defend against the mined player")]
struct General {
    #[command(flatten)]
    verbosity: terminal::Verbosity,
    /// Write all output as lines of JSON, draw the intermediate results to this file, and stop when
    /// standard input ends
    #[arg(long, global = true, hide = true, value_name = "FILE")]
    attended: Option<std::path::PathBuf>,
}

/// Verbs that can be described to clap one by one.
trait Verbs: clap::Subcommand {
    /// Describes those that are among the words of a command line.
    fn named(words: &[OsString]) -> Vec<Command>;
}

/// Describes a verb, which is given by the name of its variant, if it is among these words.
fn named<V: clap::Args>(variant: &str, words: &[OsString]) -> Option<Command> {
    let mut name = String::with_capacity(2 * variant.len());
    for letter in variant.chars() {
        if letter.is_uppercase() && !name.is_empty() {
            name.push('-');
        }
        name.push(letter.to_ascii_lowercase());
    }
    let is_named = words.iter().any(|word| word == name.as_str());
    is_named.then(|| V::augment_args(Command::new(name)))
}

verbs! { Verb [
    Options(help::OptionsPage),
    Players(help::PlayersPage),
    Check(check::Check),
    Study(study::Study),
    Curve(curve::Curve),
    Frontier(frontier::Frontier),
    Distil(distil::Distil),
    Strategy(Box<strategy::Strategy>),
    Measure(Box<measure::Measure>),
]:
    Mine(mine::Mine),
    Solve(solve::Solve),
    Verify(verify::Verify),
    Probe(probe::Probe),
    Explain(explain::Explain),
    Attributes(attributes::Attributes),
    Dataset(dataset::Dataset),
    Learn(learn::Learn),
    Show(show::Show),
    EmitEngine(emit_engine::EmitEngine),
    Lesson(lesson::Lesson),
    Prove(prove::Prove),
    Validate(validate::Validate),
    Find(find::Find),
    Rules(rules::Rules),
    Match(Box<match_games::Match>),
    Book(book::Book),
    Train(train::Train),
    Evolve(evolve::Evolve),
    Experiment(experiment::Experiment),
    Play(play::Play),
    #[cfg(feature = "serve")]
    Serve(serve::Serve),
    #[cfg(not(feature = "serve"))]
    Serve(missing::Serve),
    Uci(uci::Uci),
    Move(move_::MoveVerb),
    Schema(schema::Schema),
    Completions(completions::Completions),
    Man(man::Manual),
}

impl Verb {
    /// Returns true if the verb prints information about lucena itself. Such a verb runs even if the
    /// defaults are invalid.
    fn is_about_lucena(&self) -> bool {
        matches!(self, Self::Completions(_) | Self::Man(_) | Self::Options(_) | Self::Players(_))
    }
}

/// Runs a command line, whose first word is the name the program was called by: prints its output or its
/// error, and returns the exit code.
///
/// From now on Ctrl-C, SIGTERM and SIGHUP are handled here and may end the process, so call this only from a
/// process that does nothing else.
///
/// ```
/// assert_eq!(lucena::cli::main(["lucena", "solve", "KRvX"]), 2);
/// ```
pub fn main(arguments: impl IntoIterator<Item = impl Into<OsString> + Clone>) -> u8 {
    parse(arguments).and_then(run).map_or_else(Failure::report, |()| 0)
}

/// Parses a command line, with the defaults from files and the environment.
fn parse(arguments: impl IntoIterator<Item = impl Into<OsString> + Clone>) -> Result<Arguments> {
    let mut arguments: Vec<OsString> = arguments.into_iter().map(Into::into).collect();
    // Chess programs start engines without arguments.
    if arguments.len() == 1 && !io::stdin().is_terminal() {
        arguments.push("uci".into());
    }
    let arguments = slice::expand(&arguments)?;
    // The page's form shows the whole command line of a job, so no other defaults may change it.
    if arguments.iter().any(|word| word.to_string_lossy().starts_with("--attended")) {
        return without_defaults(&arguments).map_err(Failure::Unclear);
    }
    with_defaults(&arguments).or_else(|(failure, place)| match without_defaults(&arguments) {
        Ok(plain) if plain.verb.is_about_lucena() => Ok(plain),
        Err(help) if !help.use_stderr() => Err(Failure::Unclear(help)),
        _ => {
            place.iter().for_each(|place| terminal::say(place));
            Err(failure)
        }
    })
}

/// The description of all verbs. It takes longer than many a verb, so it is built only when it is needed.
type Whole = LazyCell<Command>;

/// Describes the command line with no other verbs than those among its words.
fn naming(words: &[OsString]) -> Command {
    let lucena = General::augment_args(Command::new("lucena"));
    lucena.subcommand_required(true).arg_required_else_help(true).subcommands(Verb::named(words))
}

/// Parses a command line with all defaults. An error comes with the place of the default that caused it, if
/// one did.
fn with_defaults(arguments: &[OsString]) -> Result<Arguments, (Failure, Option<String>)> {
    let (whole, elsewhere) = (Whole::new(Arguments::command), |failure| (failure, None));
    let defaults = Defaults::read(&whole).map_err(elsewhere)?;
    let set = |lucena| defaults.apply(lucena, &whole, arguments).map_err(elsewhere);
    let answer = match parsed(set(naming(arguments))?, &whole, arguments) {
        Err(error) if needs_all_verbs(&error) => parsed(set(whole.clone())?, &whole, arguments),
        answer => answer,
    };
    answer.map_err(|error| {
        let place = defaults.place(&whole, &error);
        (Failure::Unclear(error), place)
    })
}

fn without_defaults(arguments: &[OsString]) -> Result<Arguments, clap::Error> {
    let whole = Whole::new(Arguments::command);
    match parsed(naming(arguments), &whole, arguments) {
        Err(error) if needs_all_verbs(&error) => parsed(whole.clone(), &whole, arguments),
        answer => answer,
    }
}

/// Returns true if an error may read otherwise where all verbs are known: it may suggest another verb, or be the list of
/// them.
fn needs_all_verbs(error: &clap::Error) -> bool {
    error.kind() != ErrorKind::DisplayVersion
}

fn parsed(
    lucena: Command,
    whole: &Whole,
    arguments: &[OsString],
) -> Result<Arguments, clap::Error> {
    let mut lucena = help::prepare(help::brief(lucena), arguments);
    let arguments = signed(whole, arguments);
    let matches = lucena.try_get_matches_from_mut(arguments).map_err(with_best_advice)?;
    idle::check(&mut lucena, &matches)?;
    Arguments::from_arg_matches(&matches)
}

/// Joins options to negative numbers behind them, as in `--rate=-.5` or `--memory=-1GiB`, so that an error is about the
/// number and not about an unknown option.
fn signed(lucena: &Whole, arguments: &[OsString]) -> Vec<OsString> {
    let mut joined: Vec<OsString> = Vec::new();
    for word in arguments {
        match joined.last_mut() {
            Some(option) if is_negative(word) && takes_value(lucena, option) => {
                option.push("=");
                option.push(word);
            }
            _ => joined.push(word.clone()),
        }
    }
    joined
}

/// Returns true if a word begins like a negative number.
fn is_negative(word: &OsStr) -> bool {
    let digits = word.to_str().and_then(|word| word.strip_prefix('-')).unwrap_or_default();
    let names = ["inf", "nan", "∞"];
    digits.starts_with(|first: char| first.is_ascii_digit() || first == '.')
        || names.iter().any(|name| digits.to_lowercase().starts_with(name))
}

/// Returns true if a word is an option of a verb whose value comes next.
fn takes_value(lucena: &Command, word: &OsStr) -> bool {
    let Some(name) = word.to_str().and_then(|word| word.strip_prefix("--")) else { return false };
    let is_it = |arg: &Arg| {
        let is_alias = arg.get_all_aliases().is_some_and(|aliases| aliases.contains(&name));
        (arg.get_long() == Some(name) || is_alias) && arg.get_action().takes_values()
    };
    lucena.get_arguments().any(is_it)
        || lucena.get_subcommands().any(|verb| takes_value(verb, word))
}

/// Leaves the best advice alone: the nearest verb, and no advice to write an unknown option behind two dashes, for no
/// argument of ours begins like an option.
fn with_best_advice(mut error: clap::Error) -> clap::Error {
    let word = match error.get(ContextKind::InvalidSubcommand) {
        Some(ContextValue::String(word)) => word.clone(),
        _ => String::new(),
    };
    if let Some(ContextValue::Strings(known)) = error.remove(ContextKind::SuggestedSubcommand) {
        // The last one is the most similar in another measure, which does not know swapped letters.
        let best =
            nearest(&word, known.iter().map(String::as_str)).or(known.last().map(String::as_str));
        let best = best.into_iter().map(str::to_owned).collect();
        error.insert(ContextKind::SuggestedSubcommand, ContextValue::Strings(best));
    }
    if error.kind() != ErrorKind::UnknownArgument {
        return error;
    }
    if let Some(ContextValue::StyledStrs(mut advice)) = error.remove(ContextKind::Suggested) {
        advice.retain(|one| !one.to_string().contains("'-- "));
        if !advice.is_empty() {
            error.insert(ContextKind::Suggested, ContextValue::StyledStrs(advice));
        }
    }
    error
}

fn run(arguments: Arguments) -> Result<()> {
    let Arguments { verb, general: General { verbosity, attended } } = arguments;
    verbosity.set().map_err(Failure::usage)?;
    interrupt::handle();
    if let Some(chart) = attended {
        job_output::begin(chart);
        input::read_for_job();
    }
    verb.run()
}

/// Parses a value by its name.
fn one_of<T: Named>() -> impl TypedValueParser<Value = T> {
    among(T::ALL)
}

/// Parses one of these values by its name.
fn among<T: Copy + Send + Sync + 'static>(
    named: &'static [(&'static str, T)],
) -> impl TypedValueParser<Value = T> {
    PossibleValuesParser::new(named.iter().map(|&(name, _)| name)).map(|name| {
        let found = named.iter().find(|(known, _)| *known == name);
        found.expect("only names get through").1
    })
}

/// The version, and the commit that it was built from, if known.
fn version() -> String {
    let version = env!("CARGO_PKG_VERSION");
    match option_env!("COMMIT_BUILT_FROM") {
        Some(commit) => format!("{version} ({commit})"),
        None => version.to_owned(),
    }
}
