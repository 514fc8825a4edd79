//! From a hand and an auction to what every call is worth.

use std::borrow::Cow;

use coinche_engine::{
    Bid, BidValue, Call, CardSet, Contract, Goal, LegalCalls, Melds, Rank, Seat, Stake, Strain, Suit,
};

use super::advantage::{Common, Context, Terms, gain, of_bid, of_double};
use super::file::{Table, meld_class};
use super::holding::{Role, is_trump_suit, kind, suit_byte};
use super::payoff::{ExpectedMelds, Payoff, Payoffs};
use super::points::{Points, float};
use super::told::{Hearing, Reading, Told, told_of_take};

/// The help, in points, with which a hand makes the signal pass.
const SIGNAL: f32 = 25.0;
/// How far below what a bid needs the expectation may be, in tenths of points, for it to be considered.
const FAR_BELOW: i32 = 450;
/// How many levels of a strain are considered at most.
const LEVELS: usize = 8;

/// What bears on the points of a side in a strain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Evidence {
    /// The strain.
    pub strain: Strain,
    /// What the seat is to the contract.
    pub role: Role,
    /// The cards that count: in the turn-up game with the turned one.
    pub hand: CardSet,
    /// What the auction has told.
    pub told: Told,
    /// The number of the distribution of points.
    pub spread: usize,
}

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
    /// Whether the partner has bid the strain.
    pub(super) of_partner: f32,
    /// Whether this seat has bid the strain.
    pub(super) repeated: f32,
    /// Whether the opponents have.
    pub(super) against: f32,
    pub(super) no_trump: f32,
    pub(super) all_trump: f32,
}

/// A call that was considered.
#[derive(Debug, Clone, Copy)]
pub struct Considered {
    /// The call.
    pub call: Call,
    /// What kind of a call it is; `None` of a pass.
    pub context: Option<Context>,
    /// What it gains over a pass, in points of the deal's score, own side less other side; 0 of a pass.
    pub gain: f32,
    /// The chance that the contract is made (of a pass or a coinche: the standing one), `0..=1`.
    pub chance: f32,
    /// What the contract is expected to score, net, for the own side.
    pub score: f32,
    /// The points that the declarers are expected to make, in tenths.
    pub mean: i32,
    /// What the gain was computed from.
    pub terms: Terms,
}

/// One strain in which the own side could declare.
#[derive(Debug, Clone, Copy)]
struct Candidate {
    strain: Strain,
    mean: i32,
    points: Points,
}

/// The model behind `table`: what hands make under a rule set, and what calls gain.
///
/// To be kept and used again: it holds what contracts score under the rules of its last question.
#[derive(Debug, Clone)]
pub struct Model {
    table: Cow<'static, Table>,
    payoffs: Option<Payoffs>,
    considered: Vec<Considered>,
    candidates: Vec<Candidate>,
}

impl Default for Model {
    fn default() -> Self {
        Self::new(Cow::Borrowed(Table::built_in()))
    }
}

/// A small bonus for the tie between equal strains, which renaming the suits does not change: the holdings.
fn tie(hand: CardSet, strain: Strain) -> usize {
    strain.trump().map_or(256, |suit| suit_byte(hand, suit))
}

fn flag(holds: bool) -> f32 {
    if holds { 1.0 } else { 0.0 }
}

/// Returns what bears on the points of a side in a strain.
fn evidence(hearing: &Hearing<'_>, reading: &Reading, own_side: bool, strain: Strain) -> Evidence {
    if let Some(turned) = hearing.turned {
        let (hand, told) = (hearing.hand.with(turned), told_of_take(hearing));
        let spread = Table::spread_of(Role::Take, false, 0);
        return Evidence { strain, role: Role::Take, hand, told, spread };
    }
    let role = reading.role(own_side, strain);
    let spread = Table::spread_of(role, reading.partner_has_told(strain), kind(strain));
    Evidence { strain, role, hand: hearing.hand, told: reading.told(own_side, strain), spread }
}

