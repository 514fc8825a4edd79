//! What a deal is worth: the points of both sides in every strain, and the best contract of each.

use core::cmp::Reverse;

use crate::solver::Solver;
use crate::{
    Belote, BidValue, BySeat, ByTeam, CardSet, Contract, DealResult, DealScore, Goal, Ladder, PlayState,
    RuleSet, Seat, Stake, Strain, Team,
};

/// The outcome of best play in one strain from one leader.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct LeaderPoints {
    /// The card points of each team, last trick included; of a whole deal they add up to [`RuleSet::all_points`].
    pub points: ByTeam<u16>,
    /// The team that takes every trick against best defence, where one does.
    pub slam: Option<Team>,
}

impl LeaderPoints {
    /// Solves a position with best play of both sides for card points alone.
    ///
    /// Prizes that were set in the solver are taken out of it. Costs one value, and, where one side gets
    /// all points, one search more.
    pub fn of(solver: &mut Solver, rules: &RuleSet, state: &PlayState) -> Self {
        solver.set_prizes(ByTeam([0; 2]));
        let side = state.to_play().team();
        let own = u16::try_from(solver.value(rules, state)).unwrap_or_default();
        let all = points_to_come(rules, state);
        let mut points = ByTeam([own; 2]);
        points[side.other()] = all - own;
        let everything = Team::ALL.into_iter().find(|team| points[*team] == all);
        let slam = everything.filter(|team| takes_all(solver, rules, state, *team));
        Self { points, slam }
    }
}

/// Returns the card points that are still to be won: of the hands and the trick, and the last trick.
pub fn points_to_come(rules: &RuleSet, state: &PlayState) -> u16 {
    if state.is_over() {
        return 0;
    }
    let mut cards: CardSet = state.trick().map(|(_, card)| card).collect();
    for seat in Seat::ALL {
        cards |= state.hand(seat);
    }
    rules.cards.points_of(state.strain(), cards) + rules.scoring.last_trick_in(state.strain())
}

/// Tests if a team takes all tricks, from the first to the last, against every defence, whoever is to
/// play.
///
/// Prizes that were set in the solver are taken out of it, and its table is emptied.
pub fn takes_all(solver: &mut Solver, rules: &RuleSet, state: &PlayState, team: Team) -> bool {
    if state.tricks_won(team.other()) > 0 {
        return false;
    }
    if state.is_over() {
        return true;
    }
    let mut prizes = ByTeam([0; 2]);
    prizes[team] = 1;
    solver.set_prizes(prizes);
    let taken = if state.to_play().team() == team {
        // All points and the prize.
        solver.reaches(rules, state, i32::from(points_to_come(rules, state)) + 1)
    } else {
        // No point, and the prize lost.
        !solver.reaches(rules, state, 0)
    };
    solver.set_prizes(ByTeam([0; 2]));
    taken
}

/// The exact card points of a deal in some strains, from all four leaders or from one.
///
/// ```
/// use coinche_engine::{Deal, Deck, RuleSet, Seat, Strain, Team};
/// use coinche_engine::solver::{DealPoints, Solver};
///
/// let rules = RuleSet::BGA;
/// let deal = Deal::new(&rules.deal, Deck::sorted(), Seat::S3);
/// let points = DealPoints::solve(&mut Solver::new(), &rules, *deal.hands(), &Strain::ALL, &[Seat::S0]);
/// let hearts = points.get(Strain::Hearts, Seat::S0).expect("solved");
/// assert_eq!(hearts.points[Team::Even] + hearts.points[Team::Odd], 162);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DealPoints {
    hands: BySeat<CardSet>,
    /// By strain, then by leader.
    solved: [BySeat<Option<LeaderPoints>>; 6],
}

/// A contract that a side makes double dummy, and its score.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ParContract {
    /// The contract, not coinched; the declarer is the first of the side's two seats in the order of play
    /// from the leader on.
    pub contract: Contract,
    /// Card points, tricks and belotes on which the score rests. Of the tricks only a slam is right.
    pub result: DealResult,
    /// The score.
    pub score: DealScore,
}

