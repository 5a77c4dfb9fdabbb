//! The attributes that a strategy may use.

use lucena_attributes::{AttributeSet, Selection, Selections};
use lucena_chess::Material;
use lucena_proof::policy::is_symmetric;

/// Returns the attributes of a material that stay the same when the board is rotated or mirrored.
///
/// ```
/// let names: Vec<String> = lucena_strategy::strategy_attributes("KRvK".parse()?)
///     .attributes()
///     .iter()
///     .map(|attribute| attribute.name().into())
///     .collect();
/// assert!(names.contains(&"RBoxSides".to_owned()));
/// assert!(!names.contains(&"KFile".to_owned()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn strategy_attributes(material: Material) -> AttributeSet {
    strategy_attributes_among(material, strategy_selections())
}

/// The selections that [`strategy_attributes`] takes its attributes from.
pub fn strategy_selections() -> Selections {
    [Selection::Geometric, Selection::Strategic, Selection::Concepts].into_iter().collect()
}

/// Returns the attributes of some selections that stay the same when the board is rotated or mirrored, in
/// order.
pub fn strategy_attributes_among(material: Material, parts: impl Into<Selections>) -> AttributeSet {
    let all = AttributeSet::new(material, parts);
    let names = all
        .attributes()
        .iter()
        .filter(|attribute| is_symmetric(material, |position| attribute.value(position).into()));
    AttributeSet::named(material, names.map(|attribute| attribute.name()))
        .expect("the names are the material's own")
}
