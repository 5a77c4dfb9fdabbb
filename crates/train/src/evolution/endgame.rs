use lucena_base::csr::Csr;
use lucena_base::index_vec::IndexVec;
use lucena_base::progress::{Observer, Stopped};
use lucena_chess::symmetry::Group;
use lucena_chess::{Color, Game, Material, Position, Side};
use lucena_play::SearchPolicy;
use lucena_proof::graph::{
    After, Before, End, EndgameGraph, GraphSpec, Numbering, ReversedReplies, Worklist,
};
use lucena_proof::{ProveError, ProvedGame};
use lucena_search::evaluation::{MopUp, MopUpPoints};
use lucena_search::{Algorithm, SearchParams};
use lucena_tablebase::{Outcome, Tablebase, Wdl};
use rayon::prelude::*;
use std::convert::Infallible;
use std::sync::Arc;

/// The value of a mate, above any evaluation.
const MATE: i32 = 1_000_000;
/// Deeper searches see repetitions, which a pass over all positions does not.
const DEEPEST_PASS: u8 = 3;

/// Counts the positions of an endgame that a plain search of fixed depth wins with a given mop-up.
/// The count is proved.
///
/// If no capture or promotion can lead to a won position, the terms of the mop-up are computed once
/// for all positions. Evaluating a set of weights then takes a few milliseconds.
pub struct PositionsWon<'t> {
    tablebase: &'t Tablebase,
    depth: u8,
    /// `None` if the search can reach other endgames.
    closed: Option<ClosedEndgameGraph>,
}

impl<'t> PositionsWon<'t> {
    /// The positions of a table, searched to a depth in plies.
    ///
    /// # Panics
    /// If the depth is out of range.
    pub fn new(tablebase: &'t Tablebase, depth: u8) -> Self {
        let closed = if depth <= DEEPEST_PASS {
            ClosedEndgameGraph::new(tablebase.material(), depth)
        } else {
            None
        };
        Self { tablebase, depth, closed }
    }

    /// The number of positions on the full board that are won with the strong side to move.
    pub fn winnable(tablebase: &Tablebase) -> u64 {
        let group = Group::new(tablebase.material());
        let positions = tablebase.canonical_positions(Side::Strong);
        let won = positions.filter(|(_, outcome)| outcome.wdl() == Wdl::Win);
        won.map(|(position, _)| group.orbit_len(&position)).sum()
    }

    /// The search that is proved.
    pub fn search(&self) -> SearchParams {
        SearchParams::depth(self.depth).plain(Algorithm::AlphaBeta)
    }

    /// The number of positions on the full board that the search wins with a mop-up.
    ///
    /// # Errors
    /// If the work was stopped.
    pub fn of(&self, mop_up: &MopUp, observer: &dyn Observer) -> Result<u64, Stopped> {
        observer.check()?;
        if let Some(closed) = &self.closed {
            return Ok(closed.won(mop_up, self.depth));
        }
        let evaluation = Arc::new(mop_up.clone());
        let policy = SearchPolicy::new(self.tablebase.material(), self.search(), evaluation)
            .expect("it looks at no clock");
        match ProvedGame::with_observer(&policy, self.tablebase, observer) {
            Ok(game) => Ok(game.figures()?.won),
            Err(ProveError::Stopped(stopped)) => Err(stopped),
            Err(error) => unreachable!("the policy plays what the table has: {error}"),
        }
    }
}

/// An endgame in which no capture and no promotion leads to a won position.
struct ClosedEndgameGraph {
    graph: EndgameGraph<SearchOrder>,
    replies: ReversedReplies<Before>,
    /// The mop-up terms of the positions evaluated at the leaves, all with the same side to move.
    points: Vec<MopUpPoints>,
    /// Any position of the endgame, to compute the material balance.
    example: Position,
}

/// The moves of an endgame in the order in which a search tries them.
struct SearchOrder;

impl GraphSpec for SearchOrder {
    /// The number of positions on the full board that the position stands for.
    type Before = u32;
    /// A capture draws.
    type After = End;
    type Move = After;
    type Reply = Before;

    fn before(&self, _: &Position, weight: u32) -> Option<u32> {
        Some(weight)
    }

