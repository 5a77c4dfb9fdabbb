use lucena_chess::Material;
use lucena_data::{MEASURES, STRATEGIES, TREES, Text};
use lucena_model::{Model, ModelKind};
use lucena_proof::policy::{EndgameModel, GeneratedKind, MeasurePolicy, StrategyPolicy};
use std::sync::{Arc, LazyLock};

/// A model embedded in this build as JSON, so that it can be read and explained from any directory. To add one, add a
/// line to [`lucena_data::TREES`], [`lucena_data::STRATEGIES`] or [`lucena_data::MEASURES`].
///
/// ```
/// use lucena_model::ModelKind;
/// use lucena_roster::BuiltIn;
///
/// let tree = BuiltIn::find(ModelKind::Tree, "KRvK".parse()?, "cart").expect("this build carries it");
/// assert_eq!(tree.model().figures().leaves, Some(5168));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct BuiltIn {
    /// The kind of the model.
    pub kind: ModelKind,
    /// The endgame, such as `KRvK`.
    pub material: &'static str,
    /// The name: the part of the file name between the material and `json`.
    pub name: &'static str,
    json: &'static str,
}

/// The name of the model of an endgame that plays unless another is named.
const SMALLEST: &str = "smallest";

static ALL: LazyLock<Vec<BuiltIn>> = LazyLock::new(|| {
    let texts = [
        (ModelKind::Tree, TREES),
        (ModelKind::Strategy, STRATEGIES),
        (ModelKind::Measure, MEASURES),
    ];
    let built_in = |(kind, texts): (ModelKind, &'static [Text])| {
        texts.iter().map(move |&Text { material, name, json }| BuiltIn {
            kind,
            material,
            name,
            json,
        })
    };
    texts.into_iter().flat_map(built_in).collect()
});

impl BuiltIn {
    /// Returns all models of a kind that are embedded in this build.
    pub fn all(kind: ModelKind) -> impl Iterator<Item = &'static Self> {
        ALL.iter().filter(move |known| known.kind == kind)
    }

    /// Returns the models of a kind for a material.
    pub fn of(kind: ModelKind, material: Material) -> impl Iterator<Item = &'static Self> {
        let material = material.to_string();
        Self::all(kind).filter(move |known| known.material == material)
    }

    /// Returns the model of a kind with a name for a material.
    pub fn find(kind: ModelKind, material: Material, name: &str) -> Option<&'static Self> {
        Self::of(kind, material).find(|known| known.name == name)
    }

    /// Returns the smallest strategy or measure for a material.
    pub fn smallest(kind: ModelKind, material: Material) -> Option<&'static Self> {
        Self::find(kind, material, SMALLEST)
    }

    /// Returns the policy of the smallest strategy for a material.
    pub fn smallest_strategy(material: Material) -> Option<Arc<StrategyPolicy>> {
        Self::smallest(ModelKind::Strategy, material)?.endgame_model().into_strategy()
    }

    /// Returns the policy of the smallest measure for a material.
    pub fn smallest_measure(material: Material) -> Option<Arc<MeasurePolicy>> {
        Self::smallest(ModelKind::Measure, material)?.endgame_model().into_measure()
    }

    /// Returns the name of the models of a kind that are called so, if there are any, for any endgame.
    pub fn named(kind: ModelKind, name: &str) -> Option<&'static str> {
        Self::all(kind).map(|known| known.name).find(|known| *known == name)
    }

    /// Returns true if this is the smallest strategy or measure for its material, which plays unless another is named.
    pub fn is_smallest(&self) -> bool {
        self.name == SMALLEST
    }

    /// Returns the tree from which the generated code of a kind was generated.
    pub fn generated(kind: GeneratedKind, material: Material) -> Option<&'static Self> {
        let mut names = kind.file_names().iter();
        names.find_map(|name| Self::find(ModelKind::Tree, material, name))
    }

    /// Reads the model.
    ///
    /// # Panics
    /// If the embedded file is not a valid model; a test reads them all.
    pub fn model(&self) -> Model {
        Model::from_json(self.json.as_bytes()).expect("a model that is checked in is sound")
    }

    /// Reads the model as one of its endgame.
    ///
    /// # Panics
    /// If the embedded model cannot be played; a test creates all policies.
    pub fn endgame_model(&self) -> EndgameModel {
        EndgameModel::from_checked(self.model()).expect("a model that is checked in can be played")
    }
}
