//! The error for a model that cannot be played.

use super::grade::ParseGradeError;
use lucena_attributes::{UnknownAttribute, UnknownQuantity};
use lucena_chess::{Material, ParseMaterialError};
use lucena_model::ModelKind;

/// A valid model that cannot be played.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Unplayable {
    /// Its material is not an endgame.
    #[error("the {kind} is not for an endgame: {source}")]
    Material {
        /// The kind of the model.
        kind: ModelKind,
        /// The fault.
        source: ParseMaterialError,
    },
    /// It uses an attribute or quantity that the material does not have.
    #[error("the {kind} uses an unknown {column}")]
    Unknown {
        /// The kind of the model.
        kind: ModelKind,
        /// The attribute or quantity.
        column: UnknownColumn,
    },
    /// It uses an attribute or quantity that changes when the board is rotated or mirrored.
    #[error(
        "the {kind} uses {column}, which changes when the board is turned or mirrored: use {} that does not, such as a distance",
        column_word(*.kind)
    )]
    Turns {
        /// The kind of the model.
        kind: ModelKind,
        /// The name of the attribute or quantity.
        column: String,
    },
    /// The range of an attribute or quantity is not that of the material.
    #[error(
        "the {kind} says that {column} goes from {} to {}, but it goes from {} to {}: {}",
        stated.0, stated.1, domain.0, domain.1, domain_remedy(*.kind)
    )]
    Domain {
        /// The kind of the model.
        kind: ModelKind,
        /// The name of the attribute or quantity.
        column: String,
        /// The least and the greatest value in the model.
        stated: (u16, u16),
        /// The least and the greatest value in the endgame.
        domain: (u16, u16),
    },
    /// A strategy of the weak side has quiet candidates.
    #[error(
        "the strategy plays the weak side, whose candidates are tactical: add \"candidates\": \"tactical\""
    )]
    QuietWeakSide,
    /// A strategy with tactical candidates uses an attribute that looks ahead.
    #[error(
        "the candidates of the strategy are tactical, and it uses {column}, which looks at quiet moves: use an attribute of the board alone"
    )]
    LooksAhead {
        /// The name of the attribute.
        column: String,
    },
    /// The classes of a tree are not distances to mate.
    #[error(
        "the tree was learned by --class {class}, and a player needs the distance to mate: learn one by \"lucena learn {material} --class dtm\""
    )]
    OtherClass {
        /// The tree's endgame.
        material: Material,
        /// What its classes are, as the option names it.
        class: String,
    },
    /// A tree of positions with the strong side to move.
    #[error(
        "the tree is about positions with White to move, and a player looks at the board after its move: learn one by \"lucena learn {0} --turn black\""
    )]
    StrongSideToMove(Material),
    /// The classes of a tree are not grades.
    #[error("the tree does not answer with grades: {0}")]
    Class(#[from] ParseGradeError),
    /// The table of a tree is for another endgame.
    #[error("the tree is for {tree} and the table for {table}: solve {tree}, or take another tree")]
    OtherTable {
        /// The tree's endgame.
        tree: Material,
        /// The table's endgame.
        table: Material,
    },
}

/// An attribute or quantity that an endgame does not have.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UnknownColumn {
    /// An attribute.
    #[error("attribute: {0}")]
    Attribute(#[from] UnknownAttribute),
    /// A quantity.
    #[error("quantity: {0}")]
    Quantity(#[from] UnknownQuantity),
}

impl Unplayable {
    /// Makes the error of a column that the endgame does not have.
    pub(super) fn unknown<E: Into<UnknownColumn>>(kind: ModelKind) -> impl Fn(E) -> Self {
        move |column| Self::Unknown { kind, column: column.into() }
    }
}

/// Returns the endgame of a model.
pub(super) fn endgame(kind: ModelKind, material: &str) -> Result<Material, Unplayable> {
    material.parse().map_err(|source| Unplayable::Material { kind, source })
}

/// Checks that the range of a column is that of the endgame.
pub(super) fn check_domain(
    kind: ModelKind,
    column: &str,
    stated: (u16, u16),
    domain: (u16, u16),
) -> Result<(), Unplayable> {
    match stated == domain {
        true => Ok(()),
        false => Err(Unplayable::Domain { kind, column: column.to_owned(), stated, domain }),
    }
}

fn column_word(kind: ModelKind) -> &'static str {
    match kind {
        ModelKind::Tree | ModelKind::Strategy => "an attribute",
        ModelKind::Measure => "a quantity",
    }
}

fn domain_remedy(kind: ModelKind) -> &'static str {
    match kind {
        ModelKind::Tree | ModelKind::Strategy => "mine it again",
        ModelKind::Measure => "correct the range",
    }
}
