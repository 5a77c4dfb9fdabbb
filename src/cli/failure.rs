use super::terminal::say;
use clap::error::{ContextKind, ContextValue};
use lucena::chess::pgn::{PgnError, PgnProblem};
use lucena::progress::Stopped;
use lucena::report::ReportError;
use lucena::text::LineError;
use lucena_files::{LoadError, ReadError, WriteError, is_standard_output};
use std::error::Error;
use std::io::{self, ErrorKind, Write};
use std::path::Path;

/// The reason why a verb did not succeed.
pub(super) enum Failure {
    /// The command line is invalid, or asks for help.
    Unclear(clap::Error),
    /// A check failed; the report has said so.
    Check,
    /// The request makes no sense.
    Usage(Box<dyn Error>),
    /// Something could not be read or written.
    InputOutput(Box<dyn Error>),
    /// A worker has failed; its supervisor knows what the code means.
    #[cfg(feature = "dist")]
    Worker {
        /// The exit code of the process.
        code: u8,
        /// The error message.
        sentence: String,
    },
    /// Ctrl-C or a signal has stopped the work.
    Stopped,
    /// The reader of the output has gone away: there is nothing left to say.
    ClosedPipe,
}

/// The result of a verb, or of a part of it.
pub(super) type Result<T, E = Failure> = std::result::Result<T, E>;

impl Failure {
    pub(super) fn usage(message: impl Into<String>) -> Self {
        Self::Usage(message.into().into())
    }

    /// The failure to read the games in a file.
    pub(super) fn of_games(path: &Path, error: PgnError) -> Self {
        match error.problem {
            PgnProblem::Read(source) => ReadError { path: path.into(), source }.into(),
            _ => Self::InputOutput(format!("{}: {error}", path.display()).into()),
        }
    }

    /// The failure that a file holds no game.
    pub(super) fn no_game(path: &Path) -> Self {
        Self::InputOutput(format!("{}: {}", path.display(), ReportError::NoGame).into())
    }

    /// The error in a sentence, for a form; empty if it has been told.
    #[cfg(feature = "serve")]
    pub(super) fn into_sentence(self) -> String {
        match self {
            Self::Usage(error) | Self::InputOutput(error) => error.to_string(),
            Self::Unclear(error) => error.to_string(),
            _ => String::new(),
        }
    }

    /// Prints the error on standard error, and returns the exit code.
    pub(super) fn report(self) -> u8 {
        let (error, code) = match self {
            Self::Stopped => return super::interrupt::exit_code(),
            Self::ClosedPipe => return 0,
            Self::Check => return 1,
            #[cfg(feature = "dist")]
            Self::Worker { code, sentence } => {
                say(&sentence);
                return code;
            }
            Self::Unclear(error) => {
                // Even if the terminal is gone, the exit code still tells.
                let _ = error.print();
                return u8::try_from(error.exit_code()).unwrap_or(2);
            }
            Self::Usage(error) => (error, 2),
            Self::InputOutput(error) => (error, 3),
        };
        super::job_output::send(|| lucena_serve::OutputLine::Error(error.to_string()));
        let bold = anstyle::AnsiColor::Red.on_default().bold();
        // Even if standard error is gone, the exit code still tells.
        let _ = writeln!(anstream::stderr(), "{bold}error{bold:#}: {error}");
        code
    }
}

/// The argument and its value that clap has rejected, as far as it names them.
pub(super) fn rejected(error: &clap::Error) -> (Option<&str>, Option<&str>) {
    let text = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.as_str()),
        _ => None,
    };
    (text(ContextKind::InvalidArg), text(ContextKind::InvalidValue))
}

impl From<LineError> for Failure {
    fn from(error: LineError) -> Self {
        match error {
            LineError::Read(error) => error.into(),
            error => Self::Usage(format!("standard input: {error}").into()),
        }
    }
}

impl From<io::Error> for Failure {
    /// Converts an error of standard output or standard input; errors of files carry a path and have types
    /// of their own.
    fn from(error: io::Error) -> Self {
        match error.kind() {
            ErrorKind::BrokenPipe => Self::ClosedPipe,
            ErrorKind::StorageFull => Self::InputOutput(
                "cannot write standard output: the disk is full; make room and try again".into(),
            ),
            _ => Self::InputOutput(format!("cannot use the terminal or pipe: {error}").into()),
        }
    }
}

