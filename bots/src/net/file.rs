//! Networks as files: safetensors, with what they are and how they were made among the metadata.

use core::fmt::Display;
use std::collections::BTreeMap;

use safetensors::{Dtype, SafeTensors};
use serde_json::json;

use super::layers::Layers;
use crate::files::checksum;

/// The largest weight that a network may have: no sum of such weights comes near the largest number.
const MOST: f32 = 1e4;

/// A kind of file.
#[derive(Debug, Clone)]
pub struct NetKind {
    /// What is trained: the word after `arena train`.
    pub what: &'static str,
    /// What the metadata say that the file is, with the version of its inputs and sizes.
    pub format: &'static str,
    /// What it was trained beside, and is nothing without: a name with what it is now.
    pub beside: Option<(&'static str, String)>,
    /// A fingerprint of what its inputs are, where they are none that the format tells.
    pub inputs: Option<&'static str>,
}

/// What is wrong with a network.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NetError {
    /// The file cannot be read.
    #[error("cannot read the network {path}: {why}; `arena train {what} --out {path}` makes one")]
    Read {
        /// The file.
        path: String,
        /// What is trained.
        what: &'static str,
        /// What the system says.
        why: String,
    },
    /// It is no safetensors file, or one of something else.
    #[error("{path} is no {what} network: {why}; `arena train {what} --out FILE` makes one")]
    Foreign {
        /// The file.
        path: String,
        /// What is trained.
        what: &'static str,
        /// What is missing.
        why: String,
    },
    /// Its weights are damaged.
    #[error("the network {path} is damaged: {why}; `arena train {what} --out FILE` makes another")]
    Damaged {
        /// The file.
        path: String,
        /// What is trained.
        what: &'static str,
        /// What is wrong.
        why: String,
    },
}

/// Gives a network its file: the one that comes with the program, and those that people have made.
macro_rules! network_file {
    ($network:ident, $file:literal, $kind:expr, |$layers:ident: $type:ty| $made:expr) => {
        impl $network {
            /// Returns the network that comes with the program.
            pub fn built_in() -> Arc<Self> {
                static BUILT_IN: LazyLock<Arc<$network>> = LazyLock::new(|| {
                    let bytes = include_bytes!(concat!("../../../data/", $file));
                    Arc::new(
                        $network::from_bytes($file, bytes).expect("the network of the repository is whole"),
                    )
                });
                Arc::clone(&BUILT_IN)
            }

            /// Reads a network from a file.
            ///
            /// # Errors
            ///
            /// When it cannot be read, or is no whole network of this kind.
            pub fn read(path: &str) -> Result<Self, NetError> {
                Self::from_bytes(path, &$kind.bytes(path)?)
            }

            /// Reads a network from the bytes of a file.
            ///
            /// # Errors
            ///
            /// When it is no network of this kind, or its weights are not those that were written.
            pub fn from_bytes(path: &str, bytes: &[u8]) -> Result<Self, NetError> {
                let $layers = <$type>::from_bytes(&$kind, path, bytes)?;
                Ok($made)
            }

            /// Returns the network that a parameter names.
            pub(crate) fn of_param(params: &Params, name: &str) -> Result<Arc<Self>, ParamError> {
                let unreadable = |path: &str, why: &dyn Display| $kind.unreadable(path, why);
                let read = |path: &str, bytes: &[u8]| Self::from_bytes(path, bytes).map(Arc::new);
                params.built_in_or(name, Self::built_in, unreadable, read)
            }
        }
    };
}

