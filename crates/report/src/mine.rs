//! Everything there is to know about an endgame, regenerated step by step, and proved.

use super::prove::Worth;
use super::timed;
use lucena_attributes::{AttributeSet, Selection};
use lucena_base::words::{count, grouped, moves, number, percent};
use lucena_base::work::{Progress, Stopped, Watch};
use lucena_chess::{Material, Side};
use lucena_codegen::{FunctionSize, RegenerateError, regenerate};
use lucena_dataset::krkopt::{self, KrkoptError};
use lucena_dataset::{Dataset, DatasetError, Positions, Sample, sha256};
use lucena_experiments::roster::BuiltInStrategy;
use lucena_files::{
    LoadError, WriteError, Written, load, make_folder, write_file, write_file_with,
};
use lucena_learn::{CartParams, Id3Params, LearnError, Learner, Mistakes};
use lucena_proof::guarantee::{self, Guarantee};
use lucena_proof::policy::{
    ForeignTree, GeneratedKind, GeneratedPolicy, NoGeneratedTree, Policy, TreePolicy,
};
use lucena_proof::{ProveError, ProvedGame};
use lucena_tablebase::{
    DistanceClass, TableFileError, TableFolder, Tablebase, WrongEntry, moves_in,
};
use lucena_tree::{DecisionTree, ParseTreeError};
use schemars::JsonSchema;
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// How many leaves a tree may have to become code, unless something else is said: rustc takes six
/// seconds for the code of so many, and KRvK's tree has a quarter of them.
pub const CODE_LEAVES: usize = 20_000;

/// What to mine, and where it goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MineParams {
    /// The endgame.
    pub material: Material,
    /// The folder for its table, data sets and trees; it is made if need be.
    pub data: PathBuf,
    /// The crate that the code goes to, in its `src`.
    pub generated: PathBuf,
    /// How many leaves a generated function may have.
    pub function_size: FunctionSize,
    /// How many leaves a learned tree may have to become code.
    pub code_leaves: usize,
    /// How many positions up to symmetry are drawn to learn from, and by which seed; all if nothing is said.
    pub sample: Option<(usize, u64)>,
}

/// What was mined.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Mined {
    /// The endgame, as KRvK.
    pub material: String,
    /// What was done, in order.
    pub steps: Vec<Step>,
    /// The strategies of the endgame that this build carries.
    pub strategies: Vec<MinedStrategy>,
    /// What was drawn to learn from; null where that was all positions.
    pub sample: Option<Sample>,
    /// What the player is worth in the end.
    pub proof: Worth,
}

/// A strategy that this build carries, proved.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct MinedStrategy {
    /// What it is called.
    pub name: &'static str,
    /// What it is worth, against every reply and every move that it leaves tied.
    pub proof: Worth,
}

impl Mined {
    /// All that was proved: of the strategies, and of the player.
    pub fn proofs(&self) -> impl Iterator<Item = &Worth> {
        self.strategies.iter().map(|strategy| &strategy.proof).chain([&self.proof])
    }
}

/// Something that was done.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Step {
    /// A word for it.
    pub step: &'static str,
    /// What came of it, in words.
    pub result: String,
    /// Seconds that it took.
    pub seconds: f64,
}

