//! Covariances between the encounters of a run: sums over the deals that all of them played.
//!
//! Every encounter plays the same deals, so their differences are correlated: the joint sums hold what a covariance
//! matrix needs, and the same sums by block of deals, for a block bootstrap. All are integers, exact and independent of
//! the order in which they are added.

use std::collections::BTreeMap;

use coinche_inference::{Merge, merge};
use serde::{Deserialize, Serialize};

/// The most blocks: more deals make wider ones.
pub(crate) const MAX_BLOCKS: u64 = 1024;

/// The sums over one block of deals.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BlockSums {
    /// The number of deals or matches.
    pub deals: u64,
    /// By encounter, the sum of twice the paired difference.
    pub doubled: Vec<i64>,
    /// By encounter, the legs of matches that A and B won; empty if single deals are played.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub won: Vec<[u64; 2]>,
}

merge! { BlockSums { deals, doubled, won } }

/// Joint sums over the deals of a run or of a part of it.
///
/// A block has `width` consecutive deals, where `width` is the smallest power of two with which the last deal lies in
/// the first 1024 blocks: it depends on the deals alone, never on the parts in which they were played.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CovarianceSums {
    encounters: usize,
    /// Σ of products of twice the differences, by encounters p ≤ q: (0,0), (0,1), …, (1,1), ….
    products: Vec<i128>,
    width: u64,
    /// By index: block `n` has the deals from `n · width`.
    blocks: BTreeMap<u64, BlockSums>,
}

impl Merge for CovarianceSums {
    fn merge(&mut self, other: &Self) {
        let Self { encounters: _, products, width, blocks } = other;
        self.products.merge(products);
        while self.width < *width {
            self.coarsen();
        }
        for (number, block) in blocks {
            self.blocks.entry(number * width / self.width).or_default().merge(block);
        }
    }
}

impl CovarianceSums {
    /// Creates empty sums.
    pub fn new(encounters: usize) -> Self {
        let products = vec![0; encounters * (encounters + 1) / 2];
        Self { encounters, products, width: 1, blocks: BTreeMap::new() }
    }

    /// Adds consecutive deals from `start`. By deal, then encounter: `doubled` has twice the paired differences A − B
    /// (the sum over the two legs), `won` the legs of matches that A and B won; it is empty if single deals are played.
    ///
    /// # Panics
    ///
    /// When there are not as many differences as encounters.
    pub fn add(&mut self, start: u64, doubled: &[i64], won: &[[u8; 2]]) {
        assert!(doubled.len().is_multiple_of(self.encounters), "a difference for every encounter");
        for deal in doubled.chunks_exact(self.encounters) {
            let mut products = self.products.iter_mut();
            for (n, first) in deal.iter().enumerate() {
                // The shorter one first: otherwise `zip` would consume one more of the other.
                for (second, product) in deal[n..].iter().zip(products.by_ref()) {
                    *product += i128::from(*first) * i128::from(*second);
                }
            }
        }
        let mut start = start;
        let (mut doubled, mut won) = (doubled, won);
        while !doubled.is_empty() {
            let deals = (doubled.len() / self.encounters) as u64;
            while start / self.width >= MAX_BLOCKS {
                self.coarsen();
            }
            // The deals that belong to the same block.
            let deals = deals.min(self.width - start % self.width);
            let cells = usize::try_from(deals).unwrap_or(usize::MAX) * self.encounters;
            let (here, rest) = doubled.split_at(cells);
            let (won_here, won_rest) = won.split_at(cells.min(won.len()));
            self.add_to_block(start / self.width, here, won_here);
            (start, doubled, won) = (start + deals, rest, won_rest);
        }
    }

    fn add_to_block(&mut self, number: u64, doubled: &[i64], won: &[[u8; 2]]) {
        let encounters = self.encounters;
        let block = self.blocks.entry(number).or_default();
        block.doubled.resize(encounters, 0);
        block.won.resize(if won.is_empty() { 0 } else { encounters }, [0; 2]);
        for deal in doubled.chunks_exact(encounters) {
            block.deals += 1;
            for (sum, doubled) in block.doubled.iter_mut().zip(deal) {
                *sum += doubled;
            }
        }
        for deal in won.chunks_exact(encounters) {
            for (sum, won) in block.won.iter_mut().zip(deal) {
                sum[0] += u64::from(won[0]);
                sum[1] += u64::from(won[1]);
            }
        }
    }

    /// Merges neighbouring blocks.
    fn coarsen(&mut self) {
        self.width *= 2;
        for (number, block) in core::mem::take(&mut self.blocks) {
            self.blocks.entry(number / 2).or_default().merge(&block);
        }
    }

    /// Returns the sums of the first encounters alone.
    pub fn first(&self, encounters: usize) -> Self {
        let mut blocks = self.blocks.clone();
        for block in blocks.values_mut() {
            block.doubled.truncate(encounters);
            block.won.truncate(encounters);
        }
        let products = (0..encounters).flat_map(|p| (p..encounters).map(move |q| self.product(p, q)));
        Self { encounters, products: products.collect(), width: self.width, blocks }
    }

