//! The calls of four bidders of a system in random deals: the rules that apply, and the share of the fallback.

use std::collections::BTreeMap;

use coinche_bots::system::{Moment, System};
use coinche_bots::{Bidder, SystemBidder};
use coinche_engine::{
    BidValue, Call, Card, Deal, DealState, Deck, Key, RuleSet, Seat, Secrets, Seed, Suit, Turn,
};
use coinche_inference::{Merge, merge};
use rayon::prelude::*;
use std::sync::Arc;

/// Counts over deals.
#[derive(Debug, Clone, Default)]
pub(crate) struct Coverage {
    pub deals: u64,
    /// Auctions with at least one call by the fallback.
    pub floor_deals: u64,
    /// Hands with at least one call by the fallback, of four in each deal.
    pub floor_hands: u64,
    pub turns: u64,
    pub floor_turns: u64,
    /// How often each rule made the call.
    pub applied: Vec<u64>,
    /// How often the condition of each rule held and its call was legal.
    pub claimed: Vec<u64>,
    /// The auctions before a turn of the fallback: their number, and how often it did not pass.
    pub uncovered: BTreeMap<String, [u64; 2]>,
}

merge! { Coverage { deals, floor_deals, floor_hands, turns, floor_turns, applied, claimed, uncovered } }

impl Coverage {
    fn of_rules(rules: usize) -> Self {
        Self { applied: vec![0; rules], claimed: vec![0; rules], ..Self::default() }
    }

    /// Returns the most frequent auctions at a turn of the fallback.
    pub(crate) fn most_uncovered(&self, count: usize) -> Vec<(&str, [u64; 2])> {
        let mut all: Vec<_> = self.uncovered.iter().map(|(text, times)| (text.as_str(), *times)).collect();
        all.sort_by_key(|(text, [times, _])| (std::cmp::Reverse(*times), *text));
        all.truncate(count);
        all
    }
}

/// What a call of a bid deal is due to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Caller {
    /// A rule, by number.
    Rule(usize),
    /// The fallback: no rule applied.
    Fallback,
    /// No other call was legal.
    Forced,
}

/// A deal that four bidders of a system have bid.
#[derive(Debug, Clone)]
pub struct BidDeal {
    /// The deal after its auction.
    pub state: DealState,
    /// What each call was due to.
    pub callers: Vec<Caller>,
}

/// Bids deals with four bidders of a system, for those who look at each.
pub fn bid(system: &Arc<System>, rules: &RuleSet, seed: &Seed, deals: u64) -> Vec<BidDeal> {
    let secrets = Secrets::from(seed);
    (0..deals).map(|index| bid_out(system, rules, &secrets, index).0).collect()
}

/// Bids deals with four bidders of a system.
pub(crate) fn cover(system: &Arc<System>, rules: &RuleSet, seed: &Seed, deals: u64) -> Coverage {
    let secrets = Secrets::from(seed);
    (0..deals)
        .into_par_iter()
        .map(|index| bid_out(system, rules, &secrets, index).1)
        .fold(Coverage::default, |sum, one| sum.merged(&one))
        .reduce(Coverage::default, |sum, other| sum.merged(&other))
}

/// Deals the cards of a number; the seats deal in turn.
pub(super) fn dealt(rules: &RuleSet, secrets: &Secrets, index: u64) -> DealState {
    let dealer = Seat::from_index(usize::try_from(index % 4).unwrap_or(0));
    DealState::new(rules, &Deal::new(&rules.deal, Deck::shuffled(*secrets, index), dealer))
}

fn bid_out(system: &Arc<System>, rules: &RuleSet, secrets: &Secrets, index: u64) -> (BidDeal, Coverage) {
    let mut state = dealt(rules, secrets, index);
    let mut bidder = SystemBidder::new(Arc::clone(system));
    let mut found = Coverage { deals: 1, ..Coverage::of_rules(system.rules().len()) };
    let (mut hands, mut callers) = ([false; 4], Vec::new());
    while let Turn::Call(seat) = state.turn() {
        let (view, legal) = (state.view(seat), state.legal_calls());
        let (call, caller) = if legal.len() == 1 {
            (Call::Pass, Caller::Forced)
        } else {
            found.turns += 1;
            let claims = system.claims(&Moment::of(&view, &legal), view.first_hand());
            for claim in &claims {
                found.claimed[claim.rule] += 1;
            }
            if let Some(first) = claims.first() {
                found.applied[first.rule] += 1;
                (first.call, Caller::Rule(first.rule))
            } else {
                found.floor_turns += 1;
                hands[seat.index()] = true;
                let call = bidder.call(&view, &legal, Key::from_bits(index));
                let times = found.uncovered.entry(auction_text(&state)).or_default();
                times[0] += 1;
                times[1] += u64::from(!call.is_pass());
                (call, Caller::Fallback)
            }
        };
        if state.call(call).is_err() {
            break;
        }
        callers.push(caller);
    }
    found.floor_hands = hands.iter().filter(|hand| **hand).count() as u64;
    found.floor_deals = u64::from(found.floor_hands > 0);
    (BidDeal { state, callers }, found)
}

/// The calls before the first.
pub(super) const FIRST: &str = "(first to speak)";

/// Names suits a, b, c and d in the order in which they are bid; a suit turned up is a.
#[derive(Debug, Clone, Default)]
pub(super) struct SuitNames(Vec<Suit>);

impl SuitNames {
    /// Names the suit turned up, if there is one, first.
    pub(super) fn of_turned(turned: Option<Suit>) -> Self {
        Self(turned.into_iter().collect())
    }

    /// Formats a call, and names its suit.
    pub(super) fn call(&mut self, call: Call) -> String {
        match call {
            Call::Bid(bid) => match bid.strain.trump() {
                Some(suit) if bid.value == BidValue::NONE => self.name(suit).to_owned(),
                Some(suit) => format!("{}{}", bid.value, self.name(suit)),
                None => bid.to_string(),
            },
            Call::TakeIn(suit) => format!("TAKE {}", self.name(suit)),
            other => other.to_string(),
        }
    }

    fn name(&mut self, suit: Suit) -> &'static str {
        let known = self.0.iter().position(|other| *other == suit);
        let at = known.unwrap_or_else(|| {
            self.0.push(suit);
            self.0.len() - 1
        });
        ["a", "b", "c", "d"][at]
    }

    /// Returns how many suits have a name.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns all suits, those with names first.
    pub(super) fn order(&self) -> [Suit; 4] {
        let mut suits = Suit::ALL;
        suits.sort_by_key(|suit| self.0.iter().position(|other| other == suit).unwrap_or(4));
        suits
    }
}

/// Formats the calls so far, with suits named a, b, c and d in the order in which they were bid.
fn auction_text(state: &DealState) -> String {
    let mut names = SuitNames::of_turned(state.deal().turned().map(Card::suit));
    let words: Vec<String> = state.auction().calls().iter().map(|(_, call)| names.call(*call)).collect();
    if words.is_empty() { FIRST.to_owned() } else { words.join(" ") }
}
