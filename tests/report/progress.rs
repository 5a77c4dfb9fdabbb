//! Observers of long work: the reported progress, and that work ends wherever it is stopped.

use lucena::attributes::{AttributeSet, Selection};
use lucena::chess::Side;
use lucena::curve::{CurveParams, curve};
use lucena::dataset::Positions;
use lucena::experiment::ExperimentError;
use lucena::frontier::{Frontier, FrontierParams, frontier};
use lucena::learn::CartParams;
use lucena::player::Resistance;
use lucena::policy::TablebasePlayer;
use lucena::progress::Observer;
use lucena::proof::{ProveError, ProvedGame};
use lucena::report::{self, MineParams, ReportError, SubsetSearch, SufficiencyParams};
use lucena::study::study;
use lucena::sufficiency::{SubsetError, Sufficiency};
use lucena::tablebase::TableFolder;
use lucena::validation::{ValidationError, ValidationParams, validate};
use lucena_test_support::observers::RecordingObserver;
use lucena_test_support::tables::{KQVK, KRVK, KRVK_ROWS, material, solve};

/// Checks work: undisturbed it finishes, and wherever it is stopped it returns the error.
#[track_caller]
fn assert_stops<T, E>(
    work: impl Fn(&dyn Observer) -> Result<T, E>,
    is_stopped: impl Fn(&E) -> bool,
) {
    let undisturbed = RecordingObserver::default();
    assert!(work(&undisturbed).is_ok(), "it can be done");
    let asked = undisturbed.asked.into_inner();
    assert!(asked > 2, "{asked} questions");
    assert_stops_after(&[0, 1, asked / 2], asked, work, is_stopped);
}

/// Checks that work returns the error when it is stopped after some questions, and then asks only few more.
#[track_caller]
fn assert_stops_after<T, E>(
    questions: &[u64],
    few: u64,
    work: impl Fn(&dyn Observer) -> Result<T, E>,
    is_stopped: impl Fn(&E) -> bool,
) {
    for &patience in questions {
        let observer = RecordingObserver::stopping_after(patience);
        let stopped = work(&observer);
        assert!(stopped.is_err_and(|error| is_stopped(&error)), "stopped at {patience}");
        // The work does not go on asking for long: threads that run in parallel may each ask once more.
        let more = observer.asked.into_inner() - patience;
        assert!(more <= few, "{more} questions after the answer");
    }
}

#[test]
fn games_can_be_stopped() {
    let params = ValidationParams { resistance: Resistance::Random, games: 300, seed: 1 };
    let play =
        |observer: &dyn Observer| validate(&mut TablebasePlayer(&KRVK), &KRVK, params, observer);
    assert_stops(play, |error| matches!(error, ValidationError::Stopped(_)));
}

#[test]
fn a_proof_can_be_stopped() {
    let player = TablebasePlayer(&KRVK);
    let prove =
        |observer: &dyn Observer| ProvedGame::with_observer(&player, &KRVK, observer).map(|_| ());
    assert_stops(prove, |error| matches!(error, ProveError::Stopped(_)));
}

#[test]
fn a_study_can_be_stopped() {
    let kings = solve("KvK");
    assert_stops(|observer| study(&kings, 5, 1, observer), is_stopped);
    assert_stops_after(&[1, 3], 1_000, |observer| study(&KQVK, 5, 1, observer), is_stopped);
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn a_study_with_proofs_of_wins_can_be_stopped_midway() {
    assert_stops(|observer| study(&KQVK, 5, 1, observer), is_stopped);
}

fn is_stopped(error: &ExperimentError) -> bool {
    matches!(error, ExperimentError::Stopped(_))
}

#[test]
fn a_curve_can_be_stopped() {
    let cart = CartParams::default().check().unwrap();
    let params = CurveParams {
        attributes: Selection::Geometric.into(),
        positions: Positions::Canonical,
        turn: Side::Weak,
        sample: None,
        shares: vec!["10".parse().unwrap(), "20".parse().unwrap()],
        resistance: Resistance::Random,
        games: 20,
        seed: 1,
    };
    let curve = |observer: &dyn Observer| curve(&*KRVK, &cart, &params, observer);
    assert_stops(curve, is_stopped);
}

#[test]
fn a_frontier_can_be_stopped() {
    // Of more than half a million questions.
    assert_stops_after(&[0, 1, 50_000], 1_000, quick_frontier, is_stopped);
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn a_frontier_can_be_stopped_midway() {
    assert_stops(quick_frontier, is_stopped);
}

fn quick_frontier(observer: &dyn Observer) -> Result<Frontier, ExperimentError> {
    let params = FrontierParams {
        learned: Selection::Geometric.into(),
        theories: Selection::Geometric.into(),
        candidates: 0,
        seed: 1,
        models: Vec::new(),
        search_plies: 1,
    };
    frontier(&KQVK, &params, observer)
}

#[test]
fn the_search_for_a_small_subset_can_be_stopped() {
    let sufficiency = Sufficiency::new(&KRVK_ROWS);
    let smallest = |observer: &dyn Observer| sufficiency.smallest_subset(u64::MAX, observer);
    assert_stops(smallest, |error| matches!(error, SubsetError::Stopped(_)));
    let set = AttributeSet::new(material("KRvK"), Selection::Geometric);
    let params = SufficiencyParams {
        positions: Positions::Canonical,
        turn: Side::Weak,
        sample: None,
        examples: 1,
        part: SubsetSearch::Greedy,
        nodes: 0,
    };
    let attributes = |observer: &dyn Observer| report::attributes(&*KRVK, &set, params, observer);
    assert_stops(attributes, |error| matches!(error, ReportError::Stopped(_)));
}

/// Wherever it is stopped, existing files are complete, and the next run makes the others.
#[test]
fn mining_can_be_stopped_and_taken_up_again() {
    let folder = tempfile::tempdir().unwrap();
    let params = MineParams {
        material: material("KQvK"),
        data: folder.path().join("data"),
        generated: folder.path().join("generated"),
        function_size: Default::default(),
        code_leaves: report::CODE_LEAVES,
        sample: None,
    };
    let tables = TableFolder::in_memory();
    let mine = |observer: &dyn Observer| {
        let mut told = Vec::new();
        let mined = report::mine(&params, &tables, observer, |step| told.push(step.clone()))?;
        assert_eq!(mined.steps, told);
        Ok(mined)
    };
    assert_stops(mine, |error| matches!(error, ReportError::Stopped(_)));
    let mined = mine(&RecordingObserver::default()).unwrap();
    assert!(mined.proof.is_complete());
    let results = mined.steps.iter().map(|step| step.result.as_str());
    assert!(results.clone().all(|result| !result.contains(" written")), "a second run");
    assert_eq!(mined.steps.iter().filter(|step| step.result.contains("unchanged")).count(), 6);
}
