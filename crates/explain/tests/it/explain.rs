//! Explanations: the move is the policy's, every statement about it holds, and every count is checked by
//! an independent count.

use lucena_attributes::Attribute;
use lucena_chess::symmetry::{Group, Symmetry};
use lucena_chess::{Color, Move, Position, Role, Side};
use lucena_explain::diagram::Shape;
use lucena_explain::{
    Candidate, ExplainError, Finding, LostWin, TreeExplanation, ValuedMove, ViewDifference,
    explain_tree,
};
use lucena_learn::{Id3Params, Learner};
use lucena_model::{DecisionTree, ModelKind, Node, Origin, PathEnd, TreeHead};
use lucena_proof::policy::{GeneratedKind, Grade, Policy, TreePolicy, Unplayable};
use lucena_roster::BuiltIn;
use lucena_tablebase::{Category, Outcome};
use lucena_test_support::reference_attributes::plain_value;
use lucena_test_support::reference_rules;
use lucena_test_support::reference_rules::Board;
use lucena_test_support::tables::{KQVK, KRVK, KRVK_ROWS, material, solve, verdicts};
use lucena_test_support::trees::{TREE, theory};
use std::collections::BTreeMap;
use std::sync::LazyLock;

fn player(tree: DecisionTree) -> TreePolicy<'static> {
    TreePolicy::new(tree, &KRVK).expect("a tree of the endgame")
}

fn id3() -> DecisionTree {
    Id3Params::default().check().unwrap().learn(&KRVK_ROWS).unwrap()
}

fn explained(player: &TreePolicy, position: &Position, instead: &[Move]) -> TreeExplanation {
    explain_tree(player, "a tree", &verdicts(position), instead)
        .unwrap_or_else(|error| panic!("{position}: {error}"))
}

/// A tree with explanations of all moves in some positions.
struct ExplainedPlayer {
    player: TreePolicy<'static>,
    explanations: Vec<(Position, TreeExplanation)>,
}

static EXPLANATIONS: LazyLock<[ExplainedPlayer; 3]> = LazyLock::new(|| {
    [(TREE.clone(), 400), (id3(), 1600), (theory(), 200)].map(|(tree, step)| {
        let player = player(tree);
        let all = |position: Position| (position, explained(&player, &position, &position.moves()));
        let explanations = some(step).into_iter().map(all).collect();
        ExplainedPlayer { player, explanations }
    })
});

/// Some positions with the strong side to move, in all symmetries and both colours.
fn some(step: usize) -> Vec<Position> {
    let positions = KRVK.canonical_positions(Side::Strong).step_by(step).enumerate();
    let turn = |(number, (position, _)): (usize, (Position, Outcome))| {
        let image = Symmetry::ALL[number % 8].apply_to_position(&position);
        if number % 3 == 1 { image.with_colors_exchanged() } else { image }
    };
    positions.map(turn).collect()
}

fn representative(after: &Position) -> Position {
    Group::new(after.material()).canonical(after)
}

/// The least and the greatest value that a numeric test allows.
fn interval(attribute: &Attribute, test: &str) -> (u8, u8) {
    let (low, high) = attribute.domain();
    let value = |text: &str| {
        let shown = (low..=high).find(|&value| attribute.show(value) == text);
        shown.unwrap_or_else(|| panic!("{test}: {text} is no value"))
    };
    match test.split(' ').collect::<Vec<_>>().as_slice() {
        [from, "<=", name, "<=", to] if *name == attribute.name() => (value(from), value(to)),
        [name, "=", at] if *name == attribute.name() => (value(at), value(at)),
        [name, "<=", to] if *name == attribute.name() => (low, value(to)),
        [name, ">=", from] if *name == attribute.name() => (value(from), high),
        _ => panic!("{test}"),
    }
}

/// The value of a published attribute from the plain implementation of its name.
fn plain_reading(attribute: &Attribute, position: &Position) -> u8 {
    let name = position.material().to_string();
    let squares: Vec<u8> = position.men().map(|(_, square)| square as u8).collect();
    let strong = position.strong() == Color::White;
    plain_value(attribute.name(), &name, &Board::new(&name, &squares, false, strong))
}

