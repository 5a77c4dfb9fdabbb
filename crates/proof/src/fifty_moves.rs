//! Wins within the fifty-move rule.
//!
//! The moves to mate of a won position tell nothing about captures and pawn moves on the way, each of which sets the clock
//! to zero. Here the plies to the next such move, or to mate, are found for each won position, against the defence that
//! delays it longest. More than 100 of them are too many.

use super::ProvedGame;
use super::graph::position_numbers::PlayerPlace;
use lucena_base::index_vec::Id;
use lucena_base::progress::{Observer, Progress, Stopped};
use lucena_chess::{FIFTY_MOVE_PLIES, Position, Role, Side};
use lucena_tablebase::{Metric, Outcome, Tablebase};
use rayon::prelude::*;
use std::sync::atomic::{AtomicU8, Ordering};

/// The numbers of positions of the full board that are won within the fifty-move rule, the player to move and the
/// clock at zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WinsWithinRule {
    /// With best play.
    pub winnable: u64,
    /// By the player, against every defence.
    pub won: u64,
}

/// The plies to the next capture, pawn move or mate; `None` if there are more than 100, or the rule draws after it.
type Plies = Option<u8>;

impl ProvedGame<'_> {
    /// Counts the positions that are won within the fifty-move rule, by a table of distances to zeroing.
    ///
    /// # Panics
    /// If the table has distances to mate, or is of another material.
    ///
    /// # Errors
    /// If the observer asks to stop, or a table file can no longer be read.
    pub fn within_rule(
        &self,
        zeroing: &Tablebase,
        observer: &dyn Observer,
    ) -> Result<WinsWithinRule, Stopped> {
        self.within(FIFTY_MOVE_PLIES, zeroing, observer)
    }

    /// [`ProvedGame::within_rule`], with another number of plies in the rule.
    fn within(
        &self,
        limit: u16,
        zeroing: &Tablebase,
        observer: &dyn Observer,
    ) -> Result<WinsWithinRule, Stopped> {
        let material = self.tablebase.material();
        assert_eq!((zeroing.metric(), zeroing.material()), (Metric::Dtz, material));
        let search = RuleSearch {
            game: self,
            zeroing,
            limit,
            // 0 stands for none.
            plies: (0..self.places.player_count()).map(|_| AtomicU8::new(0)).collect(),
        };
        // Every move and reply leads to fewer moves to mate.
        let by_moves = self.by_moves_to_mate();
        let total = Some(by_moves.len() as u64);
        for (done, places) in (0..).zip(by_moves) {
            observer.check()?;
            observer.report(Progress { what: "wins within the fifty-move rule", done, total });
            places.par_iter().for_each(|&place| {
                let plies = search.after_moves(PlayerPlace::new(place as usize));
                search.plies[place as usize].store(plies.unwrap_or(0), Ordering::Relaxed);
            });
        }
        let wins = search.count();
        zeroing.check_readable()?;
        self.tablebase.check_readable()?;
        Ok(wins)
    }

    /// The numbers of the won places, by their moves to mate.
    fn by_moves_to_mate(&self) -> Vec<Vec<u32>> {
        let mut places: Vec<Vec<u32>> = Vec::new();
        for number in 0..self.places.player_count() {
            let Some(moves) = self.moves_to_mate(PlayerPlace::new(number)) else { continue };
            let moves = usize::from(moves);
            if places.len() <= moves {
                places.resize_with(moves + 1, Vec::new);
            }
            places[moves].push(number as u32);
        }
        places
    }
}

struct RuleSearch<'g> {
    game: &'g ProvedGame<'g>,
    zeroing: &'g Tablebase,
    limit: u16,
    /// By place of the player.
    plies: Vec<AtomicU8>,
}

