//! What an encoder keeps of a deal from one observation to the next.

use super::features::{bit, word};
use super::{Encoder, SuitOrder};
use crate::{Call, CardSet, Ladder, Seat, Suit, View};

/// The calls and tricks of one deal as bits: they only grow, so that [`Encoder::encode_with`] adds what is new and turns the rest
/// to whoever observes. Any seat may, in any order. [`Memory::clear`] before another deal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Memory {
    /// The last calls, seats as they are, suits as dealt.
    heard: [u32; word::CALLS],
    taken: [u32; 8],
    /// The winners of the tricks, four bits each.
    winners: u32,
    /// How many calls and tricks are in it.
    calls: u16,
    tricks: u8,
}

impl Memory {
    /// Returns an empty memory.
    pub const fn new() -> Self {
        Self { calls: 0, tricks: 0, heard: [0; word::CALLS], taken: [0; 8], winners: 0 }
    }

    /// Forgets everything: another deal begins.
    pub const fn clear(&mut self) {
        *self = Self::new();
    }

    /// Adds what is new.
    #[inline]
    pub(super) fn update(&mut self, view: &View<'_>, ladder: Ladder) {
        let calls = view.auction().calls();
        let count = u16::try_from(calls.len()).unwrap_or(u16::MAX);
        if count != self.calls {
            let last = &calls[calls.len().saturating_sub(word::CALLS)..];
            // Beyond twelve all of them move up.
            let known = if calls.len() > word::CALLS { 0 } else { last.len().min(self.calls.into()) };
            for ((seat, call), word) in last.iter().zip(&mut self.heard).skip(known) {
                *word = 1 << *seat as u32 | said(*call, ladder);
            }
            self.calls = count;
        }
        for (index, trick) in view.tricks().iter().enumerate().skip(self.tricks.into()) {
            self.taken[index & 7] = trick.cards.into_iter().fold(CardSet::EMPTY, CardSet::with).bits();
            self.winners |= 1 << (4 * index + trick.winner as usize);
            self.tricks += 1;
        }
    }

    /// Writes the finished tricks, suits as dealt.
    #[inline]
    pub(super) fn write_tricks(&self, seat: Seat, words: &mut [u32; Encoder::WORDS]) {
        words[word::TRICKS..word::TRICKS + 8].copy_from_slice(&self.taken);
        let (from, low) = (seat as u32, 0x1111_1111 * ((16 >> seat as u32) - 1));
        words[word::WINNERS] = (self.winners >> from) & low | (self.winners << (4 - from)) & !low;
    }

    /// Writes the auction.
    #[inline]
    pub(super) fn write_auction(&self, seat: Seat, order: SuitOrder, words: &mut [u32; Encoder::WORDS]) {
        let words = &mut words[word::AUCTION..word::AUCTION + word::CALLS];
        for (word, heard) in words.iter_mut().zip(&self.heard) {
            let caller = heard & 15;
            *word = heard & !15 | (caller | caller << 4) >> seat as u32 & 15;
        }
        if order != SuitOrder::IDENTITY {
            let mut renamed = [0; 16];
            for suit in Suit::ALL {
                renamed[1 << suit.index()] = 1 << order.slot(suit);
            }
            for word in words {
                let suit = *word >> bit::CALL_STRAIN & 15;
                *word = *word & !(15 << bit::CALL_STRAIN) | renamed[suit as usize] << bit::CALL_STRAIN;
            }
        }
    }
}

/// A call without its seat, suits as dealt.
fn said(call: Call, ladder: Ladder) -> u32 {
    match call {
        Call::Pass => 1 << bit::PLAIN_CALL,
        Call::Wait => 2 << bit::PLAIN_CALL,
        Call::Coinche => 4 << bit::PLAIN_CALL,
        Call::Surcoinche => 8 << bit::PLAIN_CALL,
        Call::Take => 16 << bit::PLAIN_CALL,
        Call::TakeIn(suit) => 1 << (bit::CALL_STRAIN + suit as u32),
        Call::Bid(bid) => {
            let level = match bid.value {
                crate::BidValue::CAPOT => bit::CAPOT,
                crate::BidValue::GENERALE => bit::GENERALE,
                value => {
                    let level = ladder.index_of(value).unwrap_or(0).min(bit::LEVELS as usize - 1);
                    bit::LEVEL + u32::from(level.to_le_bytes()[0])
                }
            };
            1 << level | 1 << (bit::CALL_STRAIN + bid.strain as u32)
        }
    }
}
