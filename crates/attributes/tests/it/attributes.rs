//! Attributes: the published list and example, a plain implementation of every name, and the positions
//! that they tell apart.

use lucena_attributes::{AttributeSet, Selection, Selections, ValueEncoding};
use lucena_base::named::Named;
use lucena_chess::symmetry::{Group, Symmetry};
use lucena_chess::{Bitboard, Position, Side};
use lucena_tablebase::DistanceClass;
use lucena_test_support::cases::{cases, random, repository};
use lucena_test_support::reference_attributes::{ENDGAMES, ReferenceBoard, TURNS, plain_value};
use lucena_test_support::reference_rules;
use lucena_test_support::reference_rules::{Board, QUEEN, ROOK, rank};
use lucena_test_support::tables::{KQVK, KRVK, material};
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
    assert_eq!(DistanceClass::NAME, "optimalDepth");
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
            // In "KRank" the R belongs to the word.
            let rest = if rest.starts_with("ank") { format!("R{rest}") } else { rest.into() };
            let men = &name[..name.len() - rest.len()];
            men.replace('R', "Q") + &rest
        })
        .collect();
    assert_eq!(queen, renamed);
}

/// Compares the values in a position with the plain ones, and with the domains.
fn check_position(set: &AttributeSet, name: &str, position: &Position, board: &Board) {
    let seen = ReferenceBoard::new(name, board);
    let mut row = vec![0; set.attributes().len()];
    set.extract(position, &mut row);
    for (attribute, value) in set.attributes().iter().zip(row) {
        assert_eq!(value, seen.value(attribute.name()), "{} in {position}", attribute.name());
        let (low, high) = attribute.domain();
        assert!((low..=high).contains(&value), "{} in {position}", attribute.name());
    }
}

/// Compares the values in many positions of the full board, with one side to move.
fn check_values(
    game: &reference_rules::Game,
    name: &str,
    selection: Selection,
    turn: Side,
    numbers: impl Iterator<Item = u32>,
) {
    use rayon::prelude::*;
    let set = AttributeSet::new(material(name), selection);
    let numbers: Vec<u32> = numbers.collect();
    assert!(numbers.len() > 1_000, "{}", numbers.len());
    numbers.par_iter().for_each(|&at| {
        let position =
            reference_rules::position(material(name), turn, at).expect("a legal position");
        check_position(&set, name, &position, &game.board(at, turn == Side::Strong));
    });
}

/// Compares the published values in every n-th position of the full board, with either side to move.
fn check_published_values(game: &reference_rules::Game, name: &str, every: usize) {
    for turn in Side::ALL {
        // With White to move a third of these positions is enough.
        let step = if turn == Side::Weak { every } else { 3 * every };
        check_values(game, name, Selection::Published, turn, game.legal(turn).step_by(step));
    }
}

