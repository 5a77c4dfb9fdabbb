//! The numbers under which a table stores the placements of its men.
//!
//! A table lists its men in an order: first those that lead, which decide how the board is turned, then one group after
//! another of men that are alike. A placement has a number for the leading men and one for each group, which counts the
//! squares that are left by the men listed before. The number of the whole placement is their sum, each multiplied by a
//! factor: the numbers are digits, and the table's header determines which digit changes fastest.
//!
//! Which men lead:
//!
//! - with pawns, those of the side with fewer pawns (but at least one); the pawns of the other side, if there are
//!   any, are the next group. There are four numberings, one for each file of the first pawn;
//! - without pawns, three men of which there is one each, if there are so many: 31 332 placements;
//! - otherwise the two kings: 462 placements.

use crate::binomial::{binomial, largest};
use crate::composition::{Composition, MAX_MEN, Man};
use crate::lead;
use arrayvec::ArrayVec;
use cozy_chess::{Piece, Square};
use std::ops::Range;

/// The squares of men, in the order in which a table lists its men.
pub type Placement = ArrayVec<Square, MAX_MEN>;

/// The order in which the digits of a number change, the fastest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Order {
    /// The place of the leading men among the digits: 0 if theirs changes fastest.
    pub lead: u8,
    /// The place of the pawns of the side with more pawns, if both sides have pawns.
    pub pawns: Option<u8>,
}

/// An error in an order of men.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NumberingError {
    /// The men are not those of an endgame.
    #[error("its list of men has no endgame of at most {MAX_MEN} men")]
    Men,
    /// Men that are alike are not next to each other.
    #[error("its list of men has like men apart")]
    Scattered,
    /// The men at the beginning cannot lead.
    #[error("its list of men begins with men that cannot lead")]
    Lead,
    /// A place is too high, or two are the same.
    #[error("its order of groups names a group that it does not have")]
    Order,
    /// The file of the first pawn is given for men without pawns, or it is missing, or above 3.
    #[error("its file of the first pawn is not one of the four")]
    File,
}

/// The men that lead.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lead {
    /// Three men of which there is one each.
    ThreeMen,
    /// The two kings.
    Kings,
    /// All pawns of one side.
    Pawns {
        /// The number of these pawns.
        count: usize,
        /// The file of the first of them, from 0 for a and h to 3 for d and e.
        file: usize,
    },
}

impl Lead {
    /// The men that lead in the tables of a composition, with the file of the first pawn if it has pawns.
    pub fn new(composition: Composition, file: Option<usize>) -> Option<Self> {
        let singles = composition.kinds().filter(|(_, count)| *count == 1).count();
        let pawns = composition.pawns();
        match (pawns.into_iter().filter(|count| *count > 0).min(), file) {
            (Some(count), Some(file @ ..4)) => Some(Self::Pawns { count, file }),
            (None, None) if singles >= 3 => Some(Self::ThreeMen),
            (None, None) => Some(Self::Kings),
            _ => None,
        }
    }

    /// The number of men that lead.
    pub const fn men(self) -> usize {
        match self {
            Self::ThreeMen => 3,
            Self::Kings => 2,
            Self::Pawns { count, .. } => count,
        }
    }

    /// The number of placements of the leading men.
    pub fn placements(self) -> u64 {
        match self {
            Self::ThreeMen => lead::THREE_MEN,
            Self::Kings => lead::KINGS,
            Self::Pawns { count, file } => lead::pawns_len(count, file),
        }
    }

    fn accepts(self, men: &[Man], composition: Composition) -> bool {
        let leading = &men[..self.men()];
        match self {
            Self::ThreeMen => leading.iter().all(|man| composition.count(*man) == 1),
            Self::Kings => leading.iter().all(|man| man.role == Piece::King),
            Self::Pawns { count, .. } => {
                leading.iter().all(|man| *man == men[0])
                    && men[0].role == Piece::Pawn
                    && composition.count(men[0]) == count
            }
        }
    }
}

/// Men that are alike, and their digit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Group {
    /// The place of the first of the men in the list.
    pub start: usize,
    /// The number of men.
    pub men: usize,
    /// The number of placements: the digit is less.
    pub placements: u64,
    /// The factor of the digit.
    pub factor: u64,
    /// The lowest square on which the men can stand: 8 for the pawns of the side with more pawns, otherwise 0.
    lowest: u8,
}

