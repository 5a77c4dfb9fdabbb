use super::built_in::built_in;
use lucena_chess::Material;
use lucena_proof::policy::StrategyPolicy;
use lucena_tree::Strategy;

/// A strategy embedded in this build as JSON. To add one, add a line to [`lucena_data::STRATEGIES`].
#[derive(Debug)]
pub struct BuiltInStrategy {
    /// The endgame, such as `KRvK`.
    pub material: &'static str,
    /// The name of the strategy: the part of its file name between the material and `json`.
    pub name: &'static str,
    json: &'static str,
}

impl BuiltInStrategy {
    /// All strategies embedded in this build.
    pub const ALL: &'static [Self] = built_in!(BuiltInStrategy from lucena_data::STRATEGIES);

    /// Returns the strategy with a name for a material.
    pub fn find(material: Material, name: &str) -> Option<&'static Self> {
        Self::of(material).find(|known| known.name == name)
    }

    /// Returns all strategies for a material.
    pub fn of(material: Material) -> impl Iterator<Item = &'static Self> {
        let material = material.to_string();
        Self::ALL.iter().filter(move |known| known.material == material)
    }

    /// Returns the smallest strategy for a material.
    pub fn smallest(material: Material) -> Option<&'static Self> {
        Self::find(material, "smallest")
    }

    /// Reads the strategy.
    ///
    /// # Panics
    /// If the embedded file is not a valid strategy; a test reads them all.
    pub fn load(&self) -> Strategy {
        Strategy::from_json(self.json.as_bytes()).expect("a strategy that is checked in is sound")
    }

    /// Creates the policy that plays by it.
    ///
    /// # Panics
    /// If the embedded strategy cannot be played; a test creates all policies.
    pub fn policy(&self) -> StrategyPolicy {
        StrategyPolicy::of_checked(self.load())
            .expect("a strategy that is checked in makes a policy")
    }
}
