//! Playing the cards: legality, tricks, and who took what.
//!
//! A [`PlayState`] holds all four hands as *ranked* words (each suit a byte in order of strength, the
//! trump suit on top), so that the winner of a trick is the largest card among those of the suit led
//! and the trumps, and legality takes a handful of instructions without a table. It is `Copy` and
//! fits a cache line: search by copying, there is no undo. It knows all hands: bots are given a
//! [`crate::View`] instead.

use crate::deal::are_playable;
use crate::rules::{PartnerTrump, PlayRules, Undertrump};
use crate::strain::{CardRules, Layout};
use crate::{BySeat, ByTeam, Card, CardSet, HandsError, RuleSet, Seat, Strain, Team};

/// The state of the play of one deal, at the start of a trick or inside one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PlayState {
    /// What each seat still holds, ranked.
    pub(crate) hands: [u32; 4],
    /// The cards of finished tricks by team, ranked.
    pub(crate) taken: [u32; 2],
    /// The cards of the trick under way, ranked, in the order played.
    pub(crate) trick: [u32; 4],
    /// The suit led, as a mask, ranked; 0 between tricks.
    pub(crate) led: u32,
    /// The card that is winning the trick, ranked; 0 between tricks.
    pub(crate) best: u32,
    /// The seat of `best`.
    pub(crate) best_seat: u8,
    /// Who leads the trick under way.
    leader: u8,
    /// How many cards lie in the trick under way, `0..4`.
    len: u8,
    /// Tricks finished, `0..=8`.
    tricks: u8,
    /// Tricks won by seat.
    won: [u8; 4],
    strain: Strain,
    /// The player who cannot overtrump may discard.
    pub(crate) free_undertrump: bool,
    /// A lower trump may be played only where nothing else can; `free_undertrump` is set, too.
    pub(crate) no_undertrump: bool,
    /// A hand of trumps only must overtrump the partner.
    pub(crate) overtrump_partner: bool,
    /// How far from the player whose card is winning a player sits who need not trump: 2, or 4 where nobody is released.
    pub(crate) released_at: u8,
}

const _: () = assert!(size_of::<PlayState>() <= 64, "a play state fits a cache line");

/// Why a card may not be played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PlayError {
    /// All cards are played.
    #[error("{0}: the play is over")]
    Over(Card),
    /// The player does not hold the card.
    #[error("{0} is not in the hand")]
    NotInHand(Card),
    /// The player can follow suit.
    #[error("{0}: the suit led must be followed")]
    MustFollow(Card),
    /// The player can beat the best card of a suit in which that is a duty.
    #[error("{0}: a higher card of the suit led must be played")]
    MustBeat(Card),
    /// The player cannot follow and must trump.
    #[error("{0}: a trump must be played")]
    MustTrump(Card),
    /// The player can overtrump.
    #[error("{0}: a higher trump must be played")]
    MustOvertrump(Card),
    /// The player need not go below the best trump.
    #[error("{0}: a lower trump may be played only if no other card can")]
    MustNotUndertrump(Card),
}

/// A trick that has just been completed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct FinishedTrick {
    /// Who takes the four cards and leads the next trick.
    pub winner: Seat,
    /// The four cards.
    pub cards: CardSet,
}

impl PlayState {
    /// Starts the play of four hands of equal size.
    ///
    /// The hands have eight cards each for a whole deal, fewer for an ending.
    ///
    /// # Panics
    ///
    /// Panics when two hands share a card or the hands are not of one size.
    #[inline]
    pub fn new(rules: &PlayRules, strain: Strain, hands: BySeat<CardSet>, leader: Seat) -> Self {
        assert!(are_playable(&hands), "the hands are of one size and share no card");
        Self::of_hands(rules, strain, hands, leader)
    }

