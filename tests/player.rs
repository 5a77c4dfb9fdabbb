//! Players: what they choose moves with the board and with the colours, what they do not know they
//! say, and defenders defend as their names promise.

use crate::plain;
use crate::tables::{KRVK, KRVK_ROWS, material};
use crate::trees::TREE;
use lucena::DecisionTree;
use lucena::chess::{Board, Color, Material, Position, Side};
use lucena::learn::{Id3Params, Learner};
use lucena::player::{
    ByGrade, Defence, ForeignTree, Generated, GeneratedKind, Grade, GradeAfter, NoGeneratedTree,
    Player, Policy, Resistance, Scale, TablebasePlayer, TreePlayer,
};
use lucena::symmetry::{Group, Symmetry};
use lucena_tree::{Column, Head, Node};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeSet;

fn policies() -> Vec<Box<dyn Policy>> {
    let id3 = Id3Params::default().check().unwrap().learn(&KRVK_ROWS).unwrap();
    vec![
        Box::new(Generated::exact(material("KRvK")).unwrap()),
        Box::new(TreePlayer::player(TREE.clone()).unwrap()),
        Box::new(TreePlayer::player(id3).unwrap()),
        Box::new(TablebasePlayer(&KRVK)),
    ]
}

/// Grades that have nothing to do with the game: all kinds of them, by where the men stand.
struct AnyGrades;

/// The kinds of grades, the best first.
const IN_ORDER: [Option<Grade>; 5] =
    [Some(Grade::Nth(3)), Some(Grade::Nth(700)), None, Some(Grade::Draw), Some(Grade::Lost)];

impl GradeAfter for AnyGrades {
    fn name(&self) -> String {
        "any grades".into()
    }

    fn material(&self) -> Material {
        material("KRvK")
    }

    fn grade_after(&self, position: &Position) -> Option<Grade> {
        // With the weak king on some squares there is nothing better than a draw.
        let squares: Vec<usize> = position.men().map(|(_, square)| square as usize).collect();
        IN_ORDER[squares[2] % 4 + squares.iter().sum::<usize>() % 2]
    }

    fn scale(&self) -> Scale {
        Scale::Preferences
    }
}

#[test]
fn a_draw_is_better_than_a_loss_and_the_unknown_better_than_both() {
    let player = ByGrade(AnyGrades);
    let mut best = BTreeSet::new();
    for (position, _) in KRVK.canonical_positions(Side::Strong).step_by(5) {
        let place = |grade| IN_ORDER.iter().position(|listed| *listed == grade).expect("a grade");
        let judgements = player.judgements(&position);
        let places: Vec<usize> =
            judgements.iter().map(|judgement| place(judgement.grade)).collect();
        assert!(places.is_sorted(), "{position}");
        assert_eq!(player.choose(&position), judgements.first().map(|judgement| judgement.mv));
        best.insert(places[0]);
    }
    assert_eq!(best.len(), 4, "{best:?}");
}

#[test]
fn choices_move_with_the_board() {
    for policy in policies() {
        assert_eq!(policy.symmetries(), Group::Square);
        assert_eq!(policy.material(), material("KRvK"));
        for (position, _) in KRVK.canonical_positions(Side::Strong).step_by(3) {
            let mv = policy.choose(&position).expect("a move");
            let after = position.play(mv).expect("a legal move");
            let is_symmetric = Symmetry::ALL.iter().any(|&symmetry| {
                symmetry != Symmetry::IDENTITY
                    && symmetry.apply_to_position(&position).to_string() == position.to_string()
            });
            for symmetry in Symmetry::ALL {
                let image = symmetry.apply_to_position(&position);
                let choice = policy.choose(&image).expect("a move");
                // In a position that is its own image, the image of the move is as good.
                if !is_symmetric {
                    assert_eq!(choice, symmetry.apply_to_move(mv), "{symmetry:?} of {position}");
                }
                let image_after = image.play(choice).expect("a legal move");
                assert_eq!(
                    Group::Square.canonical(&image_after).to_string(),
                    Group::Square.canonical(&after).to_string(),
                    "{symmetry:?} of {position}"
                );
            }
            let black = position.with_colors_exchanged();
            assert_eq!(policy.choose(&black), Some(mv), "{black}");
        }
    }
}

/// Generated, interpreted and by value: three ways to the same depths.
#[test]
fn exact_trees_choose_alike() {
    let policies = policies();
    for (position, _) in KRVK.canonical_positions(Side::Strong) {
        let choices: BTreeSet<String> =
            policies.iter().map(|policy| policy.choose(&position).unwrap().to_string()).collect();
        assert_eq!(choices.len(), 1, "{position}: {choices:?}");
    }
}

