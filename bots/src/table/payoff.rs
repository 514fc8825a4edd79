//! What contracts score under a rule set: a few numbers for each value and stake, asked of the engine.

use coinche_engine::rules::Tie;
use coinche_engine::{
    BidValue, BySeat, ByTeam, Contract, DealResult, Goal, Ladder, RuleSet, Seat, Stake, Strain, Team,
};

use super::melds::ExpectedMelds;
use super::points::{Points, float};

/// All card points with the last trick.
const ALL_POINTS: u16 = 162;

/// What a contract scores for the declarers, net of the defenders.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Payoff {
    /// What must be reached, in points.
    pub(super) needs: i32,
    slam: Slam,
    /// Made with exactly what it needs.
    made: f32,
    /// For each point more.
    slope: f32,
    /// What all tricks add to that of 162 points.
    all_tricks: f32,
    failed: f32,
    /// The factor of melds, which go to the defenders when it fails.
    melds: f32,
}

/// Whether the contract is a slam.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Slam {
    No,
    Capot,
    Generale,
}

/// What seat 0 and its partner score, net, with so many card points, without belote and melds.
pub(crate) fn net_of_cards(rules: &RuleSet, contract: Contract, points: u16, tricks: [u8; 4]) -> i32 {
    let card_points = ByTeam([points, ALL_POINTS - points]);
    let none = ByTeam([0; 2]);
    let result = DealResult { contract, card_points, tricks: BySeat(tricks), belote: none, melds: none };
    let score = result.score(rules).points;
    score[Team::Even] - score[Team::Odd]
}

impl Payoff {
    fn new(rules: &RuleSet, goal: Goal, stake: Stake) -> Self {
        let contract = Contract { declarer: Seat::S0, strain: Strain::Clubs, goal, stake };
        let net = |points: u16, tricks: [u8; 4]| net_of_cards(rules, contract, points, tricks);
        let melds = match (rules.melds.enabled, rules.melds.multiplied) {
            (false, _) => 0.0,
            (true, false) => 1.0,
            (true, true) => float(i32::from(rules.scoring.row(stake).contract)),
        };
        let (some, all, alone) = ([2, 2, 2, 2], [4, 0, 4, 0], [8, 0, 0, 0]);
        let slam = match goal {
            Goal::Bid(BidValue::CAPOT) => Slam::Capot,
            Goal::Bid(BidValue::GENERALE) => Slam::Generale,
            _ => Slam::No,
        };
        if slam != Slam::No {
            let made = if slam == Slam::Capot { all } else { alone };
            return Self {
                needs: i32::from(ALL_POINTS),
                slam,
                made: float(net(ALL_POINTS, made)),
                slope: 0.0,
                all_tricks: 0.0,
                failed: float(net(140, some)),
                melds,
            };
        }
        let half = if rules.game.tie == Tie::Made { 81 } else { 82 };
        let needs = match goal {
            Goal::Bid(value) => {
                let points = value.as_points().unwrap_or_default() + rules.contract.margin;
                let points = points.max(rules.contract.floor);
                if rules.contract.majority { points.max(half) } else { points }
            }
            Goal::Majority => half,
        };
        // Numbers above what the cards hold are reached by belote and melds; the score of the cards is then
        // that of all but the last of them.
        let least = needs.min(ALL_POINTS - 12);
        let value_of = |points: u16| {
            // The test must be passed, whatever was bid.
            let goal = if needs == least { goal } else { Goal::Bid(BidValue::points(1).expect("one")) };
            let worth = |goal: Goal| Contract { goal, ..contract }.worth(rules);
            let factor = i32::from(rules.scoring.row(stake).contract);
            let missing = factor * (i32::from(worth(contract.goal)) - i32::from(worth(goal)));
            net_of_cards(rules, Contract { goal, ..contract }, points, some) + missing
        };
        let (low, high) = (value_of(least), value_of(ALL_POINTS - 2));
        let slope = float(high - low) / float(i32::from(ALL_POINTS - 2 - least));
        let made = float(low) + slope * float(i32::from(needs - least));
        let slam_worth = if needs <= ALL_POINTS { float(net(ALL_POINTS, all)) } else { float(high) };
        Self {
            needs: i32::from(needs),
            slam,
            made,
            slope,
            all_tricks: slam_worth - (float(low) + slope * float(i32::from(ALL_POINTS - least))),
            failed: float(net(needs.saturating_sub(15).min(140), some)),
            melds,
        }
    }

    /// Returns the chance to make the contract, and what it is expected to score.
    pub(super) fn expect(&self, points: &Points, melds: ExpectedMelds) -> (f32, f32) {
        match self.slam {
            Slam::No => {
                let (chance, beyond) = points.reach(self.needs);
                let slams = points.all_tricks.min(chance) * self.all_tricks;
                // Of the points, those of melds are no card points.
                let cards = beyond - chance * float(melds.counted);
                let made = self.made * chance + self.slope * cards + slams;
                (chance, made + self.failed * (1.0 - chance) + self.melds(chance, melds))
            }
            Slam::Capot => self.all_or_nothing(points.all_tricks, melds),
            Slam::Generale => self.all_or_nothing(points.alone, melds),
        }
    }

    fn all_or_nothing(&self, chance: f32, melds: ExpectedMelds) -> (f32, f32) {
        (chance, self.made * chance + self.failed * (1.0 - chance) + self.melds(chance, melds))
    }

    /// What the declarers' melds bring, or cost.
    fn melds(&self, chance: f32, melds: ExpectedMelds) -> f32 {
        self.melds * float(melds.scored) * (2.0 * chance - 1.0)
    }
}

/// The payoffs of all contracts of a rule set.
#[derive(Debug, Clone)]
pub(super) struct Payoffs {
    rules: RuleSet,
    ladder: Ladder,
    /// By level of the ladder and stake; of the turn-up game one row.
    rows: Vec<[Payoff; 3]>,
}

impl Payoffs {
    pub(super) fn new(rules: &RuleSet) -> Self {
        let ladder = Ladder::new(rules);
        let row = |goal: Goal| Stake::ALL.map(|stake| Payoff::new(rules, goal, stake));
        let rows = if rules.has_values() {
            ladder.iter().map(|value| row(Goal::Bid(value))).collect()
        } else {
            vec![row(Goal::Majority)]
        };
        Self { rules: *rules, ladder, rows }
    }

    /// Whether they are those of these rules.
    pub(super) fn are_of(&self, rules: &RuleSet) -> bool {
        self.rules == *rules
    }

    pub(super) fn get(&self, goal: Goal, stake: Stake) -> Option<&Payoff> {
        let level = match goal {
            Goal::Bid(value) => self.ladder.index_of(value)?,
            Goal::Majority => 0,
        };
        self.rows.get(level).map(|row| &row[stake as usize])
    }
}
