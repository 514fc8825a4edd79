#![allow(clippy::unwrap_used, reason = "a test may panic")]

use serde_json::json;

use super::*;

fn said(rules: &Rules, calls: &[(usize, &str)]) -> Auction {
    let calls: Vec<_> = calls.iter().map(|&(seat, call)| (seat, call.to_owned())).collect();
    legal_calls(rules, 3, Some("9H".parse().unwrap()), &calls).unwrap()
}

fn turn(rules: &Rules, calls: &[(usize, &str)]) -> (usize, bool, String) {
    match said(rules, calls) {
        Auction::Turn(turn) => (turn.seat, turn.offer, turn.calls.join(" ")),
        other => panic!("{other:?}"),
    }
}

fn contract(auction: Auction) -> (String, usize, Stake) {
    match auction {
        Auction::Contract(contract) => (contract.bid.to_string(), contract.declarer, contract.stake),
        other => panic!("{other:?}"),
    }
}

#[test]
fn ladder_of_bga_starts_at_82() {
    let rules = Rules::preset("bga").unwrap();
    let (seat, offer, calls) = turn(&rules, &[]);
    assert_eq!((seat, offer), (0, false));
    assert!(calls.starts_with("P 82C 82D 82H 82S 82SA 82TA 90C "), "{calls}");
    assert!(calls.ends_with(" 160TA CAPOTC CAPOTD CAPOTH CAPOTS CAPOTSA CAPOTTA"), "{calls}");
    assert_eq!(calls.split(' ').count(), 1 + 6 * 10);
}

#[test]
fn ladder_of_coinchee_goes_to_990() {
    let rules = Rules::preset("coinchee").unwrap();
    let (_, _, calls) = turn(&rules, &[]);
    assert!(calls.starts_with("P W 80C"), "{calls}");
    assert!(
        calls.ends_with("990S CAPOTC CAPOTD CAPOTH CAPOTS GENERALEC GENERALED GENERALEH GENERALES"),
        "{calls}"
    );
    assert_eq!(turn(&rules, &[(0, "GENERALEC")]), (1, false, "P W X".to_owned()));
    assert_eq!(
        turn(&rules, &[(0, "990C"), (1, "CAPOTC")]).2,
        "P W GENERALEC GENERALED GENERALEH GENERALES X"
    );
}

#[test]
fn passes_end_it() {
    let rules = Rules::preset("bga").unwrap();
    assert_eq!(said(&rules, &[(0, "P"), (1, "P"), (2, "P"), (3, "P")]), Auction::ThrownIn);
    let end = said(&rules, &[(0, "P"), (1, "90H"), (2, "P"), (3, "P"), (0, "P")]);
    assert_eq!(contract(end), ("90H".to_owned(), 1, Stake::Plain));
}

#[test]
fn coinche_in_turn() {
    let rules = Rules::preset("contree").unwrap();
    assert_eq!(turn(&rules, &[(0, "CAPOTC")]), (1, false, "P X".to_owned()));
    assert_eq!(turn(&rules, &[(0, "CAPOTC"), (1, "P")]), (2, false, "P".to_owned()));
    assert_eq!(turn(&rules, &[(0, "80C"), (1, "X")]), (2, false, "P XX".to_owned()));
    assert_eq!(turn(&rules, &[(0, "80C"), (1, "X"), (2, "P")]), (3, false, "P".to_owned()));
    assert_eq!(turn(&rules, &[(0, "80C"), (1, "X"), (2, "P"), (3, "P")]), (0, false, "P XX".to_owned()));
    let end = said(&rules, &[(0, "80C"), (1, "X"), (2, "P"), (3, "P"), (0, "P")]);
    assert_eq!(contract(end), ("80C".to_owned(), 0, Stake::Coinche));
    let end = said(&rules, &[(0, "80C"), (1, "X"), (2, "XX")]);
    assert_eq!(contract(end), ("80C".to_owned(), 0, Stake::Surcoinche));
}

