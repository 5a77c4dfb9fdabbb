//! The page: answers to its questions, its rules, and the page as a process.

mod questions;
mod rules;
mod serve;
