//! Force: what the side to move brings about whatever the other side does. It looks one step further than
//! [`tactics`](super::tactics), whose words are used here.
//!
//! A side does something *for good* if the other side cannot undo it soon:
//!
//! - The strong side strikes for good if it mates, or captures or promotes so that its material is decisive and stays so,
//!   and the weak side neither threatens nor mates or saves itself by one or two checks; or if it gives a check and after
//!   every reply it can do one of these.
//! - The weak side saves itself for good if it captures or promotes so that the material is not decisive for the strong
//!   side, which then neither strikes nor threatens nor has a runner; or if it is stalemated.
//! - A pawn is a *runner* if at most two moves promote it, the weak king stands outside its square, and no other weak
//!   man guards the square where it promotes, or the strong king guards that too.
//! - A side is *helpless* if the other side can do this after each of its moves.
//! - A side *forces* it if it does it at once, or has a move after which the other side is helpless.

use super::decisive::side_of;
use super::forcing::{first_move, has_move, has_moves, may_convert};
use super::tactics::Tactics;
use lucena_chess::{Position, Rank, Role, Slot, Square, Step};
use lucena_model::squares::steps;

/// The number of checks in a row by which the weak side may save itself.
const CHECKS: u8 = 2;

/// The power of the side to move to bring something about whatever the other side does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Force {
    /// No power: the other side reaches its aim after each move.
    Helpless,
    /// No power of either side.
    Open,
    /// Power to strike, or to save itself, for good: at once or after its next move.
    Forces,
}

impl Tactics {
    /// Returns what the strong side, to move, can force.
    pub(super) fn strong_forces(self, position: &Position) -> Force {
        match position {
            _ if self.strikes_for_good(position) => Force::Forces,
            _ if self.is_strong_helpless(position) => Force::Helpless,
            _ if self.threatens_for_good(position) => Force::Forces,
            _ => Force::Open,
        }
    }

    /// Returns what the weak side, to move, can force.
    pub(super) fn weak_forces(self, position: &Position) -> Force {
        match position {
            _ if self.is_saved_for_good(position) => Force::Forces,
            _ if self.is_weak_helpless(position) => Force::Helpless,
            _ if has_move(position, |after| self.is_strong_helpless(after)) => Force::Forces,
            _ => Force::Open,
        }
    }

    /// Returns true if the strong side, to move, has a move after which the weak side is helpless.
    fn threatens_for_good(self, position: &Position) -> bool {
        // A reply that refutes one move mostly refutes the next one too.
        let mut refutation = None;
        has_move(position, |after| {
            if let Some(step) = refutation
                && is_step(after, step)
                && !self.strikes(&after.after(step))
            {
                return false;
            }
            let found = first_move(after, |next| !self.strikes(next));
            refutation = found.or(refutation);
            found.is_none() && self.lets_strike_for_good(after)
        })
    }

    fn strikes_for_good(self, position: &Position) -> bool {
        self.strikes_by(position, Self::gains_for_good)
    }

    fn gains_for_good(self, position: &Position, step: Step) -> bool {
        self.gains(position, step) && {
            let after = position.after(step);
            !self.can_fork(&after, CHECKS) && !self.weak_threatens(&after)
        }
    }

    fn is_saved_for_good(self, position: &Position) -> bool {
        if !may_convert(position) {
            return !has_moves(position) && !position.is_check();
        }
        let rescue = self.rescue(position, Self::rescues_for_good);
        rescue.saves || rescue.is_stalemate
    }

    fn rescues_for_good(self, position: &Position, step: Step) -> bool {
        self.holds_by(position, step) && !self.has_runner(&position.after(step))
    }

    /// Returns true if a pawn of the strong side is a runner.
    fn has_runner(self, position: &Position) -> bool {
        let (material, side) = (position.material(), side_of(position, self.strong));
        let last = Rank::Eighth.relative_to(self.strong);
        let [strong, weak] = [side, !side].map(|side| position.king(side));
        material.slots_of(side).filter(|&slot| material.role(slot) == Role::Pawn).any(|slot| {
            let pawn = position.squares()[slot];
            let goal = Square::new(pawn.file(), last);
            let left = steps(pawn as u8, goal as u8);
            let is_guarded = || {
                let guards = |&slot: &Slot| {
                    let at = position.squares()[slot];
                    position.attacks(slot, at, position.occupied()).has(goal)
                };
                steps(strong as u8, goal as u8) > 1
                    && material.slots_of(!side).any(|slot| guards(&slot))
            };
            left <= 2 && steps(weak as u8, goal as u8) > left && !is_guarded()
        })
    }

    /// Returns true if the weak side, to move, is mated or lets the strong side strike for good by every move.
    fn is_weak_helpless(self, position: &Position) -> bool {
        // What strikes for good strikes, and that is known sooner.
        !has_move(position, |after| !self.strikes(after)) && self.lets_strike_for_good(position)
    }

    /// [`Self::is_weak_helpless`], where the strong side strikes after every move.
    fn lets_strike_for_good(self, position: &Position) -> bool {
        (has_moves(position) || position.is_check())
            && !has_move(position, |after| !self.strikes_for_good(after))
    }

    /// Returns true if the strong side, to move, has no move or lets the weak side save itself for good by every move.
    fn is_strong_helpless(self, position: &Position) -> bool {
        // What saves itself for good saves itself, and that is known sooner.
        !has_move(position, |after| self.is_safe(after))
            && !has_move(position, |after| !self.is_saved_for_good(after))
    }
}

/// Returns true if a step of another position is legal here. A capture is not looked for.
fn is_step(position: &Position, step: Step) -> bool {
    let mut is_legal = false;
    if step.captured.is_none() && !position.occupied().has(step.to) {
        position.visit_targets(|slot, targets| {
            is_legal = is_legal || slot == step.slot && targets.has(step.to);
        });
    }
    is_legal
}
