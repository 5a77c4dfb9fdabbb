use lucena_base::graph::Lists;
use lucena_base::work::{Stopped, Watch};
use lucena_chess::symmetry::Group;
use lucena_chess::{Color, Material, Position, Side};
use lucena_play::SearchPolicy;
use lucena_proof::{ProveError, ProvedGame};
use lucena_search::evaluation::{MopUp, MopUpPoints};
use lucena_search::{Algorithm, SearchParams};
use lucena_tablebase::{Index, Tablebase, Wdl};
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
    closed: Option<Closed>,
}

impl<'t> PositionsWon<'t> {
    /// The positions of a table, searched to a depth in plies.
    ///
    /// # Panics
    /// If the depth is out of range.
    pub fn new(tablebase: &'t Tablebase, depth: u8) -> Self {
        let closed =
            if depth <= DEEPEST_PASS { Closed::new(tablebase.material(), depth) } else { None };
        Self { tablebase, depth, closed }
    }

    /// The number of positions on the full board that are won with the strong side to move.
    pub fn winnable(tablebase: &Tablebase) -> u64 {
        let group = Group::of(tablebase.material());
        let index = Index::new(tablebase.material(), group);
        let positions = (0..index.len()).filter_map(|at| index.position(at, Side::Strong));
        let is_won = |position: &Position| {
            let outcome = tablebase.probe(position).expect("the table is of this material");
            outcome.wdl() == Wdl::Win
        };
        positions.filter(is_won).map(|position| group.orbit_len(&position)).sum()
    }

    /// The search that is proved.
    pub fn search(&self) -> SearchParams {
        SearchParams::depth(self.depth).plain(Algorithm::AlphaBeta)
    }

    /// The number of positions on the full board that the search wins with a mop-up.
    ///
    /// # Errors
    /// If the work was stopped.
    pub fn of(&self, mop_up: &MopUp, watch: &dyn Watch) -> Result<u64, Stopped> {
        watch.go_on()?;
        if let Some(closed) = &self.closed {
            return Ok(closed.won(mop_up, self.depth));
        }
        let evaluation = Arc::new(mop_up.clone());
        let policy = SearchPolicy::new(self.tablebase.material(), self.search(), evaluation)
            .expect("it looks at no clock");
        match ProvedGame::watched(&policy, self.tablebase, watch) {
            Ok(game) => Ok(game.proof().won),
            Err(ProveError::Stopped(stopped)) => Err(stopped),
            Err(error) => unreachable!("the policy plays what the table has: {error}"),
        }
    }
}

/// An endgame in which no capture and no promotion leads to a won position.
struct Closed {
    /// By number, with the strong side to move: the number of positions on the full board that the
    /// position stands for; 0 if there is none.
    weights: Vec<u32>,
    /// The moves of the strong side, in the order in which a search tries them.
    moves: Lists<u32, u32>,
    replies: Lists<u32, u32>,
    /// The reversed edges of `replies`.
    replied: Lists<u32, u32>,
    ends: Vec<End>,
    /// The mop-up terms of the positions evaluated at the leaves, all with the same side to move.
    points: Vec<Option<MopUpPoints>>,
    /// Any position of the endgame, to compute the material balance.
    example: Position,
}

/// The state of a position with the weak side to move.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Mate,
    Stalemate,
    /// The weak side can capture, and is no longer lost.
    Capture,
    GoesOn,
}

impl Closed {
    /// Returns `None` if the endgame is not closed.
    fn new(material: Material, depth: u8) -> Option<Self> {
        let group = Group::of(material);
        let index = Index::new(material, group);
        let leaves = if depth % 2 == 1 { Side::Weak } else { Side::Strong };
        let (mut weights, mut ends) = (vec![0; index.len()], vec![End::GoesOn; index.len()]);
        let (mut moves, mut replies) = (Vec::new(), Vec::new());
        let mut points = vec![None; index.len()];
        let mut example = None;
        for at in 0..index.len() {
            let (mut onwards, mut back) = (Vec::new(), Vec::new());
            if let Some(position) = index.position(at, Side::Strong) {
                weights[at] = group.orbit_len(&position) as u32;
                onwards = searched(&position, &index)?;
                example = Some(position);
            }
            if let Some(position) = index.position(at, Side::Weak) {
                (ends[at], back) = replied(&position, &index)?;
            }
            if let Some(position) = index.position(at, leaves) {
                points[at] = Some(MopUpPoints::of(&position.board(), Color::White));
            }
            moves.push(onwards);
            replies.push(back);
        }
        let replies = Lists::new(replies);
        Some(Self {
            weights,
            moves: Lists::new(moves),
            replied: Lists::reversed(replies.iter(), index.len()),
            replies,
            ends,
            points,
            example: example?,
        })
    }

