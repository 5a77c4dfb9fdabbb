//! Learning curves: no image of a held-out row is in the training rows, and the seed determines the result.

use lucena_attributes::Selection;
use lucena_base::progress::NoObserver;
use lucena_chess::{Position, Side};
use lucena_dataset::{Dataset, Positions};
use lucena_experiments::ExperimentError;
use lucena_experiments::curve::{CurveParams, CurvePoint, curve};
use lucena_learn::{
    Assessment, CartParams, Id3Params, LearnError, Learner, Percentage, TrainTestSplit,
    training_accuracy,
};
use lucena_play::Resistance;
use lucena_play::validation::{ValidationParams, validate};
use lucena_proof::policy::TreePolicy;
use lucena_test_support::observers::RecordingObserver;
use lucena_test_support::reference_rules;
use lucena_test_support::tables::{KRVK, KRVK_ROWS, rows};
use std::collections::BTreeSet;
use std::sync::LazyLock;

static LOCATIONS: LazyLock<Dataset> =
    LazyLock::new(|| rows(&KRVK, Selection::Location, Positions::Full));

fn share(percent: u8) -> Percentage {
    percent.to_string().parse().expect("a share")
}

fn split(dataset: &Dataset, percent: u8, seed: u64) -> TrainTestSplit {
    TrainTestSplit::new(dataset, share(percent), seed).expect("orbits enough")
}

/// The least of the eight images of a row's three squares, which identifies the orbit.
fn orbit(dataset: &Dataset, row: u32) -> [(u8, u8); 3] {
    let mut values = [0; 6];
    dataset.row(row as usize, &mut values);
    let mut men = [(values[0], values[1]), (values[2], values[3]), (values[4], values[5])];
    let mut least = men;
    for turn in 0..8 {
        men = men.map(|(file, rank)| if turn == 4 { (9 - file, rank) } else { (rank, 9 - file) });
        least = least.min(men);
    }
    least
}

/// Compares squares, not the numbers of the orbits.
#[test]
fn no_orbit_is_on_both_sides() {
    for percent in [1, 37, 99] {
        let split = split(&LOCATIONS, percent, 5);
        let orbits = |rows: &[u32]| -> BTreeSet<[(u8, u8); 3]> {
            rows.iter().map(|&row| orbit(&LOCATIONS, row)).collect()
        };
        let (learned, held_out) = (orbits(&split.learned), orbits(&split.held_out));
        assert!(learned.is_disjoint(&held_out), "{percent} %");
        assert_eq!((learned.len(), held_out.len()), (split.learned_orbits, split.held_out_orbits));
        assert_eq!(learned.len() + held_out.len(), 28_056);
        assert_eq!(learned.len(), (28_056.0 * f64::from(percent) / 100.0).round() as usize);
        let mut all = [split.learned, split.held_out].concat();
        all.sort_unstable();
        assert!(all.into_iter().eq(0..223_944), "each row is on one side");
    }
}

#[test]
fn the_seed_divides_and_larger_shares_hold_smaller_ones() {
    let learned = |percent, seed| -> BTreeSet<u32> {
        split(&KRVK_ROWS, percent, seed).learned.into_iter().collect()
    };
    assert_eq!(learned(10, 1), learned(10, 1));
    assert_ne!(learned(10, 1), learned(10, 2));
    assert!(learned(10, 1).is_subset(&learned(20, 1)));
    // The canonical rows are one of each orbit, in the same order.
    let of_full: BTreeSet<u32> = split(&LOCATIONS, 10, 1)
        .learned
        .iter()
        .map(|&row| LOCATIONS.orbits()[row as usize])
        .collect();
    assert_eq!(of_full, learned(10, 1));
}

