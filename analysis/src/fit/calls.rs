//! Complete auctions of the deals, with the outcomes of their calls: the data for fitting and checking
//! forecasts.

use coinche_bots::Bidder;
use coinche_bots::table::{Company, ConsideredCall, Model, logistic};
use coinche_engine::{Contract, DealState, Seat, Stake, Turn};

use super::outcomes::{by_rules, net};
use super::sample::{Played, bidding};
use crate::train::standing;

/// A call made in an auction, with its outcome.
#[derive(Debug, Clone, Copy)]
pub(super) struct CallRow {
    pub(super) option: ConsideredCall,
    /// The deal score of the caller's side less the other side's.
    pub(super) score: f32,
    /// If the contract standing then became the final one: whether it was not coinched, and whether it was
    /// made.
    pub(super) contract: Option<(bool, bool)>,
}

/// The forecasts of a deal, and its outcome.
#[derive(Debug, Clone, Copy)]
pub(super) struct ToldDeal {
    /// The chance forecast with the bid of the final contract, whether it was not coinched, and whether it was
    /// made.
    pub(super) contract: Option<(f64, (bool, bool))>,
    /// The score forecast at a randomly drawn call, and the actual score.
    pub(super) score: Option<(f32, f32)>,
}

impl Played {
    /// Bids all seats with a bidder, and returns all calls that the table considers too, with their outcomes.
    ///
    /// The contract is played as it was bid, since players use the declarer and the auction. The outcomes by
    /// strain use neither, and overrate contracts declared by a seat other than the one with the better trumps.
    pub(super) fn calls(&self, bidder: &mut dyn Bidder, model: &mut Model) -> Vec<CallRow> {
        let (mut state, mut calls, mut key) = (DealState::new(&self.rules, &self.deal), Vec::new(), self.key);
        bidder.start();
        while let Turn::Call(seat) = state.turn() {
            let legal = state.legal_calls();
            key = key.and(1);
            let call = bidder.call(&state.view(seat), &legal, key);
            let options = model.consider(&bidding(&state, seat), &legal);
            let option = options.iter().find(|option| option.call == call).copied();
            if state.call(call).is_err() {
                break;
            }
            calls.extend(option.map(|option| (seat, option, standing(&state))));
        }
        let end = standing(&state);
        let played = by_rules(&mut state);
        let row = |(seat, option, stood): (Seat, ConsideredCall, Option<Contract>)| CallRow {
            option,
            score: net(played.map(|(_, score)| score), seat.team()),
            contract: played
                .filter(|_| stood.is_some() && stood == end)
                .map(|(result, score)| (result.contract.stake == Stake::Plain, score.made)),
        };
        calls.into_iter().map(row).collect()
    }

    /// Returns the model's forecasts at the bid that became the contract, and at a randomly drawn call.
    pub(super) fn forecasts(&self, bidder: &mut dyn Bidder, model: &mut Model) -> ToldDeal {
        let calls = self.calls(bidder, model);
        let chance = |row: &CallRow| logistic(model.odds(&row.option, &self.rules, Company::Table));
        let score = |row: &CallRow| model.score(&row.option, &self.rules, Company::Table);
        let bid = calls.iter().rfind(|row| row.option.context.is_bid());
        let drawn = calls.get(self.key.and(300).below(calls.len().max(1)));
        ToldDeal {
            contract: bid.and_then(|row| Some((f64::from(chance(row)), row.contract?))),
            score: drawn.map(|row| (score(row), row.score)),
        }
    }
}

#[cfg(test)]
mod tests {
    use coinche_bots::{CardPlayer, RulesPlayer, TableBidder};
    use coinche_engine::{BySeat, Call, Key, Outcome, RuleSet, Secrets, Seed};

    use super::*;

    /// Finds the last bid of a deal and its outcome the plain way: with four separate bidders and four separate
    /// players.
    fn literal(deal: &Played) -> Option<(Seat, (bool, bool), i32)> {
        let mut bidders = BySeat([(); 4].map(|()| TableBidder::default()));
        let mut players = BySeat([RulesPlayer; 4]);
        let (mut state, mut last) = (DealState::new(&deal.rules, &deal.deal), None);
        loop {
            match state.turn() {
                Turn::Call(seat) => {
                    let call = bidders[seat].call(&state.view(seat), &state.legal_calls(), Key::from_bits(0));
                    if matches!(call, Call::Bid(_) | Call::Take | Call::TakeIn(_)) {
                        last = Some(seat);
                    }
                    state.call(call).unwrap();
                }
                Turn::Play(seat) => {
                    let card = players[seat].play(&state.view(seat), state.legal_plays(), Key::from_bits(0));
                    state.play(card).unwrap();
                }
                Turn::Over => break,
            }
        }
        let Some(Outcome::Played { result, score }) = state.outcome() else { return None };
        let seat = last.unwrap();
        let net = score.points[seat.team()] - score.points[seat.team().other()];
        Some((seat, (result.contract.stake == Stake::Plain, score.made), net))
    }

    #[test]
    fn contracts_are_played_as_they_were_bid() {
        let (mut bidder, mut model, secrets) =
            (TableBidder::default(), Model::default(), Secrets::from(&Seed::from(5)));
        let mut contracts = 0;
        for (name, rules) in RuleSet::PRESETS {
            for index in 0..60 {
                let deal = Played::new(&rules, secrets, index);
                let rows = deal.calls(&mut bidder, &mut model);
                let bid = rows.iter().rfind(|row| row.option.context.is_bid());
                let literal = literal(&deal);
                assert_eq!(bid.is_some(), literal.is_some(), "{name}, deal {index}");
                let (Some(bid), Some((_, contract, net))) = (bid, literal) else { continue };
                assert_eq!(bid.contract, Some(contract), "{name}, deal {index}");
                #[expect(clippy::float_cmp, reason = "whole numbers")]
                let same = bid.score == net as f32;
                assert!(same, "{name}, deal {index}: {} {net}", bid.score);
                contracts += 1;
            }
        }
        assert!(contracts > 400, "{contracts}");
    }
}