#[test]
fn players_of_one_endgame_play_no_other() {
    let queen: Position = "8/8/8/8/8/3k4/8/K1Q5 w - - 0 1".parse().unwrap();
    let blacks: Position = "8/8/8/8/8/2k5/8/K1R5 b - - 0 1".parse().unwrap();
    let whole_game = Board::default();
    for policy in policies() {
        assert_eq!(policy.choose(&queen), None, "{}", policy.name());
        let mut player = &*policy;
        assert_eq!(player.play(&queen.board()), None);
        assert_eq!(player.play(&whole_game), None);
        let is_tablebase = policy.name() == "tablebase";
        assert_eq!(player.play(&blacks.board()).is_some(), is_tablebase, "the weak side");
    }
}

#[test]
fn names_say_who_plays() {
    let names: Vec<String> = policies().iter().map(|policy| policy.name()).collect();
    let tree = format!("tree {}", &TREE.sha256()[..12]);
    assert_eq!(
        (names[0].as_str(), names[1].as_str(), names[3].as_str()),
        ("exact", tree.as_str(), "tablebase")
    );
    assert!(names[2].starts_with("tree ") && names[2] != names[1]);
}

#[test]
fn builds_carry_trees_for_some_materials_only() {
    for name in ["KRvKN", "KBNvK", "KvK"] {
        let missing = Generated::exact(material(name)).map(|_| ()).unwrap_err();
        assert_eq!(missing, NoGeneratedTree(material(name)));
        assert!(missing.to_string().contains(name));
    }
    for name in ["KRvK", "KQvK"] {
        assert_eq!(
            Generated::tree(material(name), GeneratedKind::Exact).map(|tree| tree.material),
            Some(name)
        );
    }
}

fn tree(endgame: &str, attribute: &str, class: &str) -> DecisionTree {
    let head = Head {
        material: endgame.into(),
        attributes: vec![Column::new(attribute, 0, 1, "")],
        classes: vec![class.into()],
        ..Head::default()
    };
    DecisionTree::new(head, vec![Node::Leaf { class: 0 }]).expect("a sound tree")
}

#[test]
fn trees_about_other_things_are_refused() {
    assert!(TreePlayer::player(tree("KRvK", "kOnEdge", "draw")).is_ok());
    for (endgame, attribute, class, words) in [
        ("iris", "kOnEdge", "draw", "iris"),
        ("", "kOnEdge", "draw", "not for an endgame"),
        ("KRvK", "petal", "draw", "petal"),
        ("KQvK", "ROnEdge", "draw", "ROnEdge"),
        ("KRvK", "kOnEdge", "setosa", "setosa"),
    ] {
        let error = TreePlayer::player(tree(endgame, attribute, class)).map(|_| ()).unwrap_err();
        let kind = match error {
            ForeignTree::Material(_) => "material",
            ForeignTree::Attribute(_) => "attribute",
            ForeignTree::Class(_) => "class",
            _ => "other",
        };
        let message = error.to_string();
        assert!(message.contains(words), "{kind}: {message}");
    }
}

/// A tree that knows nothing still plays a legal move: the first.
#[test]
fn among_equals_the_first_move_on_the_canonical_board_is_chosen() {
    let same = TreePlayer::player(tree("KRvK", "kOnEdge", "one")).unwrap();
    for (position, _) in KRVK.canonical_positions(Side::Strong).step_by(17) {
        assert_eq!(same.choose(&position), position.moves().first().copied(), "{position}");
    }
}

/// A known mate before the unknown, the unknown before a draw.
#[test]
fn what_is_not_known_is_better_than_a_draw() {
    let by_edge = |classes: [Option<u8>; 2]| {
        let head = Head {
            material: "KRvK".into(),
            attributes: vec![Column::new("kOnEdge", 0, 1, ""), Column::new("ROnEdge", 0, 1, "")],
            classes: vec!["draw".into(), "one".into()],
            ..Head::default()
        };
        let children: Vec<(u8, u8)> = classes
            .iter()
            .zip(0..)
            .filter_map(|(class, value)| class.map(|class| (value, class)))
            .collect();
        let mut nodes = vec![Node::ByValue {
            attribute: 1,
            children: children.iter().zip(1..).map(|(child, node)| (child.0, node)).collect(),
        }];
        nodes.extend(children.iter().map(|child| Node::Leaf { class: child.1 }));
        TreePlayer::player(DecisionTree::new(head, nodes).unwrap()).unwrap()
    };
    // Two moves of the king come before those of the rook, which stands off the edge; the first
    // of the rook's to the edge is d4d1.
    let position: Position = "8/8/8/8/3R4/8/8/K6k w - - 0 1".parse().unwrap();
    let edge = ["d4d1", "d4a4", "d4h4", "d4d8"];
    for (off_edge, on_edge, wants_edge) in [
        (Some(0), None, true),
        (Some(0), Some(1), true),
        (None, Some(1), true),
        (None, Some(0), false),
        (Some(1), None, false),
        (Some(1), Some(0), false),
    ] {
        let player = by_edge([off_edge, on_edge]);
        let mv = player.choose(&position).unwrap().to_string();
        let text = format!("{off_edge:?} {on_edge:?}: {mv}");
        assert_eq!(edge.contains(&mv.as_str()), wants_edge, "{text}");
    }
}

