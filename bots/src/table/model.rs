//! From a hand and an auction to what every call is worth.

use std::borrow::Cow;

use coinche_engine::{Call, CardSet, Contract, LegalCalls, Melds, Strain};

use super::advantage::{Context, Terms};
use super::evidence::Evidence;
use super::file::Table;
use super::hearing::Hearing;
use super::holding::{kind, suit_byte};
use super::melds::{ExpectedMelds, meld_class};
use super::payoff::Payoffs;
use super::points::Points;
use super::told::Reading;
use super::turn::{Candidate, Turn};

/// A call that was considered.
#[derive(Debug, Clone, Copy)]
pub struct Considered {
    /// The call.
    pub call: Call,
    /// What kind of a call it is.
    pub context: Context,
    /// What it gains over a pass, in points of the deal's score, own side less other side; 0 of a pass.
    pub gain: f32,
    /// What the deal is expected to score then, own side less other side.
    pub value: f32,
    /// The chance that the contract is made (of a pass or a coinche: the standing one), `0..=1`.
    pub chance: f32,
    /// What the contract is expected to score, net, for the own side.
    pub score: f32,
    /// The points that the declarers are expected to make, in tenths.
    pub mean: i32,
    /// What the gain was computed from; of a pass the value.
    pub terms: Terms,
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

impl Model {
    /// Makes a model of a table.
    pub const fn new(table: Cow<'static, Table>) -> Self {
        Self { table, payoffs: None, considered: Vec::new(), candidates: Vec::new() }
    }

    /// Returns the table.
    pub fn table(&self) -> &Table {
        &self.table
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
    pub(super) fn expect(
        &self,
        hearing: &Hearing<'_>,
        reading: &Reading,
        contract: Contract,
    ) -> Option<(f32, f32, i32)> {
        let own_side = contract.declarer.team() == hearing.seat.team();
        let evidence = Evidence::new(hearing, reading, own_side, contract.strain);
        let mean = self.mean(&evidence);
        let points = self.table.spreads[evidence.spread].at(mean);
        let payoff = self.payoffs.as_ref()?.get(contract.goal, contract.stake)?;
        let melds = self.melds(hearing, evidence.hand, own_side);
        let (chance, score) = payoff.expect(&points, melds);
        Some((chance, score, mean))
    }

    /// The points that the melds of a side are expected to bring when it declares.
    pub(super) fn melds(&self, hearing: &Hearing<'_>, hand: CardSet, own_side: bool) -> ExpectedMelds {
        let rules = &hearing.rules.melds;
        if !rules.enabled {
            return ExpectedMelds::default();
        }
        let class = meld_class(Melds::best(rules, hand).points(rules));
        let scored = self.table.melds[usize::from(!own_side)][class];
        let counted = match (rules.counts_for_contract, hearing.turned) {
            (false, _) => 0,
            (true, None) => scored,
            // The points of a taker are half of what they are more.
            (true, Some(_)) => scored / 2,
        };
        ExpectedMelds { scored, counted }
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

    /// Returns the calls that were considered last.
    pub(super) fn considered(&self) -> &[Considered] {
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
                || (option.gain >= best.gain && best.context != Context::Pass && key(option) > key(best))
            {
                best = option;
            }
        }
        best.call
    }
}
