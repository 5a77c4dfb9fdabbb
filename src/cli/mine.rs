use super::Failure;
use super::output::{Bar, Report, unless_closed};
use super::tables::Tables;
use super::terminal::say;
use lucena::chess::{Material, QUICK_MEN};
use lucena::proof::ProvedGame;
use lucena::report::{self, CODE_LEAVES, MineParams, Step, Worth};
use lucena::symmetry::Group;
use lucena_codegen::FunctionSize;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// Regenerate everything there is to know about an endgame, and prove it
///
/// Solves and verifies the endgame, writes its table, the UCI data set, the attributes of every
/// canonical position and the learned trees to the data directory; verifies the exact tree that has
/// been distilled, if there is one; turns the trees in the folder trees into Rust code; proves the
/// strategies that this build carries for the endgame, and the player: that of the generated code, or,
/// until this program has been built again with new code, the tree itself. A second run changes no byte.
///
/// A learned tree of more than --code-leaves leaves is not turned into code, which nobody could
/// compile: it is kept beside the data, out of the folder trees, and proved as it is. Where the
/// attributes do not tell all depths apart, the trees say as many as can be said, and how many rows
/// are wrong, with one of them, is reported.
///
/// With --sample the trees and the csv are of the positions drawn. All else is as without it: the whole
/// table is verified, and the player that comes of the sample is proved on all positions.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  lucena mine
  lucena mine KQvK
  lucena mine KRvK --data out/data --generated out/generated
  lucena mine KBBvKN --sample 200000 --data out/data --generated out/generated")]
pub(super) struct Mine {
    /// The endgame
    #[arg(default_value = "KRvK")]
    material: Material,
    /// Where the tables, data sets and trees go
    #[arg(long, value_name = "DIR", default_value = "data")]
    data: PathBuf,
    /// The crate that the code goes to, in its src
    #[arg(long, value_name = "DIR", default_value = "generated")]
    generated: PathBuf,
    /// How many leaves a generated function may have
    #[arg(long, value_name = "N", default_value_t = FunctionSize::default().leaves())]
    function_size: usize,
    /// How many leaves a learned tree may have to become code
    #[arg(long, value_name = "N", default_value_t = CODE_LEAVES)]
    code_leaves: usize,
    /// Learn from so many positions up to symmetry, drawn by the seed: what an endgame of five men needs
    #[arg(long, value_name = "N")]
    sample: Option<NonZeroUsize>,
    /// The seed of --sample
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    tables: Tables,
    #[command(flatten)]
    report: Report,
}

impl Mine {
    pub(super) fn run(self) -> Result<(), Failure> {
        let params = MineParams {
            material: self.material,
            data: self.data,
            generated: self.generated,
            function_size: FunctionSize::new(self.function_size)?,
            code_leaves: self.code_leaves,
            sample: self.sample.map(|orbits| (orbits.get(), self.seed)),
        };
        let bar = Bar::new();
        let mut printed = Ok(());
        let told = |step: &Step| {
            if self.report.is_text() && printed.is_ok() {
                printed = bar.aside(|| unless_closed(print(step)));
            }
        };
        if self.sample.is_none() {
            Tables::check_in_memory(self.material)?;
        }
        if self.material.men() > QUICK_MEN {
            let proof = ProvedGame::memory(self.material, Group::of(self.material));
            let memory = self.tables.held(self.material) + proof;
            self.tables.allow(&format!("proving a player of {}", self.material), memory)?;
        }
        let folder = self.tables.folder_for(&[self.material])?;
        let mined = report::mine(&params, &folder, &bar, told);
        drop(bar);
        printed?;
        let mined = mined?;
        mined.proofs().filter_map(Worth::refutation_line).for_each(|line| say(&line));
        if !self.report.is_text() {
            self.report.write(&mined, |_| Ok(()))?;
        }
        if mined.proofs().all(Worth::is_all) { Ok(()) } else { Err(Failure::Check) }
    }
}

/// A line for a step that is done.
fn print(Step { step, result, seconds }: &Step) -> io::Result<()> {
    writeln!(anstream::stdout(), "{step:10} {seconds:8.4} s  {result}")
}
