//! The search of a measure: what can be forced from single positions, by the rules alone.
//!
//! The search is exact. It asks yes-or-no questions ("can less than this be forced?"), keeps the bounds that the answers
//! give for each position and depth, and narrows them down. Positions are numbered up to symmetry as they are met, and
//! their moves are generated once. Positions after the last move ahead are not kept: only those whose value is low enough
//! matter.

use super::Score;
use lucena_base::index_vec::{Id, IndexVec, id};
use lucena_chess::symmetry::Group;
use lucena_chess::{Material, Move, Position, SafeMoves, Side, is_quiet};
use lucena_model::Goal;
use lucena_tablebase::Index;
use std::marker::PhantomData;
use std::ops::Range;

id! {
    /// A position with the weak side to move that has been met.
    Met(u32)
}

id! {
    /// A position with the strong side to move that has been met.
    Turn(u32)
}

/// The positions that are kept before the search begins anew, which limits its memory.
const MAX_POSITIONS: usize = 1 << 22;

/// The value of a measure in a position with the weak side to move, and whether the strong side may stop there.
pub trait Stop: Sync {
    /// Returns the score of stopping at a position that a safe move leads to and that is not mate.
    fn score(&self, position: &Position) -> Score;

    /// Returns that score if it is below a limit; it need not be worked out otherwise.
    fn score_below(&self, position: &Position, limit: Score) -> Option<Score> {
        Some(self.score(position)).filter(|&score| score < limit)
    }
}

impl<F: Fn(&Position) -> Score + Sync> Stop for F {
    fn score(&self, position: &Position) -> Score {
        self(position)
    }
}

/// The search of a measure in one endgame, with what it has found so far.
pub struct LookAhead<S> {
    stop: S,
    look: u8,
    goal: Goal,
    /// True if the weak side can mate, so that a draw can be lost.
    can_be_held: bool,
    index: Index,
    met: Places<Met>,
    turns: Places<Turn>,
    afters: IndexVec<Met, AfterNode>,
    befores: IndexVec<Turn, BeforeNode>,
    /// By position after a move and number of moves ahead: the bounds of what can be forced.
    bounds: Vec<Bounds>,
    replies: Vec<Turn>,
    moves: Vec<Met>,
}

/// A position with the weak side to move.
struct AfterNode {
    place: u32,
    here: Score,
    is_mate: bool,
    /// Its replies, once they have been generated.
    replies: Option<Range<u32>>,
    /// The number of the reply to ask about first.
    first: u32,
}

/// A position with the strong side to move.
struct BeforeNode {
    place: u32,
    next: Next,
    /// The number of the move to ask about first.
    first: u32,
    /// The bounds of the best score right after the next move.
    last_move: Bounds,
}

/// What the strong side can do in a position.
#[derive(Clone)]
enum Next {
    Unknown,
    Moves(Range<u32>),
    WinsAtOnce,
    Holding,
    Unsafe,
}

#[derive(Clone, Copy)]
struct Bounds {
    least: Score,
    most: Score,
}

impl Bounds {
    const UNKNOWN: Self = Self { least: Score::MATE, most: Score::UNSAFE };

    /// Returns the bound that answers whether the score is below another, if one does.
    #[inline]
    fn answer(self, than: Score) -> Option<Score> {
        if self.least >= than { Some(self.least) } else { (self.most < than).then_some(self.most) }
    }
}

/// What is known of each place in the index. Places next to each other share men, so that lookups stay near each other in
/// memory, and the system provides only the parts that are touched.
struct Places<I> {
    /// 0 if nothing is known, 1 if the place is left out, otherwise the number plus 2.
    numbers: Vec<u32>,
    ids: PhantomData<I>,
}

impl<I: Id> Places<I> {
    fn new(len: usize) -> Self {
        Self { numbers: vec![0; len], ids: PhantomData }
    }

    /// Returns what is known of a place; `None` if nothing is, and `Some(None)` if it is left out.
    #[inline]
    fn get(&self, place: usize) -> Option<Option<I>> {
        match self.numbers[place] {
            0 => None,
            1 => Some(None),
            number => Some(Some(I::new(number as usize - 2))),
        }
    }

    #[inline]
    fn set(&mut self, place: usize, found: Option<I>) {
        self.numbers[place] = found.map_or(1, |id| id.number() as u32 + 2);
    }
}

/// Returns the numbers of a range, with one of them first if it is in the range. The order is fixed when it is asked for:
/// a question about a position can lead to another about the same position, with fewer moves ahead.
fn in_turn(range: Range<u32>, first: u32) -> impl Iterator<Item = u32> {
    let begin = range.contains(&first).then_some(first);
    begin.into_iter().chain(range.filter(move |&at| at != first))
}

/// The best that the strong side can do in a position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LookedAhead {
    /// What each safe move can force, if asked for; in the order of [`Position::moves`].
    pub moves: Vec<(Move, Position)>,
    /// The indices of the moves that force the best score.
    pub tied: Vec<usize>,
    /// The best score.
    pub best: Score,
}

