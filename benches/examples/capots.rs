//! Counts the hands in which bidding a capot gains by the worlds that fit, and in how many of them four bidders of a kind bid it.
//!
//! `cargo run --release -p coinche-benches --example capots -- [DEALS [SEED [WORLDS [PRESET ...] [BIDDER]]]]`
//!
//! Four bidders bid (`net` where none is named), and at each of their turns the capot that gains most by the network of `net` is compared
//! with another call: that of the bidder, or where that is a capot, the best other one by the network. Both are made in deals that fit what the seat knows, drawn in
//! proportion to how likely the calls of the others are there; the auction goes on by four `net` bidders, and four `rules` players play the
//! cards, as in the bidder `mc`. A hand counts if at one of its turns the capot gains more than two standard errors in fresh worlds.
//! It is bid if the seat, or its partner later in the auction, bids a capot. The capots that are bid are played by `rules`, too.
#![allow(clippy::cast_possible_truncation, reason = "small numbers")]

use coinche_benches::{interval, play_by_rules};
use coinche_bots::net::bidding::NetModel;
use coinche_bots::table::{BiddingContext, CallContext};
use coinche_bots::worlds::{OpponentModel, Worlds, retell, unit};
use coinche_bots::{Bidder, NetBidder, Registry};
use coinche_engine::{
    Bid, BidValue, Call, Deal, DealState, Deck, Goal, Key, RuleSet, Seat, Team, Turn, View,
};

/// So many deals are drawn for one that is looked at.
const POOL: u32 = 24;
/// A capot that is this many standard errors behind in the first worlds is looked at no more.
const BEHIND: f64 = 1.0;
/// The first worlds; the others are fresh.
const FIRST: u32 = 24;

/// What the capot gained over the other call, and what came of it.
#[derive(Default, Clone, Copy)]
struct Gains {
    n: f64,
    sum: f64,
    squares: f64,
    /// In how many worlds the capot became the contract, and was made.
    bid: f64,
    made: f64,
}

impl Gains {
    fn mean(&self) -> f64 {
        self.sum / self.n
    }

    fn error(&self) -> f64 {
        ((self.squares / self.n - self.mean() * self.mean()) / (self.n - 1.0)).max(0.0).sqrt()
    }
}

/// Who asks and who answers.
struct Table {
    model: NetModel,
    readers: OpponentModel,
    bidder: Box<dyn Bidder>,
}

impl Table {
    fn best(&mut self, state: &DealState, seat: Seat) -> Call {
        self.model.best(&BiddingContext::from(&state.view(seat)), &state.legal_calls())
    }

    /// The call of the bidder, the capot that gains most, and the other call; `None` without a capot to think of.
    fn calls(&mut self, state: &DealState, seat: Seat, key: Key) -> (Call, Option<(Call, Call)>) {
        self.best(state, seat);
        let call = self.bidder.call(&state.view(seat), &state.legal_calls(), key);
        let is_capot = |call: Call| matches!(call, Call::Bid(Bid { value: BidValue::CAPOT, .. }));
        let considered = self.model.considered();
        let most = |slam: bool| {
            let of_kind = considered.iter().filter(|it| (it.context == CallContext::Slam) == slam);
            of_kind
                .filter(|it| !slam || is_capot(it.call))
                .max_by(|a, b| a.gain.total_cmp(&b.gain))
                .map(|it| it.call)
        };
        let other = if is_capot(call) { most(false) } else { Some(call) };
        (call, most(true).zip(other))
    }

    /// Draws a world that fits, the likelier the calls of the others the more often.
    fn world(&mut self, view: &View<'_>, worlds: &Worlds<'_>, key: Key) -> Option<DealState> {
        let (mut rng, mut chosen, mut sum) = (key.rng(), None, 0.0);
        let silent = view.auction().calls().iter().all(|(seat, _)| *seat == view.seat());
        for _ in 0..if silent { 1 } else { POOL } {
            let deal = worlds.deal(&mut rng);
            let weight = if silent { 1.0 } else { self.readers.weight(view, &deal) };
            sum += weight;
            if unit(&mut rng) * sum < weight || chosen.is_none() {
                chosen = Some(deal);
            }
        }
        retell(view, &chosen?, |_, _, _| {})
    }

    /// Makes a call, lets the auction go on and the cards be played: the net score of a team, and whether its capot was made, if it was bid.
    fn play(&mut self, state: &DealState, call: Call, team: Team) -> (f64, Option<bool>) {
        let mut state = state.clone();
        state.call(call).expect("a legal call");
        while let Turn::Call(seat) = state.turn() {
            let call = self.best(&state, seat);
            state.call(call).expect("a legal call");
        }
        let Some(score) = play_by_rules(&mut state) else { return (0.0, None) };
        let is_capot = state.contract().is_some_and(|contract| {
            contract.declarer.team() == team && contract.goal == Goal::Bid(BidValue::CAPOT)
        });
        (f64::from(score.points[team] - score.points[team.other()]), is_capot.then_some(score.made))
    }

