//! Regenerates all that is known of an endgame, step by step, and proves it.

use super::built_in_proofs::{BuiltInProofs, ModelProof};
use super::prove::ProofSummary;
use super::{ReportError, timed};
use lucena_attributes::{AttributeSet, Selection};
use lucena_base::plural::{count, grouped, moves, number, percent};
use lucena_base::progress::{Observer, Progress, Stopped};
use lucena_chess::symmetry::Group;
use lucena_chess::{Material, Side};
use lucena_codegen::{FunctionSize, function_count, regenerate};
use lucena_dataset::krkopt;
use lucena_dataset::{Dataset, DatasetError, Positions, Sample, SampleParams, sha256};
use lucena_files::{
    WriteError, WriteOutcome, check_folder, load_text, make_folder, write_file, write_file_with,
};
use lucena_learn::{CartParams, Id3Params, Learner, Mistakes};
use lucena_model::{DecisionTree, ModelFigures, ModelKind};
use lucena_proof::guarantee::{self, Guarantee};
use lucena_proof::policy::{GeneratedKind, GeneratedPolicy, Policy, TreePolicy};
use lucena_roster::BuiltIn;
use lucena_tablebase::{DistanceClass, TableFolder, Tablebase, moves_in};
use schemars::JsonSchema;
use serde::Serialize;
use std::path::{Path, PathBuf};

/// The most leaves that a learned tree may have to become code, by default. rustc takes six seconds
/// for code of that size; KRvK's tree has a quarter of these leaves.
pub const CODE_LEAVES: usize = 20_000;

/// The endgame to mine, and where the results go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MineParams {
    /// The endgame.
    pub material: Material,
    /// The folder for its table, data sets and trees; created if missing.
    pub data: PathBuf,
    /// The folder of the crate that the code is written to, in its `src`.
    pub generated: PathBuf,
    /// The most leaves of a generated function.
    pub function_size: FunctionSize,
    /// The most leaves that a learned tree may have to become code.
    pub code_leaves: usize,
    /// The sample of positions to learn from; `None` for all positions.
    pub sample: Option<SampleParams>,
}

/// The results of mining an endgame.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct MineReport {
    /// The endgame, such as KRvK.
    pub material: String,
    /// The steps, in order.
    pub steps: Vec<MineStep>,
    /// The models of the endgame that are built into this program, proved.
    #[serde(flatten)]
    pub built_in: BuiltInProofs,
    /// The sample of positions that was learned from; null if it was all of them.
    pub sample: Option<Sample>,
    /// The proved strength of the distilled exact tree; null if there is none.
    pub exact: Option<ProofSummary>,
    /// The proved strength of the player that follows the learned tree.
    pub proof: ProofSummary,
}

impl MineReport {
    /// All proofs: that of the player, then those of the exact tree, the strategies and the measures.
    pub fn proofs(&self) -> impl Iterator<Item = &ProofSummary> {
        [&self.proof].into_iter().chain(&self.exact).chain(self.built_in.proofs())
    }
}

/// A part of mining.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum MinePart {
    /// From the rules of chess to a proved player: solver, canonicaliser, attributes, learners, generated code, player.
    Pipeline,
    /// The checks, and the proofs of the other players that this build has for the endgame.
    More,
}

impl MinePart {
    /// Returns the heading above its steps.
    pub fn heading(self) -> &'static str {
        match self {
            Self::Pipeline => "From the rules of chess to a proved player",
            Self::More => "More checks, files and players",
        }
    }
}

/// The size of a model: "67 leaves", "3 rules, size 7", or "4 terms, looking 8 moves ahead".
pub fn size_in_words(figures: ModelFigures) -> String {
    let ModelFigures { leaves, rules, size, terms, look, .. } = figures;
    let leaves = leaves.map(|leaves| count(leaves as u64, "leaf", "leaves"));
    let rules = rules.map(|rules| count(rules as u64, "rule", "rules"));
    let size = size.map(|size| format!("size {size}"));
    let terms = terms.map(|terms| count(terms as u64, "term", "terms"));
    let look = look.map(|look| format!("looking {} ahead", moves(look.into())));
    [leaves, rules, size, terms, look].into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// A step of mining.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct MineStep {
    /// The part that it belongs to.
    pub part: MinePart,
    /// Its name.
    pub step: &'static str,
    /// Its result in words.
    pub result: String,
    /// Seconds it took.
    pub seconds: f64,
}

