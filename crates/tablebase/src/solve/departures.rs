//! The outcomes of moves that leave a slice: captures, promotions and pawn moves.
//!
//! They are looked up for all squares of the weak king at once.

use crate::entries::{Entries, Entry};
use crate::frame_table::{FrameRow, FrameTable};
use crate::layout::Layout;
use crate::probe::probe;
use crate::shape::{Men, Shape, color, pushes};
use crate::weak_moves::{Lanes, NO_MOVE, Rank, rank_before, rank_of};
use crate::{Outcome, Tablebase};
use cozy_chess::{get_between_rays, get_king_moves, get_pawn_attacks};
use lucena_base::progress::Stopped;
use lucena_chess::symmetry::Symmetry;
use lucena_chess::{
    Bitboard, Color, Material, Position, QUICK_MEN, Role, Side, Slot, Square, Squares, Step,
};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;

/// The entries of a block by side to move. The square of the weak king is the less significant
/// digit, the place the other one.
pub(crate) type SolvedBlock = [Entries; 2];

/// The positions that moves out of a slice lead to, with their entries.
pub(super) struct Departures<'s> {
    pub(super) layout: &'s Layout,
    pub(super) smaller: &'s Tablebase,
    pub(super) tables: &'s SmallerTables<'s>,
    /// The blocks that are solved and still needed, by number.
    pub(super) solved: &'s [Option<SolvedBlock>],
    /// The rank of a move to a position by its entry.
    pub(super) ranks: &'s [Rank],
}

/// Returns the rank of a capture, promotion or pawn move to a position by its entry.
pub(super) fn ranks(shape: &Shape) -> Vec<Rank> {
    (0..=Entry::GREATEST).map(|entry| rank_before(shape.metric, Entry(entry), true)).collect()
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
    /// The blocks of a level in which pawns may become other men are worked on in groups, which need the large tables with
    /// the strong king on one square only. Returns that square.
    pub(super) fn group(&self, block: usize) -> Option<Square> {
        let layout = self.layout;
        if Some(layout.level_of(block)) > layout.last_promotion {
            return None;
        }
        let king = layout.shape.king(layout.in_slice(block));
        self.tables.large().next().map(|table| table.home(king))
    }

    /// Puts the large tables with the strong king on a square in order, several at the same time.
    pub(super) fn prepare(&self, king: Square) -> Result<(), Stopped> {
        let large: Vec<_> = self.tables.large().collect();
        large.into_par_iter().for_each(|table| drop(self.smaller.noting(table.entries(king))));
        self.smaller.check_readable()
    }

    /// Frees the large tables with the strong king on a square, if no level after that of a block needs them.
    pub(super) fn forget(&self, king: Square, block: usize) {
        if Some(self.layout.level_of(block)) == self.layout.last_promotion {
            self.tables.large().for_each(|table| table.forget(king));
        }
    }

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
    table: &'d FrameTable<'d>,
    squares: Squares,
    kind: RowKind,
}

enum RowKind {
    /// The weak side stays the weak one.
    Frame(FrameRow),
    /// The weak side has become the strong one. The squares are seen from the other side of the board if pawns are left.
    Exchanged { is_flipped: bool },
    /// The table can no longer be read.
    Unreadable,
}

impl<'d> Row<'d> {
    fn new(departures: &'d Departures<'_>, men: &Men, turn: Side, step: Step) -> Self {
        let material = departures.layout.shape.material;
        let after = Position::from_slots_unchecked(material, turn, men.squares).after(step);
        let table = departures.tables.get(after.material(), after.turn());
        let is_exchanged = after.strong() == Color::Black;
        let is_flipped = is_exchanged && after.material().has_pawns();
        let squares = match is_flipped {
            true => *after.with_colors_exchanged().squares(),
            false => *after.squares(),
        };
        let mut row = Self { departures, table, squares, kind: RowKind::Unreadable };
        if is_exchanged {
            row.kind = RowKind::Exchanged { is_flipped };
        } else if let Some(frame) = row.frame(&squares) {
            row.kind = RowKind::Frame(frame);
        }
        row
    }

    fn frame(&self, squares: &Squares) -> Option<FrameRow> {
        self.departures.smaller.noting(self.table.row(squares))
    }

    /// The rank of the move with the weak king on a square.
    fn rank(&self, last: Square) -> Rank {
        let entry = match &self.kind {
            RowKind::Frame(row) => row.entry(last),
            RowKind::Exchanged { is_flipped } => {
                let mut squares = self.squares;
                squares[0] = if *is_flipped { last.flip_rank() } else { last };
                self.frame(&squares).map_or(Entry::DRAW, |row| row.entry(squares[1]))
            }
            RowKind::Unreadable => Entry::DRAW,
        };
        self.departures.ranks[usize::from(entry.0)]
    }
}

/// The tables that captures and promotions lead to, by frame.
pub(super) struct SmallerTables<'s> {
    tables: BTreeMap<(Material, Side), FrameTable<'s>>,
    /// The material and the side to move of the large ones, which promotions lead to.
    large: Vec<(Material, Side)>,
}

impl<'s> SmallerTables<'s> {
    pub(super) fn new(material: Material, smaller: &'s Tablebase) -> Self {
        let turns = |material| Side::ALL.map(|turn| (material, turn));
        let materials: BTreeSet<Material> = material.conversions().into_iter().collect();
        let table = |(material, turn): (Material, Side)| {
            let table = FrameTable::new(&smaller.tables[&material], smaller.metric, turn);
            ((material, turn), table)
        };
        let pawns = |of: Material, side| {
            of.slots_of(side).filter(|&slot| of.role(slot) == Role::Pawn).count()
        };
        // The side not to move has promoted a pawn. In a large endgame the weak side has fewer men, so it stays the weak
        // side.
        let is_large = |&(of, turn): &(Material, Side)| {
            of.men() > QUICK_MEN && pawns(of, !turn) < pawns(material, !turn)
        };
        let all: Vec<(Material, Side)> = materials.into_iter().flat_map(turns).collect();
        let large = all.iter().copied().filter(is_large).collect();
        Self { large, tables: all.into_iter().map(table).collect() }
    }

    fn get(&self, material: Material, turn: Side) -> &FrameTable<'s> {
        &self.tables[&(material, turn)]
    }

    fn large(&self) -> impl Iterator<Item = &FrameTable<'s>> {
        self.large.iter().map(|of| &self.tables[of])
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
