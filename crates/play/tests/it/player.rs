//! Players: their choices follow the symmetries of the board and the colours, they admit what they do not
//! know, and defenders defend as their names promise.

use lucena_attributes::{AttributeSet, Selection};
use lucena_base::named::Named;
use lucena_chess::symmetry::{Group, Symmetry};
use lucena_chess::{Color, Game, Position, Side};
use lucena_dataset::Positions;
use lucena_learn::{CartParams, Id3Params, Learner, Limits};
use lucena_model::DecisionTree;
use lucena_model::{Column, Node, Origin, TreeHead};
use lucena_play::{Defence, Player, Resistance};
use lucena_proof::policy::{
    GeneratedKind, Grade, NoGeneratedTree, Policy, TablebasePlayer, TreePolicy, Unplayable,
};
use lucena_tablebase::DistanceClass;
use lucena_test_support::proofs::generated_player;
use lucena_test_support::reference_rules;
use lucena_test_support::tables::{FOUR_MEN, KPVK, KQVK, KRVK, KRVK_ROWS, material, solve};
use lucena_test_support::trees::{TREE, checked_in};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use std::collections::{BTreeMap, BTreeSet};

fn policies() -> Vec<Box<dyn Policy>> {
    let id3 = Id3Params::default().check().unwrap().learn(&KRVK_ROWS).unwrap();
    vec![
        Box::new(generated_player(&KRVK).unwrap()),
        Box::new(TreePolicy::new(TREE.clone(), &KRVK).unwrap()),
        Box::new(TreePolicy::new(id3, &KRVK).unwrap()),
        Box::new(TablebasePlayer(&KRVK)),
    ]
}

/// The kinds of grades, best first.
const IN_ORDER: [Option<Grade>; 6] = [
    Some(Grade::Mated(9)),
    Some(Grade::Nth(3)),
    Some(Grade::Nth(700)),
    None,
    Some(Grade::Draw),
    Some(Grade::Lost),
];

/// A tree whose answers are unrelated to the game: by the files of the weak king and the rook. With the
/// king on some files nothing is better than a draw.
fn by_files() -> DecisionTree {
    let set = AttributeSet::named(material("KRvK"), ["kFile", "RFile"]).expect("known names");
    let (low, high) = set.attributes()[0].domain();
    let mut head = TreeHead {
        origin: Origin::new("KRvK"),
        attributes: ["kFile", "RFile"].map(|name| Column::new(name, low, high, "")).into(),
        ..TreeHead::default()
    };
    let mut class_of = |grade: Grade| {
        let name = grade.to_string();
        let known = head.classes.iter().position(|class| *class == name);
        known.unwrap_or_else(|| {
            head.classes.push(name);
            head.classes.len() - 1
        }) as u8
    };
    let mut nodes = vec![Node::Leaf { class: 0 }];
    let mut kings = Vec::new();
    for king in 0..8 {
        let own = nodes.len();
        kings.push((low + king, own as u32));
        nodes.push(Node::Leaf { class: 0 });
        let mut rooks = Vec::new();
        for rook in 0..8 {
            if let Some(grade) = by_these_files(king, rook) {
                rooks.push((low + rook, nodes.len() as u32));
                nodes.push(Node::Leaf { class: class_of(grade) });
            }
        }
        nodes[own] = Node::ByValue { attribute: 1, children: rooks };
    }
    nodes[0] = Node::ByValue { attribute: 0, children: kings };
    DecisionTree::new(head, nodes).expect("a sound tree")
}

fn by_these_files(king: u8, rook: u8) -> Option<Grade> {
    IN_ORDER[usize::from(king % 5 + rook % 2)]
}

#[test]
fn a_draw_is_better_than_a_loss_and_the_unknown_better_than_both() {
    let player = TreePolicy::new(by_files(), &KRVK).unwrap();
    let mut best = BTreeSet::new();
    for (position, _) in KRVK.canonical_positions(Side::Strong).step_by(5) {
        let place = |grade| IN_ORDER.iter().position(|listed| *listed == grade).expect("a grade");
        let moves = player.graded_moves(&position);
        for graded in &moves {
            let asked = graded.asked.expect("nothing can be taken").position;
            let files: Vec<u8> = asked.men().map(|(_, square)| square.file() as u8).collect();
            assert_eq!(graded.grade, by_these_files(files[2], files[1]), "{position}");
        }
        let places: Vec<usize> = moves.iter().map(|graded| place(graded.grade)).collect();
        assert!(places.is_sorted(), "{position}");
        assert_eq!(player.choose(&position), moves.first().map(|graded| graded.mv));
        best.insert(places[0]);
    }
    assert_eq!(best.len(), 5, "{best:?}");
}