impl<S: Stop> LookAhead<S> {
    /// The search in one endgame, looking a number of moves ahead.
    pub fn new(material: Material, stop: S, look: u8, goal: Goal) -> Self {
        let index = Index::new(material, Group::new(material));
        Self {
            stop,
            look,
            goal,
            can_be_held: material.can_mate(Side::Weak),
            met: Places::new(index.len()),
            turns: Places::new(index.len()),
            index,
            afters: IndexVec::default(),
            befores: IndexVec::default(),
            bounds: Vec::new(),
            replies: Vec::new(),
            moves: Vec::new(),
        }
    }

    /// Searches for the best of some safe moves.
    ///
    /// # Panics
    /// If there is no move, or one leads to another endgame.
    pub fn search(&mut self, moves: Vec<(Move, Position)>) -> LookedAhead {
        self.forget_if_full();
        let met: Vec<Met> = moves.iter().map(|(_, after)| self.meet(after)).collect();
        let mut order = met.clone();
        order.sort_unstable_by_key(|&after| self.afters[after].here);
        order.dedup();
        let mut best = Score::UNSAFE;
        for ahead in 0..=self.look {
            if ahead == self.look && self.goal == Goal::LaterMove {
                break;
            }
            for at in 0..order.len() {
                let found = self.narrow(order[at], ahead, best);
                if found < best {
                    best = found;
                    order[..=at].rotate_right(1);
                }
            }
        }
        if self.goal == Goal::LaterMove {
            best = Score::UNSAFE;
            for &after in &order {
                best = best.min(self.narrow_later(after, best));
            }
        }
        let tied = (0..met.len()).filter(|&at| self.is_as_good(met[at], best)).collect();
        LookedAhead { moves, tied, best }
    }

    /// Returns what a safe move that leads to a position can force.
    pub fn forced_after(&mut self, after: &Position) -> Score {
        let met = self.meet(after);
        match self.goal {
            Goal::AnyMove => self.narrow(met, self.look, Score::UNSAFE),
            Goal::LaterMove => self.narrow_later(met, Score::UNSAFE),
        }
    }

    fn forget_if_full(&mut self) {
        if self.afters.len() > MAX_POSITIONS {
            self.met = Places::new(self.index.len());
            self.turns = Places::new(self.index.len());
            self.afters = IndexVec::default();
            self.befores = IndexVec::default();
            self.bounds.clear();
            self.replies.clear();
            self.moves.clear();
        }
    }

    /// Returns true if a move that leads to a position forces a score, or a better one.
    fn is_as_good(&mut self, after: Met, best: Score) -> bool {
        let Some(above) = best.next() else { return true };
        match self.goal {
            Goal::AnyMove => self.bound(after, self.look, above) < above,
            Goal::LaterMove => self.bound_later(after, above) < above,
        }
    }

    /// Returns what can be forced from a position, if it is better than a score; otherwise a score that is no better.
    fn narrow(&mut self, after: Met, ahead: u8, mut than: Score) -> Score {
        loop {
            let found = self.bound(after, ahead, than);
            if found >= than {
                return than;
            }
            than = found;
        }
    }

    /// [`Self::narrow`] for a move that is no goal itself.
    fn narrow_later(&mut self, after: Met, mut than: Score) -> Score {
        loop {
            let found = self.bound_later(after, than);
            if found >= than {
                return than;
            }
            than = found;
        }
    }

    fn bound_later(&mut self, after: Met, than: Score) -> Score {
        if self.afters[after].is_mate {
            return Score::MATE;
        }
        self.bound_replies(after, self.look, than)
    }

    /// Answers whether less than a score can be forced from a position: if the answer is below `than`, it can be forced;
    /// otherwise no less than the answer can be forced.
    fn bound(&mut self, after: Met, ahead: u8, than: Score) -> Score {
        let node = &self.afters[after];
        if node.is_mate {
            return Score::MATE;
        }
        let here = node.here;
        if here < than {
            return here;
        }
        let at = after.number() * (usize::from(self.look) + 1) + usize::from(ahead);
        if let Some(answer) = self.bounds[at].answer(than) {
            return answer;
        }
        if ahead == 0 {
            return here;
        }
        let found = self.bound_replies(after, ahead, than);
        if found < than {
            self.bounds[at].most = found;
            found
        } else {
            let least = found.min(here);
            self.bounds[at].least = least;
            least
        }
    }

    /// [`Self::bound`] without stopping at the position itself.
    fn bound_replies(&mut self, after: Met, ahead: u8, than: Score) -> Score {
        let replies = self.replies_to(after);
        let mut worst = Score::MATE;
        for at in in_turn(replies, self.afters[after].first) {
            let found = self.bound_turn(self.replies[at as usize], ahead - 1, than);
            worst = worst.max(found);
            if found >= than {
                // What refutes now is likely to refute again.
                self.afters[after].first = at;
                return found;
            }
        }
        worst
    }

