//! Filled-in forms: which fields apply, what they default to, what is wrong with them, and the command line.

use super::super::{Arguments, Verb, without_defaults};
use super::catalogue::{Entry, Experiment, is_flag, usual};
use super::offer::Offer;
use clap::Command;
use std::collections::BTreeMap;
use std::error::Error;
use std::ffi::OsString;
use std::iter;

/// The values of fields, by id.
pub(super) type Values = BTreeMap<String, String>;

/// A filled-in form.
pub(super) struct FilledForm {
    /// The words of the command line after the program's name, without options that have their default and
    /// without fields that are wrong.
    pub(super) words: Vec<String>,
    /// The fields that apply, in order.
    pub(super) fields: Vec<FilledField>,
    /// The error that no field explains.
    pub(super) error: Option<String>,
}

/// A field that applies.
pub(super) struct FilledField {
    pub(super) entry: &'static Entry,
    /// The value that an empty field has; `None` if it has none.
    pub(super) default: Option<String>,
    pub(super) error: Option<String>,
}

impl FilledForm {
    /// Fills a form in.
    pub(super) fn new(
        experiment: &'static Experiment,
        lucena: &Command,
        values: &Values,
        offer: &dyn Offer,
    ) -> Result<Self, String> {
        let verb = experiment.verb(lucena);
        let is_known = |name: &str| experiment.fields.iter().any(|entry| entry.id == name);
        if let Some(strange) = values.keys().find(|name| !is_known(name)) {
            return Err(format!("{} has no field {strange:?}", experiment.name));
        }
        let values = values.iter().map(|(name, value)| (name.clone(), value.trim().to_owned()));
        let values: Values = values.filter(|(_, value)| !value.is_empty()).collect();
        let mut defaults: Values = experiment
            .fields
            .iter()
            .filter_map(|entry| Some((entry.id.clone(), default_of(entry, verb, &values, offer)?)))
            .collect();
        let form = Form { experiment, verb, values: &values, offer };
        let mut applying = form.applying(&defaults);
        let mut checked = form.check(&applying);
        // What the verb chooses itself depends on the fields that apply, and the other way round. A field depends
        // on earlier ones only, so that each round settles one more of them.
        for _ in &experiment.fields {
            for (name, value) in checked.parsed.iter().flat_map(|parsed| defaults_of(&parsed.verb))
            {
                let entry = experiment.fields.iter().find(|entry| entry.id == name);
                if entry.is_some_and(|entry| entry.default.is_none()) {
                    defaults.insert(name.into(), value);
                }
            }
            let next = form.applying(&defaults);
            if next.iter().map(|entry| &entry.id).eq(applying.iter().map(|entry| &entry.id)) {
                break;
            }
            applying = next;
            checked = form.check(&applying);
        }
        let Checked { errors, error, .. } = checked;
        let words = form.words(&applying, &|id| errors.contains_key(id));
        let fields = applying.into_iter().map(|entry| FilledField {
            entry,
            default: defaults.get(&entry.id).cloned(),
            error: errors.get(&*entry.id).cloned(),
        });
        Ok(Self { words, fields: fields.collect(), error })
    }

    /// The first error, in a sentence behind the name of its field.
    pub(super) fn first_error(
        &self,
        name: impl Fn(&'static Entry) -> &'static str,
    ) -> Option<String> {
        let named = |field: &FilledField| {
            field.error.as_ref().map(|error| format!("{}: {error}", name(field.entry)))
        };
        self.fields.iter().find_map(named).or_else(|| self.error.clone())
    }
}

/// A form with its values.
struct Form<'a> {
    experiment: &'static Experiment,
    verb: &'a Command,
    values: &'a Values,
    offer: &'a dyn Offer,
}

