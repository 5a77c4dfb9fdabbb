//! The tables and Syzygy files that probes are answered from.

use super::probe::{ProbeAnswer, ProbeExtent};
use lucena_base::progress::{Observer, Stopped};
use lucena_chess::{Board, FenError, Game, Material, Position, QUICK_MEN, SOLVED_MEN};
use lucena_syzygy::{Composition, SyzygyError, SyzygyTables, TableKind};
use lucena_tablebase::{Dtz, Lookup, Metric, Outcome, TableFolder};
use rayon::prelude::*;
use serde_json::json;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Tables for probes. Positions of endgames are looked up even if their tables of distances to mate must first be
/// solved, unless Syzygy files have them. For the moves of other positions, and for distances to zeroing, only those
/// tables are used that are quickly solved, or were there from the start, so that answers do not depend on earlier
/// ones.
pub struct ProbeTables<'f> {
    mate: &'f TableFolder,
    mate_at_hand: BTreeSet<Material>,
    zeroing: TableFolder,
    zeroing_at_hand: BTreeSet<Material>,
    syzygy: Option<&'f SyzygyTables>,
}

impl<'f> ProbeTables<'f> {
    /// Takes stock of a folder of tables of distances to mate, of those of distances to zeroing beside them, and of
    /// Syzygy files.
    pub fn new(mate: &'f TableFolder, syzygy: Option<&'f SyzygyTables>) -> Self {
        let zeroing = mate.beside(Metric::Dtz);
        let at_hand = |folder: &TableFolder| {
            let all = (3..=SOLVED_MEN).flat_map(Material::of_men);
            all.filter(|&material| folder.has_file(material)).collect()
        };
        let (mate_at_hand, zeroing_at_hand) = (at_hand(mate), at_hand(&zeroing));
        Self { mate, mate_at_hand, zeroing, zeroing_at_hand, syzygy }
    }

    /// Returns the look-up for the positions of a game.
    pub fn lookup<'a>(&'a self, game: &Game, observer: &'a dyn Observer) -> TableLookup<'a> {
        let solves = match Self::may_solve(game, self.syzygy) {
            true => Solves::Endgames,
            false => Solves::Quickly,
        };
        TableLookup { tables: self, solves, observer }
    }

    /// Returns a look-up that solves only endgames that are quickly solved, for any position.
    pub fn quick_lookup<'a>(&'a self, observer: &'a dyn Observer) -> TableLookup<'a> {
        TableLookup { tables: self, solves: Solves::Quickly, observer }
    }

    /// Returns true if the table of a game's position is solved when it is missing: the position is one of an endgame,
    /// and Syzygy files do not have it.
    pub fn may_solve(game: &Game, syzygy: Option<&SyzygyTables>) -> bool {
        game.position().is_ok() && !syzygy.is_some_and(|tables| has_outcomes(tables, game.board()))
    }

    /// Answers FENs, one a line, with a JSON object a line in the same order: a [`ProbeAnswer`],
    /// or an object with an `error`; in both, `lucena` has the `fen`. Also returns the number of invalid FENs.
    ///
    /// # Errors
    /// If a table has to be solved and that is stopped.
    pub fn probe_lines(
        &self,
        fens: &[&str],
        extent: ProbeExtent,
        observer: &dyn Observer,
    ) -> Result<(Vec<u8>, u64), Stopped> {
        let asked = fens.par_iter().with_min_len(SHARE).map(|fen| fen.parse());
        let asked: Vec<Result<Game, FenError>> = asked.collect();
        let to_solve = asked.iter().flatten().filter(|game| Self::may_solve(game, self.syzygy));
        let endgames: Vec<Position> = to_solve.filter_map(|game| game.position().ok()).collect();
        self.mate.prepare(&endgames, observer)?;
        let has_zeroing = |position: &&Position| {
            let needed = TableFolder::needed(position);
            needed.into_iter().all(|material| self.has_zeroing(material))
        };
        self.zeroing.prepare(endgames.iter().filter(has_zeroing), observer)?;
        let answer = |(fens, asked): (&[&str], &[Result<Game, FenError>])| {
            let mut answers = Vec::new();
            for (&fen, asked) in fens.iter().zip(asked) {
                let written = match asked {
                    Ok(game) => {
                        let tables = self.lookup(game, observer);
                        let answer = ProbeAnswer::new(fen.into(), game, extent, &tables)?;
                        serde_json::to_writer(&mut answers, &answer)
                    }
                    Err(error) => {
                        let asked = json!({ "fen": beginning(fen) });
                        let wrong = json!({ "error": error.to_string(), "lucena": asked });
                        serde_json::to_writer(&mut answers, &wrong)
                    }
                };
                written.expect("texts and numbers become JSON");
                answers.push(b'\n');
            }
            Ok(answers)
        };
        let shares = fens.par_chunks(SHARE).zip(asked.par_chunks(SHARE));
        let answers: Vec<Vec<u8>> = shares.map(answer).collect::<Result<_, Stopped>>()?;
        let wrong = asked.iter().filter(|asked| asked.is_err()).count();
        Ok((answers.concat(), wrong as u64))
    }
}

