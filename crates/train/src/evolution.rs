//! Evolution of weights by a genetic algorithm.
//!
//! Members of a population are paired. The winner stays; a child of two winners, made by one-point
//! crossover and mutation, takes the loser's place. The winner is decided by duels ([`Duels`]) or
//! by fitness ([`PositionsWon`]).
//!
//! | what evolves ([`Subject`]) | selected by |
//! |---|---|
//! | values of men | duels |
//! | all weights | duels |
//! | weights of a mop-up | positions of an endgame won, proved |

mod duels;
mod endgame;
mod error;
mod gene;
mod params;
mod population;
mod record;
mod repeat;
mod run;
mod selection;
mod state;
mod subject;

pub use duels::{DuelParams, Duels};
pub use endgame::PositionsWon;
pub use error::EvolutionError;
pub use gene::{Gene, LARGEST_STEP, crossover};
pub use params::{EvolutionParams, Start};
pub use population::Member;
pub use record::Record;
pub use repeat::{Repeated, repeat_evolution};
pub use run::{Evolution, Evolved};
pub use selection::{Duel, Duelling, Measure, Selection};
pub use subject::Subject;
