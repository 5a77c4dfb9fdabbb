//! Ground that the crates of lucena share: progress of long work, names of small enums, numbers in words, sets of
//! bits, numbers that cannot be confused, graphs, intervals, and the writing of SVG.

pub mod bits;
pub mod csr;
pub mod index_vec;
pub mod named;
pub mod plural;
pub mod progress;
pub mod svg;
pub mod wilson;
