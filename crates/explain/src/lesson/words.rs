//! The tests of a tree in words and in figures, and words that lessons share.

use crate::diagram::Highlight;
use crate::export::attributes;
use crate::forced::can_win_at_once;
use crate::rule_sentence::player;
use lucena_attributes::{Attribute, AttributeSet, ReaderBoard};
use lucena_base::plural::{capital, grouped, moves, word_list};
use lucena_chess::symmetry::Symmetry;
use lucena_chess::{Bitboard, Color, Material, Move, Position, Side};
use lucena_model::{Column, Condition, DecisionTree};
use lucena_proof::Proof;
use lucena_proof::policy::with_weak_to_move;
use schemars::JsonSchema;
use serde::Serialize;

/// The tests of a tree, in words if its attributes are known, otherwise in figures.
#[derive(Debug, Clone)]
pub struct TreeWords {
    columns: Vec<Column>,
    known: Option<AttributeSet>,
}

/// A condition, in words and in figures.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "ConditionView")]
pub struct ConditionText {
    /// In words.
    pub sentence: String,
    /// In figures, such as `KkSteps <= 2`.
    pub figures: String,
}

impl ConditionText {
    /// The condition with a capital, to stand alone.
    #[must_use]
    pub fn capitalized(self) -> Self {
        Self { sentence: capital(&self.sentence), ..self }
    }
}

impl TreeWords {
    /// The words for a tree's tests.
    pub fn of(tree: &DecisionTree) -> Self {
        Self { columns: tree.head().attributes.clone(), known: attributes(tree) }
    }

    /// The tree's attributes, in order; `None` if it is not about an endgame.
    pub fn attributes(&self) -> Option<&AttributeSet> {
        self.known.as_ref()
    }

    fn attribute(&self, number: usize) -> Option<(&Attribute, ReaderBoard)> {
        let known = self.known.as_ref()?;
        Some((&known.attributes()[number], ReaderBoard::general(known.material())))
    }

    /// The name of an attribute.
    ///
    /// # Panics
    /// If the tree has no attribute of this number.
    pub fn name(&self, attribute: usize) -> &str {
        &self.columns[attribute].name
    }

    /// The meaning of an attribute in words, without a full stop.
    ///
    /// # Panics
    /// If the tree has no attribute of this number.
    pub fn meaning(&self, attribute: usize) -> String {
        match self.attribute(attribute) {
            Some((known, view)) => known.meaning_in(&view),
            None => self.columns[attribute].meaning.clone(),
        }
    }

    /// A condition in words and in figures, without a capital and a full stop; twice in figures if the
    /// attribute has no words.
    ///
    /// # Panics
    /// If the tree has no such attribute.
    pub fn condition(&self, condition: &Condition) -> ConditionText {
        let Condition { attribute, low, high } = *condition;
        match self.attribute(attribute) {
            Some((known, view)) => ConditionText {
                sentence: known.sentence(low..=high, &view),
                figures: known.formula(low..=high),
            },
            None => {
                let asked = &self.columns[attribute];
                let domain = (asked.low, asked.high);
                let figures = condition.text(&asked.name, domain, |value| value.to_string());
                ConditionText { sentence: figures.clone(), figures }
            }
        }
    }

    /// Conditions combined in one sentence, with those about the mirrored board at the end; `None` for an empty
    /// list.
    ///
    /// # Panics
    /// If the tree has no such attribute.
    pub fn sentence(&self, conditions: &[Condition]) -> Option<String> {
        let said = self.if_all(conditions, |ConditionText { sentence, .. }| sentence)?;
        Some(format!("{said}."))
    }

    /// Conditions as the beginning of a sentence, each written by `write`: "If it rains", "If it rains, and if, with
    /// the board mirrored, the king stands on the a-file". `None` for an empty list.
    pub(super) fn if_all(
        &self,
        conditions: &[Condition],
        write: impl Fn(ConditionText) -> String,
    ) -> Option<String> {
        let (mut plain, mut mirrored) = (Vec::new(), Vec::new());
        for condition in conditions {
            let text = self.condition(condition);
            match self.without_mirroring(condition).filter(|sentence| *sentence != text.sentence) {
                Some(sentence) => mirrored.push(write(ConditionText { sentence, ..text })),
                None => plain.push(write(text)),
            }
        }
        let mirrored = format!("{}{}", ReaderBoard::MIRRORED, word_list(&mirrored));
        match (plain.as_slice(), conditions.len() - plain.len()) {
            ([], 0) => None,
            (_, 0) => Some(format!("If {}", word_list(&plain))),
            ([], _) => Some(format!("If, {mirrored}")),
            _ => Some(format!("If {}, and if, {mirrored}", word_list(&plain))),
        }
    }

    /// The sentence of a condition after the words of [`ReaderBoard::MIRRORED`]; `None` if it has no words.
    fn without_mirroring(&self, &Condition { attribute, low, high }: &Condition) -> Option<String> {
        let (known, view) = self.attribute(attribute)?;
        Some(known.sentence(low..=high, &view.mirrored()))
    }
}

/// The text of a rule without conditions, by its number from 1.
pub fn fallback_text(number: usize) -> &'static str {
    if number == 1 { "Always." } else { "Otherwise." }
}

