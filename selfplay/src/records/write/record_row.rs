//! The row of the summary that a deal record stands for.

use coinche_engine::record::Record;
use coinche_engine::rules::ParseRulesError;
use coinche_engine::{ByTeam, Goal, RuleSet, Team};

use super::{push_cell, push_str};

/// The part of a row that is about the contract and the play.
fn played(record: &Record, rules: &RuleSet) -> Option<Vec<String>> {
    let Some(contract) = &record.contract else { return None };
    let value = match contract.goal {
        Goal::Bid(_) => contract.worth(rules).to_string(),
        Goal::Majority => String::new(),
    };
    let belotes = record.belote.iter().chain(&record.belotes).filter(|belote| belote.announced);
    let mut teams = ByTeam([false; 2]);
    for belote in belotes {
        teams[belote.seat.team()] = true;
    }
    let belote = match teams.0 {
        [true, false] => "0",
        [false, true] => "1",
        _ => "",
    };
    let melds = |team: Team| -> String {
        let counted = record.melds.iter().filter(|meld| meld.counts && meld.seat.team() == team);
        let sum: u32 = counted.map(|meld| u32::from(meld.points)).sum();
        if rules.melds.enabled { sum.to_string() } else { String::new() }
    };
    let mut cells =
        vec![contract.declarer.to_string(), value, contract.strain.to_string(), contract.stake.to_string()];
    cells.push(record.made.map_or_else(String::new, |made| made.to_string()));
    cells.extend(record.tricks_won.0.map(|tricks| tricks.to_string()));
    cells.extend(record.card_points.0.map(|points| points.to_string()));
    cells.push(belote.to_owned());
    cells.extend(Team::ALL.map(melds));
    Some(cells)
}

/// Appends the row of a record, in columns with or without those of matches and pairings.
///
/// # Errors
///
/// When there are no rules of the record's name.
pub fn push_record_row(
    out: &mut Vec<u8>,
    record: &Record,
    pairing: Option<u64>,
) -> Result<(), ParseRulesError> {
    let rules = record.rules.rules()?;
    let mut cells = vec![record.deal.to_string(), record.leg.to_string()];
    cells.push(rules.preset_name().unwrap_or("custom").to_owned());
    cells.push(record.dealer.to_string());
    cells.extend(record.bots.0.iter().cloned());
    cells.extend(played(record, &rules).unwrap_or_else(|| vec![String::new(); 12]));
    cells.extend(record.score.0.map(|score| score.to_string()));
    let auction: Vec<_> = record.auction.iter().map(|(_, call)| call.to_string()).collect();
    cells.push(auction.join(" "));
    cells.push(record.faults.len().to_string());
    cells.extend(record.game.map(|number| number.to_string()));
    cells.extend(record.deal_in_match.map(|deal| deal.to_string()));
    cells.extend(pairing.map(|pairing| pairing.to_string()));
    for (n, cell) in cells.iter().enumerate() {
        if n > 0 {
            out.push(b',');
        }
        push_cell(out, cell.as_bytes());
    }
    push_str(out, "\n");
    Ok(())
}
