//! Integer totals of a run: contracts, their results, and faults.

use coinche_engine::record::FaultKind;
use coinche_engine::{BidValue, Contract, DealResult, DealScore, Goal, Ladder, Outcome, RuleSet, Stake};
use coinche_inference::{PairedSums, merge};

use serde::{Deserialize, Serialize};

use crate::play::played::{Ending, LegResult, PlayedDeal};
use crate::play::schedule::{Side, Unit};

/// Counts of one kind of contract; in JSON a list of three numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(from = "(u64, u64, i64)", into = "(u64, u64, i64)")]
pub struct Contracts {
    /// How many were played.
    pub played: u64,
    /// How many were made.
    pub made: u64,
    /// The sum of (score of the declarers − score of the defenders).
    pub difference: i64,
}

impl From<(u64, u64, i64)> for Contracts {
    fn from((played, made, difference): (u64, u64, i64)) -> Self {
        Self { played, made, difference }
    }
}

impl From<Contracts> for (u64, u64, i64) {
    fn from(contracts: Contracts) -> Self {
        (contracts.played, contracts.made, contracts.difference)
    }
}

impl Contracts {
    /// Counts a contract; `difference` is the score of the declarers less that of the defenders.
    pub fn add(&mut self, made: bool, difference: i32) {
        self.played += 1;
        self.made += u64::from(made);
        self.difference += i64::from(difference);
    }
}

/// Legs in one role, and the points scored in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Role {
    /// Legs of deals.
    pub legs: u64,
    /// The side's own points.
    pub points: i64,
}

/// The totals of one side.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct SideTally {
    /// Contracts by level of the ladder and strain: index `6 · level + strain`.
    pub contracts: Vec<Contracts>,
    /// Contracts by stake, as declarers.
    pub stakes: [Contracts; 3],
    /// Contracts that the side coinched: those that failed count as made, and the difference is the defenders' score
    /// minus the declarers'.
    pub coinches: Contracts,
    /// Capots bid.
    pub capots: Contracts,
    /// Générales bid.
    pub generales: Contracts,
    /// Deals in which the side took all eight tricks.
    pub slams: u64,
    /// As declarers.
    pub declaring: Role,
    /// As defenders.
    pub defending: Role,
    /// Belotes announced.
    pub belotes: u64,
    /// The points of the melds that counted.
    pub meld_points: i64,
    /// Faults by kind, in the order of [`FAULT_KINDS`].
    pub faults: [u64; FAULT_KINDS.len()],
    /// Matches won.
    pub matches_won: u64,
}

/// The kinds of fault, in the order in which they are counted.
pub const FAULT_KINDS: [(FaultKind, &str); 5] = [
    (FaultKind::Illegal, "illegal"),
    (FaultKind::Crash, "crash"),
    (FaultKind::Timeout, "timeout"),
    (FaultKind::Protocol, "protocol"),
    (FaultKind::Inconsistent, "inconsistent"),
];

/// Returns the name of a kind of fault in records.
pub fn fault_name(kind: FaultKind) -> &'static str {
    FAULT_KINDS.iter().find(|(other, _)| *other == kind).map_or("illegal", |(_, name)| name)
}

impl SideTally {
    fn new(levels: usize) -> Self {
        Self { contracts: vec![Contracts::default(); 6 * levels], ..Self::default() }
    }

    /// Returns the number of legs that the side forfeited.
    pub fn forfeits(&self) -> u64 {
        let kinds = FAULT_KINDS.iter().zip(self.faults);
        kinds.filter(|((kind, _), _)| kind.forfeits()).map(|(_, count)| count).sum()
    }

    /// Returns the number of faults of all kinds.
    pub fn all_faults(&self) -> u64 {
        self.faults.iter().sum()
    }
}

/// The totals of an encounter or of a part of it; those read from a file can be used once they are [`restored`](Self::restored).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tally {
    #[serde(skip, default = "unknown_ladder")]
    ladder: Ladder,
    #[serde(skip, default = "unknown_unit")]
    unit: Unit,
    /// The differences in points, by deal or match.
    pub points: PairedSums,
    /// The differences in wins, by match: a leg is 1, 0 or −1.
    pub wins: PairedSums,
    /// Legs of deals played, including passed-out and forfeited ones.
    pub deals: u64,
    /// Legs of deals that were passed out.
    pub thrown_in: u64,
    /// Legs of deals forfeited by a crash, a timeout or an unreadable answer.
    pub forfeited: u64,
    /// Legs of matches without a winner after the maximum number of deals.
    pub drawn: u64,
    /// By side.
    pub sides: [SideTally; 2],
}

