//! The deck and the deal: from 32 cards in an order to four hands.
//!
//! A [`Deck`] is 32 cards in order, the top first. The cards are dealt from the top in the packets of
//! the rules, in order of play from the player after the dealer.

use crate::rules::{DealMethod, DealRules, Shuffle};
use crate::trick::PlayLog;
use crate::{BySeat, Card, CardSet, ParseHandError, Seat, Team, Trick};

/// Why four hands cannot be played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum HandsError {
    /// A card is in two hands.
    #[error("{card} is in the hands of seats {first} and {second}")]
    Shared {
        /// The card.
        card: Card,
        /// One of the hands.
        first: Seat,
        /// The other.
        second: Seat,
    },
    /// A hand has not the size that it must have.
    #[error("cards of seat {seat}: {cards}, expected {expected}")]
    Size {
        /// Whose hand.
        seat: Seat,
        /// How many cards are in it.
        cards: usize,
        /// How many should be.
        expected: usize,
    },
}

impl HandsError {
    /// Finds the first card that is in two hands.
    pub(crate) fn shared(hands: &BySeat<CardSet>) -> Result<(), Self> {
        for (second, hand) in hands.iter() {
            for first in Seat::ALL.into_iter().take(second.index()) {
                if let Some(card) = (hands[first] & *hand).first() {
                    return Err(Self::Shared { card, first, second });
                }
            }
        }
        Ok(())
    }

    /// Finds the first hand that is not of this size.
    pub(crate) fn sizes(hands: &BySeat<CardSet>, expected: usize) -> Result<(), Self> {
        match hands.iter().find(|(_, hand)| hand.len() != expected) {
            Some((seat, hand)) => Err(Self::Size { seat, cards: hand.len(), expected }),
            None => Ok(()),
        }
    }

    /// Finds what is wrong with hands of which [`are_playable`] is false.
    #[cold]
    pub(crate) fn find(hands: &BySeat<CardSet>) -> Result<(), Self> {
        Self::shared(hands)?;
        Self::sizes(hands, hands.0[0].len())
    }
}

/// Tests if no two hands share a card and all are of one size, which then is at most 8.
#[inline]
pub(crate) fn are_playable(hands: &BySeat<CardSet>) -> bool {
    let [a, b, c, d] = hands.0;
    let shared = (a & b) | (c & d) | ((a | b) & (c | d));
    let size = a.len();
    shared.is_empty() && b.len() == size && c.len() == size && d.len() == size
}

/// What is wrong with a whole deal.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ParseHandsError {
    /// There are not four hands.
    #[error("expected four hands joined by ` | `, found {0}")]
    Count(usize),
    /// One of the hands cannot be read.
    #[error("seat {seat}: {error}")]
    Hand {
        /// Whose hand.
        seat: Seat,
        /// What is wrong with it.
        error: ParseHandError,
    },
    /// A card is in two hands.
    #[error(transparent)]
    Shared(#[from] HandsError),
}

/// Reads four hands in order of seat, joined by ` | `; no card may be in two of them.
///
/// # Errors
///
/// Names the seat and the card.
pub fn parse_hands(text: &str) -> Result<BySeat<CardSet>, ParseHandsError> {
    let parts: Vec<&str> = text.split('|').collect();
    if parts.len() != 4 {
        return Err(ParseHandsError::Count(parts.len()));
    }
    let mut hands = BySeat([CardSet::EMPTY; 4]);
    for (seat, part) in Seat::ALL.into_iter().zip(parts) {
        hands[seat] = part.parse().map_err(|error| ParseHandsError::Hand { seat, error })?;
        HandsError::shared(&hands)?;
    }
    Ok(hands)
}

/// Why there is no such deal, or why it cannot be played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DealError {
    /// The packets do not make the hands of the method.
    #[error("packets of {cards} cards in all, expected {expected}")]
    Packets {
        /// How many cards they give a player.
        cards: usize,
        /// How many they should.
        expected: usize,
    },
    /// The hands are none of a deal.
    #[error(transparent)]
    Hands(#[from] HandsError),
    /// There is a turned card without a turn-up game, or none in one.
    #[error("there is a turned card in the turn-up game, and only there")]
    Turned,
    /// The taker does not hold the card that was turned up.
    #[error("the taker must hold the turned card")]
    Taker,
    /// The cards were dealt under other rules than those of the play.
    #[error("the cards were dealt by another method or in other packets than the rules have it")]
    OtherRules,
}

