//! One file, opened: its header, and the values of positions.

use crate::codes::{Reader, Values, read_values};
use crate::composition::{Composition, MAX_MEN, Man};
use crate::error::{Damage, Fault, FileError};
use crate::lead;
use crate::numbering::{Lead, Numbering, NumberingError, Order};
use crate::source::{Source, View};
use crate::value::Wdl5;
use cozy_chess::{Board, Color};

/// The content of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TableKind {
    /// Outcomes: a file whose name ends with `.rtbw`.
    Wdl,
    /// Distances to zeroing: a file whose name ends with `.rtbz`.
    Dtz,
}

impl TableKind {
    /// The ending of a file's name, without its point.
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Wdl => "rtbw",
            Self::Dtz => "rtbz",
        }
    }

    /// What is in the file.
    pub const fn contents(self) -> &'static str {
        match self {
            Self::Wdl => "outcomes",
            Self::Dtz => "distances",
        }
    }

    /// The bytes that the file begins with.
    pub const fn magic(self) -> [u8; 4] {
        match self {
            Self::Wdl => [0x71, 0xe8, 0x23, 0x5d],
            Self::Dtz => [0xd7, 0x66, 0x0c, 0xa5],
        }
    }
}

/// The bytes that tables of other games begin with.
const VARIANTS: [([u8; 4], &str); 6] = [
    ([0x7b, 0xf6, 0x93, 0x15], "suicide"),
    ([0xe4, 0xcf, 0xe7, 0x23], "suicide"),
    ([0xbc, 0x55, 0xbc, 0x21], "giveaway"),
    ([0xd6, 0xf5, 0x1b, 0x50], "giveaway"),
    ([0x55, 0x8d, 0xa4, 0x49], "atomic"),
    ([0x91, 0xa9, 0x5e, 0xeb], "atomic"),
];

/// Flags of a part with distances.
pub(crate) mod flag {
    /// The side to move that the part is of: Black if it is set.
    pub(crate) const BLACK: u8 = 1;
    /// The values are places in a list of distances.
    pub(crate) const MAPPED: u8 = 2;
    /// Distances of wins are plies, not moves.
    pub(crate) const WIN_PLIES: u8 = 4;
    /// Distances of losses are plies, not moves.
    pub(crate) const LOSS_PLIES: u8 = 8;
    /// The lists have two bytes for each distance.
    pub(crate) const WIDE: u8 = 16;
}

/// A part of a table: of one side to move, and of one file of the first pawn.
struct Part {
    numbering: Numbering,
    values: Values,
    flags: u8,
    /// The distances of wins, losses, cursed wins and blessed losses that the values are places in.
    lists: Option<[Box<[u16]>; 4]>,
}

/// A file with the values of the positions with some men.
pub(crate) struct Table {
    source: Source,
    kind: TableKind,
    /// The men, with the colours that the file gives them.
    composition: Composition,
    /// The number of pawns that lead.
    pawns: usize,
    /// The parts: for each file of the first pawn, one or two sides to move.
    parts: Vec<Part>,
    sides: usize,
}

/// A distance as a table stores it: what it means depends on the outcome of the position.
pub(crate) struct Stored<'t> {
    table: &'t Table,
    part: &'t Part,
    number: u64,
    value: u16,
}

/// The distance to zeroing, less one. If it is rounded, it may be one more.
pub(crate) struct Distance {
    pub(crate) plies: i32,
    pub(crate) is_rounded: bool,
}

/// The place of a position in a table.
struct Place<'a> {
    part: &'a Part,
    /// Whether the position has the side to move of the part.
    is_own_side: bool,
    number: u64,
}

impl Table {
    /// Reads the header of a file that should be of the given men.
    pub(crate) fn open(
        source: Source,
        kind: TableKind,
        named: Composition,
    ) -> Result<Self, FileError> {
        let path = source.path.clone();
        Self::read(source, kind, named).map_err(|fault| fault.at(&path))
    }

