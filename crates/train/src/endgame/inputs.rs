use super::super::network::Network;
use super::super::sums::add_up;
use lucena_attributes::AttributeSet;
use lucena_chess::Position;

/// The values of a set of attributes as binary inputs: one for each value of each attribute and,
/// with pairs, one for each combination of values of two attributes.
#[derive(Debug, Clone)]
pub(super) struct AttributeInputs {
    pub(super) attributes: AttributeSet,
    values: Vec<Values>,
    /// The first input of each pair of attributes, indexed by the two attributes in ascending
    /// order.
    pairs: Option<Vec<Vec<u32>>>,
    count: usize,
}

/// The range of values of an attribute.
#[derive(Debug, Clone, Copy)]
struct Values {
    /// The lowest value.
    low: u8,
    /// The number of values.
    count: u32,
    /// The input of the lowest value.
    first: u32,
}

impl AttributeInputs {
    /// Inputs for single attributes only.
    pub(super) fn each(attributes: AttributeSet) -> Self {
        let mut next = 0;
        let values = attributes.attributes().iter().map(|attribute| {
            let (low, high) = attribute.domain();
            let values = Values { low, count: u32::from(high - low) + 1, first: next };
            next += values.count;
            values
        });
        let values: Vec<Values> = values.collect();
        Self { attributes, values, pairs: None, count: next as usize }
    }

    /// Inputs for single attributes and for pairs.
    pub(super) fn pairs(attributes: AttributeSet) -> Self {
        let each = Self::each(attributes);
        let mut next = each.count as u32;
        let firsts = |one: usize| {
            let firsts = each.values[one + 1..].iter().map(|other| {
                let first = next;
                next += each.values[one].count * other.count;
                first
            });
            firsts.collect()
        };
        let pairs = (0..each.values.len()).map(firsts).collect();
        Self { pairs: Some(pairs), count: next as usize, ..each }
    }

    /// The number of inputs.
    pub(super) fn len(&self) -> usize {
        self.count
    }

    /// The number of values of an attribute.
    pub(super) fn values_of(&self, attribute: usize) -> usize {
        self.values[attribute].count as usize
    }

    /// The pairs of attributes that have inputs, in the order of the inputs.
    pub(super) fn paired(&self) -> impl Iterator<Item = [usize; 2]> {
        let pairs = self.pairs.iter().flatten().enumerate();
        pairs.flat_map(|(one, firsts)| (0..firsts.len()).map(move |at| [one, one + 1 + at]))
    }

    /// The attribute values of a position. They are slow to compute and small to store.
    pub(super) fn row(&self, position: &Position) -> Vec<u8> {
        let mut row = vec![0; self.values.len()];
        self.attributes.extract(position, &mut row);
        row
    }

    /// Stores the active inputs of a row in `set`.
    pub(super) fn set(&self, row: &[u8], set: &mut Vec<u32>) {
        set.clear();
        let at = |values: &Values, value: u8| u32::from(value - values.low);
        set.extend(
            self.values.iter().zip(row).map(|(values, &value)| values.first + at(values, value)),
        );
        let Some(pairs) = &self.pairs else { return };
        for (one, firsts) in pairs.iter().enumerate() {
            let value = at(&self.values[one], row[one]);
            let others = self.values[one + 1..].iter().zip(&row[one + 1..]).zip(firsts);
            set.extend(others.map(|((other, &of_other), first)| {
                first + value * other.count + at(other, of_other)
            }));
        }
    }
}

/// A learning function from binary inputs to the value of a position.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum ValueFunction {
    /// The sum of a weight for each input that is set.
    Linear(Vec<f32>),
    /// A network.
    Network(Network),
}

impl ValueFunction {
    /// The predicted value of the position.
    #[inline]
    pub(super) fn predict(&self, set: &[u32]) -> f32 {
        match self {
            Self::Linear(weights) => set.iter().map(|&input| weights[input as usize]).sum(),
            Self::Network(network) => network.predict(set),
        }
    }

    /// Returns true if all weights are numbers that can be added up.
    pub(super) fn has_numbers(&self) -> bool {
        match self {
            Self::Linear(weights) => add_up(weights),
            Self::Network(network) => network.weights().have_numbers(),
        }
    }

    /// Moves the prediction toward the given value. With a rate of 1 a sum is exact afterwards; a
    /// network moves along the gradient by the rate times the difference.
    pub(super) fn learn(&mut self, set: &[u32], worth: f32, rate: f32) {
        let step = rate * (worth - self.predict(set));
        match self {
            Self::Linear(weights) => {
                let step = step / set.len() as f32;
                for &input in set {
                    weights[input as usize] += step;
                }
            }
            Self::Network(network) => network.learn(set, step),
        }
    }
}
