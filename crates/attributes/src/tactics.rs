//! Short tactics: what can be won or saved within a few moves, by the rules of the game alone.
//!
//! Material is *decisive* for a side if it forces mate against a bare king, or if it is worth at least four pawns more
//! than what the other side has. Three things follow from it:
//!
//! - The strong side *strikes* if it mates, or captures or promotes so that its material is decisive and stays so; or if
//!   it gives a check and after every reply it can do one of these.
//! - The weak side *saves itself* if it captures or promotes so that the material is not decisive for the strong side,
//!   which cannot strike back.
//! - A move is *safe* if the other side can do nothing of that kind after it.
//!
//! Nothing here names an endgame. A capture or a promotion may change which side has more material, so the strong side
//! is known by its colour.

use super::geometry::of_one_color;
use super::pawn_ending;
use cozy_chess::get_pawn_attacks;
use lucena_chess::{Bitboard, Color, Material, PROMOTIONS, Position, Role, Side, Step};

/// The lead in pawns that is decisive if the other side has more than a king.
const LEAD: u8 = 4;

/// The number of safe moves up to which they are counted.
const MANY_SAFE: u8 = 8;

/// The value of `KSafe` and `kSafe` if there is something better than a safe move.
const BETTER: u8 = 9;

/// The ranks on which pawns promote.
const LAST_RANKS: Bitboard = Bitboard(0xff00_0000_0000_00ff);

/// Returns true if what is on the board is decisive for a colour.
///
/// Against a bare king a queen, a rook, two bishops on squares of both colours, bishop and knight, two pawns, or a pawn
/// and a piece are decisive; a pawn alone is if its ending is won. Otherwise a lead of four pawns is: a queen counts
/// nine, a rook five, a bishop or a knight three.
///
/// ```
/// use lucena_attributes::is_decisive;
/// use lucena_chess::Color;
///
/// for (fen, expected) in [
///     ("4k3/8/8/8/8/8/8/R3K3 b - - 0 1", true),
///     ("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1", true),
///     ("4k3/8/8/4P3/8/4K3/8/8 b - - 0 1", false),
///     ("4kr2/8/8/8/8/8/4P3/R3K3 w - - 0 1", false),
/// ] {
///     assert_eq!(is_decisive(&fen.parse()?, Color::White), expected, "{fen}");
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn is_decisive(position: &Position, color: Color) -> bool {
    let (material, side) = (position.material(), side_of(position, color));
    if !material.is_bare(!side) {
        return worth(material, side) >= worth(material, !side) + LEAD;
    }
    let of = |role| material.slots_of(side).filter(move |&slot| material.role(slot) == role);
    let has = |role| of(role).next().is_some();
    if has(Role::Queen) || has(Role::Rook) {
        return true;
    }
    match of(Role::Pawn).count() {
        0 if has(Role::Knight) => has(Role::Bishop),
        0 => {
            let mut bishops = of(Role::Bishop).map(|slot| position.squares()[slot]);
            let first = bishops.next();
            first.is_some_and(|first| bishops.any(|other| !of_one_color(first, other)))
        }
        1 if material.slots_of(side).count() == 2 => pawn_ending::is_won(position),
        _ => true,
    }
}

/// The men of a side, in pawns.
fn worth(material: Material, side: Side) -> u8 {
    let of = |slot| match material.role(slot) {
        Role::Queen => 9,
        Role::Rook => 5,
        Role::Bishop | Role::Knight => 3,
        Role::Pawn => 1,
        Role::King => 0,
    };
    material.slots_of(side).map(of).sum()
}

/// The side of a colour.
fn side_of(position: &Position, color: Color) -> Side {
    if position.strong() == color { Side::Strong } else { Side::Weak }
}

/// A search of a few moves for what the strong side wins or the weak side saves.
#[derive(Clone, Copy)]
pub(super) struct Tactics {
    /// The colour of the strong side.
    strong: Color,
}

/// A move that captures, promotes or gives check.
struct ForcingMove {
    after: Position,
    converts: bool,
    checks: bool,
}

/// The captures and promotions of the weak side.
struct Rescue {
    /// True if one of them saves it.
    saves: bool,
    /// True if it has a move of any kind.
    has_moves: bool,
}

impl Tactics {
    /// The search for a position, and that position with a side to move; `None` if the position is not legal then. A
    /// capture en passant is not possible at once.
    pub(super) fn new(position: &Position, turn: Side) -> Option<(Self, Position)> {
        let asked = position.with(turn, *position.squares());
        let is_legal = !asked.is_attacked(asked.king(!turn), turn);
        is_legal.then_some((Self { strong: position.strong() }, asked))
    }

    /// Returns true if the weak side, to move, saves itself.
    pub(super) fn saves(self, position: &Position) -> bool {
        self.rescue(position).saves
    }

    fn rescue(self, position: &Position) -> Rescue {
        let (mut saves, mut converts) = (false, false);
        let stays = visit_conversions(position, |step| {
            converts = true;
            if !saves {
                let after = position.after(step);
                saves = !is_decisive(&after, self.strong) && !self.strikes(&after);
            }
        });
        Rescue { saves, has_moves: converts || stays }
    }

    /// Returns true if the strong side, to move, strikes.
    pub(super) fn strikes(self, position: &Position) -> bool {
        let mut found = false;
        visit_forcing(position, |forcing| {
            found = found
                || (forcing.converts && self.keeps(&forcing.after))
                || (forcing.checks && self.leads_to_hits(&forcing.after));
        });
        found
    }

