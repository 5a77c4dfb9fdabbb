//! The model that a player uses.

use super::query::OfParameter;
use super::{ApiError, PageState, Result};
use lucena_chess::Material;
use lucena_model::DecisionTree;
use lucena_proof::policy::{EndgameModel, StrategyPolicy};
use lucena_roster::LoadedPlayer;
use std::sync::Arc;

/// A player in an endgame, and the model that it uses.
pub(super) struct PlayerInEndgame {
    pub(super) player: Arc<LoadedPlayer>,
    pub(super) material: Material,
    pub(super) model: EndgameModel,
}

/// The default endgame.
const DEFAULT_MATERIAL: &str = "KRvK";

impl PlayerInEndgame {
    /// Looks up a player by its name, in an endgame: by default its own, or KRvK.
    pub(super) fn new(state: &PageState, name: &str, material: Option<Material>) -> Result<Self> {
        let player = state.player(name)?;
        let material = endgame(&player, material)?;
        let model = state.model(&player, material)?.ok_or_else(|| {
            ApiError::bad_request(format!(
                "{name} has no rules: choose a player with a tree, a strategy or a measure, such as theory, strategy or measure"
            ))
        })?;
        let own = &model.as_ref().origin().material;
        match own.parse() == Ok(material) {
            true => Ok(Self { player, material, model }),
            false => Err(other(name, own, material)),
        }
    }

    /// The player's tree.
    pub(super) fn tree(&self) -> Result<Arc<DecisionTree>> {
        let tree = self.model.clone().into_tree();
        tree.ok_or_else(|| self.lacks("leaves", "a tree, such as theory"))
    }

    /// The player's strategy.
    pub(super) fn strategy(&self) -> Result<Arc<StrategyPolicy>> {
        let strategy = self.model.clone().into_strategy();
        strategy.ok_or_else(|| self.lacks("rules in order", "a strategy, such as strategy"))
    }

    /// The error for a query about what models of another kind have.
    fn lacks(&self, lacking: &str, remedy: &str) -> ApiError {
        let kind = self.model.kind();
        ApiError::bad_request(format!(
            "{} goes by a {kind}, which has {} and no {lacking}: choose a player with {remedy}",
            self.player.name(),
            kind.parts()
        ))
    }
}

/// The endgame of a query: the one named, else the player's own, else KRvK.
pub(super) fn endgame(player: &LoadedPlayer, named: Option<Material>) -> Result<Material> {
    let own = || Ok::<_, ApiError>(player.endgame()?.unwrap_or_else(usual));
    named.map_or_else(own, Ok)
}

/// The endgame of a query that may name a player.
pub(super) fn endgame_of(
    state: &PageState,
    player: Option<&str>,
    named: Option<Material>,
) -> Result<Material> {
    match player {
        Some(player) => endgame(&*state.player(player).of_parameter("player")?, named),
        None => Ok(named.unwrap_or_else(usual)),
    }
}

/// The default endgame.
pub(super) fn usual() -> Material {
    DEFAULT_MATERIAL.parse().expect("it is a material")
}

fn other(name: &str, own: &str, asked: Material) -> ApiError {
    ApiError::bad_request(format!(
        "{name} is for {own}, not for {asked}: ask about {own}, or choose another player"
    ))
}
