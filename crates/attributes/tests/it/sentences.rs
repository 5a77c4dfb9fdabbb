//! Sentences: the text for each attribute, and that statements about the board are true of the board as it
//! is, whatever symmetry was applied for the tree.

use lucena_attributes::{Attribute, AttributeSet, ReaderBoard, Selection};
use lucena_chess::symmetry::{Group, Symmetry};
use lucena_chess::{Color, Position, Side};
use lucena_test_support::cases::cases;
use lucena_test_support::reference_attributes::ENDGAMES;
use lucena_test_support::tables::{KRVK, material};
use std::collections::{BTreeMap, BTreeSet};

/// The sentence for a position, from the values of its representative.
fn sentence(position: &Position, attribute: &Attribute, low: u8, high: u8) -> String {
    let symmetry = Group::new(position.material()).canonical_symmetry(position);
    let read = symmetry.apply_to_position(position);
    attribute.sentence(low..=high, &ReaderBoard::new(&read, symmetry.inverse()))
}

/// The value that an attribute shows as this text.
fn value(attribute: &Attribute, text: &str) -> u8 {
    let (low, high) = attribute.domain();
    let shown = (low..=high).find(|&value| attribute.show(value) == text);
    shown.unwrap_or_else(|| panic!("{} is never {text}", attribute.name()))
}

/// The name of an attribute without its men.
fn question(name: &str) -> &str {
    let words = [
        "Diagonal",
        "SameColor",
        "RightCornerSteps",
        "WrongCornerSteps",
        "KnightSteps",
        "PromotionSteps",
        "PromotionColor",
        "Catches",
        "KeySquare",
        "InFront",
        "Blocked",
        "CanAdvance",
        "Passed",
        "Race",
        "Attacked",
        "EnPrise",
        "Pinned",
        "Fork",
        "SafeMoves",
        "Opposition",
        "OppositionDistance",
        "MinDistanceFile",
        "MinDistanceRank",
        "DistanceFile",
        "DistanceRank",
        "DistanceSum",
        "DistanceLess",
        "OnEdge",
        "InCorner",
        "InCheck",
        "CanMove",
        "BoxSteps",
        "EdgeSteps",
        "CornerSteps",
        "Steps",
        "Knight",
        "Moves",
        "Room",
        "Hangs",
        "Guarded",
        "BoxHeight",
        "BoxWidth",
        "BoxSize",
        "BoxSides",
        "BoxShorterSide",
        "RankCuts",
        "FileCuts",
        "RanksAhead",
        "FilesAhead",
        "TurnedFile",
        "TurnedRank",
        "File",
        "Rank",
    ];
    // A concept has a name of its own.
    words.into_iter().find(|word| name.ends_with(word)).unwrap_or(name)
}

