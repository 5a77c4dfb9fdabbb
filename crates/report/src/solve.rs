//! The reports of `solve` and `verify`.

use lucena_base::progress::{Observer, Stopped, timed};
use lucena_chess::symmetry::Group;
use lucena_chess::{Material, Side};
use lucena_syzygy::{Composition, FileError, SyzygyTables, TableKind, VerifyError, check_file};
use lucena_tablebase::{Metric, Plies, TableFolder, Tablebase};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;
use std::time::Instant;

/// An error in verifying Syzygy files.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum VerifySyzygyError {
    /// The work was stopped, or a file is missing.
    #[error(transparent)]
    Verify(#[from] VerifyError),
    /// A file is damaged.
    #[error(transparent)]
    File(#[from] FileError),
}

/// The outcomes of an endgame's positions, counted.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct SolveReport {
    /// The endgame, White's men first.
    pub material: String,
    /// The distance that is counted.
    pub metric: Metric,
    /// The positions with White to move.
    pub white_to_move: SideCounts,
    /// The positions with Black to move.
    pub black_to_move: SideCounts,
    /// The longest distance in plies, whichever side wins; null if nobody does. A distance to zeroing beyond 100
    /// stands for that many plies or 100 fewer, here and in the counts.
    pub longest_plies: Option<Plies>,
    /// Seconds taken to solve the endgame or to read its table.
    pub seconds: f64,
}

/// Outcomes of the positions with one side to move: on the full board, and up to symmetry.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct SideCounts {
    /// Legal positions.
    pub legal: u64,
    /// Legal positions up to symmetry.
    pub canonical: u64,
    /// Positions that the side to move wins.
    pub won: u64,
    /// Drawn positions.
    pub drawn: u64,
    /// Positions that the side to move loses.
    pub lost: u64,
    /// Of the won positions, those whose win comes too late under the fifty-move rule; null if the distance is to
    /// mate, which ignores the rule.
    pub cursed_won: Option<u64>,
    /// Of the lost positions, those whose loss comes too late under the fifty-move rule; null if the distance is to
    /// mate.
    pub blessed_lost: Option<u64>,
    /// Positions by their distance in plies. Those to mate are odd if won, even if lost.
    pub histogram: BTreeMap<Plies, u64>,
    /// The lost positions among them.
    pub lost_histogram: BTreeMap<Plies, u64>,
    /// Won positions up to symmetry.
    pub canonical_won: u64,
    /// Drawn positions up to symmetry.
    pub canonical_drawn: u64,
    /// Lost positions up to symmetry.
    pub canonical_lost: u64,
    /// Of the won positions up to symmetry, those whose win comes too late; null if the distance is to mate.
    pub canonical_cursed_won: Option<u64>,
    /// Of the lost positions up to symmetry, those whose loss comes too late; null if the distance is to mate.
    pub canonical_blessed_lost: Option<u64>,
    /// Positions up to symmetry, by their distance in plies.
    pub canonical_histogram: BTreeMap<Plies, u64>,
}

impl SolveReport {
    /// Solves an endgame, or reads it from the folder, and counts its outcomes.
    ///
    /// # Errors
    /// If the work is stopped.
    pub fn new(
        folder: &TableFolder,
        material: Material,
        observer: &dyn Observer,
    ) -> Result<(Self, Tablebase), Stopped> {
        let (tablebase, seconds) = timed(|| folder.tablebase(material, observer));
        let tablebase = tablebase?;
        let counts = |turn| SideCounts::new(&tablebase, turn);
        let [white_to_move, black_to_move] = [Side::Strong, Side::Weak].map(counts);
        let (material, longest_plies) = (material.to_string(), tablebase.longest());
        let metric = folder.metric();
        let solved =
            Self { material, metric, white_to_move, black_to_move, longest_plies, seconds };
        tablebase.check_readable()?;
        Ok((solved, tablebase))
    }
}

impl SideCounts {
    fn new(tablebase: &Tablebase, turn: Side) -> Self {
        let full = tablebase.counts(turn, Group::Identity);
        let canonical = tablebase.counts(turn, Group::new(tablebase.material()));
        let knows_rule = tablebase.metric() == Metric::Dtz;
        let [cursed_won, blessed_lost] = full.too_late().map(|late| knows_rule.then_some(late));
        let [canonical_cursed_won, canonical_blessed_lost] =
            canonical.too_late().map(|late| knows_rule.then_some(late));
        Self {
            legal: full.legal(),
            canonical: canonical.legal(),
            won: full.won,
            drawn: full.drawn,
            lost: full.lost,
            cursed_won,
            blessed_lost,
            histogram: full.histogram,
            lost_histogram: full.lost_histogram,
            canonical_won: canonical.won,
            canonical_drawn: canonical.drawn,
            canonical_lost: canonical.lost,
            canonical_cursed_won,
            canonical_blessed_lost,
            canonical_histogram: canonical.histogram,
        }
    }
}

