//! lucena
pub mod chess;
pub mod symmetry;
pub mod tablebase;
