//! lucena mines knowledge from small chess endgames. It solves an endgame exactly, describes every position
//! with attributes that a chess player would name, learns decision trees from them, writes the trees out as
//! source code, plays with that code, and **proves** the strength of the player: from every position, against
//! every defence.
//!
//! Everything that the program `lucena` does can be called from here. Results are exact and the same on every
//! machine, errors are types whose messages say how to correct them, and long work reports its progress and
//! can be stopped.
//!
#![doc = include_str!("example.md")]
//!
//! # Modules
//!
//! Each module is a crate, or a part of one, under its short name. A program that needs only some of them can
//! depend on these crates alone. Data flows from top to bottom: no module depends on one below it.
//!
//! **Exact knowledge**
//!
//! | module | input | output |
//! |---|---|---|
//! | [`chess`] | a FEN, a move | legal positions, moves and unmoves; whole games, PGN |
//! | [`symmetry`] | a position | the representative of its orbit |
//! | [`tablebase`] | a material | the exact outcome of every position |
//! | [`syzygy`] | Syzygy files | the outcome under the fifty-move rule of a position of up to seven men |
//!
//! **Learning**
//!
//! | module | input | output |
//! |---|---|---|
//! | [`attributes`] | a position | properties that a player would name, as small integers |
//! | [`dataset`] | a table and attributes | rows, each with a class; files of them |
//! | [`sufficiency`] | rows | a test whether their attributes determine the class; the smallest subset that does |
//! | [`learn`] | rows | a [`DecisionTree`] |
//! | [`codegen`] | a tree, a strategy or a measure | its source code |
//!
//! **Playing and proving**
//!
//! | module | input | output |
//! |---|---|---|
//! | [`policy`] | a tree, generated code, a strategy, a measure or a table | a move for each position |
//! | [`proof`] | a policy | its results against every defence |
//! | [`guarantee`] | a tree | what it promises, verified |
//! | [`certificate`] | a proof | a file by which the proof can be repeated and compared |
//! | [`evaluation`], [`search`] | a board, a game | a static score; the best move found |
//! | [`player`] | a policy, a search or an opening book | moves of whole games |
//! | [`arena`], [`validation`] | players | games between all pairs, and ratings; sampled results |
//! | [`book`] | games | opening books in the Polyglot format |
//!
//! **Finding something better**
//!
//! | module | input | output |
//! |---|---|---|
//! | [`theory`] | a table, attributes, perhaps a tree | a smaller tree with a proved guarantee |
//! | [`strategy`] | a table and attributes | ordered rules about moves, searched for and proved |
//! | [`measure`] | a table and quantities | a number to be made smaller, searched for and proved |
//! | [`rules`] | a table and attributes | rules about outcomes, counted on every position; rules without exceptions, searched for |
//! | [`train`] | games | weights learned by TD(λ) or evolution |
//! | [`roster`] | a player's name | the player |
//! | [`study`], [`curve`], [`frontier`], [`experiment`] | a table | experiments with learners, players and searches |
//!
//! **Telling people and programs**
//!
//! | module | input | output |
//! |---|---|---|
//! | [`explain`], [`lesson`] | a tree, a strategy or a measure | reasons for moves, in sentences; ordered rules to be taught |
//! | [`export`] | a tree | the tree in formats of other tools |
//! | [`diagram`], [`chart`] | a position, series of points | a picture as SVG |
//! | [`uci`], [`engine`] | commands of a chess program | an engine's answers; other engines as players |
//! | [`report`] | any of these | the report of each command, as data with a schema |
//! | `page` | a request of the web page | the response, as data (feature `page`) |
//! | `cli` | a command line | the report, printed (feature `cli`) |
//!
//! [`progress`] reports the progress of long work and stops it; [`named`] gives names to the values of small
//! enums.
//!
//! # Features
//!
//! `default-features = false` leaves only the library. `dist` shares solving between processes, `parquet`
//! writes Apache Parquet, `linfa` connects the learners with linfa; `page`, `cli` and `serve` are for the
//! program. By default the program has `cli` alone; `full` is everything.

#[cfg(feature = "cli")]
pub mod cli;
mod endgame;
mod miner;
pub mod prelude;

pub use endgame::{Endgame, Error};
pub use miner::Miner;

pub use lucena_attributes as attributes;
pub use lucena_base::{named, progress, text};
pub use lucena_chess::{self as chess, symmetry};
pub use lucena_codegen as codegen;
pub use lucena_dataset::sufficiency;
pub use lucena_experiments::{curve, experiment, frontier, study};
pub use lucena_explain::{self as explain, chart, diagram, export, lesson};
pub use lucena_learn as learn;
pub use lucena_measure as measure;
pub use lucena_model::{self as model, DecisionTree};
#[cfg(feature = "page")]
pub use lucena_page as page;
pub use lucena_play::{arena, book, validation};
pub use lucena_proof::{self as proof, certificate, guarantee, policy};
pub use lucena_report as report;
pub use lucena_roster as roster;
pub use lucena_rules as rules;
pub use lucena_search::{self as search, evaluation};
pub use lucena_strategy as strategy;
pub use lucena_syzygy as syzygy;
pub use lucena_tablebase as tablebase;
pub use lucena_theory as theory;
pub use lucena_train as train;
pub use lucena_uci::{self as uci, engine};

/// Rows of attribute values with a class each, and the files that they are written in.
pub mod dataset {
    pub use lucena_dataset::*;
    pub use lucena_formats::*;
}

/// Policies and players, which choose moves.
pub mod player {
    pub use lucena_play::*;
    pub use lucena_proof::policy::*;
    pub use lucena_roster::BuiltIn;
}

// The command line imports the library by the same paths as any other program.
#[cfg(feature = "cli")]
extern crate self as lucena;

/// Runs the code blocks of `docs/engine.md` as doctests.
#[cfg(doctest)]
#[doc = include_str!("../docs/engine.md")]
struct Engine;
