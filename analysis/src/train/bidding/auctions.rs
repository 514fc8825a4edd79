//! Auctions of a population, in which calls are tried.

use coinche_bots::net::bidding::CallTarget;
use coinche_bots::table::{BiddingContext, CallContext, ConsideredCall};
use coinche_engine::{BidValue, BySeat, Deal, DealState, Goal, Key, Purpose, RuleSet, Seat, Secrets, Turn};

use super::CallRows;
use super::company::{Company, Member};
use crate::train::{dealt, standing};

/// The share of turns at which a call is drawn among those considered.
const STRAYS: f64 = 0.06;
/// The share of deals chosen among several as those in which one seat's hand is best for a slam, according to
/// the network. Otherwise nearly all tried slams are hopeless, and the gain of a good one is not learnt. Only
/// that seat then tries calls: it knows its hand, so the other hands are unbiased to it.
const RICH: f64 = 0.2;
const AMONG: u64 = 32;
/// The number of turns per auction at which calls are tried.
const TURNS: usize = 3;

/// Without limit.
const ANY: usize = usize::MAX;

fn is_slam(goal: Goal) -> bool {
    matches!(goal, Goal::Bid(value) if value >= BidValue::CAPOT)
}

/// A deal for bidding.
pub(super) struct Held {
    rules: RuleSet,
    deal: Deal,
    key: Key,
    /// The seat for which the deal was chosen.
    rich: Option<Seat>,
}

impl Held {
    /// Seats the company and deals.
    pub(super) fn new(company: &mut Company, rules: &RuleSet, secrets: Secrets, index: u64) -> Self {
        let key = secrets.key(Purpose::Experiment, index, 0);
        company.seat(key.and(1));
        let deal = |n: u64| dealt(rules, secrets, index | n << 48);
        let rich = key.and(4).happens(RICH).then(|| company.own_seat(key.and(5)));
        let chosen = rich.and_then(|seat| {
            let slam = |n| (n, company.slam_gain(&DealState::new(rules, &deal(n)), seat));
            (0..AMONG).map(slam).max_by(|a, b| a.1.total_cmp(&b.1))
        });
        Self { rules: *rules, deal: deal(chosen.map_or(0, |(n, _)| n)), key, rich }
    }

    /// Bids an auction, and tries calls at some turns of the network.
    pub(super) fn rows(&self, company: &mut Company, rows: &mut CallRows) {
        let key = self.key.and(3);
        for (n, (seat, state)) in self.turns(company).iter().take(TURNS).enumerate() {
            Self::try_calls(company, *seat, state, key.and(n as u64), rows);
        }
    }

    /// Bids an auction with occasional random calls, and returns the turns of the network at which the others'
    /// calls were not random: all of these, or only those from the first standing slam on, since responses to
    /// slams are rare.
    fn turns(&self, company: &mut Company) -> Vec<(Seat, DealState)> {
        let mut state = DealState::new(&self.rules, &self.deal);
        let (mut turns, mut strayed) = (Vec::new(), BySeat([false; 4]));
        let mut count = 0u64;
        while let Turn::Call(seat) = state.turn() {
            let meant = Seat::ALL.into_iter().all(|other| other == seat || !strayed[other]);
            if meant && company.seats[seat] == Member::Net && self.rich.is_none_or(|rich| rich == seat) {
                turns.push((seat, state.clone()));
            }
            let key = self.key.and(2).and(count);
            count += 1;
            let mut call = company.call(&state, seat);
            if key.happens(STRAYS) {
                let options = company.options(&state, seat);
                let stray = options.get(key.and(1).below(options.len().max(1))).map(|option| option.call);
                if let Some(stray) = stray.filter(|stray| *stray != call) {
                    (call, strayed[seat]) = (stray, true);
                }
            } else if company.seats[seat] == Member::Net
                && let Some((slam, share)) = company.slam(&state, seat)
                && key.and(2).happens(share)
            {
                call = slam;
            }
            if state.call(call).is_err() {
                break;
            }
        }
        let is_answer = |state: &DealState| standing(state).is_some_and(|standing| is_slam(standing.goal));
        let answers = turns.iter().position(|(_, state)| is_answer(state));
        let first = answers.unwrap_or_else(|| self.key.and(3).below(turns.len().max(1)));
        turns.rotate_left(first);
        turns
    }

