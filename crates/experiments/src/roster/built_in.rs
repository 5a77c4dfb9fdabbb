use lucena_chess::Material;
use lucena_proof::policy::GeneratedKind;
use lucena_tree::{DecisionTree, ParseTreeError};

/// A tree embedded in this build as JSON, so that it can be read and explained from any directory. To add
/// one, add a line to [`lucena_data::TREES`].
#[derive(Debug)]
pub struct BuiltIn {
    /// The endgame, such as `KRvK`.
    pub material: &'static str,
    /// The name of the tree: the part of its file name between the material and `json`.
    pub name: &'static str,
    json: &'static str,
}

/// Lists a kind of embedded files from their texts.
macro_rules! built_in {
    ($kind:ident from $texts:path) => {{
        const ALL: [$kind; $texts.len()] = {
            let mut all = [const { $kind { material: "", name: "", json: "" } }; $texts.len()];
            let mut at = 0;
            while at < all.len() {
                let lucena_data::Text { material, name, json } = $texts[at];
                all[at] = $kind { material, name, json };
                at += 1;
            }
            all
        };
        &ALL
    }};
}
pub(super) use built_in;

impl BuiltIn {
    /// All trees embedded in this build.
    pub const ALL: &'static [Self] = built_in!(BuiltIn from lucena_data::TREES);

    /// Returns the tree with a name for a material.
    ///
    /// ```
    /// use lucena_experiments::roster::BuiltIn;
    ///
    /// let tree = BuiltIn::find("KRvK".parse()?, "cart").expect("this build carries it").load()?;
    /// assert_eq!(tree.leaves(), 5168);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn find(material: Material, name: &str) -> Option<&'static Self> {
        let material = material.to_string();
        Self::ALL.iter().find(|tree| tree.material == material && tree.name == name)
    }

    /// Returns the tree from which the generated code of a kind was generated.
    pub fn of_kind(material: Material, kind: GeneratedKind) -> Option<&'static Self> {
        kind.file_names().iter().find_map(|name| Self::find(material, name))
    }

    /// Reads the tree.
    ///
    /// # Errors
    /// If the embedded file is not a valid tree.
    pub fn load(&self) -> Result<DecisionTree, ParseTreeError> {
        DecisionTree::from_json(self.json.as_bytes())
    }
}
