//! What a contract is expected to score when it is played, by its exact double-dummy points.

use coinche_engine::solver::{LeaderPoints, Solver};
use coinche_engine::{
    Belote, BySeat, ByTeam, CardSet, Contract, DealResult, DealScore, DealState, Melds, RuleSet, Strain, Team,
};

use crate::table::{BiddingTable, kind};

/// All card points with the last trick.
const ALL_POINTS: f64 = 162.0;

/// Five equally likely values of a normal variable, in standard deviations.
const NORMAL: [f64; 5] = [-1.28, -0.52, 0.0, 0.52, 1.28];

/// Twenty of them, where it is asked whether a number is reached.
const FINE: [f64; 20] = [
    -1.96, -1.44, -1.15, -0.93, -0.76, -0.60, -0.45, -0.32, -0.19, -0.06, 0.06, 0.19, 0.32, 0.45, 0.60, 0.76,
    0.93, 1.15, 1.44, 1.96,
];

/// The strains of one world solved double dummy, and what contracts in them are expected to come to when they
/// are played without.
///
/// Of one world: it takes equal hands for equal worlds. A générale is never taken to be made, since double-dummy play does not
/// tell which of two partners wins a trick.
#[derive(Debug, Default)]
pub(crate) struct Solved {
    /// By strain; in the turn-up game the hands depend on the taker too.
    known: Vec<(Strain, BySeat<CardSet>, LeaderPoints)>,
}

impl Solved {
    /// Returns what a team is expected to score, net, when the contract of a finished auction is played; 0 of a
    /// deal that is passed out.
    ///
    /// Costs a solution of the deal the first time that a strain is asked for.
    pub(super) fn net(
        &mut self,
        solver: &mut Solver,
        table: &BiddingTable,
        state: &DealState,
        team: Team,
    ) -> f64 {
        let Some(played) = self.played(solver, state) else { return 0.0 };
        played.expect(table, &NORMAL, |score| f64::from(score.points[team] - score.points[team.other()]))
    }

    /// Returns the chance that the contract of a finished auction is made, 0 to 1; `None` of a deal that is passed out.
    ///
    /// Costs what [`Solved::net`] does.
    pub(super) fn chance(
        &mut self,
        solver: &mut Solver,
        table: &BiddingTable,
        state: &DealState,
    ) -> Option<f64> {
        let played = self.played(solver, state)?;
        Some(played.expect(table, &FINE, |score| f64::from(u8::from(score.made))))
    }

    fn played<'a>(&mut self, solver: &mut Solver, state: &'a DealState) -> Option<SolvedContract<'a>> {
        let (contract, play) = (state.contract()?, state.play_state()?);
        let (rules, hands) = (state.rules(), state.hands());
        let known = self.known.iter().find(|(strain, of, _)| (*strain, of) == (contract.strain, hands));
        let points = if let Some((.., points)) = known {
            *points
        } else {
            let points = LeaderPoints::of(solver, rules, play);
            self.known.push((contract.strain, *hands, points));
            points
        };
        let none = ByTeam([0; 2]);
        let result = DealResult {
            contract,
            card_points: none,
            tricks: BySeat([2; 4]),
            // Of all trump no belote counts here.
            belote: contract.strain.trump().map_or(none, |_| Belote::points(rules, contract.strain, hands)),
            melds: if rules.melds.enabled { melds(state, contract.strain) } else { none },
        };
        Some(SolvedContract { rules, points, result })
    }
}

/// A contract that is played.
struct SolvedContract<'a> {
    rules: &'a RuleSet,
    points: LeaderPoints,
    result: DealResult,
}

impl SolvedContract<'_> {
    /// The mean of what the score is worth, over what play makes of the solved points.
    fn expect(&self, table: &BiddingTable, normal: &[f64], worth: impl Fn(&DealScore) -> f64) -> f64 {
        let Contract { declarer, strain, .. } = self.result.contract;
        let declarers = declarer.team();
        let worth = |own: f64, tricks: BySeat<u8>| {
            let mut card_points = ByTeam([0; 2]);
            card_points[declarers] = whole(own);
            card_points[declarers.other()] = whole(ALL_POINTS) - card_points[declarers];
            worth(&DealResult { card_points, tricks, ..self.result }.score(self.rules))
        };
        let fit = &table.solved[kind(strain)];
        let mean = fit.mean(self.points.points[declarers]);
        let spread: f64 = normal
            .iter()
            .map(|at| worth((mean + at * fit.deviation()).clamp(0.0, 160.0), BySeat([2; 4])))
            .sum();
        let spread = spread / normal.len() as f64;
        let slam = fit.slam(self.points.slam == Some(declarers));
        let tricks = DealResult::tricks_of_slam(Some(declarers));
        slam * worth(ALL_POINTS, tricks) + (1.0 - slam) * spread
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "card points, 0 to 162")]
fn whole(points: f64) -> u16 {
    points.round() as u16
}

/// The points of the melds of both teams that win the contest.
fn melds(state: &DealState, strain: Strain) -> ByTeam<u16> {
    let (rules, leader) = (&state.rules().melds, state.deal().dealer().next());
    let announced = state.hands().map(|hand| Melds::best(rules, hand));
    Melds::points_of(rules, &Melds::contest(rules, strain, leader, announced))
}
