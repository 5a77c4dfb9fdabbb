//! The tables that captures and promotions lead to.

use crate::Tablebase;
use crate::arrivals::Arrivals;
use crate::entries::{Entries, Entry};
use crate::frame_table::FrameTable;
use arrayvec::ArrayVec;
use lucena_chess::symmetry::Symmetry;
use lucena_chess::{Bitboard, Material, PROMOTIONS, Role, Side, Slot, Square, Squares, Step};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The tables that captures and promotions lead to, by frame.
pub(super) struct SmallerTables<'s> {
    tables: Vec<FrameTable<'s>>,
    /// By the man that moves, the one that it captures, and what it becomes.
    conversions: BTreeMap<(Slot, Option<Slot>, Option<Role>), Conversion>,
    /// The numbers of those that promotions lead to, unless the weak side then is the strong one.
    promoted: Vec<usize>,
}

/// The table that a kind of capture or promotion leads to, and where its men come from.
struct Conversion {
    table: usize,
    conversion: lucena_chess::Conversion,
}

/// The squares at the edge of the board.
const EDGE: Bitboard = Bitboard(0xff81_8181_8181_81ff);

impl<'s> SmallerTables<'s> {
    /// The tables that captures and promotions of some sides lead to.
    pub(super) fn new(material: Material, sides: &[Side], smaller: &'s Tablebase) -> Self {
        let mut numbers: BTreeMap<(Material, Side), (usize, Arrivals)> = BTreeMap::new();
        let mut conversions = BTreeMap::new();
        for (slot, captured, promotion) in kinds(material, sides) {
            let promoted = promotion.map(|role| (slot, role));
            let conversion = material.conversion(captured, promoted);
            let after = conversion.material;
            let side = material.side(slot);
            let turn = if conversion.swapped { side } else { !side };
            let next = numbers.len();
            let (table, arrivals) =
                numbers.entry((after, turn)).or_insert((next, Arrivals::default()));
            if let (Some(role), None) = (promotion, captured) {
                // A table with as many men is looked up after promotions only.
                for arrived in after.slots_of(!turn).filter(|&slot| after.role(slot) == role) {
                    arrivals.add(arrived, arrival_squares(after, !turn));
                }
            }
            conversions
                .insert((slot, captured, promotion), Conversion { table: *table, conversion });
        }
        let mut tables: Vec<_> = numbers.into_iter().collect();
        tables.sort_by_key(|(_, (number, _))| *number);
        let is_exchanged = |number: usize| {
            let mut of_table = conversions.values().filter(|of: &&Conversion| of.table == number);
            of_table.any(|of| of.conversion.swapped)
        };
        let is_promoted =
            |number: &usize| tables[*number].0.0.men() == material.men() && !is_exchanged(*number);
        let promoted = (0..tables.len()).filter(is_promoted).collect();
        let table = |((of, turn), (_, arrivals)): ((Material, Side), (usize, Arrivals))| {
            FrameTable::new(&smaller.tables[&of], smaller.metric, turn, arrivals)
        };
        Self { tables: tables.into_iter().map(table).collect(), conversions, promoted }
    }

    /// The tables that promotions lead to, unless the weak side then is the strong one.
    pub(super) fn promoted(&self) -> impl Iterator<Item = &FrameTable<'s>> {
        self.promoted.iter().map(|&number| &self.tables[number])
    }
}

/// The kinds of captures and promotions of some sides: the man that moves, the one that it captures, and what it becomes.
fn kinds(material: Material, sides: &[Side]) -> Vec<(Slot, Option<Slot>, Option<Role>)> {
    let mut kinds = Vec::new();
    for slot in sides.iter().flat_map(|&side| material.slots_of(side)) {
        let others = material.slots_of(!material.side(slot)).skip(1).map(Some);
        for captured in others.chain([None]) {
            kinds.extend(captured.map(|_| (slot, captured, None)));
            if material.role(slot) == Role::Pawn {
                kinds.extend(PROMOTIONS.map(|role| (slot, captured, Some(role))));
            }
        }
    }
    kinds
}

/// The squares on which a man of a side may stand right after a pawn has become that man.
fn arrival_squares(after: Material, side: Side) -> Bitboard {
    match (after.has_pawns(), side) {
        (false, _) => EDGE,
        (true, Side::Strong) => Bitboard(0xff << 56),
        (true, Side::Weak) => Bitboard(0xff),
    }
}

