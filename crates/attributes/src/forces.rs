//! What the side to move can force: one step further than [`tactics`](super::tactics), whose words are used here.
//!
//! A side does something *for good* if the other side cannot undo it soon:
//!
//! - The strong side strikes for good if it mates, or captures or promotes so that its material is decisive, stays so, and
//!   the weak side has no check by which it saves itself; or if it gives a check and after every reply it can do one of
//!   these.
//! - The weak side saves itself for good if it captures or promotes so that the material is not decisive for the strong
//!   side, which then neither strikes nor threatens; or if it is stalemated.
//! - A side is *helpless* if the other side can do this after each of its moves.
//! - A side *forces* it if it does it at once, or has a move after which the other side is helpless.

use super::forcing::{ForcingMoves, has_moves, may_convert, may_hit, visit_conversions};
use super::tactics::Tactics;
use lucena_chess::{Position, Step};

/// What the side to move can force.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Force {
    /// It is helpless.
    Helpless,
    /// Neither it nor the other side forces anything.
    Open,
    /// It strikes or saves itself for good, at once or after its next move.
    Forces,
}

impl Tactics {
    /// What the strong side, to move, can force.
    pub(super) fn strong_forces(self, position: &Position) -> Force {
        match position {
            _ if self.strikes_for_good(position) => Force::Forces,
            _ if self.is_strong_helpless(position) => Force::Helpless,
            _ if self.threatens_for_good(position) => Force::Forces,
            _ => Force::Open,
        }
    }

    /// What the weak side, to move, can force.
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
            let found = first_step(after, |next| !self.strikes(next));
            refutation = found.or(refutation);
            found.is_none() && self.is_weak_helpless(after)
        })
    }

    fn strikes_for_good(self, position: &Position) -> bool {
        let forcing = ForcingMoves::new(position);
        forcing.any_conversion(|step| self.gains_for_good(position, step))
            || forcing.any_check(|after| !has_move(after, |reply| !self.hits_for_good(reply)))
    }

    fn gains_for_good(self, position: &Position, step: Step) -> bool {
        self.gains(position, step) && !self.can_fork(&position.after(step))
    }

    /// Returns true if the strong side, to move, strikes for good without another check first.
    fn hits_for_good(self, position: &Position) -> bool {
        may_hit(position) && {
            let forcing = ForcingMoves::new(position);
            forcing.any_conversion(|step| self.gains_for_good(position, step))
                || forcing.any_check(|after| !has_moves(after))
        }
    }

    fn is_saved_for_good(self, position: &Position) -> bool {
        if !may_convert(position) {
            return !has_moves(position) && !position.is_check();
        }
        let (mut saves, mut converts) = (false, false);
        let stays = visit_conversions(position, |step| {
            converts = true;
            saves = saves || self.rescues_for_good(position, step);
        });
        saves || !stays && !converts && !position.is_check()
    }

    /// Returns true if a capture or a promotion of the weak side saves it for good.
    pub(super) fn rescues_for_good(self, position: &Position, step: Step) -> bool {
        self.rescues(position, step) && !self.strong_threatens(&position.after(step))
    }

    /// Returns true if the weak side, to move, is mated or lets the strong side strike for good by every move.
    fn is_weak_helpless(self, position: &Position) -> bool {
        // What strikes for good strikes, and that is known sooner.
        (has_moves(position) || position.is_check())
            && !has_move(position, |after| !self.strikes(after))
            && !has_move(position, |after| !self.strikes_for_good(after))
    }

    /// Returns true if the strong side, to move, has no move or lets the weak side save itself for good by every move.
    fn is_strong_helpless(self, position: &Position) -> bool {
        // What saves itself for good saves itself, and that is known sooner.
        !has_move(position, |after| self.is_safe(after))
            && !has_move(position, |after| !self.is_saved_for_good(after))
    }
}

/// The first step that leads to a position with a property.
fn first_step(position: &Position, is_it: impl Fn(&Position) -> bool) -> Option<Step> {
    let mut first = None;
    position.visit_steps(|step| {
        if first.is_none() && is_it(&position.after(step)) {
            first = Some(step);
        }
    });
    first
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

/// Returns true if a move leads to a position with a property.
fn has_move(position: &Position, mut is_it: impl FnMut(&Position) -> bool) -> bool {
    let mut has = false;
    position.visit_steps(|step| has = has || is_it(&position.after(step)));
    has
}
