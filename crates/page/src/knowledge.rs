//! The tree, the strategy or the measure that a player uses.

use super::{ApiError, PageState, Result};
use lucena_chess::Material;
use lucena_model::DecisionTree;
use lucena_proof::policy::{MeasurePolicy, Policy, StrategyPolicy};
use lucena_roster::LoadedPlayer;
use std::sync::Arc;

/// A player in an endgame, and the tree, strategy or measure that it uses.
pub(super) struct PlayerInEndgame {
    pub(super) player: Arc<LoadedPlayer>,
    pub(super) material: Material,
    pub(super) knowledge: Knowledge,
}

/// The tree, the strategy or the measure that a player uses.
pub(super) enum Knowledge {
    Tree(Arc<DecisionTree>),
    Strategy(Arc<StrategyPolicy>),
    Measure(Arc<MeasurePolicy>),
}

/// The default endgame.
const DEFAULT_MATERIAL: &str = "KRvK";

impl PlayerInEndgame {
    /// Looks up a player by its name, in an endgame: by default its own, or KRvK.
    pub(super) fn new(state: &PageState, name: &str, material: Option<Material>) -> Result<Self> {
        let player = state.player(name)?;
        let material = endgame(&player, material)?;
        if let Some(policy) = player.measure(material)? {
            if policy.material() != material {
                return Err(other(name, &policy.material().to_string(), material));
            }
            let knowledge = Knowledge::Measure(Arc::new(policy));
            return Ok(Self { player, material, knowledge });
        }
        let knowledge = match (player.strategy(material)?, state.tree(&player, material)?) {
            (Some(policy), _) if policy.material() != material => {
                return Err(other(name, &policy.material().to_string(), material));
            }
            (Some(policy), _) => Knowledge::Strategy(Arc::new(policy)),
            (None, Some(tree)) if tree.origin().material.parse() != Ok(material) => {
                return Err(other(name, &tree.origin().material, material));
            }
            (None, Some(tree)) => Knowledge::Tree(tree),
            (None, None) => {
                return Err(ApiError::nonsense(format!(
                    "{name} has no rules: choose a player with a tree, a strategy or a measure, such as theory, strategy or measure"
                )));
            }
        };
        Ok(Self { player, material, knowledge })
    }

    /// The player's tree.
    pub(super) fn tree(&self) -> Result<Arc<DecisionTree>> {
        match &self.knowledge {
            Knowledge::Tree(tree) => Ok(Arc::clone(tree)),
            Knowledge::Strategy(_) => Err(ApiError::nonsense(format!(
                "{} goes by a strategy, which has rules and no leaves: choose a player with a tree, such as theory",
                self.player.name()
            ))),
            Knowledge::Measure(_) => Err(ApiError::nonsense(format!(
                "{} goes by a measure, which has terms and no leaves: choose a player with a tree, such as theory",
                self.player.name()
            ))),
        }
    }

    /// The player's strategy.
    pub(super) fn strategy(&self) -> Result<Arc<StrategyPolicy>> {
        match &self.knowledge {
            Knowledge::Strategy(policy) => Ok(Arc::clone(policy)),
            Knowledge::Tree(_) => Err(ApiError::nonsense(format!(
                "{} goes by a tree, which has leaves and no rules in order: choose a player with a strategy, such as strategy",
                self.player.name()
            ))),
            Knowledge::Measure(_) => Err(ApiError::nonsense(format!(
                "{} goes by a measure, which has terms and no rules in order: choose a player with a strategy, such as strategy",
                self.player.name()
            ))),
        }
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
        Some(player) => endgame(&*state.player(player)?, named),
        None => Ok(named.unwrap_or_else(usual)),
    }
}

/// The default endgame.
pub(super) fn usual() -> Material {
    DEFAULT_MATERIAL.parse().expect("it is a material")
}

fn other(name: &str, own: &str, asked: Material) -> ApiError {
    ApiError::nonsense(format!(
        "{name} is for {own}, not for {asked}: ask about {own}, or choose another player"
    ))
}
