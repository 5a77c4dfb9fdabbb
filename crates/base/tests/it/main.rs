//! Bit sets, lists and typed numbers.

mod bits;
mod graph;
mod ids;
