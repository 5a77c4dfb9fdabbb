//! The part of a tree's source that plays: the values of the attributes, and the move.

use super::ranks::Ranks;
use crate::language::Language;
use crate::language::ast::Program;
use crate::language::rust;
use crate::partition::Functions;
use crate::strategy::chess::{applies_to, for_men};
use crate::strategy::columns::{self, UsedAttribute};
use crate::strategy::man::{self, Man};
use crate::strategy::{attributes, chess, entry};
use crate::writer::filled;
use lucena_model::DecisionTree;

/// A tree with all that it needs to play.
pub(super) struct MoveChoice<'t> {
    tree: &'t DecisionTree,
    men: Vec<Man>,
    attributes: Vec<UsedAttribute>,
    ranks: Ranks,
}

impl<'t> MoveChoice<'t> {
    /// The choice of moves by a tree.
    ///
    /// # Errors
    /// The reason why the caller has to supply the values of the attributes.
    pub(super) fn new(tree: &'t DecisionTree) -> Result<Self, String> {
        let (head, material) = (tree.head(), &tree.origin().material);
        let men = crate::strategy::men(material);
        let men = men.ok_or_else(|| format!("the rules of {material} have no source code"))?;
        let attributes = head.attributes.iter().map(|column| UsedAttribute::new(column, &men));
        let attributes: Result<Vec<_>, _> = attributes.collect();
        let attributes = attributes.map_err(|name| format!("{name} has no source code"))?;
        // A capture or promotion that wins has one of two ranks.
        let between = if applies_to(&men, "departs") { 2 } else { 0 };
        let ranks = match head.class() {
            None if !head.has_strong_side_to_move() => Ranks::new(&head.classes, between),
            _ => None,
        };
        let ranks = ranks.ok_or("the classes do not rank the moves of the strong side")?;
        match tree.tests() {
            0 => Err("there is no test".into()),
            _ => Ok(Self { tree, men, attributes, ranks }),
        }
    }

    /// A paragraph for the head of the file.
    pub(super) fn head(&self) -> String {
        let names = man::names(&self.men);
        let departs = match applies_to(&self.men, "departs") {
            true => {
                " A capture or promotion that leaves a queen, or else a rook, against a bare king that is not stalemated \
                 and can take nothing is a win; any other counts as a draw."
            }
            false => "",
        };
        format!(
            "Squares, a1 = 0, b1 = 1, ... h8 = 63, of: {names}. The strong side is White. It plays the move of the best \
             class.{departs}"
        )
    }

    /// The program that chooses; `class` is the function from values to the number of a class.
    fn program(&self, class: &str) -> Program {
        let columns = self.tree.head().attributes.iter().enumerate();
        let fill = columns.map(|(at, one)| format!("values[{at}] = {}(board);\n", one.name));
        let values = [
            ("$fill", fill.collect::<String>()),
            ("$columns", self.attributes.len().to_string()),
            ("$class", class.to_owned()),
            ("$draw", self.ranks.draw.to_string()),
            ("$unknown", self.ranks.unknown.to_string()),
            ("$ranks", self.ranks.text()),
        ];
        let values = values.iter().map(|(name, value)| (*name, value.as_str()));
        let text = chess::text(&self.men, attributes::HELPERS)
            + &columns::text(&self.attributes, &self.men)
            + &filled(&for_men(&self.men, include_str!("choice.txt")), values);
        let program = columns::program(text, &self.attributes, &[class]);
        let roots = ["choice", "class_of", "oriented", "NONE", "PAWN"];
        let has_pawn = applies_to(&self.men, "pawn");
        program.needed_by(if has_pawn { &roots } else { &roots[..4] })
    }

    /// The text before the program and the text after it.
    fn around(&self, language: Language) -> [String; 2] {
        let template = match language {
            Language::Rust => include_str!("attributes/rust.txt"),
            Language::C => include_str!("attributes/c.txt"),
            Language::Python => include_str!("attributes/python.txt"),
            Language::JavaScript => include_str!("attributes/javascript.txt"),
        };
        let (material, columns) = (&self.tree.origin().material, self.attributes.len().to_string());
        let template = filled(template, [("$columns", columns.as_str())]);
        let [attributes, _] = entry::about([&template, ""], material, &self.men);
        let [before, choice] = entry::around(language, material, &self.men);
        [before, format!("{attributes}\n\n{choice}")]
    }

    /// Adds the choice to the program of the tree. Returns the text before the program and the text after it.
    pub(super) fn complete(&self, program: &mut Program, language: Language) -> [String; 2] {
        let choice = self.program(&Functions::name(0));
        // The chess has a number for none that is greater than all classes.
        program.constants.pop();
        program.constants.extend(choice.constants);
        program.functions.extend(choice.functions);
        self.around(language)
    }

    /// The Rust that follows the module of the tree.
    pub(super) fn rust(&self) -> String {
        let [before, entry] = self.around(Language::Rust);
        rust::file(&[], &before, &self.program("class_number"), &entry)
    }
}
