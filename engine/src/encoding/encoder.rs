//! What a seat knows, as bits.

use super::features::{bit, word};
use super::{Memory, SuitOrder};
use crate::{AuctionTurn, CardSet, Contract, Goal, Ladder, RuleSet, Seat, Stake, Suit, Team, Turn, View};

/// How suits are named in an observation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Suits {
    /// As they were dealt.
    #[default]
    AsDealt,
    /// By [`SuitOrder::canonical`]: two deals that differ in the names of suits only have the same observations, and the
    /// answers are renamed with them ([`super::ActionSpace::rename`]).
    Canonical,
}

/// Writes what a seat knows as bits, the same number under all rules.
///
/// Everything that a [`View`] tells of the deal is in it, but for: the calls before the last twelve, bids above 320 points or
/// fifteen levels, more than one meld of a kind, points between the tens, and the earlier deals where the deck is only cut.
/// [`super::FEATURES`] names all bits.
///
/// ```
/// use coinche_engine::encoding::{Encoder, Suits};
/// use coinche_engine::{Deal, DealState, Deck, RuleSet, Seat};
///
/// let rules = RuleSet::BGA;
/// let state = DealState::new(&rules, &Deal::new(&rules.deal, Deck::sorted(), Seat::S3));
/// let encoder = Encoder::new(&rules, Suits::AsDealt);
/// let mut words = [0; Encoder::WORDS];
/// encoder.encode(&state.view(Seat::S0), &mut words);
/// assert_eq!(words[0], state.hands()[Seat::S0].bits());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Encoder {
    ladder: Ladder,
    target: i64,
    suits: Suits,
}

impl Encoder {
    /// The version of the layout; another one means other bits.
    pub const VERSION: u32 = 1;

    /// The words of an observation.
    pub const WORDS: usize = word::ALL;

    /// The bits of an observation.
    pub const BITS: usize = 32 * Self::WORDS;

    /// Makes the encoder of a rule set.
    pub fn new(rules: &RuleSet, suits: Suits) -> Self {
        Self { ladder: Ladder::new(rules), target: rules.game.target.into(), suits }
    }

    /// Returns how it names suits.
    pub const fn suits(&self) -> Suits {
        self.suits
    }

    /// Returns the order of the suits in the observation of a view.
    #[inline]
    pub fn order(&self, view: &View<'_>) -> SuitOrder {
        match self.suits {
            Suits::AsDealt => SuitOrder::IDENTITY,
            Suits::Canonical => SuitOrder::canonical(view),
        }
    }

    /// Writes the observation of a view and returns the order of its suits.
    ///
    /// Some sixty nanoseconds as dealt. Of a view under other rules the levels of bids are wrong.
    pub fn encode(&self, view: &View<'_>, words: &mut [u32; Self::WORDS]) -> SuitOrder {
        self.encode_with(&mut Memory::new(), view, words)
    }

    /// Writes the observation of a view as [`Encoder::encode`] does, with what was kept of earlier ones of the same deal: over a
    /// whole deal a third less. Before another deal, or after a step back, the memory must be cleared.
    pub fn encode_with(
        &self,
        memory: &mut Memory,
        view: &View<'_>,
        words: &mut [u32; Self::WORDS],
    ) -> SuitOrder {
        let order = self.order(view);
        *words = [0; Self::WORDS];
        memory.update(view, self.ladder);
        memory.write_tricks(view.seat(), words);
        cards(view, words);
        if order != SuitOrder::IDENTITY {
            for word in &mut words[..word::CARDS] {
                *word = order.rename(CardSet::from_bits(*word)).bits();
            }
        }
        situation(view, order, words);
        self.scores(view, words);
        announcements(view, order, words);
        memory.write_auction(view.seat(), order, words);
        order
    }

    fn scores(&self, view: &View<'_>, words: &mut [u32; Self::WORDS]) {
        let own = view.seat().team();
        if view.contract().is_some() {
            let points = view.points_taken();
            let steps = |team: Team| first_bits(u32::from(points[team] / 10).min(16));
            words[word::POINTS] = steps(own) | steps(own.other()) << 16;
        }
        let score = view.match_score();
        if score.0 != [0; 2] {
            let steps = |team: Team| {
                let sixteenths = (16 * i64::from(score[team]) / self.target.max(1)).clamp(0, 16);
                first_bits(u32::try_from(sixteenths).unwrap_or(0))
            };
            words[word::MATCH] = steps(own) | steps(own.other()) << 16;
        }
    }
}

