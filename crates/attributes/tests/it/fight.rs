//! The selection `fight`: positions of the literature, a slow plain implementation, and the symmetries of the board. What
//! is decisive in pawn endings is compared with lucena's own table.

use lucena_attributes::{AttributeSet, Selection};
use lucena_chess::{Material, Position, Side, Square};
use lucena_test_support::reference_attributes::{board_of, plain_value};
use lucena_test_support::tables::material;
use rayon::prelude::*;

/// Random positions of a material, the same in every run; half of them are crowded, where men touch.
fn random_positions(name: &str, count: usize) -> Vec<Position> {
    let material: Material = material(name);
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = |below: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 16) % below
    };
    let mut positions = Vec::new();
    while positions.len() < count {
        let (width, left, low) = if next(2) == 0 { (8, 0, 0) } else { (4, next(5), next(5)) };
        let square = |_| {
            let (file, rank) = (left + next(width), low + next(width));
            Square::index((8 * rank + file) as usize)
        };
        let squares: Vec<Square> = (0..material.men()).map(square).collect();
        let turn = if positions.len() % 2 == 0 { Side::Strong } else { Side::Weak };
        positions.extend(Position::new(material, turn, &squares).ok());
    }
    positions
}

/// Compares all attributes with the plain ones in random positions: those that look four moves ahead in a twentieth.
fn check_values(name: &str, count: usize) {
    let set = AttributeSet::new(material(name), Selection::Fight);
    let positions = random_positions(name, count);
    positions.par_iter().enumerate().for_each(|(number, position)| {
        let board = board_of(position);
        let mut row = vec![0; set.attributes().len()];
        set.extract(position, &mut row);
        for (attribute, value) in set.attributes().iter().zip(row) {
            let (low, high) = attribute.domain();
            assert!((low..=high).contains(&value), "{} in {position}", attribute.name());
            if number % 20 == 0 || !attribute.name().ends_with("Threatens") {
                let plain = plain_value(attribute.name(), name, &board);
                assert_eq!(value, plain, "{} in {position}", attribute.name());
            }
        }
    });
}

#[test]
fn values_in_random_positions_are_what_the_names_say() {
    for name in ["KRPvKR", "KRvKP", "KQvKP", "KPvKP", "KBPvKB"] {
        check_values(name, 200);
    }
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn values_in_thousands_of_random_positions_are_what_the_names_say() {
    let rooks = ["KRPvKR", "KRvKP", "KRvKR", "KRRvKP", "KPPvKR", "KRPvKP"];
    let others = ["KQvKP", "KPvKP", "KBPvKB", "KQPvKQ", "KPPvKP", "KBBvKP", "KNPvKN", "KQvKR"];
    for name in rooks.into_iter().chain(others) {
        check_values(name, 3000);
    }
}
