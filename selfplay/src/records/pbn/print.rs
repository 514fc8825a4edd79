//! Prints a record as tags, auction and tricks.

use std::fmt::Write as _;

use coinche_engine::record::{BeloteRecord, Fault, MeldRecord, Record, RulesRecord};
use coinche_engine::{ByTeam, Call, Seat};

use super::Kept;
use crate::play::tally::fault_name;

/// Writes a tag; quotes, backslashes and ends of lines in the value are escaped.
fn tag(out: &mut String, name: &str, value: &str) {
    let _ = write!(out, "[{name} \"");
    for letter in value.chars() {
        match letter {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            letter => out.push(letter),
        }
    }
    out.push_str("\"]\n");
}

fn pair<T: std::fmt::Display>(ByTeam([first, second]): &ByTeam<T>) -> String {
    format!("{first} {second}")
}

fn belote(belote: &BeloteRecord) -> String {
    let said = if belote.announced { "announced" } else { "silent" };
    match &belote.suit {
        None => format!("{} {said}", belote.seat),
        Some(suit) => format!("{} {said} {suit}", belote.seat),
    }
}

fn meld(meld: &MeldRecord) -> String {
    let counts = if meld.counts { "counts" } else { "lost" };
    format!("{} {} {} {counts} {}", meld.seat, meld.kind, meld.points, meld.cards)
}

fn fault(fault: &Fault) -> String {
    let kind = fault_name(fault.kind);
    format!("{} {kind} {}", fault.seat, fault.detail)
}

/// Writes the calls, four per line; a call out of turn is preceded by its seat.
fn auction(out: &mut String, calls: &[(Seat, Call)]) {
    let first = calls.first().map_or(Seat::S0, |(seat, _)| *seat);
    tag(out, "Auction", &first.to_string());
    let mut turn = first;
    for (n, (seat, call)) in calls.iter().enumerate() {
        if *seat != turn {
            let _ = write!(out, "{seat}:");
        }
        let _ = write!(out, "{call}");
        out.push(if n % 4 == 3 || n + 1 == calls.len() { '\n' } else { ' ' });
        turn = seat.next();
    }
}

fn head(out: &mut String, record: &Record) {
    tag(out, "Deal", &record.deal.to_string());
    tag(out, "Leg", &record.leg.to_string());
    match &record.rules {
        RulesRecord::Preset(name) => tag(out, "Rules", name),
        full @ RulesRecord::Full(_) => {
            tag(out, "Rules", &serde_json::to_string(full).expect("rules are plain data"));
        }
    }
    if let Some(number) = record.game {
        tag(out, "Match", &number.to_string());
    }
    if let Some(deal) = record.deal_in_match {
        tag(out, "DealInMatch", &deal.to_string());
    }
    if let Some(score) = &record.match_score {
        tag(out, "MatchScore", &pair(score));
    }
    if record.misdeals > 0 {
        tag(out, "Misdeals", &record.misdeals.to_string());
    }
    tag(out, "Dealer", &record.dealer.to_string());
    for (seat, bot) in record.bots.iter() {
        tag(out, &format!("Bot{seat}"), bot);
    }
    tag(out, "Hands", &record.hands.map(|hand| hand.to_string()).0.join(" | "));
    if let Some(card) = record.turned {
        tag(out, "Turned", &card.to_string());
    }
}

/// Prints a record, without the blank line that separates it from the next.
pub fn print(kept: &Kept) -> String {
    let record = &kept.record;
    let mut out = String::with_capacity(1024);
    head(&mut out, record);
    if let Some(pairing) = kept.pairing {
        tag(&mut out, "Pairing", &pairing.to_string());
    }
    if let Some(contract) = &record.contract {
        tag(
            &mut out,
            "Contract",
            &format!("{} {} {}", contract.bid_code(), contract.declarer, contract.stake),
        );
    }
    for each in &record.melds {
        tag(&mut out, "Meld", &meld(each));
    }
    if let Some(each) = &record.belote {
        tag(&mut out, "Belote", &belote(each));
    }
    for each in &record.belotes {
        tag(&mut out, "BeloteOf", &belote(each));
    }
    tag(&mut out, "TricksWon", &pair(&record.tricks_won));
    tag(&mut out, "CardPoints", &pair(&record.card_points));
    if let Some(made) = record.made {
        tag(&mut out, "Made", if made { "yes" } else { "no" });
    }
    tag(&mut out, "Score", &pair(&record.score));
    if record.held != 0 {
        tag(&mut out, "Held", &record.held.to_string());
    }
    for each in &record.faults {
        tag(&mut out, "Fault", &fault(each));
    }
    auction(&mut out, &record.auction);
    if !record.tricks.is_empty() {
        tag(&mut out, "Play", &record.tricks.len().to_string());
        for trick in &record.tricks {
            let cards = trick.cards.map(|card| card.to_string()).join(" ");
            let _ = writeln!(out, "{}: {cards} > {}", trick.leader, trick.winner);
        }
    }
    out
}
