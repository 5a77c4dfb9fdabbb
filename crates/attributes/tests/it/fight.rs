//! The selection `fight`: positions of the literature, a slow plain implementation, and the symmetries of the board. What
//! is decisive in pawn endings is compared with lucena's own table.

use lucena_attributes::{AttributeSet, Selection, is_decisive};
use lucena_chess::symmetry::Group;
use lucena_chess::{Color, Material, Position, Side, Square};
use lucena_tablebase::Wdl;
use lucena_test_support::cases::cases;
use lucena_test_support::reference_attributes::{board_of, plain_value};
use lucena_test_support::tables::{KPVK, material};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

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

/// Compares all attributes with the plain ones in random positions: those that look four moves ahead in a twentieth, and
/// those that look further in a few of hundreds.
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
            let is_compared = match attribute.name() {
                "kThreatens" | "KThreatens" => number % 20 == 0,
                "kForces" | "KForces" => number % 500 == 499,
                _ => true,
            };
            if is_compared {
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

/// The values that are worked out by hand are also those of the plain implementation.
#[test]
fn positions_of_the_literature_have_their_values() {
    let mut asked = BTreeSet::new();
    for [fen, what, values] in cases("fight_examples.csv") {
        let position: Position = fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"));
        let name = position.material().to_string();
        let set = AttributeSet::new(position.material(), Selection::Fight);
        for example in values.split(", ") {
            let (asked_for, value) = example.split_once(" = ").expect("a name and a value");
            let attribute = set.attributes().iter().find(|one| one.name() == asked_for);
            let attribute = attribute.unwrap_or_else(|| panic!("{name} has no {asked_for}"));
            let plain = plain_value(asked_for, &name, &board_of(&position));
            let found = attribute.value(&position);
            assert_eq!(found.to_string(), value, "{asked_for}, {what}: {fen}");
            assert_eq!(plain, found, "{asked_for}, {what}: {fen}");
            asked.insert(asked_for.to_owned());
        }
    }
    let set = AttributeSet::new(material("KRPvKR"), Selection::Fight);
    for attribute in set.attributes() {
        assert!(asked.contains(attribute.name()), "no example of {}", attribute.name());
    }
}

/// Rotations and reflections, and other colours, change nothing.
#[test]
fn values_follow_the_symmetries() {
    for name in ["KRPvKR", "KRvKR", "KQvKP", "KBNvKB", "KPPvKR", "KRRvKN"] {
        let set = AttributeSet::new(material(name), Selection::Fight);
        let row = |position: &Position| {
            let mut row = vec![0; set.attributes().len()];
            set.extract(position, &mut row);
            row
        };
        random_positions(name, 150).par_iter().for_each(|position| {
            let expected = row(position);
            assert_eq!(row(&position.with_colors_exchanged()), expected, "{position}");
            for symmetry in Group::new(set.material()).symmetries() {
                let turned = symmetry.apply_to_position(position);
                assert_eq!(row(&turned), expected, "{symmetry:?} of {position}");
            }
            // The other side to move.
            let other = position.with(!position.turn(), *position.squares());
            assert_eq!(row(&other), expected, "{position}");
        });
    }
}

/// The names of equal men are those of their least and greatest value and of their sum.
#[test]
fn equal_men_are_alike() {
    for (name, squares, exchanged) in [
        ("KRRvKP", "c3 a1 h2 f6 d5", "c3 h2 a1 f6 d5"),
        ("KPPvKR", "c3 a2 h4 f6 d5", "c3 h4 a2 f6 d5"),
    ] {
        let endgame = material(name);
        let set = AttributeSet::new(endgame, Selection::Fight);
        let rows = [squares, exchanged].map(|squares| {
            let squares: Vec<Square> = squares.split(' ').map(|at| at.parse().unwrap()).collect();
            let position = Position::new(endgame, Side::Weak, &squares).unwrap();
            let mut row = vec![0; set.attributes().len()];
            set.extract(&position, &mut row);
            row
        });
        assert_eq!(rows[0], rows[1], "{name}");
        for attribute in set.attributes() {
            assert!(!attribute.name().contains(['1', '2']), "{}", attribute.name());
        }
    }
}

/// No attribute is made where the weak side has its king alone.
#[test]
fn a_bare_king_does_not_fight() {
    for name in ["KvK", "KRvK", "KPPvK", "KBNvK", "KRPvK"] {
        let set = AttributeSet::new(material(name), Selection::Fight);
        assert!(set.attributes().is_empty(), "{name}");
    }
    let count = |name| AttributeSet::new(material(name), Selection::Fight).attributes().len();
    assert_eq!((count("KRPvKR"), count("KBvKB"), count("KRvKR")), (20, 10, 14));
}

/// A pawn alone is decisive just where lucena's own table has a win: in half of the 331,352 positions, and in their mirror
/// images.
#[test]
fn pawn_endings_are_decided_as_in_the_table() {
    let mut counts = BTreeMap::new();
    for turn in Side::ALL {
        for (position, outcome) in KPVK.canonical_positions(turn) {
            let is_won = outcome.wdl() != Wdl::Draw;
            let mirrored = position.mapped(Square::flip_file);
            let others = [position, mirrored, position.with_colors_exchanged()];
            for (other, color) in others.into_iter().zip([Color::White, Color::White, Color::Black])
            {
                assert_eq!(is_decisive(&other, color), is_won, "{other}");
                assert!(!is_decisive(&other, !color), "{other}");
            }
            *counts.entry((turn == Side::Strong, is_won)).or_insert(0) += 1;
        }
    }
    let [to_move, waiting] =
        [true, false].map(|turn| (counts[&(turn, true)], counts[&(turn, false)]));
    assert_eq!(2 * (to_move.0 + to_move.1 + waiting.0 + waiting.1), 331_352);
    assert_eq!(to_move.0, 62_480);
}

/// What mates a bare king is decisive, and otherwise a lead of four pawns.
#[test]
fn material_is_decisive_by_what_it_can_do() {
    for [fen, white, black] in cases("decisive_material.csv") {
        let position: Position = fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"));
        let found = [Color::White, Color::Black].map(|color| is_decisive(&position, color));
        assert_eq!(found.map(u8::from).map(|it| it.to_string()), [white, black], "{fen}");
    }
}
