//! Auctions of a population, in which calls are tried.

use std::sync::Arc;

use coinche_bots::net::bidding::{BiddingNetwork, CallTarget, NetModel};
use coinche_bots::net::cards::NetPlayer;
use coinche_bots::table::{BiddingContext, CallContext, ConsideredCall};
use coinche_bots::{Bidder, Bot, BotSpec, CardPlayer, RulesPlayer};
use coinche_engine::{
    BidValue, BySeat, ByTeam, Call, Contract, Deal, DealScore, DealState, Deck, Goal, Key, Purpose, RuleSet,
    Seat, Secrets, Stake, Team, Turn,
};

use super::Settings;
use super::rows::CallRows;
use crate::analysis::train::{net, score};

/// The share of turns at which a call is drawn among those considered.
const STRAYS: f64 = 0.06;
/// A slam is bid at this share of the turns at which it gains nearly as much as the best call, and less often the more points it gains less, up to
/// so many. Slams are so rare that nobody would learn what to answer, and what they gain against bidders who do not know that would be learnt
/// in its place.
const SLAMS: f32 = 0.5;
const NEARLY: f32 = 100.0;
/// At how many turns of an auction calls are tried.
const TURNS: usize = 3;
/// How many bids of a turn are tried, beside the one that gains most.
const TRIED: usize = 3;
/// The share of auctions in which the other side is the network, too, and of those in which the partner is a stranger.
const ITSELF: f64 = 0.45;
const STRANGER: f64 = 0.3;
/// The share of the deals of each side in which the card player `net` plays the cards of the network, and not `rules`: the bidder is to suit both.
const PLAYS: f64 = 0.5;

/// Who sits at a seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Member {
    Net,
    Past(usize),
    Other(usize),
}

/// All bidders of a thread.
pub(super) struct Company {
    net: NetModel,
    /// Who plays the cards of the network and its earlier selves, and whether it does so in the deal; else `rules` does.
    cards: NetPlayer,
    plays: ByTeam<bool>,
    rules: RulesPlayer,
    past: Vec<NetModel>,
    others: Vec<Bot>,
    /// Whether the other side is always one of the others, and the partner never is.
    responds: bool,
    seats: BySeat<Member>,
    /// What contracts of the deal scored.
    played: Vec<(Contract, DealScore)>,
}

impl Company {
    pub(super) fn new(
        network: Option<Arc<BiddingNetwork>>,
        past: &[Arc<BiddingNetwork>],
        settings: &Settings,
    ) -> Self {
        Self {
            net: NetModel::new(network),
            cards: NetPlayer::default(),
            plays: ByTeam([false; 2]),
            rules: RulesPlayer,
            past: past.iter().map(|network| NetModel::new(Some(Arc::clone(network)))).collect(),
            others: settings.population.iter().map(BotSpec::build).collect(),
            responds: settings.responds,
            seats: BySeat([Member::Net; 4]),
            played: Vec::new(),
        }
    }

    /// Seats the bots of a deal.
    fn seat(&mut self, key: Key) {
        self.played.clear();
        self.plays = ByTeam([8, 9].map(|at| key.and(at).happens(PLAYS)));
        let stranger = |key: Key| match key.below(self.past.len() + self.others.len()) {
            n if n < self.others.len() => Member::Other(n),
            n => Member::Past(n - self.others.len()),
        };
        let mut seats = BySeat([Member::Net; 4]);
        let own = if key.and(1).below(2) == 0 { Team::Even } else { Team::Odd };
        if self.responds {
            let other = Member::Other(key.and(3).below(self.others.len()));
            own.other().seats().into_iter().for_each(|seat| seats[seat] = other);
        } else if self.past.len() + self.others.len() > 0 {
            if !key.and(2).happens(ITSELF) {
                let other = stranger(key.and(3));
                own.other().seats().into_iter().for_each(|seat| seats[seat] = other);
            }
            if key.and(4).happens(STRANGER) {
                seats[own.seats()[key.and(5).below(2)]] = stranger(key.and(6));
            }
        }
        self.seats = seats;
    }

    fn call(&mut self, state: &DealState, seat: Seat) -> Call {
        let (view, legal, key) = (state.view(seat), state.legal_calls(), Key::from_bits(0));
        match self.seats[seat] {
            Member::Net => self.net.best(&BiddingContext::from(&view), &legal),
            Member::Past(n) => self.past[n].best(&BiddingContext::from(&view), &legal),
            Member::Other(n) => {
                let bidder: &mut dyn Bidder = &mut *self.others[n].bidder;
                bidder.start();
                bidder.call(&view, &legal, key)
            }
        }
    }

    /// Returns the slam that gains most by the network, and at which share of such turns it is bid; `None` where that is never.
    fn slam(&mut self, state: &DealState, seat: Seat) -> Option<(Call, f64)> {
        let options = self.net.consider(&BiddingContext::from(&state.view(seat)), &state.legal_calls());
        let best = options.iter().map(|option| option.gain).fold(f32::MIN, f32::max);
        let slams = options.iter().filter(|option| option.context == CallContext::Slam);
        let slam = slams.max_by(|a, b| a.gain.total_cmp(&b.gain))?;
        let share = SLAMS * (1.0 - (best - slam.gain) / NEARLY);
        (share > 0.0).then_some((slam.call, share.into()))
    }

