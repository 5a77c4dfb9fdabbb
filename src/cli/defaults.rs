//! Defaults of the options, from the environment and from files. The command line comes first, then the
//! environment, then the nearest `lucena.toml`, then the user's own.

use super::failure::{Failure, Result, rejected};
use super::terminal::note;
use clap::{Arg, ArgAction, Command};
use etcetera::BaseStrategy;
use located::{is_folder_list, is_in_other_home, located};
use lucena::named::nearest;
use lucena_files::load_text;
use std::cell::LazyCell;
use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use toml::{Table, Value};

mod located;

/// The prefix of environment variables.
const PREFIX: &str = "LUCENA_";

/// The variable that names the only file to read; if empty, none is read.
const ONLY_FILE: &str = "LUCENA_CONFIG";

/// The name of a file of defaults.
const FILE: &str = "lucena.toml";

/// A default for an option.
struct DefaultValue {
    /// The verb that it is for; empty for all that have the option.
    verbs: Vec<String>,
    option: String,
    /// The values, or an error if the TOML value cannot be an option's value.
    values: Result<Vec<String>, DefaultsError>,
    /// The place of the default, for error messages.
    place: String,
    /// The folder from which its relative paths count: that of its file.
    folder: Option<PathBuf>,
}

/// A place where defaults stand: a file.
#[derive(Clone, Copy)]
struct Place<'a> {
    path: &'a Path,
    verbs: &'a [String],
}

/// The error for a file of defaults.
#[derive(Debug, thiserror::Error)]
enum DefaultsError {
    /// The file is not TOML.
    #[error("this is not TOML; write OPTION = VALUE, and [VERB] above options of one verb\n{0}")]
    Toml(#[from] toml::de::Error),
    /// A value that no option can take.
    #[error(
        "{name} = {value} cannot be a default; give a text, a number, true, false, or a list of these"
    )]
    Value {
        /// The option.
        name: String,
        /// The value.
        value: String,
    },
}

/// The defaults of a command line's options.
pub(super) struct Defaults {
    settings: Vec<DefaultValue>,
}

