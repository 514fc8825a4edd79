//! Every mistake is named, and nothing panics.

use coinche_engine::{CardSet, RuleSet, Seat};
use proptest::prelude::*;

use super::{Asked, Question};
use crate::typed::Language;
use coinche_selfplay::document::texts::unpolished;

const HAND: &str = "JS 9S AS TS AD KD 7C 8C";

fn asked(hand: &str) -> Asked<'_> {
    Asked {
        hand,
        auction: "",
        tricks: None,
        turned: None,
        dealer: Seat::S3,
        seat: None,
        offered: None,
        score: "0,0",
        melds: None,
        shown: None,
        belotes: &[],
    }
}

fn rules(name: &str) -> RuleSet {
    RuleSet::preset(name).unwrap()
}

fn error(rules_name: &str, asked: &Asked<'_>) -> String {
    match Question::read(&rules(rules_name), asked) {
        Ok(_) => panic!("{asked:?} is a question"),
        Err(error) => {
            let french = error.told(Language::French);
            assert_eq!(unpolished([&*french.replace("''", "")]), [""; 0]);
            for word in [" the ", " seat ", "legal", "call ", "trick ", " is "] {
                assert!(!french.contains(word), "{word}: {french}");
            }
            error.to_string()
        }
    }
}

#[test]
fn mistakes_are_told_in_french_as_at_the_table() {
    let told = |auction, hand| {
        let asked = Asked { auction, ..asked(hand) };
        Question::read(&rules("contree"), &asked).unwrap_err().told(Language::French)
    };
    assert_eq!(
        told("80H 80H", HAND),
        "--auction, annonce 2, place 1\u{a0}: 80 cœur ne dépasse pas la dernière enchère, 80 cœur\u{a0}; permis\u{a0}: passe, \
         coinche, de 90 à capot à ♣ ♦ ♥ ♠"
    );
    assert_eq!(
        told("", "JS 9S AS TS AD KD 7C"),
        "cartes dans la main\u{a0}: 7 au lieu de 8\u{a0}; donnez toutes celles du début du jeu, déjà jouées ou non"
    );
    assert_eq!(
        told("80H P P P", HAND),
        "les enchères sont finies (80 cœur par la place 0)\u{a0}: pour l’entame, à la place 0, ajoutez --tricks ''"
    );
}

fn names(error: &str, parts: &[&str]) {
    for part in parts {
        assert!(error.contains(part), "`{error}` has no `{part}`");
    }
}

#[test]
fn mistakes_of_the_hand_are_named() {
    for (hand, parts) in [
        ("JS 9S AS TS AD KD 7C 8C 9C", &["9 cards", "8", "start of play"] as &[&str]),
        ("JS 9S AS TS AD KD 7C", &["7 cards", "8"]),
        ("", &["0 cards"]),
        ("JS 9S AS TS AD KD 7C JS", &["card 8", "JS is given twice", "card 1"]),
        ("JS 9S 1S TS AD KD 7C 8C", &["the hand, card 3", "`1S`", "expected a rank"]),
        ("C:77 D:A H:- S:KQ876", &["the hand", "7C is given twice"]),
        ("C:7 D:A X:- S:KQ876", &["`X:-`"]),
        ("C:7 D:A C:8", &["suit C"]),
        ("C:J97 D:A H:- S:KQ8", &["7 cards", "8"]),
    ] {
        names(&error("bga", &asked(hand)), parts);
    }
    // Both forms, in any case, with commas, and `10` for the ten.
    for hand in [HAND, "js,9s,as,10s ad kd 7c 8c", "S:J9A10 D:AK C:78"] {
        let question = Question::read(&rules("bga"), &asked(hand)).unwrap();
        assert_eq!(question.view().hand(), HAND.parse().unwrap());
    }
}

