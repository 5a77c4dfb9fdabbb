//! The move of a trained player, and its prediction for every move.

use lucena_base::plural::count;
use lucena_chess::{Game, Move};
use lucena_explain::diagram::Mark;
use lucena_explain::{ReasonStep, ReasonedMove, Reasons};
use lucena_roster::Predictions;
use schemars::JsonSchema;
use serde::Serialize;

/// The move of a trained player, and its prediction for every move.
///
/// A prediction goes from 0 to 1. In whole games it is the share of the point that the player expects: 1 for a win, 0
/// for a loss. In the endgame that a player was trained for, it is 1 for mate at once, less the longer the mate takes,
/// and 0 for no mate.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct TrainedMoveReport {
    /// The position, as a FEN.
    pub fen: String,
    /// The reason why the game is over although there is a move, such as the fifty-move rule, in a sentence; null
    /// if it goes on.
    pub drawn: Option<String>,
    /// The player.
    pub player: String,
    /// The move in UCI; null if there is none.
    #[serde(rename = "move")]
    pub uci: Option<String>,
    /// The move in standard algebraic notation.
    pub san: Option<String>,
    /// The prediction for it, from 0 to 1.
    pub prediction: Option<f64>,
    /// All moves, the one with the highest prediction first.
    pub moves: Vec<PredictedMove>,
}

/// A move and the prediction for it.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct PredictedMove {
    /// The move in UCI.
    #[serde(rename = "move")]
    pub uci: String,
    /// The move in standard algebraic notation.
    pub san: String,
    /// The prediction, from 0 to 1.
    pub prediction: f64,
}

/// The report of a trained player's predictions in a position.
pub fn explain_trained(
    player: String,
    predictions: &Predictions,
    game: &Game,
) -> TrainedMoveReport {
    let named = |&(mv, prediction): &(Move, f32)| {
        let (uci, san) = (game.uci(mv).ok()?, game.san(mv).ok()?);
        Some(PredictedMove { uci, san, prediction: f64::from(prediction) })
    };
    let mut moves: Vec<PredictedMove> = predictions.moves.iter().filter_map(named).collect();
    moves.sort_by(|one, other| other.prediction.total_cmp(&one.prediction));
    let played = predictions.played;
    let uci = played.and_then(|mv| game.uci(mv).ok());
    let of_move = moves.iter().find(|mv| Some(&mv.uci) == uci.as_ref());
    TrainedMoveReport {
        fen: game.to_string(),
        drawn: (uci.is_some() && game.status().is_over()).then(|| game.status().to_string()),
        player,
        san: played.and_then(|mv| game.san(mv).ok()),
        prediction: of_move.map(|mv| mv.prediction),
        uci,
        moves,
    }
}

/// The most moves that the reasons list.
const MAX_LISTED: usize = 12;

impl TrainedMoveReport {
    /// The reasons in the form that all players share: the predictions. `None` if there is no move.
    pub fn reasons(&self, game: &Game) -> Option<Reasons> {
        let (uci, san) = (self.uci.clone()?, self.san.clone()?);
        let mv = game.parse_move(&uci).ok()?;
        let mut after = game.clone();
        after.play(mv).ok()?;
        let steps = self.moves.iter().take(MAX_LISTED).map(|predicted| {
            let arrow = game.parse_move(&predicted.uci).map(|mv| Mark::arrow(mv, &predicted.san));
            ReasonStep {
                sentence: format!("{}: {:.3}.", predicted.san, predicted.prediction),
                figures: String::new(),
                marks: arrow.into_iter().collect(),
            }
        });
        let rest = self.moves.len().saturating_sub(MAX_LISTED);
        Some(Reasons {
            reason: self.reason().unwrap_or_default(),
            kind: "trained",
            source: self.player.clone(),
            player: self.player.clone(),
            heading: "What it predicts for each move, from 0 for the worst to 1 for the best:"
                .into(),
            fen_after: after.to_string(),
            steps: steps.collect(),
            verdict: match (rest, &self.drawn) {
                (_, Some(drawn)) => format!("The game is over. {drawn}"),
                (0, None) => String::new(),
                (1, None) => "One more move is not shown.".into(),
                (rest, None) => format!("{rest} more moves are not shown."),
            },
            marks: vec![Mark::arrow(mv, &san)],
            played: ReasonedMove {
                uci,
                san,
                says: format!("predicted {:.3}", self.prediction.unwrap_or_default()),
            },
            ..Reasons::default()
        })
    }

    /// The reason for the move, in a sentence; `None` if there is no move.
    fn reason(&self) -> Option<String> {
        let (san, prediction) = (self.san.as_ref()?, self.prediction?);
        let equal = self.moves.iter().filter(|mv| mv.prediction == prediction).count() as u64;
        let of = count(self.moves.len() as u64, "move", "moves");
        Some(match equal {
            0 | 1 => format!("After {san} it predicts {prediction:.3}, the highest of {of}."),
            _ => format!(
                "After {san} it predicts {prediction:.3}, the highest of {of}. It predicts the same after {equal} of them, and plays the first."
            ),
        })
    }
}