    /// Tests if sums read from a file have this many encounters and deals.
    pub fn is_sound(&self, encounters: usize, deals: u64) -> bool {
        self.encounters == encounters
            && self.products.len() == encounters * (encounters + 1) / 2
            && self.width.is_power_of_two()
            && self.blocks.values().all(|block| block.doubled.len() == encounters)
            && self.blocks.values().map(|block| block.deals).sum::<u64>() == deals
    }

    /// Returns the differences from recounted sums, in words: the first of the products, and the first block.
    pub fn differences(&self, counted: &Self) -> Vec<String> {
        let mut found = Vec::new();
        let pairs = (0..self.encounters).flat_map(|p| (p..self.encounters).map(move |q| (p, q)));
        let mut products = pairs.zip(self.products.iter().zip(&counted.products));
        if let Some(((p, q), (told, counted))) = products.find(|(_, (told, counted))| told != counted) {
            found.push(format!(
                "products of pairings {p} and {q}: the totals have {told}, the recount {counted}"
            ));
        }
        if self.width != counted.width {
            let [told, counted] = [self.width, counted.width];
            found.push(format!("deals of a block: the totals have {told}, the recount {counted}"));
            return found;
        }
        let numbers = self.blocks.keys().chain(counted.blocks.keys());
        let differs = |number: &&u64| self.blocks.get(number) != counted.blocks.get(number);
        if let Some(number) = numbers.filter(differs).min() {
            let [told, counted] = [self, counted].map(|sums| {
                let block = sums.blocks.get(number).cloned().unwrap_or_default();
                format!("{} deals, {:?}, won {:?}", block.deals, block.doubled, block.won)
            });
            found.push(format!("block {number} of the deals: the totals have {told}, the recount {counted}"));
        }
        found
    }

    /// Returns the number of encounters.
    pub const fn encounters(&self) -> usize {
        self.encounters
    }

    /// Returns the sum over deals of (twice the difference of `p`) · (twice the difference of `q`).
    ///
    /// # Panics
    ///
    /// When there is no such encounter.
    pub fn product(&self, p: usize, q: usize) -> i128 {
        let (p, q) = (p.min(q), p.max(q));
        assert!(q < self.encounters, "encounters are counted from 0");
        self.products[p * self.encounters - p * p.saturating_sub(1) / 2 - p + q]
    }

    /// Returns the sum over deals of twice the difference of encounter `p`.
    ///
    /// # Panics
    ///
    /// When there is no such encounter.
    pub fn sum(&self, p: usize) -> i128 {
        self.blocks.values().map(|block| i128::from(block.doubled[p])).sum()
    }

    /// Returns the number of deals in a whole block.
    pub const fn width(&self) -> u64 {
        self.width
    }

    /// Iterates over the blocks in order.
    pub fn blocks(&self) -> impl ExactSizeIterator<Item = &BlockSums> {
        self.blocks.values()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn differences(index: u64) -> [i64; 3] {
        let n = i64::try_from(index).unwrap();
        [n % 7 - 3, 5 * (n % 3), -(n % 11)]
    }

    fn sums(deals: core::ops::Range<u64>) -> CovarianceSums {
        let mut joint = CovarianceSums::new(3);
        // In batches of several sizes.
        let mut start = deals.start;
        while start < deals.end {
            let end = deals.end.min(start + 1 + start % 300);
            let doubled: Vec<i64> = (start..end).flat_map(differences).collect();
            let won = [[1, 1], [2, 0], [0, 1]].repeat(doubled.len() / 3);
            joint.add(start, &doubled, &won);
            start = end;
        }
        joint
    }

    #[test]
    fn parts_of_any_size_and_order_give_the_whole() {
        for deals in [1, 1000, 1024, 1025, 5000] {
            let whole = sums(0..deals);
            for parts in [1, 2, 7, 64] {
                let mut joint = CovarianceSums::new(3);
                for part in (0..parts).rev() {
                    joint.merge(&sums(deals * part / parts..deals * (part + 1) / parts));
                }
                assert_eq!(joint, whole, "{deals} deals in {parts} parts");
            }
            assert!(whole.is_sound(3, deals) && !whole.is_sound(3, deals + 1) && !whole.is_sound(2, deals));
            assert!(whole.blocks().len() <= 1024);
            assert!(deals < 1024 || whole.blocks().len() > 512);
            let json = serde_json::to_string(&whole).unwrap();
            assert_eq!(serde_json::from_str::<CovarianceSums>(&json).unwrap(), whole);
        }
    }

    #[test]
    fn products_are_those_of_the_differences() {
        let joint = sums(0..3000);
        for p in 0..3 {
            for q in 0..3 {
                let expected: i64 = (0..3000).map(|i| differences(i)[p] * differences(i)[q]).sum();
                assert_eq!(joint.product(p, q), i128::from(expected));
            }
        }
        let won: u64 = joint.blocks().map(|block| block.won[1][0]).sum();
        assert_eq!(won, 6000);
        let total: i64 = joint.blocks().map(|block| block.doubled[2]).sum();
        assert_eq!(total, (0..3000).map(|i| differences(i)[2]).sum::<i64>());
    }
}
