//! The verbs as forms for the page, and the command lines made from filled-in forms. Help, choices and
//! defaults are those of the command line itself.

use super::{Arguments, without_defaults};
use clap::{Arg, ArgAction, Command, CommandFactory};
use lucena_serve::JobPlan;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::iter;
use std::path::Path;
use std::sync::LazyLock;

/// An experiment that the page offers: a verb as a form. See `forms.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Experiment {
    /// The name in the API.
    name: String,
    title: String,
    /// The words after the program's name.
    words: Vec<String>,
    fields: Vec<Entry>,
    #[serde(default)]
    files: Vec<(String, String)>,
    player: Option<(String, String)>,
}

/// An argument that the form asks for.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    id: String,
    label: String,
    default: Option<String>,
    choices: Option<Vec<String>>,
}

static EXPERIMENTS: LazyLock<Vec<Experiment>> = LazyLock::new(|| {
    let mut file: BTreeMap<String, Vec<Experiment>> =
        toml::from_str(include_str!("forms.toml")).expect("the file has experiments");
    file.remove("experiments").unwrap_or_default()
});

/// The name of the picture of a job's results.
const CHART: &str = "chart.svg";

/// The forms.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Forms {
    /// A form for each experiment.
    experiments: Vec<Form>,
}

/// An experiment as a form.
#[derive(Debug, Serialize, JsonSchema)]
struct Form {
    /// The name by which a job or a command is asked for.
    verb: &'static str,
    /// The title.
    title: &'static str,
    /// A short description.
    about: String,
    /// The fields.
    fields: Vec<Field>,
}

/// A field of a form.
#[derive(Debug, Serialize, JsonSchema)]
struct Field {
    /// The parameter's name.
    name: &'static str,
    /// The label.
    label: &'static str,
    /// material, player, choice, integer, number, flag, list or text.
    kind: &'static str,
    /// The value if the field is left empty; null if the experiment chooses one itself.
    default: Option<String>,
    /// The possible values, of a list those of its items; null if there is no fixed list.
    choices: Option<Vec<String>>,
    /// An explanation.
    help: String,
}

/// A command line, for display.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct CommandResponse {
    /// The command line, as a person would write it.
    command: String,
    /// The error, in a sentence; null if there is none.
    error: Option<String>,
}

/// Returns all forms.
pub(super) fn forms() -> Forms {
    let lucena = Arguments::command();
    Forms { experiments: EXPERIMENTS.iter().map(|known| Form::new(known, &lucena)).collect() }
}

impl Form {
    fn new(experiment: &'static Experiment, lucena: &Command) -> Self {
        let verb = experiment.verb(lucena);
        let about = verb.get_about().map(ToString::to_string).unwrap_or_default();
        let fields = experiment.fields.iter().map(|entry| Field::new(entry, verb)).collect();
        Self { verb: &experiment.name, title: &experiment.title, about, fields }
    }
}

