//! Explanations of strategies: the comparisons of the keys are computed again, every move is compared with
//! the played one, and the texts for the cases in `tests/data` are as worked out by hand.

use lucena::attributes::Attribute;
use lucena::chess::{Danger, Move, Position, Side};
use lucena::diagram::Shape;
use lucena::explain::{
    ChoiceReason, ExplainError, RejectionReason, RuleStep, StrategyExplanation, explain_strategy,
};
use lucena::policy::{Policy, StrategyPolicy};
use lucena::roster::BuiltIn;
use lucena_model::{Aim, Strategy};
use lucena_test_support::cases::cases;
use lucena_test_support::tables::{KQVK, KRVK, material, verdicts};
use std::sync::Arc;

fn smallest() -> StrategyPolicy {
    let shared = BuiltIn::smallest_strategy(material("KRvK")).expect("this build carries it");
    Arc::into_inner(shared).expect("it is not shared yet")
}

/// Two rules, the first of which applies to few moves.
fn guarded() -> StrategyPolicy {
    let json = br#"{"kind": "strategy", "format": 1, "material": "KRvK", "miner": "by hand",
        "parameters": {}, "attributes": [
            {"name": "RBoxSides", "low": 2, "high": 16, "meaning": "sides"},
            {"name": "kCovered", "low": 0, "high": 8, "meaning": "covered"}],
        "rules": [
            {"guard": [{"mover": "R"}, {"after": "kCovered", "low": 3, "high": 8}],
             "keys": [{"least": "RBoxSides"}]},
            {"guard": [], "keys": [{"greatest": "kCovered"}]}]}"#;
    StrategyPolicy::new(Strategy::from_json(json).expect("sound")).expect("a policy")
}

fn some(step: usize) -> impl Iterator<Item = Position> {
    KRVK.canonical_positions(Side::Strong).step_by(step).map(|(position, _)| position)
}

fn explained(policy: &StrategyPolicy, position: &Position) -> StrategyExplanation {
    explain_strategy(policy, "strategy", &KRVK, &verdicts(position), &position.moves())
        .unwrap_or_else(|error| panic!("{position}: {error}"))
}

/// Returns true if a move is safe by the rules of chess: it mates, or there is a reply and none captures.
fn is_safe(position: &Position, mv: Move) -> bool {
    let after = position.play(mv).expect("a legal move");
    let men = |position: &Position| position.men().count();
    let takes = |&reply: &Move| men(&after.play(reply).expect("legal")) < men(&after);
    !after.is_stalemate() && !after.moves().iter().any(takes)
}

#[test]
fn cases_that_a_reader_works_out_are_told_so() {
    let policy = smallest();
    for [fen, mv, behind, words] in cases("explained_strategies.csv") {
        let (position, mv) = (fen.parse().expect("a position"), mv.parse().expect("a move"));
        let told = explain_strategy(&policy, "strategy", &KRVK, &verdicts(&position), &[mv]);
        let told = told.unwrap_or_else(|error| panic!("{fen}: {error}"));
        let other = &told.instead[0];
        assert_eq!(other.behind.name(), behind, "{fen} {mv}");
        assert!(other.because.contains(&words), "{fen} {mv}: {}", other.because);
    }
}

