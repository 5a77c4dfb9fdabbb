use super::kind::ModelKind;
use crate::FileKind;
use crate::file::{self, ReadModelError};
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

/// A reference to a model of any kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ModelRef<'m> {
    /// A decision tree.
    Tree(&'m DecisionTree),
    /// Ordered rules about moves.
    Strategy(&'m Strategy),
    /// A number that is made smaller.
    Measure(&'m Measure),
}

/// The figures of a model that reports state. Each kind has some of them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ModelFigures {
    /// The number of leaves of a tree.
    pub leaves: Option<usize>,
    /// The number of tests of a tree.
    pub tests: Option<usize>,
    /// The number of rules of a strategy.
    pub rules: Option<usize>,
    /// The number of conditions and keys of a strategy.
    pub size: Option<usize>,
    /// The number of terms of a measure.
    pub terms: Option<usize>,
    /// The number of moves that a measure looks ahead.
    pub look: Option<u8>,
}

impl Model {
    /// Parses a model of any kind from JSON.
    ///
    /// # Errors
    /// If it is not a model, has another format, or is not sound.
    pub fn from_json(json: &[u8]) -> Result<Self, ReadModelError> {
        let not_a_tree = |source| ReadModelError::Json { kind: ModelKind::Tree, source };
        let kind = match FileKind::recognize(json) {
            Some(FileKind::Model(kind)) => kind,
            Some(found) => return Err(ReadModelError::Kind { found, expected: ModelKind::Tree }),
            None => file::kind_of(json).map_err(not_a_tree)?,
        };
        Self::from_json_as(kind, json)
    }

    /// Parses a model of a kind from JSON.
    ///
    /// # Errors
    /// If it is not a model of that kind, has another format, or is not sound.
    pub fn from_json_as(kind: ModelKind, json: &[u8]) -> Result<Self, ReadModelError> {
        Ok(match kind {
            ModelKind::Tree => Self::Tree(DecisionTree::from_json(json)?),
            ModelKind::Strategy => Self::Strategy(Strategy::from_json(json)?),
            ModelKind::Measure => Self::Measure(Measure::from_json(json)?),
        })
    }

    /// The model by reference.
    pub fn as_ref(&self) -> ModelRef<'_> {
        match self {
            Self::Tree(tree) => ModelRef::Tree(tree),
            Self::Strategy(strategy) => ModelRef::Strategy(strategy),
            Self::Measure(measure) => ModelRef::Measure(measure),
        }
    }

    /// The kind.
    pub fn kind(&self) -> ModelKind {
        self.as_ref().kind()
    }

    /// The subject and origin.
    pub fn origin(&self) -> &Origin {
        self.as_ref().origin()
    }

    /// The figures that reports state.
    pub fn figures(&self) -> ModelFigures {
        self.as_ref().figures()
    }

    /// The model as JSON. The same model gives the same bytes.
    pub fn to_json(&self) -> String {
        self.as_ref().to_json()
    }

    /// The SHA-256 of [`to_json`](Self::to_json), in hexadecimal.
    pub fn sha256(&self) -> String {
        self.as_ref().sha256()
    }
}

impl<'m> ModelRef<'m> {
    /// The kind.
    pub fn kind(self) -> ModelKind {
        match self {
            Self::Tree(_) => ModelKind::Tree,
            Self::Strategy(_) => ModelKind::Strategy,
            Self::Measure(_) => ModelKind::Measure,
        }
    }

    /// The subject and origin.
    pub fn origin(self) -> &'m Origin {
        match self {
            Self::Tree(tree) => tree.origin(),
            Self::Strategy(strategy) => strategy.origin(),
            Self::Measure(measure) => measure.origin(),
        }
    }

    /// The figures that reports state.
    pub fn figures(self) -> ModelFigures {
        let mut figures = ModelFigures::default();
        match self {
            Self::Tree(tree) => {
                figures.leaves = Some(tree.leaves());
                figures.tests = Some(tree.tests());
            }
            Self::Strategy(strategy) => {
                figures.rules = Some(strategy.rules().len());
                figures.size = Some(strategy.size());
            }
            Self::Measure(measure) => {
                figures.terms = Some(measure.terms().len());
                figures.look = Some(measure.horizon().look);
            }
        }
        figures
    }

    /// The model as JSON. The same model gives the same bytes.
    pub fn to_json(self) -> String {
        match self {
            Self::Tree(tree) => tree.to_json(),
            Self::Strategy(strategy) => strategy.to_json(),
            Self::Measure(measure) => measure.to_json(),
        }
    }

    /// The SHA-256 of [`to_json`](Self::to_json), in hexadecimal.
    pub fn sha256(self) -> String {
        file::sha256(&self.to_json())
    }
}

impl<'m> From<&'m Model> for ModelRef<'m> {
    fn from(model: &'m Model) -> Self {
        model.as_ref()
    }
}

macro_rules! conversions {
    ($($variant:ident: $model:ty;)*) => {
        $(impl From<$model> for Model {
            fn from(model: $model) -> Self {
                Self::$variant(model)
            }
        }

        impl<'m> From<&'m $model> for ModelRef<'m> {
            fn from(model: &'m $model) -> Self {
                Self::$variant(model)
            }
        }

        impl TryFrom<Model> for $model {
            type Error = ReadModelError;

            fn try_from(model: Model) -> Result<Self, ReadModelError> {
                match model {
                    Model::$variant(model) => Ok(model),
                    other => {
                        let (found, expected) = (FileKind::Model(other.kind()), ModelKind::$variant);
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
