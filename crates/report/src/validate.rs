//! The results of games against a defender.

use lucena_base::words::{grouped, percent};
use lucena_base::work::Watch;
use lucena_play::validation::{self, Stratum, Validation, ValidationError};
use lucena_play::{Player, Resistance};
use lucena_tablebase::{Plies, Tablebase, moves_in};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::{self, Write};

/// A player's results in games from random positions.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Validated {
    /// Games played.
    pub games: u64,
    /// Games in which the player mated.
    pub won: u64,
    /// Games without a mate: by stalemate, by the fifty-move rule, in another endgame that is
    /// drawn, or because the player had no move.
    pub drawn: u64,
    /// Games in which the player was mated.
    pub lost: u64,
    /// The share of games won, from 0 to 1.
    pub win_rate: f64,
    /// Wilson's 95 % interval of the win rate: low and high, from 0 to 1.
    pub wilson_95: (f64, f64),
    /// Mean moves over the optimum, over the games won; negative if a weak defence is mated sooner;
    /// null if no game was won.
    pub mean_excess_moves: Option<f64>,
    /// Games by the distance of the start, in plies to mate with best play, without drawn starts.
    pub by_distance: BTreeMap<Plies, Stratum>,
}

/// Plays games from random positions: see [`validation::validate`].
///
/// # Errors
/// If no games are asked for, or the work was stopped.
pub fn validate(
    player: &mut dyn Player,
    tablebase: &Tablebase,
    resistance: Resistance,
    games: u64,
    seed: u64,
    watch: &dyn Watch,
) -> Result<Validated, ValidationError> {
    Ok(validation::validate(player, tablebase, resistance, games, seed, watch)?.into())
}

impl From<Validation> for Validated {
    fn from(validation: Validation) -> Self {
        let win_rate = validation.win_rate();
        let Validation { games, won, drawn, lost, wilson_95, mean_excess_moves, by_distance } =
            validation;
        Self { games, won, drawn, lost, win_rate, wilson_95, mean_excess_moves, by_distance }
    }
}

impl Validated {
    /// Writes the report in sentences.
    ///
    /// # Errors
    /// If writing fails.
    pub fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        let Self { games, won, drawn, lost, .. } = *self;
        let [games, won, drawn, lost] = [games, won, drawn, lost].map(grouped);
        writeln!(out, "{games} games: {won} won, {drawn} drawn, {lost} lost")?;
        let (low, high) = self.wilson_95;
        let [rate, low, high] = [self.win_rate, low, high].map(percent);
        writeln!(out, "  win rate {rate}, likely between {low} and {high} (Wilson, 95 %)")?;
        if let Some(excess) = self.mean_excess_moves {
            // A weak defence may be mated sooner than the best defence.
            let (size, side) = (excess.abs(), if excess < 0.0 { "under" } else { "over" });
            writeln!(out, "  {size:.2} moves {side} the optimum, on average over the games won")?;
        }
        writeln!(out, "\n{:>14} {:>8} {:>8}", "mate in moves", "games", "won")?;
        for (plies, stratum) in &self.by_distance {
            let (games, won) = (grouped(stratum.games), grouped(stratum.won));
            writeln!(out, "{:>14} {games:>8} {won:>8}", moves_in(*plies))?;
        }
        Ok(())
    }
}
