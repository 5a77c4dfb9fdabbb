//! Searching for a move: what looking ahead alone is worth.
//!
//! [`Algorithm`] says which tree is walked, and each [`Refinement`] of it can be left out, so that its
//! worth can be measured. A [`Search`] looks for the best move in a game, as far as a [`Limit`] lets
//! it; [`TimeControl`] makes a limit of a clock.
//!
//! | algorithm | what it is |
//! |---|---|
//! | minimax | all moves to a fixed depth, the best of one side and the best of the other in turn |
//! | negamax | the same with one rule for both sides |
//! | alpha-beta | leaves out what a better move elsewhere has made pointless |
//! | NegaScout | asks of every move but the first only whether it is better |
//!
//! Sources: D. Knuth, R. Moore, *An analysis of alpha-beta pruning*, 1975; A. Reinefeld, *An improvement
//! to the Scout tree search algorithm*, 1983; C. Donninger, *Null move and deep search*, 1993.

mod alpha_beta;
pub mod evaluation;
mod exchange;
mod found;
mod inquiry;
mod limit;
mod order;
mod params;
mod plain;
mod refinement;
mod run;
mod table;
mod time;
mod value;

pub use found::Found;
pub use inquiry::{Inquiry, Onlooker};
pub use limit::Limit;
pub use params::{MAX_DEPTH, ParseSearchError, SearchParams};
pub use refinement::{Algorithm, Refinement, Refinements};
pub use run::Search;
pub use time::TimeControl;
pub use value::Value;