    pub(crate) fn read(source: Source, kind: TableKind, named: Composition) -> Result<Self, Fault> {
        let mut view = source.view();
        let contents = check_size(source.length(), &mut view, kind)?;
        let mut reader = Reader { view: &mut view, at: 4 };
        let flags = reader.byte()?;
        if (flags & 2 != 0) != named.has_pawns() {
            return Err(Damage::Pawns.into());
        }
        let sides = if kind == TableKind::Wdl && flags & 1 != 0 { 2 } else { 1 };
        if kind == TableKind::Wdl && sides == 1 && !named.is_symmetric() {
            return Err(Damage::Side.into());
        }
        let numberings = read_numberings(&mut reader, named, sides)?;
        let composition = check_men(&numberings, named)?;
        reader.align();
        let mut parts = Vec::with_capacity(numberings.len());
        for numbering in numberings {
            let (flags, mut values) = read_values(&mut reader)?;
            if let (TableKind::Dtz, Values::Same(value)) = (kind, &mut values) {
                *value = 0;
            }
            parts.push(Part { numbering, values, flags, lists: None });
        }
        if kind == TableKind::Dtz {
            read_lists(&mut reader, &mut parts)?;
        }
        let end = set_places(&mut parts, reader.at);
        check_end(end, contents)?;
        if source.is_whole() {
            parts.iter_mut().for_each(|part| part.values.set_marks());
        }
        let pawns = match parts[0].numbering.lead() {
            Lead::Pawns { count, .. } => count,
            _ => 0,
        };
        drop(view);
        Ok(Self { source, kind, composition, pawns, parts, sides })
    }

    /// The outcome that the table has for a position with its men. It can be wrong if a capture is better.
    pub(crate) fn outcome(&self, board: &Board, men: Composition) -> Result<Wdl5, FileError> {
        let outcome = || {
            let mut view = self.source.view();
            let place = self.place(board, men)?;
            let value = place.part.values.value(place.number, &mut view)?;
            let outcome = Wdl5::ALL.get(usize::from(value));
            outcome.copied().ok_or(Fault::Damage(Damage::Value(place.number)))
        };
        outcome().map_err(|fault| fault.at(&self.source.path))
    }

    /// What a table of distances has for a position with its men; `None` if it has the other side to move only.
    pub(crate) fn stored(
        &self,
        board: &Board,
        men: Composition,
    ) -> Result<Option<Stored<'_>>, FileError> {
        let stored = || {
            let Place { part, is_own_side, number } = self.place(board, men)?;
            if !is_own_side {
                return Ok(None);
            }
            let value = part.values.value(number, &mut self.source.view())?;
            Ok(Some(Stored { table: self, part, number, value }))
        };
        stored().map_err(|fault: Fault| fault.at(&self.source.path))
    }

    /// The men, with the colours that the file gives them.
    pub(crate) fn composition(&self) -> Composition {
        self.composition
    }

    /// The number of files of the first pawn that the table has parts for, or 1 without pawns.
    pub(crate) fn files(&self) -> usize {
        self.parts.len() / self.sides
    }

    /// The side to move of which the table has the positions, or White if it has both.
    pub(crate) fn own_side(&self, file: usize) -> Color {
        let is_black = self.kind == TableKind::Dtz && self.parts[file].flags & flag::BLACK != 0;
        if is_black && !self.composition.is_symmetric() { Color::Black } else { Color::White }
    }

    /// The numbering of the positions of one side to move. The side that a table does not have is numbered as the other.
    pub(crate) fn numbering(&self, file: usize, side: Color) -> &Numbering {
        let side = if self.sides == 2 { side as usize } else { 0 };
        &self.parts[self.sides * file + side].numbering
    }

    /// The file of the first pawn and the number of a position.
    pub(crate) fn number(
        &self,
        board: &Board,
        men: Composition,
    ) -> Result<(usize, u64), FileError> {
        let place = self.place(board, men).map_err(|fault| fault.at(&self.source.path))?;
        let file = match place.part.numbering.lead() {
            Lead::Pawns { file, .. } => file,
            _ => 0,
        };
        Ok((file, place.number))
    }

    /// Finds a position in the table.
    fn place(&self, board: &Board, men: Composition) -> Result<Place<'_>, Fault> {
        let is_black = board.side_to_move() == Color::Black;
        let is_symmetric = self.composition.is_symmetric();
        let is_flipped = if is_symmetric { is_black } else { men != self.composition };
        let side = usize::from(!is_symmetric && is_black != is_flipped);
        let mirror = if is_flipped && self.pawns > 0 { 56 } else { 0 };
        let mut squares = [0; MAX_MEN];
        let mut file = 0;
        if self.pawns > 0 {
            let pawns = [self.parts[0].numbering.men()[0]];
            let count = place_men(board, &pawns, is_flipped, mirror, &mut squares);
            file = lead::pawn_file(&squares[..count.min(self.pawns)]).min(3);
        }
        let part = &self.parts[self.sides * file + if self.sides == 2 { side } else { 0 }];
        let is_own_side = is_symmetric
            || self.kind == TableKind::Wdl
            || usize::from(part.flags & flag::BLACK) == side;
        let count = place_men(board, part.numbering.men(), is_flipped, mirror, &mut squares);
        // A legal position always has a number.
        let squares = squares.get_mut(..count).filter(|squares| squares.len() == men.len());
        let number = squares.and_then(|squares| part.numbering.number_in_place(squares));
        let number = number.ok_or(Damage::Men(men))?;
        Ok(Place { part, is_own_side, number })
    }
}

