//! Tracks the legs in a file of records, to warn of duplicate and missing ones.

use std::collections::BTreeMap;

use coinche_selfplay::base::thousands;
use coinche_selfplay::play::schedule::MAX_DEALS_IN_MATCH;
use coinche_selfplay::records::label::Label;

/// Integers, stored as ranges: start and end.
#[derive(Debug, Default)]
struct Ranges(BTreeMap<u64, u64>);

impl Ranges {
    /// Adds a number; tests if it is new.
    fn insert(&mut self, number: u64) -> bool {
        let before = self.0.range(..=number).next_back().map(|(start, end)| (*start, *end));
        if before.is_some_and(|(_, end)| number < end) {
            return false;
        }
        let start = before.filter(|(_, end)| *end == number).map_or(number, |(start, _)| start);
        let end = self.0.remove(&(number + 1)).unwrap_or(number + 1);
        self.0.insert(start, end);
        true
    }

    fn start(&self) -> Option<u64> {
        self.0.keys().next().copied()
    }

    fn end(&self) -> Option<u64> {
        self.0.values().next_back().copied()
    }

    /// Returns the missing numbers between two numbers.
    fn gaps(&self, from: u64, to: u64) -> Vec<[u64; 2]> {
        let mut gaps = Vec::new();
        let mut next = from;
        for (start, end) in &self.0 {
            if *start > next {
                gaps.push([next, *start]);
            }
            next = *end;
        }
        if next < to {
            gaps.push([next, to]);
        }
        gaps
    }
}

/// The legs seen so far.
#[derive(Debug, Default)]
pub(super) struct Seen {
    /// By pairing and leg, the numbers of the deals, or of the matches whose first deal was seen.
    legs: BTreeMap<(u64, u32), Ranges>,
    /// The same for the deals of matches.
    in_matches: BTreeMap<(u64, u32), Ranges>,
    twice: u64,
    first_twice: Option<String>,
}

impl Seen {
    /// Adds a record.
    pub(super) fn add(&mut self, label: &Label) {
        let key = (label.pairing.unwrap_or(0), label.leg.unwrap_or(0));
        let is_new = match (label.game, label.deal_in_match) {
            (Some(game), Some(deal)) if deal < MAX_DEALS_IN_MATCH && game < u64::MAX / MAX_DEALS_IN_MATCH => {
                if deal == 0 {
                    self.legs.entry(key).or_default().insert(game);
                }
                self.in_matches.entry(key).or_default().insert(game * MAX_DEALS_IN_MATCH + deal)
            }
            _ if label.deal == u64::MAX => true,
            _ => self.legs.entry(key).or_default().insert(label.deal),
        };
        if !is_new {
            self.twice += 1;
            let first = || format!("{} {}, leg {}", label.unit_name(), label.unit(), key.1);
            self.first_twice.get_or_insert_with(first);
        }
    }

    /// Describes duplicate legs.
    pub(super) fn repeated(&self) -> Option<String> {
        let first = self.first_twice.as_ref()?;
        Some(match self.twice {
            1 => format!("warning: {first}: its record is duplicated\n"),
            twice => format!(
                "warning: {} records are there more than once, the first of {first}\n",
                thousands(twice)
            ),
        })
    }

    /// Describes legs missing between the first and the last deal.
    pub(super) fn missing(&self) -> Option<String> {
        let unit = if self.in_matches.is_empty() { "deal" } else { "match" };
        let from = self.legs.values().filter_map(Ranges::start).min()?;
        let to = self.legs.values().filter_map(Ranges::end).max()?;
        let (mut number, mut first) = (0, None);
        for ((_, leg), deals) in &self.legs {
            for [start, end] in deals.gaps(from, to) {
                number += end - start;
                first.get_or_insert_with(|| format!("{unit} {start}, leg {leg}"));
            }
        }
        for ((_, leg), deals) in &self.in_matches {
            // Each match begins at a multiple.
            for start in deals.0.keys().filter(|start| !start.is_multiple_of(MAX_DEALS_IN_MATCH)) {
                number += 1;
                first.get_or_insert_with(|| {
                    let (game, deal) = (start / MAX_DEALS_IN_MATCH, start % MAX_DEALS_IN_MATCH);
                    format!("match {game}, leg {leg}, before deal {deal} of the match")
                });
            }
        }
        let first = first?;
        Some(match number {
            1 => format!("warning: one record is missing: {first}\n"),
            _ => {
                format!("warning: {} records or more are missing, the first of {first}\n", thousands(number))
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(labels: &[(u64, u32)]) -> [Option<String>; 2] {
        let mut seen = Seen::default();
        for (deal, leg) in labels {
            let (game, deal_in_match, pairing) = (None, None, None);
            seen.add(&Label { deal: *deal, leg: Some(*leg), game, deal_in_match, pairing });
        }
        [seen.repeated(), seen.missing()]
    }

    #[test]
    fn legs_in_any_order_are_all_there() {
        assert_eq!(seen(&[(4, 0), (4, 1), (5, 0), (5, 1)]), [None, None]);
        assert_eq!(seen(&[(5, 1), (3, 0), (4, 0), (3, 1), (5, 0), (4, 1)]), [None, None]);
        assert_eq!(seen(&[(0, 0), (1, 0)]), [None, None]);
        assert_eq!(seen(&[]), [None, None]);
    }

    #[test]
    fn what_is_twice_or_missing_is_named() {
        let [twice, missing] = seen(&[(0, 0), (0, 1), (0, 1), (1, 0), (2, 0), (2, 1)]);
        assert_eq!(twice.unwrap(), "warning: deal 0, leg 1: its record is duplicated\n");
        assert_eq!(missing.unwrap(), "warning: one record is missing: deal 1, leg 1\n");
        let [twice, missing] = seen(&[(0, 0), (9, 0), (9, 0), (9, 0)]);
        assert_eq!(
            twice.unwrap(),
            "warning: 2 records are there more than once, the first of deal 9, leg 0\n"
        );
        assert_eq!(missing.unwrap(), "warning: 8 records or more are missing, the first of deal 1, leg 0\n");
    }

    #[test]
    fn deals_of_matches_are_followed() {
        let mut seen = Seen::default();
        let mut add = |game, deal| {
            let deal_of_run = game * MAX_DEALS_IN_MATCH + deal;
            seen.add(&Label {
                deal: deal_of_run,
                leg: Some(0),
                game: Some(game),
                deal_in_match: Some(deal),
                pairing: None,
            });
        };
        for (game, deal) in [(0, 0), (0, 1), (1, 0), (1, 1), (1, 3), (3, 0)] {
            add(game, deal);
        }
        let missing = seen.missing().unwrap();
        assert_eq!(missing, "warning: 2 records or more are missing, the first of match 2, leg 0\n");
    }
}
