//! Proofs of the strength of a policy, from every position and against every defence.
//!
//! A policy picks one move in each position of its side, which is the strong side or the weak one. A position is *won* if that move mates, or if
//! it does not stalemate and every reply leads to a position that is already won: the least fixed point,
//! computed from the mates backwards. A drawn position is *held* if no defence gets to a position that the
//! policy loses. No position is left out, and nothing is assumed about the defender. Positions that are equal up to symmetry
//! are proved once if the policy says that it plays alike on all of them; see [`policy::Policy::symmetries`].
//!
//! Captures and promotions lead to other endgames. The policy does not play these, so their results are taken
//! from the table, as if they were played perfectly.
//!
//! [`prove`] returns a summary; [`ProvedGame`] also keeps the details and answers questions about single
//! positions.

pub mod certificate;
mod cycles;
mod fifty_moves;
mod game;
pub mod graph;
pub mod guarantee;
mod lines;
pub mod measure;
pub mod policy;

use crate::policy::Policy;
use lucena_base::progress::{NoObserver, Stopped};
use lucena_chess::symmetry::Group;
use lucena_chess::{Color, Material, Move, MoveList, Position};
use lucena_tablebase::{Index, Tablebase, UnknownMaterial};
use rayon::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::fmt;

pub use fifty_moves::WinsWithinRule;
pub use game::{ProvedGame, positions_of_part};

/// The result of a proof. Positions are those of the full board with the player's side to move, or a part of them. It is
/// serialised as a summary, without the lines.
#[derive(Debug, Clone, Default, PartialEq, Serialize, JsonSchema)]
pub struct Proof {
    /// All legal positions.
    pub positions: u64,
    /// Those that the player's side wins with best play.
    pub winnable: u64,
    /// Those from which the player mates against every defence.
    pub won: u64,
    /// Those that are drawn with best play.
    pub drawable: u64,
    /// Drawable positions that the player loses against no defence.
    pub held: u64,
    /// The positions in which the chosen move is optimal.
    #[serde(skip)]
    pub optimal: u64,
    /// Moves of the strong side in the longest game from a won position; null if none is won.
    pub longest_moves: Option<u16>,
    /// Mean moves over the optimum, over the won positions; null if none is won.
    pub mean_excess_moves: Option<f64>,
    /// The share of all positions in which the chosen move is an optimal one, from 0 to 1.
    pub optimal_share: f64,
    /// True if every won position is mated before the fifty-move rule can be invoked.
    pub fifty_move_safe: bool,
    /// True if the score that the player's measure can force falls with every move and reply in all positions that
    /// can be won; `None` for a player without a measure.
    #[serde(skip)]
    pub ranking: Option<bool>,
    /// Won positions by their moves over the optimum.
    #[serde(skip)]
    pub excess: BTreeMap<u16, u64>,
    /// The positions that can be won, by the moves to mate with best play.
    #[serde(skip)]
    pub by_distance: BTreeMap<u16, DistanceProof>,
    /// The longest game, from the first position that has a game of that length.
    #[serde(skip)]
    pub longest_line: Option<Mate>,
    /// The refutation from the first position that could be won and is not. If all of these are won, the line
    /// from the first position that could be held and is lost.
    #[serde(skip)]
    pub refutation: Option<Refutation>,
}

/// The result of a proof in the positions at one distance to mate with best play.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct DistanceProof {
    /// The positions.
    pub winnable: u64,
    /// Those from which the player mates against every defence.
    pub won: u64,
    /// Those from which it mates as soon as possible.
    pub in_time: u64,
}

impl Proof {
    /// Returns true if the policy wins every position that can be won.
    pub fn wins_all(&self) -> bool {
        self.won == self.winnable
    }

    /// The won positions in which the policy wins within the fifty-move rule, as far as the proof shows: all, if no won
    /// game is too long for it; `None` if that takes a table of distances to zeroing.
    pub fn won_within_rule(&self) -> Option<u64> {
        self.fifty_move_safe.then_some(self.won)
    }

    /// The positions that can be won within the fifty-move rule, as far as the proof shows; `None` if that takes a
    /// table of distances to zeroing.
    pub fn winnable_within_rule(&self) -> Option<u64> {
        (self.fifty_move_safe && self.wins_all()).then_some(self.winnable)
    }

    /// The greatest number of moves up to which the policy wins every position with a mate in so many moves; `None` if it
    /// does not even win all mates in the least number of moves.
    pub fn wins_up_to(&self) -> Option<u16> {
        let won = self.by_distance.iter().take_while(|(_, proof)| proof.won == proof.winnable);
        won.last().map(|(&moves, _)| moves)
    }

    /// Returns true if the policy loses no position that can be held.
    pub fn holds_all(&self) -> bool {
        self.held == self.drawable
    }
}

/// The result of one position if a policy plays its side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// The policy mates against every defence; the line is the longest resistance.
    Won(Mate),
    /// There is a defence; the line is the shortest one, as far as a limited search finds it.
    NotWon(Refutation),
}

