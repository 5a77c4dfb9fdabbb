//! Defaults of the options, from the environment and from files. The command line comes first, then the
//! environment, then the nearest `lucena.toml`, then the user's own.

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
use std::ffi::OsString;
use std::path::PathBuf;

/// The prefix of environment variables.
const PREFIX: &str = "LUCENA_";

/// The variable that names the only file to read; if empty, none is read.
const ONLY_FILE: &str = "LUCENA_CONFIG";

/// The name of a file of defaults.
const FILE: &str = "lucena.toml";

/// The defaults of a command line's options.
pub(super) struct Defaults {
    settings: Vec<Setting>,
}

impl Defaults {
    /// Reads the files and the environment.
    ///
    /// # Errors
    /// If a file cannot be read.
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

    /// Gives the options their defaults; later ones override earlier ones. Sections for other verbs than
    /// the one on the command line are ignored.
    ///
    /// # Errors
    /// If there is no such verb or option, or the value is of a wrong type.
    pub(super) fn apply(
        &self,
        mut lucena: Command,
        arguments: &[OsString],
    ) -> Result<Command, Failure> {
        if self.settings.is_empty() {
            return Ok(lucena);
        }
        let asked = verbs_of(&lucena, arguments);
        for setting in &self.settings {
            let Setting { verbs, option, values, place } = setting;
            let (path, verb) = find(&lucena, verbs)
                .map_err(|unknown| Failure::usage(format!("{place}: {unknown}")))?;
            if !asked.starts_with(&path) {
                continue;
            }
            if !has(verb, option) {
                let name = [&["lucena".to_owned()], path.as_slice()].concat().join(" ");
                let mend = mend(option, &options(verb), &name);
                return Err(Failure::usage(format!(
                    "{place}: {name} has no option {option}; {mend}"
                )));
            }
            let values = values
                .as_ref()
                .map_err(|error| Failure::InputOutput(format!("{place}: {error}").into()))?;
            lucena = at(lucena, &path, &mut |verb| set(verb, option, values));
        }
        Ok(lucena)
    }

    /// Tells where the value stands that clap has refused, if it is a default.
    pub(super) fn place(&self, error: &clap::Error) -> Option<String> {
        let text = |kind| match error.get(kind) {
            Some(ContextValue::String(text)) => Some(text.as_str()),
            _ => None,
        };
        let (option, value) = (text(ContextKind::InvalidArg)?, text(ContextKind::InvalidValue)?);
        let is_it = |setting: &&Setting| {
            let named = option.strip_prefix("--").and_then(|name| name.split(' ').next());
            let is_named = named.is_none_or(|name| name == setting.option);
            is_named && setting.values.iter().flatten().any(|given| given == value)
        };
        let setting = self.settings.iter().rfind(is_it)?;
        Some(format!("{value:?} is a default set in {}", setting.place))
    }
}

/// The existing files: the user's own, then the nearest one from the working directory upwards.
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

/// Parses a variable: `LUCENA_TABLES` is for all verbs that have --tables, `LUCENA_PROVE_PLAYER` for one.
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
    Some(Setting {
        verbs,
        option: rest.to_owned(),
        values: Ok(vec![value]),
        place: name.to_owned(),
    })
}

/// The verbs that a command line names, even if the rest of it is wrong or asks for help.
fn verbs_of(lucena: &Command, arguments: &[OsString]) -> Vec<String> {
    let lucena = lucena.clone().ignore_errors(true).disable_help_flag(true);
    let Ok(matches) = lucena.disable_version_flag(true).try_get_matches_from(arguments) else {
        return Vec::new();
    };
    let (mut verbs, mut matches) = (Vec::new(), &matches);
    while let Some((verb, rest)) = matches.subcommand() {
        verbs.push(verb.to_owned());
        matches = rest;
    }
    verbs
}