#[test]
fn attributes_say_what_a_player_would() {
    let mut said = BTreeSet::new();
    let mut faults = Vec::new();
    for [fen, name, values, expected] in cases("sentences.csv") {
        let position: Position = fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"));
        assert_eq!(position.turn(), Side::Weak, "{fen}");
        let set = AttributeSet::named(position.material(), [name.as_str()]).expect("a known name");
        let attribute = &set.attributes()[0];
        let (low, high) = values.split_once(' ').unwrap_or((&values, &values));
        let found = sentence(&position, attribute, value(attribute, low), value(attribute, high));
        if found != expected {
            faults.push(format!("{fen} {name} {values}: {found}"));
        }
        said.insert(question(&name).to_owned());
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    for endgame in ENDGAMES {
        for attribute in AttributeSet::new(material(endgame), Selection::All).attributes() {
            assert!(said.contains(question(attribute.name())), "no case for {}", attribute.name());
        }
    }
}

/// Every interval of every attribute is a sentence, and different ones differ.
#[test]
fn every_interval_has_a_sentence_of_its_own() {
    for (name, fen) in [
        ("KRvK", "8/8/8/8/8/R7/8/k1K5 b - - 0 1"),
        ("KQvK", "8/8/8/8/8/2k5/8/K1Q5 b - - 0 1"),
        ("KBNvK", "8/8/8/4k3/8/8/8/K1B1N3 b - - 0 1"),
        ("KBBvK", "8/8/8/4k3/8/8/8/K1B1B3 b - - 0 1"),
        ("KRRvK", "8/8/8/4k3/8/8/8/K1R1R3 b - - 0 1"),
        ("KRvKN", "8/8/8/4k3/8/8/8/K1R1n3 b - - 0 1"),
        ("KRvKR", "8/8/8/4k3/8/8/8/K1R1r3 b - - 0 1"),
        ("KQvKB", "8/8/8/4k3/8/8/8/K1Q1b3 b - - 0 1"),
        ("KBvKP", "8/8/8/4k3/8/8/4p3/K1B5 b - - 0 1"),
        ("KBPvK", "8/8/8/4k3/8/8/P7/K1B5 b - - 0 1"),
        ("KPPvK", "8/8/8/4k3/8/8/P1P5/K7 b - - 0 1"),
        ("KPvKP", "8/8/4p3/4k3/8/8/P7/K7 b - - 0 1"),
        ("KPvKP", "k7/p7/8/8/4K3/4P3/8/8 w - - 0 1"),
    ] {
        let position: Position = fen.parse().unwrap();
        let set = AttributeSet::new(material(name), Selection::All);
        let views =
            [ReaderBoard::general(material(name)), ReaderBoard::new(&position, Symmetry::IDENTITY)];
        for (attribute, view) in
            set.attributes().iter().flat_map(|one| views.iter().map(move |view| (one, view)))
        {
            let (least, greatest) = attribute.domain();
            let mut said: BTreeMap<String, (u8, u8)> = BTreeMap::new();
            for low in least..=greatest {
                for high in low..=greatest {
                    let sentence = attribute.sentence(low..=high, view);
                    let text = format!("{} {low} {high}: {sentence}", attribute.name());
                    assert!(!sentence.contains("  ") && !sentence.ends_with(['.', ' ']), "{text}");
                    assert!(!sentence.contains("strong") && !sentence.contains("weak"), "{text}");
                    // Kings are never one square apart, so some intervals have the same meaning.
                    let same = attribute.name().contains("Opposition");
                    let before = said.insert(sentence, (low, high));
                    assert!(before.is_none() || same, "{text} {before:?}");
                }
            }
            let open = attribute.sentence(0..=255, view);
            assert_eq!(open, attribute.sentence(least..=greatest, view));
            let none = attribute.sentence(greatest + 1..=255, view);
            assert!(none.contains("out of its range"), "{none}");
        }
    }
}

#[test]
fn figures_leave_open_ends_out() {
    let names = ["KkSteps", "KkFilesAhead", "KFile", "kOnEdge"];
    let set = AttributeSet::named(material("KRvK"), names).expect("known names");
    let [steps, ahead, file, edge] = set.attributes() else { panic!("four attributes") };
    for (attribute, low, high, text) in [
        (steps, 2, 2, "KkSteps = 2"),
        (steps, 1, 3, "KkSteps <= 3"),
        (steps, 0, 3, "KkSteps <= 3"),
        (steps, 3, 255, "KkSteps >= 3"),
        (steps, 3, 5, "3 <= KkSteps <= 5"),
        (steps, 0, 255, "1 <= KkSteps <= 7"),
        (ahead, 9, 14, "KkFilesAhead >= +2"),
        (ahead, 0, 6, "KkFilesAhead <= -1"),
        (ahead, 7, 7, "KkFilesAhead = +0"),
        (file, 1, 3, "KFile <= c"),
        (edge, 0, 0, "kOnEdge = 0"),
    ] {
        assert_eq!(attribute.formula(low..=high), text);
    }
}

/// The squares of the men by their words, as file and rank from 1.
fn men(position: &Position) -> BTreeMap<&'static str, (i8, i8)> {
    let name = |role: char, color| match (role, color) {
        ('k', Color::White) => "the white king",
        ('k', Color::Black) => "the black king",
        _ => "the rook",
    };
    position
        .men()
        .map(|(piece, square)| {
            let at = (square.file() as i8 + 1, square.rank() as i8 + 1);
            (name(char::from(piece.role), piece.color), at)
        })
        .collect()
}

fn number(word: &str) -> i8 {
    let words = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight"];
    let found = words.iter().position(|known| *known == word);
    found.unwrap_or_else(|| panic!("{word} is no number")) as i8
}

/// Returns true if a sentence about one value is true of a board, by its words alone; `None` if this reader
/// does not know the words.
fn is_true(sentence: &str, men: &BTreeMap<&str, (i8, i8)>) -> Option<bool> {
    if sentence.contains(" do not stand ") {
        return is_true(&sentence.replace(" do not ", " "), men).map(|is_true| !is_true);
    }
    let at = |name: &str| *men.get(name).unwrap_or_else(|| panic!("{name} in {sentence}"));
    let (subject, place) = sentence.split_once(" stand").or_else(|| sentence.split_once(" is "))?;
    if let Some((one, other)) = match subject {
        "the kings" => Some(("the white king", "the black king")),
        _ => subject.split_once(" and "),
    } {
        let (one, other) = (at(one), at(other));
        let (files, ranks) = ((one.0 - other.0).abs(), (one.1 - other.1).abs());
        return match place.trim().split(' ').collect::<Vec<_>>().as_slice() {
            ["on", "the", "same", "file"] => Some(files == 0),
            ["on", "the", "same", "rank"] => Some(ranks == 0),
            [count, "file" | "files", "apart"] => Some(files == number(count)),
            [count, "rank" | "ranks", "apart"] => Some(ranks == number(count)),
            _ => None,
        };
    }
    let (file, rank) = *men.get(subject)?;
    let words: Vec<&str> = place.trim_start_matches("s ").split(' ').collect();
    let other = |words: &[&str]| at(&words.join(" "));
    let nearer = |along: i8| (along - 1).min(8 - along);
    match words.as_slice() {
        ["on", "rank", number] => Some(rank.to_string() == *number),
        ["on", "the", line] if line.ends_with("-file") => {
            Some(line.as_bytes()[0] as i8 - b'a' as i8 + 1 == file)
        }
        ["on", "the", "bottom", "or", "top", "edge"] => Some(nearer(rank) == 0),
        ["on", "the", "left", "or", "right", "edge"] => Some(nearer(file) == 0),
        [count, "square" | "squares", "from", "the", "bottom", ..] => {
            Some(nearer(rank) == number(count))
        }
        [count, "square" | "squares", "from", "the", "left", ..] => {
            Some(nearer(file) == number(count))
        }
        ["on", "the", "same", "file", "as", name @ ..] => Some(file == other(name).0),
        ["on", "the", "same", "rank", "as", name @ ..] => Some(rank == other(name).1),
        [count, "rank" | "ranks", "above", name @ ..] => {
            Some(rank - other(name).1 == number(count))
        }
        [count, "rank" | "ranks", "below", name @ ..] => {
            Some(other(name).1 - rank == number(count))
        }
        [count, "file" | "files", "to", "the", "right", "of", name @ ..] => {
            Some(file - other(name).0 == number(count))
        }
        [count, "file" | "files", "to", "the", "left", "of", name @ ..] => {
            Some(other(name).0 - file == number(count))
        }
        _ => None,
    }
}

