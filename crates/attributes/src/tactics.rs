//! Short tactics: what can be won or saved within a few moves, by the rules of the game alone.
//!
//! Material is *decisive* for a side if it forces mate against a bare king, or if it is worth at least four pawns more
//! than what the other side has (`decisive.rs`). Three things follow from it:
//!
//! - The strong side *strikes* if it mates, or captures or promotes so that its material is decisive and stays so; or if
//!   it gives a check and after every reply it can do one of these. It stays so if the weak side has no capture or
//!   promotion that changes it, and is not stalemated.
//! - The weak side *saves itself* if it captures or promotes so that the material is not decisive for the strong side,
//!   which cannot strike then.
//! - A move is *safe* if the other side can do nothing of that kind after it. A move of the strong side that stalemates
//!   is not safe.
//!
//! Nothing here names an endgame. A capture or a promotion may change which side has more material, so the strong side
//! is known by its colour.

use super::decisive::is_decisive_after;
use super::forcing::{
    ForcingMoves, count_moves, has_move, has_moves, may_convert, may_hit, visit_conversions,
};
use cozy_chess::get_king_moves;
use lucena_chess::{Color, Material, Position, Side, Step};

/// The number of safe moves up to which they are counted.
const MANY_SAFE: u8 = 8;

/// The value of `KSafe` and `kSafe` if there is something better than a safe move.
const BETTER: u8 = 9;

/// A search of a few moves for what the strong side wins or the weak side saves.
#[derive(Clone, Copy)]
pub(super) struct Tactics {
    /// The colour of the strong side.
    pub(super) strong: Color,
}

/// The possibilities of the weak side, to move.
pub(super) struct Rescue {
    /// True if a capture or a promotion saves it.
    pub(super) saves: bool,
    /// True if it is stalemated.
    pub(super) is_stalemate: bool,
}

impl Tactics {
    /// The search for a position, and that position with a side to move; `None` if the position is not legal then. A
    /// capture en passant is not possible at once.
    pub(super) fn new(position: &Position, turn: Side) -> Option<(Self, Position)> {
        let asked = position.with(turn, *position.squares());
        let is_legal = !asked.is_attacked(asked.king(!turn), turn);
        is_legal.then_some((Self { strong: position.strong() }, asked))
    }

    /// The search for a legal position.
    pub(super) fn of(position: &Position) -> Self {
        Self { strong: position.strong() }
    }

    /// Returns true if the weak side, to move, saves itself.
    pub(super) fn saves(self, position: &Position) -> bool {
        may_convert(position) && self.rescue(position, Self::rescues).saves
    }

    /// The possibilities of the weak side, to move, if `rescues` tells which captures and promotions save it.
    pub(super) fn rescue(
        self,
        position: &Position,
        rescues: impl Fn(Self, &Position, Step) -> bool,
    ) -> Rescue {
        let (mut saves, mut converts) = (false, false);
        let stays = visit_conversions(position, |step| {
            converts = true;
            saves = saves || rescues(self, position, step);
        });
        Rescue { saves, is_stalemate: !stays && !converts && !position.is_check() }
    }

    /// Returns true if a capture or a promotion of the weak side saves it.
    pub(super) fn rescues(self, position: &Position, step: Step) -> bool {
        !is_decisive_after(position, step, self.strong) && !self.strikes(&position.after(step))
    }

    /// Returns true if the strong side, to move, strikes.
    pub(super) fn strikes(self, position: &Position) -> bool {
        self.strikes_by(position, Self::gains)
    }

    /// Returns true if the strong side, to move, strikes, if `gains` tells which captures and promotions do.
    pub(super) fn strikes_by(
        self,
        position: &Position,
        gains: impl Fn(Self, &Position, Step) -> bool + Copy,
    ) -> bool {
        let forcing = ForcingMoves::new(position);
        forcing.any_conversion(|step| gains(self, position, step))
            || forcing.any_check(|after| self.leads_to_hits(after, gains))
    }

    /// Returns true if a capture or a promotion of the strong side makes its material decisive, and it stays so.
    pub(super) fn gains(self, position: &Position, step: Step) -> bool {
        is_decisive_after(position, step, self.strong) && self.keeps(&position.after(step))
    }

    /// Returns true if the material, which is decisive for the strong side, stays so: the weak side, to move, is not
    /// stalemated and cannot change it by a capture or a promotion.
    fn keeps(self, position: &Position) -> bool {
        if !may_convert(position) {
            return has_moves(position) || position.is_check();
        }
        let (mut keeps, mut converts) = (true, false);
        let stays = visit_conversions(position, |step| {
            converts = true;
            keeps = keeps && is_decisive_after(position, step, self.strong);
        });
        keeps && (stays || converts || position.is_check())
    }

