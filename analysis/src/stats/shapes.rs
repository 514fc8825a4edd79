//! The distribution of the cards: observed, and expected from a well-shuffled deck.

use coinche_engine::rules::DealMethod;
use coinche_engine::{CardSet, Rank, RuleSet};
use coinche_inference::merge;
use coinche_selfplay::document::columns::{HANDS as COUNT, SHAPE, SHARE_DIFFERENCE, SHARE_EXPECTED, TIMES};
use coinche_selfplay::document::draw::{Ink, Mark, forest};
use coinche_selfplay::records::read::record::{End, Leg};
use coinche_selfplay::{Block, Picture, Table, named};
use serde::{Deserialize, Serialize};

use super::cells::{Share, Unit};
use crate::stats_hands::HANDS;

/// The lengths of the four suits, long to short.
const PATTERNS: [[u8; 4]; 15] = [
    [3, 2, 2, 1],
    [4, 2, 1, 1],
    [3, 3, 1, 1],
    [4, 2, 2, 0],
    [3, 3, 2, 0],
    [2, 2, 2, 2],
    [4, 3, 1, 0],
    [5, 2, 1, 0],
    [5, 1, 1, 1],
    [4, 4, 0, 0],
    [5, 3, 0, 0],
    [6, 1, 1, 0],
    [6, 2, 0, 0],
    [7, 1, 0, 0],
    [8, 0, 0, 0],
];

/// The other features of a hand.
const OTHERS: [&str; 4] =
    ["no card of a suit", "jack and nine of a suit", "ace and ten of a suit", "four of a rank"];

/// The number of features.
pub(super) const FEATURES: usize = PATTERNS.len() + OTHERS.len();

/// Hands by feature.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Shapes {
    shares: [Share; FEATURES],
}

merge! { Shapes { shares } }

/// Returns the binomial coefficient `n` over `k`.
fn choose(n: u64, k: u64) -> u64 {
    (1..=k).fold(1, |product, i| product * (n + 1 - i) / i)
}

/// Returns the name of a feature.
pub(super) fn name(feature: usize) -> String {
    match PATTERNS.get(feature) {
        Some([a, b, c, d]) => format!("{a}-{b}-{c}-{d}"),
        None => OTHERS[feature - PATTERNS.len()].to_owned(),
    }
}

/// Counts the hands of eight cards with a feature, of all [`HANDS`].
fn exact(feature: usize) -> u64 {
    if let Some(pattern) = PATTERNS.get(feature) {
        let of_suits: u64 = pattern.iter().map(|length| choose(8, (*length).into())).product();
        // The number of orders of the suits with these lengths.
        let orders = (0..=8u8).fold(24, |orders, length| {
            let equal: u64 = pattern.iter().map(|other| u64::from(*other == length)).sum();
            orders / (1..=equal).product::<u64>()
        });
        return of_suits * orders;
    }
    // Several suits can have the feature: inclusion and exclusion over their number.
    let pairs = || 4 * choose(30, 6) - 6 * choose(28, 4) + 4 * choose(26, 2) - 1;
    match feature - PATTERNS.len() {
        0 => 4 * choose(24, 8) - 6 * choose(16, 8) + 4,
        1 | 2 => pairs(),
        _ => 8 * choose(28, 4) - choose(8, 2),
    }
}

/// Returns the expected share of hands with a feature.
pub(super) fn expected(feature: usize) -> f64 {
    exact(feature) as f64 / HANDS as f64
}

/// Returns the features of a hand as bits.
fn features(hand: CardSet) -> u32 {
    let cards = hand.bits();
    let mut lengths = cards.to_le_bytes().map(|suit| u8::try_from(suit.count_ones()).unwrap_or_default());
    lengths.sort_unstable_by(|a, b| b.cmp(a));
    let pattern = PATTERNS.iter().position(|pattern| *pattern == lengths).unwrap_or_default();
    let held = |rank: Rank| (hand & CardSet::rank(rank)).bits() >> rank.index();
    let others = [
        lengths[3] == 0,
        held(Rank::Jack) & held(Rank::Nine) != 0,
        held(Rank::Ace) & held(Rank::Ten) != 0,
        cards & cards >> 8 & cards >> 16 & cards >> 24 & 0xff != 0,
    ];
    let bits = others.iter().enumerate().map(|(n, has)| u32::from(*has) << n);
    1 << pattern | bits.fold(0, |all, bit| all | bit) << PATTERNS.len()
}

