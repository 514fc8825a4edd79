//! Replays a deal record and says where it disagrees with the rules.

mod bonuses;
mod tricks;

pub(crate) use bonuses::{belotes, is_discarded};

use serde::Deserialize;
use serde_json::Value;

use crate::auction::{Auction, Contract, replay_listed};
use crate::cards::{Card, deck, parse_hand};
use crate::options::Method;
use crate::record::{Record, RecordContract};
use crate::rules::Rules;
use crate::score::{Deal, score_deal};

/// Checks a deal record; an empty list means that the rule book agrees with all of it.
pub fn referee(record: &Value) -> Vec<String> {
    let mut faults = Vec::new();
    match Record::deserialize(record) {
        Err(error) => faults.push(format!("record: {error}")),
        Ok(record) => {
            // A problem that leaves nothing to compare with ends the check.
            if let Err(problem) = check(&record, &mut faults) {
                faults.push(problem);
            }
        }
    }
    faults
}

fn check(record: &Record, faults: &mut Vec<String>) -> Result<(), String> {
    if record.v != 1 {
        faults.push(format!("record: version {} is not 1", record.v));
    }
    let rules = &record.rules.rules;
    seats_in_range(record)?;
    let hands = read_hands(record)?;
    let turned = read_turned(rules, record, &hands)?;
    let auction = replay_listed(rules, record.dealer, turned, &record.auction)
        .map_err(|error| format!("auction: {error}"))?;
    let Auction::Contract(contract) = auction else {
        thrown_in(rules, record, &hands, turned, faults);
        return Ok(());
    };
    hand_sizes(&hands, 8)?;
    if let Some(card) = turned
        && !hands[contract.declarer].contains(&card)
    {
        faults.push(format!("turned: the taker, seat {}, does not hold {card}", contract.declarer));
    }
    compare_contract(record.contract.as_ref(), &contract, faults)?;

    let belote = bonuses::belote_points(rules, contract.bid.strain, record, &hands, faults);
    let melds = bonuses::meld_points(rules, contract.bid.strain, record, &hands, faults);
    let play = tricks::replay(rules, contract.bid.strain, record, &hands, faults)?;

    let by_team = [play.tricks[0] + play.tricks[2], play.tricks[1] + play.tricks[3]];
    compare("tricks_won", record.tricks_won, Some(by_team), faults);
    compare("card_points", record.card_points, Some(play.card_points), faults);
    let deal = Deal { contract, tricks: play.tricks, card_points: play.card_points, belote, melds };
    let outcome = score_deal(rules, &deal);
    compare("made", record.made, Some(outcome.made), faults);
    compare("score", record.score, outcome.score, faults);
    compare("held", record.held.unwrap_or(0), outcome.held, faults);
    Ok(())
}

/// Adds a disagreement when a field of the record is not what the rules make it.
#[expect(clippy::needless_pass_by_value, reason = "most callers have values")]
fn compare<T: PartialEq + std::fmt::Debug>(what: &str, said: T, right: T, faults: &mut Vec<String>) {
    if said != right {
        faults.push(format!("{what}: the record says {said:?}, the rules {right:?}"));
    }
}

fn seats_in_range(record: &Record) -> Result<(), String> {
    let mut seats = vec![record.dealer];
    seats.extend(record.auction.iter().map(|call| call.0));
    seats.extend(record.contract.iter().map(|contract| contract.declarer));
    seats.extend(record.melds.iter().map(|meld| meld.seat));
    seats.extend(record.belote.iter().map(|belote| belote.seat));
    seats.extend(record.belotes.iter().map(|belote| belote.seat));
    seats.extend(record.tricks.iter().flat_map(|trick| [trick.leader, trick.winner]));
    match seats.into_iter().find(|&seat| seat > 3) {
        Some(seat) => Err(format!("record: there is no seat {seat}")),
        None => Ok(()),
    }
}

fn read_hands(record: &Record) -> Result<Vec<Vec<Card>>, String> {
    if record.hands.len() != 4 {
        return Err(format!("hands: {} of them, not 4", record.hands.len()));
    }
    let mut hands = Vec::new();
    for (seat, text) in record.hands.iter().enumerate() {
        hands.push(parse_hand(text).map_err(|error| format!("hands: seat {seat}: {error}"))?);
    }
    for card in deck() {
        if hands.iter().filter(|hand| hand.contains(&card)).count() > 1 {
            return Err(format!("hands: two seats hold {card}"));
        }
    }
    Ok(hands)
}

fn hand_sizes(hands: &[Vec<Card>], size: usize) -> Result<(), String> {
    match hands.iter().position(|hand| hand.len() != size) {
        Some(seat) => Err(format!("hands: seat {seat} has {} cards, not {size}", hands[seat].len())),
        None => Ok(()),
    }
}

fn read_turned(rules: &Rules, record: &Record, hands: &[Vec<Card>]) -> Result<Option<Card>, String> {
    match (rules.deal.method, &record.turned) {
        (Method::Full | Method::Split, None) => Ok(None),
        (Method::Full | Method::Split, Some(card)) => {
            Err(format!("turned: {card}, but one is turned in a turn-up deal only"))
        }
        (Method::TurnUp, None) => Err("turned: missing in a turn-up deal".to_owned()),
        (Method::TurnUp, Some(card)) => {
            let card: Card = card.parse().map_err(|error| format!("turned: {error}"))?;
            let held = hands.iter().any(|hand| hand.contains(&card));
            if record.contract.is_none() && held {
                return Err(format!("turned: {card} was dealt to a hand"));
            }
            Ok(Some(card))
        }
    }
}

fn thrown_in(
    rules: &Rules,
    record: &Record,
    hands: &[Vec<Card>],
    turned: Option<Card>,
    faults: &mut Vec<String>,
) {
    // The cards that are dealt before the auction.
    let size: u32 = rules.deal.packets.iter().sum();
    faults.extend(hand_sizes(hands, size as usize).err());
    if let Some(card) = turned
        && hands.iter().any(|hand| hand.contains(&card))
    {
        faults.push(format!("turned: {card} was dealt to a hand"));
    }
    compare("contract of a thrown-in deal", record.contract.as_ref(), None, faults);
    compare("tricks of a thrown-in deal", record.tricks.len(), 0, faults);
    compare("melds of a thrown-in deal", record.melds.len(), 0, faults);
    compare("belote of a thrown-in deal", record.belote.as_ref(), None, faults);
    compare("belotes of a thrown-in deal", record.belotes.len(), 0, faults);
    compare("tricks_won of a thrown-in deal", record.tricks_won.unwrap_or_default(), [0, 0], faults);
    compare("card_points of a thrown-in deal", record.card_points.unwrap_or_default(), [0, 0], faults);
    compare("made of a thrown-in deal", record.made, None, faults);
    compare("score of a thrown-in deal", record.score, [0, 0], faults);
    compare("held of a thrown-in deal", record.held.unwrap_or(0), 0, faults);
}

fn compare_contract(
    said: Option<&RecordContract>,
    right: &Contract,
    faults: &mut Vec<String>,
) -> Result<(), String> {
    let Some(said) = said else {
        return Err(format!("contract: the record has none, the auction ends in {}", right.bid));
    };
    compare("contract.bid", said.bid.to_ascii_uppercase(), right.bid.to_string(), faults);
    compare("contract.declarer", said.declarer, right.declarer, faults);
    compare("contract.stake", said.stake, right.stake, faults);
    Ok(())
}

#[cfg(test)]
mod tests;
