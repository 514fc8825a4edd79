//! Environments and their arrays, cut into pieces that threads share.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use crate::environments::{self, Environment, Refused, Setting};
use crate::threads::Helpers;

/// Cuts environments into pieces for so many threads, large at both ends, where threads begin, and small in the middle, where they
/// meet: there the others wait for the one that takes the last.
fn pieces(environments: usize, threads: usize) -> Vec<usize> {
    let least = environments.div_ceil(64 * threads).max(1);
    let mut ends = Vec::new();
    let mut left = environments / 2;
    while left > 0 {
        let size = left.div_ceil(threads).max(least).min(left);
        ends.push(size);
        left -= size;
    }
    let middle = (environments % 2 == 1).then_some(1);
    ends.iter().copied().chain(middle).chain(ends.iter().rev().copied()).collect()
}

/// Environments in pieces, with the number of the first and what `rows` cuts off for each piece.
pub(crate) fn parts<R>(
    mut environments: &mut [Environment],
    mut rows: impl FnMut(usize) -> R,
    threads: usize,
) -> Vec<(usize, &mut [Environment], R)> {
    let sizes = pieces(environments.len(), threads);
    let mut first = 0;
    let part = |size| {
        let part = environments.split_off_mut(..size).unwrap_or_default();
        first += size;
        (first - size, part, rows(size))
    };
    sizes.into_iter().map(part).collect()
}

/// Finds the first action that cannot be taken.
pub(crate) fn check(
    setting: &Setting,
    environments: &mut [Environment],
    mut actions: &[i32],
    helpers: Option<&Helpers>,
) -> Option<Refused> {
    let Some(helpers) = helpers else { return environments::check(setting, environments, actions) };
    let rows = |size| actions.split_off(..size).unwrap_or_default();
    let parts = parts(environments, rows, helpers.threads());
    let found = Mutex::new(None::<Refused>);
    helpers.share(parts, Duration::ZERO, |(number, environments, actions)| {
        if let Some((row, why)) = environments::check(setting, environments, actions) {
            let env = number + row;
            let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
            if found.as_ref().is_none_or(|(first, _)| env < *first) {
                *found = Some((env, why));
            }
        }
    });
    found.into_inner().unwrap_or_else(PoisonError::into_inner)
}