/// Every key is evaluated again from the values after the moves. A move that falls behind has the worse
/// value, and no earlier key separates the two.
#[test]
fn keys_and_guards_are_counted_again() {
    let (mut behind_guard, mut behind_key, mut unsafe_ones, mut passed) = (0, 0, 0, 0);
    for (policy, step) in [(smallest(), 400), (guarded(), 400)] {
        for position in some(step) {
            let told = explained(&policy, &position);
            assert_eq!(Some(told.chosen.worth.mv), policy.choose(&position));
            assert_eq!(told.tied, policy.choices(&position));
            if told.by != ChoiceReason::Rule {
                continue;
            }
            let all = position.moves();
            assert_eq!(
                all.iter().filter(|&&mv| is_safe(&position, mv)).count(),
                told.safe.unwrap()
            );
            passed += told.rule.unwrap() - 1;
            let value = |attribute: &Attribute, mv: Move| {
                i16::from(attribute.value(&position.play(mv).expect("legal")))
            };
            let mut left: Vec<Move> = Vec::new();
            for other in &told.instead {
                let mv = other.worth.mv;
                assert_eq!(
                    matches!(other.behind, RejectionReason::Unsafe(_)),
                    !is_safe(&position, mv)
                );
                let is_rejected = matches!(
                    other.behind,
                    RejectionReason::Unsafe(_) | RejectionReason::Compared(RuleStep::Guard(_))
                );
                if !is_rejected {
                    left.push(mv);
                }
            }
            assert_eq!(Some(left.len()), told.fulfil, "{position}");
            for (number, compared) in told.keys.iter().enumerate() {
                let attribute = &compared.attribute;
                let sign = if compared.aim == Aim::Least.word() { 1 } else { -1 };
                let best = left.iter().map(|&mv| sign * value(attribute, mv)).min();
                assert_eq!(compared.among, left.len(), "{position}");
                let shown = |value: i16| attribute.show(u8::try_from(value).expect("a value"));
                assert_eq!(Some(&compared.value), best.map(|best| shown(sign * best)).as_ref());
                let (kept, lost): (Vec<Move>, Vec<Move>) =
                    left.into_iter().partition(|&mv| Some(sign * value(attribute, mv)) == best);
                for mv in lost {
                    let other = told.instead.iter().find(|other| other.worth.mv == mv);
                    let other = other.expect("every move is compared");
                    assert_eq!(
                        other.behind,
                        RejectionReason::Compared(RuleStep::Key(number)),
                        "{position} {mv}"
                    );
                    let key = other.key.as_ref().expect("a key decides");
                    assert_eq!((key.key, &key.value), (number + 1, &compared.value));
                    assert_eq!(key.value_instead, shown(value(attribute, mv)));
                    behind_key += 1;
                }
                assert_eq!(compared.left, kept.len());
                left = kept;
            }
            assert_eq!(left, told.tied.to_vec(), "{position}");
            for other in &told.instead {
                match other.behind {
                    RejectionReason::Compared(RuleStep::Guard(_)) => behind_guard += 1,
                    RejectionReason::Unsafe(Danger::Captured(_) | Danger::Stalemate) => {
                        unsafe_ones += 1;
                    }
                    RejectionReason::Tied => assert!(left.contains(&other.worth.mv)),
                    RejectionReason::SameMove => assert_eq!(other.worth.mv, told.chosen.worth.mv),
                    RejectionReason::Compared(RuleStep::Key(_)) => {}
                    ref other => panic!("{position}: {other:?}"),
                }
            }
        }
    }
    let seen = [behind_guard, behind_key, unsafe_ones, passed];
    assert!(seen.iter().all(|&times| times > 3), "{seen:?}");
}

#[test]
fn costs_are_what_probing_says() {
    let policy = smallest();
    let plies = |position: &Position| KRVK.probe(position).expect("a known endgame").plies();
    for position in some(900) {
        let told = explained(&policy, &position);
        let chosen = plies(&told.chosen.worth.after);
        for other in &told.instead {
            let other_plies = plies(&position.play(other.worth.mv).expect("legal"));
            let cost =
                chosen.zip(other_plies).map(|(one, other)| i32::from(other) - i32::from(one));
            assert_eq!(other.cost_plies, cost, "{position}");
        }
    }
}

/// The box is drawn if the box decides, and it contains the king.
#[test]
fn the_diagram_marks_what_the_deciding_key_sees() {
    let (policy, mut boxes) = (smallest(), 0);
    for position in some(200) {
        let told = explained(&policy, &position);
        let Some(compared) = told.deciding() else { continue };
        let diagram = told.diagram();
        assert_eq!(
            (diagram.position, diagram.arrow),
            (told.chosen.worth.after, Some(told.chosen.worth.mv))
        );
        let region = diagram.highlights.iter().find(|one| one.shape == Shape::Region);
        let is_box = compared.attribute.name().contains("Box");
        assert_eq!(region.is_some(), is_box, "{position}");
        if let Some(region) = region {
            assert!(region.squares.has(told.chosen.worth.after.king(Side::Weak)), "{position}");
            boxes += 1;
        }
    }
    assert!(boxes > 5, "{boxes}");
}

#[test]
fn what_cannot_be_explained_says_why() {
    let policy = smallest();
    let ask = |fen: &str| {
        let position: Position = fen.parse().expect("a position");
        explain_strategy(&policy, "strategy", &KRVK, &verdicts(&position), &[]).map(|_| ())
    };
    let queen = ask("8/8/8/8/8/3k4/8/K1Q5 w - - 0 1");
    assert!(matches!(queen, Err(ExplainError::OtherMaterial { .. })));
    assert!(matches!(ask("8/8/8/8/8/2k5/8/K1R5 b - - 0 1"), Err(ExplainError::OtherSide(_))));
    assert!(matches!(ask("8/8/8/8/8/R7/8/k1K5 b - - 0 1"), Err(ExplainError::Over(_))));
    let rook: Position = "8/8/8/8/8/1k6/8/K1R5 w - - 0 1".parse().expect("a position");
    let other_table = explain_strategy(&policy, "strategy", &KQVK, &verdicts(&rook), &[]);
    assert!(matches!(other_table, Err(ExplainError::Table(_))));
    let illegal = ["c1d2".parse().expect("a move")];
    let illegal = explain_strategy(&policy, "strategy", &KRVK, &verdicts(&rook), &illegal);
    assert!(matches!(illegal, Err(ExplainError::IllegalMove(_))));
}
