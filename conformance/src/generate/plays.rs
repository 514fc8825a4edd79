//! `plays-*.jsonl`: positions of the play and complete tricks.

use std::collections::BTreeMap;

use serde::Serialize;

use super::rng::Rng;
use super::{Lines, line};
use crate::cards::{Card, Strain, cards_text, deck, hand_text};
use crate::play::{card_points, duty, trick_winner};
use crate::rules::NamedRules;

#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Line<'a> {
    Legal { rules: &'a NamedRules, strain: String, leader: usize, trick: String, hand: String, legal: String },
    Winner { rules: &'a NamedRules, strain: String, leader: usize, trick: String, winner: usize, points: i32 },
}

/// Plays random deals and keeps up to `size` positions of each kind that tells situations apart.
pub(super) fn write(rules: &NamedRules, rng: &mut Rng, size: usize, lines: &mut Lines) {
    let strains = rules.rules.strains();
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    for _ in 0..300 {
        let strain = *rng.pick(&strains);
        let mut cards = deck();
        rng.shuffle(&mut cards);
        let mut hands: Vec<Vec<Card>> = cards.chunks(8).map(<[Card]>::to_vec).collect();
        let mut leader = rng.below(4);
        for _ in 0..8 {
            let mut trick: Vec<Card> = Vec::new();
            for place in 0..4 {
                let seat = (leader + place) % 4;
                let (why, legal) = duty(&rules.rules, strain, &hands[seat], &trick);
                let trumped = trick.iter().any(|card| strain.is_trump(card.suit));
                let kind = if let Strain::Suit(_) = strain { "suit".to_owned() } else { strain.to_string() };
                // One of a kind is for changed rules: there the place at the table matters less.
                let cards = if size == 1 { 0 } else { place };
                let count = seen.entry(format!("{kind} {why:?} {cards} {trumped}")).or_default();
                if *count < size {
                    *count += 1;
                    lines.push(line(&Line::Legal {
                        rules,
                        strain: strain.to_string(),
                        leader,
                        trick: cards_text(&trick),
                        hand: hand_text(&hands[seat]),
                        legal: hand_text(&legal),
                    }));
                }
                let card = *rng.pick(&legal);
                hands[seat].retain(|&held| held != card);
                trick.push(card);
            }
            let winner = (leader + trick_winner(strain, &trick)) % 4;
            let count = seen
                .entry(format!("{strain} {}", if size == 1 { 0 } else { (winner + 4 - leader) % 4 }))
                .or_default();
            if *count < size {
                *count += 1;
                lines.push(line(&Line::Winner {
                    rules,
                    strain: strain.to_string(),
                    leader,
                    trick: cards_text(&trick),
                    winner,
                    points: trick.iter().map(|&card| card_points(&rules.rules, strain, card)).sum(),
                }));
            }
            leader = winner;
        }
    }
}
