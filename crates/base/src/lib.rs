//! Foundations shared by the crates of lucena: progress of long work, names of small enums, numbers in words,
//! calendar days, bit sets, typed indices, graphs, confidence intervals, SVG, and text written by others.

pub mod bits;
pub mod csr;
pub mod day;
pub mod index_vec;
pub mod named;
pub mod plural;
pub mod progress;
pub mod svg;
pub mod text;
pub mod wilson;
