//! The row of a leg: the one declaration of the columns of a summary.

use coinche_engine::{BidValue, Call, Seat, Stake, Strain, Team};

use crate::base::columns::{
    Cells, Column, Form, Kind, Name, Packing, Pages, RowError, Schema, Tail, Value, Walk, row,
};
use crate::base::text::push_cell;
use crate::play::schedule::Unit;
use crate::records::write::push_call;

row! {
    /// A leg of a deal. Names and order of the columns are those of the interchange formats; a cell is empty where there is
    /// nothing to say: contract and play of a deal that was passed out or forfeited, the value of a contract of the turn-up
    /// game, melds under rules without them.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct SummaryRow<'a> {
        /// The number of the deal.
        pub deal: u64,
        /// 0 or 1.
        pub leg: u32,
        /// A preset's name, or `custom`.
        pub rules: Name<'a>,
        /// Who dealt.
        pub dealer: Seat,
        /// The bots by seat.
        pub bot0: Name<'a>,
        /// Seat 1.
        pub bot1: Name<'a>,
        /// Seat 2.
        pub bot2: Name<'a>,
        /// Seat 3.
        pub bot3: Name<'a>,
        /// Whose contract was played.
        pub declarer: Option<Seat>,
        /// The worth of the bid.
        pub contract_value: Option<u32>,
        /// The strain of the contract.
        pub strain: Option<Strain>,
        /// Whether it was coinched.
        pub stake: Option<Stake>,
        /// Whether it was made.
        pub made: Option<bool>,
        /// The tricks of seats 0 and 2.
        pub tricks0: Option<u8>,
        /// The tricks of seats 1 and 3.
        pub tricks1: Option<u8>,
        /// The points of the cards of seats 0 and 2.
        pub card_points0: Option<u32>,
        /// The points of the cards of seats 1 and 3.
        pub card_points1: Option<u32>,
        /// The team of the belote that was announced.
        pub belote_team: Option<u8>,
        /// The points of the melds of seats 0 and 2 that counted.
        pub melds0: Option<u32>,
        /// The points of the melds of seats 1 and 3.
        pub melds1: Option<u32>,
        /// What seats 0 and 2 scored.
        pub score0: i32,
        /// What seats 1 and 3 scored.
        pub score1: i32,
        /// The auction.
        pub calls: Calls<'a>,
        /// How many faults the bots made.
        pub faults: u32,
        /// The number of the match.
        pub game: Tail<u64> as "match",
        /// The number of the deal in its match.
        pub deal_in_match: Tail<u64>,
        /// The number of the encounter, where there are several.
        pub pairing: Tail<u64>,
    }
}

/// The calls of an auction: as they were made, or as they are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Calls<'a> {
    /// With the seats that made them.
    Made(&'a [(Seat, Call)]),
    /// As text, with spaces between them.
    Text(&'a [u8]),
}

impl Calls<'_> {
    /// Returns the value of the last bid.
    pub fn last_bid(&self) -> Option<BidValue> {
        let value = |call| if let Call::Bid(bid) = call { Some(bid.value) } else { None };
        match self {
            Self::Made(calls) => calls.iter().rev().find_map(|(_, call)| value(*call)),
            Self::Text(text) => {
                let mut words = text.rsplit(|byte| *byte == b' ');
                words.find_map(|word| value(core::str::from_utf8(word).ok()?.parse().ok()?))
            }
        }
    }

    #[inline]
    fn write(&self, out: &mut Vec<u8>) {
        match self {
            Self::Text(text) => out.extend_from_slice(text),
            Self::Made(calls) => {
                for (n, (_, call)) in calls.iter().enumerate() {
                    if n > 0 {
                        out.push(b' ');
                    }
                    push_call(out, *call);
                }
            }
        }
    }
}

