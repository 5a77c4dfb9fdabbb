use super::Failure;
use super::output::{Report, count, grouped, note, percent, unless_closed, waiting};
use super::prove::Proved;
use super::tables::Tables;
use lucena::DecisionTree;
use lucena::attributes::{AttributeSet, Depth, Selection};
use lucena::chess::{Material, Side};
use lucena::dataset::{Dataset, Positions, krkopt};
use lucena::learn::{CartParams, Id3Params, Learner, Mistakes};
use lucena::player::{GeneratedKind, GeneratedPolicy, Policy, TreePolicy};
use lucena::proof::prove;
use lucena::tablebase::Tablebase;
use lucena::theory::{Guarantee, verify};
use lucena_codegen::{FunctionSize, regenerate};
use lucena_files::{WriteError, Written, load, write_file, write_file_with};
use serde::Serialize;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Regenerate everything there is to know about an endgame, and prove it
///
/// Solves and verifies the endgame, writes its table, the UCI data set, the attributes of every
/// canonical position and the learned trees to the data directory; verifies the exact tree that has
/// been distilled, if there is one; turns the trees in the folder trees into Rust code, and proves the
/// player: that of the generated code, or, until this program has been built again with new code, the
/// tree itself. A second run changes no byte.
///
/// A learned tree of more than --code-leaves leaves is not turned into code, which nobody could
/// compile: it is kept beside the data, out of the folder trees, and proved as it is. Where the
/// attributes do not tell all depths apart, the trees say as many as can be said, and how many rows
/// are wrong, with one of them, is reported.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  lucena mine
  lucena mine KQvK
  lucena mine KRvK --data out/data --generated out/generated")]
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
    #[command(flatten)]
    tables: Tables,
    #[command(flatten)]
    report: Report,
}

/// rustc takes six seconds for the code of so many leaves; KRvK's tree has a quarter of them.
const CODE_LEAVES: usize = 20_000;

#[derive(Serialize)]
struct Mined {
    material: String,
    steps: Vec<Step>,
    proof: Proved,
}

#[derive(Serialize)]
struct Step {
    step: &'static str,
    result: String,
    seconds: f64,
}

/// Times the steps and prints each as it is done.
struct Steps {
    done: Vec<Step>,
    print: bool,
}

impl Steps {
    fn run<T>(
        &mut self,
        step: &'static str,
        work: impl FnOnce(&mut String) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let start = Instant::now();
        let bar = waiting(step.into());
        let mut result = String::new();
        let value = work(&mut result);
        bar.finish_and_clear();
        let value = value?;
        let seconds = start.elapsed().as_secs_f64();
        if self.print {
            let mut out = anstream::stdout();
            unless_closed(writeln!(out, "{step:10} {seconds:8.4} s  {result}"))?;
        }
        self.done.push(Step { step, result, seconds });
        Ok(value)
    }
}