    /// [`Self::bound`] with the strong side to move.
    fn bound_turn(&mut self, turn: Turn, ahead: u8, than: Score) -> Score {
        let lower = than.a_move_later();
        if ahead == 0
            && let Some(best) = self.bound_last_move(turn, lower)
        {
            return best.a_move_earlier();
        }
        let moves = match self.moves_in(turn) {
            Next::Moves(moves) => moves,
            Next::WinsAtOnce => return Score::MATE.a_move_earlier(),
            Next::Holding => return Score::HELD,
            Next::Unsafe | Next::Unknown => return Score::UNSAFE,
        };
        if lower <= Score::MATE {
            return Score::MATE.a_move_earlier();
        }
        let mut best = Score::UNSAFE;
        for at in in_turn(moves, self.befores[turn].first) {
            let found = self.bound(self.moves[at as usize], ahead, lower);
            best = best.min(found);
            if found < lower {
                self.befores[turn].first = at;
                break;
            }
        }
        best.a_move_earlier()
    }

    /// Answers whether the best score right after a move is below another, without keeping the positions after the moves:
    /// most of them are only looked at once. Returns `None` if moves convert, which may win at once, if they are kept
    /// already, or if it matters whether a draw is held.
    fn bound_last_move(&mut self, turn: Turn, than: Score) -> Option<Score> {
        let node = &self.befores[turn];
        if !matches!(node.next, Next::Unknown) || than <= Score::MATE {
            return None;
        }
        // Only its moves tell whether a position without a safe one is held.
        if self.can_be_held && than > Score::HELD {
            return None;
        }
        if let Some(answer) = node.last_move.answer(than) {
            return Some(answer);
        }
        let position = self.index.placement(node.place as usize, Side::Strong);
        let (mut best, mut converts) = (than, false);
        position.visit_steps(|step| {
            converts |= step.converts();
            if converts {
                return;
            }
            let after = position.after(step);
            let score = if after.is_checkmate() {
                Some(Score::MATE)
            } else {
                self.stop.score_below(&after, best)
            };
            // Most moves are too bad for it to matter whether they are safe.
            if let Some(score) = score.filter(|_| is_quiet(&after)) {
                best = best.min(score);
            }
        });
        if converts {
            return None;
        }
        let last_move = &mut self.befores[turn].last_move;
        last_move.least = best;
        if best < than {
            last_move.most = best;
        }
        Some(best)
    }

    /// Returns the number of a position after a safe move.
    fn meet(&mut self, after: &Position) -> Met {
        self.find(after, |_| true).expect("the move is safe")
    }

    /// Returns the number of a position after a move; `None` if the move is not safe.
    fn find(&mut self, after: &Position, is_quiet: impl FnOnce(&Position) -> bool) -> Option<Met> {
        let place = self.index.of(after);
        if let Some(known) = self.met.get(place) {
            return known;
        }
        let found = is_quiet(after).then(|| {
            let is_mate = after.is_checkmate();
            let here = if is_mate { Score::MATE } else { self.stop.score(after) };
            self.bounds.resize(self.bounds.len() + usize::from(self.look) + 1, Bounds::UNKNOWN);
            let place = place as u32;
            self.afters.push(AfterNode { place, here, is_mate, replies: None, first: 0 })
        });
        self.met.set(place, found);
        found
    }

    fn replies_to(&mut self, after: Met) -> Range<u32> {
        if let Some(known) = &self.afters[after].replies {
            return known.clone();
        }
        let position = self.index.placement(self.afters[after].place as usize, Side::Weak);
        let first = self.replies.len();
        position.visit_steps(|step| {
            let place = self.index.of(&position.after(step));
            let turn = self.turns.get(place).flatten().unwrap_or_else(|| {
                let turn = self.befores.push(BeforeNode {
                    place: place as u32,
                    next: Next::Unknown,
                    first: 0,
                    last_move: Bounds::UNKNOWN,
                });
                self.turns.set(place, Some(turn));
                turn
            });
            if !self.replies[first..].contains(&turn) {
                self.replies.push(turn);
            }
        });
        let replies = first as u32..self.replies.len() as u32;
        self.afters[after].replies = Some(replies.clone());
        replies
    }

    fn moves_in(&mut self, turn: Turn) -> Next {
        if !matches!(self.befores[turn].next, Next::Unknown) {
            return self.befores[turn].next.clone();
        }
        let position = self.index.placement(self.befores[turn].place as usize, Side::Strong);
        let mut met = Vec::new();
        let moves = SafeMoves::with_test(&position, |after| {
            let found = self.find(after, is_quiet);
            met.extend(found);
            found.is_some()
        });
        let next = match moves {
            SafeMoves::WinsAtOnce(_) => Next::WinsAtOnce,
            SafeMoves::Holding(_) => Next::Holding,
            SafeMoves::Unsafe(_) => Next::Unsafe,
            SafeMoves::Safe(_) => {
                met.sort_unstable_by_key(|&after| (self.afters[after].here, after));
                met.dedup();
                let first = self.moves.len() as u32;
                self.moves.extend(met);
                Next::Moves(first..self.moves.len() as u32)
            }
        };
        self.befores[turn].next = next.clone();
        next
    }
}
