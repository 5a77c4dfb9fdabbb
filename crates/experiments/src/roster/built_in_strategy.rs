use super::built_in::built_in;
use lucena_chess::Material;
use lucena_proof::policy::StrategyPolicy;
use lucena_tree::Strategy;

/// A strategy that this build carries as JSON. To add one is to add a line to [`BuiltInStrategy::ALL`].
#[derive(Debug)]
pub struct BuiltInStrategy {
    /// The endgame, as `KRvK`.
    pub material: &'static str,
    /// What the strategy is called: as its file, between the material and `json`.
    pub name: &'static str,
    json: &'static str,
}

impl BuiltInStrategy {
    /// All that this build carries.
    pub const ALL: &'static [Self] = built_in! { BuiltInStrategy in "strategies":
        "KBBvK": "smallest";
        "KPvK": "smallest";
        "KQvK": "smallest";
        "KRvK": "smallest";
    };

    /// The strategy of a name for a material.
    ///
    /// ```
    /// use lucena::roster::BuiltInStrategy;
    ///
    /// let smallest = BuiltInStrategy::find("KRvK".parse()?, "smallest").expect("this build carries it");
    /// assert_eq!(smallest.load().size(), 5);
    /// # Ok::<(), lucena::chess::ParseMaterialError>(())
    /// ```
    pub fn find(material: Material, name: &str) -> Option<&'static Self> {
        Self::of(material).find(|known| known.name == name)
    }

    /// All strategies for a material.
    pub fn of(material: Material) -> impl Iterator<Item = &'static Self> {
        let material = material.to_string();
        Self::ALL.iter().filter(move |known| known.material == material)
    }

    /// The smallest strategy for a material.
    pub fn smallest(material: Material) -> Option<&'static Self> {
        Self::find(material, "smallest")
    }

    /// The strategy.
    ///
    /// # Panics
    /// When what is checked in is no sound strategy; a test reads them all.
    pub fn load(&self) -> Strategy {
        Strategy::from_json(self.json.as_bytes()).expect("a strategy that is checked in is sound")
    }

    /// The policy that plays by it.
    ///
    /// # Panics
    /// When what is checked in makes no policy; a test makes them all.
    pub fn policy(&self) -> StrategyPolicy {
        StrategyPolicy::of_checked(self.load())
            .expect("a strategy that is checked in makes a policy")
    }
}
