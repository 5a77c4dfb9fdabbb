//! What a policy is worth: from every position, against every defence.
//!
//! A policy picks one move in each position of the strong side. A position is *won* if that move
//! mates, or if it does not stalemate and every reply leads to a position that is already won: the
//! least fixed point, computed from the mates backwards. A drawn position is *held* if no defence
//! gets to a position that the policy loses. Nothing is sampled and nothing is assumed of the
//! defender.
//!
//! Captures and promotions lead to other endgames. The policy knows nothing of them, so the table
//! says what they are worth: whoever has learned an endgame knows those that it can become.
//!
//! [`prove`] sums up; [`ProvedGame`] keeps what it was summed up from, and tells of any one position.

pub mod certificate;
mod circles;
mod decision;
mod game;
mod graph;
pub mod guarantee;
mod known;
mod lines;
mod places;
pub mod policy;

use crate::policy::Policy;
use lucena_base::work::Stopped;
use lucena_chess::symmetry::Group;
use lucena_chess::{Color, Material, Move, MoveList, Position, Side};
use lucena_tablebase::{Index, Tablebase, UnknownMaterial};
use rayon::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::fmt;

pub use game::ProvedGame;

/// The result of a proof. Positions are those of the full board with the strong side to move.
#[derive(Debug, Clone, PartialEq)]
pub struct Proof {
    /// All legal positions.
    pub positions: u64,
    /// Those that the strong side wins with best play.
    pub winnable: u64,
    /// Those from which the policy mates against every defence.
    pub won: u64,
    /// Those that are drawn with best play.
    pub drawable: u64,
    /// Those of them that the policy loses against no defence.
    pub held: u64,
    /// Those in which the chosen move is an optimal one.
    pub optimal: u64,
    /// Moves of the strong side to the mate from the won position that takes longest; absent where
    /// none is won.
    pub longest_moves: Option<u16>,
    /// Moves over the optimum, on average over the won positions; absent where none is won.
    pub mean_excess_moves: Option<f64>,
    /// The share of all positions in which the chosen move is an optimal one.
    pub optimal_share: f64,
    /// Whether every won position is mated before the fifty-move rule can be invoked.
    pub fifty_move_safe: bool,
    /// Won positions by their moves over the optimum.
    pub excess: BTreeMap<u16, u64>,
    /// The longest game, from the first position that has one that long.
    pub longest_line: Option<Mate>,
    /// Why the first position that could be won is not won; or, where all of these are, why the first
    /// that could be held is lost.
    pub refutation: Option<Refutation>,
}

impl Proof {
    /// Whether the policy wins every position that can be won.
    pub fn wins_all(&self) -> bool {
        self.won == self.winnable
    }

    /// Whether the policy loses no position that can be held.
    pub fn holds_all(&self) -> bool {
        self.held == self.drawable
    }
}

/// What becomes of one position when a policy plays it on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fate {
    /// The policy mates against every defence; this one resists longest.
    Won(Mate),
    /// There is a defence, and no shorter one.
    NotWon(Refutation),
}

/// A line that ends in mate, the weak side resisting as long as it can.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mate {
    /// The position it starts from, strong side to move.
    pub start: Position,
    /// The moves of both sides.
    pub line: Vec<Move>,
}

impl Mate {
    /// How many of the moves are the strong side's.
    pub fn moves(&self) -> usize {
        self.line.iter().step_by(2).count()
    }
}

/// A line that shows that a policy does not win.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refutation {
    /// The position it starts from, strong side to move.
    pub start: Position,
    /// The moves of both sides.
    pub line: Vec<Move>,
    /// What the line ends in.
    pub reason: Reason,
}

/// Why a line does not win.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Reason {
    /// The last position has been in the line before: the defender can go on for ever.
    Cycle,
    /// The side to move is not in check and has no move.
    Stalemate,
    /// The weak side has taken a man, and what is left does not win.
    #[serde(rename = "lost piece")]
    LostPiece,
    /// A promotion, or a capture by the strong side, has led to another endgame, and that is not won.
    #[serde(rename = "other endgame")]
    OtherEndgame,
    /// The strong side is mated, or bound to be.
    Lost,
    /// The policy has no move to offer, or one that is not legal.
    #[serde(rename = "no move")]
    NoMove,
}

impl fmt::Display for Reason {
    /// The word for it, as reports have it: "lost piece".
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

/// Why nothing was proved.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ProveError {
    /// The table says nothing of what the policy plays.
    #[error(transparent)]
    Table(#[from] UnknownMaterial),
    /// The policy leaves too much open.
    #[error(
        "the player holds more than four thousand million moves of {material} equal: take one that makes up its mind"
    )]
    TooManyChoices {
        /// The endgame.
        material: Material,
    },
    /// Whoever watched did not want to wait.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

/// Why nothing can be told of a position.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FateError {
    /// The policy does not play it.
    #[error(
        "the position is one of {found}, not {played}: take one of {played}, or another player"
    )]
    Material {
        /// The material of the position.
        found: Material,
        /// The material that the policy plays.
        played: Material,
    },
    /// It is not the policy's turn.
    #[error(
        "{0:?} is to move, the weak side: the player moves for the strong side, so give a position in which {strong:?} is to move",
        strong = !*.0
    )]
    WeakSideToMove(Color),
}

/// Proves a policy on all positions of its material with the strong side to move.
///
/// A symmetric policy is proved on the representatives of the orbits, each counted as often as its
/// orbit has positions; one that is not is proved on the full board.
///
/// ```
/// use lucena::policy::TablebasePlayer;
/// use lucena::proof::prove;
/// use lucena::tablebase::Tablebase;
///
/// let tablebase = Tablebase::solve("KRvK".parse()?);
/// let proof = prove(&TablebasePlayer(&tablebase), &tablebase)?;
/// assert_eq!((proof.won, proof.positions), (175_168, 175_168));
/// assert_eq!(proof.longest_moves, Some(16));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When the table, which says what is optimal, is of another material than the policy.
pub fn prove(policy: &dyn Policy, tablebase: &Tablebase) -> Result<Proof, ProveError> {
    Ok(ProvedGame::new(policy, tablebase)?.proof())
}

/// The moves that a policy holds equal in every legal position of the full board with the strong side
/// to move, White being strong, in the order of the index.
pub fn chosen_moves(policy: &dyn Policy) -> Vec<(Position, MoveList)> {
    let mut all = Vec::new();
    let visited = visit_chosen_moves(policy, |position, moves| {
        all.push((position, moves));
        Ok::<_, Infallible>(())
    });
    let Ok(()) = visited;
    all
}

/// The same one after the other, without holding all of them.
///
/// # Errors
/// Those of the visit, which ends with the first.
pub fn visit_chosen_moves<E>(
    policy: &dyn Policy,
    mut visit: impl FnMut(Position, MoveList) -> Result<(), E>,
) -> Result<(), E> {
    let index = Index::new(policy.material(), Group::Identity);
    for first in (0..index.len()).step_by(TOGETHER) {
        let chosen = (first..index.len().min(first + TOGETHER))
            .into_par_iter()
            .filter_map(|at| index.position(at, Side::Strong))
            .map(|position| (position, policy.choices(&position)));
        for (position, moves) in chosen.collect::<Vec<_>>() {
            visit(position, moves)?;
        }
    }
    Ok(())
}

/// So many places are asked about before what they choose is handed on.
const TOGETHER: usize = 1 << 14;
