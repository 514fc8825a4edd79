//! Losses of a bidder's auctions against the best available contracts, by cause.

use coinche_engine::rules::DealMethod;
use coinche_engine::solver::Solver;
use coinche_engine::{Contract, Deal, DealState, Goal, RuleSet, Seat, Stake, Strain, Team};

use crate::judge::{
    AuctionJudge, CAUSES, Dealt, OVERBID, PASSED_OUT, SOLD_OUT, WRONG_STRAIN, contract_value,
};

/// Each team's loss in deal score, by cause; never negative.
pub(super) type Losses = [[i32; CAUSES.len()]; 2];

/// Judges the auctions of all bidders, deal by deal.
#[derive(Default)]
pub(super) struct LossJudge {
    judge: AuctionJudge,
    solver: Solver,
    /// For the turn-up game, the value of every taking of a deal.
    takes: Option<(Deal, Takes)>,
}

impl LossJudge {
    /// Returns what both teams lost in a finished auction; `None` for a générale, which the solver does not
    /// support.
    pub(super) fn losses(&mut self, state: &DealState) -> Option<Losses> {
        let rules = state.rules();
        if rules.deal.method == DealMethod::TurnUp {
            return Some(self.takes(rules, state.deal()).losses(state.contract()));
        }
        let dealt = dealt(state);
        let losses = match state.contract() {
            None => self.judge.passed(&mut self.solver, &dealt),
            Some(contract) => self.judge.losses(&mut self.solver, &dealt, contract)?,
        };
        Some(losses.map(|loss| loss.0))
    }

    /// Tests for each team whether it takes all tricks in some strain, if capot can be bid.
    pub(super) fn slams(&mut self, rules: &RuleSet, deal: &Deal) -> Option<[bool; 2]> {
        let known = rules.deal.method == DealMethod::Full && rules.auction.capot;
        let dealt = Dealt { rules: *rules, hands: *deal.hands(), leader: deal.dealer().next() };
        known.then(|| self.judge.slams(&mut self.solver, &dealt))
    }

    fn takes(&mut self, rules: &RuleSet, deal: &Deal) -> &Takes {
        if self.takes.as_ref().is_none_or(|(before, _)| before != deal) {
            self.takes = Some((*deal, Takes::solve(&mut self.solver, rules, deal)));
        }
        &self.takes.as_ref().expect("solved above").1
    }
}

/// Returns the cards at the start of play, or as if somebody had bid.
fn dealt(state: &DealState) -> Dealt {
    let leader = state.deal().dealer().next();
    let hands = if state.contract().is_some() { *state.hands() } else { state.deal().complete(leader) };
    Dealt { rules: *state.rules(), hands, leader }
}

/// The value of taking in the turn-up game, by seat and strain: the takers' score less the others'.
struct Takes {
    worth: [[i32; 6]; 4],
    /// The turn of the auction at which a seat could have taken in a strain; `usize::MAX`: at none.
    turn: [[usize; 6]; 4],
}

impl Takes {
    fn solve(solver: &mut Solver, rules: &RuleSet, deal: &Deal) -> Self {
        let (mut worth, mut turn) = ([[0; 6]; 4], [[usize::MAX; 6]; 4]);
        let leader = deal.dealer().next();
        for (place, seat) in leader.around().into_iter().enumerate() {
            let dealt = Dealt { rules: *rules, hands: deal.complete(seat), leader };
            for strain in Strain::ALL.into_iter().filter(|strain| rules.allows_strain(*strain)) {
                let taken = Contract { declarer: seat, strain, goal: Goal::Majority, stake: Stake::Plain };
                worth[seat.index()][strain.index()] = contract_value(solver, &dealt, taken);
                let turned = deal.turned().map(|turned| Strain::of(turned.suit()));
                turn[seat.index()][strain.index()] = 4 * usize::from(turned != Some(strain)) + place;
            }
        }
        Self { worth, turn }
    }

    /// Returns the value of the best taking of a team before a turn, 0 if none gains.
    fn best(&self, team: Team, before: usize) -> i32 {
        let seats = team.seats().into_iter().map(Seat::index);
        let all = seats.flat_map(|seat| self.turn[seat].into_iter().zip(self.worth[seat]));
        all.filter(|(turn, _)| *turn < before).map(|(_, worth)| worth).max().unwrap_or_default().max(0)
    }

