use super::{
    BuiltIn, EvaluationName, MeasureEvaluation, NotBuiltIn, PlayerName, PublishedName, SearchName,
};
use lucena_chess::{Game, Material, Move, Side};
use lucena_files::{LoadError, load, load_text};
use lucena_model::{FileKind, Measure, Model, ModelKind, ReadModelError};
use lucena_play::{
    CentralKingPlayer, NotFixedSearch, Player, RandomPlayer, SearchPlayer, SearchPolicy,
};
use lucena_proof::policy::{
    EndgameModel, GeneratedPolicy, NoGeneratedTree, OneSide, Policy, TablebasePlayer, Unplayable,
};
use lucena_search::evaluation;
use lucena_search::evaluation::{
    CombinedEvaluation, EightTerms, Evaluation, MenValues, MopUp, ParseWeightsError,
};
use lucena_tablebase::Tablebase;
use lucena_train::{
    LearnedLookAhead, LearnedPolicy, LookAhead, ParseWeightsFileError, PublishedParams,
    PublishedWeights, TrainedWeights, TrainingMismatch,
};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A player whose files have been read.
pub struct LoadedPlayer {
    name: PlayerName,
    made_from: Source,
}

enum Source {
    Nothing,
    /// Checked once: the check of a strategy or measure takes longer than its file.
    Model(Result<EndgameModel, Unplayable>),
    Evaluation(Arc<dyn Evaluation>),
    MeasureEvaluation(Arc<MeasureEvaluation>),
    Trained(Box<TrainedWeights>),
}

impl PlayerName {
    /// Reads the files of the player.
    ///
    /// # Errors
    /// If a file cannot be read or is invalid.
    pub fn load(&self) -> Result<LoadedPlayer, LoadPlayerError> {
        let made_from = match self {
            Self::ModelFile(kind, path) => load_model(path, *kind)?,
            Self::Search(SearchName { evaluation: EvaluationName::Measure(path), .. }) => {
                Source::MeasureEvaluation(Arc::new(load_measure_evaluation(path)?))
            }
            Self::Search(SearchName { evaluation, .. }) => Source::Evaluation(evaluation.load()?),
            Self::Trained { path, plies } => {
                let trained = load(path, |bytes| {
                    TrainedWeights::from_bytes(bytes).map_err(|error| NoWeights::new(bytes, error))
                })?;
                let looks_on = plies.is_some_and(|plies| plies > LearnedLookAhead::One);
                if let (Some(material), true) = (trained.endgame(), looks_on) {
                    return Err(LoadPlayerError::OnePly { path: path.clone(), material });
                }
                Source::Trained(Box::new(trained))
            }
            Self::Published(name) => Source::Trained(Box::new(name.weights())),
            Self::Generated(_)
            | Self::Tablebase
            | Self::Stubborn
            | Self::Smallest(_)
            | Self::BuiltIn(..)
            | Self::Random
            | Self::KingRefugee => Source::Nothing,
        };
        Ok(LoadedPlayer { name: self.clone(), made_from })
    }
}

impl PublishedName {
    /// The weights of the network.
    fn weights(self) -> TrainedWeights {
        let Self { reading, plies, seed } = self;
        let usual = PublishedParams::usual(LookAhead::from(plies), reading);
        let weights = PublishedWeights::new(PublishedParams { seed, ..usual });
        TrainedWeights::Published(Box::new(weights.expect("the published settings are valid")))
    }
}

impl EvaluationName {
    /// The evaluation; its weights or its measure are read from their file.
    ///
    /// # Errors
    /// If the file cannot be read, or has no valid weights or measure.
    pub fn load(&self) -> Result<Arc<dyn Evaluation>, LoadPlayerError> {
        Ok(match self {
            Self::Material => Arc::new(evaluation::Material(MenValues::DEFAULT)),
            Self::Parts => Arc::new(EightTerms::default()),
            Self::MopUp => Arc::new(MopUp::default()),
            Self::Complete => Arc::new(CombinedEvaluation::default()),
            Self::Measure(path) => Arc::new(load_measure_evaluation(path)?),
            Self::File(path) => load(path, read_evaluation)?,
        })
    }
}