#[test]
fn built_in_trees_are_those_of_the_generated_code() {
    for endgame in ["KRvK", "KQvK"] {
        for kind in [GeneratedKind::Exact, GeneratedKind::Theory] {
            let tree = BuiltIn::generated(kind, material(endgame)).expect("it is built in");
            let tree = DecisionTree::try_from(tree.model()).expect("a tree");
            let generated = kind.tree(material(endgame)).expect("it is generated");
            assert_eq!(tree.sha256(), generated.tree_sha256, "{endgame}");
        }
    }
    assert!(BuiltIn::find(ModelKind::Tree, material("KBNvK"), "exact").is_none());
    assert!(BuiltIn::find(ModelKind::Tree, material("KRvK"), "").is_none());
    for tree in BuiltIn::all(ModelKind::Tree) {
        let loaded = DecisionTree::try_from(tree.model()).expect("a tree");
        assert_eq!(loaded.origin().material, tree.material);
        let endgame = TreePolicy::endgame(&loaded).expect("a tree of an endgame");
        assert_eq!(endgame, material(tree.material));
    }
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn the_move_is_the_policys() {
    for (tree, step) in [(TREE.clone(), 40), (id3(), 160), (theory(), 20)] {
        let player = player(tree);
        for position in some(step) {
            let moves = player.graded_moves(&position);
            assert_eq!(moves.len(), position.moves().len(), "{position}");
            let mv = player.choose(&position);
            assert_eq!(moves.first().map(|graded| graded.mv), mv, "{position}");
            for graded in &moves {
                let after = position.play(graded.mv).expect("a legal move");
                let asked = graded.asked.expect("nothing can be taken");
                assert_eq!(asked.back.apply_to_position(&asked.position), after, "{position}");
                assert_eq!(asked.position, representative(&after), "{position}");
                assert_eq!(graded.grade, plain_grade(&player, &asked.position), "{position}");
            }
        }
        for position in some(step * 13) {
            let explanation = explained(&player, &position, &[]);
            assert_eq!(Some(explanation.chosen.worth.mv), player.choose(&position), "{position}");
        }
    }
}

/// The grade from the row of a position, looked up among the classes.
fn plain_grade(player: &TreePolicy, position: &Position) -> Option<Grade> {
    let mut row = vec![0; player.attributes().attributes().len()];
    player.attributes().extract(position, &mut row);
    let class = player.decision_tree().classify(&row)?;
    Some(player.decision_tree().head().classes[usize::from(class)].parse().expect("a grade"))
}

/// Checks that every test on the path is true of the position after a move by an independent
/// implementation, and that the class is one of the tree.
fn assert_reasons_hold(
    after: &Position,
    path: &[Finding],
    class: Option<&String>,
    tree: &DecisionTree,
) {
    let read = representative(after);
    let mut seen = Vec::new();
    for reason in path {
        let attribute = &reason.attribute;
        let (low, high) = interval(attribute, &reason.test);
        let value = plain_reading(attribute, &read);
        assert_eq!(reason.value, value, "{} in {read}", reason.test);
        assert!((low..=high).contains(&value), "{} in {read}", reason.test);
        assert!(
            !reason.sentence.is_empty() && !seen.contains(&attribute.name()),
            "{}",
            reason.test
        );
        seen.push(attribute.name());
    }
    assert!(class.is_none_or(|class| tree.head().classes.contains(class)));
}

#[test]
fn what_is_said_holds() {
    for ExplainedPlayer { player, explanations } in &*EXPLANATIONS {
        let tree = player.decision_tree();
        for (_, explanation) in explanations {
            let TreeExplanation { chosen, path, class, .. } = explanation;
            assert_reasons_hold(&chosen.worth.after, path, class.as_ref(), tree);
            for Candidate { worth, path, class, .. } in
                explanation.instead.iter().map(|one| &one.candidate)
            {
                assert_reasons_hold(&worth.after, path, class.as_ref(), tree);
            }
        }
    }
}

/// The reason is a test on the path, and as many other moves fail it as it says, counted by an independent
/// implementation. No test of a square that can be shown is failed by more.
#[test]
fn the_reason_is_the_test_that_tells_the_move_apart() {
    let mut counted = 0;
    for ExplainedPlayer { explanations, .. } in &*EXPLANATIONS {
        for (position, TreeExplanation { chosen, path, reason, .. }) in explanations {
            let san = &chosen.worth.san;
            if chosen.worth.after.is_checkmate() {
                assert_eq!(*reason, format!("{san} is mate."), "{position}");
                continue;
            }
            let others: Vec<Position> = position
                .moves()
                .into_iter()
                .filter(|&mv| mv != chosen.worth.mv)
                .map(|mv| representative(&position.play(mv).expect("a legal move")))
                .collect();
            let failing = |finding: &Finding| {
                let (low, high) = interval(&finding.attribute, &finding.test);
                let fails = |other: &&Position| {
                    !(low..=high).contains(&plain_reading(&finding.attribute, other))
                };
                others.iter().filter(fails).count()
            };
            let told = |finding: &Finding| match (failing(finding), &finding.sentence) {
                (0, sentence) => format!("After {san} {sentence}."),
                (1, sentence) if others.len() > 1 => {
                    format!("After {san} {sentence}; one other move does not reach that.")
                }
                (some, sentence) if some < others.len() => {
                    format!("After {san} {sentence}; {some} other moves do not reach that.")
                }
                (_, sentence) => format!("Only after {san} {sentence}."),
            };
            let found: Vec<&Finding> =
                path.iter().filter(|finding| told(finding) == *reason).collect();
            let [found, ..] = found.as_slice() else { panic!("{position}: {reason}") };
            let rival = path.iter().filter(|finding| finding.attribute.has_area());
            assert!(
                rival.map(failing).max().is_none_or(
                    |most| most <= if found.attribute.has_area() { failing(found) } else { 0 }
                ),
                "{position}: {reason}"
            );
            counted += 1;
        }
    }
    assert!(counted > 150, "{counted}");
}

/// The node at which a position ends in a tree, and true if it is a leaf.
fn end(player: &TreePolicy, position: &Position) -> (u32, bool) {
    let mut row = vec![0; player.attributes().attributes().len()];
    player.attributes().extract(position, &mut row);
    match player.decision_tree().path(&row).end {
        PathEnd::Leaf { node, .. } => (node, true),
        PathEnd::NoBranch { node, .. } => (node, false),
    }
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn support_is_counted() {
    let players = [TREE.clone(), theory()].map(player);
    let mut leaves = [(); 2].map(|()| BTreeMap::<u32, (u64, u64)>::new());
    let mut count = |position: &Position, add: fn(&mut (u64, u64))| {
        for (player, leaves) in players.iter().zip(&mut leaves) {
            add(leaves.entry(end(player, position).0).or_default());
        }
    };
    for (position, _) in KRVK.canonical_positions(Side::Weak) {
        count(&position, |counts| counts.0 += 1);
    }
    // The whole board, by another enumeration.
    for at in reference_rules::ROOK.legal(Side::Weak) {
        let position = reference_rules::position(material("KRvK"), Side::Weak, at).expect("legal");
        count(&representative(&position), |counts| counts.1 += 1);
    }
    for (player, leaves) in players.iter().zip(leaves) {
        assert_eq!(leaves.values().map(|counts| counts.0).sum::<u64>(), 28_056);
        for position in some(700) {
            let explanation = explained(player, &position, &[]);
            let (leaf, is_leaf) = end(player, &representative(&explanation.chosen.worth.after));
            let (canonical, full) = leaves[&leaf];
            let found = (explanation.support, explanation.support_canonical);
            let expected = is_leaf.then_some((full, canonical));
            assert_eq!(found, expected.unzip(), "{position}");
        }
    }
}

#[test]
fn costs_are_what_probing_says() {
    let plies = |position: &Position| KRVK.probe(position).expect("a known endgame").plies();
    let mut given_away = BTreeMap::new();
    for ExplainedPlayer { explanations, .. } in &*EXPLANATIONS {
        for (position, explanation) in explanations {
            let moves = position.moves();
            let chosen = plies(&position.play(explanation.chosen.worth.mv).unwrap());
            assert_eq!(explanation.chosen.before.plies(), plies(position));
            let (mut better, mut equal, mut slower, mut worse) = (Vec::new(), Vec::new(), 0, 0);
            for (instead, &mv) in explanation.instead.iter().zip(&moves) {
                assert_eq!(instead.candidate.worth.mv, mv);
                let after = position.play(mv).unwrap();
                let other = plies(&after);
                let cost = chosen.zip(other).map(|(one, other)| i32::from(other) - i32::from(one));
                assert_eq!(instead.cost_plies, cost, "{position} {mv}");
                let how = instead.candidate.worth.gives_away;
                assert_eq!(how.is_some(), other.is_none(), "{position} {mv}");
                if let Some(how) = how {
                    match how {
                        LostWin::Stalemate => assert!(after.is_stalemate()),
                        LostWin::Man(piece) => {
                            assert_eq!((piece.role, piece.color), (Role::Rook, position.strong()));
                        }
                        other => panic!("{position} {mv}: {other:?}"),
                    }
                    *given_away.entry(how.name()).or_insert(0) += 1;
                }
                if mv == explanation.chosen.worth.mv {
                    assert_eq!(instead.difference, ViewDifference::SameMove);
                    continue;
                }
                match (chosen, other) {
                    (Some(one), Some(other)) if other < one => better.push(mv),
                    (None, Some(_)) => better.push(mv),
                    (one, other) if one == other => equal.push(mv),
                    (Some(_), Some(_)) => slower += 1,
                    _ => worse += 1,
                }
            }
            better.sort_by_key(|&mv| plies(&position.play(mv).unwrap()));
            let others = &explanation.chosen.others;
            assert_eq!((&others.better, &others.equal), (&better, &equal), "{position}");
            assert_eq!((others.slower, others.worse), (slower, worse), "{position}");
        }
    }
    assert!(given_away["lost piece"] > 20, "{given_away:?}");
}

/// Two paths part at one test, which holds for one position and not for the other. Paths to the same
/// leaf have no such test.
#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn a_test_tells_two_moves_apart() {
    for ExplainedPlayer { player, explanations } in &*EXPLANATIONS {
        let (mut parted, mut alike) = (0, 0);
        for (position, explanation) in explanations {
            let chosen = representative(&explanation.chosen.worth.after);
            for other in &explanation.instead {
                let read = representative(&other.candidate.worth.after);
                assert_eq!(other.is_tie, explanation.grade == other.candidate.grade);
                match &other.difference {
                    ViewDifference::Test { chosen: one, instead, holds_for_both } => {
                        let attribute = &one.attribute;
                        assert_eq!(attribute, &instead.attribute);
                        for (reason, position) in [(one, &chosen), (instead, &read)] {
                            let (low, high) = interval(attribute, &reason.test);
                            assert_eq!(reason.value, attribute.value(position));
                            assert!((low..=high).contains(&reason.value));
                        }
                        let (low, high) = interval(attribute, &one.test);
                        assert!(!(low..=high).contains(&instead.value), "{position}");
                        // The other board, with the symmetry of the first one.
                        let turning = Group::new(position.material())
                            .canonical_symmetry(&explanation.chosen.worth.after);
                        let turned = turning.apply_to_position(&other.candidate.worth.after);
                        let holds = (low..=high).contains(&attribute.value(&turned));
                        assert_eq!(*holds_for_both, holds, "{position}");
                        parted += 1;
                    }
                    ViewDifference::Nothing => {
                        assert!(other.is_tie);
                        assert_eq!(end(player, &read), end(player, &chosen), "{position}");
                        alike += 1;
                    }
                    ViewDifference::SameMove => {
                        assert_eq!(other.candidate.worth.mv, explanation.chosen.worth.mv);
                    }
                    ViewDifference::NotSeen => panic!("nothing can be taken: {position}"),
                }
            }
        }
        assert!(parted > 20, "{parted} {alike}");
    }
}

#[test]
fn what_cannot_be_explained_says_why() {
    let player = player(TREE.clone());
    let ask = |fen: &str, moves: &[&str]| {
        let moves: Vec<Move> = moves.iter().map(|text| text.parse().expect("a move")).collect();
        let position: Position = fen.parse().expect("a position");
        explain_tree(&player, "a tree", &verdicts(&position), &moves).map(|_| ())
    };
    let queen = "8/8/8/8/8/3k4/8/K1Q5 w - - 0 1";
    assert!(matches!(ask(queen, &[]), Err(ExplainError::OtherMaterial { .. })));
    let rook = "8/8/8/8/8/1k6/8/K1R5 w - - 0 1";
    let other_table = TreePolicy::new(TREE.clone(), &KQVK).map(|_| ());
    assert!(matches!(other_table, Err(Unplayable::OtherTable { .. })));
    assert!(matches!(ask(rook, &["c1d2"]), Err(ExplainError::IllegalMove(_))));
    let weak = ask("8/8/8/8/8/2k5/8/K1R5 b - - 0 1", &[]);
    assert!(matches!(weak, Err(ExplainError::OtherSide(_))));
    for (fen, end) in [
        ("8/8/8/8/8/R7/8/k1K5 b - - 0 1", "checkmate"),
        ("k7/1R6/2K5/8/8/8/8/8 b - - 0 1", "stalemate"),
    ] {
        let error = ask(fen, &[]).unwrap_err();
        assert!(
            matches!(error, ExplainError::Over(_)) && error.to_string().contains(end),
            "{error}"
        );
    }
}

/// With men on both sides: the table evaluates captures, and some positions are drawn.
#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn captures_and_draws_are_explained_too() {
    let table = solve("KRvKN");
    let head = TreeHead {
        origin: Origin::new("KRvKN"),
        classes: vec!["grade 1".into()],
        ..TreeHead::default()
    };
    let tree = DecisionTree::new(head, vec![Node::Leaf { class: 0 }]).unwrap();
    let player = TreePolicy::new(tree, &table).unwrap();
    let position: Position = "8/8/8/8/4k3/8/8/K2R1n2 w - - 0 1".parse().unwrap();
    let takes: Move = "d1f1".parse().unwrap();
    let waits: Move = "d1e1".parse().unwrap();
    let explanation = explained(&player, &position, &[takes, waits]);
    assert!(matches!(explanation.chosen.before, Outcome::Win(_)));
    // The capture wins, so it comes before every move that the tree grades.
    assert_eq!(explanation.chosen.worth.mv, takes);
    assert_eq!((explanation.class, explanation.support), (None, None));
    assert_eq!(explanation.instead[0].difference, ViewDifference::SameMove);
    assert_eq!(explanation.instead[1].difference, ViewDifference::NotSeen);
    assert_eq!(explanation.instead[1].candidate.class.as_deref(), Some("grade 1"));
    let drawn: Position = "8/8/3n4/4k3/8/8/8/K2R4 w - - 0 1".parse().unwrap();
    let explanation = explained(&player, &drawn, &drawn.moves());
    assert_eq!(explanation.chosen.before, Outcome::Draw);
    assert_eq!(explanation.chosen.worth.gives_away, None);
    assert!(explanation.instead.iter().all(|other| other.cost_plies.is_none()));
}

