use super::output::ProgressDisplay;
use super::terminal::note;
use super::{Failure, Result};
use etcetera::BaseStrategy;
use lucena::chess::{Material, QUICK_MEN};
use lucena::dataset::Dataset;
use lucena::model::ModelKind;
use lucena::progress::Stopped;
use lucena::roster::{LoadedPlayer, PlayerName};
use lucena::tablebase::{Metric, Requirements, TableFolder, Tablebase};
use std::collections::BTreeSet;
use std::path::PathBuf;

/// The folder of solved endgames: options of every verb that needs tables.
#[derive(Clone, clap::Args)]
pub(super) struct TableArgs {
    /// The folder of solved endgames [default: in the platform's cache directory]
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,
    /// The most memory that solving and proving may take, such as 800MiB or 2GiB [default: no limit]
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    memory: Option<u64>,
}

impl TableArgs {
    /// Loads or solves a material and the endgames it leads to, with a progress bar.
    pub(super) fn solve(&self, material: Material) -> Result<Tablebase> {
        Ok(self.folder_for(&[material])?.tablebase(material, &ProgressDisplay::new())?)
    }

    /// Like [`Self::solve`], for work that visits all positions of an endgame again and again, and so only
    /// if it has few enough men.
    pub(super) fn solve_quick(&self, material: Material) -> Result<Tablebase> {
        Self::check_quick(material)?;
        self.solve(material)
    }

    /// Checks that an endgame has few enough men for such work.
    pub(super) fn check_quick(material: Material) -> Result<()> {
        let because = format!(
            "this goes through all positions of an endgame again and again, which is done for {QUICK_MEN} men at most: name a smaller endgame"
        );
        Self::check_men(material, &because)
    }

    /// Checks that an endgame has few enough men for the games of trees that are just learned.
    pub(super) fn check_games_of_trees(material: Material) -> Result<()> {
        let because = format!(
            "trees play games of {QUICK_MEN} men at most: add --class wdl and --sample 200000, so that they play none, or name a smaller endgame"
        );
        Self::check_men(material, &because)
    }

    /// Checks that an endgame can be won, for work that needs won positions. This needs no table.
    #[cfg(feature = "serve")]
    pub(super) fn check_winnable(material: Material) -> Result<()> {
        match material.is_insufficient() {
            false => Ok(()),
            true => Err(Failure::usage(format!(
                "the strong side wins from no position of {material}: choose another endgame"
            ))),
        }
    }

    /// Checks that the rows of an endgame are few enough to be held in memory all at once.
    pub(super) fn check_in_memory(material: Material) -> Result<()> {
        Dataset::check_in_memory(material).map_err(|error| {
            Failure::usage(format!("{error}: take a sample, as with --sample 200000"))
        })
    }

    /// [`Self::check_in_memory`], for work that only counts.
    pub(super) fn check_countable(material: Material) -> Result<()> {
        let because = "its positions are too many to count all of them: count a sample, as with --sample 200000";
        Self::check_men(material, because)
    }

    fn check_men(material: Material, because: &str) -> Result<()> {
        if material.men() <= QUICK_MEN {
            return Ok(());
        }
        Err(Failure::usage(format!("{material} has {} men, and {because}", material.men())))
    }

    /// The folder, for work on whole endgames. The memory that solving large ones takes is checked and noted first.
    pub(super) fn folder_for(&self, materials: &[Material]) -> Result<TableFolder> {
        self.folder_of(Metric::Dtm, materials)
    }

    /// [`Self::folder_for`], for tables of a metric.
    pub(super) fn folder_of(&self, metric: Metric, materials: &[Material]) -> Result<TableFolder> {
        let folder = self.folder().of_metric(metric);
        for &material in materials.iter().filter(|material| material.men() > QUICK_MEN) {
            let Requirements { to_solve, memory, .. } = folder.requirements(material);
            let large = to_solve.iter().filter(|material| material.men() > QUICK_MEN);
            let Some(work) = solving(&large.collect::<Vec<_>>()) else { continue };
            self.reserve(&work, memory)?;
        }
        Ok(folder)
    }

    /// The approximate size of the tables of an endgame in memory, in bytes.
    pub(super) fn bytes_loaded(&self, material: Material) -> u64 {
        self.folder().requirements(material).held
    }

    /// Notes the memory that large work will take, unless it is more than is allowed.
    pub(super) fn reserve(&self, work: &str, memory: u64) -> Result<()> {
        self.check_allowed(work, memory)?;
        note(&format!("{work} takes about {} of memory", size(memory)));
        Ok(())
    }

