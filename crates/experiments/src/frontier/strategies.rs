use super::FrontierError;
use crate::roster::BuiltInStrategy;
use lucena_base::work::Watch;
use lucena_chess::Material;
use lucena_proof::policy::{ForeignStrategy, StrategyPolicy};
use lucena_proof::{Proof, ProvedGame};
use lucena_tablebase::Tablebase;
use lucena_tree::Strategy;
use rayon::prelude::*;

/// A strategy that somebody has a name for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedStrategy {
    /// The name.
    pub name: String,
    /// The strategy.
    pub strategy: Strategy,
}

/// A strategy, and what its player is worth.
#[derive(Debug, Clone, PartialEq)]
pub struct ProvedStrategy {
    /// The name that was given.
    pub name: String,
    /// The strategy.
    pub strategy: Strategy,
    /// Against every reply and every move that it leaves tied, from every position.
    pub proof: Proof,
}

impl NamedStrategy {
    /// The strategies that this build carries for an endgame.
    ///
    /// ```
    /// use lucena::frontier::NamedStrategy;
    ///
    /// let carried = NamedStrategy::built_in("KQvK".parse()?);
    /// assert_eq!((carried[0].name.as_str(), carried[0].strategy.size()), ("smallest", 4));
    /// # Ok::<(), lucena::chess::ParseMaterialError>(())
    /// ```
    pub fn built_in(material: Material) -> Vec<Self> {
        let known = BuiltInStrategy::of(material);
        known.map(|one| Self { name: one.name.into(), strategy: one.load() }).collect()
    }

    /// Its policy, if it plays the endgame.
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

/// The policies of some strategies; what is none is refused.
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
        let proof = ProvedGame::watched(&policy, tablebase, watch)?.proof();
        let NamedStrategy { name, strategy } = named.clone();
        Ok(ProvedStrategy { name, strategy, proof })
    };
    policies.into_par_iter().map(prove).collect()
}
