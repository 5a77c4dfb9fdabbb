//! What a page asks, answered: plain functions from a query to data. No question names a file that has not
//! been offered, and nothing here knows of a network.
//!
//! A [`Shelf`] keeps what is asked about: tables, and players that somebody has offered. [`answer`] finds
//! the route of a path in [`ROUTES`], reads the query, and asks the library. What carries questions and
//! answers over a network is no matter of this module: `lucena serve` does it with a server, and a build
//! for browsers could do it without one.
//!
//! ```
//! use lucena::page::{Shelf, answer};
//! use lucena::tablebase::TableFolder;
//!
//! let shelf = Shelf::new(TableFolder::in_memory());
//! let reply = answer(&shelf, "/api/setup", "fen=8/8/8/8/8/1k6/8/K1R5+w");
//! assert_eq!(reply.status, 200);
//! assert!(String::from_utf8(reply.body)?.contains(r#""endgame":"KRvK""#));
//! # Ok::<(), std::string::FromUtf8Error>(())
//! ```

// All questions are asked alike: whoever is asked gets the query, whether it is kept or not.
#![expect(clippy::needless_pass_by_value)]

mod about;
mod answers;
mod attributes;
mod chosen;
mod confusion;
mod counted;
mod game;
mod histogram;
mod kept;
mod knowledge;
mod leaf;
mod lesson;
mod lesson_file;
mod marks;
mod openapi;
mod paging;
mod picture;
mod position;
mod practice;
mod query;
mod random;
mod refusal;
mod route;
mod rows;
mod rules;
mod setup;
mod shelf;
mod solving;
mod standard;
mod sufficiency;
mod tree;
mod turn;
mod turned;
mod used;
mod why;

pub use lesson::lesson_markdown;
pub use lesson_file::{Parts, lesson_file};
pub use openapi::paths;
pub use refusal::Refusal;
pub use route::{ROUTES, Reply, Route, answer, answer_with_lesson_file};
pub use shelf::{OfferError, Shelf};

use lucena_search::{Limit, SearchParams};

/// A search that ends soon enough for a page.
fn bounded(params: SearchParams) -> SearchParams {
    let time = params.limit.time.unwrap_or(chosen::LONGEST).min(chosen::LONGEST);
    SearchParams { limit: Limit { time: Some(time), ..params.limit }, ..params }
}
