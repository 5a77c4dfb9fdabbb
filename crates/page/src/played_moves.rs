//! The moves of a player in all positions of an endgame, and what is proved of it.

use super::{ApiError, Result};
use lucena_base::progress::{Observer, Progress};
use lucena_chess::{Move, Position, Side};
use lucena_experiments::roster::LoadedPlayer;
use lucena_proof::{Proof, ProvedGame};
use lucena_tablebase::{Outcome, Tablebase};
use rayon::prelude::*;

/// The moves of a player in the positions of an endgame with the strong side to move, and their proof.
pub(super) struct PlayedMoves {
    pub(super) proof: Proof,
    /// For each canonical position its number, the move and the outcome of best play, the move included.
    pub(super) moves: Vec<(usize, Option<(Move, Outcome)>)>,
}

impl PlayedMoves {
    /// Proves a player, and asks for its move in every position.
    pub(super) fn new(
        player: &LoadedPlayer,
        tablebase: &Tablebase,
        observer: &dyn Observer,
    ) -> Result<Self> {
        let policy = player.policy(tablebase)?;
        let game =
            ProvedGame::with_observer(&*policy, tablebase, observer).map_err(ApiError::nonsense)?;
        let proof = game.proof()?;
        observer.report(Progress { what: "comparing moves", done: 0, total: None });
        let positions: Vec<(usize, Position)> = tablebase
            .canonical_outcomes(Side::Strong)
            .map(|(number, _)| number)
            .zip(tablebase.canonical_positions(Side::Strong).map(|(position, _)| position))
            .collect();
        let moves = positions.par_iter().map(|(number, position)| {
            let mv = policy.choose(position);
            let worth = mv.and_then(|mv| {
                let after = position.play(mv).ok()?;
                Some((mv, tablebase.outcome(&after).before_move()))
            });
            (*number, worth)
        });
        let moves = moves.collect();
        tablebase.intact()?;
        Ok(Self { proof, moves })
    }
}