/// A fifth of the positions.
#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn values_of_every_rook_ending_are_what_the_names_say() {
    check_published_values(&ROOK, "KRvK", 5);
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn values_of_every_single_rook_ending_are_what_the_names_say() {
    check_published_values(&ROOK, "KRvK", 1);
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn values_of_every_queen_ending_are_what_the_names_say() {
    check_published_values(&QUEEN, "KQvK", 1);
}

/// All attributes, in a ninth of the canonical positions and in a sample of the others.
#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn all_values_of_canonical_endings_are_what_the_names_say() {
    for (game, table, name) in [(&ROOK, &KRVK, "KRvK"), (&QUEEN, &KQVK, "KQvK")] {
        for turn in Side::ALL {
            let canonical =
                table.canonical_positions(turn).map(|one| reference_rules::number_of(&one.0));
            let numbers = canonical.step_by(9).chain(game.legal(turn).step_by(607));
            check_values(game, name, Selection::All, turn, numbers);
        }
    }
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn all_values_of_every_ending_are_what_the_names_say() {
    for (game, name) in [(&ROOK, "KRvK"), (&QUEEN, "KQvK")] {
        for turn in Side::ALL {
            check_values(game, name, Selection::All, turn, game.legal(turn));
        }
    }
}

/// The positions and values of the lines "example" in the definitions.
fn examples_of_definitions() -> Vec<[String; 3]> {
    let path = repository("crates/attributes/src/attributes.txt");
    let text = std::fs::read_to_string(path).unwrap();
    let lines = text.lines().filter_map(|line| line.strip_prefix("example "));
    let example = |line: &str| {
        let (fen, values) = line.split_once("; ").expect("a position and values");
        [fen, "", values].map(str::to_owned)
    };
    lines.map(example).collect()
}

/// The boards of the definitions have the values listed under them.
#[test]
fn the_examples_of_the_definitions_have_their_values() {
    let mut said = BTreeSet::new();
    let of_definitions = examples_of_definitions();
    assert!(!of_definitions.is_empty());
    for [fen, men, values] in cases("attribute_examples.csv").into_iter().chain(of_definitions) {
        let position: Position = fen.parse().unwrap();
        let name = position.material().to_string();
        let squares: Vec<u8> = position.men().map(|(_, square)| square as u8).collect();
        let board = Board::new(&name, &squares, position.turn() == Side::Strong, true);
        assert_eq!(board.fen(), fen, "{men}");
        let set = AttributeSet::new(position.material(), Selections::whole());
        for example in values.split(", ") {
            let (asked, value) = example.split_once(" = ").expect("a name and a value");
            let attribute = set.attributes().iter().find(|one| one.name() == asked);
            let attribute = attribute.unwrap_or_else(|| panic!("{name} has no {asked}"));
            assert_eq!(attribute.show(attribute.value(&position)), value, "{asked} in {fen}");
            assert_eq!(
                attribute.show(plain_value(asked, &name, &board)),
                value,
                "{asked} in {fen}"
            );
            let board = if men.is_empty() { &fen } else { &men };
            assert!(said.insert((board.clone(), example.to_owned())), "{example} is there twice");
        }
    }
    // The boards of the definitions are among them.
    let files = std::fs::read_dir(repository("crates/attributes/src")).unwrap();
    let sources = files.map(|file| std::fs::read_to_string(file.unwrap().path()).unwrap());
    let source: String = sources.collect();
    let mut written = BTreeSet::new();
    let mut ranks: Vec<&str> = Vec::new();
    for line in source.lines().map(|line| line.trim().trim_start_matches('/').trim()) {
        match line.split_once(' ') {
            _ if line == "```text" => ranks.clear(),
            Some(("a", values)) if values.starts_with("b c d ") => {
                let values = values.trim_start_matches("b c d ").split([',', ';', ':']);
                let men = ranks.join("/").replace(' ', "");
                let examples = values.map(str::trim).filter(|value| value.contains(" = "));
                written.extend(examples.map(|value| (men.clone(), value.to_owned())));
            }
            Some((_, men)) => ranks.push(men),
            None => (),
        }
    }
    assert!(written.is_subset(&said), "{:?}", written.difference(&said));
}

proptest! {
    #![proptest_config(ProptestConfig { max_global_rejects: 100_000, ..random(3000) })]

    /// Up to four men of either colour, in every material: all attributes.
    #[test]
    #[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
    fn all_men_are_measured_as_the_names_say(
        name in prop::sample::select(ENDGAMES.to_vec()),
        squares in prop::array::uniform4(0_u8..64),
        near in prop::array::uniform4(prop::sample::select(vec![0_u8, 1, 2, 8, 9, 10, 16, 17, 18])),
        is_near: bool,
        turn in prop::sample::select(TURNS.to_vec()),
        shift in prop::sample::select(vec![0, 8, 9, 18, 27]),
        strong_to_move: bool,
        strong_is_white: bool,
    ) {
        // Half of them are crowded on nine squares, where men touch.
        let crowded = near.map(|at| turn(at + shift));
        let squares = if is_near { crowded } else { squares };
        check_board(name, &squares, strong_to_move, strong_is_white)?;
    }
}

/// Compares every value on a board with the plain one, if it is a position.
pub(crate) fn check_board(
    name: &str,
    squares: &[u8],
    strong_to_move: bool,
    strong_is_white: bool,
) -> Result<(), TestCaseError> {
    // If both sides are equal, White is the strong one.
    let (strong, weak) = name.split_once('v').expect("two sides");
    let strong_is_white = strong_is_white || strong == weak;
    let letters = name.chars().filter(|&letter| letter != 'v');
    let place = |(letter, &at)| if letter == 'P' { 8 + at % 48 } else { at };
    let squares: Vec<u8> = letters.zip(squares).map(place).collect();
    let board = Board::new(name, &squares, strong_to_move, strong_is_white);
    prop_assume!(board.is_legal());
    let position: Position = board.fen().parse().unwrap();
    assert_eq!(position.material().to_string(), name);
    let set = AttributeSet::new(material(name), Selection::All);
    check_position(&set, name, &position, &board);
    Ok(())
}

/// Names are unique Rust identifiers by which attributes are found, and their number follows from the
/// men.
#[test]
fn selections_are_as_large_as_they_are_said_to_be() {
    for [name, selection, count] in cases("selections.csv") {
        let endgame = material(&name);
        let &(_, selection) =
            Selection::ALL.iter().find(|known| known.0 == selection).expect("a selection");
        let set = AttributeSet::new(endgame, selection);
        assert_eq!(set.attributes().len().to_string(), count, "{name} {selection}");
        let names = names(&set);
        assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len(), "{name} {selection}");
        for attribute in set.attributes() {
            assert!(is_identifier(attribute.name()), "{}", attribute.name());
            assert!(!attribute.meaning(ValueEncoding::Code).is_empty(), "{}", attribute.name());
        }
        let found = AttributeSet::named(endgame, names.iter().map(String::as_str)).unwrap();
        assert_eq!(found.attributes(), set.attributes());
        // The selection consists of the others in order.
        if selection == Selection::All {
            let parts = [Selection::Published, Selection::Oriented, Selection::Strategic];
            let parts = parts.map(|part| self::names(&AttributeSet::new(endgame, part)));
            assert_eq!(parts.concat(), names, "{name}");
        }
    }
}

