//! What a row of the table or a record says of one leg of one deal.

use coinche_engine::record::{BeloteRecord, FaultKind};
use coinche_engine::rules::BeloteAllTrump;
use coinche_engine::{BidValue, ByTeam, Call, Contract, Goal, RuleSet, Seat, Stake, Strain, Team};
use coinche_selfplay::play::tally::FAULT_KINDS;
use coinche_selfplay::records::write::columns::place;
use serde::Deserialize;

/// One leg of one deal. What only records tell is `None` where a row was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Told {
    pub(super) deal: u64,
    pub(super) leg: usize,
    pub(super) pairing: usize,
    pub(super) dealer: Seat,
    /// The number of the match and that of the deal in it.
    pub(super) in_match: Option<(u64, u64)>,
    pub(super) score: ByTeam<i32>,
    pub(super) faults: u64,
    /// The faults by team and kind, in the order of `FAULT_KINDS`.
    pub(super) kinds: Option<[[u64; 4]; 2]>,
    pub(super) ending: Ending,
}

/// How the leg ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Ending {
    PassedOut,
    /// A bot of this team could not go on.
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
    /// The announced belotes by team; `None` where a row cannot tell.
    pub(super) belotes: Option<[u64; 2]>,
    /// The points that wait for the winner of the next deal; `None` where a row cannot tell.
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

    fn kinds(&self) -> [[u64; 4]; 2] {
        let mut kinds = [[0; 4]; 2];
        for fault in &self.faults {
            if let Some(kind) = FAULT_KINDS.iter().position(|(kind, _)| *kind == fault.kind) {
                kinds[fault.seat.team().index()][kind] += 1;
            }
        }
        kinds
    }
}

/// The columns that only some tables have.
#[derive(Debug, Clone, Copy)]
pub(super) struct Places {
    /// That of `match`; `deal_in_match` is behind it.
    pub(super) game: Option<usize>,
    pub(super) pairing: Option<usize>,
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

    pub(super) fn of_row(row: &csv::ByteRecord, places: Places, rules: &RuleSet) -> Option<Self> {
        let text = |column: usize| std::str::from_utf8(row.get(column)?).ok();
        let score: ByTeam<i32> = ByTeam([
            text(const { place("score0") })?.parse().ok()?,
            text(const { place("score1") })?.parse().ok()?,
        ]);
        let ending = match text(const { place("declarer") })? {
            // A forfeit always scores, and a deal that nobody bid on never does.
            "" if score.0 == [0; 2] => Ending::PassedOut,
            "" => Ending::Forfeit(if score.0[0] < score.0[1] { Team::Even } else { Team::Odd }),
            seat => Ending::Played(Played::of_row(row, seat.parse().ok()?, rules)?),
        };
        let in_match = match places.game {
            None => None,
            Some(column) => Some((text(column)?.parse().ok()?, text(column + 1)?.parse().ok()?)),
        };
        Some(Self {
            deal: text(const { place("deal") })?.parse().ok()?,
            leg: text(const { place("leg") })?.parse().ok()?,
            pairing: places.pairing.map_or(Some(0), |column| text(column)?.parse().ok())?,
            dealer: seat(text(const { place("dealer") })?.parse().ok()?)?,
            in_match,
            score,
            faults: text(const { place("faults") })?.parse::<u32>().ok()?.into(),
            kinds: None,
            ending,
        })
    }
}

fn seat(number: usize) -> Option<Seat> {
    Seat::ALL.get(number).copied()
}

impl Played {
    /// Reads the cells of a row.
    fn of_row(row: &csv::ByteRecord, declarer: usize, rules: &RuleSet) -> Option<Self> {
        let text = |column: usize| std::str::from_utf8(row.get(column)?).ok();
        let melds = |column| match text(column)? {
            "" => Some(0),
            points => points.parse().ok(),
        };
        let mut bids = text(const { place("calls") })?.split(' ').filter_map(|call| match call.parse() {
            Ok(Call::Bid(bid)) => Some(bid.value),
            _ => None,
        });
        let strain: Strain = text(const { place("strain") })?.parse().ok()?;
        let belotes = match text(const { place("belote_team") })? {
            _ if strain == Strain::AllTrump && has_several_belotes(rules) => None,
            "" => Some([0, 0]),
            "0" => Some([1, 0]),
            "1" => Some([0, 1]),
            _ => return None,
        };
        Some(Self {
            declarers: seat(declarer)?.team(),
            made: text(const { place("made") })? == "true",
            strain,
            stake: text(const { place("stake") })?.parse().ok()?,
            value: bids.next_back(),
            tricks: [
                text(const { place("tricks0") })?.parse().ok()?,
                text(const { place("tricks1") })?.parse().ok()?,
            ],
            melds: [melds(const { place("melds0") })?, melds(const { place("melds1") })?],
            belotes,
            held: (!super::has_held_ties(rules)).then_some(0),
        })
    }
}

/// Tests if a deal can have several belotes, of which a row names the team at most.
fn has_several_belotes(rules: &RuleSet) -> bool {
    rules.auction.all_trump && rules.belote.all_trump == BeloteAllTrump::EachSuit
}
