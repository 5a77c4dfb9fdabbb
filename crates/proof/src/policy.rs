//! Policies: pure functions from a legal position to a move. They can be proved.
//!
//! | kind | chooses by |
//! |---|---|
//! | [`GeneratedPolicy`] | generated code, and a table |
//! | [`TreePolicy`] | a tree from a file, interpreted, and a table |
//! | [`StrategyPolicy`] | ordered rules about moves, alone |
//! | [`MeasurePolicy`] | a number that it makes smaller, looking ahead, alone |
//! | [`TablebasePlayer`] | looking up |
//! | [`ExternalPolicy`] | the answers of a program outside this library |

mod attribute_cache;
mod byte_cache;
mod canonical_choice;
mod decision;
mod external;
mod external_query;
mod generated;
mod grade;
mod grade_cache;
mod grades;
mod measure;
mod model;
mod strategy;
mod tablebase;
mod tree;
mod tree_binding;
mod unplayable;

use crate::measure::Score;
use lucena_base::progress::{Observer, Stopped};
use lucena_chess::symmetry::Group;
use lucena_chess::{Material, Move, MoveList, Position, Side};
use lucena_tablebase::Index;
use std::sync::Arc;

pub use canonical_choice::choose_canonically;
pub use decision::{Decision, MoveComparison};
pub use external::{ExternalPlayer, ExternalPolicy};
pub use external_query::QueryError;
pub use generated::{GeneratedKind, GeneratedPolicy, NoGeneratedTree};
pub use grade::{Grade, ParseGradeError};
pub use grades::{GradedMove, GradedPosition, OrientedBoard};
pub use measure::MeasurePolicy;
pub use model::{EndgameModel, PlayedModel};
pub use strategy::{
    RulesDecision, StrategyPolicy, is_in_domain, mover, side_of, with_weak_to_move,
};
pub use tablebase::TablebasePlayer;
pub use tree::TreePolicy;
pub use unplayable::{UnknownColumn, Unplayable};

/// A pure function from a legal position to a move.
pub trait Policy: Sync {
    /// Returns a name for people.
    fn name(&self) -> String;

    /// Returns the endgame that it plays.
    fn material(&self) -> Material;

    /// Returns the side for which it is proved.
    fn side(&self) -> Side {
        Side::Strong
    }

    /// Returns true if it is made for a part of its endgame, and not for all of it.
    fn is_made_for_part(&self) -> bool {
        false
    }

    /// Returns true if it is made for a position. From there, it plays on wherever that leads.
    fn is_made_for(&self, _position: &Position) -> bool {
        true
    }

    /// Returns the symmetries under which its choice moves with the board. A policy that does not choose on
    /// the canonical representative returns [`Group::Identity`], and is proved on the full board.
    fn symmetries(&self) -> Group;

    /// Returns the move that it plays; `None` if there is none, or if it does not play the position.
    fn choose(&self, position: &Position) -> Option<Move>;

    /// Returns all moves that it leaves tied and may play; by default its choice alone. A proof covers every
    /// one of them.
    fn choices(&self, position: &Position) -> MoveList {
        self.choose(position).into_iter().collect()
    }

    /// Returns the moves that it leaves tied, each with the position after it; `None` if one is not legal.
    fn plays(&self, position: &Position) -> Option<Vec<(Move, Position)>> {
        with_positions_after(position, self.choices(position))
    }

    /// Computes in advance what it would compute at its first choice.
    ///
    /// # Errors
    /// If the observer asks to stop.
    fn prepare(&self, _observer: &dyn Observer) -> Result<(), Stopped> {
        Ok(())
    }

    /// Computes in advance what makes it faster to choose in every position than in a few, before a proof.
    ///
    /// # Errors
    /// If the observer asks to stop.
    fn prepare_everywhere(&self, _observer: &dyn Observer) -> Result<(), Stopped> {
        Ok(())
    }

    /// Returns the model that it plays by; `None` if it has none.
    fn model(&self) -> Option<PlayedModel<'_>> {
        None
    }

    /// The reason for its choice in a position, for people.
    fn grounds(&self, _position: &Position) -> PolicyGrounds {
        PolicyGrounds::Other { name: self.name() }
    }

    /// Returns its mean effort per choice so far; `None` if it does not count.
    fn effort(&self) -> Option<Effort> {
        None
    }
}

