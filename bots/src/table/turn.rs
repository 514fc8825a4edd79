//! One turn of the auction: the calls that are worth a thought.

use coinche_engine::{Bid, BidValue, Call, CardSet, Contract, Goal, LegalCalls, Rank, Seat, Stake, Strain};

use super::advantage::{CallContext, Common, Terms, of_bid, of_double, of_pass, weigh};
use super::auction::AuctionSummary;
use super::context::BiddingContext;
use super::input::PointsInput;
use super::melds::ExpectedMelds;
use super::model::{ConsideredCall, Model};
use super::payoff::{Payoff, Payoffs};
use super::points::{Points, float};

/// The help, in points, with which a hand makes the signal pass.
const SIGNAL: f32 = 25.0;
/// How far below what a bid needs the expectation may be, in tenths of points, for it to be considered.
const FAR_BELOW: i32 = 450;
/// How many levels of a strain are considered at most.
const LEVELS: usize = 9;

/// A bid that a side could make, as far as its gain goes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Prospect {
    pub(super) strain: Strain,
    /// The points expected.
    pub(super) mean: f32,
    /// The points needed.
    pub(super) needs: f32,
    pub(super) chance: f32,
    /// What it is expected to score, net.
    pub(super) score: f32,
    /// How many levels it is above the lowest that is legal.
    pub(super) jump: f32,
    /// Whether no number can be bid over it.
    pub(super) highest: f32,
    /// Whether the partner has bid the strain.
    pub(super) of_partner: f32,
    /// Whether this seat has bid the strain.
    pub(super) repeated: f32,
    /// Whether the opponents have.
    pub(super) against: f32,
    pub(super) no_trump: f32,
    pub(super) all_trump: f32,
}

/// One strain in which the own side could declare.
#[derive(Debug, Clone, Copy)]
pub(super) struct Candidate {
    strain: Strain,
    mean: i32,
    points: Points,
}

fn flag(holds: bool) -> f32 {
    if holds { 1.0 } else { 0.0 }
}

/// Aces and guarded tens, in points: what helps any contract of the partner's.
fn help(hand: CardSet) -> f32 {
    let (aces, tens) = (hand & CardSet::rank(Rank::Ace), hand & CardSet::rank(Rank::Ten));
    let guarded = tens.into_iter().filter(|ten| hand.of(ten.suit()).len() > 1).count();
    float(i32::try_from(13 * aces.len() + 6 * guarded).unwrap_or_default())
}

/// One turn of the auction.
pub(super) struct Turn<'a> {
    pub(super) model: &'a Model,
    pub(super) payoffs: &'a Payoffs,
    pub(super) bidding: &'a BiddingContext<'a>,
    pub(super) legal: &'a LegalCalls,
    pub(super) summary: AuctionSummary,
}

