//! Divisions of orbits: each orbit is in one part, the sizes are as requested, and a learning curve and
//! a cross-validation with the same seed use the same rows.

use lucena_attributes::{AttributeSet, Selection};
use lucena_dataset::{
    Assignment, Dataset, Division, DivisionError, DivisionParams, DivisionPart, Positions, Rows,
};
use lucena_formats::{Format, FormattedRows};
use lucena_learn::{LearnError, Learner, Percentage, TrainTestSplit, cross_validate};
use lucena_model::Node;
use lucena_test_support::cases::random;
use lucena_test_support::tables::{KRVK, KRVK_ROWS, material, rows};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;

fn share(text: &str) -> Option<lucena_dataset::Proportion> {
    Some(text.parse().expect("a share"))
}

fn places(params: DivisionParams, orbits: usize) -> Vec<Assignment> {
    let division = Division::new(params, orbits).expect("it can be divided");
    (0..orbits).map(|orbit| division.assignment(orbit)).collect()
}

proptest! {
    #![proptest_config(random(64))]

    #[test]
    fn the_sizes_are_those_asked_for(
        orbits in 40..3_000_usize,
        left_out in 0..20_usize,
        percent in 20..80_usize,
        folds in 2..8_usize,
        seed in any::<u64>(),
    ) {
        let sample = orbits - left_out;
        let split = share(&format!("0.{percent:02}"));
        let params = DivisionParams { sample: Some(sample), split, folds: Some(folds), seed };
        let places = places(params, orbits);
        let mut sizes = BTreeMap::new();
        for place in &places {
            let name = match place {
                Assignment::LeftOut => "left out".to_owned(),
                Assignment::Test => "test".to_owned(),
                Assignment::Train(fold) => format!("fold {fold}"),
            };
            *sizes.entry(name).or_insert(0) += 1;
        }
        let size = |name: &str| sizes.get(name).copied().unwrap_or(0);
        // Rounded to the nearest.
        let learned = (sample * percent + 50) / 100;
        prop_assert!((sample - size("test")).abs_diff(learned) <= usize::from(sample * percent % 100 == 50));
        prop_assert_eq!(size("left out"), left_out);
        let in_folds: Vec<usize> = (0..folds).map(|fold| size(&format!("fold {fold}"))).collect();
        prop_assert_eq!(in_folds.iter().sum::<usize>() + size("test"), sample);
        let (least, most) = (in_folds.iter().min().unwrap(), in_folds.iter().max().unwrap());
        prop_assert!(most - least <= 1, "{:?}", in_folds);
        prop_assert_eq!(self::places(params, orbits), places);
    }
}

#[test]
fn a_split_is_that_of_a_learning_curve() {
    for (text, percent, seed) in [("0.8", "80", 1), ("0.5", "50", 9), ("0.01", "1", 4)] {
        let percent: Percentage = percent.parse().expect("per cents");
        let split = TrainTestSplit::new(&KRVK_ROWS, percent, seed).expect("enough rows");
        let learned: BTreeSet<u32> = split.learned.into_iter().collect();
        let params = DivisionParams { split: share(text), seed, ..DivisionParams::default() };
        for (orbit, place) in places(params, 28_056).into_iter().enumerate() {
            assert_eq!(place == Assignment::Train(0), learned.contains(&(orbit as u32)), "{orbit}");
        }
    }
}

/// A learner that records its training rows.
#[derive(Default)]
struct RecordingLearner(Mutex<Vec<Vec<u32>>>);

impl Learner for RecordingLearner {
    fn name(&self) -> &'static str {
        "witness"
    }

    fn parameters(&self) -> BTreeMap<String, String> {
        BTreeMap::new()
    }

    fn nodes(&self, _: &Dataset, rows: &mut [u32]) -> Result<Vec<Node>, LearnError> {
        self.0.lock().expect("no panic").push(rows.to_vec());
        Ok(vec![Node::Leaf { class: 0 }])
    }
}

