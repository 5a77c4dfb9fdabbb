use crate::chess::Material;
use lucena_codegen::{DecisionTree, LoadError};
use std::path::Path;

/// A tree that this build carries as JSON, to be read and explained from any directory. To add one
/// is to add a line to [`BuiltIn::ALL`].
#[derive(Debug)]
pub struct BuiltIn {
    /// The endgame, as `KRvK`.
    pub material: &'static str,
    /// What the tree is called: `exact` for that of the generated code.
    pub name: &'static str,
    file: &'static str,
    json: &'static str,
}

macro_rules! built_in {
    ($material:literal, $name:literal, $file:literal) => {
        BuiltIn {
            material: $material,
            name: $name,
            file: $file,
            json: include_str!(concat!("../../data/trees/", $file)),
        }
    };
}

impl BuiltIn {
    /// All that this build carries.
    pub const ALL: &'static [Self] = &[
        built_in!("KRvK", "exact", "KRvK.exact.json"),
        built_in!("KQvK", "exact", "KQvK.exact.json"),
    ];

    /// The tree of a name for a material.
    ///
    /// ```
    /// use lucena::player::BuiltIn;
    ///
    /// let tree = BuiltIn::find("KRvK".parse()?, "exact").expect("this build carries it").load()?;
    /// assert_eq!(tree.leaves(), 5168);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn find(material: Material, name: &str) -> Option<&'static Self> {
        let material = material.to_string();
        Self::ALL.iter().find(|tree| tree.material == material && tree.name == name)
    }

    /// Reads the tree.
    ///
    /// # Errors
    /// When what is checked in is no sound tree.
    pub fn load(&self) -> Result<DecisionTree, LoadError> {
        DecisionTree::from_json(self.json.as_bytes(), Path::new(self.file))
    }
}
