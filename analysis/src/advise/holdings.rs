//! Estimates the other hands: compatible deals, weighted by the others' calls and cards.

use std::time::Instant;

use coinche_bots::worlds::{OpponentModel, Worlds};
use coinche_engine::{BySeat, Card, CardSet, Deal, Key, Rank, Seat, Strain, Suit, View};

/// The maximum number of draws: more make no difference.
const MOST: u32 = 100_000;

/// The probability of each card to be in each hand at present.
#[derive(Debug, Clone, PartialEq)]
pub struct Holdings {
    /// By seat and card, the total weight of the deals in which the seat holds the card.
    sums: BySeat<[f64; 32]>,
    weights: f64,
    squares: f64,
    /// The number of deals drawn.
    pub draws: u32,
}

impl Holdings {
    /// Draws deals up to a number and a deadline, but at least a few.
    pub(super) fn find(
        view: &View<'_>,
        mut others: OpponentModel,
        key: Key,
        most: u32,
        until: Option<Instant>,
    ) -> Self {
        let (worlds, mut rng) = (Worlds::of(view), key.rng());
        let mut this =
            Self { sums: BySeat([[0.0; 32]; 4]), weights: 0.0, squares: 0.0, draws: most.clamp(200, MOST) };
        for n in 0..this.draws {
            if n % 64 == 63 && until.is_some_and(|until| Instant::now() >= until) {
                this.draws = n;
                break;
            }
            let deal = worlds.deal(&mut rng);
            let weight = others.weight(view, &deal);
            if weight > 0.0 {
                this.add(&hands(view, &deal), weight);
            }
        }
        this
    }

    fn add(&mut self, hands: &BySeat<CardSet>, weight: f64) {
        self.weights += weight;
        self.squares += weight * weight;
        for (seat, hand) in hands.iter() {
            for card in *hand {
                self.sums[seat][card.index()] += weight;
            }
        }
    }

    /// Returns the effective sample size.
    pub fn effective(&self) -> u64 {
        let number = if self.squares > 0.0 { self.weights * self.weights / self.squares } else { 0.0 };
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at most the draws")]
        {
            number.round() as u64
        }
    }

    /// Returns the chance that a seat holds a card now.
    pub fn chance(&self, seat: Seat, card: Card) -> f64 {
        if self.weights > 0.0 { self.sums[seat][card.index()] / self.weights } else { 0.0 }
    }

    /// Returns the expected number of these cards in a seat's hand.
    pub fn mean(&self, seat: Seat, cards: CardSet) -> f64 {
        cards.into_iter().map(|card| self.chance(seat, card)).sum()
    }

    /// Returns the expected number of trumps in a seat's hand.
    pub fn trumps(&self, seat: Seat, trump: Suit) -> f64 {
        self.mean(seat, CardSet::suit(trump))
    }

    /// Returns the expected number of side aces in a seat's hand; all aces in no trump and all trump.
    pub fn aces_beside(&self, seat: Seat, strain: Strain) -> f64 {
        let trumps = strain.trump().map_or(CardSet::EMPTY, CardSet::suit);
        self.mean(seat, CardSet::rank(Rank::Ace) - trumps)
    }
}

/// Returns the cards that each seat holds at present.
fn hands(view: &View<'_>, deal: &Deal) -> BySeat<CardSet> {
    let first = view.contract().map_or(*deal.hands(), |contract| deal.complete(contract.declarer));
    let played = view.played();
    first.map(|hand| hand - played)
}
