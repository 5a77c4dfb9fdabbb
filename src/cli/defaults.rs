//! Defaults of the options, from the environment and from files: the command line comes first, then
//! the environment, then the `lucena.toml` that is nearest, then the user's own.

mod setting;

pub(super) use setting::DefaultsError;

use super::Failure;
use super::terminal::note;
use clap::error::{ContextKind, ContextValue};
use clap::{Arg, ArgAction, Command};
use etcetera::BaseStrategy;
use lucena::named::nearest;
use lucena_files::load;
use setting::{Setting, of_file};
use std::env;
use std::path::PathBuf;

/// What variables of the environment begin with.
const PREFIX: &str = "LUCENA_";

/// Names the only file to be read; empty for none.
const ONLY_FILE: &str = "LUCENA_CONFIG";

/// What a file of defaults is called.
const FILE: &str = "lucena.toml";

/// A command line whose options have their defaults.
pub(super) struct Defaults {
    settings: Vec<Setting>,
}

impl Defaults {
    /// Reads the files and the environment.
    ///
    /// # Errors
    /// When a file cannot be read.
    pub(super) fn read(lucena: &Command) -> Result<Self, Failure> {
        let mut settings = Vec::new();
        for path in files() {
            settings.extend(load(&path, |bytes| of_file(bytes, &path))?);
        }
        let mut variables: Vec<(String, String)> = env::vars_os()
            .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
            .filter(|(name, _)| name.starts_with(PREFIX) && name != ONLY_FILE)
            .collect();
        variables.sort();
        settings.extend(variables.into_iter().filter_map(|(name, value)| {
            let setting = of_variable(lucena, &name, value);
            if setting.is_none() {
                note(&format!("{name} is set, but no verb has such an option: see lucena --help"));
            }
            setting
        }));
        Ok(Self { settings })
    }

    /// Gives the options their defaults; later ones take the place of earlier ones.
    ///
    /// # Errors
    /// When no verb has an option that is set.
    pub(super) fn apply(&self, mut lucena: Command) -> Result<Command, Failure> {
        for setting in &self.settings {
            let mut is_taken = false;
            lucena = at(lucena, &setting.verbs, &mut |verb| set(verb, setting, &mut is_taken));
            if !is_taken {
                let Setting { verbs, option, place, .. } = setting;
                let verb = [&["lucena".to_owned()], verbs.as_slice()].concat().join(" ");
                let known = options(&lucena);
                let meant = nearest(option, known.iter().map(String::as_str));
                let mend = meant.map_or_else(
                    || format!("see {verb} --help"),
                    |meant| format!("perhaps {meant} is meant"),
                );
                return Err(Failure::usage(format!(
                    "{place}: {verb} has no option {option}; {mend}"
                )));
            }
        }
        Ok(lucena)
    }

    /// Says where a value stands that the command line has refused, if it is a default.
    pub(super) fn place(&self, error: &clap::Error) -> Option<String> {
        let text = |kind| match error.get(kind) {
            Some(ContextValue::String(text)) => Some(text.as_str()),
            _ => None,
        };
        let (option, value) = (text(ContextKind::InvalidArg)?, text(ContextKind::InvalidValue)?);
        let is_it = |setting: &&Setting| {
            let named = format!("--{} ", setting.option);
            let is_named = option.starts_with(&named) || !option.starts_with('-');
            is_named && setting.values.iter().any(|given| given == value)
        };
        let setting = self.settings.iter().rfind(is_it)?;
        Some(format!("{value:?} is a default that stands in {}", setting.place))
    }
}

/// The files that there are: the user's own, then the nearest from the working directory upwards.
fn files() -> Vec<PathBuf> {
    if let Some(only) = env::var_os(ONLY_FILE) {
        return if only.is_empty() { Vec::new() } else { vec![only.into()] };
    }
    let of_user = etcetera::choose_base_strategy().ok();
    let of_user = of_user.map(|strategy| strategy.config_dir().join("lucena").join(FILE));
    let here = env::current_dir().ok();
    let nearest = here.iter().flat_map(|here| here.ancestors()).map(|folder| folder.join(FILE));
    let nearest = nearest.into_iter().find(|path| path.is_file());
    of_user.filter(|path| path.is_file()).into_iter().chain(nearest).collect()
}

/// `LUCENA_TABLES` is for all verbs that have --tables, `LUCENA_PROVE_PLAYER` for one.
fn of_variable(lucena: &Command, name: &str, value: String) -> Option<Setting> {
    let words = name.strip_prefix(PREFIX)?.to_lowercase().replace('_', "-");
    let (mut verbs, mut command, mut rest) = (Vec::new(), lucena, words.as_str());
    while !has(command, rest) {
        let verb = command.get_subcommands().find(|verb| {
            rest.strip_prefix(verb.get_name()).is_some_and(|rest| rest.starts_with('-'))
        })?;
        rest = &rest[verb.get_name().len() + 1..];
        verbs.push(verb.get_name().to_owned());
        command = verb;
    }
    Some(Setting { verbs, option: rest.to_owned(), values: vec![value], place: name.to_owned() })
}

/// The options of a command and its verbs.
fn options(command: &Command) -> Vec<String> {
    let own = command.get_arguments().filter_map(Arg::get_long).map(str::to_owned);
    own.chain(command.get_subcommands().flat_map(options)).collect()
}

/// Whether a command or one of its verbs has an option.
fn has(command: &Command, option: &str) -> bool {
    command.get_arguments().any(|argument| is_called(argument, option))
        || command.get_subcommands().any(|verb| has(verb, option))
}

/// Whether an argument can be given a default by this name: options can, and the endgame.
fn is_called(argument: &Arg, name: &str) -> bool {
    let is_endgame = argument.is_positional() && argument.get_id() == "material";
    argument.get_long() == Some(name) || (is_endgame && name == "material")
}

/// A command in which the verb at a path is changed.
fn at(command: Command, verbs: &[String], change: &mut dyn FnMut(Command) -> Command) -> Command {
    match verbs.split_first() {
        None => change(command),
        Some((verb, _)) if command.find_subcommand(verb).is_none() => command,
        Some((verb, rest)) => command.mut_subcommand(verb, |verb| at(verb, rest, change)),
    }
}

/// A command whose option has a default, or each of whose verbs has it.
fn set(mut command: Command, setting: &Setting, is_taken: &mut bool) -> Command {
    let known = command.get_arguments().find(|argument| is_called(argument, &setting.option));
    if let Some(id) = known.map(|argument| argument.get_id().clone()) {
        *is_taken = true;
        return command.mut_arg(id, |argument| with_default(argument, &setting.values));
    }
    let verbs: Vec<String> =
        command.get_subcommands().map(|verb| verb.get_name().to_owned()).collect();
    for verb in verbs {
        command = command.mut_subcommand(verb, |verb| set(verb, setting, is_taken));
    }
    command
}

fn with_default(argument: Arg, values: &[String]) -> Arg {
    let argument = argument.required(false);
    match argument.get_action() {
        // A flag that is false is as if it were not set.
        ArgAction::SetTrue => argument.default_value(values.concat()),
        _ => argument.default_values(values.to_vec()),
    }
}