    /// Has the cards played by the bots that bid, and returns the score; `None` if all passed.
    ///
    /// A contract is played once in a deal, after the first auction that ends in it: how it was bid says little more.
    fn play_out(&mut self, state: &mut DealState) -> Option<DealScore> {
        let contract = state.auction().state().contract()?;
        if let Some((_, score)) = self.played.iter().find(|(played, _)| *played == contract) {
            return Some(*score);
        }
        let key = Key::from_bits(0);
        while let Turn::Play(seat) = state.turn() {
            let legal = state.legal_plays();
            let card = match self.seats[seat] {
                Member::Net | Member::Past(_) if self.plays[seat.team()] => {
                    self.cards.play(&state.view(seat), legal, key)
                }
                Member::Net | Member::Past(_) => self.rules.play(&state.view(seat), legal, key),
                Member::Other(n) => self.others[n].player.play(state, seat, legal, key),
            };
            state.play(card).ok()?;
        }
        let score = score(state)?;
        self.played.push((contract, score));
        Some(score)
    }

    /// Lets the auction go on after a call and has the cards played; returns what the team scores, net, and whether the contract that stood
    /// after the call was made, if it became that of the deal.
    fn outcome(&mut self, state: &DealState, call: Call, team: Team) -> Option<(f32, Option<bool>)> {
        let mut state = state.clone();
        state.call(call).ok()?;
        let standing = bid(&state);
        while let Turn::Call(seat) = state.turn() {
            let call = self.call(&state, seat);
            state.call(call).ok()?;
        }
        let end = bid(&state);
        Some(match self.play_out(&mut state) {
            Some(score) => (net(&score, team), (end.is_some() && end == standing).then_some(score.made)),
            None => (0.0, None),
        })
    }
}

/// The standing contract, whatever its stake.
fn bid(state: &DealState) -> Option<Contract> {
    state.auction().state().contract().map(|contract| Contract { stake: Stake::Plain, ..contract })
}

fn is_slam(goal: Goal) -> bool {
    matches!(goal, Goal::Bid(value) if value >= BidValue::CAPOT)
}

/// A deal that is bid.
pub(super) struct Held {
    rules: RuleSet,
    deal: Deal,
    key: Key,
}

impl Held {
    pub(super) fn new(rules: &RuleSet, secrets: Secrets, index: u64) -> Self {
        let dealer = Seat::from_index(usize::try_from(index / 16 % 4).unwrap_or_default());
        let deal = Deal::new(&rules.deal, Deck::shuffled(secrets, index), dealer);
        Self { rules: *rules, deal, key: secrets.key(Purpose::Experiment, index, 0) }
    }

    /// Holds an auction and tries calls at some turns of the network.
    pub(super) fn rows(&self, company: &mut Company, rows: &mut CallRows) {
        company.seat(self.key.and(1));
        let key = self.key.and(3);
        for (n, (seat, state)) in self.turns(company).iter().take(TURNS).enumerate() {
            Self::try_calls(company, *seat, state, key.and(n as u64), rows);
        }
    }

