//! The bidders of the auctions: the current network, its versions of earlier rounds, and the bidders of the
//! population.

use std::sync::Arc;

use coinche_bots::net::bidding::{BiddingNetwork, NetModel};
use coinche_bots::table::{BiddingContext, CallContext, ConsideredCall};
use coinche_bots::{Agent, Bidder, Bot, BotSpec, CardPlayer, NetPlayer, Player, RulesPlayer};
use coinche_engine::{
    BySeat, ByTeam, Call, Contract, DealScore, DealState, Key, LegalCalls, Seat, Team, Turn, View,
};

use super::Settings;
use crate::train::{hundreds, net, play_out, standing};

/// The probability of bidding a slam if it gains nearly as much as the best call; it falls with the difference
/// in gain, down to zero at this many points. Otherwise slams would be too rare for learning the responses, and
/// their gains would be learnt against bidders without responses.
const SLAMS: f32 = 0.5;
const NEARLY: f32 = 100.0;
/// The share of auctions with the network on the other side too, and of those with a stranger as partner.
const ITSELF: f64 = 0.45;
const STRANGER: f64 = 0.3;
/// The share of drawn systems among strangers, where there are some, and of opponents that are two different ones of them: partners who do not fit.
const DRAWN: f64 = 0.5;
const UNLIKE: f64 = 0.25;
/// The share of deals of each side in which the network's cards are played by the card player `net` instead of
/// `rules`: the bidder should suit both.
const PLAYS: f64 = 0.5;

/// The bidder of a seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Member {
    Net,
    Past(usize),
    Other(usize),
}

/// All bidders of a thread.
pub(super) struct Company {
    pub(super) net: NetModel,
    /// The card players of the network and its earlier versions, and whether they play in the current deal;
    /// otherwise `rules` does.
    cards: [Player; 4],
    plays: ByTeam<bool>,
    /// Whether they play in every deal.
    always: bool,
    key: Key,
    rules: RulesPlayer,
    past: Vec<NetModel>,
    pub(super) others: Vec<Bot>,
    /// How many of the others, the last ones, are drawn systems.
    drawn: usize,
    /// Whether the other side is always from the population, and the partner never is.
    responds: bool,
    pub(super) seats: BySeat<Member>,
    /// The scores of contracts in the current deal.
    played: Vec<(Contract, DealScore)>,
}

impl Company {
    pub(super) fn new(
        network: Option<Arc<BiddingNetwork>>,
        past: &[Arc<BiddingNetwork>],
        settings: &Settings,
    ) -> Self {
        let model = |network| NetModel::new(network).with_style(settings.style.clone());
        let player = || match &settings.cards {
            None => Player::fair(NetPlayer::default()),
            Some(spec) => spec.build().player,
        };
        Self {
            net: model(network),
            cards: std::array::from_fn(|_| player()),
            plays: ByTeam([false; 2]),
            always: settings.cards.is_some(),
            key: Key::from_bits(0),
            rules: RulesPlayer,
            past: past.iter().map(|network| model(Some(Arc::clone(network)))).collect(),
            others: settings.population.iter().map(BotSpec::build).collect(),
            drawn: settings.drawn,
            responds: settings.responds,
            seats: BySeat([Member::Net; 4]),
            played: Vec::new(),
        }
    }