    /// Starts the play of four hands as [`PlayState::new`] does.
    ///
    /// ```
    /// use coinche_engine::{PlayState, RuleSet, Seat, Strain, parse_hands};
    ///
    /// let mut hands = parse_hands("7C 8C | 9C TC | JC QC | KC AC")?;
    /// let start = |hands| PlayState::try_new(&RuleSet::BGA.play, Strain::Hearts, hands, Seat::S0);
    /// assert!(start(hands).is_ok());
    /// hands[Seat::S3] = hands[Seat::S0];
    /// assert_eq!(start(hands).unwrap_err().to_string(), "7C is in the hands of seats 0 and 3");
    /// # Ok::<(), coinche_engine::ParseHandsError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When two hands share a card or the hands are not of one size.
    pub fn try_new(
        rules: &PlayRules,
        strain: Strain,
        hands: BySeat<CardSet>,
        leader: Seat,
    ) -> Result<Self, HandsError> {
        if !are_playable(&hands) {
            HandsError::find(&hands)?;
        }
        Ok(Self::of_hands(rules, strain, hands, leader))
    }

    /// Starts the play of hands that are known to be of one size and to share no card.
    #[inline]
    pub(crate) fn of_hands(rules: &PlayRules, strain: Strain, hands: BySeat<CardSet>, leader: Seat) -> Self {
        debug_assert!(are_playable(&hands));
        let layout = Layout::new(strain);
        Self {
            hands: hands.map(|hand| layout.rank_set(hand)).0,
            taken: [0; 2],
            trick: [0; 4],
            led: 0,
            best: 0,
            best_seat: leader as u8,
            leader: leader as u8,
            len: 0,
            tricks: (8 - hands[leader].len().min(8)).to_le_bytes()[0],
            won: [0; 4],
            strain,
            free_undertrump: rules.undertrump != Undertrump::Forced,
            no_undertrump: rules.undertrump == Undertrump::Forbidden,
            overtrump_partner: rules.partner_trump == PartnerTrump::Overtrump,
            released_at: if matches!(rules.partner_trump, PartnerTrump::Always) { 4 } else { 2 },
        }
    }

    /// Returns the same play with other cards left in the hands, each as many as before.
    ///
    /// For searches, which lay many worlds into one play: as with [`PlayState::play_unchecked`], nothing is
    /// checked, and other hands give a state that no deal can reach, nothing worse.
    #[inline]
    #[must_use]
    pub fn with_hands_unchecked(&self, hands: &BySeat<CardSet>) -> Self {
        Self { hands: hands.map(|hand| self.layout().rank_set(hand)).0, ..*self }
    }

    /// Lays other cards into one hand, as many as before.
    #[inline]
    pub(crate) const fn set_hand(&mut self, seat: Seat, hand: CardSet) {
        self.hands[seat as usize] = self.layout().rank_set(hand);
    }