/// Returns moves, each with the position after it; `None` if one is not legal.
fn with_positions_after(position: &Position, moves: MoveList) -> Option<Vec<(Move, Position)>> {
    moves.into_iter().map(|mv| Some((mv, position.play(mv).ok()?))).collect()
}

/// Returns true if a number has the same value on all rotations and reflections of a board. Only some hundred boards
/// spread over the index are tested: a number that changes does so on many.
pub fn is_symmetric(material: Material, value: impl Fn(&Position) -> u16) -> bool {
    let group = Group::new(material);
    let index = Index::new(material, group);
    let step = (index.len() / 400).max(1) | 1;
    (0..index.len()).step_by(step).filter_map(|at| index.position(at, Side::Weak)).all(|position| {
        let found = value(&position);
        group.orbit(&position).iter().all(|turned| value(turned) == found)
    })
}

/// The rule that a strategy's choice in one position follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UsedRule {
    /// The index of the rule, from 0; `None` if none was used.
    pub rule: Option<usize>,
    /// The number of moves that it left tied, any of which may be played.
    pub tied: usize,
}

/// The mean effort of a policy per choice.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Effort {
    /// Positions searched.
    Nodes(f64),
    /// Tests of positions.
    Tests(f64),
}

/// The reason for a policy's choice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PolicyGrounds {
    /// A table of an endgame.
    Table,
    /// A tree of an endgame.
    Tree {
        /// The policy's name.
        name: String,
    },
    /// A strategy of an endgame.
    Strategy {
        /// The policy's name.
        name: String,
        /// The rule.
        used: UsedRule,
    },
    /// A measure of an endgame.
    Measure {
        /// The policy's name.
        name: String,
        /// The number of moves that it leaves tied, any of which may be played.
        tied: usize,
        /// The score that these moves force; `None` where the measure is not asked.
        forced: Option<Score>,
    },
    /// Any other knowledge of an endgame.
    Other {
        /// The policy's name.
        name: String,
    },
}

/// Defines methods that call those of another policy.
macro_rules! forward {
    ($self:ident, $to:expr, $($method:ident($($name:ident: $kind:ty)?) $(-> $result:ty)?;)*) => {
        $(fn $method(&$self $(, $name: $kind)?) $(-> $result)? {
            $to.$method($($name)?)
        })*
    };
}

/// Defines all methods of a policy except for the side by those of another one.
macro_rules! forward_policy {
    ($self:ident, $to:expr) => {
        forward! {
            $self, $to,
            name() -> String;
            material() -> Material;
            is_made_for_part() -> bool;
            is_made_for(position: &Position) -> bool;
            symmetries() -> Group;
            choose(position: &Position) -> Option<Move>;
            choices(position: &Position) -> MoveList;
            plays(position: &Position) -> Option<Vec<(Move, Position)>>;
            prepare(observer: &dyn Observer) -> Result<(), Stopped>;
            prepare_everywhere(observer: &dyn Observer) -> Result<(), Stopped>;
            model() -> Option<PlayedModel<'_>>;
            grounds(position: &Position) -> PolicyGrounds;
            effort() -> Option<Effort>;
        }
    };
}

impl<P: Policy + ?Sized> Policy for &P {
    forward! { self, (**self), side() -> Side; }
    forward_policy!(self, (**self));
}

impl<P: Policy + Send + ?Sized> Policy for Arc<P> {
    forward! { self, (**self), side() -> Side; }
    forward_policy!(self, (**self));
}

/// A policy that plays both sides of its endgame, to be proved for one of them.
///
/// ```
/// use lucena_chess::Side;
/// use lucena_proof::policy::{OneSide, TablebasePlayer};
/// use lucena_proof::prove;
/// use lucena_tablebase::Tablebase;
///
/// let tablebase = Tablebase::solve("KPvK".parse()?);
/// let defender = OneSide { side: Side::Weak, policy: Box::new(TablebasePlayer(&tablebase)) };
/// let proof = prove(&defender, &tablebase)?;
/// assert!(proof.winnable == 0 && proof.held == proof.drawable);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct OneSide<'p> {
    /// The side.
    pub side: Side,
    /// The policy.
    pub policy: Box<dyn Policy + 'p>,
}

impl Policy for OneSide<'_> {
    fn side(&self) -> Side {
        self.side
    }

    forward_policy!(self, self.policy);
}
