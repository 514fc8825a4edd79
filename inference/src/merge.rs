//! Sums that add up: those of some deals and those of others.

use std::collections::BTreeMap;
use std::time::Duration;

/// Sums that add up. The default, where there is one, adds nothing.
///
/// Numbers are added (the order of floats is the caller's), lists element by element (a longer one keeps its end), maps key
/// by key; truth values are combined by *or*.
/// [`merge!`](crate::merge!) implements it for structs.
pub trait Merge {
    /// Adds the sums of other deals.
    fn merge(&mut self, other: &Self);

    /// Returns the sums of both.
    #[must_use]
    fn merged(mut self, other: &Self) -> Self
    where
        Self: Sized,
    {
        self.merge(other);
        self
    }
}

/// Keeps the larger of two values: what [`merge!`](crate::merge!) does with a field `with larger`.
pub fn larger<T: Ord + Copy>(own: &mut T, other: &T) {
    *own = (*own).max(*other);
}

/// Keeps the smaller of two values: what [`merge!`](crate::merge!) does with a field `with smaller`.
pub fn smaller<T: Ord + Copy>(own: &mut T, other: &T) {
    *own = (*own).min(*other);
}

/// Implements [`Merge`] for structs: first the fields that are added, then those that stay as they are (`kept`) and those
/// that a function of both merges (`with`).
///
/// ```
/// use coinche_inference::{Merge, merge};
///
/// struct Sums {
///     deals: u64,
///     best: i64,
///     seed: u64,
/// }
///
/// merge! { Sums { deals; with coinche_inference::larger: best; kept: seed } }
///
/// let mut sums = Sums { deals: 3, best: 40, seed: 7 };
/// sums.merge(&Sums { deals: 2, best: 90, seed: 8 });
/// assert_eq!((sums.deals, sums.best, sums.seed), (5, 90, 7));
/// ```
///
/// A field in none of the lists does not compile:
///
/// ```compile_fail,E0027
/// struct Sums {
///     deals: u64,
///     points: i64,
/// }
///
/// coinche_inference::merge! { Sums { deals } }
/// ```
#[macro_export]
macro_rules! merge {
    ($($Type:ty $(where const $N:ident: $n:ty)? {
        $($summed:tt),* $(; with $how:path: $($with:ident),+)* $(; kept: $($kept:ident),+)?
    })+) => {$(
        impl $(<const $N: $n>)? $crate::Merge for $Type {
            fn merge(&mut self, other: &Self) {
                let Self { $($summed: _,)* $($($with: _,)+)* $($($kept: _,)+)? } = other;
                $($crate::Merge::merge(&mut self.$summed, &other.$summed);)*
                $($($how(&mut self.$with, &other.$with);)+)*
            }
        }
    )+};
}

macro_rules! numbers {
    ($($number:ty),+) => {$(
        impl Merge for $number {
            #[inline]
            fn merge(&mut self, other: &Self) {
                *self += *other;
            }
        }
    )+};
}

numbers!(f64, u64, u128, i64, i128, Duration);

impl Merge for bool {
    fn merge(&mut self, other: &Self) {
        *self |= other;
    }
}

impl<A: Merge, B: Merge> Merge for (A, B) {
    fn merge(&mut self, other: &Self) {
        self.0.merge(&other.0);
        self.1.merge(&other.1);
    }
}

impl<V: Merge + ?Sized> Merge for Box<V> {
    fn merge(&mut self, other: &Self) {
        self.as_mut().merge(other);
    }
}

impl<V: Merge + Clone> Merge for Option<V> {
    fn merge(&mut self, other: &Self) {
        match (self, other) {
            (Some(own), Some(other)) => own.merge(other),
            (own @ None, other) => own.clone_from(other),
            (Some(_), None) => {}
        }
    }
}

impl<V: Merge, const N: usize> Merge for [V; N] {
    fn merge(&mut self, other: &Self) {
        self.iter_mut().zip(other).for_each(|(own, other)| own.merge(other));
    }
}

impl<V: Merge + Clone> Merge for Vec<V> {
    fn merge(&mut self, other: &Self) {
        self.iter_mut().zip(other).for_each(|(own, other)| own.merge(other));
        self.extend_from_slice(other.get(self.len()..).unwrap_or_default());
    }
}

impl<K: Ord + Clone, V: Merge + Default> Merge for BTreeMap<K, V> {
    fn merge(&mut self, other: &Self) {
        for (key, value) in other {
            self.entry(key.clone()).or_default().merge(value);
        }
    }
}

#[cfg(test)]
mod tests {
    use rand_xoshiro::Xoshiro256PlusPlus;
    use rand_xoshiro::rand_core::{Rng, SeedableRng};

    use super::*;
    use crate::ratio::{Contrast, Paired, Part, Ratio};
    use crate::{CovariateSums, PairedSums};

    #[derive(Debug, Clone, PartialEq, Default)]
    struct Sums {
        pairs: PairedSums,
        covariate: CovariateSums,
        ratios: [Ratio; 2],
        paired: Option<Paired>,
        by_key: BTreeMap<u64, (Contrast, Box<i64>)>,
        list: Vec<u128>,
        seen: bool,
        time: Duration,
        most: i64,
        least: i64,
        name: &'static str,
    }

    merge! {
        Sums {
            pairs, covariate, ratios, paired, by_key, list, seen, time;
            with larger: most;
            with smaller: least;
            kept: name
        }
    }

    fn sums(deals: u64, random: &mut Xoshiro256PlusPlus) -> Sums {
        let mut sums = Sums::default();
        let mut number = || i64::try_from(random.next_u64() % 501).unwrap_or_default() - 250;
        for _ in 0..deals {
            let [a, b] = [(); 2].map(|()| Part { sum: number(), count: number().rem_euclid(3) });
            sums.pairs.add([a.sum, b.sum]);
            sums.covariate.add(a.sum, b.sum);
            sums.ratios.iter_mut().zip([a, b]).for_each(|(ratio, part)| ratio.add(part));
            sums.paired.get_or_insert_default().add(a, b);
            let (contrast, sum) = sums.by_key.entry(a.sum.unsigned_abs() % 5).or_default();
            contrast.add(a, b);
            **sum += b.sum;
            sums.list.resize(sums.list.len().max(if b.sum > 0 { 3 } else { 7 }), 1);
            sums.list.iter_mut().for_each(|sum| *sum += u128::from(a.sum.unsigned_abs()));
            sums.seen |= a.sum > 240;
            sums.time += Duration::from_nanos(a.sum.unsigned_abs());
            (sums.most, sums.least) = (sums.most.max(b.sum), sums.least.min(b.sum));
        }
        sums
    }

    fn both(one: &Sums, other: &Sums) -> Sums {
        let mut both = one.clone();
        both.merge(other);
        both
    }

    #[test]
    fn sums_are_a_commutative_monoid() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        for round in 0..200 {
            let [a, b, c] = [round % 4, round % 7, round % 11].map(|deals| sums(deals, &mut random));
            assert_eq!(both(&both(&a, &b), &c), both(&a, &both(&b, &c)));
            assert_eq!(both(&a, &b), both(&b, &a));
            assert_eq!(both(&a, &Sums::default()), a);
            assert_eq!(both(&Sums::default(), &a), a);
            let named = Sums { name: "own", ..Sums::default() };
            assert_eq!(both(&named, &a), Sums { name: "own", ..a });
        }
    }
}
