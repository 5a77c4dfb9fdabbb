//! Measures as evaluations of ordinary searches.

use lucena_chess::{Game, Move, Position, Side};
use lucena_model::{Measure, ModelKind};
use lucena_proof::policy::MeasurePolicy;
use lucena_roster::{EvaluationName, MeasureEvaluation, PlayerName, PolicyError, SearchName};
use lucena_search::evaluation::Evaluation;
use lucena_test_support::cases::{cases, repository};
use lucena_test_support::reference_attributes::{board_of, plain_value};
use lucena_test_support::tables::{KQVK, KRVK};

/// The measure of KRvK that is checked in.
fn measure() -> Measure {
    let json = std::fs::read(repository("data/measures/KRvK.smallest.json")).expect("it is there");
    Measure::from_json(&json).unwrap()
}

fn value(evaluation: &MeasureEvaluation, position: &Position) -> i32 {
    let game: Game = position.to_string().parse().unwrap();
    evaluation.evaluate(game.board())
}

#[test]
fn a_smaller_measure_is_worth_more_to_the_strong_side() {
    let (evaluation, policy) =
        (MeasureEvaluation::new(measure()).unwrap(), MeasurePolicy::new(measure()).unwrap());
    // It is not known which of the boards are close to one another, so each is compared with the last.
    let mut last: Option<(i32, i32)> = None;
    for (position, _) in KRVK.canonical_positions(Side::Weak).step_by(7) {
        let (sum, worth) = (policy.value(&position), -value(&evaluation, &position));
        assert_eq!(-value(&evaluation, &position.with_colors_exchanged()), worth, "{position}");
        if let Some((other, its_worth)) = last {
            assert_eq!(sum.cmp(&other), its_worth.cmp(&worth), "{position}");
        }
        last = Some((sum, worth));
    }
    // If the strong side is to move, the same board is worth the same to it.
    for (position, _) in KRVK.canonical_positions(Side::Strong).step_by(101) {
        let sum = policy.value(&position.with(Side::Weak, *position.squares()));
        let (other, its_worth) = last.expect("there are boards");
        assert_eq!(sum.cmp(&other), its_worth.cmp(&value(&evaluation, &position)), "{position}");
    }
}

/// Each board is worth less to White than the next.
#[test]
fn boards_of_other_endgames_are_worth_what_their_material_says() {
    let evaluation = MeasureEvaluation::new(measure()).unwrap();
    let mut last = i32::MIN;
    for [fen, why] in cases("measure_evaluations.csv") {
        let game: Game = fen.parse().expect(&fen);
        let worth = match evaluation.evaluate(game.board()) {
            worth if game.turn() == lucena_chess::Color::White => worth,
            worth => -worth,
        };
        assert!(worth > last, "{why}: {worth} after {last}");
        assert!(worth.abs() < 29_000, "{why}: {worth}");
        last = worth;
    }
}

#[test]
fn a_search_by_a_measure_plays_its_endgame_alone() {
    let file = repository("data/measures/KRvK.smallest.json");
    let name = format!("search:depth=1,eval=measure:{}", file.display());
    let parsed: PlayerName = name.parse().unwrap();
    assert_eq!(parsed.to_string(), name);
    let player = parsed.load().unwrap();
    assert_eq!(player.endgame().unwrap(), Some(KRVK.material()));
    assert_eq!(player.policy(&KRVK).expect("it plays").material(), KRVK.material());
    let refused = player.policy(&KQVK).err().expect("another endgame");
    let kind = ModelKind::Measure;
    assert!(matches!(refused, PolicyError::OtherEndgame { kind: found, .. } if found == kind));
    // A file that is not there, a file of something else, and no file.
    for [eval, words] in cases("measure_evaluation_refusals.csv") {
        let eval = eval.replace("DATA", &repository("data").display().to_string());
        let parsed = format!("search:depth=1,eval={eval}").parse::<PlayerName>();
        let said = match parsed {
            Err(error) => error.to_string(),
            Ok(name) => name.load().err().expect(&eval).to_string(),
        };
        assert!(said.contains(&words), "{eval}: {said}");
    }
}

/// The worth of a position to the strong side by minimax over plain values: mate, the sooner the better, then a smaller
/// room, then a draw.
fn worth_by_minimax(position: &Position, plies: u8) -> i32 {
    let moves = position.moves();
    if moves.is_empty() {
        return if position.is_checkmate() { 1_000 + i32::from(plies) } else { 0 };
    }
    if position.material() != KRVK.material() {
        return 0;
    }
    if plies == 0 {
        let after = position.with(Side::Weak, *position.squares());
        return 100 - i32::from(plain_value("kRoom", "KRvK", &board_of(&after)));
    }
    let after = |mv: &Move| worth_by_minimax(&position.play(*mv).expect("legal"), plies - 1);
    let worth = moves.iter().map(after);
    match position.turn() {
        Side::Strong => worth.max(),
        Side::Weak => worth.min(),
    }
    .expect("there are moves")
}

/// Plain alpha-beta by a measure plays one of the moves that minimax finds best.
#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn plain_searches_by_a_measure_are_minimax() {
    let file = repository("data/measures/KRvK.smallest.json");
    for plies in 1..=3 {
        let search = SearchName::plain(plies, EvaluationName::Measure(file.clone()));
        let player = PlayerName::Search(search).load().unwrap();
        let policy = player.policy(&KRVK).expect("it plays");
        let (mut positions, step) = (0, [37, 211, 1999][usize::from(plies) - 1]);
        for (position, _) in KRVK.canonical_positions(Side::Strong).step_by(step) {
            let worth = |mv: &Move| worth_by_minimax(&position.play(*mv).unwrap(), plies - 1);
            let best = position.moves().iter().map(worth).max();
            let played = policy.choose(&position).expect("there is a move");
            assert_eq!(Some(worth(&played)), best, "{position} {played}, {plies} plies");
            positions += 1;
        }
        assert!(positions >= 10, "{positions}");
    }
}
