//! Probes: what tables say, with the captures that they leave out.
//!
//! A table may have any value that compresses well where a capture is at least as good, and it knows nothing of
//! captures en passant. A table of distances may also have any value where the best move zeroes the clock, and it
//! has one side to move only.

use crate::composition::{Composition, MAX_MEN};
use crate::error::SyzygyError;
use crate::folder::SyzygyTables;
use crate::table::{Distance, Stored, Table, TableKind};
use crate::value::{Dtz, Wdl5};
use cozy_chess::{BitBoard, Board, Color, Move, Piece, Square};

/// An outcome without captures en passant.
#[derive(Clone, Copy)]
struct Resolved {
    wdl: Wdl5,
    /// Whether a capture wins, as much as any move does.
    is_by_capture: bool,
}

/// The distances that are possible, as numbers of plies without a sign.
#[derive(Clone, Copy)]
struct Bounds {
    least: i32,
    most: i32,
}

impl Bounds {
    const fn exact(plies: i32) -> Self {
        Self { least: plies, most: plies }
    }

    /// The bounds one ply earlier.
    const fn before_move(self) -> Self {
        Self { least: self.least + 1, most: self.most + 1 }
    }

    /// The bounds of the least of two distances.
    fn min(self, other: Self) -> Self {
        Self { least: self.least.min(other.least), most: self.most.min(other.most) }
    }

    /// The bounds of the greatest of two distances.
    fn max(self, other: Self) -> Self {
        Self { least: self.least.max(other.least), most: self.most.max(other.most) }
    }

    /// Returns whether both bounds are at most as high as others.
    const fn is_within(self, other: Self) -> bool {
        self.least <= other.least && self.most <= other.most
    }
}

impl SyzygyTables {
    /// The outcome of a position under the fifty-move rule if the halfmove clock is at zero.
    ///
    /// # Errors
    /// If a side may castle, there are too many men, or a table is missing or cannot be used.
    pub fn probe_wdl(&self, board: &Board) -> Result<Wdl5, SyzygyError> {
        check(board)?;
        self.wdl(board)
    }

    /// The distance to zeroing. It needs the tables of distances of the men on the board, and the tables of outcomes of
    /// all men that captures and promotions lead to.
    ///
    /// # Errors
    /// If a side may castle, there are too many men, or a table is missing or cannot be used.
    pub fn probe_dtz(&self, board: &Board) -> Result<Dtz, SyzygyError> {
        check(board)?;
        self.dtz(board)
    }

    pub(crate) fn wdl(&self, board: &Board) -> Result<Wdl5, SyzygyError> {
        let resolved = self.resolve(board, Wdl5::Loss, Wdl5::Win)?;
        let Some(en_passant) = self.best_en_passant(board)? else { return Ok(resolved.wdl) };
        let is_forced = || resolved.wdl == Wdl5::Draw && has_only_en_passant(board);
        Ok(if en_passant >= resolved.wdl || is_forced() { en_passant } else { resolved.wdl })
    }

    /// The outcome without captures en passant, if it is above `least` and below `enough`. Otherwise it is a bound.
    fn resolve(
        &self,
        board: &Board,
        mut least: Wdl5,
        enough: Wdl5,
    ) -> Result<Resolved, SyzygyError> {
        let enemies = board.colors(!board.side_to_move());
        let mut error = None;
        let is_enough = enemies.len() > 1
            && board.generate_moves(|mut moves| {
                moves.to &= enemies;
                moves.into_iter().any(|capture| {
                    let after = after(board, capture);
                    match self.resolve(&after, enough.before_move(), least.before_move()) {
                        Ok(resolved) => least = least.max(resolved.wdl.before_move()),
                        Err(problem) => error = Some(problem),
                    }
                    error.is_some() || least >= enough
                })
            });
        if let Some(error) = error {
            return Err(error);
        }
        if is_enough {
            return Ok(Resolved { wdl: least, is_by_capture: true });
        }
        let men = Composition::from_board(board);
        if men.is_empty() {
            return Ok(Resolved { wdl: Wdl5::Draw, is_by_capture: false });
        }
        let quiet = self.table(men, TableKind::Wdl)?.outcome(board, men);
        let quiet = quiet.map_err(std::sync::Arc::new)?;
        let is_by_capture = least >= quiet && least.is_won();
        Ok(Resolved { wdl: least.max(quiet), is_by_capture })
    }

