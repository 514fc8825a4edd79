//! What one seat may know (`docs/rules.md`, "What a player may know").
//!
//! A [`View`] borrows the state and hands out only what the seat sees: its own cards, everything said
//! and played, and what follows from it. Bots are given views and nothing else; no method, field or
//! trait of the type leads to another hand.

use core::fmt;

use crate::melds::{MeldKind, Melds};
use crate::observation::{Observation, ObservedDeal};
use crate::rules::Announce;
use crate::state::DealState;
use crate::{
    Auction, Belote, BySeat, ByTeam, Card, CardSet, Contract, PastDeal, PlayState, RuleSet, Seat, Strain,
    Suit, Team, Trick, Turn,
};

/// What one seat may know of a deal.
///
/// ```
/// use coinche_engine::{Deal, DealState, Deck, RuleSet, Seat};
///
/// let deal = Deal::new(&RuleSet::BGA.deal, Deck::sorted(), Seat::S3);
/// let state = DealState::new(&RuleSet::BGA, &deal);
/// let view = state.view(Seat::S1);
/// assert_eq!(view.hand(), deal.hands()[Seat::S1]);
/// assert_eq!(view.could_hold(Seat::S0), !view.hand());
/// ```
#[derive(Clone, Copy)]
pub struct View<'a> {
    state: &'a DealState,
    seat: Seat,
}

impl DealState {
    /// Returns what a seat may know.
    pub const fn view(&self, seat: Seat) -> View<'_> {
        View { state: self, seat }
    }
}

impl<'a> View<'a> {
    /// Returns whose view it is.
    pub const fn seat(&self) -> Seat {
        self.seat
    }

