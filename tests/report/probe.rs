//! The report of `probe` in words.

use lucena::chess::{Board, Game, Position};
use lucena::report::{ProbeReport, StandingReport};
use lucena::tablebase::{Dtz, Lookup, Outcome};
use std::convert::Infallible;

/// A look-up that has the distances to zeroing of a few positions, by their men, and no other.
struct FewDistances(&'static [(&'static str, i32, bool)]);

impl Lookup for FewDistances {
    type Error = Infallible;

    fn mate(&self, _: &Position) -> Result<Option<Outcome>, Infallible> {
        Ok(None)
    }

    fn zeroing(&self, board: &Board, _: Option<&Position>) -> Result<Option<Dtz>, Infallible> {
        let board = board.to_string();
        let found = self.0.iter().find(|(men, ..)| board.starts_with(men));
        Ok(found.map(|&(_, plies, is_exact)| Dtz { plies, is_exact }))
    }
}

/// The words about a position, with its moves and without.
fn words(fen: &str, distances: &'static [(&'static str, i32, bool)]) -> [String; 2] {
    let game: Game = fen.parse().expect("a position");
    let lookup = FewDistances(distances);
    let (mut with, mut without) = (Vec::new(), Vec::new());
    let Ok(report) = ProbeReport::new(fen.into(), &game, &lookup);
    report.write_text(&game, &mut with).expect("memory");
    let Ok(report) = StandingReport::new(fen.into(), &game, &lookup);
    report.write_text(&game, &mut without).expect("memory");
    [with, without].map(|text| String::from_utf8(text).expect("text"))
}

const BEFORE_PROMOTION: &str = "3N4/8/8/1K6/8/k3N3/2p5/8 b - - 0 1";

/// Beyond 100 plies a distance to zeroing is that of the number, or 100 fewer; a move that zeroes the clock tells which.
#[test]
fn a_distance_to_zeroing_beyond_100_is_told_with_both_meanings() {
    let [with, without] = words(
        BEFORE_PROMOTION,
        &[
            ("3N4/8/8/1K6/8/k3N3/2p5/8 b", 101, true),
            ("3N4/8/8/1K6/8/k3N3/8/2q5 w", -105, false),
            ("3N4/8/8/1K6/8/k3N3/8/2r5 w", 0, true),
        ],
    );
    assert!(with.contains("pawn move or mate comes in 1 ply.\n"), "{with}");
    let queen = "a win, too late under the fifty-move rule; zeroing in 5, 6, 105 or 106 plies";
    assert!(with.contains(queen), "{with}");
    let both = "comes in 1 or 101 plies: where the fifty-move rule draws first, the distance does not tell which.";
    assert!(without.contains(both), "{without}");
    // No move that zeroes the clock keeps the win.
    let [with, _] = words(
        BEFORE_PROMOTION,
        &[("3N4/8/8/1K6/8/k3N3/2p5/8 b", 101, true), ("3N4/8/8/1K6/8/k3N3/8/2q5 w", 0, true)],
    );
    assert!(with.contains("comes in 1 or 101 plies:"), "{with}");
    let [_, without] = words(BEFORE_PROMOTION, &[("3N4/8/8/1K6/8/k3N3/2p5/8 b", 100, true)]);
    assert!(without.contains("comes in 100 plies.\n"), "{without}");
}
