//! What is known of a call: the auction so far, and the hand.

use coinche_engine::encoding::SuitOrder;
use coinche_engine::{AuctionTurn, Call, CardSet, Goal, Ladder, LegalCalls, Stake, Strain, View};

use super::network::CALL_OUTPUTS;
use crate::net::bidding::RuleNumbers;
use crate::net::cards::public::{SECOND_PASS, said};

const AT_TURNED: usize = 32;
const AT_SAID: usize = AT_TURNED + 32;
const SAID: usize = SECOND_PASS + 1;
const AT_STRAIN: usize = AT_SAID + 4 * SAID;
const AT_STANDING: usize = AT_STRAIN + 6;
const STANDING: usize = 20;
const AT_BY: usize = AT_STANDING + STANDING;
const AT_STAKE: usize = AT_BY + 4;
const AT_DEALER: usize = AT_STAKE + 2;
const AT_STAGE: usize = AT_DEALER + 4;
const AT_RULES: usize = AT_STAGE + 3;
const AT_NUMBERS: usize = AT_RULES + 4;
/// The number of inputs; the first are the cards of the hand.
pub const CALL_INPUTS: usize = AT_NUMBERS + RuleNumbers::COUNT;

/// Writes what everybody sees before a call, from its seat.
pub(super) fn public(view: &View<'_>, order: SuitOrder, numbers: &RuleNumbers, input: &mut Vec<(u16, f32)>) {
    let mut add = |at: usize, value: f32| input.push((u16::try_from(at).unwrap_or_default(), value));
    let rules = view.rules();
    if let Some(turned) = view.turned() {
        order.rename(CardSet::only(turned)).into_iter().for_each(|card| add(AT_TURNED + card.index(), 1.0));
    }
    said(view, order, |place, what| add(AT_SAID + SAID * place + what, 1.0));
    let ladder = Ladder::new(rules);
    let auction = view.auction().state();
    if let Some(contract) = auction.contract() {
        add(AT_STRAIN + order.strain_slot(contract.strain), 1.0);
        if let Goal::Bid(value) = contract.goal {
            let level = ladder.index_of(value).unwrap_or(STANDING);
            (0..=level.min(STANDING - 1)).for_each(|n| add(AT_STANDING + n, 1.0));
        }
        add(AT_BY + view.seat().distance_to(contract.declarer), 1.0);
        match contract.stake {
            Stake::Plain => {}
            Stake::Coinche => add(AT_STAKE, 1.0),
            Stake::Surcoinche => add(AT_STAKE + 1, 1.0),
        }
    }
    add(AT_DEALER + view.seat().distance_to(view.dealer()), 1.0);
    match auction.turn() {
        AuctionTurn::OfferCoinche(_) => add(AT_STAGE, 1.0),
        AuctionTurn::OfferSurcoinche(_) => add(AT_STAGE + 1, 1.0),
        _ if auction.is_second_round() => add(AT_STAGE + 2, 1.0),
        _ => {}
    }
    if rules.melds.enabled {
        add(AT_RULES, 1.0);
    }
    if view.turned().is_some() {
        add(AT_RULES + 1, 1.0);
    }
    for (n, value) in numbers.values().into_iter().enumerate() {
        add(AT_NUMBERS + n, value);
    }
}

/// Returns the outputs of the calls that are legal.
pub(super) fn legal(view: &View<'_>, legal: &LegalCalls, order: SuitOrder) -> u128 {
    let mut outputs = 0;
    for at in 0..legal.len() {
        if let Some(call) = legal.nth(at) {
            outputs |= 1 << output(view, call, order);
        }
    }
    outputs
}

/// Returns the output of a call.
pub(super) fn output(view: &View<'_>, call: Call, order: SuitOrder) -> usize {
    let of = |strain: Strain, level: usize| 3 + 20 * order.strain_slot(strain) + level.min(19);
    let at = match call {
        Call::Pass | Call::Wait => 0,
        Call::Coinche => 1,
        Call::Surcoinche => 2,
        Call::Bid(bid) => {
            let level = Ladder::new(view.rules()).index_of(bid.value).unwrap_or_default();
            of(bid.strain, level)
        }
        Call::Take => view.turned().map_or(0, |card| of(Strain::of(card.suit()), 0)),
        Call::TakeIn(suit) => of(Strain::of(suit), 1),
    };
    debug_assert!(at < CALL_OUTPUTS);
    at
}
