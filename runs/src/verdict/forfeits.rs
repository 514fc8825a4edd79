//! The warning on results that are due to faults rather than play.

use coinche_selfplay::{SideTally, Tally, thousands};

use super::names;
use crate::config::RunConfig;
use crate::totals::Totals;

/// Tests if more than so many per cent of legs were forfeited.
const fn are_over(percent: u64, forfeited: u64, legs: u64) -> bool {
    forfeited.saturating_mul(100) > legs.saturating_mul(percent)
}

/// Tests if more than 1 % of the legs of two bots were forfeited: the result then does not show which bot is better.
pub const fn is_of_faults(tally: &Tally) -> bool {
    are_over(1, tally.forfeited, tally.deals)
}

/// How many legs were forfeited and by which bots, if it is more than 1 % in some pairing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Forfeits {
    note: String,
    /// Whether it is more than 5 % in some pairing: the result is no verdict.
    pub is_void: bool,
}

impl Forfeits {
    /// Returns what is to be said, if anything: `pairings` has the forfeited legs and all legs, `bots` the name and the
    /// number of forfeits.
    pub fn of(pairings: &[[u64; 2]], bots: &[(String, u64)]) -> Option<Self> {
        let is_over = |percent| pairings.iter().any(|[forfeited, legs]| are_over(percent, *forfeited, *legs));
        if !is_over(1) {
            return None;
        }
        let sum = |n: usize| pairings.iter().map(|pairing| pairing[n]).sum::<u64>();
        let share = 100.0 * sum(0) as f64 / sum(1).max(1) as f64;
        let bots = bots.iter().filter(|(_, forfeited)| *forfeited > 0);
        let by: Vec<_> = bots.map(|(name, forfeited)| format!("{name} {}", thousands(*forfeited))).collect();
        let by = if by.is_empty() { String::new() } else { format!(" ({})", by.join(", ")) };
        let note = format!("{share:.1} % of the legs were forfeited{by}, not played");
        Some(Self { note, is_void: is_over(5) })
    }
}

/// Returns the note for one encounter.
pub(super) fn of_encounter(config: &RunConfig, totals: &Totals) -> Option<Forfeits> {
    let tally = totals.first();
    let bots = names(config, totals.encounters[0]).into_iter().zip(&tally.sides);
    let bots: Vec<_> = bots.map(|(name, side)| (name, side.forfeits())).collect();
    Forfeits::of(&[[tally.forfeited, tally.deals]], &bots)
}

/// Returns the note for all encounters.
pub(super) fn of_all(config: &RunConfig, totals: &Totals) -> Option<Forfeits> {
    let pairings: Vec<_> = totals.tallies.iter().map(|tally| [tally.forfeited, tally.deals]).collect();
    let of_bot = |bot: usize| totals.of_bot(bot).as_ref().map_or(0, SideTally::forfeits);
    let bots = config.bots.iter().enumerate().map(|(bot, spec)| (spec.to_string(), of_bot(bot)));
    Forfeits::of(&pairings, &bots.collect::<Vec<_>>())
}

/// Puts the note before a verdict, if there is one, or in its place, if it is none.
pub fn headline(forfeits: Option<&Forfeits>, verdict: String) -> String {
    match forfeits {
        Some(Forfeits { note, is_void: true }) => format!("undecided: {note}"),
        Some(Forfeits { note, is_void: false }) => format!("{note}: {verdict}"),
        None => verdict,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_than_one_percent_is_told() {
        let bots = [("a".to_owned(), 0), ("b".to_owned(), 1234)];
        let found = |pairings: &[[u64; 2]]| Forfeits::of(pairings, &bots);
        let told = |pairings: &[[u64; 2]]| headline(found(pairings).as_ref(), "a beats b".to_owned());
        assert_eq!(found(&[[0, 0], [0, 5], [1, 100], [10, 1000]]), None);
        assert_eq!(told(&[[1, 100]]), "a beats b");
        let few = "1.1 % of the legs were forfeited (b 1,234), not played: a beats b";
        assert_eq!(told(&[[11, 1000]]), few);
        // One pairing among many is enough.
        let few = "0.2 % of the legs were forfeited (b 1,234), not played: a beats b";
        assert_eq!(told(&[[2, 100], [0, 900]]), few);
        assert_eq!(told(&[[50, 1000]]), "5.0 % of the legs were forfeited (b 1,234), not played: a beats b");
        assert_eq!(told(&[[51, 1000]]), "undecided: 5.1 % of the legs were forfeited (b 1,234), not played");
    }
}
