//! Auctions by hand: every sentence of `docs/rules.md`, "Auction", and every way to break one.

use std::collections::HashSet;

use coinche_engine::rules::DealMethod;
use coinche_engine::{
    Auction, AuctionState, AuctionTurn, Call, Card, IllegalCall, RuleSet, Seat, Strain, Suit,
};
use serde_json::{Value, json};

use crate::common::book::to_card;
use crate::common::deal::check_auction;
use crate::common::rules::{BothRules, set};

/// An auction with seat 3 as dealer after calls in order, answers to offers among them.
fn after(rules: &RuleSet, turned: Option<Suit>, calls: &str) -> Auction {
    let mut auction = Auction::new(rules, Seat::S3, turned);
    for call in calls.split(", ").filter(|call| !call.is_empty()) {
        auction.call(call.parse().unwrap()).unwrap_or_else(|error| panic!("{calls}: {error}"));
    }
    auction
}

/// How an auction ended: `100S by 2, coinche`, or `thrown in`.
fn end(rules: &RuleSet, turned: Option<Suit>, calls: &str) -> String {
    let auction = after(rules, turned, calls);
    assert_eq!(auction.state().turn(), AuctionTurn::Over, "{calls}");
    assert!(auction.state().legal_calls().is_empty());
    auction.state().contract().map_or("thrown in".to_owned(), |contract| {
        format!("{} by {}, {}", contract.bid_code(), contract.declarer, contract.stake)
    })
}

fn refused(rules: &RuleSet, turned: Option<Suit>, calls: &str, call: &str) -> IllegalCall {
    let mut auction = after(rules, turned, calls);
    let before = auction.clone();
    let error = auction.call(call.parse().unwrap()).unwrap_err();
    assert_eq!(auction, before, "{calls}: {call}");
    assert!(!before.state().legal_calls().contains(call.parse::<Call>().unwrap()));
    error
}

fn with(rules: RuleSet, settings: &[&str]) -> RuleSet {
    rules.with_settings(settings.iter().copied()).unwrap()
}

#[test]
fn full_deals() {
    let bga = &RuleSet::BGA;
    assert_eq!(end(bga, None, "P, P, P, P"), "thrown in");
    assert_eq!(end(bga, None, "P, P, P, 82H, P, P, P"), "82H by 3, plain");
    // A player who passed may bid later; the strain is free.
    assert_eq!(end(bga, None, "P, 82H, P, P, 90C, 100TA, P, P, P"), "100TA by 1, plain");
    assert_eq!(end(bga, None, "CAPOTSA, X, P, P, P"), "CAPOTSA by 0, coinche");
    assert_eq!(end(bga, None, "82H, P, P, X, P, P, XX"), "82H by 0, surcoinche");
    assert_eq!(end(bga, None, "82H, X, P, P, P"), "82H by 0, coinche");
    assert_eq!(end(bga, None, "82H, X, XX"), "82H by 0, surcoinche");
    assert_eq!(
        end(&RuleSet::COINCHEE, None, "W, 80C, W, P, 990D, CAPOTS, GENERALEH, W, W, W"),
        "GENERALEH by 2, plain"
    );
}

#[test]
fn any_time_coinche() {
    let ja = &RuleSet::BGA_JA;
    // Seats 1 and 3 are offered a coinche right after the bid of seat 0; then seat 1 speaks.
    let offers = ["82H", "82H, P", "82H, P, P"].map(|calls| after(ja, None, calls).state().turn());
    let (one, three) = (AuctionTurn::OfferCoinche(Seat::S1), AuctionTurn::OfferCoinche(Seat::S3));
    assert_eq!(offers, [one, three, AuctionTurn::Speak(Seat::S1)]);
    assert_eq!(end(ja, None, "82H, P, P, P, P, P"), "82H by 0, plain");
    // A coinche offers the bidder and the partner a surcoinche, and the auction is over.
    assert_eq!(end(ja, None, "82H, X, P, P"), "82H by 0, coinche");
    assert_eq!(end(ja, None, "82H, P, X, P, XX"), "82H by 0, surcoinche");
    assert_eq!(end(ja, None, "82H, P, X, XX"), "82H by 0, surcoinche");
    // At one's turn too, after declining the offer.
    assert_eq!(end(ja, None, "82H, P, P, X, P, P"), "82H by 0, coinche");
    // Declined offers are not listed and are no passes in a row.
    let auction = after(ja, None, "P, P, 82H, P, P, P, P");
    let listed: Vec<String> = auction.calls().iter().map(|(seat, call)| format!("{seat} {call}")).collect();
    assert_eq!(listed, ["0 P", "1 P", "2 82H", "3 P", "0 P"]);
    assert_eq!(auction.state().turn(), AuctionTurn::Speak(Seat::S1));
}

#[test]
fn raises_over_a_coinche() {
    let raise = &with(RuleSet::COINCHE, &["auction.over_coinche=raise"]);
    assert_eq!(end(raise, None, "80C, X, 90C, P, P, P"), "90C by 2, plain");
    assert_eq!(end(raise, None, "80C, X, P, P, 90D, X, XX"), "90D by 0, surcoinche");
    assert!(matches!(refused(raise, None, "80C, X, P", "90C"), IllegalCall::OverCoinche(_)));
    let any_time = &with(*raise, &["auction.coinche=any-time"]);
    assert_eq!(end(any_time, None, "80C, X, 90C, P, X, P, P"), "90C by 0, coinche");
    assert_eq!(end(any_time, None, "80C, P, X, P, 90C, P, P, P, P, P"), "90C by 2, plain");
}

