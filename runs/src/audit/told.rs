//! The content of a table row or a record: one leg of one deal.

use coinche_engine::record::Record;
use coinche_engine::rules::BeloteAllTrump;
use coinche_engine::{BidValue, ByTeam, Goal, RuleSet, Seat, Stake, Strain, Team};
use coinche_selfplay::base::columns::RowError;
use coinche_selfplay::play::tally::FAULT_KINDS;
use coinche_selfplay::records::summary::{LegEnd, SummaryContract, SummaryRow};

/// One leg of one deal. Fields that only records have are `None` for a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Told {
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

/// How the leg of a record ended.
fn ending(record: &Record) -> Ending {
    if let Some(fault) = record.faults.iter().find(|fault| fault.kind.forfeits()) {
        return Ending::Forfeit(fault.seat.team());
    }
    let Some(contract) = record.contract else { return Ending::PassedOut };
    let (mut melds, mut belotes) = ([0; 2], [0; 2]);
    for meld in record.melds.iter().filter(|meld| meld.counts) {
        melds[meld.seat.team().index()] += i64::from(meld.points);
    }
    for belote in record.belote.iter().chain(&record.belotes).filter(|belote| belote.announced) {
        belotes[belote.seat.team().index()] += 1;
    }
    Ending::Played(Played {
        declarers: contract.declarer.team(),
        made: record.made == Some(true),
        strain: contract.strain,
        stake: contract.stake,
        value: match contract.goal {
            Goal::Bid(value) => Some(value),
            Goal::Majority => None,
        },
        tricks: record.tricks_won.0,
        melds,
        belotes: Some(belotes),
        held: Some(record.held),
    })
}

/// The faults in a record, by team and kind.
fn kinds(record: &Record) -> [[u64; FAULT_KINDS.len()]; 2] {
    let mut kinds = [[0; FAULT_KINDS.len()]; 2];
    for fault in &record.faults {
        if let Some(kind) = FAULT_KINDS.iter().position(|(kind, _)| *kind == fault.kind) {
            kinds[fault.seat.team().index()][kind] += 1;
        }
    }
    kinds
}

impl Told {
    /// Reads a record, with its pairing.
    pub fn of_record(record: &Record, pairing: Option<u64>) -> Self {
        Self {
            deal: record.deal,
            leg: usize::try_from(record.leg).unwrap_or(usize::MAX),
            pairing: usize::try_from(pairing.unwrap_or(0)).unwrap_or(usize::MAX),
            dealer: record.dealer,
            in_match: record.game.zip(record.deal_in_match),
            score: record.score,
            faults: record.faults.len() as u64,
            kinds: Some(kinds(record)),
            ending: ending(record),
        }
    }

    /// Reads a row of a summary.
    pub fn of_row(row: &SummaryRow<'_>, rules: &RuleSet) -> Result<Self, RowError> {
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
    rules.auction.all_trump && rules.belote.all_trump != BeloteAllTrump::None
}
