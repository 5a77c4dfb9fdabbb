//! The JSON API of the page: plain functions from a query to data. A query can name only files that have
//! been offered, and nothing here touches the network.
//!
//! A [`PageState`] holds what queries are about: tables, and the players that have been offered. [`answer`]
//! looks the path up in [`ROUTES`], parses the query and calls the library. The transport is not part of
//! this crate: `lucena serve` adds a server, and a build for browsers could do without one.
//!
//! ```
//! use lucena_page::{PageState, answer};
//! use lucena_tablebase::TableFolder;
//!
//! let state = PageState::new(TableFolder::in_memory());
//! let reply = answer(&state, "/api/setup", "fen=8/8/8/8/8/1k6/8/K1R5+w");
//! assert_eq!(reply.status, 200);
//! assert!(String::from_utf8(reply.body)?.contains(r#""endgame":"KRvK""#));
//! # Ok::<(), std::string::FromUtf8Error>(())
//! ```

// All handlers have the same signature: each takes its query by value, even if it does not consume it.
#![expect(clippy::needless_pass_by_value)]

mod about;
mod answer_folder;
mod answers;
mod api_error;
mod attributes;
mod background;
mod class_mix;
mod compare;
mod confusion;
mod game;
mod histogram;
mod knowledge;
mod lesson;
mod lesson_file;
mod move_numbers;
mod node;
mod node_counts;
mod node_search;
mod played_moves;
mod player_title;
mod position;
mod practice_position;
mod query;
mod random;
mod refutation;
mod route;
mod rows;
mod rules;
mod setup;
mod source;
mod stages;
mod state;
mod tree;
mod verdicts;
mod why;

pub use about::teacher;
pub use api_error::ApiError;
pub use lesson::lesson_markdown;
pub use lesson_file::{PartLookup, lesson_file, page_file};
pub use route::{HttpReply, ROUTES, Route, answer, answer_with_lesson_file, paths};
pub use state::PageState;

use api_error::Result;
use lucena_search::{Limit, SearchParams};

/// Limits a search to the longest time that the page waits for.
fn bounded(params: SearchParams) -> SearchParams {
    let time = params.limit.time.unwrap_or(game::MAX_MOVE_TIME).min(game::MAX_MOVE_TIME);
    SearchParams { limit: Limit { time: Some(time), ..params.limit }, ..params }
}
