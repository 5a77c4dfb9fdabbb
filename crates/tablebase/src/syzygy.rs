//! Tables of distances to zeroing as Syzygy files.

use super::piece_index::KingPair;
use super::{Index, Metric, Outcome, Tablebase};
use lucena_base::progress::{Observer, Progress, Stopped};
use lucena_chess::{Color, Material, Position, Side, Square, Squares};
use lucena_files::{WriteError, make_folder, write_file_with};
use lucena_syzygy::{Cell, Endgame, Freedom, Kind, Man, Wdl5};
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
    ) -> Result<[(Kind, Vec<u8>); 2], Stopped> {
        assert_eq!(self.metric(), Metric::Dtz, "Syzygy files hold distances to zeroing");
        observer.report(Progress { what: &format!("writing {material}"), done: 0, total: None });
        let endgame = RuleCells::new(self, material, observer)?;
        let [outcomes, distances] = lucena_syzygy::write(&endgame);
        Ok([(Kind::Wdl, outcomes), (Kind::Dtz, distances)])
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

/// The outcome under the fifty-move rule that an outcome with a distance to zeroing is.
fn wdl(outcome: Outcome) -> Wdl5 {
    match outcome {
        Outcome::Win(plies) if plies <= super::metric::RULE => Wdl5::Win,
        Outcome::Win(_) => Wdl5::CursedWin,
        Outcome::Draw => Wdl5::Draw,
        Outcome::Loss(plies) if plies <= super::metric::RULE => Wdl5::Loss,
        Outcome::Loss(_) => Wdl5::BlessedLoss,
    }
}

/// The cells of all placements, by side to move and in the order of the index.
struct RuleCells<'t> {
    index: &'t Index,
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
        let cells = |turn: Side| -> Result<Vec<Cell>, Stopped> {
            let entries = &entries[turn as usize];
            let of_pair = |pair: &KingPair| -> Result<Vec<Cell>, Stopped> {
                observer.check()?;
                let placements = index.placements_of(pair);
                let cell = |(number, squares): (usize, &Squares)| {
                    let outcome = tablebase.metric().outcome(entries.get(number));
                    outcome.map_or(Cell::NONE, |outcome| {
                        let position = Position::from_slots(index.material, turn, *squares);
                        tablebase.cell(&position, outcome)
                    })
                };
                Ok((pair.first..).zip(placements.iter()).map(cell).collect())
            };
            let pairs: Vec<Vec<Cell>> =
                index.pairs.par_iter().map(of_pair).collect::<Result<_, Stopped>>()?;
            Ok(pairs.concat())
        };
        let cells = [cells(Side::Strong)?, cells(Side::Weak)?];
        tablebase.intact()?;
        Ok(Self { index, cells })
    }
}

impl Tablebase {
    /// The cell of a position with an outcome.
    fn cell(&self, position: &Position, outcome: Outcome) -> Cell {
        let plies = outcome.plies().unwrap_or(0);
        Cell::new(wdl(outcome), plies, self.freedom(position, outcome))
    }

    fn freedom(&self, position: &Position, outcome: Outcome) -> Freedom {
        let mut freedom = Freedom::default();
        // Only a capture or pawn move leads to these distances, or else mate.
        let may_zero = matches!(outcome, Outcome::Win(1 | 101));
        let may_be_lower = !matches!(outcome, Outcome::Win(_) | Outcome::Loss(..=100));
        if !may_zero && !may_be_lower {
            return freedom;
        }
        let wanted = wdl(outcome);
        let is_wanted = |after: Outcome| wdl(self.metric().before_move(after, true)) == wanted;
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

    fn cell(&self, turn: Color, squares: &[Square]) -> Cell {
        let mut all = [Square::A1; lucena_chess::MAX_MEN];
        all[..squares.len()].copy_from_slice(squares);
        if cozy_chess::get_king_moves(all[0]).has(all[1]) {
            return Cell::NONE;
        }
        self.cells[turn as usize][self.index.of_squares(&all)]
    }
}
