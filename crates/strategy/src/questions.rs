//! What strategies may ask for.

use lucena_attributes::{AttributeSet, Selection};
use lucena_chess::Material;
use lucena_proof::policy::stays_when_turned;

/// Every attribute of a material that does not change when the board is turned or mirrored.
///
/// ```
/// let names: Vec<String> = lucena::strategy::askable("KRvK".parse()?)
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

/// The attributes of some selections that a strategy may ask for: those that do not change when the board
/// is turned or mirrored, in order.
///
/// ```
/// use lucena::attributes::Selection;
/// use lucena::strategy::askable_among;
///
/// let ahead = askable_among("KRvK".parse()?, &[Selection::Ahead]);
/// assert!(ahead.attributes().iter().any(|attribute| attribute.name() == "kRoomNext"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn askable_among(material: Material, parts: &[Selection]) -> AttributeSet {
    let all = parts.iter().map(|part| AttributeSet::new(material, *part)).collect::<Vec<_>>();
    let attributes = all.iter().flat_map(AttributeSet::attributes);
    let names = attributes.filter(|attribute| stays_when_turned(material, attribute));
    AttributeSet::named(material, names.map(|attribute| attribute.name()))
        .expect("the names are the material's own")
}