/// The explanation of "ready", for players that plan ahead.
const READY: &str = "To be *ready* for something is to make a move after which the next one brings it about, whatever Black replies in between.";

/// Explanations of the words in the sentences about some numbers that a player may not know, in order, each once:
/// those in the `glossary`, and what it means to be ready, if one of the attributes looks ahead.
pub(super) fn explained_words<'a>(
    glossary: impl IntoIterator<Item = &'static str>,
    attributes: impl IntoIterator<Item = &'a Attribute>,
) -> Vec<&'static str> {
    let mut words: Vec<&str> = glossary.into_iter().collect();
    let ahead = attributes.into_iter().filter_map(Attribute::look_ahead);
    words.extend(ahead.map(|_| READY));
    words.sort_unstable();
    words.dedup();
    words
}

/// The definition of safe moves, for a player that `compares` them and `asks` nothing if a move wins at once.
pub(super) fn safe_moves(material: Material, compares: &str, asks: &str) -> String {
    let mut text = format!(
        "A move is *safe* if it does not stalemate, and if Black can then neither take a man nor promote. {compares} safe moves only.",
    );
    if can_win_at_once(material) {
        text += &format!("\nIf a capture or a promotion wins at once, White plays it and {asks}.");
    }
    text
}

/// The proved strength of a player of a side, in sentences. With `is_part`, "these" are the positions that the sentence
/// before it is about.
pub(super) fn worth(proof: &Proof, side: Side, is_part: bool) -> String {
    let (reached, all, does, done) = match side {
        Side::Strong => (proof.won, proof.winnable, "wins", "won"),
        Side::Weak => (proof.held, proof.drawable, "holds", "held"),
    };
    let of = if is_part { "Of these, " } else { "" };
    let share = match reached == all {
        true => format!("all {}", grouped(all)),
        false => format!("{} of the {}", grouped(reached), grouped(all)),
    };
    let mut worth = format!("{of}{} {does} {share} positions that can be {done}.", player(side));
    if side == Side::Weak {
        return worth + " This has been proved against every move of White.";
    }
    if let Some(longest) = proof.longest_moves {
        worth += &format!(" The longest game takes {}.", moves(longest.into()));
    }
    format!("{worth} {} This has been proved against every reply of Black.", within_rule(proof))
}

/// The meaning of a proof under the fifty-move rule, in a sentence.
fn within_rule(proof: &Proof) -> &'static str {
    match proof.won_within_rule() {
        Some(_) => "No game that White wins is cut short by the fifty-move rule.",
        None => "In some positions that White wins, the fifty-move rule may come before mate.",
    }
}

/// An attribute's sentence after a move, about the board as it stands.
pub(super) fn shows(attribute: &Attribute, position: &Position, mv: Move) -> Option<String> {
    let after = position.play(mv).ok()?;
    if after.material() != position.material() {
        return None;
    }
    let value = attribute.value(&with_weak_to_move(&after));
    Some(attribute.sentence(value..=value, &ReaderBoard::new(&after, Symmetry::IDENTITY)))
}

/// The side to move.
pub(super) fn to_move(position: &Position) -> &'static str {
    match position.color_to_move() {
        Color::White => "White to move",
        Color::Black => "Black to move",
    }
}

/// The signs for the squares of marked areas on a text board, in order, with their names.
const SIGNS: [(char, &str); 3] = [('*', "stars"), ('+', "plus signs"), ('x', "crosses")];

/// A board as a text block, with a sign on each empty square of an area, and its FEN. A square of several areas has
/// the sign of the first.
pub(super) fn board(position: &Position, areas: &[Bitboard]) -> String {
    let mut drawing: Vec<char> = format!("{position:#}").chars().collect();
    // A line has the number of the rank, and a space before each file.
    for (&squares, (sign, _)) in areas.iter().zip(SIGNS) {
        for square in squares {
            let (file, rank) = (square.file() as usize, square.rank() as usize);
            let at = (7 - rank) * 18 + 2 * file + 2;
            if drawing[at] == '.' {
                drawing[at] = sign;
            }
        }
    }
    let drawing: String = drawing.into_iter().collect();
    format!("```text\n{drawing}\n```\n\n{}: `{position}`\n", to_move(position))
}

/// The meaning of the signs for areas on a text board, in sentences. A square with a man on it has no sign.
pub(super) fn signs(position: &Position, areas: &[&Highlight]) -> String {
    let mut sentences = Vec::new();
    for (Highlight { squares, label, .. }, (_, name)) in areas.iter().zip(SIGNS) {
        sentences.push(format!("The {name} mark {label}."));
        let men = position.men().map(|(_, square)| square).filter(|&square| squares.has(square));
        let men: Vec<String> = men.map(|square| square.to_string()).collect();
        sentences.extend(match men.as_slice() {
            [] => None,
            [one] => Some(format!("The square {one}, where a man stands, belongs to it.")),
            several => Some(format!("The squares {} belong to it.", word_list(several))),
        });
    }
    sentences.join(" ")
}

/// Moves in a list for people: "Kb2", "Kb2 and Re1", "Kb2, Kb1 and Re1".
pub(super) fn sans(position: &Position, moves: &[Move]) -> String {
    let sans: Vec<String> = moves.iter().filter_map(|&mv| position.san(mv).ok()).collect();
    word_list(&sans)
}
