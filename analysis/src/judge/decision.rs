//! A chosen card, and the groups in which it is counted.

use coinche_engine::{Card, Contract, PlayState, Seat, Strain};
use serde::{Deserialize, Serialize};

/// A card played where there was a choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decision {
    /// The seat.
    pub seat: Seat,
    /// `0..7`.
    pub trick: usize,
    /// The number of cards in the trick before it.
    pub(super) place: usize,
    pub(super) role: Role,
    pub(super) kind: Kind,
    pub(super) strain: Strain,
    /// The card.
    pub card: Card,
    /// The best card; the chosen one if it is as good as any.
    pub best_card: Card,
    /// The final card points of the player's side after this card, double dummy.
    pub(super) value: i32,
    /// The same for the best card.
    pub(super) best_value: i32,
    /// The loss in deal score, own less theirs; `None` if it has no exact value.
    pub score_loss: Option<i32>,
}

/// Whose side a player is on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Role {
    Declarer,
    Partner,
    Defender,
}

/// What a card did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Kind {
    Lead,
    Follow,
    /// A trump on another suit.
    Ruff,
    /// A card of another suit that is no trump.
    Discard,
}

/// The dimensions by which decisions are grouped, with the names of their groups; the last trick offers no choice.
const DIMENSIONS: [(&str, &[&str]); 6] = [
    ("all", &["all"]),
    ("trick", &["1", "2", "3", "4", "5", "6", "7"]),
    ("role", &["declarer", "partner", "defender"]),
    ("place", &["1", "2", "3", "4"]),
    ("kind", &["lead", "follow", "ruff", "discard"]),
    ("strain", &["suit", "SA", "TA"]),
];

/// The number of groups.
pub(super) const GROUPS: usize = 22;

/// Returns the groups, dimension and name, in the order of [`Decision::groups`].
pub(super) fn groups() -> impl Iterator<Item = (&'static str, &'static str)> {
    DIMENSIONS.iter().flat_map(|(dimension, names)| names.iter().map(move |name| (*dimension, *name)))
}

impl Role {
    pub(super) const fn name(self) -> &'static str {
        DIMENSIONS[2].1[self as usize]
    }

    fn of(seat: Seat, contract: &Contract) -> Self {
        if seat == contract.declarer {
            Self::Declarer
        } else if seat.team() == contract.declarer.team() {
            Self::Partner
        } else {
            Self::Defender
        }
    }
}

impl Kind {
    pub(super) const fn name(self) -> &'static str {
        DIMENSIONS[4].1[self as usize]
    }

    fn of(state: &PlayState, card: Card) -> Self {
        match state.trick().next() {
            None => Self::Lead,
            Some((_, led)) if led.suit() == card.suit() => Self::Follow,
            _ if state.strain().trump() == Some(card.suit()) => Self::Ruff,
            _ => Self::Discard,
        }
    }
}

impl Decision {
    /// Describes a card; its value is initially that of a best card.
    pub(super) fn new(contract: &Contract, state: &PlayState, card: Card, value: i32) -> Self {
        let seat = state.to_play();
        Self {
            seat,
            trick: state.tricks_played().into(),
            place: state.cards_in_trick(),
            role: Role::of(seat, contract),
            kind: Kind::of(state, card),
            strain: state.strain(),
            card,
            best_card: card,
            value,
            best_value: value,
            score_loss: None,
        }
    }

    /// The card points lost, never negative.
    pub const fn loss(&self) -> i32 {
        self.best_value - self.value
    }

    /// Returns the groups in which the decision is counted, as indices of [`groups`].
    pub(super) const fn groups(&self) -> [usize; 6] {
        let strain = match self.strain {
            Strain::NoTrump => 1,
            Strain::AllTrump => 2,
            _ => 0,
        };
        [0, 1 + self.trick, 8 + self.role as usize, 11 + self.place, 15 + self.kind as usize, 19 + strain]
    }
}
