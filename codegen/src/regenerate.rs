//! Generates the source of a crate from a folder of trees.

use crate::FunctionSize;
use crate::library::library;
use crate::rust_tree::{MARK, rust_tree};
use lucena_files::{LoadError, WriteError, WriteOutcome, load_text, make_folder, write_file};
use lucena_model::{DecisionTree, ReadModelError, is_identifier};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The error for a folder of trees that cannot be turned into code.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RegenerateError {
    /// A folder, or a file in it, could not be read.
    #[error("cannot read {path}: {source}")]
    Read {
        /// The folder or file.
        path: PathBuf,
        /// The error of the file system.
        source: std::io::Error,
    },
    /// A tree could not be loaded.
    #[error(transparent)]
    Load(#[from] LoadError<ReadModelError>),
    /// A file could not be written or removed.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// Two trees have the same module name, or a file name is not a module name.
    #[error("{path} cannot become a module: {what}; name trees as in KRvK.exact.json")]
    Name {
        /// The tree's file.
        path: PathBuf,
        /// The fault of the name.
        what: String,
    },
    /// A file in the output folder was not generated.
    #[error(
        "{0} was not written by lucena-codegen, and would be lost: choose a directory for generated files alone"
    )]
    Foreign(PathBuf),
    /// The folder has no trees.
    #[error("{0} holds no trees; learn one with \"lucena mine\"")]
    NoTrees(PathBuf),
}

/// The number of lines at the beginning of a generated file that may contain [`MARK`].
const MARK_WITHIN: usize = 20;

/// The result of [`regenerate`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RegenerateSummary {
    /// The number of modules, without `lib.rs`.
    pub modules: usize,
    /// The files that were changed, created or removed.
    pub changed: Vec<PathBuf>,
}

/// A generated file that is out of date.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{} is not what the trees say; run \"cargo run -p lucena-codegen\"", .0.display())]
pub struct StaleFileError(pub PathBuf);

/// Turns every `*.json` tree of a folder into a module, and writes the modules, with a `lib.rs` that
/// lists them, to another folder. That folder belongs to this function: generated files in it without a
/// tree are removed. Files that would not change are not touched.
///
/// # Errors
/// If a tree cannot be loaded, the folder holds Rust files that were not generated, or the file
/// system fails. All but the last is detected before anything is written.
pub fn regenerate(
    trees: &Path,
    out: &Path,
    size: FunctionSize,
) -> Result<RegenerateSummary, RegenerateError> {
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
        if write_file(&path, text.as_bytes())? == WriteOutcome::Changed {
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
    Ok(RegenerateSummary { modules: texts.len() - 1, changed })
}

/// The files that [`regenerate`] would change, create or remove.
///
/// # Errors
/// If a tree cannot be loaded, or a folder cannot be read.
pub fn stale(
    trees: &Path,
    out: &Path,
    size: FunctionSize,
) -> Result<Vec<StaleFileError>, RegenerateError> {
    let texts = texts(trees, size)?;
    let is_right =
        |path: &Path, text: &str| std::fs::read(path).is_ok_and(|old| old == text.as_bytes());
    let written = texts.iter().map(|(name, text)| (out.join(name), text));
    let stale = written.filter(|(path, text)| !is_right(path, text)).map(|(path, _)| path);
    let unknown = rust_files(out)?.into_iter().filter(|path| !texts.contains_key(&file_name(path)));
    Ok(stale.chain(unknown).map(StaleFileError).collect())
}

/// The contents of the generated files, by file name.
fn texts(trees: &Path, size: FunctionSize) -> Result<BTreeMap<String, String>, RegenerateError> {
    let mut modules = BTreeMap::new();
    for path in files(trees, "json")? {
        let name = module_name(&path)?;
        let tree = load_text(&path, DecisionTree::from_json)?;
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
    // Emitting is nearly all of the work, and the trees are independent.
    let emitted =
        modules.par_iter().map(|(name, tree)| (format!("{name}.rs"), rust_tree(tree, size, &[])));
    let mut texts: BTreeMap<String, String> = emitted.collect();
    texts.insert("lib.rs".into(), library(&modules));
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

/// The files of a folder with an extension, sorted by name.
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
