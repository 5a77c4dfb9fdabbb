use super::opponent::endgame;
use super::output::{Report, count, grouped, note, percent, waiting};
use super::tables::Tables;
use super::{Failure, one_of};
use indicatif::ProgressBar;
use lucena::DecisionTree;
use lucena::attributes::{AttributeSet, Selection};
use lucena::chess::Material;
use lucena::proof::Proof;
use lucena::tablebase::Tablebase;
use lucena::theory::{self, Arena, Budget, Distilled, FIFTY_MOVES, Guarantee, Search, verify};
use lucena::work::{Progress, Watch};
use lucena_files::{load, write_file_with};
use serde::Serialize;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Make a tree as small as can be found while a guarantee holds, from every position against every
/// defence
///
/// Tests are dropped, moved and exchanged, leaves regraded, parts grown again; after every change
/// the guarantee is proved anew, and what breaks it is undone. Whatever is found is proved once
/// more from the rules before it is written, and the best so far is written whenever it improves:
/// an interruption loses nothing.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  lucena distil --out win.json                              always mates, as few leaves as can be
  lucena distil --keep win --longest 33 --excess 8.26 --out win33.json
  lucena distil --keep optimal --attributes geometric --seconds 120 --out optimal.json
  lucena distil --keep exact --from data/trees/KRvK.cart.json --candidates 100000 --format json
  lucena prove --player tree:win.json --certificate win.certificate.json")]
pub(super) struct Distil {
    /// The endgame; if left out, that of the tree to start from, or KRvK
    material: Option<Material>,
    /// exact: every distance; optimal: always an optimal move; win: always mates within fifty moves
    #[arg(long, default_value = "win", value_parser = one_of(&KEEPS))]
    keep: Keep,
    /// With --keep win: mate within this many moves
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=i64::from(FIFTY_MOVES)))]
    longest: Option<u16>,
    /// With --keep win: at most this many moves over the optimum, on average over all positions
    #[arg(long, value_name = "X", value_parser = excess)]
    excess: Option<f64>,
    /// A tree to start from, which keeps the guarantee; if left out, half of the searches start from
    /// the exact distances and half from a single leaf
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// Which attributes the tree may ask about
    #[arg(long, default_value = "all", value_parser = one_of(&Selection::NAMES))]
    attributes: Selection,
    /// How long to search
    #[arg(long, value_name = "S", default_value_t = 60, conflicts_with = "candidates")]
    seconds: u64,
    /// How many candidates to look at: the same number finds the same tree on any machine
    #[arg(long, value_name = "N")]
    candidates: Option<u64>,
    /// The seed of the search
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// How many searches run side by side
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..=64))]
    chains: u8,
    /// Write the tree as JSON, whenever it gets smaller
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    tables: Tables,
    #[command(flatten)]
    report: Report,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Keep {
    Exact,
    Optimal,
    Win,
}

const KEEPS: [(&str, Keep); 3] =
    [("exact", Keep::Exact), ("optimal", Keep::Optimal), ("win", Keep::Win)];

fn excess(text: &str) -> Result<f64, String> {
    let excess = text.parse().ok().filter(|excess: &f64| excess.is_finite() && *excess >= 0.0);
    excess.ok_or_else(|| "it is a number of moves, 0 or more".into())
}

#[derive(Serialize)]
struct Found {
    material: String,
    keep: String,
    leaves: usize,
    tests: usize,
    /// How many attributes are asked about.
    attributes: usize,
    depth: usize,
    positions: u64,
    won: u64,
    longest_moves: Option<u16>,
    mean_excess_moves: Option<f64>,
    optimal_share: f64,
    candidates: u64,
    candidates_per_second: f64,
    tree_sha256: String,
    seconds: f64,
}