/// Placements with numbers that follow each other, in which one man moves and the others stay.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Row<'r> {
    /// The squares of the men in the first placement.
    pub(crate) squares: &'r [Square],
    /// The place of the man that moves.
    pub(crate) man: usize,
    /// The squares of that man.
    pub(crate) on: &'r [Square],
}

/// The numbers of all placements of men in an order.
///
/// Several numbers can stand for placements that are the same but for symmetry: the numbering only looks at the
/// leading men. Each number has one placement, and its number is that number again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Numbering {
    men: ArrayVec<Man, MAX_MEN>,
    lead: Lead,
    lead_factor: u64,
    groups: ArrayVec<Group, MAX_MEN>,
    len: u64,
}

impl Numbering {
    /// Makes the numbering of men in an order; with pawns, `file` is the file of the first leading pawn, from 0 to 3.
    ///
    /// # Errors
    /// If the men or their order are not as the format has them.
    pub fn new(men: &[Man], order: Order, file: Option<usize>) -> Result<Self, NumberingError> {
        let composition = Composition::from_men(men).ok_or(NumberingError::Men)?;
        let lead = Lead::new(composition, file).ok_or(NumberingError::File)?;
        if men.len() < lead.men() || !lead.accepts(men, composition) {
            return Err(NumberingError::Lead);
        }
        let mut groups = groups(men, lead, composition)?;
        let (lead_factor, len) = multiply(&mut groups, lead, order)?;
        Ok(Self { men: men.iter().copied().collect(), lead, lead_factor, groups, len })
    }

    /// The men, in the order of the table.
    pub fn men(&self) -> &[Man] {
        &self.men
    }

    /// The men that lead.
    pub fn lead(&self) -> Lead {
        self.lead
    }

    /// The factor of the digit of the leading men.
    pub fn lead_factor(&self) -> u64 {
        self.lead_factor
    }

    /// The other men.
    pub fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// The number of placements that are numbered.
    #[expect(clippy::len_without_is_empty, reason = "it is never empty")]
    pub fn len(&self) -> u64 {
        self.len
    }

    /// The number of a placement: of one square for each man, in the order of the men. The board may be turned in
    /// any way that leaves the game the same. It is `None` if the placement has no number: if there are too
    /// few squares or one twice, if kings that lead touch, or a pawn is on the first or last rank, or the first pawn
    /// is on another file.
    pub fn number(&self, squares: &[Square]) -> Option<u64> {
        let mut copy = [0; MAX_MEN];
        let copy = copy.get_mut(..squares.len()).filter(|copy| copy.len() == self.men.len())?;
        let mut taken = 0_u64;
        for (copy, square) in copy.iter_mut().zip(squares) {
            *copy = *square as u8;
            taken |= 1 << *copy;
        }
        let is_on_file = match self.lead {
            Lead::Pawns { count, file } => {
                let pawns = &copy[..count];
                pawns.iter().all(|pawn| (8..56).contains(pawn)) && lead::pawn_file(pawns) == file
            }
            _ => true,
        };
        (taken.count_ones() as usize == copy.len() && is_on_file)
            .then(|| self.number_in_place(copy))
            .flatten()
    }

    /// The number of a placement whose squares differ, with the first pawn on the file if pawns lead. The squares are
    /// turned and brought in order.
    pub(crate) fn number_in_place(&self, squares: &mut [u8]) -> Option<u64> {
        let lead = match self.lead {
            Lead::ThreeMen => {
                lead::turn(squares, 3);
                lead::three_number([squares[0], squares[1], squares[2]])
            }
            Lead::Kings => {
                lead::turn(squares, 2);
                lead::kings_number(squares[0], squares[1])?
            }
            Lead::Pawns { count, .. } => lead::pawns_number(squares, count)?,
        };
        let mut number = lead * self.lead_factor;
        for group in &self.groups {
            number += group.factor * group.digit(squares)?;
        }
        Some(number)
    }

    /// The placement with a number.
    ///
    /// # Panics
    /// If the number is not less than [`len`](Self::len).
    pub fn squares(&self, number: u64) -> Placement {
        let mut placement = Placement::new();
        self.visit(number..number + 1, |squares| placement.extend(squares.iter().copied()));
        placement
    }

