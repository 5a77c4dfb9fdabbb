//! lucena
pub mod chess;
pub mod symmetry;
pub mod attributes;
pub mod dataset;
pub mod learn;
pub mod tablebase;
