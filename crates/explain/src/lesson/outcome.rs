//! A tree of outcomes as a page that a trainer would hand out.

use super::rule_order::shortest;
use super::shorten::{LessonRule, PositionSets};
use super::words::TreeWords;
use crate::export::turn;
use lucena_attributes::AttributeSet;
use lucena_base::bits::BitSet;
use lucena_chess::symmetry::Group;
use lucena_chess::{Position, Side};
use lucena_model::{Class, DecisionTree, TreeHead};

/// A tree that tells won from drawn positions, as a page: its rules and how often each is right, boards on which they are
/// right and wrong, and exercises.
pub struct OutcomeLesson {
    pub(super) tree: DecisionTree,
    pub(super) words: TreeWords,
    pub(super) attributes: AttributeSet,
    pub(super) known: KnownOutcomes,
    pub(super) rules: Vec<CountedRule>,
    /// The exercises: the number of a rule from 0, and of a position in which it is right.
    pub(super) exercises: Vec<(usize, usize)>,
    pub(super) larger: Option<LargerTree>,
}

/// Positions of an endgame whose outcomes are known.
#[derive(Debug, Clone)]
pub struct KnownOutcomes {
    /// The positions, one of each orbit, with the side to move of the tree.
    pub positions: Vec<Position>,
    /// The outcome of each, by its number among the tree's classes.
    pub classes: Vec<Class>,
    /// The description of the sample that they are; `None` if they are all positions of the endgame.
    pub sample: Option<String>,
}

impl KnownOutcomes {
    /// The number of positions that some stand for: of the full board, or of the sample.
    fn weight(&self, numbers: impl Iterator<Item = usize>) -> u64 {
        match (self.sample.is_none(), self.positions.first()) {
            (true, Some(first)) => {
                let group = Group::new(first.material());
                numbers.map(|at| group.orbit_len(&self.positions[at])).sum()
            }
            _ => numbers.count() as u64,
        }
    }

    /// The positions with the weak side to move, as attributes see them.
    fn placements(&self) -> Vec<Position> {
        let positions = self.positions.iter();
        positions.map(|position| position.with(Side::Weak, *position.squares())).collect()
    }

    /// The number of positions for which a tree is right, of the full board or of the sample.
    ///
    /// # Panics
    /// If the attributes are not those of the tree, or are of another endgame.
    pub fn right(&self, attributes: &AttributeSet, tree: &DecisionTree) -> u64 {
        let mut row = vec![0; attributes.attributes().len()];
        let placements = self.placements();
        let right = (0..placements.len()).filter(|&at| {
            attributes.extract(&placements[at], &mut row);
            tree.classify(&row) == Some(self.classes[at])
        });
        self.weight(right)
    }
}

/// A tree that a lesson shows only a part of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LargerTree {
    /// Its leaves.
    pub leaves: usize,
    /// The number of positions for which it is right, counted like those of the lesson.
    pub right: u64,
}

/// The reasons why a tree makes no lesson about outcomes.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OutcomeLessonError {
    /// Its classes are not outcomes.
    #[error("the tree does not predict outcomes: learn one by \"lucena learn {0} --class wdl\"")]
    OtherClass(String),
    /// A tree that asks about attributes that this program does not know, or is not about an endgame.
    #[error("the tree does not test positions of an endgame: learn it again")]
    Foreign,
    /// The classes of the tree are not those of the positions.
    #[error(
        "the tree has other classes than the outcomes from loss to win: learn it again by \"lucena learn {0} --class wdl\""
    )]
    OtherOutcomes(String),
    /// There are no positions.
    #[error("there are no positions to count: give at least one")]
    NoPositions,
}

/// A rule, and the positions to which it comes.
pub(super) struct CountedRule {
    pub(super) rule: LessonRule,
    /// The number of positions to which it comes.
    pub(super) all: u64,
    /// The number of those with its outcome.
    pub(super) right: u64,
    /// A typical position in which it is right; `None` if it never is.
    pub(super) typical: Option<usize>,
    /// A typical position in which it is wrong; `None` if it never is.
    pub(super) wrong: Option<usize>,
}

/// The number of exercises.
const EXERCISES: usize = 10;

impl OutcomeLesson {
    /// The attributes of a tree that tells outcomes.
    ///
    /// # Errors
    /// If it tells something else, or is not about an endgame.
    pub fn attributes_of(tree: &DecisionTree) -> Result<AttributeSet, OutcomeLessonError> {
        let attributes = crate::export::attributes(tree).ok_or(OutcomeLessonError::Foreign)?;
        match tree.head().class() {
            Some(TreeHead::OUTCOMES) => Ok(attributes),
            _ => Err(OutcomeLessonError::OtherClass(tree.origin().material.clone())),
        }
    }

