//! Players that learn from the results of their own games.

mod endgame;
mod error;
mod evolution;
mod file;
mod keep;
mod network;
mod placement;
mod rate;
mod safetensors;
mod score;
mod sigmoid;
mod td_player;
mod trained;
mod trial;
mod trials;
mod whole;

pub use endgame::{EndgameLearner, EndgameParams, EndgameWeights, Kind, LearnedPolicy};
pub use error::{ForeignTraining, SettingError};
pub use evolution::{
    Duel, DuelParams, Duelling, Duels, Evolution, EvolutionError, EvolutionParams, Evolved, Gene,
    LARGEST_STEP, Measure, Member, PositionsWon, Record, Repeated, Selection, Start, Subject,
    crossover, repeat_evolution,
};
pub use file::ParseTrainedError;
pub use keep::{Learner, TrainError, train};
pub use network::{Network, Shape, Sums, Weights};
pub use placement::Reading;
pub use rate::FallingRate;
pub use score::{Score, Tally};
pub use td_player::{LookAhead, PlayedGame, TdPlayer};
pub use trained::Trained;
pub use trial::{PUBLISHED_HIDDEN, Trial, TrialError};
pub use trials::{ParseRunsError, TrialRuns, TrialsError, run_trials};
pub use whole::{ChessLearner, ChessParams, ChessWeights, Input, LearnedPlayer, Plies};