#[test]
fn mistakes_of_the_auction_are_named() {
    for (preset, auction, parts) in [
        (
            "bga",
            "P 80H",
            &["call 2", "seat 1", "80H", "not a value", "legal: P, bids from 82 to CAPOT in C D H S SA TA"]
                as &[&str],
        ),
        (
            "bga",
            "100H P 90S",
            &["call 3", "seat 2", "90S is not higher than the last bid, 100H", "110 to CAPOT"],
        ),
        ("coinche", "P 80SA", &["call 2", "80SA", "strain", "in C D H S"]),
        ("bga", "P hearts", &["call 2", "H is not a value", "legal: P, bids"]),
        ("bga", "P heartz", &["call 2", "`heartz`", "expected P, W, X"]),
        ("bga", "P P P P", &["passed out", "nothing to decide"]),
        ("bga", "P P P P P", &["call 5", "after the end", "passed out"]),
        ("bga", "82S P P P", &["over", "82S by seat 0", "first lead, by seat 0", "--tricks ''"]),
        ("bga", "82S P P P P", &["call 5", "after the end", "82S by seat 0"]),
        ("bga", "X", &["call 1", "double", "legal: P, bids"]),
        ("bga", "82S X 90S", &["call 3", "coinche", "legal: P, XX"]),
        ("bga", "W", &["call 1", "not a call of this auction"]),
        ("bga", "0:P 2:P", &["call 2", "seat 2", "seat 1's turn"]),
        ("bga", "5:P", &["call 1", "`5`", "0, 1, 2 or 3"]),
        ("bga", "TAKE", &["call 1", "not a call of this auction"]),
    ] {
        names(&error(preset, &Asked { auction, ..asked(HAND) }), parts);
    }
    let other = Asked { auction: "P", seat: Some(Seat::S2), ..asked(HAND) };
    names(&error("bga", &other), &["--seat 2", "seat 1's turn to call"]);
    let offer = Asked { auction: "82H", offered: Some(Seat::S1), ..asked(HAND) };
    names(&error("bga", &offer), &["--offered 1", "no coinche"]);
    for (flag, other) in [
        ("--melds", Asked { melds: Some("1:tierce"), ..asked(HAND) }),
        ("--shown", Asked { shown: Some("none"), ..asked(HAND) }),
        ("--belote", Asked { belotes: &["1".to_owned()], ..asked(HAND) }),
    ] {
        names(&error("bga", &other), &[flag, "add --tricks"]);
    }
}

#[test]
fn an_offer_at_any_time_is_answered_by_whom_it_is_made_to() {
    let rules = rules("bga-ja");
    let ask = |auction, offered| {
        let question = Question::read(&rules, &Asked { auction, offered, ..asked(HAND) }).unwrap();
        (question.view().seat(), question.view().auction().calls().len())
    };
    // The offers are declined, and it is the next player's turn.
    assert_eq!(ask("P 82H", None), (Seat::S2, 2));
    assert_eq!(ask("P 82H", Some(Seat::S2)), (Seat::S2, 2));
    assert_eq!(ask("P 82H", Some(Seat::S0)), (Seat::S0, 2));
    assert_eq!(ask("P 82H X", Some(Seat::S1)), (Seat::S1, 3));
    assert_eq!(ask("P 82H 0:X", Some(Seat::S3)), (Seat::S3, 3));
}