    /// Holds an auction, with a call that strays now and then, and returns the turns of the network where what the others said was meant: from any on,
    /// or from the first at which a slam stands, since what to answer is asked so rarely.
    fn turns(&self, company: &mut Company) -> Vec<(Seat, DealState)> {
        let mut state = DealState::new(&self.rules, &self.deal);
        let (mut turns, mut strayed) = (Vec::new(), BySeat([false; 4]));
        let mut count = 0u64;
        while let Turn::Call(seat) = state.turn() {
            let meant = Seat::ALL.into_iter().all(|other| other == seat || !strayed[other]);
            if meant && company.seats[seat] == Member::Net {
                turns.push((seat, state.clone()));
            }
            let key = self.key.and(2).and(count);
            count += 1;
            let mut call = company.call(&state, seat);
            if key.happens(STRAYS) {
                let (view, legal) = (state.view(seat), state.legal_calls());
                let options = company.net.consider(&BiddingContext::from(&view), &legal);
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
        let answers =
            turns.iter().position(|(_, state)| bid(state).is_some_and(|standing| is_slam(standing.goal)));
        let first = answers.unwrap_or_else(|| self.key.and(3).below(turns.len().max(1)));
        turns.rotate_left(first);
        turns
    }

    fn try_calls(company: &mut Company, seat: Seat, state: &DealState, key: Key, rows: &mut CallRows) {
        let (view, legal) = (state.view(seat), state.legal_calls());
        let bidding = BiddingContext::from(&view);
        let options = company.net.consider(&bidding, &legal).to_vec();
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

/// The calls to try: doubles and slams, the bid that gains most, and some of the others.
fn tried(options: &[ConsideredCall], key: Key) -> Vec<ConsideredCall> {
    let always = |context| !matches!(context, CallContext::Open | CallContext::Raise | CallContext::Overcall);
    let (mut tried, mut bids): (Vec<ConsideredCall>, Vec<ConsideredCall>) =
        options.iter().filter(|option| !option.context.is_pass()).partition(|option| always(option.context));
    bids.sort_by(|a, b| b.gain.total_cmp(&a.gain));
    if !bids.is_empty() {
        tried.push(bids.remove(0));
    }
    for turn in 0..TRIED as u64 {
        if !bids.is_empty() {
            // One of those that are nearly as good, then any.
            let among = if turn == 0 { bids.len().min(3) } else { bids.len() };
            tried.push(bids.remove(key.and(1 + turn).below(among)));
        }
    }
    tried
}

#[cfg(test)]
mod tests {
    use super::*;
    use coinche_bots::Registry;
    use coinche_engine::Seed;

    fn company(responds: bool) -> Company {
        let population = vec![Registry::builtin().parse_bidder("table").unwrap()];
        let settings = Settings {
            seed: Seed::from(1),
            deals: 1,
            rounds: 1,
            rules: None,
            population,
            responds,
            from: None,
        };
        Company::new(Some(BiddingNetwork::built_in()), &[], &settings)
    }

    /// How often each number of seats is the network's, and whether opponents are ever partners.
    fn seated(responds: bool) -> ([u32; 5], bool) {
        let mut company = company(responds);
        let (mut counts, mut strangers) = ([0; 5], false);
        for n in 0..2000 {
            company.seat(Key::from_bits(1).and(n));
            let is_net = |seat: &Seat| company.seats[*seat] == Member::Net;
            counts[Seat::ALL.iter().filter(|seat| is_net(seat)).count()] += 1;
            strangers |=
                Team::ALL.iter().any(|team| team.seats().iter().filter(|seat| is_net(seat)).count() == 1);
        }
        (counts, strangers)
    }

    #[test]
    fn the_network_meets_itself_and_strangers() {
        let (counts, strangers) = seated(false);
        // 55 % of 70 and 30 %, 45 % of 30 and 70 %.
        for (count, share) in counts.into_iter().zip([0.0, 0.165, 0.385, 0.135, 0.315]) {
            assert!((f64::from(count) / 2000.0 - share).abs() < 0.04, "{counts:?}");
        }
        assert!(strangers);
    }

    #[test]
    fn a_best_response_meets_what_it_responds_to_alone() {
        assert_eq!(seated(true), ([0, 0, 2000, 0, 0], false));
    }

    #[test]
    fn slams_that_gain_nearly_as_much_as_the_best_call_are_bid() {
        let mut company = company(false);
        let (mut best_of_all, mut nearly) = (0, 0);
        for index in 0..1500 {
            let deal = Deal::new(&RuleSet::BGA.deal, Deck::shuffled(7, index), Seat::S0);
            let mut state = DealState::new(&RuleSet::BGA, &deal);
            while let Turn::Call(seat) = state.turn() {
                let slam = company.slam(&state, seat);
                let (view, legal) = (state.view(seat), state.legal_calls());
                let call = company.net.best(&BiddingContext::from(&view), &legal);
                let options = company.net.considered();
                let gain = |call: Call| options.iter().find(|it| it.call == call).unwrap().gain;
                for option in options.iter().filter(|it| it.context == CallContext::Slam) {
                    let less = gain(call) - option.gain;
                    assert!(less >= 100.0 || slam.is_some_and(|(_, share)| share > 0.0), "{index}");
                    assert!(slam.is_none_or(|(most, _)| gain(most) >= option.gain), "{index}");
                }
                if let Some((slam, share)) = slam {
                    let less = f64::from(gain(call) - gain(slam));
                    assert!((share - (0.5 - 0.005 * less)).abs() < 1e-4, "{index}: {share} for {less} less");
                    *if slam == call { &mut best_of_all } else { &mut nearly } += 1;
                }
                state.call(call).unwrap();
            }
        }
        assert!(best_of_all > 0 && nearly > best_of_all, "{best_of_all} {nearly}");
    }

    #[test]
    fn what_to_answer_to_slams_is_tried_first_and_more_often_than_they_are_bid() {
        let mut company = company(true);
        company.others[0] = Registry::builtin().parse_bidder("net").unwrap().build();
        let stands = |state: &DealState| bid(state).is_some_and(|standing| is_slam(standing.goal));
        let (mut bid, mut met) = (0, 0);
        for index in 0..3000 {
            let held = Held::new(&RuleSet::BGA, Secrets::from(&Seed::from(3)), index);
            let mut state = DealState::new(&held.rules, &held.deal);
            company.seat(Key::from_bits(2));
            while let Turn::Call(seat) = state.turn() {
                let call = company.call(&state, seat);
                state.call(call).unwrap();
            }
            bid += u32::from(stands(&state));
            let turns = held.turns(&mut company);
            if turns.iter().any(|(_, state)| stands(state)) {
                assert!(stands(&turns[0].1), "{index}");
                met += 1;
            }
        }
        assert!(bid > 0 && met > bid, "{met} auctions with an answer, {bid} slams");
    }
}