#[test]
fn turn_up_deals() {
    let (belote, hearts) = (&RuleSet::BELOTE, Some(Suit::Hearts));
    assert_eq!(end(belote, hearts, "P, P, TAKE"), "TAKEH by 2, plain");
    assert_eq!(end(belote, hearts, "P, P, P, P, P, TAKE S"), "TAKES by 1, plain");
    assert_eq!(end(belote, hearts, "P, P, P, P, P, P, P, P"), "thrown in");
    assert_eq!(refused(belote, hearts, "P, P, P, P", "TAKE H"), IllegalCall::TurnedSuit(Suit::Hearts));
    assert!(matches!(refused(belote, hearts, "P, P, P, P", "TAKE"), IllegalCall::NotInThisAuction(_)));
    for call in ["TAKE C", "TAKE H", "82H", "X", "XX", "W"] {
        assert!(matches!(refused(belote, hearts, "P", call), IllegalCall::NotInThisAuction(_)), "{call}");
    }
    assert!(matches!(refused(belote, hearts, "TAKE", "P"), IllegalCall::Over(_)));
}

#[test]
fn illegal_calls_say_why() {
    let (bga, coinche) = (&RuleSet::BGA, &RuleSet::COINCHE);
    let low = refused(bga, None, "100H", "100S");
    assert_eq!(low.to_string(), "100S is not higher than the last bid, 100H");
    for bid in ["80H", "81H", "95H", "170H", "GENERALEH"] {
        assert!(matches!(refused(bga, None, "", bid), IllegalCall::NoSuchValue(_)), "{bid}");
    }
    for bid in ["90SA", "90TA"] {
        assert!(matches!(refused(coinche, None, "", bid), IllegalCall::NoSuchStrain(_)), "{bid}");
    }
    assert!(matches!(refused(bga, None, "82H, X", "90H"), IllegalCall::OverCoinche(_)));
    for (calls, call) in
        [("", "X"), ("P", "XX"), ("82H, P", "X"), ("82H", "XX"), ("82H, X", "X"), ("82H, X, P", "XX")]
    {
        assert!(
            matches!(refused(bga, None, calls, call), IllegalCall::NothingToDouble(_)),
            "{calls}: {call}"
        );
    }
    let off = with(*coinche, &["auction.coinche=off"]);
    assert!(matches!(refused(&off, None, "80H", "X"), IllegalCall::NothingToDouble(_)));
    for call in ["W", "TAKE", "TAKE H"] {
        assert!(matches!(refused(bga, None, "", call), IllegalCall::NotInThisAuction(_)), "{call}");
    }
    for call in ["90H", "CAPOTS", "W"] {
        assert!(matches!(refused(&RuleSet::BGA_JA, None, "82H", call), IllegalCall::Offered(_)), "{call}");
    }
    assert!(matches!(refused(bga, None, "P, P, P, P", "82H"), IllegalCall::Over(_)));
}

/// Rules of the auction that bind each other: all of their values together, with two bids in points to choose from.
fn all_auctions() -> Vec<BothRules> {
    let fields: [(&str, &[Value]); 9] = [
        ("auction.bids", &[json!("values"), json!("strains")]),
        ("auction.capot", &[json!(false), json!(true)]),
        ("auction.generale", &[json!(false), json!(true)]),
        ("auction.signal_pass", &[json!(false), json!(true)]),
        ("auction.coinche", &[json!("in-turn"), json!("any-time"), json!("off")]),
        ("auction.over_coinche", &[json!("closed"), json!("raise"), json!("open")]),
        ("auction.closed_by", &[json!("none"), json!("slam"), json!("bid")]),
        ("deal.passed_out", &[json!("next"), json!("never")]),
        ("auction.all_trump", &[json!(false), json!(true)]),
    ];
    let mut all =
        [RuleSet::COINCHE, RuleSet::BELOTE].map(|rules| serde_json::to_value(rules).unwrap()).to_vec();
    for (path, values) in fields {
        let with = |rules: &Value, value: &Value| {
            let mut rules = rules.clone();
            set(&mut rules, path, value.clone());
            rules
        };
        all = all.iter().flat_map(|rules| values.iter().map(|value| with(rules, value))).collect();
    }
    for rules in &mut all {
        set(rules, "auction.lowest", json!(80));
        set(rules, "auction.highest", json!(90));
    }
    all.iter()
        .filter(|rules| serde_json::from_value::<RuleSet>((*rules).clone()).is_ok())
        .map(BothRules::whole)
        .collect()
}

/// Every position of every auction, each reached once, has the calls and the end that the rule book says.
#[test]
fn all_positions_of_all_auctions_agree() {
    let all = all_auctions();
    assert!(all.len() > 300, "{}", all.len());
    let (mut positions, mut ends) = (0, 0);
    for rules in &all {
        let turned = (rules.engine.deal.method == DealMethod::TurnUp).then(|| "TH".parse().unwrap());
        let start = AuctionState::new(&rules.engine, Seat::S3, turned.map(Card::suit));
        let mut seen = HashSet::from([start]);
        let mut open = vec![(start, Vec::new())];
        while let Some((state, said)) = open.pop() {
            positions += 1;
            if check_auction(rules, &state, 3, turned.map(to_card), &said) {
                ends += 1;
                continue;
            }
            for call in state.legal_calls().iter() {
                // Strains have an order where they are bid alone, and are alike otherwise.
                if matches!(call, Call::Bid(bid) if rules.engine.has_values() && bid.strain != Strain::Clubs)
                {
                    continue;
                }
                let mut next = state;
                let seat = next.call(call).unwrap();
                if seen.insert(next) {
                    open.push((next, [&said[..], &[(seat, call)]].concat()));
                }
            }
        }
    }
    println!("{} rules, {positions} positions, {ends} ends", all.len());
}
