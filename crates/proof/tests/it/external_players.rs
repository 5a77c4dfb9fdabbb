//! Players outside the library: queried in batches, they do as well as the same player inside it. Players
//! that give invalid answers are detected.

use lucena_attributes::{AttributeSet, Selection};
use lucena_base::progress::{NoObserver, Observer};
use lucena_chess::symmetry::Group;
use lucena_chess::{Position, Side};
use lucena_model::DecisionTree;
use lucena_proof::policy::{
    ExternalPlayer, Grade, OrientedBoard, Policy, QueryError, TablebasePlayer, TreePolicy,
};
use lucena_proof::{Proof, prove};
use lucena_tablebase::{Index, Tablebase};
use lucena_test_support::observers::RecordingObserver;
use lucena_test_support::tables::{FOUR_MEN, KPVK, KRVK, material};
use lucena_test_support::trees::{TREE, checked_in};
use std::collections::HashSet;
use std::convert::Infallible;

/// An external player without its answers.
fn external_player(tablebase: &Tablebase, played_on: OrientedBoard) -> ExternalPlayer<'static, '_> {
    ExternalPlayer { name: "somebody".into(), played_on, tablebase, observer: &NoObserver }
}

/// The figures of a proof without the lines, since there may be others of the same length.
fn worth(proof: &Proof) -> (u64, u64, u64, u64, Option<u16>, Option<f64>) {
    let Proof { won, held, optimal, positions, longest_moves, mean_excess_moves, .. } = proof;
    (*won, *held, *optimal, *positions, *longest_moves, *mean_excess_moves)
}

