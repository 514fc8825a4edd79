//! The network of the card player: its inputs in a position, its outputs, its file. See `coinche.train`.

use coinche_bots::net::cards::{
    CardInput, CardLayers, CardNetwork, DeepNetwork, FINGERPRINT, HIDDEN, INPUTS, NUMBERS, OUTPUTS, encode,
};
use coinche_engine::Turn;
use numpy::{
    PyArray1, PyArray2, PyArrayDyn, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2, PyReadonlyArrayDyn,
    PyUntypedArrayMethods,
};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors::{guarded, value_error};
use crate::sizes::List;
use crate::solve::array;
use crate::state::State;

/// The names of the tensors, with their shapes.
const TENSORS: [(&str, &[usize]); 6] = [
    ("first.weight", &[INPUTS, HIDDEN[0]]),
    ("first.bias", &[HIDDEN[0]]),
    ("second.weight", &[HIDDEN[0], HIDDEN[1]]),
    ("second.bias", &[HIDDEN[1]]),
    ("third.weight", &[OUTPUTS, HIDDEN[1]]),
    ("third.bias", &[OUTPUTS]),
];

/// Reads a network; without a path the one that comes with the package.
fn read(path: Option<&str>) -> PyResult<std::sync::Arc<CardNetwork>> {
    match path {
        None => Ok(CardNetwork::built_in()),
        Some(path) => CardNetwork::read(path).map(Into::into).map_err(value_error),
    }
}

/// Fingerprint and number of the inputs, sizes of both hidden layers, number of outputs.
#[pyfunction]
#[pyo3(name = "_card_network")]
pub(crate) fn card_network() -> (&'static str, usize, [usize; 2], usize) {
    (FINGERPRINT, INPUTS, HIDDEN, OUTPUTS)
}

/// Those that are one, where those of each state begin and end, and the numbers.
type InputArrays = (Py<PyArray1<u16>>, Py<PyArray1<i64>>, Py<PyArray2<f32>>);

/// The inputs of each state; see `coinche.train.inputs`.
#[pyfunction]
#[pyo3(name = "_card_inputs")]
pub(crate) fn card_inputs(py: Python<'_>, states: List<PyRef<'_, State>>) -> PyResult<InputArrays> {
    let (states, mut input) = (states.0, CardInput::default());
    let (mut ones, mut offsets, mut numbers) = (Vec::new(), vec![0], Vec::new());
    for (index, state) in states.iter().enumerate() {
        encoded(index, state, &mut input)?;
        ones.extend(&input.ones);
        offsets.push(i64::try_from(ones.len()).map_err(value_error)?);
        numbers.extend(input.numbers);
    }
    let numbers = array(py, (states.len(), NUMBERS), numbers)?;
    Ok((PyArray1::from_vec(py, ones).unbind(), PyArray1::from_vec(py, offsets).unbind(), numbers))
}

/// What a network says of each state; see `coinche.train.outputs`.
#[pyfunction]
#[pyo3(name = "_card_outputs")]
pub(crate) fn card_outputs(
    py: Python<'_>,
    states: List<PyRef<'_, State>>,
    path: Option<&str>,
) -> PyResult<Py<PyArray2<f32>>> {
    let (states, network) = (states.0, read(path)?);
    let mut input = CardInput::default();
    let mut outputs = Vec::with_capacity(OUTPUTS * states.len());
    for (index, state) in states.iter().enumerate() {
        encoded(index, state, &mut input)?;
        outputs.extend(network.outputs(&input));
    }
    array(py, (states.len(), OUTPUTS), outputs)
}

/// Writes the inputs of a state in which a card is to be played.
fn encoded(index: usize, state: &State, input: &mut CardInput) -> PyResult<()> {
    let Turn::Play(seat) = state.state.turn() else {
        return Err(value_error(format!("states[{index}]: no card is to be played")));
    };
    guarded("the encoder", || encode(&state.state.view(seat), input))?;
    Ok(())
}

