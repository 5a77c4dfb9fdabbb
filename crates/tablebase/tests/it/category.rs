//! Outcomes under the fifty-move rule, by the rules and by plain reasoning on solved tables.

use lucena_chess::{HalfmoveClock, Material, Side};
use lucena_tablebase::{Category, Outcome, Verdict, Wdl};
use lucena_test_support::tables::solve;

/// A win can only come without a capture or pawn move if there is no pawn, and no side ever wins after a capture.
#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn wins_without_a_capture_or_pawn_move_are_those_that_tables_show() {
    for name in ["KRvK", "KQvK", "KPvK", "KBBvK", "KBNvK", "KNNvK", "KRBvK", "KRvKB", "KBvKN"] {
        let tablebase = solve(name);
        let material: Material = tablebase.material();
        let wins = |material: Material| {
            let tablebase = solve(&material.to_string());
            Side::ALL.into_iter().any(|turn| {
                let mut outcomes = tablebase.canonical_outcomes(turn);
                outcomes.any(|(_, outcome)| outcome.wdl() != Wdl::Draw)
            })
        };
        let later = material.with_successors().into_iter().filter(|&next| next != material);
        let expected = !material.has_pawns() && !later.into_iter().any(wins);
        assert_eq!(material.is_won_without_zeroing(), expected, "{name}");
    }
}

/// Counts plies one by one: the winner mates in time, or the count reaches a hundred first.
#[test]
fn a_rook_mates_in_time_if_a_plain_count_says_so() {
    let material = "KRvK".parse().ok();
    for plies in 1..=32 {
        for clock in 0..=110 {
            let outcome = Outcome::mate_in(plies);
            let mut count = clock;
            let mut left = plies;
            while count < 100 && left > 0 {
                (count, left) = (count + 1, left - 1);
            }
            let category = Category::new(outcome, material, HalfmoveClock::of_fen(clock));
            let decided = if plies % 2 == 1 { Category::Win } else { Category::Loss };
            assert_eq!(category == decided, left == 0, "{clock} {plies}");
            assert_eq!(category.wdl() == Some(Wdl::Draw), left > 0, "{clock} {plies}");
        }
    }
    let mate = Outcome::Loss(0);
    for (clock, category) in
        [(99, Category::Loss), (100, Category::Loss), (101, Category::BlessedLoss)]
    {
        assert_eq!(Category::new(mate, None, HalfmoveClock::of_fen(clock)), category, "{clock}");
    }
}

/// Each category has an opposite, and the order is that of Lichess.
#[test]
fn categories_are_seen_from_both_sides() {
    use Category::*;
    let all = [Loss, Unknown, MaybeLoss, BlessedLoss, Draw, CursedWin, MaybeWin, Win];
    assert!(all.is_sorted());
    for category in all {
        assert_eq!(category.before_move().before_move(), category);
        let wdl = |wdl: Wdl| match wdl {
            Wdl::Win => Wdl::Loss,
            Wdl::Draw => Wdl::Draw,
            Wdl::Loss => Wdl::Win,
        };
        assert_eq!(category.before_move().wdl(), category.wdl().map(wdl));
    }
    assert_eq!(Category::of_moves([Win, Unknown, Draw]), None);
    assert_eq!(Category::of_moves([Win, Unknown, Loss]), Some(Win));
    assert_eq!(Category::of_moves([Win, MaybeLoss, Draw]), Some(MaybeWin));
    assert_eq!(Category::of_moves([]), None);
    let moves = [Verdict { category: Loss, outcome: Outcome::Loss(40) }];
    let pawn = Verdict::of_moves(Outcome::Win(31), None, HalfmoveClock::of_fen(80), moves);
    assert_eq!(pawn.category, Win, "a pawn move starts the count again");
}