/// Finds the verb of a section; returns its path and the command, or a message if there is none.
fn find<'c>(lucena: &'c Command, section: &[String]) -> Result<(Vec<String>, &'c Command), String> {
    let (mut path, mut command) = (Vec::new(), lucena);
    for word in section {
        let verb = command.find_subcommand(word).ok_or_else(|| {
            let name = [&["lucena".to_owned()], path.as_slice()].concat().join(" ");
            let known = command.get_subcommands().map(|verb| verb.get_name().to_owned());
            let mend = mend(word, &known.collect::<Vec<_>>(), &name);
            format!("{name} has no verb {word}; {mend}")
        })?;
        path.push(verb.get_name().to_owned());
        command = verb;
    }
    Ok((path, command))
}

/// Suggests what to write in place of an unknown name.
fn mend(name: &str, known: &[String], verb: &str) -> String {
    nearest(name, known.iter().map(String::as_str))
        .map_or_else(|| format!("see {verb} --help"), |meant| format!("perhaps {meant} is meant"))
}

/// The names of the options of a command and its verbs that can have defaults.
fn options(command: &Command) -> Vec<String> {
    let own = command.get_arguments().filter(|argument| is_called(argument, "material"));
    let own = own.map(|_| "material").chain(command.get_arguments().filter_map(Arg::get_long));
    own.map(str::to_owned).chain(command.get_subcommands().flat_map(options)).collect()
}

/// Returns true if a command or one of its verbs has the option.
fn has(command: &Command, option: &str) -> bool {
    command.get_arguments().any(|argument| is_called(argument, option))
        || command.get_subcommands().any(|verb| has(verb, option))
}

/// Returns true if an argument can be given a default by this name: options can, and the endgame.
fn is_called(argument: &Arg, name: &str) -> bool {
    let is_endgame = argument.is_positional() && argument.get_id() == "material";
    argument.get_long() == Some(name) || (is_endgame && name == "material")
}

/// Applies a change to the verb at a path.
fn at(command: Command, path: &[String], change: &mut dyn FnMut(Command) -> Command) -> Command {
    match path.split_first() {
        None => change(command),
        Some((verb, rest)) => command.mut_subcommand(verb, |verb| at(verb, rest, change)),
    }
}

/// Sets the default of an option. If the command itself lacks the option, it is set for those of its verbs
/// that accept the value; if none does, for all, so that clap reports the error.
fn set(command: Command, option: &str, values: &[String]) -> Command {
    let takes_all = own(&command, option).is_some() || !any_takes(&command, option, values);
    set_below(command, option, values, takes_all)
}

fn set_below(mut command: Command, option: &str, values: &[String], takes_all: bool) -> Command {
    if let Some(argument) = own(&command, option) {
        if !takes_all && !takes(argument, values) {
            return command;
        }
        let id = argument.get_id().clone();
        return command.mut_arg(id, |argument| with_default(argument, values));
    }
    let verbs: Vec<String> =
        command.get_subcommands().map(|verb| verb.get_name().to_owned()).collect();
    for verb in verbs {
        command = command.mut_subcommand(verb, |verb| set_below(verb, option, values, takes_all));
    }
    command
}

/// The argument of the command itself that a default is for.
fn own<'c>(command: &'c Command, option: &str) -> Option<&'c Arg> {
    command.get_arguments().find(|argument| is_called(argument, option))
}

/// Returns true if a command or one of its verbs has an option that accepts these values.
fn any_takes(command: &Command, option: &str, values: &[String]) -> bool {
    own(command, option).is_some_and(|argument| takes(argument, values))
        || command.get_subcommands().any(|verb| any_takes(verb, option, values))
}

/// Returns true if an argument accepts these values, by asking clap about a copy of it.
fn takes(argument: &Arg, values: &[String]) -> bool {
    let action = argument.get_action().clone();
    let mut alone = Arg::new("alone").long("alone");
    if action.takes_values() {
        alone = alone.value_parser(argument.get_value_parser().clone());
        if let Some(between) = argument.get_value_delimiter() {
            alone = alone.value_delimiter(between);
        }
    }
    let alone = with_default(alone.action(action), values);
    Command::new("alone").arg(alone).try_get_matches_from(["alone"]).is_ok()
}

fn with_default(argument: Arg, values: &[String]) -> Arg {
    let argument = argument.required(false);
    match argument.get_action() {
        // `false` for a flag means that it is not set.
        ArgAction::SetTrue => argument.default_value(values.concat()),
        _ => argument.default_values(values.to_vec()),
    }
}
