//! The part of the game graph of an endgame that a search for theories keeps.

use lucena_chess::Position;
use lucena_proof::graph::{Edge, GraphSpec, Numbering};
use lucena_tablebase::{DistanceClass, Outcome, Tablebase};

pub(super) use lucena_proof::graph::{After, Before, End};

/// A position with the strong side to move.
pub(super) struct BeforeMove {
    /// The number of positions of the full board that it represents.
    pub(super) weight: u32,
    /// Moves to mate; `None` if the position is not won.
    pub(super) moves_to_mate: Option<u16>,
    /// True if it is drawn with best play.
    pub(super) is_drawn: bool,
}

/// A position with the weak side to move.
pub(super) struct AfterMove {
    pub(super) depth: DistanceClass,
    pub(super) end: End,
}

/// A move of the strong side. For a move to another endgame, the weak side's depth there is known.
pub(super) type Choice = Edge<After, DistanceClass>;

impl AfterMove {
    /// Returns the entry for a move into another endgame with this depth.
    pub(super) fn departed(depth: DistanceClass) -> Self {
        let end = match depth {
            DistanceClass::Mated(0) => End::Mate,
            DistanceClass::Mated(moves) => End::Converts(Outcome::Win(2 * moves - 1)),
            DistanceClass::Draw | DistanceClass::Lost => End::Converts(Outcome::Draw),
        };
        Self { depth, end }
    }
}

/// The moves that a player of a theory may choose among, and all replies.
pub(super) struct TheoryMoves<'t>(pub(super) &'t Tablebase);

impl GraphSpec for TheoryMoves<'_> {
    type Before = BeforeMove;
    type After = AfterMove;
    type Move = Choice;
    type Reply = Before;

    fn before(&self, position: &Position, weight: u32) -> Option<BeforeMove> {
        let outcome = self.0.outcome(position);
        let moves_to_mate = match outcome {
            Outcome::Win(_) => outcome.moves(),
            Outcome::Draw | Outcome::Loss(_) => None,
        };
        let is_drawn = outcome == Outcome::Draw && position.has_moves();
        Some(BeforeMove { weight, moves_to_mate, is_drawn })
    }

    /// Returns the moves that a player chooses among, in order, each once.
    fn moves(&self, position: &Position, numbering: &Numbering) -> Vec<Choice> {
        let mut choices: Vec<Choice> = Vec::new();
        position.visit_steps(|step| {
            let after = position.after(step);
            let choice = if step.converts() {
                Edge::Departs(DistanceClass::from(self.0.outcome(&after)))
            } else {
                Edge::Stays(numbering.after(&after))
            };
            if !choices.contains(&choice) {
                choices.push(choice);
            }
        });
        preferred(choices)
    }

    /// Returns the replies, each once; none if the game is over. Positions that no move leads to have replies
    /// too, since the exact guarantee counts their distances.
    fn after(&self, position: &Position, numbering: &Numbering) -> (AfterMove, Vec<Before>) {
        let depth = DistanceClass::from(self.0.outcome(position));
        let (end, mut replies) = numbering.replies(position, |reply| self.0.outcome(reply));
        if end.is_thrown() {
            replies.clear();
        }
        (AfterMove { depth, end }, replies)
    }
}

/// Filters the moves that a player chooses among. The quickest move that wins in another endgame is always
/// played. A move that loses in another endgame is played only if there is no other.
fn preferred(mut choices: Vec<Choice>) -> Vec<Choice> {
    let wins = choices.iter().filter_map(|choice| match choice {
        Edge::Departs(depth @ DistanceClass::Mated(_)) => Some(*depth),
        _ => None,
    });
    if let Some(quickest) = wins.min() {
        return vec![Edge::Departs(quickest)];
    }
    let is_lost = |choice: &Choice| *choice == Edge::Departs(DistanceClass::Lost);
    if choices.iter().all(is_lost) {
        choices.truncate(1);
    } else {
        choices.retain(|choice| !is_lost(choice));
    }
    choices
}
