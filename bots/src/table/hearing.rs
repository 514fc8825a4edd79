//! What a bidder goes by.

use coinche_engine::{Auction, Card, CardSet, MeldContest, Melds, RuleSet, Seat, View};

use super::melds::meld_class;

/// What a bidder goes by: what one seat may know in the auction.
///
/// Made of a [`View`], or of a hand that is only thought of.
#[derive(Debug, Clone, Copy)]
pub struct Hearing<'a> {
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

impl<'a> From<&View<'a>> for Hearing<'a> {
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

impl Hearing<'_> {
    /// The cards that count for what the seat would declare: in the turn-up game with the turned one.
    pub(super) fn cards(&self) -> CardSet {
        self.turned.map_or(self.hand, |turned| self.hand.with(turned))
    }

    /// How melds are contested and the class of those in the hand, where they count for the contract.
    pub(super) fn melds(&self) -> Option<(MeldContest, usize)> {
        let rules = &self.rules.melds;
        (rules.enabled && rules.counts_for_contract)
            .then(|| (rules.contest, meld_class(Melds::best(rules, self.cards()).points(rules))))
    }
}
