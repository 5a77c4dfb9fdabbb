//! The numbering of the positions of an endgame, and the predecessors of positions.

use lucena_base::bits::BitSet;
use lucena_base::index_vec::{Id, id};
use lucena_base::progress::{Observer, Stopped};
use lucena_chess::symmetry::Group;
use lucena_chess::{File, Material, Position, Rank, Role, Side, Square};
use lucena_tablebase::{Index, Outcome, Tablebase};
use rayon::prelude::*;

id! {
    /// The place of a position with the player's side to move.
    pub(crate) PlayerPlace(u32)
}

id! {
    /// The place of a position with the other side to move.
    pub(crate) ReplyPlace(u32)
}

/// A numbering of all positions of a material up to symmetry: first those of the index, then those in which a
/// pawn can be captured en passant.
pub(crate) struct PositionNumbers {
    material: Material,
    /// The side that the player plays.
    player: Side,
    group: Group,
    index: Index,
    /// By side to move: the number in the index and the file of the pawn that has just made a double step,
    /// sorted.
    passing: [Vec<(u32, File)>; 2],
}

impl PositionNumbers {
    pub(crate) fn new(material: Material, player: Side, group: Group) -> Self {
        let index = Index::new(material, group);
        let passing = Side::ALL.map(|turn| passing(material, &index, turn));
        Self { material, player, group, index, passing }
    }

    /// Returns the number of places with one side to move that are in the index; they come first.
    pub(crate) fn of_index(&self) -> usize {
        self.index.len()
    }

    /// Returns the number of places with the player's side to move.
    pub(crate) fn player_count(&self) -> usize {
        self.count(self.player)
    }

    /// Returns the number of places with the other side to move.
    pub(crate) fn reply_count(&self) -> usize {
        self.count(!self.player)
    }

    fn count(&self, turn: Side) -> usize {
        self.index.len() + self.passing[turn as usize].len()
    }

    /// Returns the place of a position with the player's side to move.
    pub(crate) fn player(&self, position: &Position) -> PlayerPlace {
        PlayerPlace::new(self.number(position))
    }

    /// Returns the place of a position with the other side to move.
    pub(crate) fn reply(&self, position: &Position) -> ReplyPlace {
        ReplyPlace::new(self.number(position))
    }

    #[inline]
    fn number(&self, position: &Position) -> usize {
        let at = self.index.of(position);
        if position.en_passant().is_none() {
            return at;
        }
        let passed = self.group.canonical(position).en_passant().map(Square::file);
        let passing = &self.passing[position.turn() as usize];
        let found =
            passing.binary_search_by_key(&(at as u32, passed), |&(at, file)| (at, Some(file)));
        self.index.len() + found.expect("each right to take in passing has a place")
    }

    /// Returns the position at a place of the player; `None` if the placement is not legal.
    pub(crate) fn player_position(&self, place: PlayerPlace) -> Option<Position> {
        self.position(place.number(), self.player)
    }

    /// Returns the position at a place of the other side; `None` if the placement is not legal.
    pub(crate) fn reply_position(&self, place: ReplyPlace) -> Option<Position> {
        self.position(place.number(), !self.player)
    }

    fn position(&self, number: usize, turn: Side) -> Option<Position> {
        let Some(past) = number.checked_sub(self.index.len()) else {
            return self.index.position(number, turn);
        };
        let (at, file) = self.passing[turn as usize][past];
        let position = self.index.position(at as usize, turn)?;
        Some(position.with_en_passant(passed_square(&position, file)))
    }

    /// Returns the outcome in the table of a position, which is at a place of either side.
    #[inline]
    pub(crate) fn outcome(
        &self,
        tablebase: &Tablebase,
        place: impl Id,
        position: &Position,
    ) -> Outcome {
        let number = place.number();
        if number < self.index.len() && self.group == Group::new(self.material) {
            // The table has it under the same number.
            let outcome = tablebase.canonical_outcome(number, position.turn());
            // A position that can no longer be read counts as drawn, until [`Tablebase::check_readable`] ends
            // the proof.
            return outcome.unwrap_or(Outcome::Draw);
        }
        tablebase.outcome(position)
    }

