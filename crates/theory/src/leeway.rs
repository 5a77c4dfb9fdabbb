//! Leeways: the marks that a position may have without a relevant change of play.

use super::game::Game;
use super::mark::Mark;
use super::order::{Rank, order};
use super::positions::{After, Before, End};
use super::theory_graph::TheoryGraph;
use lucena_base::index_vec::IndexVec;
use lucena_proof::guarantee::Guarantee;
use rand::Rng;

/// The inclusive range of marks that a position after may have, while all others keep theirs or change within
/// their own leeways.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Leeway {
    pub(super) low: Mark,
    pub(super) high: Mark,
}

impl Leeway {
    /// Any mark.
    pub(super) const ANY: Self = Self { low: Mark::BEST, high: Mark::AVOID };

    fn only(mark: Mark) -> Self {
        Self { low: mark, high: mark }
    }

    pub(super) fn has(&self, mark: Mark) -> bool {
        (self.low..=self.high).contains(&mark)
    }
}

/// The place of a bound between the mark of the chosen move and those of the unacceptable moves, in
/// eighths of the distance. At 0 the chosen move cannot get worse; at 8 the others cannot get better.
pub(super) type Eighths = u16;

/// Memory that is reused from one call to the next.
#[derive(Default)]
pub(super) struct Memo {
    /// By position before: its bound, if computed.
    bounds: IndexVec<Before, Option<Mark>>,
    drawn: Vec<Before>,
    /// By position after: the place of the reply that comes last in the order, if computed.
    last_replies: IndexVec<After, Option<Rank>>,
    known: Vec<After>,
}

impl Memo {
    fn reset(&mut self, graph: &TheoryGraph) {
        self.bounds.resize(graph.befores.len(), None);
        self.last_replies.resize(graph.afters.len(), None);
        self.drawn.drain(..).for_each(|before| self.bounds[before] = None);
        self.known.drain(..).for_each(|after| self.last_replies[after] = None);
    }
}

/// Computes the leeways of positions in the current play.
///
/// In each position before, a bound separates the mark of the chosen move from those of the unacceptable
/// moves. The chosen one has to stay at or below it, the others above it. So the leeway of every position
/// after is independent of the others. For a guarantee to win, a move is acceptable if all replies to it
/// come earlier in an [`order`] of the positions.
pub(super) struct Leeways<'a, 'g> {
    game: &'a Game<'g>,
    graph: &'a TheoryGraph,
    guarantee: Guarantee,
    bounds_at: Eighths,
    order: IndexVec<Before, Rank>,
    /// By position before: true if its choice matters; `None` if all do.
    scope: Option<&'a IndexVec<Before, bool>>,
    memo: &'a mut Memo,
}

impl<'a, 'g> Leeways<'a, 'g> {
    pub(super) fn new(
        game: &'a Game<'g>,
        guarantee: Guarantee,
        bounds_at: Eighths,
        scope: Option<&'a IndexVec<Before, bool>>,
        (rng, memo): (&mut impl Rng, &'a mut Memo),
    ) -> Self {
        let graph = game.graph;
        memo.reset(graph);
        let order = match guarantee {
            Guarantee::Win { .. } => order(game, rng),
            Guarantee::Exact | Guarantee::Optimal => IndexVec::default(),
        };
        Self { game, graph, guarantee, bounds_at, order, scope, memo }
    }

    pub(super) fn of(&mut self, after: After) -> Leeway {
        if self.guarantee == Guarantee::Exact {
            let mut movers = self.graph.movers.get(after).iter();
            return if movers.any(|&before| self.is_asked(before)) || self.scope.is_none() {
                Leeway::only(self.graph.depth_mark(after))
            } else {
                Leeway::ANY
            };
        }
        let mut leeway = Leeway::ANY;
        for &before in self.graph.movers.get(after) {
            if !self.is_asked(before) || !self.can_fail(before) {
                continue;
            }
            let Some(chosen) = self.game.chosen(before) else { continue };
            if chosen == after {
                leeway.high = leeway.high.min(self.bound(before, chosen));
            } else if !self.will_do(before, after) {
                leeway.low = leeway.low.max(self.least_above(before, chosen, after));
            }
        }
        leeway
    }

    fn is_asked(&self, before: Before) -> bool {
        self.scope.is_none_or(|scope| scope[before])
    }

    fn can_fail(&self, before: Before) -> bool {
        let known = &self.graph.befores[before];
        known.moves_to_mate.is_some() || (known.is_drawn && self.graph.depth_marks.has_losses())
    }

    /// Returns the least mark allowed for an unacceptable move. Among equal marks the first move is
    /// played, so it may have the mark of the bound itself only if it comes after the chosen one.
    fn least_above(&mut self, before: Before, chosen: After, after: After) -> Mark {
        let bound = self.bound(before, chosen);
        let mut moves = self.graph.moves.get(before).iter();
        let first = moves.find(|&&to| to == after || to == chosen);
        if first == Some(&chosen) { bound } else { Mark(bound.0 + 1) }
    }

    /// Returns the greatest mark that the chosen move of a position before may have.
    fn bound(&mut self, before: Before, chosen: After) -> Mark {
        if let Some(bound) = self.memo.bounds[before] {
            return bound;
        }
        let bound = self.draw_bound(before, chosen);
        self.memo.bounds[before] = Some(bound);
        self.memo.drawn.push(before);
        bound
    }

    fn draw_bound(&mut self, before: Before, chosen: After) -> Mark {
        let least = self.game.mark(chosen);
        if self.bounds_at == 0 {
            return least;
        }
        let mut most = Mark::AVOID.better_by(1);
        let mut is_chosen_earlier = false;
        for &after in self.graph.moves.get(before) {
            if after == chosen {
                is_chosen_earlier = true;
            } else if !self.will_do(before, after) {
                let mark = self.game.mark(after);
                most = most.min(if is_chosen_earlier { mark } else { mark.better_by(1) });
            }
        }
        let room = most.max(least).0 - least.0;
        Mark(least.0 + (u16::from(room) * self.bounds_at / 8) as u8)
    }

    /// Returns true if a move keeps the guarantee in the current play.
    #[inline(always)]
    fn will_do(&mut self, before: Before, after: After) -> bool {
        if self.graph.befores[before].is_drawn {
            return !self.graph.loses(before, after);
        }
        match self.guarantee {
            Guarantee::Exact | Guarantee::Optimal => self.graph.is_quickest(before, after),
            Guarantee::Win { .. } => self.last_reply(after) < self.order[before],
        }
    }

    /// Returns the place of the reply that comes last in the order.
    #[inline(always)]
    fn last_reply(&mut self, after: After) -> Rank {
        if let Some(last) = self.memo.last_replies[after] {
            return last;
        }
        let replies = self.graph.replies.get(after).iter();
        let last = match self.graph.afters[after].end {
            End::Mate => Rank::MATE,
            end if end.is_thrown() => Rank::NONE,
            _ => replies.map(|&reply| self.order[reply]).max().unwrap_or(Rank::MATE),
        };
        self.memo.last_replies[after] = Some(last);
        self.memo.known.push(after);
        last
    }
}
