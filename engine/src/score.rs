//! The score of a deal (`docs/rules.md`, "The contract"; `docs/rules.md`, "Scoring").

use crate::rules::{
    BeloteCoinched, BeloteFailed, DeclarersPart, DefendersPart, FailedPart, FloorOf, MadeScore, Multiplied,
    Rounding, ScoringRules, Tie,
};
use crate::{BidValue, BySeat, ByTeam, Contract, Goal, RuleSet, Stake, Team};

/// What the score of a deal depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DealResult {
    /// What was played.
    pub contract: Contract,
    /// The card points of each team with the last trick, before rounding, slams and the factor of the strain.
    pub card_points: ByTeam<u16>,
    /// The tricks that each seat won, 8 in all.
    pub tricks: BySeat<u8>,
    /// The points of the announced belotes of each team: 20 each.
    pub belote: ByTeam<u16>,
    /// The points of the melds of each team that won the contest.
    pub melds: ByTeam<u16>,
}

/// The score of a deal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct DealScore {
    /// Whether the contract was made; a tie that is held counts as not made.
    pub made: bool,
    /// What each team scores.
    pub points: ByTeam<i32>,
    /// The points that wait for the winner of the next deal (`match.tie = held` or `hanging`).
    pub held: i32,
    /// The side that took all eight tricks.
    pub slam: Option<Team>,
}

impl DealResult {
    /// Returns the points of each team's tricks: `T`, in which a slam has its own worth.
    #[inline]
    pub fn trick_points(&self, rules: &RuleSet) -> ByTeam<u16> {
        let strain = self.contract.strain;
        let won = self.tricks_won();
        let Some(winner) = Team::ALL.into_iter().find(|team| won[*team] == 8) else {
            let factor = rules.scoring.factor_in(strain);
            return self.card_points.map(|points| factor * points);
        };
        let solo = self.tricks.0.contains(&8);
        let number = if solo { rules.scoring.solo_slam } else { rules.scoring.unbid_slam };
        ByTeam::from_fn(|team| if team == winner { rules.slam(strain, number) } else { 0 })
    }

    /// Returns the number of tricks that each team won.
    pub fn tricks_won(&self) -> ByTeam<u8> {
        ByTeam::from_fn(|team| team.seats().iter().map(|seat| self.tricks[*seat]).sum())
    }

    /// Eight tricks of which one team has all, or each the half.
    pub const fn tricks_of_slam(slam: Option<Team>) -> BySeat<u8> {
        BySeat(match slam {
            Some(Team::Even) => [4, 0, 4, 0],
            Some(Team::Odd) => [0, 4, 0, 4],
            None => [2, 2, 2, 2],
        })
    }

    fn has_all_tricks(&self, team: Team) -> bool {
        self.tricks_won()[team] == 8
    }

    /// What counts of a team's points beside those of its tricks in the test of the contract: `B + M`.
    fn bonus(&self, rules: &RuleSet, team: Team) -> u16 {
        let belote = if rules.belote.counts_for_contract { self.belote[team] } else { 0 };
        let melds = if rules.melds.counts_for_contract { self.melds[team] } else { 0 };
        belote + melds
    }