    /// Returns the losses of both sides. Takers lose against their best taking: by failing, or by taking in a
    /// worse strain or from a worse seat. The others lose a better taking of their own that they could have made
    /// before.
    fn losses(&self, contract: Option<Contract>) -> Losses {
        let mut losses = Losses::default();
        let Some((taker, strain)) = contract.map(|it| (it.declarer, it.strain)) else {
            for team in Team::ALL {
                losses[team.index()][PASSED_OUT] = self.best(team, usize::MAX);
            }
            return losses;
        };
        let (worth, turn) =
            (self.worth[taker.index()][strain.index()], self.turn[taker.index()][strain.index()]);
        let (takers, others) = (taker.team(), taker.team().other());
        losses[takers.index()][OVERBID] = (-worth).max(0);
        losses[takers.index()][WRONG_STRAIN] = self.best(takers, usize::MAX) - worth.max(0);
        let own = self.best(others, turn);
        losses[others.index()][SOLD_OUT] = if own > 0 { (own + worth).max(0) } else { 0 };
        losses
    }
}

#[cfg(test)]
mod tests {
    use coinche_engine::{Call, Deck, Outcome, Suit, Turn};

    use super::*;
    use coinche_selfplay::play::double_dummy::OpenPlay;

    /// Passes until a seat takes in a suit, then plays double dummy.
    fn played(rules: &RuleSet, deal: &Deal, by: Seat, suit: Suit) -> DealState {
        let mut state = DealState::new(rules, deal);
        while let Turn::Call(seat) = state.turn() {
            let wanted = if deal.turned().unwrap().suit() == suit { Call::Take } else { Call::TakeIn(suit) };
            let now = seat == by && state.legal_calls().contains(wanted);
            state.call(if now { wanted } else { Call::Pass }).unwrap();
        }
        OpenPlay::default().play_out(&mut state);
        state
    }

    #[test]
    fn takings_are_worth_what_their_deals_score() {
        let rules = RuleSet::BELOTE;
        let mut seen = [0; CAUSES.len()];
        for index in 0..6 {
            let deal = Deal::new(&rules.deal, Deck::shuffled(11, index), Seat::S2);
            let mut judge = LossJudge::default();
            // In auction order: the state, its takers, and their score less the others'.
            let mut all = Vec::new();
            let turned = deal.turned().unwrap().suit();
            for round in [true, false] {
                for seat in deal.dealer().next().around() {
                    for suit in Suit::ALL.into_iter().filter(|suit| (*suit == turned) == round) {
                        let state = played(&rules, &deal, seat, suit);
                        let Some(Outcome::Played { score, .. }) = state.outcome() else { unreachable!() };
                        let worth = score.points[seat.team()] - score.points[seat.team().other()];
                        let takes = &judge.takes(&rules, &deal).worth;
                        assert_eq!(takes[seat.index()][suit.index()], worth, "{seat} {suit}");
                        all.push((state, seat, worth));
                    }
                }
            }
            let best = |team: Team, of: &[(DealState, Seat, i32)]| {
                let own = of.iter().filter(|(_, seat, _)| seat.team() == team).map(|(.., worth)| *worth);
                own.max().unwrap_or(0).max(0)
            };
            for (at, (state, taker, worth)) in all.iter().enumerate() {
                let (takers, others) = (taker.team(), taker.team().other());
                let losses = judge.losses(state).unwrap();
                assert_eq!(losses[takers.index()].iter().sum::<i32>(), best(takers, &all) - worth);
                // Suits of one seat and round are one turn, so none of them belongs to the others.
                let own = best(others, &all[..at]);
                let expected = if own > 0 { (own + worth).max(0) } else { 0 };
                assert_eq!(losses[others.index()].iter().sum::<i32>(), expected);
                for (seen, loss) in seen.iter_mut().zip(losses[0].iter().zip(losses[1])) {
                    *seen += u32::from(*loss.0 > 0 || loss.1 > 0);
                }
            }
            let mut passed = DealState::new(&rules, &deal);
            while let Turn::Call(_) = passed.turn() {
                passed.call(Call::Pass).unwrap();
            }
            let losses = judge.losses(&passed).unwrap();
            for team in Team::ALL {
                assert_eq!(losses[team.index()][PASSED_OUT], best(team, &all));
            }
        }
        assert!([WRONG_STRAIN, OVERBID, SOLD_OUT].into_iter().all(|cause| seen[cause] > 0), "{seen:?}");
    }
}
