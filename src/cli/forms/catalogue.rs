//! The experiments that the page offers, as `forms.toml` describes them.

use super::super::Arguments;
use super::offer::Offer;
use clap::{Arg, ArgAction, Command, CommandFactory};
use lucena::learn::LearnerKind;
use lucena::named::Named;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// The field for a program that speaks UCI.
const ENGINE: &str = "engine";

/// The file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Catalogue {
    pub(super) experiments: Vec<Experiment>,
    /// Explanations of fields, by id.
    help: BTreeMap<String, String>,
    /// The words for the values of fields, by id.
    labels: BTreeMap<String, BTreeMap<String, String>>,
}

/// An experiment: a verb as a form.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Experiment {
    /// The name in the API.
    pub(super) name: String,
    pub(super) title: String,
    /// The purpose, in a sentence.
    pub(super) about: String,
    /// The result, in a sentence.
    pub(super) makes: String,
    /// The usual duration, in a sentence.
    pub(super) time: Option<String>,
    /// The words after the program's name.
    pub(super) words: Vec<String>,
    pub(super) fields: Vec<Entry>,
    #[serde(default)]
    pub(super) files: Vec<(String, String)>,
    pub(super) player: Option<(String, String)>,
}

/// A field of a form.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Entry {
    pub(super) id: String,
    pub(super) label: String,
    pub(super) help: Option<String>,
    pub(super) default: Option<String>,
    /// The words for the default, if it is no value.
    pub(super) empty: Option<String>,
    pub(super) choices: Option<Vec<String>>,
    /// The least and the greatest number.
    pub(super) range: Option<[f64; 2]>,
    /// The field whose labels its values have; itself if there is none.
    labels: Option<String>,
    /// The fields among which this one selects the one that applies. It has no argument itself.
    #[serde(default)]
    pub(super) between: Vec<String>,
    /// The values of earlier fields with one of which it applies.
    #[serde(default)]
    pub(super) when: BTreeMap<String, Vec<String>>,
    /// The values of earlier fields with which it does not apply.
    #[serde(default)]
    pub(super) unless: BTreeMap<String, Vec<String>>,
}

/// The file, read once.
pub(super) static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(|| {
    toml::from_str(include_str!("../forms.toml")).expect("the file describes experiments")
});

impl Experiment {
    pub(super) fn named(name: &str) -> Result<&'static Self, String> {
        let experiments = &CATALOGUE.experiments;
        experiments.iter().find(|known| known.name == name).ok_or_else(|| {
            let known: Vec<&str> = experiments.iter().map(|known| &*known.name).collect();
            format!("verb: {name:?} is not an experiment: there are {}", known.join(", "))
        })
    }

    pub(super) fn verb<'c>(&self, lucena: &'c Command) -> &'c Command {
        let (verb, rest) = self.words.split_first().expect("an experiment has words");
        let verb = lucena.find_subcommand(verb).expect("the page offers verbs that there are");
        // What follows is a verb of the verb, or an argument that never changes.
        rest.iter().fold(verb, |verb, word| verb.find_subcommand(word).unwrap_or(verb))
    }
}

impl Entry {
    /// The argument on the command line, if it has one.
    pub(super) fn arg<'c>(&self, verb: &'c Command) -> Option<&'c Arg> {
        let mut arguments = verb.get_arguments();
        let arg = arguments.find(|arg| *arg.get_id() == *self.id);
        assert!(arg.is_some() != self.is_choice_of_fields(), "the page asks for what there is");
        arg
    }

    pub(super) fn is_choice_of_fields(&self) -> bool {
        !self.between.is_empty()
    }

    /// The allowed values, of a list those of its items; none if there is no fixed list.
    pub(super) fn choices(&self, verb: &Command, offer: &dyn Offer) -> Vec<String> {
        match (&self.choices, self.arg(verb)) {
            _ if self.id == ENGINE => offer.engines().to_vec(),
            (Some(choices), _) => choices.clone(),
            (None, None) => self.between.clone(),
            (None, Some(arg)) => {
                let possible = arg.get_possible_values();
                possible.iter().map(|value| value.get_name().to_owned()).collect()
            }
        }
    }

    /// Returns true if its values are those of a fixed list.
    fn has_choices(&self, verb: &Command) -> bool {
        let of_arg = |arg: &Arg| !arg.get_possible_values().is_empty();
        self.choices.is_some() || self.is_choice_of_fields() || self.arg(verb).is_some_and(of_arg)
    }

    /// The kind of the field, as the API names it.
    pub(super) fn kind(&self, verb: &Command) -> &'static str {
        let arg = self.arg(verb);
        let value_name = arg.and_then(|arg| arg.get_value_names()).and_then(|names| names.first());
        match (&*self.id, value_name.map(|name| name.as_str())) {
            ("material", _) => "material",
            ("what", _) => "subject",
            ("player", _) => "player",
            ("opponent", _) => "opponent",
            (ENGINE, _) => "engine",
            _ if arg.is_some_and(is_flag) => "flag",
            _ if arg.is_some_and(|arg| arg.get_value_delimiter().is_some()) => "list",
            _ if self.has_choices(verb) => "choice",
            (_, Some("N" | "S" | "K")) => "integer",
            (_, Some("X" | "P" | "SECONDS")) => "number",
            _ => "text",
        }
    }

    /// The default that never changes: the one that is passed, or that of the command line.
    pub(super) fn fixed_default(&self, verb: &Command, offer: &dyn Offer) -> Option<String> {
        let of_endgames = (self.id == "material").then(|| "KRvK".to_owned());
        let usual = self.arg(verb).and_then(usual);
        self.passed_default(offer).cloned().or(usual).or(of_endgames)
    }

    /// The value that is passed if the field is empty: one of the form's, or the first program. A program has to be
    /// named.
    pub(super) fn passed_default<'o>(&'o self, offer: &'o dyn Offer) -> Option<&'o String> {
        let program = || offer.engines().first().filter(|_| self.id == ENGINE);
        self.default.as_ref().or_else(program)
    }

    /// The words for a value; the value itself if there are none.
    pub(super) fn label_of<'l>(&self, value: &'l str) -> &'l str {
        let field = self.labels.as_ref().unwrap_or(&self.id);
        if field == "learner" {
            return LearnerKind::named(value).map_or(value, |kind| kind.label());
        }
        let labels = CATALOGUE.labels.get(field);
        labels.and_then(|labels| labels.get(value)).map_or(value, |label| label)
    }

    /// The explanation; empty if there is none.
    pub(super) fn help(&self) -> &str {
        self.help.as_ref().or_else(|| CATALOGUE.help.get(&self.id)).map_or("", |help| help)
    }
}

pub(super) fn is_flag(arg: &Arg) -> bool {
    matches!(arg.get_action(), ArgAction::SetTrue)
}

/// The default of an argument.
pub(super) fn usual(arg: &Arg) -> Option<String> {
    let values: Vec<String> =
        arg.get_default_values().iter().map(|value| value.to_string_lossy().into_owned()).collect();
    (!values.is_empty() && !is_flag(arg)).then(|| values.join(","))
}

/// The command line as clap describes it.
pub(super) fn lucena() -> Command {
    Arguments::command()
}
