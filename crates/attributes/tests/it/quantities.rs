//! Quantities, which measures add up: boards worked out by hand, a slow plain implementation, the symmetries of the
//! board, and sentences. The attributes of the selection `region` are among them.

use lucena_attributes::{Quantity, QuantitySet, ReaderBoard, Selection, Selections};
use lucena_chess::symmetry::{Group, Symmetry};
use lucena_chess::{Material, Position, Side, king_attacks};
use lucena_tablebase::Index;
use lucena_test_support::cases::{cases, random};
use lucena_test_support::reference_attributes::{
    ENDGAMES, TURNS, board_of, plain_area_sums, plain_king_places, plain_value,
};
use lucena_test_support::reference_rules::Board;
use lucena_test_support::tables::material;
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// The endgames in which quantities are compared.
const COMPARED: [&str; 9] =
    ["KRvK", "KBvK", "KPvK", "KBNvK", "KBBvK", "KNNvK", "KPPvK", "KQvKR", "KBBvKN"];

/// The attributes of `region`, the sums and the places.
fn all_of(material: Material) -> QuantitySet {
    let sets = [QuantitySet::new(material, Selection::Region), QuantitySet::places(material)];
    let names: Vec<String> =
        sets.iter().flat_map(QuantitySet::quantities).map(Quantity::name).collect();
    QuantitySet::named(material, names.iter().map(String::as_str)).expect("their names")
}

/// The values of some quantities, by name.
fn values(set: &QuantitySet, position: &Position) -> BTreeMap<String, u16> {
    set.quantities().iter().map(Quantity::name).zip(set.values(position)).collect()
}

/// The same values by the slow plain implementation.
fn plain_values(set: &QuantitySet, name: &str, board: &Board) -> BTreeMap<String, u16> {
    let mut values = plain_area_sums(name, board);
    values.extend(plain_king_places(name, board));
    for quantity in set.quantities() {
        if matches!(quantity, Quantity::Attribute(_)) {
            let value = plain_value(&quantity.name(), name, board).into();
            assert_eq!(values.insert(quantity.name(), value), None, "{}", quantity.name());
        }
    }
    values
}

#[test]
fn examples_have_the_values_that_are_worked_out_by_hand() {
    let mut asked = BTreeSet::new();
    for [fen, examples] in cases("quantity_examples.csv") {
        let position: Position = fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"));
        let (board, material) = (board_of(&position), position.material());
        assert_eq!(board.fen(), fen);
        let set = all_of(material);
        let plain = plain_values(&set, &material.to_string(), &board);
        for example in examples.split(", ") {
            let (name, value) = example.split_once(" = ").expect("a name and a value");
            let value: u16 = value.parse().expect("a number");
            let chosen = QuantitySet::named(material, [name]).unwrap();
            assert_eq!(chosen.values(&position), [value], "{name} in {fen}");
            assert_eq!(plain.get(name), Some(&value), "{name} in {fen}");
            asked.insert(name.to_owned());
        }
    }
    // Every sum over the room, and one over each other area.
    let set = all_of(material("KNPvK"));
    let names = set.quantities().iter().map(Quantity::name);
    let missing: Vec<String> = names
        .filter(|name| !name.starts_with("kCage") && !name.starts_with("kReach"))
        .filter(|name| !name.starts_with("kRace") && !name.ends_with("Beside"))
        .filter(|name| name != "NPlace")
        .chain(["kCage", "kReach2", "kReach3", "kRace"].map(|area| format!("{area}CornerSum")))
        .filter(|name| !asked.contains(name))
        .collect();
    assert!(missing.is_empty(), "no example of {missing:?}");
}

