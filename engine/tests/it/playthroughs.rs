//! One seeded deal of every preset, written out: hands, calls with what was legal, tricks with legal
//! cards and what the player could tell of the others, result.
//!
//! The texts in `tests/data/playthroughs` are written anew by
//! `COINCHE_BLESS=1 cargo test -p coinche-engine --test it playthroughs`; read the difference before it is
//! checked in.

use std::fmt::Write as _;
use std::path::PathBuf;

use crate::common::deal::{random_call, random_deck};
use crate::common::rng::Rng;
use crate::common::rules::BothRules;
use coinche_engine::record::{Record, RecordContext, RulesRecord, replay};
use coinche_engine::{
    Auction, BySeat, Call, CardSet, Deal, DealState, LegalCalls, MatchState, Outcome, RuleSet, Seat, Suit,
    Turn,
};

/// The legal calls in short: bids as a range of values and the strains.
fn calls_text(legal: &LegalCalls) -> String {
    let others = legal.len() - legal.bids();
    let mut words: Vec<String> = legal.iter().take(others).map(|call| call.to_string()).collect();
    let values: Vec<String> = legal.values().map(|value| value.to_string()).collect();
    if let (Some(low), Some(high)) = (values.first(), values.last()) {
        let mut strains: Vec<String> = Vec::new();
        for call in legal.iter().skip(others) {
            let Call::Bid(bid) = call else { continue };
            if !strains.contains(&bid.strain.to_string()) {
                strains.push(bid.strain.to_string());
            }
        }
        words.push(format!("{low}–{high} in {} ({} bids)", strains.join(" "), legal.bids()));
    }
    words.join(", ")
}

fn or_none(cards: CardSet) -> String {
    if cards.is_empty() { "–".to_owned() } else { cards.to_string() }
}

/// What the player to move can tell of the others.
fn view_text(state: &DealState, seat: Seat) -> String {
    let view = state.view(seat);
    let mut text = String::new();
    for other in Seat::ALL.into_iter().filter(|other| *other != seat) {
        let voids: String =
            Suit::ALL.iter().filter(|suit| view.is_void(other, **suit)).map(|s| s.letter()).collect();
        let (known, could) = (or_none(view.known(other)), or_none(view.could_hold(other)));
        write!(text, "      {other} could hold {could}; known {known}").unwrap();
        writeln!(text, "; void in {}", if voids.is_empty() { "–" } else { &voids }).unwrap();
    }
    text
}

fn hands_text(hands: &BySeat<CardSet>) -> String {
    hands.iter().fold(String::new(), |text, (seat, hand)| text + &format!("  {seat}: {hand}\n"))
}

fn auction_text(rng: &mut Rng, state: &mut DealState) -> String {
    let mut text = String::new();
    while let Turn::Call(seat) = state.turn() {
        let (turn, legal) = (state.auction().state().turn(), state.legal_calls());
        let call = random_call(rng, &legal);
        state.call(call).unwrap();
        writeln!(text, "  {seat}: {call:<8} {turn:?}; legal: {}", calls_text(&legal)).unwrap();
    }
    text
}

fn play_text(rng: &mut Rng, state: &mut DealState) -> String {
    let mut text = String::new();
    while let Turn::Play(seat) = state.turn() {
        let tricks = state.tricks().len();
        if state.play_state().unwrap().cards_in_trick() == 0 {
            writeln!(text, "trick {}", tricks + 1).unwrap();
        }
        let legal = state.legal_plays();
        let card = legal.nth(rng.below(legal.len())).unwrap();
        writeln!(text, "  {seat}: {card} of [{}], legal [{legal}]", state.play_state().unwrap().hand(seat))
            .unwrap();
        text.push_str(&view_text(state, seat));
        state.play(card).unwrap();
        if tricks == 0 {
            for meld in state.announced_melds()[seat].iter() {
                writeln!(text, "      announces a {} ({})", meld.kind, meld.cards).unwrap();
            }
        }
        if state.tricks().len() > tricks {
            let (winner, points) =
                (state.tricks()[tricks].winner, state.play_state().unwrap().card_points(state.rules()));
            writeln!(text, "  to seat {winner}, card points {:?}", points.0).unwrap();
        }
        if let (0, Some(scored)) = (tricks, state.scored_melds()) {
            let scored: Vec<String> = scored
                .iter()
                .flat_map(|(seat, melds)| melds.iter().map(move |meld| format!("{seat}: {}", meld.cards)))
                .collect();
            writeln!(text, "  melds that score: {scored:?}").unwrap();
        }
    }
    text
}

