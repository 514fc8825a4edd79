//! Learns from rows that were written.

use std::sync::Arc;

use coinche_bots::net::cards::CardNetwork;
use coinche_engine::{Purpose, Secrets, Seed};
use rayon::ThreadPool;

use super::dataset::Loaded;
use super::{Off, PACE, random};
use crate::train::descent::{self, Pace};

/// How it is learnt.
#[derive(Debug)]
pub struct Fit {
    /// The seed.
    pub seed: Seed,
    /// How often each row is looked at.
    pub passes: usize,
    /// The network to start from; without it the weights are random.
    pub from: Option<Arc<CardNetwork>>,
}

/// What was learnt in a pass over the rows.
#[derive(Debug, Clone, Copy)]
pub struct Pass {
    /// How far the network was off while it learned.
    pub learning: Off,
    /// How far it is off after that in deals that are held out, where there are any.
    pub held_out: Option<Off>,
}

/// Trains a network; `after` is given that of each pass.
///
/// One pass over the rows of a seed gives the weights that [`super::train`] has after one round of it.
pub fn fit<E>(
    fit: &Fit,
    rows: &Loaded,
    pool: &ThreadPool,
    mut after: impl FnMut(Pass, &CardNetwork) -> Result<(), E>,
) -> Result<(), E> {
    let secrets = Secrets::from(&fit.seed);
    let mut layers = fit.from.as_ref().map_or_else(|| random(secrets), |network| network.layers().clone());
    if fit.from.is_none() {
        descent::centre(&mut layers, &rows.learnt);
    }
    let pace = Pace { times: fit.passes, ..PACE };
    let key = secrets.key(Purpose::Experiment, 0, 1);
    descent::passes(&mut layers, &rows.learnt, pace, key, pool, |_, loss, layers| {
        let is_any = rows.held_out.iter().any(|rows| !rows.choices.is_empty());
        let held_out = is_any.then(|| Off::of(descent::losses(layers, &rows.held_out, pool)));
        let network = CardNetwork::new(layers.clone());
        after(Pass { learning: Off::of(loss), held_out }, &network)
    })?;
    Ok(())
}