/// The entries of the smaller tables that one thread has at hand, so that it need not ask for each lookup whether they are
/// in order yet.
pub(super) struct TablesAtHand<'s> {
    tables: &'s SmallerTables<'s>,
    /// By table and canonical square of the strong king.
    entries: Vec<[Option<Arc<Entries>>; 64]>,
}

impl<'s> TablesAtHand<'s> {
    pub(super) fn new(tables: &'s SmallerTables<'s>) -> Self {
        Self { tables, entries: tables.tables.iter().map(|_| [const { None }; 64]).collect() }
    }

    /// The entries after a capture or promotion, for some squares of the weak king. What cannot be read is noted.
    pub(super) fn row(
        &mut self,
        smaller: &Tablebase,
        squares: &Squares,
        step: Step,
        places: Bitboard,
    ) -> EntryRow<'_> {
        let kind = (step.slot, step.captured, step.promotion);
        let Conversion { table, conversion } = &self.tables.conversions[&kind];
        let (table, at_hand) = (&self.tables.tables[*table], &mut self.entries[*table]);
        let mut prepare = |king: Square| {
            let place = &mut at_hand[king as usize];
            if place.is_none() {
                *place = smaller.noting(table.entries(king));
            }
        };
        let mut before = *squares;
        before[step.slot] = step.to;
        let mut after = conversion.squares(&before);
        if !conversion.swapped {
            let symmetry = table.symmetries()[table.home(after[0])];
            after = symmetry.apply_to_squares(&after);
            prepare(after[0]);
            return match &at_hand[after[0] as usize] {
                Some(entries) => {
                    EntryRow::Same { entries, first: 64 * table.frame(&after), symmetry }
                }
                None => EntryRow::Unreadable,
            };
        }
        let is_flipped = conversion.material.has_pawns();
        if is_flipped {
            after = Symmetry::UPSIDE_DOWN.apply_to_squares(&after);
        }
        let turned = if is_flipped { Symmetry::UPSIDE_DOWN } else { Symmetry::IDENTITY };
        for last in places {
            let king = turned.apply(last);
            prepare(table.symmetries()[table.home(king)].apply(king));
        }
        let image = |symmetry: &Symmetry| {
            let after = symmetry.apply_to_squares(&after);
            64 * table.frame(&after) + after[1] as usize
        };
        let images = table.symmetries().iter().map(image).collect();
        EntryRow::Exchanged { table, at_hand, turned, images }
    }
}

/// The entries after a capture or promotion, by square of the weak king.
pub(super) enum EntryRow<'r> {
    /// The weak side stays the weak one.
    Same { entries: &'r Entries, first: usize, symmetry: Symmetry },
    /// The weak side has become the strong one.
    Exchanged {
        table: &'r FrameTable<'r>,
        at_hand: &'r [Option<Arc<Entries>>; 64],
        /// The symmetry that maps squares to those of the table: it exchanges the ranks if pawns are left.
        turned: Symmetry,
        /// The places of the entries among those with the strong king on one square, by symmetry.
        images: ArrayVec<usize, 8>,
    },
    /// The table can no longer be read.
    Unreadable,
}

impl EntryRow<'_> {
    /// Calls `visit` with the entries with the weak king on some squares; a draw where an entry cannot be read.
    #[inline(always)]
    pub(super) fn visit(&self, places: Bitboard, mut visit: impl FnMut(Square, Entry)) {
        match self {
            Self::Same { entries, first, symmetry } => {
                for last in places {
                    visit(last, entries.get(first + symmetry.apply(last) as usize));
                }
            }
            Self::Exchanged { table, at_hand, turned, images } => {
                for last in places {
                    let king = turned.apply(last);
                    let home = table.home(king);
                    let entries = &at_hand[table.symmetries()[home].apply(king) as usize];
                    let entry = entries.as_ref().map(|entries| entries.get(images[home]));
                    visit(last, entry.unwrap_or(Entry::DRAW));
                }
            }
            Self::Unreadable => places.into_iter().for_each(|last| visit(last, Entry::DRAW)),
        }
    }
}
