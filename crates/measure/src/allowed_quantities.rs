//! The quantities that a measure may use.

use lucena_attributes::{Quantity, QuantitySet, Selection, Selections};
use lucena_chess::Material;
use lucena_proof::policy::is_symmetric;

/// Returns the quantities of a material that stay the same when the board is rotated or mirrored: its geometric and
/// strategic attributes and its concepts, what stands in the selection `region`, and all sums over areas.
///
/// ```
/// let quantities = lucena_measure::measure_quantities("KRvK".parse()?);
/// let names: Vec<String> = quantities.quantities().iter().map(|quantity| quantity.name()).collect();
/// assert!(names.contains(&"kRoomCornerSum".to_owned()));
/// assert!(!names.contains(&"KFile".to_owned()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn measure_quantities(material: Material) -> QuantitySet {
    measure_quantities_among(material, measure_selections())
}

/// The selections that [`measure_quantities`] takes its quantities from.
pub fn measure_selections() -> Selections {
    use Selection::{Concepts, Geometric, Region, Strategic};
    [Geometric, Strategic, Concepts, Region].into_iter().collect()
}

/// Returns the attributes of some selections that stay the same when the board is rotated or mirrored, in order, and all
/// sums over areas.
pub fn measure_quantities_among(material: Material, parts: impl Into<Selections>) -> QuantitySet {
    let all = QuantitySet::new(material, parts);
    let is_allowed =
        |quantity: &&Quantity| is_symmetric(material, |position| quantity.value(position));
    let names: Vec<String> =
        all.quantities().iter().filter(is_allowed).map(Quantity::name).collect();
    QuantitySet::named(material, names.iter().map(String::as_str))
        .expect("the names are the material's own")
}
