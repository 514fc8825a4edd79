//! The row of the summary that a deal record stands for.

use coinche_engine::{Call, Contract, Goal, Record, RuleSet, Seat, Stake};

use super::{push_cell, push_str};

/// The part of a row that is about the contract and the play.
fn played(record: &Record, rules: &RuleSet) -> Result<Option<Vec<String>>, String> {
    let Some(contract) = &record.contract else { return Ok(None) };
    let (value, strain) = match contract.bid.strip_prefix("TAKE") {
        Some(suit) => (String::new(), suit.to_owned()),
        None => match contract.bid.parse() {
            Ok(Call::Bid(bid)) => {
                let declarer = Seat::from_index(contract.declarer.into());
                let goal = Goal::Bid(bid.value);
                let bid_contract = Contract { declarer, strain: bid.strain, goal, stake: Stake::Plain };
                (bid_contract.worth(rules).to_string(), bid.strain.code().to_owned())
            }
            _ => return Err(format!("contract: `{}` is no bid", contract.bid)),
        },
    };
    let belotes = record.belote.iter().chain(&record.belotes).filter(|belote| belote.announced);
    let mut teams = [false; 2];
    for belote in belotes {
        teams[usize::from(belote.seat % 2)] = true;
    }
    let belote = match teams {
        [true, false] => "0",
        [false, true] => "1",
        _ => "",
    };
    let melds = |team: u8| -> String {
        let counted = record.melds.iter().filter(|meld| meld.counts && meld.seat % 2 == team);
        let sum: u32 = counted.map(|meld| u32::from(meld.points)).sum();
        if rules.melds.enabled { sum.to_string() } else { String::new() }
    };
    let mut cells = vec![contract.declarer.to_string(), value, strain, contract.stake.clone()];
    cells.push(record.made.map_or_else(String::new, |made| made.to_string()));
    cells.extend(record.tricks_won.map(|tricks| tricks.to_string()));
    cells.extend(record.card_points.map(|points| points.to_string()));
    cells.push(belote.to_owned());
    cells.extend([melds(0), melds(1)]);
    Ok(Some(cells))
}

/// Appends the row of a record, in columns with or without those of matches and pairings.
///
/// # Errors
///
/// When the rules or the contract of the record cannot be read.
pub(crate) fn push_record_row(
    out: &mut Vec<u8>,
    record: &Record,
    pairing: Option<u64>,
) -> Result<(), String> {
    let rules = record.rules.rules().map_err(|error| error.to_string())?;
    let mut cells = vec![record.deal.to_string(), record.leg.to_string()];
    cells.push(rules.preset_name().unwrap_or("custom").to_owned());
    cells.push(record.dealer.to_string());
    cells.extend(record.bots.iter().cloned());
    cells.extend(played(record, &rules)?.unwrap_or_else(|| vec![String::new(); 12]));
    cells.extend(record.score.map(|score| score.to_string()));
    let auction: Vec<_> = record.auction.iter().map(|(_, call)| call.as_str()).collect();
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