    /// Returns true if the material is decisive for the strong side, and the weak side, to move, is not stalemated and
    /// cannot change that by a capture or a promotion.
    fn keeps(self, position: &Position) -> bool {
        if !is_decisive(position, self.strong) {
            return false;
        }
        let (mut keeps, mut converts) = (true, false);
        let stays = visit_conversions(position, |step| {
            converts = true;
            keeps = keeps && is_decisive(&position.after(step), self.strong);
        });
        keeps && (stays || converts || position.is_check())
    }

    /// Returns true if the strong side can hit after every reply of the weak side, which is in check. Mate has no reply.
    fn leads_to_hits(self, position: &Position) -> bool {
        let mut leads = true;
        position.visit_steps(|reply| leads = leads && self.hits(&position.after(reply)));
        leads
    }

    /// Returns true if the strong side, to move, mates, or captures or promotes so that its material is decisive and
    /// stays so.
    fn hits(self, position: &Position) -> bool {
        let mut found = false;
        visit_forcing(position, |forcing| {
            found = found
                || (forcing.converts && self.keeps(&forcing.after))
                || (forcing.checks && !forcing.after.has_moves());
        });
        found
    }

    /// Returns true if a position with the weak side to move, after a move of the strong side, shows that the move was
    /// safe.
    fn is_safe(self, position: &Position) -> bool {
        let rescue = self.rescue(position);
        !rescue.saves && (rescue.has_moves || position.is_check())
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
        let is_helpless = |after: &Position| {
            count_moves(after, 1, |next| self.is_safe(next)) == 0 && !self.strikes(after)
        };
        !self.saves(position) && count_moves(position, 1, is_helpless) > 0
    }

    /// Returns true if the strong side, to move, does not strike but has a move that leaves the weak side neither
    /// stalemated nor a way to save itself nor a safe move.
    pub(super) fn strong_threatens(self, position: &Position) -> bool {
        let is_helpless = |after: &Position| {
            let rescue = self.rescue(after);
            !rescue.saves
                && (rescue.has_moves || after.is_check())
                && count_moves(after, 1, |next| !self.strikes(next)) == 0
        };
        !self.strikes(position) && count_moves(position, 1, is_helpless) > 0
    }
}

/// Returns true if the side to move, were it a side's turn, could neither capture nor promote, and its king is not in
/// check.
pub(super) fn is_quiet(position: &Position, turn: Side) -> bool {
    let asked = position.with(turn, *position.squares());
    let mut converts = false;
    visit_conversions(&asked, |_| converts = true);
    !converts && !asked.is_check()
}

/// The number of moves that lead to positions of a kind, counted up to a limit.
fn count_moves(position: &Position, most: u8, is_counted: impl Fn(&Position) -> bool) -> u8 {
    let mut count = 0;
    position.visit_steps(|step| {
        if count < most && is_counted(&position.after(step)) {
            count += 1;
        }
    });
    count
}

/// Calls `visit` for every capture and promotion; returns true if there are other moves.
fn visit_conversions(position: &Position, mut visit: impl FnMut(Step)) -> bool {
    if position.en_passant().is_none() {
        return position.visit_conversions(position.danger(position.turn()), visit);
    }
    let mut stays = false;
    position.visit_steps(|step| if step.converts() { visit(step) } else { stays = true });
    stays
}

/// Calls `visit` for every move that captures, promotes or gives check.
fn visit_forcing(position: &Position, mut visit: impl FnMut(ForcingMove)) {
    let (material, turn, occupied) = (position.material(), position.turn(), position.occupied());
    let (king, foes) = (position.king(!turn), position.men_of(!turn));
    let passed = position.en_passant().map_or(Bitboard::EMPTY, |square| square.bitboard());
    let masks = masks(position, occupied);
    position.visit_targets(|slot, targets| {
        let is_pawn = material.role(slot) == Role::Pawn;
        let last = if is_pawn { LAST_RANKS | passed } else { Bitboard::EMPTY };
        let direct = match material.role(slot) {
            Role::King => Bitboard::EMPTY,
            Role::Pawn => get_pawn_attacks(king, position.color(!turn)),
            _ => position.attacks(slot, king, occupied),
        };
        let is_mask = masks.has(position.squares()[slot]);
        let checking = if is_mask { Bitboard::FULL } else { direct };
        for to in targets & (foes | last | checking) {
            let captured = position.captured_by(slot, to, occupied);
            let mut visit_step = |promotion| {
                let step = Step { slot, to, captured, promotion };
                let after = position.after(step);
                let checks =
                    if is_mask || last.has(to) { after.is_check() } else { direct.has(to) };
                visit(ForcingMove { after, converts: step.converts(), checks });
            };
            if is_pawn && LAST_RANKS.has(to) {
                PROMOTIONS.into_iter().for_each(|role| visit_step(Some(role)));
            } else {
                visit_step(None);
            }
        }
    });
}

/// Squares of men of the side to move, among them all that mask a line of their own side to the other king.
fn masks(position: &Position, occupied: Bitboard) -> Bitboard {
    let (material, turn, squares) = (position.material(), position.turn(), position.squares());
    let (king, own) = (position.king(!turn), position.men_of(turn));
    let is_line_piece =
        |&slot: &usize| matches!(material.role(slot), Role::Bishop | Role::Rook | Role::Queen);
    let lines = material.slots_of(turn).filter(is_line_piece);
    lines.fold(Bitboard::EMPTY, |all, slot| {
        let near = position.attacks(slot, squares[slot], occupied) & own;
        let unmasks =
            !near.is_empty() && position.attacks(slot, squares[slot], occupied & !near).has(king);
        if unmasks { all | near } else { all }
    })
}
