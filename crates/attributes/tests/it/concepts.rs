//! Concepts, the attributes for plans. They respect the symmetries of the board, do not depend on which of
//! two equal men comes first, and agree with a slow plain implementation of their names.

use lucena_attributes::{AttributeSet, ReaderBoard, Selection, Selections, ValueEncoding};
use lucena_chess::symmetry::Group;
use lucena_chess::{Position, Side};
use lucena_test_support::cases::random;
use lucena_test_support::reference_attributes::{ENDGAMES, TURNS, plain_value};
use lucena_test_support::reference_rules::Board;
use lucena_test_support::tables::{KRVK, material};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

fn row(set: &AttributeSet, position: &Position) -> Vec<u8> {
    let mut row = vec![0; set.attributes().len()];
    set.extract(position, &mut row);
    for (attribute, value) in set.attributes().iter().zip(&row) {
        let (low, high) = attribute.domain();
        assert!((low..=high).contains(value), "{} = {value} in {position}", attribute.name());
    }
    row
}

/// Compares the values on a board that is rotated or reflected, and with equal men exchanged, with
/// those on the board itself.
fn check_symmetries(set: &AttributeSet, position: &Position) {
    let expected = row(set, position);
    for symmetry in Group::new(set.material()).symmetries() {
        let turned = symmetry.apply_to_position(position);
        assert_eq!(row(set, &turned), expected, "{symmetry:?} of {position}");
    }
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn concepts_follow_the_symmetries_of_rook_endings() {
    let set = AttributeSet::new(material("KRvK"), Selection::Concepts);
    for turn in Side::ALL {
        for (position, _) in KRVK.canonical_positions(turn) {
            check_symmetries(&set, &position);
        }
    }
}

/// The board of an endgame with men on these squares, if it is a legal position.
fn board(name: &str, squares: &[u8], strong_to_move: bool, strong_is_white: bool) -> Option<Board> {
    let letters = name.chars().filter(|&letter| letter != 'v');
    let place = |(letter, &at)| if letter == 'P' { 8 + at % 48 } else { at };
    let squares: Vec<u8> = letters.zip(squares).map(place).collect();
    let board = Board::new(name, &squares, strong_to_move, strong_is_white);
    board.is_legal().then_some(board)
}

proptest! {
    #![proptest_config(ProptestConfig { max_global_rejects: 100_000, ..random(3000) })]

    #[test]
    fn concepts_follow_the_symmetries(
        name in prop::sample::select(ENDGAMES.to_vec()),
        squares in prop::array::uniform4(0_u8..64),
        near in prop::array::uniform4(prop::sample::select(vec![0_u8, 1, 2, 8, 9, 10, 16, 17, 18])),
        is_near: bool,
        turn in prop::sample::select(TURNS.to_vec()),
        shift in prop::sample::select(vec![0, 8, 9, 18, 27]),
        strong_to_move: bool,
    ) {
        let crowded = near.map(|at| turn(at + shift));
        let squares = if is_near { crowded } else { squares };
        let Some(board) = board(name, &squares, strong_to_move, true) else {
            return Err(TestCaseError::reject("no position"));
        };
        let position: Position = board.fen().parse().unwrap();
        let set = AttributeSet::new(material(name), Selection::Concepts);
        check_symmetries(&set, &position);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { max_global_rejects: 100_000, ..random(100) })]

    /// Every concept has a plain version.
    #[test]
    fn concepts_are_what_a_plain_version_computes(
        name in prop::sample::select(ENDGAMES.to_vec()),
        squares in prop::array::uniform4(0_u8..64),
        strong_to_move: bool,
    ) {
        let Some(board) = board(name, &squares, strong_to_move, true) else {
            return Err(TestCaseError::reject("no position"));
        };
        let position: Position = board.fen().parse().unwrap();
        let set = AttributeSet::new(material(name), Selection::Concepts);
        for (attribute, value) in set.attributes().iter().zip(row(&set, &position)) {
            let plain = plain_value(attribute.name(), name, &board);
            assert_eq!(value, plain, "{} in {position}", attribute.name());
        }
    }
}

/// A placement of an endgame; half of them are crowded in a corner.
fn placements() -> impl Strategy<Value = (&'static str, [u8; 4], bool)> {
    let name = prop::sample::select(vec!["KRvK", "KQvK", "KPvK", "KBBvK", "KBNvK", "KQvKR"]);
    let squares = prop::array::uniform4(0_u8..64);
    let near = prop::sample::select(vec![0_u8, 1, 2, 8, 9, 10, 16, 17, 18]);
    (name, prop_oneof![squares, prop::array::uniform4(near)], any::<bool>())
}

/// Compares the attributes that look ahead with a plain search, on a board that may be turned.
fn check_ahead(name: &str, squares: &[u8; 4], strong_is_white: bool) -> Result<(), TestCaseError> {
    let Some(board) = board(name, &squares[..name.len() - 1], false, true) else {
        return Err(TestCaseError::reject("no position"));
    };
    let set = AttributeSet::new(material(name), Selection::Ahead);
    let position: Position = board.fen().parse().unwrap();
    check_symmetries(&set, &position);
    for (attribute, value) in set.attributes().iter().zip(row(&set, &position)) {
        let plain = plain_value(attribute.name(), name, &board);
        assert_eq!(value, plain, "{} in {position}", attribute.name());
    }
    if !strong_is_white {
        let exchanged: Position = board.with_colors_exchanged().fen().parse().unwrap();
        assert_eq!(row(&set, &exchanged), row(&set, &position), "{position}");
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { max_global_rejects: 100_000, ..random(50) })]

    #[test]
    #[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
    fn what_looks_ahead_follows_the_symmetries_and_is_what_a_plain_search_finds(
        (name, squares, strong_is_white) in placements(),
    ) {
        check_ahead(name, &squares, strong_is_white)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig { max_global_rejects: 100_000, ..random(300) })]

    #[test]
    #[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
    fn what_looks_ahead_in_hundreds_of_positions_is_what_a_plain_search_finds(
        (name, squares, strong_is_white) in placements(),
    ) {
        check_ahead(name, &squares, strong_is_white)?;
    }
}