#[test]
fn mistakes_of_the_turned_card_are_named() {
    let five = "JS 9S AS TS AD";
    for (preset, hand, turned, auction, parts) in [
        ("belote", five, None, "", &["--turned"] as &[&str]),
        ("bga", HAND, Some("7H"), "", &["--turned", "turn no card"]),
        ("belote", five, Some("7X"), "", &["--turned", "`7X`"]),
        ("belote", five, Some("AD"), "", &["AD is the turned card", "take it out"]),
        ("belote", HAND, Some("7H"), "", &["8 cards, expected 5", "dealt first"]),
        ("belote", five, Some("7H"), "P P P P TAKE H", &["call 5", "the turned suit was refused"]),
        ("belote", five, Some("7H"), "P P P P TAKE", &["call 5", "legal: P, TAKE C, TAKE D, TAKE S"]),
        ("belote", five, Some("7H"), "82H", &["call 1", "legal: P, TAKE"]),
    ] {
        names(&error(preset, &Asked { auction, turned, ..asked(hand) }), parts);
    }
    let eight = |tricks| Asked { turned: Some("7H"), auction: "P TAKE", tricks: Some(tricks), ..asked(HAND) };
    assert!(Question::read(&rules("belote"), &eight("")).is_ok());
    names(&error("belote", &eight("QS")), &["7H was turned up, and seat 1 took it", "missing", "seat 1's"]);
    let other = Asked { auction: "P P TAKE", tricks: Some(""), ..asked("JS 9S AS TS AD KD 7C 7H") };
    let other = Asked { turned: Some("7H"), ..other };
    names(&error("belote", &other), &["7H was turned up, and seat 2 took it", "cannot be", "seat 0's"]);
    let played = Asked { tricks: Some("KH JH 8H 7H"), hand: "JH 9H AS TS AD KD 7C 8C", ..other };
    names(&error("belote", &played), &["trick 1, card 4", "seat 3 plays 7H", "taker, seat 2"]);
}

#[test]
fn mistakes_of_the_tricks_are_named() {
    let all = "7C 8C 9C TC / 7D 8D 9D TD / 7H 8H 9H TH / 7S 8S 9S TS / JC QC KC AC / JD QD KD AD / JH QH KH AH / \
               JS QS KS AS";
    for (tricks, parts) in [
        ("7C 9C AC JX", &["--tricks, trick 1, card 4", "`JX`"] as &[&str]),
        ("7C 9C AC KC TC", &["trick 1 has 5 cards", "four"]),
        ("7C 9C AC / 7D", &["trick 1 has 3 cards"]),
        ("AD 7D 8D 9D / KD AD", &["trick 2, card 2", "AD is given twice", "trick 1, card 1"]),
        // The cards decide whose turn it is; the hand belongs to that seat.
        ("7C 9C AC", &["trick 1, card 1", "7C is played by seat 0", "in the hand", "seat 3's", "turn now"]),
        ("9C AC KC 7C", &["trick 1, card 2", "AC is played by seat 1, who is asked", "not in the hand"]),
        (
            "AC 9C KC QC",
            &["trick 1, card 1", "AC is played by seat 0, who is asked", "not in the hand", "all eight"],
        ),
        (all, &["32 cards", "nothing to decide"]),
    ] {
        let given = Asked { auction: "82S P P P", tricks: Some(tricks), ..asked(HAND) };
        names(&error("bga", &given), parts);
    }
    let given = Asked { auction: "82S P P P", tricks: Some("AD 7D 8D 9D"), ..asked(HAND) };
    let question = Question::read(&rules("bga"), &given).unwrap();
    assert_eq!((question.view().seat(), question.view().hand().len()), (Seat::S0, 7));
    let lead = Asked { seat: Some(Seat::S1), ..given.clone() };
    names(&error("bga", &lead), &["--seat 1", "seat 0's turn to play"]);
    let open = Asked { auction: "82S", ..given.clone() };
    names(&error("bga", &open), &["not over", "seat 1's turn to call", "all calls"]);
    let short = Asked { hand: "JS 9S AS TS KD 7C 8C", ..given };
    names(&error("bga", &short), &["7 cards, expected 8", "those already played too"]);
}

/// Hearts are trump, and seat 1 plays them.
fn hearts(tricks: &str) -> Asked<'_> {
    Asked { auction: "P 82H P P P", tricks: Some(tricks), ..asked("JH 9H AH TH AD KD 7C 8C") }
}