merge! {
    Contracts { played, made, difference }
    Role { legs, points }
    SideTally {
        contracts, stakes, coinches, capots, generales, slams, declaring, defending, belotes, meld_points, faults,
        matches_won
    }
    Tally { points, wins, deals, thrown_in, forfeited, drawn, sides; kept: ladder, unit }
}

impl Tally {
    /// Creates empty totals.
    pub fn new(rules: &RuleSet, unit: Unit) -> Self {
        let ladder = Ladder::new(rules);
        let side = SideTally::new(ladder.len());
        Self {
            ladder,
            unit,
            points: PairedSums::default(),
            wins: PairedSums::default(),
            deals: 0,
            thrown_in: 0,
            forfeited: 0,
            drawn: 0,
            sides: [side.clone(), side],
        }
    }

    /// Adds a leg of a deal.
    #[inline]
    pub fn add_deal(&mut self, deal: &PlayedDeal<'_>) {
        self.deals += 1;
        for fault in deal.faults {
            let side = deal.leg.sides[fault.seat];
            if let Some(kind) = FAULT_KINDS.iter().position(|(kind, _)| *kind == fault.kind) {
                self.sides[side.index()].faults[kind] += 1;
            }
        }
        match deal.ending {
            Ending::Regular(Outcome::ThrownIn) => self.thrown_in += 1,
            Ending::Forfeit(_) => self.forfeited += 1,
            Ending::Regular(Outcome::Played { result, score }) => self.add_played(deal, &result, &score),
        }
    }

    fn add_played(&mut self, deal: &PlayedDeal<'_>, result: &DealResult, score: &DealScore) {
        let Contract { declarer, strain, goal, stake } = result.contract;
        let declarers = declarer.team();
        let [own, other] = [declarers, declarers.other()].map(|team| score.points[team]);
        let side = deal.leg.side(declarers);
        let level = match goal {
            Goal::Bid(value) => self.ladder.index_of(value).unwrap_or(0),
            Goal::Majority => 0,
        };
        let declaring = &mut self.sides[side.index()];
        declaring.contracts[6 * level + strain.index()].add(score.made, own - other);
        declaring.stakes[stake as usize].add(score.made, own - other);
        match goal {
            Goal::Bid(BidValue::CAPOT) => declaring.capots.add(score.made, own - other),
            Goal::Bid(BidValue::GENERALE) => declaring.generales.add(score.made, own - other),
            _ => {}
        }
        declaring.declaring.legs += 1;
        declaring.declaring.points += i64::from(own);
        let defending = &mut self.sides[side.other().index()];
        defending.defending.legs += 1;
        defending.defending.points += i64::from(other);
        if stake != Stake::Plain {
            defending.coinches.add(!score.made, other - own);
        }
        for side in Side::ALL {
            let team = deal.leg.team(side);
            let tally = &mut self.sides[side.index()];
            let tricks: u8 = team.seats().iter().map(|seat| result.tricks[*seat]).sum();
            tally.slams += u64::from(tricks == 8);
            tally.belotes += u64::from(result.belote[team] / 20);
            tally.meld_points += i64::from(result.melds[team]);
        }
    }

    /// Adds the two legs of a deal or match.
    #[inline]
    pub fn add_pair(&mut self, legs: &[LegResult; 2]) {
        // In leg 0 side A is the even team, in leg 1 the odd one.
        let sign = [1, -1];
        let difference = |leg: usize| {
            let [even, odd] = legs[leg].score.0;
            sign[leg] * (i64::from(even) - i64::from(odd))
        };
        self.points.add([difference(0), difference(1)]);
        if self.unit == Unit::Match {
            let mut wins = [0; 2];
            for (leg, result) in legs.iter().enumerate() {
                match result.winner {
                    None => self.drawn += 1,
                    Some(team) => {
                        let side = (team.index() + leg) % 2;
                        self.sides[side].matches_won += 1;
                        wins[leg] = [1, -1][side];
                    }
                }
            }
            self.wins.add(wins);
        }
    }

    /// Returns the ladder of bids by which the contracts are counted.
    pub const fn ladder(&self) -> Ladder {
        self.ladder
    }

    /// Completes totals read from a file with what files do not hold, or returns `None` if they do not fit these rules.
    pub fn restored(self, rules: &RuleSet, unit: Unit) -> Option<Self> {
        let Self { ladder, unit, sides: [side, _], .. } = Self::new(rules, unit);
        let cells = side.contracts.len();
        self.sides.iter().all(|side| side.contracts.len() == cells).then_some(Self { ladder, unit, ..self })
    }
}

const fn unknown_ladder() -> Ladder {
    Ladder::new(&RuleSet::BGA)
}

const fn unknown_unit() -> Unit {
    Unit::Deal
}
