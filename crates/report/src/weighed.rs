//! The values of moves by the table, for any kind of player.

use super::standing::dtm;
use lucena_base::words::count;
use lucena_chess::{IllegalMove, Move, Piece, Position};
use lucena_explain::{GivesAway, Others, Weighed};
use lucena_tablebase::Outcome;
use schemars::JsonSchema;
use serde::Serialize;
use std::io::{self, Write};

/// The move that a player has chosen, and the values of all others.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ChosenMove {
    /// The position, as a FEN.
    pub fen: String,
    /// The endgame, such as KRvK.
    pub material: String,
    /// The player.
    pub player: String,
    /// Plies to mate before the move.
    pub dtm_before: Option<i32>,
    /// The move and its value.
    #[serde(flatten)]
    pub worth: MoveWorth,
    /// Better moves in UCI, best first.
    pub better: Vec<String>,
    /// Equally good moves in UCI.
    pub equal: Vec<String>,
    /// The number of worse moves with the same result.
    pub slower: usize,
    /// The number of moves with a worse result.
    pub worse: usize,
    /// The position, outcome and other moves this was made from.
    #[serde(skip)]
    made_from: (Position, Outcome, Others),
}

/// The value of a move.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct MoveWorth {
    /// The move in UCI.
    #[serde(rename = "move")]
    pub uci: String,
    /// The move in standard algebraic notation.
    pub san: String,
    /// Plies to mate after it, from the opponent's point of view: negative if the opponent is
    /// mated.
    pub dtm_after: Option<i32>,
    /// The way a win is given away: stalemate, lost piece, draw or loss; null if it is not.
    pub gives_away: Option<&'static str>,
    /// The value this was made from.
    #[serde(skip)]
    weighed: Weighed,
}

impl MoveWorth {
    pub(super) fn new(position: &Position, weighed: &Weighed) -> Result<Self, IllegalMove> {
        Ok(Self {
            uci: weighed.mv.to_string(),
            san: position.san(weighed.mv)?,
            dtm_after: dtm(weighed.outcome),
            gives_away: weighed.gives_away.map(GivesAway::name),
            weighed: weighed.clone(),
        })
    }

    /// The value of the move in words.
    pub fn says(&self) -> String {
        match self.weighed.gives_away {
            Some(how) => format!("gives the win away, {}", way(how)),
            None => with_plies(self.weighed.outcome.before_move()),
        }
    }

    /// The position after the move.
    pub fn after(&self) -> &Position {
        &self.weighed.after
    }

    /// The value of the move compared with the chosen one, which mates `cost_plies` sooner, in
    /// words.
    pub fn instead_of(&self, chosen: &Self, cost_plies: Option<i32>) -> String {
        let (san, Weighed { outcome, gives_away, .. }) = (&chosen.san, &self.weighed);
        let outcome = outcome.before_move();
        if self.uci == chosen.uci {
            return format!("{} ({}) is the move that is played.", self.san, self.uci);
        }
        let start = format!("{} ({}) instead", self.san, self.uci);
        match (gives_away, cost_plies) {
            (Some(how), _) => format!("{start}: gives the win away, {}.", way(*how)),
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
        chosen: &Weighed,
        others: &Others,
    ) -> Result<Self, IllegalMove> {
        let ucis = |moves: &[Move]| moves.iter().map(ToString::to_string).collect();
        Ok(Self {
            fen: position.to_string(),
            material: position.material().to_string(),
            player,
            dtm_before: dtm(before),
            worth: MoveWorth::new(position, chosen)?,
            better: ucis(&others.better),
            equal: ucis(&others.equal),
            slower: others.slower,
            worse: others.worse,
            made_from: (*position, before, others.clone()),
        })
    }

    /// Writes the board, and the values of the position and the move.
    pub(super) fn write_head(&self, out: &mut dyn Write) -> io::Result<()> {
        let ((position, before, _), chosen) = (&self.made_from, &self.worth.weighed);
        writeln!(out, "{position:#}\n")?;
        let turn = position.color_to_move();
        writeln!(out, "{}, {turn:?} to move: {}", position.material(), with_plies(*before))?;
        writeln!(out, "{} ({}): {}", self.worth.san, chosen.mv, self.worth.says())
    }

    /// All other moves, in a sentence.
    pub fn others_line(&self) -> String {
        let (position, _, others) = &self.made_from;
        let named = |moves: &[Move]| -> String {
            let sans: Vec<String> = moves.iter().flat_map(|&mv| position.san(mv)).collect();
            sans.join(" ")
        };
        let all = others.better.len() + others.equal.len() + others.slower + others.worse;
        let wins = matches!(self.worth.weighed.outcome, Outcome::Loss(_));
        let mut parts = Vec::new();
        if !others.better.is_empty() {
            parts.push(format!("{} better: {}", others.better.len(), named(&others.better)));
        }
        if !others.equal.is_empty() {
            let alike = if wins { "as quick" } else { "as good" };
            parts.push(format!("{} {alike}: {}", others.equal.len(), named(&others.equal)));
        }
        if others.slower > 0 {
            parts.push(format!("{} slower", others.slower));
        }
        if others.worse > 0 {
            parts.push(format!("{} {}", others.worse, if wins { "not winning" } else { "worse" }));
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

fn way(how: GivesAway) -> String {
    match how {
        GivesAway::Stalemate => "by stalemate".into(),
        GivesAway::Man(piece) => format!("the {} is taken", man(piece)),
        GivesAway::Draw => "to a draw".into(),
        GivesAway::Loss => "to a loss".into(),
    }
}

/// "rook".
pub(super) fn man(piece: Piece) -> String {
    format!("{:?}", piece.role).to_lowercase()
}
