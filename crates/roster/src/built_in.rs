use lucena_chess::Material;
use lucena_model::{DecisionTree, Measure, ReadModelError, Strategy};
use lucena_proof::policy::{GeneratedKind, MeasurePolicy, StrategyPolicy};

/// Defines a kind of embedded files and lists them from their texts.
macro_rules! built_in {
    ($(#[$doc:meta])* $kind:ident: $texts:path) => {
        $(#[$doc])*
        #[derive(Debug)]
        pub struct $kind {
            /// The endgame, such as `KRvK`.
            pub material: &'static str,
            /// The name: the part of the file name between the material and `json`.
            pub name: &'static str,
            json: &'static str,
        }

        impl $kind {
            /// All files of this kind embedded in this build.
            pub const ALL: &'static [Self] = &{
                let mut all = [const { Self { material: "", name: "", json: "" } }; $texts.len()];
                let mut at = 0;
                while at < all.len() {
                    let lucena_data::Text { material, name, json } = $texts[at];
                    all[at] = Self { material, name, json };
                    at += 1;
                }
                all
            };

            /// Returns the files for a material.
            pub fn of(material: Material) -> impl Iterator<Item = &'static Self> {
                let material = material.to_string();
                Self::ALL.iter().filter(move |known| known.material == material)
            }

            /// Returns the file with a name for a material.
            pub fn find(material: Material, name: &str) -> Option<&'static Self> {
                Self::of(material).find(|known| known.name == name)
            }
        }
    };
}

built_in! {
    /// A tree embedded in this build as JSON, so that it can be read and explained from any
    /// directory. To add one, add a line to [`lucena_data::TREES`].
    ///
    /// ```
    /// use lucena_roster::BuiltIn;
    ///
    /// let tree = BuiltIn::find("KRvK".parse()?, "cart").expect("this build carries it").load()?;
    /// assert_eq!(tree.leaves(), 5168);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    BuiltIn: lucena_data::TREES
}

built_in! {
    /// A strategy embedded in this build as JSON. To add one, add a line to
    /// [`lucena_data::STRATEGIES`].
    BuiltInStrategy: lucena_data::STRATEGIES
}

built_in! {
    /// A measure embedded in this build as JSON. To add one, add a line to [`lucena_data::MEASURES`].
    BuiltInMeasure: lucena_data::MEASURES
}

impl BuiltIn {
    /// Returns the tree from which the generated code of a kind was generated.
    pub fn of_kind(material: Material, kind: GeneratedKind) -> Option<&'static Self> {
        kind.file_names().iter().find_map(|name| Self::find(material, name))
    }

    /// Reads the tree.
    ///
    /// # Errors
    /// If the embedded file is not a valid tree.
    pub fn load(&self) -> Result<DecisionTree, ReadModelError> {
        DecisionTree::from_json(self.json.as_bytes())
    }
}

impl BuiltInStrategy {
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

impl BuiltInMeasure {
    /// Returns the smallest measure for a material.
    pub fn smallest(material: Material) -> Option<&'static Self> {
        Self::of(material).find(|carried| carried.is_smallest())
    }

    /// Returns true if this is the smallest measure for its material, which plays unless another is named.
    pub fn is_smallest(&self) -> bool {
        self.name == "smallest"
    }

    /// Reads the measure.
    ///
    /// # Panics
    /// If the embedded file is not a valid measure; a test reads them all.
    pub fn load(&self) -> Measure {
        Measure::from_json(self.json.as_bytes()).expect("a measure that is checked in is sound")
    }

    /// Creates the policy that plays by it.
    ///
    /// # Panics
    /// If the embedded measure cannot be played; a test creates all policies.
    pub fn policy(&self) -> MeasurePolicy {
        MeasurePolicy::of_checked(self.load()).expect("a measure that is checked in makes a policy")
    }
}