    /// Seats the bots of a deal.
    pub(super) fn seat(&mut self, key: Key) {
        self.played.clear();
        self.plays = ByTeam([8, 9].map(|at| self.always || key.and(at).happens(PLAYS)));
        self.key = key.and(11);
        let known = self.others.len() - self.drawn;
        let drawn = |key: Key| Member::Other(known + key.below(self.drawn));
        let stranger = |key: Key| {
            if self.drawn > 0 && key.and(1).happens(DRAWN) {
                return drawn(key.and(2));
            }
            match key.below(self.past.len() + known) {
                n if n < known => Member::Other(n),
                n => Member::Past(n - known),
            }
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
                if matches!(other, Member::Other(n) if n >= known) && key.and(7).happens(UNLIKE) {
                    seats[own.other().seats()[1]] = drawn(key.and(10));
                }
            }
            if key.and(4).happens(STRANGER) {
                seats[own.seats()[key.and(5).below(2)]] = stranger(key.and(6));
            }
        }
        self.seats = seats;
    }

    pub(super) fn call(&mut self, state: &DealState, seat: Seat) -> Call {
        let (view, legal, key) = (state.view(seat), state.legal_calls(), Key::from_bits(0));
        match self.seats[seat] {
            Member::Net => best(&mut self.net, &view, legal),
            Member::Past(n) => best(&mut self.past[n], &view, legal),
            Member::Other(n) => {
                let bidder: &mut dyn Bidder = &mut *self.others[n].bidder;
                bidder.start();
                bidder.call(&view, &legal, key)
            }
        }
    }

    /// Returns a seat of the network.
    pub(super) fn own_seat(&self, key: Key) -> Seat {
        let own = Seat::ALL.into_iter().filter(|seat| self.seats[*seat] == Member::Net);
        let own: Vec<Seat> = own.collect();
        own[key.below(own.len())]
    }

    /// Considers the calls of the network at a seat.
    pub(super) fn options(&mut self, state: &DealState, seat: Seat) -> &[ConsideredCall] {
        let view = state.view(seat);
        let legal = self.net.allowed(&view, state.legal_calls());
        self.net.consider(&BiddingContext::from(&view), &legal)
    }

    /// Returns the gain of a hand's best slam before any call, according to the network; the minimum value if
    /// it considers none.
    pub(super) fn slam_gain(&mut self, start: &DealState, seat: Seat) -> f32 {
        let options = self.options(start, seat);
        let slams = options.iter().filter(|option| option.context == CallContext::Slam);
        slams.map(|slam| slam.gain).fold(f32::MIN, f32::max)
    }

    /// Returns the slam with the highest gain according to the network, and its probability of being bid;
    /// `None` if that is zero.
    pub(super) fn slam(&mut self, state: &DealState, seat: Seat) -> Option<(Call, f64)> {
        let options = self.options(state, seat);
        let best = options.iter().map(|option| option.gain).fold(f32::MIN, f32::max);
        let slams = options.iter().filter(|option| option.context == CallContext::Slam);
        let slam = slams.max_by(|a, b| a.gain.total_cmp(&b.gain))?;
        let share = SLAMS * (1.0 - (best - slam.gain) / NEARLY);
        (share > 0.0).then_some((slam.call, share.into()))
    }

    /// Plays the cards with the bots that bid, and returns the score; `None` if the deal is passed out.
    ///
    /// A contract is played once per deal, after the first auction that ends in it: the other auctions would
    /// add little.
    fn play_out(&mut self, state: &mut DealState) -> Option<DealScore> {
        let contract = state.auction().state().contract()?;
        if let Some((_, score)) = self.played.iter().find(|(played, _)| *played == contract) {
            return Some(*score);
        }
        self.cards.iter_mut().for_each(Player::start);
        let mut key = self.key;
        let (_, score) = play_out(state, |state, seat| {
            let (view, legal) = (state.view(seat), state.legal_plays());
            key = key.and(0);
            match self.seats[seat] {
                Member::Net | Member::Past(_) if self.plays[seat.team()] => {
                    self.cards[seat.index()].play(state, seat, legal, key)
                }
                Member::Net | Member::Past(_) => self.rules.play(&view, legal, key),
                Member::Other(n) => self.others[n].player.play(state, seat, legal, key),
            }
        })?;
        self.played.push((contract, score));
        Some(score)
    }

    /// Completes the auction after a call, and plays the cards. Returns the team's net score, and whether the
    /// contract standing after the call was made, if it became the final one.
    pub(super) fn outcome(
        &mut self,
        state: &DealState,
        call: Call,
        team: Team,
    ) -> Option<(f32, Option<bool>)> {
        let mut state = state.clone();
        state.call(call).ok()?;
        let stood = standing(&state);
        while let Turn::Call(seat) = state.turn() {
            let call = self.call(&state, seat);
            state.call(call).ok()?;
        }
        let end = standing(&state);
        Some(match self.play_out(&mut state) {
            Some(score) => {
                (hundreds(net(&score, team)), (end.is_some() && end == stood).then_some(score.made))
            }
            None => (0.0, None),
        })
    }
}

fn best(model: &mut NetModel, view: &View<'_>, legal: LegalCalls) -> Call {
    let legal = model.allowed(view, legal);
    model.best(&BiddingContext::from(view), &legal)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use coinche_bots::Registry;
    use coinche_engine::{Deal, Deck, RuleSet, Seed};

    pub(in super::super) fn company(responds: bool) -> Company {
        let population = vec![Registry::builtin().parse_bidder("table").unwrap()];
        let settings = Settings {
            seed: Seed::from(1),
            deals: 1,
            rounds: 1,
            rules: vec![RuleSet::BGA],
            population,
            drawn: 0,
            responds,
            style: None,
            cards: None,
            from: None,
        };
        Company::new(Some(BiddingNetwork::built_in()), &[], &settings)
    }

    /// Returns the frequency of each number of network seats, and whether partners are ever from the
    /// population.
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
    fn half_of_the_strangers_are_drawn_and_a_quarter_of_these_pairs_do_not_fit() {
        let mut company = company(false);
        let drawn = |n| Registry::builtin().parse_bidder(&format!("system:name=drawn-{n}")).unwrap().build();
        company.others.extend((1..=40).map(drawn));
        company.drawn = 40;
        let [mut known, mut fitting, mut unlike] = [0.0f64; 3];
        for n in 0..4000 {
            company.seat(Key::from_bits(2).and(n));
            for team in Team::ALL {
                match team.seats().map(|seat| company.seats[seat]) {
                    [Member::Other(0), Member::Other(0)] => known += 1.0,
                    [Member::Other(a), Member::Other(b)] if a > 0 && b > 0 => {
                        *if a == b { &mut fitting } else { &mut unlike } += 1.0;
                    }
                    _ => {}
                }
            }
        }
        // Two of forty are the same now and then.
        let (pairs, share) = (fitting + unlike, 0.25 * 39.0 / 40.0);
        assert!((pairs / (pairs + known) - DRAWN).abs() < 0.05, "{pairs} {known}");
        assert!((unlike / pairs - share).abs() < 0.05, "{unlike} {pairs}");
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
}
