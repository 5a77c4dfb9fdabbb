//! The outcomes of moves that leave a slice: captures, promotions and pawn moves.
//!
//! They are looked up for all squares of the weak king at once.

use crate::entries::{Entries, Entry};
use crate::layout::Layout;
use crate::probe::probe;
use crate::shape::{Men, Shape, color, pushes};
use crate::weak_moves::{GREATEST_ENTRY, Lanes, NO_MOVE, Rank, rank_before, rank_of};
use crate::{Outcome, Table, Tablebase};
use cozy_chess::{get_between_rays, get_king_moves, get_pawn_attacks};
use lucena_chess::symmetry::Symmetry;
use lucena_chess::{Bitboard, Color, Position, Role, Side, Slot, Square, Squares, Step};
use std::convert::Infallible;

/// The entries of a block by side to move. The squares of the weak king count first, then the places.
pub(crate) type SolvedBlock = [Entries; 2];

/// What moves out of a slice lead to.
pub(super) struct Departures<'s> {
    pub(super) layout: &'s Layout,
    pub(super) smaller: &'s Tablebase,
    /// The blocks that are solved and still needed, by number.
    pub(super) solved: &'s [Option<SolvedBlock>],
    /// The rank of a move to a position by its entry.
    pub(super) ranks: &'s [Rank],
}

/// Returns the rank of a capture, promotion or pawn move to a position by its entry.
pub(super) fn ranks(shape: &Shape) -> Vec<Rank> {
    (0..=GREATEST_ENTRY).map(|entry| rank_before(shape.metric, Entry(entry), true)).collect()
}

/// The best moves out of a slice found so far, by square of the weak king.
pub(super) struct Best {
    pub(super) ranks: Lanes,
    /// The squares with a move.
    pub(super) any: Bitboard,
}

impl Best {
    fn raise(&mut self, last: Square, rank: Rank) {
        if rank > NO_MOVE {
            let best = &mut self.ranks[last as usize];
            *best = (*best).max(rank);
            self.any |= last.bitboard();
        }
    }
}

impl Departures<'_> {
    /// The best moves of a side out of a frame, among its legal placements.
    pub(super) fn best(
        &self,
        (block, place): (usize, usize),
        men: &Men,
        turn: Side,
        legal: Bitboard,
    ) -> Best {
        let mut best = Best { ranks: [NO_MOVE; 64], any: Bitboard::EMPTY };
        let shape = &self.layout.shape;
        let of = |side: Side| shape.pieces[side as usize].iter().chain(&shape.pawns[side as usize]);
        let enemies: Bitboard =
            of(!turn).fold(Bitboard::EMPTY, |all, &slot| all | men.squares[slot].bitboard());
        let captured = |to: Square| of(!turn).copied().find(|&slot| men.squares[slot] == to);
        if turn == Side::Weak {
            self.visit_king_captures(men, legal, &mut best);
        }
        let king = (turn == Side::Strong).then_some(0);
        for slot in king.into_iter().chain(of(turn).copied()) {
            let from = men.squares[slot];
            for to in shape.attacks(men, slot) & enemies {
                let between = match turn {
                    Side::Strong => Bitboard::EMPTY,
                    Side::Weak => get_between_rays(from, to),
                };
                self.visit_arrivals(
                    men,
                    turn,
                    (slot, to, captured(to)),
                    legal & !between,
                    &mut best,
                );
            }
        }
        for &slot in &shape.pawns[turn as usize] {
            self.visit_pushes((block, place), men, turn, slot, legal, &mut best);
        }
        best
    }

    /// The captures of the weak king.
    fn visit_king_captures(&self, men: &Men, legal: Bitboard, best: &mut Best) {
        let side = Side::Strong as usize;
        let near_king = get_king_moves(men.squares[0]);
        for &slot in self.layout.shape.pieces[side].iter().chain(&self.layout.shape.pawns[side]) {
            let to = men.squares[slot];
            let from = legal & get_king_moves(to);
            if near_king.has(to) || from.is_empty() {
                continue;
            }
            let step = Step { slot: 1, to, captured: Some(slot), promotion: None };
            let rows = Row::new(self, men, Side::Weak, step);
            let rank = rows.rank(to);
            from.into_iter().for_each(|last| best.raise(last, rank));
        }
    }

    /// A capture or a straight move to the last rank by a man other than the weak king, with each promotion.
    fn visit_arrivals(
        &self,
        men: &Men,
        turn: Side,
        (slot, to, captured): (Slot, Square, Option<Slot>),
        legal: Bitboard,
        best: &mut Best,
    ) {
        const PROMOTIONS: [Option<Role>; 4] =
            [Some(Role::Queen), Some(Role::Rook), Some(Role::Bishop), Some(Role::Knight)];
        let is_last = matches!(to as usize / 8, 0 | 7);
        let promotes = self.layout.shape.material.role(slot) == Role::Pawn && is_last;
        let king = if slot == 0 { to } else { men.squares[0] };
        let places = legal & !to.bitboard() & !get_king_moves(king);
        if places.is_empty() {
            return;
        }
        for &promotion in if promotes { PROMOTIONS.as_slice() } else { &[None] } {
            let row = Row::new(self, men, turn, Step { slot, to, captured, promotion });
            for last in places {
                best.raise(last, row.rank(last));
            }
        }
    }

    fn visit_pushes(
        &self,
        (block, place): (usize, usize),
        men: &Men,
        turn: Side,
        slot: Slot,
        legal: Bitboard,
        best: &mut Best,
    ) {
        let mut free = legal;
        let from = men.squares[slot];
        for to in pushes(turn, from, men.occupied) {
            free &= !to.bitboard();
            if matches!(to as usize / 8, 0 | 7) {
                self.visit_arrivals(men, turn, (slot, to, None), free, best);
                continue;
            }
            let mut squares = men.squares;
            squares[slot] = to;
            let row = SliceRow::new(self, &squares, (block, place), !turn);
            if self.may_be_taken_in_passing(men, turn, slot, to) {
                let step = Step { slot, to, captured: None, promotion: None };
                for last in free {
                    let rank = self.rank_with_passing(men, turn, step, last, &row);
                    best.raise(last, rank);
                }
                continue;
            }
            for last in free {
                best.raise(last, self.ranks[usize::from(row.entry(last).0)]);
            }
        }
    }

    /// Returns true if an enemy pawn stands beside a pawn after its double step.
    fn may_be_taken_in_passing(&self, men: &Men, turn: Side, slot: Slot, to: Square) -> bool {
        let from = men.squares[slot];
        if (from as usize).abs_diff(to as usize) != 16 {
            return false;
        }
        let passed = Square::index((from as usize + to as usize) / 2);
        let attackers = get_pawn_attacks(passed, color(turn));
        self.layout.shape.pawns[!turn as usize].iter().any(|&foe| attackers.has(men.squares[foe]))
    }

    /// The rank of a double step after which the pawn may be captured en passant.
    fn rank_with_passing(
        &self,
        men: &Men,
        turn: Side,
        step: Step,
        last: Square,
        row: &SliceRow<'_>,
    ) -> Rank {
        let (material, metric) = (self.layout.shape.material, self.layout.shape.metric);
        let Some(entry) = metric.outcome(row.entry(last)) else { return NO_MOVE };
        let mut squares = men.squares;
        squares[1] = last;
        let after = Position::from_slots_unchecked(material, turn, squares).after(step);
        let outcome = probe(&after, metric, |position| {
            let is_same = position.material() == material;
            Ok::<Outcome, Infallible>(if is_same {
                entry
            } else {
                self.smaller.entry_outcome(position)
            })
        });
        let Ok(outcome) = outcome;
        rank_of(metric.before_move(outcome, true))
    }
}