/// The result of a promotion or a capture is known, whatever the tree says of other moves: a winning one
/// comes first, the quickest before the others, and a drawing one comes last.
#[test]
fn captures_and_promotions_are_graded_by_the_table() {
    let same = tree("KPvK", "kOnEdge", "grade 1");
    let player = TreePolicy::new(same, &KPVK).unwrap();
    let mut promotions = 0;
    for (position, _) in KPVK.canonical_positions(Side::Strong).step_by(7) {
        let moves = player.graded_moves(&position);
        assert_eq!(player.choose(&position), moves.first().map(|graded| graded.mv), "{position}");
        for graded in &moves {
            let departs = graded.mv.promotion.is_some();
            assert_eq!(graded.asked.is_none(), departs, "{position} {}", graded.mv);
            let truth = KPVK.probe(&position.play(graded.mv).unwrap()).unwrap();
            let expected = if departs { DistanceClass::from(truth).into() } else { Grade::Nth(1) };
            assert_eq!(graded.grade, Some(expected), "{position} {}", graded.mv);
            promotions += u32::from(departs);
        }
        assert!(moves.iter().map(|graded| graded.grade).is_sorted(), "{position}");
    }
    assert!(promotions > 1_000, "{promotions}");
}

/// Asking twice gives the same move, with and without cached answers. Two equal men may have changed
/// places, and a pawn may be open to en passant.
#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn what_is_remembered_is_what_is_asked() {
    for name in ["KBBvK", "KPvKP"] {
        let table = FOUR_MEN.tablebase(material(name), &lucena_base::progress::NoObserver).unwrap();
        let set = AttributeSet::new(material(name), Selection::Location);
        let rows = lucena_dataset::Dataset::new(&table, &set, Positions::Canonical).unwrap();
        let limits = Limits { max_depth: Some(9), ..Limits::default() };
        let cart = CartParams::default().limits(limits).check().unwrap();
        let player = TreePolicy::new(cart.learn(&rows).unwrap(), &table).unwrap();
        let grades: BTreeMap<String, Option<Grade>> =
            player.grades().map(|(position, grade)| (position.to_string(), grade)).collect();
        for (position, _) in table.canonical_positions(Side::Strong).step_by(101) {
            let moves = player.graded_moves(&position);
            assert_eq!(player.choose(&position), moves.first().map(|graded| graded.mv));
            for graded in moves {
                let Some(asked) = graded.asked else { continue };
                assert_eq!(asked.position.en_passant(), None);
                assert_eq!(grades[&asked.position.to_string()], graded.grade, "{position}");
            }
        }
    }
}