/// A seat as one of four bits, the own the lowest.
#[inline]
const fn relative(view: &View<'_>, seat: Seat) -> u32 {
    1 << view.seat().distance_to(seat)
}

/// A small number of places as a shift.
#[inline]
const fn slot(slot: usize) -> u32 {
    u32::from_le_bytes([slot.to_le_bytes()[0], 0, 0, 0])
}

/// The lowest `n` bits, `n` at most 32.
#[inline]
const fn first_bits(n: u32) -> u32 {
    // In two steps, as a shift by 32 has no meaning.
    !(u32::MAX << (n / 2) << (n - n / 2))
}

#[inline]
fn cards(view: &View<'_>, words: &mut [u32; Encoder::WORDS]) {
    let around = view.seat().around();
    words[word::HAND] = view.hand().bits();
    words[word::TURNED] = view.turned().map_or(0, |card| CardSet::only(card).bits());
    let shown = view.shown();
    let excluded = view.excluded(&shown);
    for (place, seat) in around.into_iter().enumerate().skip(1) {
        words[word::SHOWN + place - 1] = shown[seat].bits();
        words[word::EXCLUDED + place - 1] = excluded[seat].bits();
    }
    if view.contract().is_none() {
        return;
    }
    for (place, seat) in around.into_iter().enumerate() {
        words[word::PLAYED + place] = view.played_by(seat).bits();
    }
    let mut under_way = CardSet::EMPTY;
    for (seat, card) in view.trick() {
        words[word::TRICK + view.seat().distance_to(seat)] = CardSet::only(card).bits();
        under_way = under_way.with(card);
    }
    let finished = view.tricks().len();
    if finished < 8 {
        words[word::TRICKS + finished] = under_way.bits();
    }
}

#[inline]
fn situation(view: &View<'_>, order: SuitOrder, words: &mut [u32; Encoder::WORDS]) {
    let mut situation = relative(view, view.dealer()) << bit::DEALER;
    if let Turn::Call(seat) | Turn::Play(seat) = view.turn() {
        situation |= relative(view, seat) << bit::TURN;
    }
    let auction = view.auction().state();
    let stage = match auction.turn() {
        AuctionTurn::Speak(_) => u32::from(auction.is_second_round()),
        AuctionTurn::OfferCoinche(_) => 2,
        AuctionTurn::OfferSurcoinche(_) => 3,
        AuctionTurn::Over => 4,
    };
    situation |= 1 << (bit::STAGE + stage);
    if let Some(Contract { declarer, strain, goal, stake }) = auction.contract() {
        situation |= relative(view, declarer) << bit::DECLARER;
        situation |= 1 << (bit::STRAIN + slot(order.strain_slot(strain)));
        situation |= match stake {
            Stake::Plain => 0,
            Stake::Coinche => 1 << bit::STAKE,
            Stake::Surcoinche => 2 << bit::STAKE,
        };
        match goal {
            Goal::Majority => {}
            Goal::Bid(crate::BidValue::CAPOT) => situation |= 1 << bit::GOAL,
            Goal::Bid(crate::BidValue::GENERALE) => situation |= 2 << bit::GOAL,
            Goal::Bid(value) => {
                words[word::VALUE] = first_bits(u32::from(value.as_points().unwrap_or(0) / 10).min(32));
            }
        }
    }
    if let Some((seat, _)) = view.winning() {
        situation |= relative(view, seat) << bit::WINNING;
    }
    situation |= u32::from(view.held() != 0) << bit::HELD;
    words[word::SITUATION] = situation;
}

#[inline]
fn announcements(view: &View<'_>, order: SuitOrder, words: &mut [u32; Encoder::WORDS]) {
    if view.contract().is_none() {
        return;
    }
    let mut announced = 0;
    if view.rules().melds.enabled {
        for (place, seat) in view.seat().around().into_iter().enumerate() {
            for kind in view.announced_kinds(seat) {
                announced |= 1 << (4 * slot(place) + kind as u32);
            }
        }
    }
    for suit in Suit::ALL {
        if let Some(belote) = view.belote(suit)
            && belote.announced == Some(true)
        {
            let place = view.seat().distance_to(belote.seat);
            announced |= 1 << (16 + 4 * slot(place) + slot(order.slot(suit)));
        }
    }
    words[word::ANNOUNCED] = announced;
}