/// The tensors of a network; see `coinche.train.read`.
#[pyfunction]
#[pyo3(name = "_read_card_network")]
pub(crate) fn read_card_network<'py>(py: Python<'py>, path: Option<&str>) -> PyResult<Bound<'py, PyDict>> {
    let network = read(path)?;
    let tensors = PyDict::new(py);
    for ((name, shape), numbers) in TENSORS.into_iter().zip(network.layers().tensors()) {
        let array: Bound<'_, PyArrayDyn<f32>> = PyArray1::from_slice(py, numbers).reshape(shape.to_vec())?;
        tensors.set_item(name, array)?;
    }
    Ok(tensors)
}

/// The file of a network with these tensors; see `coinche.train.write`.
#[pyfunction]
#[pyo3(name = "_card_network_bytes")]
pub(crate) fn card_network_bytes(
    py: Python<'_>,
    tensors: Bound<'_, PyDict>,
    made: Vec<(String, String)>,
) -> PyResult<Py<pyo3::types::PyBytes>> {
    let mut layers = CardLayers::default();
    for ((name, shape), numbers) in TENSORS.into_iter().zip(layers.tensors_mut()) {
        let Some(tensor) = tensors.get_item(name)? else {
            return Err(value_error(format!("there is no tensor `{name}`")));
        };
        let wrong = || value_error(format!("`{name}` is not a float32 array of the shape {shape:?}"));
        let tensor: PyReadonlyArrayDyn<'_, f32> = tensor.extract().map_err(|_| wrong())?;
        let tensor = tensor.as_array();
        if tensor.shape() != shape {
            return Err(wrong());
        }
        for (to, from) in numbers.iter_mut().zip(tensor.iter()) {
            *to = *from;
        }
    }
    let bytes = layers.to_bytes(&CardNetwork::KIND, &own(&made)?);
    CardNetwork::from_bytes("this network", &bytes).map_err(value_error)?;
    Ok(pyo3::types::PyBytes::new(py, &bytes).unbind())
}

/// How a network was made, without what is written by itself.
fn own(made: &[(String, String)]) -> PyResult<Vec<(&str, String)>> {
    let own = ["format", "sum", "inputs"];
    match made.iter().find(|(key, _)| own.contains(&key.as_str())) {
        Some((key, _)) => Err(value_error(format!("made: `{key}` is written by itself"))),
        None => Ok(made.iter().map(|(key, value)| (key.as_str(), value.clone())).collect()),
    }
}

/// Weights by input, and biases.
type LayerArrays<'py> = (PyReadonlyArray2<'py, f32>, PyReadonlyArray1<'py, f32>);

/// The file of a network of these layers; see `coinche.train.write_layers`.
#[pyfunction]
#[pyo3(name = "_card_layers_bytes")]
pub(crate) fn card_layers_bytes(
    py: Python<'_>,
    layers: Vec<LayerArrays<'_>>,
    made: Vec<(String, String)>,
) -> PyResult<Py<pyo3::types::PyBytes>> {
    let mut given = Vec::with_capacity(layers.len());
    for (at, (weights, bias)) in layers.iter().enumerate() {
        let (Ok(numbers), Ok(biases)) = (weights.as_slice(), bias.as_slice()) else {
            return Err(value_error(format!("layers[{at}]: expected arrays in C order")));
        };
        let [inputs, units] = [weights.shape()[0], weights.shape()[1]];
        if biases.len() != units || units == 0 {
            return Err(value_error(format!(
                "layers[{at}]: {inputs} × {units} weights and {} biases",
                biases.len()
            )));
        }
        given.push((numbers, biases));
    }
    let bytes = DeepNetwork::to_bytes(&given, &own(&made)?);
    DeepNetwork::from_bytes("this network", &bytes).map_err(value_error)?;
    Ok(pyo3::types::PyBytes::new(py, &bytes).unbind())
}