    /// The outcome of the best capture en passant, if there is one.
    fn best_en_passant(&self, board: &Board) -> Result<Option<Wdl5>, SyzygyError> {
        let mut best = None;
        for capture in en_passant_moves(board) {
            let resolved = self.resolve(&after(board, capture), Wdl5::Loss, Wdl5::Win)?;
            best = best.max(Some(resolved.wdl.before_move()));
        }
        Ok(best)
    }

    pub(crate) fn dtz(&self, board: &Board) -> Result<Dtz, SyzygyError> {
        let resolved = self.resolve(board, Wdl5::Loss, Wdl5::Win)?;
        if let Some(en_passant) = self.best_en_passant(board)? {
            // A capture en passant zeroes the clock. It is as good as any other winning move, but a loss is longer
            // without it.
            let is_forced = || resolved.wdl == Wdl5::Draw && has_only_en_passant(board);
            let is_as_good = en_passant == resolved.wdl && !en_passant.is_lost();
            if en_passant > resolved.wdl || is_as_good || is_forced() {
                return Ok(Dtz::exact(en_passant.zeroing_plies()));
            }
        }
        let wdl = resolved.wdl;
        if wdl == Wdl5::Draw || resolved.is_by_capture || self.is_won_by_pawn(board, wdl)? {
            return Ok(Dtz::exact(wdl.zeroing_plies()));
        }
        self.quiet_dtz(board, wdl)
    }

    /// The distance of a position that is not drawn, nor won by a move that zeroes the clock.
    fn quiet_dtz(&self, board: &Board, wdl: Wdl5) -> Result<Dtz, SyzygyError> {
        let men = Composition::from_board(board);
        let table = self.table(men, TableKind::Dtz)?;
        let bounds = match stored(table, board, men)? {
            Some(stored) => bounds(board, &stored, wdl)?,
            None if wdl.is_won() => self.search_win(board, table, wdl)?,
            None => self.search_loss(board, table, wdl)?,
        };
        let sign = wdl.number().signum();
        Ok(Dtz { plies: sign * bounds.least, is_exact: bounds.least == bounds.most })
    }

    /// The distance of a position that is won, and in which there is no capture en passant.
    fn won_dtz(&self, board: &Board, stored: &Stored<'_>) -> Result<Bounds, SyzygyError> {
        let is_won_by_capture = for_moves(board, board.colors(board.side_to_move()), |step| {
            if !is_capture(board, step) {
                return Ok(false);
            }
            let after = after(board, step);
            Ok(self.resolve(&after, Wdl5::Loss, Wdl5::BlessedLoss)?.wdl == Wdl5::Loss)
        })?;
        if is_won_by_capture || self.is_won_by_pawn(board, Wdl5::Win)? {
            return Ok(Bounds::exact(1));
        }
        bounds(board, stored, Wdl5::Win)
    }

    /// Returns whether a move of a pawn that does not capture is as good as the best move.
    fn is_won_by_pawn(&self, board: &Board, wdl: Wdl5) -> Result<bool, SyzygyError> {
        let pawns = board.colored_pieces(board.side_to_move(), Piece::Pawn);
        if !wdl.is_won() || pawns.is_empty() {
            return Ok(false);
        }
        for_moves(board, pawns, |step| {
            let is_capture = step.from.file() != step.to.file();
            Ok(!is_capture && self.wdl(&after(board, step))?.before_move() == wdl)
        })
    }

