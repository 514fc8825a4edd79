//! Networks of other shapes on the same inputs: any number of layers, rectified but for the last.

use safetensors::SafeTensors;

use super::input::{CardInput, FINGERPRINT, INPUTS};
use crate::net::file::{NetError, NetKind};
use crate::{ParamError, Params};

/// The number of outputs: what each card is worth more than the mean, suits in the order of the input.
const OUTPUTS: usize = 32;
/// The most layers.
const MOST: usize = 32;

/// A layer: what each input adds to all units, input by input, and the biases.
#[derive(Debug, Clone, PartialEq)]
struct Layer {
    weights: Vec<f32>,
    bias: Vec<f32>,
}

/// A network of the card player with layers of any size.
#[derive(Debug, Clone, PartialEq)]
pub struct DeepNetwork(Vec<Layer>);

impl DeepNetwork {
    /// What its files are.
    pub const KIND: NetKind =
        NetKind { what: "cards", format: "coinche card layers 1", beside: None, inputs: Some(FINGERPRINT) };

    /// Returns the network that a parameter names, unless it is of our own shape or cannot be read.
    pub(super) fn of_param(params: &Params, name: &str) -> Result<Option<Self>, ParamError> {
        let path = params.text(name);
        let file = if path == "built-in" { None } else { params.file(name).ok() };
        let format =
            |bytes: &[u8]| SafeTensors::read_metadata(bytes).ok()?.1.metadata().clone()?.remove("format");
        let deep = file.filter(|bytes| format(bytes).as_deref() == Some(Self::KIND.format));
        let read = deep.map(|bytes| Self::from_bytes(path, &bytes)).transpose();
        read.map_err(|error| params.illegal_file(name, &error))
    }

    /// Reads a network from the bytes of a file: `layers.0.weight` of the shape `[inputs, units]` and `layers.0.bias`, and so on, up
    /// to 32 units, in hundreds of points.
    ///
    /// # Errors
    ///
    /// When the layers do not fit together, or the weights are not those that were written.
    pub fn from_bytes(path: &str, bytes: &[u8]) -> Result<Self, NetError> {
        let foreign = |why: String| NetError::Foreign { path: path.to_owned(), what: Self::KIND.what, why };
        let file = SafeTensors::deserialize(bytes).map_err(|error| foreign(error.to_string()))?;
        let (mut layers, mut shapes, mut inputs) = (Vec::new(), Vec::new(), INPUTS);
        while let Ok(tensor) = file.tensor(&format!("layers.{}.weight", layers.len())) {
            let &[rows, units] = tensor.shape() else {
                return Err(foreign(format!("`layers.{}.weight` has no two dimensions", layers.len())));
            };
            if rows != inputs || layers.len() == MOST {
                let (at, most) = (layers.len(), MOST);
                return Err(foreign(format!(
                    "`layers.{at}.weight` has {rows} inputs: expected {inputs}, in {most} layers at most"
                )));
            }
            // The file has as many numbers: it is in memory already.
            layers.push(Layer { weights: vec![0.0; rows * units], bias: vec![0.0; units] });
            shapes.push([rows, units]);
            inputs = units;
        }
        if layers.is_empty() || inputs != OUTPUTS {
            return Err(foreign(format!("its last layer has {inputs} units: expected {OUTPUTS}")));
        }
        let names = Self::names(layers.len());
        let of = names.iter().zip(layers.iter_mut().zip(&shapes));
        let tensors = of.flat_map(|([weight, bias], (layer, [rows, units]))| {
            let weights = (weight.as_str(), [*rows, *units], &mut layer.weights[..]);
            [weights, (bias.as_str(), [1, *units], &mut layer.bias[..])]
        });
        Self::KIND.read(path, bytes, tensors.collect())?;
        Ok(Self(layers))
    }

    /// Returns the file of a network of these layers, weights by input and biases; `made` says how it was made.
    pub fn to_bytes(layers: &[(&[f32], &[f32])], made: &[(&str, String)]) -> Vec<u8> {
        let names = Self::names(layers.len());
        let tensors = names.iter().zip(layers).flat_map(|([weight, bias], (weights, biases))| {
            let units = biases.len();
            [
                (weight.as_str(), [weights.len() / units.max(1), units], *weights),
                (bias.as_str(), [1, units], *biases),
            ]
        });
        Self::KIND.write(made, &tensors.collect::<Vec<_>>())
    }

    fn names(layers: usize) -> Vec<[String; 2]> {
        (0..layers).map(|at| ["weight", "bias"].map(|part| format!("layers.{at}.{part}"))).collect()
    }

    /// Returns what each card is worth in a position, in hundreds of points; of cards that are not legal it means nothing.
    ///
    /// Sums are made in the order of the inputs, so that they are the same on every machine.
    pub fn outputs(&self, input: &CardInput) -> Vec<f32> {
        let add = |sums: &mut [f32], layer: &Layer, at: usize, value: f32| {
            let units = sums.len();
            for (sum, weight) in sums.iter_mut().zip(&layer.weights[at * units..][..units]) {
                *sum += value * weight;
            }
        };
        let mut sums = self.0[0].bias.clone();
        input.iter().for_each(|(at, value)| add(&mut sums, &self.0[0], at, value));
        for layer in &self.0[1..] {
            let mut next = layer.bias.clone();
            let units = sums.iter().enumerate().filter(|(_, sum)| **sum > 0.0);
            units.for_each(|(at, sum)| add(&mut next, layer, at, *sum));
            sums = next;
        }
        sums
    }
}
