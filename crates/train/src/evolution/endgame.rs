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

/// A mate is worth more than anything that is evaluated.
const MATE: i32 = 1_000_000;
/// Deeper searches see positions come back, which a pass over all positions does not.
const DEEPEST_PASS: u8 = 3;

/// How many positions of an endgame a plain search of fixed depth wins with a mop-up: proved.
///
/// What the terms of the mop-up are is worked out once for all positions, if nothing that is won can
/// come of a capture or a promotion. Then weights take a few milliseconds.
///
/// ```
/// use lucena::evaluation::MopUp;
/// use lucena::tablebase::Tablebase;
/// use lucena::train::PositionsWon;
/// use lucena::work::Unwatched;
///
/// let tablebase = Tablebase::solve("KRvK".parse()?);
/// let positions = PositionsWon::new(&tablebase, 1);
/// assert_eq!(positions.of(&MopUp::default(), &Unwatched)?, 175_168);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct PositionsWon<'t> {
    tablebase: &'t Tablebase,
    depth: u8,
    /// Nothing where other endgames have to be searched too.
    closed: Option<Closed>,
}

impl<'t> PositionsWon<'t> {
    /// The positions of a table, searched to a depth in plies.
    ///
    /// # Panics
    /// When the depth is none that can be searched.
    pub fn new(tablebase: &'t Tablebase, depth: u8) -> Self {
        let closed =
            if depth <= DEEPEST_PASS { Closed::new(tablebase.material(), depth) } else { None };
        Self { tablebase, depth, closed }
    }

    /// How many positions of the full board can be won with the strong side to move.
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

    /// How many positions of the full board it wins with a mop-up.
    ///
    /// # Errors
    /// When the work was stopped.
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

/// An endgame in which no capture and no promotion leads to anything that can be won.
struct Closed {
    /// How many positions of the full board each with the strong side to move stands for; 0 for none.
    weights: Vec<u32>,
    /// The moves of the strong side, in the order in which a search tries them.
    moves: Lists<u32, u32>,
    replies: Lists<u32, u32>,
    /// The replies read backwards.
    replied: Lists<u32, u32>,
    ends: Vec<End>,
    /// The terms of the positions that a search evaluates, those of one side to move.
    points: Vec<Option<MopUpPoints>>,
    /// A board on which the men stand: what they are worth does not depend on where.
    example: Position,
}

/// What the weak side's turn comes to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Mate,
    Stalemate,
    /// It can take a man, and is lost no more.
    Capture,
    GoesOn,
}

impl Closed {
    /// Nothing where the endgame is not closed.
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

    /// What the positions with the weak side to move are worth to the strong side, as a search finds
    /// after one ply.
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
            // Who has no move is not in check, since nothing can check the strong king.
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

    /// The best that the strong side has, by what its moves lead to.
    fn before_moves(&self, after: &[i32]) -> Vec<i32> {
        let best = |moves: &[u32]| moves.iter().map(|&at| after[at as usize]).max().unwrap_or(0);
        self.moves.iter().map(best).collect()
    }

    /// What the weak side leaves to the strong side, by what its replies lead to. A later mate is worth
    /// less.
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

/// What the moves of the strong side lead to; nothing where one leads to another endgame.
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

/// What the weak side's turn comes to, and the replies that keep the material; nothing where another
/// endgame may be won.
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