impl Defaults {
    /// Reads the files and the environment.
    pub(super) fn read(lucena: &LazyCell<Command>) -> Result<Self> {
        let mut settings = Vec::new();
        for path in files() {
            let table = load_text(&path, |text: &str| -> Result<Table, DefaultsError> {
                Ok(toml::from_str(text)?)
            })?;
            read_table(&table, Place { path: &path, verbs: &[] }, &mut settings);
        }
        let mut variables: Vec<(String, String)> = env::vars_os()
            .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
            .filter(|(name, _)| name.starts_with(PREFIX) && name != ONLY_FILE)
            .filter(|(_, value)| !value.is_empty())
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

    /// Gives the options of the verb on the command line their defaults; later ones override earlier ones. The description
    /// of the command line need not know more verbs than that one.
    pub(super) fn apply(
        &self,
        mut lucena: Command,
        whole: &LazyCell<Command>,
        arguments: &[OsString],
    ) -> Result<Command> {
        if self.settings.is_empty() {
            return Ok(lucena);
        }
        let asked = verbs_of(&lucena, arguments);
        for setting in &self.settings {
            let DefaultValue { verbs, option, values, place, .. } = setting;
            let (path, verb) = find(whole, verbs)
                .map_err(|unknown| Failure::usage(format!("{place}: {unknown}")))?;
            if !placed(&asked).starts_with(&placed(&path)) {
                continue;
            }
            if !any(verb, option, &|_| true) {
                let name = [&["lucena".to_owned()], path.as_slice()].concat().join(" ");
                let mend = suggestion(option, &options(verb), &name);
                return Err(Failure::usage(format!(
                    "{place}: {name} has no option {option}; {mend}"
                )));
            }
            let values = values
                .as_ref()
                .map_err(|error| Failure::InputOutput(format!("{place}: {error}").into()))?;
            if values.len() > 1 && !any(verb, option, &takes_list) {
                return Err(Failure::usage(format!(
                    "{place}: {option} takes one value, not a list of {}: leave one",
                    values.len()
                )));
            }
            let is_in_other_home = |argument: &Arg| is_in_other_home(argument, values);
            if setting.folder.is_some() && any(verb, option, &is_in_other_home) {
                return Err(Failure::usage(format!(
                    "{place}: {option} = {}: ~ stands for your own home folder only: write the whole path, or ./~NAME for a file or folder of that name",
                    values.join(", ")
                )));
            }
            // A default for many verbs is for those of them that accept the value.
            let is_bound = own(verb, option).is_some()
                || !any(verb, option, &|argument| takes(argument, values));
            lucena = set(lucena, &asked, setting, values, is_bound);
        }
        Ok(lucena)
    }

    /// Returns the place of the value that clap has rejected, if it is a default.
    pub(super) fn place(&self, lucena: &LazyCell<Command>, error: &clap::Error) -> Option<String> {
        let (Some(option), Some(value)) = rejected(error) else { return None };
        let is_it = |setting: &&DefaultValue| {
            let named = option.strip_prefix("--").and_then(|name| name.split(' ').next());
            // The default may have an old name of the option.
            let is_named = named.is_none_or(|name| {
                any(lucena, &setting.option, &|argument| argument.get_long() == Some(name))
            });
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

/// Adds the defaults in a table of a file.
fn read_table(table: &Table, place: Place<'_>, settings: &mut Vec<DefaultValue>) {
    let Place { path, verbs } = place;
    for (name, value) in table {
        if let Value::Table(section) = value {
            let verbs = &[verbs, std::slice::from_ref(name)].concat();
            read_table(section, Place { path, verbs }, settings);
            continue;
        }
        let values = match value {
            Value::Array(values) => values.iter().map(text).collect(),
            value => text(value).map(|text| vec![text]),
        };
        let refused = || DefaultsError::Value { name: name.clone(), value: value.to_string() };
        let (values, place) = (values.ok_or_else(refused), path.display().to_string());
        let (verbs, option) = (verbs.to_vec(), name.replace('_', "-"));
        let folder = std::path::absolute(path).ok();
        let folder = folder.and_then(|path| path.parent().map(Path::to_path_buf));
        settings.push(DefaultValue { verbs, option, values, place, folder });
    }
}

/// Converts a TOML value to its text on the command line; `None` if there is none.
fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Integer(number) => Some(number.to_string()),
        Value::Float(number) => Some(number.to_string()),
        Value::Boolean(is_set) => Some(is_set.to_string()),
        Value::Datetime(_) | Value::Array(_) | Value::Table(_) => None,
    }
}

/// Parses a variable: `LUCENA_TABLES` is for all verbs that have --tables, `LUCENA_PROVE_PLAYER` for one.
fn of_variable(lucena: &Command, name: &str, value: String) -> Option<DefaultValue> {
    let words = name.strip_prefix(PREFIX)?.to_lowercase().replace('_', "-");
    let (mut verbs, mut command, mut rest) = (Vec::new(), lucena, words.as_str());
    while !any(command, rest, &|_| true) {
        let verb = command.get_subcommands().find(|verb| {
            rest.strip_prefix(verb.get_name()).is_some_and(|rest| rest.starts_with('-'))
        })?;
        rest = &rest[verb.get_name().len() + 1..];
        verbs.push(verb.get_name().to_owned());
        command = verb;
    }
    let (option, values, place) = (rest.into(), Ok(vec![value]), name.into());
    Some(DefaultValue { verbs, option, values, place, folder: None })
}

/// Verbs that now stand below another verb, by their old names.
pub(super) const MOVED: [(&str, [&str; 2]); 6] = [
    ("curve", ["experiment", "curve"]),
    ("distil", ["find", "tree"]),
    ("frontier", ["experiment", "frontier"]),
    ("measure", ["find", "measure"]),
    ("strategy", ["find", "strategy"]),
    ("study", ["experiment", "study"]),
];

/// The path of a verb, for one of the old names too.
fn placed(path: &[String]) -> Vec<String> {
    let old = path.first().and_then(|verb| MOVED.iter().find(|(old, _)| old == verb));
    old.map_or_else(|| path.to_vec(), |(_, now)| now.map(str::to_owned).to_vec())
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
            let known = command.get_subcommands().filter(|verb| !verb.is_hide_set());
            let known = known.map(|verb| verb.get_name().to_owned());
            let mend = suggestion(word, &known.collect::<Vec<_>>(), &name);
            format!("{name} has no verb {word}; {mend}")
        })?;
        path.push(verb.get_name().to_owned());
        command = verb;
    }
    Ok((path, command))
}

