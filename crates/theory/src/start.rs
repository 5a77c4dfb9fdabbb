//! Why a search for a theory cannot start.

use lucena_base::work::Stopped;
use lucena_chess::Material;
use lucena_proof::guarantee::Guarantee;
use lucena_proof::policy::ParseGradeError;

/// Why a search cannot start.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum StartError {
    /// It is for another endgame.
    #[error("the tree is for {tree}, not {arena}")]
    OtherMaterial {
        /// What the tree is for.
        tree: String,
        /// What is looked at.
        arena: Material,
    },
    /// It asks for an attribute that is not among those looked at.
    #[error("the tree asks for {0}, which is not among the attributes: choose a set that has it")]
    Attribute(String),
    /// It answers with other things than grades.
    #[error("the tree does not answer with grades: {0}")]
    Class(#[from] ParseGradeError),
    /// No tree can keep the guarantee.
    #[error("no tree can keep \"{0}\", since the best play takes longer: ask for less")]
    Impossible(Guarantee),
    /// What wins at once is played at once, which is not always quickest.
    #[error(
        "no tree can keep \"{0}\": captures and promotions that win are played at once, and some of them mate later than another move; ask for exact, or for a win"
    )]
    Detours(Guarantee),
    /// What has to be told apart looks the same.
    #[error(
        "no tree was found that keeps \"{0}\" and asks for nothing but these attributes: choose a set that has more"
    )]
    TooFewAttributes(Guarantee),
    /// It does not keep what it should.
    #[error(
        "the tree to start from does not keep \"{0}\" itself: ask for less, or start from another"
    )]
    Broken(Guarantee),
    /// Whoever waited did not want to wait longer.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}
