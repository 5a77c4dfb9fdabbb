//! A few games against the longest resistance: how far a strategy gets before it fails.
//!
//! Play may end in one small cycle from everywhere. Then few positions fail, and yet nothing is won. Games
//! reveal that: their cost is the number of moves over the optimum, up to a bound.

use super::move_rows::{MoveRows, PositionId};
use super::move_table::{BeforeRules, MoveTable};
use super::rule_change::RuleChange;
use super::selection::{DecisionBasis, decide, empty_row};
use lucena_model::StrategyRule;
use rand::Rng;
use rand::seq::SliceRandom;

/// The number of games.
const GAMES: usize = 160;

/// The highest cost of a game, and the cost of a game that is not won, in moves over the optimum.
const MAX_COST: u32 = 30;

/// Games from random positions, updated incrementally while rules change.
pub(super) struct Games<'g> {
    table: &'g MoveTable,
    rules: Vec<StrategyRule>,
    /// Games at which a change was rejected move towards the front.
    games: Vec<Game>,
    /// The games that the last change affects, as played after it.
    changed: Vec<(usize, Game)>,
}

/// A game of some rules.
struct Game {
    start: PositionId,
    /// Moves over the optimum.
    cost: u32,
    /// Each position with the rule and keys that decided its move.
    decided: Vec<(PositionId, DecisionBasis)>,
}

impl<'g> Games<'g> {
    pub(super) fn new(table: &'g MoveTable, rules: &[StrategyRule], rng: &mut impl Rng) -> Self {
        let mut all: Vec<PositionId> = (0..table.len() as PositionId).collect();
        let starts = &*all.partial_shuffle(rng, GAMES.min(table.len())).0;
        let games = starts.iter().map(|&start| play(table, rules, start)).collect();
        Self { table, rules: rules.to_vec(), games, changed: Vec::new() }
    }

    /// Returns the mean number of moves over the optimum.
    pub(super) fn excess(&self) -> f64 {
        self.mean(self.games.iter().map(|game| game.cost).sum())
    }

    /// Returns the mean number of moves over the optimum with other rules; `None` as soon as it is too much.
    /// The rules are not taken over yet.
    pub(super) fn change(
        &mut self,
        rules: &[StrategyRule],
        is_too_much: impl Fn(f64) -> bool,
    ) -> Option<f64> {
        let touched = RuleChange::new(&self.rules, rules);
        self.changed.clear();
        let is_touched = |game: &Game| {
            let mut all = game.decided.iter();
            all.any(|&(at, decided)| touched.reaches(self.table, at, decided))
        };
        let (again, same): (Vec<usize>, Vec<usize>) =
            (0..self.games.len()).partition(|&number| is_touched(&self.games[number]));
        let mut sum = same.iter().map(|&number| self.games[number].cost).sum();
        for number in again {
            let game = play(self.table, rules, self.games[number].start);
            sum += game.cost;
            if is_too_much(self.mean(sum)) {
                self.games.swap(number, number / 2);
                return None;
            }
            self.changed.push((number, game));
        }
        let mean = self.mean(sum);
        (!is_too_much(mean)).then_some(mean)
    }

    /// Takes over the rules that were tried last.
    pub(super) fn keep(&mut self, rules: &[StrategyRule]) {
        let touched = RuleChange::new(&self.rules, rules);
        if touched.renumbers() {
            for (_, decided) in self.games.iter_mut().flat_map(|game| &mut game.decided) {
                *decided = touched.renumbered(*decided);
            }
        }
        for (number, game) in self.changed.drain(..) {
            self.games[number] = game;
        }
        self.rules = rules.to_vec();
    }

    fn mean(&self, sum: u32) -> f64 {
        f64::from(sum) / self.games.len() as f64
    }
}

/// Plays a game with the worst of the tied moves and the replies that hold out longest.
fn play(table: &MoveTable, rules: &[StrategyRule], start: PositionId) -> Game {
    let mut game = Game { start, cost: 0, decided: Vec::new() };
    let mut at = start;
    while game.cost < MAX_COST {
        match table.given[at as usize] {
            BeforeRules::Lost => {
                game.cost = MAX_COST;
                break;
            }
            BeforeRules::Won(_) => break,
            BeforeRules::Rules => {}
        }
        let mut set = empty_row();
        game.decided.push((at, decide(table, rules, at, &mut set)));
        let costs = table.costs(at).iter().zip(&set).enumerate();
        let tied = costs.filter(|(_, (_, set))| **set != 0);
        let Some((mv, (&worst, _))) = tied.max_by_key(|(_, (cost, _))| **cost) else {
            game.cost = MAX_COST;
            break;
        };
        game.cost += u32::from(worst);
        let after = table.after(at, mv);
        let replies = table.replies.get(after).iter();
        match replies.max_by_key(|reply| table.optimum[**reply as usize]) {
            Some(&reply) => at = reply,
            None => break,
        }
    }
    game.cost = game.cost.min(MAX_COST);
    game
}