/// Suggests what to write in place of an unknown name.
fn suggestion(name: &str, known: &[String], verb: &str) -> String {
    nearest(name, known.iter().map(String::as_str))
        .map_or_else(|| format!("see {verb} --help"), |meant| format!("perhaps {meant} is meant"))
}

/// The names of the options of a command and its verbs that can have defaults.
fn options(command: &Command) -> Vec<String> {
    let own = command.get_arguments().filter(|argument| is_called(argument, "material"));
    let own = own.map(|_| "material").chain(command.get_arguments().filter_map(Arg::get_long));
    own.map(str::to_owned).chain(command.get_subcommands().flat_map(options)).collect()
}

/// Returns true if a command or one of its verbs has an option of this name that fulfils a condition.
fn any(command: &Command, option: &str, is_it: &dyn Fn(&Arg) -> bool) -> bool {
    own(command, option).is_some_and(is_it)
        || command.get_subcommands().any(|verb| any(verb, option, is_it))
}

/// The argument of the command itself that a default is for.
fn own<'c>(command: &'c Command, option: &str) -> Option<&'c Arg> {
    command.get_arguments().find(|argument| is_called(argument, option))
}

/// Returns true if an argument can be given a default by this name: options can, and the endgame.
fn is_called(argument: &Arg, name: &str) -> bool {
    let is_endgame = argument.is_positional() && argument.get_id() == "material";
    let is_alias = argument.get_all_aliases().is_some_and(|aliases| aliases.contains(&name));
    argument.get_long() == Some(name) || is_alias || (is_endgame && name == "material")
}

/// Sets the default of an option of the requested verb, if it has the option. If `is_bound`, even a value
/// that the option does not accept, so that clap reports the error.
fn set(
    command: Command,
    asked: &[String],
    setting: &DefaultValue,
    values: &[String],
    is_bound: bool,
) -> Command {
    match (own(&command, &setting.option), asked) {
        (Some(argument), _) if is_bound || takes(argument, values) => {
            let id = argument.get_id().clone();
            let values = match &setting.folder {
                Some(folder) => located(argument, values, folder),
                None => values.to_vec(),
            };
            command.mut_arg(id, |argument| with_default(argument, &values))
        }
        (None, [verb, rest @ ..]) => {
            command.mut_subcommand(verb, |verb| set(verb, rest, setting, values, is_bound))
        }
        _ => command,
    }
}

/// Returns true if an argument accepts these values, by asking clap about a copy of it.
fn takes(argument: &Arg, values: &[String]) -> bool {
    if values.len() > 1 && !takes_list(argument) {
        return false;
    }
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

/// Returns true if an argument takes several values.
fn takes_list(argument: &Arg) -> bool {
    matches!(argument.get_action(), ArgAction::Append)
        || argument.get_value_delimiter().is_some()
        || is_folder_list(argument)
}

fn with_default(argument: Arg, values: &[String]) -> Arg {
    let argument = argument.required(false);
    match argument.get_action() {
        // `false` for a flag means that it is not set.
        ArgAction::SetTrue => argument.default_value(values.concat()),
        _ => argument.default_values(values.to_vec()),
    }
}
