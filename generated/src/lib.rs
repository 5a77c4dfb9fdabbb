//! Placeholder until the first tree is mined.
#![no_std]
/// A tree of this crate, to be found by name.
#[derive(Debug, Clone, Copy)]
pub struct Tree {
    /// The name of its module.
    pub name: &'static str,
    /// The endgame, as `KRvK`.
    pub material: &'static str,
    /// The SHA-256 of the tree's JSON file.
    pub tree_sha256: &'static str,
    /// The names of its attributes, in the order of a row.
    pub attributes: &'static [&'static str],
    /// The names of its classes.
    pub classes: &'static [&'static str],
    /// The number of the class of a row.
    pub classify: fn(&[u8]) -> Option<u8>,
}
/// All trees of this crate, by name.
pub const TREES: &[Tree] = &[];
