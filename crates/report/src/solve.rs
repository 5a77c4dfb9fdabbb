//! What `solve` answers.

use lucena_base::work::{Stopped, Watch};
use lucena_chess::symmetry::Group;
use lucena_chess::{Material, Side};
use lucena_tablebase::{Plies, TableFolder, Tablebase};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;
use std::time::Instant;

/// How the positions of an endgame end.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Solved {
    /// The endgame, White's men first.
    pub material: String,
    /// The positions with White to move.
    pub white_to_move: SideCounts,
    /// The positions with Black to move.
    pub black_to_move: SideCounts,
    /// The longest mate in plies, whoever mates; nothing where nobody can.
    pub longest_plies: Option<Plies>,
    /// How many seconds it took to solve the endgame, or to read it.
    pub seconds: f64,
}

/// Positions with one side to move: of the full board, and up to symmetry.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct SideCounts {
    /// All positions.
    pub legal: u64,
    /// All, up to symmetry.
    pub canonical: u64,
    /// Positions that the side to move wins.
    pub won: u64,
    /// Positions that nobody wins.
    pub drawn: u64,
    /// Positions that the side to move loses.
    pub lost: u64,
    /// Plies to mate -> positions; an odd number is won, an even one lost.
    pub histogram: BTreeMap<Plies, u64>,
    /// As `won`, up to symmetry.
    pub canonical_won: u64,
    /// As `drawn`, up to symmetry.
    pub canonical_drawn: u64,
    /// As `lost`, up to symmetry.
    pub canonical_lost: u64,
    /// As `histogram`, up to symmetry.
    pub canonical_histogram: BTreeMap<Plies, u64>,
}

impl Solved {
    /// Solves an endgame, or reads it from the folder, and counts how its positions end.
    ///
    /// # Errors
    /// When the work is stopped.
    pub fn new(
        folder: &TableFolder,
        material: Material,
        watch: &dyn Watch,
    ) -> Result<(Self, Tablebase), Stopped> {
        let start = Instant::now();
        let tablebase = folder.tablebase(material, watch)?;
        let seconds = start.elapsed().as_secs_f64();
        let solved = Self {
            material: material.to_string(),
            white_to_move: SideCounts::new(&tablebase, Side::Strong),
            black_to_move: SideCounts::new(&tablebase, Side::Weak),
            longest_plies: tablebase.longest(),
            seconds,
        };
        Ok((solved, tablebase))
    }
}

impl SideCounts {
    fn new(tablebase: &Tablebase, turn: Side) -> Self {
        let full = tablebase.counts(turn, Group::Identity);
        let canonical = tablebase.counts(turn, Group::of(tablebase.material()));
        Self {
            legal: full.legal(),
            canonical: canonical.legal(),
            won: full.won,
            drawn: full.drawn,
            lost: full.lost,
            histogram: full.histogram,
            canonical_won: canonical.won,
            canonical_drawn: canonical.drawn,
            canonical_lost: canonical.lost,
            canonical_histogram: canonical.histogram,
        }
    }
}