impl RuleSearch<'_> {
    /// The most plies after the moves of the player in a won position.
    fn after_moves(&self, place: PlayerPlace) -> Plies {
        let game = self.game;
        let position = game.position(place);
        let mut most = 0;
        for &to in game.graph.to(place) {
            let after = game.places.reply_position(to).expect("where a move leads is legal");
            let zeroes = advancement(&after) != advancement(&position);
            most = most.max(self.before(self.after_replies(&after), zeroes)?);
        }
        if game.graph.departs(place) {
            for (_, after) in game.policy.plays(&position)? {
                if after.material() != position.material() {
                    let is_won = matches!(self.zeroing.outcome(&after), Outcome::Loss(plies) if plies <= self.limit);
                    most = most.max(is_won.then_some(1)?);
                }
            }
        }
        Some(most)
    }

    /// The most plies after the replies in a position in which every reply loses; 0 for mate.
    fn after_replies(&self, position: &Position) -> Plies {
        let mut most = Some(0);
        position.visit_steps(|step| {
            let after = position.after(step);
            let plies = if step.converts() {
                matches!(self.zeroing.outcome(&after), Outcome::Win(plies) if plies <= self.limit)
                    .then_some(1)
            } else {
                let number = self.game.places.player(&after).number();
                let plies = self.plies[number].load(Ordering::Relaxed);
                let zeroes = position.material().role(step.slot) == Role::Pawn;
                self.before((plies > 0).then_some(plies), zeroes)
            };
            most = most.and_then(|most| Some(most.max(plies?)));
        });
        most
    }

    /// The plies before a move: one more than after it, or 1 if it sets the clock to zero.
    fn before(&self, after: Plies, zeroes: bool) -> Plies {
        let plies = if zeroes { 1 } else { after? + 1 };
        after.map(|_| plies).filter(|&plies| u16::from(plies) <= self.limit)
    }

    fn count(&self) -> WinsWithinRule {
        let places = &self.game.places;
        let of_place = |number: usize| {
            let place = PlayerPlace::new(number);
            let Some(position) = places.player_position(place) else { return (0, 0) };
            let weight = places.orbit_len(&position);
            let best = places.outcome(self.zeroing, place, &position);
            let is_winnable = matches!(best, Outcome::Win(plies) if plies <= self.limit);
            let is_won = self.plies[number].load(Ordering::Relaxed) > 0;
            (weight * u64::from(is_winnable), weight * u64::from(is_won))
        };
        let (winnable, won) = (0..places.of_index())
            .into_par_iter()
            .map(of_place)
            .reduce(|| (0, 0), |one, other| (one.0 + other.0, one.1 + other.1));
        WinsWithinRule { winnable, won }
    }
}

/// The ranks that all pawns have advanced, in all. A move within the material changes it if a pawn moves.
fn advancement(position: &Position) -> u32 {
    let material = position.material();
    let pawns = material.slots().filter(|&slot| material.role(slot) == Role::Pawn);
    let ranks = pawns.map(|slot| {
        let rank = position.squares()[slot].rank() as u32;
        if material.side(slot) == Side::Strong { rank } else { 7 - rank }
    });
    ranks.sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::{Policy, TablebasePlayer};
    use lucena_base::progress::NoObserver;
    use lucena_chess::symmetry::Group;
    use lucena_tablebase::{Index, TableFolder};
    use std::collections::HashMap;

    /// The plies from a position to zeroing or mate, found by playing all lines.
    struct Plain<'a> {
        player: &'a dyn Policy,
        zeroing: &'a Tablebase,
        limit: u16,
        known: HashMap<Position, Option<u16>>,
    }

    impl Plain<'_> {
        fn plies(&mut self, position: &Position) -> Option<u16> {
            if let Some(&known) = self.known.get(position) {
                return known;
            }
            let moves = match position.turn() {
                Side::Strong => vec![self.player.choose(position).expect("a move")],
                Side::Weak => position.moves().to_vec(),
            };
            let mut most = Some(0);
            for mv in moves {
                let after = position.play(mv).expect("a legal move");
                let plies = self.after(position, &after);
                most = most.and_then(|most: u16| Some(most.max(plies?)));
            }
            let plies = most.filter(|&plies| plies <= self.limit);
            self.known.insert(*position, plies);
            plies
        }

        fn after(&mut self, before: &Position, after: &Position) -> Option<u16> {
            if after.material() != before.material() {
                return match (after.turn(), self.zeroing.outcome(after)) {
                    (Side::Strong, Outcome::Win(plies)) | (Side::Weak, Outcome::Loss(plies)) => {
                        (plies <= self.limit).then_some(1)
                    }
                    _ => None,
                };
            }
            let pawns = |position: &Position| position.squares()[2];
            let plies = self.plies(after)?;
            Some(if pawns(before) == pawns(after) { plies + 1 } else { 1 })
        }
    }

    /// No endgame of three men takes a hundred plies to win, so the rule is tried with fewer.
    #[test]
    fn wins_within_the_rule_are_those_of_all_lines() {
        let material = "KPvK".parse().expect("a name");
        let mate = Tablebase::solve(material);
        let zeroing = TableFolder::in_memory().of_metric(Metric::Dtz);
        let zeroing = zeroing.tablebase(material, &NoObserver).expect("nobody stops it");
        let player = TablebasePlayer(&mate);
        let game = ProvedGame::new(&player, &mate).expect("a proof");
        let index = Index::new(material, Group::new(material));
        let (mut won, mut winnable) = (Vec::new(), Vec::new());
        for limit in [3, 9, 13, 100] {
            let wins = game.within(limit, &zeroing, &NoObserver).expect("nobody stops it");
            let mut plain =
                Plain { player: &player, zeroing: &zeroing, limit, known: HashMap::new() };
            let positions = (0..index.len()).filter_map(|at| index.position(at, Side::Strong));
            let lost = |position: &Position| {
                matches!(mate.outcome(position), Outcome::Win(_)) && plain.plies(position).is_some()
            };
            // Each has a mirror image.
            assert_eq!(wins.won, 2 * positions.filter(lost).count() as u64, "{limit}");
            won.push(wins.won);
            winnable.push(wins.winnable);
        }
        assert!(won.is_sorted() && won[0] < won[1] && won[2] < won[3], "{won:?}");
        assert_eq!((won[3], winnable[3]), (124_960, 124_960));
    }
}