#[test]
fn cards_that_cannot_have_been_played_are_named() {
    for (tricks, parts) in [
        // Seat 1 holds diamonds and threw a club on one.
        (
            "TD 7C 9D JD / 7D",
            &["trick 1, card 2, by seat 1", "7C", "must be followed", "legal: KD AD"] as &[&str],
        ),
        // Seat 2 threw a spade on a diamond, and has neither diamonds nor trumps.
        ("TD AD 7S JD / KD 7D 8D 9D", &["trick 2, card 2", "seat 2 plays 7D", "showed in trick 1"]),
        ("TD AD 7S JD / JH 7H 8H QH", &["trick 2, card 2", "seat 2 plays 7H", "showed in trick 1"]),
    ] {
        names(&error("bga", &hearts(tricks)), parts);
    }
    // No player can hold the remaining clubs.
    let none = Asked { auction: "82S P P P", tricks: Some("7C 7H 8H 9H"), ..asked(HAND) };
    names(&error("bga", &none), &["no deal fits", "--tricks"]);
}

#[test]
fn mistakes_of_belotes_are_named() {
    let with = |tricks, belote: &str| {
        let belotes = [belote.to_owned()];
        let asked = Asked { belotes: &belotes, ..hearts(tricks) };
        Question::read(&rules("bga"), &asked).map(|_| ()).map_err(|error| error.to_string())
    };
    assert_eq!(with("KH JH 7H 8H", "0"), Ok(()));
    for (tricks, belote, parts) in [
        ("KH JH 7H 8H", "2", &["seat 2 has played neither king nor queen of H"] as &[&str]),
        ("KH JH QH 8H", "0", &["seat 0", "or cannot hold both"]),
        ("KH JH 7H 8H", "1", &["follows from the hand"]),
        ("KH JH 7H 8H", "0:S", &["none in this contract"]),
        ("KH JH 7H 8H", "x", &["--belote", "`x`", "SEAT"]),
    ] {
        names(&with(tricks, belote).unwrap_err(), parts);
    }
}

#[test]
fn mistakes_of_melds_are_named() {
    let with = |tricks, melds, shown| {
        let asked = Asked { melds, shown, auction: "P 80H P P P", ..hearts(tricks) };
        Question::read(&rules("coinche-melds"), &asked).map_err(|error| error.to_string())
    };
    let done = "TD AD 9D JD";
    for (tricks, melds, shown) in [
        ("TD", Some("0:tierce"), None),
        // No other player has announced any: the own tierce scores.
        (done, None, None),
        (done, Some("0:tierce"), Some("1:9H TH JH")),
        (done, Some("0:fifty"), Some("0:TS JS QS KS")),
        (done, None, Some("2:QC KC AC")),
        (done, Some("0:tierce 2:tierce"), Some("none")),
    ] {
        let question = with(tricks, melds, shown).unwrap();
        assert_eq!(question.view().scored_melds().is_some(), tricks == done);
    }
    for (tricks, melds, shown, parts) in [
        ("TD", Some("2:tierce"), None, &["seat 2", "has played none"] as &[&str]),
        ("TD", Some("0:run"), None, &["--melds", "`0:run`", "SEAT:tierce"]),
        ("TD", Some("0:tierce 0:tierce 0:tierce"), None, &["seat 0", "more than two melds"]),
        (done, Some("1:carre"), None, &["seat 1 is asked", "no such melds: expected tierce"]),
        (done, Some("0:tierce"), None, &["both sides", "--shown", "none"]),
        ("TD", None, Some("none"), &["--shown", "first trick is over"]),
        (done, None, Some("0:QC KC"), &["no meld", "three or more"]),
        (done, None, Some("0:9H TH JH"), &["tierce", "seat 0", "in the hand"]),
        (done, None, Some("1:QC KC AC"), &["tierce", "seat 1", "is not in the hand"]),
        (done, None, Some("QC KC AC"), &["--shown", "`QC`", "SEAT:CARD"]),
        (done, None, Some("0:QC KX AC"), &["--shown, word 2", "`KX`"]),
    ] {
        names(&with(tricks, melds, shown).unwrap_err(), parts);
    }
    names(&error("bga", &Asked { melds: Some("0:tierce"), ..hearts("TD") }), &["--melds", "no melds"]);
    names(&error("bga", &Asked { shown: Some("none"), ..hearts(done) }), &["--shown", "no melds"]);
}