/// The marks are on the squares that the tests look at, on the board as it is.
#[test]
fn diagrams_mark_what_the_tests_are_about() {
    let player = player(theory());
    let mut boxes = 0;
    for position in some(500) {
        let explanation = explained(&player, &position, &[]);
        let diagram = explanation.diagram();
        assert_eq!(diagram.position, explanation.chosen.worth.after);
        assert_eq!(diagram.arrow, Some(explanation.chosen.worth.mv));
        let king = explanation.chosen.worth.after.king(Side::Weak);
        let asks = |word: &str| {
            let mut reasons = explanation.path.iter();
            reasons.any(|reason| reason.attribute.name().contains(word))
        };
        let highlighted = |shape| diagram.highlights.iter().find(|one| one.shape == shape);
        let men = highlighted(Shape::Ring).expect("men are spoken of").squares;
        assert!(men.is_subset(explanation.chosen.worth.after.occupied()));
        assert!(men.has(king), "the theory asks what hangs");
        assert_eq!(highlighted(Shape::Region).is_some(), asks("Box"), "{position}");
        if let Some(region) = highlighted(Shape::Region) {
            let size = explanation.path.iter();
            let size = size.filter(|reason| reason.attribute.name() == "RBoxSize");
            let sizes: Vec<u32> = size.map(|reason| reason.value.into()).collect();
            assert_eq!(sizes, [region.squares.len()], "{position}");
            assert!(region.squares.has(king), "{position}");
            boxes += 1;
        }
    }
    assert!(boxes > 5, "{boxes}");
}

