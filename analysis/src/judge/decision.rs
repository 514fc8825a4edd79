//! A chosen card, and the groups in which it is counted.

use coinche_engine::{Card, Contract, PlayState, Seat, Strain};
use serde::{Deserialize, Serialize};

/// A card played where there was a choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Decision {
    pub(super) seat: Seat,
    /// `0..7`.
    pub(super) trick: usize,
    /// The number of cards in the trick before it.
    pub(super) place: usize,
    pub(super) role: Role,
    pub(super) kind: Kind,
    pub(super) strain: Strain,
    pub(super) card: Card,
    /// The best card; the chosen one if it is as good as any.
    pub(super) best_card: Card,
    /// The final card points of the player's side after this card, double dummy.
    pub(super) value: i32,
    /// The same for the best card.
    pub(super) best_value: i32,
    /// The loss in deal score, own less theirs; `None` if it has no exact value.
    pub(super) score_loss: Option<i32>,
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

/// The names of the groups, in the order of [`Decision::groups`]; the last trick offers no choice.
pub(super) const GROUPS: [(&str, &str); 22] = [
    ("all", "all"),
    ("trick", "1"),
    ("trick", "2"),
    ("trick", "3"),
    ("trick", "4"),
    ("trick", "5"),
    ("trick", "6"),
    ("trick", "7"),
    ("role", "declarer"),
    ("role", "partner"),
    ("role", "defender"),
    ("place", "1"),
    ("place", "2"),
    ("place", "3"),
    ("place", "4"),
    ("kind", "lead"),
    ("kind", "follow"),
    ("kind", "ruff"),
    ("kind", "discard"),
    ("strain", "suit"),
    ("strain", "SA"),
    ("strain", "TA"),
];

impl Role {
    pub(super) const fn name(self) -> &'static str {
        ["declarer", "partner", "defender"][self as usize]
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
        ["lead", "follow", "ruff", "discard"][self as usize]
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
    pub(super) const fn loss(&self) -> i32 {
        self.best_value - self.value
    }

    /// Returns the groups in which the decision is counted, as indices of [`GROUPS`].
    pub(super) const fn groups(&self) -> [usize; 6] {
        let strain = match self.strain {
            Strain::NoTrump => 1,
            Strain::AllTrump => 2,
            _ => 0,
        };
        [0, 1 + self.trick, 8 + self.role as usize, 11 + self.place, 15 + self.kind as usize, 19 + strain]
    }
}