impl Distil {
    pub(super) fn run(self) -> Result<(), Failure> {
        let guarantee = self.guarantee()?;
        let start =
            self.from.as_deref().map(|path| load(path, DecisionTree::from_json)).transpose()?;
        let material = endgame(self.material, start.as_ref())?;
        let tablebase = self.tables.solve(material);
        let bar = Bar(waiting(format!("distilling {material}")));
        let arena = Arena::new(&tablebase, &AttributeSet::new(material, self.attributes), &bar)?;
        let budget = match self.candidates {
            Some(candidates) => Budget::Candidates(candidates),
            None => Budget::Time(Duration::from_secs(self.seconds)),
        };
        let search = Search { seed: self.seed, budget, chains: self.chains.into() };
        let found = theory::distil(&arena, guarantee, start.as_ref(), search, &bar, |tree| {
            self.out.as_deref().map_or(Ok(()), |path| save(tree, path, guarantee, &tablebase))
        })?;
        bar.0.finish_and_clear();
        let proof = verify(&found.tree, guarantee, &tablebase)?;
        if let Some(path) = &self.out {
            note(&format!("wrote {}", path.display()));
        }
        let found = Found::new(&found, guarantee, &proof);
        self.report.write(&found, |out| found.text(out))
    }

    fn guarantee(&self) -> Result<Guarantee, Failure> {
        match (self.keep, self.longest, self.excess) {
            (Keep::Win, longest, mean_excess) => {
                Ok(Guarantee::Win { longest: longest.unwrap_or(FIFTY_MOVES), mean_excess })
            }
            (Keep::Exact, None, None) => Ok(Guarantee::Exact),
            (Keep::Optimal, None, None) => Ok(Guarantee::Optimal),
            _ => Err(Failure::usage(
                "--longest and --excess are bounds for --keep win: optimal moves keep them anyway",
            )),
        }
    }
}

/// Writes a tree that has been proved.
fn save(
    tree: &DecisionTree,
    path: &Path,
    guarantee: Guarantee,
    tablebase: &Tablebase,
) -> Result<(), Failure> {
    verify(tree, guarantee, tablebase)?;
    write_file_with(path, |file| tree.write_json(file))?;
    Ok(())
}

/// A line that says how far the search is; seen on terminals only.
struct Bar(ProgressBar);

impl Watch for Bar {
    fn tell(&self, progress: Progress<'_>) {
        let candidates = count(progress.done, "candidate", "candidates");
        self.0.set_message(format!("{}, {candidates}", progress.what));
    }

    fn warn(&self, warning: &str) {
        note(warning);
    }

    fn is_stopped(&self) -> bool {
        false
    }
}

impl Found {
    fn new(found: &Distilled, guarantee: Guarantee, proof: &Proof) -> Self {
        let Distilled { tree, candidates, elapsed } = found;
        let seconds = elapsed.as_secs_f64();
        Self {
            material: tree.head().material.clone(),
            keep: guarantee.to_string(),
            leaves: tree.leaves(),
            tests: tree.tests(),
            attributes: tree.head().attributes.len(),
            depth: tree.depth(),
            positions: proof.positions,
            won: proof.won,
            longest_moves: proof.longest_moves,
            mean_excess_moves: proof.mean_excess_moves,
            optimal_share: proof.optimal_share,
            candidates: *candidates,
            candidates_per_second: *candidates as f64 / seconds.max(f64::EPSILON),
            tree_sha256: tree.sha256(),
            seconds,
        }
    }

    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(
            out,
            "{}, {}: {}, {}, {} asked about, depth {}",
            self.material,
            self.keep,
            count(self.leaves as u64, "leaf", "leaves"),
            count(self.tests as u64, "test", "tests"),
            count(self.attributes as u64, "attribute", "attributes"),
            self.depth
        )?;
        write!(
            out,
            "  proved: {} of {} positions won",
            grouped(self.won),
            grouped(self.positions)
        )?;
        if let (Some(longest), Some(excess)) = (self.longest_moves, self.mean_excess_moves) {
            let longest = count(longest.into(), "move", "moves");
            write!(out, ", longest {longest}, {excess:.2} moves over the optimum")?;
        }
        writeln!(out, "\n  optimal moves: {}", percent(self.optimal_share))?;
        writeln!(
            out,
            "  {} in {:.1} s, {} a second",
            count(self.candidates, "candidate", "candidates"),
            self.seconds,
            grouped(self.candidates_per_second as u64)
        )?;
        writeln!(out, "  tree sha256 {}", self.tree_sha256)
    }
}