    /// What a capot gains over another call in some worlds.
    fn gains(&mut self, state: &DealState, seat: Seat, calls: (Call, Call), worlds: u32, key: Key) -> Gains {
        let view = state.view(seat);
        let fitting = Worlds::of(&view);
        let mut gains = Gains::default();
        for n in 0..worlds {
            let Some(world) = self.world(&view, &fitting, key.and(n.into())) else { continue };
            let ((capot, made), (other, _)) =
                (self.play(&world, calls.0, seat.team()), self.play(&world, calls.1, seat.team()));
            gains.n += 1.0;
            gains.sum += capot - other;
            gains.squares += (capot - other) * (capot - other);
            gains.bid += f64::from(u8::from(made.is_some()));
            gains.made += f64::from(u8::from(made == Some(true)));
        }
        gains
    }
}

/// The hands of a deal in which a capot gains: by how much, its chance, and whether it was bid; and whether the capot was made that was
/// the contract.
fn look(
    table: &mut Table,
    rules: &RuleSet,
    seed: u64,
    index: u64,
    worlds: u32,
) -> (Vec<(Gains, bool)>, Option<bool>) {
    let deal = Deal::new(&rules.deal, Deck::shuffled(seed, index), Seat::from_index(index as usize % 4));
    let mut state = DealState::new(rules, &deal);
    // By seat, the turn at which it gains most for certain.
    let mut found: [Option<(usize, Gains)>; 4] = [None; 4];
    while let Turn::Call(seat) = state.turn() {
        let turn = state.auction().calls().len();
        let (call, calls) = table.calls(&state, seat, Key::decisions(seed, index, seat).and(turn as u64));
        if let Some(calls) = calls.filter(|_| state.legal_calls().len() > 1) {
            let key = Key::decisions(seed, index, seat).and(turn as u64);
            let first = table.gains(&state, seat, calls, FIRST, key.and(1));
            if first.mean() + BEHIND * first.error() > 0.0 {
                let gains = table.gains(&state, seat, calls, worlds, key.and(2));
                let is_more = found[seat.index()].is_none_or(|(_, other)| gains.mean() > other.mean());
                if gains.mean() > 2.0 * gains.error() && is_more {
                    found[seat.index()] = Some((turn, gains));
                }
            }
        }
        state.call(call).expect("a legal call");
    }
    let bids = |seat: Seat, turn: usize| {
        state.auction().calls().iter().skip(turn).any(|(other, call)| {
            other.team() == seat.team() && matches!(call, Call::Bid(Bid { value: BidValue::CAPOT, .. }))
        })
    };
    let told = Seat::ALL.into_iter().zip(found);
    let told =
        told.filter_map(|(seat, found)| found.map(|(turn, gains)| (gains, bids(seat, turn)))).collect();
    let capot = state.contract().is_some_and(|contract| contract.goal == Goal::Bid(BidValue::CAPOT));
    (told, capot.then(|| play_by_rules(&mut state)).flatten().map(|score| score.made))
}

/// A share with its 95 % interval (Wilson), in percent.
fn share(k: f64, n: f64) -> String {
    let [low, high] = interval(k, n);
    format!("{:.0} % ({low:.0}–{high:.0})", 100.0 * k / n)
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let mut number = |default: u64| arguments.next().map_or(default, |text| text.parse().expect("a number"));
    let (deals, seed, worlds) = (number(200), number(999), number(200) as u32);
    let (mut presets, bidders): (Vec<String>, Vec<String>) =
        arguments.partition(|name| RuleSet::preset(name).is_some());
    let bidder = bidders.first().map_or("net", String::as_str);
    if presets.is_empty() {
        presets = ["bga", "contree"].map(str::to_owned).to_vec();
    }
    for preset in presets {
        let rules = RuleSet::preset(&preset).expect("a preset");
        let readers = OpponentModel::new(Box::new(NetBidder::default()), None);
        let bot = Registry::builtin().parse_bidder(bidder).expect("a bidder").build();
        let mut table = Table { model: NetModel::default(), readers, bidder: bot.bidder };
        let (mut found, mut capots) = (Vec::new(), Vec::new());
        for index in 0..deals {
            let (hands, capot) = look(&mut table, &rules, seed, index, worlds);
            found.extend(hands);
            capots.extend(capot);
        }
        let made = capots.iter().filter(|made| **made).count();
        println!("{preset}, {bidder}: {} capots are the contract, and {made} of them made", capots.len());
        println!(
            "{preset}: {deals} deals, seed {seed}, {worlds} worlds: in {} hands a capot gains by more than two standard errors",
            found.len()
        );
        if found.is_empty() {
            continue;
        }
        let likely = |gains: &Gains| gains.made >= 0.5 * gains.bid;
        for (what, of) in [
            ("all", found.clone()),
            (
                "made in half of the worlds or more",
                found.iter().filter(|it| likely(&it.0)).copied().collect(),
            ),
        ] {
            let (n, bid) = (of.len() as f64, of.iter().filter(|(_, bid)| *bid).count() as f64);
            let mean = of.iter().map(|(gains, _)| gains.mean()).sum::<f64>() / n;
            let [bids, made] =
                of.iter().fold([0.0; 2], |[bids, made], (it, _)| [bids + it.bid, made + it.made]);
            println!(
                "  {what}: {n} hands, {mean:+.0} points on average, made in {:.0} % of the worlds in which it is the contract; bid in {bid}: {}",
                100.0 * made / bids,
                share(bid, n)
            );
        }
    }
}
