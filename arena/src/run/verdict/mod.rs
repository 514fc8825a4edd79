//! The verdict and the tables that a person reads.

mod bots;
mod contracts;
mod crossplay;
mod experiment;
mod verdict;

pub(crate) use bots::bots_table;
pub(crate) use contracts::contracts_table;

use crate::play::schedule::{Encounter, Format, Side};
use crate::run::config::RunConfig;
use crate::run::totals::Totals;

/// The names of the bots of an encounter: their specifications, told apart when they are the same.
fn names(config: &RunConfig, encounter: Encounter) -> [String; 2] {
    let [a, b] = config.pair(encounter).map(ToString::to_string);
    if a == b { [format!("{a} (A)"), format!("{b} (B)")] } else { [a, b] }
}

/// Returns the verdict in words; of more than two bots, who is how far ahead of whom.
pub fn verdict(config: &RunConfig, totals: &Totals) -> String {
    let verdict = match config.format {
        Format::Match => verdict::verdict(config, totals.encounters[0], totals.first()),
        Format::Crossplay => crossplay::verdict(config, totals),
        Format::RoundRobin | Format::Gauntlet => experiment::verdict(config, totals),
    };
    match cheaters_line(&config.cheaters()) {
        Some(line) => format!("{verdict}\n{line}"),
        None => verdict,
    }
}

/// Says of the bots that see all hands that they do, where there are some.
pub(crate) fn cheaters_line(cheaters: &[String]) -> Option<String> {
    match cheaters {
        [] => None,
        [one] => {
            Some(format!("{one} sees all hands: what it reaches is a bound, not the strength of a bot."))
        }
        several => {
            let names = several.join(", ");
            Some(format!("{names} see all hands: what they reach are bounds, not the strength of bots."))
        }
    }
}

/// Returns all that is printed of a run, below its verdict.
pub(crate) fn tables(config: &RunConfig, totals: &Totals) -> String {
    if config.format != Format::Match {
        return experiment::bots_table(config, totals);
    }
    let (encounter, tally) = (totals.encounters[0], totals.first());
    let [a, b] = Side::ALL.map(|side| contracts_table(config, encounter, tally, side));
    format!("{}\n{a}{b}", bots_table(config, encounter, tally))
}
