//! A few games against the longest resistance: how far a strategy gets before it fails.
//!
//! Play may end in one small circle from everywhere. Then few positions fail, and yet nothing is won. Games
//! show that: they cost the moves over the optimum, up to a bound.

use super::ground::{At, Given, Ground};
use super::plan::{decide, empty_row};
use lucena_tree::StrategyRule;
use rand::Rng;
use rand::seq::SliceRandom;

/// How many games are played.
const GAMES: usize = 160;

/// The most moves that a game counts over the optimum: so much counts a game that is not won.
const MOST: u32 = 30;

/// Games from positions drawn by lot.
pub(super) struct Games<'g> {
    ground: &'g Ground,
    /// Those with which it became too much stand nearer to the front.
    starts: Vec<At>,
}

impl<'g> Games<'g> {
    pub(super) fn new(ground: &'g Ground, rng: &mut impl Rng) -> Self {
        let mut all: Vec<At> = (0..ground.len() as At).collect();
        let starts = all.partial_shuffle(rng, GAMES.min(ground.len())).0.to_vec();
        Self { ground, starts }
    }

    /// The moves over the optimum that rules take on average; nothing as soon as that is too much.
    pub(super) fn excess(
        &mut self,
        rules: &[StrategyRule],
        is_too_much: impl Fn(f64) -> bool,
    ) -> Option<f64> {
        let mut sum = 0;
        for number in 0..self.starts.len() {
            sum += self.game(rules, self.starts[number]);
            if is_too_much(self.mean(sum)) {
                self.starts.swap(number, number / 2);
                return None;
            }
        }
        Some(self.mean(sum))
    }

    fn mean(&self, sum: u32) -> f64 {
        f64::from(sum) / self.starts.len() as f64
    }

    /// The moves over the optimum in one game: of tied moves the worst is played, of replies the one that
    /// holds out longest.
    fn game(&self, rules: &[StrategyRule], start: At) -> u32 {
        let ground = self.ground;
        let (mut at, mut cost) = (start, 0);
        while cost < MOST {
            match ground.given[at as usize] {
                Given::Lost => return MOST,
                Given::Won(_) => return cost,
                Given::Rules => {}
            }
            let mut set = empty_row();
            decide(ground, rules, at, &mut set);
            let costs = ground.costs(at).iter().zip(&set).enumerate();
            let tied = costs.filter(|(_, (_, set))| **set != 0);
            let Some((mv, (&worst, _))) = tied.max_by_key(|(_, (cost, _))| **cost) else {
                return MOST;
            };
            cost += u32::from(worst);
            let after = ground.afters[at as usize * ground.stride + mv];
            let replies = ground.replies.get(after).iter();
            match replies.max_by_key(|reply| ground.optimum[**reply as usize]) {
                Some(&reply) => at = reply,
                None => break,
            }
        }
        cost.min(MOST)
    }
}
