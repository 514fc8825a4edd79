//! The promises of calls, counted over all hands that make them.

use std::collections::BTreeMap;

use coinche_bots::system::{Claim, System, SystemAt};
use coinche_engine::{BidValue, Call, CardSet, Rank, Strain, Suit};
use coinche_inference::{Merge, larger, merge, smaller};
use coinche_selfplay::document::words;
use rayon::prelude::*;

use super::hands::{Hands, Times};
use super::scene::Scene;
use crate::texts::{fill, texts};
use crate::typed::Language;

/// The range of a number over all hands that make a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Spread {
    pub least: u32,
    pub most: u32,
    sum: u64,
}

impl Default for Spread {
    fn default() -> Self {
        Self { least: u32::MAX, most: 0, sum: 0 }
    }
}

impl Spread {
    fn add(&mut self, value: u32, times: Times) {
        self.least = self.least.min(value);
        self.most = self.most.max(value);
        self.sum += u64::from(value) * times;
    }

    pub(crate) fn mean(&self, hands: u64) -> f64 {
        self.sum as f64 / hands as f64
    }
}

/// What is counted of a hand.
pub(super) struct Held {
    pub(super) trumps: u32,
    /// The aces beside.
    pub(super) aces: u32,
    /// Whether it has jack, nine, ace, and king and queen of the trump suit.
    pub(super) with: [bool; 4],
}

impl Held {
    pub(super) fn of(hand: CardSet, trump: Option<Suit>) -> Self {
        let own = trump.map_or(CardSet::EMPTY, |suit| hand.of(suit));
        let has = |rank: Rank| !(own & CardSet::rank(rank)).is_empty();
        Self {
            trumps: own.bits().count_ones(),
            aces: ((hand - own) & CardSet::rank(Rank::Ace)).bits().count_ones(),
            with: [has(Rank::Jack), has(Rank::Nine), has(Rank::Ace), has(Rank::King) && has(Rank::Queen)],
        }
    }
}

/// All hands that make a call.
#[derive(Debug, Clone, Default)]
pub(crate) struct Promise {
    pub hands: u64,
    /// The rules that make it, by number; empty for the fallback.
    pub rules: Vec<usize>,
    /// In the suit of the call.
    pub trumps: Spread,
    pub aces: Spread,
    /// Hands with jack, nine, ace, and king and queen of the suit.
    pub with: [u64; 4],
}

impl Promise {
    fn add(&mut self, hand: CardSet, strain: Option<Strain>, times: Times) {
        let held = Held::of(hand, strain.and_then(Strain::trump));
        self.hands += times;
        self.trumps.add(held.trumps, times);
        self.aces.add(held.aces, times);
        for (with, holds) in self.with.iter_mut().zip(held.with) {
            *with += if holds { times } else { 0 };
        }
    }
}

/// A call, independent of suit names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    /// No rule applies.
    Floor,
    Pass,
    Wait,
    Coinche,
    Surcoinche,
    /// The suit turned up, or another one.
    Take {
        other: bool,
    },
    /// A bid: its value and strain.
    Bid(BidValue, Of),
}

/// The relation of a strain to those that were bid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Of {
    /// A suit not bid before.
    Suit,
    /// The suit bid before.
    Same,
    NoTrump,
    AllTrump,
}

impl Kind {
    /// Returns the kind of a call after bids in these suits.
    pub(super) fn of(call: Call, bid: &[Suit]) -> Self {
        match call {
            Call::Pass => Self::Pass,
            Call::Wait => Self::Wait,
            Call::Coinche => Self::Coinche,
            Call::Surcoinche => Self::Surcoinche,
            Call::Take => Self::Take { other: false },
            Call::TakeIn(_) => Self::Take { other: true },
            Call::Bid(it) => {
                let of = match it.strain {
                    Strain::NoTrump => Of::NoTrump,
                    Strain::AllTrump => Of::AllTrump,
                    suit if suit.trump().is_some_and(|suit| bid.contains(&suit)) => Of::Same,
                    _ => Of::Suit,
                };
                Self::Bid(it.value, of)
            }
        }
    }