impl DealPoints {
    /// Solves a deal for these strains and leaders.
    ///
    /// The table is kept across the leaders of one strain: the second to the fourth cost about half of
    /// the first. Six strains and four leaders cost some 20 times the value in one suit.
    pub fn solve(
        solver: &mut Solver,
        rules: &RuleSet,
        hands: BySeat<CardSet>,
        strains: &[Strain],
        leaders: &[Seat],
    ) -> Self {
        let mut by_strain = [BySeat([None; 4]); 6];
        for strain in strains {
            for leader in leaders {
                let state = PlayState::new(&rules.play, *strain, hands, *leader);
                by_strain[strain.index()][*leader] = Some(LeaderPoints::of(solver, rules, &state));
            }
        }
        Self { hands, solved: by_strain }
    }

    /// Returns the hands.
    pub const fn hands(&self) -> &BySeat<CardSet> {
        &self.hands
    }

    /// Returns the points in a strain from a leader, unless they were left out.
    pub fn get(&self, strain: Strain, leader: Seat) -> Option<LeaderPoints> {
        self.solved[strain.index()][leader]
    }

    /// Returns the contract that is best for a team when `leader` leads: of all that the rules let it bid
    /// and that it makes double dummy, the one of the greatest score less the other side's; of
    /// equal ones the lowest, then the first in the order of strains. `None`: it makes none.
    ///
    /// Both sides play for card points. Belotes are announced; melds are left out, and so is a générale,
    /// which is a game of its own. In the turn-up game the contract is to take in a suit.
    pub fn best_contract(&self, rules: &RuleSet, leader: Seat, team: Team) -> Option<ParContract> {
        let mut best: Option<((i32, Reverse<BidValue>), ParContract)> = None;
        for strain in Strain::ALL.into_iter().filter(|strain| rules.allows_strain(*strain)) {
            let Some(solved) = self.get(strain, leader) else { continue };
            for goal in goals(rules) {
                let par = self.play_out(rules, leader, team, (strain, goal), solved);
                let [own, other] = [team, team.other()].map(|team| par.score.points[team]);
                let key = (own - other, Reverse(height(goal)));
                if par.score.made && best.is_none_or(|(before, _)| key > before) {
                    best = Some((key, par));
                }
            }
        }
        best.map(|(_, par)| par)
    }

    /// Scores a contract, when `leader` leads: both sides play for card points, belotes are announced, and melds are
    /// left out. `None`: its strain was not solved for this leader.
    pub fn score(&self, rules: &RuleSet, leader: Seat, contract: Contract) -> Option<DealScore> {
        let solved = self.get(contract.strain, leader)?;
        Some(self.result(rules, contract, solved).score(rules))
    }

    fn result(&self, rules: &RuleSet, contract: Contract, solved: LeaderPoints) -> DealResult {
        DealResult {
            contract,
            card_points: solved.points,
            tricks: DealResult::tricks_of_slam(solved.slam),
            belote: Belote::points(rules, contract.strain, &self.hands),
            melds: ByTeam([0; 2]),
        }
    }

    /// Scores a contract that is declared by a team.
    fn play_out(
        &self,
        rules: &RuleSet,
        leader: Seat,
        team: Team,
        (strain, goal): (Strain, Goal),
        solved: LeaderPoints,
    ) -> ParContract {
        let declarer = if leader.team() == team { leader } else { leader.next() };
        let contract = Contract { declarer, strain, goal, stake: Stake::Plain };
        let result = self.result(rules, contract, solved);
        ParContract { contract, result, score: result.score(rules) }
    }
}

/// The place of a goal among those that promise more or less.
const fn height(goal: Goal) -> BidValue {
    match goal {
        Goal::Bid(value) => value,
        Goal::Majority => BidValue::CAPOT,
    }
}

/// What may be promised under the rules, low to high.
fn goals(rules: &RuleSet) -> Vec<Goal> {
    if !rules.has_values() {
        return vec![Goal::Majority];
    }
    Ladder::new(rules).iter().filter(|value| *value != BidValue::GENERALE).map(Goal::Bid).collect()
}