    fn try_calls(company: &mut Company, seat: Seat, state: &DealState, key: Key, rows: &mut CallRows) {
        let view = state.view(seat);
        let bidding = BiddingContext::from(&view);
        let options = company.options(state, seat).to_vec();
        let Some(pass) = options.iter().find(|option| option.context.is_pass()) else { return };
        let tried = tried(&options, key);
        let inputs: Vec<_> =
            core::iter::once(pass).chain(&tried).map(|it| company.net.input(&bidding, it)).collect();
        let Some((passed, made)) = company.outcome(state, pass.call, seat.team()) else { return };
        rows.push(&inputs[0], CallTarget { gain: None, made, score: passed });
        for (option, input) in tried.iter().zip(&inputs[1..]) {
            if let Some((score, made)) = company.outcome(state, option.call, seat.team()) {
                rows.push(input, CallTarget { gain: Some(score - passed), made, score });
            }
        }
    }
}

/// Selects the calls to try: among bids and slams the one with the highest gain and some of the others; all
/// other calls.
fn tried(options: &[ConsideredCall], key: Key) -> Vec<ConsideredCall> {
    use CallContext::{Open, Overcall, Raise, Slam};
    let (mut bids, mut slams, mut tried) = (Vec::new(), Vec::new(), Vec::new());
    for option in options.iter().filter(|option| !option.context.is_pass()) {
        match option.context {
            Open | Raise | Overcall => bids.push(*option),
            Slam => slams.push(*option),
            _ => tried.push(*option),
        }
    }
    let mut draw = |mut of: Vec<ConsideredCall>, key: Key, among: &[usize]| {
        of.sort_by(|a, b| b.gain.total_cmp(&a.gain));
        for (turn, among) in (0..).zip(among) {
            if !of.is_empty() {
                tried.push(of.remove(key.and(turn).below(of.len().min(*among))));
            }
        }
    };
    // The best one, one of the nearly best, then any.
    draw(bids, key, &[1, 3, ANY, ANY]);
    draw(slams, key.and(8), &[1, ANY]);
    tried
}

#[cfg(test)]
mod tests {
    use super::super::company::tests::company;
    use super::*;
    use coinche_bots::Registry;
    use coinche_engine::Seed;

    #[test]
    fn what_to_answer_to_slams_that_are_seldom_bid_is_tried_first() {
        let mut company = company(true);
        company.others[0] = Registry::builtin().parse_bidder("net").unwrap().build();
        let stands = |state: &DealState| standing(state).is_some_and(|standing| is_slam(standing.goal));
        let mut explored = 0;
        for index in 0..3000 {
            let held = Held::new(&mut company, &RuleSet::BGA, Secrets::from(&Seed::from(3)), index);
            let turns = held.turns(&mut company);
            let Some(at) = turns.iter().position(|(_, state)| stands(state)) else { continue };
            assert_eq!(at, 0, "{index}");
            // Whether the slam bidder makes another call unless slams are explored; random calls of other seats
            // are not answered.
            let mut state = DealState::new(&held.rules, &held.deal);
            for (seat, call) in turns[0].1.auction().calls() {
                let best = company.call(&state, *seat);
                state.call(*call).unwrap();
                if stands(&state) {
                    explored += u32::from(*seat != turns[0].0 && best != *call);
                    break;
                }
            }
        }
        assert!(explored > 0);
    }

    #[test]
    fn rich_deals_are_chosen_for_the_hand_of_one_seat_that_alone_tries_calls() {
        let mut company = company(false);
        let (mut gains, mut count) = ([0.0; 2], [0.0; 2]);
        for index in 0..2000 {
            let held = Held::new(&mut company, &RuleSet::CONTREE, Secrets::from(&Seed::from(3)), index);
            let state = DealState::new(&held.rules, &held.deal);
            let seat = held.rich.unwrap_or_else(|| company.own_seat(Key::from_bits(index)));
            assert_eq!(company.seats[seat], Member::Net);
            if held.rich.is_some() {
                assert!(held.turns(&mut company).iter().all(|(turn, _)| *turn == seat), "{index}");
            }
            let gain = company.slam_gain(&state, seat).max(-1000.0);
            let kind = usize::from(held.rich.is_some());
            gains[kind] += f64::from(gain);
            count[kind] += 1.0;
        }
        let [plain, rich] = [0, 1].map(|kind| gains[kind] / count[kind]);
        assert!((count[1] / 2000.0 - RICH).abs() < 0.03, "{count:?}");
        assert!(rich > plain + 100.0, "{plain} {rich}");
    }
}