fn is_identifier(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_alphabetic())
        && name.chars().all(|letter| letter.is_ascii_alphanumeric())
}

#[test]
fn two_equal_men_are_numbered() {
    let all = names(&AttributeSet::new(material("KBBvK"), Selection::Published));
    let expected = ["KFile", "KRank", "B1File", "B1Rank", "B2File", "B2Rank", "kFile", "kRank"];
    assert_eq!(all[..8], expected);
    assert!(all.contains(&"B1B2DistanceFile".into()), "{all:?}");
}

/// The squares that a diagram marks, on the given board.
#[test]
fn attributes_look_at_the_squares_that_they_speak_of() {
    for [fen, name, men, area] in cases("focus.csv") {
        let position: Position = fen.parse().unwrap();
        let set = AttributeSet::named(position.material(), [name.as_str()]).unwrap();
        let focus = set.attributes()[0].focus(&position);
        let squares = |squares: Bitboard| {
            let squares: Vec<String> = squares.into_iter().map(|at| at.to_string()).collect();
            squares.join(" ")
        };
        assert_eq!(squares(focus.men), men, "{name} in {fen}");
        let found: Vec<String> = focus.areas.into_iter().map(|(_, area)| squares(area)).collect();
        assert_eq!(found.join(" "), area, "{name} in {fen}");
    }
}

#[test]
fn equal_men_may_change_places() {
    for [name, squares, exchanged] in cases("twins.csv") {
        let position = |squares: &str| {
            let squares: Vec<_> = squares.split(' ').map(|at| at.parse().unwrap()).collect();
            Position::new(material(&name), Side::Weak, &squares).unwrap()
        };
        let set = AttributeSet::new(material(&name), Selection::All);
        let row = |position: &Position| {
            let mut row = vec![0; set.attributes().len()];
            set.extract(position, &mut row);
            let one_by_one = set.attributes().iter().map(|attribute| attribute.value(position));
            assert_eq!(one_by_one.collect::<Vec<_>>(), row);
            row
        };
        let (one, other) = (position(&squares), position(&exchanged));
        assert_eq!(one, other);
        let row = [row(&one), row(&other)];
        assert_eq!(row[0], row[1], "{one}");
        // Each man is itself, not a mixture.
        let [first, second] = ["1Rank", "2Rank"].map(|word| {
            let found = set.attributes().iter().position(|one| one.name().ends_with(word));
            row[0][found.expect("it is numbered")]
        });
        assert_ne!(first, second, "{name}: a case that says nothing");
    }
}