impl Experiment {
    fn named(name: &str) -> Result<&'static Self, String> {
        EXPERIMENTS.iter().find(|known| known.name == name).ok_or_else(|| {
            let known: Vec<&str> = EXPERIMENTS.iter().map(|known| &*known.name).collect();
            format!("{name:?} is not an experiment: there are {}", known.join(", "))
        })
    }

    fn verb<'c>(&self, lucena: &'c Command) -> &'c Command {
        self.words.iter().fold(lucena, |command, word| {
            command.find_subcommand(word).expect("the page offers verbs that there are")
        })
    }

    /// The words of the command line for a filled-in form, without options that have their default.
    fn arguments(
        &self,
        lucena: &Command,
        fields: &BTreeMap<String, String>,
    ) -> Result<Vec<String>, String> {
        let is_known = |name: &str| self.fields.iter().any(|entry| entry.id == name);
        if let Some(strange) = fields.keys().find(|name| !is_known(name)) {
            return Err(format!("{} has no field {strange:?}", self.name));
        }
        let verb = self.verb(lucena);
        let mut words = self.words.clone();
        for entry in &self.fields {
            let Entry { id, label, default, choices } = entry;
            let arg = entry.arg(verb);
            let given = fields.get(id).map(|value| value.trim()).filter(|value| !value.is_empty());
            let Some(value) = given.or(default.as_deref()) else { continue };
            if !arg.is_positional() && usual(arg).as_deref() == Some(value) {
                continue;
            }
            if let Some(choices) = choices
                && choices.iter().all(|choice| choice != value)
            {
                return Err(format!("{label}: {value:?} is not one of {}", choices.join(", ")));
            }
            match arg.get_long() {
                // No positional argument of ours begins like an option.
                None if value.starts_with('-') => {
                    return Err(format!("{label}: {value:?} makes no sense"));
                }
                None => words.insert(self.words.len(), value.into()),
                Some(long) if is_flag(arg) => match value {
                    "true" => words.push(format!("--{long}")),
                    "false" => {}
                    _ => return Err(format!("{label}: write true or false")),
                },
                Some(long) => words.push(format!("--{long}={value}")),
            }
        }
        let line: Vec<OsString> =
            iter::once("lucena".into()).chain(words.iter().map(OsString::from)).collect();
        without_defaults(&line).map_err(|error| first_paragraph(&error))?;
        Ok(words)
    }
}

impl Entry {
    fn arg<'c>(&self, verb: &'c Command) -> &'c Arg {
        let mut arguments = verb.get_arguments();
        arguments.find(|arg| *arg.get_id() == *self.id).expect("the page asks for what there is")
    }
}

impl Field {
    fn new(entry: &'static Entry, verb: &Command) -> Self {
        let arg = entry.arg(verb);
        let possible = arg.get_possible_values();
        let possible = || possible.iter().map(|value| value.get_name().to_owned()).collect();
        let choices = entry.choices.clone().unwrap_or_else(possible);
        let value_name = arg.get_value_names().and_then(|names| names.first());
        let kind = match (&*entry.id, value_name.map(|name| name.as_str())) {
            ("material", _) => "material",
            ("player", _) => "player",
            _ if is_flag(arg) => "flag",
            _ if arg.get_value_delimiter().is_some() => "list",
            _ if !choices.is_empty() => "choice",
            (_, Some("N" | "S" | "K")) => "integer",
            (_, Some("X" | "P")) => "number",
            _ => "text",
        };
        let default = if kind == "material" { Some("KRvK".into()) } else { usual(arg) };
        let default = entry.default.clone().or(default);
        let choices = (!choices.is_empty()).then_some(choices);
        let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
        Self { name: &entry.id, label: &entry.label, kind, default, choices, help }
    }
}

fn is_flag(arg: &Arg) -> bool {
    matches!(arg.get_action(), ArgAction::SetTrue)
}

/// The default of an argument.
fn usual(arg: &Arg) -> Option<String> {
    let values: Vec<String> =
        arg.get_default_values().iter().map(|value| value.to_string_lossy().into_owned()).collect();
    (!values.is_empty() && !is_flag(arg)).then(|| values.join(","))
}

/// The error in a sentence: the first paragraph of clap's message, without the heading.
fn first_paragraph(error: &clap::Error) -> String {
    let text = error.to_string();
    let first: Vec<&str> =
        text.lines().take_while(|line| !line.is_empty()).map(str::trim).collect();
    let first = first.join(" ");
    first.strip_prefix("error: ").unwrap_or(&first).to_owned()
}

/// The command line for a filled-in form, as a person would write it. The query has the name of the experiment as
/// `verb`, and the fields.
pub(super) fn command(query: &str) -> CommandResponse {
    let fields = serde_urlencoded::from_str::<BTreeMap<String, String>>(query);
    let fields = fields.map_err(|_| "The query cannot be read.".to_owned());
    let made = fields.and_then(|mut fields| {
        let experiment = Experiment::named(&fields.remove("verb").unwrap_or_default())?;
        let words = experiment.arguments(&Arguments::command(), &fields)?;
        Ok(shown(experiment, &words))
    });
    CommandResponse { error: made.as_ref().err().cloned(), command: made.unwrap_or_default() }
}