#[test]
fn folds_are_those_of_a_cross_validation() {
    let dataset = rows(&KRVK, Selection::Location, Positions::Canonical);
    let witness = RecordingLearner::default();
    // 28,056 is divisible by eight: no orbit is left over.
    cross_validate(&witness, &dataset, 8, 5).expect("enough rows");
    let shown = witness.0.into_inner().expect("no panic");
    let params = DivisionParams { folds: Some(8), seed: 5, ..DivisionParams::default() };
    let places = places(params, 28_056);
    for (fold, shown) in shown.into_iter().enumerate() {
        let learned: BTreeSet<usize> = shown.into_iter().map(|row| row as usize).collect();
        let others = places.iter().enumerate();
        let others = others.filter(|&(_, place)| *place != Assignment::Train(fold as u8));
        assert_eq!(learned, others.map(|(orbit, _)| orbit).collect(), "fold {fold}");
    }
}

#[test]
fn what_cannot_be_divided_is_refused() {
    let none = DivisionParams::default();
    let refused = |params| Division::new(params, 100).err();
    for sample in [0, 101, usize::MAX] {
        let error = DivisionError::Sample { sample, orbits: 100 };
        assert_eq!(refused(DivisionParams { sample: Some(sample), ..none }), Some(error));
    }
    for folds in [0, 1, 101, usize::MAX] {
        let error = DivisionError::Folds { folds, orbits: 100 };
        assert_eq!(refused(DivisionParams { folds: Some(folds), ..none }), Some(error));
    }
    assert_eq!(Division::new(DivisionParams { folds: Some(257), ..none }, 1_000).err(), {
        Some(DivisionError::Folds { folds: 257, orbits: 1_000 })
    });
    let split = share("0.001");
    assert!(matches!(
        refused(DivisionParams { split, ..none }),
        Some(DivisionError::Split { orbits: 100, .. })
    ));
    for text in ["0", "1", "-0.5", "1.5", "NaN", "inf", "80", "", "a half"] {
        assert!(text.parse::<lucena_dataset::Proportion>().is_err(), "{text}");
    }
}

/// The csv line of each row of a part, without the column of folds.
fn lines(params: DivisionParams, part: DivisionPart, positions: Positions) -> Vec<String> {
    let attributes = AttributeSet::new(material("KRvK"), Selection::Location);
    let division = Division::new(params, 28_056).expect("it can be divided");
    let rows = Rows::new(&*KRVK, &attributes, positions).expect("its attributes");
    let rows = rows.part(&division, part);
    let mut csv = Vec::new();
    FormattedRows::new(&rows, Format::Csv).expect("room").write(&mut csv).expect("memory");
    let text = String::from_utf8(csv).expect("text");
    text.lines().skip(1).map(String::from).collect()
}

#[test]
fn the_two_sides_are_all_rows_and_share_no_orbit() {
    let params = DivisionParams { split: share("0.7"), seed: 2, ..DivisionParams::default() };
    let whole = lines(DivisionParams::default(), DivisionPart::Train, Positions::Full);
    let sides =
        [DivisionPart::Train, DivisionPart::Test].map(|part| lines(params, part, Positions::Full));
    let sides = sides.map(|lines| lines.into_iter().collect::<BTreeSet<_>>());
    let mut both: Vec<&String> = sides.iter().flatten().collect();
    let mut all: Vec<&String> = whole.iter().collect();
    both.sort_unstable();
    all.sort_unstable();
    assert!(both == all);
    // The canonical positions of one part are in it, and not in the other.
    let [train, test] = [DivisionPart::Train, DivisionPart::Test]
        .map(|part| lines(params, part, Positions::Canonical).into_iter().collect::<BTreeSet<_>>());
    assert_eq!(train.len(), 19_639);
    assert!(train.iter().all(|line| sides[0].contains(line)));
    assert!(sides[1].iter().all(|line| !train.contains(line)));
    assert!(sides[0].iter().all(|line| !test.contains(line)));
}

#[test]
fn a_sample_is_part_of_a_larger_one() {
    let sample =
        |sample| DivisionParams { sample: Some(sample), seed: 3, ..DivisionParams::default() };
    let [small, large] = [100, 5_000].map(|size| {
        let lines = lines(sample(size), DivisionPart::Train, Positions::Canonical);
        assert_eq!(lines.len(), size);
        lines.into_iter().collect::<BTreeSet<_>>()
    });
    assert!(small.is_subset(&large));
}
