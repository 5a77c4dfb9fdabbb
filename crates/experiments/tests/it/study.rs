//! The study: the published figures, and independent, slow and plain counts.

use lucena_attributes::{AttributeSet, Selection};
use lucena_base::progress::NoObserver;
use lucena_chess::symmetry::{Group, Symmetry};
use lucena_chess::{Position, Side};
use lucena_dataset::Positions;
use lucena_experiments::ExperimentError;
use lucena_experiments::study::{AnswerCounts, OrientedBoard, StudyRow, StudySetting, study};
use lucena_learn::{Id3Params, Learner};
use lucena_model::DecisionTree;
use lucena_play::Resistance;
use lucena_play::validation::{ValidationParams, validate};
use lucena_proof::policy::{Policy, TreePolicy};
use lucena_proof::prove;
use lucena_test_support::observers::RecordingObserver;
use lucena_test_support::reference_rules;
use lucena_test_support::reference_rules::{ROOK, ROOK_SOLVED};
use lucena_test_support::tables::{KPVK, KRVK, KRVK_ROWS, material, solve};
use lucena_test_support::trees::{TREE, plain_class};
use std::sync::LazyLock;

const GAMES: u64 = 40;

/// The positions of KRvK with White to move, by the moves to mate.
const WINS: [u64; 16] = [
    1_512, 4_676, 3_852, 1_900, 4_848, 8_708, 11_320, 17_172, 20_088, 19_016, 20_476, 21_480,
    17_824, 16_136, 5_244, 916,
];

static STUDY: LazyLock<Vec<StudyRow>> =
    LazyLock::new(|| study(&KRVK, GAMES, 3, &NoObserver).expect("a bare king"));

static ID3: LazyLock<DecisionTree> =
    LazyLock::new(|| Id3Params::default().check().unwrap().learn(&KRVK_ROWS).unwrap());

/// Returns true except for the two trees that are applied to positions unlike their training data.
fn is_sound(row: &StudyRow) -> bool {
    let StudySetting { positions, played_on, .. } = row.setting;
    (positions, played_on) != (Positions::Canonical, OrientedBoard::Board)
}

#[test]
fn each_learner_has_each_setting() {
    let rows = STUDY.iter().map(|row| (row.learner, row.setting));
    let expected =
        ["id3", "cart"].into_iter().flat_map(|of| StudySetting::ALL.map(|one| (of, one)));
    assert!(rows.eq(expected));
    let StudySetting { attributes, positions, played_on } = STUDY[0].setting;
    assert_eq!((attributes, positions), (Selection::Geometric, Positions::Canonical));
    assert_eq!(played_on, OrientedBoard::Board);
}

/// 58.6 % of the full board right: counted independently, by a program that shares no code with
/// this one.
#[test]
fn the_published_set_up_answers_as_published() {
    let AnswerCounts { right, wrong, unanswered } = STUDY[0].answers;
    assert_eq!((wrong, unanswered), (44_928, 47_872));
    assert_eq!(right + wrong + unanswered, 223_944);
    assert_eq!((1000.0 * right as f64 / 223_944.0).round(), 586.0);
    assert_eq!(STUDY[0].training_accuracy, 1.0);
}

