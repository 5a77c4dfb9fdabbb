use super::BuiltIn;
use lucena_base::named::{Named, nearest};
use lucena_model::ModelKind;
use lucena_proof::policy::GeneratedKind;
use lucena_search::{Algorithm, Limit, ParseSearchError, Refinements, SearchParams};
use lucena_train::{BoardEncoding, LearnedLookAhead};
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

/// The name of a player, as users write it.
///
/// ```
/// use lucena_roster::PlayerName;
///
/// let player: PlayerName = "search:depth=3,eval=material".parse()?;
/// assert_eq!(player.to_string(), "search:depth=3,eval=material");
/// assert!("deep-blue".parse::<PlayerName>().is_err());
/// # Ok::<(), lucena_roster::ParsePlayerError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PlayerName {
    /// The generated code of this build.
    Generated(GeneratedKind),
    /// Table lookup.
    Tablebase,
    /// Table lookup, and in drawn positions the moves that leave the opponent the most replies that lose.
    Stubborn,
    /// A model from a file.
    ModelFile(ModelKind, PathBuf),
    /// The smallest strategy or measure of this build for the endgame.
    Smallest(ModelKind),
    /// A model of this build, by its kind and name: the part of its file name between the endgame and `json`.
    BuiltIn(ModelKind, &'static str),
    /// Random legal moves.
    Random,
    /// Random moves that keep the king near the centre.
    KingRefugee,
    /// A search.
    Search(SearchName),
    /// A trained evaluation, without a search.
    Trained {
        /// The file.
        path: PathBuf,
        /// The look-ahead; `None` for that of the training.
        plies: Option<LearnedLookAhead>,
    },
    /// The published network before training.
    Published(PublishedName),
}

/// The published network before training: its weights are small and random.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PublishedName {
    /// The mapping from men to inputs.
    pub reading: BoardEncoding,
    /// The look-ahead.
    pub plies: LearnedLookAhead,
    /// The seed of the weights.
    pub seed: u64,
}

impl Default for PublishedName {
    fn default() -> Self {
        Self { reading: BoardEncoding::Text, plies: LearnedLookAhead::One, seed: 1 }
    }
}

/// A search and its evaluation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchName {
    /// The parameters of the search.
    pub params: SearchParams,
    /// The evaluation.
    pub evaluation: EvaluationName,
}

/// The name of an evaluation, as users write it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum EvaluationName {
    /// Material only.
    Material,
    /// Eight terms with weights for three phases.
    Parts,
    /// Progress in mating a bare king.
    MopUp,
    /// The eight terms, or the mop-up once a king is bare.
    #[default]
    Complete,
    /// A measure from a file, for its endgame.
    Measure(PathBuf),
    /// Weights from a file.
    File(PathBuf),
}

/// An error in parsing the name of a player.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ParsePlayerError {
    /// The name is unknown.
    #[error(
        "{0:?} is not a player{meant}: there are exact, learned, theory, strategy, measure, tablebase, stubborn, tree:FILE, strategy:FILE, measure:FILE, tree:NAME, strategy:NAME and measure:NAME of this build, random, king-refugee, search:depth=N, search:time=50ms, published and trained:FILE", meant = meant(.0)
    )]
    Unknown(String),
    /// The settings of the search are invalid.
    #[error(transparent)]
    Search(#[from] ParseSearchError),
    /// The name of a file is missing.
    #[error(
        "{0}: needs a file, or the name of a model of this build: write {0}:FILE, or see \"lucena show --list\""
    )]
    NoFile(ModelKind),
    /// The name of a file of weights is missing.
    #[error("trained: needs a file: write trained:FILE")]
    NoTrainedFile,
    /// The look-ahead is not one of 1 to 6 plies.
    #[error(
        "{0:?} is not a look-ahead for a trained player: write plies=N with a number from 1 to 6"
    )]
    Plies(String),
    /// The settings of the published network are invalid.
    #[error(
        "{0:?} is not a setting of the published network: write reading=text or reading=program, plies=1 to plies=6, and seed=N, with commas between them"
    )]
    Published(String),
}

impl PlayerName {
    /// The file that the player is made from, or its evaluation.
    pub fn file(&self) -> Option<&Path> {
        match self {
            Self::ModelFile(_, path)
            | Self::Trained { path, .. }
            | Self::Search(SearchName {
                evaluation: EvaluationName::File(path) | EvaluationName::Measure(path),
                ..
            }) => Some(path),
            _ => None,
        }
    }