/// The names of the tensors of some layers, with their shapes.
fn names<const I: usize, const A: usize, const B: usize, const O: usize>() -> [(&'static str, [usize; 2]); 6]
{
    // A bias has one row.
    let shapes = [[I, A], [1, A], [A, B], [1, B], [O, B], [1, O]];
    let parts = ["first.weight", "first.bias", "second.weight", "second.bias", "third.weight", "third.bias"];
    core::array::from_fn(|n| (parts[n], shapes[n]))
}

/// A tensor to be written: its name, shape and numbers.
type Written<'a> = (&'a str, [usize; 2], &'a [f32]);
/// A tensor to be read.
type Read<'a> = (&'a str, [usize; 2], &'a mut [f32]);

impl NetKind {
    /// Returns the file of some tensors; `made` says how they were made.
    ///
    /// The header is written here, since that of the crate has its metadata in no order.
    pub(super) fn write(&self, made: &[(&str, String)], tensors: &[Written<'_>]) -> Vec<u8> {
        let mut metadata: BTreeMap<&str, String> = made.iter().cloned().collect();
        metadata.insert("format", self.format.to_owned());
        metadata.insert("sum", sum(tensors.iter().map(|(_, _, numbers)| *numbers)));
        metadata.extend(self.beside.clone());
        metadata.extend(self.inputs.map(|inputs| ("inputs", inputs.to_owned())));
        let mut header = BTreeMap::from([("__metadata__", json!(metadata))]);
        let mut data: Vec<u8> = Vec::new();
        for (name, shape, numbers) in tensors {
            let from = data.len();
            data.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
            let offsets = [from, data.len()];
            let shape = if shape[0] == 1 { &shape[1..] } else { shape };
            header.insert(name, json!({ "dtype": "F32", "shape": shape, "data_offsets": offsets }));
        }
        let mut header = json!(header).to_string();
        // The data begin at a multiple of eight bytes.
        header.extend(core::iter::repeat_n(' ', header.len().next_multiple_of(8) - header.len()));
        [(header.len() as u64).to_le_bytes().as_slice(), header.as_bytes(), &data].concat()
    }

    /// Reads some tensors from the bytes of a file.
    pub(super) fn read(&self, path: &str, bytes: &[u8], mut tensors: Vec<Read<'_>>) -> Result<(), NetError> {
        let foreign = |why: String| NetError::Foreign { path: path.to_owned(), what: self.what, why };
        let damaged = |why: String| NetError::Damaged { path: path.to_owned(), what: self.what, why };
        let file = SafeTensors::deserialize(bytes).map_err(|error| foreign(error.to_string()))?;
        let (_, header) = SafeTensors::read_metadata(bytes).map_err(|error| foreign(error.to_string()))?;
        let metadata = header.metadata().clone().unwrap_or_default();
        if metadata.get("format").map(String::as_str) != Some(self.format) {
            return Err(foreign(format!("its `format` is not `{}`", self.format)));
        }
        if let Some((name, now)) = &self.beside
            && metadata.get(*name) != Some(now)
        {
            return Err(foreign(format!("it was trained beside another bidding {name} than `{now}`")));
        }
        if let Some(inputs) = self.inputs
            && metadata.get("inputs").map(String::as_str) != Some(inputs)
        {
            return Err(foreign(format!("it was trained on other inputs (`inputs` is not `{inputs}`)")));
        }
        for (name, shape, numbers) in &mut tensors {
            let tensor = file.tensor(name).map_err(|error| foreign(error.to_string()))?;
            let shape = if shape[0] == 1 { &shape[1..] } else { &shape[..] };
            if tensor.dtype() != Dtype::F32 || tensor.shape() != shape {
                return Err(foreign(format!("`{name}` is not f32 of the shape {shape:?}")));
            }
            for (number, bytes) in numbers.iter_mut().zip(tensor.data().as_chunks::<4>().0) {
                *number = f32::from_le_bytes(*bytes);
                if !number.is_finite() || number.abs() > MOST {
                    return Err(damaged(format!("`{name}` has the weight {number}")));
                }
            }
        }
        if metadata.get("sum") != Some(&sum(tensors.iter().map(|(_, _, numbers)| &**numbers))) {
            return Err(damaged("its weights do not give the `sum` of its metadata".to_owned()));
        }
        Ok(())
    }

    /// Returns the bytes of a file.
    pub(super) fn bytes(&self, path: &str) -> Result<Vec<u8>, NetError> {
        std::fs::read(path).map_err(|error| self.unreadable(path, &error))
    }

    /// The error of a file that cannot be read.
    pub(crate) fn unreadable(&self, path: &str, why: &dyn Display) -> NetError {
        NetError::Read { path: path.to_owned(), what: self.what, why: why.to_string() }
    }
}

impl<const I: usize, const A: usize, const B: usize, const O: usize> Layers<I, A, B, O> {
    /// The tensors, to be written.
    pub(super) fn written(&self) -> impl Iterator<Item = Written<'_>> {
        names::<I, A, B, O>().into_iter().zip(self.tensors()).map(|((name, shape), of)| (name, shape, of))
    }

    /// The tensors, to be read.
    pub(super) fn read(&mut self) -> impl Iterator<Item = Read<'_>> {
        let names = names::<I, A, B, O>().into_iter();
        names.zip(self.tensors_mut()).map(|((name, shape), of)| (name, shape, of))
    }

    /// Returns a checksum of the weights, which files have among their metadata.
    pub fn sum(&self) -> String {
        sum(self.tensors().into_iter())
    }

    /// Returns the file of a network of a kind; `made` says how it was made.
    pub fn to_bytes(&self, kind: &NetKind, made: &[(&str, String)]) -> Vec<u8> {
        kind.write(made, &self.written().collect::<Vec<_>>())
    }

    /// Reads a network of a kind from the bytes of a file.
    ///
    /// # Errors
    ///
    /// When it is no network of this kind, or its weights are not those that were written.
    pub fn from_bytes(kind: &NetKind, path: &str, bytes: &[u8]) -> Result<Self, NetError> {
        let mut layers = Self::default();
        kind.read(path, bytes, layers.read().collect())?;
        Ok(layers)
    }
}

/// A checksum of the weights.
fn sum<'a>(tensors: impl Iterator<Item = &'a [f32]>) -> String {
    checksum(tensors.flatten().flat_map(|number| number.to_le_bytes()))
}
