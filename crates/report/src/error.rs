use lucena_base::progress::Stopped;
use lucena_chess::Material;
use lucena_chess::pgn::PgnError;
use lucena_codegen::RegenerateError;
use lucena_dataset::DatasetError;
use lucena_dataset::krkopt::KrkoptError;
use lucena_dataset::sufficiency::SubsetError;
use lucena_explain::lesson::OutcomeLessonError;
use lucena_files::{LoadError, WriteError};
use lucena_learn::LearnError;
use lucena_model::ReadModelError;
use lucena_proof::ProveError;
use lucena_proof::guarantee::VerifyError;
use lucena_proof::policy::{NoGeneratedTree, Unplayable};
use lucena_tablebase::{TableFileError, WrongEntry};
use lucena_train::{TrainError, TrainingMismatch};

/// The reasons why there is no report.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReportError {
    /// The observer asked to stop, or a table file can no longer be read.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// The regenerated data set is not the published one.
    #[error("the regenerated krkopt.data is not the published file")]
    NotAsPublished,
    /// No data set of the endgame was published to compare the regenerated data set with.
    #[error(
        "no data set of {0} has been published to check against: name a file with --against FILE"
    )]
    Unpublished(Material),
    /// No game leaves a move for the book.
    #[error(
        "no move is left for the book: give games with results, look at least one ply deep, and do not require more games of a move than there are"
    )]
    EmptyBook,
    /// The file holds no game.
    #[error("there is no game in it: name a PGN file")]
    NoGame,
    /// A game cannot be read.
    #[error(transparent)]
    Pgn(#[from] PgnError),
    /// The table is wrong.
    #[error(transparent)]
    WrongEntry(#[from] WrongEntry),
    /// The table can no longer be read.
    #[error(transparent)]
    TableFile(#[from] TableFileError),
    /// There is no such krkopt data set, or no such file.
    #[error(transparent)]
    Krkopt(#[from] KrkoptError),
    /// The positions make no data set.
    #[error(transparent)]
    Dataset(#[from] DatasetError),
    /// No small subset was found.
    #[error(transparent)]
    Subset(#[from] SubsetError),
    /// Learning failed.
    #[error(transparent)]
    Learn(#[from] LearnError),
    /// The tree makes no lesson about outcomes.
    #[error(transparent)]
    Lesson(#[from] OutcomeLessonError),
    /// The distilled tree does not give every distance.
    #[error(transparent)]
    Guarantee(#[from] VerifyError),
    /// A tree cannot be played.
    #[error(transparent)]
    Tree(#[from] Unplayable),
    /// This build has no code for the endgame.
    #[error(transparent)]
    Generated(#[from] NoGeneratedTree),
    /// A proof failed, or the position cannot be played from.
    #[error(transparent)]
    Prove(#[from] ProveError),
    /// Training failed.
    #[error(transparent)]
    Train(#[from] TrainError),
    /// The weights are for another endgame.
    #[error(transparent)]
    Foreign(#[from] TrainingMismatch),
    /// The distilled tree cannot be read.
    #[error(transparent)]
    Load(#[from] LoadError<ReadModelError>),
    /// A file cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// The code cannot be written.
    #[error(transparent)]
    Regenerate(#[from] RegenerateError),
}
