//! Moves of both sides, explained by the table: checked against the books, and against a plain loop over all moves.

use lucena_chess::{Move, Position, Side};
use lucena_explain::{ExplainError, Explanation, TableExplanation, explain, explain_table};
use lucena_roster::BuiltIn;
use lucena_tablebase::{Outcome, Tablebase};
use lucena_test_support::cases::cases;
use lucena_test_support::tables::{KPVK, KQVK, KRVK, verdicts};
use std::collections::BTreeSet;

fn table(position: &Position) -> &'static Tablebase {
    match position.material().to_string().as_str() {
        "KPvK" => &KPVK,
        "KQvK" => &KQVK,
        _ => &KRVK,
    }
}

fn explained(position: &Position) -> TableExplanation {
    explain_table(table(position), &verdicts(position), None, &[]).expect("there is a move")
}

#[test]
fn the_defence_is_that_of_the_books() {
    for [fen, result, moves] in cases("defences.csv") {
        let position: Position = fen.parse().expect("a position");
        let told = explained(&position);
        assert_eq!(told.chosen.before.to_string(), result, "{fen}");
        let best: BTreeSet<String> = told.best.iter().map(ToString::to_string).collect();
        assert_eq!(best, moves.split(' ').map(str::to_owned).collect(), "{fen}");
        let text = told.reasons(table(&position)).expect("the table is in memory");
        let is_only = text.reason.ends_with(" is the only move that holds the draw.");
        assert_eq!(is_only, best.len() == 1, "{fen}: {}", text.reason);
    }
}

/// The best moves are those that leave the opponent least, and every other move allows what the table has after it.
#[test]
fn every_move_allows_what_the_table_has_after_it() {
    let mut seen = [0; 4];
    for table in [&*KPVK, &*KRVK, &*KQVK] {
        for side in [Side::Weak, Side::Strong] {
            for (position, before) in table.canonical_positions(side).step_by(397) {
                let moves = position.moves();
                let after = |mv: Move| {
                    let after = position.play(mv).expect("a legal move");
                    table.probe(&after).expect("the table has it")
                };
                let Some(best) = moves.iter().map(|&mv| after(mv)).min() else { continue };
                let told = explained(&position);
                let expected = moves.iter().filter(|&&mv| after(mv) == best);
                assert_eq!(
                    told.best.iter().map(ToString::to_string).collect::<BTreeSet<_>>(),
                    expected.map(ToString::to_string).collect(),
                    "{position}"
                );
                assert_eq!(told.chosen.before, before);
                assert!(told.best.contains(&told.chosen.worth.mv), "{position}");
                assert_eq!(told.moves.len(), moves.len(), "{position}");
                for one in &told.moves {
                    let (mv, reached) = (one.worth.mv, after(one.worth.mv));
                    assert_eq!(one.worth.outcome, reached, "{position} {mv}");
                    let Some(allows) = &one.allows else {
                        assert_eq!(reached, best, "{position} {mv}");
                        continue;
                    };
                    let (far, least) = (reached.before_move().moves(), best.before_move().moves());
                    let instead =
                        far.zip(least).map(|(far, least)| format!("{far} instead of {least}."));
                    let (kind, words) = match (best, reached) {
                        (Outcome::Loss(_), Outcome::Loss(_)) => (0, instead.expect("distances")),
                        (Outcome::Win(_), Outcome::Win(_)) => (1, instead.expect("distances")),
                        (Outcome::Draw, Outcome::Win(_)) => (2, "gives the draw away: ".into()),
                        _ => (3, "gives the win away".into()),
                    };
                    seen[kind] += 1;
                    assert!(allows.contains(&words), "{position} {mv}: {allows}, not {words}");
                }
            }
        }
    }
    assert!(seen.iter().all(|&seen| seen > 50), "{seen:?}");
}

#[test]
fn a_model_leaves_the_moves_of_the_weak_side_to_the_table() {
    let strategy = BuiltIn::smallest_strategy("KRvK".parse().expect("a material"));
    let strategy = strategy.expect("it is built in");
    let ask = |fen: &str, moves: &[&str]| {
        let position: Position = fen.parse().expect("a position");
        let moves: Vec<Move> = moves.iter().map(|text| text.parse().expect("a move")).collect();
        explain(&*strategy, "strategy", &KRVK, &verdicts(&position), &moves)
    };
    let weak = "8/8/8/8/8/2k5/8/K1R5 b - - 0 1";
    assert!(matches!(ask(weak, &["c3b3"]), Ok(Explanation::Table(_))));
    assert!(matches!(ask(weak, &["c3c5"]), Err(ExplainError::IllegalMove(_))));
    let strong = ask("8/8/8/8/8/1k6/8/K1R5 w - - 0 1", &[]);
    assert!(matches!(strong, Ok(Explanation::Strategy(_))));
    let mated = ask("8/8/8/8/8/R7/8/k1K5 b - - 0 1", &[]);
    assert!(matches!(mated, Err(ExplainError::Over(_))));
    let queen: Position = "8/8/8/8/8/3k4/8/K1Q5 b - - 0 1".parse().expect("a position");
    let queen = explain(&*strategy, "strategy", &KQVK, &verdicts(&queen), &[]);
    assert!(matches!(queen, Err(ExplainError::OtherMaterial { .. })));
}