    /// Returns true if the player looks its moves up, for either side.
    pub fn looks_up(&self) -> bool {
        matches!(self, Self::Tablebase | Self::Stubborn)
    }

    /// Returns true if the player can move in any position, as far as its name tells. Weights from a file may be
    /// for an endgame alone.
    pub(super) fn may_play_full_games(&self) -> bool {
        !matches!(
            self,
            Self::Generated(_)
                | Self::Tablebase
                | Self::Stubborn
                | Self::ModelFile(..)
                | Self::Smallest(_)
                | Self::BuiltIn(..)
        )
    }
}

/// The players that are neither code nor a model, as written before a colon.
const OTHER_PLAYERS: [&str; 7] =
    ["tablebase", "stubborn", "random", "king-refugee", "search", "published", "trained"];

/// A suggestion of the player that was probably meant, in words.
fn meant(text: &str) -> String {
    let kind = text.split(':').next().unwrap_or_default();
    let code = GeneratedKind::ALL.iter().map(|&(name, _)| name);
    let models = ModelKind::ALL.map(ModelKind::name);
    nearest(kind, code.chain(models).chain(OTHER_PLAYERS))
        .map_or_else(String::new, |kind| format!(", perhaps {kind}"))
}

impl FromStr for PlayerName {
    type Err = ParsePlayerError;

    fn from_str(text: &str) -> Result<Self, ParsePlayerError> {
        let (kind, rest) =
            text.split_once(':').map_or((text, None), |(kind, rest)| (kind, Some(rest)));
        if let Some(kind) = ModelKind::named(kind) {
            return model(kind, rest);
        }
        match (kind, rest) {
            ("tablebase", None) => Ok(Self::Tablebase),
            ("stubborn", None) => Ok(Self::Stubborn),
            ("random", None) => Ok(Self::Random),
            ("king-refugee", None) => Ok(Self::KingRefugee),
            ("search", settings) => Ok(Self::Search(settings.unwrap_or_default().parse()?)),
            ("trained", Some(file)) if !file.is_empty() => trained(file),
            ("trained", _) => Err(ParsePlayerError::NoTrainedFile),
            ("published", settings) => {
                Ok(Self::Published(settings.map_or(Ok(PublishedName::default()), str::parse)?))
            }
            _ => match GeneratedKind::named(text) {
                Some(kind) => Ok(Self::Generated(kind)),
                None => Err(ParsePlayerError::Unknown(text.into())),
            },
        }
    }
}

/// `measure`, the smallest of this build; `measure:NAME`, another one; or `measure:FILE`. A file with the name of a model
/// is written with its folder.
fn model(kind: ModelKind, name: Option<&str>) -> Result<PlayerName, ParsePlayerError> {
    match name {
        None if BuiltIn::all(kind).any(BuiltIn::is_smallest) => Ok(PlayerName::Smallest(kind)),
        None | Some("") => Err(ParsePlayerError::NoFile(kind)),
        Some(name) => Ok(match BuiltIn::named(kind, name) {
            Some(name) => PlayerName::BuiltIn(kind, name),
            None => PlayerName::ModelFile(kind, name.into()),
        }),
    }
}

/// `FILE` or `FILE,plies=2`.
fn trained(text: &str) -> Result<PlayerName, ParsePlayerError> {
    let Some((file, plies)) = text.rsplit_once(",plies=") else {
        return Ok(PlayerName::Trained { path: text.into(), plies: None });
    };
    let plies = plies.parse().map_err(|_| ParsePlayerError::Plies(plies.into()))?;
    Ok(PlayerName::Trained { path: file.into(), plies: Some(plies) })
}

impl FromStr for PublishedName {
    type Err = ParsePlayerError;

    /// Reads settings such as `reading=program,plies=2,seed=3`, of which each may be left out.
    fn from_str(text: &str) -> Result<Self, ParsePlayerError> {
        let mut name = Self::default();
        for setting in text.split(',') {
            let wrong = || ParsePlayerError::Published(setting.into());
            let (key, value) = setting.split_once('=').ok_or_else(wrong)?;
            match key {
                "reading" => name.reading = value.parse().map_err(|_| wrong())?,
                "plies" => name.plies = value.parse().map_err(|_| wrong())?,
                "seed" => name.seed = value.parse().map_err(|_| wrong())?,
                _ => return Err(wrong()),
            }
        }
        Ok(name)
    }
}