proptest! {
    #![proptest_config(ProptestConfig { max_global_rejects: 200_000, ..random(3000) })]

    #[test]
    #[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
    fn quantities_are_what_their_names_say_on_every_board_turned_or_not(
        name in prop::sample::select(COMPARED.to_vec()),
        squares in prop::array::uniform5(0_u8..64),
        near in prop::array::uniform5(prop::sample::select(vec![0_u8, 1, 2, 8, 9, 10, 16, 17, 18])),
        is_near: bool,
        turn in prop::sample::select(TURNS.to_vec()),
        shift in prop::sample::select(vec![0, 8, 9, 18, 27]),
        strong_to_move: bool,
        strong_is_white: bool,
    ) {
        // Half of them are crowded on nine squares, where men touch.
        let squares = if is_near { near.map(|at| turn(at + shift)) } else { squares };
        let letters = name.chars().filter(|&letter| letter != 'v');
        let place = |(letter, at)| if letter == 'P' { 8 + at % 48 } else { at };
        let squares: Vec<u8> = letters.zip(squares).map(place).collect();
        let board = Board::new(name, &squares, strong_to_move, strong_is_white);
        prop_assume!(board.is_legal());
        let position: Position = board.fen().parse().unwrap();
        let set = all_of(material(name));
        let expected = plain_values(&set, name, &board);
        prop_assert_eq!(&values(&set, &position), &expected, "{}", position);
        for quantity in set.quantities() {
            let (low, high) = quantity.domain();
            let value = expected[&quantity.name()];
            prop_assert!((low..=high).contains(&value), "{} in {position}", quantity.name());
            prop_assert_eq!(quantity.value(&position), value);
        }
        for symmetry in Group::new(set.material()).symmetries() {
            let turned = symmetry.apply_to_position(&position);
            prop_assert_eq!(&values(&set, &turned), &expected, "{:?} of {}", symmetry, position);
        }
        let exchanged = position.with_colors_exchanged();
        prop_assert_eq!(&values(&set, &exchanged), &expected, "{}", exchanged);
    }
}

/// Names are Rust identifiers that say which quantity is meant, and each has a meaning of its own.
#[test]
fn quantities_are_found_by_their_names() {
    for name in ENDGAMES.into_iter().chain(["KvK", "KBBvKN"]) {
        let set = QuantitySet::new(material(name), Selections::whole());
        let names: Vec<String> = set.quantities().iter().map(Quantity::name).collect();
        assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len(), "{name}");
        let found = QuantitySet::named(set.material(), names.iter().map(String::as_str)).unwrap();
        assert_eq!(found, set);
        let mut meanings = BTreeSet::new();
        for quantity in set.quantities() {
            let column = quantity.column();
            assert!(column.name.chars().all(|letter| letter.is_ascii_alphanumeric()), "{column:?}");
            assert!(column.low < column.high && !column.meaning.ends_with('.'), "{column:?}");
            if matches!(quantity, Quantity::Sum(_)) {
                assert!(meanings.insert(column.meaning.clone()), "{column:?}");
            }
        }
    }
}

#[test]
fn an_unknown_name_is_refused_with_the_nearest_one() {
    for [endgame, unknown, similar] in cases("unknown_quantities.csv") {
        let error =
            QuantitySet::named(material(&endgame), ["kRoom", &unknown]).expect_err(&unknown);
        assert_eq!((&error.name, error.material), (&unknown, material(&endgame)));
        let expected = (!similar.is_empty()).then_some(&similar);
        assert_eq!(error.similar.as_ref(), expected, "{unknown} in {endgame}");
        let text = error.to_string();
        assert!(text.contains(&unknown) && text.contains(&similar), "{text}");
    }
}

#[test]
#[should_panic(expected = "quantities are for one material")]
fn quantities_are_for_one_material() {
    let set = QuantitySet::named(material("KRvK"), ["kRoom"]).unwrap();
    set.values(&"8/8/8/8/8/2k5/8/K1Q5 b - - 0 1".parse().unwrap());
}