/// Reads the file of a model of the kind that the player's name says.
fn load_model(path: &Path, kind: ModelKind) -> Result<Source, LoadPlayerError> {
    let model = load_text(path, |json: &[u8]| Model::from_json_as(kind, json))?;
    Ok(Source::Model(EndgameModel::new(model)))
}

fn load_measure_evaluation(path: &Path) -> Result<MeasureEvaluation, LoadPlayerError> {
    Ok(MeasureEvaluation::new(load_text(path, Measure::from_json)?)?)
}

/// The evaluation from a file: weights written by hand, or trained ones.
fn read_evaluation(bytes: &[u8]) -> Result<Arc<dyn Evaluation>, NoWeights<ParseWeightsError>> {
    evaluation::load_json(bytes).or_else(|error| match TrainedWeights::from_bytes(bytes) {
        // Those of an endgame, and those of the published network, evaluate no boards.
        Ok(trained) => {
            trained.evaluation().map(Arc::from).ok_or(NoWeights::Kind(FileKind::Trained))
        }
        Err(_) => Err(NoWeights::new(bytes, error)),
    })
}

impl LoadedPlayer {
    /// The player's name.
    pub fn name(&self) -> &PlayerName {
        &self.name
    }

    /// Returns true if the player can move in any position, not only in endgames.
    pub fn plays_full_games(&self) -> bool {
        match &self.made_from {
            Source::Trained(trained) => trained.endgame().is_none(),
            _ => self.name.may_play_full_games(),
        }
    }

    /// The only endgame that the player knows, if there is only one. A search that evaluates by a measure plays whole
    /// games too, but outside the measure's endgame it goes by material.
    ///
    /// # Errors
    /// If its tree, strategy or measure is not for an endgame.
    pub fn endgame(&self) -> Result<Option<Material>, PolicyError> {
        match &self.made_from {
            Source::Model(model) => Ok(Some(playable(model)?.endgame()?)),
            Source::MeasureEvaluation(evaluation) => Ok(Some(evaluation.endgame())),
            Source::Trained(trained) => Ok(trained.endgame()),
            _ => Ok(None),
        }
    }

    /// Returns true if the player is a strategy that is made for a part of its endgame.
    pub fn is_made_for_part(&self) -> bool {
        match &self.made_from {
            Source::Model(Ok(EndgameModel::Strategy(policy))) => {
                !policy.strategy().domain().conditions.is_empty()
            }
            _ => false,
        }
    }

    /// The model of the player for an endgame; `None` for players without a model. That of a player by generated code
    /// is the tree from which the code was generated.
    ///
    /// # Errors
    /// If the model cannot be played, or this build has none for the endgame.
    pub fn model(&self, material: Material) -> Result<Option<EndgameModel>, PolicyError> {
        if let Source::Model(model) = &self.made_from {
            return playable(model).map(|model| Some(model.clone()));
        }
        self.name.check_built_in(material)?;
        Ok(self.name.built_in(material).map(BuiltIn::endgame_model))
    }

    /// Checks that the player is a policy for an endgame, as far as this needs no table.
    ///
    /// # Errors
    /// If this build does not have the player for the endgame, or its moves depend on chance, on time or on a game.
    pub fn check_policy(&self, material: Material) -> Result<(), PolicyError> {
        self.name.check_built_in(material)?;
        match &self.name {
            PlayerName::Random => Err(PolicyError::DrawsLots("random")),
            PlayerName::KingRefugee => Err(PolicyError::DrawsLots("king-refugee")),
            PlayerName::Stubborn => Err(PolicyError::NoPolicy("stubborn".into())),
            PlayerName::Search(search) if !search.params.is_fixed() => Err(NotFixedSearch.into()),
            _ => Ok(()),
        }
    }