    /// Calls a function with the placements of some numbers, in order. Faster than one by one.
    ///
    /// # Panics
    /// If a number is not less than [`len`](Self::len).
    pub fn visit(&self, numbers: Range<u64>, mut visit: impl FnMut(&[Square])) {
        let mut squares = [Square::A1; MAX_MEN];
        self.visit_rows(numbers, |row| {
            let squares = &mut squares[..row.squares.len()];
            squares.copy_from_slice(row.squares);
            for &square in row.on {
                squares[row.man] = square;
                visit(squares);
            }
        });
    }

    /// Calls a function with the rows of the placements of some numbers, in order.
    ///
    /// # Panics
    /// If a number is not less than [`len`](Self::len).
    pub(crate) fn visit_rows(&self, numbers: Range<u64>, mut visit: impl FnMut(Row<'_>)) {
        assert!(numbers.end <= self.len, "there are only {} placements", self.len);
        let scales = self.scales();
        let mut digits: ArrayVec<u64, MAX_MEN> = scales
            .iter()
            .map(|&(factor, placements)| numbers.start / factor % placements)
            .collect();
        let mut by_speed: ArrayVec<usize, MAX_MEN> = (0..scales.len()).collect();
        by_speed.sort_by_key(|&digit| scales[digit].0);
        // Other men stand on squares that depend on those of the men before.
        let mover = self.groups.last().filter(|group| group.factor == 1);
        let mut squares = [0; MAX_MEN];
        let mut placement = [Square::A1; MAX_MEN];
        let mut first_changed = 0;
        let mut left = numbers.end - numbers.start;
        while left > 0 {
            let first_man = self.place(&digits, first_changed, &mut squares);
            for man in first_man..self.men.len() {
                placement[man] = Square::index(squares[man].into());
            }
            let man = mover.map_or(0, |group| group.start);
            let mut on: ArrayVec<Square, 64> = ArrayVec::new();
            on.push(placement[man]);
            if let Some(group) = mover {
                group.extend_row(&squares[..self.men.len()], left, &mut on);
            }
            visit(Row { squares: &placement[..self.men.len()], man, on: &on });
            left -= on.len() as u64;
            first_changed = digits.len();
            digits[by_speed[0]] += on.len() as u64 - 1;
            for &digit in &by_speed {
                first_changed = first_changed.min(digit);
                digits[digit] += 1;
                if digits[digit] < scales[digit].1 {
                    break;
                }
                digits[digit] = 0;
            }
        }
    }

    /// The numbering of the same men in which the men listed last move fastest. It need not be one that a file can
    /// have, but its placements are found fastest: no man's square depends on those that move faster.
    pub(crate) fn in_rows(&self) -> Self {
        let mut numbering = self.clone();
        let mut factor = 1;
        for group in numbering.groups.iter_mut().rev() {
            group.factor = factor;
            factor *= group.placements;
        }
        numbering.lead_factor = factor;
        numbering
    }

    /// Calls a function with the numbers that another numbering of the same list of men has for the placements of some
    /// numbers of this one, in order: with the first number, the step to the next, and how many there are.
    ///
    /// # Panics
    /// If a number is not less than [`len`](Self::len).
    pub(crate) fn visit_steps(
        &self,
        numbers: Range<u64>,
        other: &Self,
        mut visit: impl FnMut(u64, u64, u64),
    ) {
        assert!(numbers.end <= self.len, "there are only {} placements", self.len);
        let scales = self.scales();
        let steps: ArrayVec<u64, MAX_MEN> =
            other.scales().iter().map(|&(factor, _)| factor).collect();
        let fastest = (0..scales.len()).min_by_key(|&digit| scales[digit].0).expect("a digit");
        let mut first = numbers.start;
        while first < numbers.end {
            let digits = scales.iter().map(|&(factor, placements)| first / factor % placements);
            let number = digits.zip(&steps).map(|(digit, step)| digit * step).sum();
            let (_, placements) = scales[fastest];
            let count = (placements - first % placements).min(numbers.end - first);
            visit(number, steps[fastest], count);
            first += count;
        }
    }

    /// The factor and the number of placements of each digit: that of the leading men, and those of the groups.
    fn scales(&self) -> ArrayVec<(u64, u64), MAX_MEN> {
        let lead = [(self.lead_factor, self.lead.placements())];
        let groups = self.groups.iter().map(|group| (group.factor, group.placements));
        lead.into_iter().chain(groups).collect()
    }

    /// Places the men of the digits from one on. Returns the place of the first of these men.
    fn place(&self, digits: &[u64], from: usize, squares: &mut [u8; MAX_MEN]) -> usize {
        if from == 0 {
            match self.lead {
                Lead::ThreeMen => squares[..3].copy_from_slice(&lead::three(digits[0])),
                Lead::Kings => squares[..2].copy_from_slice(&lead::kings(digits[0])),
                Lead::Pawns { count, file } => {
                    lead::place_pawns(digits[0], file, &mut squares[..count]);
                }
            }
        }
        let first = from.saturating_sub(1);
        for (group, &digit) in self.groups[first..].iter().zip(&digits[first + 1..]) {
            group.place(digit, squares);
        }
        if from == 0 { 0 } else { self.groups[first].start }
    }
}

impl Group {
    /// The number of the squares of the men among the squares that are left by the men before. It sorts the squares.
    fn digit(&self, squares: &mut [u8]) -> Option<u64> {
        let (before, rest) = squares.split_at_mut(self.start);
        let own = &mut rest[..self.men];
        if own.len() > 1 {
            own.sort_unstable();
        }
        let mut digit = 0;
        for (index, square) in own.iter().enumerate() {
            let below = before.iter().filter(|other| *other < square).count();
            let free = usize::from(square.checked_sub(self.lowest)?).checked_sub(below)?;
            digit += binomial(free, index + 1);
        }
        (digit < self.placements).then_some(digit)
    }

