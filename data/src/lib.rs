//! The trees, strategies, measures, rules and test positions that are checked in beside this crate, as text. To build one
//! more into the program, add a line to [`TREES`], [`STRATEGIES`], [`MEASURES`] or [`KNOWN_RULES`].
//!
//! ```
//! let theory = lucena_data::TREES.iter().find(|tree| (tree.material, tree.name) == ("KRvK", "win"));
//! assert!(theory.expect("it is carried").json.starts_with('{'));
//! ```

#![no_std]

/// A file that belongs to an endgame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Text {
    /// The endgame, such as `KRvK`.
    pub material: &'static str,
    /// The part of the file name between the material and `json`.
    pub name: &'static str,
    /// The contents.
    pub json: &'static str,
}

/// Lists the files of a folder: names by material.
macro_rules! texts {
    ($folder:literal: $($material:literal: $($name:literal),+;)+) => {
        &[$($(Text {
            material: $material,
            name: $name,
            json: include_str!(concat!("../", $folder, "/", $material, ".", $name, ".json")),
        },)+)+]
    };
}

/// Decision trees.
pub const TREES: &[Text] = texts! { "trees":
    "KPvK": "win";
    "KQvK": "cart", "exact", "optimal", "win", "win33";
    "KRvK": "cart", "exact", "geometric", "optimal", "win", "win33";
};

/// Strategies.
pub const STRATEGIES: &[Text] = texts! { "strategies":
    "KBBvK": "smallest";
    "KPvK": "smallest";
    "KQvK": "smallest", "quick";
    "KRvK": "smallest", "ahead", "quick";
};

/// Measures.
pub const MEASURES: &[Text] = texts! { "measures":
    "KBBvK": "smallest", "near", "nearest";
    "KBNvK": "smallest", "near", "nearest";
    "KPvK": "smallest";
    "KQvK": "smallest", "quick", "nearest";
    "KQvKR": "smallest";
    "KRvK": "smallest", "near", "nearest", "quick";
    "KRvKB": "smallest";
    "KRvKN": "smallest";
};

/// Rules about who wins that are known to have no exception, as TOML, by endgame. Several files may be about one; the
/// rules of the first come first.
pub const KNOWN_RULES: &[(&str, &str)] = &[
    ("KBPvK", include_str!("../rules/known/KBPvK.toml")),
    ("KNPvK", include_str!("../rules/known/KNPvK.toml")),
    ("KPvK", include_str!("../rules/known/KPvK.toml")),
    ("KPvKP", include_str!("../rules/known/KPvKP.toml")),
    ("KQvKP", include_str!("../rules/known/KQvKP.toml")),
    ("KRPvKR", include_str!("../rules/known/KRPvKR.toml")),
    ("KRvKP", include_str!("../rules/known/KRvKP.toml")),
];

/// The 24 positions of D. Kopec and I. Bratko (*The Bratko-Kopec experiment*, 1982), as EPD.
pub const BRATKO_KOPEC: &str = include_str!("../positions/bratko-kopec.epd");

/// Ten endgames of three to nine men, as EPD.
pub const ENDGAMES: &str = include_str!("../positions/endgames.epd");