/// Whether a side's points in a strain can be told from the hand: with trumps, or with the partner's bid.
fn is_candidate(evidence: &Evidence) -> bool {
    let is_suit = |suit: Suit| is_trump_suit(suit_byte(evidence.hand, suit));
    evidence.role == Role::Support || evidence.strain.trump().is_none_or(is_suit)
}

impl Model {
    /// Makes a model of a table.
    pub const fn new(table: Cow<'static, Table>) -> Self {
        Self { table, payoffs: None, considered: Vec::new(), candidates: Vec::new() }
    }

    /// Returns the table.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// Returns all evidence of a turn: for every strain that the own side could bid, and for the standing
    /// contract of the other side.
    pub fn evidence(hearing: &Hearing<'_>) -> Vec<Evidence> {
        let reading = Reading::new(hearing);
        let strains = Strain::ALL.into_iter().filter(|strain| hearing.rules.allows_strain(*strain));
        let turned = hearing.turned.map(coinche_engine::Card::suit);
        let second = hearing.auction.state().is_second_round();
        let own = strains
            .filter(|strain| turned.is_none() || (strain.trump() == turned) != second)
            .map(|strain| evidence(hearing, &reading, true, strain))
            .filter(is_candidate);
        let theirs = hearing
            .auction
            .state()
            .contract()
            .filter(|contract| contract.declarer.team() != hearing.seat.team());
        own.chain(theirs.map(|contract| evidence(hearing, &reading, false, contract.strain))).collect()
    }

    /// Returns the points, in tenths, that the declarers are expected to make.
    #[inline]
    pub fn mean(&self, evidence: &Evidence) -> i32 {
        let at = evidence.role.evaluation(kind(evidence.strain));
        let told = self.table.told[at].iter().zip(&evidence.told);
        let told: i32 = told.map(|(weight, told)| weight * i32::from(*told)).sum();
        self.table.holdings[at].value(evidence.hand, evidence.strain) + told
    }

    /// Returns the distribution of the declarers' points.
    pub fn points(&self, evidence: &Evidence) -> Points {
        self.table.spreads[evidence.spread].at(self.mean(evidence))
    }

    /// Returns the chance that a contract is made, as the seat sees it, and what it is expected to score for
    /// the declarers, less the other side's points.
    pub fn chance(&mut self, hearing: &Hearing<'_>, contract: Contract) -> Option<(f32, f32)> {
        self.prepare(hearing);
        let reading = Reading::new(hearing);
        self.expect(hearing, &reading, contract).map(|(chance, score, _)| (chance, score))
    }

    /// Chance, net score and expected points of a contract, for its declarers.
    fn expect(
        &self,
        hearing: &Hearing<'_>,
        reading: &Reading,
        contract: Contract,
    ) -> Option<(f32, f32, i32)> {
        let own_side = contract.declarer.team() == hearing.seat.team();
        let evidence = evidence(hearing, reading, own_side, contract.strain);
        let mean = self.mean(&evidence);
        let points = self.table.spreads[evidence.spread].at(mean);
        let payoff = self.payoffs.as_ref()?.get(contract.goal, contract.stake)?;
        let melds = self.melds(hearing, evidence.hand, own_side);
        let (chance, score) = payoff.expect(&points, melds);
        Some((chance, score, mean))
    }

    /// The points that the melds of a side are expected to bring when it declares.
    fn melds(&self, hearing: &Hearing<'_>, hand: CardSet, own_side: bool) -> ExpectedMelds {
        let rules = &hearing.rules.melds;
        if !rules.enabled {
            return ExpectedMelds::default();
        }
        let class = meld_class(Melds::best(rules, hand).points(rules));
        let scored = self.table.melds[usize::from(!own_side)][class];
        ExpectedMelds { scored, counted: if rules.counts_for_contract { scored } else { 0 } }
    }