    /// Returns true if the material is decisive after a capture or a promotion of the strong side, and the weak side can
    /// save itself neither at once nor by a check.
    pub(super) fn wins_by(self, position: &Position, step: Step) -> bool {
        is_decisive_after(position, step, self.strong) && {
            let after = position.after(step);
            self.is_safe(&after) && !self.can_fork(&after, 1)
        }
    }

    /// Returns true if the weak side saves itself by a capture or a promotion, after which the strong side does not threaten.
    pub(super) fn holds_by(self, position: &Position, step: Step) -> bool {
        self.rescues(position, step) && !self.strong_threatens(&position.after(step))
    }

    /// Returns true if the weak side, to move, mates or saves itself by at most so many checks in a row, whatever the strong
    /// side does.
    pub(super) fn can_fork(self, position: &Position, checks: u8) -> bool {
        let is_saved =
            |next: &Position| self.saves(next) || checks > 1 && self.can_fork(next, checks - 1);
        let is_lost = |after: &Position| !has_move(after, |next| !is_saved(next));
        ForcingMoves::new(position).any_check(is_lost)
    }

    /// Returns true if the strong side can hit after every reply of the weak side, which is in check. Mate has no reply.
    fn leads_to_hits(
        self,
        position: &Position,
        gains: impl Fn(Self, &Position, Step) -> bool + Copy,
    ) -> bool {
        let (turn, danger) = (position.turn(), position.danger(position.turn()));
        let (slot, occupied) = (Material::king(turn), position.occupied());
        let leads = |step| self.hits(&position.after(step), gains);
        // Most checks are refuted by a move of the king.
        let goals = get_king_moves(position.king(turn)) & !position.men_of(turn) & !danger;
        let leads_to = |to| {
            let captured = position.captured_by(slot, to, occupied);
            leads(Step { slot, to, captured, promotion: None })
        };
        if !goals.into_iter().all(leads_to) {
            return false;
        }
        let mut all = true;
        position.visit_steps_in(danger, |reply| {
            all = all && (reply.slot == slot || leads(reply));
        });
        all
    }

    /// Returns true if the strong side, to move, mates, or gains by a capture or a promotion.
    fn hits(self, position: &Position, gains: impl Fn(Self, &Position, Step) -> bool) -> bool {
        may_hit(position) && {
            let forcing = ForcingMoves::new(position);
            forcing.any_conversion(|step| gains(self, position, step))
                || forcing.any_check(|after| !has_moves(after))
        }
    }

    /// Returns true if a move of the strong side was safe that led to this position with the weak side to move.
    pub(super) fn is_safe(self, position: &Position) -> bool {
        if !may_convert(position) {
            return has_moves(position) || position.is_check();
        }
        let rescue = self.rescue(position, Self::rescues);
        !rescue.saves && !rescue.is_stalemate
    }

    /// The number of safe moves of the strong side, to move, counted up to eight; nine if it strikes.
    pub(super) fn safe_moves(self, position: &Position) -> u8 {
        if self.strikes(position) {
            return BETTER;
        }
        count_moves(position, MANY_SAFE, |after| self.is_safe(after))
    }

    /// The number of safe moves of the weak side, to move, counted up to eight; nine if it saves itself.
    pub(super) fn safe_replies(self, position: &Position) -> u8 {
        if self.saves(position) {
            return BETTER;
        }
        count_moves(position, MANY_SAFE, |after| !self.strikes(after))
    }

    /// Returns true if the weak side, to move, does not save itself but has a move that leaves the strong side neither a
    /// strike nor a safe move.
    pub(super) fn weak_threatens(self, position: &Position) -> bool {
        let is_helpless =
            |after: &Position| !has_move(after, |next| self.is_safe(next)) && !self.strikes(after);
        !self.saves(position) && has_move(position, is_helpless)
    }

    /// Returns true if the strong side, to move, does not strike but has a move that leaves the weak side neither
    /// stalemated nor a way to save itself nor a safe move.
    pub(super) fn strong_threatens(self, position: &Position) -> bool {
        let is_helpless =
            |after: &Position| self.is_safe(after) && !has_move(after, |next| !self.strikes(next));
        !self.strikes(position) && has_move(position, is_helpless)
    }
}
