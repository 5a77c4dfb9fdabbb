//! Refutations: the line that punishes a wrong move, checked against the table.

use lucena_chess::{Position, Side};
use lucena_explain::Refutation;
use lucena_tablebase::{Outcome, Tablebase};
use lucena_test_support::tables::{KPVK, KQVK, KRVK};

fn refuted(table: &Tablebase, fen: &str, san: &str) -> (Position, Refutation) {
    let position: Position = fen.parse().expect("legal");
    let moves = position.moves();
    let mv = moves.into_iter().find(|&mv| position.san(mv).is_ok_and(|name| name == san));
    let mv = mv.unwrap_or_else(|| panic!("{san}"));
    (position, Refutation::of(table, &position, mv).expect("it is found"))
}

#[test]
fn a_win_that_is_given_away_is_told_with_the_reply_that_holds_the_draw() {
    let (position, found) = refuted(&KPVK, "8/8/8/2k5/8/8/1KP5/8 w - - 0 1", "Kb3");
    assert_eq!(found.says, "Kb3 gives the win away: Black answers Kb5 and holds the draw.");
    assert_eq!(found.better, "Kc3 keeps the win.");
    let mut after = position;
    for mv in found.line {
        after = after.play(mv).expect("legal");
        if after.material() == KPVK.material() {
            assert_eq!(KPVK.outcome(&after), Outcome::Draw, "{after}");
        }
    }
    assert_eq!(after.turn(), Side::Strong, "Black has the last word");
    let (_, found) = refuted(&KRVK, "8/8/8/8/1R6/3K4/5k2/8 w - - 0 1", "Re4");
    assert_eq!(found.says, "Re4 wins more slowly: White mates in 9 moves, not in 7.");
    let (_, found) = refuted(&KRVK, "8/8/8/8/4R3/8/5k2/3K4 w - - 0 1", "Re3");
    assert_eq!(found.says, "Re3 gives the win away: Black answers Kxe3 and wins the rook.");
    let (_, found) = refuted(&KQVK, "k7/8/1K6/8/8/8/8/2Q5 w - - 0 1", "Qc7");
    assert_eq!((found.says.as_str(), found.line.len()), ("Qc7 is stalemate.", 1));
}

#[test]
fn a_move_that_only_loses_time_is_told_with_the_mate() {
    let (_, found) = refuted(&KRVK, "k7/8/1K6/8/8/8/8/2R5 w - - 0 1", "Kc6");
    assert!(found.says.starts_with("Kc6 wins more slowly: White mates in "), "{}", found.says);
    assert!(found.says.ends_with(" moves, not in 1."), "{}", found.says);
    assert_eq!(found.better, "Rc8# is quickest.");
    let (_, found) = refuted(&KRVK, "k7/8/1K6/8/8/8/8/2R5 w - - 0 1", "Rc8#");
    assert_eq!(found.line.len(), 1);
    assert_eq!(found.better, "");
}
