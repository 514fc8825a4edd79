//! What a contract is expected to score when it is played, by its exact points with open cards.

use coinche_engine::{
    BySeat, ByTeam, CardSet, DealResult, DealState, LeaderPoints, Melds, Rank, Solver, Strain, Team, contest,
};

use crate::table::{SolvedFit, Table, kind};

/// All card points with the last trick.
const ALL_POINTS: f64 = 162.0;

/// Five equally likely values of a normal variable, in standard deviations.
const NORMAL: [f64; 5] = [-1.28, -0.52, 0.0, 0.52, 1.28];

/// The solved strains of one world.
#[derive(Debug, Default)]
pub(super) struct Solved {
    /// By strain; in the turn-up game the hands depend on the taker too.
    known: Vec<(Strain, BySeat<CardSet>, LeaderPoints)>,
}

impl Solved {
    /// Returns what a team is expected to score, net, when the contract of a finished auction is played; 0 of a
    /// deal that is thrown in.
    pub(super) fn net(&mut self, solver: &mut Solver, table: &Table, state: &DealState, team: Team) -> f64 {
        let (Some(contract), Some(play)) = (state.contract(), state.play_state()) else { return 0.0 };
        let (rules, hands) = (state.rules(), state.hands());
        let known = self.known.iter().find(|(strain, of, _)| (*strain, of) == (contract.strain, hands));
        let points = if let Some((.., points)) = known {
            *points
        } else {
            let points = LeaderPoints::of(solver, rules, play);
            self.known.push((contract.strain, *hands, points));
            points
        };
        let declarers = contract.declarer.team();
        let result = DealResult {
            contract,
            card_points: ByTeam([0; 2]),
            tricks: BySeat([2; 4]),
            belote: belotes(state),
            melds: melds(state),
        };
        let net = |own: f64, tricks: BySeat<u8>| {
            let mut card_points = ByTeam([0; 2]);
            card_points[declarers] = whole(own);
            card_points[declarers.other()] = whole(ALL_POINTS) - card_points[declarers];
            let points = DealResult { card_points, tricks, ..result }.score(rules).points;
            f64::from(points[team] - points[team.other()])
        };
        let fit = &table.solved[kind(contract.strain)];
        let spread = |fit: &SolvedFit| {
            let mean = fit.mean(points.points[declarers]);
            NORMAL
                .iter()
                .map(|at| net((mean + at * fit.deviation()).clamp(0.0, 160.0), BySeat([2; 4])))
                .sum::<f64>()
                / 5.0
        };
        let slam = fit.slam(points.slam == Some(declarers));
        let mut tricks = BySeat([0; 4]);
        for seat in declarers.seats() {
            tricks[seat] = 4;
        }
        slam * net(ALL_POINTS, tricks) + (1.0 - slam) * spread(fit)
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "card points, 0 to 162")]
fn whole(points: f64) -> u16 {
    points.round() as u16
}

/// The points of the belotes of both teams, all announced.
fn belotes(state: &DealState) -> ByTeam<u16> {
    let mut points = ByTeam([0; 2]);
    let Some(trump) = state.contract().and_then(|contract| contract.strain.trump()) else { return points };
    let couple = CardSet::suit(trump) & (CardSet::rank(Rank::King) | CardSet::rank(Rank::Queen));
    for (seat, hand) in state.hands().iter() {
        points[seat.team()] += if couple.is_subset(*hand) { 20 } else { 0 };
    }
    points
}

/// The points of the melds of both teams that win the contest.
fn melds(state: &DealState) -> ByTeam<u16> {
    let (rules, mut points) = (&state.rules().melds, ByTeam([0; 2]));
    if let (true, Some(contract)) = (rules.enabled, state.contract()) {
        let announced = state.hands().map(|hand| Melds::best(rules, hand));
        for (seat, melds) in contest(rules, contract.strain, announced).iter() {
            points[seat.team()] += melds.points(rules);
        }
    }
    points
}
