//! What a bidder bases its call on.

use coinche_engine::rules::MeldContest;
use coinche_engine::{Auction, Card, CardSet, Melds, RuleSet, Seat, View};

use super::melds::meld_class;

/// What a bidder bases its call on: what one seat may know in the auction.
///
/// Made from a [`View`], or from a hypothetical hand.
#[derive(Debug, Clone, Copy)]
pub struct BiddingContext<'a> {
    /// The rules.
    pub rules: &'a RuleSet,
    /// The auction so far.
    pub auction: &'a Auction,
    /// Who dealt.
    pub dealer: Seat,
    /// The turned card of the turn-up game.
    pub turned: Option<Card>,
    /// Whose hand it is.
    pub seat: Seat,
    /// The hand: eight cards, or the first five in the turn-up game.
    pub hand: CardSet,
}

/// Kinds of rules under which the same calls tell different things.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RulesKind {
    /// No trump or all trump can be bid too.
    AllStrains,
    /// Trump suits alone.
    Suits,
    /// Melds count for the contract, so that calls tell of melds: how they are contested, and the class of those
    /// in the hand.
    Melds(MeldContest, usize),
}

impl<'a> From<&View<'a>> for BiddingContext<'a> {
    fn from(view: &View<'a>) -> Self {
        Self {
            rules: view.rules(),
            auction: view.auction(),
            dealer: view.dealer(),
            turned: view.turned(),
            seat: view.seat(),
            hand: view.first_hand(),
        }
    }
}

impl BiddingContext<'_> {
    /// The cards that count for what the seat would declare: in the turn-up game with the turned one.
    pub(super) fn cards(&self) -> CardSet {
        self.turned.map_or(self.hand, |turned| self.hand.with(turned))
    }

    /// The kind of the rules, with the class of the hand's melds.
    pub(super) fn kind(&self) -> RulesKind {
        let rules = &self.rules.melds;
        if rules.enabled && rules.counts_for_contract {
            let class = meld_class(Melds::best(rules, self.cards()).points(rules));
            return RulesKind::Melds(rules.contest, class);
        }
        let auction = &self.rules.auction;
        if auction.no_trump || auction.all_trump { RulesKind::AllStrains } else { RulesKind::Suits }
    }
}
