//! From a hand and an auction to what every call is worth.

use std::borrow::Cow;

use coinche_engine::{Call, CardSet, Contract, LegalCalls, Melds, Strain};

use super::advantage::{CallContext, Terms};
use super::auction::AuctionSummary;
use super::context::BiddingContext;
use super::file::BiddingTable;
use super::holding::{kind, suit_byte};
use super::input::PointsInput;
use super::melds::{ExpectedMelds, meld_class};
use super::payoff::Payoffs;
use super::turn::{Candidate, Turn};

/// A call that was considered.
#[derive(Debug, Clone, Copy)]
pub struct ConsideredCall {
    /// The call.
    pub call: Call,
    /// What kind of a call it is.
    pub context: CallContext,
    /// What it gains over a pass, in points of the deal's score, own side less other side; 0 of a pass.
    pub gain: f32,
    /// The chance that the points of the contract (of a pass or a coinche: the standing one) are reached, `0..=1`,
    /// by the hand and the calls so far. Not what is told: see [`Model::forecasts`].
    pub chance: f32,
    /// The points that the declarers are expected to make, in tenths.
    pub mean: i32,
    /// What gain and forecast are computed from.
    pub terms: Terms,
}

/// The model behind `table`: what hands make under a rule set, and what calls gain.
///
/// To be kept and used again: it holds what contracts score under the rules of its last question.
#[derive(Debug, Clone)]
pub struct Model {
    table: Cow<'static, BiddingTable>,
    payoffs: Option<Payoffs>,
    considered: Vec<ConsideredCall>,
    candidates: Vec<Candidate>,
}

impl Default for Model {
    fn default() -> Self {
        Self::new(Cow::Borrowed(BiddingTable::built_in()))
    }
}

/// A small bonus for the tie between equal strains, which renaming the suits does not change: the holdings.
pub(crate) fn tie(hand: CardSet, strain: Strain) -> usize {
    strain.trump().map_or(256, |suit| suit_byte(hand, suit))
}

impl Model {
    /// Makes a model of a table.
    pub const fn new(table: Cow<'static, BiddingTable>) -> Self {
        Self { table, payoffs: None, considered: Vec::new(), candidates: Vec::new() }
    }

    /// Returns the table.
    pub fn table(&self) -> &BiddingTable {
        &self.table
    }

    /// Returns the points, in tenths, that the declarers are expected to make.
    #[inline]
    pub fn mean(&self, input: &PointsInput) -> i32 {
        let at = input.role.evaluation(kind(input.strain));
        let weighted = self.table.told[at].iter().zip(&input.features);
        let told: i32 = weighted.map(|(weight, told)| weight * i32::from(*told)).sum();
        self.table.holdings[at].value(input.hand, input.strain) + told
    }

    /// Chance, net score and expected points of a contract, for its declarers.
    pub(super) fn expect(
        &self,
        bidding: &BiddingContext<'_>,
        summary: &AuctionSummary,
        contract: Contract,
    ) -> Option<(f32, f32, i32)> {
        let own_side = contract.declarer.team() == bidding.seat.team();
        let input = PointsInput::new(bidding, summary, own_side, contract.strain);
        let mean = self.mean(&input);
        let points = self.table.spreads[input.spread].at(mean);
        let payoff = self.payoffs.as_ref()?.get(contract.goal, contract.stake)?;
        let melds = self.melds(bidding, input.hand, own_side);
        let (chance, score) = payoff.expect(&points, melds);
        Some((chance, score, mean))
    }

    /// The points that the melds of a side are expected to bring when it declares.
    pub(super) fn melds(&self, bidding: &BiddingContext<'_>, hand: CardSet, own_side: bool) -> ExpectedMelds {
        let rules = &bidding.rules.melds;
        if !rules.enabled {
            return ExpectedMelds::default();
        }
        let class = meld_class(Melds::best(rules, hand).points(rules));
        let scored = self.table.melds[usize::from(!own_side)][class];
        let counted = match (rules.counts_for_contract, bidding.turned) {
            (false, _) => 0,
            (true, None) => scored,
            // The points of a taker are half of what they are more.
            (true, Some(_)) => scored / 2,
        };
        ExpectedMelds { scored, counted }
    }

    /// Prepares for the rules.
    fn prepare(&mut self, bidding: &BiddingContext<'_>) {
        if self.payoffs.as_ref().is_none_or(|payoffs| !payoffs.are_of(bidding.rules)) {
            self.payoffs = Some(Payoffs::new(bidding.rules));
        }
    }

    /// Considers the calls that are legal, a pass first; of the bids those that have a chance.
    ///
    /// Costs about a microsecond.
    pub fn consider(&mut self, bidding: &BiddingContext<'_>, legal: &LegalCalls) -> &[ConsideredCall] {
        self.prepare(bidding);
        let (mut considered, mut candidates) =
            (core::mem::take(&mut self.considered), core::mem::take(&mut self.candidates));
        considered.clear();
        candidates.clear();
        if let Some(payoffs) = &self.payoffs {
            let turn = Turn { model: self, payoffs, bidding, legal, summary: AuctionSummary::new(bidding) };
            match bidding.turned {
                Some(_) => turn.consider_takes(&mut considered, &mut candidates),
                None => turn.consider_calls(&mut considered, &mut candidates),
            }
        }
        (self.considered, self.candidates) = (considered, candidates);
        &self.considered
    }

    /// Returns the calls that were considered last.
    pub fn considered(&self) -> &[ConsideredCall] {
        &self.considered
    }

    /// Returns the call that gains most; of equal ones a pass, then that of the longer and higher trumps.
    pub fn best(&mut self, bidding: &BiddingContext<'_>, legal: &LegalCalls) -> Call {
        best_of(self.consider(bidding, legal), bidding.hand)
    }
}

/// Returns the call that gains most; of equal ones a pass, then that of the longer and higher trumps.
pub(crate) fn best_of<'a>(considered: impl IntoIterator<Item = &'a ConsideredCall>, hand: CardSet) -> Call {
    let strain = |call: Call| match call {
        Call::Bid(bid) => Some(bid.strain),
        Call::TakeIn(suit) => Some(Strain::of(suit)),
        _ => None,
    };
    let key = |option: &ConsideredCall| strain(option.call).map(|strain| tie(hand, strain));
    let mut options = considered.into_iter();
    let Some(mut best) = options.next() else { return Call::Pass };
    for option in options {
        if option.gain > best.gain
            || (option.gain >= best.gain && !best.context.is_pass() && key(option) > key(best))
        {
            best = option;
        }
    }
    best.call
}
