//! The result of training, and its strength.

use super::prove::{ProofSummary, ProveOptions, prove};
use super::{ReportError, timed};
use lucena_base::named::Named;
use lucena_base::plural::{count, grouped, percent};
use lucena_base::progress::{Observer, SharedProgress, Stopped};
use lucena_base::wilson::share;
use lucena_chess::{Color, Game, Status};
use lucena_play::{Player, RandomPlayer};
use lucena_tablebase::Tablebase;
use lucena_train::{
    ChessLearner, ChessWeights, EndgameLearner, EndgameWeights, GameScore, LearnedLookAhead,
    LearnedPlayer, LearnedPolicy, Learner, ModelKind, Tally, TrainingMismatch, train,
};
use rayon::prelude::*;
use schemars::JsonSchema;
use serde::Serialize;
use std::io::{self, Write};
use std::path::Path;

/// The result of training, and its strength.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct TrainReport {
    /// The game it plays: an endgame, such as KRvK, or chess.
    pub plays: String,
    /// The kind of the trained function: a sum of weights (linear, pairs) or a network.
    pub kind: ModelKind,
    /// The number of weights.
    pub weights: usize,
    /// Games learned from.
    pub games: u64,
    /// Games of earlier runs that this one resumed from.
    pub games_before: u64,
    /// The seed of the games.
    pub seed: u64,
    /// Seconds of training in this run.
    pub seconds: f64,
    /// The proved strength of its moves in an endgame, looking one ply ahead; null for chess.
    pub worth: Option<ProofSummary>,
    /// Games of chess against random moves, without learning, looking one ply ahead; null for an
    /// endgame.
    pub against_random: Option<GameTotals>,
}

/// The results of some games.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
pub struct GameTotals {
    /// Games played.
    pub games: u64,
    /// Games won, drawn and lost.
    #[serde(flatten)]
    pub tally: Tally,
    /// The share of games won, from 0 to 1; null without games.
    pub win_rate: Option<f64>,
}

/// Trains weights for the endgame of a table and proves their strength. With a file, training
/// resumes from it and saves to it.
///
/// # Errors
/// If the weights are for another endgame, the file cannot be used, or the work was stopped.
pub fn train_endgame(
    weights: EndgameWeights,
    tablebase: &Tablebase,
    path: Option<&Path>,
    observer: &dyn Observer,
) -> Result<TrainReport, ReportError> {
    let (material, table) = (weights.material(), tablebase.material());
    if material != table {
        return Err(TrainingMismatch::Endgame { material, table }.into());
    }
    let mut learner = EndgameLearner::resumed(tablebase, weights, path)?;
    let games_before = learner.games_done();
    let (trained, seconds) = timed(|| train(&mut learner, path, observer));
    trained?;
    let weights = learner.weights();
    let policy = LearnedPolicy::new(weights, tablebase)?;
    let proved = prove(&policy, tablebase, ProveOptions::default(), observer)?;
    Ok(TrainReport {
        plays: material.to_string(),
        kind: weights.params().kind,
        weights: weights.count(),
        games: learner.games_done(),
        games_before,
        seed: weights.params().seed,
        seconds,
        worth: Some(proved.worth),
        against_random: None,
    })
}

/// Trains weights for full games of chess and plays them against random moves. With a file,
/// training resumes from it and saves to it.
///
/// # Errors
/// If the file cannot be used, or the work was stopped.
pub fn train_chess(
    weights: ChessWeights,
    games: u64,
    path: Option<&Path>,
    observer: &dyn Observer,
) -> Result<TrainReport, ReportError> {
    let mut learner = ChessLearner::resumed(weights, path)?;
    let games_before = learner.games_done();
    let (trained, seconds) = timed(|| train(&mut learner, path, observer));
    trained?;
    let weights = learner.weights();
    let against_random = against_random(weights, games, observer)?;
    Ok(TrainReport {
        plays: "chess".into(),
        kind: ModelKind::Linear,
        weights: ChessWeights::COUNT,
        games: learner.games_done(),
        games_before,
        seed: weights.params().seed,
        seconds,
        worth: None,
        against_random: Some(against_random),
    })
}

/// Games from the initial position against random moves, with alternating colours.
fn against_random(
    weights: &ChessWeights,
    games: u64,
    observer: &dyn Observer,
) -> Result<GameTotals, Stopped> {
    let whole = SharedProgress::new(observer, "games against random moves", games);
    let numbers = (0..games).into_par_iter();
    let scores: Result<Vec<GameScore>, Stopped> = numbers
        .map(|number| {
            observer.check()?;
            let player = LearnedPlayer { weights: weights.clone(), plies: LearnedLookAhead::One };
            let color = if number % 2 == 0 { Color::White } else { Color::Black };
            let score = play(player, color, RandomPlayer::new(number));
            whole.add(1);
            Ok(score)
        })
        .collect();
    let tally: Tally = scores?.into_iter().collect();
    Ok(GameTotals { games, tally, win_rate: share(tally.won, games) })
}

fn play(mut player: LearnedPlayer, color: Color, mut opponent: RandomPlayer) -> GameScore {
    let mut game = Game::new();
    while game.status() == Status::InProgress {
        let mv = match game.turn() == color {
            true => player.play(&game, None),
            false => opponent.play(&game, None),
        };
        if mv.is_none_or(|mv| game.play(mv).is_err()) {
            break;
        }
    }
    GameScore::from_status(game.status(), color)
}

impl TrainReport {
    /// Writes the report in sentences.
    pub fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        let Self { plays, kind, games, games_before, seed, seconds, .. } = self;
        let what = match kind {
            ModelKind::Network => "network",
            ModelKind::Linear | ModelKind::Pairs => "sum",
        };
        let (kind, weights) = (kind.name(), count(self.weights as u64, "weight", "weights"));
        let all = count(*games, "game", "games");
        writeln!(out, "{plays}, {kind}: a {what} of {weights}, {all}, seed {seed}")?;
        if *games_before > 0 {
            let before = count(*games_before, "game", "games");
            writeln!(out, "  resumed from the file: {before}")?;
        }
        writeln!(out, "  trained in {seconds:.1} s")?;
        if let Some(worth) = &self.worth {
            writeln!(out, "  proved, one ply ahead: {}", worth.sentence())?;
            if let Some(share) = worth.share_won() {
                writeln!(out, "  of those that can be won: {}", percent(share))?;
            }
            if let Some(line) = worth.refutation_line() {
                writeln!(out, "  {line}")?;
            }
        }
        if let Some(GameTotals { games: games @ 1.., tally, .. }) = self.against_random {
            let Tally { won, drawn, lost } = tally;
            let [games, won, drawn, lost] = [games, won, drawn, lost].map(grouped);
            write!(out, "  against random moves, one ply ahead, learning off: ")?;
            writeln!(out, "{won} of {games} won, {drawn} drawn, {lost} lost")?;
        }
        Ok(())
    }
}
