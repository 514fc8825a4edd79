//! The solver against plain searches, and against the laws that exact values obey.
//!
//! `COINCHE_LONG=1 cargo test --release -p coinche-engine --test it solver` compares 20,000 endings, up to five
//! cards by plain minimax, and `COINCHE_ENDINGS` as many as it says.

mod corpus;
mod endings;
mod laws;
mod par;
mod plain;
mod play;

use coinche_engine::rules::{PartnerTrump, Undertrump};
use coinche_engine::{BySeat, CardSet, Deal, Deck, Key, PlayState, RuleSet, Seat, Strain, random_card};

/// The rules that play differs by: both on undertrumping, both tables of all trump, both on the
/// partner's trump.
fn rules(index: u64) -> RuleSet {
    let rules = if index % 4 < 2 { RuleSet::BGA } else { RuleSet::BGA_JA };
    let changed = rules.with(|options| {
        if index % 2 == 1 {
            options.play.undertrump = Undertrump::Free;
        }
        match index % 16 {
            5 => options.play.partner_trump = PartnerTrump::Overtrump,
            2 | 9 => options.play.partner_trump = PartnerTrump::Always,
            3 | 12 => options.play.undertrump = Undertrump::Forbidden,
            _ => {}
        }
    });
    changed.unwrap()
}

/// The strain of a test case; those with a trump suit are tried as often as the others.
fn strain(index: u64) -> Strain {
    Strain::ALL[usize::try_from(index % 6).unwrap()]
}

/// The hands of a random deal.
fn hands(index: u64) -> BySeat<CardSet> {
    *Deal::new(&RuleSet::BGA.deal, Deck::shuffled(99, index), Seat::S3).hands()
}

/// Plays random legal cards.
fn play_on(mut state: PlayState, cards: usize, index: u64) -> PlayState {
    let key = Key::decisions(7, index, Seat::S0);
    for n in 0..cards {
        state.play_unchecked(random_card(state.legal_plays(), key.and(n as u64)).unwrap());
    }
    state
}

/// A position of `cards` cards a hand, `inside` of them on the table: the first cards of a random deal's
/// hands, or what is left after random play.
fn ending(rules: &RuleSet, strain: Strain, cards: usize, inside: usize, index: u64) -> PlayState {
    let leader = Seat::from_index(usize::try_from(index / 7 % 4).unwrap());
    let hands = hands(index);
    if index.is_multiple_of(3) {
        let state = PlayState::new(&rules.play, strain, hands, leader);
        return play_on(state, 4 * (8 - cards) + inside, index);
    }
    let deck = Deck::shuffled(98, index);
    let hands = BySeat::from_fn(|seat| {
        deck.cards().iter().filter(|card| hands[seat].contains(**card)).take(cards).copied().collect()
    });
    play_on(PlayState::new(&rules.play, strain, hands, leader), inside, index)
}
