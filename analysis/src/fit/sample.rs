//! Auctions of the deals used for fitting: what seats knew, and the outcomes of calls other than theirs.

use coinche_bots::table::{
    BiddingContext, CallContext, ConsideredCall, Model, PointsInput, Role, Terms, kind, meld_class,
};
use coinche_bots::{Bidder, RulesBidder, TableBidder};
use coinche_engine::solver::{LeaderPoints, Solver};
use coinche_engine::{
    BySeat, Call, Deal, DealState, Key, Melds, PlayState, Purpose, RuleSet, Seat, Secrets, Strain, Team, Turn,
};

use super::outcomes::{Outcomes, net};
use super::solved::Pair;
use crate::train::dealt;

/// The share of turns at which a random call is drawn among those considered.
const STRAYS: f64 = 0.06;
/// The number of turns per auction at which other calls are tried.
const TURNS: usize = 3;
/// The number of bids tried per turn.
const TRIED: usize = 4;

/// A deal with the results of all its contracts.
#[derive(Debug, Clone)]
pub(super) struct Played {
    pub(super) rules: RuleSet,
    pub(super) deal: Deal,
    outcomes: Outcomes,
    pub(super) key: Key,
}

/// What a seat knew about a strain, and the points made.
#[derive(Debug, Clone, Copy)]
pub(super) struct PointsRow {
    pub(super) input: PointsInput,
    /// The declarers' points, with belote, and with melds where they count; in the turn-up game, 81
    /// plus half of the difference between the sides.
    pub(super) points: i16,
    pub(super) all_tricks: bool,
    pub(super) alone: bool,
    /// If the rules have melds: the class of those in the hand, and the declarers' meld points.
    pub(super) melds: Option<(usize, u16)>,
}

/// A tried call, and its gain over a pass.
#[derive(Debug, Clone, Copy)]
pub(super) struct GainRow {
    pub(super) weights: usize,
    pub(super) terms: Terms,
    pub(super) gain: f32,
}

/// The bidders of both teams.
#[derive(Debug, Clone)]
pub(super) struct Bidders {
    rules: RulesBidder,
    table: TableBidder,
    /// Whether the table bids, by team.
    by_table: [bool; 2],
}

impl Bidders {
    pub(super) fn new(model: &Model) -> Self {
        Self { rules: RulesBidder::default(), table: TableBidder::new(model.clone()), by_table: [false; 2] }
    }

    /// Tests if the table learns from a seat: in the first round from `rules`, later from itself.
    fn learns(&self, seat: Seat, round: u64) -> bool {
        round == 0 || self.by_table[seat.team().index()]
    }

    fn call(&mut self, state: &DealState, seat: Seat) -> Call {
        let (view, legal, key) = (state.view(seat), state.legal_calls(), Key::from_bits(0));
        if self.by_table[seat.team().index()] {
            self.table.call(&view, &legal, key)
        } else {
            self.rules.call(&view, &legal, key)
        }
    }
}

impl Played {
    pub(super) fn new(rules: &RuleSet, secrets: Secrets, index: u64) -> Self {
        let deal = dealt(rules, secrets, index);
        let outcomes = Outcomes::of(rules, &deal);
        Self { rules: *rules, deal, outcomes, key: secrets.key(Purpose::Experiment, index, 0) }
    }

    /// Returns solved and played points of each strain and side, by kind of strain; none in the turn-up game.
    pub(super) fn solved(&self, solver: &mut Solver) -> Vec<(usize, Pair)> {
        let (rules, hands) = (&self.rules, *self.deal.hands());
        let mut pairs = Vec::new();
        let strains = Strain::ALL.into_iter().filter(|strain| rules.allows_strain(*strain));
        for strain in strains.filter(|_| self.deal.turned().is_none()) {
            let play = PlayState::new(&rules.play, strain, hands, self.deal.dealer().next());
            let open = LeaderPoints::of(solver, rules, &play);
            for team in Team::ALL {
                let [one, other] = team.seats();
                let Some(result) = self.outcomes.of_strain(strain, one) else { continue };
                let best = (open.points[team], open.slam == Some(team));
                let all = result.tricks[one] + result.tricks[other] == 8;
                pairs.push((kind(strain), Pair { solved: best, played: (result.card_points[team], all) }));
            }
        }
        pairs
    }

    /// Seats the bidders for a round: `rules` in the first one, later mostly the table against itself.
    fn seat(&self, bidders: &mut Bidders, round: u64) {
        bidders.by_table = match (round, self.key.and(100 + round).below(3)) {
            (0, _) => [false, false],
            (_, 0) => [false, true],
            (_, 1) => [true, false],
            _ => [true, true],
        };
    }

