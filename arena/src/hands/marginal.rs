//! What each card is worth beside the others: a linear model of the points of a side, by least squares.

use coinche_engine::{CardSet, Rank, Strain, Suit};

use super::class::Kind;

/// The parts into which deals are divided, to tell how far an estimate would move with other deals.
const PARTS: usize = 20;

/// A linear model of the points by what is in the hand.
///
/// Every hand has eight cards, so that the sevens that are no trumps (of SA and TA: all sevens) are the measure: what
/// is told of a card is what it adds in the place of such a seven.
#[derive(Debug)]
pub(crate) struct Marginal {
    kind: Kind,
    /// By part of the deals: sums of products of features, and of features with points.
    parts: Vec<Sums>,
}

#[derive(Debug, Clone)]
struct Sums {
    products: Vec<f64>,
    points: Vec<f64>,
    count: u64,
}

/// One estimate: points for a side.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Estimate {
    /// What it is of.
    pub(crate) name: String,
    /// Points of the side.
    pub(crate) points: f64,
    /// Half the width of the 95 % interval.
    pub(crate) half_width: f64,
}

/// The ranks from the highest of a suit that is no trump.
const PLAIN: [Rank; 7] = [Rank::Ace, Rank::Ten, Rank::King, Rank::Queen, Rank::Jack, Rank::Nine, Rank::Eight];
/// The ranks from the highest trump.
const TRUMP: [Rank; 8] =
    [Rank::Jack, Rank::Nine, Rank::Ace, Rank::Ten, Rank::King, Rank::Queen, Rank::Eight, Rank::Seven];

impl Marginal {
    pub(crate) fn new(kind: Kind) -> Self {
        let n = Self::names(kind).len();
        let sums = Sums { products: vec![0.0; n * n], points: vec![0.0; n], count: 0 };
        Self { kind, parts: vec![sums; PARTS] }
    }

    /// The names of the features, the constant first.
    fn names(kind: Kind) -> Vec<String> {
        let mut names = vec!["a hand of such sevens".to_owned(), "the first lead".to_owned()];
        match kind {
            Kind::Suit => {
                names.extend(TRUMP.map(|rank| format!("{rank} of trumps")));
                names.push("J and 9 of trumps together".to_owned());
                names.extend(PLAIN.map(|rank| format!("{rank} of another suit")));
                names.push("A and T of another suit together".to_owned());
                names.push("a suit without a card".to_owned());
                names.push("a suit of one card".to_owned());
            }
            Kind::NoTrump => {
                names.extend(PLAIN.map(|rank| rank.to_string()));
                names.push("A and T of a suit together".to_owned());
                names.push("a card more than four in a suit".to_owned());
            }
            Kind::AllTrump => {
                names.extend(TRUMP[..7].iter().map(ToString::to_string));
                names.push("J and 9 of a suit together".to_owned());
                names.push("a card more than four in a suit".to_owned());
            }
        }
        names
    }

    /// The features of a hand, in the order of the names.
    fn features(hand: CardSet, strain: Strain, leads: bool) -> Vec<f64> {
        let count = |cards: CardSet| f64::from(cards.bits().count_ones());
        let ranked = |cards: CardSet, rank: Rank| f64::from((cards.bits() & 0x0101_0101 << rank.index()).count_ones());
        let both = |cards: CardSet, one: Rank, other: Rank| {
            let of = |rank: Rank| cards.bits() >> rank.index() & 0x0101_0101;
            f64::from((of(one) & of(other)).count_ones())
        };
        let beyond_four =
            |hand: CardSet| Suit::ALL.map(|suit| (count(hand.of(suit)) - 4.0).max(0.0)).iter().sum::<f64>();
        let mut features = vec![1.0, f64::from(u8::from(leads))];
        match strain {
            Strain::NoTrump => {
                features.extend(PLAIN.map(|rank| ranked(hand, rank)));
                features.extend([both(hand, Rank::Ace, Rank::Ten), beyond_four(hand)]);
            }
            Strain::AllTrump => {
                features.extend(TRUMP[..7].iter().map(|rank| ranked(hand, *rank)));
                features.extend([both(hand, Rank::Jack, Rank::Nine), beyond_four(hand)]);
            }
            _ => {
                let trumps = strain.trump().map_or(CardSet::EMPTY, |trump| hand.of(trump));
                let others = hand - trumps;
                features.extend(TRUMP.map(|rank| ranked(trumps, rank)));
                features.push(both(trumps, Rank::Jack, Rank::Nine));
                features.extend(PLAIN.map(|rank| ranked(others, rank)));
                features.push(both(others, Rank::Ace, Rank::Ten));
                let aside = || Suit::ALL.into_iter().filter(|suit| strain.trump() != Some(*suit));
                let of_length = |length: f64| aside().filter(|suit| count(hand.of(*suit)) == length).count();
                features.extend([0.0, 1.0].map(|length| {
                    f64::from(u8::try_from(of_length(length)).unwrap_or_default())
                }));
            }
        }
        features
    }

    /// Adds a hand and the points of its side.
    pub(crate) fn add(&mut self, deal: u64, hand: CardSet, strain: Strain, leads: bool, points: u8) {
        let features = Self::features(hand, strain, leads);
        let part = usize::try_from(deal % PARTS as u64).unwrap_or_default();
        let Sums { products, points: sums, count } = &mut self.parts[part];
        let n = features.len();
        for (row, first) in features.iter().enumerate().filter(|(_, first)| **first != 0.0) {
            sums[row] += first * f64::from(points);
            for (column, second) in features.iter().enumerate().take(row + 1) {
                products[row * n + column] += first * second;
            }
        }
        *count += 1;
    }
}
