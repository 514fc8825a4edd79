//! The summary table, one row per played leg.

use coinche_engine::{Contract, DealResult, Goal, Outcome, RuleSet, Stake, Strain, Suit, Team};

use super::columns::{Columns, Schema};
use super::jsonl::push_call;
use super::{Rows, Short, by_seat, push_cell, push_number, push_signed, push_str};
use crate::play::played::{Ending, PlayedDeal};
use crate::play::schedule::Unit;

/// Writes the summary table.
///
/// The columns are those of the interchange formats, in their order; the summary of matches has
/// `match` and `deal_in_match` after them, that of several encounters `pairing` behind all. A cell is empty
/// where there is nothing to say: contract and play of a deal that was thrown in or forfeited, the value of
/// a contract of the turn-up game, melds under rules without them.
#[derive(Debug, Clone)]
pub struct SummaryTable {
    unit: Unit,
    rules: &'static str,
    /// By leg and seat.
    bots: [[String; 4]; 2],
    /// The cells from the leg to the last bot with the commas around them, by leg and dealer.
    start: [[String; 4]; 2],
    /// The cells from the strain to whether it was made, by strain, stake and that.
    contracts: [[[Short<24>; 2]; 3]; 6],
    /// The cells of tricks, by those of team 0.
    tricks: [[u8; 4]; 9],
    encounter: Option<i64>,
    /// The cell of the encounter and the line's end.
    end: String,
}

/// A cell of text, in quotes where it needs them.
fn cell(text: &str) -> String {
    let mut cell = Vec::new();
    push_cell(&mut cell, text.as_bytes());
    String::from_utf8_lossy(&cell).into_owned()
}

impl SummaryTable {
    /// Prepares what is the same in every row of an encounter; its number where there are several.
    pub fn new(rules: &RuleSet, unit: Unit, bots: [&str; 2], encounter: Option<usize>) -> Self {
        Self::of_teams(rules, unit, bots.map(|bot| [bot; 2]), encounter)
    }

    /// The same with two partners on each side.
    pub fn of_teams(rules: &RuleSet, unit: Unit, teams: [[&str; 2]; 2], encounter: Option<usize>) -> Self {
        let bots = by_seat(teams);
        let rules = rules.preset_name().unwrap_or("custom");
        let encounter = encounter.map(|number| i64::try_from(number).unwrap_or(i64::MAX));
        Self {
            unit,
            rules,
            bots: bots.map(|bots| bots.map(str::to_owned)),
            start: [0, 1].map(|leg: usize| {
                let bots = bots[leg].map(cell).join(",");
                [0, 1, 2, 3].map(|dealer| format!(",{leg},{rules},{dealer},{bots},"))
            }),
            contracts: Strain::ALL.map(|strain| {
                [Stake::Plain, Stake::Coinche, Stake::Surcoinche].map(|stake| {
                    [false, true]
                        .map(|made| Short::new(&format!(",{},{},{made},", strain.code(), stake.name())))
                })
            }),
            tricks: [0, 1, 2, 3, 4, 5, 6, 7, 8].map(|even| [b'0' + even, b',', b'8' - even, b',']),
            encounter,
            end: encounter.map_or_else(|| "\n".to_owned(), |number| format!(",{number}\n")),
        }
    }

    /// Returns the first line.
    pub fn header(&self) -> String {
        Schema::new(self.unit, self.encounter.is_some()).header()
    }

    /// Adds the row of a deal.
    #[inline]
    pub fn push(&self, rows: &mut Rows, deal: &PlayedDeal<'_>) {
        match rows {
            Rows::Text(out) => self.push_text(out, deal),
            Rows::Columns(columns) => self.push_columns(&mut columns.0, deal),
        }
    }

    /// Appends the row of a deal as text.
    fn push_text(&self, out: &mut Vec<u8>, deal: &PlayedDeal<'_>) {
        let leg = deal.leg.leg as usize & 1;
        push_number(out, deal.deal);
        push_str(out, &self.start[leg][deal.state.deal().dealer().index()]);
        match Played::of(deal) {
            Some(played) => self.push_played(out, &played),
            // Declarer to the melds: twelve empty cells.
            None => push_str(out, ",,,,,,,,,,,,"),
        }
        for score in deal.score.0 {
            push_signed(out, score);
            out.push(b',');
        }
        push_calls(out, deal);
        out.push(b',');
        push_number(out, deal.faults.len() as u64);
        if let Some(place) = deal.in_match {
            out.push(b',');
            push_number(out, place.number);
            out.push(b',');
            push_number(out, place.deal);
        }
        push_str(out, &self.end);
    }