/// Rotations and reflections leave all attributes unchanged except locations. If files become ranks,
/// the attributes along the file and along the rank are exchanged, unless the attribute maps the board
/// to a canonical one first.
fn check_symmetries(name: &str, positions: &[Position]) {
    for selection in [Selection::Geometric, Selection::Oriented, Selection::Strategic] {
        let set = AttributeSet::new(material(name), selection);
        let names = names(&set);
        let partner = |name: &String| {
            let swaps = [("File", "Rank"), ("BoxWidth", "BoxHeight"), ("FileCuts", "RankCuts")];
            let swaps = swaps.into_iter().flat_map(|(one, other)| [(one, other), (other, one)]);
            let swap = |(from, to)| Some(format!("{}{to}", name.strip_suffix(from)?));
            let partner = match selection {
                Selection::Oriented => name.clone(),
                _ => swaps.filter_map(swap).next().unwrap_or_else(|| name.clone()),
            };
            names.iter().position(|other| *other == partner).expect("it has a partner")
        };
        let swapped: Vec<usize> = names.iter().map(partner).collect();
        let group = Group::new(material(name));
        let transposes = |symmetry: Symmetry| {
            let [a1, b1] = [0, 1].map(|at| symmetry.apply(lucena_chess::Square::index(at)));
            a1.rank() != b1.rank()
        };
        let symmetries: Vec<(Symmetry, bool)> =
            group.symmetries().iter().map(|&symmetry| (symmetry, transposes(symmetry))).collect();
        let transposed = symmetries.iter().filter(|(_, transposes)| *transposes).count();
        assert_eq!(transposed, if group == Group::Square { 4 } else { 0 });
        let [mut before, mut exchanged, mut after] = [(); 3].map(|()| vec![0; names.len()]);
        let mut looked_at = 0;
        for position in positions {
            set.extract(position, &mut before);
            for (value, &at) in exchanged.iter_mut().zip(&swapped) {
                *value = before[at];
            }
            for &(symmetry, transposes) in &symmetries {
                set.extract(&symmetry.apply_to_position(position), &mut after);
                let expected = if transposes { &exchanged } else { &before };
                assert_eq!(after, *expected, "{symmetry:?} of {position}");
                looked_at += 1;
            }
        }
        assert!(looked_at > 2_000, "{name}: {looked_at}");
    }
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn attributes_follow_the_symmetries() {
    for (table, name) in [(&KRVK, "KRvK"), (&KQVK, "KQvK")] {
        for (turn, step) in [(Side::Weak, 1), (Side::Strong, 3)] {
            let positions: Vec<Position> =
                table.canonical_positions(turn).map(|one| one.0).step_by(step).collect();
            check_symmetries(name, &positions);
        }
    }
    // With four men, every placement on the diagonal and beside it.
    for name in ["KBNvK", "KRvKN", "KQvKB", "KBPvK", "KPvKP", "KNvKP"] {
        let near = [0_u8, 1, 8, 9, 10, 17, 18, 27, 36, 63];
        let squares = (0..10_000_usize).map(|at| [1, 10, 100, 1_000].map(|by| near[at / by % 10]));
        let boards = squares.map(|squares| Board::new(name, &squares, false, true));
        let has_room = |board: &Board| {
            board.men.iter().all(|man| man.role != 'P' || (1..7).contains(&rank(man.at)))
        };
        let legal = boards.filter(Board::is_legal).filter(has_room);
        let positions: Vec<Position> = legal.map(|board| board.fen().parse().unwrap()).collect();
        check_symmetries(name, &positions);
    }
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
        let position = reference_rules::position(material("KRvK"), Side::Weak, at).expect("legal");
        let mut row = [0; 24];
        set.extract(&position, &mut row);
        // The class from the plain solver.
        let class = reference_rules::ROOK_SOLVED.weak[at as usize];
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
        assert_eq!(error.now, None);
    }
}

