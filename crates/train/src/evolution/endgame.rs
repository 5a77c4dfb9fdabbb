use lucena_base::csr::Csr;
use lucena_base::index_vec::IndexVec;
use lucena_base::progress::{Observer, Stopped};
use lucena_chess::symmetry::Group;
use lucena_chess::{Color, Game, Material, Position, Side};
use lucena_play::SearchPolicy;
use lucena_proof::graph::{After, Before, EndgameGraph, GraphSpec, Numbering};
use lucena_proof::{ProveError, ProvedGame};
use lucena_search::evaluation::{MopUp, MopUpPoints};
use lucena_search::{Algorithm, SearchParams};
use lucena_tablebase::{Tablebase, Wdl};
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
        let group = Group::of(tablebase.material());
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
            Ok(game) => Ok(game.proof()?.won),
            Err(ProveError::Stopped(stopped)) => Err(stopped),
            Err(error) => unreachable!("the policy plays what the table has: {error}"),
        }
    }
}

/// An endgame in which no capture and no promotion leads to a won position.
struct ClosedEndgameGraph {
    graph: EndgameGraph<SearchOrder>,
    /// By position with the strong side to move: the positions from which a reply leads to it.
    replied: Csr<Before, After>,
    /// The mop-up terms of the positions evaluated at the leaves, all with the same side to move.
    points: Vec<MopUpPoints>,
    /// Any position of the endgame, to compute the material balance.
    example: Position,
}

/// The moves of an endgame in the order in which a search tries them.
struct SearchOrder;

/// The state of a position with the weak side to move.
#[derive(Clone, Copy, PartialEq, Eq)]
enum WeakState {
    Mate,
    Stalemate,
    /// The weak side can capture, and is no longer lost.
    Capture,
    /// A reply leads to another endgame that may be won.
    Open,
    GoesOn,
}

impl GraphSpec for SearchOrder {
    /// The number of positions on the full board that the position stands for.
    type Before = u32;
    type After = WeakState;
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

    fn after(&self, position: &Position, numbering: &Numbering) -> (WeakState, Vec<Before>) {
        let (mut end, mut replies) = (WeakState::GoesOn, Vec::new());
        position.visit_steps(|step| {
            let reply = position.after(step);
            if !step.converts() {
                replies.extend(numbering.before(&reply));
            } else if !reply.is_insufficient_material() {
                end = WeakState::Open;
            } else if end != WeakState::Open {
                end = WeakState::Capture;
            }
        });
        if replies.is_empty() && end == WeakState::GoesOn {
            end = if position.is_check() { WeakState::Mate } else { WeakState::Stalemate };
        }
        (end, replies)
    }
}

impl ClosedEndgameGraph {
    /// Returns `None` if the endgame is not closed.
    fn new(material: Material, depth: u8) -> Option<Self> {
        // Otherwise the strong side can capture or promote.
        if !material.is_bare(Side::Weak) || material.has_pawns() {
            return None;
        }
        let Ok(graph) = EndgameGraph::new(material, &SearchOrder, |_| Ok::<_, Infallible>(()));
        if graph.afters.iter().any(|end| *end == WeakState::Open) {
            return None;
        }
        let points = |position: Position| MopUpPoints::of(&position.board(), Color::White);
        let points = match depth % 2 {
            1 => graph.numbering.afters().map(points).collect(),
            _ => graph.numbering.befores().map(points).collect(),
        };
        let example = graph.numbering.befores().find_first(|_| true)?;
        let replied = Csr::reversed(graph.replies.iter(), graph.befores.len());
        Some(Self { graph, replied, points, example })
    }

    fn won(&self, mop_up: &MopUp, depth: u8) -> u64 {
        let EndgameGraph { befores: weights, afters: ends, replies, .. } = &self.graph;
        let chosen = self.chosen(&self.after_moves(mop_up, depth));
        let movers: Csr<After, Before> =
            Csr::reversed(chosen.iter().map(Option::as_slice), ends.len());
        let open = replies.iter().map(<[Before]>::len);
        let mut open: IndexVec<After, usize> = open.collect();
        let mut lost: Vec<After> = ends.ids().filter(|&at| ends[at] == WeakState::Mate).collect();
        let mut won = 0;
        while let Some(after) = lost.pop() {
            for &before in movers.get(after) {
                won += u64::from(weights[before]);
                for &after in self.replied.get(before) {
                    open[after] -= 1;
                    if open[after] == 0 && ends[after] == WeakState::GoesOn {
                        lost.push(after);
                    }
                }
            }
        }
        won
    }

    /// The values for the strong side of the positions with the weak side to move, as the search
    /// finds them after one ply.
    fn after_moves(&self, mop_up: &MopUp, depth: u8) -> IndexVec<After, i32> {
        let more = mop_up.men.balance(&self.example.board());
        let evaluated = self.points.iter().map(|points| mop_up.value(more, points));
        let mut values = if depth % 2 == 1 {
            let value = |(end, value): (&WeakState, i32)| match end {
                WeakState::Mate => MATE,
                WeakState::Stalemate => 0,
                WeakState::Capture | WeakState::Open | WeakState::GoesOn => value,
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
        let worst = |(replies, end): (&[Before], &WeakState)| {
            let replies = replies.iter().map(|&at| before[at]);
            match end {
                WeakState::Mate => MATE,
                WeakState::Stalemate => 0,
                WeakState::Capture | WeakState::Open => replies.min().unwrap_or(0).min(0),
                WeakState::GoesOn => {
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
