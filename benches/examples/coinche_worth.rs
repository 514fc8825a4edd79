//! What coinches are worth, each compared with a pass at the same moment of the same deal, by the contract that is doubled and by
//! what the bidder expects.
//!
//! `cargo run --release -p coinche-benches --example coinche_worth -- RULES DEALS SEED BIDDER OTHER...`
//!
//! One side bids as BIDDER, North–South and East–West in turn, the other as one of the OTHERs, which change from deal to deal; `net` plays all
//! cards. Where BIDDER coinches, the auction goes on with the same bidders once after the coinche and once after a pass. The unit is the
//! deal, 95 %; what is expected is what the bidder tells of a coinche less what it tells of a pass.
#![allow(clippy::disallowed_methods, reason = "figures of one machine, rounded before they are used")]
#![allow(clippy::cast_possible_truncation, reason = "small numbers")]

use std::collections::BTreeMap;

use coinche_benches::{mean, net, new_deal, play_out};
use coinche_bots::{Bot, NetPlayer, Registry};
use coinche_engine::{BidValue, BySeat, Call, DealState, Goal, Key, RuleSet, Seat, Turn};

/// The bidders of a deal: of one side and of the other.
struct Bidders<'a> {
    side: usize,
    bots: [&'a mut Bot; 2],
    keys: BySeat<Key>,
}

impl Bidders<'_> {
    fn of(&mut self, seat: Seat) -> &mut Bot {
        self.bots[usize::from(seat.index() % 2 != self.side)]
    }

    fn call(&mut self, state: &DealState, seat: Seat) -> Call {
        let key = self.keys[seat].and(state.auction().calls().len() as u64);
        self.of(seat).bidder.call(&state.view(seat), &state.legal_calls(), key)
    }

    /// What the bidder tells that its last call, a coinche, gains over a pass.
    fn expected(&mut self, seat: Seat) -> Option<f64> {
        let thought = self.of(seat).bidder.thought()?;
        let mean = |call: Call| thought.options.iter().find(|it| it.choice == call.into()).map(|it| it.mean);
        Some(mean(Call::Coinche)? - mean(Call::Pass)?)
    }

    /// Bids on after a call and plays the contract: what a seat's side scores more than the other.
    fn finish(&mut self, state: &DealState, call: Call, seat: Seat) -> f64 {
        let mut state = state.clone();
        state.call(call).expect("whoever may coinche may pass");
        while let Turn::Call(seat) = state.turn() {
            state.call(self.call(&state, seat)).expect("a legal call");
        }
        net(play_out(&mut NetPlayer::default(), &mut state), seat)
    }
}

/// The kinds to which a coinche belongs: by the contract; below 110 or not, and likewise by what is expected.
fn kinds(bid: BidValue, expected: Option<f64>) -> Vec<String> {
    let is_low = bid.as_points().is_some_and(|points| points < 110);
    let height = if is_low { "below 110" } else { "from 110 on" };
    let least =
        expected.and_then(|expected| [0, 20, 40, 80].into_iter().rfind(|n| expected >= f64::from(*n)));
    let by_expected = least.map(|least| format!("{height}, {least} or more expected"));
    [format!("{:>4}", bid.to_string()), height.to_owned()].into_iter().chain(by_expected).collect()
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let mut next = |what: &str| arguments.next().unwrap_or_else(|| panic!("give {what}"));
    let rules = RuleSet::preset(&next("a preset")).expect("a preset");
    let deals: u64 = next("a number of deals").parse().expect("a number of deals");
    let seed: u64 = next("a seed").parse().expect("a seed");
    let registry = Registry::builtin();
    let build = |name: String| registry.parse_bidder(&name).expect("a bidder").build();
    let mut bidder = build(next("a bidder"));
    let mut others: Vec<Bot> = arguments.map(build).collect();
    let number = others.len() as u64;
    assert!(number > 0, "give another bidder");
    // Of each deal the number of coinches, and what they gained.
    let mut gains: BTreeMap<String, Vec<[f64; 2]>> = BTreeMap::new();
    for index in 0..deals {
        let bots = [&mut bidder, &mut others[(index / 8 % number) as usize]];
        let keys = BySeat::from_fn(|seat| Key::decisions(seed, index, seat));
        let mut bidders = Bidders { side: (index / 4 % 2) as usize, bots, keys };
        bidders.bots.iter_mut().for_each(|bot| bot.start());
        let mut state = new_deal(&rules, seed, index);
        let mut of_deal: BTreeMap<String, [f64; 2]> = BTreeMap::new();
        while let Turn::Call(seat) = state.turn() {
            let call = bidders.call(&state, seat);
            let doubled = state.auction().state().contract();
            if let (Call::Coinche, Some(Goal::Bid(bid))) = (call, doubled.map(|contract| contract.goal))
                && seat.index() % 2 == bidders.side
            {
                let kinds = kinds(bid, bidders.expected(seat));
                let [coinched, passed] =
                    [Call::Coinche, Call::Pass].map(|call| bidders.finish(&state, call, seat));
                for kind in kinds {
                    let sums = of_deal.entry(kind).or_default();
                    sums[0] += 1.0;
                    sums[1] += coinched - passed;
                }
            }
            state.call(call).expect("a legal call");
        }
        for (kind, sums) in of_deal {
            gains.entry(kind).or_default().push(sums);
        }
    }
    for (kind, of_deals) in gains {
        let count: f64 = of_deals.iter().map(|sums| sums[0]).sum();
        let gained: Vec<f64> = of_deals.iter().map(|sums| sums[1]).collect();
        println!("{kind}: {count} coinches in {} deals, worth in each {}", gained.len(), mean(&gained));
    }
}
