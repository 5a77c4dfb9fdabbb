use lucena_chess::Material;
use lucena_proof::policy::GeneratedKind;
use lucena_tree::{DecisionTree, ParseTreeError};

/// A tree that this build carries as JSON, to be read and explained from any directory. To add one
/// is to add a line to [`BuiltIn::ALL`].
#[derive(Debug)]
pub struct BuiltIn {
    /// The endgame, as `KRvK`.
    pub material: &'static str,
    /// What the tree is called: as its file, between the material and `json`.
    pub name: &'static str,
    json: &'static str,
}

/// What is carried of a kind, from its folder in `data`: names by material.
macro_rules! built_in {
    ($kind:ident in $folder:literal: $($material:literal: $($name:literal),+;)+) => {
        &[$($($kind {
            material: $material,
            name: $name,
            json: include_str!(concat!("../../../../data/", $folder, "/", $material, ".", $name, ".json")),
        },)+)+]
    };
}
pub(super) use built_in;

impl BuiltIn {
    /// All that this build carries.
    pub const ALL: &'static [Self] = built_in! { BuiltIn in "trees":
        "KPvK": "win";
        "KQvK": "cart", "exact", "optimal", "win", "win33";
        "KRvK": "cart", "exact", "geometric", "optimal", "win", "win33";
    };

    /// The tree of a name for a material.
    ///
    /// ```
    /// use lucena::roster::BuiltIn;
    ///
    /// let tree = BuiltIn::find("KRvK".parse()?, "cart").expect("this build carries it").load()?;
    /// assert_eq!(tree.leaves(), 5168);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn find(material: Material, name: &str) -> Option<&'static Self> {
        let material = material.to_string();
        Self::ALL.iter().find(|tree| tree.material == material && tree.name == name)
    }

    /// The tree that the generated code of a kind was generated from.
    ///
    /// ```
    /// use lucena::policy::GeneratedKind;
    /// use lucena::roster::BuiltIn;
    ///
    /// let theory = BuiltIn::of_kind("KRvK".parse()?, GeneratedKind::Theory).expect("it carries one");
    /// assert!(theory.load()?.leaves() <= 75);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of_kind(material: Material, kind: GeneratedKind) -> Option<&'static Self> {
        kind.file_names().iter().find_map(|name| Self::find(material, name))
    }

    /// Reads the tree.
    ///
    /// # Errors
    /// When what is checked in is no sound tree.
    pub fn load(&self) -> Result<DecisionTree, ParseTreeError> {
        DecisionTree::from_json(self.json.as_bytes())
    }
}
