//! Game-tree search: alpha-beta and its refinements, and the plain algorithms to compare them with.
//!
//! [`Algorithm`] selects the kind of search; each [`Refinement`] can be switched off, so that its
//! effect can be measured. A [`Search`] finds the best move in a game within a [`Limit`];
//! [`TimeManager`] derives a limit from a clock. It knows no tables, but takes the word of an [`OutcomeSource`].
//!
//! Sources: D. Knuth, R. Moore, *An analysis of alpha-beta pruning*, 1975; A. Reinefeld, *An improvement
//! to the Scout tree search algorithm*, 1983; C. Donninger, *Null move and deep search*, 1993.

mod alpha_beta;
pub mod evaluation;
mod known;
mod minimax;
mod order;
mod params;
mod refinement;
mod request;
mod run;
mod see;
mod time;
mod transposition;
mod value;

pub use known::{KnownOutcome, OutcomeSource};
pub use params::{MAX_DEPTH, ParseSearchError, SearchParams};
pub use refinement::{Algorithm, Refinement, Refinements};
pub use request::{DepthCallback, Limit, SearchRequest, SearchResult, TreeCounts};
pub use run::Search;
pub use time::{LEAST_TIME, TimeManager};
pub use value::Value;
