//! `auctions-*.jsonl`: what may be said after some calls.

use std::collections::BTreeSet;

use serde::Serialize;

use super::rng::Rng;
use super::{Lines, contract_record, line};
use crate::auction::{Auction, Turn, legal_calls};
use crate::cards::{Card, deck};
use crate::options::Method;
use crate::record::RecordContract;
use crate::rules::NamedRules;

#[derive(Serialize)]
struct Line<'a> {
    rules: &'a NamedRules,
    dealer: usize,
    turned: Option<String>,
    calls: &'a [(usize, String)],
    turn: Option<TurnLine>,
    contract: Option<RecordContract>,
}

#[derive(Serialize)]
struct TurnLine {
    seat: usize,
    offer: bool,
    legal: String,
}

/// How the players of a line bid.
#[derive(Clone, Copy)]
enum Manner {
    /// Passes often, bids mostly low, coinches sometimes.
    Any,
    /// Nobody bids who need not.
    Silent,
    /// The highest bids first.
    High,
    /// Every bid is doubled that can be.
    Doubling,
}

/// A random call of a turn: passes often, bids mostly low, coinches sometimes.
pub(super) fn random_call(rng: &mut Rng, turn: &Turn) -> String {
    call_in(Manner::Any, rng, turn)
}

fn call_in(manner: Manner, rng: &mut Rng, turn: &Turn) -> String {
    let doubles: Vec<&String> = turn.calls.iter().filter(|call| call.starts_with('X')).collect();
    let passes: Vec<&String> = turn.calls.iter().filter(|call| *call == "P" || *call == "W").collect();
    let bids = &turn.calls[passes.len()..turn.calls.len() - doubles.len()];
    let (double, bid) = match manner {
        Manner::Any => (20, 40),
        Manner::Silent => (0, 0),
        Manner::High => (20, 95),
        Manner::Doubling => (80, 60),
    };
    if !doubles.is_empty() && rng.chance(double) {
        return doubles[0].clone();
    }
    if !bids.is_empty() && (passes.is_empty() || rng.chance(bid)) {
        let all = rng.chance(20);
        let bids = match manner {
            Manner::High => &bids[bids.len().saturating_sub(6)..],
            _ if all => bids,
            _ => &bids[..bids.len().min(18)],
        };
        return rng.pick(bids).clone();
    }
    (*rng.pick(&passes)).clone()
}

pub(super) fn write(rules: &NamedRules, rng: &mut Rng, size: usize, lines: &mut Lines) {
    let mut written = BTreeSet::new();
    let others = [Manner::Silent, Manner::High, Manner::Doubling];
    let manners = std::iter::repeat_n(Manner::Any, size).chain(others.repeat(size.div_ceil(20) + 1));
    for (walk, manner) in manners.enumerate() {
        let dealer = walk % 4;
        let card: Card = *rng.pick(&deck());
        let turned = (rules.rules.deal.method == Method::TurnUp).then_some(card);
        let mut calls: Vec<(usize, String)> = Vec::new();
        loop {
            let next = legal_calls(&rules.rules, dealer, turned, &calls).expect("only legal calls are said");
            // One line in three, and every end; the lists of calls are long.
            let late = if matches!(manner, Manner::Any) { 4 } else { 3 };
            let keep = calls.len() >= late || rng.chance(35) || !matches!(next, Auction::Turn(_));
            let mut text = Line {
                rules,
                dealer,
                turned: turned.map(|card| card.to_string()),
                calls: &calls,
                turn: None,
                contract: None,
            };
            match &next {
                Auction::Turn(turn) => {
                    text.turn =
                        Some(TurnLine { seat: turn.seat, offer: turn.offer, legal: turn.calls.join(",") });
                }
                Auction::Contract(contract) => text.contract = Some(contract_record(contract)),
                Auction::ThrownIn => {}
            }
            let text = line(&text);
            if keep && written.insert(text.clone()) {
                lines.push(text);
            }
            let Auction::Turn(turn) = next else { break };
            calls.push((turn.seat, call_in(manner, rng, &turn)));
        }
    }
}
