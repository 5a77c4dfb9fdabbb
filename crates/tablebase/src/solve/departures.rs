//! The outcomes of moves that leave a slice: captures, promotions and pawn moves.
//!
//! They are looked up for all squares of the weak king at once.

use super::smaller_tables::{SmallerTables, TablesAtHand};
use crate::entries::{Entries, Entry};
use crate::frame_table::FrameTable;
use crate::layout::Layout;
use crate::probe::probe;
use crate::shape::{Men, Shape, color, pushes};
use crate::weak_moves::{Lanes, NO_MOVE, Rank, rank_before, rank_of};
use crate::{Outcome, Tablebase};
use cozy_chess::{get_between_rays, get_king_moves, get_pawn_attacks};
use lucena_base::progress::Stopped;
use lucena_chess::symmetry::Symmetry;
use lucena_chess::{Bitboard, PROMOTIONS, Position, Role, Side, Slot, Square, Squares, Step};
use rayon::prelude::*;
use std::convert::Infallible;

/// The entries of a block by side to move. The square of the weak king is the less significant
/// digit, the place the other one.
pub(crate) type SolvedBlock = [Entries; 2];

/// The positions that moves out of a slice lead to, with their entries.
pub(super) struct Departures<'s> {
    pub(super) layout: &'s Layout,
    pub(super) smaller: &'s Tablebase,
    pub(super) tables: &'s SmallerTables<'s>,
    /// By table that promotions lead to: how its entries follow from captures; `None` if they are at hand or read.
    pub(super) by_captures: &'s [Option<ByCaptures<'s>>],
    /// The blocks that are solved and still needed, by number.
    pub(super) solved: &'s [Option<SolvedBlock>],
    /// The rank of a move to a position by its entry.
    pub(super) ranks: &'s [Rank],
}

/// An endgame that promotions lead to, with the weak side to move, which has no pawns. Its entries follow from those
/// with the strong side to move and its captures.
pub(super) struct ByCaptures<'s> {
    layout: Layout,
    tables: SmallerTables<'s>,
}

impl<'s> ByCaptures<'s> {
    /// The endgames in files that promotions lead to, in order; `None` where that is not so.
    pub(super) fn all(tables: &SmallerTables<'_>, smaller: &'s Tablebase) -> Vec<Option<Self>> {
        let by_captures = |table: &FrameTable<'_>| {
            let (material, turn) = table.material_and_turn();
            let is_so =
                table.is_in_file() && turn == Side::Weak && !material.has_pawns_of(Side::Weak);
            is_so.then(|| Self {
                layout: Layout::new(material, smaller.metric),
                tables: SmallerTables::new(material, &[Side::Weak], smaller),
            })
        };
        tables.promoted().map(by_captures).collect()
    }
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
    /// The blocks of a level in which pawns may become other men are worked on in groups, which need the tables that
    /// promotions lead to with the strong king on one square only. Returns that square.
    pub(super) fn group(&self, block: usize) -> Option<Square> {
        let layout = self.layout;
        if Some(layout.level_of(block)) > layout.last_promotion {
            return None;
        }
        let king = layout.shape.king(layout.in_slice(block));
        self.tables.promoted().next().map(|table| table.symmetries()[table.home(king)].apply(king))
    }

    /// Puts the tables that promotions lead to with the strong king on a square in order, several at the same time.
    pub(super) fn prepare(&self, king: Square) -> Result<(), Stopped> {
        let tables: Vec<_> = self.tables.promoted().zip(self.by_captures).collect();
        tables.into_par_iter().for_each(|(table, by_captures)| {
            let entries = match by_captures {
                Some(ByCaptures { layout, tables }) => {
                    let departures =
                        Departures { layout, tables, by_captures: &[], solved: &[], ..*self };
                    let mut lookups = departures.lookups();
                    table.entries_by_captures(king, |men, legal| {
                        lookups.best((0, 0), men, Side::Weak, legal).ranks
                    })
                }
                None => table.entries(king),
            };
            self.smaller.noting(entries);
        });
        self.smaller.check_readable()
    }

    /// Frees the tables that promotions lead to with the strong king on a square, if no level after that of a block
    /// needs them.
    pub(super) fn forget(&self, king: Square, block: usize) {
        if Some(self.layout.level_of(block)) == self.layout.last_promotion {
            self.tables.promoted().for_each(|table| table.forget(king));
        }
    }

    /// Begins the lookups of one thread.
    pub(super) fn lookups(&self) -> DepartureLookups<'_> {
        DepartureLookups { departures: self, at_hand: TablesAtHand::new(self.tables) }
    }
}

