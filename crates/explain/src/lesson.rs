//! Lessons to be printed and taught: a tree as rules in order ([`Lesson`]), a strategy or a measure
//! as a page with boards, a game and exercises ([`StrategyLesson`], [`MeasureLesson`]).
//!
//! Each leaf of a tree is a rule by itself. In a list that is read from the top, a rule need not
//! repeat what earlier rules have settled: conditions are dropped as long as the first rule that
//! holds gives the tree's own answer in every position.

mod measure;
mod measure_page;
mod page;
mod progress_measure;
mod shorten;
mod stage;
mod stage_facts;
mod stage_page;
mod stage_text;
mod strategy;
mod strategy_page;
mod survey;
mod words;

use crate::Support;
use lucena_attributes::{AttributeSet, ReaderBoard};
use lucena_proof::policy::Grade;
use lucena_tablebase::DistanceClass;
use lucena_tree::{Class, DecisionTree, Rule, TreeHead};
use shorten::PositionSets;
use std::cmp::Reverse;
use std::fmt::Write;

pub use measure::MeasureLesson;
pub use measure_page::{measure_rules_page, measure_text};
pub use page::{LessonBoard, LessonExercise, LessonGame, LessonPage, LessonSection, Markdown};
pub use shorten::LessonRule;
pub use stage::{
    Claim, Fact, Goal, QuantityRange, RightMoves, Stage, StageExercise, StageGame, StagedLesson,
};
pub use stage_facts::{FactCount, StageAnswer, StageAnswers};
pub use stage_text::{ParseStagesError, StageLineError};
pub use strategy::StrategyLesson;
pub use strategy_page::rules_page;
pub use words::{ConditionText, TreeWords, fallback_text};

/// Rules to be read from the top: the first whose conditions all hold gives the class.
#[derive(Debug, Clone)]
pub struct Lesson<'a> {
    tree: &'a DecisionTree,
    /// The words for the tree's tests; only for boards without pawns.
    words: TreeWords,
    rules: Vec<LessonRule>,
}

impl<'a> Lesson<'a> {
    /// The rules of a tree, best grades first. The rules for draws and losses come before or after
    /// them, whichever is shorter. Rules are shortened for the positions of the tree's material
    /// with the weak side to move; a tree that is not about an endgame keeps its leaves as rules.
    ///
    /// ```
    /// use lucena_explain::lesson::Lesson;
    /// use lucena_tree::{Column, DecisionTree, TreeHead, Node};
    ///
    /// let head = TreeHead {
    ///     material: "KRvK".into(),
    ///     attributes: vec![Column::new("RHangs", 0, 1, "")],
    ///     classes: vec!["draw".into(), "grade 1".into()],
    ///     ..TreeHead::default()
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
    /// # Ok::<(), lucena_tree::TreeError>(())
    /// ```
    pub fn new(tree: &'a DecisionTree) -> Self {
        // The instructions for turning the board are written for boards without pawns.
        let words = TreeWords::of(tree).without_pawns();
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
        let material = &self.tree.head().material;
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
        let Some(attributes) = self.words.attributes() else {
            return "Read the rules from the top: the first whose conditions all hold gives the class."
                .into();
        };
        let view = ReaderBoard::general(attributes.material());
        let others: Vec<&str> = view.names().skip(1).collect();
        format!(
            "White is the strong side and has made a move. Turn or mirror the board until the white king stands on a1, b1, c1, d1, b2, c2, d2, c3, d3 or d4, and, if it is on the diagonal a1–h8, until the first man off it ({}) is below it. Then read the rules from the top: the first whose conditions all hold says what the move is worth. White plays the move that comes earliest among the headings, and what is to be avoided only if there is nothing else. Among equals, with the board turned in the same way before the move, the king's moves come before those of other men, and each man's go from a1 to h8.",
            others.join(", then "),
        )
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
    let positions = PositionSets::new(attributes, tree);
    let rules = LessonRule::of_leaves(tree, |rule| {
        Some(positions.support(&positions.meet(&rule.conditions)))
    });
    // Draws and losses can come last, as the rest, or first.
    let is_avoided = |rule: &LessonRule| grade_order(tree, rule.class).0 >= Some(Grade::Draw);
    let mut warned = rules.clone();
    warned.sort_by_key(|rule| !is_avoided(rule));
    let (rest, warned) = rayon::join(|| positions.shorten(rules), || positions.shorten(warned));
    if length(&warned) < length(&rest) { warned } else { rest }
}

/// A sort key: best grades first, then draws, then losses; outcomes from a win to a loss; other classes in the order of
/// the tree.
fn grade_order(tree: &DecisionTree, class: Class) -> (Option<Grade>, Class) {
    if tree.head().class() == Some(TreeHead::OUTCOMES) {
        return (None, Class::MAX - class);
    }
    (tree.head().classes[usize::from(class)].parse().ok(), class)
}

/// The number of rules and conditions to read.
fn length(rules: &[LessonRule]) -> usize {
    rules.iter().map(|rule| 1 + rule.conditions.len()).sum()
}

impl LessonRule {
    /// The leaves of a tree as rules, each with its support: the best grades first, and in each class
    /// the rule with the most positions.
    pub fn of_leaves(tree: &DecisionTree, support: impl Fn(&Rule) -> Option<Support>) -> Vec<Self> {
        let leaves = tree.rules().into_iter().map(|rule| {
            let support = support(&rule);
            let Rule { conditions, class, leaf } = rule;
            Self { conditions, class, leaf, support }
        });
        let mut rules: Vec<Self> = leaves.collect();
        let most = |rule: &Self| Reverse(rule.support.map_or(0, |support| support.full));
        rules.sort_by_key(|rule| (grade_order(tree, rule.class), most(rule)));
        rules
    }
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
