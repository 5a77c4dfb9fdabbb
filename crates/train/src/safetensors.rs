//! Networks as safetensors files: two tensors, and a description as JSON under one metadata key.

use super::error::ParseWeightsFileError;
use super::network::{Network, Shape, Weights};
use ::safetensors::tensor::{Dtype, SafeTensors, TensorView, serialize};
use std::collections::HashMap;

/// The metadata key of the description. It is the only key, so the same network always gives the
/// same bytes.
const KEY: &str = "lucena";

/// The file of a network; `head` is JSON that states what it is for.
pub(super) fn write(network: &Network, head: String) -> Vec<u8> {
    let Shape { inputs, hidden } = network.shape();
    let Weights { hidden: from_inputs, output } = network.weights();
    let bytes = |weights: &[f32]| weights.iter().flat_map(|weight| weight.to_le_bytes()).collect();
    let [first, second]: [Vec<u8>; 2] = [bytes(from_inputs), bytes(output)];
    let view = |shape, bytes| TensorView::new(Dtype::F32, shape, bytes).expect("the sizes agree");
    let tensors =
        [("hidden", view(vec![inputs, hidden], &first)), ("output", view(vec![hidden], &second))];
    serialize(tensors, Some(HashMap::from([(KEY.into(), head)]))).expect("two tensors make a file")
}

/// The description of the network in a file.
pub(super) fn head(bytes: &[u8]) -> Result<String, ParseWeightsFileError> {
    let (_, metadata) =
        SafeTensors::read_metadata(bytes).map_err(|_| ParseWeightsFileError::NoTensors)?;
    let head = metadata.metadata().as_ref().and_then(|metadata| metadata.get(KEY));
    head.cloned().ok_or(ParseWeightsFileError::Foreign)
}

/// Reads a network of the given shape from a file.
pub(super) fn read(
    bytes: &[u8],
    shape: Shape,
    beta: f32,
) -> Result<Network, ParseWeightsFileError> {
    let tensors = SafeTensors::deserialize(bytes).map_err(|_| ParseWeightsFileError::NoTensors)?;
    let Shape { inputs, hidden } = shape;
    let weights = |name: &'static str, shape: &[usize]| {
        let tensor =
            tensors.tensor(name).map_err(|_| ParseWeightsFileError::MissingTensor(name))?;
        if tensor.dtype() != Dtype::F32 || tensor.shape() != shape {
            let (found, expected) = (tensor.shape().to_vec(), shape.to_vec());
            return Err(ParseWeightsFileError::Shape { name, found, expected });
        }
        let numbers = tensor.data().chunks_exact(4).map(|bytes| {
            let number = f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
            if number.is_finite() { Ok(number) } else { Err(ParseWeightsFileError::NotFinite) }
        });
        numbers.collect::<Result<Vec<f32>, _>>()
    };
    let weights = Weights {
        hidden: weights("hidden", &[inputs, hidden])?,
        output: weights("output", &[hidden])?,
    };
    Ok(Network::from_weights(shape, beta, weights))
}