    /// The distance of a position that is won by moves of other men than pawns that do not capture. The table has the
    /// positions after these moves.
    fn search_win(&self, board: &Board, table: &Table, wdl: Wdl5) -> Result<Bounds, SyzygyError> {
        let men = Composition::from_board(board);
        let lost = wdl.before_move();
        let more = if lost == Wdl5::Loss { Wdl5::BlessedLoss } else { Wdl5::Draw };
        let mut best = Bounds::exact(i32::MAX);
        for_quiet_moves(board, |after| {
            if is_mate(after) {
                best = Bounds::exact(1);
                return Ok(true);
            }
            let stored = stored(table, after, men)?.ok_or_else(|| contradiction(men))?;
            // Most moves are not the shortest way to win, whether they win or not.
            let is_longer = |wdl| {
                let bounds = bounds_if(&stored, wdl, true);
                bounds.is_some_and(|bounds| best.is_within(bounds.before_move()))
            };
            if is_longer(Wdl5::Loss) && (lost == Wdl5::Loss || is_longer(lost)) {
                return Ok(false);
            }
            // No pawn has moved, so there is no capture en passant. A loss in 100 plies is a cursed win in 101.
            let wdl = self.resolve(after, Wdl5::Loss, more)?.wdl;
            if wdl <= lost {
                best = best.min(bounds(after, &stored, wdl)?.before_move());
            }
            Ok(false)
        })?;
        if best.least == i32::MAX {
            return Err(contradiction(men));
        }
        Ok(best)
    }

    /// The distance of a position that is lost. The table has the positions after its moves.
    fn search_loss(&self, board: &Board, table: &Table, wdl: Wdl5) -> Result<Bounds, SyzygyError> {
        let men = Composition::from_board(board);
        // A move that zeroes the clock, or mate.
        let mut worst = Bounds::exact(wdl.zeroing_plies().abs());
        for_quiet_moves(board, |after| {
            let stored = stored(table, after, men)?.ok_or_else(|| contradiction(men))?;
            // Most moves are not the longest way to lose. A move that zeroes the clock makes a win only shorter.
            let is_shorter = |wdl| {
                let bounds = bounds_if(&stored, wdl, false);
                bounds.is_some_and(|bounds| bounds.before_move().is_within(worst))
            };
            if is_shorter(Wdl5::Win) && (wdl == Wdl5::Loss || is_shorter(Wdl5::CursedWin)) {
                return Ok(false);
            }
            // After each move from a loss the other side wins, so there is no need to look that up.
            let bounds = match wdl {
                Wdl5::Loss => self.won_dtz(after, &stored)?,
                _ => {
                    let dtz = self.dtz(after)?;
                    Bounds { least: dtz.plies, most: dtz.most() }
                }
            };
            worst = worst.max(bounds.before_move());
            Ok(false)
        })?;
        Ok(worst)
    }
}

fn contradiction(men: Composition) -> SyzygyError {
    SyzygyError::Contradiction(men.normalized())
}

fn stored<'t>(
    table: &'t Table,
    board: &Board,
    men: Composition,
) -> Result<Option<Stored<'t>>, SyzygyError> {
    Ok(table.stored(board, men).map_err(std::sync::Arc::new)?)
}

/// The distance of a position that a table has, with its outcome.
fn bounds(board: &Board, stored: &Stored<'_>, wdl: Wdl5) -> Result<Bounds, SyzygyError> {
    let distance = stored.distance(wdl).map_err(std::sync::Arc::new)?;
    let is_exact = || distance.plies == 0 && is_at_zeroing(board, wdl);
    Ok(distance.bounds(wdl, distance.is_rounded && is_exact()))
}

/// The distance that a table has for a position if this is its outcome; `None` if it cannot be. A position of distance 0
/// counts as exact if `is_at_zeroing`.
fn bounds_if(stored: &Stored<'_>, wdl: Wdl5, is_at_zeroing: bool) -> Option<Bounds> {
    let distance = stored.distance_if(wdl)?;
    Some(distance.bounds(wdl, is_at_zeroing && distance.plies == 0))
}

impl Distance {
    fn bounds(&self, wdl: Wdl5, is_exact: bool) -> Bounds {
        let least = self.plies + wdl.zeroing_plies().abs();
        Bounds { least, most: least + i32::from(self.is_rounded && !is_exact) }
    }
}

