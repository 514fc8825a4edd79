//! Deal records, one JSON object a line.

use std::io::Write as _;

use coinche_engine::record::{Fault, RulesRecord};
use coinche_engine::{
    Belote, Bid, Call, DealResult, DealScore, DealState, Goal, Outcome, RuleSet, Strain, Suit, Team,
};

use super::{CardCodes, by_seat, push_number, push_pair, push_seat, push_signed, push_str};
use crate::play::played::{Ending, PlayedDeal};

/// Writes deal records.
#[derive(Debug, Clone)]
pub struct JsonLines {
    cards: CardCodes,
    rules: String,
    /// The lists of bots by seat of both seatings.
    bots: [String; 2],
    /// The last fields: that of the encounter, where there are several, and what [`JsonLines::with`] added.
    last: String,
}

fn json(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).expect("names, rules and faults are plain data")
}

impl JsonLines {
    /// Prepares what is the same in every record of an encounter; its number where there are several.
    pub fn new(rules: &RuleSet, bots: [&str; 2], encounter: Option<usize>) -> Self {
        Self::of_teams(rules, bots.map(|bot| [bot; 2]), encounter)
    }

    /// The same with two partners on each side.
    pub fn of_teams(rules: &RuleSet, teams: [[&str; 2]; 2], encounter: Option<usize>) -> Self {
        Self {
            cards: CardCodes::default(),
            rules: json(&RulesRecord::new(rules)),
            bots: by_seat(teams).map(|bots| json(&bots)),
            last: encounter.map_or_else(String::new, |number| format!(",\"pairing\":{number}")),
        }
    }

    /// Adds a field of the caller's to all records.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl serde::Serialize) -> Self {
        self.last.extend([",\"", name, "\":", &json(&value)]);
        self
    }

    /// Appends the record of a deal and the line's end.
    ///
    /// A forfeited deal has the calls and tricks until the crash, no contract, and the score of the
    /// forfeit.
    pub fn push(&self, out: &mut Vec<u8>, deal: &PlayedDeal<'_>) {
        push_str(out, "{\"v\":1,\"deal\":");
        push_number(out, deal.deal);
        push_str(out, ",\"leg\":");
        push_number(out, deal.leg.leg.into());
        push_str(out, ",\"rules\":");
        push_str(out, &self.rules);
        push_str(out, ",\"dealer\":");
        push_seat(out, deal.state.deal().dealer());
        push_str(out, ",\"bots\":");
        push_str(out, &self.bots[deal.leg.leg as usize & 1]);
        self.push_cards_and_calls(out, deal.state);
        match deal.ending {
            Ending::Regular(Outcome::Played { result, score }) => {
                self.push_played(out, deal.state, &result, &score);
            }
            Ending::Regular(Outcome::ThrownIn) => {
                push_str(out, ",\"contract\":null,\"melds\":[],\"belote\":null,\"tricks\":[]");
                push_str(out, ",\"tricks_won\":[0,0],\"card_points\":[0,0],\"made\":null,\"score\":[0,0]");
            }
            Ending::Forfeit(_) => {
                push_str(out, ",\"contract\":null,\"melds\":[],\"belote\":null,\"tricks\":");
                self.push_tricks(out, deal.state);
                push_str(out, ",\"tricks_won\":[0,0],\"card_points\":[0,0],\"made\":null,\"score\":");
                push_pair(out, deal.score.0);
            }
        }
        push_faults(out, deal.faults);
        if !deal.thoughts.is_empty() {
            push_str(out, ",\"thoughts\":");
            push_str(out, &json(&deal.thoughts));
        }
        if let Some(place) = deal.in_match {
            push_str(out, ",\"match\":");
            push_number(out, place.number);
            push_str(out, ",\"deal_in_match\":");
            push_number(out, place.deal);
            push_str(out, ",\"match_score\":");
            push_pair(out, place.score.0);
        }
        push_str(out, &self.last);
        push_str(out, "}\n");
    }

    fn push_cards_and_calls(&self, out: &mut Vec<u8>, state: &DealState) {
        push_str(out, ",\"hands\":[");
        for (seat, hand) in state.hands().iter() {
            push_str(out, if seat.index() == 0 { "\"" } else { ",\"" });
            self.cards.push_set(out, *hand);
            out.push(b'"');
        }
        push_str(out, "],\"turned\":");
        match state.deal().turned() {
            None => push_str(out, "null"),
            Some(card) => {
                out.push(b'"');
                self.cards.push(out, card);
                out.push(b'"');
            }
        }
        push_str(out, ",\"auction\":[");
        for (n, (seat, call)) in state.auction().calls().iter().enumerate() {
            push_str(out, if n == 0 { "[" } else { ",[" });
            push_seat(out, *seat);
            push_str(out, ",\"");
            push_call(out, *call);
            push_str(out, "\"]");
        }
        out.push(b']');
    }

    fn push_played(&self, out: &mut Vec<u8>, state: &DealState, result: &DealResult, score: &DealScore) {
        let contract = &result.contract;
        push_str(out, ",\"contract\":{\"bid\":\"");
        match contract.goal {
            Goal::Bid(value) => push_bid(out, Bid::new(value, contract.strain)),
            Goal::Majority => write(out, format_args!("TAKE{}", contract.strain)),
        }
        push_str(out, "\",\"declarer\":");
        push_seat(out, contract.declarer);
        push_str(out, ",\"stake\":\"");
        push_str(out, contract.stake.name());
        push_str(out, "\"},\"melds\":[");
        if state.rules().melds.enabled {
            self.push_melds(out, state);
        }
        push_str(out, "],\"belote\":");
        match contract.strain.trump().and_then(|suit| state.belote(suit)) {
            None => push_str(out, "null"),
            Some(belote) => push_belote(out, belote, None),
        }
        if contract.strain == Strain::AllTrump {
            push_belotes(out, state);
        }
        push_str(out, ",\"tricks\":");
        self.push_tricks(out, state);
        push_str(out, ",\"tricks_won\":");
        let tricks =
            Team::ALL.map(|team| team.seats().iter().map(|seat| i32::from(result.tricks[*seat])).sum());
        push_pair(out, tricks);
        push_str(out, ",\"card_points\":");
        push_pair(out, result.card_points.0.map(i32::from));
        push_str(out, if score.made { ",\"made\":true,\"score\":" } else { ",\"made\":false,\"score\":" });
        push_pair(out, score.points.0);
        if score.held != 0 {
            push_str(out, ",\"held\":");
            push_signed(out, score.held);
        }
    }

    fn push_tricks(&self, out: &mut Vec<u8>, state: &DealState) {
        // A trick has four cards of two letters: its text has one length.
        const TRICK: &[u8; 54] = br#",{"leader":0,"cards":["..","..","..",".."],"winner":0}"#;
        const CARDS: [usize; 4] = [23, 28, 33, 38];
        out.push(b'[');
        for (n, trick) in state.tricks().iter().enumerate() {
            let mut text = *TRICK;
            text[11] += trick.leader as u8;
            for (at, card) in CARDS.into_iter().zip(trick.cards) {
                [text[at], text[at + 1]] = self.cards.codes[card.index()];
            }
            text[52] += trick.winner as u8;
            out.extend_from_slice(if n == 0 { &text[1..] } else { &text });
        }
        out.push(b']');
    }

    fn push_melds(&self, out: &mut Vec<u8>, state: &DealState) {
        let mut first = true;
        for (seat, melds) in state.announced_melds().iter() {
            for meld in melds.iter() {
                let counts =
                    state.scored_melds().is_some_and(|scored| scored[seat].iter().any(|other| other == meld));
                push_str(out, if first { "{\"seat\":" } else { ",{\"seat\":" });
                first = false;
                push_seat(out, seat);
                push_str(out, ",\"kind\":\"");
                push_str(out, meld.kind.name());
                push_str(out, "\",\"cards\":\"");
                self.cards.push_set(out, meld.cards);
                push_str(out, "\",\"points\":");
                push_number(out, meld.points(&state.rules().melds).into());
                push_str(out, if counts { ",\"counts\":true}" } else { ",\"counts\":false}" });
            }
        }
    }
}

