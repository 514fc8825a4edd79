//! Prints a record as tags, auction and tricks.

use std::fmt::{Display, Write as _};

use coinche_engine::record::{BeloteRecord, Fault, MeldRecord, Record, RulesRecord};
use coinche_engine::{ByTeam, Call, Contract, Seat};

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

/// Prints a tag for each value, of which there may be none.
fn tags<T: Display>(out: &mut String, name: &str, values: impl IntoIterator<Item = T>) {
    values.into_iter().for_each(|value| tag(out, name, &value.to_string()));
}

fn pair<T: Display>(ByTeam([first, second]): &ByTeam<T>) -> String {
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
    tags(out, "Match", record.game);
    tags(out, "DealInMatch", record.deal_in_match);
    tags(out, "MatchScore", record.match_score.as_ref().map(pair));
    tags(out, "Misdeals", Some(record.misdeals).filter(|misdeals| *misdeals > 0));
    tag(out, "Dealer", &record.dealer.to_string());
    for (seat, bot) in record.bots.iter() {
        tag(out, &format!("Bot{seat}"), bot);
    }
    tag(out, "Hands", &record.hands.map(|hand| hand.to_string()).0.join(" | "));
    tags(out, "Turned", record.turned);
}

/// Prints a record, without the blank line that separates it from the next.
pub fn print(kept: &Kept) -> String {
    let record = &kept.record;
    let mut text = String::with_capacity(1024);
    let out = &mut text;
    head(out, record);
    tags(out, "Pairing", kept.pairing);
    let contract = |it: &Contract| format!("{} {} {}", it.bid_code(), it.declarer, it.stake);
    tags(out, "Contract", record.contract.as_ref().map(contract));
    tags(out, "Meld", record.melds.iter().map(meld));
    tags(out, "Belote", record.belote.as_ref().map(belote));
    tags(out, "BeloteOf", record.belotes.iter().map(belote));
    tag(out, "TricksWon", &pair(&record.tricks_won));
    tag(out, "CardPoints", &pair(&record.card_points));
    tags(out, "Made", record.made.map(|made| if made { "yes" } else { "no" }));
    tag(out, "Score", &pair(&record.score));
    tags(out, "Held", Some(record.held).filter(|held| *held != 0));
    tags(out, "Fault", record.faults.iter().map(fault));
    auction(out, &record.auction);
    if !record.tricks.is_empty() {
        tag(out, "Play", &record.tricks.len().to_string());
        for trick in &record.tricks {
            let cards = trick.cards.map(|card| card.to_string()).join(" ");
            let _ = writeln!(out, "{}: {cards} > {}", trick.leader, trick.winner);
        }
    }
    text
}
