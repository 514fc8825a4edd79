//! Complete auctions of the deals, with what came of their calls: what forecasts are fitted to and checked against.

use coinche_bots::Bidder;
use coinche_bots::table::{Company, ConsideredCall, Model, logistic};
use coinche_engine::{Contract, DealState, Seat, Stake, Turn};

use super::outcomes::{net, play_out};
use super::sample::{Played, bidding};

/// A call that was made in an auction, with what came of it.
#[derive(Debug, Clone, Copy)]
pub(super) struct CallRow {
    pub(super) option: ConsideredCall,
    /// What the deal scored for the side that made it, less the other side.
    pub(super) score: f32,
    /// If the contract that stood then became that of the deal: whether it was not coinched, and whether it was made.
    pub(super) contract: Option<(bool, bool)>,
}

/// The forecasts of a deal, and its outcome.
#[derive(Debug, Clone, Copy)]
pub(super) struct ToldDeal {
    /// The chance forecast with the bid of the contract, whether it was not coinched, and whether it was made.
    pub(super) contract: Option<(f64, (bool, bool))>,
    /// The score forecast at a call that is drawn, and the score.
    pub(super) score: Option<(f32, f32)>,
}

impl Played {
    /// Lets a bidder bid at all seats, and returns every call that the table considers too, with what came of it.
    ///
    /// The contract is played as it was bid: the players go by who declares, and by what the auction told. The outcomes by strain
    /// know neither, and flatter the contracts that others than the seat with the better trumps declare.
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
            calls.extend(option.map(|option| (seat, option, bid(&state))));
        }
        let end = bid(&state);
        let played = play_out(&mut state);
        let row = |(seat, option, standing): (Seat, ConsideredCall, Option<Contract>)| CallRow {
            option,
            score: net(played.map(|(_, score)| score), seat.team()),
            contract: played
                .filter(|_| standing.is_some() && standing == end)
                .map(|(result, score)| (result.contract.stake == Stake::Plain, score.made)),
        };
        calls.into_iter().map(row).collect()
    }

    /// Returns what bidders of the model forecast at the bid that became the contract, and at a call that is drawn.
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

/// The standing contract, whatever its stake.
fn bid(state: &DealState) -> Option<Contract> {
    state.auction().state().contract().map(|contract| Contract { stake: Stake::Plain, ..contract })
}

#[cfg(test)]
mod tests {
    use coinche_bots::{CardPlayer, RulesPlayer, TableBidder};
    use coinche_engine::{BySeat, Call, Key, Outcome, RuleSet, Secrets, Seed};

    use super::*;

    /// The last bid of a deal with the outcome, by the plain way: four bidders and four players of their own.
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
                #[expect(clippy::cast_precision_loss, reason = "a score")]
                let same = bid.score == net as f32;
                assert!(same, "{name}, deal {index}: {} {net}", bid.score);
                contracts += 1;
            }
        }
        assert!(contracts > 400, "{contracts}");
    }
}
