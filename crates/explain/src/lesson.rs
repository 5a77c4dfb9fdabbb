//! Lessons to be printed and taught: a tree as rules in order ([`Lesson`]), a tree of outcomes as a page with boards and
//! exercises ([`OutcomeLesson`]), a strategy or a measure as a page with boards, a game and exercises
//! ([`StrategyLesson`], [`MeasureLesson`]).
//!
//! Each leaf of a tree is a rule by itself. In a list that is read from the top, a rule need not
//! repeat what earlier rules have settled: conditions are dropped as long as the first rule that
//! holds gives the tree's own answer in every position.

mod measure;
mod measure_page;
mod outcome;
mod outcome_page;
mod page;
mod progress_measure;
mod reading;
mod rule_lesson;
mod rule_lesson_page;
mod rule_order;
mod shorten;
mod stage;
mod stage_facts;
mod stage_method;
mod stage_page;
mod stage_text;
mod strategy;
mod strategy_page;
mod survey;
mod words;

use crate::Support;
use lucena_attributes::AttributeSet;
use lucena_model::{DecisionTree, TreeHead};
use lucena_tablebase::DistanceClass;
use rule_order::shortest;
use shorten::PositionSets;
use std::fmt::Write;

pub use measure::MeasureLesson;
pub use measure_page::{measure_rules_page, measure_text};
pub use outcome::{KnownOutcomes, LargerTree, OutcomeLesson, OutcomeLessonError};
pub use page::{
    LessonAnswer, LessonBoard, LessonExercise, LessonGame, LessonPage, LessonSection, Markdown,
};
pub use rule_lesson::{RuleExercise, RuleLesson, RuleStage};
pub use shorten::LessonRule;
pub use stage::{
    Claim, Fact, Goal, QuantityRange, RightMoves, Stage, StageExercise, StageGame, StagedLesson,
};
pub use stage_facts::{FactCount, StageAnswer, StageAnswers};
pub use stage_method::MethodMoves;
pub use stage_text::{ParseStagesError, StageLineError};
pub use strategy::StrategyLesson;
pub use strategy_page::rules_page;
pub use words::{ConditionText, TreeWords, fallback_text};

/// Rules to be read from the top: the first whose conditions all hold gives the class.
#[derive(Debug, Clone)]
pub struct Lesson<'a> {
    tree: &'a DecisionTree,
    words: TreeWords,
    rules: Vec<LessonRule>,
}

impl<'a> Lesson<'a> {
    /// The rules of a tree, best grades first. The rules for draws and losses come before or after
    /// them, whichever is shorter; of outcomes, any may come last. Rules are shortened for the positions of the tree's
    /// material and side to move, or, if these are too many, for all values of its attributes. A tree that is not about
    /// an endgame keeps its leaves as rules.
    ///
    /// ```
    /// use lucena_explain::lesson::Lesson;
    /// use lucena_model::{Column, DecisionTree, Node, Origin, TreeHead};
    ///
    /// let head = TreeHead {
    ///     origin: Origin::new("KRvK"),
    ///     attributes: vec![Column::new("RHangs", 0, 1, "")],
    ///     classes: vec!["draw".into(), "grade 1".into()],
    /// };
    /// let nodes = vec![
    ///     Node::Threshold { attribute: 0, at_most: 0, below: 1, above: 2 },
    ///     Node::Leaf { class: 1 },
    ///     Node::Leaf { class: 0 },
    /// ];
    /// let tree = DecisionTree::new(head, nodes)?;
    /// let text = Lesson::new(&tree).to_markdown();
    /// assert!(text.contains("1. If the black king cannot take the rook (`RHangs = 0`)."));
    /// assert!(text.contains("2. Otherwise."));
    /// # Ok::<(), lucena_model::TreeError>(())
    /// ```
    pub fn new(tree: &'a DecisionTree) -> Self {
        let words = TreeWords::of(tree);
        let rules = match words.attributes() {
            Some(attributes) => shortened(tree, attributes),
            None => LessonRule::of_leaves(tree, |_| None),
        };
        Self { tree, words, rules }
    }

    /// The rules, in order.
    pub fn rules(&self) -> &[LessonRule] {
        &self.rules
    }

    /// The lesson as Markdown: a heading for each class, and below it the rules, each condition in
    /// words and in figures.
    pub fn to_markdown(&self) -> String {
        self.page().to_markdown()
    }

