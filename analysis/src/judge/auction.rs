//! The losses of the auction: the final contract against the best available one.

use coinche_engine::rules::{CoincheMode, DealMethod};
use coinche_engine::solver::{DealPoints, Solver};
use coinche_engine::{BidValue, Contract, Goal, Ladder, RuleSet, Seat, Stake, Strain, Team};

use super::played::Dealt;

/// The causes of auction losses, in the order of [`AuctionLoss`]: the same names for `judge` and `bidding`.
pub const CAUSES: [&str; 10] = [
    "passed out",
    "wrong strain",
    "underbid",
    "overbid",
    "missed capot",
    "sold out",
    "missed coinche",
    "needless coinche",
    "missed surcoinche",
    "needless surcoinche",
];

/// The deal was passed out.
pub const PASSED_OUT: usize = 0;
/// Another strain would have scored more.
pub const WRONG_STRAIN: usize = 1;
const UNDERBID: usize = 2;
/// The contract was too high.
pub const OVERBID: usize = 3;
const MISSED_CAPOT: usize = 4;
/// The opponents were left in a contract that was too cheap.
pub const SOLD_OUT: usize = 5;
const MISSED_COINCHE: usize = 6;
const NEEDLESS_COINCHE: usize = 7;
const MISSED_SURCOINCHE: usize = 8;
const NEEDLESS_SURCOINCHE: usize = 9;

/// One side's auction losses in deal score, by cause; never negative.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct AuctionLoss(pub [i32; CAUSES.len()]);

impl AuctionLoss {
    /// Returns the points lost in all.
    pub fn total(&self) -> i32 {
        self.0.iter().sum()
    }

    fn of(cause: usize, loss: i32) -> Self {
        let mut all = Self::default();
        all.0[cause] = loss.max(0);
        all
    }
}

/// The bids among which the best one is searched, all but a générale.
#[derive(Debug, Clone, Copy)]
enum Bids {
    All,
    BelowCapot,
    Above(BidValue),
}

/// Judges auctions; for consecutive auctions on the same cards, contracts are solved once.
#[derive(Default)]
pub struct AuctionJudge {
    solved: Option<(RuleSet, Seat, DealPoints)>,
}

impl AuctionJudge {
    /// Returns the losses of both teams if a contract was played; `None` for a générale.
    ///
    /// Losses from not bidding a capot are separate from the other causes: the amount by which the declarers'
    /// best capot beats their best other bid.
    pub fn losses(
        &mut self,
        solver: &mut Solver,
        dealt: &Dealt,
        contract: Contract,
    ) -> Option<[AuctionLoss; 2]> {
        if contract.goal == Goal::Bid(BidValue::GENERALE) {
            return None;
        }
        let table = self.table(solver, dealt, Some(contract.strain));
        let plain = Contract { stake: Stake::Plain, ..contract };
        let mut losses = [AuctionLoss::default(); 2];
        let declarers = contract.declarer.team();
        let capot = match contract.goal {
            Goal::Majority | Goal::Bid(BidValue::CAPOT) => 0,
            Goal::Bid(_) => {
                let best = |bids| table.best(declarers, bids).unwrap_or_default();
                best(Bids::All) - best(Bids::BelowCapot)
            }
        };
        let bids = if capot > 0 { Bids::BelowCapot } else { Bids::All };
        losses[declarers.index()] = table.declaring(plain, contract.stake, bids);
        losses[declarers.index()].0[MISSED_CAPOT] = capot;
        losses[declarers.other().index()] = table.defending(plain, contract.stake);
        Some(losses)
    }

    /// Tests for each team whether it takes all tricks in a strain that can be bid.
    pub fn slams(&mut self, solver: &mut Solver, dealt: &Dealt) -> [bool; 2] {
        let table = self.table(solver, dealt, None);
        let all = Strain::ALL.map(|strain| table.points.get(strain, table.leader));
        Team::ALL.map(|team| all.iter().flatten().any(|points| points.slam == Some(team)))
    }

    /// Returns the losses of both teams if the deal was passed out.
    pub fn passed(&mut self, solver: &mut Solver, dealt: &Dealt) -> [AuctionLoss; 2] {
        let table = self.table(solver, dealt, None);
        Team::ALL.map(|team| AuctionLoss::of(PASSED_OUT, table.best(team, Bids::All).unwrap_or(0)))
    }

    /// Solves a deal in all strains that can be bid, or, in the turn-up game, in the one taken.
    fn table<'a>(
        &'a mut self,
        solver: &mut Solver,
        dealt: &'a Dealt,
        played: Option<Strain>,
    ) -> ContractScores<'a> {
        let Dealt { rules, hands, leader } = dealt;
        let taken = played.filter(|_| rules.deal.method == DealMethod::TurnUp);
        let same = self.solved.as_ref().is_some_and(|(before, from, points)| {
            let has = taken.is_none_or(|strain| points.get(strain, *leader).is_some());
            has && before == rules && from == leader && points.hands() == hands
        });
        if !same {
            let wanted =
                |strain: &Strain| rules.allows_strain(*strain) && taken.is_none_or(|taken| taken == *strain);
            let strains: Vec<_> = Strain::ALL.into_iter().filter(wanted).collect();
            let points = DealPoints::solve(solver, rules, *hands, &strains, &[*leader]);
            self.solved = Some((*rules, *leader, points));
        }
        let points = &self.solved.as_ref().expect("solved above").2;
        ContractScores { rules, leader: *leader, points }
    }
}

