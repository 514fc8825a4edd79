//! What one seat knows that bears on the points of a contract.

use coinche_engine::{Card, CardSet, Strain, Suit};

use super::auction::{AuctionFeatures, AuctionSummary, features_of_take};
use super::context::{BiddingContext, RulesKind};
use super::file::{BiddingTable, SLAM_SPREADS};
use super::holding::{Role, is_trump_suit, kind, suit_byte};

/// What bears on the points of a side in a strain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PointsInput {
    /// The strain.
    pub strain: Strain,
    /// What the seat is to the contract.
    pub role: Role,
    /// The cards that count: in the turn-up game with the turned one.
    pub hand: CardSet,
    /// What the auction has shown.
    pub features: AuctionFeatures,
    /// The number of the distribution of points.
    pub spread: usize,
}

impl PointsInput {
    /// Returns what bears on the points of the own or the other side in a strain.
    pub(super) fn new(
        bidding: &BiddingContext<'_>,
        summary: &AuctionSummary,
        own_side: bool,
        strain: Strain,
    ) -> Self {
        let hand = bidding.cards();
        let (role, features) = match bidding.turned {
            Some(_) => (Role::Take, features_of_take(bidding, summary.kind)),
            None => (summary.role(own_side, strain), summary.features(own_side, strain)),
        };
        let melds = matches!(summary.kind, RulesKind::Melds(..));
        let partner_has_told = summary.partner_has_told(strain);
        let spread = match role {
            Role::Defence if summary.slam_is_bid(strain) => SLAM_SPREADS + 1,
            Role::Own | Role::Support if summary.slam_is_bid(strain) => SLAM_SPREADS,
            _ => BiddingTable::spread_of(role, partner_has_told, kind(strain), melds),
        };
        Self { strain, role, hand, features, spread }
    }

    /// Returns all input of a turn: for every strain that the own side could bid, and for the standing
    /// contract of the other side.
    pub fn all(bidding: &BiddingContext<'_>) -> Vec<Self> {
        let summary = AuctionSummary::new(bidding);
        let strains = Strain::ALL.into_iter().filter(|strain| bidding.rules.allows_strain(*strain));
        let turned = bidding.turned.map(Card::suit);
        let second = bidding.auction.state().is_second_round();
        let own = strains
            .filter(|strain| turned.is_none() || (strain.trump() == turned) != second)
            .map(|strain| Self::new(bidding, &summary, true, strain))
            .filter(Self::is_candidate);
        let contract = bidding.auction.state().contract();
        let theirs = contract.filter(|contract| contract.declarer.team() != bidding.seat.team());
        own.chain(theirs.map(|contract| Self::new(bidding, &summary, false, contract.strain))).collect()
    }

    /// Whether a side's points in a strain can be predicted from the hand: with trumps, or with the partner's bid.
    pub(super) fn is_candidate(&self) -> bool {
        let is_suit = |suit: Suit| is_trump_suit(suit_byte(self.hand, suit));
        self.role == Role::Support || self.strain.trump().is_none_or(is_suit)
    }
}
