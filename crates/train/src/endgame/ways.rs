use lucena_chess::symmetry::Group;
use lucena_chess::{Position, Side};
use lucena_tablebase::{Index, Outcome, Tablebase, Wdl};
use rayon::prelude::*;

/// Where the moves of an endgame lead, as numbers of canonical positions, so that many games can be
/// played in little time.
pub(super) struct Ways {
    pub(super) index: Index,
    /// The positions that the strong side wins with best play, it being its turn.
    pub(super) starts: Vec<u32>,
    /// By number, with the strong side to move: where each move leads.
    pub(super) moves: Vec<Vec<Way>>,
    /// By number, with the weak side to move.
    pub(super) replies: Vec<Replies>,
}

/// Where a move leads.
#[derive(Clone, Copy)]
pub(super) enum Way {
    /// To this position of the endgame, the other side to move.
    On(u32),
    /// To another endgame, where the table knows what is to come.
    Away(f32),
}

/// What the weak side can do.
pub(super) enum Replies {
    /// There is no such position.
    None,
    /// The game is over, and worth this.
    Over(f32),
    /// It moves; as many as are said, which come first, resist longest.
    Ways { ways: Vec<Way>, best: usize },
}

impl Ways {
    /// The ways of a table's endgame. A mate after so many more moves is worth the discount to that
    /// power.
    pub(super) fn new(tablebase: &Tablebase, discount: f32) -> Self {
        let material = tablebase.material();
        let index = Index::new(material, Group::of(material));
        let numbers = || (0..index.len()).into_par_iter().with_min_len(256);
        let outcome = |position: &Position| {
            tablebase.probe(position).expect("the table has the endgame and what it leads to")
        };
        // The side that is to move after the move keeps its name where the endgame changes.
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
            let Some(&(_, longest)) = outcomes.first() else {
                return Replies::Over(worth(outcome(&position), Side::Weak, discount));
            };
            let best = outcomes.iter().filter(|(_, outcome)| *outcome == longest).count();
            let after = |mv| position.play(mv).expect("the table's moves are legal");
            let ways = outcomes.iter().map(|&(mv, _)| way(&after(mv), Side::Strong)).collect();
            Replies::Ways { ways, best }
        };
        let (moves, replies) =
            (numbers().map(moves_at).collect(), numbers().map(replies_at).collect());
        Self { index, starts, moves, replies }
    }

    /// How many numbers there are.
    pub(super) fn len(&self) -> usize {
        self.replies.len()
    }
}

/// What a position is worth to the strong side, by the outcome for the side to move: a mate counts
/// for less the later it comes, a draw for nothing, and to be mated for less than nothing.
pub(super) fn worth(outcome: Outcome, turn: Side, discount: f32) -> f32 {
    let moves = outcome.moves().unwrap_or(0);
    let mate = (0..moves).fold(1.0, |worth, _| worth * discount);
    match (outcome.wdl(), turn) {
        (Wdl::Draw, _) => 0.0,
        (Wdl::Win, Side::Strong) | (Wdl::Loss, Side::Weak) => mate,
        (Wdl::Loss, Side::Strong) | (Wdl::Win, Side::Weak) => -mate,
    }
}