impl From<WriteError> for Failure {
    fn from(error: WriteError) -> Self {
        match error.source.kind() {
            ErrorKind::BrokenPipe if is_standard_output(&error.path) => Self::ClosedPipe,
            _ => Self::InputOutput(error.into()),
        }
    }
}

impl From<Stopped> for Failure {
    fn from(error: Stopped) -> Self {
        match error {
            Stopped::Request => Self::Stopped,
            Stopped::Unreadable(error) => Self::InputOutput(error.into()),
        }
    }
}

impl<E: Error + 'static> From<LoadError<E>> for Failure {
    fn from(error: LoadError<E>) -> Self {
        Self::InputOutput(error.into())
    }
}

macro_rules! failures {
    ($kind:ident: $($error:ty),* $(,)?) => {
        $(impl From<$error> for Failure {
            fn from(error: $error) -> Self {
                Self::$kind(error.into())
            }
        })*
    };
}

failures!(Usage:
    lucena::arena::OpeningsError,
    lucena::attributes::UnknownAttribute,
    lucena::attributes::UnknownQuantity,
    lucena::chess::FenError,
    lucena::chess::IllegalMove,
    lucena::chess::IllegalPosition,
    lucena::chess::NoEndgame,
    lucena::dataset::DivisionError,
    lucena::dataset::FormatError,
    lucena::arena::EntrantError,
    lucena::policy::NoGeneratedTree,
    lucena::roster::NotBuiltIn,
    lucena::roster::ParsePlayerError,
    lucena::roster::PolicyError,
    lucena::lesson::OutcomeLessonError,
    lucena::measure::TooManyMeasures,
    lucena::policy::Unplayable,
    lucena::tablebase::UnknownMaterial,
    lucena::train::SettingError,
    lucena_codegen::FunctionSizeError,
    lucena_codegen::EmitError,
    lucena_codegen::EngineEndgamesError,
);
failures!(InputOutput:
    lucena::book::BookError,
    lucena::roster::LoadPlayerError,
    lucena::tablebase::TableFileError,
    lucena_model::ReadModelError,
    lucena::syzygy::FolderError,
    lucena_files::ReadError,
    lucena_codegen::RegenerateError,
);

/// Converts errors by variant: those before the brackets hold an error with a conversion of its own, those in
/// brackets are errors of files, those in braces are failed checks, and all others are usage errors.
macro_rules! sorted {
    ($($error:ty: $($inner:ident)* [$($of_files:ident),*] $({$($of_checks:ident),*})?;)*) => {
        $(impl From<$error> for Failure {
            fn from(error: $error) -> Self {
                type Error = $error;
                match error {
                    $(Error::$inner(inner) => inner.into(),)*
                    $(Error::$of_files { .. } => Self::InputOutput(error.into()),)*
                    $($(Error::$of_checks { .. } => {
                        say(&error.to_string());
                        Self::Check
                    })*)?
                    error => Self::Usage(error.into()),
                }
            }
        })*
    };
}

sorted! {
    lucena::arena::ArenaError: Stopped [Read, Write, NoFile, Damaged, Peculiar];
    lucena::dataset::DatasetError: Stopped [];
    lucena::dataset::SyzygyLabelsError: Stopped [Syzygy];
    lucena::engine::EngineError: Stopped [];
    lucena::experiment::ExperimentError: Stopped Dataset Learn Theory Verify Validation [];
    lucena::explain::ExplainError: Stopped [];
    lucena::explain::ShowError: Unplayable [];
    lucena::learn::LearnError: Dataset [];
    lucena::proof::ProveError: Stopped [];
    lucena::report::ReportError: Stopped Dataset Guarantee Learn Prove Train
        [TableFile, Load, Write, Regenerate] {WrongEntry, NotAsPublished};
    lucena::tablebase::ProbeError: [File];
    lucena::report::VerifySyzygyError: Verify [File];
    lucena::syzygy::VerifyError: Stopped [Syzygy];
    lucena::tablebase::SaveSyzygyError: Stopped Write [];
    lucena::theory::TheoryError: Stopped [] {NoTime};
    lucena::guarantee::VerifyError: Prove [];
    lucena::train::EvolutionError: Stopped [Read, Write, Damaged];
    lucena::train::TrainError: Stopped [Load, LoadRuns, Write];
    lucena::validation::ValidationError: Stopped [];
}
