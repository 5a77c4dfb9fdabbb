//! The moves of a position, rated by Syzygy files.

use lucena_chess::{Game, Move, Status};
use lucena_syzygy::{Dtz, SyzygyError, SyzygyTables, Wdl5};
use lucena_tablebase::Category;
use std::cmp::Ordering;

/// A move, and what the files say of the position after it.
#[derive(Debug, Clone, Copy)]
pub(super) struct RatedMove {
    pub(super) mv: Move,
    /// The result for the side that moves, under the fifty-move rule.
    pub(super) category: Category,
    /// The distance to zeroing after the move, for the other side; `None` if only the result is known.
    pub(super) after: Option<Dtz>,
    is_mate: bool,
    is_zeroing: bool,
}

impl RatedMove {
    /// Rates the moves that are allowed by distances, best first. Moves that are equally good keep their order.
    ///
    /// A win within the fifty-move rule comes first, then one that the rule makes a draw, a draw, a loss that it makes a
    /// draw, and a loss. Of wins, a mate comes first, then the move that zeroes the clock soonest: as the distance gets
    /// shorter with every move, no position comes back. Of losses, the one that takes the other side longest comes first.
    /// A third repetition is a draw.
    ///
    /// # Errors
    /// If the files do not have all positions after the moves.
    pub(super) fn by_distance(
        tables: &SyzygyTables,
        game: &Game,
        allows: impl Fn(Move) -> bool,
    ) -> Result<Vec<Self>, SyzygyError> {
        Self::each(game, allows, |after| {
            let dtz = tables.probe_dtz(after.board())?;
            Ok((Category::of_dtz(dtz, after.halfmove_clock()), Some(dtz)))
        })
    }

    /// Rates the moves that are allowed by outcomes alone, best first, without regard to the clock.
    ///
    /// # Errors
    /// If the files do not have all positions after the moves.
    pub(super) fn by_outcome(
        tables: &SyzygyTables,
        game: &Game,
        allows: impl Fn(Move) -> bool,
    ) -> Result<Vec<Self>, SyzygyError> {
        Self::each(game, allows, |after| {
            Ok((Category::of_wdl(tables.probe_wdl(after.board())?), None))
        })
    }

    /// Rates each move by a look at the position after it, and sorts them.
    fn each(
        game: &Game,
        allows: impl Fn(Move) -> bool,
        look_up: impl Fn(&Game) -> Result<(Category, Option<Dtz>), SyzygyError>,
    ) -> Result<Vec<Self>, SyzygyError> {
        let mut rated = Ok(Vec::new());
        game.clone().after_each_move(|after, mv| {
            let Ok(moves) = rated.as_mut().map_err(|_| ()) else { return };
            if !allows(mv) {
                return;
            }
            let status = after.status();
            let known = match status {
                Status::Checkmate { .. } => Ok((Category::Loss, Some(exact(-1)))),
                Status::Stalemate | Status::InsufficientMaterial | Status::ThreefoldRepetition => {
                    Ok((Category::Draw, Some(exact(0))))
                }
                Status::InProgress | Status::FiftyMoves => look_up(after),
            };
            match known {
                Ok((category, dtz)) => moves.push(Self {
                    mv,
                    category: category.before_move(),
                    after: dtz,
                    is_mate: matches!(status, Status::Checkmate { .. }),
                    is_zeroing: after.clock() == 0,
                }),
                Err(error) => rated = Err(error),
            }
        });
        let mut rated = rated?;
        rated.sort_by(Self::compare);
        Ok(rated)
    }

    /// The order of two moves: less is better.
    pub(super) fn compare(&self, other: &Self) -> Ordering {
        let by_category = other.category.cmp(&self.category);
        by_category.then_with(|| match self.category {
            Category::Draw => Ordering::Equal,
            category if category.is_won() => {
                let quickness = |mv: &Self| (!mv.is_mate, mv.winning_distances());
                quickness(self).cmp(&quickness(other))
            }
            _ => {
                let plies = |mv: &Self| mv.after.map(|dtz| dtz.plies);
                plies(other).cmp(&plies(self)).then(self.is_zeroing.cmp(&other.is_zeroing))
            }
        })
    }

    /// The plies until a winning move zeroes the clock, and those until the next zeroing after it.
    fn winning_distances(&self) -> Option<(u32, u32)> {
        let after = self.after?;
        let most = after.most().unsigned_abs();
        Some(match (self.is_zeroing, after.wdl()) {
            // The fifty-move rule makes a draw of it in any case.
            (true, Wdl5::BlessedLoss) => (LATE, most),
            (true, _) => (1, most),
            (false, _) => (most + 1, 0),
        })
    }

    /// Returns true if the files leave no choice but that between moves which they find equally good: not in a draw,
    /// where one may give the other side more to find, and not without distances, where a move may make no progress.
    pub(super) fn is_final(&self) -> bool {
        self.category != Category::Draw && self.after.is_some()
    }
}

fn exact(plies: i32) -> Dtz {
    Dtz { plies, is_exact: true }
}

/// The distance to zeroing of wins that come too late under the fifty-move rule.
const LATE: u32 = 101;
