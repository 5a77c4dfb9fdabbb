use super::super::network::Network;

/// What says how much a position is worth, from inputs that are set or not, and learns to say it
/// better.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Judge {
    /// The sum of a weight for each input that is set.
    Linear(Vec<f32>),
    /// A network.
    Network(Network),
}

impl Judge {
    /// What the position is worth.
    #[inline]
    pub(super) fn predict(&self, set: &[u32]) -> f32 {
        match self {
            Self::Linear(weights) => set.iter().map(|&input| weights[input as usize]).sum(),
            Self::Network(network) => network.predict(set),
        }
    }

    /// Learns what the position should have been worth. With a rate of 1 a sum is right afterwards;
    /// a network moves by the rate times the difference along the gradient.
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
