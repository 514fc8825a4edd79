//! What one seat knows that bears on the points of a contract.

use coinche_engine::{Card, CardSet, Strain, Suit};

use super::file::{SLAM_SPREADS, Table};
use super::hearing::{Hearing, Kind};
use super::holding::{Role, is_trump_suit, kind, suit_byte};
use super::told::{Reading, Told, told_of_take};

/// What bears on the points of a side in a strain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Evidence {
    /// The strain.
    pub strain: Strain,
    /// What the seat is to the contract.
    pub role: Role,
    /// The cards that count: in the turn-up game with the turned one.
    pub hand: CardSet,
    /// What the auction has told.
    pub told: Told,
    /// The number of the distribution of points.
    pub spread: usize,
}

impl Evidence {
    /// Returns what bears on the points of the own or the other side in a strain.
    pub(super) fn new(hearing: &Hearing<'_>, reading: &Reading, own_side: bool, strain: Strain) -> Self {
        let hand = hearing.cards();
        let (role, told) = match hearing.turned {
            Some(_) => (Role::Take, told_of_take(hearing, reading.kind)),
            None => (reading.role(own_side, strain), reading.told(own_side, strain)),
        };
        let melds = matches!(reading.kind, Kind::Melds(..));
        let partner_has_told = reading.partner_has_told(strain);
        let spread = match role {
            Role::Defence if reading.slam_is_bid(strain) => SLAM_SPREADS + 1,
            Role::Own | Role::Support if reading.slam_is_bid(strain) => SLAM_SPREADS,
            _ => Table::spread_of(role, partner_has_told, kind(strain), melds),
        };
        Self { strain, role, hand, told, spread }
    }

    /// Returns all evidence of a turn: for every strain that the own side could bid, and for the standing
    /// contract of the other side.
    pub fn all(hearing: &Hearing<'_>) -> Vec<Self> {
        let reading = Reading::new(hearing);
        let strains = Strain::ALL.into_iter().filter(|strain| hearing.rules.allows_strain(*strain));
        let turned = hearing.turned.map(Card::suit);
        let second = hearing.auction.state().is_second_round();
        let own = strains
            .filter(|strain| turned.is_none() || (strain.trump() == turned) != second)
            .map(|strain| Self::new(hearing, &reading, true, strain))
            .filter(Self::is_candidate);
        let contract = hearing.auction.state().contract();
        let theirs = contract.filter(|contract| contract.declarer.team() != hearing.seat.team());
        own.chain(theirs.map(|contract| Self::new(hearing, &reading, false, contract.strain))).collect()
    }

    /// Whether a side's points in a strain can be told from the hand: with trumps, or with the partner's bid.
    pub(super) fn is_candidate(&self) -> bool {
        let is_suit = |suit: Suit| is_trump_suit(suit_byte(self.hand, suit));
        self.role == Role::Support || self.strain.trump().is_none_or(is_suit)
    }
}
