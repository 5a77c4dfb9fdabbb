//! The verbs as forms for the page, and the command lines made from filled-in forms. Help, choices and
//! defaults are those of the command line itself.

use super::{Arguments, without_defaults};
use clap::{Arg, ArgAction, Command, CommandFactory};
use lucena_serve::Plan;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;

/// A verb that the page offers.
struct Offered {
    /// The name in the API.
    name: &'static str,
    title: &'static str,
    /// The words after the program's name.
    words: &'static [&'static str],
    /// The arguments that the form asks for. No others can be set, least of all files.
    asked: &'static [Asked],
    /// The options that name files, and the names of these files in the job's folder.
    files: &'static [(&'static str, &'static str)],
    /// The prefix of the player's name, and the file in the job's folder that the player is made from.
    player: Option<(&'static str, &'static str)>,
}

/// An argument that the form asks for: its id on the command line, and its label on the page.
struct Asked {
    id: &'static str,
    label: &'static str,
    kind: Kind,
}

/// The kind of an argument.
#[derive(Clone, Copy)]
enum Kind {
    /// The kind that the command line defines.
    AsParsed,
    Material,
    Player,
    /// A required argument: the form has this default, which must be passed explicitly.
    Usually(&'static str),
    /// One of these, though the command line accepts files too.
    OneOf(&'static [&'static str]),
}

const fn asked(id: &'static str, label: &'static str) -> Asked {
    Asked { id, label, kind: Kind::AsParsed }
}

const MATERIAL: Asked = Asked { id: "material", label: "Endgame", kind: Kind::Material };
const PLAYER: Asked = Asked { id: "player", label: "Player", kind: Kind::Player };
const SEED: Asked = asked("seed", "Seed");
const EVALUATIONS: &[&str] = &["complete", "parts", "mop-up", "material"];

/// The name of the picture of a job's results.
pub(super) const CHART: &str = "chart.svg";

