//! `melds-*.jsonl`: what hands may announce and what counts.

use serde::Serialize;

use super::rng::Rng;
use super::{Lines, line};
use crate::cards::{Card, Rank, Strain, Suit, deck, hand_text};
use crate::melds::{Meld, MeldKind, choices, contest};
use crate::options::MeldTie;
use crate::record::RecordMeld;
use crate::rules::NamedRules;

#[derive(Serialize)]
struct Line<'a> {
    rules: &'a NamedRules,
    strain: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    leader: Option<usize>,
    hands: Vec<String>,
    choices: Vec<Vec<Vec<MeldLine>>>,
    announced: Vec<RecordMeld>,
    points: [i32; 2],
}

#[derive(Serialize)]
struct MeldLine {
    kind: MeldKind,
    cards: String,
    points: i32,
}

/// Gives each card to the seat if it is still free and the seat has room.
fn plant(hands: &mut [Vec<Card>], seat: usize, cards: impl Iterator<Item = Card>) {
    for card in cards {
        if hands[seat].len() < 8 && !hands.iter().any(|hand| hand.contains(&card)) {
            hands[seat].push(card);
        }
    }
}

/// A deal rich in melds.
pub(super) fn rich_hands(rng: &mut Rng) -> Vec<Vec<Card>> {
    let mut hands = vec![Vec::new(); 4];
    for seat in 0..4 {
        if rng.chance(20) {
            let rank = *rng.pick(&Rank::ALL);
            plant(&mut hands, seat, Suit::ALL.into_iter().map(|suit| Card { suit, rank }));
        }
    }
    // Runs; those of both sides are often of one length and one top card.
    let mut low = rng.below(6);
    let mut length = 3 + rng.below(2);
    for _ in 0..3 {
        let suit = *rng.pick(&Suit::ALL);
        let ranks = Rank::ALL.into_iter().skip(low).take(length);
        plant(&mut hands, rng.below(4), ranks.map(|rank| Card { suit, rank }));
        if rng.chance(30) {
            low = rng.below(6);
            length = 3 + rng.below(4);
        }
    }
    fill(&mut hands, rng);
    hands
}

/// Deals the other cards.
fn fill(hands: &mut [Vec<Card>], rng: &mut Rng) {
    let mut rest: Vec<Card> =
        deck().into_iter().filter(|card| !hands.iter().any(|hand| hand.contains(card))).collect();
    rng.shuffle(&mut rest);
    for hand in hands {
        while hand.len() < 8 {
            hand.extend(rest.pop());
        }
    }
}

/// Hands for a contest that chance seldom holds: melds of equal points on both sides, one of them in trumps or a carré,
/// or of one length and one top card.
fn contest_hands(rng: &mut Rng, strain: Strain) -> Vec<Vec<Card>> {
    let mut hands = vec![Vec::new(); 4];
    let mut suits = Suit::ALL.to_vec();
    rng.shuffle(&mut suits);
    if let Strain::Suit(trump) = strain {
        suits.sort_by_key(|suit| *suit != trump);
    }
    let (seat, other) = (rng.below(4), rng.below(2));
    let other = (seat + 1 + 2 * other) % 4;
    let run = |suit: Suit, low: usize, len: usize| {
        Rank::ALL.into_iter().skip(low).take(len).map(move |rank| Card { suit, rank })
    };
    match rng.below(3) {
        // A hundred in trumps against a carré of 100.
        0 => {
            let rank = *rng.pick(&[Rank::Queen, Rank::King, Rank::Ace]);
            plant(&mut hands, other, Suit::ALL.into_iter().map(|suit| Card { suit, rank }));
            plant(&mut hands, seat, run(suits[0], 0, 5));
        }
        // Runs of one length: in trumps and not, or neither; the same top card or one less.
        kind => {
            let (len, low) = (3 + rng.below(3), rng.below(3));
            plant(&mut hands, seat, run(suits[kind - 1], low, len));
            plant(&mut hands, other, run(suits[kind], low + rng.below(2), len));
        }
    }
    fill(&mut hands, rng);
    hands
}

/// A choice of announcement for each hand, the default mostly, with what counts.
pub(super) fn announce(
    rules: &NamedRules,
    rng: &mut Rng,
    strain: crate::cards::Strain,
    leader: usize,
    hands: &[Vec<Card>],
) -> Vec<RecordMeld> {
    let mut announced: Vec<(usize, Meld)> = Vec::new();
    for (seat, hand) in hands.iter().enumerate() {
        let possible = choices(&rules.rules, strain, hand);
        let choice = if rng.chance(60) { &possible[0] } else { rng.pick(&possible) };
        announced.extend(choice.iter().map(|meld| (seat, meld.clone())));
    }
    let counts = contest(&rules.rules, strain, leader, &announced);
    announced
        .into_iter()
        .zip(counts)
        .map(|((seat, meld), counts)| RecordMeld {
            seat,
            kind: meld.kind,
            cards: hand_text(&meld.cards),
            points: meld.points,
            counts,
        })
        .collect()
}

/// Points of the melds that count, by team.
pub(super) fn counted(announced: &[RecordMeld]) -> [i32; 2] {
    let of =
        |team: usize| announced.iter().filter(|m| m.counts && m.seat % 2 == team).map(|m| m.points).sum();
    [of(0), of(1)]
}

pub(super) fn write(rules: &NamedRules, rng: &mut Rng, size: usize, lines: &mut Lines) {
    if !rules.rules.melds.enabled {
        return;
    }
    for number in 0..size + size.div_ceil(3) {
        let strain = *rng.pick(&rules.rules.strains());
        let hands = if number < size { rich_hands(rng) } else { contest_hands(rng, strain) };
        // Else who leads says nothing of the contest.
        let leader = (rules.rules.melds.tie == MeldTie::First).then(|| rng.below(4));
        let announced = announce(rules, rng, strain, leader.unwrap_or(0), &hands);
        let of_hand = |hand: &Vec<Card>| -> Vec<Vec<MeldLine>> {
            choices(&rules.rules, strain, hand)
                .iter()
                .map(|choice| {
                    choice
                        .iter()
                        .map(|m| MeldLine { kind: m.kind, cards: hand_text(&m.cards), points: m.points })
                        .collect()
                })
                .collect()
        };
        lines.push(line(&Line {
            rules,
            strain: strain.to_string(),
            leader,
            hands: hands.iter().map(|hand| hand_text(hand)).collect(),
            choices: hands.iter().map(of_hand).collect(),
            points: counted(&announced),
            announced,
        }));
    }
}
