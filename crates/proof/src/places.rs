//! The numbers of the positions of an endgame, and what leads to them.

use super::known::probe;
use lucena_base::ids::{Id, id};
use lucena_chess::symmetry::Group;
use lucena_chess::{File, Material, Position, Rank, Role, Side, Square};
use lucena_tablebase::{Index, Outcome, Tablebase};
use rayon::prelude::*;

id! {
    /// The place of a position with the strong side to move.
    pub(super) StrongPlace(u32)
}

id! {
    /// The place of a position with the weak side to move.
    pub(super) WeakPlace(u32)
}

/// A place for every position of a material up to symmetry: first those of the index, then those in
/// which a pawn can be taken in passing.
pub(super) struct Places {
    material: Material,
    group: Group,
    index: Index,
    /// By side to move: the number in the index and the file of the pawn that has just passed, in order.
    passing: [Vec<(u32, File)>; 2],
}

impl Places {
    pub(super) fn new(material: Material, group: Group) -> Self {
        let index = Index::new(material, group);
        let passing = Side::ALL.map(|turn| passing(material, &index, turn));
        Self { material, group, index, passing }
    }

    /// How many places of the strong side are those of the index, which come first.
    pub(super) fn of_index(&self) -> usize {
        self.index.len()
    }

    /// How many places there are with a side to move.
    pub(super) fn count(&self, turn: Side) -> usize {
        self.index.len() + self.passing[turn as usize].len()
    }

    /// The place of a position with the strong side to move.
    pub(super) fn strong(&self, position: &Position) -> StrongPlace {
        StrongPlace::new(self.number(position))
    }

    /// The place of a position with the weak side to move.
    pub(super) fn weak(&self, position: &Position) -> WeakPlace {
        WeakPlace::new(self.number(position))
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

    /// The position at a place; nothing where the placement is not legal.
    pub(super) fn strong_position(&self, place: StrongPlace) -> Option<Position> {
        self.position(place.number(), Side::Strong)
    }

    /// The same with the weak side to move.
    pub(super) fn weak_position(&self, place: WeakPlace) -> Option<Position> {
        self.position(place.number(), Side::Weak)
    }

    fn position(&self, number: usize, turn: Side) -> Option<Position> {
        let Some(past) = number.checked_sub(self.index.len()) else {
            return self.index.position(number, turn);
        };
        let (at, file) = self.passing[turn as usize][past];
        let position = self.index.position(at as usize, turn)?;
        Some(position.with_en_passant(passed_square(&position, file)))
    }

    /// What the table says of the position at a place of either side.
    #[inline]
    pub(super) fn outcome(
        &self,
        tablebase: &Tablebase,
        place: impl Id,
        position: &Position,
    ) -> Outcome {
        let number = place.number();
        if number < self.index.len() && self.group == Group::of(self.material) {
            // The table has it under the same number.
            let outcome = tablebase.canonical_outcome(number, position.turn());
            return outcome.expect("a position is legal, and every legal position has an outcome");
        }
        probe(tablebase, position)
    }

    /// How many symmetries keep a position as it is.
    ///
    /// The replies to a position that lead to one orbit, each counted with this number of where it leads,
    /// are as many as the moves that lead from there back to its orbit, each counted with this number of
    /// where it comes from.
    pub(super) fn weight(&self, position: &Position) -> u8 {
        (self.group.symmetries().len() as u64 / self.group.orbit_len(position)) as u8
    }

    /// Calls back for every move of the weak side that can have led to a position, with where it came from
    /// and its weight.
    pub(super) fn visit_before(&self, place: StrongPlace, mut visit: impl FnMut(WeakPlace, u8)) {
        let position = self.strong_position(place).expect("a place that is reached is legal");
        let passing = &self.passing[Side::Weak as usize];
        position.visit_unmoves(|_, before| {
            let at = self.index.of(&before);
            visit(WeakPlace::new(at), self.weight(&before));
            // The same move may have been made instead of taking in passing.
            let first = passing.partition_point(|&(number, _)| (number as usize) < at);
            let same = passing[first..].iter().take_while(|&&(number, _)| number as usize == at);
            for (past, _) in same.enumerate() {
                visit(WeakPlace::new(self.index.len() + first + past), 1);
            }
        });
    }

    pub(super) fn material(&self) -> Material {
        self.material
    }

    /// How many positions of the full board a place stands for.
    pub(super) fn orbit_len(&self, position: &Position) -> u64 {
        self.group.orbit_len(position)
    }
}

/// The positions in which a pawn can be taken in passing, by the number in the index and the pawn's file.
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

/// The square that a pawn on a file has passed with a double step.
fn passed_square(position: &Position, file: File) -> Square {
    Square::new(file, Rank::Third.relative_to(position.color(!position.turn())))
}

/// Whether the last move can have been a double step on a file, and the pawn can be taken in passing.
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