/// Words as people type them, most of them right somewhere.
fn word() -> impl Strategy<Value = String> {
    prop_oneof![
        12 => "[7-9TJQKA][CDHS]",
        3 => "P|X|XX|W|TAKE|TAKE [CDHS]|CAPOT[CDHS]|[0-9]{2,3}(C|D|H|S|SA|TA)",
        2 => "/",
        1 => "[0-4]:(P|X|tierce|carre|[7-9TJQKA][CDHS])",
        1 => "none|[ -~é]{0,5}",
    ]
}

fn words(most: usize) -> impl Strategy<Value = String> {
    proptest::collection::vec(word(), 0..most).prop_map(|words| words.join(" "))
}

/// Eight cards, or now and then anything.
fn hand() -> impl Strategy<Value = String> {
    let deck: Vec<String> = CardSet::FULL.into_iter().map(|card| card.to_string()).collect();
    let eight = proptest::sample::subsequence(deck, 8).prop_shuffle().prop_map(|cards| cards.join(" "));
    prop_oneof![6 => eight, 1 => words(10)]
}

/// An auction that ends, or anything.
fn auction() -> impl Strategy<Value = String> {
    let whole = ["P 90H P P P", "100S P P P", "P P TAKE", "82H X P P P", "110SA P P P"];
    prop_oneof![proptest::sample::select(whole.to_vec()).prop_map(str::to_owned), words(8)]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn no_question_panics(
        preset in proptest::sample::select(RuleSet::PRESETS.iter().map(|(name, _)| *name).collect::<Vec<_>>()),
        (hand, auction) in (hand(), auction()),
        tricks in proptest::option::of(words(14)),
        turned in proptest::option::of("[7-9TJQKA][CDHS]"),
        (seat, offered) in (proptest::option::of(0usize..4), proptest::option::of(0usize..4)),
        (melds, shown) in (proptest::option::of(words(4)), proptest::option::of(words(6))),
        belote in proptest::option::of("[0-4](:[CDHS])?"),
    ) {
        let belotes: Vec<String> = belote.into_iter().collect();
        let asked = Asked {
            auction: &auction,
            tricks: tricks.as_deref(),
            turned: turned.as_deref(),
            seat: seat.map(Seat::from_index),
            offered: offered.map(Seat::from_index),
            melds: melds.as_deref(),
            shown: shown.as_deref(),
            belotes: &belotes,
            ..asked(&hand)
        };
        match Question::read(&rules(preset), &asked) {
            Ok(question) => prop_assert!(!question.view().hand().is_empty()),
            Err(error) => prop_assert!(!error.to_string().is_empty()),
        }
    }

    /// Real tricks with one change find more bugs than random words.
    #[test]
    fn no_changed_deal_panics(
        preset in proptest::sample::select(RuleSet::PRESETS.iter().map(|(name, _)| *name).collect::<Vec<_>>()),
        seed in 0u64..1000,
        steps in 0usize..50,
        (at, by) in (0usize..40, "[7-9TJQKA][CDHS]|/|P|X|"),
    ) {
        let rules = rules(preset);
        let played = crate::advise::tests::some_question(&rules, seed, steps);
        let mut texts = [played.hand.clone(), played.auction.clone(), played.tricks.clone().unwrap_or_default()];
        let text = &mut texts[at % 3];
        let mut words: Vec<&str> = text.split(' ').collect();
        let at = at / 3 % words.len();
        words[at] = &by;
        *text = words.join(" ");
        let tricks = played.tricks.as_ref().map(|_| texts[2].as_str());
        let asked = Asked { auction: &texts[1], tricks, ..played.asked() };
        let asked = Asked { hand: &texts[0], ..asked };
        if let Err(error) = Question::read(&rules, &asked) {
            prop_assert!(!error.to_string().is_empty());
        }
    }
}