/// The 32 cards in an order, the top of the pack first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Deck([Card; 32]);

impl Deck {
    /// Returns the deck in the order of the cards' indices.
    pub const fn sorted() -> Self {
        let (mut cards, mut index) = ([Card::from_low_bits(0); 32], 0u32);
        while index < 32 {
            cards[index as usize] = Card::from_low_bits(index);
            index += 1;
        }
        Self(cards)
    }

    /// Returns the deck of these cards, or `None` when one is missing.
    pub fn from_cards(cards: [Card; 32]) -> Option<Self> {
        let set: CardSet = cards.iter().copied().collect();
        (set == CardSet::FULL).then_some(Self(cards))
    }

    /// Wraps what is known to be a permutation of the 32 cards.
    #[cfg(feature = "rand")]
    #[inline]
    pub(crate) const fn from_permutation(cards: [Card; 32]) -> Self {
        Self(cards)
    }

    /// Returns the cards, the top first.
    pub const fn cards(&self) -> &[Card; 32] {
        &self.0
    }

    /// Puts the top `n` cards under the rest.
    #[must_use]
    pub fn cut(mut self, n: usize) -> Self {
        self.0.rotate_left(n % 32);
        self
    }

    /// Gathers the deck after a played deal.
    ///
    /// Each team's tricks are stacked in the order won, each with its cards in the order played, the
    /// later on top; the pile of the side that took the last trick goes on top of the other; nothing
    /// is turned over (`docs/rules.md`, "Deal").
    pub fn gather(tricks: &[Trick; 8]) -> Self {
        let top_team = tricks[7].winner.team();
        let mut from_bottom = [Card::from_low_bits(0); 32];
        let pile = |team: Team| tricks.iter().filter(move |trick| trick.winner.team() == team);
        let stacked = pile(top_team.other()).chain(pile(top_team)).flat_map(|trick| trick.cards);
        for (slot, card) in from_bottom.iter_mut().zip(stacked) {
            *slot = card;
        }
        from_bottom.reverse();
        Self(from_bottom)
    }

    /// Gathers the deck after a deal that was passed out.
    ///
    /// The hands are stacked in order of play from the dealer's left, each in the order dealt, the later
    /// on top. Cards that were not dealt out (turn-up game) stay under them in their order.
    #[must_use]
    pub fn gather_thrown_in(deal: &Deal) -> Self {
        let mut from_bottom: Vec<Card> = deal.deck.0.iter().skip(deal.dealt()).rev().copied().collect();
        let order = deal.owners();
        for seat in deal.dealer.next().around() {
            let hand = order.iter().zip(&deal.deck.0).filter(|(owner, _)| **owner == seat);
            from_bottom.extend(hand.map(|(_, card)| *card));
        }
        from_bottom.reverse();
        Self(from_bottom.try_into().expect("all 32 cards are gathered"))
    }
}

/// The cards of one deal and who deals: everything that chance decides.
///
/// ```
/// use coinche_engine::{Deal, Deck, RuleSet, Seat};
///
/// let deal = Deal::new(&RuleSet::BGA.deal, Deck::sorted(), Seat::S3);
/// assert_eq!(deal.hands()[Seat::S0].to_string(), "7C 8C 9C QD KD TH QH KH");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Deal {
    deck: Deck,
    dealer: Seat,
    rules: DealRules,
    hands: BySeat<CardSet>,
}

impl Deal {
    /// Deals a deck.
    ///
    /// # Panics
    ///
    /// Panics when the packets do not add up to the hands of the method, which those of a
    /// [`RuleSet`](crate::RuleSet) always do.
    #[inline]
    pub fn new(rules: &DealRules, deck: Deck, dealer: Seat) -> Self {
        assert!(rules.is_valid(), "the packets make the hands of the method");
        Self::dealt_in(rules, deck, dealer)
    }

    /// Deals a deck as [`Deal::new`] does.
    ///
    /// # Errors
    ///
    /// [`DealError::Packets`] when the packets do not add up to the hands of the method.
    pub fn try_new(rules: &DealRules, deck: Deck, dealer: Seat) -> Result<Self, DealError> {
        Self::check_packets(rules)?;
        Ok(Self::dealt_in(rules, deck, dealer))
    }