fn shown(experiment: &Experiment, words: &[String]) -> String {
    let files = experiment.files.iter().map(|(option, file)| format!("--{option}={file}"));
    let words: Vec<String> = words.iter().cloned().chain(files).collect();
    // People write a space before an option's value.
    let apart = words.iter().flat_map(|word| match word.split_once('=') {
        Some((option, value)) if option.starts_with("--") => [Some(option), Some(value)],
        _ => [Some(word.as_str()), None],
    });
    let quoted = shlex::try_join(apart.flatten()).unwrap_or_default();
    format!("lucena {quoted}")
}

/// The plan of a job whose files go to a folder.
pub(super) fn plan(
    name: &str,
    fields: &BTreeMap<String, String>,
    folder: &Path,
    tables: Option<&Path>,
) -> Result<JobPlan, String> {
    let experiment = Experiment::named(name)?;
    let lucena = Arguments::command();
    let words = experiment.arguments(&lucena, fields)?;
    let command = shown(experiment, &words);
    // Only experiments that look positions up accept --tables.
    let takes_tables = experiment.verb(&lucena).get_arguments().any(|arg| arg.get_id() == "tables");
    let option = |name: &str, path: &Path| {
        let mut word = OsString::from(format!("--{name}="));
        word.push(path);
        word
    };
    let mut arguments: Vec<OsString> = words.into_iter().map(OsString::from).collect();
    arguments.extend(experiment.files.iter().map(|(name, file)| option(name, &folder.join(file))));
    let tables = tables.filter(|_| takes_tables);
    arguments.extend(tables.map(|tables| option("tables", tables)));
    arguments.push(option("attended", &folder.join(CHART)));
    let player = experiment.player.clone().map(|(kind, file)| {
        // A search names its weights behind the last of its settings.
        let prefix = if kind.ends_with('=') { kind } else { format!("{kind}:") };
        (prefix, file)
    });
    Ok(JobPlan {
        title: experiment.title.clone(),
        name: job_name(experiment, fields),
        command,
        arguments,
        chart: Some(CHART.into()),
        player,
    })
}

/// A name for a job: the title, and what it is about.
fn job_name(experiment: &Experiment, fields: &BTreeMap<String, String>) -> String {
    let about = ["material", "what", "subject", "player", "learner", "kind"];
    let values = about.iter().filter_map(|id| fields.get(*id)).map(|value| value.trim());
    // A player's file is known by its name.
    let words = values.map(|value| value.rsplit(['/', '\\']).next().unwrap_or(value));
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    match words.as_slice() {
        [] => experiment.title.clone(),
        words => format!("{}: {}", experiment.title, words.join(", ")),
    }
}

/// The routes for forms, as paths of an OpenAPI document.
pub(super) fn paths(generator: &mut SchemaGenerator) -> Map<String, Value> {
    let forms = generator.subschema_for::<Forms>();
    let command = generator.subschema_for::<CommandResponse>();
    let said = |about: &str, parameters: Value, schema: Schema| {
        let content = json!({ "application/json": { "schema": schema } });
        json!({ "get": { "summary": about, "parameters": parameters, "responses": {
            "200": { "description": "The answer.", "content": content } } } })
    };
    let verb = json!([{
        "name": "verb",
        "in": "query",
        "required": true,
        "description": "The experiment; all other parameters are fields of its form.",
        "schema": { "type": "string" },
    }]);
    let paths = [
        ("/api/experiments", said("The experiments as forms.", json!([]), forms)),
        ("/api/command", said("The command line for a filled-in form.", verb, command)),
    ];
    paths.into_iter().map(|(path, described)| (path.to_owned(), described)).collect()
}
