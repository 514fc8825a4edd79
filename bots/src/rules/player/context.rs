//! What a player sees at one decision, worked out once.

use coinche_engine::{BidValue, Card, CardSet, Contract, Goal, Seat, Strain, Suit, View};

/// Points by strength, `0..8`, of a plain suit.
const PLAIN_POINTS: [i32; 8] = [0, 0, 0, 2, 3, 4, 10, 11];
/// Points by strength, `0..8`, of the trump suit.
const TRUMP_POINTS: [i32; 8] = [0, 0, 3, 4, 10, 11, 14, 20];

/// What a player sees at one decision.
pub(super) struct PlayContext<'a> {
    pub(super) view: &'a View<'a>,
    pub(super) strain: Strain,
    pub(super) trump: Option<Suit>,
    /// The eight cards of the trump suit; none in SA and TA.
    pub(super) trumps: CardSet,
    pub(super) hand: CardSet,
    pub(super) legal: CardSet,
    /// The cards that are neither in the own hand nor played.
    pub(super) unseen: CardSet,
    /// The own cards that no opponent can beat in their suit.
    pub(super) masters: CardSet,
    pub(super) me: Seat,
    pub(super) declarer: Seat,
    /// Whether the own side plays the contract.
    pub(super) attacking: bool,
    /// Whether the contract is a slam: all tricks count, points do not.
    pub(super) slam: bool,
}

impl<'a> PlayContext<'a> {
    #[inline]
    pub(super) fn new(view: &'a View<'a>, legal: CardSet, contract: Contract) -> Self {
        let strain = contract.strain;
        let trump = strain.trump();
        let (hand, unseen, me) = (view.hand(), view.unseen(), view.seat());
        Self {
            view,
            strain,
            trump,
            trumps: trump.map_or(CardSet::EMPTY, CardSet::suit),
            hand,
            legal,
            unseen,
            masters: strain.masters(hand, threats(view, unseen)),
            me,
            declarer: contract.declarer,
            attacking: contract.declarer.team() == me.team(),
            slam: matches!(contract.goal, Goal::Bid(BidValue::CAPOT | BidValue::GENERALE)),
        }
    }

    /// The points of a card.
    ///
    /// Those of the trump suit and of the plain suits are tables by strength; only SA and TA ask the
    /// rules, since they have points of their own.
    #[inline]
    pub(super) fn points(&self, card: Card) -> i32 {
        match self.trump {
            Some(trump) if trump == card.suit() => TRUMP_POINTS[usize::from(self.strain.strength(card))],
            Some(_) => PLAIN_POINTS[card.rank().index()],
            None => self.view.rules().card_points(self.strain, card).into(),
        }
    }

    /// The cards that would take the trick from `best`.
    #[inline]
    pub(super) fn beating(&self, best: Card) -> CardSet {
        let above = self.strain.above(best);
        if self.trumps.contains(best) { above } else { above | self.trumps }
    }

    /// Whether the trick under way is complete with my card.
    #[inline]
    pub(super) fn is_last(&self) -> bool {
        self.view.cards_in_trick() == 3
    }

    /// Whether a seat may still hold a trump.
    #[inline]
    pub(super) fn may_hold_trump(&self, seat: Seat) -> bool {
        self.trump.is_some_and(|trump| !self.unseen.of(trump).is_empty() && !self.view.is_void(seat, trump))
    }

    /// Whether either opponent may still hold a trump.
    #[inline]
    pub(super) fn opponents_may_hold_trump(&self) -> bool {
        self.may_hold_trump(self.me.plus(1)) || self.may_hold_trump(self.me.plus(3))
    }

    /// Whether a seat is known to be able to ruff a suit: it showed the void, and may hold a trump.
    #[inline]
    pub(super) fn ruffs(&self, seat: Seat, suit: Suit) -> bool {
        self.trump != Some(suit) && self.view.is_void(seat, suit) && self.may_hold_trump(seat)
    }

    /// Whether either opponent is known to be able to ruff a suit.
    #[inline]
    pub(super) fn opponent_ruffs(&self, suit: Suit) -> bool {
        self.ruffs(self.me.plus(1), suit) || self.ruffs(self.me.plus(3), suit)
    }

    /// Whether the next player, an opponent, is known to be able to ruff a suit.
    ///
    /// As second and third to play that is the only opponent still to come: as second the partner plays
    /// last.
    #[inline]
    pub(super) fn next_ruffs(&self, suit: Suit) -> bool {
        self.ruffs(self.me.next(), suit)
    }

    /// The card of a set that costs the least; the set is not empty.
    #[inline]
    pub(super) fn cheapest(cards: CardSet, cost: impl Fn(Card) -> i32) -> Card {
        let mut cards = cards.into_iter();
        let mut best = cards.next().expect("the set is not empty");
        let mut least = cost(best);
        for card in cards {
            let this = cost(card);
            if this < least {
                (best, least) = (card, this);
            }
        }
        best
    }

    /// The weakest card of a set that lies in one suit and is not empty.
    #[inline]
    pub(super) fn lowest(&self, cards: CardSet) -> Card {
        self.strain.lowest(cards).expect("the set is not empty")
    }

    /// The strongest card of a set that lies in one suit and is not empty.
    #[inline]
    pub(super) fn highest(&self, cards: CardSet) -> Card {
        self.strain.highest(cards).expect("the set is not empty")
    }
}

/// The unseen cards, without the suits in which both opponents are void: what they do not hold, the
/// partner does.
#[inline]
fn threats(view: &View<'_>, unseen: CardSet) -> CardSet {
    if view.tricks().len() < 2 {
        // Too early for two players to have shown the same void.
        return unseen;
    }
    let (left, right) = (view.seat().plus(1), view.seat().plus(3));
    Suit::ALL.into_iter().fold(unseen, |threats, suit| {
        let harmless = view.is_void(left, suit) && view.is_void(right, suit);
        if harmless { threats - CardSet::suit(suit) } else { threats }
    })
}