/// The verification of some endgames.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct VerifyReport {
    /// The distance that is checked.
    pub metric: Metric,
    /// The endgames, in the order given.
    pub endgames: Vec<EndgameVerification>,
    /// Positions of all endgames, up to symmetry.
    pub positions: u64,
    /// True if all entries are right.
    pub right: bool,
    /// Elapsed time in seconds.
    pub seconds: f64,
}

/// The verification of an endgame.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct EndgameVerification {
    /// The endgame, both sides with a v between them.
    pub material: String,
    /// Positions checked, up to symmetry; 0 if an entry is wrong.
    pub positions: u64,
    /// The longest distance in plies, whichever side wins; null if nobody does, and for Syzygy files. A distance to
    /// zeroing beyond 100 stands for that many plies or 100 fewer.
    pub longest_plies: Option<Plies>,
    /// Seconds taken to solve the endgame or to read its table; 0 for Syzygy files.
    pub solve_seconds: f64,
    /// Seconds taken to check it.
    pub verify_seconds: f64,
    /// The error, if there is one.
    pub wrong: Option<String>,
}

impl VerifyReport {
    /// Checks endgames of a folder one by one and calls `show` after each.
    ///
    /// # Errors
    /// If the work is stopped.
    pub fn new(
        folder: &TableFolder,
        materials: &[Material],
        observer: &dyn Observer,
        mut show: impl FnMut(&EndgameVerification),
    ) -> Result<Self, Stopped> {
        let start = Instant::now();
        let mut endgames = Vec::new();
        for &material in materials {
            let endgame = EndgameVerification::new(folder, material, observer)?;
            show(&endgame);
            endgames.push(endgame);
        }
        let positions = endgames.iter().map(|endgame| endgame.positions).sum();
        let right = endgames.iter().all(|endgame| endgame.wrong.is_none());
        let (metric, seconds) = (folder.metric(), start.elapsed().as_secs_f64());
        Ok(Self { metric, endgames, positions, right, seconds })
    }
}

impl VerifyReport {
    /// Checks the Syzygy files of endgames one by one, their checksums first, and calls `show` after each. They hold
    /// no more than they say: those that captures and promotions lead to are trusted.
    ///
    /// # Errors
    /// If the work is stopped, or a file is missing or damaged.
    pub fn of_syzygy(
        tables: &SyzygyTables,
        materials: &[Material],
        observer: &dyn Observer,
        mut show: impl FnMut(&EndgameVerification),
    ) -> Result<Self, VerifySyzygyError> {
        let start = Instant::now();
        let mut endgames = Vec::new();
        for &material in materials {
            let endgame = EndgameVerification::of_syzygy(tables, material, observer)?;
            show(&endgame);
            endgames.push(endgame);
        }
        let positions = endgames.iter().map(|endgame| endgame.positions).sum();
        let right = endgames.iter().all(|endgame| endgame.wrong.is_none());
        let seconds = start.elapsed().as_secs_f64();
        Ok(Self { metric: Metric::Dtz, endgames, positions, right, seconds })
    }
}

impl EndgameVerification {
    fn of_syzygy(
        tables: &SyzygyTables,
        material: Material,
        observer: &dyn Observer,
    ) -> Result<Self, VerifySyzygyError> {
        let name = material.to_string();
        let men: Composition = name.parse().expect("a material has a king each");
        let start = Instant::now();
        for path in
            [TableKind::Wdl, TableKind::Dtz].into_iter().filter_map(|kind| tables.file(men, kind))
        {
            check_file(path)?;
        }
        let verified = tables.verify(men, observer)?;
        Ok(Self {
            material: name,
            positions: *verified.as_ref().unwrap_or(&0),
            longest_plies: None,
            solve_seconds: 0.0,
            verify_seconds: start.elapsed().as_secs_f64(),
            wrong: verified.err().map(|contradiction| contradiction.to_string()),
        })
    }

    fn new(
        folder: &TableFolder,
        material: Material,
        observer: &dyn Observer,
    ) -> Result<Self, Stopped> {
        let (tablebase, solve_seconds) = timed(|| folder.tablebase(material, observer));
        let tablebase = tablebase?;
        let (checked, verify_seconds) = timed(|| tablebase.verify_own(observer));
        let (checked, longest_plies) = (checked?, tablebase.longest());
        tablebase.check_readable()?;
        let material = material.to_string();
        let positions = *checked.as_ref().unwrap_or(&0);
        let wrong = checked.err().map(|wrong| wrong.to_string());
        Ok(Self { material, positions, longest_plies, solve_seconds, verify_seconds, wrong })
    }
}