/// The lookups of one thread.
pub(super) struct DepartureLookups<'d> {
    pub(super) departures: &'d Departures<'d>,
    at_hand: TablesAtHand<'d>,
}

impl DepartureLookups<'_> {
    /// The best moves of a side out of a frame, among its legal placements.
    pub(super) fn best(
        &mut self,
        (block, place): (usize, usize),
        men: &Men,
        turn: Side,
        legal: Bitboard,
    ) -> Best {
        let mut best = Best { ranks: [NO_MOVE; 64], any: Bitboard::EMPTY };
        let shape = &self.departures.layout.shape;
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
                self.visit_arrivals(men, (slot, to, captured(to)), legal & !between, &mut best);
            }
        }
        for &slot in &shape.pawns[turn as usize] {
            self.visit_pushes((block, place), men, turn, slot, legal, &mut best);
        }
        best
    }

    /// The captures of the weak king.
    fn visit_king_captures(&mut self, men: &Men, legal: Bitboard, best: &mut Best) {
        let (departures, side) = (self.departures, Side::Strong as usize);
        let near_king = get_king_moves(men.squares[0]);
        let shape = &departures.layout.shape;
        for &slot in shape.pieces[side].iter().chain(&shape.pawns[side]) {
            let to = men.squares[slot];
            let from = legal & get_king_moves(to);
            if near_king.has(to) || from.is_empty() {
                continue;
            }
            let step = Step { slot: 1, to, captured: Some(slot), promotion: None };
            let row = self.at_hand.row(departures.smaller, &men.squares, step, to.bitboard());
            row.visit(to.bitboard(), |_, entry| {
                let rank = departures.ranks[usize::from(entry.0)];
                from.into_iter().for_each(|last| best.raise(last, rank));
            });
        }
    }

    /// A capture or a straight move to the last rank by a man other than the weak king, with each promotion.
    fn visit_arrivals(
        &mut self,
        men: &Men,
        (slot, to, captured): (Slot, Square, Option<Slot>),
        legal: Bitboard,
        best: &mut Best,
    ) {
        let is_last = matches!(to as usize / 8, 0 | 7);
        let departures = self.departures;
        let promotes = departures.layout.material().role(slot) == Role::Pawn && is_last;
        let king = if slot == 0 { to } else { men.squares[0] };
        let places = legal & !to.bitboard() & !get_king_moves(king);
        if places.is_empty() {
            return;
        }
        let promoted = promotes.then_some(PROMOTIONS).into_iter().flatten().map(Some);
        for promotion in promoted.chain((!promotes).then_some(None)) {
            let step = Step { slot, to, captured, promotion };
            let row = self.at_hand.row(departures.smaller, &men.squares, step, places);
            row.visit(places, |last, entry| {
                best.raise(last, departures.ranks[usize::from(entry.0)]);
            });
        }
    }

    fn visit_pushes(
        &mut self,
        (block, place): (usize, usize),
        men: &Men,
        turn: Side,
        slot: Slot,
        legal: Bitboard,
        best: &mut Best,
    ) {
        let departures = self.departures;
        let mut free = legal;
        let from = men.squares[slot];
        for to in pushes(turn, from, men.occupied) {
            free &= !to.bitboard();
            if matches!(to as usize / 8, 0 | 7) {
                self.visit_arrivals(men, (slot, to, None), free, best);
                continue;
            }
            let mut squares = men.squares;
            squares[slot] = to;
            let row = SliceRow::new(departures, &squares, (block, place), !turn);
            if departures.may_be_taken_in_passing(men, turn, slot, to) {
                let step = Step { slot, to, captured: None, promotion: None };
                for last in free {
                    let rank = departures.rank_with_passing(men, turn, step, last, &row);
                    best.raise(last, rank);
                }
                continue;
            }
            for last in free {
                best.raise(last, departures.ranks[usize::from(row.entry(last).0)]);
            }
        }
    }
}

impl Departures<'_> {
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
