//! Evolution of weights: genomes that play each other, or are measured, and the children of winners.
//!
//! Members of a population meet two by two. The winner stays; a child of two winners, crossed at one
//! point and mutated, takes the loser's place. Who wins is found out by duels ([`Duels`]) or by what
//! each is worth ([`PositionsWon`]).
//!
//! | what evolves ([`Subject`]) | selected by |
//! |---|---|
//! | men | duels |
//! | parts | duels |
//! | mop-up | positions of an endgame that are won, proved |

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