impl ProbeTables<'_> {
    fn has_zeroing(&self, material: Material) -> bool {
        material.men() <= QUICK_MEN || self.zeroing_at_hand.contains(&material)
    }
}

/// The tables of a folder, for the positions of one game.
pub struct TableLookup<'a> {
    tables: &'a ProbeTables<'a>,
    solves: Solves,
    observer: &'a dyn Observer,
}

/// The tables that a look-up solves if they are missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Solves {
    /// Those of both metrics that are quickly solved.
    Quickly,
    /// Besides, those of distances to mate of all endgames.
    Endgames,
}

impl Lookup for TableLookup<'_> {
    type Error = Stopped;

    fn mate(&self, position: &Position) -> Result<Option<Outcome>, Stopped> {
        let ProbeTables { mate, mate_at_hand, .. } = self.tables;
        let material = position.material();
        let may_be_used = match self.solves {
            Solves::Quickly => material.men() <= QUICK_MEN || mate_at_hand.contains(&material),
            Solves::Endgames => true,
        };
        may_be_used.then(|| mate.probe(position, self.observer)).transpose()
    }

    fn zeroing(&self, board: &Board, position: Option<&Position>) -> Result<Option<Dtz>, Stopped> {
        let Self { tables, observer, .. } = *self;
        let material = position.map(Position::material);
        let has_file = material.is_some_and(|material| tables.zeroing_at_hand.contains(&material));
        zeroing_distance(board, has_file, tables.syzygy, || {
            let at_hand = position.filter(|position| tables.has_zeroing(position.material()));
            at_hand.map(|position| tables.zeroing.probe(position, observer)).transpose()
        })
    }
}

/// The distance to zeroing from the first source that has it: lucena's table, which is exact, if `has_file`; then
/// Syzygy files; then a table that is solved first. `None` if no source has it.
///
/// # Errors
/// If a file is damaged or missing, or a table cannot be solved.
pub fn zeroing_distance<E: From<Stopped>>(
    board: &Board,
    has_file: bool,
    syzygy: Option<&SyzygyTables>,
    probe: impl FnOnce() -> Result<Option<Outcome>, E>,
) -> Result<Option<Dtz>, E> {
    let Some(syzygy) = syzygy.filter(|tables| !has_file && has_outcomes(tables, board)) else {
        return Ok(probe()?.map(Dtz::from));
    };
    match syzygy.probe_dtz(board) {
        Ok(dtz) => Ok(Some(dtz)),
        // A side may castle.
        Err(SyzygyError::Castling) => Ok(None),
        Err(error) => Err(Stopped::Unreadable(Arc::new(error)).into()),
    }
}

fn has_outcomes(syzygy: &SyzygyTables, board: &Board) -> bool {
    syzygy.has(Composition::from_board(board), TableKind::Wdl)
}

/// The number of lines handed to a thread at once.
const SHARE: usize = 32;

/// The part of an invalid line that is echoed. A FEN is much shorter than this limit.
fn beginning(line: &str) -> &str {
    line.char_indices().nth(200).map_or(line, |(end, _)| &line[..end])
}