    /// Returns the number of symmetries that leave a position unchanged.
    ///
    /// This makes counts of edges match: the replies to a position that lead to one orbit, each counted with
    /// the weight of the position it leads to, are as many as the moves back from there to the orbit of the
    /// first position, each counted with the weight of the position it comes from.
    pub(crate) fn weight(&self, position: &Position) -> u8 {
        (self.group.symmetries().len() as u64 / self.group.orbit_len(position)) as u8
    }

    /// Calls `visit` for every reply that can have led to a position, with the place before
    /// it and its weight.
    pub(crate) fn visit_before(&self, place: PlayerPlace, mut visit: impl FnMut(ReplyPlace, u8)) {
        let position = self.player_position(place).expect("a place that is reached is legal");
        let passing = &self.passing[!self.player as usize];
        position.visit_unmoves(|_, before| {
            let at = self.index.of(&before);
            visit(ReplyPlace::new(at), self.weight(&before));
            // The same move may have been made instead of a capture en passant.
            let first = passing.partition_point(|&(number, _)| (number as usize) < at);
            let same = passing[first..].iter().take_while(|&&(number, _)| number as usize == at);
            for (past, _) in same.enumerate() {
                visit(ReplyPlace::new(self.index.len() + first + past), 1);
            }
        });
    }

    /// Returns the numbers of the places of the player in the index that fulfil a condition.
    pub(crate) fn part(
        &self,
        is_in_part: &(dyn Fn(&Position) -> bool + Sync),
        observer: &dyn Observer,
    ) -> Result<BitSet, Stopped> {
        let count = self.of_index();
        let batches = (0..count.div_ceil(BATCH)).into_par_iter().map(|batch| {
            observer.check()?;
            let (numbers, mut inside) = (batch * BATCH..count.min((batch + 1) * BATCH), Vec::new());
            self.index.visit_placements(numbers, self.player, |number, placement| {
                // Most placements are outside, and it takes longer to see whether they are legal.
                if is_in_part(placement) && self.index.position(number, self.player).is_some() {
                    inside.push(number);
                }
            });
            Ok(inside)
        });
        let mut part = BitSet::empty(self.player_count());
        for numbers in batches.collect::<Result<Vec<_>, Stopped>>()? {
            numbers.into_iter().for_each(|number| part.insert(number));
        }
        Ok(part)
    }

    pub(crate) fn material(&self) -> Material {
        self.material
    }

    /// Returns the number of positions of the full board that a place represents.
    pub(crate) fn orbit_len(&self, position: &Position) -> u64 {
        self.group.orbit_len(position)
    }
}

/// The number of places that one thread looks at together.
const BATCH: usize = 1 << 14;

/// Returns the positions in which a pawn can be captured en passant, as the number in the index and the
/// pawn's file.
fn passing(material: Material, index: &Index, turn: Side) -> Vec<(u32, File)> {
    if !Side::ALL.into_iter().all(|side| material.has_pawns_of(side)) {
        return Vec::new();
    }
    let numbers = (0..index.len()).into_par_iter().with_min_len(1 << 12);
    let rights = numbers.flat_map_iter(|at| {
        let position = index.position(at, turn);
        let passed = position.into_iter().flat_map(|position| {
            File::ALL.into_iter().filter(move |&file| has_just_passed(&position, file))
        });
        passed.map(move |file| (at as u32, file))
    });
    rights.collect()
}

/// Returns the square that a pawn on a file has skipped with a double step.
fn passed_square(position: &Position, file: File) -> Square {
    Square::new(file, Rank::Third.relative_to(position.color(!position.turn())))
}

/// Returns true if the last move can have been a double step on a file, and the pawn can be captured en
/// passant.
fn has_just_passed(position: &Position, file: File) -> bool {
    let color = position.color(!position.turn());
    let [second, passed, fourth] = [Rank::Second, Rank::Third, Rank::Fourth]
        .map(|rank| Square::new(file, rank.relative_to(color)));
    let is_pawn = |square| {
        let man = position.slot_on(square);
        man.is_some_and(|slot| {
            position.material().role(slot) == Role::Pawn
                && position.material().side(slot) != position.turn()
        })
    };
    if !is_pawn(fourth) || [second, passed].iter().any(|&square| position.occupied().has(square)) {
        return false;
    }
    let after = position.with_en_passant(passed);
    after.en_passant().is_some() && !after.unmoves().is_empty()
}