    /// Computes the score under a rule set.
    ///
    /// ```
    /// use coinche_engine::{BySeat, ByTeam, Contract, DealResult, Goal, RuleSet};
    /// use coinche_engine::{BidValue, Seat, Stake, Strain};
    ///
    /// // 100 clubs with 122 points: 222 and 40 (the example of the rules).
    /// let result = DealResult {
    ///     contract: Contract {
    ///         declarer: Seat::S0,
    ///         strain: Strain::Clubs,
    ///         goal: Goal::Bid(BidValue::points(100).expect("in range")),
    ///         stake: Stake::Plain,
    ///     },
    ///     card_points: ByTeam([122, 40]),
    ///     tricks: BySeat([3, 1, 3, 1]),
    ///     belote: ByTeam([0, 0]),
    ///     melds: ByTeam([0, 0]),
    /// };
    /// assert_eq!(result.score(&RuleSet::BGA).points, ByTeam([222, 40]));
    /// ```
    pub fn score(&self, rules: &RuleSet) -> DealScore {
        let declarers = self.contract.declarer.team();
        let defenders = declarers.other();
        let tricks = self.trick_points(rules);
        let [own, other] = [declarers, defenders].map(|team| tricks[team] + self.bonus(rules, team));
        let tie = u16::from(rules.game.tie == Tie::Made);
        let made = match self.contract.goal {
            Goal::Bid(BidValue::CAPOT) => self.has_all_tricks(declarers),
            Goal::Bid(BidValue::GENERALE) => self.tricks[self.contract.declarer] == 8,
            Goal::Bid(value) => {
                let value = value.as_points().expect("neither capot nor générale");
                let floored = if rules.contract.floor_of == FloorOf::All { own } else { tricks[declarers] };
                own >= value + rules.contract.margin
                    && floored >= rules.contract.floor
                    && (!rules.contract.majority || own + tie > other)
            }
            Goal::Majority => own + tie > other,
        };
        let waits = matches!(rules.game.tie, Tie::Held | Tie::Hanging);
        let is_held = self.contract.goal == Goal::Majority && own == other && waits;
        let in_tenths = rules.scoring.rounding == Rounding::Tenths;
        let mut points = ByTeam([0i32; 2]);
        let mut held = 0;
        if made || is_held {
            let (own, other) = self.made_cells(rules, tricks);
            *(if made { &mut points[declarers] } else { &mut held }) = own;
            points[defenders] = other;
        } else {
            points[defenders] = self.failed_cell(rules, tricks);
        }
        let winner = if made { declarers } else { defenders };
        let mut share = |of: ByTeam<u16>, multiplied: Multiplied, shares: ByTeam<Option<Team>>| {
            for (team, share) in shares.iter() {
                let is_multiplied = match multiplied {
                    Multiplied::Nobody => false,
                    Multiplied::All => true,
                    Multiplied::Winner => !is_held && *share == Some(winner),
                };
                let factor = if is_multiplied && !in_tenths { self.factor(rules) } else { 1 };
                let to = if let Some(to) = *share { &mut points[to] } else { &mut held };
                *to += factor * i32::from(of[team]);
            }
        };
        if rules.belote.scored && self.belote != ByTeam([0; 2]) {
            share(self.belote, rules.belote.multiplied, self.belote_shares(rules, made, is_held));
        }
        if self.melds != ByTeam([0; 2]) {
            let multiplied = if rules.melds.multiplied { Multiplied::All } else { Multiplied::Nobody };
            share(self.melds, multiplied, self.meld_shares(rules, made, is_held));
        }
        if in_tenths {
            let tricks = i32::from(rules.scoring.row(self.contract.stake).tricks);
            let [even, odd] = points.0;
            let tenths =
                |points, has_less| tricks * ScoringRules::tenths(self.contract.strain, points, has_less);
            held = tenths(held, true);
            points = ByTeam([tenths(even, even < odd), tenths(odd, odd < even)]);
        }
        let won = self.tricks_won();
        let slam = Team::ALL.into_iter().find(|team| won[*team] == 8);
        DealScore { made, points, held, slam }
    }

    /// Tests if the side that wins a coinched deal gets points of both that are shared by this rule.
    fn winner_takes(&self, coinched: BeloteCoinched) -> bool {
        self.contract.stake != Stake::Plain && coinched == BeloteCoinched::Winner
    }

    /// Which team gets the belotes of each; `None`: they wait.
    fn belote_shares(&self, rules: &RuleSet, made: bool, is_held: bool) -> ByTeam<Option<Team>> {
        let declarers = self.contract.declarer.team();
        let winner = if made { declarers } else { declarers.other() };
        let takes_all = self.winner_takes(rules.belote.coinched);
        ByTeam::from_fn(|team| {
            if is_held {
                let waits = rules.game.tie == Tie::Hanging && (team == declarers || takes_all);
                (!waits).then_some(team)
            } else if takes_all
                || (team == declarers && !made && rules.belote.failed == BeloteFailed::Defenders)
            {
                Some(winner)
            } else {
                Some(team)
            }
        })
    }

