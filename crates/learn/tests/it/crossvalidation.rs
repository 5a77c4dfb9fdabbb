//! Cross-validation: folds consist of orbits, never of rows, and the figures are those of a learner
//! that always predicts the same class.

use lucena_attributes::Selection;
use lucena_dataset::{Dataset, Positions};
use lucena_learn::{CartParams, Id3Params, LearnError, Learner, Limits, cross_validate};
use lucena_model::Node;
use lucena_tablebase::DistanceClass;
use lucena_test_support::cases::random;
use lucena_test_support::tables::{KRVK, KRVK_ROWS, rows};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;

/// A learner that always predicts one class, and records its training rows.
struct Constant {
    class: u8,
    shown: Mutex<Vec<Vec<u32>>>,
}

impl Constant {
    fn new(class: u8) -> Self {
        let shown = Mutex::default();
        Self { class, shown }
    }
}

impl Learner for Constant {
    fn name(&self) -> &'static str {
        "constant"
    }

    fn parameters(&self) -> BTreeMap<String, String> {
        BTreeMap::new()
    }

    fn nodes(&self, _: &Dataset, rows: &mut [u32]) -> Result<Vec<Node>, LearnError> {
        self.shown.lock().expect("no panic").push(rows.to_vec());
        Ok(vec![Node::Leaf { class: self.class }])
    }
}

/// The number of a depth among the classes.
fn class(dataset: &Dataset, depth: DistanceClass) -> u8 {
    let number = dataset.classes().iter().position(|class| *class == depth.to_string());
    number.expect("the depth occurs") as u8
}

/// For each fold the rows that were held out.
fn held_out(shown: &[Vec<u32>], rows: usize) -> Vec<BTreeSet<u32>> {
    let all: BTreeSet<u32> = (0..rows as u32).collect();
    shown
        .iter()
        .map(|shown| {
            let distinct: BTreeSet<u32> = shown.iter().copied().collect();
            assert_eq!(distinct.len(), shown.len(), "no row is shown twice");
            all.difference(&distinct).copied().collect()
        })
        .collect()
}

#[test]
fn an_orbit_is_never_on_both_sides() {
    let dataset = rows(&KRVK, Selection::Geometric, Positions::Full);
    let learner = Constant::new(class(&dataset, DistanceClass::Mated(14)));
    let validation = cross_validate(&learner, &dataset, 8, 5).unwrap();
    let shown = learner.shown.into_inner().unwrap();
    assert_eq!((validation.folds, shown.len()), (8, 8));
    let mut judged = BTreeSet::new();
    let (mut right, mut off, mut mates) = (0.0, 0.0, 0.0);
    for (fold, hidden) in held_out(&shown, dataset.rows()).into_iter().enumerate() {
        // 28,056 is divisible by eight.
        let orbits: BTreeSet<u32> =
            hidden.iter().map(|&row| dataset.orbits()[row as usize]).collect();
        assert_eq!(orbits.len(), 28_056 / 8);
        let whole = |row: &u32| orbits.contains(&dataset.orbits()[*row as usize]);
        assert!(!shown[fold].iter().any(whole), "an orbit is divided");
        for row in hidden {
            assert!(judged.insert(row), "row {row} is judged twice");
            let moves = i32::from(dataset.targets()[row as usize]) - 1;
            right += f64::from(moves == 14);
            if moves >= 0 {
                off += f64::from(2 * (moves - 14).abs());
                mates += 1.0;
            }
        }
    }
    assert_eq!(judged.len(), 223_944);
    assert!((validation.accuracy - right / 223_944.0).abs() < 1e-6);
    let error = validation.mean_error_plies.expect("there are mates");
    assert!((error - off / mates).abs() < 1e-9);
    // From the published counts, whatever the folds.
    assert!((validation.accuracy - 36_372.0 / 223_944.0).abs() < 1e-6);
}

