//! Recounts the totals of an encounter leg by leg.

use coinche_engine::{BidValue, RuleSet, Stake, Strain, Team};
use coinche_inference::PairedSums;
use coinche_selfplay::play::tally::{Contracts, FAULT_KINDS, Role};
use coinche_selfplay::{Side, SideTally, Tally, Unit};

use super::told::{Ending, Played, Told};

/// The recounted totals of an encounter, and what rows cannot provide.
#[derive(Debug, Clone)]
pub(super) struct Counts {
    pub(super) tally: Tally,
    faults: u64,
    /// Legs forfeited, by side.
    forfeits: [u64; 2],
    /// Whether the input has the kinds of faults.
    pub(super) has_kinds: bool,
    pub(super) has_belotes: bool,
    /// Whether the scores of matches could be followed.
    pub(super) has_matches: bool,
}

/// Returns the side of a team: in leg 0 side A is the even one.
pub(super) const fn side(team: Team, leg: usize) -> usize {
    (team.index() + leg) % 2
}

impl Counts {
    /// Creates empty counts.
    pub(super) fn new(rules: &RuleSet, unit: Unit) -> Self {
        Self {
            tally: Tally::new(rules, unit),
            faults: 0,
            forfeits: [0; 2],
            has_kinds: true,
            has_belotes: true,
            has_matches: true,
        }
    }

    /// Counts a leg of a deal.
    pub(super) fn add(&mut self, told: &Told) {
        self.tally.deals += 1;
        self.faults += told.faults;
        match told.kinds {
            None => self.has_kinds &= told.faults == 0,
            Some(kinds) => {
                for team in Team::ALL {
                    let counts = &mut self.tally.sides[side(team, told.leg)].faults;
                    for (count, more) in counts.iter_mut().zip(kinds[team.index()]) {
                        *count += more;
                    }
                }
            }
        }
        match &told.ending {
            Ending::PassedOut => self.tally.thrown_in += 1,
            Ending::Forfeit(team) => {
                self.tally.forfeited += 1;
                self.forfeits[side(*team, told.leg)] += 1;
            }
            Ending::Played(played) => self.add_played(told, played),
        }
    }

    fn add_played(&mut self, told: &Told, played: &Played) {
        let Played { declarers, made, strain, stake, value, .. } = *played;
        let [own, other] = [declarers, declarers.other()].map(|team| told.score[team]);
        let difference = own.saturating_sub(other);
        let level = value.and_then(|value| self.tally.ladder().index_of(value)).unwrap_or(0);
        let at = side(declarers, told.leg);
        let declaring = &mut self.tally.sides[at];
        declaring.contracts[6 * level + strain.index()].add(made, difference);
        declaring.stakes[stake as usize].add(made, difference);
        match value {
            Some(BidValue::CAPOT) => declaring.capots.add(made, difference),
            Some(BidValue::GENERALE) => declaring.generales.add(made, difference),
            _ => {}
        }
        let count = |role: &mut Role, points: i32| {
            role.legs += 1;
            role.points += i64::from(points);
        };
        count(&mut declaring.declaring, own);
        let defending = &mut self.tally.sides[1 - at];
        count(&mut defending.defending, other);
        if stake != Stake::Plain {
            defending.coinches.add(!made, difference.saturating_neg());
        }
        self.has_belotes &= played.belotes.is_some();
        for team in Team::ALL {
            let tally = &mut self.tally.sides[side(team, told.leg)];
            tally.slams += u64::from(played.tricks[team.index()] == 8);
            tally.meld_points += played.melds[team.index()];
            tally.belotes += played.belotes.map_or(0, |belotes| belotes[team.index()]);
        }
    }

    /// Returns the differences from the saved totals: a name and both numbers.
    pub(super) fn differences(&self, told: &Tally) -> Vec<(String, i128, i128)> {
        let counted = &self.tally;
        let mut found = Vec::new();
        let mut number = |what: &str, told: u64, counted: u64| {
            found.push((what.to_owned(), i128::from(told), i128::from(counted)));
        };
        number("legs", told.deals, counted.deals);
        number("legs passed out", told.thrown_in, counted.thrown_in);
        number("legs forfeited", told.forfeited, counted.forfeited);
        number("faults", told.sides.iter().map(SideTally::all_faults).sum(), self.faults);
        if self.has_matches {
            number("legs of matches without a winner", told.drawn, counted.drawn);
        }
        for side in Side::ALL {
            let at = side.index();
            self.of_side(&format!(" of {side}"), &told.sides[at], at, &mut found);
        }
        if self.has_matches {
            sums("paired points", &told.points, &counted.points, &mut found);
            sums("paired wins", &told.wins, &counted.wins, &mut found);
        }
        found.retain(|(_, told, counted)| told != counted);
        found
    }

    /// Compares all numbers of a side; `of` names it.
    fn of_side(&self, of: &str, told: &SideTally, at: usize, found: &mut Vec<(String, i128, i128)>) {
        let counted = &self.tally.sides[at];
        let mut number = |what: &str, told: i128, counted: i128| {
            found.push((format!("{what}{of}"), told, counted));
        };
        let mut contracts = |what: &str, told: &Contracts, counted: &Contracts| {
            number(what, told.played.into(), counted.played.into());
            number(&format!("{what} made"), told.made.into(), counted.made.into());
            number(&format!("points of {what}"), told.difference.into(), counted.difference.into());
        };
        for (cell, (told, counted)) in told.contracts.iter().zip(&counted.contracts).enumerate() {
            let (level, strain) = (self.tally.ladder().value(cell / 6), Strain::ALL[cell % 6].code());
            let level = level.map_or_else(String::new, |value| value.to_string());
            contracts(&format!("contracts {level}{strain}"), told, counted);
        }
        for (stake, (told, counted)) in told.stakes.iter().zip(&counted.stakes).enumerate() {
            let what = ["plain contracts", "coinched contracts", "surcoinched contracts"][stake];
            contracts(what, told, counted);
        }
        contracts("coinches", &told.coinches, &counted.coinches);
        contracts("capots", &told.capots, &counted.capots);
        contracts("générales", &told.generales, &counted.generales);
        for (what, told, counted) in
            [("declarer", told.declaring, counted.declaring), ("defender", told.defending, counted.defending)]
        {
            number(&format!("legs as {what}"), told.legs.into(), counted.legs.into());
            number(&format!("points as {what}"), told.points.into(), counted.points.into());
        }
        number("slams", told.slams.into(), counted.slams.into());
        number("points of melds", told.meld_points.into(), counted.meld_points.into());
        if self.has_belotes {
            number("belotes", told.belotes.into(), counted.belotes.into());
        }
        if self.has_kinds {
            for (kind, (told, counted)) in told.faults.into_iter().zip(counted.faults).enumerate() {
                number(&format!("faults ({})", FAULT_KINDS[kind].1), told.into(), counted.into());
            }
        }
        number("legs forfeited by faults", told.forfeits().into(), self.forfeits[at].into());
        if self.has_matches {
            number("matches won", told.matches_won.into(), counted.matches_won.into());
        }
    }
}

/// Compares all numbers of paired sums.
fn sums(of: &str, told: &PairedSums, counted: &PairedSums, found: &mut Vec<(String, i128, i128)>) {
    for ((what, told), (_, counted)) in told.numbers().into_iter().zip(counted.numbers()) {
        found.push((format!("{what} of {of}"), told, counted));
    }
}
