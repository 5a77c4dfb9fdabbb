//! Tables of distances to zeroing as Syzygy files.

mod places;

use super::kings::CanonicalKings;
use super::piece_index::KingPair;
use super::{Index, Metric, Outcome, Tablebase};
use lucena_base::progress::{Observer, Progress, Stopped};
use lucena_chess::symmetry::Symmetry;
use lucena_chess::{Color, Material, Position, Side, Slot, Square, Squares};
use lucena_files::{WriteError, make_folder, write_file_with};
use lucena_syzygy::{Cell, Dtz, Endgame, Freedom, Man, TableKind};
use places::Places;
use rayon::prelude::*;
use std::path::Path;

impl Tablebase {
    /// Writes the Syzygy files of the endgame, and of those that it leads to, into a folder: two for each, of outcomes
    /// under the fifty-move rule and of distances to zeroing. Calls `written` with the path of each.
    ///
    /// # Panics
    /// If the distances are not to zeroing.
    ///
    /// # Errors
    /// If the work is stopped, a table file can no longer be read, or a file cannot be written.
    pub fn save_syzygy(
        &self,
        folder: &Path,
        observer: &dyn Observer,
        mut written: impl FnMut(&Path),
    ) -> Result<(), SaveSyzygyError> {
        make_folder(folder)?;
        // Bare kings have no files.
        for &material in self.tables.keys().filter(|material| material.men() > 2) {
            for (kind, bytes) in self.syzygy_files(material, observer)? {
                let path = folder.join(format!("{material}.{}", kind.extension()));
                write_file_with(&path, |file| file.write_all(&bytes))?;
                written(&path);
            }
        }
        Ok(())
    }

    /// Returns the Syzygy files of an endgame that the tablebase holds: its outcomes under the fifty-move rule, and its
    /// distances to zeroing.
    ///
    /// # Panics
    /// If the distances are not to zeroing, or there are only two men.
    ///
    /// # Errors
    /// If the work is stopped, or a table file can no longer be read.
    pub fn syzygy_files(
        &self,
        material: Material,
        observer: &dyn Observer,
    ) -> Result<[(TableKind, Vec<u8>); 2], Stopped> {
        assert_eq!(self.metric(), Metric::Dtz, "Syzygy files hold distances to zeroing");
        observer.report(Progress { what: &format!("writing {material}"), done: 0, total: None });
        let endgame = RuleCells::new(self, material, observer)?;
        let [outcomes, distances] = lucena_syzygy::write(&endgame);
        Ok([(TableKind::Wdl, outcomes), (TableKind::Dtz, distances)])
    }
}

/// An error in writing Syzygy files.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SaveSyzygyError {
    /// The work was stopped, or a table can no longer be read.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// A file cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
}

/// The cells of all placements, by side to move.
struct RuleCells<'t> {
    index: &'t Index,
    places: Places,
    cells: [Vec<Cell>; 2],
}

impl<'t> RuleCells<'t> {
    fn new(
        tablebase: &'t Tablebase,
        material: Material,
        observer: &dyn Observer,
    ) -> Result<Self, Stopped> {
        let table = &tablebase.tables[&material];
        let index = &table.index;
        let entries = table.plain()?;
        let places = Places::new(index.material);
        let cells = |turn: Side| -> Result<Vec<Cell>, Stopped> {
            let entries = &entries[turn as usize];
            let fill = |(pair, cells): (&KingPair, &mut [Cell])| -> Result<(), Stopped> {
                observer.check()?;
                for (number, squares) in (pair.first..).zip(&*index.placements_of(pair)) {
                    let Some(outcome) = tablebase.metric().outcome(entries.get(number)) else {
                        continue;
                    };
                    let position = Position::from_slots_unchecked(index.material, turn, *squares);
                    let cell = tablebase.cell(&position, outcome);
                    cells[places.place(squares)] = cell;
                    if pair.diagonal.is_some() {
                        // The mirror image has the same kings.
                        cells[places.place(&Symmetry::TRANSPOSITION.apply_to_squares(squares))] =
                            cell;
                    }
                }
                Ok(())
            };
            let mut cells = vec![Cell::NONE; index.pairs.len() * places.len()];
            index
                .pairs
                .par_iter()
                .zip(cells.par_chunks_exact_mut(places.len()))
                .try_for_each(fill)?;
            Ok(cells)
        };
        let cells = [cells(Side::Strong)?, cells(Side::Weak)?];
        tablebase.check_readable()?;
        Ok(Self { index, places, cells })
    }

