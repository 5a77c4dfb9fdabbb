//! Reports of training.

use lucena_attributes::Selection;
use lucena_base::progress::{NoObserver, Observer, Progress};
use lucena_report::{self as report, ReportError};
use lucena_tablebase::Tablebase;
use lucena_test_support::cases::repository;
use lucena_test_support::tables::{KQVK, material};
use lucena_train::Learner;
use lucena_train::{
    ChessWeights, EndgameLearner, EndgameParams, EndgameWeights, ModelKind, TrainError, train,
};
use std::sync::atomic::{AtomicBool, Ordering};

fn small(kind: ModelKind, games: u64) -> EndgameParams {
    EndgameParams {
        attributes: Selection::Strategic.into(),
        games,
        hidden: 8,
        ..EndgameParams::new(kind)
    }
}

fn learner(tablebase: &Tablebase, params: EndgameParams) -> EndgameLearner {
    let weights = EndgameWeights::new(tablebase.material(), params).expect("sound parameters");
    EndgameLearner::new(tablebase, weights)
}

/// Allows one step of work.
#[derive(Default)]
struct OneStep(AtomicBool);

impl Observer for OneStep {
    fn report(&self, _: Progress<'_>) {
        self.0.store(true, Ordering::Relaxed);
    }

    fn warn(&self, _: &str) {}

    fn is_stopped(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Training that is stopped after each round and resumed from the file gives the same bytes.
#[test]
fn what_was_stopped_goes_on_where_it_stood() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("weights");
    for kind in [ModelKind::Linear, ModelKind::Pairs, ModelKind::Network] {
        let params = EndgameParams { attributes: Selection::Oriented.into(), ..small(kind, 5_000) };
        let mut whole = learner(&KQVK, params);
        train(&mut whole, None, &NoObserver).unwrap();
        let mut stops = 0;
        loop {
            let weights = EndgameWeights::new(material("KQvK"), params).unwrap();
            let mut part = EndgameLearner::resumed(&KQVK, weights, Some(&path)).unwrap();
            match train(&mut part, Some(&path), &OneStep::default()) {
                Ok(()) => break,
                Err(error) => assert!(matches!(error, TrainError::Stopped(_)), "{error}"),
            }
            stops += 1;
        }
        assert_eq!(stops, 2, "three rounds, the last one not asked about");
        assert!(std::fs::read(&path).unwrap() == whole.to_bytes(), "{kind}");

        // Another training neither resumes from the file nor removes it.
        let other = EndgameParams { seed: 2, ..params };
        let weights = EndgameWeights::new(material("KQvK"), other).unwrap();
        let refused = report::train_endgame(weights, &KQVK, Some(&path), &NoObserver);
        let Err(ReportError::Train(refused @ TrainError::OtherTraining { .. })) = refused else {
            panic!("{refused:?}");
        };
        assert!(refused.to_string().contains("its seed is 1, not 2"), "{refused}");
        assert!(std::fs::read(&path).unwrap() == whole.to_bytes());
        std::fs::remove_file(&path).unwrap();
    }
}

fn checked_in_chess() -> ChessWeights {
    let bytes = std::fs::read(repository("data/weights/chess.json")).expect("it is checked in");
    ChessWeights::from_bytes(&bytes).expect("it is sound")
}

#[test]
#[ignore = "slow without optimisation"]
fn learned_weights_win_nine_of_ten_games_against_random_moves() {
    let report = report::train_chess(checked_in_chess(), 1_000, None, &NoObserver).unwrap();
    let games = report.against_random.expect("games were played");
    assert!(games.tally.won >= 900, "{} of 1,000", games.tally.won);
}
