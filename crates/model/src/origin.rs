use std::collections::BTreeMap;

/// The subject of a model, and how it was made.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Origin {
    /// The endgame, for example `KRvK`.
    pub material: String,
    /// The name of the learner or miner.
    pub maker: String,
    /// The parameters of the maker, by name.
    pub parameters: BTreeMap<String, String>,
    /// The SHA-256 of the training data as CSV; empty if there were none.
    pub dataset_sha256: String,
}

impl Origin {
    /// The origin of a model that is not made by a program, for an endgame.
    pub fn new(material: impl Into<String>) -> Self {
        Self { material: material.into(), ..Self::default() }
    }

    /// The origin of a model that a program has made, with those of its parameters that have a value.
    pub fn with_maker<N: Into<String>>(
        material: impl Into<String>,
        maker: impl Into<String>,
        parameters: impl IntoIterator<Item = (N, Option<String>)>,
    ) -> Self {
        let parameters = parameters.into_iter();
        let parameters = parameters.filter_map(|(name, value)| Some((name.into(), value?)));
        Self { maker: maker.into(), parameters: parameters.collect(), ..Self::new(material) }
    }
}
