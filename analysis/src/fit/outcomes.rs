//! The results of all contracts of a deal.

use coinche_bots::{CardPlayer, RulesPlayer};
use coinche_engine::rules::DealMethod;
use coinche_engine::{
    Bid, BySeat, Call, Contract, Deal, DealResult, DealScore, DealState, Key, Ladder, RuleSet, Seat, Strain,
    Team, Turn,
};

use crate::train::{self, play_out, standing};

/// The results of a deal by strain and declarer.
#[derive(Debug, Clone)]
pub(super) struct Outcomes {
    results: [BySeat<Option<DealResult>>; 6],
}

impl Outcomes {
    /// Plays every contract of a deal with four `rules` players.
    ///
    /// In a full deal each side plays each strain once, declared by the seat with the better trumps; in a
    /// turn-up deal every seat takes in every strain.
    pub(super) fn of(rules: &RuleSet, deal: &Deal) -> Self {
        let mut results = [BySeat([None; 4]); 6];
        for strain in Strain::ALL.into_iter().filter(|strain| rules.allows_strain(*strain)) {
            match rules.deal.method {
                DealMethod::Full | DealMethod::Split => {
                    for team in Team::ALL {
                        let [one, other] = team.seats();
                        let strength = |seat: Seat| trumps(deal, seat, strain);
                        let declarer = if strength(other) > strength(one) { other } else { one };
                        let result = play(rules, deal, strain, declarer);
                        results[strain.index()][one] = result;
                        results[strain.index()][other] = result;
                    }
                }
                DealMethod::TurnUp => {
                    for taker in Seat::ALL {
                        results[strain.index()][taker] = play(rules, deal, strain, taker);
                    }
                }
            }
        }
        Self { results }
    }

    /// Returns the result of a contract.
    pub(super) fn get(&self, contract: Contract) -> Option<DealResult> {
        let result = self.results[contract.strain.index()][contract.declarer]?;
        Some(DealResult { contract, ..result })
    }

    /// Returns the result of a strain, whatever was bid.
    pub(super) fn of_strain(&self, strain: Strain, declarer: Seat) -> Option<&DealResult> {
        self.results[strain.index()][declarer].as_ref()
    }
}

/// Returns the trump quality of a hand: the sum of the strengths of its trumps; of all its cards in no trump.
fn trumps(deal: &Deal, seat: Seat, strain: Strain) -> u32 {
    let hand = deal.hands()[seat];
    let cards = if strain == Strain::NoTrump { hand } else { hand & strain.trump_ordered() };
    cards.into_iter().map(|card| 4 + u32::from(strain.strength(card) & 7)).sum()
}

/// Plays a contract out.
fn play(rules: &RuleSet, deal: &Deal, strain: Strain, declarer: Seat) -> Option<DealResult> {
    let mut state = DealState::new(rules, deal);
    let bid = match (rules.deal.method, deal.turned(), strain.trump()) {
        (DealMethod::TurnUp, Some(turned), Some(suit)) if suit == turned.suit() => Call::Take,
        (DealMethod::TurnUp, _, Some(suit)) => Call::TakeIn(suit),
        _ => Call::Bid(Bid::new(Ladder::new(rules).value(0)?, strain)),
    };
    while let Turn::Call(seat) = state.turn() {
        let call = if seat == declarer && state.legal_calls().contains(bid) && standing(&state).is_none() {
            bid
        } else {
            Call::Pass
        };
        state.call(call).ok()?;
    }
    by_rules(&mut state).map(|(result, _)| result)
}

/// Plays the contract of a finished auction with four `rules` players; `None` if the deal was passed out.
pub(super) fn by_rules(state: &mut DealState) -> Option<(DealResult, DealScore)> {
    // The player is deterministic.
    let key = Key::from_bits(0);
    play_out(state, |state, seat| RulesPlayer.play(&state.view(seat), state.legal_plays(), key))
}

/// Returns a team's net score; 0 if the deal was passed out.
pub(super) fn net(score: Option<DealScore>, team: Team) -> f32 {
    score.map_or(0.0, |score| train::net(&score, team).into())
}
