//! The verbs as forms for the page, and the command lines made from filled-in forms. Choices and defaults are those
//! of the command line itself; the words are those of `forms.toml`.

mod catalogue;
mod filled;
mod offer;

use catalogue::{CATALOGUE, Entry, Experiment, lucena};
use clap::Command;
use filled::{FilledForm, Values};
use lucena_serve::JobPlan;
pub(super) use offer::Offer;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;

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
    /// The name of the experiment in requests.
    verb: &'static str,
    /// The title.
    title: &'static str,
    /// The purpose, in a sentence.
    about: &'static str,
    /// The result, in a sentence.
    makes: &'static str,
    /// The usual duration, in a sentence; null if it is not known.
    time: Option<&'static str>,
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
    /// material, subject (an endgame, or chess), player, opponent (a player, or human), engine, choice, integer, number, flag, list or text.
    kind: &'static str,
    /// The value if the field is left empty; null if the experiment chooses one itself, which /api/command returns.
    default: Option<String>,
    /// Words for what happens if the field is left empty and has no default; null if it has one.
    empty: Option<&'static str>,
    /// The allowed values (for a list, of its items), or null.
    choices: Option<Vec<String>>,
    /// Words for the possible values, in their order; null if there is no fixed list.
    labels: Option<Vec<String>>,
    /// The least and the greatest number, for a field with a slider; null if there is none.
    range: Option<[f64; 2]>,
    /// An explanation.
    help: &'static str,
}

/// A command line, for display, and the state of the form that it was made from.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct CommandResponse {
    /// The command line, as a person would write it; empty if there is an error.
    command: String,
    /// The error, in a sentence; null if there is none.
    error: Option<String>,
    /// The fields that apply to the given values, in the form's order. The values of others are ignored.
    fields: Vec<FieldState>,
}

/// The state of a field that applies.
#[derive(Debug, Serialize, JsonSchema)]
struct FieldState {
    /// The parameter's name.
    name: &'static str,
    /// The value if the field is left empty; null if there is none.
    default: Option<String>,
    /// The error of the given value, in a sentence; null if there is none.
    error: Option<String>,
}

/// Returns all forms.
pub(super) fn forms(offer: &dyn Offer) -> Forms {
    let lucena = lucena();
    let experiments = CATALOGUE.experiments.iter();
    Forms { experiments: experiments.map(|known| Form::new(known, &lucena, offer)).collect() }
}

impl Form {
    fn new(experiment: &'static Experiment, lucena: &Command, offer: &dyn Offer) -> Self {
        let verb = experiment.verb(lucena);
        let fields = experiment.fields.iter();
        let fields = fields.map(|entry| Field::new(entry, verb, offer)).collect();
        let Experiment { name, title, about, makes, time, .. } = experiment;
        Self { verb: name, title, about, makes, time: time.as_deref(), fields }
    }
}

impl Field {
    fn new(entry: &'static Entry, verb: &Command, offer: &dyn Offer) -> Self {
        let choices = Some(entry.choices(verb, offer)).filter(|choices| !choices.is_empty());
        let labels = choices.as_ref().map(|choices| {
            choices.iter().map(|choice| entry.label_of(choice).to_owned()).collect()
        });
        Self {
            name: &entry.id,
            label: &entry.label,
            kind: entry.kind(verb),
            default: entry.fixed_default(verb, offer).or_else(|| entry.between.first().cloned()),
            empty: entry.empty.as_deref(),
            choices,
            labels,
            range: entry.range,
            help: entry.help(),
        }
    }
}

/// The command line for a filled-in form, as a person would write it. The query has the name of the experiment as
/// `verb`, and the fields.
pub(super) fn command(query: &str, offer: &dyn Offer) -> CommandResponse {
    let values = serde_urlencoded::from_str::<Values>(query);
    let values = values.map_err(|_| "The query cannot be read.".to_owned());
    let filled = values.and_then(|mut values| {
        let experiment = Experiment::named(&values.remove("verb").unwrap_or_default())?;
        Ok((experiment, FilledForm::new(experiment, &lucena(), &values, offer)?))
    });
    match filled {
        Ok((experiment, filled)) => {
            let error = filled.first_error(|entry| &entry.label);
            let command =
                if error.is_some() { String::new() } else { shown(experiment, &filled.words) };
            let fields = filled.fields.into_iter().map(|field| FieldState {
                name: &field.entry.id,
                default: field.default,
                error: field.error,
            });
            CommandResponse { command, error, fields: fields.collect() }
        }
        Err(error) => {
            CommandResponse { command: String::new(), error: Some(error), fields: Vec::new() }
        }
    }
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
    offer: &dyn Offer,
    folder: &Path,
    tables: Option<&Path>,
) -> Result<JobPlan, String> {
    let experiment = Experiment::named(name)?;
    let lucena = lucena();
    let filled = FilledForm::new(experiment, &lucena, fields, offer)?;
    // A program knows the fields by their names.
    if let Some(error) = filled.first_error(|entry| &entry.id) {
        return Err(error);
    }
    // On the page such a field is not shown. A program is told that its value would count for nothing.
    let is_ignored = |name: &str| filled.fields.iter().all(|field| field.entry.id != name);
    let mut given = fields.iter().filter(|(_, value)| !value.trim().is_empty());
    if let Some((name, _)) = given.find(|(name, _)| is_ignored(name)) {
        return Err(format!(
            "{name}: it does not apply with these values of the other fields: leave it out"
        ));
    }
    let words = filled.words;
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

/// A name for a job: the title, and its subject.
fn job_name(experiment: &Experiment, fields: &BTreeMap<String, String>) -> String {
    let about = [
        "material", "what", "subject", "player", "learner", "kind", "network", "opponent", "engine",
    ];
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
        "description": "The experiment.",
        "schema": { "type": "string" },
    }, {
        "name": "fields",
        "in": "query",
        "required": false,
        "description": "The fields of its form, each a parameter of its own.",
        "style": "form",
        "explode": true,
        "schema": { "type": "object", "additionalProperties": { "type": "string" } },
    }]);
    let paths = [
        ("/api/experiments", said("The experiments as forms.", json!([]), forms)),
        ("/api/command", said("The command line for a filled-in form.", verb, command)),
    ];
    paths.into_iter().map(|(path, described)| (path.to_owned(), described)).collect()
}
