//! Files that cannot be read as what they are given for, because they are of another kind.

use super::{Failure, Result};
use lucena::book::Book;
use lucena::roster::{EvaluationName, LoadedPlayer, PlayerName, SearchName};
use lucena_files::{LoadError, is_stream, load, read_file};
use lucena_model::{FileKind, ModelKind};
use std::error::Error;
use std::path::Path;

pub(super) const TREE: &[FileKind] = &[FileKind::Model(ModelKind::Tree)];
pub(super) const STRATEGY: &[FileKind] = &[FileKind::Model(ModelKind::Strategy)];
pub(super) const MEASURE: &[FileKind] = &[FileKind::Model(ModelKind::Measure)];
pub(super) const MODELS: &[FileKind] = &[
    FileKind::Model(ModelKind::Tree),
    FileKind::Model(ModelKind::Strategy),
    FileKind::Model(ModelKind::Measure),
];
pub(super) const WEIGHTS: &[FileKind] = &[FileKind::Trained];

/// The kinds of files with a model of a kind.
pub(super) fn of_model(kind: ModelKind) -> &'static [FileKind] {
    match kind {
        ModelKind::Tree => TREE,
        ModelKind::Strategy => STRATEGY,
        ModelKind::Measure => MEASURE,
    }
}

/// Reads an opening book.
pub(super) fn load_book(path: &Path) -> Result<Book> {
    read_as(path, &[FileKind::Book], || load(path, Book::from_bytes))
}

/// Reads a file. If it cannot be read and is of none of these kinds, the failure says what it is and who takes it.
pub(super) fn read_as<T, E: Into<Failure>>(
    path: &Path,
    wanted: &[FileKind],
    read: impl FnOnce() -> Result<T, E>,
) -> Result<T> {
    read().map_err(|error| {
        let failure = error.into();
        match &failure {
            Failure::Usage(error) | Failure::InputOutput(error) => {
                let said = error.to_string();
                of_other_kind(path, wanted, &said).unwrap_or(failure)
            }
            _ => failure,
        }
    })
}

/// The failure to read a file of another kind, unless the message says so already.
fn of_other_kind(path: &Path, wanted: &[FileKind], message: &str) -> Option<Failure> {
    // What has been read from a pipe is not there again.
    let bytes = Some(path).filter(|path| !is_stream(path)).map(read_file)?.ok()?;
    failure_of_other_kind(path, &bytes, wanted, message)
}

/// Reads and parses a file as [`read_as`] does, also from a pipe, since it still has the bytes.
pub(super) fn load_as<T, E: Error + 'static>(
    path: &Path,
    wanted: &[FileKind],
    parse: impl FnOnce(&[u8]) -> Result<T, E>,
) -> Result<T> {
    let bytes = read_file(path)?;
    parse(&bytes).map_err(|source| {
        let other = failure_of_other_kind(path, &bytes, wanted, &source.to_string());
        other.unwrap_or_else(|| LoadError::Content { path: path.into(), source }.into())
    })
}

/// The failure for content of another kind, unless the message says so already.
fn failure_of_other_kind(
    path: &Path,
    bytes: &[u8],
    wanted: &[FileKind],
    message: &str,
) -> Option<Failure> {
    let found = FileKind::recognize(bytes).filter(|found| !wanted.contains(found))?;
    // An option for binary files says better what is wrong with one of no kind.
    let is_for_bytes =
        |kind: &FileKind| matches!(kind, FileKind::Table | FileKind::Book | FileKind::Trained);
    let is_unknown = found == FileKind::Binary && wanted.iter().any(is_for_bytes);
    if is_unknown || message.contains(&found.to_string()) {
        return None;
    }
    Some(wrong_kind(path, found))
}

/// The failure for a file of a kind that its option does not take.
pub(super) fn wrong_kind(path: &Path, found: FileKind) -> Failure {
    let (path, what, usage) = (path.display(), found.sentence(), found.usage());
    Failure::InputOutput(format!("{path}: {what}: {usage}").into())
}

/// Reads the files of a player.
pub(super) fn load_player(player: &PlayerName) -> Result<LoadedPlayer> {
    let wanted = match player {
        PlayerName::ModelFile(kind, _) => of_model(*kind),
        PlayerName::Trained { .. } => WEIGHTS,
        PlayerName::Search(SearchName { evaluation: EvaluationName::Measure(_), .. }) => MEASURE,
        _ => &[FileKind::Evaluation, FileKind::Trained],
    };
    match player.file() {
        Some(path) => read_as(path, wanted, || player.load()),
        None => Ok(player.load()?),
    }
}
