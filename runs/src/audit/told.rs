//! The content of a table row or a record: one leg of one deal.

use coinche_engine::record::{BeloteRecord, FaultKind};
use coinche_engine::rules::BeloteAllTrump;
use coinche_engine::{BidValue, ByTeam, Contract, Goal, RuleSet, Seat, Stake, Strain, Team};
use coinche_selfplay::base::columns::RowError;
use coinche_selfplay::play::tally::FAULT_KINDS;
use coinche_selfplay::records::summary::{LegEnd, SummaryContract, SummaryRow};
use serde::Deserialize;

/// One leg of one deal. Fields that only records have are `None` for a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Told {
    pub(super) deal: u64,
    pub(super) leg: usize,
    pub(super) pairing: usize,
    pub(super) dealer: Seat,
    /// The number of the match, and of the deal in it.
    pub(super) in_match: Option<(u64, u64)>,
    pub(super) score: ByTeam<i32>,
    pub(super) faults: u64,
    /// The faults by team and kind, in the order of `FAULT_KINDS`.
    pub(super) kinds: Option<[[u64; FAULT_KINDS.len()]; 2]>,
    pub(super) ending: Ending,
}

/// How the leg ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Ending {
    PassedOut,
    /// A bot of this team failed.
    Forfeit(Team),
    Played(Played),
}

/// A deal that was played.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Played {
    pub(super) declarers: Team,
    pub(super) made: bool,
    pub(super) strain: Strain,
    pub(super) stake: Stake,
    /// The value of the last bid; `None` in the turn-up game.
    pub(super) value: Option<BidValue>,
    pub(super) tricks: [u8; 2],
    pub(super) melds: [i64; 2],
    /// The announced belotes by team; `None` where a row does not contain them.
    pub(super) belotes: Option<[u64; 2]>,
    /// The points held for the winner of the next deal; `None` where a row does not contain them.
    pub(super) held: Option<i32>,
}

/// The fields of a record that are counted.
#[derive(Deserialize)]
struct RecordLeg {
    deal: u64,
    leg: usize,
    #[serde(default)]
    pairing: usize,
    dealer: Seat,
    contract: Option<Contract>,
    #[serde(default)]
    melds: Vec<MeldLeg>,
    belote: Option<BeloteRecord>,
    #[serde(default)]
    belotes: Vec<BeloteRecord>,
    tricks_won: [u8; 2],
    made: Option<bool>,
    score: ByTeam<i32>,
    #[serde(default)]
    held: i32,
    #[serde(default)]
    faults: Vec<FaultLeg>,
    #[serde(rename = "match")]
    game: Option<u64>,
    deal_in_match: Option<u64>,
}

#[derive(Deserialize)]
struct MeldLeg {
    seat: Seat,
    points: u16,
    counts: bool,
}

#[derive(Deserialize)]
struct FaultLeg {
    seat: Seat,
    kind: FaultKind,
}

impl RecordLeg {
    fn ending(&self) -> Ending {
        if let Some(fault) = self.faults.iter().find(|fault| fault.kind.forfeits()) {
            return Ending::Forfeit(fault.seat.team());
        }
        let Some(contract) = self.contract else { return Ending::PassedOut };
        let (mut melds, mut belotes) = ([0; 2], [0; 2]);
        for meld in self.melds.iter().filter(|meld| meld.counts) {
            melds[meld.seat.team().index()] += i64::from(meld.points);
        }
        for belote in self.belote.iter().chain(&self.belotes).filter(|belote| belote.announced) {
            belotes[belote.seat.team().index()] += 1;
        }
        Ending::Played(Played {
            declarers: contract.declarer.team(),
            made: self.made == Some(true),
            strain: contract.strain,
            stake: contract.stake,
            value: match contract.goal {
                Goal::Bid(value) => Some(value),
                Goal::Majority => None,
            },
            tricks: self.tricks_won,
            melds,
            belotes: Some(belotes),
            held: Some(self.held),
        })
    }

    fn kinds(&self) -> [[u64; FAULT_KINDS.len()]; 2] {
        let mut kinds = [[0; FAULT_KINDS.len()]; 2];
        for fault in &self.faults {
            if let Some(kind) = FAULT_KINDS.iter().position(|(kind, _)| *kind == fault.kind) {
                kinds[fault.seat.team().index()][kind] += 1;
            }
        }
        kinds
    }
}

impl Told {
    pub(super) fn of_record(line: &[u8]) -> Result<Self, serde_json::Error> {
        let record: RecordLeg = serde_json::from_slice(line)?;
        let RecordLeg { deal, leg, pairing, dealer, score, .. } = record;
        Ok(Self {
            deal,
            leg,
            pairing,
            dealer,
            in_match: record.game.zip(record.deal_in_match),
            score,
            faults: record.faults.len() as u64,
            kinds: Some(record.kinds()),
            ending: record.ending(),
        })
    }

    pub(super) fn of_row(row: &SummaryRow<'_>, rules: &RuleSet) -> Result<Self, RowError> {
        Ok(Self {
            deal: row.deal,
            leg: usize::try_from(row.leg).unwrap_or(usize::MAX),
            pairing: row.pairing(),
            dealer: row.dealer,
            in_match: row.game.0.zip(row.deal_in_match.0),
            score: ByTeam([row.score0, row.score1]),
            faults: row.faults.into(),
            kinds: None,
            ending: match row.end()? {
                LegEnd::PassedOut => Ending::PassedOut,
                LegEnd::Forfeit(team) => Ending::Forfeit(team),
                LegEnd::Played(contract) => Ending::Played(Played::of_row(row, contract, rules)?),
            },
        })
    }
}

impl Played {
    /// Reads the cells of a row.
    fn of_row(row: &SummaryRow<'_>, contract: SummaryContract, rules: &RuleSet) -> Result<Self, RowError> {
        let SummaryContract { declarer, strain, stake, .. } = contract;
        let belotes = match row.belote_team {
            _ if strain == Strain::AllTrump && has_several_belotes(rules) => None,
            None => Some([0, 0]),
            Some(team) => Some([u64::from(team == 0), u64::from(team != 0)]),
        };
        Ok(Self {
            declarers: declarer.team(),
            made: row.made == Some(true),
            strain,
            stake,
            value: row.calls.last_bid(),
            tricks: [
                row.tricks0.ok_or(RowError::NoCell("tricks0"))?,
                row.tricks1.ok_or(RowError::NoCell("tricks1"))?,
            ],
            melds: [row.melds0, row.melds1].map(|points| points.unwrap_or(0).into()),
            belotes,
            held: (!super::has_held_ties(rules)).then_some(0),
        })
    }
}

/// Tests if a deal can have several belotes, of which a row names at most the team.
fn has_several_belotes(rules: &RuleSet) -> bool {
    rules.auction.all_trump && rules.belote.all_trump == BeloteAllTrump::EachSuit
}