fn playthrough(name: &str, rules: &RuleSet, seed: u64) -> String {
    let both = BothRules::preset(name);
    let mut rng = Rng::new(seed);
    let dealer = Seat::from_index(rng.below(4));
    let deal = Deal::new(&rules.deal, random_deck(&both, &mut rng, dealer), dealer);
    let mut state = DealState::new(rules, &deal);
    let mut text = format!("{name}, dealer {dealer}\nhands\n{}", hands_text(deal.hands()));
    if let Some(turned) = deal.turned() {
        writeln!(text, "turned {turned}").unwrap();
    }
    text.push_str("auction\n");
    text.push_str(&auction_text(&mut rng, &mut state));
    if let Some(contract) = state.contract() {
        writeln!(text, "contract {} by {}, {}", contract.bid_code(), contract.declarer, contract.stake)
            .unwrap();
        text.push_str("hands\n");
        text.push_str(&hands_text(state.hands()));
        text.push_str(&play_text(&mut rng, &mut state));
    }
    let outcome = state.outcome().unwrap();
    let mut game = MatchState::new(rules, dealer);
    if let Outcome::Played { result, score } = outcome {
        writeln!(text, "result {result:?}\nscore {score:?}").unwrap();
        game.add(&score, result.contract.declarer.team());
    } else {
        text.push_str("thrown in\n");
        game.add_thrown_in();
    }
    writeln!(text, "match {:?}, next dealer {}, winner {:?}", game.score().0, game.dealer(), game.winner())
        .unwrap();
    let rules_record = RulesRecord::new(rules);
    let players = BySeat(["a", "b", "c", "d"]);
    let context =
        RecordContext { deal: seed, leg: 0, rules: &rules_record, bots: players, faults: &[], game: None };
    let record = Record::new(&state, &context).unwrap();
    assert_eq!(replay(&record), []);
    writeln!(text, "record {}", record.to_json()).unwrap();
    text
}

#[test]
fn playthroughs_are_as_checked_in() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/playthroughs");
    let bless = std::env::var_os("COINCHE_BLESS").is_some();
    std::fs::create_dir_all(&folder).unwrap();
    for (index, (name, rules)) in (0..).zip(RuleSet::ALL) {
        // A seed of which the deal is played, with a coinche where there can be one, and melds.
        let interesting = |seed: &u64| {
            let text = playthrough(name, &rules, *seed);
            text.contains("contract")
                && (!rules.melds.enabled || !text.contains("melds that score: []"))
                && (rules.auction.coinche == coinche_engine::rules::CoincheMode::Off
                    || text.contains("coinche\n"))
        };
        let seed = (1000 * index..1000 * (index + 1)).find(interesting).unwrap();
        let text = playthrough(name, &rules, seed);
        let path = folder.join(format!("{name}.txt"));
        if bless {
            std::fs::write(&path, &text).unwrap();
        }
        let golden = std::fs::read_to_string(&path).unwrap();
        for (number, (found, right)) in text.lines().zip(golden.lines()).enumerate() {
            assert_eq!(found, right, "{}, line {}", path.display(), number + 1);
        }
        assert_eq!(text.lines().count(), golden.lines().count(), "{}", path.display());
    }
}

#[test]
fn auctions_restart_in_the_same_memory() {
    let mut auction = Auction::new(&RuleSet::BGA, Seat::S0, None);
    auction.call("82H".parse().unwrap()).unwrap();
    auction.restart(&RuleSet::BGA, Seat::S2, None);
    assert_eq!(auction, Auction::new(&RuleSet::BGA, Seat::S2, None));
}