const OFFERED: &[Offered] = &[
    Offered {
        name: "prove",
        title: "Prove a player",
        words: &["prove"],
        asked: &[MATERIAL, PLAYER],
        files: &[("certificate", "certificate.json"), ("moves", "moves.csv")],
        player: None,
    },
    Offered {
        name: "validate",
        title: "Play sample games",
        words: &["validate"],
        asked: &[MATERIAL, PLAYER, asked("games", "Games"), asked("defence", "Defence"), SEED],
        files: &[],
        player: None,
    },
    Offered {
        name: "study",
        title: "Repeat the study",
        words: &["study"],
        asked: &[MATERIAL, asked("games", "Games"), SEED],
        files: &[],
        player: None,
    },
    Offered {
        name: "curve",
        title: "Learning curve",
        words: &["curve"],
        asked: &[
            MATERIAL,
            asked("learner", "Learner"),
            asked("attributes", "Attributes"),
            asked("positions", "Positions"),
            asked("shares", "Training shares, in per cent"),
            asked("games", "Games for each tree"),
            asked("defence", "Defence"),
            SEED,
        ],
        files: &[("svg", CHART), ("csv", "points.csv")],
        player: None,
    },
    Offered {
        name: "frontier",
        title: "The smallest winning players",
        words: &["frontier"],
        asked: &[
            MATERIAL,
            asked("attributes", "Attributes"),
            asked("theory_attributes", "Attributes of theories"),
            asked("candidates", "Candidates"),
            asked("search_plies", "Depth of searches, in plies"),
            SEED,
        ],
        files: &[("svg", CHART), ("csv", "points.csv")],
        player: None,
    },
    Offered {
        name: "distil",
        title: "Shrink a tree",
        words: &["distil"],
        asked: &[
            MATERIAL,
            asked("keep", "Keep"),
            asked("longest", "Longest game, in moves"),
            asked("excess", "Moves over the optimum, on average"),
            asked("attributes", "Attributes"),
            asked("seconds", "Seconds"),
            asked("candidates", "Candidates, in place of seconds"),
            asked("chains", "Parallel searches"),
            SEED,
        ],
        files: &[("out", "tree.json")],
        player: Some(("tree", "tree.json")),
    },
    Offered {
        name: "strategy",
        title: "Find a strategy",
        words: &["strategy"],
        asked: &[
            MATERIAL,
            asked("longest", "Longest game, in moves"),
            asked("excess", "Moves over the optimum, on average"),
            asked("size", "Size"),
            asked("rules", "Rules"),
            asked("attributes", "Attributes"),
            asked("seconds", "Seconds"),
            asked("candidates", "Candidates, in place of seconds"),
            asked("chains", "Parallel searches"),
            SEED,
        ],
        files: &[("out", "strategy.json")],
        player: Some(("strategy", "strategy.json")),
    },
    Offered {
        name: "learn",
        title: "Learn a tree",
        words: &["learn"],
        asked: &[
            MATERIAL,
            asked("learner", "Learner"),
            asked("attributes", "Attributes"),
            asked("positions", "Positions"),
            asked("criterion", "Criterion"),
            asked("max_depth", "Maximum depth"),
            asked("min_rows", "Fewest rows to split"),
            asked("folds", "Folds of the cross-validation"),
            SEED,
        ],
        files: &[("out", "tree.json"), ("svg", CHART)],
        player: Some(("tree", "tree.json")),
    },
    Offered {
        name: "train",
        title: "Train by playing",
        words: &["train"],
        asked: &[
            Asked { id: "what", label: "Endgame, or chess", kind: Kind::AsParsed },
            asked("kind", "What learns"),
            asked("attributes", "Attributes"),
            asked("hidden", "Hidden units"),
            asked("games", "Games"),
            asked("rate", "α: initial rate"),
            asked("last_rate", "α: final rate"),
            asked("lambda", "λ"),
            asked("explore", "Share of random moves"),
            asked("discount", "Discount of a move"),
            asked("doubt", "Share of replies that the learner thinks best"),
            asked("random", "Chess: share of games against random moves"),
            SEED,
        ],
        files: &[("out", "weights")],
        player: Some(("trained", "weights")),
    },
    Offered {
        name: "evolve",
        title: "Evolve weights",
        words: &["evolve"],
        asked: &[
            Asked { id: "subject", label: "Weights to evolve", kind: Kind::Usually("mop-up") },
            MATERIAL,
            asked("population", "Members"),
            asked("generations", "Generations"),
            asked("mutation", "Probability of a mutation"),
            asked("start", "Start"),
            asked("depth", "Depth of searches, in plies"),
            asked("most_games", "Most games of a duel"),
            SEED,
        ],
        files: &[("out", "weights.json"), ("svg", CHART), ("csv", "genes.csv")],
        player: Some(("search:depth=2,eval=", "weights.json")),
    },
    Offered {
        name: "search",
        title: "What each part of a search is worth",
        words: &["experiment", "search"],
        asked: &[
            Asked {
                id: "positions",
                label: "Positions",
                kind: Kind::OneOf(&["bratko-kopec", "endgames"]),
            },
            asked("depth", "Depth, in plies"),
            asked("most_nodes", "Most nodes"),
            Asked { id: "eval", label: "Evaluation", kind: Kind::OneOf(EVALUATIONS) },
        ],
        files: &[("svg", CHART), ("csv", "rows.csv")],
        player: None,
    },
    Offered {
        name: "sufficiency",
        title: "Are the attributes enough?",
        words: &["attributes"],
        asked: &[
            MATERIAL,
            asked("set", "Attributes"),
            asked("positions", "Positions"),
            asked("subset", "Smaller set"),
            asked("examples", "Examples"),
        ],
        files: &[],
        player: None,
    },
];

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
    /// The possible values; null if there is no fixed list.
    choices: Option<Vec<String>>,
    /// An explanation.
    help: String,
}

/// A command line, for display.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct CommandTold {
    /// The command line, as a person would write it.
    command: String,
    /// The error, in a sentence; null if there is none.
    error: Option<String>,
}

impl CommandTold {
    /// The answer to a query that cannot be parsed.
    pub(super) fn nonsense() -> Self {
        Self { command: String::new(), error: Some("The query cannot be read.".into()) }
    }
}

/// Returns all forms.
pub(super) fn forms() -> Forms {
    let lucena = Arguments::command();
    Forms { experiments: OFFERED.iter().map(|offered| Form::new(offered, &lucena)).collect() }
}

impl Form {
    fn new(offered: &Offered, lucena: &Command) -> Self {
        let verb = offered.verb(lucena);
        Self {
            verb: offered.name,
            title: offered.title,
            about: verb.get_about().map(ToString::to_string).unwrap_or_default(),
            fields: offered.asked.iter().map(|asked| Field::new(asked, verb)).collect(),
        }
    }
}

