//! The attributes that a model uses, as functions of the small language.

use super::ahead::AheadSource;
use super::attributes::source;
use super::chess::for_men;
use super::man::Man;
use super::parse::parse;
use crate::language::ast::Program;
use lucena_model::Column;

/// An attribute that a model uses.
pub(crate) struct UsedAttribute {
    name: String,
    /// The comment of its function: meaning and domain.
    says: String,
    value: Value,
}

/// The way the value of an attribute is computed.
enum Value {
    /// By an expression.
    Now(String),
    /// From the value of another attribute after the next move.
    Ahead(AheadSource),
}

impl UsedAttribute {
    /// The attribute of a column.
    ///
    /// # Errors
    /// Its name, if it cannot be emitted.
    pub(crate) fn new(column: &Column, men: &[Man]) -> Result<Self, String> {
        let Column { name, low, high, meaning } = column;
        let now = || source(name, men).map(Value::Now);
        let ahead = || AheadSource::of(name, (*low, *high), men).map(Value::Ahead);
        let value = now().or_else(ahead).ok_or_else(|| name.clone())?;
        let meaning = meaning.replace(['\n', '\r'], " ");
        Ok(Self { name: name.clone(), says: format!("{meaning}: {low} to {high}."), value })
    }

    /// The function that computes the attribute, with the attribute's name, if the expression is only a
    /// call of it.
    fn alias(&self) -> Option<(&str, &str)> {
        match &self.value {
            Value::Now(value) => Some((function_of(value)?, self.name.as_str())),
            Value::Ahead(_) => None,
        }
    }
}

/// The text of the functions of attributes.
pub(crate) fn text(attributes: &[UsedAttribute], men: &[Man]) -> String {
    // Look-ahead functions call others, and a name is known only after its function.
    let (mut text, mut looking_ahead) = (String::new(), String::new());
    for one in attributes {
        match &one.value {
            Value::Now(_) if one.alias().is_some() => {}
            Value::Now(value) => text += &written(&one.name, value),
            Value::Ahead(ahead) => {
                if attributes.iter().all(|other| other.name != ahead.of) {
                    text += &written(&ahead.of, &ahead.value);
                }
                looking_ahead += &for_men(men, &ahead.text(&one.name));
            }
        }
    }
    text + &looking_ahead
}

/// The program of a text with the functions of attributes: they have the attributes' names, and say what they mean.
/// `others` are functions that stand elsewhere, and return a number.
pub(crate) fn program(mut text: String, attributes: &[UsedAttribute], others: &[&str]) -> Program {
    for (function, name) in attributes.iter().filter_map(UsedAttribute::alias) {
        text = renamed(&text, function, name);
    }
    let mut program = parse(&text, others);
    for function in &mut program.functions {
        if let Some(attribute) = attributes.iter().find(|one| one.name == function.name) {
            function.comment = vec![attribute.says.clone()];
        }
    }
    program
}

/// Renames a function in a text.
fn renamed(text: &str, old: &str, new: &str) -> String {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let called = format!("{old}(");
    let (mut renamed, mut rest) = (String::new(), text);
    while let Some(at) = rest.find(&called) {
        let is_whole = !rest[..at].ends_with(is_word);
        renamed += &rest[..at];
        renamed += if is_whole { new } else { old };
        rest = &rest[at + old.len()..];
    }
    renamed + rest
}

/// The function that an expression calls with the board, if it does nothing else.
fn function_of(value: &str) -> Option<&str> {
    let function = value.strip_suffix("(board)")?;
    let is_name = function.chars().all(|c| c.is_ascii_lowercase() || c == '_');
    is_name.then_some(function)
}

/// A function of the board that returns an expression.
fn written(name: &str, value: &str) -> String {
    format!("fn {name}(board: Board) -> int {{\nreturn {value};\n}}\n")
}