impl Stored<'_> {
    /// The distance if the position has this outcome, which is not a draw. It is `None` if it cannot have it.
    pub(crate) fn distance_if(&self, wdl: Wdl5) -> Option<Distance> {
        let (list, plies_flag) = match wdl {
            Wdl5::Win | Wdl5::Draw => (0, flag::WIN_PLIES),
            Wdl5::Loss => (1, flag::LOSS_PLIES),
            Wdl5::CursedWin => (2, 0),
            Wdl5::BlessedLoss => (3, 0),
        };
        let mut value = self.value;
        if let Some(lists) = &self.part.lists {
            value = *lists[list].get(usize::from(value))?;
        }
        let is_rounded = self.part.flags & plies_flag == 0;
        let plies = i32::from(value) * if is_rounded { 2 } else { 1 };
        Some(Distance { plies, is_rounded })
    }

    /// The distance of a position with this outcome, which is not a draw.
    pub(crate) fn distance(&self, wdl: Wdl5) -> Result<Distance, FileError> {
        let damage = || Fault::from(Damage::Value(self.number)).at(&self.table.source.path);
        self.distance_if(wdl).ok_or_else(damage)
    }
}

/// Fills in the squares of men, like men one after another. Returns how many there are.
fn place_men(
    board: &Board,
    men: &[Man],
    is_flipped: bool,
    mirror: u8,
    squares: &mut [u8; MAX_MEN],
) -> usize {
    let mut count = 0;
    while let Some(man) = men.get(count) {
        let color = if is_flipped { !man.color } else { man.color };
        let found = board.colored_pieces(color, man.role);
        if found.is_empty() {
            break;
        }
        for (square, place) in found.into_iter().zip(&mut squares[count..]) {
            *place = square as u8 ^ mirror;
        }
        count += found.len() as usize;
    }
    count
}

/// Checks the first bytes and the size of a file. Returns the size without the checksum.
fn check_size(length: u64, view: &mut View<'_>, kind: TableKind) -> Result<u64, Fault> {
    let magic = view.array(0)?;
    if let Some((_, game)) = VARIANTS.iter().find(|(variant, _)| *variant == magic) {
        return Err(Damage::Variant(game).into());
    }
    let kinds = [TableKind::Wdl, TableKind::Dtz];
    let found = kinds.into_iter().find(|kind| kind.magic() == magic).ok_or(Damage::Magic)?;
    if found != kind {
        let (found, expected) = (found.contents(), kind.contents());
        return Err(Damage::TableKind { found, expected }.into());
    }
    match length % 64 {
        0 | 16 => Ok(length - length % 64),
        _ => Err(Damage::Size(length).into()),
    }
}