#[test]
fn quantities_say_what_a_player_would() {
    for [fen, name, value, sentence, least, greatest, explained] in cases("quantity_sentences.csv")
    {
        let position: Position = fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"));
        let set = QuantitySet::named(position.material(), [name.as_str()]).unwrap();
        let quantity = &set.quantities()[0];
        let view = ReaderBoard::new(&position, Symmetry::IDENTITY);
        assert_eq!(quantity.value(&position).to_string(), value, "{name} in {fen}");
        assert_eq!(quantity.sentence(quantity.value(&position), &view), sentence, "{name}");
        assert_eq!(
            [false, true].map(|most| quantity.aim(most, &view)),
            [least, greatest],
            "{name}"
        );
        let glossary = quantity.glossary();
        let words: Vec<&str> = glossary.iter().filter_map(|text| text.split('*').nth(1)).collect();
        assert_eq!(words.join(", "), explained, "{name}");
    }
}

/// Sentences and instructions of all sums differ, are about the sides by their colours, and have no full stop.
#[test]
fn every_sum_has_a_sentence_and_aims_of_its_own() {
    for name in COMPARED {
        let view = ReaderBoard::general(material(name));
        let mut texts = BTreeSet::new();
        for quantity in QuantitySet::new(material(name), Selection::Region).quantities() {
            if !matches!(quantity, Quantity::Sum(_)) {
                continue;
            }
            let aims = [false, true].map(|greatest| quantity.aim(greatest, &view));
            let sentences = [0, 1, 31].map(|value| quantity.sentence(value, &view));
            for text in aims.into_iter().chain(sentences).chain([quantity.meaning_in(&view)]) {
                assert!(text.starts_with(|first: char| first.is_ascii_lowercase()), "{text}");
                assert!(!text.contains("  ") && !text.ends_with(['.', ' ', ',']), "{text}");
                assert!(!text.contains("strong") && !text.contains("weak"), "{text}");
                assert!(texts.insert(text.clone()), "{text}");
            }
        }
    }
}

/// The squares of the men that a sum is about, of its area and of the corners, on a board of either colour.
#[test]
fn sums_look_at_the_squares_that_they_add_up() {
    for [fen, name, men, area, corners] in cases("quantity_focus.csv") {
        let position: Position = fen.parse().unwrap();
        let set = QuantitySet::named(position.material(), [name.as_str()]).unwrap();
        let focus = set.quantities()[0].focus(&position);
        let squares = |squares: lucena_chess::Bitboard| {
            let squares: Vec<String> = squares.into_iter().map(|at| at.to_string()).collect();
            squares.join(" ")
        };
        assert_eq!(squares(focus.men), men, "{name} in {fen}");
        let found: Vec<String> = focus.areas.into_iter().map(|(_, area)| squares(area)).collect();
        let expected: Vec<String> =
            [area, corners].into_iter().filter(|it| !it.is_empty()).collect();
        assert_eq!(found, expected, "{name} in {fen}");
    }
}

/// The weak king is put on every free square that is not next to the other in turn, in and out of check.
#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn values_over_squares_of_the_weak_king_are_those_of_each_position() {
    for name in ["KRvK", "KBBvK", "KBNvK", "KPvK", "KQvKR"] {
        let material = material(name);
        let set = QuantitySet::new(material, Selections::whole());
        let index = Index::new(material, Group::new(material));
        for at in (0..index.len()).step_by(index.len() / 40) {
            let placement = index.placement(at, Side::Weak);
            let beside = king_attacks(placement.king(Side::Strong).bitboard());
            let free = !placement.occupied() & !beside;
            let mut found = vec![Vec::new(); 64];
            set.visit_values_over(&placement, free, |king, number, value| {
                assert_eq!(found[king as usize].len(), number);
                found[king as usize].push(value);
            });
            for king in free {
                let mut squares = *placement.squares();
                squares[Material::king(Side::Weak)] = king;
                let position = placement.with(Side::Weak, squares);
                assert_eq!(found[king as usize], set.values(&position), "{name} {squares:?}");
            }
        }
    }
}
