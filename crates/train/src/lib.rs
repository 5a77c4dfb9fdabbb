//! Players whose weights are learned from games by TD(λ), or evolved.

mod checkpoint;
mod encoding;
mod endgame;
mod error;
mod evolution;
mod full_game;
mod learner_game;
mod network;
mod published;
mod purpose;
mod safetensors;
mod score;
mod series;
mod series_record;
mod setting;
mod sums;
mod td_player;
mod trained_weights;
mod trial;
mod whole_game_policy;

pub use checkpoint::{DecayingRate, Learner, TrainError, train};
pub use encoding::BoardEncoding;
pub use endgame::{EndgameLearner, EndgameParams, EndgameWeights, LearnedPolicy, ModelKind};
pub use error::{ParseRunsError, ParseWeightsFileError, SettingError, TrainingMismatch};
pub use evolution::{
    DuelParams, DuelRunner, Duels, Evolution, EvolutionEnd, EvolutionError, EvolutionLimits,
    EvolutionParams, EvolutionResult, EvolutionRun, EvolvedWeights, Fitness, Gene, GenerationStats,
    InitialPopulation, LARGEST_STEP, Member, PositionsWon, RepetitionParams, Selection, crossover,
    repeat_evolution,
};
pub use full_game::{
    ChessLearner, ChessParams, ChessWeights, Input, LearnedLookAhead, LearnedPlayer,
};
pub use learner_game::{AfterMove, SeriesGame};
pub use lucena_play::arena::Tally;
pub use network::{HiddenSums, Network, Shape, Weights};
pub use published::{PublishedParams, PublishedWeights};
pub use score::GameScore;
pub use series::{Series, SeriesEvent, SeriesLearner, SeriesPlan};
pub use series_record::{ColorOrder, SeriesRecord};
pub use setting::OtherSetting;
pub use td_player::{LookAhead, PlayedGame, TdPlayer};
pub use trained_weights::TrainedWeights;
pub use trial::{PUBLISHED_HIDDEN, Trial, TrialRuns, run_trials};