fn check(board: &Board) -> Result<(), SyzygyError> {
    let can_castle = [Color::White, Color::Black].into_iter().any(|color| {
        let rights = board.castle_rights(color);
        rights.short.is_some() || rights.long.is_some()
    });
    let men = board.occupied().len() as usize;
    let [white, black] = [Color::White, Color::Black].map(|color| board.king(color));
    if can_castle {
        Err(SyzygyError::Castling)
    } else if cozy_chess::get_king_moves(white).has(black) {
        Err(SyzygyError::KingsTouch)
    } else if men > MAX_MEN {
        Err(SyzygyError::TooManyMen(men))
    } else {
        Ok(())
    }
}

/// The board after a legal move.
pub(crate) fn after(board: &Board, step: Move) -> Board {
    let mut after = board.clone();
    after.play_unchecked(step);
    after
}

/// Calls a function with the moves of men until it returns true or an error. Returns whether it did return true.
fn for_moves(
    board: &Board,
    men: BitBoard,
    mut visit: impl FnMut(Move) -> Result<bool, SyzygyError>,
) -> Result<bool, SyzygyError> {
    let mut result = Ok(false);
    board.generate_moves_for(men, |moves| {
        moves.into_iter().any(|step| {
            result = visit(step);
            !matches!(result, Ok(false))
        })
    });
    result
}

/// Calls a function with the boards after moves of other men than pawns that do not capture, until it returns true or an
/// error.
fn for_quiet_moves(
    board: &Board,
    mut visit: impl FnMut(&Board) -> Result<bool, SyzygyError>,
) -> Result<(), SyzygyError> {
    let mut result = Ok(false);
    let enemies = board.colors(!board.side_to_move());
    board.generate_moves_for(!board.pieces(Piece::Pawn), |mut moves| {
        moves.to &= !enemies;
        moves.into_iter().any(|step| {
            result = visit(&after(board, step));
            !matches!(result, Ok(false))
        })
    });
    result.map(|_| ())
}

/// Returns whether a legal move takes a man on its square. A capture en passant does not.
pub(crate) fn is_capture(board: &Board, step: Move) -> bool {
    board.colors(!board.side_to_move()).has(step.to)
}

/// The square behind a pawn that just moved two squares.
fn en_passant_square(board: &Board) -> Option<Square> {
    let file = board.en_passant()?;
    Some(Square::new(file, cozy_chess::Rank::Sixth.relative_to(board.side_to_move())))
}

/// The legal captures en passant, of which there are at most two.
fn en_passant_moves(board: &Board) -> arrayvec::ArrayVec<Move, 2> {
    let mut captures = arrayvec::ArrayVec::new();
    if let Some(square) = en_passant_square(board) {
        let pawns = board.colored_pieces(board.side_to_move(), Piece::Pawn);
        let from = pawns & cozy_chess::get_pawn_attacks(square, !board.side_to_move());
        board.generate_moves_for(from, |mut moves| {
            moves.to &= square.bitboard();
            captures.extend(moves);
            false
        });
    }
    captures
}

/// Returns whether all legal moves are captures en passant, and there are some.
fn has_only_en_passant(board: &Board) -> bool {
    let captures = en_passant_moves(board);
    !captures.is_empty()
        && !board.generate_moves(|moves| moves.into_iter().any(|step| !captures.contains(&step)))
}

fn has_no_moves(board: &Board) -> bool {
    !board.generate_moves(|_| true)
}

pub(crate) fn is_mate(board: &Board) -> bool {
    !board.checkers().is_empty() && has_no_moves(board)
}

/// Returns whether a position is mate or won by mate at once, or can only go on with moves that zero the clock.
fn is_at_zeroing(board: &Board, wdl: Wdl5) -> bool {
    let pawns = board.pieces(Piece::Pawn);
    if wdl.is_won() {
        board.generate_moves(|moves| moves.into_iter().any(|step| is_mate(&after(board, step))))
    } else {
        !board.generate_moves_for(!pawns, |moves| {
            moves.into_iter().any(|step| !is_capture(board, step))
        })
    }
}