    fn won(&self, mop_up: &MopUp, depth: u8) -> u64 {
        let chosen = self.chosen(&self.after_moves(mop_up, depth));
        let movers = Lists::<u32, u32>::reversed(chosen.iter().map(Option::as_slice), chosen.len());
        let mut open: Vec<usize> = self.replies.iter().map(<[u32]>::len).collect();
        let is_mate = |&at: &u32| self.ends[at as usize] == End::Mate;
        let mut lost: Vec<u32> = (0..self.ends.len() as u32).filter(is_mate).collect();
        let mut won = 0;
        while let Some(after) = lost.pop() {
            for &before in movers.get(after) {
                won += u64::from(self.weights[before as usize]);
                for &after in self.replied.get(before) {
                    open[after as usize] -= 1;
                    if open[after as usize] == 0 && self.ends[after as usize] == End::GoesOn {
                        lost.push(after);
                    }
                }
            }
        }
        won
    }

    /// The values for the strong side of the positions with the weak side to move, as the search
    /// finds them after one ply.
    fn after_moves(&self, mop_up: &MopUp, depth: u8) -> Vec<i32> {
        let more = mop_up.men.balance(&self.example.board());
        let evaluated = self
            .points
            .iter()
            .map(|points| points.as_ref().map_or(0, |points| mop_up.worth(more, points)));
        let mut values: Vec<i32> = evaluated.collect();
        if depth % 2 == 1 {
            for (value, end) in values.iter_mut().zip(&self.ends) {
                match end {
                    End::Mate => *value = MATE,
                    End::Stalemate => *value = 0,
                    End::Capture | End::GoesOn => {}
                }
            }
        } else {
            // No move means stalemate here, since nothing can check the strong king.
            let stalemated = self.moves.iter().map(<[u32]>::is_empty);
            for (value, _) in
                values.iter_mut().zip(stalemated).filter(|(_, is_stalemated)| *is_stalemated)
            {
                *value = 0;
            }
            values = self.before_replies(&values);
        }
        for _ in 0..(depth - 1) / 2 {
            values = self.before_replies(&self.before_moves(&values));
        }
        values
    }

    /// The values with the strong side to move: the best value after its moves.
    fn before_moves(&self, after: &[i32]) -> Vec<i32> {
        let best = |moves: &[u32]| moves.iter().map(|&at| after[at as usize]).max().unwrap_or(0);
        self.moves.iter().map(best).collect()
    }

    /// The values with the weak side to move: the lowest value after its replies. A later mate is
    /// worth less.
    fn before_replies(&self, before: &[i32]) -> Vec<i32> {
        let worst = |(replies, end): (&[u32], &End)| {
            let replies = replies.iter().map(|&at| before[at as usize]);
            match end {
                End::Mate => MATE,
                End::Stalemate => 0,
                End::Capture => replies.min().unwrap_or(0).min(0),
                End::GoesOn => {
                    let worst = replies.min().unwrap_or(0);
                    if worst > MATE / 2 { worst - 1 } else { worst }
                }
            }
        };
        self.replies.iter().zip(&self.ends).map(worst).collect()
    }

    /// The first of the best moves in each position.
    fn chosen(&self, after: &[i32]) -> Vec<Option<u32>> {
        let first_best = |moves: &[u32]| {
            let best = moves.iter().map(|&at| after[at as usize]).max()?;
            moves.iter().copied().find(|&at| after[at as usize] == best)
        };
        self.moves.iter().map(first_best).collect()
    }
}

/// The positions after the strong side's moves; `None` if a move leads to another endgame.
fn searched(position: &Position, index: &Index) -> Option<Vec<u32>> {
    let mut moves = Vec::new();
    position.board().generate_moves(|of_a_man| {
        moves.extend(of_a_man);
        false
    });
    let after = moves.into_iter().map(|mv| {
        let after = position.play(mv).expect("it is a legal move");
        (after.material() == position.material()).then(|| index.of(&after) as u32)
    });
    after.collect()
}

/// The state of a position with the weak side to move, and the replies that keep the material;
/// `None` if a reply leads to another endgame that may be won.
fn replied(position: &Position, index: &Index) -> Option<(End, Vec<u32>)> {
    let mut replies = Vec::new();
    let mut end = End::GoesOn;
    for mv in position.moves() {
        let reply = position.play(mv).expect("it is a legal move");
        if reply.material() == position.material() {
            replies.push(index.of(&reply) as u32);
        } else if reply.is_insufficient_material() {
            end = End::Capture;
        } else {
            return None;
        }
    }
    if replies.is_empty() && end == End::GoesOn {
        end = if position.is_check() { End::Mate } else { End::Stalemate };
    }
    Some((end, replies))
}