    /// The canonical form of two kings; `None` if they are next to each other.
    fn kings(&self, squares: &[Square]) -> Option<CanonicalKings> {
        let [strong, weak, ..] = *squares else { return None };
        let touch = cozy_chess::get_king_moves(strong).has(weak);
        (!touch).then(|| self.index.kings.get(strong, weak))
    }

    /// The cells of a side to move with the kings on canonical squares.
    fn of_pair(&self, turn: Color, kings: CanonicalKings) -> &[Cell] {
        let len = self.places.len();
        &self.cells[turn as usize][usize::from(kings.pair) * len..][..len]
    }
}

impl Tablebase {
    /// The cell of a position with an outcome.
    fn cell(&self, position: &Position, outcome: Outcome) -> Cell {
        let plies = outcome.plies().unwrap_or(0);
        Cell::new(Dtz::from(outcome).wdl(), plies, self.freedom(position, outcome))
    }

    fn freedom(&self, position: &Position, outcome: Outcome) -> Freedom {
        let mut freedom = Freedom::default();
        // Only a capture or pawn move leads to these distances, or else mate.
        let may_zero = matches!(outcome, Outcome::Win(1 | 101));
        let may_be_lower = !matches!(outcome, Outcome::Win(_) | Outcome::Loss(..=100));
        if !(may_zero || may_be_lower) || !may_convert(position) {
            return freedom;
        }
        let wanted = Dtz::from(outcome).wdl();
        let is_wanted = |after| Dtz::from(self.metric().before_move(after, true)).wdl() == wanted;
        position.visit_conversions(position.danger(position.turn()), |step| {
            if (freedom.by_capture || step.captured.is_none()) && (freedom.by_zeroing || !may_zero)
            {
                return;
            }
            if is_wanted(self.entry_outcome(&position.after(step))) {
                freedom.by_capture |= step.captured.is_some();
                freedom.by_zeroing |= may_zero;
            }
        });
        if may_zero && !freedom.by_zeroing {
            position.visit_pushes(|step| {
                freedom.by_zeroing =
                    freedom.by_zeroing || is_wanted(self.outcome(&position.after(step)));
            });
        }
        freedom
    }
}

impl Endgame for RuleCells<'_> {
    fn men(&self) -> Vec<Man> {
        let material = self.index.material;
        let man = |slot| {
            let color = match material.side(slot) {
                Side::Strong => Color::White,
                Side::Weak => Color::Black,
            };
            Man { color, role: material.role(slot) }
        };
        material.slots().map(man).collect()
    }

    fn may_be_on_edge(&self, turn: Color) -> bool {
        self.cells[turn as usize].par_iter().any(|cell| cell.is_on_edge())
    }

    fn cell(&self, turn: Color, squares: &[Square]) -> Cell {
        let Some(kings) = self.kings(squares) else { return Cell::NONE };
        let image = image(kings, squares);
        self.of_pair(turn, kings)[self.places.place(&image)]
    }

    fn fill_row(
        &self,
        turn: Color,
        squares: &mut [Square],
        man: usize,
        on: &[Square],
        cells: &mut [Cell],
    ) {
        if man < 2 {
            for (cell, &square) in cells.iter_mut().zip(on) {
                squares[man] = square;
                *cell = self.cell(turn, squares);
            }
            return;
        }
        let Some(kings) = self.kings(squares) else {
            cells.fill(Cell::NONE);
            return;
        };
        let of_pair = self.of_pair(turn, kings);
        let image = image(kings, squares);
        let row = self.places.row(&image, man);
        for (cell, &square) in cells.iter_mut().zip(on) {
            *cell = of_pair[row.place(kings.symmetry.apply(square))];
        }
    }
}

/// Returns false if the side to move has no pawn and attacks nothing. Most positions are like that.
fn may_convert(position: &Position) -> bool {
    let (material, turn) = (position.material(), position.turn());
    let is_attacked = |slot: Slot| position.is_attacked(position.squares()[slot], turn);
    material.has_pawns_of(turn) || material.slots_of(!turn).skip(1).any(is_attacked)
}

/// The squares of men on a board that is turned so that the kings are on canonical squares.
fn image(kings: CanonicalKings, squares: &[Square]) -> Squares {
    let mut image = [Square::A1; lucena_chess::MAX_MEN];
    for (image, &square) in image.iter_mut().zip(squares) {
        *image = kings.symmetry.apply(square);
    }
    image
}
