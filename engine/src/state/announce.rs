//! Belotes and melds as they are announced.

use crate::rules::{Announce, BeloteAllTrump};
use crate::{BySeat, ByTeam, Card, CardSet, Melds, PlayState, Rank, RuleSet, Seat, Strain, Suit};

/// A king and queen of trumps in one hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Belote {
    /// Who held both.
    pub seat: Seat,
    /// Whether it was announced; `None` before the first of the two cards is played.
    pub announced: Option<bool>,
}

/// What has been announced in a deal.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Announcements {
    /// By suit: at most the trump suit, or in all trump every suit where the rules have it so.
    pub(super) belotes: [Option<Belote>; 4],
    /// The kings and queens that make a belote.
    couples: CardSet,
    pub(super) melds: BySeat<Melds>,
    pub(super) scored: Option<BySeat<Melds>>,
}

/// King and queen of a suit.
pub(crate) const fn couple(suit: Suit) -> CardSet {
    CardSet::only(Card::new(suit, Rank::King)).with(Card::new(suit, Rank::Queen))
}

/// The suits of which king and queen are a belote.
fn belote_suits(rules: &RuleSet, strain: Strain) -> CardSet {
    match strain.trump() {
        _ if !rules.belote.exists() => CardSet::EMPTY,
        Some(suit) => CardSet::suit(suit),
        None if strain == Strain::AllTrump && rules.belote.all_trump != BeloteAllTrump::None => CardSet::FULL,
        None => CardSet::EMPTY,
    }
}

impl Belote {
    /// Returns the points of the belotes that hands of eight cards hold, 20 each, announced or not.
    pub fn points(rules: &RuleSet, strain: Strain, hands: &BySeat<CardSet>) -> ByTeam<u16> {
        let mut points = ByTeam([0; 2]);
        for queen in belote_suits(rules, strain) & CardSet::rank(Rank::Queen) {
            for (seat, hand) in hands.iter() {
                points[seat.team()] += if couple(queen.suit()).is_subset(*hand) { 20 } else { 0 };
            }
        }
        points
    }
}

impl Announcements {
    /// Starts with what one seat knows: its own belotes, and those `said`, announced or (its own) not.
    pub(super) fn observed(
        rules: &RuleSet,
        strain: Strain,
        seat: Seat,
        hand: CardSet,
        said: &[(Suit, Seat, bool)],
    ) -> Self {
        let mut hands = BySeat([CardSet::EMPTY; 4]);
        hands[seat] = hand;
        for (suit, other, _) in said {
            if *other != seat {
                hands[*other] |= couple(*suit);
            }
        }
        let mut this = Self::default();
        this.start(rules, strain, &hands);
        this
    }

    pub(super) fn start(&mut self, rules: &RuleSet, strain: Strain, hands: &BySeat<CardSet>) {
        let queens = belote_suits(rules, strain) & CardSet::rank(Rank::Queen);
        for queen in queens {
            let couple = couple(queen.suit());
            self.couples |= couple;
            self.belotes[queen.suit().index()] = hands
                .iter()
                .find(|(_, hand)| couple.is_subset(**hand))
                .map(|(seat, _)| Belote { seat, announced: None });
        }
    }

    /// Gives a seat another hand, of which it has played these cards: what it knows of belotes changes.
    pub(super) fn suppose(&mut self, seat: Seat, hand: CardSet, played: CardSet) {
        for queen in self.couples & CardSet::rank(Rank::Queen) {
            let couple = couple(queen.suit());
            let belote = &mut self.belotes[queen.suit().index()];
            // What was announced is known to all.
            if belote.is_some_and(|belote| belote.announced == Some(true)) {
                continue;
            }
            if couple.is_subset(hand) {
                let announced = if couple.is_disjoint(played) { None } else { Some(false) };
                *belote = Some(Belote { seat, announced });
            } else if belote.is_some_and(|belote| belote.seat == seat) {
                *belote = None;
            }
        }
    }

    /// Tests if a card is the first of a belote of this seat.
    #[inline]
    pub(super) fn opens(&self, seat: Seat, card: Card) -> bool {
        matches!(self.belotes[card.suit().index()],
            Some(belote) if belote.seat == seat && belote.announced.is_none())
            && couple(card.suit()).contains(card)
    }

    /// Tests if the rules let a card be the first of a belote.
    #[inline]
    pub(super) fn may_open(rules: &RuleSet, before: &PlayState, card: Card) -> bool {
        !(rules.belote.all_trump == BeloteAllTrump::NoDiscard && before.discards(card))
    }

    /// Notes a card that is about to be played, and returns what everyone learns of the player's other cards by it.
    #[inline]
    pub(super) fn card_played(
        &mut self,
        rules: &RuleSet,
        before: &PlayState,
        card: Card,
        announce: bool,
    ) -> CardSet {
        if !self.couples.contains(card) {
            return CardSet::EMPTY;
        }
        let automatic = rules.belote.announce == Announce::Automatic;
        let may_open = Self::may_open(rules, before, card);
        if self.opens(before.to_play(), card) {
            if let Some(belote) = &mut self.belotes[card.suit().index()] {
                belote.announced = Some(may_open && (automatic || announce));
            }
            CardSet::EMPTY
        } else if automatic && may_open {
            // A belote would have been announced: the other card is not in this hand (nor, when this is
            // the second card, anywhere).
            couple(card.suit()).without(card)
        } else {
            CardSet::EMPTY
        }
    }

    /// The points of the announced belotes by team.
    pub(super) fn belote_points(&self) -> ByTeam<u16> {
        let mut points = ByTeam([0; 2]);
        for belote in self.belotes.iter().flatten() {
            if belote.announced == Some(true) {
                points[belote.seat.team()] += 20;
            }
        }
        points
    }
}
