//! The moves of a player in all positions of an endgame, and what is proved of it.

use super::{ApiError, Result};
use lucena_base::progress::{Observer, Progress};
use lucena_chess::{Move, Position, Side};
use lucena_proof::{Proof, ProvedGame, WinsWithinRule};
use lucena_roster::LoadedPlayer;
use lucena_tablebase::{Outcome, TableFolder, Tablebase};
use rayon::prelude::*;

/// The moves of a player in the positions of an endgame with the strong side to move, and their proof.
pub(super) struct PlayedMoves {
    pub(super) proof: Proof,
    /// The won positions in which it wins within the fifty-move rule.
    pub(super) won_within_rule: u64,
    /// The positions that can be won within the fifty-move rule; `None` if the proof does not count them, and no table
    /// was needed for the others.
    pub(super) winnable_within_rule: Option<u64>,
    /// For each canonical position its number, the move and the outcome of best play, the move included.
    pub(super) moves: Vec<(usize, Option<(Move, Outcome)>)>,
}

impl PlayedMoves {
    /// Proves a player, and computes its move in every position.
    pub(super) fn new(
        player: &LoadedPlayer,
        tablebase: &Tablebase,
        zeroing: &TableFolder,
        observer: &dyn Observer,
    ) -> Result<Self> {
        let policy = player.policy(tablebase)?;
        let game = ProvedGame::with_observer(&*policy, tablebase, observer)
            .map_err(ApiError::bad_request)?;
        let proof = game.figures()?;
        let (won_within_rule, winnable_within_rule) = match proof.won_within_rule() {
            Some(won) => (won, proof.winnable_within_rule()),
            None => {
                let zeroing = zeroing.tablebase(tablebase.material(), observer)?;
                let WinsWithinRule { winnable, won } = game.within_rule(&zeroing, observer)?;
                (won, Some(winnable))
            }
        };
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
        tablebase.check_readable()?;
        Ok(Self { proof, won_within_rule, winnable_within_rule, moves })
    }
}
