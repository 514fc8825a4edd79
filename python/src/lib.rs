//! The native part of the Python package `coinche`: thin classes over the engine and its bots.
//!
//! Shapes, types and errors are documented where Python users see them: in the docstrings here and the stubs in
//! `coinche/_coinche.pyi`. Nothing here decides a rule.

mod actions;
mod beliefs;
mod bot;
mod describe;
mod environments;
mod errors;
mod keys;
mod label;
mod network;
mod parts;
mod rollout;
mod rules;
mod seen;
mod sizes;
mod solve;
mod state;
mod threads;
mod vec_env;

use pyo3::prelude::*;

#[pymodule]
fn _coinche(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<rules::Rules>()?;
    module.add_class::<actions::Actions>()?;
    module.add_class::<state::State>()?;
    module.add_class::<vec_env::VecEnv>()?;
    module.add_class::<bot::Bot>()?;
    module.add_function(wrap_pyfunction!(rules::presets, module)?)?;
    module.add_function(wrap_pyfunction!(bot::bots, module)?)?;
    module.add_function(wrap_pyfunction!(actions::features, module)?)?;
    module.add_function(wrap_pyfunction!(solve::solve, module)?)?;
    module.add_function(wrap_pyfunction!(solve::values, module)?)?;
    module.add_function(wrap_pyfunction!(keys::decision_key, module)?)?;
    module.add_function(wrap_pyfunction!(rollout::rollout, module)?)?;
    module.add_function(wrap_pyfunction!(seen::seen, module)?)?;
    module.add_function(wrap_pyfunction!(beliefs::worlds, module)?)?;
    module.add_function(wrap_pyfunction!(beliefs::states_of, module)?)?;
    module.add_function(wrap_pyfunction!(beliefs::likelihoods, module)?)?;
    module.add_function(wrap_pyfunction!(seen::views, module)?)?;
    module.add_function(wrap_pyfunction!(label::deals, module)?)?;
    module.add_function(wrap_pyfunction!(label::label, module)?)?;
    module.add_function(wrap_pyfunction!(label::par, module)?)?;
    module.add_function(wrap_pyfunction!(network::card_network, module)?)?;
    module.add_function(wrap_pyfunction!(network::card_inputs, module)?)?;
    module.add_function(wrap_pyfunction!(network::card_outputs, module)?)?;
    module.add_function(wrap_pyfunction!(network::read_card_network, module)?)?;
    module.add_function(wrap_pyfunction!(network::card_network_bytes, module)?)?;
    module.add_function(wrap_pyfunction!(network::card_layers_bytes, module)?)?;
    module.add_function(wrap_pyfunction!(state::record_states, module)?)?;
    module.add("OBSERVATION_BITS", coinche_engine::encoding::Encoder::BITS)?;
    module.add("OBSERVATION_BYTES", coinche_engine::encoding::Encoder::BITS / 8)?;
    module.add("OBSERVATION_VERSION", coinche_engine::encoding::Encoder::VERSION)?;
    module.add("ACTIONS_VERSION", coinche_engine::encoding::ActionSpace::VERSION)?;
    Ok(())
}
