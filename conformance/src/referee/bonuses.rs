//! Checks the belotes and melds of a record.

use crate::cards::{Card, Rank, Strain, Suit, hand_text, parse_hand};
use crate::melds::{Meld, choices, contest};
use crate::options::{AllTrumpBelote, Announce};
use crate::record::{Record, RecordMeld};
use crate::rules::Rules;

/// The seat that holds king and queen of a suit, if one does.
pub(crate) fn belote_holder(hands: &[Vec<Card>], suit: Suit) -> Option<usize> {
    let king = Card { suit, rank: Rank::King };
    let queen = Card { suit, rank: Rank::Queen };
    hands.iter().position(|hand| hand.contains(&king) && hand.contains(&queen))
}

/// Every belote there is, as holder and suit.
pub(crate) fn belotes(rules: &Rules, strain: Strain, hands: &[Vec<Card>]) -> Vec<(usize, Suit)> {
    let suits = match strain {
        _ if !rules.belote.scored && !rules.belote.counts_for_contract => Vec::new(),
        Strain::Suit(trump) => vec![trump],
        Strain::NoTrump => Vec::new(),
        Strain::AllTrump => match rules.belote.all_trump {
            AllTrumpBelote::None => Vec::new(),
            AllTrumpBelote::EachSuit | AllTrumpBelote::NoDiscard => Suit::ALL.to_vec(),
        },
    };
    suits.into_iter().filter_map(|suit| belote_holder(hands, suit).map(|seat| (seat, suit))).collect()
}

/// Whether the first card that is played of a belote is a discard, with which it cannot be announced where the rules say so.
pub(crate) fn is_discarded(rules: &Rules, strain: Strain, record: &Record, suit: Suit) -> bool {
    if rules.belote.all_trump != AllTrumpBelote::NoDiscard || strain != Strain::AllTrump {
        return false;
    }
    let is_of_belote = |text: &String| {
        text.parse()
            .is_ok_and(|card: Card| card.suit == suit && [Rank::King, Rank::Queen].contains(&card.rank))
    };
    let led_in_suit = |text: &String| text.parse().is_ok_and(|card: Card| card.suit == suit);
    let first = record.tricks.iter().find(|trick| trick.cards.iter().any(is_of_belote));
    first.is_some_and(|trick| !trick.cards.first().is_some_and(led_in_suit))
}

/// Points of the announced belotes, by team.
pub(super) fn belote_points(
    rules: &Rules,
    strain: Strain,
    record: &Record,
    hands: &[Vec<Card>],
    faults: &mut Vec<String>,
) -> [i32; 2] {
    let right = belotes(rules, strain, hands);
    // The belote of a trump suit is in `belote`, those of TA are in `belotes`.
    let mut said: Vec<(usize, Option<Suit>, bool)> = Vec::new();
    for belote in &record.belotes {
        let suit = belote.suit.chars().next().and_then(Suit::from_letter);
        said.push((belote.seat, suit, belote.announced));
    }
    match strain {
        Strain::Suit(trump) => {
            if !said.is_empty() {
                faults.push("belotes: there are some, and the strain is not TA".to_owned());
            }
            said = record.belote.iter().map(|b| (b.seat, Some(trump), b.announced)).collect();
        }
        Strain::NoTrump | Strain::AllTrump => {
            if record.belote.is_some() {
                faults.push(format!("belote: there is none in {strain}"));
            }
        }
    }

    let mut points = [0, 0];
    for &(seat, suit) in &right {
        match said.iter().find(|one| one.1 == Some(suit)) {
            None => faults.push(format!("belote: seat {seat} holds that of {suit:?}, the record has none")),
            Some(&(other, _, announced)) => {
                if other != seat {
                    faults.push(format!("belote: seat {seat} holds that of {suit:?}, not seat {other}"));
                }
                let discarded = is_discarded(rules, strain, record, suit);
                if announced && discarded {
                    faults.push(format!(
                        "belote: seat {seat} discards the first card of {suit:?}, and may not announce it"
                    ));
                }
                if !announced && !discarded && rules.belote.announce == Announce::Automatic {
                    faults.push(format!("belote: seat {seat} must announce it"));
                }
                if announced {
                    points[seat % 2] += 20;
                }
            }
        }
    }
    for (index, (seat, suit, _)) in said.iter().enumerate() {
        if !right.iter().any(|one| Some(one.1) == *suit) {
            faults.push(format!("belote: nobody holds both cards, the record says seat {seat}"));
        }
        if said[..index].iter().any(|one| one.1 == *suit) {
            faults.push("belotes: a suit is there twice".to_owned());
        }
    }
    points
}

fn read_meld(meld: &RecordMeld) -> Result<Meld, String> {
    let mut cards = parse_hand(&meld.cards).map_err(|error| format!("melds: {error}"))?;
    cards.sort_unstable();
    Ok(Meld { kind: meld.kind, cards, points: meld.points })
}

/// Points of the melds that count, by team.
pub(super) fn meld_points(
    rules: &Rules,
    strain: Strain,
    record: &Record,
    hands: &[Vec<Card>],
    faults: &mut Vec<String>,
) -> [i32; 2] {
    let mut announced: Vec<(usize, Meld)> = Vec::new();
    for meld in &record.melds {
        match read_meld(meld) {
            Ok(read) => announced.push((meld.seat, read)),
            Err(fault) => {
                faults.push(fault);
                return [0, 0];
            }
        }
    }
    for (seat, hand) in hands.iter().enumerate() {
        let said: Vec<&Meld> = announced.iter().filter(|one| one.0 == seat).map(|one| &one.1).collect();
        let possible = choices(rules, strain, hand);
        let same =
            |choice: &Vec<Meld>| choice.len() == said.len() && choice.iter().all(|meld| said.contains(&meld));
        if !possible.iter().any(same) {
            faults.push(format!(
                "melds: seat {seat} announces [{}], may announce {}",
                said.iter().map(|meld| hand_text(&meld.cards)).collect::<Vec<_>>().join(", "),
                possible.iter().map(|choice| choice_text(choice)).collect::<Vec<_>>().join(" or ")
            ));
        }
    }
    let counts = contest(rules, strain, (record.dealer + 1) % 4, &announced);
    let mut points = [0, 0];
    for ((meld, (seat, read)), counted) in record.melds.iter().zip(&announced).zip(counts) {
        if meld.counts != counted {
            faults.push(format!(
                "melds: {} of seat {seat} counts: the record says {}, the rules {counted}",
                hand_text(&read.cards),
                meld.counts
            ));
        }
        if counted {
            points[seat % 2] += read.points;
        }
    }
    points
}

fn choice_text(choice: &[Meld]) -> String {
    let melds: Vec<String> =
        choice.iter().map(|meld| format!("{} ({})", hand_text(&meld.cards), meld.points)).collect();
    format!("[{}]", melds.join(", "))
}
