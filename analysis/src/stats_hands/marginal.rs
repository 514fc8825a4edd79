//! The marginal value of each card: a linear model of the points of a side, by least squares.

use coinche_engine::{CardSet, Rank, Strain, Suit};

use super::class::Kind;
use coinche_inference::linear::{Cholesky, Matrix};
use coinche_inference::{Merge, merge, student_t};
use coinche_runs::Damage;
use serde::{Deserialize, Serialize};

/// Number of parts of the deals for the jackknife, which estimates the sampling error.
const PARTS: usize = 20;

/// A linear model of the points by the cards in the hand.
///
/// Every hand has eight cards, so that non-trump sevens (in SA and TA: all sevens) are the baseline: the value
/// of a card is what it adds in place of such a seven.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "(Kind, Vec<Sums>)", into = "(Kind, Vec<Sums>)")]
pub struct Marginal {
    kind: Kind,
    /// By part of the deals: sums of products of features, and of features with points.
    parts: Vec<Sums>,
}

/// Integers, exact and independent of order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sums {
    products: Vec<i64>,
    points: Vec<i64>,
    count: u64,
}

merge! {
    Marginal { parts; kept: kind }
    Sums { products, points, count }
}

impl Sums {
    fn new(features: usize) -> Self {
        Self { products: vec![0; features * features], points: vec![0; features], count: 0 }
    }
}

impl TryFrom<(Kind, Vec<Sums>)> for Marginal {
    type Error = Damage;

    fn try_from((kind, parts): (Kind, Vec<Sums>)) -> Result<Self, Damage> {
        let n = Self::names(kind).len();
        let fits = |sums: &Sums| sums.points.len() == n && sums.products.len() == n * n;
        if parts.len() == PARTS && parts.iter().all(fits) {
            Ok(Self { kind, parts })
        } else {
            Err(Damage::Totals)
        }
    }
}

impl From<Marginal> for (Kind, Vec<Sums>) {
    fn from(marginal: Marginal) -> Self {
        (marginal.kind, marginal.parts)
    }
}

/// An estimate, in points for a side.
#[derive(Debug, Clone, PartialEq)]
pub struct Estimate {
    /// The name of the feature.
    pub name: String,
    /// Points of the side.
    pub points: f64,
    /// Half the width of the 95 % interval.
    pub half_width: f64,
}

/// The ranks of a non-trump suit, highest first.
const PLAIN: [Rank; 7] = [Rank::Ace, Rank::Ten, Rank::King, Rank::Queen, Rank::Jack, Rank::Nine, Rank::Eight];
/// The trump ranks, highest first.
const TRUMP: [Rank; 8] =
    [Rank::Jack, Rank::Nine, Rank::Ace, Rank::Ten, Rank::King, Rank::Queen, Rank::Eight, Rank::Seven];