    /// Bids an auction with occasional random calls, and returns the states at turns worth learning from: those
    /// before which the others' calls were not random.
    fn auction(&self, bidders: &mut Bidders, model: &mut Model, round: u64) -> Vec<(Seat, DealState)> {
        let mut state = DealState::new(&self.rules, &self.deal);
        let (mut turns, mut strayed) = (Vec::new(), BySeat([false; 4]));
        let mut count = 0u64;
        while let Turn::Call(seat) = state.turn() {
            let meant = Seat::ALL.into_iter().all(|other| other == seat || !strayed[other]);
            if meant && bidders.learns(seat, round) {
                turns.push((seat, state.clone()));
            }
            let key = self.key.and(round).and(count);
            count += 1;
            let mut call = bidders.call(&state, seat);
            if key.happens(STRAYS) {
                let options = model.consider(&bidding(&state, seat), &state.legal_calls());
                let stray = options.get(key.and(1).below(options.len().max(1))).map(|option| option.call);
                if let Some(stray) = stray.filter(|stray| *stray != call) {
                    (call, strayed[seat]) = (stray, true);
                }
            }
            if state.call(call).is_err() {
                break;
            }
        }
        turns
    }

    /// Returns what each seat knew at each turn of an auction.
    pub(super) fn points_rows(
        &self,
        bidders: &mut Bidders,
        model: &mut Model,
        round: u64,
        rows: &mut Vec<PointsRow>,
    ) {
        self.seat(bidders, round);
        for (seat, state) in &self.auction(bidders, model, round) {
            for input in PointsInput::all(&bidding(state, *seat)) {
                let declarer = if input.role == Role::Defence { seat.next() } else { *seat };
                rows.extend(self.points_row(input, declarer));
            }
        }
    }

    fn points_row(&self, input: PointsInput, declarer: Seat) -> Option<PointsRow> {
        let result = self.outcomes.of_strain(input.strain, declarer)?;
        let team = declarer.team();
        let melds = self.rules.melds.enabled && self.rules.melds.counts_for_contract;
        let [own, other] = [team, team.other()].map(|team| {
            let melds = if melds { result.melds[team] } else { 0 };
            i32::from(result.card_points[team] + result.belote[team] + melds)
        });
        let points = if input.role == Role::Take { 81 + (own - other).div_euclid(2) } else { own };
        let tricks = team.seats().map(|seat| result.tricks[seat]);
        Some(PointsRow {
            input,
            points: i16::try_from(points).unwrap_or_default(),
            all_tricks: tricks[0] + tricks[1] == 8,
            alone: tricks.contains(&8),
            melds: self.rules.melds.enabled.then(|| {
                let melds = Melds::best(&self.rules.melds, input.hand);
                (meld_class(melds.points(&self.rules.melds)), result.melds[team])
            }),
        })
    }

    /// Tries other calls at some turns of an auction.
    pub(super) fn gain_rows(
        &self,
        bidders: &mut Bidders,
        model: &mut Model,
        round: u64,
        rows: &mut Vec<GainRow>,
    ) {
        self.seat(bidders, round);
        let states = self.auction(bidders, model, round);
        let key = self.key.and(200 + round);
        let first = key.below(states.len().max(1));
        let turns = states.iter().cycle().skip(first).take(TURNS.min(states.len()));
        for (turn, (seat, state)) in turns.enumerate() {
            self.try_calls(bidders, model, (*seat, state), key.and(turn as u64), rows);
        }
    }

    /// Tries other calls at one turn.
    fn try_calls(
        &self,
        bidders: &mut Bidders,
        model: &mut Model,
        (seat, state): (Seat, &DealState),
        key: Key,
        rows: &mut Vec<GainRow>,
    ) {
        let options = model.consider(&bidding(state, seat), &state.legal_calls()).to_vec();
        let Some(pass) = options.first() else { return };
        let passed = self.finish(bidders, state, pass.call, seat.team());
        for option in tried(&options, key) {
            let gain = self.finish(bidders, state, option.call, seat.team()) - passed;
            rows.push(GainRow { weights: option.context.weights(&self.rules), terms: option.terms, gain });
        }
    }

    /// Makes a call, completes the auction, and returns a team's net score.
    fn finish(&self, bidders: &mut Bidders, state: &DealState, call: Call, team: Team) -> f32 {
        let (mut state, mut next) = (state.clone(), call);
        loop {
            if state.call(next).is_err() {
                return 0.0;
            }
            let Turn::Call(seat) = state.turn() else { break };
            next = bidders.call(&state, seat);
        }
        let result = state.contract().and_then(|contract| self.outcomes.get(contract));
        net(result.map(|result| result.score(&self.rules)), team)
    }
}

pub(super) fn bidding(state: &DealState, seat: Seat) -> BiddingContext<'_> {
    BiddingContext::from(&state.view(seat))
}

/// Selects the calls to try: doubles and slams, and some of the bids.
fn tried(options: &[ConsideredCall], key: Key) -> Vec<ConsideredCall> {
    let always = |context| !matches!(context, CallContext::Open | CallContext::Raise | CallContext::Overcall);
    let (mut tried, mut bids): (Vec<ConsideredCall>, Vec<ConsideredCall>) =
        options.iter().filter(|option| !option.context.is_pass()).partition(|option| always(option.context));
    for turn in 0..TRIED as u64 {
        if !bids.is_empty() {
            tried.push(bids.swap_remove(key.and(1 + turn).below(bids.len())));
        }
    }
    tried
}