/// The answers of trees of the same attributes on every position, computed from their nodes one by one,
/// compared with the plain solver.
fn count_plainly<const TREES: usize>(
    trees: [&DecisionTree; TREES],
    see: impl Fn(Position) -> Position,
) -> [AnswerCounts; TREES] {
    let names = |tree: &DecisionTree| -> Vec<String> {
        tree.head().attributes.iter().map(|attribute| attribute.name.clone()).collect()
    };
    let asked = names(trees[0]);
    assert!(trees.iter().all(|tree| names(tree) == asked));
    let set = AttributeSet::named(material("KRvK"), asked.iter().map(String::as_str))
        .expect("attributes of the material");
    let mut row = vec![0; set.attributes().len()];
    let mut answers = [(); TREES].map(|()| AnswerCounts::default());
    for at in ROOK.legal(Side::Weak) {
        let position =
            reference_rules::position(material("KRvK"), Side::Weak, at).expect("a legal position");
        set.extract(&see(position), &mut row);
        // The classes are draw, followed by mated in 0, 1, 2, ... moves.
        let truth = ROOK_SOLVED.weak[at as usize].map_or(0, |plies| plies / 2 + 1);
        for (tree, answers) in trees.iter().zip(&mut answers) {
            match plain_class(tree, 0, &row) {
                Some(class) if u16::from(class) == truth => answers.right += 1,
                Some(_) => answers.wrong += 1,
                None => answers.unanswered += 1,
            }
        }
    }
    answers
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn answers_are_those_of_a_plain_count() {
    let [id3, cart] = count_plainly([&ID3, &TREE], |position| position);
    assert_eq!((STUDY[0].answers, STUDY[4].answers), (id3, cart));
    // The representative is the image that krkopt lists.
    let listed = |position: &Position| {
        let [king, man, weak] = reference_rules::squares(reference_rules::number_of(position));
        let off = |square| reference_rules::file(square).cmp(&reference_rules::rank(square));
        let first = [king, weak, man].map(off).into_iter().find(|order| order.is_ne());
        reference_rules::file(king) < 4
            && reference_rules::rank(king) < 4
            && first.is_none_or(|order| order.is_gt())
    };
    let turned = |position| {
        let mut images =
            Symmetry::ALL.into_iter().map(|symmetry| symmetry.apply_to_position(&position));
        images.find(listed).expect("every orbit is listed")
    };
    let [id3, cart] = count_plainly([&ID3, &TREE], turned);
    assert_eq!((STUDY[1].answers, STUDY[5].answers), (id3, cart));
}

#[test]
fn what_mends_it_makes_it_perfect() {
    for row in STUDY.iter() {
        let setting = row.setting;
        assert_eq!(row.training_accuracy, 1.0, "{setting:?}");
        assert_eq!(row.answers.positions(), 223_944, "{setting:?}");
        assert_eq!(row.positions_proved, 175_168, "{setting:?}");
        assert_eq!(row.won == 175_168, is_sound(row), "{setting:?}");
        assert_eq!(row.answers.right == 223_944, is_sound(row), "{setting:?}");
        let central = row.win_rate_central;
        for win_rate in
            [row.win_rate_random, row.win_rate_best, central, row.win_rate_ties_at_random]
        {
            assert_eq!(win_rate == 1.0, is_sound(row), "{setting:?}");
        }
        // The published counts by the moves to mate.
        let counts = row.by_distance.iter().map(|row| (row.moves, row.proof.winnable));
        assert!(counts.eq((1..).zip(WINS)), "{setting:?}");
        assert_eq!(row.mates_in_one, 1_512);
        if is_sound(row) {
            assert_eq!((row.wins_up_to, row.mates_in_one_played), (Some(16), 1_512));
            assert_eq!((row.longest_moves, row.mean_excess_moves), (Some(16), Some(0.0)));
        }
    }
    // Threshold trees always answer, by-value trees only for values that they have seen.
    assert!(STUDY.iter().all(|row| row.learner == "id3" || row.answers.unanswered == 0));
}

/// Caching the answers of the tree changes nothing.
#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn rows_are_what_the_players_themselves_are_worth() {
    for (row, tree) in [(&STUDY[0], &*ID3), (&STUDY[4], &*TREE)] {
        let player = TreePolicy::oriented_board(OrientedBoard::Board, tree.clone(), &KRVK).unwrap();
        let proof = prove(&player, &KRVK).unwrap();
        assert_eq!((row.positions_proved, row.won), (proof.positions, proof.won));
        let lengths = (row.longest_moves, row.mean_excess_moves);
        assert_eq!(lengths, (proof.longest_moves, proof.mean_excess_moves));
        let play = |resistance| {
            validate(
                &mut &player,
                &KRVK,
                ValidationParams { resistance, games: GAMES, seed: 3 },
                &NoObserver,
            )
            .expect("games")
        };
        assert_eq!(row.win_rate_random, play(Resistance::Random).win_rate);
        assert_eq!(row.win_rate_best, play(Resistance::Best).win_rate);
        assert_eq!(row.leaves, tree.leaves());
        assert_eq!((row.tests, row.empty_branches), (tree.tests(), tree.empty_branches()));
    }
}

/// On representatives, playing on the board as it is gives the same; elsewhere the two differ.
#[test]
fn the_board_as_it_stands_is_not_turned() {
    let [stands, turned] = [OrientedBoard::Board, OrientedBoard::Representative]
        .map(|played_on| TreePolicy::oriented_board(played_on, ID3.clone(), &KRVK).unwrap());
    assert_eq!(stands.symmetries(), Group::Identity);
    assert_ne!(stands.name(), turned.name());
    let mut differ = 0;
    for (position, _) in KRVK.canonical_positions(Side::Strong).step_by(7) {
        let image = Symmetry::ALL[5].apply_to_position(&position);
        let [choice, other] = [&stands as &dyn Policy, &turned].map(|policy| policy.choose(&image));
        assert!(choice.is_some_and(|mv| image.play(mv).is_ok()), "{image}");
        differ += u32::from(choice != other);
        assert_eq!(stands.choose(&position.with_colors_exchanged()), stands.choose(&position));
    }
    assert!(differ > 500, "{differ}");
    let queen: Position = "8/8/8/8/8/3k4/8/K1Q5 w - - 0 1".parse().unwrap();
    let blacks: Position = "8/8/8/8/8/2k5/8/K1R5 b - - 0 1".parse().unwrap();
    assert_eq!((stands.choose(&queen), stands.choose(&blacks)), (None, None));
}

#[test]
fn the_same_seed_gives_the_same_study_and_every_game_is_told() {
    let table = solve("KvK");
    let observer = RecordingObserver::default();
    let run = |seed| study(&table, 300, seed, &observer).expect("a bare king");
    assert_eq!(run(1), run(1));
    assert_eq!(observer.most_done(), 4 * 8 * 300);
}

#[test]
fn what_cannot_be_studied_is_refused() {
    let refused = study(&KRVK, 0, 1, &NoObserver).unwrap_err();
    assert!(matches!(refused, ExperimentError::Validation(_)));
}

/// In pawn endings, too, trees that are right everywhere win everything that is won if the board is mapped
/// to the representative: 124,960 positions, twice the 62,480 of bitbases.
#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn pawn_endings_are_studied_too() {
    let rows = study(&KPVK, 300, 1, &NoObserver).expect("it can be studied");
    for row in &rows {
        let is_turned = row.setting.played_on == OrientedBoard::Representative;
        assert!(row.won == 2 * 62_480 || !is_turned, "{row:?}");
    }
    assert_eq!(rows.len(), 8);
}
