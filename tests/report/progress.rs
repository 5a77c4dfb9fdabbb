//! Observers of long work: the reported progress, and that work ends wherever it is stopped.

use lucena::attributes::{AttributeSet, Selection};
use lucena::curve::{CurveParams, curve};
use lucena::dataset::Positions;
use lucena::experiment::ExperimentError;
use lucena::frontier::{FrontierParams, frontier};
use lucena::learn::CartParams;
use lucena::player::Resistance;
use lucena::policy::TablebasePlayer;
use lucena::progress::Observer;
use lucena::proof::{ProveError, ProvedGame};
use lucena::report::{self, MineParams, ReportError, SubsetSearch, SufficiencyParams};
use lucena::study::study;
use lucena::sufficiency::{SubsetError, Sufficiency};
use lucena::tablebase::TableFolder;
use lucena::validation::{ValidationError, validate};
use lucena_test_support::observers::RecordingObserver;
use lucena_test_support::tables::{KQVK, KRVK, KRVK_ROWS, material};

/// Checks work: undisturbed it finishes, and wherever it is stopped it returns the error.
fn assert_stops<T, E>(
    work: impl Fn(&dyn Observer) -> Result<T, E>,
    is_stopped: impl Fn(&E) -> bool,
) {
    let undisturbed = RecordingObserver::default();
    assert!(work(&undisturbed).is_ok(), "it can be done");
    let asked = undisturbed.asked.into_inner();
    assert!(asked > 2, "{asked} questions");
    for patience in [0, 1, asked / 2] {
        let observer = RecordingObserver::stopping_after(patience);
        let stopped = work(&observer);
        assert!(stopped.is_err_and(|error| is_stopped(&error)), "stopped at {patience}");
        // The work does not go on asking for long: threads that run in parallel may each ask once more.
        let more = observer.asked.into_inner() - patience;
        assert!(more <= asked, "{more} questions after the answer");
    }
}

#[test]
fn games_can_be_stopped() {
    let play = |observer: &dyn Observer| {
        validate(&mut TablebasePlayer(&KRVK), &KRVK, Resistance::Random, 300, 1, observer)
    };
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
    let study = |observer: &dyn Observer| study(&KQVK, 5, 1, observer);
    assert_stops(study, |error| matches!(error, ExperimentError::Stopped(_)));
}

#[test]
fn a_curve_can_be_stopped() {
    let cart = CartParams::default().check().unwrap();
    let params = CurveParams {
        attributes: Selection::Geometric,
        positions: Positions::Canonical,
        shares: vec!["10".parse().unwrap(), "20".parse().unwrap()],
        resistance: Resistance::Random,
        games: 20,
        seed: 1,
    };
    let curve = |observer: &dyn Observer| curve(&KRVK, &cart, &params, observer);
    assert_stops(curve, |error| matches!(error, ExperimentError::Stopped(_)));
}

#[test]
fn a_frontier_can_be_stopped() {
    let params = FrontierParams {
        learned: Selection::Geometric,
        theories: Selection::Geometric,
        candidates: 0,
        seed: 1,
        trees: Vec::new(),
        strategies: Vec::new(),
        search_plies: 1,
    };
    let frontier = |observer: &dyn Observer| frontier(&KQVK, &params, observer);
    assert_stops(frontier, |error| matches!(error, ExperimentError::Stopped(_)));
}

#[test]
fn the_search_for_a_small_subset_can_be_stopped() {
    let sufficiency = Sufficiency::of(&KRVK_ROWS);
    let smallest = |observer: &dyn Observer| sufficiency.smallest_subset(u64::MAX, observer);
    assert_stops(smallest, |error| matches!(error, SubsetError::Stopped(_)));
    let set = AttributeSet::new(material("KRvK"), Selection::Geometric);
    let params = SufficiencyParams {
        positions: Positions::Canonical,
        examples: 1,
        part: SubsetSearch::Greedy,
        nodes: 0,
    };
    let attributes = |observer: &dyn Observer| report::attributes(&KRVK, &set, params, observer);
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