/// Returns the score of a contract, the declarers' less the defenders', with double-dummy play for card points,
/// belotes announced and melds ignored.
pub fn value(solver: &mut Solver, dealt: &Dealt, contract: Contract) -> i32 {
    let Dealt { rules, hands, leader } = dealt;
    let points = DealPoints::solve(solver, rules, *hands, &[contract.strain], &[*leader]);
    ContractScores { rules, leader: *leader, points: &points }.value(contract)
}

/// The scores of all contracts of a deal, each with double-dummy play for card points, belotes announced and
/// melds ignored.
struct ContractScores<'a> {
    rules: &'a RuleSet,
    leader: Seat,
    points: &'a DealPoints,
}

impl ContractScores<'_> {
    /// Returns the score of a contract, the declarers' less the defenders'.
    fn value(&self, contract: Contract) -> i32 {
        let team = contract.declarer.team();
        let score = self.points.score(self.rules, self.leader, contract);
        score.map_or(0, |score| score.points[team] - score.points[team.other()])
    }

    /// Returns the score of a team's best gaining contract in any strain; `None` if no contract gains.
    fn best(&self, team: Team, bids: Bids) -> Option<i32> {
        Strain::ALL.into_iter().filter_map(|strain| self.best_in(strain, team, bids)).max()
    }

    /// Returns the same for one strain.
    fn best_in(&self, strain: Strain, team: Team, bids: Bids) -> Option<i32> {
        self.points.get(strain, self.leader)?;
        let ladder = Ladder::new(self.rules);
        let place = |value: BidValue| ladder.index_of(value);
        let wanted = |value: &BidValue| match bids {
            Bids::All => true,
            Bids::BelowCapot => *value != BidValue::CAPOT,
            Bids::Above(bid) => place(*value) > place(bid),
        };
        let values = ladder.iter().filter(|value| *value != BidValue::GENERALE).filter(wanted);
        let declarer = team.seats()[0];
        let goal = |value| if self.rules.has_values() { Goal::Bid(value) } else { Goal::Majority };
        let contracts =
            values.map(|value| Contract { declarer, strain, goal: goal(value), stake: Stake::Plain });
        contracts.map(|contract| self.value(contract)).filter(|value| *value > 0).max()
    }

    /// Returns the losses of the declaring side against the best of these bids.
    fn declaring(&self, plain: Contract, stake: Stake, bids: Bids) -> AuctionLoss {
        let value = self.value(plain);
        let team = plain.declarer.team();
        let mut loss = AuctionLoss::default();
        if self.rules.deal.method == DealMethod::TurnUp {
            // The record does not show what others would have held: the choice is to take or not.
            loss.0[OVERBID] = (-value).max(0);
        } else {
            let strain = self.best_in(plain.strain, team, bids);
            let best = self.best(team, bids);
            match (best, strain) {
                // No gaining bid existed.
                (None, _) => loss.0[OVERBID] = (-value).max(0),
                (Some(best), None) => loss.0[WRONG_STRAIN] = best - value,
                (Some(best), Some(strain)) => {
                    loss.0[WRONG_STRAIN] = best - strain;
                    loss.0[if value > 0 { UNDERBID } else { OVERBID }] = strain - value;
                }
            }
        }
        let [coinche, surcoinche] =
            [Stake::Coinche, Stake::Surcoinche].map(|stake| self.value(Contract { stake, ..plain }));
        match stake {
            Stake::Plain => {}
            Stake::Coinche => loss.0[MISSED_SURCOINCHE] = (surcoinche - coinche).max(0),
            Stake::Surcoinche => loss.0[NEEDLESS_SURCOINCHE] = (coinche - surcoinche).max(0),
        }
        loss
    }

    /// Returns the losses of the defending side.
    fn defending(&self, plain: Contract, stake: Stake) -> AuctionLoss {
        let mut loss = AuctionLoss::default();
        let may_coinche = self.rules.auction.coinche != CoincheMode::Off;
        let against = |stake: Stake| -self.value(Contract { stake, ..plain });
        let (left, coinched) = (against(Stake::Plain), against(Stake::Coinche));
        let defending = if may_coinche { left.max(coinched) } else { left };
        match stake {
            Stake::Plain => loss.0[MISSED_COINCHE] = defending - left,
            // What a surcoinche adds to a made contract is a consequence of the coinche.
            _ => loss.0[NEEDLESS_COINCHE] = (defending - against(stake)).max(0),
        }
        if self.rules.deal.method == DealMethod::TurnUp {
            // Nobody bids over a take.
            return loss;
        }
        let team = plain.declarer.team().other();
        let own = match plain.goal {
            Goal::Bid(bid) => self.best(team, Bids::Above(bid)),
            Goal::Majority => {
                let above = Strain::ALL.into_iter().skip(plain.strain.index() + 1);
                above.filter_map(|strain| self.best_in(strain, team, Bids::All)).max()
            }
        };
        loss.0[SOLD_OUT] = own.map_or(0, |own| (own - defending).max(0));
        loss
    }
}
