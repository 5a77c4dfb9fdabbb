//! The lines that show what a game comes to. A *step* is a move and its reply.

use super::circles::Circles;
use super::game::{Game, Next};
use super::{Mate, Reason, Refutation};
use crate::chess::{Move, Position};
use std::collections::VecDeque;

impl Game<'_> {
    /// The game from a won position in which the weak side holds out longest.
    pub(super) fn longest_resistance(&self, start: Position) -> Mate {
        let mut mate = Mate { start, line: Vec::new() };
        let mut position = start;
        loop {
            let (mv, after) = self.choose(&position).expect("a won position has a move");
            mate.line.push(mv);
            let replies = after.moves().into_iter().rev();
            // Turned round, since the last of several greatest is taken and it is to be the first.
            let longest = replies
                .map(|reply| (reply, after.play(reply).expect("a legal reply")))
                .max_by_key(|(_, next)| self.mated_in(next));
            let Some((reply, next)) = longest else { return mate };
            mate.line.push(reply);
            position = next;
        }
    }

    /// The shortest line from a position that is not won, whatever the policy does, to a failure or
    /// once round a circle.
    pub(super) fn shortest_refutation(&self, start: Position) -> Refutation {
        let failure = self.nearest_failure(self.index.of(&start));
        // A circle is worth showing if it is shorter; it has two plies to a step.
        let bound = failure.as_ref().map(|failure| failure.plies.div_ceil(2));
        if let Some(circle) = Circles::new(self).shortest(start, bound) {
            return Refutation { start, line: self.spell(&circle), reason: Reason::Cycle };
        }
        let Failure { places, reason, .. } =
            failure.expect("where there is no failure, the defender can go on for ever");
        let mut route = vec![start];
        for place in places {
            let leads_on = |next: &Position| self.index.of(next) == place as usize;
            let next = self.following(&route[route.len() - 1]).into_iter().find(leads_on);
            route.push(next.expect("a reply that leads on"));
        }
        let mut line = self.spell(&route);
        if let Some((mv, after)) = self.choose(&route[route.len() - 1]) {
            line.push(mv);
            let takes = |reply: &Move| {
                after.play(*reply).is_ok_and(|next| next.material() != after.material())
            };
            // Nothing can be taken in a stalemate.
            line.extend(after.moves().into_iter().find(takes));
        }
        Refutation { start, line, reason }
    }

    /// The way in the fewest plies to a failure.
    fn nearest_failure(&self, start: usize) -> Option<Failure> {
        let mut came_from = vec![None; self.choices.len()];
        let mut queue = VecDeque::from([(start as u32, 0)]);
        let mut nearest: Option<(usize, u32, Reason)> = None;
        while let Some((at, steps)) = queue.pop_front() {
            if nearest.is_some_and(|(plies, ..)| plies <= 2 * steps) {
                break;
            }
            match self.choices[at as usize].as_ref().map(|choice| &choice.next) {
                Some(&Next::Failure(reason)) => {
                    let last = match reason {
                        Reason::Stalemate => 1,
                        Reason::LostPiece => 2,
                        Reason::NoMove | Reason::Cycle => 0,
                    };
                    let plies = 2 * steps + last;
                    if nearest.is_none_or(|(least, ..)| plies < least) {
                        nearest = Some((plies, at, reason));
                    }
                }
                Some(Next::Replies(replies)) => {
                    for &reply in replies {
                        if reply as usize != start && came_from[reply as usize].is_none() {
                            came_from[reply as usize] = Some(at);
                            queue.push_back((reply, steps + 1));
                        }
                    }
                }
                Some(Next::Mate) | None => {}
            }
        }
        let (plies, at, reason) = nearest?;
        let mut places = vec![at];
        while let Some(before) = came_from[places[places.len() - 1] as usize] {
            places.push(before);
        }
        places.pop();
        places.reverse();
        Some(Failure { plies, places, reason })
    }

    /// The policy's move, and the position after it; nothing if it has none or an illegal one.
    fn choose(&self, position: &Position) -> Option<(Move, Position)> {
        let mv = self.policy.choose(position)?;
        Some((mv, position.play(mv).ok()?))
    }

    /// The positions a step later that are not won and in which no man is lost.
    pub(super) fn following(&self, position: &Position) -> Vec<Position> {
        let mut following = Vec::new();
        if let Some((_, after)) = self.choose(position) {
            after.visit_steps(|step| {
                if step.captured.is_none() {
                    following.push(after.after(step));
                }
            });
        }
        following.retain(|next| self.mated_in(next).is_none());
        following
    }

    /// The moves that lead along a route.
    fn spell(&self, route: &[Position]) -> Vec<Move> {
        let mut line = Vec::new();
        for pair in route.windows(2) {
            let (mv, after) = self.choose(&pair[0]).expect("a route goes on by moves");
            let leads_on = |reply: &Move| after.play(*reply).is_ok_and(|next| next == pair[1]);
            let reply = after.moves().into_iter().find(leads_on);
            line.extend([mv, reply.expect("a route goes on by replies")]);
        }
        line
    }
}

/// A way to a failure.
struct Failure {
    /// The length of the line, to the last move that shows it.
    plies: usize,
    /// The places after each step.
    places: Vec<u32>,
    reason: Reason,
}