impl<'a> Value<'a> for Calls<'a> {
    const KIND: Kind = Kind::Text;
    const EXPECTED: &'static str = "calls";

    #[inline]
    fn push(&self, cells: &mut Cells) {
        cells.push_text(|out| self.write(out));
    }

    #[inline]
    fn get(walk: &mut Walk<'a>) -> Option<Self> {
        walk.bytes().map(Self::Text)
    }

    #[inline]
    fn print(&self, out: &mut Vec<u8>) {
        match self {
            Self::Text(text) => push_cell(out, text),
            // No call has a comma.
            Self::Made(_) => self.write(out),
        }
        out.push(b',');
    }

    #[inline]
    fn parse(cell: &'a [u8]) -> Option<Self> {
        Some(Self::Text(cell))
    }
}

/// How a leg ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LegEnd {
    /// All passed.
    PassedOut,
    /// A bot of this team could not go on: it has lost the deal.
    Forfeit(Team),
    /// A contract was played.
    Played(SummaryContract),
}

/// The contract of a leg.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SummaryContract {
    /// Whose it was.
    pub declarer: Seat,
    /// The worth of the bid; `None` in the turn-up game.
    pub value: Option<u32>,
    /// Its strain.
    pub strain: Strain,
    /// Whether it was coinched.
    pub stake: Stake,
}

impl SummaryRow<'_> {
    /// Returns how the leg ended.
    ///
    /// # Errors
    ///
    /// When there is a declarer and no contract.
    pub fn end(&self) -> Result<LegEnd, RowError> {
        let Some(declarer) = self.declarer else {
            // A forfeit always scores, and a deal that nobody bid on never does.
            return Ok(match (self.score0, self.score1) {
                (0, 0) => LegEnd::PassedOut,
                (even, odd) if even < odd => LegEnd::Forfeit(Team::Even),
                _ => LegEnd::Forfeit(Team::Odd),
            });
        };
        let strain = self.strain.ok_or(RowError::NoCell("strain"))?;
        let stake = self.stake.ok_or(RowError::NoCell("stake"))?;
        Ok(LegEnd::Played(SummaryContract { declarer, value: self.contract_value, strain, stake }))
    }

    /// Tests if it has just these columns.
    pub fn fits(&self, schema: &Schema) -> bool {
        let has = |name: &str| schema.columns.iter().any(|column| column.name == name);
        has("match") == self.game.0.is_some()
            && has("deal_in_match") == self.deal_in_match.0.is_some()
            && has("pairing") == self.pairing.0.is_some()
    }

    /// Returns the number of the encounter, 0 where there is one.
    pub fn pairing(&self) -> usize {
        self.pairing.0.map_or(0, |pairing| usize::try_from(pairing).unwrap_or(usize::MAX))
    }
}

/// What files of a summary have in common.
const FORM: Form = Form {
    name: "summary",
    what: "a summary table",
    pages: Pages::Plain,
    sought: Some("deal"),
    zero_lengths: false,
};

/// Returns the columns of a run of deals or of matches; `several`: with a column for the pairing.
pub fn schema(unit: Unit, several: bool) -> Schema {
    let mut schema = Schema::of::<SummaryRow<'_>>(FORM);
    schema.columns.retain(|column| match &*column.name {
        "match" | "deal_in_match" => unit == Unit::Match,
        "pairing" => several,
        _ => true,
    });
    for column in schema.columns.iter_mut().filter(|column| column.kind.is_int()) {
        // What readers of CSV take whole numbers for. Small numbers: their differences are packed as tight as a dictionary
        // would be, in a third of the time.
        *column = Column { kind: Kind::I64, packing: Packing::Delta, ..column.clone() };
    }
    schema
}

/// Returns the columns of all runs.
pub fn schemas() -> [Schema; 4] {
    [(Unit::Deal, false), (Unit::Deal, true), (Unit::Match, false), (Unit::Match, true)]
        .map(|(unit, several)| schema(unit, several))
}

/// Returns the columns that are named by the first line of a table.
pub fn schema_of(header: &str) -> Option<Schema> {
    schemas().into_iter().find(|schema| schema.header().trim_end() == header.trim_end())
}