    /// The lesson as data.
    pub fn page(&self) -> LessonPage {
        let material = &self.tree.origin().material;
        let material = match self.words.attributes() {
            Some(known) => known.material().to_string(),
            None => code(material),
        };
        let mut introduction = LessonSection::untitled([self.how_to_read()]);
        let glossary = self.glossary();
        if !glossary.is_empty() {
            introduction.list(None, glossary.into_iter().map(Into::into));
        }
        let numbered: Vec<(usize, &LessonRule)> = (1..).zip(&self.rules).collect();
        let of_a_class = numbered.chunk_by(|(_, one), (_, next)| one.class == next.class);
        let section = |rules: &[(usize, &LessonRule)]| {
            let (first, rule) = rules[0];
            let name = &self.tree.head().classes[usize::from(rule.class)];
            let meaning = match self.tree.head().class() {
                None => meaning(name),
                Some(TreeHead::OUTCOMES) => outcome_meaning(name).map(ToOwned::to_owned),
                Some(_) => None,
            };
            let meaning = meaning.map_or(String::new(), |meaning| format!(": {meaning}"));
            let mut section = LessonSection::headed(format!("{}{meaning}", code(name)), 2);
            section.list(Some(first), rules.iter().map(|(number, rule)| self.item(*number, rule)));
            section
        };
        let rules = self.rules.len();
        let how_many = if rules == 1 { "one rule".into() } else { format!("{rules} rules") };
        LessonPage {
            title: format!("{material} in {how_many}").into(),
            sections: [introduction].into_iter().chain(of_a_class.map(section)).collect(),
            exercises: Vec::new(),
        }
    }

    /// A rule with its number, each condition in words and in figures.
    fn item(&self, number: usize, rule: &LessonRule) -> String {
        let written = |ConditionText { sentence, figures }| match self.words.attributes() {
            Some(_) => format!("{sentence} (`{figures}`)"),
            None => format!("`{figures}`"),
        };
        let mut text = match self.words.if_all(&rule.conditions, written) {
            Some(said) => format!("{said}."),
            None => fallback_text(number).into(),
        };
        if let Some(Support { full, canonical }) = rule.support {
            let _ = write!(text, " *{full} positions, {canonical} up to symmetry.*");
        }
        text
    }

    /// The words for the tree's tests.
    pub fn words(&self) -> &TreeWords {
        &self.words
    }

    /// The instructions for using the rules, in sentences.
    pub fn how_to_read(&self) -> String {
        match self.words.attributes() {
            Some(attributes) => reading::how_to_read(self.tree.head(), attributes.material()),
            None => {
                "Read the rules from the top: the first whose conditions all hold gives the class."
                    .into()
            }
        }
    }

    /// Explanations of the terms in the rules that a player may not know.
    fn glossary(&self) -> Vec<&'static str> {
        let Some(attributes) = self.words.attributes() else { return Vec::new() };
        let asked = self.rules.iter().flat_map(|rule| &rule.conditions);
        let glossary =
            asked.filter_map(|condition| attributes.attributes()[condition.attribute].glossary());
        let mut words: Vec<&str> = glossary.collect();
        words.sort_unstable();
        words.dedup();
        words
    }
}

/// The rules of a tree about an endgame, shortened, in the order with the least text.
fn shortened(tree: &DecisionTree, attributes: &AttributeSet) -> Vec<LessonRule> {
    if !PositionSets::are_few(attributes.material()) {
        let rules = LessonRule::of_leaves(tree, |_| None);
        return shortest(tree, &rules, |rules| LessonRule::shortened(tree, rules));
    }
    let positions = PositionSets::of_endgame(attributes, tree);
    let rules = LessonRule::of_leaves(tree, |rule| {
        Some(positions.support(&positions.meet(&rule.conditions)))
    });
    shortest(tree, &rules, |rules| positions.shorten(rules))
}

/// The meaning of a class; `None` if its name says it.
///
/// ```
/// assert_eq!(lucena_explain::lesson::meaning("three").as_deref(), Some("mated in 3 moves"));
/// assert_eq!(lucena_explain::lesson::meaning("grade 3"), None);
/// ```
pub fn meaning(class: &str) -> Option<String> {
    Some(match class.parse().ok()? {
        DistanceClass::Draw => "to be avoided".into(),
        DistanceClass::Lost => "to be avoided at all costs".into(),
        DistanceClass::Mated(0) => "checkmate".into(),
        DistanceClass::Mated(1) => "mated in one move".into(),
        DistanceClass::Mated(moves) => format!("mated in {moves} moves"),
    })
}

/// The meaning of an outcome under the fifty-move rule; `None` if its name says it.
fn outcome_meaning(outcome: &str) -> Option<&'static str> {
    Some(match outcome {
        "win" => "for the side to move",
        "cursed-win" => "the side to move would win, but the fifty-move rule makes it a draw",
        "blessed-loss" => "the side to move would lose, but the fifty-move rule makes it a draw",
        "loss" => "of the side to move",
        _ => return None,
    })
}

/// A text as inline code in Markdown, whatever characters it has.
fn code(text: &str) -> String {
    let text: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    if longest == 0 { format!("`{text}`") } else { format!("{fence} {text} {fence}") }
}
