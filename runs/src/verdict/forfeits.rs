//! The warning on results that are due to faults rather than play.

use coinche_selfplay::base::style::thousands;
use coinche_selfplay::play::tally::{SideTally, Tally};

use super::names;
use crate::config::RunConfig;
use crate::totals::Totals;

/// Tests if more than 1 % of legs were forfeited.
const fn are_many(forfeited: u64, legs: u64) -> bool {
    forfeited > legs / 100 && forfeited.saturating_mul(100) > legs
}

/// Tests if more than 1 % of the legs of two bots were forfeited: the result then does not show which bot is better.
pub const fn is_of_faults(tally: &Tally) -> bool {
    are_many(tally.forfeited, tally.deals)
}

/// Returns how many legs were forfeited and by which bots, if it is more than 1 % in some pairing. `pairings` has the
/// forfeited legs and all legs, `bots` the name and the number of forfeits.
#[expect(clippy::cast_precision_loss, reason = "a share for people")]
pub fn forfeits_note(pairings: &[[u64; 2]], bots: &[(String, u64)]) -> Option<String> {
    if !pairings.iter().any(|[forfeited, legs]| are_many(*forfeited, *legs)) {
        return None;
    }
    let sum = |n: usize| pairings.iter().map(|pairing| pairing[n]).sum::<u64>();
    let share = 100.0 * sum(0) as f64 / sum(1).max(1) as f64;
    let bots = bots.iter().filter(|(_, forfeited)| *forfeited > 0);
    let by: Vec<_> = bots.map(|(name, forfeited)| format!("{name} {}", thousands(*forfeited))).collect();
    let by = if by.is_empty() { String::new() } else { format!(" ({})", by.join(", ")) };
    Some(format!("{share:.1} % of the legs were forfeited{by}, not played"))
}

/// Returns the note for one encounter.
pub fn of_encounter(config: &RunConfig, totals: &Totals) -> Option<String> {
    let tally = totals.first();
    let bots = names(config, totals.encounters[0]).into_iter().zip(&tally.sides);
    let bots: Vec<_> = bots.map(|(name, side)| (name, side.forfeits())).collect();
    forfeits_note(&[[tally.forfeited, tally.deals]], &bots)
}

/// Returns the note for all encounters.
pub(super) fn of_all(config: &RunConfig, totals: &Totals) -> Option<String> {
    let pairings: Vec<_> = totals.tallies.iter().map(|tally| [tally.forfeited, tally.deals]).collect();
    let of_bot = |bot: usize| totals.of_bot(bot).as_ref().map_or(0, SideTally::forfeits);
    let bots = config.bots.iter().enumerate().map(|(bot, spec)| (spec.to_string(), of_bot(bot)));
    forfeits_note(&pairings, &bots.collect::<Vec<_>>())
}

/// Puts the note before a verdict, if there is one.
pub fn headline(note: Option<&String>, verdict: String) -> String {
    match note {
        Some(note) => format!("{note}: {verdict}"),
        None => verdict,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_than_one_percent_is_told() {
        let bots = [("a".to_owned(), 0), ("b".to_owned(), 1234)];
        let note = |pairings: &[[u64; 2]]| forfeits_note(pairings, &bots);
        assert_eq!(note(&[[0, 0], [0, 5], [1, 100], [10, 1000]]), None);
        let told = "1.1 % of the legs were forfeited (b 1,234), not played";
        assert_eq!(note(&[[11, 1000]]).as_deref(), Some(told));
        // One pairing among many is enough.
        let told = "0.2 % of the legs were forfeited (b 1,234), not played";
        assert_eq!(note(&[[2, 100], [0, 900]]).as_deref(), Some(told));
        assert_eq!(headline(None, "a beats b".to_owned()), "a beats b");
        assert_eq!(headline(Some(&"note".to_owned()), "a beats b".to_owned()), "note: a beats b");
    }
}