impl Form<'_> {
    /// The fields that apply, where fields that are left out have these values.
    fn applying(&self, defaults: &Values) -> Vec<&'static Entry> {
        let mut applying: Vec<&'static Entry> = Vec::new();
        for entry in &self.experiment.fields {
            let value = |id: &str| {
                let applies = applying.iter().any(|known| known.id == *id);
                self.values.get(id).or_else(|| defaults.get(id)).filter(|_| applies)
            };
            let has_one = |(id, listed): (&String, &Vec<String>)| {
                value(id).is_some_and(|value| listed.contains(value))
            };
            let is_chosen = applying
                .iter()
                .filter(|chooser| chooser.between.contains(&entry.id))
                .all(|chooser| value(&chooser.id) == Some(&entry.id));
            let applies =
                is_chosen && entry.when.iter().all(has_one) && !entry.unless.iter().any(has_one);
            if applies {
                applying.push(entry);
            }
        }
        applying
    }

    /// Checks the values of the fields that apply, by the parser of the command line and then by the verb.
    fn check(&self, applying: &[&'static Entry]) -> Checked {
        let mut errors: BTreeMap<&'static str, String> = BTreeMap::new();
        for entry in applying {
            if let Err(error) = self.check_choice(entry) {
                errors.insert(&entry.id, without_options(&error).to_owned());
            }
        }
        loop {
            let parsed = self.parse(applying, &|id| errors.contains_key(id));
            let Refusal { field, error } = match parsed.and_then(checked) {
                Ok(parsed) => return Checked { errors, error: None, parsed: Some(parsed) },
                Err(refusal) => refusal,
            };
            // The field is to blame without whose value the error is gone. Later fields depend on earlier ones.
            let blamed = applying.iter().rev().map(|entry| &*entry.id).find(|&id| {
                let is_ignored = |other: &str| other == id || errors.contains_key(other);
                let rest = || self.parse(applying, &is_ignored).and_then(checked);
                !errors.contains_key(id)
                    && match field {
                        Some(field) => id == field,
                        None => {
                            self.values.contains_key(id)
                                && rest().err().is_none_or(|refusal| refusal.error != error)
                        }
                    }
            });
            if let Some(blamed) = blamed {
                errors.insert(blamed, without_options(&error).to_owned());
                continue;
            }
            // What the verb chooses itself is known all the same.
            let parsed = self.parse(applying, &|id| errors.contains_key(id)).ok();
            let is_told = field.is_some_and(|field| errors.contains_key(field));
            return Checked { errors, error: (!is_told).then_some(error), parsed };
        }
    }

    /// Checks what the command line leaves to the verb, or does not know of.
    fn check_choice(&self, entry: &Entry) -> Result<(), String> {
        let kind = entry.kind(self.verb);
        if kind == "engine" && self.offer.engines().is_empty() {
            return Err("no chess program was named when the server was started".into());
        }
        let Some(value) = self.values.get(&entry.id) else { return Ok(()) };
        match kind {
            "opponent" if value == "human" => return Ok(()),
            "player" | "opponent" => return self.offer.check_player(value),
            "engine" if !self.offer.engines().contains(value) => {
                return Err(format!(
                    "{value:?} is not a program that this page may start: it was not named when the server was started"
                ));
            }
            _ => {}
        }
        if entry.arg(self.verb).is_some_and(|arg| arg.is_positional()) && value.starts_with('-') {
            // No positional argument of ours begins like an option.
            return Err(format!("{value:?} makes no sense here"));
        }
        if kind == "flag" && !["true", "false"].contains(&value.as_str()) {
            return Err("write true or false".into());
        }
        if kind == "list" && value.split(',').all(|item| item.trim().is_empty()) {
            return Err("choose at least one".into());
        }
        let choices = entry.choices(self.verb, self.offer);
        let strange = |value: &&str| choices.iter().all(|choice| choice != value);
        let items = value.split(',').filter(|_| kind == "list");
        let mut items = items.chain((kind == "choice").then_some(value.as_str()));
        match items.find(strange).filter(|_| !choices.is_empty()) {
            Some(item) => Err(format!("{item:?} is not one of {}", choices.join(", "))),
            None => Ok(()),
        }
    }

    /// The words of the command line, without options that have their default. Ignored values are as if left out.
    fn words(&self, applying: &[&Entry], is_ignored: &dyn Fn(&str) -> bool) -> Vec<String> {
        let mut words = self.experiment.words.clone();
        for entry in applying {
            let Some(arg) = entry.arg(self.verb) else { continue };
            let given = self.values.get(&entry.id).filter(|_| !is_ignored(&entry.id));
            let Some(value) = given.or(entry.passed_default(self.offer)) else { continue };
            if !arg.is_positional() && usual(arg).as_ref() == Some(value) {
                continue;
            }
            match arg.get_long() {
                None => words.insert(self.experiment.words.len(), value.clone()),
                Some(long) if is_flag(arg) => {
                    words.extend((value == "true").then(|| format!("--{long}")));
                }
                Some(long) => words.push(format!("--{long}={value}")),
            }
        }
        words
    }

    fn parse(
        &self,
        applying: &[&Entry],
        is_ignored: &dyn Fn(&str) -> bool,
    ) -> Result<Arguments, Refusal> {
        let words = self.words(applying, is_ignored);
        let line: Vec<OsString> =
            iter::once("lucena".into()).chain(words.iter().map(OsString::from)).collect();
        without_defaults(&line).map_err(|error| Refusal { field: None, error: reason(&error) })
    }
}