    fn check_packets(rules: &DealRules) -> Result<(), DealError> {
        let (cards, expected) = (rules.packets.total(), rules.method.cards().1);
        if rules.is_valid() { Ok(()) } else { Err(DealError::Packets { cards, expected }) }
    }

    #[inline]
    fn dealt_in(rules: &DealRules, deck: Deck, dealer: Seat) -> Self {
        // A packet is what two tops of the deck differ by: no inner loop whose length the processor must guess.
        let mut tops = [CardSet::EMPTY; 33];
        let mut top = CardSet::EMPTY;
        for (place, card) in tops[1..].iter_mut().zip(deck.0) {
            top = top.with(card);
            *place = top;
        }
        let mut hands = BySeat([CardSet::EMPTY; 4]);
        let first = dealer.next();
        let mut at = 0;
        for packet in rules.packets.iter() {
            for seat in first.around() {
                hands[seat] |= tops[at + packet] - tops[at];
                at += packet;
            }
        }
        Self { deck, dealer, rules: *rules, hands }
    }

    /// Makes the deal that gives these hands.
    ///
    /// For the turn-up game the hands are those that were held when play began, and `turned` says who
    /// took: the deal is made so that completing it for `taker` gives them.
    ///
    /// # Errors
    ///
    /// When the hands are not a partition of the 32 cards into eights, when the taker does not hold the
    /// turned card, or when there is one and the rules turn none (or the other way round).
    pub fn from_hands(
        rules: &DealRules,
        dealer: Seat,
        hands: BySeat<CardSet>,
        turned: Option<(Card, Seat)>,
    ) -> Result<Self, DealError> {
        HandsError::shared(&hands)?;
        HandsError::sizes(&hands, 8)?;
        if turned.is_some() != (rules.method == DealMethod::TurnUp) {
            return Err(DealError::Turned);
        }
        Self::check_packets(rules)?;
        let mut piles = hands.map(|hand| hand.into_iter().collect::<Vec<_>>());
        let mut order = Vec::with_capacity(32);
        if let Some((card, taker)) = turned {
            let at = piles[taker].iter().position(|held| *held == card).ok_or(DealError::Taker)?;
            piles[taker].remove(at);
        }
        for packet in rules.packets.iter() {
            for seat in dealer.next().around() {
                order.extend(piles[seat].drain(..packet));
            }
        }
        order.extend(turned.map(|(card, _)| card));
        for seat in dealer.next().around() {
            order.append(&mut piles[seat]);
        }
        let order = order.try_into().expect("four hands of eight cards");
        let deck = Deck::from_cards(order).expect("no two hands share a card");
        Ok(Self::dealt_in(rules, deck, dealer))
    }

    /// Tests if rules deal the cards as they were dealt here: by the same method in the same packets.
    #[inline]
    pub fn is_dealt_by(&self, rules: &DealRules) -> bool {
        self.rules.method == rules.method && self.rules.packets == rules.packets
    }

    /// Returns who deals.
    #[inline]
    pub const fn dealer(&self) -> Seat {
        self.dealer
    }

    /// Returns the hands before the auction: eight cards each, fewer where the rest is dealt after it.
    #[inline]
    pub const fn hands(&self) -> &BySeat<CardSet> {
        &self.hands
    }

    /// Returns the deck from which was dealt.
    pub const fn deck(&self) -> &Deck {
        &self.deck
    }

    /// The number of cards dealt before the auction.
    const fn dealt(&self) -> usize {
        4 * self.rules.packets.total()
    }

    /// Returns the card turned up in the turn-up game.
    #[inline]
    pub const fn turned(&self) -> Option<Card> {
        match self.rules.method {
            DealMethod::Full | DealMethod::Split => None,
            DealMethod::TurnUp => Some(self.deck.0[20]),
        }
    }