#[test]
fn a_tree_and_a_table_must_be_for_one_endgame() {
    let [tree, table] = ["KRvK", "KQvK"].map(material);
    let refused = TreePolicy::new(TREE.clone(), &KQVK).map(|_| ()).unwrap_err();
    assert_eq!(refused, Unplayable::OtherTable { tree, table });
    assert!(refused.to_string().contains("solve KRvK"), "{refused}");
    // A table that contains the tree's endgame besides its own still belongs to another endgame.
    let queens = checked_in("KQvK.win.json");
    assert!(KPVK.probe(&"8/8/8/8/8/2k5/8/K1Q5 b - - 0 1".parse().unwrap()).is_ok());
    assert!(TreePolicy::new(queens, &KPVK).is_err());
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn choices_move_with_the_board() {
    for policy in policies() {
        assert_eq!(policy.symmetries(), Group::Square);
        assert_eq!(policy.material(), material("KRvK"));
        for (position, _) in KRVK.canonical_positions(Side::Strong).step_by(3) {
            let mv = policy.choose(&position).expect("a move");
            let canonical = Group::Square.canonical(&position.play(mv).expect("a legal move"));
            let is_symmetric = Symmetry::ALL.iter().any(|&symmetry| {
                symmetry != Symmetry::IDENTITY && symmetry.apply_to_position(&position) == position
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
                    Group::Square.canonical(&image_after),
                    canonical,
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
    let whole_game = Game::new();
    for policy in policies() {
        assert_eq!(policy.choose(&queen), None, "{}", policy.name());
        let mut player = &*policy;
        assert_eq!(player.play(&queen.into(), None), None);
        assert_eq!(player.play(&whole_game, None), None);
        let is_tablebase = policy.name() == "tablebase";
        assert_eq!(player.play(&blacks.into(), None).is_some(), is_tablebase, "the weak side");
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
    for table in [&solve("KvK"), &*KPVK] {
        let missing = generated_player(table).map(|_| ()).unwrap_err();
        assert_eq!(missing, NoGeneratedTree(table.material()));
        assert!(missing.to_string().contains(&table.material().to_string()));
    }
    for name in ["KRvKN", "KBNvK"] {
        assert!(GeneratedKind::Exact.tree(material(name)).is_none());
    }
    for name in ["KRvK", "KQvK"] {
        assert_eq!(GeneratedKind::Exact.tree(material(name)).map(|tree| tree.material), Some(name));
    }
}

fn tree(endgame: &str, attribute: &str, class: &str) -> DecisionTree {
    let head = TreeHead {
        origin: Origin::new(endgame),
        attributes: vec![Column::new(attribute, 0, 1, "")],
        classes: vec![class.into()],
    };
    DecisionTree::new(head, vec![Node::Leaf { class: 0 }]).expect("a sound tree")
}

#[test]
fn trees_about_other_things_are_refused() {
    assert!(TreePolicy::new(tree("KRvK", "kOnEdge", "draw"), &KRVK).is_ok());
    for (endgame, attribute, class, words) in [
        ("iris", "kOnEdge", "draw", "iris"),
        ("", "kOnEdge", "draw", "not for an endgame"),
        ("KRvK", "petal", "draw", "petal"),
        ("KQvK", "ROnEdge", "draw", "ROnEdge"),
        ("KRvK", "kOnEdge", "setosa", "setosa"),
    ] {
        let tree = tree(endgame, attribute, class);
        let error = TreePolicy::endgame(&tree).unwrap_err();
        assert_eq!(TreePolicy::new(tree, &KRVK).map(|_| ()), Err(error.clone()));
        let kind = match error {
            Unplayable::Material { .. } => "material",
            Unplayable::Unknown { .. } => "attribute",
            Unplayable::Class(_) => "class",
            _ => "other",
        };
        let message = error.to_string();
        assert!(message.contains(words), "{kind}: {message}");
    }
}

/// A tree that knows nothing still plays a legal move, the first one.
#[test]
fn among_equals_the_first_move_on_the_canonical_board_is_chosen() {
    let same = TreePolicy::new(tree("KRvK", "kOnEdge", "one"), &KRVK).unwrap();
    for (position, _) in KRVK.canonical_positions(Side::Strong).step_by(17) {
        assert_eq!(same.choose(&position), position.moves().first().copied(), "{position}");
    }
}

/// A known mate comes before the unknown, and the unknown before a draw.
#[test]
fn what_is_not_known_is_better_than_a_draw() {
    let by_edge = |classes: [Option<u8>; 2]| {
        let head = TreeHead {
            origin: Origin::new("KRvK"),
            attributes: vec![Column::new("kOnEdge", 0, 1, ""), Column::new("ROnEdge", 0, 1, "")],
            classes: vec!["draw".into(), "one".into()],
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
        TreePolicy::new(DecisionTree::new(head, nodes).unwrap(), &KRVK).unwrap()
    };
    // Two king moves come before those of the rook, which is off the edge; the first rook move to the edge
    // is d4d1.
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
    let game = Game::from(*position);
    (0..200)
        .filter_map(|seed| defence(resistance, seed).play(&game, None))
        .map(reference_rules::squares_of)
        .collect()
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn defenders_defend_as_they_are_called() {
    let mut looked_at = 0;
    for (position, _) in KRVK.canonical_positions(Side::Weak).step_by(401) {
        let moves: BTreeSet<(u8, u8)> =
            reference_rules::sorted_moves(&position).into_iter().collect();
        assert_eq!(played(Resistance::Random, &position), moves, "{position}");
        // The king's steps to d4, e4, d5 or e5.
        let from_centre = |&(_, to): &(u8, u8)| {
            let steps = |along: u8| (3_i8 - along as i8).max(along as i8 - 4).max(0);
            steps(reference_rules::file(to)).max(steps(reference_rules::rank(to)))
        };
        let least = moves.iter().map(from_centre).min();
        let central = moves.iter().copied().filter(|mv| Some(from_centre(mv)) == least).collect();
        assert_eq!(played(Resistance::Central, &position), central, "{position}");
        // By the plain solver: capturing the rook, or being mated as late as possible.
        let board = plain_board(&position);
        let worth = |mv: &(u8, u8)| {
            let after = board.moves().into_iter().find(|one| (one.0, one.1) == *mv).expect("legal");
            let squares: Vec<u8> = after.2.men.iter().map(|man| man.at).collect();
            match <[u8; 3]>::try_from(squares) {
                Ok(squares) => reference_rules::ROOK_SOLVED.strong
                    [reference_rules::number(squares) as usize]
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

fn plain_board(position: &Position) -> reference_rules::Board {
    reference_rules::ROOK
        .board(reference_rules::number_of(position), position.turn() == Side::Strong)
}

#[test]
fn the_same_seed_plays_the_same_game() {
    let game = |seed| {
        let mut defender = defence(Resistance::Random, seed);
        let mut board: Game = "8/8/8/4k3/8/8/8/K1R5 w - - 0 1".parse().unwrap();
        let mut moves = Vec::new();
        for _ in 0..20 {
            let mv = match board.turn() {
                Color::White => TablebasePlayer(&KRVK).play(&board, None),
                Color::Black => defender.play(&board, None),
            };
            let Some(mv) = mv else { break };
            board.play(mv).unwrap();
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
        for &(name, resistance) in Resistance::ALL {
            let mut defender = defence(resistance, 1);
            assert_eq!(defender.play(&position.into(), None), None, "{fen}");
            assert_eq!(defender.name(), name);
        }
    }
}