    /// Returns true if work may take this much memory, in bytes.
    pub(super) fn allows(&self, memory: u64) -> bool {
        self.memory.is_none_or(|allowed| memory <= allowed)
    }

    /// Checks that work may take this much memory, in bytes.
    pub(super) fn check_allowed(&self, work: &str, memory: u64) -> Result<()> {
        match self.memory.filter(|&allowed| allowed < memory) {
            Some(allowed) => Err(Failure::usage(format!(
                "{work} takes about {} of memory, and --memory allows {}: allow more, or do it on another machine; .table files can be copied from one to another",
                size(memory),
                size(allowed)
            ))),
            None => Ok(()),
        }
    }

    /// Returns true if --memory is given.
    #[cfg(feature = "dist")]
    pub(super) fn are_limited(&self) -> bool {
        self.memory.is_some()
    }

    /// Returns the tables of the endgames that this build has mined.
    pub(super) fn mined(&self) -> Result<Vec<Tablebase>, Stopped> {
        self.solve_all(lucena::roster::generated_materials())
    }

    /// Loads or solves several materials. A problem with the folder is reported only once.
    pub(super) fn solve_all(
        &self,
        materials: impl IntoIterator<Item = Material>,
    ) -> Result<Vec<Tablebase>, Stopped> {
        let folder = self.folder();
        let solve = |material| folder.tablebase(material, &ProgressDisplay::new());
        materials.into_iter().map(solve).collect()
    }

    /// Loads or solves the tables that players may need in games that begin in some of these endgames, or in
    /// none. If a player goes on by mined code, it needs those of all endgames that this build has mined.
    pub(super) fn solve_for(
        &self,
        players: &[LoadedPlayer],
        mut endgames: BTreeSet<Material>,
        with_mined: bool,
    ) -> Result<Vec<Tablebase>> {
        for player in players {
            endgames.extend(player.endgame()?);
        }
        let looks_up = |player: &LoadedPlayer| {
            matches!(
                player.name(),
                PlayerName::Tablebase
                    | PlayerName::Stubborn
                    | PlayerName::Generated(_)
                    | PlayerName::Smallest(ModelKind::Strategy)
                    | PlayerName::ModelFile(ModelKind::Strategy, _)
                    | PlayerName::BuiltIn(ModelKind::Tree | ModelKind::Strategy, _)
            )
        };
        if with_mined || players.iter().any(looks_up) {
            endgames.extend(lucena::roster::generated_materials());
        }
        Ok(self.solve_all(endgames)?)
    }

    /// The folder of tables; in memory if there is no home directory.
    pub(super) fn folder(&self) -> TableFolder {
        self.path().map_or_else(TableFolder::in_memory, TableFolder::new)
    }

    /// The path of the folder, by default in the platform's cache directory; `None` if tables are only kept
    /// in memory.
    pub(super) fn path(&self) -> Option<PathBuf> {
        let cached = || Some(etcetera::choose_base_strategy().ok()?.cache_dir().join("lucena"));
        self.tables.clone().or_else(cached)
    }
}

/// The most endgames that are listed by name.
const NAMED: usize = 8;

/// Describes which endgames are to be solved; `None` if there are none.
pub(super) fn solving(large: &[&Material]) -> Option<String> {
    let last = large.last()?;
    Some(match large.len() {
        ..=NAMED => {
            let names: Vec<String> = large.iter().map(|material| material.to_string()).collect();
            format!("solving {}", names.join(", "))
        }
        all => format!("solving {last} and {} endgames that it leads to", all - 1),
    })
}

/// Parses a number of bytes.
fn parse_size(text: &str) -> Result<u64, String> {
    let digits = text.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
    let unit: u64 = match &text[digits.len()..] {
        "KiB" => 1 << 10,
        "MiB" => 1 << 20,
        "GiB" => 1 << 30,
        _ => return Err("write a number and KiB, MiB or GiB, as in 2GiB".into()),
    };
    let number: u64 = digits.parse().map_err(|_| "write a whole number, as in 2GiB".to_owned())?;
    match number.checked_mul(unit) {
        Some(0) => Err("0 is too little: write 1MiB or more".into()),
        Some(size) => Ok(size),
        None => Err("it is too large: write a smaller number".into()),
    }
}

/// Formats a number of bytes.
fn size(bytes: u64) -> String {
    match bytes {
        0..0x10_0000 => format!("{} KiB", bytes.div_ceil(1 << 10)),
        0x10_0000..0x4000_0000 => format!("{} MiB", bytes.div_ceil(1 << 20)),
        _ => format!("{:.1} GiB", bytes as f64 / f64::from(1 << 30)),
    }
}