    /// Returns what people say of it.
    pub(crate) fn text(self, language: Language) -> String {
        let texts = texts(language);
        let shown = |value: BidValue| match language {
            Language::English => value.to_string(),
            Language::French => words::bid_value(value),
        };
        let of_value = |text, value| fill(text, &[("value", &shown(value))]);
        let without_suit = |value, strain| format!("{} {}", shown(value), language.strain(strain));
        match self {
            Self::Floor => texts.no_rule.to_owned(),
            Self::Pass => language.call(Call::Pass),
            Self::Wait => language.call(Call::Wait),
            Self::Coinche => language.call(Call::Coinche),
            Self::Surcoinche => language.call(Call::Surcoinche),
            Self::Take { other: false } => language.call(Call::Take),
            Self::Take { other: true } => texts.takes_another.to_owned(),
            Self::Bid(value, Of::Suit) => of_value(texts.in_a_suit, value),
            Self::Bid(value, Of::Same) => of_value(texts.in_the_suit_bid, value),
            Self::Bid(value, Of::NoTrump) => without_suit(value, Strain::NoTrump),
            Self::Bid(value, Of::AllTrump) => without_suit(value, Strain::AllTrump),
        }
    }

    /// Tests if it has a trump suit.
    pub(crate) const fn has_suit(self) -> bool {
        matches!(self, Self::Take { .. } | Self::Bid(_, Of::Suit | Of::Same))
    }
}

/// The promises of the calls at a turn.
pub(crate) type Promises = BTreeMap<Kind, Promise>;

/// Two rules that apply to the same hands with different calls: the numbers of both, and the number of hands.
pub(crate) type Overlaps = BTreeMap<(usize, usize), u64>;

/// The calls of all hands at a turn.
#[derive(Debug, Clone, Default)]
pub(crate) struct Counted {
    pub promises: Promises,
    pub overlaps: Overlaps,
    /// One call of each kind, with one of its suit names.
    pub calls: BTreeMap<Kind, Call>,
    /// The number of hands.
    pub hands: u64,
}

merge! {
    Spread { sum; with smaller: least; with larger: most }
    Promise { hands, trumps, aces, with; with unite: rules }
    Counted { promises, overlaps, hands; with keep_first: calls }
}

impl Counted {
    fn add(&mut self, hand: CardSet, claims: &[Claim], times: Times, bid: &[Suit]) {
        self.hands += times;
        let Some(first) = claims.first() else {
            self.promises.entry(Kind::Floor).or_default().add(hand, None, times);
            return;
        };
        let kind = Kind::of(first.call, bid);
        let promise = self.promises.entry(kind).or_default();
        if !promise.rules.contains(&first.rule) {
            promise.rules.push(first.rule);
        }
        let strain = if kind.has_suit() { first.strain } else { None };
        promise.add(hand, strain, times);
        self.calls.entry(kind).or_insert(first.call);
        for other in claims.iter().filter(|other| other.call != first.call) {
            *self.overlaps.entry((first.rule, other.rule)).or_default() += times;
        }
    }
}

/// Adds the rules of other hands, in order.
fn unite(rules: &mut Vec<usize>, others: &[usize]) {
    rules.extend_from_slice(others);
    rules.sort_unstable();
    rules.dedup();
}

fn keep_first(calls: &mut BTreeMap<Kind, Call>, others: &BTreeMap<Kind, Call>) {
    for (kind, call) in others {
        calls.entry(*kind).or_insert(*call);
    }
}

/// Counts the calls of all hands at a turn: exactly, by classes of hands that differ only by names of suits, and by sevens and eights
/// where the system does not tell them apart.
///
/// Cost: a tenth of a second of one core, twice or three times as much for each suit that was bid.
pub(crate) fn count(system: &System, scene: &Scene) -> Counted {
    let hands = scene.hands.alike(system.at(&scene.moment).sevens_are_eights());
    let parts: Vec<u32> = Hands::parts().collect();
    let part = |at: &mut SystemAt<'_>, first: &u32| {
        let (mut those, mut times) = (Vec::new(), Vec::new());
        hands.each(*first, |hand, of_hand| {
            those.push(hand);
            times.push(of_hand);
        });
        let (mut counted, mut times) = (Counted::default(), times.into_iter());
        at.claims(&those, |hand, claims| {
            counted.add(hand, claims, times.next().unwrap_or_default(), &scene.suits);
        });
        counted
    };
    // Integers: the order of the sums does not matter.
    let counted = parts.par_iter().map_init(|| system.at(&scene.moment), part);
    counted.reduce(Counted::default, |counted, other| counted.merged(&other))
}