    /// Prepares for the rules.
    fn prepare(&mut self, hearing: &Hearing<'_>) {
        if self.payoffs.as_ref().is_none_or(|payoffs| !payoffs.are_of(hearing.rules)) {
            self.payoffs = Some(Payoffs::new(hearing.rules));
        }
    }

    /// Considers the calls that are legal, a pass first; of the bids those that have a chance.
    ///
    /// Costs about a microsecond.
    pub fn consider(&mut self, hearing: &Hearing<'_>, legal: &LegalCalls) -> &[Considered] {
        self.prepare(hearing);
        let (mut considered, mut candidates) =
            (core::mem::take(&mut self.considered), core::mem::take(&mut self.candidates));
        considered.clear();
        candidates.clear();
        if let Some(payoffs) = &self.payoffs {
            let turn = Turn { model: self, payoffs, hearing, legal, reading: Reading::new(hearing) };
            match hearing.turned {
                Some(_) => turn.consider_takes(&mut considered, &mut candidates),
                None => turn.consider_calls(&mut considered, &mut candidates),
            }
        }
        (self.considered, self.candidates) = (considered, candidates);
        &self.considered
    }

    /// Returns the call that gains most; of equal ones a pass, then that of the longer and higher trumps.
    pub fn best(&mut self, hearing: &Hearing<'_>, legal: &LegalCalls) -> Call {
        let strain = |call: Call| match call {
            Call::Bid(bid) => Some(bid.strain),
            Call::TakeIn(suit) => Some(Strain::of(suit)),
            _ => None,
        };
        let key = |option: &Considered| strain(option.call).map(|strain| tie(hearing.hand, strain));
        let mut options = self.consider(hearing, legal).iter();
        let Some(mut best) = options.next() else { return Call::Pass };
        for option in options {
            if option.gain > best.gain
                || (option.gain >= best.gain && best.context.is_some() && key(option) > key(best))
            {
                best = option;
            }
        }
        best.call
    }

    /// Returns how likely a seat with this hand makes a call: of each call that it would consider
    /// `exp(gain / softness)`, in proportion, and a share of one in fifty for the legal calls alike.
    ///
    /// `softness` is in points of the deal's score. Costs about a microsecond.
    pub fn likelihood(
        &mut self,
        hearing: &Hearing<'_>,
        legal: &LegalCalls,
        call: Call,
        softness: f32,
    ) -> f32 {
        const ANY: f32 = 0.02;
        let count = float(i32::try_from(legal.len()).unwrap_or(i32::MAX)).max(1.0);
        let options = self.consider(hearing, legal);
        let most = options.iter().fold(0.0, |most: f32, option| most.max(option.gain));
        let (mut all, mut this) = (0.0, 0.0);
        for option in options {
            let weight = exp((option.gain - most) / softness);
            all += weight;
            // The signal pass and the pass tell little: they share.
            if option.call == call || (option.call.is_pass() && call.is_pass()) {
                this += if option.call == call { weight } else { weight / 4.0 };
            }
        }
        (1.0 - ANY) * this / all + ANY / count
    }
}

/// The exponential of a number that is not positive, the same on every machine.
fn exp(x: f32) -> f32 {
    // (1 + x / 256) to the 256th power: within a hundredth where it is not negligible.
    let mut power = (1.0 + x.max(-64.0) / 256.0).max(0.0);
    for _ in 0..8 {
        power *= power;
    }
    power
}

/// Aces and guarded tens, in points: what helps any contract of the partner's.
fn help(hand: CardSet) -> f32 {
    let (aces, tens) = (hand & CardSet::rank(Rank::Ace), hand & CardSet::rank(Rank::Ten));
    let guarded = tens.into_iter().filter(|ten| hand.of(ten.suit()).len() > 1).count();
    float(i32::try_from(13 * aces.len() + 6 * guarded).unwrap_or_default())
}

