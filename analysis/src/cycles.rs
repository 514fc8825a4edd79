//! Cycles among bots that met in pairs.

use coinche_inference::{Pairing, intransitive_triples};
use coinche_selfplay::percent;

/// The most cycles that are listed.
const SHOWN: usize = 10;

/// Returns the sentence on three bots that beat each other in a circle, which one rating cannot express.
///
/// The level is 95 %, divided among the pairings (Bonferroni), so that a cycle is not an artefact of many comparisons.
pub(crate) fn cycles(bots: usize, pairings: &[Pairing], name: impl Fn(usize) -> String) -> String {
    let level = 1.0 - 0.05 / f64::from(u32::try_from(pairings.len().max(1)).unwrap_or(u32::MAX));
    let triples = intransitive_triples(bots, pairings, level);
    if triples.is_empty() {
        return format!(
            "No cycles: there are no three bots A, B, C where A beats B, B beats C and C beats A, each at the {} level.",
            percent(level)
        );
    }
    let names = triples.iter().take(SHOWN).map(|triple| {
        let [a, b, c] = triple.map(&name);
        format!("{a} beats {b}, {b} beats {c}, {c} beats {a}")
    });
    let names: Vec<_> = names.collect();
    let more =
        if triples.len() > SHOWN { format!("; and {} more", triples.len() - SHOWN) } else { String::new() };
    format!("Cycles, which no single rating can express: {}{more}.", names.join("; "))
}
