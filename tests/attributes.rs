//! Attributes: the published list and example, a plain reading of every name, and what they tell
//! apart.

use crate::cases::{cases, random};
use crate::plain::{self, Board, Man, QUEEN, ROOK, file, rank};
use crate::tables::{KRVK, material};
use lucena::attributes::{AttributeSet, Depth, Selection};
use lucena::chess::{Position, Side};
use lucena::symmetry::{Group, Symmetry};
use proptest::prelude::*;
use std::collections::{BTreeSet, HashMap, HashSet};

fn names(set: &AttributeSet) -> Vec<String> {
    set.attributes().iter().map(|attribute| attribute.name().into()).collect()
}

#[test]
fn names_order_and_domains_are_as_published() {
    let published = cases::<4>("attributes.csv");
    let set = AttributeSet::new(material("KRvK"), Selection::Published);
    let found: Vec<[String; 3]> = set
        .attributes()
        .iter()
        .map(|attribute| {
            let (low, high) = attribute.domain();
            [attribute.name().into(), low.to_string(), high.to_string()]
        })
        .collect();
    let expected: Vec<[String; 3]> =
        published.into_iter().map(|[name, low, high, _]| [name, low, high]).collect();
    assert_eq!(expected.len(), 30);
    assert_eq!(found, expected);
    let all = names(&set);
    let selected = |selection| names(&AttributeSet::new(material("KRvK"), selection));
    assert_eq!(selected(Selection::Location), all[..6]);
    assert_eq!(selected(Selection::Geometric), all[6..]);
    assert_eq!(Depth::NAME, "optimalDepth");
}

#[test]
fn the_published_example_has_its_values() {
    let position: Position = "8/8/8/8/8/R7/8/k1K5 b - - 0 1".parse().unwrap();
    let set = AttributeSet::new(material("KRvK"), Selection::Published);
    for (attribute, [name, _, _, value]) in set.attributes().iter().zip(cases("attributes.csv")) {
        assert_eq!(attribute.name(), name);
        assert_eq!(attribute.show(attribute.value(&position)), value, "{name}");
    }
    // optimalDepth=zero
    assert!(position.is_checkmate());
}

#[test]
fn a_queen_is_called_q() {
    let rook = names(&AttributeSet::new(material("KRvK"), Selection::Published));
    let queen = names(&AttributeSet::new(material("KQvK"), Selection::Published));
    let renamed: Vec<String> = rook
        .iter()
        .map(|name| {
            let rest = name.trim_start_matches(['K', 'k', 'R']);
            // In "KRank" the R is the word's.
            let rest = if rest.starts_with("ank") { format!("R{rest}") } else { rest.into() };
            let men = &name[..name.len() - rest.len()];
            men.replace('R', "Q") + &rest
        })
        .collect();
    assert_eq!(queen, renamed);
}

/// The men that letters name: a capital for the strong side, numbered where there are two.
fn men_of(material: &str, board: &Board) -> HashMap<String, Man> {
    let (strong, weak) = material.split_once('v').expect("two sides");
    let mut men = board.men.iter();
    let mut named = HashMap::new();
    for (side, is_strong) in [(strong, true), (weak, false)] {
        for (place, letter) in side.char_indices() {
            let twins = side.matches(letter).count();
            let number = side[..=place].matches(letter).count();
            let letter = if is_strong { letter } else { letter.to_ascii_lowercase() };
            let name = if twins > 1 { format!("{letter}{number}") } else { letter.to_string() };
            named.insert(name, *men.next().expect("a man for each letter"));
        }
    }
    named
}

/// The value that a name asks for, from what its words mean.
pub(crate) fn plain_value(name: &str, material: &str, board: &Board) -> u8 {
    let men = men_of(material, board);
    const WORDS: [&str; 11] = [
        "OppositionDistance",
        "MinDistanceFile",
        "MinDistanceRank",
        "DistanceFile",
        "DistanceRank",
        "OnEdge",
        "InCorner",
        "InCheck",
        "CanMove",
        "File",
        "Rank",
    ];
    let word = WORDS.iter().find(|word| name.ends_with(**word)).expect("a known word");
    let letters = name.strip_suffix(word).expect("it ends so");
    let second = letters.char_indices().skip(1).find(|(_, letter)| letter.is_alphabetic());
    let (one, other) = letters.split_at(second.map_or(letters.len(), |(place, _)| place));
    let one = men[one].at;
    let other = men.get(other).map(|man| man.at);
    let from_edge = |along: u8| along.min(7 - along);
    let on_edge = |at: u8| from_edge(file(at)) == 0 || from_edge(rank(at)) == 0;
    let strong_is_white = men["K"].white;
    match (*word, other) {
        // Where on the board: here File is the file.
        ("File", None) => file(one) + 1,
        ("Rank", None) => rank(one) + 1,
        ("File", Some(other)) => (file(one) == file(other)).into(),
        ("Rank", Some(other)) => (rank(one) == rank(other)).into(),
        // How far: here File is along the file.
        ("MinDistanceFile", None) => from_edge(rank(one)),
        ("MinDistanceRank", None) => from_edge(file(one)),
        ("DistanceFile", Some(other)) => rank(one).abs_diff(rank(other)),
        ("DistanceRank", Some(other)) => file(one).abs_diff(file(other)),
        ("OppositionDistance", Some(other)) if file(one) == file(other) => {
            rank(one).abs_diff(rank(other))
        }
        ("OppositionDistance", Some(other)) if rank(one) == rank(other) => {
            file(one).abs_diff(file(other))
        }
        ("OppositionDistance", Some(_)) => 0,
        ("OnEdge", None) => on_edge(one).into(),
        ("InCorner", None) => (from_edge(file(one)) == 0 && from_edge(rank(one)) == 0).into(),
        ("InCheck", None) => board.is_attacked(one, strong_is_white).into(),
        ("CanMove", None) => {
            let mut board = board.clone();
            board.white_to_move = !strong_is_white;
            board.moves().iter().any(|&(from, _, _)| from == one).into()
        }
        other => panic!("{name} makes no sense: {other:?}"),
    }
}