impl Shapes {
    /// Adds the hands of a deal with eight cards each.
    pub(super) fn add(&mut self, unit: Unit, leg: &Leg<'_>) {
        if leg.hands.iter().any(|(_, hand)| hand.len() != 8) || leg.end == End::Forfeit {
            return;
        }
        let hands = leg.hands.map(features).0;
        for (n, share) in self.shares.iter_mut().enumerate() {
            let has: u32 = hands.iter().map(|hand| hand >> n & 1).sum();
            share.add_many(unit, has.into(), 4);
        }
    }

    /// Returns how often a hand has a feature.
    pub(super) const fn share(&self, feature: usize) -> &Share {
        &self.shares[feature]
    }
}

/// Returns table and picture. In the turn-up game the taker chooses a card, so that its hand has no
/// expectation.
pub(super) fn blocks(shapes: &Shapes, rules: &RuleSet) -> Vec<Block> {
    let known = rules.deal.method == DealMethod::Full;
    let caption = if known {
        "Hand shapes, longest suit first, compared with a well-shuffled deck (exact). For a well-shuffled deck, the \
         interval of the difference contains 0 in 19 of 20 rows"
    } else {
        "Hand shapes at the start of play, longest suit first"
    };
    let (mut rows, mut marks) = (Vec::new(), Vec::new());
    for feature in 0..FEATURES {
        let share = shapes.share(feature);
        let Some((value, [low, high])) = share.share().zip(share.interval()) else { break };
        let expected = known.then(|| expected(feature));
        let difference = expected.map(|expected| [value, low, high].map(|share| share - expected));
        rows.push((feature, share, expected, difference));
        if let Some((expected, difference)) = expected.zip(difference) {
            let [difference, low, high] = difference.map(|share| 100.0 * share);
            let ink = match () {
                () if low > 0.0 => Ink::A,
                () if high < 0.0 => Ink::B,
                () => Ink::Grey,
            };
            let shown = format!("{:.2} %, expected {:.2} %", 100.0 * value, 100.0 * expected);
            let interval = Some([low, high]);
            marks.push(Mark { label: name(feature), shown, mean: difference, interval, ink });
        }
    }
    let table = Table::of("shapes", caption, rows)
        .text(SHAPE.head("hands with"), |(feature, ..)| name(*feature))
        .count(COUNT, |(_, share, ..)| share.count())
        .count(TIMES, |(_, share, ..)| share.hits())
        .rate(named("share", "share of the hands"), |(_, share, ..)| *share)
        .share(SHARE_EXPECTED, |(_, _, expected, _)| *expected)
        .gap(SHARE_DIFFERENCE.head("difference"), |(.., difference)| *difference)
        .build();
    if marks.is_empty() {
        return vec![Block::Table(table)];
    }
    let axis = "share minus expected share, percentage points";
    let svg = forest("Hand shapes compared with a well-shuffled deck", axis, &marks);
    let caption = "Share of hands with each shape minus the share in a well-shuffled deck, with 95 % confidence intervals.";
    with_table(Picture::new(svg, caption, table))
}

/// Shows a picture of differences, and its table beside it.
pub(super) fn with_table(picture: Picture) -> Vec<Block> {
    let [name, shown] = ["difference", "shown"].map(|of| format!("{}-{of}", picture.name));
    let shown = Table { name: shown, ..picture.table.clone() };
    vec![Block::Picture(Picture { name, ..picture }), Block::Display(shown)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats_hands::class::tests::hands;

    #[test]
    fn the_exact_numbers_are_those_of_all_hands() {
        let mut counts = [0u64; FEATURES];
        for bits in hands(4).map(features) {
            counts.iter_mut().enumerate().for_each(|(n, count)| *count += u64::from(bits >> n & 1));
        }
        assert_eq!(counts, core::array::from_fn(exact));
        assert_eq!((0..PATTERNS.len()).map(exact).sum::<u64>(), HANDS);
    }
}
