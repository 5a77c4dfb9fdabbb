//! The attribute values of one position after another, each computed when it is first asked for.

use super::scene::Scene;
use super::{Attribute, AttributeSet};
use lucena_chess::Position;

/// The values of a set of attributes in a position. A value is computed when it is first asked for, so that a question
/// about many positions costs only the values that decide it.
///
/// ```
/// use lucena_attributes::{AttributeSet, Reading, Selection};
///
/// let set = AttributeSet::named("KRvK".parse()?, ["kOnEdge", "kRoom"])?;
/// let mut reading = Reading::new(&set, &"8/8/8/8/8/1R6/2K5/k7 b - - 0 1".parse()?);
/// assert_eq!([reading.value(0), reading.value(1)], [1, 1]);
/// reading.move_to(&"8/8/8/8/8/1k6/8/K6R b - - 0 1".parse()?);
/// assert_eq!(reading.value(0), 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Reading<'a> {
    attributes: &'a [Attribute],
    scene: Scene,
    values: Vec<Option<u8>>,
}

impl<'a> Reading<'a> {
    /// A reading of a position, which must be of the attributes' material.
    pub fn new(set: &'a AttributeSet, position: &Position) -> Self {
        let attributes = set.attributes();
        Self { attributes, scene: Scene::new(position), values: vec![None; attributes.len()] }
    }

    /// Turns to another position of the same material.
    pub fn move_to(&mut self, position: &Position) {
        self.scene = Scene::new(position);
        self.values.fill(None);
    }

    /// The value of an attribute, if it was computed or assumed.
    #[inline]
    pub fn known(&self, attribute: usize) -> Option<u8> {
        self.values[attribute]
    }

    /// Takes a value of an attribute that was computed for this position before.
    #[inline]
    pub fn assume(&mut self, attribute: usize, value: u8) {
        self.values[attribute] = Some(value);
    }

    /// The value of an attribute.
    ///
    /// # Panics
    /// If the set has no attribute with this number.
    #[inline]
    pub fn value(&mut self, attribute: usize) -> u8 {
        let value = || self.attributes[attribute].value_in(&self.scene);
        *self.values[attribute].get_or_insert_with(value)
    }
}
