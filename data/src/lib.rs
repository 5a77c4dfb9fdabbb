//! The trees, strategies, measures, rules and test positions that are checked in beside this crate, as text. To build one
//! more into the program, add a line to [`TREES`], [`STRATEGIES`], [`PARTS`], [`MEASURES`], or a list of rules such as
//! [`KNOWN_RULES`].
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

/// Strategies for a part of an endgame, which win all that can be won there, or hold all that can be held.
pub const PARTS: &[Text] = texts! { "parts":
    "KPvK": "edge";
    "KRPvKR": "lucena", "behind", "vancura";
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

/// A file of rules about who wins, and the verdicts on them, which `lucena rules --check FILE --verdicts FILE` counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RuleText {
    /// The endgame, such as `KRPvKR`.
    pub material: &'static str,
    /// The path of the file below `rules`, without `toml`.
    pub name: &'static str,
    /// The rules, as TOML.
    pub toml: &'static str,
    /// The verdicts, as JSON.
    pub verdicts: &'static str,
}

/// Lists files of rules: their names by material.
macro_rules! rules {
    ($($material:literal: $($name:literal),+;)+) => {
        &[$($(RuleText {
            material: $material,
            name: $name,
            toml: include_str!(concat!("../rules/", $name, ".toml")),
            verdicts: include_str!(concat!("../rules/verdicts/", $name, ".json")),
        },)+)+]
    };
}

/// Published rules, as they were published.
pub const PUBLISHED_RULES: &[RuleText] = rules! {
    "KPvK": "KPvK";
    "KPvKP": "KPvKP";
    "KRvKP": "KRvKP";
    "KQvKP": "KQvKP";
    "KBPvK": "KBPvK";
    "KNPvK": "KNPvK";
    "KRPvKR": "KRPvKR";
    "KBPvKB": "KBPvKB";
};

/// Rules that are known to have no exception. Several files may be about one endgame; the rules of the first come first.
pub const KNOWN_RULES: &[RuleText] = rules! {
    "KBPvK": "known/KBPvK";
    "KNPvK": "known/KNPvK";
    "KPvK": "known/KPvK";
    "KPvKP": "known/KPvKP";
    "KQvKP": "known/KQvKP";
    "KRPvKR": "known/KRPvKR";
    "KRvKP": "known/KRvKP";
};

/// Rules without exceptions that the program has found.
pub const FOUND_RULES: &[RuleText] = rules! {
    "KPvK": "found/KPvK.win", "found/KPvK.draw";
    "KRPvKR": "found/KRPvKR.win", "found/KRPvKR.draw";
};

/// Rules of thumb, which are read in order.
pub const THUMB_RULES: &[RuleText] = rules! {
    "KBPvK": "thumb/KBPvK";
    "KPvK": "thumb/KPvK";
    "KQvKP": "thumb/KQvKP";
    "KRvKP": "thumb/KRvKP";
};

/// The 24 positions of D. Kopec and I. Bratko (*The Bratko-Kopec experiment*, 1982), as EPD.
pub const BRATKO_KOPEC: &str = include_str!("../positions/bratko-kopec.epd");

/// Ten endgames of three to nine men, as EPD.
pub const ENDGAMES: &str = include_str!("../positions/endgames.epd");
