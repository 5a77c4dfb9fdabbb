use super::super::network::Network;

/// A learning function from binary inputs to the value of a position.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Judge {
    /// The sum of a weight for each input that is set.
    Linear(Vec<f32>),
    /// A network.
    Network(Network),
}

impl Judge {
    /// The predicted value of the position.
    #[inline]
    pub(super) fn predict(&self, set: &[u32]) -> f32 {
        match self {
            Self::Linear(weights) => set.iter().map(|&input| weights[input as usize]).sum(),
            Self::Network(network) => network.predict(set),
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
