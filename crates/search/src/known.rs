//! Outcomes that a search need not find out.

use lucena_chess::Board;

/// The outcome of a board under the fifty-move rule if the halfmove clock is at zero, for the side to move. Greater is
/// better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum KnownOutcome {
    /// A loss.
    Loss,
    /// A loss that the fifty-move rule turns into a draw.
    BlessedLoss,
    /// A draw.
    Draw,
    /// A win that the fifty-move rule turns into a draw.
    CursedWin,
    /// A win.
    Win,
}

/// A source of outcomes, such as files of solved endgames. A search without one finds out everything by itself.
///
/// The search looks boards up after a capture or a pawn move, and does not search beyond those that are known.
///
/// ```
/// use lucena_chess::{Board, Game};
/// use lucena_search::evaluation::CombinedEvaluation;
/// use lucena_search::{KnownOutcome, Limit, OutcomeSource, Search, SearchParams, SearchRequest, Value};
/// use std::sync::Arc;
///
/// /// Three men with a queen: the side that has her wins.
/// struct Queens;
///
/// impl OutcomeSource for Queens {
///     fn most_men(&self) -> u32 {
///         3
///     }
///
///     fn outcome(&self, board: &Board) -> Option<KnownOutcome> {
///         let queens = board.pieces(lucena_chess::Role::Queen);
///         let is_lost = queens.is_subset(board.colors(!board.side_to_move()));
///         (!queens.is_empty()).then_some(if is_lost { KnownOutcome::Loss } else { KnownOutcome::Win })
///     }
/// }
///
/// let mut search = Search::new(SearchParams::default(), Arc::new(CombinedEvaluation::default()));
/// let game: Game = "5k2/8/2n5/8/2Q5/8/8/7K w - - 0 1".parse()?;
/// let request = SearchRequest { outcomes: Some(&Queens), ..SearchRequest::within(Limit::depth(3)) };
/// let found = search.run(&game, request);
/// assert!(found.table_hits > 0);
/// assert_eq!(found.value, Value::Wins(1));
/// # Ok::<(), lucena_chess::FenError>(())
/// ```
pub trait OutcomeSource: Sync {
    /// The greatest number of men on a board that may be known.
    fn most_men(&self) -> u32;

    /// The outcome of a board, whose halfmove clock is at zero; `None` if it is unknown. The same board always has the
    /// same outcome.
    fn outcome(&self, board: &Board) -> Option<KnownOutcome>;
}
