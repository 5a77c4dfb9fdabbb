use lucena_chess::symmetry::Group;
use lucena_chess::{Position, Side};
use lucena_tablebase::{Index, Outcome, Tablebase, Wdl};
use rayon::prelude::*;

/// The game graph of an endgame over numbers of canonical positions, so that many games can be
/// played quickly.
pub(super) struct Ways {
    pub(super) index: Index,
    /// The positions with the strong side to move that it wins with best play.
    pub(super) starts: Vec<u32>,
    /// By number, with the strong side to move: the target of each move.
    pub(super) moves: Vec<Vec<Way>>,
    /// By number, with the weak side to move: the replies.
    pub(super) replies: Vec<Replies>,
}

/// The target of a move.
#[derive(Clone, Copy)]
pub(super) enum Way {
    /// The number of a position of the endgame, with the other side to move.
    On(u32),
    /// Another endgame; the value comes from the table.
    Away(f32),
}

/// The replies of the weak side.
pub(super) enum Replies {
    /// The position does not exist.
    None,
    /// The game is over; this is its value.
    Over(f32),
    /// The targets of the replies. The first `best` of them resist longest.
    Ways { ways: Vec<Way>, best: usize },
}

impl Ways {
    /// The graph of a table's endgame. The value of a mate is multiplied by `discount` for each
    /// move it takes.
    pub(super) fn new(tablebase: &Tablebase, discount: f32) -> Self {
        let material = tablebase.material();
        let index = Index::new(material, Group::of(material));
        let numbers = || (0..index.len()).into_par_iter().with_min_len(256);
        let outcome = |position: &Position| {
            tablebase.probe(position).expect("the table has the endgame and what it leads to")
        };
        // If the endgame changes, the side to move keeps its name.
        let way = |after: &Position, turn: Side| match after.material() == material {
            true => Way::On(index.of(after) as u32),
            false => Way::Away(worth(outcome(after), turn, discount)),
        };
        let is_won = |at: &usize| {
            let position = index.position(*at, Side::Strong);
            position.is_some_and(|position| matches!(outcome(&position), Outcome::Win(_)))
        };
        let starts = numbers().filter(is_won).map(|at| at as u32).collect();
        let moves_at = |at| {
            let mut ways = Vec::new();
            if let Some(position) = index.position(at, Side::Strong) {
                position.visit_steps(|step| ways.push(way(&position.after(step), Side::Weak)));
            }
            ways
        };
        let replies_at = |at| {
            let Some(position) = index.position(at, Side::Weak) else { return Replies::None };
            let outcomes = tablebase.probe_moves(&position).expect("the table has the endgame");
            let Some(&(.., longest)) = outcomes.first() else {
                return Replies::Over(worth(outcome(&position), Side::Weak, discount));
            };
            let best = outcomes.iter().filter(|(.., outcome)| *outcome == longest).count();
            let ways = outcomes.iter().map(|(_, after, _)| way(after, Side::Strong)).collect();
            Replies::Ways { ways, best }
        };
        let (moves, replies) =
            (numbers().map(moves_at).collect(), numbers().map(replies_at).collect());
        Self { index, starts, moves, replies }
    }

    /// The number of position numbers.
    pub(super) fn len(&self) -> usize {
        self.replies.len()
    }
}

/// The value of a position for the strong side, from the outcome for the side to move: a later mate
/// counts less, a draw is 0, being mated is negative.
pub(super) fn worth(outcome: Outcome, turn: Side, discount: f32) -> f32 {
    let moves = outcome.moves().unwrap_or(0);
    let mate = (0..moves).fold(1.0, |worth, _| worth * discount);
    match (outcome.wdl(), turn) {
        (Wdl::Draw, _) => 0.0,
        (Wdl::Win, Side::Strong) | (Wdl::Loss, Side::Weak) => mate,
        (Wdl::Loss, Side::Strong) | (Wdl::Win, Side::Weak) => -mate,
    }
}