    /// Which team gets the melds of each; `None`: they wait.
    fn meld_shares(&self, rules: &RuleSet, made: bool, is_held: bool) -> ByTeam<Option<Team>> {
        let declarers = self.contract.declarer.team();
        let takes_all = self.winner_takes(rules.melds.coinched);
        ByTeam::from_fn(|team| match team == declarers || takes_all {
            true if is_held => None,
            true if made => Some(declarers),
            true => Some(declarers.other()),
            false => Some(team),
        })
    }

    /// The stake's factor of the contract.
    fn factor(&self, rules: &RuleSet) -> i32 {
        rules.scoring.row(self.contract.stake).contract.into()
    }

    /// The stake's factor of the tricks; tenths are multiplied when all is added up.
    fn trick_factor(&self, rules: &RuleSet) -> i32 {
        match rules.scoring.rounding {
            Rounding::Tenths => 1,
            _ => rules.scoring.row(self.contract.stake).tricks.into(),
        }
    }

    /// What a bid capot scores flat, if the rules say so.
    fn flat_capot(&self, rules: &RuleSet) -> Option<i32> {
        let flat = rules.scoring.flat_capot;
        (flat > 0 && self.contract.goal == Goal::Bid(BidValue::CAPOT))
            .then(|| i32::from(flat) * self.factor(rules))
    }

    /// Tricks and contract of declarers and defenders when the contract is made.
    fn made_cells(&self, rules: &RuleSet, tricks: ByTeam<u16>) -> (i32, i32) {
        if let Some(flat) = self.flat_capot(rules) {
            return (flat, 0);
        }
        let row = rules.scoring.row(self.contract.stake);
        let declarers = self.contract.declarer.team();
        let (own, other) = (tricks[declarers], tricks[declarers.other()]);
        let part = match row.made_declarers {
            DeclarersPart::Own if rules.scoring.rounding == Rounding::Complement => {
                rules.scoring.round(own + other) - rules.scoring.round(other)
            }
            DeclarersPart::Own => rules.scoring.round(own),
            DeclarersPart::All => rules.scoring.round(own + other),
            DeclarersPart::Flat => rules.scoring.failed,
        };
        let factor = self.trick_factor(rules);
        let tricks = factor * i32::from(part);
        let value = self.factor(rules) * i32::from(self.contract.worth(rules));
        let made = match rules.scoring.made {
            MadeScore::TricksAndBid => tricks + value,
            MadeScore::Bid => value,
            MadeScore::Tricks => tricks,
        };
        let defenders = match row.made_defenders {
            DefendersPart::Own => factor * i32::from(rules.scoring.round(other)),
            DefendersPart::None => 0,
        };
        (made, defenders)
    }

    /// Tricks and contract of the defenders when the contract has failed.
    fn failed_cell(&self, rules: &RuleSet, tricks: ByTeam<u16>) -> i32 {
        if let Some(flat) = self.flat_capot(rules) {
            return flat;
        }
        let row = rules.scoring.row(self.contract.stake);
        let defenders = self.contract.declarer.team().other();
        let own = || rules.scoring.round(tricks[defenders]);
        let part = match row.failed_defenders {
            FailedPart::Own => own(),
            FailedPart::All => rules.scoring.round(tricks[defenders] + tricks[defenders.other()]),
            FailedPart::Flat if rules.scoring.failed_slam && self.has_all_tricks(defenders) => own(),
            FailedPart::Flat => rules.scoring.failed,
        };
        let value = if rules.scoring.failed_bid { self.contract.worth(rules) } else { 0 };
        self.trick_factor(rules) * i32::from(part) + self.factor(rules) * i32::from(value)
    }
}