/// An old name, in which File and rank were exchanged, gives an error with the new name.
#[test]
fn old_names_point_to_new_ones() {
    for [endgame, old, now] in cases("renamed_attributes.csv") {
        let error = AttributeSet::named(material(&endgame), [old.as_str()]).expect_err(&old);
        assert_eq!(error.now.as_deref(), (!now.is_empty()).then_some(now.as_str()), "{old}");
        let text = error.to_string();
        let advice = if now.is_empty() { "--list" } else { &now };
        assert!(text.contains(&old) && text.contains(advice), "{text}");
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
    // The names of krkopt's classes, in order.
    for (number, [class, _]) in cases("krkopt_classes.csv").into_iter().enumerate() {
        let depth: DistanceClass = class.parse().unwrap();
        assert_eq!(DistanceClass::up_to(16).position(|listed| listed == depth), Some(number));
        assert_eq!(depth.to_string(), class);
        let expected = number
            .checked_sub(1)
            .map_or(DistanceClass::Draw, |moves| DistanceClass::Mated(moves as u16));
        assert_eq!(depth, expected);
    }
    assert_eq!(DistanceClass::Mated(33).to_string(), "thirty-three");
    assert_eq!(DistanceClass::Mated(40).to_string(), "forty");
    for moves in 0..=126 {
        let depth = DistanceClass::Mated(moves);
        assert_eq!(depth.to_string().parse(), Ok(depth));
        assert!(DistanceClass::Draw < depth && depth < DistanceClass::Lost);
        assert_eq!(depth.plies(), Some(2 * moves));
    }
    assert_eq!(
        (DistanceClass::Lost.to_string(), DistanceClass::Lost.plies()),
        ("lost".into(), None)
    );
    assert_eq!("lost".parse(), Ok(DistanceClass::Lost));
    let all: Vec<DistanceClass> = DistanceClass::up_to(2).collect();
    assert_eq!(
        all,
        [
            DistanceClass::Draw,
            DistanceClass::Mated(0),
            DistanceClass::Mated(1),
            DistanceClass::Mated(2)
        ]
    );
    for text in ["", "Draw", "sixty four", "-1", "ten ", "won", "Lost"] {
        assert!(text.parse::<DistanceClass>().is_err(), "{text:?}");
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
        assert_eq!(Group::new(position.material()), Group::Square);
    }
}

/// Attributes of several selections stand in the order of the selections, each once.
#[test]
fn several_selections_are_one_list() {
    let endgame = material("KRvK");
    let listed =
        |text: &str| names(&AttributeSet::new(endgame, text.parse::<Selections>().unwrap()));
    for (several, parts) in [
        ("location,geometric", ["location", "geometric"]),
        ("concepts,ahead", ["concepts", "ahead"]),
        ("ahead,all", ["ahead", "all"]),
        // The second adds nothing, or only what the first lacks.
        ("all,strategic", ["all", "strategic"]),
        ("strategic,all", ["strategic", "all"]),
        ("concepts,concepts", ["concepts", "concepts"]),
    ] {
        let mut expected = listed(parts[0]);
        let more = listed(parts[1]).into_iter().filter(|name| !expected.contains(name));
        let more: Vec<String> = more.collect();
        expected.extend(more);
        assert_eq!(listed(several), expected, "{several}");
    }
    assert_eq!(listed("location,geometric"), listed("published"));
    let every = listed("all,concepts,ahead,region,fight");
    assert_eq!(every.iter().collect::<BTreeSet<_>>().len(), every.len());
    assert_eq!(every, names(&AttributeSet::new(endgame, Selections::whole())));
}

#[test]
fn what_is_no_selection_is_refused_with_the_names() {
    for text in ["", "features", "all,", ",all", "all,features", "all concepts", "all, concepts"] {
        let error = text.parse::<Selections>().expect_err(text).to_string();
        assert!(Selection::ALL.iter().all(|(name, _)| error.contains(name)), "{error}");
    }
    let error = "all,concept".parse::<Selections>().expect_err("a misspelling").to_string();
    assert!(error.contains("perhaps concepts is meant"), "{error}");
    let text = "ahead,location,ahead";
    assert_eq!(text.parse::<Selections>().unwrap().to_string(), "ahead,location");
}
