//! To and from the types of the rule book.

use coinche_conformance as book;
use coinche_engine::{Call, Card, CardSet, Contract, DealResult, Meld, Rank, Seat, Stake, Strain, Suit};

pub(crate) fn to_card(card: Card) -> book::Card {
    book::Card {
        suit: book::Suit::ALL[card.suit().index()],
        rank: book::Rank::ALL[card.rank().natural_index()],
    }
}

pub(crate) fn from_card(card: book::Card) -> Card {
    Card::new(Suit::ALL[card.suit as usize], Rank::NATURAL[card.rank as usize])
}

pub(crate) fn to_cards(cards: CardSet) -> Vec<book::Card> {
    cards.natural().map(to_card).collect()
}

pub(crate) fn from_cards(cards: &[book::Card]) -> CardSet {
    cards.iter().map(|card| from_card(*card)).collect()
}

pub(crate) fn to_strain(strain: Strain) -> book::Strain {
    book::Strain::ALL[strain.index()]
}

pub(crate) fn to_contract(contract: &Contract) -> book::Contract {
    book::Contract {
        bid: contract.bid_code().parse().unwrap(),
        declarer: contract.declarer.index(),
        stake: match contract.stake {
            Stake::Plain => book::Stake::Plain,
            Stake::Coinche => book::Stake::Coinche,
            Stake::Surcoinche => book::Stake::Surcoinche,
        },
    }
}

pub(crate) fn to_deal(result: &DealResult) -> book::Deal {
    book::Deal {
        contract: to_contract(&result.contract),
        tricks: result.tricks.0.map(usize::from),
        card_points: result.card_points.0.map(i32::from),
        belote: result.belote.0.map(i32::from),
        melds: result.melds.0.map(i32::from),
    }
}

/// A meld as the rule book has it; `points` under the rules.
pub(crate) fn to_meld(meld: &Meld, points: u16) -> book::Meld {
    let kind = match meld.kind.name() {
        "tierce" => book::MeldKind::Tierce,
        "fifty" => book::MeldKind::Fifty,
        "hundred" => book::MeldKind::Hundred,
        _ => book::MeldKind::Carre,
    };
    book::Meld { kind, cards: to_cards(meld.cards), points: points.into() }
}

/// A list of calls as the rule book reads it.
pub(crate) fn to_calls(calls: &[(Seat, Call)]) -> Vec<(usize, String)> {
    calls.iter().map(|(seat, call)| (seat.index(), call.to_string())).collect()
}
