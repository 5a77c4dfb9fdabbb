//! A folder of trees as the source of a crate.

use crate::emit::MARK;
use crate::library::library;
use crate::{FunctionSize, emit};
use lucena_files::{LoadError, WriteError, Written, load, make_folder, write_file};
use lucena_tree::{DecisionTree, ParseTreeError, is_identifier};
use std::collections::BTreeMap;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// Why a folder of trees was not turned into code.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RegenerateError {
    /// A folder or a file in it could not be read.
    #[error("cannot read {path}: {source}")]
    Read {
        /// The folder or file.
        path: PathBuf,
        /// What the file system said.
        source: std::io::Error,
    },
    /// A tree could not be loaded.
    #[error(transparent)]
    Load(#[from] LoadError<ParseTreeError>),
    /// A file could not be written or removed.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// Two trees, or a name that no module can have.
    #[error("{path} cannot become a module: {what}; name trees as in KRvK.exact.json")]
    Name {
        /// The tree's file.
        path: PathBuf,
        /// What is wrong with its name.
        what: String,
    },
    /// A file in the way that was written by somebody else.
    #[error(
        "{0} was not written by lucena-codegen, and would be lost: choose a directory for generated files alone"
    )]
    Foreign(PathBuf),
    /// There is nothing to generate.
    #[error("{0} holds no trees; learn one with \"lucena mine\"")]
    NoTrees(PathBuf),
}

/// In how many lines from its beginning a generated file says so.
const MARK_WITHIN: usize = 20;

/// What [`regenerate`] did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Regenerated {
    /// How many modules there are, without `lib.rs`.
    pub modules: usize,
    /// The files that changed, were made or were removed.
    pub changed: Vec<PathBuf>,
}

/// A file that does not hold what it should.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{} is not what the trees say; run \"cargo run -p lucena-codegen\"", .0.display())]
pub struct Stale(pub PathBuf);

/// Turns every `*.json` tree of a folder into a module and writes the modules, and the `lib.rs`
/// that lists them, to another. That folder belongs to this function: a generated file in it that
/// no tree gives any more is removed. Files that would not change are not touched.
///
/// # Errors
/// When a tree cannot be loaded, the folder holds Rust files that were not generated, or the file
/// system refuses. All but the last is found out before anything is written.
pub fn regenerate(
    trees: &Path,
    out: &Path,
    size: FunctionSize,
) -> Result<Regenerated, RegenerateError> {
    let texts = texts(trees, size)?;
    for path in rust_files(out)? {
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        if !text.lines().take(MARK_WITHIN).any(|line| line.contains(MARK)) {
            return Err(RegenerateError::Foreign(path));
        }
    }
    make_folder(out)?;
    let mut changed = Vec::new();
    for (name, text) in &texts {
        let path = out.join(name);
        if write_file(&path, text.as_bytes())? == Written::Changed {
            changed.push(path);
        }
    }
    for path in rust_files(out)? {
        if !texts.contains_key(&file_name(&path)) {
            std::fs::remove_file(&path)
                .map_err(|source| WriteError { path: path.clone(), source })?;
            changed.push(path);
        }
    }
    Ok(Regenerated { modules: texts.len() - 1, changed })
}

/// The files that [`regenerate`] would change, make or remove.
///
/// # Errors
/// When a tree cannot be loaded, or the folders cannot be read.
pub fn stale(trees: &Path, out: &Path, size: FunctionSize) -> Result<Vec<Stale>, RegenerateError> {
    let texts = texts(trees, size)?;
    let mut stale: Vec<Stale> = texts
        .iter()
        .map(|(name, text)| (out.join(name), text))
        .filter(|(path, text)| !std::fs::read(path).is_ok_and(|old| old == text.as_bytes()))
        .map(|(path, _)| Stale(path))
        .collect();
    let unknown = rust_files(out)?.into_iter().filter(|path| !texts.contains_key(&file_name(path)));
    stale.extend(unknown.map(Stale));
    Ok(stale)
}

/// File names with the text that belongs into each.
fn texts(trees: &Path, size: FunctionSize) -> Result<BTreeMap<String, String>, RegenerateError> {
    let mut modules = BTreeMap::new();
    for path in files(trees, "json")? {
        let name = module_name(&path)?;
        let tree = load(&path, DecisionTree::from_json)?;
        if let Some((other, _)) = modules.insert(name, (path.clone(), tree)) {
            let what = format!("{} would be the same module", other.display());
            return Err(RegenerateError::Name { path, what });
        }
    }
    let modules: BTreeMap<String, DecisionTree> =
        modules.into_iter().map(|(name, (_, tree))| (name, tree)).collect();
    if modules.is_empty() {
        return Err(RegenerateError::NoTrees(trees.into()));
    }
    let mut texts = BTreeMap::from([("lib.rs".to_owned(), library(&modules))]);
    // Emitting is nearly all of the work, and the trees have nothing to do with one another.
    // Only as many at a time as there are processors, since each takes some memory.
    let workers = std::thread::available_parallelism().map_or(1, NonZero::get).min(modules.len());
    let open = Mutex::new(modules.iter());
    let work = || {
        let next = || open.lock().expect("nobody panics with it").next();
        std::iter::from_fn(next)
            .map(|(name, tree)| (format!("{name}.rs"), emit(tree, size)))
            .collect::<Vec<_>>()
    };
    let emitted: Vec<(String, String)> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        let join = |thread: std::thread::ScopedJoinHandle<'_, Vec<_>>| {
            thread.join().expect("emitting does not panic")
        };
        threads.into_iter().flat_map(join).collect()
    });
    texts.extend(emitted);
    Ok(texts)
}

/// `KRvK.exact.json` becomes `krvk_exact`.
fn module_name(path: &Path) -> Result<String, RegenerateError> {
    let name = file_name(path).trim_end_matches(".json").to_lowercase().replace(['.', '-'], "_");
    if name == "lib" || !is_identifier(&name) {
        let what = "its name is no Rust identifier, or it is lib".into();
        return Err(RegenerateError::Name { path: path.into(), what });
    }
    Ok(name)
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn rust_files(folder: &Path) -> Result<Vec<PathBuf>, RegenerateError> {
    if folder.exists() { files(folder, "rs") } else { Ok(Vec::new()) }
}

/// The files of a folder with an extension, by name.
fn files(folder: &Path, extension: &str) -> Result<Vec<PathBuf>, RegenerateError> {
    let read = |source| RegenerateError::Read { path: folder.into(), source };
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(read)? {
        let path = entry.map_err(read)?.path();
        if path.extension().is_some_and(|found| found == extension) {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}
