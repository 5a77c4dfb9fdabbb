use lucena_chess::{Move, Role, Square};

/// One move of a book.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BookEntry {
    /// The key of the position: see [`polyglot_key`](super::polyglot_key).
    pub key: u64,
    /// The move. A king castles by taking its own rook, here as everywhere.
    pub mv: Move,
    /// The relative frequency among the moves of the position; 0 for never.
    pub weight: u16,
    /// Learning data of other programs; preserved unchanged.
    pub learn: u32,
}

/// The promotion pieces in the order of their codes, from 1 on.
const PROMOTIONS: [Role; 4] = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen];

impl BookEntry {
    /// The size of an entry in a file, in bytes.
    pub(super) const BYTES: usize = 16;

    /// Reads an entry.
    ///
    /// # Errors
    /// The bits of the move if they are invalid.
    pub(super) fn from_bytes(bytes: [u8; Self::BYTES]) -> Result<Self, u16> {
        let whole = u128::from_be_bytes(bytes);
        let bits = (whole >> 48) as u16;
        Ok(Self {
            key: (whole >> 64) as u64,
            mv: move_of(bits).ok_or(bits)?,
            weight: (whole >> 32) as u16,
            learn: whole as u32,
        })
    }

    /// Returns the bytes of the entry in a file.
    pub(super) fn to_bytes(self) -> [u8; Self::BYTES] {
        let (key, bits) = (u128::from(self.key), u128::from(bits_of(self.mv)));
        let (weight, learn) = (u128::from(self.weight), u128::from(self.learn));
        (key << 64 | bits << 48 | weight << 32 | learn).to_be_bytes()
    }
}

/// Decodes a move. From the lowest bit, in groups of three bits: target file, target rank, source
/// file, source rank, promotion.
fn move_of(bits: u16) -> Option<Move> {
    let square = |bits: u16| Square::index(usize::from(bits & 63));
    let (from, to) = (square(bits >> 6), square(bits));
    let promotion = match bits >> 12 {
        0 => None,
        number => Some(*PROMOTIONS.get(usize::from(number - 1))?),
    };
    (from != to).then_some(Move { from, to, promotion })
}

/// Encodes a move.
pub(super) fn bits_of(mv: Move) -> u16 {
    let number = PROMOTIONS.iter().position(|&role| mv.promotion == Some(role));
    let promotion = number.map_or(0, |number| number as u16 + 1);
    promotion << 12 | (mv.from as u16) << 6 | mv.to as u16
}