/// The value of the representative, as a sentence, is true of the original board.
#[test]
fn what_is_said_of_the_board_is_true_of_it() {
    let set = AttributeSet::new(material("KRvK"), Selection::All);
    let asks = [
        "File",
        "Rank",
        "MinDistanceFile",
        "MinDistanceRank",
        "DistanceFile",
        "DistanceRank",
        "RanksAhead",
        "FilesAhead",
        "TurnedFile",
        "TurnedRank",
    ];
    let mut checked = BTreeMap::new();
    for (number, (canonical, _)) in KRVK.canonical_positions(Side::Weak).enumerate().step_by(7) {
        let image = Symmetry::ALL[number % 8].apply_to_position(&canonical);
        let position = if number % 3 == 0 { image.with_colors_exchanged() } else { image };
        let men = men(&position);
        for attribute in set.attributes() {
            let question = question(attribute.name());
            if !asks.contains(&question) {
                continue;
            }
            let symmetry = Group::Square.canonical_symmetry(&position);
            let value = attribute.value(&symmetry.apply_to_position(&position));
            let sentence = sentence(&position, attribute, value, value);
            if let Some(is_true) = is_true(&sentence, &men) {
                assert!(is_true, "{}: {sentence}, {position}", attribute.name());
                *checked.entry(question).or_insert(0) += 1;
            }
        }
    }
    for question in asks {
        assert!(
            checked.get(question).is_some_and(|&times| times > 4000),
            "{question}: {checked:?}"
        );
    }
}

/// Boxes and cutting lines are drawn on the original board where the sentence says.
#[test]
fn boxes_and_lines_are_turned_back() {
    let names = ["RBoxHeight", "RBoxWidth", "RRankCuts", "RFileCuts"];
    let set = AttributeSet::named(material("KRvK"), names).expect("known names");
    for (number, (canonical, _)) in KRVK.canonical_positions(Side::Weak).enumerate().step_by(31) {
        let position = Symmetry::ALL[number % 8].apply_to_position(&canonical);
        let men = men(&position);
        let (king, strong, rook) = (men["the black king"], men["the white king"], men["the rook"]);
        let side = |king: i8, rook: i8| match king.cmp(&rook) {
            std::cmp::Ordering::Less => rook - 1,
            std::cmp::Ordering::Equal => 8,
            std::cmp::Ordering::Greater => 8 - rook,
        };
        let between = |one: i8, cut: i8, other: i8| one.min(other) < cut && cut < one.max(other);
        let symmetry = Group::Square.canonical_symmetry(&position);
        let read = symmetry.apply_to_position(&position);
        let said: BTreeSet<String> = set
            .attributes()
            .iter()
            .map(|attribute| {
                let value = attribute.value(&read);
                sentence(&position, attribute, value, value)
            })
            .collect();
        let words = ["", "one", "two", "three", "four", "five", "six", "seven", "eight"];
        let many = |count: i8, unit: &str| {
            format!("{} {unit}{}", words[count as usize], if count == 1 { "" } else { "s" })
        };
        let runs = |cuts: bool| if cuts { "runs" } else { "does not run" };
        let expected = BTreeSet::from([
            format!("the rook's box is {} high", many(side(king.1, rook.1), "rank")),
            format!("the rook's box is {} wide", many(side(king.0, rook.0), "file")),
            format!(
                "the rank of the rook {} between the kings",
                runs(between(king.1, rook.1, strong.1))
            ),
            format!(
                "the file of the rook {} between the kings",
                runs(between(king.0, rook.0, strong.0))
            ),
        ]);
        assert_eq!(said, expected, "{position}");
    }
}
