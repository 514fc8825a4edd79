//! The network as a file: safetensors, with what it is and how it was made among the metadata.

use core::fmt::Display;
use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use safetensors::{Dtype, SafeTensors};
use serde_json::json;

use super::input::INPUTS;
use super::network::{HIDDEN, Layers, Network, OUTPUTS};
use crate::table::{BiddingTable, checksum};

/// What the metadata say that the file is.
const FORMAT: &str = "coinche bidding network 1";

/// The names of the tensors, with their shapes.
const TENSORS: [(&str, &[usize]); 6] = [
    ("first.weight", &[INPUTS, HIDDEN[0]]),
    ("first.bias", &[HIDDEN[0]]),
    ("second.weight", &[HIDDEN[0], HIDDEN[1]]),
    ("second.bias", &[HIDDEN[1]]),
    ("third.weight", &[OUTPUTS, HIDDEN[1]]),
    ("third.bias", &[OUTPUTS]),
];

/// The largest weight that a network may have: no sum of such weights comes near the largest number.
const MOST: f32 = 1e4;

/// The network that comes with the program.
static BUILT_IN: LazyLock<Arc<Network>> = LazyLock::new(|| {
    let bytes = include_bytes!("../../data/bidding.safetensors");
    Arc::new(
        Network::from_bytes("bidding.safetensors", bytes).expect("the network of the repository is whole"),
    )
});

/// What is wrong with a network.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NetError {
    /// The file cannot be read.
    #[error("cannot read the network {path}: {why}; `arena train --out {path}` makes one")]
    Read {
        /// The file.
        path: String,
        /// What the system says.
        why: String,
    },
    /// It is no safetensors file, or one of something else.
    #[error("{path} is no bidding network: {why}; `arena train --out {path}` makes one")]
    Foreign {
        /// The file.
        path: String,
        /// What is missing.
        why: String,
    },
    /// Its weights are damaged.
    #[error("the network {path} is damaged: {why}; `arena train --out {path}` makes another")]
    Damaged {
        /// The file.
        path: String,
        /// What is wrong.
        why: String,
    },
}

impl Layers {
    /// The numbers of the tensors, in order.
    pub fn tensors(&self) -> [&[f32]; 6] {
        [
            self.first.as_flattened(),
            &self.first_bias,
            self.second.as_flattened(),
            &self.second_bias,
            self.third.as_flattened(),
            &self.third_bias,
        ]
    }

    /// The numbers of the tensors, in order, to be changed.
    pub fn tensors_mut(&mut self) -> [&mut [f32]; 6] {
        [
            self.first.as_flattened_mut(),
            &mut self.first_bias,
            self.second.as_flattened_mut(),
            &mut self.second_bias,
            self.third.as_flattened_mut(),
            &mut self.third_bias,
        ]
    }
}

impl Network {
    /// Returns the network that comes with the program.
    pub fn built_in() -> Arc<Self> {
        Arc::clone(&BUILT_IN)
    }

    /// Reads a network from a file.
    ///
    /// # Errors
    ///
    /// When it cannot be read, or is no whole network of this format.
    pub fn read(path: &str) -> Result<Self, NetError> {
        let bytes = std::fs::read(path).map_err(|error| Self::unreadable(path, &error))?;
        Self::from_bytes(path, &bytes)
    }

    /// The error of a file that cannot be read.
    pub(super) fn unreadable(path: &str, why: &dyn Display) -> NetError {
        NetError::Read { path: path.to_owned(), why: why.to_string() }
    }

    /// Writes the network; `made` says how it was made.
    ///
    /// The header is written here, since that of the crate has its metadata in no order.
    pub fn to_bytes(&self, made: &[(&str, String)]) -> Vec<u8> {
        let mut metadata: BTreeMap<&str, String> = made.iter().cloned().collect();
        metadata.insert("format", FORMAT.to_owned());
        metadata.insert("sum", sum(&self.layers));
        metadata.insert("table", BiddingTable::built_in().fingerprint());
        let mut header = BTreeMap::from([("__metadata__", json!(metadata))]);
        let mut data: Vec<u8> = Vec::new();
        for ((name, shape), numbers) in TENSORS.iter().zip(self.layers.tensors()) {
            let from = data.len();
            data.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
            header
                .insert(name, json!({ "dtype": "F32", "shape": shape, "data_offsets": [from, data.len()] }));
        }
        let mut header = json!(header).to_string();
        // The data begin at a multiple of eight bytes.
        header.extend(core::iter::repeat_n(' ', header.len().next_multiple_of(8) - header.len()));
        [(header.len() as u64).to_le_bytes().as_slice(), header.as_bytes(), &data].concat()
    }

    /// Reads a network from the bytes of a file.
    ///
    /// # Errors
    ///
    /// When it is no network of this format, or its weights are not those that were written.
    pub fn from_bytes(path: &str, bytes: &[u8]) -> Result<Self, NetError> {
        let foreign = |why: String| NetError::Foreign { path: path.to_owned(), why };
        let damaged = |why: String| NetError::Damaged { path: path.to_owned(), why };
        let tensors = SafeTensors::deserialize(bytes).map_err(|error| foreign(error.to_string()))?;
        let (_, header) = SafeTensors::read_metadata(bytes).map_err(|error| foreign(error.to_string()))?;
        let metadata = header.metadata().clone().unwrap_or_default();
        if metadata.get("format").map(String::as_str) != Some(FORMAT) {
            return Err(foreign(format!("its `format` is not `{FORMAT}`")));
        }
        let table = BiddingTable::built_in().fingerprint();
        if metadata.get("table") != Some(&table) {
            return Err(foreign(format!("it was trained beside another bidding table than `{table}`")));
        }
        let mut layers = Layers::default();
        for ((name, shape), numbers) in TENSORS.iter().zip(layers.tensors_mut()) {
            let tensor = tensors.tensor(name).map_err(|error| foreign(error.to_string()))?;
            if tensor.dtype() != Dtype::F32 || tensor.shape() != *shape {
                return Err(foreign(format!("`{name}` is not f32 of the shape {shape:?}")));
            }
            for (number, bytes) in numbers.iter_mut().zip(tensor.data().as_chunks::<4>().0) {
                *number = f32::from_le_bytes(*bytes);
                if !number.is_finite() || number.abs() > MOST {
                    return Err(damaged(format!("`{name}` has the weight {number}")));
                }
            }
        }
        if metadata.get("sum").map(String::as_str) != Some(&sum(&layers)) {
            return Err(damaged("its weights do not give the `sum` of its metadata".to_owned()));
        }
        Ok(Self { layers })
    }
}

/// A checksum of the weights.
fn sum(layers: &Layers) -> String {
    checksum(layers.tensors().into_iter().flatten().flat_map(|number| number.to_le_bytes()))
}
