//! The summary table, one row per played leg, as CSV.

use coinche_engine::{Goal, Outcome, RuleSet, Suit, Team};

use super::jsonl::push_call;
use super::{push_number, push_seat, push_signed, push_str};
use crate::schedule::Unit;
use crate::table::{Ending, PlayedDeal};

/// The columns of every summary.
const COLUMNS: &str = "deal,leg,rules,dealer,bot0,bot1,bot2,bot3,declarer,contract_value,strain,stake,made,\
    tricks0,tricks1,card_points0,card_points1,belote_team,melds0,melds1,score0,score1,calls,faults";

/// Writes the summary table.
///
/// The columns are those of the interchange formats, in their order; the summary of matches has
/// `match` and `deal_in_match` after them. A cell is empty where there is nothing to say: contract and
/// play of a deal that was thrown in or forfeited, the value of a contract of the turn-up game, melds
/// under rules without them.
#[derive(Debug, Clone)]
pub struct SummaryTable {
    unit: Unit,
    rules: &'static str,
    /// The four columns of bots of both seatings.
    bots: [String; 2],
}

/// A cell of text, in quotes where it needs them.
fn cell(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

impl SummaryTable {
    /// Prepares what is the same in every row of a run.
    pub fn new(rules: &RuleSet, unit: Unit, bots: [&str; 2]) -> Self {
        let [a, b] = bots.map(cell);
        Self {
            unit,
            rules: rules.preset_name().unwrap_or("custom"),
            bots: [format!("{a},{b},{a},{b}"), format!("{b},{a},{b},{a}")],
        }
    }

    /// Returns the first line.
    pub fn header(&self) -> String {
        let more = if self.unit == Unit::Match { ",match,deal_in_match" } else { "" };
        format!("{COLUMNS}{more}\n")
    }

    /// Appends the row of a deal and the line's end.
    pub fn push(&self, out: &mut Vec<u8>, deal: &PlayedDeal<'_>) {
        push_number(out, deal.deal);
        out.push(b',');
        push_number(out, deal.leg.leg.into());
        out.push(b',');
        push_str(out, self.rules);
        out.push(b',');
        push_seat(out, deal.state.deal().dealer());
        out.push(b',');
        push_str(out, &self.bots[deal.leg.leg as usize & 1]);
        out.push(b',');
        match deal.ending {
            Ending::Regular(Outcome::Played { .. }) => push_played(out, deal),
            // Declarer to the melds: twelve empty cells.
            _ => push_str(out, ",,,,,,,,,,,,"),
        }
        for score in deal.score.0 {
            push_signed(out, score);
            out.push(b',');
        }
        for (n, (_, call)) in deal.state.auction().calls().iter().enumerate() {
            if n > 0 {
                out.push(b' ');
            }
            push_call(out, *call);
        }
        out.push(b',');
        push_number(out, deal.faults.len() as u64);
        if let Some(place) = deal.in_match {
            out.push(b',');
            push_number(out, place.number);
            out.push(b',');
            push_number(out, place.deal);
        }
        out.push(b'\n');
    }
}

/// The cells from the declarer to the melds, each with its comma.
fn push_played(out: &mut Vec<u8>, deal: &PlayedDeal<'_>) {
    let Ending::Regular(Outcome::Played { result, score }) = deal.ending else { return };
    let contract = result.contract;
    push_seat(out, contract.declarer);
    out.push(b',');
    if contract.goal != Goal::Majority {
        push_number(out, contract.worth(deal.state.rules()).into());
    }
    out.push(b',');
    push_str(out, contract.strain.code());
    out.push(b',');
    push_str(out, contract.stake.name());
    push_str(out, if score.made { ",true," } else { ",false," });
    for team in Team::ALL {
        let tricks: u8 = team.seats().iter().map(|seat| result.tricks[*seat]).sum();
        push_number(out, tricks.into());
        out.push(b',');
    }
    for points in result.card_points.0 {
        push_number(out, points.into());
        out.push(b',');
    }
    push_belote_team(out, deal);
    for points in result.melds.0 {
        if deal.state.rules().melds.enabled {
            push_number(out, points.into());
        }
        out.push(b',');
    }
}

/// The team of the announced belote; none where (in all trump) both teams announced one.
fn push_belote_team(out: &mut Vec<u8>, deal: &PlayedDeal<'_>) {
    let announced = Suit::ALL.into_iter().filter_map(|suit| deal.state.belote(suit));
    let mut teams = [false; 2];
    for belote in announced.filter(|belote| belote.announced == Some(true)) {
        teams[belote.seat.team().index()] = true;
    }
    match teams {
        [true, false] => out.push(b'0'),
        [false, true] => out.push(b'1'),
        _ => {}
    }
    out.push(b',');
}
