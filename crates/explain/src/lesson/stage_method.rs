//! The number of moves that a method takes to the goal of a stage.

use super::stage::{Goal, StageGame};
use lucena_chess::{Position, Side};
use lucena_proof::policy::Policy;
use lucena_tablebase::Tablebase;
use std::collections::HashMap;

/// The moves that a policy takes to the goal of a stage. What is known of positions is kept for the next question.
pub struct MethodMoves<'m> {
    game: &'m StageGame,
    policy: &'m dyn Policy,
    tablebase: &'m Tablebase,
    /// By position, with the strong side to move: `None` while it is being examined, and if the goal may be missed.
    known: HashMap<Position, Option<u16>>,
}

impl<'m> MethodMoves<'m> {
    /// Creates a count that has examined nothing yet.
    ///
    /// # Panics
    /// If the table is of another endgame than the policy.
    pub fn new(game: &'m StageGame, policy: &'m dyn Policy, tablebase: &'m Tablebase) -> Self {
        assert_eq!(policy.material(), tablebase.material());
        Self { game, policy, tablebase, known: HashMap::new() }
    }

    /// The most moves of the strong side from a position with it to move to the goal, whichever of its tied moves the
    /// policy plays, and against every reply; `None` if the policy may miss the goal. After a promotion the rest of the
    /// way to mate is that of best play.
    pub fn most(&mut self, position: &Position) -> Option<u16> {
        if let Some(known) = self.known.get(position) {
            return *known;
        }
        // A line that comes back to a position being examined goes round for ever.
        self.known.insert(*position, None);
        let plays = self.policy.plays(position).filter(|plays| !plays.is_empty());
        let most = plays.and_then(|plays| {
            plays.iter().try_fold(0, |most, (_, after)| Some(self.most_after(after)?.max(most)))
        });
        self.known.insert(*position, most);
        most
    }

    fn most_after(&mut self, after: &Position) -> Option<u16> {
        let material = self.tablebase.material();
        if self.game.goal.is_reached(material, after) {
            return Some(1);
        }
        if after.material() != material {
            return match self.game.goal {
                Goal::Mate => self.best_play(after),
                Goal::Promotion | Goal::Range(_) => None,
            };
        }
        let replies = after.moves();
        if replies.is_empty() {
            return None;
        }
        replies.into_iter().try_fold(0, |most, reply| {
            let next = after.play(reply).ok()?;
            let rest = match next.material() == material {
                true => self.most(&next)?,
                false => return None,
            };
            Some(most.max(rest + 1))
        })
    }

    /// The moves with the one just played, until the weak side, to move in another endgame, is mated.
    fn best_play(&self, after: &Position) -> Option<u16> {
        let replies = self.tablebase.outcomes(after);
        let longest = replies.iter().map(|(.., outcome)| outcome.moves_to_win());
        longest.collect::<Option<Vec<_>>>()?.into_iter().max().map(|most| most + 1)
    }
}

impl StageGame {
    /// The most moves that any of some policies takes from each position to the goal; `None` where one may miss it.
    pub fn most_moves(
        &self,
        policies: &[&dyn Policy],
        tablebase: &Tablebase,
        from: &[Position],
    ) -> Vec<Option<u16>> {
        debug_assert!(from.iter().all(|position| position.turn() == Side::Strong));
        let mut methods: Vec<_> =
            policies.iter().map(|policy| MethodMoves::new(self, *policy, tablebase)).collect();
        let most = |position| {
            methods.iter_mut().try_fold(0, |most, method| Some(method.most(position)?.max(most)))
        };
        from.iter().map(most).collect()
    }
}
