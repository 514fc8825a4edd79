//! Tracks the legs in a file of records, to warn of duplicate and missing ones, and of those out of order.

use std::collections::BTreeMap;
use std::path::Path;

use super::label::Label;
use crate::base::files::is_of_data;
use crate::base::output::tell;
use crate::base::style::thousands;
use crate::play::schedule::MAX_DEALS_IN_MATCH;

/// Integers, stored as ranges: start and end.
#[derive(Debug, Clone, Default)]
struct Ranges(BTreeMap<u64, u64>);

impl Ranges {
    /// Adds the numbers from `start` to `end` (exclusive); returns those that were there: the first, and how many.
    fn insert(&mut self, start: u64, end: u64) -> Option<(u64, u64)> {
        let (mut from, mut to, mut there) = (start, end, None);
        while let Some((own, own_end)) = self.0.range(..=to).next_back().map(|(own, end)| (*own, *end)) {
            if own_end < from {
                break;
            }
            self.0.remove(&own);
            let (first, last) = (own.max(start), own_end.min(end));
            if first < last {
                let more = there.map_or(0, |(_, number)| number);
                there = Some((first, more + last - first));
            }
            (from, to) = (from.min(own), to.max(own_end));
        }
        self.0.insert(from, to);
        there
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

/// The legs seen so far of a file.
#[derive(Debug, Clone, Default)]
pub struct Seen {
    /// By pairing and leg, the numbers of the deals, or of the matches whose first deal was seen.
    legs: BTreeMap<(u64, u32), Ranges>,
    /// The same for the deals of matches.
    in_matches: BTreeMap<(u64, u32), Ranges>,
    /// How many are there more than once; the unit and leg of the first of them, and whether it is a match.
    twice: u64,
    first_twice: Option<(u64, u32, bool)>,
    /// The place of the last leg in the order of a run, and the units of the first that is before it.
    last: Option<[u64; 4]>,
    disordered: Option<[u64; 2]>,
}

impl Seen {
    /// Adds a record.
    pub fn add(&mut self, label: &Label) {
        let key = (label.pairing.unwrap_or(0), label.leg.unwrap_or(0));
        let there = match (label.game, label.deal_in_match) {
            (Some(game), Some(deal)) if deal < MAX_DEALS_IN_MATCH && game < u64::MAX / MAX_DEALS_IN_MATCH => {
                if deal == 0 {
                    self.legs.entry(key).or_default().insert(game, game + 1);
                }
                let number = game * MAX_DEALS_IN_MATCH + deal;
                self.in_matches.entry(key).or_default().insert(number, number + 1)
            }
            _ if label.deal == u64::MAX => None,
            _ => self.legs.entry(key).or_default().insert(label.deal, label.deal + 1),
        };
        if there.is_some() {
            self.add_twice(1, (label.unit(), key.1, label.game.is_some()));
        }
        let place = [label.unit(), key.0, key.1.into(), label.deal_in_match.unwrap_or(0)];
        if let Some(last) = self.last.replace(place).filter(|last| place < *last) {
            self.disordered.get_or_insert([place[0], last[0]]);
        }
    }

    fn add_twice(&mut self, number: u64, first: (u64, u32, bool)) {
        self.twice += number;
        self.first_twice = Some(self.first_twice.map_or(first, |before| before.min(first)));
    }

    /// Adds what was seen of other parts of the file, each of them in order.
    pub fn merge(&mut self, other: &Self) {
        for (own, others, size) in
            [(&mut self.legs, &other.legs, 1), (&mut self.in_matches, &other.in_matches, MAX_DEALS_IN_MATCH)]
        {
            for (key, ranges) in others {
                for (start, end) in &ranges.0 {
                    let there = own.entry(*key).or_default().insert(*start, *end);
                    // The first deals of matches are in both.
                    if let Some((first, number)) = there.filter(|_| size > 1 || other.in_matches.is_empty()) {
                        self.twice += number;
                        let first = (first / size, key.1, size > 1);
                        self.first_twice = Some(self.first_twice.map_or(first, |before| before.min(first)));
                    }
                }
            }
        }
        other.first_twice.into_iter().for_each(|first| self.add_twice(other.twice, first));
        self.disordered = self.disordered.or(other.disordered);
    }

    /// Warns on stderr of what is wrong with a file, unless checksums vouch for it.
    pub fn warn(&self, path: &Path) {
        if !is_of_data(path) {
            for warning in self.warnings(true) {
                tell(&format!("{}: {}", path.display(), warning.trim_end()));
            }
        }
    }

    /// Returns lines on what is twice, out of order or, if the file should be whole, missing.
    pub fn warnings(&self, is_whole: bool) -> Vec<String> {
        let missing = self.missing().filter(|_| is_whole);
        self.repeated().into_iter().chain(self.out_of_order()).chain(missing).collect()
    }

    /// Describes the first leg that is not where a run has it.
    fn out_of_order(&self) -> Option<String> {
        let [unit, before] = self.disordered?;
        let name = if self.in_matches.is_empty() { "deal" } else { "match" };
        Some(if unit == before {
            format!("warning: the records of {name} {unit} are not in the order of a run\n")
        } else {
            format!("warning: {name} {unit} comes after {name} {before}: a run has them in order\n")
        })
    }

    /// Describes duplicate legs.
    fn repeated(&self) -> Option<String> {
        let (unit, leg, is_match) = self.first_twice?;
        let first = format!("{} {unit}, leg {leg}", if is_match { "match" } else { "deal" });
        Some(match self.twice {
            1 => format!("warning: {first}: its record is duplicated\n"),
            twice => format!(
                "warning: {} records are there more than once, the first of {first}\n",
                thousands(twice)
            ),
        })
    }

    /// Describes legs missing between the first and the last deal.
    fn missing(&self) -> Option<String> {
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

    fn of(legs: &[(u64, u32)]) -> Seen {
        let mut seen = Seen::default();
        for (deal, leg) in legs {
            let (game, deal_in_match, pairing) = (None, None, None);
            seen.add(&Label { deal: *deal, leg: Some(*leg), game, deal_in_match, pairing });
        }
        seen
    }

    fn seen(legs: &[(u64, u32)]) -> [Option<String>; 2] {
        let seen = of(legs);
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
    fn parts_in_any_order_say_what_the_whole_says() {
        let legs: Vec<_> = [(0, 0), (0, 1), (1, 0), (1, 0), (1, 1), (3, 0), (3, 1), (5, 1), (5, 1)].to_vec();
        let whole = of(&legs).warnings(true);
        assert_eq!(whole.len(), 2, "{whole:?}");
        for cut in 0..legs.len() {
            let mut parts = of(&legs[cut..]);
            parts.merge(&of(&legs[..cut]));
            assert_eq!(parts.warnings(true), whole, "{cut}");
        }
        let order = |legs: &[(u64, u32)]| of(legs).out_of_order();
        assert_eq!(order(&legs), None);
        assert!(order(&[(0, 0), (2, 0), (1, 0)]).unwrap().contains("deal 1 comes after deal 2"));
        assert!(order(&[(0, 1), (0, 0)]).unwrap().contains("the records of deal 0"));
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
