use lucena_chess::{Move, Role, Square};

/// The kind of a stored value, in the order of its bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Bound {
    Exact,
    AtLeast,
    AtMost,
}

/// A stored search result for a position.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry {
    pub(super) depth: i8,
    pub(super) bound: Bound,
    pub(super) value: i16,
    pub(super) mv: Option<Move>,
}

/// A slot of the table.
#[derive(Clone, Copy, Default)]
struct Slot {
    /// The upper half of the key, which the index does not contain.
    check: u32,
    /// The game that the entry belongs to; 0 if the slot is empty.
    game: u16,
    /// The search within the game.
    search: u8,
    depth: i8,
    value: i16,
    /// From, to, promotion and bound.
    packed: u16,
}

/// A transposition table. The lower half of a hash gives the slot, the upper half is compared. An
/// entry is not replaced by a shallower one of the same search.
pub(super) struct TranspositionTable {
    slots: Vec<Slot>,
    game: u16,
    search: u8,
}

impl TranspositionTable {
    /// A table of at most the given size, with at least one slot.
    pub(super) fn new(bytes: usize) -> Self {
        let slots = (bytes / size_of::<Slot>()).max(1);
        let slots = 1 << slots.ilog2();
        Self { slots: vec![Slot::default(); slots], game: 1, search: 0 }
    }

    /// Clears the table in constant time.
    pub(super) fn forget(&mut self) {
        self.search = 0;
        self.game = self.game.wrapping_add(1);
        if self.game == 0 {
            self.slots.fill(Slot::default());
            self.game = 1;
        }
    }

    /// Starts a new search: old entries may be replaced by any new one.
    pub(super) fn next_search(&mut self) {
        self.search = self.search.wrapping_add(1);
    }

    fn at(&self, key: u64) -> usize {
        key as usize & (self.slots.len() - 1)
    }

    pub(super) fn get(&self, key: u64) -> Option<Entry> {
        let slot = self.slots[self.at(key)];
        (slot.game == self.game && slot.check == (key >> 32) as u32).then(|| {
            let (mv, bound) = unpack(slot.packed);
            Entry { depth: slot.depth, bound, value: slot.value, mv }
        })
    }

    pub(super) fn put(&mut self, key: u64, entry: Entry) {
        let at = self.at(key);
        let slot = &mut self.slots[at];
        let check = (key >> 32) as u32;
        let is_same = slot.game == self.game && slot.check == check;
        let is_of_now = slot.game == self.game && slot.search == self.search;
        if is_of_now && slot.depth > entry.depth && (!is_same || entry.bound != Bound::Exact) {
            return;
        }
        // Keep a known move if the new value has none.
        let mv = entry.mv.or_else(|| if is_same { unpack(slot.packed).0 } else { None });
        *slot = Slot {
            check,
            game: self.game,
            search: self.search,
            depth: entry.depth,
            value: entry.value,
            packed: pack(mv, entry.bound),
        };
    }
}

/// The promotions that are stored, in the order of their bits. A promotion to a queen is stored like
/// a plain move: [`is_stored_move`] compares them.
const PROMOTIONS: [Option<Role>; 4] =
    [None, Some(Role::Knight), Some(Role::Bishop), Some(Role::Rook)];

/// Packs a move and a bound into 16 bits: 6 for each square, 2 for the promotion, 2 for the bound.
/// Equal squares mean that there is no move.
fn pack(mv: Option<Move>, bound: Bound) -> u16 {
    let mv = mv.map_or(0, |mv| {
        let promotion = PROMOTIONS.iter().position(|&role| role == mv.promotion).unwrap_or(0);
        (mv.from as u16) | (mv.to as u16) << 6 | (promotion as u16) << 12
    });
    mv | (bound as u16) << 14
}

fn unpack(packed: u16) -> (Option<Move>, Bound) {
    let bound = match packed >> 14 {
        0 => Bound::Exact,
        1 => Bound::AtLeast,
        _ => Bound::AtMost,
    };
    let [from, to] = [packed & 63, packed >> 6 & 63].map(|square| Square::index(square.into()));
    let promotion = PROMOTIONS[usize::from(packed >> 12 & 3)];
    ((from != to).then_some(Move { from, to, promotion }), bound)
}

/// Returns true if a stored move is this one. A promotion to a queen is stored like a plain move.
pub(super) fn is_stored_move(stored: Option<Move>, mv: Move) -> bool {
    stored.is_some_and(|stored| {
        stored.from == mv.from
            && stored.to == mv.to
            && (stored.promotion == mv.promotion
                || stored.promotion.is_none() && mv.promotion == Some(Role::Queen))
    })
}
