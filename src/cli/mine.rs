use super::number::{number, number_of};
use super::output::{ProgressDisplay, ReportArgs, unless_closed};
use super::tables::TableArgs;
use super::terminal::say;
use super::{Failure, Result};
use lucena::chess::{Material, QUICK_MEN};
use lucena::dataset::SampleParams;
use lucena::proof::ProvedGame;
use lucena::report::{self, CODE_LEAVES, MineParams, MinePart, MineStep, ProofSummary};
use lucena::symmetry::Group;
use lucena_codegen::FunctionSize;
use std::io::Write;
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// Regenerate all the knowledge about an endgame, and prove it
///
/// First comes the way from the rules of chess to a proved player, one line a step. The endgame is solved; its
/// positions are mapped to canonical representatives, which are the rows of the UCI data set; the attributes of the
/// representatives are written, and trees are learned from them (ID3 and CART); the trees in the folder trees are
/// turned into Rust code; and the player that follows the learned tree is proved: the generated code or, until this
/// program is built again with new code, the tree itself.
///
/// Then the table is verified and written, and the other players of this build for the endgame are proved: the
/// distilled exact tree, which is also verified, the strategies and the measures. A second run changes no byte.
///
/// A learned tree of more than --code-leaves leaves is too large to compile: it is not turned into code,
/// but kept beside the data, outside the folder trees, and proved as it is. If the attributes do not
/// determine the depth of every position, the report gives the number of wrong rows of the trees, which is
/// the smallest possible, and an example.
///
/// With --sample the trees and the csv only cover the sampled positions. Nothing else changes: the whole
/// table is verified, and the player learned from the sample is proved on all positions.
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
    /// The directory for tables, data sets and trees
    #[arg(long, value_name = "DIR", default_value = "data")]
    data: PathBuf,
    /// The crate whose src folder receives the code
    #[arg(long, value_name = "DIR", default_value = "generated")]
    generated: PathBuf,
    /// The maximum number of leaves of a generated function
    #[arg(long, value_name = "N", default_value_t = FunctionSize::default().leaves(), value_parser = number_of::<usize>("leaves", ..))]
    function_size: usize,
    /// The maximum number of leaves of a learned tree to turn into code
    #[arg(long, value_name = "N", default_value_t = CODE_LEAVES, value_parser = number_of::<usize>("leaves", ..))]
    code_leaves: usize,
    /// Learn from a random sample of N positions up to symmetry; needed for endgames of five men
    #[arg(long, value_name = "N", value_parser = number_of::<NonZeroUsize>("positions", ..))]
    sample: Option<NonZeroUsize>,
    /// The seed of --sample
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number::<u64>(..))]
    seed: u64,
    #[command(flatten)]
    tables: TableArgs,
    #[command(flatten)]
    report: ReportArgs,
}

impl Mine {
    pub(super) fn run(self) -> Result<()> {
        let Self { material, data, generated, code_leaves, seed, .. } = self;
        let function_size = FunctionSize::new(self.function_size)?;
        let sample = self.sample.map(|orbits| SampleParams { orbits, seed });
        let params = MineParams { material, data, generated, function_size, code_leaves, sample };
        let bar = ProgressDisplay::new();
        let (mut printed, mut part) = (Ok(()), None);
        let print_step = |step: &MineStep| {
            if self.report.is_text() && printed.is_ok() {
                let text = step_text(step, &mut part);
                printed = bar.suspend(|| unless_closed(write!(anstream::stdout(), "{text}")));
            }
        };
        if sample.is_none() {
            TableArgs::check_in_memory(material)?;
        }
        if material.men() > QUICK_MEN {
            let proof = ProvedGame::memory(material, Group::new(material));
            let memory = self.tables.bytes_loaded(material) + proof;
            self.tables.reserve(&format!("proving a player of {material}"), memory)?;
        }
        let folder = self.tables.folder_for(&[material])?;
        let mined = report::mine(&params, &folder, &bar, print_step);
        drop(bar);
        printed?;
        let mined = mined?;
        mined.proofs().filter_map(ProofSummary::refutation_line).for_each(|line| say(&line));
        if !self.report.is_text() {
            self.report.write(&mined, |_| Ok(()))?;
        }
        if mined.proofs().all(ProofSummary::is_complete) { Ok(()) } else { Err(Failure::Check) }
    }
}

/// The line of a step, below the heading of its part if the part before it was another.
fn step_text(step: &MineStep, last: &mut Option<MinePart>) -> String {
    let MineStep { part, step, result, seconds } = step;
    let heading = match last.replace(*part) {
        Some(last) if last == *part => String::new(),
        Some(_) => format!("\n{}\n", part.heading()),
        None => format!("{}\n", part.heading()),
    };
    format!("{heading}{step:10} {seconds:8.4} s  {result}\n")
}