/// A tree, queried as an external player.
fn by_tree(tree: &DecisionTree, table: &Tablebase, played_on: OrientedBoard) -> Proof {
    let names = tree.head().attributes.iter().map(|attribute| attribute.name.as_str());
    let attributes = AttributeSet::named(table.material(), names).unwrap();
    let width = attributes.attributes().len();
    let grades: Vec<Grade> =
        tree.head().classes.iter().map(|class| class.parse().unwrap()).collect();
    let classify = |rows: &[u8]| {
        Ok::<_, Infallible>(rows.chunks(width).map(|row| tree.classify(row).unwrap()).collect())
    };
    let policy =
        external_player(table, played_on).by_classes(&attributes, grades, classify).unwrap();
    prove(&policy, table).unwrap()
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn a_classifier_is_worth_what_the_same_tree_is_worth() {
    let theory = checked_in("KPvK.win.json");
    for (tree, table) in [(&*TREE, &*KRVK), (&theory, &*KPVK)] {
        for played_on in [OrientedBoard::Representative, OrientedBoard::Board] {
            let inside = TreePolicy::oriented_board(played_on, tree.clone(), table).unwrap();
            let inside = prove(&inside, table).unwrap();
            assert_eq!(by_tree(tree, table, played_on), inside, "{played_on}");
        }
    }
}

/// The best moves, queried as an external player, with the queried positions.
fn by_table(table: &Tablebase, played_on: OrientedBoard, in_san: bool) -> (Proof, Vec<Position>) {
    let mut asked = Vec::new();
    let player = TablebasePlayer(table);
    let policy = external_player(table, played_on).by_moves(|positions| {
        asked.extend_from_slice(positions);
        let choose = |position: &Position| {
            let mv = player.choose(position)?;
            Some(if in_san { position.san(mv).unwrap() } else { mv.to_string() })
        };
        Ok::<_, Infallible>(positions.iter().map(choose).collect())
    });
    (prove(&policy.unwrap(), table).unwrap(), asked)
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn a_chooser_is_worth_what_the_same_player_is_worth() {
    for table in [&*KRVK, &*KPVK] {
        let inside = worth(&prove(&TablebasePlayer(table), table).unwrap());
        for (played_on, in_san) in
            [(OrientedBoard::Representative, true), (OrientedBoard::Board, false)]
        {
            let (outside, asked) = by_table(table, played_on, in_san);
            assert_eq!(worth(&outside), inside, "{played_on}");
            // All positions are queried, most of them once.
            let group = match played_on {
                OrientedBoard::Representative => Group::new(table.material()),
                OrientedBoard::Board => Group::Identity,
            };
            let index = Index::new(table.material(), group);
            let all = (0..index.len()).filter_map(|at| index.position(at, Side::Strong));
            let with_moves: HashSet<Position> = all.filter(Position::has_moves).collect();
            assert_eq!(asked.iter().copied().collect::<HashSet<_>>(), with_moves);
            let twice = asked.len() - with_moves.len();
            assert!((500..=1024).contains(&twice), "{twice}");
        }
    }
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn a_chooser_is_asked_about_pawns_that_can_be_taken_in_passing() {
    let table = FOUR_MEN.tablebase(material("KPvKP"), &NoObserver).unwrap();
    let inside = worth(&prove(&TablebasePlayer(&table), &table).unwrap());
    let (outside, asked) = by_table(&table, OrientedBoard::Representative, false);
    assert_eq!(worth(&outside), inside);
    assert!(asked.iter().filter(|position| position.en_passant().is_some()).count() > 100);
}

#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("no")]
struct Refused;

type Answers<T> = Result<Vec<T>, Refused>;

/// The error for an invalid chooser of moves.
fn refusal(choose: impl FnMut(&[Position]) -> Answers<Option<String>>) -> QueryError<Refused> {
    match external_player(&KRVK, OrientedBoard::Representative).by_moves(choose) {
        Ok(policy) => panic!("{} plays", policy.name()),
        Err(error) => error,
    }
}

/// The first legal move in each position.
fn first(positions: &[Position]) -> Vec<Option<String>> {
    positions.iter().map(|position| Some(position.moves()[0].to_string())).collect()
}

#[test]
fn who_does_not_choose_as_a_player_must_is_found_out() {
    assert_eq!(refusal(|_| Err(Refused)), QueryError::Failed(Refused));
    let short = refusal(|positions| Ok(first(&positions[1..])));
    assert!(
        matches!(short, QueryError::WrongCount { positions, answered } if positions == answered + 1)
    );
    for text in ["", "a1a1", "e9", "\0", "Qa1", "0000", "♖a1"] {
        let illegal = refusal(|positions| Ok(vec![Some(text.into()); positions.len()]));
        assert!(matches!(illegal, QueryError::Illegal(_)), "{text:?}: {illegal}");
    }
    let mut calls = 0;
    let unsteady = refusal(|positions| {
        calls += 1;
        let last = |position: &Position| position.moves().last().map(ToString::to_string);
        Ok(if calls < 3 { first(positions) } else { positions.iter().map(last).collect() })
    });
    assert!(matches!(unsteady, QueryError::Nondeterministic { .. }), "{unsteady}");
    assert!(
        unsteady.to_string().contains("its answer does not depend on the position alone"),
        "{unsteady}"
    );
}

#[test]
fn who_does_not_classify_as_a_player_must_is_found_out() {
    let refusal = |attributes: &AttributeSet, classify: &mut dyn FnMut(&[u8]) -> Answers<u8>| {
        let grades = vec![Grade::Draw, Grade::Nth(1)];
        let outsider = external_player(&KRVK, OrientedBoard::Board);
        match outsider.by_classes(attributes, grades, classify) {
            Ok(policy) => panic!("{} plays", policy.name()),
            Err(error) => error,
        }
    };
    let attributes = AttributeSet::named(material("KRvK"), ["RHangs"]).unwrap();
    let unknown = refusal(&attributes, &mut |rows| Ok(vec![2; rows.len()]));
    assert!(matches!(unknown, QueryError::UnknownClass { class: 2, classes: 2, .. }), "{unknown}");
    let mut calls = 0;
    let unsteady = refusal(&attributes, &mut |rows| {
        calls += 1;
        Ok(vec![u8::from(calls > 5); rows.len()])
    });
    assert!(matches!(unsteady, QueryError::Nondeterministic { .. }), "{unsteady}");
    let others = AttributeSet::new(material("KQvK"), Selection::Geometric);
    let foreign = refusal(&others, &mut |rows| Ok(vec![0; rows.len()]));
    assert!(matches!(foreign, QueryError::OtherMaterial { .. }), "{foreign}");
}

#[test]
fn who_has_no_move_to_offer_wins_nothing() {
    let policy = external_player(&KRVK, OrientedBoard::Representative)
        .by_moves(|positions| Ok::<_, Infallible>(vec![None; positions.len()]))
        .unwrap();
    assert_eq!(prove(&policy, &KRVK).unwrap().won, 0);
    let weak_to_move = "8/8/8/8/8/1k6/8/K1R5 b - - 0 1".parse().unwrap();
    assert_eq!(policy.choose(&weak_to_move), None);
}

#[test]
fn asking_is_watched_and_can_be_stopped() {
    let observer = RecordingObserver::default();
    let ask = |observer: &dyn Observer| {
        let outsider = ExternalPlayer { observer, ..external_player(&KRVK, OrientedBoard::Board) };
        let asked = outsider.by_moves(|positions| Ok::<_, Infallible>(first(positions)));
        asked.map(|policy| policy.name())
    };
    assert_eq!(ask(&observer).unwrap(), "somebody on the board as it stands");
    assert!(
        observer.reports().iter().all(|told| told.total == Some(175_168)),
        "{:?}",
        observer.reports()
    );
    let stopped = ask(&RecordingObserver::stopping_after(3)).unwrap_err();
    assert!(matches!(stopped, QueryError::Stopped(_)), "{stopped}");
}
