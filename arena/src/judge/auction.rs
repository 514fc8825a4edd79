//! What the auction lost: the final contract against the best one that existed.

use coinche_engine::{
    BidValue, BySeat, ByTeam, Card, CardSet, CoincheMode, Contract, DealMethod, DealPoints, Goal, Ladder,
    LeaderPoints, Rank, RuleSet, Seat, Solver, Stake, Strain, Suit, Team,
};

use super::played::{Dealt, Played};
use super::worth::{all_points, score};

/// The ways in which an auction loses, in the order of [`AuctionLoss`].
pub(super) const CAUSES: [&str; 9] = [
    "passed-out",
    "strain",
    "below",
    "above",
    "defended",
    "missed-coinche",
    "needless-coinche",
    "missed-surcoinche",
    "needless-surcoinche",
];

const PASSED_OUT: usize = 0;
const STRAIN: usize = 1;
const BELOW: usize = 2;
const ABOVE: usize = 3;
const DEFENDED: usize = 4;
const MISSED_COINCHE: usize = 5;
const NEEDLESS_COINCHE: usize = 6;
const MISSED_SURCOINCHE: usize = 7;
const NEEDLESS_SURCOINCHE: usize = 8;

/// What the auction lost for one side, in the score of the deal, by cause; no number is negative.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct AuctionLoss(pub(super) [i32; 9]);

impl AuctionLoss {
    pub(super) fn total(&self) -> i32 {
        self.0.iter().sum()
    }

    fn of(cause: usize, loss: i32) -> Self {
        let mut all = Self::default();
        all.0[cause] = loss.max(0);
        all
    }
}

/// Judges auctions; of the same cards one after the other the contracts are solved once.
#[derive(Default)]
pub(super) struct AuctionJudge {
    solved: Option<(RuleSet, Seat, DealPoints)>,
}

impl AuctionJudge {
    /// Returns the losses of both teams where a contract was played, `None` of a générale.
    pub(super) fn losses(&mut self, solver: &mut Solver, played: &Played) -> Option<[AuctionLoss; 2]> {
        if played.contract.goal == Goal::Bid(BidValue::GENERALE) {
            return None;
        }
        let table = self.table(solver, &played.dealt, Some(played.contract.strain));
        let contract = Contract { stake: Stake::Plain, ..played.contract };
        let mut losses = [AuctionLoss::default(); 2];
        let declarers = contract.declarer.team();
        losses[declarers.index()] = table.declaring(contract, played.contract.stake);
        losses[declarers.other().index()] = table.defending(contract, played.contract.stake);
        Some(losses)
    }

    /// Returns the losses of both teams where nobody bid.
    pub(super) fn passed(&mut self, solver: &mut Solver, dealt: &Dealt) -> [AuctionLoss; 2] {
        let table = self.table(solver, dealt, None);
        Team::ALL.map(|team| AuctionLoss::of(PASSED_OUT, table.best(team, None, None).unwrap_or(0)))
    }

    /// Solves a deal: in all strains that may be bid, or, in the turn-up game, in the one taken.
    fn table<'a>(&'a mut self, solver: &mut Solver, dealt: &'a Dealt, played: Option<Strain>) -> Table<'a> {
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
        Table { rules, leader: *leader, points }
    }
}

/// The scores of all contracts of a deal, each with best play for card points, belotes announced and melds
/// left out.
struct Table<'a> {
    rules: &'a RuleSet,
    leader: Seat,
    points: &'a DealPoints,
}

impl Table<'_> {
    /// The score of a contract, the declarers' less the defenders'.
    fn value(&self, contract: Contract) -> i32 {
        let Some(solved) = self.points.get(contract.strain, self.leader) else { return 0 };
        let LeaderPoints { points, slam } = solved;
        let team = contract.declarer.team();
        let fall = match slam {
            Some(winner) if winner == team => all_points(self.rules, &contract) + 1,
            Some(_) => -1,
            None => points[team].into(),
        };
        let belote = belotes(self.rules, self.points.hands(), contract.strain);
        score(self.rules, contract, fall, belote, ByTeam([0; 2]))
    }

    /// The score of the best contract of a team that gains something, in one strain or in any, above the
    /// bid that is given or at all; `None` if there is none.
    fn best(&self, team: Team, strain: Option<Strain>, above: Option<BidValue>) -> Option<i32> {
        let strains = Strain::ALL.into_iter().filter(|other| strain.is_none_or(|strain| strain == *other));
        let solved = strains.filter(|strain| self.points.get(*strain, self.leader).is_some());
        let declarer = team.seats()[0];
        let ladder = || Ladder::new(self.rules).iter().filter(|value| *value != BidValue::GENERALE);
        let contracts = solved.flat_map(|strain| {
            let from = above.and_then(|value| Ladder::new(self.rules).index_of(value)).map_or(0, |at| at + 1);
            ladder().skip(from).map(move |value| Contract {
                declarer,
                strain,
                goal: Goal::Bid(value),
                stake: Stake::Plain,
            })
        });
        contracts.map(|contract| self.value(contract)).filter(|value| *value > 0).max()
    }

    /// The losses of the side that plays the contract.
    fn declaring(&self, plain: Contract, stake: Stake) -> AuctionLoss {
        let value = self.value(plain);
        let team = plain.declarer.team();
        let mut loss = AuctionLoss::default();
        if plain.goal == Goal::Majority {
            // What others would have held is not in the record: to take, or not.
            loss.0[ABOVE] = (-value).max(0);
            return loss;
        }
        let strain = self.best(team, Some(plain.strain), None);
        let best = self.best(team, None, None);
        match (best, strain) {
            // Nothing was there to be bid.
            (None, _) => loss.0[ABOVE] = (-value).max(0),
            (Some(best), None) => loss.0[STRAIN] = best - value,
            (Some(best), Some(strain)) => {
                loss.0[STRAIN] = best - strain;
                loss.0[if value > 0 { BELOW } else { ABOVE }] = strain - value;
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

    /// The losses of the other side.
    fn defending(&self, plain: Contract, stake: Stake) -> AuctionLoss {
        let mut loss = AuctionLoss::default();
        let Goal::Bid(bid) = plain.goal else { return loss };
        let may_coinche = self.rules.auction.coinche != CoincheMode::Off;
        let against = |stake: Stake| -self.value(Contract { stake, ..plain });
        let (left, coinched) = (against(Stake::Plain), against(Stake::Coinche));
        let defending = if may_coinche { left.max(coinched) } else { left };
        match stake {
            Stake::Plain => loss.0[MISSED_COINCHE] = defending - left,
            // What a surcoinche adds to a contract that is made follows from the coinche.
            _ => loss.0[NEEDLESS_COINCHE] = (defending - against(stake)).max(0),
        }
        let own = self.best(plain.declarer.team().other(), None, Some(bid));
        loss.0[DEFENDED] = own.map_or(0, |own| (own - defending).max(0));
        loss
    }
}

/// The points of the belotes that each team holds in a strain.
fn belotes(rules: &RuleSet, hands: &BySeat<CardSet>, strain: Strain) -> ByTeam<u16> {
    let mut points = ByTeam([0; 2]);
    let each =
        strain == Strain::AllTrump && rules.belote.all_trump == coinche_engine::BeloteAllTrump::EachSuit;
    for suit in Suit::ALL.into_iter().filter(|suit| each || strain.trump() == Some(*suit)) {
        for (seat, hand) in hands.iter() {
            let held = [Rank::King, Rank::Queen].into_iter().all(|rank| hand.contains(Card::new(suit, rank)));
            points[seat.team()] += if held { 20 } else { 0 };
        }
    }
    points
}
