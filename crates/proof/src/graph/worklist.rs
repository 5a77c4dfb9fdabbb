use super::After;
use lucena_base::csr::Csr;
use lucena_base::index_vec::{Id, IndexVec};

/// The replies of the weak side, read backwards: computed once for many least fixed points. `B` numbers the positions
/// with the strong side to move.
pub struct ReversedReplies<B> {
    /// The positions from which a reply leads to each position.
    from: Csr<B, After>,
    /// The replies of each position, and one more where the weak side cannot lose.
    open: IndexVec<After, u8>,
    /// The positions in which the weak side is mated.
    mated: Vec<After>,
}

impl<B: Id> ReversedReplies<B> {
    /// Reverses the replies to `befores` positions. Where there is none, the weak side is mated, unless `can_lose` says
    /// that it does not lose there.
    pub fn new(replies: &Csr<After, B>, befores: usize, can_lose: impl Fn(After) -> bool) -> Self {
        let open = replies.iter().enumerate().map(|(after, replies)| {
            // No position has more than 218 moves.
            replies.len() as u8 + u8::from(!can_lose(After::new(after)))
        });
        let open: IndexVec<After, u8> = open.collect();
        let mated = open.pairs().filter(|(_, open)| **open == 0).map(|(after, _)| after).collect();
        Self { from: Csr::reversed(replies.iter(), befores), open, mated }
    }

    /// Returns the positions from which a reply leads to a position.
    #[inline(always)]
    pub fn get(&self, before: B) -> &[After] {
        self.from.get(before)
    }
}

/// A least fixed point over an endgame in progress: the weak side has lost where each of its replies leads to a position
/// that is won.
pub struct Worklist<'r, B> {
    replies: &'r ReversedReplies<B>,
    /// The number of replies that are not yet known to lose.
    open: IndexVec<After, u8>,
    /// The positions that are newly lost.
    lost: Vec<After>,
}

impl<'r, B: Id> Worklist<'r, B> {
    /// Begins with the positions in which the weak side is mated.
    pub fn new(replies: &'r ReversedReplies<B>) -> Self {
        Self { replies, open: replies.open.clone(), lost: replies.mated.clone() }
    }

    /// Crosses off the replies that lead to a position that is won.
    #[inline]
    pub fn cross_off(&mut self, won: B) {
        for &after in self.replies.get(won) {
            self.open[after] -= 1;
            if self.open[after] == 0 {
                self.lost.push(after);
            }
        }
    }

    /// Runs to the end. Calls `win` for each position that is lost, with the moves that it takes to win before it, and the
    /// list of the positions won in as many, to which `win` adds each position once. The list begins with `won`, the
    /// positions that are won in one move without a mate.
    pub fn run(mut self, mut won: Vec<B>, mut win: impl FnMut(After, u16, &mut Vec<B>)) {
        for moves in 1..u16::MAX {
            for after in self.lost.drain(..) {
                win(after, moves, &mut won);
            }
            if won.is_empty() {
                break;
            }
            for before in won.drain(..) {
                self.cross_off(before);
            }
        }
    }
}