/// Every value of every position of the full board, either side to move.
fn check_values(game: &plain::Game, name: &str) {
    let set = AttributeSet::new(material(name), Selection::Published);
    for turn in Side::ALL {
        // With White to move a third of the positions will do.
        let step = if turn == Side::Weak { 1 } else { 3 };
        let numbers: Vec<u32> = game.legal(turn).step_by(step).collect();
        use rayon::prelude::*;
        numbers.par_iter().for_each(|&at| {
            let position = plain::position(material(name), turn, at).expect("a legal position");
            let board = game.board(at, turn == Side::Strong);
            let mut row = [0; 30];
            set.extract(&position, &mut row);
            for (attribute, value) in set.attributes().iter().zip(row) {
                let plain = plain_value(attribute.name(), name, &board);
                assert_eq!(value, plain, "{} in {position}", attribute.name());
                let (low, high) = attribute.domain();
                assert!((low..=high).contains(&value), "{} in {position}", attribute.name());
            }
        });
    }
}

#[test]
fn values_of_every_rook_ending_are_what_the_names_say() {
    check_values(&ROOK, "KRvK");
}

#[test]
#[ignore = "slow: cargo test --release -- --include-ignored"]
fn values_of_every_queen_ending_are_what_the_names_say() {
    check_values(&QUEEN, "KQvK");
}

proptest! {
    #![proptest_config(random(1000))]

    /// Four men, of either colour: names are unique Rust identifiers that say what they measure.
    #[test]
    fn four_men_are_measured_as_the_names_say(
        name in prop::sample::select(vec!["KBNvK", "KRvKN", "KQvKR", "KBBvK", "KRvKR", "KBvKN"]),
        squares in prop::array::uniform4(0_u8..64),
        strong_to_move: bool,
        strong_is_white: bool,
    ) {
        let board = Board::new(name, &squares, strong_to_move, strong_is_white);
        // Of two equal sides White is the strong one; of two equal men the first is on the earlier
        // square.
        prop_assume!(board.is_legal());
        prop_assume!(name != "KRvKR" || strong_is_white);
        prop_assume!(name != "KBBvK" || squares[1] < squares[2]);
        let position: Position = board.fen().parse().unwrap();
        let set = AttributeSet::new(material(name), Selection::Published);
        let distinct: BTreeSet<String> = names(&set).into_iter().collect();
        prop_assert_eq!(distinct.len(), set.attributes().len());
        for attribute in set.attributes() {
            let identifier = attribute.name().chars().all(|letter| letter.is_ascii_alphanumeric());
            prop_assert!(identifier, "{}", attribute.name());
            let value = attribute.value(&position);
            let plain = plain_value(attribute.name(), name, &board);
            prop_assert_eq!(value, plain, "{} in {}", attribute.name(), position);
            let (low, high) = attribute.domain();
            prop_assert!((low..=high).contains(&value));
            prop_assert!(!attribute.meaning().is_empty());
        }
    }
}

#[test]
fn two_equal_men_are_numbered() {
    let all = names(&AttributeSet::new(material("KBBvK"), Selection::Published));
    let expected = ["KFile", "KRank", "B1File", "B1Rank", "B2File", "B2Rank", "kFile", "kRank"];
    assert_eq!(all[..8], expected);
    assert!(all.contains(&"B1B2DistanceFile".into()), "{all:?}");
}