/// Appends formatted text.
fn write(out: &mut Vec<u8>, text: core::fmt::Arguments<'_>) {
    out.write_fmt(text).expect("writing to memory does not fail");
}

/// Appends a call in the notation of records.
pub fn push_call(out: &mut Vec<u8>, call: Call) {
    match call {
        Call::Pass => out.push(b'P'),
        Call::Coinche => out.push(b'X'),
        Call::Bid(bid) => push_bid(out, bid),
        call => write(out, format_args!("{call}")),
    }
}

/// Appends a bid in the notation of records.
fn push_bid(out: &mut Vec<u8>, bid: Bid) {
    let Some(points) = bid.value.as_points().filter(|points| *points > 0) else {
        write(out, format_args!("{bid}"));
        return;
    };
    push_number(out, points.into());
    match bid.strain.code().as_bytes() {
        // Of fixed size: most bids are of a suit.
        [suit] => out.push(*suit),
        code => out.extend_from_slice(code),
    }
}

fn push_belote(out: &mut Vec<u8>, belote: Belote, suit: Option<Suit>) {
    push_str(out, "{\"seat\":");
    push_seat(out, belote.seat);
    push_str(
        out,
        if belote.announced == Some(true) { ",\"announced\":true" } else { ",\"announced\":false" },
    );
    if let Some(suit) = suit {
        write(out, format_args!(",\"suit\":\"{suit}\""));
    }
    out.push(b'}');
}

/// The belotes of all trump, left out where there is none.
fn push_belotes(out: &mut Vec<u8>, state: &DealState) {
    let mut first = true;
    for suit in Suit::ALL {
        if let Some(belote) = state.belote(suit) {
            push_str(out, if first { ",\"belotes\":[" } else { "," });
            first = false;
            push_belote(out, belote, Some(suit));
        }
    }
    if !first {
        out.push(b']');
    }
}

fn push_faults(out: &mut Vec<u8>, faults: &[Fault]) {
    if faults.is_empty() {
        push_str(out, ",\"faults\":[]");
    } else {
        push_str(out, ",\"faults\":");
        push_str(out, &json(&faults));
    }
}
