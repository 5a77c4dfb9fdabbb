use lucena_model::ModelKind;

/// The error for a model that cannot be emitted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EmitError {
    /// It uses an attribute or quantity without an expression in the small language.
    #[error(
        "this {kind} has no source code yet, because the {} {name} has none for {material}: play it as it is, or take another {kind} of {material}",
        column_word(*.kind)
    )]
    Column {
        /// The kind of the model.
        kind: ModelKind,
        /// The name of the attribute or quantity.
        name: String,
        /// The material.
        material: String,
    },
    /// The emitted chess does not support the endgame.
    #[error(
        "there is no source for a {kind} of {material:?} yet: take an endgame of at most four men in which only the strong side has a pawn, and at most one"
    )]
    Material {
        /// The kind of the model.
        kind: ModelKind,
        /// The material.
        material: String,
    },
}

impl EmitError {
    pub(crate) fn column(kind: ModelKind, name: String, material: &str) -> Self {
        Self::Column { kind, name, material: material.into() }
    }

    pub(crate) fn material(kind: ModelKind, material: &str) -> Self {
        Self::Material { kind, material: material.into() }
    }
}

fn column_word(kind: ModelKind) -> &'static str {
    if kind == ModelKind::Measure { "quantity" } else { "attribute" }
}
