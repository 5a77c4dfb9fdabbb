//! Evolution of weights by a genetic algorithm.
//!
//! Members of a population are paired. The winner stays; a child of two winners, made by one-point
//! crossover and mutation, takes the loser's place. The winner is decided by duels ([`Duels`]) or
//! by fitness ([`PositionsWon`]).
//!
//! | what evolves ([`EvolvedWeights`]) | selected by |
//! |---|---|
//! | values of men | duels |
//! | all weights | duels |
//! | weights of a mop-up | positions of an endgame won, proved |

mod duels;
mod endgame;
mod fitness;
mod params;
mod population;
mod run;
mod subject;

pub use duels::{DuelParams, DuelRunner, Duels, Selection};
pub use endgame::PositionsWon;
pub use fitness::Fitness;
pub use params::{
    EvolutionEnd, EvolutionError, EvolutionLimits, EvolutionParams, Gene, InitialPopulation,
    LARGEST_STEP, crossover,
};
pub use population::{GenerationStats, Member};
pub use run::{Evolution, EvolutionResult, EvolutionRun, RepetitionParams, repeat_evolution};
pub use subject::EvolvedWeights;