    /// The policy for the endgame of a table, which plays a side; by default, the side that the player is made for.
    ///
    /// # Errors
    /// If the player is not a policy, not for this endgame, or not for this side.
    pub fn policy_for<'t>(
        &'t self,
        side: Option<Side>,
        tablebase: &'t Tablebase,
    ) -> Result<Box<dyn Policy + 't>, PolicyError> {
        let side = self.side_played(side)?;
        let policy = self.policy(tablebase)?;
        Ok(if side == policy.side() { policy } else { Box::new(OneSide { side, policy }) })
    }

    /// The side that the player plays if one is requested; by default, the side that it is made for.
    ///
    /// # Errors
    /// If it does not play the side.
    pub fn side_played(&self, requested: Option<Side>) -> Result<Side, PolicyError> {
        let played = match &self.made_from {
            Source::Model(Ok(EndgameModel::Strategy(policy))) => policy.side(),
            _ => Side::Strong,
        };
        let plays_both = matches!(self.name, PlayerName::Search(_) | PlayerName::Tablebase);
        match requested {
            Some(asked) if asked != played && !plays_both => {
                Err(PolicyError::OtherSide { played, asked })
            }
            _ => Ok(requested.unwrap_or(played)),
        }
    }

    /// The policy for the endgame of a table.
    ///
    /// # Errors
    /// If the player is not a policy, or not for this endgame.
    pub fn policy<'t>(
        &'t self,
        tablebase: &'t Tablebase,
    ) -> Result<Box<dyn Policy + 't>, PolicyError> {
        let asked = tablebase.material();
        self.check_policy(asked)?;
        if let PlayerName::Generated(kind) = self.name {
            return Ok(Box::new(GeneratedPolicy::new(kind, tablebase)?));
        }
        if let Some(model) = self.model(asked)? {
            return playing(model.kind(), model.policy(tablebase)?, asked);
        }
        Ok(match (&self.name, &self.made_from) {
            (PlayerName::Search(search), Source::Evaluation(evaluation)) => {
                let evaluation = Arc::clone(evaluation);
                Box::new(SearchPolicy::new(asked, search.params, evaluation)?)
            }
            (PlayerName::Search(search), Source::MeasureEvaluation(evaluation)) => {
                let evaluation = Arc::clone(evaluation);
                let policy = SearchPolicy::new(evaluation.endgame(), search.params, evaluation)?;
                return playing(ModelKind::Measure, Box::new(policy), asked);
            }
            (_, Source::Trained(trained)) => trained.policy(tablebase, self.plies())?,
            (PlayerName::Tablebase, _) => Box::new(TablebasePlayer(tablebase)),
            (name, _) => return Err(PolicyError::NoPolicy(name.to_string())),
        })
    }

    /// A player of full games; `None` for players that know only endgames.
    pub(super) fn full_game_player(&self, seed: u64) -> Option<Box<dyn Player + '_>> {
        match (&self.name, &self.made_from) {
            (PlayerName::Search(search), Source::Evaluation(evaluation)) => {
                Some(Box::new(SearchPlayer::new(search.params, Arc::clone(evaluation))))
            }
            (PlayerName::Search(search), Source::MeasureEvaluation(evaluation)) => {
                let evaluation = Arc::<MeasureEvaluation>::clone(evaluation);
                Some(Box::new(SearchPlayer::new(search.params, evaluation)))
            }
            (PlayerName::Random, _) => Some(Box::new(RandomPlayer::new(seed))),
            (PlayerName::KingRefugee, _) => Some(Box::new(CentralKingPlayer::new(seed))),
            (_, Source::Trained(trained)) => trained.player(self.plies()),
            _ => None,
        }
    }

    /// The prediction of a trained player for each move: the points expected from the game, or in an endgame a value
    /// that is 1 for mate at once and less the longer it takes. `None` for other players. `tablebase` gives the
    /// table of an endgame.
    ///
    /// # Errors
    /// If there is no such table, or the weights do not fit it.
    pub fn predictions<E: From<PolicyError>>(
        &self,
        game: &Game,
        tablebase: impl FnOnce(Material) -> Result<Tablebase, E>,
    ) -> Result<Option<Predictions>, E> {
        let Source::Trained(trained) = &self.made_from else { return Ok(None) };
        if let Some(moves) = trained.predictions(game, self.plies()) {
            let played = self.full_game_player(0).and_then(|mut player| player.play(game, None));
            return Ok(Some(Predictions { played, moves }));
        }
        let TrainedWeights::Endgame(weights) = &**trained else { return Ok(None) };
        let tablebase = tablebase(weights.material())?;
        let policy = LearnedPolicy::new(weights, &tablebase).map_err(PolicyError::from)?;
        let Ok(position) = game.position() else { return Ok(Some(Predictions::default())) };
        let (played, moves) = (policy.choose(&position), policy.predictions(&position));
        Ok(Some(Predictions { played, moves }))
    }

    /// The look-ahead of a trained player, if one was chosen.
    fn plies(&self) -> Option<LearnedLookAhead> {
        match self.name {
            PlayerName::Trained { plies, .. } => plies,
            _ => None,
        }
    }
}