    fn moves(&self, position: &Position, numbering: &Numbering) -> Vec<After> {
        let moves = Game::from(*position).moves().into_iter();
        let after = moves.map(|mv| position.play(mv).expect("it is a legal move"));
        after.map(|after| numbering.after(&after)).collect()
    }

    fn after(&self, position: &Position, numbering: &Numbering) -> (End, Vec<Before>) {
        numbering.replies(position, |_| Outcome::Draw)
    }
}

impl ClosedEndgameGraph {
    /// Returns `None` if the endgame is not closed.
    fn new(material: Material, depth: u8) -> Option<Self> {
        // Otherwise the strong side can capture or promote, or mate with fewer men.
        if !material.is_bare(Side::Weak) || !material.is_won_without_zeroing() {
            return None;
        }
        let Ok(graph) = EndgameGraph::new(material, &SearchOrder, |_| Ok::<_, Infallible>(()));
        let points = |position: Position| MopUpPoints::new(&position.board(), Color::White);
        let points = match depth % 2 {
            1 => graph.numbering.afters().map(points).collect(),
            _ => graph.numbering.befores().map(points).collect(),
        };
        let example = graph.numbering.befores().find_first(|_| true)?;
        let can_lose = |after| !graph.afters[after].is_thrown();
        let replies = ReversedReplies::new(&graph.replies, graph.befores.len(), can_lose);
        Some(Self { graph, replies, points, example })
    }

    fn won(&self, mop_up: &MopUp, depth: u8) -> u64 {
        let chosen = self.chosen(&self.after_moves(mop_up, depth));
        let movers: Csr<After, Before> =
            Csr::reversed(chosen.iter().map(Option::as_slice), self.graph.afters.len());
        let mut won = 0;
        Worklist::new(&self.replies).run(Vec::new(), |after, _, newly_won| {
            for &before in movers.get(after) {
                won += u64::from(self.graph.befores[before]);
                newly_won.push(before);
            }
        });
        won
    }

    /// The values for the strong side of the positions with the weak side to move, as the search
    /// finds them after one ply.
    fn after_moves(&self, mop_up: &MopUp, depth: u8) -> IndexVec<After, i32> {
        let more = mop_up.men.balance(&self.example.board());
        let evaluated = self.points.iter().map(|points| mop_up.value(more, points));
        let mut values = if depth % 2 == 1 {
            let value = |(end, value): (&End, i32)| match end {
                End::Mate => MATE,
                End::Stalemate => 0,
                End::Converts(_) | End::GoesOn => value,
            };
            self.graph.afters.iter().zip(evaluated).map(value).collect()
        } else {
            // No move means stalemate here, since nothing can check the strong king.
            let value = |(moves, value): (&[After], i32)| if moves.is_empty() { 0 } else { value };
            self.before_replies(&self.graph.moves.iter().zip(evaluated).map(value).collect())
        };
        for _ in 0..(depth - 1) / 2 {
            values = self.before_replies(&self.before_moves(&values));
        }
        values
    }

    /// The values with the strong side to move: the best value after its moves.
    fn before_moves(&self, after: &IndexVec<After, i32>) -> IndexVec<Before, i32> {
        let best = |moves: &[After]| moves.iter().map(|&at| after[at]).max().unwrap_or(0);
        self.graph.moves.iter().map(best).collect()
    }

    /// The values with the weak side to move: the lowest value after its replies. A later mate is
    /// worth less.
    fn before_replies(&self, before: &IndexVec<Before, i32>) -> IndexVec<After, i32> {
        let worst = |(replies, end): (&[Before], &End)| {
            let replies = replies.iter().map(|&at| before[at]);
            match end {
                End::Mate => MATE,
                End::Stalemate => 0,
                End::Converts(_) => replies.min().unwrap_or(0).min(0),
                End::GoesOn => {
                    let worst = replies.min().unwrap_or(0);
                    if worst > MATE / 2 { worst - 1 } else { worst }
                }
            }
        };
        self.graph.replies.iter().zip(self.graph.afters.iter()).map(worst).collect()
    }

    /// The first of the best moves in each position.
    fn chosen(&self, after: &IndexVec<After, i32>) -> Vec<Option<After>> {
        let first_best = |moves: &[After]| {
            let best = moves.iter().map(|&at| after[at]).max()?;
            moves.iter().copied().find(|&at| after[at] == best)
        };
        self.graph.moves.iter().map(first_best).collect()
    }
}