/// Solves an endgame, writes its data sets, learns trees, turns them into code, and proves the player that
/// follows the learned tree: the generated code or, if the code is newer than this program, the tree itself. Then
/// verifies and writes the table, and proves the exact tree and the built-in strategies and measures. A second run
/// changes no byte.
///
/// `told` is called after each step. A stopped run leaves the complete files of the finished steps.
///
/// # Errors
/// If a check fails, a file cannot be read or written, or the work was stopped.
pub fn mine(
    params: &MineParams,
    tables: &TableFolder,
    observer: &dyn Observer,
    mut on_step: impl FnMut(&MineStep),
) -> Result<MineReport, ReportError> {
    check_folder(&params.data.join("trees"))?;
    check_folder(&params.generated.join("src"))?;
    let part = MinePart::Pipeline;
    let mined =
        MineRun { params, observer, on_step: &mut on_step, part, steps: Vec::new() }.run(tables);
    observer.check()?;
    mined
}

const NEWER_CODE: &str =
    "the generated code is newer than this program: build again to play with it";

/// A learned tree; `is_code` is true if it becomes code.
struct LearnedTree {
    tree: DecisionTree,
    is_code: bool,
}

/// A run of mining in progress.
struct MineRun<'a> {
    params: &'a MineParams,
    observer: &'a dyn Observer,
    on_step: &'a mut dyn FnMut(&MineStep),
    part: MinePart,
    steps: Vec<MineStep>,
}

