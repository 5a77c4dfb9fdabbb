//! The values of moves by the table, for any kind of player.

use super::probe::dtm;
use lucena_base::plural::count;
use lucena_chess::{IllegalMove, Material, Move, Piece, Position};
use lucena_explain::{LostWin, OtherMoves, ValuedMove};
use lucena_tablebase::Outcome;
use schemars::JsonSchema;
use serde::{Serialize, Serializer};
use std::fmt::Display;
use std::io::{self, Write};

/// The move that a player has chosen, and the values of all others.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ChosenMove {
    /// The position, as a FEN.
    #[serde(rename = "fen", serialize_with = "as_text")]
    #[schemars(with = "String")]
    pub position: Position,
    /// The endgame, such as KRvK.
    #[serde(serialize_with = "as_text")]
    #[schemars(with = "String")]
    pub material: Material,
    /// The player.
    pub player: String,
    /// Plies to mate before the move.
    #[serde(rename = "dtm_before", serialize_with = "as_dtm")]
    #[schemars(with = "Option<i32>")]
    pub before: Outcome,
    /// The move and its value.
    #[serde(flatten)]
    pub worth: MoveValue,
    /// Better moves in UCI, best first.
    #[serde(serialize_with = "as_texts")]
    #[schemars(with = "Vec<String>")]
    pub better: Vec<Move>,
    /// Equally good moves in UCI.
    #[serde(serialize_with = "as_texts")]
    #[schemars(with = "Vec<String>")]
    pub equal: Vec<Move>,
    /// The number of worse moves with the same result.
    pub slower: usize,
    /// The number of moves with a worse result.
    pub worse: usize,
}

/// The value of a move.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct MoveValue {
    /// The move in UCI.
    #[serde(rename = "move", serialize_with = "as_text")]
    #[schemars(with = "String")]
    pub mv: Move,
    /// The move in standard algebraic notation.
    pub san: String,
    /// Plies to mate after it, from the opponent's point of view: negative if the opponent is
    /// mated.
    #[serde(rename = "dtm_after", serialize_with = "as_dtm")]
    #[schemars(with = "Option<i32>")]
    pub outcome: Outcome,
    /// The way a win is given away: stalemate, lost piece, draw or loss; null if it is not.
    #[schemars(with = "Option<String>")]
    pub gives_away: Option<LostWin>,
}

impl MoveValue {
    pub(super) fn new(position: &Position, weighed: &ValuedMove) -> Result<Self, IllegalMove> {
        let ValuedMove { mv, outcome, gives_away, .. } = *weighed;
        Ok(Self { mv, san: position.san(mv)?, outcome, gives_away })
    }

    /// The value of the move in words.
    pub fn in_words(&self) -> String {
        match self.gives_away {
            Some(how) => format!("gives the win away, {}", way(how)),
            None => with_plies(self.outcome.before_move()),
        }
    }

    /// The value of the move compared with the chosen one, which mates `cost_plies` sooner, in
    /// words.
    pub fn compared_with(&self, chosen: &Self, cost_plies: Option<i32>) -> String {
        let (san, outcome) = (&chosen.san, self.outcome.before_move());
        if self.mv == chosen.mv {
            return format!("{} ({}) is the move that is played.", self.san, self.mv);
        }
        let start = format!("{} ({}) instead", self.san, self.mv);
        match (self.gives_away, cost_plies) {
            (Some(how), _) => format!("{start}: gives the win away, {}.", way(how)),
            (None, Some(0)) => format!("{start}: {outcome}, as quick as {san}."),
            (None, Some(cost)) => {
                let plies = count(cost.unsigned_abs().into(), "ply", "plies");
                let than = if cost > 0 { "later" } else { "sooner" };
                format!("{start}: {outcome}, {plies} {than} than {san}.")
            }
            (None, None) => format!("{start}: {outcome}."),
        }
    }
}

impl ChosenMove {
    pub(super) fn new(
        player: String,
        position: &Position,
        before: Outcome,
        chosen: &ValuedMove,
        others: &OtherMoves,
    ) -> Result<Self, IllegalMove> {
        let OtherMoves { better, equal, slower, worse } = others.clone();
        let (position, worth) = (*position, MoveValue::new(position, chosen)?);
        let material = position.material();
        Ok(Self { position, material, player, before, worth, better, equal, slower, worse })
    }

    /// Writes the board, and the values of the position and the move.
    pub(super) fn write_head(&self, out: &mut dyn Write) -> io::Result<()> {
        let Self { position, material, worth, .. } = self;
        writeln!(out, "{position:#}\n")?;
        let turn = position.color_to_move();
        writeln!(out, "{material}, {turn:?} to move: {}", with_plies(self.before))?;
        writeln!(out, "{} ({}): {}", worth.san, worth.mv, worth.in_words())
    }

    /// All other moves, in a sentence.
    pub fn others_line(&self) -> String {
        let Self { position, better, equal, slower, worse, .. } = self;
        let all = better.len() + equal.len() + slower + worse;
        let wins = matches!(self.worth.outcome, Outcome::Loss(_));
        let mut parts = Vec::new();
        let alike = if wins { "as quick" } else { "as good" };
        for (moves, what) in [(better, "better"), (equal, alike)] {
            if !moves.is_empty() {
                let sans: Vec<String> = moves.iter().flat_map(|&mv| position.san(mv)).collect();
                parts.push(format!("{} {what}: {}", moves.len(), sans.join(" ")));
            }
        }
        if *slower > 0 {
            parts.push(format!("{slower} slower"));
        }
        if *worse > 0 {
            parts.push(format!("{worse} {}", if wins { "not winning" } else { "worse" }));
        }
        match parts.as_slice() {
            [] => format!("There is no other move than {}.", self.worth.san),
            parts => {
                format!("{}: {}.", count(all as u64, "other move", "other moves"), parts.join("; "))
            }
        }
    }
}

/// "mate in 9 (17 plies)".
fn with_plies(outcome: Outcome) -> String {
    match outcome.plies() {
        Some(plies) => format!("{outcome} ({})", count(plies.into(), "ply", "plies")),
        None => outcome.to_string(),
    }
}

fn way(how: LostWin) -> String {
    match how {
        LostWin::Stalemate => "by stalemate".into(),
        LostWin::Man(piece) => format!("the {} is taken", man(piece)),
        LostWin::Draw => "to a draw".into(),
        LostWin::Loss => "to a loss".into(),
    }
}

/// "rook".
pub(super) fn man(piece: Piece) -> String {
    format!("{:?}", piece.role).to_lowercase()
}

/// Writes a value as text.
fn as_text<S: Serializer>(value: &impl Display, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(value)
}

/// Writes values as a list of texts.
pub(super) fn as_texts<S: Serializer>(
    values: &[impl Display],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(values.iter().map(ToString::to_string))
}

/// Writes an outcome as the plies to mate.
fn as_dtm<S: Serializer>(outcome: &Outcome, serializer: S) -> Result<S::Ok, S::Error> {
    dtm(*outcome).serialize(serializer)
}
