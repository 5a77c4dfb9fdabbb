//! The canonical pairs of squares of the two kings.

use cozy_chess::get_king_moves;
use lucena_chess::symmetry::{Group, Symmetry};
use lucena_chess::{MAX_MEN, Material, Role, Square};
use std::sync::OnceLock;

/// The canonical pairs under a group of symmetries, independent of the other men.
pub(super) struct KingPairs {
    /// The canonical form by the squares of the strong and the weak king; adjacent pairs are never looked
    /// up.
    places: Vec<CanonicalKings>,
    /// The canonical pairs in order.
    pub(super) canonical: Vec<[Square; 2]>,
}

impl KingPairs {
    /// Returns the pairs of a group, computed once.
    pub(super) fn for_group(group: Group) -> &'static Self {
        static MADE: [OnceLock<KingPairs>; 3] = [const { OnceLock::new() }; 3];
        MADE[group as usize].get_or_init(|| Self::new(group))
    }

    fn new(group: Group) -> Self {
        let bare = Material::new(&[Role::King], &[Role::King]).expect("two kings are a material");
        // On the strong king's square, the other men do not affect the symmetry.
        let symmetry = |[strong, weak]: [Square; 2]| {
            let mut squares = [strong; MAX_MEN];
            squares[1] = weak;
            group.canonicaliser_of(bare, &squares)
        };
        let all = || Square::ALL.into_iter().flat_map(|one| Square::ALL.map(|other| [one, other]));
        let canonical = |pair: &[Square; 2]| {
            let [strong, weak] = *pair;
            let apart = strong != weak && !get_king_moves(strong).has(weak);
            apart && pair.map(|square| symmetry(*pair).apply(square)) == *pair
        };
        let canonical: Vec<[Square; 2]> = all().filter(canonical).collect();
        let mut numbers = vec![0; 64 * 64];
        for (number, &[strong, weak]) in canonical.iter().enumerate() {
            numbers[place(&[strong, weak])] = number as u16;
        }
        let kings = |pair: [Square; 2]| {
            let symmetry = symmetry(pair);
            let [strong, weak] = pair.map(|square| symmetry.apply(square));
            CanonicalKings { symmetry, pair: numbers[place(&[strong, weak])] }
        };
        Self { places: all().map(kings).collect(), canonical }
    }

    /// Returns the canonical form of two kings that are not adjacent.
    #[inline]
    pub(super) fn get(&self, strong: Square, weak: Square) -> CanonicalKings {
        self.places[place(&[strong, weak])]
    }
}

/// The canonical form of two kings: the symmetry that maps them to it, and the number of the pair.
#[derive(Clone, Copy)]
pub(super) struct CanonicalKings {
    pub(super) symmetry: Symmetry,
    pub(super) pair: u16,
}

/// The index of squares in a list of all choices of as many squares.
#[inline(always)]
pub(super) fn place(squares: &[Square]) -> usize {
    squares.iter().fold(0, |place, &square| place * 64 + square as usize)
}
