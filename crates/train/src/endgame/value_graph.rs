use lucena_chess::{Position, Side};
use lucena_proof::graph::{After, Before, Edge, End, EndgameGraph, GraphSpec, Numbering};
use lucena_tablebase::{Outcome, Tablebase, Wdl};
use std::convert::Infallible;

/// A move or a reply. Of one that leads to another endgame, the value there is known.
pub(super) type Target<I> = Edge<I, f32>;

/// The game graph of an endgame with all moves and replies, so that many games can be played quickly.
pub(super) type ValueGraph<'t> = EndgameGraph<TableValues<'t>>;

/// The values of a table. The value of a mate is multiplied by `discount` for each move it takes.
pub(super) struct TableValues<'t> {
    tablebase: &'t Tablebase,
    discount: f32,
}

/// The turn of the weak side.
#[derive(Clone, Copy)]
pub(super) enum Turn {
    /// The game is over; this is its value.
    Over(f32),
    /// The first `best` of the replies resist longest.
    Replies { best: usize },
}

impl<'t> TableValues<'t> {
    /// The graph of a table's endgame.
    pub(super) fn ways(tablebase: &'t Tablebase, discount: f32) -> ValueGraph<'t> {
        let valued = Self { tablebase, discount };
        let Ok(ways) =
            EndgameGraph::new(tablebase.material(), &valued, |_| Ok::<_, Infallible>(()));
        ways
    }

    fn outcome(&self, position: &Position) -> Outcome {
        self.tablebase.outcome(position)
    }

    /// The move to a position. If the endgame changes, the side to move keeps its name.
    fn way<I>(&self, after: &Position, turn: Side, number: impl FnOnce() -> I) -> Target<I> {
        match after.material() == self.tablebase.material() {
            true => Edge::Stays(number()),
            false => Edge::Departs(value(self.outcome(after), turn, self.discount)),
        }
    }
}

impl GraphSpec for TableValues<'_> {
    /// True if the strong side wins with best play.
    type Before = bool;
    type After = Turn;
    type Move = Target<After>;
    type Reply = Target<Before>;

    fn before(&self, position: &Position, _: u32) -> Option<bool> {
        Some(matches!(self.outcome(position), Outcome::Win(_)))
    }

    fn moves(&self, position: &Position, numbering: &Numbering) -> Vec<Target<After>> {
        let mut ways = Vec::new();
        position.visit_steps(|step| {
            let after = position.after(step);
            ways.push(self.way(&after, Side::Weak, || numbering.after(&after)));
        });
        ways
    }

    fn after(&self, position: &Position, numbering: &Numbering) -> (Turn, Vec<Target<Before>>) {
        let outcomes = self.tablebase.outcomes(position);
        let best = outcomes.iter().filter(|(.., outcome)| *outcome == outcomes[0].2).count();
        let turn = match End::new(position, |_| Outcome::Draw, |_| ()) {
            End::Mate => Turn::Over(1.0),
            End::Stalemate => Turn::Over(0.0),
            End::Converts(_) | End::GoesOn => Turn::Replies { best },
        };
        let ways = outcomes.iter().map(|(_, reply, _)| {
            let number = || numbering.before(reply).expect("every legal position has a number");
            self.way(reply, Side::Strong, number)
        });
        (turn, ways.collect())
    }
}

/// The value of a position for the strong side, from the outcome for the side to move: a later mate
/// counts less, a draw is 0, being mated is negative.
pub(super) fn value(outcome: Outcome, turn: Side, discount: f32) -> f32 {
    let moves = outcome.moves().unwrap_or(0);
    let mate = (0..moves).fold(1.0, |worth, _| worth * discount);
    match (outcome.wdl(), turn) {
        (Wdl::Draw, _) => 0.0,
        (Wdl::Win, Side::Strong) | (Wdl::Loss, Side::Weak) => mate,
        (Wdl::Loss, Side::Strong) | (Wdl::Win, Side::Weak) => -mate,
    }
}