    #[inline]
    pub(crate) const fn layout(&self) -> &'static Layout {
        Layout::new(self.strain)
    }

    /// Returns what is trump.
    pub const fn strain(&self) -> Strain {
        self.strain
    }

    /// Returns the cards that a seat still holds.
    #[inline]
    pub const fn hand(&self, seat: Seat) -> CardSet {
        self.layout().card_set(self.hands[seat as usize])
    }

    /// Returns the cards of the tricks that a team has won.
    #[inline]
    pub const fn taken(&self, team: Team) -> CardSet {
        self.layout().card_set(self.taken[team as usize])
    }

    /// Returns the number of tricks that a seat has won itself.
    #[inline]
    pub const fn tricks_by(&self, seat: Seat) -> u8 {
        self.won[seat as usize]
    }

    /// Returns the number of tricks that a team has won.
    #[inline]
    pub const fn tricks_won(&self, team: Team) -> u8 {
        self.won[team as usize] + self.won[team as usize + 2]
    }

    /// Returns the number of finished tricks of a whole deal, `0..=8`.
    pub const fn tricks_played(&self) -> u8 {
        self.tricks
    }

    /// Tests if all cards are played.
    pub const fn is_over(&self) -> bool {
        self.tricks == 8
    }

    /// Returns who led the trick under way, or leads the next; at the end, who won the last trick.
    #[inline]
    pub const fn leader(&self) -> Seat {
        Seat::from_index(self.leader as usize)
    }

    /// Returns whose turn it is (at the end of play: nobody's, and the winner of the last trick).
    #[inline]
    pub const fn to_play(&self) -> Seat {
        Seat::from_index((self.leader + self.len) as usize)
    }

    /// Returns the number of cards in the trick under way, `0..4`.
    pub const fn cards_in_trick(&self) -> usize {
        self.len as usize
    }

    /// Iterates over the cards of the trick under way with their seats, in the order played.
    #[inline]
    pub fn trick(&self) -> impl ExactSizeIterator<Item = (Seat, Card)> + use<> {
        let this = *self;
        (0..this.cards_in_trick()).map(move |index| this.card_of_trick(index))
    }

    /// Returns a card of the trick under way with its seat, by its place in the trick.
    #[inline]
    pub(crate) const fn card_of_trick(&self, index: usize) -> (Seat, Card) {
        (self.leader().plus(index), self.layout().card(self.trick[index & 3]))
    }

    /// Returns the seat and the card that are winning the trick under way.
    #[inline]
    pub const fn winning(&self) -> Option<(Seat, Card)> {
        if self.len == 0 {
            None
        } else {
            Some((Seat::from_index(self.best_seat as usize), self.layout().card(self.best)))
        }
    }

    /// Returns the cheapest card with which the player to move loses the trick as surely as with `card`, of its suit and for fewer points; `None`
    /// where there is none, or where `card` or the partner may still win the trick.
    pub fn cheaper_loser(&self, points: &CardRules, card: Card) -> Option<Card> {
        let (strain, (winner, best)) = (self.strain(), self.winning()?);
        let wins = |card: Card| {
            let suit = card.suit();
            if suit == best.suit() {
                strain.strength(card) > strain.strength(best)
            } else {
                strain.trump() == Some(suit)
            }
        };
        // Who plays second may still have the trick from the partner.
        if self.len < 2 || winner.team() == self.to_play().team() || wins(card) {
            return None;
        }
        let worth = |card: Card| (points.points(strain, card), strain.strength(card));
        let losers = self.legal_plays().of(card.suit()).into_iter().filter(|other| !wins(*other));
        let cheapest = losers.min_by_key(|other| worth(*other))?;
        (worth(cheapest).0 < worth(card).0).then_some(cheapest)
    }

    /// Tests if the player to move need not trump, since the partner is winning the trick under way.
    #[inline]
    const fn is_released(&self) -> bool {
        (self.leader + self.len) & 3 == (self.best_seat + self.released_at) & 3
    }

    /// Returns what of the rules of play the state goes by.
    #[inline]
    pub(crate) const fn duties(&self) -> (bool, bool, bool, u8) {
        (self.free_undertrump, self.no_undertrump, self.overtrump_partner, self.released_at)
    }

    /// Returns the legal cards as a ranked word.
    #[inline]
    pub(crate) const fn legal_ranked(&self) -> u32 {
        let hand = self.hands[self.to_play() as usize];
        let legal = legal_ranked(
            hand,
            self.led,
            self.best,
            self.is_released(),
            self.layout().cut,
            self.layout().duty,
            self.free_undertrump,
            self.overtrump_partner,
        );
        if self.no_undertrump {
            without_undertrumps(legal, hand, self.led, self.best, self.layout().cut)
        } else {
            legal
        }
    }

    /// Returns the cards that the player to move may play; empty when the play is over.
    ///
    /// A few dozen instructions, no table, no loop.
    #[inline]
    pub fn legal_plays(&self) -> CardSet {
        self.layout().card_set(self.legal_ranked())
    }

    /// Tests if a card is one of [`PlayState::legal_plays`].
    #[inline]
    pub const fn is_legal(&self, card: Card) -> bool {
        self.legal_ranked() & self.layout().bit(card) != 0
    }

    /// Tests if the player to move may play the card, by the rules one by one (`docs/rules.md`, "Card play").
    ///
    /// Written apart from [`PlayState::legal_plays`], which it is tested against.
    ///
    /// # Errors
    ///
    /// Names the rule that the card breaks.
    pub fn check(&self, card: Card) -> Result<(), PlayError> {
        if self.is_over() {
            return Err(PlayError::Over(card));
        }
        let seat = self.to_play();
        let hand = self.hand(seat);
        if !hand.contains(card) {
            return Err(PlayError::NotInHand(card));
        }
        let (Some((_, led)), Some((winner, best))) = (self.trick().next(), self.winning()) else {
            return Ok(());
        };
        let (strain, led) = (self.strain, led.suit());
        let follow = hand.of(led);
        if !follow.is_empty() {
            if card.suit() != led {
                return Err(PlayError::MustFollow(card));
            }
            let higher = follow & strain.above(best);
            // Of a plain suit that was trumped nothing is higher, since `best` is then of another suit.
            let duty = strain.orders_as_trump(led) && !higher.is_empty();
            return if duty && !higher.contains(card) { Err(PlayError::MustBeat(card)) } else { Ok(()) };
        }
        let Some(trump) = strain.trump() else { return Ok(()) };
        let trumps = hand.of(trump);
        let best_is_trump = best.suit() == trump;
        let higher = if best_is_trump { trumps & strain.above(best) } else { trumps };
        if self.no_undertrump && best_is_trump && trumps.contains(card) && !higher.contains(card) {
            // With a higher one the hand has another card to play.
            return if trumps == hand && higher.is_empty() {
                Ok(())
            } else {
                Err(PlayError::MustNotUndertrump(card))
            };
        }
        if winner == seat.partner() && self.released_at == 2 {
            let must = self.overtrump_partner && best_is_trump && trumps == hand;
            return if must && !higher.is_empty() && !higher.contains(card) {
                Err(PlayError::MustOvertrump(card))
            } else {
                Ok(())
            };
        }
        if trumps.is_empty() {
            Ok(())
        } else if !higher.is_empty() {
            match (higher.contains(card), card.suit() == trump) {
                (true, _) => Ok(()),
                (false, true) => Err(PlayError::MustOvertrump(card)),
                (false, false) => Err(PlayError::MustTrump(card)),
            }
        } else if self.free_undertrump || card.suit() == trump {
            Ok(())
        } else {
            Err(PlayError::MustTrump(card))
        }
    }

    /// Tests if a card neither leads, nor follows, nor trumps.
    #[inline]
    pub(crate) const fn discards(&self, card: Card) -> bool {
        self.led != 0 && self.layout().bit(card) & (self.led | self.layout().cut) == 0
    }

    /// Returns the cards that the player to move cannot hold if it plays `card`, which is legal.
    ///
    /// What everyone learns from the card by the rules alone: a card that would have had to be played
    /// instead is not in the hand. Exact for the duties to follow, to beat, to trump and to overtrump.
    /// (With `play.partner_trump = overtrump` nothing is read from a trump over the partner's, since
    /// other cards in the hand lift that duty.)
    #[inline]
    #[expect(clippy::needless_bitwise_bool, reason = "no branches: they would be mispredicted")]
    pub const fn excluded_by(&self, card: Card) -> CardSet {
        let (bit, led, best) = (self.layout().bit(card), self.led, self.best);
        let (trumps, duty) = (self.layout().cut, self.layout().duty);
        let off_suit = (led != 0) & (bit & led == 0);
        let void = if off_suit { led } else { 0 };
        // The cards that had to be played instead: of the suit led, or of the trumps.
        let due = if off_suit { trumps } else { led & duty };
        let above = due & !(best | best.wrapping_sub(1));
        let discard = off_suit & (bit & trumps == 0);
        let due = if discard & !self.free_undertrump { due } else { above };
        // Above a plain best card lies every trump, so that `bit < best` compares trumps only.
        let released = off_suit & (self.is_released() | (led == trumps));
        let refused = !released & (discard | (bit < best));
        // Who undertrumps although that is forbidden has no other cards.
        let under = trumps & (best | best.wrapping_sub(1));
        let only = self.no_undertrump & off_suit & (bit & under != 0);
        self.layout().card_set(if only { !under } else { void | if refused { due } else { 0 } })
    }

    /// Plays a card and returns the state after it, with the trick if it is complete.
    ///
    /// # Errors
    ///
    /// Names the rule that the card breaks.
    pub fn play(self, card: Card) -> Result<(Self, Option<FinishedTrick>), PlayError> {
        self.check(card)?;
        let mut next = self;
        let finished = next.play_unchecked(card);
        Ok((next, finished))
    }

    /// Plays a legal card in place and returns the trick if it is complete.
    ///
    /// With a card that is not legal the state is one that no deal can reach, nothing worse.
    #[inline]
    pub fn play_unchecked(&mut self, card: Card) -> Option<FinishedTrick> {
        debug_assert_eq!(self.check(card), Ok(()));
        self.play_ranked(self.layout().bit(card))
    }

    #[inline]
    pub(crate) fn play_ranked(&mut self, bit: u32) -> Option<FinishedTrick> {
        let seat = self.to_play();
        self.hands[seat as usize] &= !bit;
        if self.len == 0 {
            self.led = suit_mask(bit);
            self.best = 0;
        }
        let better = bit & (self.led | self.layout().cut) > self.best;
        self.best = if better { bit } else { self.best };
        self.best_seat = if better { seat as u8 } else { self.best_seat };
        self.trick[self.len as usize & 3] = bit;
        self.len += 1;
        if self.len < 4 {
            return None;
        }
        let [a, b, c, d] = self.trick;
        let (cards, winner) = (a | b | c | d, Seat::from_index(self.best_seat as usize));
        self.taken[winner.team() as usize] |= cards;
        self.won[winner as usize] += 1;
        self.leader = self.best_seat;
        self.len = 0;
        self.led = 0;
        self.best = 0;
        self.tricks += 1;
        Some(FinishedTrick { winner, cards: self.layout().card_set(cards) })
    }

    /// Notes a whole trick whose cards have left the hands.
    #[cfg(feature = "rand")]
    #[inline]
    pub(crate) fn finish_random_trick(&mut self, winner: usize, cards: u32) {
        self.taken[winner & 1] |= cards;
        self.won[winner & 3] += 1;
        self.leader = (winner & 3).to_le_bytes()[0];
        self.best_seat = self.leader;
        self.tricks += 1;
    }

    /// Returns the card points of both teams with the last trick, if it is won: `T` before rounding and
    /// before the worth of a slam.
    pub fn card_points(&self, rules: &RuleSet) -> ByTeam<u16> {
        let mut points = ByTeam::from_fn(|team| rules.cards.points_of(self.strain, self.taken(team)));
        if self.is_over() {
            points[self.leader().team()] += rules.scoring.last_trick_in(self.strain);
        }
        points
    }
}