fn defence(resistance: Resistance, seed: u64) -> Defence<'static> {
    Defence::new(resistance, &KRVK, ChaCha8Rng::seed_from_u64(seed))
}

/// The moves that a defender plays in a position, over many seeds.
fn played(resistance: Resistance, position: &Position) -> BTreeSet<(u8, u8)> {
    let board = position.board();
    (0..200)
        .filter_map(|seed| defence(resistance, seed).play(&board))
        .map(plain::squares_of)
        .collect()
}

#[test]
fn defenders_defend_as_they_are_called() {
    let mut looked_at = 0;
    for (position, _) in KRVK.canonical_positions(Side::Weak).step_by(401) {
        let moves: BTreeSet<(u8, u8)> = plain::sorted_moves(&position).into_iter().collect();
        assert_eq!(played(Resistance::Random, &position), moves, "{position}");
        // The king's steps to d4, e4, d5 or e5.
        let from_centre = |&(_, to): &(u8, u8)| {
            let steps = |along: u8| (3_i8 - along as i8).max(along as i8 - 4).max(0);
            steps(plain::file(to)).max(steps(plain::rank(to)))
        };
        let least = moves.iter().map(from_centre).min();
        let central = moves.iter().copied().filter(|mv| Some(from_centre(mv)) == least).collect();
        assert_eq!(played(Resistance::Central, &position), central, "{position}");
        // By the plain solver: taking the rook, or being mated as late as can be.
        let board = plain_board(&position);
        let worth = |mv: &(u8, u8)| {
            let after = board.moves().into_iter().find(|one| (one.0, one.1) == *mv).expect("legal");
            let squares: Vec<u8> = after.2.men.iter().map(|man| man.at).collect();
            match <[u8; 3]>::try_from(squares) {
                Ok(squares) => plain::ROOK_SOLVED.strong[plain::number(squares) as usize]
                    .map_or(u16::MAX, |plies| plies),
                Err(_) => u16::MAX,
            }
        };
        let most = moves.iter().map(worth).max();
        let best = moves.iter().copied().filter(|mv| Some(worth(mv)) == most).collect();
        assert_eq!(played(Resistance::Best, &position), best, "{position}");
        looked_at += 1;
    }
    assert!(looked_at > 60);
}

fn plain_board(position: &Position) -> plain::Board {
    plain::ROOK.board(plain::number_of(position), position.turn() == Side::Strong)
}

#[test]
fn the_same_seed_plays_the_same_game() {
    let game = |seed| {
        let mut defender = defence(Resistance::Random, seed);
        let mut board = "8/8/8/4k3/8/8/8/K1R5 w - - 0 1".parse::<Position>().unwrap().board();
        let mut moves = Vec::new();
        for _ in 0..20 {
            let mv = match board.side_to_move() {
                Color::White => TablebasePlayer(&KRVK).play(&board),
                Color::Black => defender.play(&board),
            };
            let Some(mv) = mv else { break };
            board.play(mv);
            moves.push(mv.to_string());
        }
        moves
    };
    assert_eq!(game(1), game(1));
    let distinct: BTreeSet<Vec<String>> = (0..10).map(game).collect();
    assert!(distinct.len() > 5, "{}", distinct.len());
}

#[test]
fn defenders_without_moves_have_none() {
    for fen in ["8/8/8/8/8/k1K5/8/R7 b - - 0 1", "8/8/8/8/8/2K5/1R6/k7 b - - 0 1"] {
        let position: Position = fen.parse().unwrap();
        assert!(!position.has_moves(), "{fen}");
        for (name, resistance) in Resistance::NAMES {
            let mut defender = defence(resistance, 1);
            assert_eq!(defender.play(&position.board()), None, "{fen}");
            assert_eq!(defender.name(), name);
        }
    }
}