    /// The whole state, for what this crate makes of it for the seat.
    pub(crate) const fn state(&self) -> &'a DealState {
        self.state
    }

    /// Returns the rules.
    #[inline]
    pub const fn rules(&self) -> &'a RuleSet {
        self.state.rules()
    }

    /// Returns who dealt.
    #[inline]
    pub const fn dealer(&self) -> Seat {
        self.state.deal().dealer()
    }

    /// Returns the card turned up in the turn-up game.
    #[inline]
    pub const fn turned(&self) -> Option<Card> {
        self.state.deal().turned()
    }

    /// Returns the cards still in the seat's own hand.
    #[inline]
    pub fn hand(&self) -> CardSet {
        match self.state.play_state() {
            Some(play) => play.hand(self.seat),
            None => self.state.hands()[self.seat],
        }
    }

    /// Returns the seat's own hand as it was when play began; before that, as dealt.
    #[inline]
    pub fn first_hand(&self) -> CardSet {
        self.state.hands()[self.seat]
    }

    /// Returns the auction so far.
    #[inline]
    pub const fn auction(&self) -> &'a Auction {
        self.state.auction()
    }

    /// Returns what the deal is waiting for, which everyone knows.
    #[inline]
    pub fn turn(&self) -> Turn {
        self.state.turn()
    }

    /// Returns the contract, once play has begun.
    #[inline]
    pub fn contract(&self) -> Option<Contract> {
        self.state.contract()
    }

    /// Returns what is trump, once play has begun.
    #[inline]
    pub fn strain(&self) -> Option<Strain> {
        self.state.strain()
    }

    /// Returns the finished tricks.
    #[inline]
    pub fn tricks(&self) -> &'a [Trick] {
        self.state.log().tricks()
    }

    /// Returns the cards of the trick under way with their seats, in the order played.
    #[inline]
    pub fn trick(&self) -> impl Iterator<Item = (Seat, Card)> + use<'a> {
        let play = self.state.play_state();
        // Not flattened: each card is asked for in many places, the encoder's first of all.
        (0..self.cards_in_trick()).filter_map(move |index| play.map(|play| play.card_of_trick(index)))
    }

    /// Returns the number of cards in the trick under way, `0..4`.
    #[inline]
    pub fn cards_in_trick(&self) -> usize {
        self.state.play_state().map_or(0, PlayState::cards_in_trick)
    }

    /// Returns the seat and the card that are winning the trick under way.
    #[inline]
    pub fn winning(&self) -> Option<(Seat, Card)> {
        self.state.play_state().and_then(PlayState::winning)
    }

    /// Returns the cheapest card with which the seat loses the trick under way as surely as with this one: [`PlayState::cheaper_loser`].
    pub fn cheaper_loser(&self, card: Card) -> Option<Card> {
        self.state.play_state()?.cheaper_loser(&self.rules().cards, card)
    }

    /// Returns all cards played so far, those of the trick under way included.
    #[inline]
    pub const fn played(&self) -> CardSet {
        self.state.log().played()
    }

    /// Returns the cards of the tricks that a team has won.
    #[inline]
    pub fn taken(&self, team: Team) -> CardSet {
        self.state.play_state().map_or(CardSet::EMPTY, |play| play.taken(team))
    }

    /// Returns the number of tricks that a seat has won.
    #[inline]
    pub fn tricks_by(&self, seat: Seat) -> u8 {
        self.state.play_state().map_or(0, |play| play.tricks_by(seat))
    }

    /// Returns the card points that both teams have taken so far.
    pub fn points_taken(&self) -> ByTeam<u16> {
        self.state.play_state().map_or(ByTeam([0; 2]), |play| play.card_points(self.rules()))
    }

    /// Returns the play as it would stand if the others now held these cards; `None` outside of the play, and
    /// when a hand has more or fewer cards than its player really holds or shares one with another hand.
    ///
    /// For searches over the deals that may be: nothing but what is played is taken from the deal itself. The
    /// own hand is laid over the one given.
    pub fn imagine_play(&self, hands: &BySeat<CardSet>) -> Option<PlayState> {
        let real = self.state.play_state()?;
        let mut hands = *hands;
        hands[self.seat] = self.hand();
        let [a, b, c, d] = hands.0;
        let shared = (a & b) | (c & d) | ((a | b) & (c | d));
        let fits = shared.is_empty() && hands.iter().all(|(seat, hand)| hand.len() == real.hand(seat).len());
        fits.then(|| real.with_hands_unchecked(&hands))
    }

    /// Returns the cards that are in none of: the own hand, the cards played. Where they lie is not
    /// known, except for [`View::known`].
    #[inline]
    pub fn unseen(&self) -> CardSet {
        !(self.first_hand() | self.played())
    }

    /// Returns the cards that a seat has played, those of the trick under way included.
    #[inline]
    pub fn played_by(&self, seat: Seat) -> CardSet {
        // A hand less what is left of it: nothing of the rest comes out.
        self.state.play_state().map_or(CardSet::EMPTY, |play| self.state.hands()[seat] - play.hand(seat))
    }

    /// Returns the cards that another seat certainly holds, because it showed them: the turned card it
    /// took, the other card of a belote it announced, the cards of its melds that score. The own hand
    /// for the own seat.
    #[inline]
    pub fn known(&self, seat: Seat) -> CardSet {
        if seat == self.seat { self.hand() } else { self.shown()[seat] }
    }

    /// Returns the cards that each seat showed and still holds, those of the own seat too.
    #[inline]
    pub(crate) fn shown(&self) -> BySeat<CardSet> {
        let mut shown = BySeat([CardSet::EMPTY; 4]);
        let Some(contract) = self.contract() else { return shown };
        if let Some(turned) = self.turned() {
            shown[contract.declarer] = CardSet::only(turned);
        }
        for suit in Suit::ALL {
            if let Some(belote) = self.state.belote(suit)
                && belote.announced == Some(true)
            {
                shown[belote.seat] |= crate::state::couple(suit);
            }
        }
        if let Some(scored) = self.state.scored_melds() {
            for (seat, melds) in scored.iter() {
                shown[seat] |= melds.cards();
            }
        }
        let played = self.played();
        shown.map(|cards| cards - played)
    }

    /// Returns the unseen cards that each other seat certainly does not hold, given what [`View::shown`] says.
    #[inline]
    pub(crate) fn excluded(&self, shown: &BySeat<CardSet>) -> BySeat<CardSet> {
        let unseen = self.unseen();
        let all = (0..4).fold(CardSet::EMPTY, |all, seat| all | shown.0[seat]);
        // On the table until somebody takes it.
        let on_table = match self.turned() {
            Some(turned) if self.contract().is_none() => CardSet::only(turned),
            _ => CardSet::EMPTY,
        };
        BySeat::from_fn(|seat| unseen & (self.state.excluded()[seat] | (all - shown[seat]) | on_table))
    }

    /// Returns the cards that a seat may still hold, as far as rules and play tell everyone, and the
    /// own hand tells this seat: not the own cards, nor those played, nor those another seat certainly
    /// holds, nor those that the seat would have had to play earlier.
    ///
    /// Exact about single cards; how many cards a seat holds is for the reader to count. The own hand
    /// for the own seat.
    #[inline]
    pub fn could_hold(&self, seat: Seat) -> CardSet {
        if seat == self.seat { self.hand() } else { self.unseen() - self.excluded(&self.shown())[seat] }
    }

    /// Tests if a seat has shown that it holds no card of a suit.
    #[inline]
    pub fn is_void(&self, seat: Seat, suit: Suit) -> bool {
        CardSet::suit(suit).is_subset(self.state.excluded()[seat])
    }

    /// Returns the kinds of meld that a seat has announced (of the own seat too, once it has played).
    pub fn announced_kinds(&self, seat: Seat) -> impl Iterator<Item = MeldKind> + use<> {
        self.state.announced_melds()[seat].iter().map(|meld| meld.kind)
    }

    /// Returns the melds that score, with their cards: public after the first trick.
    pub const fn scored_melds(&self) -> Option<&'a BySeat<Melds>> {
        self.state.scored_melds()
    }

    /// Returns the belote of a suit as far as the seat knows it: announced, or its own.
    pub fn belote(&self, suit: Suit) -> Option<Belote> {
        let belote = self.state.belote(suit)?;
        (belote.seat == self.seat || belote.announced == Some(true)).then_some(belote)
    }

    /// Tests if belotes are announced without a choice.
    pub fn belote_is_automatic(&self) -> bool {
        self.rules().belote.announce == Announce::Automatic
    }

    /// Returns the score of the match before this deal; 0–0 outside of a match.
    pub const fn match_score(&self) -> ByTeam<i32> {
        self.state.match_score()
    }

    /// Returns the points that wait for the winner of this deal (turn-up game, `match.tie = held`).
    pub const fn held(&self) -> i32 {
        self.state.held()
    }

    /// Returns how many played deals end the match, this one included, where `match.deals` does; else 0.
    pub const fn deals_left(&self) -> u16 {
        self.state.deals_left()
    }

    /// Returns what the seat saw of the earlier deals of the match since the last that was played, that
    /// one first; none unless the deck is only cut.
    pub fn past(&self) -> impl Iterator<Item = SeenDeal<'a>> + use<'a> {
        let seat = self.seat;
        self.state.past().iter().map(move |past| SeenDeal { past, seat })
    }
}