/// The byte of the suit of a ranked card.
#[inline]
pub(crate) const fn suit_mask(bit: u32) -> u32 {
    0xff << (bit.trailing_zeros() & 0x18)
}

/// What is left of a hand's legal cards where it is forbidden to go below the best trump, all in ranked words.
///
/// Not a part of [`legal_ranked`], which is played millions of times by rules that do not ask for it.
pub(crate) const fn without_undertrumps(legal: u32, hand: u32, led: u32, best: u32, trumps: u32) -> u32 {
    let rest = legal & !(trumps & (best | best.wrapping_sub(1)));
    // The leader has no best card, and who follows a trump led does not ruff.
    if best & trumps == 0 || hand & led != 0 || rest == 0 { legal } else { rest }
}

/// The legal cards of a hand, all in ranked words.
///
/// `led` and `best` are 0 for the leader. `trumps` is the trump suit, `duty` the suits in which the
/// best card must be beaten. Written without branches: in random play they would be mispredicted.
#[inline]
#[expect(clippy::too_many_arguments, reason = "the rules of docs/rules.md, \"Card play\", one argument each")]
#[expect(clippy::needless_bitwise_bool, reason = "no branches: see above")]
pub(crate) const fn legal_ranked(
    hand: u32,
    led: u32,
    best: u32,
    is_released: bool,
    trumps: u32,
    duty: u32,
    free_undertrump: bool,
    overtrump_partner: bool,
) -> u32 {
    let follow = hand & led;
    let cut = hand & trumps;
    let candidates = if follow != 0 { follow } else { cut };
    // Every trump is above every plain card, since the trump suit is the top byte.
    let higher = candidates & duty & !(best | best.wrapping_sub(1));
    let only_trumps = overtrump_partner & (cut == hand) & (best & trumps != 0);
    let released = (follow == 0) & is_released & !only_trumps;
    // The leader has nothing to follow, and no best card.
    let free = (led == 0) | released | (cut == 0) | (free_undertrump & (higher == 0));
    let otherwise = if free & (follow == 0) { hand } else { candidates };
    if (higher != 0) & !released & (led != 0) { higher } else { otherwise }
}