impl Mine {
    pub(super) fn run(self) -> Result<(), Failure> {
        let function_size = FunctionSize::new(self.function_size)?;
        let material = self.material;
        let trees = self.data.join("trees");
        let file = |name: &str| self.data.join(format!("{material}.{name}"));

        let mut steps = Steps { done: Vec::new(), print: self.report.is_text() };
        let tablebase = steps.run("solve", |said| {
            let tablebase = self.tables.solve(material);
            std::fs::create_dir_all(&trees)
                .map_err(|source| WriteError { path: trees.clone(), source })?;
            *said = match tablebase.longest() {
                Some(plies) => {
                    let moves = count(plies.div_ceil(2).into(), "move", "moves");
                    format!("{material}, longest mate {moves}")
                }
                None => format!("{material}, nobody can force a mate"),
            };
            Ok(tablebase)
        })?;
        steps.run("verify", |said| {
            let checked = tablebase.verify(&lucena::work::Unwatched)?.map_err(|error| {
                note(&error.to_string());
                Failure::Check
            })?;
            *said = format!("{} entries equal the best of their successors", grouped(checked));
            Ok(())
        })?;
        steps.run("table", |said| save(said, &file("table"), &tablebase.to_bytes()))?;
        steps.run("krkopt", |said| self.krkopt(said, &tablebase))?;
        let full_set = AttributeSet::new(material, Selection::Published);
        steps.run("attributes", |said| {
            let dataset = Dataset::new(&tablebase, &full_set, Positions::Canonical)?;
            *said = format!(
                "{} rows x {} attributes, ",
                grouped(dataset.rows() as u64),
                dataset.attributes().len()
            );
            let path = file("csv");
            let written = write_file_with(&path, |file| dataset.write_csv(file))?;
            say_written(said, &path, written);
            Ok(())
        })?;
        let set = AttributeSet::new(material, Selection::Geometric);
        let dataset = Dataset::new(&tablebase, &set, Positions::Canonical)?;
        steps.run("id3", |said| {
            let tree = Id3Params::default().check()?.learn(&dataset)?;
            describe(said, &tree, &dataset, &tablebase);
            let path = file("id3.json");
            say_written(said, &path, write_file_with(&path, |file| tree.write_json(file))?);
            Ok(())
        })?;
        let learned = steps.run("cart", |said| {
            let tree = CartParams::default().check()?.learn(&dataset)?;
            describe(said, &tree, &dataset, &tablebase);
            let name = format!("{material}.cart.json");
            let is_code = tree.leaves() <= self.code_leaves;
            let path = if is_code { trees.join(name) } else { self.data.join(name) };
            say_written(said, &path, write_file_with(&path, |file| tree.write_json(file))?);
            Ok(Learned { tree, is_code })
        })?;
        drop(dataset);
        let Learned { tree, is_code } =
            match distilled(&trees.join(format!("{material}.exact.json")))? {
                Some(tree) => steps.run("exact", |said| {
                    verify(&tree, Guarantee::Exact, &tablebase)?;
                    let leaves = grouped(tree.leaves() as u64);
                    *said = format!("distilled to {leaves} leaves, verified");
                    Ok(Learned { tree, is_code: true })
                })?,
                None => learned,
            };
        let sha256 = tree.sha256();
        let is_current =
            GeneratedKind::Exact.tree(material).is_some_and(|tree| tree.tree_sha256 == sha256);
        steps.run("generate", |said| {
            if !is_code {
                *said = format!(
                    "no code: {} leaves, and code is written for up to {} (--code-leaves)",
                    grouped(tree.leaves() as u64),
                    grouped(self.code_leaves as u64)
                );
                return Ok(());
            }
            let out = self.generated.join("src");
            let done = regenerate(&trees, &out, function_size)?;
            let modules = count(done.modules as u64, "module", "modules");
            *said = format!("{modules} in {}, ", out.display());
            match done.changed.len() as u64 {
                0 => said.push_str("unchanged"),
                files => said.push_str(&(count(files, "file", "files") + " written")),
            }
            Ok(())
        })?;
        let proof = steps.run("prove", |said| {
            let start = Instant::now();
            let (policy, which): (Box<dyn Policy>, _) = if is_current {
                (Box::new(GeneratedPolicy::exact(&tablebase)?), "generated code")
            } else {
                (Box::new(TreePolicy::new(tree, &tablebase)?), "interpreted tree")
            };
            let proof = prove(&*policy, &tablebase)?;
            let proved = Proved::new(&*policy, &proof, start.elapsed().as_secs_f64());
            *said = format!("{which}: {}", proved.sentence());
            Ok((proved, proof.wins_all() && proof.holds_all()))
        })?;
        if is_code && !is_current {
            note("the generated code is newer than this program: build again to play with it");
        }
        let (proof, is_right) = proof;
        if let Some(line) = proof.refutation_line() {
            note(&line);
        }
        let mined = Mined { material: material.to_string(), steps: steps.done, proof };
        if !self.report.is_text() {
            self.report.write(&mined, |_| Ok(()))?;
        }
        if is_right { Ok(()) } else { Err(Failure::Check) }
    }

    fn krkopt(&self, said: &mut String, tablebase: &Tablebase) -> Result<(), Failure> {
        if self.material.men() != 3 {
            *said = "skipped, its six columns are for three men".into();
            return Ok(());
        }
        let bytes = krkopt::to_csv(tablebase)?;
        if self.material.to_string() == "KRvK" {
            if lucena::dataset::sha256(&bytes) != krkopt::KRVK_SHA256 {
                note("the regenerated krkopt.data is not the published file");
                return Err(Failure::Check);
            }
            *said = "identical to the published file, ".into();
            return save(said, &self.data.join("krkopt.data"), &bytes);
        }
        save(said, &self.data.join(format!("{}.krkopt.data", self.material)), &bytes)
    }
}

/// The tree to be played by, and whether it becomes code.
struct Learned {
    tree: DecisionTree,
    is_code: bool,
}

/// The exact tree that has been distilled, if there is one.
fn distilled(path: &Path) -> Result<Option<DecisionTree>, Failure> {
    Ok(if path.exists() { Some(load(path, DecisionTree::from_json)?) } else { None })
}

/// Writes a file and says so.
fn save(said: &mut String, path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    say_written(said, path, write_file(path, bytes)?);
    Ok(())
}

fn say_written(said: &mut String, path: &Path, written: Written) {
    let written = match written {
        Written::Changed => "written",
        Written::Unchanged => "unchanged",
    };
    write!(said, "{} {written}", path.display()).expect("text can be written");
}

/// Says how large a tree is, and what of the rows, which are canonical positions, it gets wrong.
fn describe(said: &mut String, tree: &DecisionTree, dataset: &Dataset, tablebase: &Tablebase) {
    let (tests, leaves) = (grouped(tree.tests() as u64), grouped(tree.leaves() as u64));
    let mistakes = Mistakes::new(tree, dataset);
    let rows = dataset.rows();
    let right = percent((rows - mistakes.rows) as f64 / rows as f64);
    *said = format!("{tests} tests, {leaves} leaves, {right} right, ");
    let Some(row) = mistakes.first else { return };
    let (position, outcome) =
        tablebase.canonical_positions(Side::Weak).nth(row).expect("a row is a position");
    let class = tree.classify_by(|attribute| dataset.column(attribute)[row]);
    let class = class.map_or("nothing", |class| &dataset.classes()[usize::from(class)]);
    let (wrong, rows) = (grouped(mistakes.rows as u64), grouped(rows as u64));
    let depth = Depth::from(outcome);
    write!(
        said,
        "{wrong} of {rows} rows wrong (the first is {position}: {depth}, said to be {class}), "
    )
    .expect("text can be written");
}
