use crate::file::{self, ModelKind, ReadModelError};
use crate::measure::Measure;
use crate::origin::Origin;
use crate::strategy::Strategy;
use crate::tree::DecisionTree;

/// Knowledge of an endgame that a player can go by.
///
/// ```
/// use lucena_model::{Model, ModelKind};
///
/// let json = br#"{
///     "kind": "measure", "format": 1, "material": "KRvK", "miner": "by hand", "parameters": {},
///     "look": 3, "goal": "any-move", "secure": 0,
///     "terms": [{"quantity": "kRoom", "low": 0, "high": 63, "meaning": "squares", "weight": 1}]
/// }"#;
/// let model = Model::from_json(json)?;
/// assert_eq!(model.kind(), ModelKind::Measure);
/// assert_eq!(model.origin().material, "KRvK");
/// assert_eq!(Model::from_json(model.to_json().as_bytes())?, model);
/// # Ok::<(), lucena_model::ReadModelError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Model {
    /// A decision tree.
    Tree(DecisionTree),
    /// Ordered rules about moves.
    Strategy(Strategy),
    /// A number that is made smaller.
    Measure(Measure),
}

impl Model {
    /// The kind.
    pub fn kind(&self) -> ModelKind {
        match self {
            Self::Tree(_) => ModelKind::Tree,
            Self::Strategy(_) => ModelKind::Strategy,
            Self::Measure(_) => ModelKind::Measure,
        }
    }

    /// The subject and origin.
    pub fn origin(&self) -> &Origin {
        match self {
            Self::Tree(tree) => &tree.head().origin,
            Self::Strategy(strategy) => strategy.origin(),
            Self::Measure(measure) => measure.origin(),
        }
    }

    /// Parses a model of any kind from JSON.
    ///
    /// # Errors
    /// If it is not a model, has another format, or is not sound.
    pub fn from_json(json: &[u8]) -> Result<Self, ReadModelError> {
        let not_a_tree = |source| ReadModelError::Json { kind: ModelKind::Tree, source };
        Ok(match file::kind_of(json).map_err(not_a_tree)? {
            ModelKind::Tree => Self::Tree(DecisionTree::from_json(json)?),
            ModelKind::Strategy => Self::Strategy(Strategy::from_json(json)?),
            ModelKind::Measure => Self::Measure(Measure::from_json(json)?),
        })
    }

    /// The model as JSON. The same model gives the same bytes.
    pub fn to_json(&self) -> String {
        match self {
            Self::Tree(tree) => tree.to_json(),
            Self::Strategy(strategy) => strategy.to_json(),
            Self::Measure(measure) => measure.to_json(),
        }
    }

    /// The SHA-256 of [`to_json`](Self::to_json), in hexadecimal.
    pub fn sha256(&self) -> String {
        file::sha256(&self.to_json())
    }
}

macro_rules! conversions {
    ($($variant:ident: $model:ty;)*) => {
        $(impl From<$model> for Model {
            fn from(model: $model) -> Self {
                Self::$variant(model)
            }
        }

        impl TryFrom<Model> for $model {
            type Error = ReadModelError;

            fn try_from(model: Model) -> Result<Self, ReadModelError> {
                match model {
                    Model::$variant(model) => Ok(model),
                    other => {
                        let (found, expected) = (other.kind(), ModelKind::$variant);
                        Err(ReadModelError::Kind { found, expected })
                    }
                }
            }
        })*
    };
}

conversions! {
    Tree: DecisionTree;
    Strategy: Strategy;
    Measure: Measure;
}