/// The model from a file, if it can be played.
fn playable(model: &Result<EndgameModel, Unplayable>) -> Result<&EndgameModel, PolicyError> {
    model.as_ref().map_err(|unplayable| unplayable.clone().into())
}

/// The moves of a trained player in a position.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Predictions {
    /// The move that it plays; `None` if it plays none.
    pub played: Option<Move>,
    /// Its prediction for each move, from 0 to 1.
    pub moves: Vec<(Move, f32)>,
}

/// Returns a policy if it plays an endgame.
fn playing<'t>(
    kind: ModelKind,
    policy: Box<dyn Policy + 't>,
    asked: Material,
) -> Result<Box<dyn Policy + 't>, PolicyError> {
    let played = policy.material();
    if played == asked {
        Ok(policy)
    } else {
        Err(PolicyError::OtherEndgame { kind, played, asked })
    }
}

/// An error in loading a player.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LoadPlayerError {
    /// The tree, strategy or measure cannot be loaded.
    #[error(transparent)]
    Model(#[from] LoadError<ReadModelError>),
    /// The measure of an evaluation does not fit.
    #[error(transparent)]
    Evaluation(#[from] Unplayable),
    /// The weights cannot be loaded.
    #[error(transparent)]
    Weights(#[from] LoadError<NoWeights<ParseWeightsError>>),
    /// The trained weights cannot be loaded.
    #[error(transparent)]
    Trained(#[from] LoadError<NoWeights<ParseWeightsFileError>>),
    /// Weights for an endgame look one ply ahead.
    #[error("{path} holds weights for {material}, and those look one ply ahead: leave plies out")]
    OnePly {
        /// The file.
        path: PathBuf,
        /// The endgame.
        material: Material,
    },
}

/// An error for a file without the weights that were expected.
#[derive(Debug, thiserror::Error)]
pub enum NoWeights<E: std::error::Error + 'static> {
    /// The file is of another kind.
    #[error("these are not the weights of such a player, but {0}: {usage}", usage = .0.usage())]
    Kind(FileKind),
    /// The weights are damaged, or the file is none of lucena's.
    #[error(transparent)]
    Damaged(E),
}

impl<E: std::error::Error + 'static> NoWeights<E> {
    /// Says what a file is that was refused as weights, if it is known and is no weights.
    fn new(bytes: &[u8], error: E) -> Self {
        match FileKind::recognize(bytes) {
            None | Some(FileKind::Trained | FileKind::Evaluation) => Self::Damaged(error),
            Some(found) => Self::Kind(found),
        }
    }
}

/// An error for a player that cannot be used as a policy.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PolicyError {
    /// The model does not fit.
    #[error(transparent)]
    Unplayable(#[from] Unplayable),
    /// The strategy or measure is for another endgame.
    #[error(
        "the {kind} is for {played}, not for {asked}: leave {asked} out, or take another {kind}"
    )]
    OtherEndgame {
        /// The kind.
        kind: ModelKind,
        /// The endgame that it is for.
        played: Material,
        /// The endgame requested.
        asked: Material,
    },
    /// The player plays the other side.
    #[error(
        "the player plays the {played} side, not the {asked} one: take tablebase, a search, or a strategy that is made for the {asked} side"
    )]
    OtherSide {
        /// The side that it plays.
        played: Side,
        /// The side requested.
        asked: Side,
    },
    /// This build has no such player for the endgame.
    #[error(transparent)]
    NotBuiltIn(#[from] NotBuiltIn),
    /// This build has no code for the endgame.
    #[error(transparent)]
    Generated(#[from] NoGeneratedTree),
    /// The player depends on time.
    #[error(transparent)]
    Timed(#[from] NotFixedSearch),
    /// The player's moves are random.
    #[error("{0} plays random moves, so nothing can be proved about it: let it play in an arena")]
    DrawsLots(&'static str),
    /// The player plays games, and is no function from a position to a move.
    #[error("{0} plays games only, so nothing can be proved about it: let it play in an arena")]
    NoPolicy(String),
    /// The weights were trained for something else.
    #[error(transparent)]
    Trained(#[from] TrainingMismatch),
}