    /// Appends the cells from the declarer to the melds, each with its comma.
    #[inline]
    fn push_played(&self, out: &mut Vec<u8>, played: &Played<'_>) {
        out.extend_from_slice(&[b'0' + played.contract.declarer as u8, b',']);
        if let Some(value) = played.value {
            push_number(out, value.into());
        }
        let Contract { strain, stake, .. } = played.contract;
        self.contracts[strain.index()][stake as usize][usize::from(played.made)].push(out);
        let [even, odd] = played.tricks;
        if even + odd == 8 {
            out.extend_from_slice(&self.tricks[usize::from(even)]);
        } else {
            for tricks in played.tricks {
                push_number(out, tricks.into());
                out.push(b',');
            }
        }
        for points in played.result.card_points.0 {
            push_number(out, points.into());
            out.push(b',');
        }
        if let Some(team) = played.belote_team {
            out.push(if team == 0 { b'0' } else { b'1' });
        }
        out.push(b',');
        if played.has_melds {
            for points in played.result.melds.0 {
                push_number(out, points.into());
                out.push(b',');
            }
        } else {
            out.extend_from_slice(b",,");
        }
    }

    /// Adds the row of a deal to columns.
    fn push_columns(&self, columns: &mut Columns, deal: &PlayedDeal<'_>) {
        let leg = deal.leg.leg as usize & 1;
        let mut row = columns.row();
        row.int(long(deal.deal));
        row.int(i64::from(deal.leg.leg));
        row.text(self.rules.as_bytes());
        row.int(deal.state.deal().dealer() as i64);
        for seat in 0..4 {
            row.text(self.bots[leg][seat].as_bytes());
        }
        let played = Played::of(deal);
        let played = played.as_ref();
        row.int_or_none(played.map(|played| played.contract.declarer as i64));
        row.int_or_none(played.and_then(|played| played.value).map(i64::from));
        row.text_or_none(played.map(|played| played.contract.strain.code()));
        row.text_or_none(played.map(|played| played.contract.stake.name()));
        row.bool_or_none(played.map(|played| played.made));
        for team in 0..2 {
            row.int_or_none(played.map(|played| i64::from(played.tricks[team])));
        }
        for team in 0..2 {
            row.int_or_none(played.map(|played| i64::from(played.result.card_points.0[team])));
        }
        row.int_or_none(played.and_then(|played| played.belote_team));
        for team in 0..2 {
            let played = played.filter(|played| played.has_melds);
            row.int_or_none(played.map(|played| i64::from(played.result.melds.0[team])));
        }
        for score in deal.score.0 {
            row.int(i64::from(score));
        }
        row.text_by(|out| push_calls(out, deal));
        row.int(long(deal.faults.len() as u64));
        if let Some(place) = deal.in_match {
            row.int(long(place.number));
            row.int(long(place.deal));
        }
        if let Some(encounter) = self.encounter {
            row.int(encounter);
        }
    }
}

/// Numbers of deals are far below 2⁶³.
fn long(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

fn push_calls(out: &mut Vec<u8>, deal: &PlayedDeal<'_>) {
    for (n, (_, call)) in deal.state.auction().calls().iter().enumerate() {
        if n > 0 {
            out.push(b' ');
        }
        push_call(out, *call);
    }
}

/// What the row of a deal that was played to its end says of it.
struct Played<'a> {
    contract: Contract,
    value: Option<u16>,
    made: bool,
    tricks: [u8; 2],
    belote_team: Option<i64>,
    has_melds: bool,
    result: &'a DealResult,
}

impl<'a> Played<'a> {
    #[inline]
    fn of(deal: &'a PlayedDeal<'_>) -> Option<Self> {
        let Ending::Regular(Outcome::Played { result, score }) = &deal.ending else { return None };
        let (contract, rules) = (result.contract, deal.state.rules());
        Some(Self {
            contract,
            value: (contract.goal != Goal::Majority).then(|| contract.worth(rules)),
            made: score.made,
            tricks: Team::ALL.map(|team| team.seats().iter().map(|seat| result.tricks[*seat]).sum()),
            belote_team: belote_team(deal),
            has_melds: rules.melds.enabled,
            result,
        })
    }
}

/// The team of the announced belote; none where (in all trump) both teams announced one.
#[inline]
fn belote_team(deal: &PlayedDeal<'_>) -> Option<i64> {
    let announced = Suit::ALL.into_iter().filter_map(|suit| deal.state.belote(suit));
    let mut teams = [false; 2];
    for belote in announced.filter(|belote| belote.announced == Some(true)) {
        teams[belote.seat.team().index()] = true;
    }
    match teams {
        [true, false] => Some(0),
        [false, true] => Some(1),
        _ => None,
    }
}