impl Offered {
    fn named(name: &str) -> Result<&'static Self, String> {
        let found = OFFERED.iter().find(|offered| offered.name == name);
        found.ok_or_else(|| {
            let known: Vec<_> = OFFERED.iter().map(|offered| offered.name).collect();
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
        if let Some(strange) =
            fields.keys().find(|name| self.asked.iter().all(|asked| asked.id != *name))
        {
            return Err(format!("{} has no field {strange:?}", self.name));
        }
        let verb = self.verb(lucena);
        let mut words: Vec<String> = self.words.iter().map(ToString::to_string).collect();
        for asked in self.asked {
            let arg = asked.arg(verb);
            let said = fields.get(asked.id).map(|value| value.trim()).unwrap_or_default();
            let value = match asked.kind {
                Kind::Usually(value) if said.is_empty() => value,
                _ => said,
            };
            if value.is_empty() || (usual(arg).as_deref() == Some(value) && !arg.is_positional()) {
                continue;
            }
            if let Kind::OneOf(choices) = asked.kind
                && !choices.contains(&value)
            {
                return Err(format!(
                    "{}: {value:?} is not one of {}",
                    asked.label,
                    choices.join(", ")
                ));
            }
            match arg.get_long() {
                // No positional argument of ours begins like an option.
                None if value.starts_with('-') => {
                    return Err(format!("{}: {value:?} makes no sense", asked.label));
                }
                None => words.insert(self.words.len(), value.into()),
                Some(long) if is_flag(arg) => match value {
                    "true" => words.push(format!("--{long}")),
                    "false" => {}
                    _ => return Err(format!("{}: write true or false", asked.label)),
                },
                Some(long) => words.extend([format!("--{long}={value}")]),
            }
        }
        let line = ["lucena".into()].into_iter().chain(words.iter().cloned()).map(OsString::from);
        without_defaults(&line.collect::<Vec<_>>()).map_err(|error| told(&error))?;
        Ok(words)
    }
}

impl Asked {
    fn arg<'c>(&self, verb: &'c Command) -> &'c Arg {
        let mut arguments = verb.get_arguments();
        arguments.find(|arg| arg.get_id() == self.id).expect("the page asks for what there is")
    }
}

impl Field {
    fn new(asked: &Asked, verb: &Command) -> Self {
        let arg = asked.arg(verb);
        let possible = arg.get_possible_values();
        let choices: Vec<String> = match asked.kind {
            Kind::OneOf(choices) => choices.iter().map(ToString::to_string).collect(),
            _ => possible.iter().map(|value| value.get_name().to_owned()).collect(),
        };
        let value_name = arg.get_value_names().and_then(|names| names.first());
        let kind = match (asked.kind, value_name.map(|name| name.as_str())) {
            (Kind::Material, _) => "material",
            (Kind::Player, _) => "player",
            _ if is_flag(arg) => "flag",
            _ if !choices.is_empty() => "choice",
            (_, Some("N" | "S" | "K")) => "integer",
            (_, Some("X" | "P")) => "number",
            (_, Some("LIST" | "NAMES")) => "list",
            _ => "text",
        };
        let default = match asked.kind {
            Kind::Material => Some("KRvK".into()),
            Kind::Usually(value) => Some(value.into()),
            _ => usual(arg),
        };
        Self {
            name: asked.id,
            label: asked.label,
            kind,
            default,
            choices: (!choices.is_empty()).then_some(choices),
            help: arg.get_help().map(ToString::to_string).unwrap_or_default(),
        }
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
fn told(error: &clap::Error) -> String {
    let text = error.to_string();
    let first: Vec<&str> =
        text.lines().take_while(|line| !line.is_empty()).map(str::trim).collect();
    let first = first.join(" ");
    first.strip_prefix("error: ").unwrap_or(&first).to_owned()
}

/// The command line for a filled-in form, as a person would write it.
pub(super) fn command(name: &str, fields: &BTreeMap<String, String>) -> CommandTold {
    let made = Offered::named(name).and_then(|offered| {
        let words = offered.arguments(&Arguments::command(), fields)?;
        Ok(shown(offered, &words))
    });
    match made {
        Ok(command) => CommandTold { command, error: None },
        Err(error) => CommandTold { command: String::new(), error: Some(error) },
    }
}

fn shown(offered: &Offered, words: &[String]) -> String {
    let files = offered.files.iter().map(|(option, file)| format!("--{option}={file}"));
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
) -> Result<Plan, String> {
    let offered = Offered::named(name)?;
    let lucena = Arguments::command();
    let words = offered.arguments(&lucena, fields)?;
    let command = shown(offered, &words);
    // Only experiments that look positions up accept --tables.
    let takes_tables = offered.verb(&lucena).get_arguments().any(|arg| arg.get_id() == "tables");
    let option = |name: &str, path: &Path| {
        let mut word = OsString::from(format!("--{name}="));
        word.push(path);
        word
    };
    let mut arguments: Vec<OsString> = words.into_iter().map(OsString::from).collect();
    arguments.extend(offered.files.iter().map(|(name, file)| option(name, &folder.join(file))));
    let tables = tables.filter(|_| takes_tables);
    arguments.extend(tables.map(|tables| option("tables", tables)));
    arguments.push(option("attended", &folder.join(CHART)));
    Ok(Plan {
        title: offered.title.into(),
        command,
        arguments,
        chart: Some(CHART.into()),
        player: offered.player.map(|(kind, file)| (kind, file.into())),
    })
}

/// The routes for forms, as paths of an OpenAPI document.
pub(super) fn paths(generator: &mut SchemaGenerator) -> Map<String, Value> {
    let forms = generator.subschema_for::<Forms>();
    let command = generator.subschema_for::<CommandTold>();
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
