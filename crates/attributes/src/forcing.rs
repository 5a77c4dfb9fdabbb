//! Moves that force: captures, promotions and checks. Whether there can be any is seen before moves are made.

use cozy_chess::{get_king_moves, get_knight_moves, get_pawn_attacks, get_pawn_quiets};
use lucena_chess::{Bitboard, MAX_MEN, PROMOTIONS, Position, Rank, Role, Slot, Square, Step};
use lucena_model::squares::{files, in_line, ranks, shares_line};

/// The ranks on which pawns promote.
const LAST_RANKS: Bitboard = Bitboard(0xff00_0000_0000_00ff);

/// A part of the moves that force.
enum Part {
    /// Captures and promotions.
    Conversions,
    /// Moves that give check or may give it.
    Checks,
}

/// The moves of a position that capture, promote or give check.
pub(super) struct ForcingMoves<'p> {
    position: &'p Position,
    /// The legal targets by slot.
    targets: [Bitboard; MAX_MEN],
    occupied: Bitboard,
    /// The men of the other side.
    foes: Bitboard,
    /// Men that may give check by leaving a line, among others.
    masks: Bitboard,
    /// The square on which a pawn can be captured en passant.
    passed: Bitboard,
}

impl<'p> ForcingMoves<'p> {
    pub(super) fn new(position: &'p Position) -> Self {
        let mut all = [Bitboard::EMPTY; MAX_MEN];
        position.visit_targets(|slot, targets| all[slot] = targets);
        let (own, foes) = (position.men_of(position.turn()), position.men_of(!position.turn()));
        let occupied = own | foes;
        Self {
            position,
            targets: all,
            occupied,
            foes,
            masks: masks(position, own, occupied),
            passed: position.en_passant().map_or(Bitboard::EMPTY, Square::bitboard),
        }
    }

    /// Returns true if a capture or a promotion has a property.
    pub(super) fn any_conversion(&self, is_it: impl Fn(Step) -> bool) -> bool {
        self.any(&Part::Conversions, |step, _| is_it(step))
    }

    /// Returns true if a move that gives check leads to a position with a property.
    pub(super) fn any_check(&self, is_it: impl Fn(&Position) -> bool) -> bool {
        self.any(&Part::Checks, |step, is_sure| {
            let after = self.position.after(step);
            (is_sure || after.is_check()) && is_it(&after)
        })
    }

    /// Returns true if a step of a part has a property. The property is also told whether the step surely gives check.
    fn any(&self, part: &Part, is_it: impl Fn(Step, bool) -> bool) -> bool {
        let (position, material) = (self.position, self.position.material());
        let king = position.king(!position.turn());
        material.slots_of(position.turn()).any(|slot| {
            let targets = self.targets[slot];
            if targets.is_empty() {
                return false;
            }
            let is_pawn = material.role(slot) == Role::Pawn;
            let last = if is_pawn { LAST_RANKS | self.passed } else { Bitboard::EMPTY };
            let is_mask = self.masks.has(position.squares()[slot]);
            let squares = match part {
                Part::Conversions => last | self.foes,
                Part::Checks if is_mask => Bitboard::FULL,
                Part::Checks => last | direct_checks(position, slot, self.occupied),
            };
            (targets & squares).into_iter().any(|to| {
                let captured = position.captured_by(slot, to, self.occupied);
                let is_sure = !is_mask && !last.has(to);
                let is_it = |promotion| is_it(Step { slot, to, captured, promotion }, is_sure);
                match part {
                    _ if !is_pawn || !LAST_RANKS.has(to) => is_it(None),
                    Part::Conversions => PROMOTIONS.into_iter().any(|role| is_it(Some(role))),
                    Part::Checks => PROMOTIONS
                        .into_iter()
                        .any(|role| (is_mask || reaches(role, to, king)) && is_it(Some(role))),
                }
            })
        })
    }
}

/// Returns true if a piece could attack a square from another one on an empty board.
fn reaches(role: Role, from: Square, to: Square) -> bool {
    let [start, end] = [from, to].map(|square| square as u8);
    match role {
        Role::Queen => in_line(start, end),
        Role::Rook => shares_line(start, end),
        Role::Bishop => files(start, end) == ranks(start, end),
        Role::Knight => get_knight_moves(from).has(to),
        Role::Pawn | Role::King => false,
    }
}

/// The squares from which a man of the side to move would attack the other king.
#[inline]
fn direct_checks(position: &Position, slot: Slot, occupied: Bitboard) -> Bitboard {
    let king = position.king(!position.turn());
    match position.material().role(slot) {
        Role::King => Bitboard::EMPTY,
        Role::Pawn => get_pawn_attacks(king, position.color(!position.turn())),
        _ => position.attacks(slot, king, occupied),
    }
}