/// A line that ends in mate, with the longest resistance of the other side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mate {
    /// The position that it starts from, with the player to move.
    pub start: Position,
    /// The moves of both sides.
    pub line: Vec<Move>,
}

impl Mate {
    /// Returns the number of moves of the player.
    pub fn moves(&self) -> usize {
        self.line.iter().step_by(2).count()
    }
}

/// A line that shows that a policy does not win.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refutation {
    /// The position that it starts from, with the player to move.
    pub start: Position,
    /// The moves of both sides.
    pub line: Vec<Move>,
    /// The reason why the end of the line does not win.
    pub reason: Reason,
    /// False if the search for the shortest line reached its limit of work, so that there may be a shorter one.
    pub is_shortest: bool,
}

/// The reason why a line does not win.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Reason {
    /// The last position has occurred in the line before: the defender can go on forever.
    Cycle,
    /// The side to move is not in check and has no move.
    Stalemate,
    /// The weak side has captured a man, and the remaining men do not win.
    #[serde(rename = "lost piece")]
    LostPiece,
    /// A promotion, or a capture by the strong side, has led to another endgame that is not won.
    #[serde(rename = "other endgame")]
    OtherEndgame,
    /// The strong side is mated, or will be.
    Lost,
    /// The policy has no move, or an illegal one.
    #[serde(rename = "no move")]
    NoMove,
}

impl fmt::Display for Reason {
    /// Writes the name that reports use, such as "lost piece".
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

/// An error in a proof.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ProveError {
    /// The table is for another endgame than the policy.
    #[error(transparent)]
    Table(#[from] UnknownMaterial),
    /// The policy leaves too many moves tied.
    #[error(
        "the player leaves more than four billion moves of {material} tied: choose one that leaves fewer"
    )]
    TooManyChoices {
        /// The endgame.
        material: Material,
    },
    /// The requested position is of another material than the policy plays.
    #[error(
        "the position is one of {found}, not {played}: take one of {played}, or another player"
    )]
    Material {
        /// The material of the position.
        found: Material,
        /// The material that the policy plays.
        played: Material,
    },
    /// The player is not to move in the requested position.
    #[error(
        "{0:?} is to move, and the player plays the other side: give a position in which {player:?} is to move",
        player = !*.0
    )]
    OtherSideToMove(Color),
    /// The proof was about a part of the endgame, from which the player does not get to the requested position.
    #[error(
        "the player was proved from a part of the endgame, and from there it does not get to the position: give another position, or prove it from a part that has this one"
    )]
    OutsidePart,
    /// The observer asked to stop, or a table file can no longer be read.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

/// Proves a policy on all positions of its material with its side to move.
///
/// A symmetric policy is proved on the representatives of the orbits, each counted with the size of its
/// orbit. Other policies are proved on the full board.
///
/// ```
/// use lucena_proof::policy::TablebasePlayer;
/// use lucena_proof::prove;
/// use lucena_tablebase::Tablebase;
///
/// let tablebase = Tablebase::solve("KRvK".parse()?);
/// let proof = prove(&TablebasePlayer(&tablebase), &tablebase)?;
/// assert_eq!((proof.won, proof.positions), (175_168, 175_168));
/// assert_eq!(proof.longest_moves, Some(16));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the table, which provides the optimal results, is for another material than the policy.
pub fn prove(policy: &dyn Policy, tablebase: &Tablebase) -> Result<Proof, ProveError> {
    Ok(ProvedGame::new(policy, tablebase)?.proof(&NoObserver)?)
}

/// Returns the moves that a policy leaves tied in every legal position of the full board with its side to move,
/// where White is strong, in the order of the index.
pub fn chosen_moves(policy: &dyn Policy) -> Vec<(Position, MoveList)> {
    let mut all = Vec::new();
    let visited = visit_chosen_moves(policy, |position, moves| {
        all.push((position, moves));
        Ok::<_, Infallible>(())
    });
    let Ok(()) = visited;
    all
}

/// Calls `visit` with the result of [`chosen_moves`] for one position after the other, without storing all of
/// them.
///
/// # Errors
/// The first error of `visit`, which ends the traversal.
pub fn visit_chosen_moves<E>(
    policy: &dyn Policy,
    mut visit: impl FnMut(Position, MoveList) -> Result<(), E>,
) -> Result<(), E> {
    // Nobody asks it to stop.
    let _ = policy.prepare_everywhere(&NoObserver);
    let index = Index::new(policy.material(), Group::Identity);
    for first in (0..index.len()).step_by(BATCH) {
        let chosen = (first..index.len().min(first + BATCH))
            .into_par_iter()
            .filter_map(|at| index.position(at, policy.side()))
            .map(|position| (position, policy.choices(&position)));
        for (position, moves) in chosen.collect::<Vec<_>>() {
            visit(position, moves)?;
        }
    }
    Ok(())
}

/// The number of positions whose moves are computed in parallel before they are visited.
const BATCH: usize = 1 << 14;