    /// Adds the squares of the first of the men in the placements that follow while the others stay where they are, so
    /// that there are `most` at most. The men are the last of the squares.
    fn extend_row(&self, squares: &[u8], most: u64, on: &mut ArrayVec<Square, 64>) {
        let (before, own) = squares.split_at(self.start);
        let taken = before.iter().fold(0_u64, |taken, &square| taken | 1 << square);
        let end = own.get(1).copied().unwrap_or(if self.lowest > 0 { 56 } else { 64 });
        let free = (own[0] + 1..end).filter(|square| taken >> square & 1 == 0);
        on.extend(free.take(most as usize - 1).map(|square| Square::index(square.into())));
    }

    fn place(&self, mut digit: u64, squares: &mut [u8]) {
        let (before, rest) = squares.split_at_mut(self.start);
        for index in (1..self.men).rev() {
            let free = largest(digit, index + 1);
            digit -= binomial(free, index + 1);
            rest[index] = lead::free(free as u8 + self.lowest, before);
        }
        rest[0] = lead::free(digit as u8 + self.lowest, before);
    }
}

/// Finds the groups of men after the leading men, without their factors.
fn groups(
    men: &[Man],
    lead: Lead,
    composition: Composition,
) -> Result<ArrayVec<Group, MAX_MEN>, NumberingError> {
    let mut groups = ArrayVec::new();
    let mut start = lead.men();
    while start < men.len() {
        let man = men[start];
        let count = composition.count(man);
        if men[start..].iter().take_while(|other| **other == man).count() != count {
            return Err(NumberingError::Scattered);
        }
        let is_pawn = man.role == Piece::Pawn;
        if is_pawn && start != lead.men() {
            return Err(NumberingError::Lead);
        }
        let (lowest, squares) = if is_pawn { (8, 48) } else { (0, 64) };
        let placements = binomial(squares - start, count);
        groups.push(Group { start, men: count, placements, factor: 1, lowest });
        start += count;
    }
    Ok(groups)
}

/// Sets the factors of the groups. Returns the factor of the leading men, and the number of placements.
fn multiply(groups: &mut [Group], lead: Lead, order: Order) -> Result<(u64, u64), NumberingError> {
    let has_pawns = groups.first().is_some_and(|group| group.lowest > 0);
    let (pawns, mut others) = groups.split_at_mut(usize::from(has_pawns));
    if has_pawns != order.pawns.is_some() || order.pawns == Some(order.lead) {
        return Err(NumberingError::Order);
    }
    let digits = 1 + pawns.len() + others.len();
    if [Some(order.lead), order.pawns].into_iter().flatten().any(|place| place as usize >= digits) {
        return Err(NumberingError::Order);
    }
    let mut len = 1;
    let mut lead_factor = 1;
    for place in 0..digits {
        let placements = if place == usize::from(order.lead) {
            lead_factor = len;
            lead.placements()
        } else {
            let group = if order.pawns.map(usize::from) == Some(place) {
                &mut pawns[0]
            } else {
                others.split_off_first_mut().ok_or(NumberingError::Order)?
            };
            group.factor = len;
            group.placements
        };
        len *= placements;
    }
    Ok((lead_factor, len))
}