#[test]
fn coinche_at_any_time() {
    let rules = Rules::preset("bga-ja").unwrap();
    assert_eq!(turn(&rules, &[(0, "180C")]), (1, true, "P X".to_owned()));
    assert_eq!(turn(&rules, &[(0, "180C"), (1, "P")]), (3, true, "P X".to_owned()));
    let (seat, offer, calls) = turn(&rules, &[(0, "180C"), (1, "P"), (3, "P")]);
    assert_eq!((seat, offer), (1, false));
    assert_eq!(calls, "P CAPOTC CAPOTD CAPOTH CAPOTS CAPOTSA CAPOTTA X");
    assert_eq!(turn(&rules, &[(0, "180C"), (1, "P"), (3, "X")]), (0, true, "P XX".to_owned()));
    assert_eq!(turn(&rules, &[(0, "180C"), (1, "P"), (3, "X"), (0, "P")]), (2, true, "P XX".to_owned()));
    let end = said(&rules, &[(0, "180C"), (1, "P"), (3, "X"), (0, "P"), (2, "P")]);
    assert_eq!(contract(end), ("180C".to_owned(), 0, Stake::Coinche));
}

#[test]
fn records_leave_declined_offers_out() {
    let rules = Rules::preset("bga-ja").unwrap();
    let replay = |calls: &[(usize, &str)]| {
        let calls: Vec<_> = calls.iter().map(|&(seat, call)| (seat, call.to_owned())).collect();
        replay_listed(&rules, 3, None, &calls)
    };
    let short = [(0, "90C"), (1, "P"), (2, "100C"), (3, "P"), (0, "P"), (1, "P")];
    assert_eq!(contract(replay(&short).unwrap()), ("100C".to_owned(), 2, Stake::Plain));
    let offered = [(0, "90C"), (3, "X")];
    assert_eq!(contract(replay(&offered).unwrap()), ("90C".to_owned(), 0, Stake::Coinche));
    let long = [(0, "90C"), (1, "P"), (3, "X"), (0, "P"), (2, "XX")];
    assert_eq!(contract(replay(&long).unwrap()), ("90C".to_owned(), 0, Stake::Surcoinche));
    let wrong = [(0, "90C"), (1, "P"), (2, "P"), (3, "90D")];
    assert_eq!(replay(&wrong), Err(illegal(3, 3, "90D".parse().unwrap())));
    assert_eq!(replay(&short[..5]), Err(AuctionError::NotOver { calls: 5 }));
}

#[test]
fn turn_up() {
    let rules = Rules::preset("belote").unwrap();
    assert_eq!(turn(&rules, &[(0, "P")]), (1, false, "P TAKE".to_owned()));
    let four = [(0, "P"), (1, "P"), (2, "P"), (3, "P")];
    assert_eq!(turn(&rules, &four), (0, false, "P TAKE C TAKE D TAKE S".to_owned()));
    let end = said(&rules, &[(0, "P"), (1, "take")]);
    assert_eq!(contract(end), ("TAKEH".to_owned(), 1, Stake::Plain));
    let end = said(&rules, &[four.as_slice(), &[(0, "TAKE S")]].concat());
    assert_eq!(contract(end), ("TAKES".to_owned(), 0, Stake::Plain));
    assert_eq!(said(&rules, &[four, four].concat()), Auction::ThrownIn);
}

#[test]
fn raise_over_a_coinche() {
    let rules = Rules::preset("contree").unwrap().with("auction.over_coinche", json!("raise")).unwrap();
    let (seat, _, calls) = turn(&rules, &[(0, "160C"), (1, "X")]);
    assert_eq!((seat, calls.as_str()), (2, "P CAPOTC CAPOTD CAPOTH CAPOTS XX"));
    assert_eq!(turn(&rules, &[(0, "160C"), (1, "X"), (2, "P")]).2, "P");
    assert_eq!(turn(&rules, &[(0, "160C"), (1, "X"), (2, "CAPOTH")]), (3, false, "P X".to_owned()));
}

#[test]
fn wait_is_no_answer_to_an_offer() {
    let rules = Rules::preset("bga-ja").unwrap().with("auction.signal_pass", json!(true)).unwrap();
    assert_eq!(turn(&rules, &[(0, "180C")]).2, "P X");
    assert!(turn(&rules, &[(0, "180C"), (1, "P"), (3, "P")]).2.starts_with("P W "));
}
