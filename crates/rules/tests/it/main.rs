//! Tests of rules: their language, their records, and the search for them.

mod count;
mod known;
mod language;
mod search;
mod thumb;