/// Concepts have names of their own, by which they are found. None of them is among the attributes from
/// which trees are learned.
#[test]
fn concepts_have_names_of_their_own() {
    let selections = [Selection::Concepts, Selection::Ahead, Selection::Region, Selection::Fight];
    let endgames = ENDGAMES.into_iter().chain(["KvK"]);
    for (name, selection) in endgames.flat_map(|name| selections.map(|selection| (name, selection)))
    {
        let concepts = AttributeSet::new(material(name), selection);
        let all = AttributeSet::new(material(name), Selection::All);
        let names: Vec<&str> = concepts.attributes().iter().map(|one| one.name()).collect();
        let others = all.attributes().iter().map(|one| one.name());
        let distinct: BTreeSet<&str> = names.iter().copied().chain(others.clone()).collect();
        assert_eq!(distinct.len(), names.len() + others.count(), "{name}: {names:?}");
        let found = AttributeSet::named(material(name), names).unwrap();
        assert_eq!(found.attributes(), concepts.attributes());
        // Names do not distinguish two equal men.
        for concept in concepts.attributes() {
            assert!(!concept.name().contains(['1', '2']), "{}", concept.name());
            assert!(!concept.meaning(ValueEncoding::Code).is_empty(), "{}", concept.name());
        }
    }
}

/// The text for an aim differs from the text for the opposite aim.
#[test]
fn every_attribute_can_be_aimed_at() {
    for name in ENDGAMES {
        let view = ReaderBoard::general(material(name));
        for selection in Selections::whole().iter() {
            for attribute in AttributeSet::new(material(name), selection).attributes() {
                let [least, greatest] = [false, true].map(|great| attribute.aim(great, &view));
                assert_ne!(least, greatest, "{}", attribute.name());
                for aim in [least, greatest] {
                    let text = format!("{}: {aim}", attribute.name());
                    assert!(aim.starts_with(|first: char| first.is_ascii_lowercase()), "{text}");
                    assert!(!aim.contains("  ") && !aim.ends_with(['.', ' ']), "{text}");
                    assert!(!aim.contains("strong") && !aim.contains("weak"), "{text}");
                }
            }
        }
    }
}

#[test]
fn every_interval_of_a_concept_has_a_sentence_of_its_own() {
    let mut asked = BTreeSet::new();
    for name in ENDGAMES {
        let view = ReaderBoard::general(material(name));
        let sets = [Selection::Concepts, Selection::Ahead, Selection::Region, Selection::Fight]
            .map(|selection| AttributeSet::new(material(name), selection));
        let attributes = sets.iter().flat_map(AttributeSet::attributes);
        let fresh: Vec<_> = attributes.filter(|one| asked.insert(one.name().to_owned())).collect();
        for attribute in fresh {
            let (least, greatest) = attribute.domain();
            let mut said: BTreeMap<String, (u8, u8)> = BTreeMap::new();
            // Between the lengths of straight lines there are numbers that say the same as the next length.
            let is_line = attribute.name().ends_with("DistanceSquare");
            let is_length = |square: &u8| (0..8).any(|x| (0..8).any(|y| x * x + y * y == *square));
            let ends = || (least..=greatest).filter(|value| !is_line || is_length(value));
            for low in ends() {
                for high in ends().filter(|&high| low <= high) {
                    let sentence = attribute.sentence(low..=high, &view);
                    let text = format!("{} {low} {high}: {sentence}", attribute.name());
                    assert!(!sentence.contains("  ") && !sentence.ends_with(['.', ' ']), "{text}");
                    assert!(!sentence.contains("strong") && !sentence.contains("weak"), "{text}");
                    let before = said.insert(sentence, (low, high));
                    assert!(before.is_none(), "{text} {before:?}");
                }
            }
        }
    }
}

/// Three equal men are taken together in all three ways, counts of men stay in their domains, and the names
/// of men and plans know the third.
#[test]
fn three_equal_men_all_count() {
    let value = |fen: &str, name: &str| {
        let position: Position = fen.parse().unwrap();
        row(&AttributeSet::named(position.material(), [name]).unwrap(), &position)[0]
    };
    let queens = "Q6Q/8/8/3Q4/8/1k6/8/7K b - - 0 1";
    let expected =
        [("kQLeastSteps", 2), ("kQGreatestSteps", 6), ("kQSumSteps", 13), ("kExposes", 2)];
    for (name, number) in expected {
        assert_eq!(value(queens, name), number, "{name}");
    }
    assert_eq!(value("8/8/8/3k4/8/8/BN6/KB6 b - - 0 1", "KGuards"), 2);
    assert_eq!(value("8/8/2BNB3/3k4/8/8/8/7K b - - 0 1", "kTakes"), 2);
    let three = material("KQQQvK");
    assert_eq!(ReaderBoard::general(three).names().last(), Some("the third queen"));
    let ahead = AttributeSet::new(three, Selection::Ahead);
    let has_number = |name: &str| name.contains(|c: char| c.is_ascii_digit());
    assert!(ahead.attributes().iter().all(|attribute| !has_number(attribute.name())));
}
