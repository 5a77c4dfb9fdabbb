//! The lines that demonstrate results. A *step* is a move and its reply.

use super::cycles::{BreadthFirst, CycleSearch};
use super::game::ProvedGame;
use super::graph::position_numbers::PlayerPlace;
use super::{Mate, Reason, Refutation};
use lucena_base::progress::{Observer, Stopped};
use lucena_chess::{Move, Position};
use lucena_tablebase::Outcome;

impl ProvedGame<'_> {
    /// Returns the game from a won position in which the other side holds out longest.
    pub(super) fn longest_resistance(&self, start: Position) -> Mate {
        let mut mate = Mate { start, line: Vec::new() };
        let mut position = start;
        loop {
            // Reversed, because `max_by_key` returns the last of several maxima and the first is wanted.
            let choices = self.choices(&position).into_iter().rev();
            let longest = choices.map(|(mv, after)| (mv, self.longest_reply(&after)));
            let (mv, reply) = longest
                .max_by_key(|(_, reply)| reply.map_or(Some(0), |(_, next)| self.mated_in(&next)))
                .expect("a won position has a move");
            mate.line.push(mv);
            let Some((reply, next)) = reply else { return mate };
            mate.line.push(reply);
            position = next;
        }
    }

    /// Returns the reply after which the other side holds out longest, and the position after it.
    fn longest_reply(&self, after: &Position) -> Option<(Move, Position)> {
        let replies = after.moves().into_iter().rev();
        replies
            .map(|reply| (reply, after.play(reply).expect("a legal reply")))
            .max_by_key(|(_, next)| self.mated_in(next))
    }

    /// Returns the shortest line from a position that is not won, whatever the policy does: to a failure, or
    /// once around a cycle. The search for the cycle is limited; if it reaches the limit, the line may not be the
    /// shortest.
    pub(super) fn shortest_refutation(
        &self,
        start: Position,
        observer: &dyn Observer,
    ) -> Result<Refutation, Stopped> {
        let failure = self.nearest(&start, |at, position, after| self.failure(at, position, after));
        // A cycle is preferred if it is shorter; it has two plies per step.
        let bound = failure.as_ref().map(|failure| failure.plies.div_ceil(2));
        let mut search = CycleSearch::new(self, observer);
        let cycle = search.shortest(start, bound)?;
        let is_shortest = !search.is_used_up();
        if let Some(cycle) = cycle {
            let line = self.spell(&cycle);
            return Ok(Refutation { start, line, reason: Reason::Cycle, is_shortest });
        }
        let failure = failure.expect("where there is no failure, the defender can go on forever");
        let route = self.route(start, &failure.places);
        let mut line = self.spell(&route);
        if failure.last > 0
            && let Some((mv, reply)) = self.failing(&route[route.len() - 1], &failure)
        {
            line.push(mv);
            line.extend(reply);
        }
        Ok(Refutation { start, line, reason: failure.reason, is_shortest })
    }

    /// Returns the shortest line from a position that could be held to a move that loses it.
    pub(super) fn shortest_loss(&self, start: Position) -> Refutation {
        let loss = |at, _: &_, _: &_| self.graph.loses(at).then_some((0, Reason::Lost));
        let loss = self.nearest(&start, loss).expect("a defence gets to a loss");
        let route = self.route(start, &loss.places);
        let mut line = self.spell(&route);
        let choices = self.choices(&route[route.len() - 1]).into_iter();
        line.extend(choices.filter(|(_, after)| self.is_losing(after)).map(|(mv, _)| mv).take(1));
        Refutation { start, line, reason: loss.reason, is_shortest: true }
    }

    /// Returns the positions from a start along places.
    fn route(&self, start: Position, places: &[PlayerPlace]) -> Vec<Position> {
        let mut route = vec![start];
        for &place in places {
            let replies = self.replies(&route[route.len() - 1]).into_iter();
            let next = replies.filter(|next| next.material() == start.material());
            let next = next.into_iter().find(|next| self.places.player(next) == place);
            route.push(next.expect("a reply that leads on"));
        }
        route
    }

    /// Returns the first choice that fails as described, and the reply that shows it if one is needed.
    fn failing(&self, position: &Position, failure: &Failure) -> Option<(Move, Option<Move>)> {
        self.choices(position).into_iter().find_map(|(mv, after)| {
            if failure.last > 1 {
                return self
                    .refuting_departure(&after, failure.reason)
                    .map(|reply| (mv, Some(reply)));
            }
            let fails = match failure.reason {
                Reason::Stalemate => after.is_stalemate(),
                _ => self.departs_in_vain(&after),
            };
            fails.then_some((mv, None))
        })
    }

    /// Returns true if the policy loses the position that it has just moved to.
    fn is_losing(&self, after: &Position) -> bool {
        matches!(self.tablebase.outcome(after).before_move(), Outcome::Loss(_))
    }

    /// Returns true if the policy has just moved to another endgame that is not won.
    fn departs_in_vain(&self, after: &Position) -> bool {
        after.material() != self.policy.material()
            && !matches!(self.tablebase.outcome(after).before_move(), Outcome::Win(_))
    }

    /// Returns the first reply into another endgame that is not won, for a reason.
    fn refuting_departure(&self, after: &Position, reason: Reason) -> Option<Move> {
        after.moves().into_iter().find(|&reply| {
            let next = after.play(reply).expect("a legal reply");
            let takes = next.material().men() < after.material().men();
            next.material() != after.material()
                && takes == (reason == Reason::LostPiece)
                && self.mated_in(&next).is_none()
        })
    }

    /// Returns the way in the fewest plies to a failure, which `failure` finds at a place with its plies from
    /// there, given the positions before and after the policy's moves.
    fn nearest(
        &self,
        start: &Position,
        failure: impl Fn(PlayerPlace, &Position, &[Position]) -> Option<(usize, Reason)>,
    ) -> Option<Failure> {
        let mut search = BreadthFirst::new(self.places.player(start));
        let mut nearest: Option<(usize, usize, PlayerPlace, Reason)> = None;
        while let Some((at, steps)) = search.next() {
            if nearest.is_some_and(|(plies, ..)| plies <= 2 * steps) {
                break;
            }
            let position = self.position(at);
            let after = self.after_choices(at, &position);
            if let Some((last, reason)) = failure(at, &position, &after) {
                let plies = 2 * steps + last;
                if nearest.is_none_or(|(least, ..)| plies < least) {
                    nearest = Some((plies, last, at, reason));
                }
                continue;
            }
            for reply in self.places_after(&after) {
                search.reach(reply, (at, steps));
            }
        }
        let (plies, last, at, reason) = nearest?;
        Some(Failure { plies, last, places: search.way(at), reason })
    }

    /// Returns the positions after the policy's moves that keep the material, from the graph.
    fn after_choices(&self, place: PlayerPlace, position: &Position) -> Vec<Position> {
        let to = self.graph.to(place);
        let mut after = vec![None; to.len()];
        position.visit_steps(|step| {
            if step.converts() {
                return;
            }
            let moved = position.after(step);
            let place = self.places.reply(&moved);
            if let Some(at) = to.iter().position(|&to| to == place) {
                after[at].get_or_insert(moved);
            }
        });
        after.into_iter().flatten().collect()
    }

    /// Returns the places after replies.
    fn places_after(&self, after: &[Position]) -> Vec<PlayerPlace> {
        let mut places = Vec::new();
        for moved in after {
            moved.visit_steps(|step| {
                if !step.converts() {
                    places.push(self.places.player(&moved.after(step)));
                }
            });
        }
        if after.len() > 1 {
            places.sort_unstable();
            places.dedup();
        }
        places
    }

    /// Returns the reason why the policy's moves at a place do not win, if the next moves show it, and the
    /// number of plies until then.
    fn failure(
        &self,
        place: PlayerPlace,
        position: &Position,
        after: &[Position],
    ) -> Option<(usize, Reason)> {
        let saves = |after: &Position| after.is_stalemate() || self.saving_reply(after).is_some();
        if !self.graph.fails(place) && !after.iter().any(saves) {
            return None;
        }
        let plays = self.policy.plays(position).unwrap_or_default();
        if plays.is_empty() {
            return Some((0, without_move(position)));
        }
        let mut soonest: Option<(usize, Reason)> = None;
        for (_, after) in plays {
            let failure = if self.departs_in_vain(&after) {
                (1, Reason::OtherEndgame)
            } else if after.is_stalemate() {
                (1, Reason::Stalemate)
            } else if after.material() != position.material() {
                continue;
            } else if let Some(reason) = self.saving_reply(&after) {
                (2, reason)
            } else {
                continue;
            };
            soonest = Some(match soonest {
                Some(before) if before.0 < failure.0 => before,
                Some(before) if before.0 == failure.0 && failure.1 != Reason::LostPiece => before,
                _ => failure,
            });
        }
        soonest
    }

    /// Returns the reason why a reply to another endgame saves the other side; a lost man takes precedence.
    fn saving_reply(&self, after: &Position) -> Option<Reason> {
        let mut saved = None;
        after.visit_steps(|step| {
            if step.converts() && self.mated_in(&after.after(step)).is_none() {
                saved = match step.captured {
                    Some(_) => Some(Reason::LostPiece),
                    None => saved.or(Some(Reason::OtherEndgame)),
                };
            }
        });
        saved
    }

    /// Returns the policy's moves, each with the position after it. In another endgame, the table moves.
    fn choices(&self, position: &Position) -> Vec<(Move, Position)> {
        if position.material() == self.policy.material() {
            let moves = self.policy.choices(position).into_iter();
            return moves.filter_map(|mv| Some((mv, position.play(mv).ok()?))).collect();
        }
        let probed = self.tablebase.outcomes(position);
        probed.first().map(|&(mv, after, _)| (mv, after)).into_iter().collect()
    }

    /// Returns the positions a step later, each once.
    fn replies(&self, position: &Position) -> Vec<Position> {
        let mut replies = Vec::new();
        for (_, after) in self.choices(position) {
            after.visit_steps(|step| {
                let reply = after.after(step);
                if !replies.contains(&reply) {
                    replies.push(reply);
                }
            });
        }
        replies
    }

    /// Returns the positions a step later that are of the same endgame and not won.
    pub(super) fn following(&self, position: &Position) -> Vec<Position> {
        let mut following = self.replies(position);
        following
            .retain(|next| next.material() == position.material() && self.mated_in(next).is_none());
        following
    }

    /// Returns the moves that lead along a route.
    fn spell(&self, route: &[Position]) -> Vec<Move> {
        let mut line = Vec::new();
        for pair in route.windows(2) {
            let leads_on = |(mv, after): (Move, Position)| {
                let mut replies = after.moves().into_iter();
                let reply = replies.find(|&reply| after.play(reply) == Ok(pair[1]))?;
                Some([mv, reply])
            };
            let step = self.choices(&pair[0]).into_iter().find_map(leads_on);
            line.extend(step.expect("a route goes on by moves and replies"));
        }
        line
    }
}

/// A path to a failure.
struct Failure {
    /// The length of the line in plies, to the last move that shows the failure.
    plies: usize,
    /// The number of plies after the last place.
    last: usize,
    /// The places after each step.
    places: Vec<PlayerPlace>,
    reason: Reason,
}

/// Returns the reason why the policy has no legal move.
fn without_move(position: &Position) -> Reason {
    match (position.has_moves(), position.is_check()) {
        (true, _) => Reason::NoMove,
        (false, true) => Reason::Lost,
        (false, false) => Reason::Stalemate,
    }
}