/// Why an endgame was not mined to the end.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MineError {
    /// The table is wrong.
    #[error(transparent)]
    Table(#[from] WrongEntry),
    /// The table can no longer be read.
    #[error(transparent)]
    TableFile(#[from] TableFileError),
    /// The regenerated data set is not what was published.
    #[error("the regenerated krkopt.data is not the published file")]
    NotAsPublished,
    /// The endgame has no krkopt.
    #[error(transparent)]
    Krkopt(#[from] KrkoptError),
    /// The positions make no data set.
    #[error(transparent)]
    Dataset(#[from] DatasetError),
    /// Nothing was learned.
    #[error(transparent)]
    Learn(#[from] LearnError),
    /// The distilled tree does not say every distance.
    #[error(transparent)]
    Theory(#[from] guarantee::BrokenGuarantee),
    /// A tree does not make a player.
    #[error(transparent)]
    Tree(#[from] ForeignTree),
    /// This build has no code for the endgame.
    #[error(transparent)]
    Generated(#[from] NoGeneratedTree),
    /// Nothing was proved.
    #[error(transparent)]
    Prove(#[from] ProveError),
    /// The distilled tree cannot be read.
    #[error(transparent)]
    Load(#[from] LoadError<ParseTreeError>),
    /// A file cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// The code cannot be written.
    #[error(transparent)]
    Regenerate(#[from] RegenerateError),
    /// Whoever watched did not want to wait.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

/// Solves and verifies an endgame, writes its table, data sets and trees, turns the trees into code,
/// and proves the strategies that this build carries, and the player: that of the generated code, or,
/// until this program has been built again with new code, the tree itself. A second run changes no
/// byte.
///
/// `told` hears of each step when it is done. Stopped, it leaves the files of the steps that were
/// done, each of them whole.
///
/// ```
/// use lucena::report::{CODE_LEAVES, MineParams, mine};
/// use lucena::tablebase::TableFolder;
/// use lucena::work::Unwatched;
///
/// let folder = tempfile::tempdir()?;
/// let params = MineParams {
///     material: "KQvK".parse()?,
///     data: folder.path().join("data"),
///     generated: folder.path().join("generated"),
///     function_size: Default::default(),
///     code_leaves: CODE_LEAVES,
///     sample: None,
/// };
/// let mut steps = Vec::new();
/// let mined = mine(&params, &TableFolder::in_memory(), &Unwatched, |step| steps.push(step.step))?;
/// assert!(mined.proofs().all(|proof| proof.is_all()));
/// assert_eq!((mined.strategies[0].name, mined.strategies[0].proof.size), ("smallest", Some(4)));
/// assert_eq!(steps[..3], ["solve", "verify", "table"]);
/// assert!(params.data.join("trees/KQvK.cart.json").exists());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When a check fails, a file cannot be read or written, or the work was stopped.
pub fn mine(
    params: &MineParams,
    tables: &TableFolder,
    watch: &dyn Watch,
    mut told: impl FnMut(&Step),
) -> Result<Mined, MineError> {
    let mined = mined(params, tables, watch, &mut told);
    watch.go_on()?;
    mined
}

fn mined(
    params: &MineParams,
    tables: &TableFolder,
    watch: &dyn Watch,
    told: &mut dyn FnMut(&Step),
) -> Result<Mined, MineError> {
    let mut mining = Mining { params, watch, told, steps: Vec::new() };
    let tablebase = mining.solve(tables)?;
    let sample = mining.write_data(&tablebase)?;
    let learned = mining.learn(&tablebase)?;
    let learned = mining.distilled(&tablebase)?.unwrap_or(learned);
    let generated = GeneratedKind::Exact.tree(params.material);
    let is_current = generated.is_some_and(|tree| tree.tree_sha256 == learned.tree.sha256());
    mining.generate(&learned)?;
    let is_newer = learned.is_code && !is_current;
    let tablebase = tablebase.unpacked()?;
    let strategies = mining.prove_strategies(&tablebase)?;
    let proof = mining.prove(learned.tree, is_current, &tablebase)?;
    if is_newer {
        watch.warn("the generated code is newer than this program: build again to play with it");
    }
    let material = params.material.to_string();
    Ok(Mined { material, steps: mining.steps, strategies, sample, proof })
}

/// The tree to be played by, and whether it becomes code.
struct Learned {
    tree: DecisionTree,
    is_code: bool,
}

/// The work while it goes on.
struct Mining<'a> {
    params: &'a MineParams,
    watch: &'a dyn Watch,
    told: &'a mut dyn FnMut(&Step),
    steps: Vec<Step>,
}

impl Mining<'_> {
    /// Does one step, which says what came of it.
    fn step<T>(
        &mut self,
        step: &'static str,
        work: impl FnOnce() -> Result<(T, String), MineError>,
    ) -> Result<T, MineError> {
        self.watch.tell(Progress { what: step, done: 0, total: None });
        self.watch.go_on()?;
        let (done, seconds) = timed(work);
        let (value, result) = done?;
        let step = Step { step, result, seconds };
        (self.told)(&step);
        self.steps.push(step);
        Ok(value)
    }

    /// A file of the endgame in the data folder.
    fn file(&self, name: &str) -> PathBuf {
        self.params.data.join(format!("{}.{name}", self.params.material))
    }

    /// The file of a tree that becomes code.
    fn tree_file(&self, name: &str) -> PathBuf {
        self.params.data.join("trees").join(format!("{}.{name}", self.params.material))
    }

    fn solve(&mut self, tables: &TableFolder) -> Result<Tablebase, MineError> {
        let (material, watch) = (self.params.material, self.watch);
        let trees = self.params.data.join("trees");
        let tablebase = self.step("solve", || {
            let tablebase = tables.tablebase(material, watch)?;
            watch.go_on()?;
            make_folder(&trees)?;
            let said = match tablebase.longest() {
                Some(plies) => {
                    format!("{material}, longest mate {}", moves(moves_in(plies).into()))
                }
                None => format!("{material}, nobody can force a mate"),
            };
            Ok((tablebase, said))
        })?;
        self.step("verify", || {
            let checked = grouped(tablebase.verify(watch)??);
            Ok(((), format!("{checked} entries equal the best of their successors")))
        })?;
        Ok(tablebase)
    }

    /// Rows of all positions, or of those that are drawn.
    fn dataset(
        &self,
        tablebase: &Tablebase,
        selection: Selection,
    ) -> Result<Dataset, DatasetError> {
        let set = AttributeSet::new(self.params.material, selection);
        match self.params.sample {
            None => Dataset::new(tablebase, &set, Positions::Canonical),
            Some((orbits, seed)) => {
                Dataset::sampled(tablebase, &set, Positions::Canonical, orbits, seed)
            }
        }
    }

    /// Writes what is known of the positions; says which of them were drawn.
    fn write_data(&mut self, tablebase: &Tablebase) -> Result<Option<Sample>, MineError> {
        let path = self.file("table");
        self.step("table", || Ok(((), say(&path, tablebase.save(&path)?))))?;
        let (material, data) = (self.params.material, &self.params.data);
        let path = self.file("krkopt.data");
        self.step("krkopt", || Ok(((), write_krkopt(material, data, &path, tablebase)?)))?;
        let path = self.file("csv");
        let dataset = self.dataset(tablebase, Selection::Published)?;
        self.step("attributes", || {
            let (rows, columns) = (number(dataset.rows()), dataset.attributes().len());
            let written = write_file_with(&path, |file| dataset.write_csv(file))?;
            let written = say(&path, written);
            let drawn = dataset.sample().map_or_else(String::new, |sample| format!("{sample}, "));
            let said = format!("{rows} rows x {columns} attributes, {drawn}{written}");
            Ok((dataset.sample(), said))
        })
    }

    fn learn(&mut self, tablebase: &Tablebase) -> Result<Learned, MineError> {
        let dataset = self.dataset(tablebase, Selection::Geometric)?;
        let path = self.file("id3.json");
        self.step("id3", || {
            let tree = Id3Params::default().check()?.learn(&dataset)?;
            let written = save_tree(&path, &tree)?;
            Ok(((), describe(&tree, &dataset, tablebase) + &written))
        })?;
        let code_leaves = self.params.code_leaves;
        let (code, data) = (self.tree_file("cart.json"), self.file("cart.json"));
        self.step("cart", || {
            let tree = CartParams::default().check()?.learn(&dataset)?;
            let is_code = tree.leaves() <= code_leaves;
            let written = save_tree(if is_code { &code } else { &data }, &tree)?;
            let said = describe(&tree, &dataset, tablebase) + &written;
            Ok((Learned { tree, is_code }, said))
        })
    }

    /// The exact tree that has been distilled, if there is one, verified.
    fn distilled(&mut self, tablebase: &Tablebase) -> Result<Option<Learned>, MineError> {
        let path = self.tree_file("exact.json");
        if !path.exists() {
            return Ok(None);
        }
        let tree = load(&path, DecisionTree::from_json)?;
        let learned = self.step("exact", || {
            guarantee::verify(&tree, Guarantee::Exact, tablebase)?;
            let said = format!("distilled to {} leaves, verified", number(tree.leaves()));
            Ok((Learned { tree, is_code: true }, said))
        })?;
        Ok(Some(learned))
    }

    fn generate(&mut self, learned: &Learned) -> Result<(), MineError> {
        let MineParams { data, generated, function_size, code_leaves, .. } = self.params;
        self.step("generate", || {
            if !learned.is_code {
                let [leaves, most] = [learned.tree.leaves(), *code_leaves].map(number);
                return Ok(((), format!(
                    "no code: {leaves} leaves, and code is written for up to {most} (--code-leaves)"
                )));
            }
            let out = generated.join("src");
            let done = regenerate(&data.join("trees"), &out, *function_size)?;
            let modules = count(done.modules as u64, "module", "modules");
            let changed = match done.changed.len() as u64 {
                0 => "unchanged".into(),
                files => count(files, "file", "files") + " written",
            };
            Ok(((), format!("{modules} in {}, {changed}", out.display())))
        })
    }

    /// Proves the strategies that this build carries for the endgame.
    fn prove_strategies(&mut self, tablebase: &Tablebase) -> Result<Vec<MinedStrategy>, MineError> {
        let (material, watch) = (self.params.material, self.watch);
        let prove = |carried: &'static BuiltInStrategy| {
            self.step("strategy", || {
                let (policy, begin) = (carried.policy(), Instant::now());
                let proof = ProvedGame::watched(&policy, tablebase, watch)?.proof();
                let proof = Worth::new(&policy, &proof, begin.elapsed().as_secs_f64());
                let (name, strategy) = (carried.name, policy.strategy());
                let rules = count(strategy.rules().len() as u64, "rule", "rules");
                let said =
                    format!("{name}, {rules}, size {}: {}", strategy.size(), proof.sentence());
                Ok((MinedStrategy { name, proof }, said))
            })
        };
        BuiltInStrategy::of(material).map(prove).collect()
    }

    fn prove(
        &mut self,
        tree: DecisionTree,
        is_current: bool,
        tablebase: &Tablebase,
    ) -> Result<Worth, MineError> {
        let watch = self.watch;
        self.step("prove", || {
            let begin = Instant::now();
            let (policy, which): (Box<dyn Policy>, _) = if is_current {
                (Box::new(GeneratedPolicy::exact(tablebase)?), "generated code")
            } else {
                (Box::new(TreePolicy::new(tree, tablebase)?), "interpreted tree")
            };
            let proof = ProvedGame::watched(&*policy, tablebase, watch)?.proof();
            let worth = Worth::new(&*policy, &proof, begin.elapsed().as_secs_f64());
            let said = format!("{which}: {}", worth.sentence());
            Ok((worth, said))
        })
    }
}

/// Writes the data set krkopt, which has six columns for three men; for KRvK it is held against what
/// was published.
fn write_krkopt(
    material: Material,
    data: &Path,
    path: &Path,
    tablebase: &Tablebase,
) -> Result<String, MineError> {
    if material.men() != 3 {
        return Ok("skipped, its six columns are for three men".into());
    }
    let bytes = krkopt::to_csv(tablebase)?;
    if material.to_string() != "KRvK" {
        return Ok(save(path, &bytes)?);
    }
    if sha256(&bytes) != krkopt::KRVK_SHA256 {
        return Err(MineError::NotAsPublished);
    }
    let written = save(&data.join("krkopt.data"), &bytes)?;
    Ok(format!("identical to the published file, {written}"))
}

/// Writes a file; says so.
fn save(path: &Path, bytes: &[u8]) -> Result<String, WriteError> {
    Ok(say(path, write_file(path, bytes)?))
}

/// Writes a tree as JSON; says so.
fn save_tree(path: &Path, tree: &DecisionTree) -> Result<String, WriteError> {
    Ok(say(path, write_file_with(path, |file| tree.write_json(file))?))
}

fn say(path: &Path, written: Written) -> String {
    let written = match written {
        Written::Changed => "written",
        Written::Unchanged => "unchanged",
    };
    format!("{} {written}", path.display())
}

/// How large a tree is, and what of the rows, which are canonical positions, it gets wrong.
fn describe(tree: &DecisionTree, dataset: &Dataset, tablebase: &Tablebase) -> String {
    let [tests, leaves] = [tree.tests(), tree.leaves()].map(number);
    let mistakes = Mistakes::new(tree, dataset);
    let rows = dataset.rows();
    let right = percent((rows - mistakes.rows) as f64 / rows as f64);
    let said = format!("{tests} tests, {leaves} leaves, {right} right, ");
    let Some(row) = mistakes.first else { return said };
    let orbit = dataset.orbits()[row] as usize;
    let (position, outcome) =
        tablebase.canonical_positions(Side::Weak).nth(orbit).expect("a row is a position");
    let class = tree.classify_by(|attribute| dataset.column(attribute)[row]);
    let class = class.map_or("nothing", |class| &dataset.classes()[usize::from(class)]);
    let (wrong, rows, depth) = (number(mistakes.rows), number(rows), DistanceClass::from(outcome));
    format!(
        "{said}{wrong} of {rows} rows wrong (the first is {position}: {depth}, said to be {class}), "
    )
}