/// A move that keeps the win is told so, if the chosen one gives it away: whether it mates sooner, later or as soon.
#[test]
fn a_move_that_keeps_the_win_is_told_so_beside_one_that_does_not() {
    let position: Position = "8/8/8/3k4/8/8/8/K6R w - - 0 1".parse().expect("legal");
    let valued = |san: &str, plies, gives_away| {
        let mv =
            position.moves().into_iter().find(|&mv| position.san(mv).is_ok_and(|name| name == san));
        let mv = mv.expect("a legal move");
        let category_after = if gives_away { Category::BlessedLoss } else { Category::Loss };
        ValuedMove {
            mv,
            san: san.into(),
            after: position.play(mv).expect("legal"),
            outcome: Outcome::Loss(plies),
            category_after,
            gives_away: gives_away.then_some(LostWin::FiftyMoves),
        }
    };
    let late = valued("Rh4", 20, true);
    for (plies, words) in [
        (20, "as quick as Rh4, but it keeps the win."),
        (18, "2 plies sooner than Rh4, and it keeps the win."),
        (22, "2 plies later than Rh4, but it keeps the win."),
    ] {
        let told = valued("Kb2", plies, false).compared_with(&late);
        assert!(told.ends_with(&format!(", {words}")), "{told}");
    }
    let told = valued("Kb2", 20, false).compared_with(&valued("Rh4", 20, false));
    assert!(told.ends_with(", as quick as Rh4."), "{told}");
}
