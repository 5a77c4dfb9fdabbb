//! Bit sets, adjacency lists and typed indices.

mod bits;
mod graph;
mod ids;
