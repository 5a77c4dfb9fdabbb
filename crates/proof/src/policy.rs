//! Pure functions from a legal position to a move: what can be proved.
//!
//! | kind | chooses by |
//! |---|---|
//! | [`GeneratedPolicy`] | generated code, and a table |
//! | [`TreePolicy`] | a tree from a file, interpreted, and a table |
//! | [`StrategyPolicy`] | ordered rules about moves, alone |
//! | [`TablebasePlayer`] | looking up |
//! | [`AnsweredPolicy`] | the answers of a program outside this library |

mod answered;
mod asking;
mod effort;
mod generated;
mod grade;
mod grades;
mod grounds;
mod known_grades;
mod meaning;
mod memo;
mod rows;
mod strategy;
mod tablebase;
mod tree;
mod turning;

use lucena_chess::symmetry::Group;
use lucena_chess::{Material, Move, MoveList, Position};

pub use answered::{AnsweredPolicy, Outsider};
pub use asking::AskError;
pub use effort::Effort;
pub use generated::{
    GeneratedKind, GeneratedPolicy, GeneratedTree, NoGeneratedTree, install_generated,
};
pub use grade::{Grade, ParseGradeError};
pub use grades::{Asked, GradedMove, PlayedOn};
pub use grounds::PolicyGrounds;
pub use meaning::ForeignTree;
pub use strategy::{
    Decision, ForeignStrategy, StrategyPolicy, as_it_lies, mover, stays_when_turned,
};
pub use tablebase::TablebasePlayer;
pub use tree::TreePolicy;
pub use turning::choose_canonically;

/// A pure function from a legal position to a move.
pub trait Policy: Sync {
    /// A name for people.
    fn name(&self) -> String;

    /// The endgame it plays.
    fn material(&self) -> Material;

    /// The symmetries under which its choice moves with the board. A policy that does not look at
    /// the canonical representative says [`Group::Identity`], and is proved on the full board.
    fn symmetries(&self) -> Group;

    /// The move it plays; nothing where there is none, or where it has no say.
    fn choose(&self, position: &Position) -> Option<Move>;

    /// All moves that it holds equal and may play: its choice alone, unless it says otherwise. A proof
    /// covers every one of them.
    fn choices(&self, position: &Position) -> MoveList {
        self.choose(position).into_iter().collect()
    }

    /// Works out beforehand what it would work out with its first choice.
    fn prepare(&self) {}

    /// The tree it plays by; nothing for a policy that has none.
    fn tree(&self) -> Option<PlayedTree> {
        None
    }

    /// The strategy it plays by; nothing for a policy that has none.
    fn strategy(&self) -> Option<PlayedStrategy> {
        None
    }

    /// What its choice in a position was made by; nothing for a policy that has no rules, or no say there.
    fn used_rule(&self, _position: &Position) -> Option<UsedRule> {
        None
    }

    /// The reason for its choice in a position, to be told to people.
    fn grounds(&self, position: &Position) -> PolicyGrounds {
        let name = self.name();
        match self.used_rule(position) {
            Some(used) => PolicyGrounds::Strategy { name, used },
            None => PolicyGrounds::Other { name },
        }
    }

    /// What its choices have taken so far; nothing for a policy that does not count.
    fn effort(&self) -> Option<Effort> {
        None
    }
}

/// Which tree a policy plays by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlayedTree {
    /// The SHA-256 of the tree's JSON file, in hexadecimal.
    pub sha256: String,
    /// How many leaves the tree has.
    pub leaves: usize,
}

/// What a strategy's choice in one position was made by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UsedRule {
    /// The number of the rule, from 0; nothing where none was used.
    pub rule: Option<usize>,
    /// How many moves it left tied, any of which may be played.
    pub tied: usize,
}

/// Which strategy a policy plays by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlayedStrategy {
    /// The SHA-256 of the strategy's JSON file, in hexadecimal.
    pub sha256: String,
    /// How many rules it has.
    pub rules: usize,
    /// How many conditions and keys.
    pub size: usize,
}

impl<P: Policy + ?Sized> Policy for &P {
    fn name(&self) -> String {
        (**self).name()
    }

    fn material(&self) -> Material {
        (**self).material()
    }

    fn symmetries(&self) -> Group {
        (**self).symmetries()
    }

    fn choose(&self, position: &Position) -> Option<Move> {
        (**self).choose(position)
    }

    fn choices(&self, position: &Position) -> MoveList {
        (**self).choices(position)
    }

    fn prepare(&self) {
        (**self).prepare();
    }

    fn tree(&self) -> Option<PlayedTree> {
        (**self).tree()
    }

    fn strategy(&self) -> Option<PlayedStrategy> {
        (**self).strategy()
    }

    fn used_rule(&self, position: &Position) -> Option<UsedRule> {
        (**self).used_rule(position)
    }

    fn grounds(&self, position: &Position) -> PolicyGrounds {
        (**self).grounds(position)
    }

    fn effort(&self) -> Option<Effort> {
        (**self).effort()
    }
}