impl Marginal {
    pub fn new(kind: Kind) -> Self {
        Self { kind, parts: vec![Sums::new(Self::names(kind).len()); PARTS] }
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
    fn features(hand: CardSet, strain: Strain, leads: bool) -> Vec<i64> {
        let count = |cards: CardSet| i64::from(cards.bits().count_ones());
        let ranked =
            |cards: CardSet, rank: Rank| i64::from((cards.bits() & 0x0101_0101 << rank.index()).count_ones());
        let both = |cards: CardSet, one: Rank, other: Rank| {
            let of = |rank: Rank| cards.bits() >> rank.index() & 0x0101_0101;
            i64::from((of(one) & of(other)).count_ones())
        };
        let beyond_four =
            |hand: CardSet| Suit::ALL.map(|suit| (count(hand.of(suit)) - 4).max(0)).iter().sum::<i64>();
        let mut features = vec![1, i64::from(leads)];
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
                let is_of = |suit: Suit, length: u32| hand.of(suit).bits().count_ones() == length;
                let of_length =
                    |length: u32| -> i64 { aside().map(|suit| i64::from(is_of(suit, length))).sum() };
                features.extend([0, 1].map(of_length));
            }
        }
        features
    }

    /// Adds a hand and the points of its side.
    pub fn add(&mut self, deal: u64, hand: CardSet, strain: Strain, leads: bool, points: u16) {
        let features = Self::features(hand, strain, leads);
        let part = usize::try_from(deal % PARTS as u64).unwrap_or_default();
        let Sums { products, points: sums, count } = &mut self.parts[part];
        let n = features.len();
        for (row, first) in features.iter().enumerate().filter(|(_, first)| **first != 0) {
            sums[row] += first * i64::from(points);
            for (column, second) in features.iter().enumerate().take(row + 1) {
                products[row * n + column] += first * second;
            }
        }
        *count += 1;
    }

    /// Fits the model; `None` without enough hands of different kinds.
    ///
    /// Intervals are from the jackknife over twenty parts of the deals, which keeps correlated records of a
    /// deal together.
    pub fn estimates(&self) -> Option<Vec<Estimate>> {
        let whole = self.without(None);
        let fitted = solve(&whole)?;
        let mut left_out = Vec::with_capacity(PARTS);
        for part in 0..PARTS {
            left_out.push(solve(&self.without(Some(part)))?);
        }
        let parts = f64::from(u8::try_from(PARTS).unwrap_or(u8::MAX));
        let t = student_t(0.95, parts - 1.0);
        let estimate = |(at, name): (usize, String)| {
            let mean = left_out.iter().map(|fit| fit[at]).sum::<f64>() / parts;
            let squares: f64 = left_out.iter().map(|fit| (fit[at] - mean).powi(2)).sum();
            let half_width = t * ((parts - 1.0) / parts * squares).sqrt();
            Estimate { name, points: fitted[at], half_width }
        };
        Some(Self::names(self.kind).into_iter().enumerate().map(estimate).collect())
    }

    /// The sums over all deals but one part.
    fn without(&self, left_out: Option<usize>) -> Sums {
        let mut all = Sums::new(self.parts[0].points.len());
        for (_, sums) in self.parts.iter().enumerate().filter(|(part, _)| Some(*part) != left_out) {
            all.merge(sums);
        }
        all
    }
}

/// Solves the normal equations; the lower triangle of the products is filled.
fn solve(sums: &Sums) -> Option<Vec<f64>> {
    let n = sums.points.len();
    let square = Matrix::from_fn(n, n, |row, column| sums.products[row * n + column] as f64);
    let points: Vec<f64> = sums.points.iter().map(|sum| *sum as f64).collect();
    Some(Cholesky::new(&square)?.solve(&points))
}

#[cfg(test)]
mod tests {
    use super::*;
    use coinche_engine::{Deck, Strain};

    #[test]
    fn a_model_that_is_linear_is_found_again() {
        for strain in ["S", "SA", "TA"].map(|text| text.parse::<Strain>().unwrap()) {
            let mut marginal = Marginal::new(Kind::of(strain));
            let names = Marginal::names(marginal.kind);
            let weight = |at: usize| i64::try_from(at * 7 % 5).unwrap();
            for deal in 0..4000 {
                let hand: CardSet = Deck::shuffled(3, deal).cards()[..8].iter().copied().collect();
                let features = Marginal::features(hand, strain, deal % 4 == 0);
                assert_eq!(features.len(), names.len());
                let points: i64 = features.iter().enumerate().map(|(at, feature)| weight(at) * feature).sum();
                marginal.add(deal, hand, strain, deal % 4 == 0, u16::try_from(points).unwrap());
            }
            for (at, estimate) in marginal.estimates().unwrap().into_iter().enumerate() {
                assert_eq!(estimate.name, names[at]);
                let expected = f64::from(i32::try_from(weight(at)).unwrap());
                assert!((estimate.points - expected).abs() < 1e-6, "{estimate:?}, not {expected}");
                assert!(estimate.half_width < 1e-6);
            }
        }
        assert!(Marginal::new(Kind::Suit).estimates().is_none());
    }
}