impl MineRun<'_> {
    fn run(mut self, tables: &TableFolder) -> Result<MineReport, ReportError> {
        let tablebase = self.solve(tables)?;
        self.canonicalise(&tablebase)?;
        let sample = self.write_attributes(&tablebase)?;
        let learned = self.learn(&tablebase)?;
        self.generate(&learned)?;
        let tablebase = tablebase.unpacked()?;
        let proof = self.prove(learned, &tablebase)?;
        self.part = MinePart::More;
        self.check(&tablebase)?;
        let exact = self.prove_exact(&tablebase)?;
        let built_in = BuiltInProofs::new(|kind| self.prove_built_in(kind, &tablebase))?;
        let material = self.params.material.to_string();
        Ok(MineReport { material, steps: self.steps, built_in, sample, exact, proof })
    }

    /// Runs one step and reports its result.
    fn step<T>(
        &mut self,
        step: &'static str,
        work: impl FnOnce() -> Result<(T, String), ReportError>,
    ) -> Result<T, ReportError> {
        self.observer.report(Progress { what: step, done: 0, total: None });
        self.observer.check()?;
        let (done, seconds) = timed(work);
        let (value, result) = done?;
        let step = MineStep { part: self.part, step, result, seconds };
        (self.on_step)(&step);
        self.steps.push(step);
        Ok(value)
    }

    /// The path of a file of the endgame in the data folder.
    fn file(&self, name: &str) -> PathBuf {
        self.params.data.join(format!("{}.{name}", self.params.material))
    }

    /// The path of a tree that becomes code.
    fn tree_file(&self, name: &str) -> PathBuf {
        self.params.data.join("trees").join(format!("{}.{name}", self.params.material))
    }

    fn solve(&mut self, tables: &TableFolder) -> Result<Tablebase, ReportError> {
        let (material, observer) = (self.params.material, self.observer);
        let trees = self.params.data.join("trees");
        self.step("solve", || {
            let tablebase = tables.tablebase(material, observer)?;
            observer.check()?;
            make_folder(&trees)?;
            let positions = grouped(tablebase.canonical_len(Side::Weak) as u64);
            let longest = tablebase.longest();
            tablebase.check_readable()?;
            let mate = |plies| format!("longest mate {}", moves(moves_in(plies).into()));
            let longest = longest.map_or("nobody can force a mate".into(), mate);
            Ok((tablebase, format!("{material}, {positions} positions up to symmetry, {longest}")))
        })
    }

    /// Counts the positions of each orbit, and writes the data set krkopt, whose rows are the representatives.
    fn canonicalise(&mut self, tablebase: &Tablebase) -> Result<(), ReportError> {
        let (material, data) = (self.params.material, &self.params.data);
        let path = self.file("krkopt.data");
        self.step("canonical", || {
            let group = Group::new(material);
            let [full, canonical] = [Group::Identity, group].map(|group| {
                let counts = tablebase.counts(Side::Weak, group);
                grouped(counts.legal())
            });
            tablebase.check_readable()?;
            let symmetries = group.symmetries().len();
            let krkopt = write_krkopt(material, data, &path, tablebase)?;
            let said =
                format!("{full} positions to {canonical} by {symmetries} symmetries{krkopt}");
            Ok(((), said))
        })
    }

    /// Verifies and writes the table.
    fn check(&mut self, tablebase: &Tablebase) -> Result<(), ReportError> {
        let (observer, path) = (self.observer, self.file("table"));
        self.step("verify", || {
            let checked = grouped(tablebase.verify(observer)??);
            Ok(((), format!("{checked} entries equal the best of their successors")))
        })?;
        self.step("table", || Ok(((), say(&path, tablebase.save(&path)?))))
    }

    /// The rows of all positions, or of the sample.
    fn dataset(
        &self,
        tablebase: &Tablebase,
        selection: Selection,
    ) -> Result<Dataset, DatasetError> {
        let set = AttributeSet::new(self.params.material, selection);
        match self.params.sample {
            None => Dataset::new(tablebase, &set, Positions::Canonical),
            Some(sample) => {
                Dataset::sampled(tablebase, &set, Positions::Canonical, Side::Weak, sample)
            }
        }
    }

    /// Writes all attributes of the published example; returns the sample, if there is one.
    fn write_attributes(&mut self, tablebase: &Tablebase) -> Result<Option<Sample>, ReportError> {
        let path = self.file("csv");
        let dataset = self.dataset(tablebase, Selection::Published)?;
        let learned_from = AttributeSet::new(self.params.material, Selection::Geometric);
        self.step("attributes", || {
            let (rows, columns) = (number(dataset.rows()), dataset.attributes().len());
            let (all, used) = (columns + 1, learned_from.attributes().len());
            let written = write_file_with(&path, |file| dataset.write_csv(file))?;
            let written = say(&path, written);
            let drawn = dataset.sample().map_or_else(String::new, |sample| format!("{sample}, "));
            let said = format!(
                "{all} attributes x {rows} rows: {columns}, {used} of them learned from, and the class; {drawn}{written}"
            );
            Ok((dataset.sample(), said))
        })
    }

    fn learn(&mut self, tablebase: &Tablebase) -> Result<LearnedTree, ReportError> {
        let dataset = self.dataset(tablebase, Selection::Geometric)?;
        let path = self.file("id3.json");
        self.step("id3", || {
            let tree = Id3Params::default().check()?.learn(&dataset)?;
            let written = save_tree(&path, &tree)?;
            Ok(((), describe(&tree, &dataset, tablebase)? + &written))
        })?;
        let code_leaves = self.params.code_leaves;
        let (code, data) = (self.tree_file("cart.json"), self.file("cart.json"));
        self.step("cart", || {
            let tree = CartParams::default().check()?.learn(&dataset)?;
            let is_code = tree.leaves() <= code_leaves;
            let written = save_tree(if is_code { &code } else { &data }, &tree)?;
            let said = describe(&tree, &dataset, tablebase)? + &written;
            Ok((LearnedTree { tree, is_code }, said))
        })
    }

    fn generate(&mut self, learned: &LearnedTree) -> Result<(), ReportError> {
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
            let functions = function_count(&learned.tree, *function_size) as u64;
            let functions = count(functions, "Rust function", "Rust functions");
            let most = function_size.leaves();
            let modules = count(done.modules as u64, "module", "modules");
            let changed = match done.changed.len() as u64 {
                0 => "unchanged".into(),
                files => count(files, "file", "files") + " written",
            };
            let out = out.display();
            let said = format!(
                "{functions} of at most {most} leaves; {modules} in {out}, {changed}"
            );
            Ok(((), said))
        })
    }

    /// Proves the player that follows the learned tree.
    fn prove(
        &mut self,
        learned: LearnedTree,
        tablebase: &Tablebase,
    ) -> Result<ProofSummary, ReportError> {
        let (observer, LearnedTree { tree, is_code }) = (self.observer, learned);
        let proved = self.step("player", || {
            let kind = is_code.then_some(GeneratedKind::Learned);
            let proved = TreeProof::new(tree, kind, tablebase, observer)?;
            let share = proved.proof.share_won().map(percent);
            let share = share.map_or_else(String::new, |of| format!("; {of} of what can be won"));
            let said = proved.words.clone() + &share;
            Ok((proved, said))
        })?;
        if is_code && !proved.is_current {
            observer.warn(NEWER_CODE);
        }
        Ok(proved.proof)
    }

    /// Verifies the distilled exact tree and proves the player that follows it; `None` if there is none.
    fn prove_exact(&mut self, tablebase: &Tablebase) -> Result<Option<ProofSummary>, ReportError> {
        let path = self.tree_file("exact.json");
        if !path.exists() {
            return Ok(None);
        }
        let observer = self.observer;
        let tree = load_text(&path, DecisionTree::from_json)?;
        let proved = self.step("exact", || {
            guarantee::verify(&tree, Guarantee::Exact, tablebase)?;
            let leaves = number(tree.leaves());
            let proved = TreeProof::new(tree, Some(GeneratedKind::Exact), tablebase, observer)?;
            let said = format!("distilled to {leaves} leaves, verified; {}", proved.words);
            Ok((proved, said))
        })?;
        if !proved.is_current {
            observer.warn(NEWER_CODE);
        }
        Ok(Some(proved.proof))
    }

    /// Proves the built-in models of a kind.
    fn prove_built_in(
        &mut self,
        kind: ModelKind,
        tablebase: &Tablebase,
    ) -> Result<Vec<ModelProof>, ReportError> {
        let (material, observer) = (self.params.material, self.observer);
        let prove = |built_in: &'static BuiltIn| {
            self.step(kind.name(), || {
                let model = built_in.endgame_model();
                let proof = ProofSummary::proved(&*model.policy(tablebase)?, tablebase, observer)?;
                let size = size_in_words(model.as_ref().figures());
                let said = format!("{}, {size}: {}", built_in.name, proof.sentence());
                Ok((ModelProof { name: built_in.name, proof }, said))
            })
        };
        BuiltIn::of(kind, material).map(prove).collect()
    }
}

