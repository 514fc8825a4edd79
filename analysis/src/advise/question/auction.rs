//! The auction so far.

use coinche_engine::{Auction, AuctionTurn, Call, Card, LegalCalls, RuleSet, Seat};

use super::{Asked, Checked, QuestionError, words};
use crate::typed::{bids, next_call};

/// Makes the calls, starting at the dealer's left. Offers of an any-time coinche are declined unless the next
/// call answers one, or the advised seat has an offer.
pub(super) fn speak(rules: &RuleSet, asked: &Asked<'_>, turned: Option<Card>) -> Checked<Auction> {
    let mut auction = Auction::new(rules, asked.dealer, turned.map(Card::suit));
    for (at, (seat, call)) in read(asked.auction)?.into_iter().enumerate() {
        let at = at + 1;
        decline(&mut auction, |asked, wanted| call == wanted && seat.is_none_or(|seat| seat == asked))?;
        let Some(turn) = auction.state().turn().seat() else {
            let how = auction.state().contract();
            return Err(QuestionError::AfterTheEnd { at, call, how });
        };
        if let Some(seat) = seat.filter(|seat| *seat != turn) {
            return Err(QuestionError::OutOfTurn { at, seat, call, turn });
        }
        let legal = auction.state().legal_calls();
        auction.call(call).map_err(|error| QuestionError::IllegalCall { at, seat: turn, error, legal })?;
    }
    let offered = asked.offered;
    decline(&mut auction, |asked, _| offered == Some(asked))?;
    match (offered, auction.state().turn()) {
        (Some(seat), AuctionTurn::OfferCoinche(asked) | AuctionTurn::OfferSurcoinche(asked))
            if asked == seat => {}
        (Some(seat), _) => return Err(QuestionError::NoOffer(seat)),
        (None, _) => {}
    }
    Ok(auction)
}

/// Declines offers until the advised seat has one.
fn decline(auction: &mut Auction, takes: impl Fn(Seat, Call) -> bool) -> Checked {
    loop {
        let (seat, call) = match auction.state().turn() {
            AuctionTurn::OfferCoinche(seat) => (seat, Call::Coinche),
            AuctionTurn::OfferSurcoinche(seat) => (seat, Call::Surcoinche),
            AuctionTurn::Speak(_) | AuctionTurn::Over => return Ok(()),
        };
        if takes(seat, call) {
            return Ok(());
        }
        auction.call(Call::Pass).map_err(coinche_engine::observation::ObservationError::from)?;
    }
}

/// Parses calls, each with its seat if one is named, as in `3:X`.
fn read(text: &str) -> Checked<Vec<(Option<Seat>, Call)>> {
    let mut calls = Vec::new();
    let mut words: Vec<&str> = words(text).collect();
    let mut rest = &mut words[..];
    while let Some(word) = rest.first_mut() {
        let at = calls.len() + 1;
        let seat = match word.split_once(':') {
            Some((seat, call)) => {
                let seat = seat.parse().map_err(|error| QuestionError::CallSeat { at, error })?;
                *word = call;
                Some(seat)
            }
            None => None,
        };
        // A seat can only be named before another call.
        let end = rest.iter().position(|word| word.contains(':')).unwrap_or(rest.len());
        let (n, call) = next_call(&rest[..end.max(1)]);
        calls.push((seat, call.map_err(|error| QuestionError::Call { at, error })?));
        rest = &mut rest[n..];
    }
    Ok(calls)
}

/// Lists legal calls briefly: bids by their lowest and highest value.
pub(super) fn in_short(legal: &LegalCalls) -> String {
    let mut parts: Vec<String> =
        legal.iter().filter(|call| !matches!(call, Call::Bid(_))).map(|call| call.to_string()).collect();
    if let Some((low, high, strains)) = bids(legal) {
        let strains: Vec<_> = strains.map(|strain| strain.to_string()).collect();
        parts.push(format!("bids from {low} to {high} in {}", strains.join(" ")));
    }
    if parts.is_empty() { "nothing".to_owned() } else { parts.join(", ") }
}
