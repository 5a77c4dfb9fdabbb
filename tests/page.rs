//! The page: responses to its requests, its rules, and the page as a process.

mod forms;
mod questions;
mod rules;
mod serve;
mod training;
mod trees;
mod verdicts;
