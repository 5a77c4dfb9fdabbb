//! The attributes that a strategy may use.

use lucena_attributes::{AttributeSet, Selection};
use lucena_chess::Material;
use lucena_proof::policy::stays_when_turned;

/// Returns the attributes of a material that stay the same when the board is rotated or mirrored.
///
/// ```
/// let names: Vec<String> = lucena_strategy::askable("KRvK".parse()?)
///     .attributes()
///     .iter()
///     .map(|attribute| attribute.name().into())
///     .collect();
/// assert!(names.contains(&"RBoxSides".to_owned()));
/// assert!(!names.contains(&"KFile".to_owned()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn askable(material: Material) -> AttributeSet {
    askable_among(material, &[Selection::Geometric, Selection::Strategic, Selection::Concepts])
}

/// Returns the attributes of some selections that stay the same when the board is rotated or mirrored, in
/// order.
pub fn askable_among(material: Material, parts: &[Selection]) -> AttributeSet {
    let all = parts.iter().map(|part| AttributeSet::new(material, *part)).collect::<Vec<_>>();
    let attributes = all.iter().flat_map(AttributeSet::attributes);
    let names = attributes.filter(|attribute| stays_when_turned(material, attribute));
    AttributeSet::named(material, names.map(|attribute| attribute.name()))
        .expect("the names are the material's own")
}