impl Turn<'_> {
    /// The strains in which the own side could declare.
    fn candidates(&self, candidates: &mut Vec<Candidate>, strains: impl Iterator<Item = Strain>) {
        for strain in strains {
            let input = PointsInput::new(self.bidding, &self.summary, true, strain);
            if input.is_candidate() {
                let mean = self.model.mean(&input);
                let points = self.model.table().spreads[input.spread].at(mean);
                candidates.push(Candidate { strain, mean, points });
            }
        }
    }

    fn others(&self) -> [Seat; 2] {
        [self.bidding.seat.next(), self.bidding.seat.plus(3)]
    }

    fn common(&self, last: bool) -> Common {
        Common {
            last: flag(last),
            partner_passed: flag(self.summary.has_passed(self.bidding.seat.partner())),
            others_passed: self.others().iter().map(|seat| flag(self.summary.has_passed(*seat))).sum(),
            help: help(self.bidding.hand) / 10.0,
            best: [-2.0; 2],
            ..Common::default()
        }
    }

    /// Notes the two best strains.
    fn note_best(common: &mut Common, strain: Strain, score: f32) {
        let score = (score / 100.0).clamp(-2.0, 4.0);
        if score > common.best[0] {
            common.best[1] = common.best[0];
            common.best[0] = score;
            common.best_strain = strain.index();
        } else if score > common.best[1] {
            common.best[1] = score;
        }
    }

    fn prospect(
        &self,
        candidate: &Candidate,
        payoff: &Payoff,
        melds: ExpectedMelds,
        (jump, highest): (usize, bool),
    ) -> Prospect {
        let (chance, score) = payoff.expect(&candidate.points, melds);
        let (me, strain) = (self.bidding.seat, candidate.strain);
        let opener = self.summary.opener(me, strain);
        Prospect {
            strain,
            mean: float(candidate.mean) / 10.0,
            needs: float(payoff.needs),
            chance,
            score,
            jump: float(i32::try_from(jump).unwrap_or_default()),
            highest: flag(highest),
            of_partner: flag(self.summary.partner_has_told(strain)),
            repeated: flag(opener == Some(me)),
            against: flag(self.summary.opener(me.next(), strain).is_some()),
            no_trump: flag(strain == Strain::NoTrump),
            all_trump: flag(strain == Strain::AllTrump),
        }
    }

    fn gain(&self, context: CallContext, terms: &Terms) -> f32 {
        weigh(&self.model.table().gains[context.weights(self.bidding.rules)], terms)
    }

    /// The turn-up game: to take, or to name a suit.
    pub(super) fn consider_takes(
        &self,
        considered: &mut Vec<ConsideredCall>,
        candidates: &mut Vec<Candidate>,
    ) {
        let Some(turned) = self.bidding.turned else { return };
        let melds = self.model.melds(self.bidding, self.bidding.cards(), true);
        self.candidates(candidates, Strain::SUITS.into_iter());
        let mut common = self.common(false);
        let Some(payoff) = self.payoffs.get(Goal::Majority, Stake::Plain) else { return };
        for candidate in &*candidates {
            let (_, score) = payoff.expect(&candidate.points, melds);
            Self::note_best(&mut common, candidate.strain, score);
        }
        let to_leader = self.bidding.seat.distance_to(self.bidding.dealer.next());
        common.last = flag(to_leader == 1);
        common.others_passed = float(i32::try_from((4 - to_leader) % 4).unwrap_or_default());
        considered.push(self.pass(&common, None));
        for candidate in &*candidates {
            let Some(suit) = candidate.strain.trump() else { continue };
            let (call, context) = if suit == turned.suit() {
                (Call::Take, CallContext::Take)
            } else {
                (Call::TakeIn(suit), CallContext::TakeIn)
            };
            if self.legal.contains(call) {
                let prospect = self.prospect(candidate, payoff, melds, (0, false));
                considered.push(self.option(&common, call, context, &prospect, candidate.mean));
            }
        }
    }

    /// A pass, with what it leaves standing.
    fn pass(&self, common: &Common, standing: Option<(f32, f32, i32)>) -> ConsideredCall {
        let silent = !self.summary.has_bid(self.bidding.seat) && !self.summary.has_spoken();
        let waits = silent && self.legal.contains(Call::Wait) && help(self.bidding.hand) >= SIGNAL;
        let (chance, _, mean) = standing.unwrap_or_default();
        ConsideredCall {
            call: if waits { Call::Wait } else { Call::Pass },
            context: if self.bidding.turned.is_some() { CallContext::Leave } else { CallContext::Pass },
            gain: 0.0,
            chance,
            mean,
            terms: of_pass(common),
        }
    }

    fn option(
        &self,
        common: &Common,
        call: Call,
        context: CallContext,
        prospect: &Prospect,
        mean: i32,
    ) -> ConsideredCall {
        let terms = of_bid(common, prospect);
        let gain = self.gain(context, &terms);
        ConsideredCall { call, context, gain, chance: prospect.chance, mean, terms }
    }

    /// The auction of full deals.
    pub(super) fn consider_calls(
        &self,
        considered: &mut Vec<ConsideredCall>,
        candidates: &mut Vec<Candidate>,
    ) {
        let (me, hand) = (self.bidding.seat, self.bidding.hand);
        let contract = self.bidding.auction.state().contract();
        let ours = contract.is_some_and(|contract| contract.declarer.team() == me.team());
        let standing = contract.and_then(|contract| self.model.expect(self.bidding, &self.summary, contract));
        let mut common = self.common(self.summary.passes == if contract.is_some() { 2 } else { 3 });
        if let Some((chance, score, _)) = standing {
            common.standing_chance = chance;
            common.standing = if ours { score } else { -score } / 100.0;
            common.ours = flag(ours);
            common.doubled = flag(contract.is_some_and(|contract| contract.stake != Stake::Plain));
        }
        let melds = self.model.melds(self.bidding, hand, true);
        if let Some(lowest) = self.legal.lowest_value() {
            let rules = self.bidding.rules;
            let strains = Strain::ALL.into_iter().filter(|strain| rules.allows_strain(*strain));
            self.candidates(candidates, strains);
            if let Some(payoff) = self.payoffs.get(Goal::Bid(lowest), Stake::Plain) {
                for candidate in &*candidates {
                    let (_, score) = payoff.expect(&candidate.points, melds);
                    Self::note_best(&mut common, candidate.strain, score);
                }
            }
        }
        considered.push(self.pass(&common, standing));
        if let (Some(contract), Some(standing)) = (contract, standing) {
            self.consider_doubles(considered, &common, contract, standing);
        }
        let context = match contract {
            None => CallContext::Open,
            Some(_) if ours => CallContext::Raise,
            Some(_) => CallContext::Overcall,
        };
        for candidate in candidates.iter().filter(|candidate| self.legal.has_strain(candidate.strain)) {
            self.consider_bids(considered, &common, candidate, context, melds);
        }
    }

    /// Coinche and surcoinche of the standing contract.
    fn consider_doubles(
        &self,
        considered: &mut Vec<ConsideredCall>,
        common: &Common,
        contract: Contract,
        (chance, _, mean): (f32, f32, i32),
    ) {
        let (call, context, stake) = if self.legal.contains(Call::Coinche) {
            (Call::Coinche, CallContext::Coinche, Stake::Coinche)
        } else if self.legal.contains(Call::Surcoinche) {
            (Call::Surcoinche, CallContext::Surcoinche, Stake::Surcoinche)
        } else {
            return;
        };
        let doubled = Contract { stake, ..contract };
        let Some((_, score, _)) = self.model.expect(self.bidding, &self.summary, doubled) else { return };
        let score = if context == CallContext::Coinche { -score } else { score };
        let worth = float(i32::from(contract.worth(self.bidding.rules)));
        let terms = of_double(common, score / 100.0 - common.standing, worth / 100.0);
        let gain = self.gain(context, &terms);
        considered.push(ConsideredCall { call, context, gain, chance, mean, terms });
    }

    /// The bids in one strain.
    fn consider_bids(
        &self,
        considered: &mut Vec<ConsideredCall>,
        common: &Common,
        candidate: &Candidate,
        context: CallContext,
        melds: ExpectedMelds,
    ) {
        let highest = self.legal.values().take_while(|value| *value < BidValue::CAPOT).last();
        for (jump, value) in self.legal.values().enumerate() {
            let is_slam = value >= BidValue::CAPOT;
            let Some(payoff) = self.payoffs.get(Goal::Bid(value), Stake::Plain) else { continue };
            if !is_slam && (jump >= LEVELS || 10 * payoff.needs > candidate.mean + FAR_BELOW) {
                continue;
            }
            let prospect = self.prospect(candidate, payoff, melds, (jump, Some(value) == highest));
            if is_slam && prospect.chance < 0.1 {
                continue;
            }
            let call = Call::Bid(Bid::new(value, candidate.strain));
            let context = if is_slam { CallContext::Slam } else { context };
            considered.push(self.option(common, call, context, &prospect, candidate.mean));
        }
    }
}
