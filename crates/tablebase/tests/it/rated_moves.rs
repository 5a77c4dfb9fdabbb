//! The moves of a game, rated by what a look-up tells.

use lucena_chess::{Board, Game, Position};
use lucena_tablebase::{Category, Dtz, Lookup, Outcome, RatedMoves, Wdl5};
use std::convert::Infallible;

/// A look-up with a distance to zeroing or a result for each side to move: that of the first position, and that of the
/// positions after its moves.
struct Told {
    first: Option<Dtz>,
    next: Option<Dtz>,
    result: Option<Wdl5>,
    start: Board,
}

impl Lookup for Told {
    type Error = Infallible;

    fn mate(&self, _: &Position) -> Result<Option<Outcome>, Infallible> {
        Ok(None)
    }

    fn zeroing(&self, board: &Board, _: Option<&Position>) -> Result<Option<Dtz>, Infallible> {
        Ok(if *board == self.start { self.first } else { self.next })
    }

    fn result(&self, board: &Board) -> Result<Option<Wdl5>, Infallible> {
        let is_start = *board == self.start;
        Ok(self.result.map(|result| if is_start { result } else { result.before_move() }))
    }
}

fn rated(fen: &str, first: Option<Dtz>, next: Option<Dtz>, result: Option<Wdl5>) -> RatedMoves {
    let game: Game = fen.parse().expect("a FEN");
    let told = Told { first, next, result, start: game.board().clone() };
    RatedMoves::new(&game, &told).unwrap_or_else(|never| match never {})
}

/// The position is lost in the last four plies that are left. Each move leaves a win in three plies, or in four if the
/// number is rounded, which would be too late.
#[test]
fn what_is_certain_of_a_position_stays_certain_where_its_moves_are_not() {
    let exact = Dtz { plies: -4, is_exact: true };
    let rounded = Dtz { plies: 3, is_exact: false };
    let fen = "8/8/1K6/8/3P4/8/1p6/1k6 w - - 96 1";
    let rated = rated(fen, Some(exact), Some(rounded), None);
    assert!(rated.moves.iter().any(|mv| mv.after.category == Category::MaybeWin), "{rated:?}");
    assert_eq!(rated.before.category, Category::Loss);
}

/// A result alone decides with a clock of zero; with a clock that runs, a win may come too late.
#[test]
fn a_result_decides_as_far_as_the_clock_allows() {
    for (clock, result, category) in [
        (0, Wdl5::Win, Category::Win),
        (1, Wdl5::Win, Category::MaybeWin),
        (0, Wdl5::Loss, Category::Loss),
        (40, Wdl5::Loss, Category::MaybeLoss),
        (40, Wdl5::CursedWin, Category::CursedWin),
        (40, Wdl5::BlessedLoss, Category::BlessedLoss),
        (99, Wdl5::Draw, Category::Draw),
    ] {
        let fen = format!("8/8/8/3k4/8/8/8/K6R w - - {clock} 60");
        assert_eq!(rated(&fen, None, None, Some(result)).alone.category, category, "{clock}");
    }
}

#[test]
fn nothing_is_known_without_tables() {
    let rated = rated("8/8/8/3k4/8/8/8/K6R w - - 0 1", None, None, None);
    assert_eq!(rated.before.category, Category::Unknown);
    assert_eq!(rated.best(), None);
}