/// Turning and mirroring leaves every geometric attribute alone; where files become ranks, the
/// attributes along the file and those along the rank change places.
#[test]
fn geometric_attributes_follow_the_symmetries() {
    let set = AttributeSet::new(material("KRvK"), Selection::Geometric);
    let names = names(&set);
    let swapped: Vec<usize> = names
        .iter()
        .map(|name| {
            let partner = match (name.strip_suffix("File"), name.strip_suffix("Rank")) {
                (Some(start), _) => format!("{start}Rank"),
                (_, Some(start)) => format!("{start}File"),
                _ => name.clone(),
            };
            names.iter().position(|other| *other == partner).expect("it has a partner")
        })
        .collect();
    let row = |position: &Position| {
        let mut row = [0; 24];
        set.extract(position, &mut row);
        row
    };
    let mut transposed = 0;
    for symmetry in Symmetry::ALL {
        let [a1, b1] = [0, 1].map(|at| symmetry.apply(lucena::chess::Square::index(at)));
        let transposes = a1.rank() != b1.rank();
        transposed += usize::from(transposes);
        for (position, _) in KRVK.canonical_positions(Side::Weak) {
            let (before, after) = (row(&position), row(&symmetry.apply_to_position(&position)));
            let expected = if transposes {
                swapped.iter().map(|&at| before[at]).collect()
            } else {
                before.to_vec()
            };
            assert_eq!(after.to_vec(), expected, "{symmetry:?} of {position}");
        }
    }
    assert_eq!(transposed, 4);
}

#[test]
fn the_geometric_attributes_tell_all_canonical_positions_apart() {
    let set = AttributeSet::new(material("KRvK"), Selection::Geometric);
    let distinct: HashSet<[u8; 24]> = KRVK
        .canonical_positions(Side::Weak)
        .map(|(position, _)| {
            let mut row = [0; 24];
            set.extract(&position, &mut row);
            row
        })
        .collect();
    assert_eq!(distinct.len(), 28_056);
}

#[test]
fn on_the_full_board_no_vector_has_two_classes() {
    let set = AttributeSet::new(material("KRvK"), Selection::Geometric);
    let mut classes = HashMap::new();
    let mut positions = 0;
    for at in ROOK.legal(Side::Weak) {
        let position = plain::position(material("KRvK"), Side::Weak, at).expect("legal");
        let mut row = [0; 24];
        set.extract(&position, &mut row);
        // The class by the plain solver.
        let class = plain::ROOK_SOLVED.weak[at as usize];
        let first = *classes.entry(row).or_insert(class);
        assert_eq!(first, class, "{position}");
        positions += 1;
    }
    assert_eq!((positions, classes.len()), (223_944, 55_986));
}

#[test]
fn attributes_are_found_by_name() {
    let endgame = material("KRvK");
    let set = AttributeSet::named(endgame, ["kInCheck", "KFile"]).unwrap();
    assert_eq!(names(&set), ["kInCheck", "KFile"]);
    assert_eq!(set.material(), endgame);
    for unknown in ["QFile", "kfile", "", "optimalDepth", "KFile "] {
        let error = AttributeSet::named(endgame, ["KFile", unknown]).expect_err(unknown);
        assert_eq!((error.name.as_str(), error.material), (unknown, endgame));
    }
}

#[test]
#[should_panic(expected = "attributes are for one material")]
fn attributes_are_for_one_material() {
    let set = AttributeSet::new(material("KRvK"), Selection::Published);
    set.extract(&"8/8/8/8/8/2k5/8/K1Q5 b - - 0 1".parse().unwrap(), &mut [0; 30]);
}

#[test]
fn depths_are_said_in_words() {
    // The words of krkopt's classes, in their order.
    for (number, [class, _]) in cases("krkopt_classes.csv").into_iter().enumerate() {
        let depth: Depth = class.parse().unwrap();
        assert_eq!(depth.number(), number);
        assert_eq!(depth.to_string(), class);
        let expected =
            number.checked_sub(1).map_or(Depth::Draw, |moves| Depth::Mated(moves as u16));
        assert_eq!(depth, expected);
    }
    assert_eq!(Depth::Mated(33).to_string(), "thirty-three");
    assert_eq!(Depth::Mated(40).to_string(), "forty");
    for moves in 0..=126 {
        let depth = Depth::Mated(moves);
        assert_eq!(depth.to_string().parse(), Ok(depth));
    }
    let all: Vec<Depth> = Depth::up_to(2).collect();
    assert_eq!(all, [Depth::Draw, Depth::Mated(0), Depth::Mated(1), Depth::Mated(2)]);
    for text in ["", "Draw", "sixty four", "-1", "ten ", "won"] {
        assert!(text.parse::<Depth>().is_err(), "{text:?}");
    }
}

#[test]
fn canonical_rows_do_not_depend_on_who_is_black() {
    let set = AttributeSet::new(material("KRvK"), Selection::Published);
    for (position, _) in KRVK.canonical_positions(Side::Weak).step_by(11) {
        let (mut white, mut black) = ([0; 30], [0; 30]);
        set.extract(&position, &mut white);
        set.extract(&position.with_colors_exchanged(), &mut black);
        assert_eq!(white, black, "{position}");
        assert_eq!(Group::of(position.material()), Group::Square);
    }
}