    /// The side to move in the positions of a tree.
    pub fn turn_of(tree: &DecisionTree) -> Side {
        turn(tree.head())
    }

    /// Counts how often the rules of a tree are right, and finds the positions that illustrate them. If the tree is a part
    /// of a larger one, the page says so.
    ///
    /// # Errors
    /// If the tree does not tell outcomes, or there are no positions.
    pub fn new(
        tree: DecisionTree,
        known: KnownOutcomes,
        larger: Option<LargerTree>,
    ) -> Result<Self, OutcomeLessonError> {
        let attributes = Self::attributes_of(&tree)?;
        if known.positions.is_empty() {
            return Err(OutcomeLessonError::NoPositions);
        }
        let placements = known.placements();
        let sets = PositionSets::new(&attributes, &tree, &placements);
        let leaves =
            LessonRule::of_leaves(&tree, |rule| Some(sets.support(&sets.meet(&rule.conditions))));
        let rules = shortest(&tree, &leaves, |rules| match known.sample {
            None => sets.shorten(rules),
            // Other positions may have values that no position of the sample has.
            Some(_) => LessonRule::shortened(&tree, rules),
        });
        let mut lesson = Self {
            words: TreeWords::of(&tree),
            tree,
            attributes,
            known,
            rules: Vec::new(),
            exercises: Vec::new(),
            larger,
        };
        let mut open = BitSet::full(placements.len());
        let mut right_of_rules = Vec::new();
        for rule in rules {
            let mut met = sets.meet(&rule.conditions);
            met.intersect(&open);
            open.subtract(&met);
            let (right, wrong): (Vec<usize>, Vec<usize>) =
                met.iter().partition(|&at| lesson.known.classes[at] == rule.class);
            let counted = CountedRule {
                all: lesson.known.weight(right.iter().chain(&wrong).copied()),
                right: lesson.known.weight(right.iter().copied()),
                typical: sets.typical(&right),
                wrong: sets.typical(&wrong),
                rule,
            };
            lesson.rules.push(counted);
            right_of_rules.push(right);
        }
        lesson.exercises = lesson.chosen(&right_of_rules);
        Ok(lesson)
    }

    /// The side to move.
    pub(super) fn turn(&self) -> Side {
        Self::turn_of(&self.tree)
    }

    /// The outcomes that occur, from the best for the side to move, each with the number of its positions.
    pub(super) fn outcomes(&self) -> Vec<(Class, u64)> {
        let classes = 0..self.tree.head().classes.len();
        let counted = classes.rev().map(|class| {
            let class = class as Class;
            let known = self.known.classes.iter().enumerate();
            (class, self.known.weight(known.filter(|(_, of)| **of == class).map(|(at, _)| at)))
        });
        counted.filter(|(_, positions)| *positions > 0).collect()
    }

    /// The positions of the exercises: of those in which each rule is right, one in turn, none that is shown on a board.
    fn chosen(&self, right_of_rules: &[Vec<usize>]) -> Vec<(usize, usize)> {
        let shown = self.rules.iter().flat_map(|rule| [rule.typical, rule.wrong]).flatten();
        let shown: Vec<usize> = shown.collect();
        let mut rules: Vec<usize> = (0..self.rules.len()).collect();
        rules.sort_by_key(|&rule| std::cmp::Reverse(self.rules[rule].right));
        let mut chosen: Vec<(usize, usize)> = Vec::new();
        for round in 0..EXERCISES {
            for &rule in &rules {
                let right = &right_of_rules[rule];
                // The golden section spreads the choices over the positions, however many there are.
                let from = (right.len() as f64 * ((round + 1) as f64 * 0.618_034).fract()) as usize;
                let spread = right[from.min(right.len())..].iter().chain(&right[..from]);
                let is_new = |at: &&usize| {
                    !shown.contains(at) && chosen.iter().all(|(_, other)| other != *at)
                };
                let found = spread.take(shown.len() + EXERCISES + 1).find(is_new);
                if chosen.len() < EXERCISES {
                    chosen.extend(found.map(|&at| (rule, at)));
                }
            }
        }
        // In the order of the positions, which says nothing of their outcomes.
        chosen.sort_by_key(|(_, at)| *at);
        chosen
    }
}