impl fmt::Debug for View<'_> {
    /// Shows the seat and its hand only.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("View").field("seat", &self.seat).field("hand", &self.hand()).finish_non_exhaustive()
    }
}

/// What one seat saw of an earlier deal.
#[derive(Clone, Copy)]
pub struct SeenDeal<'a> {
    past: &'a PastDeal,
    seat: Seat,
}

impl<'a> SeenDeal<'a> {
    /// Returns who dealt.
    pub const fn dealer(&self) -> Seat {
        self.past.dealer()
    }

    /// Returns the hand that the seat itself held.
    pub fn hand(&self) -> CardSet {
        self.past.hand(self.seat)
    }

    /// Returns the card that was turned up in the turn-up game.
    pub const fn turned(&self) -> Option<Card> {
        self.past.turned()
    }

    /// Returns the tricks, in the order in which they were gathered; none of a thrown-in deal.
    pub fn tricks(&self) -> &'a [Trick] {
        self.past.tricks()
    }
}

impl fmt::Debug for SeenDeal<'_> {
    /// Shows the seat's own hand and the tricks only.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SeenDeal")
            .field("hand", &self.hand())
            .field("tricks", &self.tricks())
            .finish_non_exhaustive()
    }
}

impl Observation {
    /// Returns what a view tells, as plain data of its own.
    pub fn of(view: &View<'_>) -> Self {
        let cards = view.tricks().iter().flat_map(|trick| trick.cards);
        let auction = view.auction();
        Self {
            turned: view.turned(),
            given: view.contract().filter(|_| auction.calls().is_empty()),
            calls: auction.calls().to_vec(),
            offered: auction.state().turn().is_offer(),
            cards: cards.chain(view.trick().map(|(_, card)| card)).collect(),
            announced: BySeat::from_fn(|seat| view.announced_kinds(seat).collect()),
            scored: view.scored_melds().copied(),
            belotes: Suit::ALL
                .into_iter()
                .filter_map(|suit| view.belote(suit).and_then(|it| Some((suit, it.seat, it.announced?))))
                .collect(),
            match_score: view.match_score(),
            held: view.held(),
            deals_left: view.deals_left(),
            past: view.past().map(|past| ObservedDeal::of(&past)).collect(),
            ..Self::new(view.seat(), view.dealer(), view.first_hand())
        }
    }
}

impl ObservedDeal {
    fn of(past: &SeenDeal<'_>) -> Self {
        Self {
            dealer: past.dealer(),
            turned: past.turned(),
            hand: past.hand(),
            tricks: past.tricks().to_vec(),
        }
    }
}
