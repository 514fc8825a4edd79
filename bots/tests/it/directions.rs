//! A parameter does what its name says: over its range, against `rules`, what it asks for happens more often, or less often.

use coinche_bots::Registry;
use coinche_engine::{BidValue, Call, Deal, DealState, Deck, Key, RuleSet, Seat, Strain, Team, Turn};

use crate::common::size;

/// What is counted of a side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum What {
    /// Contracts that it declares.
    Declared,
    /// Bids higher than the lowest that is legal, and bids in a strain that the partner named.
    Jumps,
    Raises,
    Slams,
    Coinches,
    Surcoinches,
    Passes,
}

/// A bidder, its parameter with values from low to high, the rules, what is counted, and whether that grows.
type Direction = (&'static str, &'static str, &'static [&'static str], &'static str, What, bool);

const DIRECTIONS: &[Direction] = &[
    ("rules", "caution", &["-50", "-12", "0", "12", "25", "50"], "bga", What::Declared, false),
    ("rules", "caution", &["-12", "0", "12", "25"], "coinche", What::Declared, false),
    ("rules", "jump", &["-20", "0", "20", "100"], "contree", What::Jumps, false),
    ("rules", "raise", &["-50", "-15", "0", "15", "50"], "contree", What::Raises, false),
    ("rules", "overbid", &["0", "80", "300", "2000"], "contree", What::Declared, false),
    ("rules", "coinche", &["-100", "-20", "0", "20", "100"], "bga", What::Coinches, false),
    ("rules", "surcoinche", &["-100", "0", "40", "200"], "bga", What::Surcoinches, false),
    ("rules", "capot", &["0", "2", "20", "80"], "bga", What::Slams, true),
    ("rules", "melds", &["0", "50", "100"], "coinche-melds", What::Declared, true),
    ("rules", "take", &["50", "104", "130", "200"], "belote", What::Declared, false),
    ("rules", "take", &["50", "90", "110", "200"], "belot", What::Declared, false),
    ("net", "coinche", &["0", "40", "1000"], "bga", What::Coinches, false),
    ("random", "pass", &["0", "0.5", "0.9", "1"], "bga", What::Passes, true),
];

/// Parameters that name files and models, or say how much a search looks at: they have no direction of their own.
const OTHERS: &[&str] = &[
    "file",
    "style",
    "name",
    "worlds",
    "iterations",
    "exploration",
    "time",
    "read",
    "model",
    "partner",
    "population",
    "pool",
    "bids",
];

/// Counts what a bidder does against `rules`, at either side.
fn count(bidder: &str, rules: &RuleSet, what: What, deals: u64) -> u64 {
    let registry = Registry::builtin();
    let mut bots =
        [bidder, "rules"].map(|bot| registry.parse(&format!("{bot}+rules")).unwrap().build().bidder);
    let mut counted = 0;
    for index in 0..deals {
        let own = if index % 2 == 0 { Team::Even } else { Team::Odd };
        let dealer = Seat::from_index(usize::try_from(index / 2 % 4).unwrap());
        let mut state = DealState::new(rules, &Deal::new(&rules.deal, Deck::shuffled(31, index), dealer));
        for bot in &mut bots {
            bot.start();
        }
        let mut named: Vec<(Seat, Strain)> = Vec::new();
        while let Turn::Call(seat) = state.turn() {
            let (view, legal) = (state.view(seat), state.legal_calls());
            let key = Key::decisions(31, index, seat).and(state.auction().calls().len() as u64);
            let is_own = seat.team() == own;
            let call = bots[usize::from(!is_own)].call(&view, &legal, key);
            if is_own {
                counted += u64::from(match (what, call) {
                    (What::Jumps, Call::Bid(bid)) => {
                        bid.value < BidValue::CAPOT && legal.lowest_value() != Some(bid.value)
                    }
                    (What::Raises, Call::Bid(bid)) => named.contains(&(seat.partner(), bid.strain)),
                    (What::Slams, Call::Bid(bid)) => bid.value >= BidValue::CAPOT,
                    (What::Coinches, Call::Coinche) | (What::Surcoinches, Call::Surcoinche) => true,
                    (What::Passes, call) => call.is_pass(),
                    _ => false,
                });
            }
            if let Call::Bid(bid) = call {
                named.push((seat, bid.strain));
            }
            state.call(call).unwrap();
        }
        let declares = state.contract().is_some_and(|contract| contract.declarer.team() == own);
        counted += u64::from(what == What::Declared && declares);
    }
    counted
}

#[test]
fn a_parameter_does_what_its_name_says() {
    for (bot, param, values, rules, what, grows) in DIRECTIONS {
        let rules = RuleSet::preset(rules).unwrap();
        // Slams and surcoinches are rare.
        let rare = matches!(what, What::Slams | What::Surcoinches);
        let deals = size(if rare { 12_000 } else { 3_000 }, 60_000);
        let counts: Vec<u64> = values
            .iter()
            .map(|value| count(&format!("{bot}:{param}={value}"), &rules, *what, deals))
            .collect();
        let in_order = |a: u64, b: u64| if *grows { a <= b } else { a >= b };
        let [first, last] = [counts[0], counts[counts.len() - 1]];
        assert!(
            counts.windows(2).all(|pair| in_order(pair[0], pair[1])) && first.abs_diff(last) > 20,
            "{bot}:{param}={values:?}: {what:?} {counts:?}"
        );
    }
}

#[test]
fn every_parameter_of_a_bidder_is_checked_or_has_no_direction() {
    for bot in Registry::builtin().bots() {
        for param in bot.bidder_params() {
            let checked = DIRECTIONS.iter().any(|it| (it.0, it.1) == (bot.name(), param.name));
            assert!(checked != OTHERS.contains(&param.name), "{}:{}", bot.name(), param.name);
        }
    }
}
