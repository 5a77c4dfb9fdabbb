//! Players that learn from the results of their own games.

mod endgame;
mod error;
mod evolution;
mod keep;
mod network;
mod placement;
mod safetensors;
mod score;
mod td_player;
mod trained;
mod trial;
mod whole;

pub use endgame::{EndgameLearner, EndgameParams, EndgameWeights, Kind, LearnedPolicy};
pub use error::{ForeignTraining, ParseTrainedError, SettingError};
pub use evolution::{
    Duel, DuelParams, Duelling, Duels, Evolution, EvolutionError, EvolutionParams, Evolved, Gene,
    LARGEST_STEP, Measure, Member, PositionsWon, Record, Repeated, Selection, Start, Subject,
    crossover, repeat_evolution,
};
pub use keep::{FallingRate, Learner, TrainError, train};
pub use lucena_play::arena::Tally;
pub use network::{Network, Shape, Sums, Weights};
pub use placement::Reading;
pub use score::Score;
pub use td_player::{LookAhead, PlayedGame, TdPlayer};
pub use trained::Trained;
pub use trial::{PUBLISHED_HIDDEN, ParseRunsError, Trial, TrialRuns, TrialsError, run_trials};
pub use whole::{ChessLearner, ChessParams, ChessWeights, Input, LearnedPlayer, Plies};
