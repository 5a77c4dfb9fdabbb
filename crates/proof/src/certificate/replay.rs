use super::Difference;
use crate::Reason;
use crate::policy::Policy;
use lucena_chess::{FenError, Move, Position};

/// A written line, to be replayed by the rules alone.
pub(super) struct Replay<'a> {
    /// The name of the line in its certificate.
    pub(super) field: &'static str,
    pub(super) fen: &'a str,
    pub(super) line: &'a [String],
    pub(super) san: &'a [String],
    pub(super) policy: &'a dyn Policy,
}

impl Replay<'_> {
    /// Plays the line to its end, which must be mate, or a failure for the given reason.
    pub(super) fn run(&self, reason: Option<Reason>) -> Result<(), Difference> {
        let start: Position = self
            .fen
            .parse()
            .map_err(|error: FenError| self.fault("fen", self.fen, &error.to_string()))?;
        let played = self.policy.material();
        if start.material() != played {
            return Err(self.fault("fen", self.fen, &format!("the player plays {played}")));
        }
        if start.turn() != self.policy.side() {
            return Err(self.fault("fen", self.fen, "the player has to be to move"));
        }
        let mut position = start;
        let mut before = Vec::new();
        for (number, text) in self.line.iter().enumerate() {
            let fault = |so: &str| self.fault(&format!("line[{number}]"), text, so);
            let mv = text.parse().ok().and_then(|mv| Some((mv, position.play(mv).ok()?)));
            let (mv, after): (Move, _) =
                mv.ok_or_else(|| fault(&format!("not a legal move in {position}")))?;
            let is_players = position.color_to_move() == start.color_to_move();
            // In another endgame the table moves, which cannot be checked here.
            if is_players && position.material() == start.material() {
                before.push(position);
                let choices = self.policy.choices(&position);
                match choices.first() {
                    _ if choices.contains(&mv) => {}
                    Some(chosen) => return Err(fault(&format!("the player moves {chosen}"))),
                    None => return Err(fault("the player has no move")),
                }
            }
            let san = position.san(mv).expect("the move is legal");
            let written = self.san.get(number).map_or("", String::as_str);
            if written != san {
                return Err(self.fault(&format!("san[{number}]"), written, &san));
            }
            position = after;
        }
        if let Some(more) = self.san.get(self.line.len()) {
            return Err(self.fault("san", more, "there is no such move in the line"));
        }
        self.end(reason, &start, &position, &before)
    }

    /// Checks that the last position matches the stated reason.
    fn end(
        &self,
        reason: Option<Reason>,
        start: &Position,
        last: &Position,
        before: &[Position],
    ) -> Result<(), Difference> {
        let has_departed = last.material() != start.material();
        let has_lost = last.material().men() < start.material().men();
        // In another endgame the strong and the weak side may have been exchanged.
        let strong_to_move = last.color_to_move() == start.color_to_move();
        let (is_so, otherwise) = match reason {
            None => (!strong_to_move && last.is_checkmate(), "no mate at the end"),
            Some(Reason::Cycle) => (before.contains(last), "the last position is a new one"),
            Some(Reason::Stalemate) => (last.is_stalemate(), "no stalemate at the end"),
            Some(Reason::LostPiece) => (strong_to_move && has_lost, "no man has been taken"),
            // The rules alone cannot show that it is not won, or that it is lost.
            Some(Reason::OtherEndgame) => (has_departed, "no other endgame at the end"),
            Some(Reason::Lost) => {
                (!strong_to_move || last.is_checkmate(), "the player has a move at the end")
            }
            Some(Reason::NoMove) => {
                let is_stuck = || {
                    let choices = self.policy.choices(last);
                    choices.is_empty() || choices.iter().any(|&mv| last.play(mv).is_err())
                };
                (strong_to_move && !has_departed && is_stuck(), "the player has a move at the end")
            }
        };
        match (is_so, reason) {
            (true, _) => Ok(()),
            (false, Some(reason)) => Err(self.fault("reason", &reason.to_string(), otherwise)),
            (false, None) => {
                Err(self.fault("line", self.line.last().map_or("", String::as_str), otherwise))
            }
        }
    }

    fn fault(&self, place: &str, says: &str, so: &str) -> Difference {
        Difference {
            field: format!("{}.{place}", self.field),
            certificate: says.into(),
            proved: so.into(),
        }
    }
}
