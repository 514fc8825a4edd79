//! Calls before any bid: opening bids by hand, and who takes the turned card.
//!
//! A hand is classified in its *best suit*: the one with the highest trump weight, where a trump counts 3, plus
//! 4 for the jack, 3 for the nine, 1 for the ace. Ties go to the suit with the higher tops, then with more aces
//! and voids beside it.

mod tables;

use coinche_inference::merge;
use coinche_selfplay::records::read::record::{End, Leg};
use core::fmt;
use std::collections::BTreeMap;

use coinche_engine::{Bid, Call, CardSet, Rank, Seat, Strain, Suit};
use serde::{Deserialize, Serialize};

use crate::stats::cells::{Share, Unit};
use crate::stats::level::Level;
use crate::stats_hands::HandClass;
use coinche_runs::job::pairs;

pub(super) use tables::blocks;

/// Any bidding position.
const ANY: u8 = 0;

/// A call, from the view of the hand's best suit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
enum Opened {
    Pass,
    Wait,
    Best(Level),
    Other(Level),
    NoTrump(Level),
    AllTrump(Level),
}

impl fmt::Display for Opened {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pass => f.write_str("pass"),
            Self::Wait => f.write_str("wait"),
            Self::Best(level) => level.fmt(f),
            Self::Other(level) => write!(f, "{level} elsewhere"),
            Self::NoTrump(level) => write!(f, "{level} SA"),
            Self::AllTrump(level) => write!(f, "{level} TA"),
        }
    }
}

/// Returns the best suit of a hand.
fn best_suit(hand: CardSet) -> Suit {
    let weight = |suit: Suit| {
        let trumps = hand.of(suit);
        let extra = [(Rank::Jack, 4), (Rank::Nine, 3), (Rank::Ace, 1)];
        let held = extra.iter().filter(|(rank, _)| !(trumps & CardSet::rank(*rank)).is_empty());
        3 * trumps.len() + held.map(|(_, extra)| extra).sum::<usize>()
    };
    let value = |suit: &Suit| (weight(*suit), HandClass::of(hand, Strain::of(*suit)));
    Suit::ALL.into_iter().max_by_key(value).unwrap_or(Suit::Clubs)
}

/// Hands of one class in one position.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Class {
    passed: Share,
    #[serde(with = "pairs")]
    calls: BTreeMap<Opened, u64>,
}

merge! { Class { passed, calls } }

impl Class {
    /// Returns the most frequent call, with its count.
    fn most(&self) -> Option<(Opened, u64)> {
        // Ties go to the lower call.
        self.calls.iter().rev().max_by_key(|(_, count)| **count).map(|(call, count)| (*call, *count))
    }
}

/// The first calls of one bot.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Openings {
    #[serde(with = "pairs")]
    classes: BTreeMap<(u8, HandClass), Class>,
    /// In the turn-up game, by round, position and the turned card's rank: who takes.
    #[serde(with = "pairs")]
    takes: BTreeMap<(u8, u8, usize), Share>,
}

merge! { Openings { classes, takes } }

impl Openings {
    /// Tests if all ranks exist.
    pub(super) fn is_sound(&self) -> bool {
        self.takes.keys().all(|(.., rank)| *rank < Rank::NATURAL.len())
    }

    /// Adds a call before any bid; `round` counts from 1.
    pub(super) fn add(&mut self, unit: Unit, leg: &Leg<'_>, seat: Seat, call: Call, round: u8) {
        let position = leg.position(seat);
        if let Some(turned) = leg.turned {
            let taken = matches!(call, Call::Take | Call::TakeIn(_));
            self.takes.entry((round, position, turned.rank().natural_index())).or_default().add(unit, taken);
            return;
        }
        let hand = leg.hands[seat];
        let best = best_suit(hand);
        let opened = match call {
            Call::Pass => Opened::Pass,
            Call::Wait => Opened::Wait,
            Call::Bid(Bid { value, strain }) => {
                let level = Level::of(Some(value));
                match strain {
                    Strain::NoTrump => Opened::NoTrump(level),
                    Strain::AllTrump => Opened::AllTrump(level),
                    strain if strain == Strain::of(best) => Opened::Best(level),
                    _ => Opened::Other(level),
                }
            }
            Call::Coinche | Call::Surcoinche | Call::Take | Call::TakeIn(_) => return,
        };
        let class = HandClass::of(hand, Strain::of(best));
        for position in [ANY, position] {
            let class = self.classes.entry((position, class)).or_default();
            class.passed.add(unit, call.is_pass());
            *class.calls.entry(opened).or_default() += 1;
        }
    }
}

/// Returns the calls of a record up to and including the first bid: seat, call and round.
pub(super) fn first_calls<'a>(leg: &'a Leg<'_>) -> impl Iterator<Item = (Seat, Call, u8)> + 'a {
    let passes = leg.auction.iter().take_while(|(_, call)| call.is_pass()).count();
    // A forfeit may end anywhere; its calls are left out.
    let calls = if leg.end == End::Forfeit { 0 } else { passes + 1 };
    leg.auction.iter().take(calls).zip(0u8..).map(|((seat, call), n)| (*seat, *call, n / 4 + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_suit_does_not_depend_on_its_name() {
        for (hand, suit) in [
            ("JS 9S 7S AH KH QH TH 8H", Suit::Spades),
            ("7S 8S QS KS TS JH 9H 7C", Suit::Spades),
            ("7S 8S QS KS JH 9H 7C 8C", Suit::Hearts),
            ("AC AD AH AS 7C 7D 7H 8H", Suit::Hearts),
        ] {
            assert_eq!(best_suit(hand.parse().unwrap()), suit, "{hand}");
            let renamed: String = hand
                .chars()
                .map(|c| match c {
                    'S' => 'D',
                    'D' => 'S',
                    'H' => 'C',
                    'C' => 'H',
                    c => c,
                })
                .collect();
            let other: CardSet = renamed.parse().unwrap();
            let class = HandClass::of(other, Strain::of(best_suit(other)));
            assert_eq!(class, HandClass::of(hand.parse().unwrap(), Strain::of(suit)), "{hand}");
        }
    }
}
