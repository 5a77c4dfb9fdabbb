//! Errors that prevent a search for a theory.

use lucena_base::progress::Stopped;
use lucena_chess::Material;
use lucena_proof::guarantee::Guarantee;
use lucena_proof::policy::ParseGradeError;

/// An error that prevents a search for a theory.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum TheoryError {
    /// No position is won.
    #[error("{0} has no theory: the strong side wins from no position; choose another material")]
    NothingToWin(Material),
    /// The attributes are for another material.
    #[error("the attributes are for {attributes}, the table for {table}")]
    OtherAttributes {
        /// The material of the attributes.
        attributes: Material,
        /// The material of the table.
        table: Material,
    },
    /// The tree is for another endgame.
    #[error("the tree is for {tree}, not {graph}")]
    OtherMaterial {
        /// The endgame of the tree.
        tree: String,
        /// The endgame of the game graph.
        graph: Material,
    },
    /// The tree tests an attribute that the game graph does not have.
    #[error("the tree uses {0}, which is not among the attributes: choose a set that has it")]
    Attribute(String),
    /// The tree's classes are not grades.
    #[error("the tree does not answer with grades: {0}")]
    Class(#[from] ParseGradeError),
    /// No tree can keep the guarantee.
    #[error("no tree can keep \"{0}\", since the best play takes longer: ask for less")]
    Impossible(Guarantee),
    /// Captures and promotions that win are always played, but are not always quickest.
    #[error(
        "no tree can keep \"{0}\": captures and promotions that win are played at once, and some of them mate later than another move; ask for exact, or for a win"
    )]
    Detours(Guarantee),
    /// The attributes do not distinguish positions that must be distinguished.
    #[error(
        "no tree was found that keeps \"{0}\" with these attributes alone: choose a set that has more"
    )]
    TooFewAttributes(Guarantee),
    /// The initial tree does not keep the guarantee.
    #[error(
        "the tree to start from does not keep \"{0}\" itself: ask for less, or start from another"
    )]
    Broken(Guarantee),
    /// The time was used up before there was a tree.
    #[error(
        "the time was used up before there was a tree: give more time, or a tree to start from"
    )]
    NoTime,
    /// The observer asked to stop, or a table file can no longer be read.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}