/// One turn of the auction.
struct Turn<'a> {
    model: &'a Model,
    payoffs: &'a Payoffs,
    hearing: &'a Hearing<'a>,
    legal: &'a LegalCalls,
    reading: Reading,
}

impl Turn<'_> {
    /// The strains in which the own side could declare.
    fn candidates(&self, candidates: &mut Vec<Candidate>, strains: impl Iterator<Item = Strain>) {
        for strain in strains {
            let evidence = evidence(self.hearing, &self.reading, true, strain);
            if is_candidate(&evidence) {
                let mean = self.model.mean(&evidence);
                let points = self.model.table.spreads[evidence.spread].at(mean);
                candidates.push(Candidate { strain, mean, points });
            }
        }
    }

    fn others(&self) -> [Seat; 2] {
        [self.hearing.seat.next(), self.hearing.seat.plus(3)]
    }

    fn common(&self, last: bool) -> Common {
        Common {
            last: flag(last),
            partner_passed: flag(self.reading.has_passed(self.hearing.seat.partner())),
            others_passed: self.others().iter().map(|seat| flag(self.reading.has_passed(*seat))).sum(),
            help: help(self.hearing.hand) / 10.0,
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
        jump: usize,
    ) -> Prospect {
        let (chance, score) = payoff.expect(&candidate.points, melds);
        let (me, strain) = (self.hearing.seat, candidate.strain);
        let opener = self.reading.opener(me, strain);
        Prospect {
            strain,
            mean: float(candidate.mean) / 10.0 + float(melds.counted),
            needs: float(payoff.needs),
            chance,
            score,
            jump: float(i32::try_from(jump).unwrap_or_default()),
            of_partner: flag(self.reading.partner_has_told(strain)),
            repeated: flag(opener == Some(me)),
            against: flag(self.reading.opener(me.next(), strain).is_some()),
            no_trump: flag(strain == Strain::NoTrump),
            all_trump: flag(strain == Strain::AllTrump),
        }
    }

    fn gain(&self, context: Context, terms: &Terms) -> f32 {
        gain(&self.model.table.gains[context.weights(self.hearing.rules)], terms)
    }

    /// The turn-up game: to take, or to name a suit.
    fn consider_takes(&self, considered: &mut Vec<Considered>, candidates: &mut Vec<Candidate>) {
        let Some(turned) = self.hearing.turned else { return };
        let six = self.hearing.hand.with(turned);
        let melds = self.model.melds(self.hearing, six, true);
        self.candidates(candidates, Strain::SUITS.into_iter());
        let mut common = self.common(false);
        let Some(payoff) = self.payoffs.get(Goal::Majority, Stake::Plain) else { return };
        for candidate in &*candidates {
            let (_, score) = payoff.expect(&candidate.points, melds);
            Self::note_best(&mut common, candidate.strain, score);
        }
        let to_leader = self.hearing.seat.distance_to(self.hearing.dealer.next());
        common.last = flag(to_leader == 1);
        common.others_passed = float(i32::try_from((4 - to_leader) % 4).unwrap_or_default());
        considered.push(self.pass(&common, None));
        for candidate in &*candidates {
            let Some(suit) = candidate.strain.trump() else { continue };
            let (call, context) = if suit == turned.suit() {
                (Call::Take, Context::Take)
            } else {
                (Call::TakeIn(suit), Context::TakeIn)
            };
            if self.legal.contains(call) {
                let prospect = self.prospect(candidate, payoff, melds, 0);
                considered.push(self.option(&common, call, context, &prospect, candidate.mean));
            }
        }
    }

    /// A pass, with what it leaves standing.
    fn pass(&self, common: &Common, standing: Option<(f32, f32, i32)>) -> Considered {
        let silent = !self.reading.has_bid(self.hearing.seat) && !self.reading.has_spoken();
        let waits = silent && self.legal.contains(Call::Wait) && help(self.hearing.hand) >= SIGNAL;
        let (chance, _, mean) = standing.unwrap_or_default();
        Considered {
            call: if waits { Call::Wait } else { Call::Pass },
            context: None,
            gain: 0.0,
            chance,
            score: 100.0 * common.standing,
            mean,
            terms: Terms::default(),
        }
    }

    fn option(
        &self,
        common: &Common,
        call: Call,
        context: Context,
        prospect: &Prospect,
        mean: i32,
    ) -> Considered {
        let terms = of_bid(common, prospect);
        let gain = self.gain(context, &terms);
        let (chance, score) = (prospect.chance, prospect.score);
        Considered { call, context: Some(context), gain, chance, score, mean, terms }
    }

    /// The auction of full deals.
    fn consider_calls(&self, considered: &mut Vec<Considered>, candidates: &mut Vec<Candidate>) {
        let (me, hand) = (self.hearing.seat, self.hearing.hand);
        let contract = self.hearing.auction.state().contract();
        let ours = contract.is_some_and(|contract| contract.declarer.team() == me.team());
        let standing = contract.and_then(|contract| self.model.expect(self.hearing, &self.reading, contract));
        let mut common = self.common(self.reading.passes == if contract.is_some() { 2 } else { 3 });
        if let Some((chance, score, _)) = standing {
            common.standing_chance = chance;
            common.standing = if ours { score } else { -score } / 100.0;
        }
        let melds = self.model.melds(self.hearing, hand, true);
        if let Some(lowest) = self.legal.lowest_value() {
            let rules = self.hearing.rules;
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
            None => Context::Open,
            Some(_) if ours => Context::Raise,
            Some(_) => Context::Overcall,
        };
        for candidate in &*candidates {
            self.consider_bids(considered, &common, candidate, context, melds);
        }
    }

    /// Coinche and surcoinche of the standing contract.
    fn consider_doubles(
        &self,
        considered: &mut Vec<Considered>,
        common: &Common,
        contract: Contract,
        (chance, _, mean): (f32, f32, i32),
    ) {
        let (call, context, stake) = if self.legal.contains(Call::Coinche) {
            (Call::Coinche, Context::Coinche, Stake::Coinche)
        } else if self.legal.contains(Call::Surcoinche) {
            (Call::Surcoinche, Context::Surcoinche, Stake::Surcoinche)
        } else {
            return;
        };
        let doubled = Contract { stake, ..contract };
        let Some((_, score, _)) = self.model.expect(self.hearing, &self.reading, doubled) else { return };
        let score = if context == Context::Coinche { -score } else { score };
        let worth = float(i32::from(contract.worth(self.hearing.rules)));
        let terms = of_double(common, score / 100.0 - common.standing, worth / 100.0);
        let gain = self.gain(context, &terms);
        considered.push(Considered { call, context: Some(context), gain, chance, score, mean, terms });
    }

    /// The bids in one strain.
    fn consider_bids(
        &self,
        considered: &mut Vec<Considered>,
        common: &Common,
        candidate: &Candidate,
        context: Context,
        melds: ExpectedMelds,
    ) {
        for (jump, value) in self.legal.values().enumerate() {
            let is_slam = value >= BidValue::CAPOT;
            let Some(payoff) = self.payoffs.get(Goal::Bid(value), Stake::Plain) else { continue };
            if !is_slam
                && (jump >= LEVELS || 10 * (payoff.needs - melds.counted) > candidate.mean + FAR_BELOW)
            {
                continue;
            }
            let prospect = self.prospect(candidate, payoff, melds, jump);
            if is_slam && prospect.chance < 0.1 {
                continue;
            }
            let call = Call::Bid(Bid::new(value, candidate.strain));
            let context = if is_slam { Context::Slam } else { context };
            considered.push(self.option(common, call, context, &prospect, candidate.mean));
        }
    }
}
