//! Bit sets, adjacency lists, typed indices and samples of curves.

mod bits;
mod graph;
mod ids;
mod progress;