impl fmt::Display for PublishedName {
    /// The settings that differ from the usual ones, as [`FromStr`] reads them.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Self { reading, plies, seed }, usual) = (*self, Self::default());
        let settings = [
            (reading != usual.reading).then(|| format!("reading={reading}")),
            (plies != usual.plies).then(|| format!("plies={plies}")),
            (seed != usual.seed).then(|| format!("seed={seed}")),
        ];
        f.write_str(&settings.into_iter().flatten().collect::<Vec<_>>().join(","))
    }
}

impl fmt::Display for PlayerName {
    /// The text form that [`FromStr`] reads.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Generated(kind) => fmt::Display::fmt(kind, f),
            Self::Tablebase => f.pad("tablebase"),
            Self::Stubborn => f.pad("stubborn"),
            Self::ModelFile(kind, path) => write!(f, "{kind}:{}", path.display()),
            Self::Smallest(kind) => f.pad(kind.name()),
            Self::BuiltIn(kind, name) => write!(f, "{kind}:{name}"),
            Self::Random => f.pad("random"),
            Self::KingRefugee => f.pad("king-refugee"),
            Self::Search(search) => write!(f, "search:{search}"),
            Self::Trained { path, plies: None } => write!(f, "trained:{}", path.display()),
            Self::Trained { path, plies: Some(plies) } => {
                write!(f, "trained:{},plies={plies}", path.display())
            }
            Self::Published(name) if *name == PublishedName::default() => f.pad("published"),
            Self::Published(name) => write!(f, "published:{name}"),
        }
    }
}

impl SearchName {
    /// One second for each move, with all refinements and the complete evaluation.
    pub fn usual() -> Self {
        let limit = Limit::time(Duration::from_secs(1));
        let params = SearchParams { limit, ..SearchParams::default() };
        Self { params, evaluation: EvaluationName::Complete }
    }

    /// Alpha-beta to a fixed depth, without refinements.
    pub fn plain(depth: u8, evaluation: EvaluationName) -> Self {
        let params = SearchParams {
            algorithm: Algorithm::AlphaBeta,
            refinements: Refinements::NONE,
            limit: Limit::depth(depth),
            ..SearchParams::default()
        };
        Self { params, evaluation }
    }
}

impl FromStr for SearchName {
    type Err = ParseSearchError;

    /// Reads the settings of a search and `eval=NAME`, separated by commas.
    fn from_str(text: &str) -> Result<Self, ParseSearchError> {
        let (mut settings, mut evaluation) = (Vec::new(), EvaluationName::default());
        for setting in text.split(',') {
            match setting.strip_prefix("eval=") {
                Some(MEASURE) => {
                    return Err(ParseSearchError::Value {
                        key: "eval",
                        value: MEASURE.into(),
                        hint: "write eval=measure:FILE",
                    });
                }
                Some(name) => evaluation = name.into(),
                None => settings.push(setting),
            }
        }
        let params = settings.join(",").parse().map_err(|error| match error {
            ParseSearchError::Key { setting, mut known } => {
                known.push("eval");
                ParseSearchError::Key { setting, known }
            }
            error => error,
        })?;
        Ok(Self { params, evaluation })
    }
}

impl fmt::Display for SearchName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let params = self.params.to_string();
        let between = if params.is_empty() { "" } else { "," };
        write!(f, "{params}{between}eval={}", self.evaluation)
    }
}

/// The text before the file of a measure that evaluates.
const MEASURE: &str = "measure:";

impl From<&str> for EvaluationName {
    /// Any text that is not a name is a file of weights; after `measure:` comes the file of a measure.
    fn from(name: &str) -> Self {
        match name {
            _ if name.starts_with(MEASURE) => Self::Measure(name[MEASURE.len()..].into()),
            "material" => Self::Material,
            "parts" => Self::Parts,
            "mop-up" => Self::MopUp,
            "complete" => Self::Complete,
            file => Self::File(file.into()),
        }
    }
}

impl fmt::Display for EvaluationName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Material => f.pad("material"),
            Self::Parts => f.pad("parts"),
            Self::MopUp => f.pad("mop-up"),
            Self::Complete => f.pad("complete"),
            Self::Measure(path) => write!(f, "{MEASURE}{}", path.display()),
            Self::File(path) => write!(f, "{}", path.display()),
        }
    }
}
