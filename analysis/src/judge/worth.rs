//! The deal score as a function of the outcome of the cards.

use coinche_engine::{BidValue, BySeat, ByTeam, Contract, DealResult, Goal, RuleSet, Team};

/// The outcome of the cards for one team, as one number: its card points, one less than zero if it takes no
/// trick, one more than all if it takes every trick.
///
/// More is never worse, so that best play for this number is best play for the points and, if the score never
/// decreases with it, for the score.
pub(super) type Fall = i32;

/// The bonus of both sides, on top of their points, for a slam: one step of [`Fall`].
pub(super) const PRIZES: ByTeam<u16> = ByTeam([1; 2]);

/// All card points of a deal, last trick included.
pub(super) fn all_points(rules: &RuleSet, contract: &Contract) -> i32 {
    152 + i32::from(rules.scoring.last_trick_in(contract.strain))
}

/// Returns the score of the declarers less that of the defenders.
///
/// A slam counts as a side's, also if one player takes all tricks.
pub(super) fn score(
    rules: &RuleSet,
    contract: Contract,
    fall: Fall,
    belote: ByTeam<u16>,
    melds: ByTeam<u16>,
) -> i32 {
    let declarers = contract.declarer.team();
    let all = all_points(rules, &contract);
    let own = fall.clamp(0, all);
    let points = |points: i32| u16::try_from(points).unwrap_or_default();
    let mut card_points = ByTeam([points(own); 2]);
    card_points[declarers.other()] = points(all - own);
    let slam = match fall {
        _ if fall < 0 => Some(declarers.other()),
        _ if fall > all => Some(declarers),
        _ => None,
    };
    let tricks = BySeat(match slam {
        Some(Team::Even) => [4, 0, 4, 0],
        Some(Team::Odd) => [0, 4, 0, 4],
        None => [2, 2, 2, 2],
    });
    let result = DealResult { contract, card_points, tricks, belote, melds };
    let score = result.score(rules).points;
    score[declarers] - score[declarers.other()]
}

/// The deal score by the outcome of the cards for the declarers.
pub(super) struct Worth(Vec<i32>);

impl Worth {
    /// Creates the table; `None` if best play for the score is not best play for the points: for a générale,
    /// which a partner's trick defeats, and under rules by which more points can score less.
    pub(super) fn new(
        rules: &RuleSet,
        contract: Contract,
        belote: ByTeam<u16>,
        melds: ByTeam<u16>,
    ) -> Option<Self> {
        if contract.goal == Goal::Bid(BidValue::GENERALE) {
            return None;
        }
        let falls = -1..=all_points(rules, &contract) + 1;
        let scores: Vec<_> = falls.map(|fall| score(rules, contract, fall, belote, melds)).collect();
        scores.is_sorted().then_some(Self(scores))
    }

    /// Returns the score of the declarers less that of the defenders.
    pub(super) fn of(&self, fall: Fall) -> i32 {
        let last = self.0.len() - 1;
        self.0[usize::try_from(fall + 1).unwrap_or_default().min(last)]
    }
}
