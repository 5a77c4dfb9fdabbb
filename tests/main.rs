//! The integration tests: one binary, a module a subject.
//!
//! What is expected comes from outside: published counts and hashes, the rules as cozy-chess knows
//! them, cases in `tests/data`, and slow plain versions of the same work in [`plain`] and beside
//! the tests. Adding a case to a file of `tests/data` is adding a line.

mod annotated;
mod arena;
mod attributes;
mod book;
mod cases;
mod certificate;
mod chart;
mod cli;
mod codegen;
mod concepts;
mod confusion;
mod crossvalidation;
mod curve;
mod dataset;
mod defaults;
mod departures;
mod diagram;
mod division;
mod evaluation;
mod evolution;
mod explain;
mod explain_strategy;
mod export;
mod files;
mod formats;
mod frontier;
mod game;
mod index;
mod krkopt;
mod learn;
mod lesson;
mod manual;
mod matches;
mod outsider;
mod pages;
mod pgn;
mod plain;
mod plan;
mod player;
mod proof;
mod readme;
mod rules;
mod schema;
mod search;
mod sentences;
mod strategy;
mod strategy_code;
mod strategy_lesson;
mod structure;
mod study;
mod sufficiency;
mod symmetry;
mod tablebase;
mod tables;
mod theory;
mod train;
mod trees;
mod uci;
mod validation;
mod watching;
mod whole_games;
mod write;
