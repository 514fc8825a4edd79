//! Replays the tricks of a record.

use crate::cards::{Card, Strain, cards_text, hand_text};
use crate::play::{card_points, duty, last_trick_points, trick_winner};
use crate::record::Record;
use crate::rules::Rules;

/// What came of the tricks.
pub(super) struct PlayedTricks {
    /// Tricks won by each seat.
    pub(super) tricks: [usize; 4],
    /// Card points with the last trick, by team.
    pub(super) card_points: [i32; 2],
}

/// Replays the tricks with the winners that the rules give them.
pub(super) fn replay(
    rules: &Rules,
    strain: Strain,
    record: &Record,
    hands: &[Vec<Card>],
    faults: &mut Vec<String>,
) -> Result<PlayedTricks, String> {
    if record.tricks.len() != 8 {
        return Err(format!("tricks: {} of them, not 8", record.tricks.len()));
    }
    let mut left = hands.to_vec();
    let mut leader = (record.dealer + 1) % 4;
    let mut played = PlayedTricks { tricks: [0; 4], card_points: [0; 2] };
    for (index, trick) in record.tricks.iter().enumerate() {
        let name = format!("trick {}", index + 1);
        if trick.leader != leader {
            faults.push(format!("{name}: seat {} leads, the rules say seat {leader}", trick.leader));
            leader = trick.leader;
        }
        if trick.cards.len() != 4 {
            return Err(format!("{name}: {} cards, not 4", trick.cards.len()));
        }
        let mut table: Vec<Card> = Vec::new();
        for (place, text) in trick.cards.iter().enumerate() {
            let seat = (leader + place) % 4;
            let card: Card = text.parse().map_err(|error| format!("{name}: seat {seat}: {error}"))?;
            if !left[seat].contains(&card) {
                return Err(format!("{name}: seat {seat} plays {card}, which it does not hold"));
            }
            let (why, legal) = duty(rules, strain, &left[seat], &table);
            if !legal.contains(&card) {
                faults.push(format!(
                    "{name}: seat {seat} plays {card} on {}, may play {} ({why:?})",
                    cards_text(&table),
                    hand_text(&legal)
                ));
            }
            left[seat].retain(|&held| held != card);
            table.push(card);
        }
        let winner = (leader + trick_winner(strain, &table)) % 4;
        if trick.winner != winner {
            faults.push(format!("{name}: won by seat {}, the rules say seat {winner}", trick.winner));
        }
        played.tricks[winner] += 1;
        played.card_points[winner % 2] +=
            table.iter().map(|&card| card_points(rules, strain, card)).sum::<i32>();
        if index == 7 {
            played.card_points[winner % 2] += last_trick_points(rules, strain);
        }
        leader = winner;
    }
    Ok(played)
}