#[test]
fn shares_are_whole_per_cents_between_none_and_all() {
    for text in ["0", "100", "101", "256", "-1", "1.5", "10 %", "ten", "", "NaN"] {
        let error = text.parse::<Percentage>().expect_err(text).to_string();
        assert!(error.contains(&format!("{text:?}")) && error.contains("1 to 99"), "{error}");
    }
    assert_eq!((share(1).of(50), share(1).of(49), share(99).of(100)), (1, 0, 99));
    let few = Dataset::from_columns(vec![("a".into(), vec![1, 2])], &[0, 1]).unwrap();
    let refused = TrainTestSplit::new(&few, share(10), 1).unwrap_err();
    assert_eq!(refused, LearnError::Share { share: share(10), orbits: 2 });
    assert!(refused.to_string().contains("10 % of 2 orbits"), "{refused}");
    assert_eq!(split(&few, 50, 1).learned.len(), 1);
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn assessments_are_those_of_a_plain_count() {
    let division = split(&KRVK_ROWS, 20, 3);
    let mut learned = division.learned.clone();
    let tree = Id3Params::default().check().unwrap().learn_rows(&KRVK_ROWS, &mut learned).unwrap();
    let positions: Vec<Position> =
        KRVK.canonical_positions(Side::Weak).map(|(position, _)| position).collect();
    let mut expected = Assessment { rows: division.held_out.len() as u64, ..Assessment::default() };
    let mut values = vec![0; KRVK_ROWS.attributes().len()];
    for &row in &division.held_out {
        KRVK_ROWS.row(row as usize, &mut values);
        let at = reference_rules::number_of(&positions[row as usize]) as usize;
        let truth = reference_rules::ROOK_SOLVED.weak[at];
        let Some(class) = tree.classify(&values) else {
            expected.unanswered += 1;
            continue;
        };
        // The classes are draw, followed by mated in 0, 1, 2, ... moves.
        let said = u16::from(class).checked_sub(1).map(|moves| 2 * moves);
        expected.right += u64::from(said == truth);
        if let (Some(said), Some(truth)) = (said, truth) {
            expected.error_plies += u64::from(said.abs_diff(truth));
            expected.mates += 1;
        }
    }
    let assessment = Assessment::new(&tree, &KRVK_ROWS, &division.held_out);
    assert_eq!(assessment, expected);
    assert_eq!(assessment.accuracy(), Some(expected.right as f64 / expected.rows as f64));
    assert!(assessment.unanswered > 0 && assessment.right < assessment.rows);
    // It is right on all training rows.
    let seen = Assessment::new(&tree, &KRVK_ROWS, &division.learned);
    assert_eq!((seen.accuracy(), seen.mean_error_plies()), (Some(1.0), Some(0.0)));
    let none = Assessment::new(&tree, &KRVK_ROWS, &[]);
    assert_eq!((none.accuracy(), none.mean_error_plies()), (None, None));
}

fn plan(positions: Positions, shares: &[u8], seed: u64) -> CurveParams {
    CurveParams {
        attributes: Selection::Geometric.into(),
        positions,
        turn: Side::Weak,
        sample: None,
        shares: shares.iter().copied().map(share).collect(),
        resistance: Resistance::Random,
        games: 30,
        seed,
    }
}

fn points(plan: &CurveParams) -> Vec<CurvePoint> {
    let cart = CartParams::default().check().unwrap();
    curve(&*KRVK, &cart, plan, &NoObserver).expect("a curve")
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn points_are_what_each_tree_is_worth() {
    for (positions, dataset) in [
        (Positions::Canonical, &*KRVK_ROWS),
        (Positions::Full, &rows(&KRVK, Selection::Geometric, Positions::Full)),
    ] {
        let plan = plan(positions, &[90, 10], 4);
        let found = points(&plan);
        assert_eq!(found.len(), 2);
        for (point, &share) in found.iter().zip(&plan.shares) {
            let division = TrainTestSplit::new(dataset, share, 4).unwrap();
            let mut learned = division.learned.clone();
            let cart = CartParams::default().check().unwrap();
            let tree = cart.learn_rows(dataset, &mut learned).unwrap();
            assert_eq!(point.share_percent, share.percent());
            assert_eq!((point.orbits, point.rows), (division.learned_orbits, learned.len()));
            assert_eq!(point.held_out_orbits, division.held_out_orbits);
            assert_eq!(point.leaves, tree.leaves());
            let assessed = Assessment::new(&tree, dataset, &division.held_out);
            let Assessment { rows, right, unanswered, .. } = assessed;
            let found = (point.held_out_rows, point.right, point.unanswered);
            assert_eq!(found, (rows, right, unanswered));
            assert_eq!(point.accuracy, assessed.accuracy());
            assert_eq!(point.mean_error_plies, assessed.mean_error_plies());
            // Right on all training rows, and on part of the others.
            let all = (point.rows as u64 + point.right) as f64;
            let share_of_all = training_accuracy(&tree, dataset);
            assert!((share_of_all - all / dataset.rows() as f64).abs() < 1e-12);
            let mut player = TreePolicy::new(tree, &KRVK).unwrap();
            let games = validate(
                &mut player,
                &KRVK,
                ValidationParams { resistance: Resistance::Random, games: 30, seed: 4 },
                &NoObserver,
            )
            .unwrap();
            assert_eq!(point.win_rate, Some(games.win_rate));
            let (low, high) = games.wilson_95;
            assert_eq!((point.wilson_low, point.wilson_high), (Some(low), Some(high)));
        }
        assert!(found[0].accuracy > found[1].accuracy);
        assert!(found[0].mean_error_plies < found[1].mean_error_plies);
    }
}

#[test]
fn the_same_seed_draws_the_same_curve_and_every_game_is_told() {
    let [one, other] = [1, 2].map(|seed| points(&plan(Positions::Canonical, &[10], seed)));
    assert_eq!(points(&plan(Positions::Canonical, &[10], 1)), one);
    assert_ne!(one[0].right, other[0].right);
    let observer = RecordingObserver::default();
    let id3 = Id3Params::default().check().unwrap();
    curve(&*KRVK, &id3, &plan(Positions::Canonical, &[1, 2, 3], 1), &observer).unwrap();
    assert_eq!(observer.most_done(), 90);
    assert!(observer.reports().iter().all(|told| told.what == "games" && told.total == Some(90)));
}

#[test]
fn a_curve_without_games_is_refused() {
    let plan = CurveParams { games: 0, ..plan(Positions::Canonical, &[10], 1) };
    let cart = CartParams::default().check().unwrap();
    let refused = curve(&*KRVK, &cart, &plan, &NoObserver).unwrap_err();
    assert!(matches!(refused, ExperimentError::Validation(_)), "{refused}");
    let nothing = CurveParams { games: 1, shares: Vec::new(), ..plan };
    assert_eq!(curve(&*KRVK, &cart, &nothing, &NoObserver).unwrap(), Vec::new());
}
