//! What `verify` answers.

use lucena_base::work::{Stopped, Watch};
use lucena_chess::Material;
use lucena_tablebase::{Plies, TableFolder};
use schemars::JsonSchema;
use serde::Serialize;
use std::time::Instant;

/// Whether every entry of some endgames is right.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Verified {
    /// One by one, in the order in which they were asked for.
    pub endgames: Vec<VerifiedEndgame>,
    /// The positions of all, up to symmetry.
    pub positions: u64,
    /// Whether all entries are right.
    pub right: bool,
    /// How many seconds it took.
    pub seconds: f64,
}

/// Whether every entry of an endgame is right.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct VerifiedEndgame {
    /// The endgame, both sides with a v between them.
    pub material: String,
    /// The positions that were checked, up to symmetry; 0 if an entry is wrong.
    pub positions: u64,
    /// The longest mate in plies, whoever mates; nothing where nobody can.
    pub longest_plies: Option<Plies>,
    /// How many seconds it took to solve the endgame, or to read it.
    pub solve_seconds: f64,
    /// How many seconds it took to check it.
    pub verify_seconds: f64,
    /// What is wrong, if anything is.
    pub wrong: Option<String>,
}

impl Verified {
    /// Checks endgames of a folder one by one; each is shown as soon as it is done.
    ///
    /// # Errors
    /// When the work is stopped.
    pub fn new(
        folder: &TableFolder,
        materials: &[Material],
        watch: &dyn Watch,
        mut show: impl FnMut(&VerifiedEndgame),
    ) -> Result<Self, Stopped> {
        let start = Instant::now();
        let mut endgames = Vec::new();
        for &material in materials {
            let endgame = VerifiedEndgame::new(folder, material, watch)?;
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

impl VerifiedEndgame {
    fn new(folder: &TableFolder, material: Material, watch: &dyn Watch) -> Result<Self, Stopped> {
        let start = Instant::now();
        let tablebase = folder.tablebase(material, watch)?;
        let solve_seconds = start.elapsed().as_secs_f64();
        let start = Instant::now();
        let checked = tablebase.verify_own(watch)?;
        Ok(Self {
            material: material.to_string(),
            positions: *checked.as_ref().unwrap_or(&0),
            longest_plies: tablebase.longest(),
            solve_seconds,
            verify_seconds: start.elapsed().as_secs_f64(),
            wrong: checked.err().map(|wrong| wrong.to_string()),
        })
    }
}
