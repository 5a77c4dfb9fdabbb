//! Verification of the tables of an endgame: their claim about each position, against their claims after its moves.
//!
//! A claim about a position is a range of distances, since tables round them. The claims after the moves of a position
//! give one about the position itself; it and the tables contradict each other if the ranges have nothing in common.

use crate::claim::{Claim, PackedClaim};
use crate::composition::Composition;
use crate::error::SyzygyError;
use crate::folder::SyzygyTables;
use crate::numbering::Numbering;
use crate::probe::{after, is_capture, is_mate};
use crate::table::{Table, TableKind};
use cozy_chess::{Board, BoardBuilder, Color, Move, Piece, Square, get_king_moves};
use lucena_base::progress::{Observer, SharedProgress, Stopped};
use rayon::prelude::*;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The number of placements that are verified between two looks at the observer.
const CHUNK: usize = 1 << 12;

/// A position of which tables contradict each other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contradiction {
    /// The position, as FEN.
    pub fen: String,
    /// What the tables say of it; if there are two files of its men, that of outcomes.
    pub said: Claim,
    /// The claim of the other source.
    pub other: Claim,
    /// The other source.
    pub source: Witness,
}

/// The source that contradicts the table of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Witness {
    /// What the tables say of the positions after its moves.
    Moves,
    /// The file of distances of the same men.
    Distances,
}

impl fmt::Display for Contradiction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { fen, said, other, source } = self;
        match source {
            Witness::Moves => {
                write!(f, "the tables have {said} in {fen}, but its moves give {other}")
            }
            Witness::Distances => write!(
                f,
                "the file of outcomes has {said} in {fen}, but the file of distances has {other}"
            ),
        }
    }
}

/// An error in a verification.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum VerifyError {
    /// The request to stop.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// A table is missing or cannot be used.
    #[error(transparent)]
    Syzygy(#[from] SyzygyError),
}

/// Why the work on some positions ends early.
enum End {
    Error(VerifyError),
    Contradiction(Box<Contradiction>),
}

impl<E: Into<VerifyError>> From<E> for End {
    fn from(error: E) -> Self {
        Self::Error(error.into())
    }
}

impl SyzygyTables {
    /// Verifies the tables of men: whether each outcome is that of the best move, captures and promotions included, and
    /// each distance the one that follows from those after the moves, as far as rounding allows. Without a file of
    /// distances, outcomes alone are verified.
    ///
    /// Returns how many positions there are, or the first contradiction. The files that captures and promotions lead to
    /// have to be there, and are trusted. Positions that differ by symmetry only are verified once, and captures en
    /// passant are seen in the positions before them. It takes four bytes for each placement: with five men up to 500 MB.
    ///
    /// # Errors
    /// If the observer stops it, or a table is missing or cannot be used.
    pub fn verify(
        &self,
        men: Composition,
        observer: &dyn Observer,
    ) -> Result<Result<u64, Contradiction>, VerifyError> {
        let kinds = [TableKind::Dtz, TableKind::Wdl];
        let kind = kinds.into_iter().find(|kind| self.has(men, *kind)).unwrap_or(TableKind::Wdl);
        let table = self.table(men, kind)?;
        let files = 0..table.files();
        // If the sides have the same men, a move leads to any file, since colours are exchanged.
        let groups = match table.composition().is_symmetric() {
            true => vec![files],
            false => files.map(|file| file..file + 1).collect(),
        };
        let checks = groups.into_iter().map(|files| Check { tables: self, table, kind, files });
        let checks: Vec<_> = checks.collect();
        let total = checks.iter().map(Check::steps).sum();
        let what = format!("verifying {}", table.composition());
        let progress = SharedProgress::new(observer, &what, total);
        let mut positions = 0;
        for check in checks {
            match check.run(observer, &progress) {
                Ok(count) => positions += count,
                Err(End::Contradiction(contradiction)) => return Ok(Err(*contradiction)),
                Err(End::Error(error)) => return Err(error),
            }
        }
        Ok(Ok(positions))
    }
}

/// The verification of the positions with the first pawn on some files, or of all positions without pawns.
struct Check<'t> {
    tables: &'t SyzygyTables,
    /// The table of distances; if there is none, that of outcomes.
    table: &'t Table,
    kind: TableKind,
    files: Range<usize>,
}

/// The claims about the positions with one side to move, by the file of the first pawn.
type Claims = [Vec<PackedClaim>; 4];