    /// Returns the hands with which play begins: in the turn-up game the taker gets the turned card and
    /// two more, the others three, in order of play from the dealer's left; in a split deal each the rest of its eight.
    pub fn complete(&self, taker: Seat) -> BySeat<CardSet> {
        let mut hands = self.hands;
        if self.rules.method == DealMethod::Full {
            return hands;
        }
        let mut cards = self.deck.0[self.dealt()..].iter();
        if self.turned().is_some() {
            hands[taker].extend(cards.next().copied());
        }
        for seat in self.dealer.next().around() {
            let packet = 8 - hands[seat].len();
            hands[seat].extend(cards.by_ref().take(packet).copied());
        }
        hands
    }

    /// Whose each of the dealt cards is, in the order of the deck.
    fn owners(&self) -> Vec<Seat> {
        let mut owners = Vec::with_capacity(32);
        for packet in self.rules.packets.iter() {
            for seat in self.dealer.next().around() {
                owners.extend(core::iter::repeat_n(seat, packet));
            }
        }
        owners
    }
}

/// An earlier deal of a match in which the deck is only cut: what gathering it needs, and what each
/// player saw of it.
#[derive(Debug, Clone, Copy)]
pub struct PastDeal {
    pub(crate) deal: Deal,
    pub(crate) hands: BySeat<CardSet>,
    log: PlayLog,
}

impl PastDeal {
    pub(crate) const fn new(deal: Deal, hands: BySeat<CardSet>, log: PlayLog) -> Self {
        Self { deal, hands, log }
    }

    /// Adds a deal to those on which the next deck of a match depends, from the last one that was played on, and which tell the players
    /// about it. They are none where every deck is shuffled, and where the next one is (`deal.reshuffle`: no card was played in so
    /// many, which one that is forfeited in its auction counts among).
    pub fn remember(rules: &DealRules, past: &mut Vec<Self>, last: Self) {
        if rules.shuffle == Shuffle::Uniform {
            return;
        }
        if last.tricks().len() == 8 {
            past.clear();
        }
        past.push(last);
        let passed_out = past.iter().filter(|deal| deal.tricks().is_empty()).count();
        if rules.reshuffle > 0 && passed_out >= usize::from(rules.reshuffle) {
            past.clear();
        }
    }

    /// Returns who dealt.
    pub const fn dealer(&self) -> Seat {
        self.deal.dealer()
    }

    /// Returns the card that was turned up in the turn-up game.
    pub const fn turned(&self) -> Option<Card> {
        self.deal.turned()
    }

    /// Returns the tricks, none of a deal that was passed out.
    pub fn tricks(&self) -> &[Trick] {
        self.log.tricks()
    }

    /// Returns the hand that a seat held.
    pub(crate) fn hand(&self, seat: Seat) -> CardSet {
        self.hands[seat]
    }

    /// Gathers the deck after this deal, see [`Deck::gather`].
    pub fn gather(&self) -> Deck {
        match self.log.tricks().try_into() {
            Ok(tricks) => Deck::gather(tricks),
            Err(_) => Deck::gather_thrown_in(&self.deal),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::RuleSet;

    #[test]
    fn names_what_is_wrong_with_hands() {
        assert!(parse_hands("7C | 8C | 9C").unwrap_err().to_string().contains("found 3"));
        let shared = parse_hands("7C | 8C | 9C | 8C").unwrap_err().to_string();
        assert!(shared.contains("seats 1 and 3"), "{shared}");
    }

    #[test]
    fn hands_of_another_deal_method_are_no_deal() {
        let (full, turn_up) = (RuleSet::BGA.deal, RuleSet::BELOTE.deal);
        let hands = *Deal::new(&full, Deck::sorted(), Seat::S0).hands();
        let card = hands[Seat::S2].first().unwrap();
        let from = |rules: &DealRules, turned| Deal::from_hands(rules, Seat::S1, hands, turned);
        assert!(from(&full, None).is_ok() && from(&turn_up, Some((card, Seat::S2))).is_ok());
        assert_eq!(from(&full, Some((card, Seat::S2))), Err(DealError::Turned));
        assert_eq!(from(&turn_up, None), Err(DealError::Turned));
        assert_eq!(from(&turn_up, Some((card, Seat::S3))), Err(DealError::Taker));
        let packets = DealRules { packets: turn_up.packets, ..full };
        assert_eq!(from(&packets, None), Err(DealError::Packets { cards: 5, expected: 8 }));
        assert_eq!(Deal::try_new(&packets, Deck::sorted(), Seat::S0), from(&packets, None));
    }
}