#[test]
fn without_mates_there_is_no_error_in_plies() {
    let learner = Constant::new(class(&KRVK_ROWS, DistanceClass::Draw));
    let validation = cross_validate(&learner, &KRVK_ROWS, 8, 1).unwrap();
    assert_eq!(validation.mean_error_plies, None);
    assert!((validation.accuracy - 2_796.0 / 28_056.0).abs() < 1e-6);
}

#[test]
fn folds_must_be_possible() {
    let learner = Id3Params::default().check().unwrap();
    for folds in [0, 1, 28_057, usize::MAX] {
        let refused = cross_validate(&learner, &KRVK_ROWS, folds, 1);
        let orbits = 28_056;
        assert_eq!(refused, Err(LearnError::Folds { folds, orbits }));
    }
    let of_one = LearnError::Folds { folds: 10, orbits: 1 }.to_string();
    assert!(of_one.contains("fewer than two orbits") && !of_one.contains("2 to 1"), "{of_one}");
    let full = rows(&KRVK, Selection::Location, Positions::Full);
    let refused = cross_validate(&Constant::new(0), &full, 28_057, 1);
    assert_eq!(refused, Err(LearnError::Folds { folds: 28_057, orbits: 28_056 }));
}

#[test]
fn a_learners_error_is_passed_on() {
    struct Fails;
    impl Learner for Fails {
        fn name(&self) -> &'static str {
            "fails"
        }
        fn parameters(&self) -> BTreeMap<String, String> {
            BTreeMap::new()
        }
        fn nodes(&self, _: &Dataset, _: &mut [u32]) -> Result<Vec<Node>, LearnError> {
            Err(LearnError::NoRows)
        }
    }
    assert_eq!(cross_validate(&Fails, &KRVK_ROWS, 3, 1), Err(LearnError::NoRows));
}

#[test]
fn real_learners_are_validated_the_same_every_time() {
    let limits = Limits { max_depth: Some(9), min_rows: 2, max_leaves: None };
    let cart = CartParams::default().limits(limits).check().unwrap();
    let one = cross_validate(&cart, &KRVK_ROWS, 4, 7).unwrap();
    assert_eq!(cross_validate(&cart, &KRVK_ROWS, 4, 7), Ok(one.clone()));
    assert_ne!(cross_validate(&cart, &KRVK_ROWS, 4, 8), Ok(one.clone()));
    // Better than the most frequent class alone, and not perfect.
    assert!((0.2..0.9).contains(&one.accuracy), "{one:?}");
    let id3 = Id3Params::default().check().unwrap();
    let whole = cross_validate(&id3, &KRVK_ROWS, 10, 1).unwrap();
    assert!((0.3..0.95).contains(&whole.accuracy), "{whole:?}");
    assert!(whole.mean_error_plies.is_some_and(|plies| (0.0..4.0).contains(&plies)), "{whole:?}");
}

proptest! {
    #![proptest_config(random(200))]

    /// For any number of rows and folds, all parts have the same size, and none is used in its own training.
    #[test]
    fn folds_have_one_size(rows in 2_usize..60, folds in 2_usize..12, seed: u64) {
        prop_assume!(folds <= rows);
        let targets: Vec<usize> = (0..rows).map(|row| row % 2).collect();
        let dataset = Dataset::from_columns(vec![("x".into(), vec![0; rows])], &targets).unwrap();
        let learner = Constant::new(1);
        let validation = cross_validate(&learner, &dataset, folds, seed).unwrap();
        let shown = learner.shown.into_inner().unwrap();
        prop_assert_eq!(shown.len(), folds);
        // The remainder of an uneven division is in no part.
        let mut judged = BTreeSet::new();
        for part in held_out(&shown, rows) {
            prop_assert_eq!(part.len(), rows / folds);
            judged.extend(part);
        }
        prop_assert_eq!(judged.len(), folds * (rows / folds), "parts do not overlap");
        let right = judged.iter().filter(|&&row| row % 2 == 1).count();
        let expected = right as f64 / judged.len() as f64;
        prop_assert!((validation.accuracy - expected).abs() < 1e-6);
    }
}