/// Squares of men of the side to move, among them all that mask a line of their own side to the other king.
fn masks(position: &Position, own: Bitboard, occupied: Bitboard) -> Bitboard {
    let (material, turn, squares) = (position.material(), position.turn(), position.squares());
    let king = position.king(!turn);
    let is_in_line = |&slot: &Slot| reaches(material.role(slot), squares[slot], king);
    material.slots_of(turn).filter(is_in_line).fold(Bitboard::EMPTY, |all, slot| {
        let near = position.attacks(slot, squares[slot], occupied) & own;
        let unmasks =
            !near.is_empty() && position.attacks(slot, squares[slot], occupied & !near).has(king);
        if unmasks { all | near } else { all }
    })
}

/// Calls `visit` for every capture and promotion; returns true if there are other moves.
pub(super) fn visit_conversions(position: &Position, mut visit: impl FnMut(Step)) -> bool {
    if position.en_passant().is_none() {
        return position.visit_conversions(position.danger(position.turn()), visit);
    }
    let mut stays = false;
    position.visit_steps(|step| if step.converts() { visit(step) } else { stays = true });
    stays
}

/// Returns true if the side to move attacks a man, or has a pawn that could promote. Otherwise it has no capture and no
/// promotion.
pub(super) fn may_convert(position: &Position) -> bool {
    let (material, turn, occupied) = (position.material(), position.turn(), position.occupied());
    let foes = position.men_of(!turn);
    position.en_passant().is_some()
        || material.slots_of(turn).any(|slot| {
            let attacks = position.attacks(slot, position.squares()[slot], occupied);
            !(attacks & foes).is_empty() || may_promote(position, slot)
        })
}

/// Returns true if the man in a slot is a pawn on its seventh rank.
fn may_promote(position: &Position, slot: Slot) -> bool {
    let material = position.material();
    let seventh = Rank::Seventh.relative_to(position.color(material.side(slot)));
    material.role(slot) == Role::Pawn && position.squares()[slot].rank() == seventh
}

/// Returns false if the side to move has no capture, no promotion and no mate. This is seen in far less time than moves
/// are made in.
pub(super) fn may_hit(position: &Position) -> bool {
    let (material, turn, squares) = (position.material(), position.turn(), position.squares());
    let (own, foes) = (position.men_of(turn), position.men_of(!turn));
    let (occupied, king) = (own | foes, position.king(!turn));
    let may_hit = |slot: Slot| {
        let attacks = position.attacks(slot, squares[slot], occupied);
        if !(attacks & foes).is_empty() || may_promote(position, slot) {
            return true;
        }
        let checks = direct_checks(position, slot, occupied);
        match material.role(slot) {
            Role::King => false,
            Role::Pawn => {
                let goals = get_pawn_quiets(squares[slot], position.color(turn), occupied);
                !(goals & checks).is_empty()
            }
            _ => {
                let near = attacks & own;
                let checks = attacks & checks & !own;
                reaches(material.role(slot), squares[slot], king)
                    && position.attacks(slot, squares[slot], occupied & !near).has(king)
                    || !checks.is_empty() && may_mate(position, slot, checks, occupied)
            }
        }
    };
    position.en_passant().is_some() || material.slots_of(turn).any(may_hit)
}

/// Returns false if the other king certainly has a move when the piece in a slot gives check from any of some squares.
fn may_mate(position: &Position, slot: Slot, checks: Bitboard, occupied: Bitboard) -> bool {
    let (material, turn, squares) = (position.material(), position.turn(), position.squares());
    let king = position.king(!turn);
    // Without the king and the piece there are more attacks than after the move.
    let occupied = occupied & !king.bitboard() & !squares[slot].bitboard();
    let others = material.slots_of(turn).filter(|&other| other != slot);
    let flights = others.fold(get_king_moves(king), |flights, other| {
        flights & !position.attacks(other, squares[other], occupied)
    });
    let flights = flights & !position.men_of(!turn);
    checks.into_iter().any(|to| (flights & !position.attacks(slot, to, occupied)).is_empty())
}

/// Returns true if the side to move has a legal move.
pub(super) fn has_moves(position: &Position) -> bool {
    // Mostly the king has one.
    !position.king_targets(position.turn()).is_empty() || position.has_moves()
}

/// The first move that leads to a position of a kind.
pub(super) fn first_move(
    position: &Position,
    mut is_it: impl FnMut(&Position) -> bool,
) -> Option<Step> {
    let mut first = None;
    position.visit_steps(|step| {
        if first.is_none() && is_it(&position.after(step)) {
            first = Some(step);
        }
    });
    first
}

/// Returns true if a move leads to a position of a kind.
pub(super) fn has_move(position: &Position, is_it: impl FnMut(&Position) -> bool) -> bool {
    first_move(position, is_it).is_some()
}

/// The number of moves that lead to positions of a kind, counted up to a limit.
pub(super) fn count_moves(
    position: &Position,
    most: u8,
    is_counted: impl Fn(&Position) -> bool,
) -> u8 {
    let mut count = 0;
    position.visit_steps(|step| {
        if count < most && is_counted(&position.after(step)) {
            count += 1;
        }
    });
    count
}

/// Returns true if a side, were it to move, could neither capture nor promote, and its king is not in check.
pub(super) fn is_quiet(position: &Position) -> bool {
    let mut converts = false;
    if may_convert(position) {
        visit_conversions(position, |_| converts = true);
    }
    !converts && !position.is_check()
}