/// The entries after a capture or promotion, by square of the weak king.
struct Row<'d> {
    departures: &'d Departures<'d>,
    table: &'d Table,
    turn: Side,
    squares: Squares,
    /// The slot of the former weak king.
    king: Slot,
    /// True if the squares are seen from the other side of the board.
    is_flipped: bool,
}

impl<'d> Row<'d> {
    fn new(departures: &'d Departures<'_>, men: &Men, turn: Side, step: Step) -> Self {
        let material = departures.layout.shape.material;
        let after = Position::from_slots_unchecked(material, turn, men.squares).after(step);
        let king = if after.strong() == Color::Black { 0 } else { 1 };
        let is_flipped = after.material().has_pawns() && king == 0;
        let squares = match is_flipped {
            true => *after.with_colors_exchanged().squares(),
            false => *after.squares(),
        };
        let table = &departures.smaller.tables[&after.material()];
        Self { departures, table, turn: after.turn(), squares, king, is_flipped }
    }

    /// The rank of the move with the weak king on a square.
    fn rank(&self, last: Square) -> Rank {
        let mut squares = self.squares;
        squares[self.king] = if self.is_flipped { last.flip_rank() } else { last };
        let at = self.table.index.of_squares(&squares);
        let entry = self.departures.smaller.noting(self.table.entries.get_in_bulk(at, self.turn));
        self.departures.ranks[usize::from(entry.unwrap_or(Entry::DRAW).0)]
    }
}

/// The entries of a frame of a solved block, by square of the weak king.
struct SliceRow<'s> {
    entries: &'s Entries,
    first: usize,
    symmetry: Symmetry,
}

impl<'s> SliceRow<'s> {
    /// The entries after a pawn move out of a frame.
    fn new(
        departures: &'s Departures<'_>,
        squares: &Squares,
        (block, place): (usize, usize),
        turn: Side,
    ) -> Self {
        let layout = departures.layout;
        let king = layout.shape.king(layout.in_slice(block));
        let (after, symmetry) = layout.find(squares, king);
        let solved = departures.solved[after].as_ref();
        let entries = &solved.expect("blocks of lower levels are solved first")[turn as usize];
        Self { entries, first: 64 * layout.shape.image(place, symmetry), symmetry }
    }

    fn entry(&self, last: Square) -> Entry {
        self.entries.get(self.first + self.symmetry.apply(last) as usize)
    }
}