/// The proof of the player that follows a tree.
struct TreeProof {
    proof: ProofSummary,
    /// The proof in words.
    words: String,
    /// False if the code of the tree is not in this build, so that the tree itself was proved.
    is_current: bool,
}

impl TreeProof {
    /// Proves the code of a tree if this build has it, and otherwise the tree itself. `kind` is that of the code; `None` if
    /// there shall be no code.
    fn new(
        tree: DecisionTree,
        kind: Option<GeneratedKind>,
        tablebase: &Tablebase,
        observer: &dyn Observer,
    ) -> Result<Self, ReportError> {
        let is_code_of = |kind: &GeneratedKind| {
            let generated = kind.tree(tablebase.material());
            generated.is_some_and(|code| code.tree_sha256 == tree.sha256())
        };
        let current = kind.filter(is_code_of);
        let is_current = current.is_some();
        let (policy, which): (Box<dyn Policy>, _) = match current {
            Some(kind) => (Box::new(GeneratedPolicy::new(kind, tablebase)?), "generated code"),
            None => (Box::new(TreePolicy::new(tree, tablebase)?), "interpreted tree"),
        };
        let proof = ProofSummary::proved(&*policy, tablebase, observer)?;
        let words = format!("{which}: {}", proof.sentence());
        Ok(Self { proof, words, is_current })
    }
}

/// Writes the data set krkopt, whose six columns fit three men; KRvK's is compared with the
/// published one. Returns what was done, in words that go on with a sentence.
fn write_krkopt(
    material: Material,
    data: &Path,
    path: &Path,
    tablebase: &Tablebase,
) -> Result<String, ReportError> {
    if material.men() != 3 {
        return Ok(String::new());
    }
    let bytes = krkopt::to_csv(tablebase)?;
    if material.to_string() != "KRvK" {
        return Ok(format!(", {}", save(path, &bytes)?));
    }
    if sha256(&bytes) != krkopt::KRVK_SHA256 {
        return Err(ReportError::NotAsPublished);
    }
    let written = save(&data.join("krkopt.data"), &bytes)?;
    Ok(format!(": identical to the published krkopt, {written}"))
}

/// Writes a file and returns what was done, in words.
fn save(path: &Path, bytes: &[u8]) -> Result<String, WriteError> {
    Ok(say(path, write_file(path, bytes)?))
}

/// Writes a tree as JSON and returns what was done, in words.
fn save_tree(path: &Path, tree: &DecisionTree) -> Result<String, WriteError> {
    Ok(say(path, write_file(path, tree.to_json().as_bytes())?))
}

fn say(path: &Path, written: WriteOutcome) -> String {
    let written = match written {
        WriteOutcome::Changed => "written",
        WriteOutcome::Unchanged => "unchanged",
    };
    format!("{} {written}", path.display())
}

/// The size of a tree and its mistakes on the rows, which are canonical positions.
fn describe(
    tree: &DecisionTree,
    dataset: &Dataset,
    tablebase: &Tablebase,
) -> Result<String, Stopped> {
    let tests = count(tree.tests() as u64, "test", "tests");
    let leaves = count(tree.leaves() as u64, "leaf", "leaves");
    let mistakes = Mistakes::new(tree, dataset);
    let rows = dataset.rows();
    let right = percent((rows - mistakes.rows) as f64 / rows as f64);
    let said = format!("{tests}, {leaves}, {right} right, ");
    let Some(row) = mistakes.first else { return Ok(said) };
    let orbit = dataset.orbits()[row] as usize;
    let found = tablebase.canonical_positions(Side::Weak).nth(orbit);
    tablebase.check_readable()?;
    let (position, outcome) = found.expect("a row is a position");
    let class = tree.classify_by(|attribute| dataset.column(attribute)[row]);
    let class = class.map_or("nothing", |class| &dataset.classes()[usize::from(class)]);
    let (wrong, rows, depth) = (number(mistakes.rows), number(rows), DistanceClass::from(outcome));
    Ok(format!(
        "{said}{wrong} of {rows} rows wrong (the first is {position}: {depth}, said to be {class}), "
    ))
}
