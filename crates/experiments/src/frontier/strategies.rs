use super::FrontierError;
use crate::roster::BuiltInStrategy;
use lucena_base::work::Watch;
use lucena_chess::Material;
use lucena_proof::policy::{ForeignStrategy, StrategyPolicy};
use lucena_proof::{Proof, ProvedGame};
use lucena_tablebase::Tablebase;
use lucena_tree::Strategy;
use rayon::prelude::*;

/// A strategy with a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedStrategy {
    /// The name.
    pub name: String,
    /// The strategy.
    pub strategy: Strategy,
}

/// A strategy and the proof of its player.
#[derive(Debug, Clone, PartialEq)]
pub struct ProvedStrategy {
    /// The given name.
    pub name: String,
    /// The strategy.
    pub strategy: Strategy,
    /// The proof against every reply and every choice among tied moves, from every position.
    pub proof: Proof,
}

impl NamedStrategy {
    /// The built-in strategies for an endgame.
    pub fn built_in(material: Material) -> Vec<Self> {
        let known = BuiltInStrategy::of(material);
        known.map(|one| Self { name: one.name.into(), strategy: one.load() }).collect()
    }

    /// The policy of the strategy, if it plays the endgame.
    fn policy(&self, asked: Material) -> Result<StrategyPolicy, FrontierError> {
        let foreign =
            |error: ForeignStrategy| FrontierError::Strategy { name: self.name.clone(), error };
        let played = StrategyPolicy::endgame(&self.strategy).map_err(foreign)?;
        if played != asked {
            let name = self.name.clone();
            return Err(FrontierError::OtherMaterial { name, played, asked });
        }
        StrategyPolicy::new(self.strategy.clone()).map_err(foreign)
    }
}

/// The policies of the strategies; an error if one is invalid.
pub(super) fn policies(
    strategies: &[NamedStrategy],
    material: Material,
) -> Result<Vec<(&NamedStrategy, StrategyPolicy)>, FrontierError> {
    strategies.iter().map(|named| Ok((named, named.policy(material)?))).collect()
}

/// Proves strategies.
pub(super) fn proved(
    policies: Vec<(&NamedStrategy, StrategyPolicy)>,
    tablebase: &Tablebase,
    watch: &dyn Watch,
) -> Result<Vec<ProvedStrategy>, FrontierError> {
    let prove = |(named, policy): (&NamedStrategy, StrategyPolicy)| {
        let proof = ProvedGame::watched(&policy, tablebase, watch)?.proof()?;
        let NamedStrategy { name, strategy } = named.clone();
        Ok(ProvedStrategy { name, strategy, proof })
    };
    policies.into_par_iter().map(prove).collect()
}