/// Reads the orders of men: for each file of the first pawn, those of each side to move.
fn read_numberings(
    reader: &mut Reader<'_, '_>,
    named: Composition,
    sides: usize,
) -> Result<Vec<Numbering>, Fault> {
    let files = if named.has_pawns() { 4 } else { 1 };
    let has_pawns_on_both = named.pawns().iter().all(|count| *count > 0);
    let mut numberings = Vec::with_capacity(files * sides);
    for file in 0..files {
        let lead = reader.byte()?;
        let pawns = if has_pawns_on_both { Some(reader.byte()?) } else { None };
        let mut codes = [0; MAX_MEN];
        for code in &mut codes[..named.len()] {
            *code = reader.byte()?;
        }
        for side in 0..sides {
            let nibble = |byte: u8| byte >> (4 * side) & 15;
            let men = codes[..named.len()].iter().map(|code| Man::from_code(nibble(*code)));
            let men: Vec<Man> = men.collect::<Option<_>>().ok_or(NumberingError::Men)?;
            let order = Order { lead: nibble(lead), pawns: pawns.map(nibble) };
            let file = named.has_pawns().then_some(file);
            numberings.push(Numbering::new(&men, order, file)?);
        }
    }
    Ok(numberings)
}

/// Checks that all parts have the men that the file is named after, and begin with the same pawns. Returns the men.
fn check_men(numberings: &[Numbering], named: Composition) -> Result<Composition, Damage> {
    let mut found = None;
    for numbering in numberings {
        let composition = Composition::from_men(numbering.men()).ok_or(NumberingError::Men)?;
        let is_as_before = *found.get_or_insert(composition) == composition;
        if composition.normalized() != named.normalized() || !is_as_before {
            return Err(Damage::Men(composition));
        }
        if named.has_pawns() && numbering.men()[0] != numberings[0].men()[0] {
            return Err(NumberingError::Lead.into());
        }
    }
    Ok(found.unwrap_or(named))
}

/// Reads the lists of distances.
fn read_lists(reader: &mut Reader<'_, '_>, parts: &mut [Part]) -> Result<(), Fault> {
    for part in parts.iter_mut().filter(|part| part.flags & flag::MAPPED != 0) {
        let is_wide = part.flags & flag::WIDE != 0;
        if is_wide {
            reader.align();
        }
        let mut lists: [Box<[u16]>; 4] = Default::default();
        for list in &mut lists {
            let count = if is_wide { reader.word()? } else { reader.byte()?.into() };
            let size = usize::from(count) * if is_wide { 2 } else { 1 };
            let bytes = reader.view.slice(reader.at, size)?;
            *list = if is_wide {
                bytes.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect()
            } else {
                bytes.iter().map(|byte| u16::from(*byte)).collect()
            };
            reader.at += size as u64;
        }
        part.lists = Some(lists);
    }
    reader.align();
    Ok(())
}

/// Gives the parts the places of their index, sizes and blocks. Returns where the contents end, unless that is beyond
/// all bounds.
fn set_places(parts: &mut [Part], mut at: u64) -> Option<u64> {
    for part in parts.iter_mut() {
        at = part.values.set_index(at, part.numbering.len())?;
    }
    for part in parts.iter_mut() {
        at = part.values.set_sizes(at)?;
    }
    for part in parts.iter_mut() {
        at = part.values.set_blocks(at)?;
    }
    at.checked_next_multiple_of(64)
}

fn check_end(end: Option<u64>, length: u64) -> Result<(), Damage> {
    let needed = end.unwrap_or(u64::MAX);
    match needed.cmp(&length) {
        std::cmp::Ordering::Equal => Ok(()),
        std::cmp::Ordering::Less => Err(Damage::Long { needed, length }),
        std::cmp::Ordering::Greater => Err(Damage::Short { needed, length }),
    }
}