impl Check<'_> {
    /// The side to move of which the table has the positions.
    fn own_side(&self) -> Color {
        self.table.own_side(self.files.start)
    }

    fn len(&self, file: usize, side: Color) -> u64 {
        self.table.numbering(file, side).len()
    }

    /// The number of placements that are looked at: those of the side that the table has twice, the others once.
    fn steps(&self) -> u64 {
        let own = self.own_side();
        let is_symmetric = self.table.composition().is_symmetric();
        let other = |file| if is_symmetric { 0 } else { self.len(file, !own) };
        self.files.clone().map(|file| 2 * self.len(file, own) + other(file)).sum()
    }

    /// Returns how many positions there are.
    fn run(&self, observer: &dyn Observer, progress: &SharedProgress<'_>) -> Result<u64, End> {
        let positions = AtomicU64::new(0);
        let pass = Pass { check: self, observer, progress, positions: &positions };
        let own = self.own_side();
        let claims = pass.fill(own, |board| self.said(board))?;
        positions.store(0, Ordering::Relaxed);
        let others = match self.table.composition().is_symmetric() {
            true => None,
            false => {
                Some(pass.fill(!own, |board| self.follow(board, self.outcome(board)?, &claims))?)
            }
        };
        let others = others.as_ref().unwrap_or(&claims);
        pass.visit(own, |board, file, number| {
            self.follow(board, claims[file][number].unpack(), others).map(|_| ())
        })?;
        Ok(positions.into_inner())
    }

    fn outcome(&self, board: &Board) -> Result<Claim, End> {
        Ok(Claim::of_outcome(self.tables.wdl(board)?))
    }

    /// What the files of the men say of a position of the side that the table has.
    fn said(&self, board: &Board) -> Result<Claim, End> {
        let said = self.outcome(board)?;
        if self.kind == TableKind::Wdl {
            return Ok(said);
        }
        let dtz = self.tables.dtz(board)?;
        let other = Claim::of_distance(dtz);
        said.and(other).ok_or_else(|| contradiction(board, said, other, Witness::Distances))
    }

    /// The rest of a claim about a position, given the claims of the other side after its moves.
    fn follow(&self, board: &Board, said: Claim, others: &Claims) -> Result<Claim, End> {
        let by_moves = self.best(board, others)?;
        said.and(by_moves).ok_or_else(|| contradiction(board, said, by_moves, Witness::Moves))
    }

    /// What the moves of a position say.
    fn best(&self, board: &Board, others: &Claims) -> Result<Claim, End> {
        let mut best = None;
        let mut result = Ok(());
        board.generate_moves(|moves| {
            moves.into_iter().any(|step| {
                match self.after_move(board, step, others) {
                    Ok(claim) => best = Some(best.map_or(claim, |best: Claim| best.max(claim))),
                    Err(end) => result = Err(end),
                }
                result.is_err()
            })
        });
        result?;
        let is_check = !board.checkers().is_empty();
        Ok(best.unwrap_or(if is_check { Claim::MATED } else { Claim::DRAW }))
    }

    /// The claim of a move about the position before it.
    fn after_move(&self, board: &Board, step: Move, others: &Claims) -> Result<Claim, End> {
        let after = after(board, step);
        if is_mate(&after) {
            return Ok(Claim::MATES);
        }
        if is_capture(board, step) || board.piece_on(step.from) == Some(Piece::Pawn) {
            return Ok(Claim::of_zeroing(self.tables.wdl(&after)?.before_move()));
        }
        let place = self.table.number(&after, Composition::from_board(&after));
        let (file, number) = place.map_err(|error| SyzygyError::from(Arc::new(error)))?;
        Ok(others[file][number as usize].unpack().before_move())
    }
}

fn contradiction(board: &Board, said: Claim, other: Claim, source: Witness) -> End {
    End::Contradiction(Box::new(Contradiction { fen: board.to_string(), said, other, source }))
}

/// A look at all positions of one side to move.
struct Pass<'c, 't> {
    check: &'c Check<'t>,
    observer: &'c dyn Observer,
    progress: &'c SharedProgress<'c>,
    /// The number of positions that were looked at.
    positions: &'c AtomicU64,
}

impl Pass<'_, '_> {
    /// The claims that a function makes about the positions.
    fn fill(
        &self,
        side: Color,
        claim: impl Fn(&Board) -> Result<Claim, End> + Sync,
    ) -> Result<Claims, End> {
        let mut all = Claims::default();
        for file in self.check.files.clone() {
            all[file] = vec![PackedClaim::default(); self.check.len(file, side) as usize];
            let chunks = all[file].par_chunks_mut(CHUNK).enumerate();
            let end = chunks.find_map_first(|(chunk, claims)| {
                let start = chunk * CHUNK;
                let numbers = start..start + claims.len();
                let end = self.boards(side, file, numbers, |board, number| {
                    claims[number - start] = claim(board)?.pack();
                    Ok(())
                });
                end.err()
            });
            end.map_or(Ok(()), Err)?;
        }
        Ok(all)
    }

    /// Calls a function with the positions, the file of their first pawn and their numbers.
    fn visit(
        &self,
        side: Color,
        visit: impl Fn(&Board, usize, usize) -> Result<(), End> + Sync,
    ) -> Result<(), End> {
        for file in self.check.files.clone() {
            let len = self.check.len(file, side) as usize;
            let end = (0..len.div_ceil(CHUNK)).into_par_iter().find_map_first(|chunk| {
                let numbers = chunk * CHUNK..len.min((chunk + 1) * CHUNK);
                self.boards(side, file, numbers, |board, number| visit(board, file, number)).err()
            });
            end.map_or(Ok(()), Err)?;
        }
        Ok(())
    }

    /// Calls a function with the legal positions of some numbers until it returns an error.
    fn boards(
        &self,
        side: Color,
        file: usize,
        numbers: Range<usize>,
        mut visit: impl FnMut(&Board, usize) -> Result<(), End>,
    ) -> Result<(), End> {
        self.observer.check()?;
        let numbering = self.check.table.numbering(file, side);
        let mut result = Ok(());
        let mut number = numbers.start;
        let mut positions = 0;
        numbering.visit(numbers.start as u64..numbers.end as u64, |squares| {
            if result.is_ok()
                && let Some(board) = board(numbering, squares, side)
            {
                result = visit(&board, number);
                positions += 1;
            }
            number += 1;
        });
        self.positions.fetch_add(positions, Ordering::Relaxed);
        self.progress.add(numbers.len() as u64);
        result
    }
}

/// The position with men on squares, unless it is not legal.
fn board(numbering: &Numbering, squares: &[Square], side: Color) -> Option<Board> {
    let mut builder = BoardBuilder::empty();
    builder.side_to_move = side;
    for (man, square) in numbering.men().iter().zip(squares) {
        *builder.square_mut(*square) = Some((man.role, man.color));
    }
    let board = builder.build().ok()?;
    let kings = [Color::White, Color::Black].map(|color| board.king(color));
    (!get_king_moves(kings[0]).has(kings[1])).then_some(board)
}
