//! A player as source code, as `lucena show` prints it.

use super::knowledge::PlayerInEndgame;
use super::query::{OfParameter, Optional, parsed};
use super::{ApiError, PageState, Result};
use lucena_base::named::named;
use lucena_chess::Material;
use lucena_codegen::{Language, emit};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Deserialize, JsonSchema)]
pub(super) struct SourceQuery {
    /// A player that goes by a tree, a strategy or a measure.
    player: String,
    /// The endgame; default the player's own, or KRvK.
    material: Optional<Material, String>,
    /// The language.
    #[serde(deserialize_with = "parsed")]
    #[schemars(with = "SourceLanguage")]
    language: SourceLanguage,
}

/// A language of source code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SourceLanguage {
    /// C99 without headers.
    C,
    /// Rust that needs nothing but `core`.
    Rust,
    /// A module of JavaScript without imports.
    JavaScript,
    /// Python 3 without imports.
    Python,
}

named!(SourceLanguage { "c": C, "rust": Rust, "javascript": JavaScript, "python": Python });

impl SourceLanguage {
    fn language(self) -> Language {
        match self {
            Self::C => Language::C,
            Self::Rust => Language::Rust,
            Self::JavaScript => Language::JavaScript,
            Self::Python => Language::Python,
        }
    }
}

/// The source code of a player.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct SourceResponse {
    /// The player.
    player: String,
    /// The endgame.
    material: String,
    /// A name for the file, with the extension of the language.
    file: String,
    /// The code: the same text as that of `lucena show --format`.
    source: String,
}

pub(super) fn source(state: &PageState, query: SourceQuery) -> Result<SourceResponse> {
    let known = PlayerInEndgame::new(state, &query.player, query.material.0);
    let known = known.of_parameter("player")?;
    let language = query.language.language();
    let source = emit(known.model.as_ref(), language).map_err(ApiError::bad_request)?;
    let material = known.material.to_string();
    let (kind, extension) = (known.model.kind(), language.extension());
    let file = format!("{}_{kind}.{extension}", material.to_lowercase());
    Ok(SourceResponse { player: query.player, material, file, source })
}
