//! The report of `verify`.

use lucena_base::progress::{Observer, Stopped};
use lucena_chess::Material;
use lucena_tablebase::{Plies, TableFolder};
use schemars::JsonSchema;
use serde::Serialize;
use std::time::Instant;

/// The verification of some endgames.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct VerifyReport {
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
    /// The longest mate in plies, by either side; null if there is none.
    pub longest_plies: Option<Plies>,
    /// Seconds taken to solve the endgame or to read its table.
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
        watch: &dyn Observer,
        mut show: impl FnMut(&EndgameVerification),
    ) -> Result<Self, Stopped> {
        let start = Instant::now();
        let mut endgames = Vec::new();
        for &material in materials {
            let endgame = EndgameVerification::new(folder, material, watch)?;
            show(&endgame);
            endgames.push(endgame);
        }
        Ok(Self {
            positions: endgames.iter().map(|endgame| endgame.positions).sum(),
            right: endgames.iter().all(|endgame| endgame.wrong.is_none()),
            endgames,
            seconds: start.elapsed().as_secs_f64(),
        })
    }
}

impl EndgameVerification {
    fn new(
        folder: &TableFolder,
        material: Material,
        watch: &dyn Observer,
    ) -> Result<Self, Stopped> {
        let start = Instant::now();
        let tablebase = folder.tablebase(material, watch)?;
        let solve_seconds = start.elapsed().as_secs_f64();
        let start = Instant::now();
        let checked = tablebase.verify_own(watch)?;
        let longest_plies = tablebase.longest();
        tablebase.intact()?;
        Ok(Self {
            material: material.to_string(),
            positions: *checked.as_ref().unwrap_or(&0),
            longest_plies,
            solve_seconds,
            verify_seconds: start.elapsed().as_secs_f64(),
            wrong: checked.err().map(|wrong| wrong.to_string()),
        })
    }
}