/// The result of a check.
struct Checked {
    /// The errors of fields.
    errors: BTreeMap<&'static str, String>,
    /// The error that no field explains.
    error: Option<String>,
    /// The command line without the fields that are wrong.
    parsed: Option<Arguments>,
}

/// The default of a field before any value is known.
fn default_of(entry: &Entry, verb: &Command, values: &Values, offer: &dyn Offer) -> Option<String> {
    // If a value is given, its field is the one that is meant.
    let meant = entry.between.iter().find(|id| values.contains_key(*id));
    meant.or(entry.between.first()).cloned().or_else(|| entry.fixed_default(verb, offer))
}

/// The beginning of an error up to the first clause that is about the command line, which a form does not have.
fn without_options(error: &str) -> &str {
    let is_about_options =
        |clause: &str| ["--", "\"lucena ", "FILE"].iter().any(|word| clause.contains(word));
    let mut end = error.len();
    for between in ["; ", ": "] {
        while is_about_options(&error[..end]) {
            match error[..end].rfind(between) {
                Some(shorter) => end = shorter,
                None => break,
            }
        }
    }
    if is_about_options(&error[..end]) { error } else { &error[..end] }
}

/// The reason why the command line is refused: that of the value, else the first paragraph of clap's message
/// without the heading.
fn reason(error: &clap::Error) -> String {
    if let Some(source) = error.source() {
        return source.to_string();
    }
    let text = error.to_string();
    let first: Vec<&str> =
        text.lines().take_while(|line| !line.is_empty()).map(str::trim).collect();
    let first = first.join(" ");
    first.strip_prefix("error: ").unwrap_or(&first).to_owned()
}

/// The values that a verb chooses for options that are left out, by id.
fn defaults_of(verb: &Verb) -> Vec<(&'static str, String)> {
    match verb {
        Verb::Prove(prove) => prove.defaults(),
        Verb::Validate(validate) => validate.defaults(),
        Verb::Find(find) => find.defaults(),
        Verb::Train(train) => train.defaults(),
        Verb::Evolve(evolve) => evolve.defaults(),
        _ => Vec::new(),
    }
}

/// A command line that is refused.
struct Refusal {
    /// The field that is wrong, if the verb knows.
    field: Option<&'static str>,
    error: String,
}

/// Checks what a verb would otherwise refuse only once it runs.
fn checked(arguments: Arguments) -> Result<Arguments, Refusal> {
    let (field, checked) = match &arguments.verb {
        Verb::Prove(prove) => (Some("player"), prove.check()),
        Verb::Validate(validate) => (Some("player"), validate.check()),
        Verb::Learn(learn) => (None, learn.check()),
        Verb::Find(find) => (None, find.check()),
        Verb::Experiment(experiment) => (None, experiment.check()),
        Verb::Train(train) => (None, train.check()),
        Verb::Evolve(evolve) => (None, evolve.check()),
        _ => (None, Ok(())),
    };
    match checked {
        Ok(()) => Ok(arguments),
        Err(failure) => Err(Refusal { field, error: failure.into_sentence() }),
    }
}
