//! Card play by hand: every sentence of `docs/rules.md`, "Card play", and every way to break one.

use coinche_engine::rules::PlayRules;
use coinche_engine::{
    Card, CardSet, Deal, DealState, IllegalPlay, Melds, Play, PlayError, PlayState, RuleSet, Seat, Strain,
    Turn, parse_hands,
};

/// The state after some cards of the first trick, led by seat 0.
fn after(rules: &PlayRules, strain: &str, hands: &str, trick: &str) -> PlayState {
    let strain: Strain = strain.parse().unwrap();
    let state = PlayState::new(rules, strain, parse_hands(hands).unwrap(), Seat::S0);
    trick.split_whitespace().fold(state, |state, card| state.play(card.parse().unwrap()).unwrap().0)
}

fn legal(rules: &PlayRules, strain: &str, hands: &str, trick: &str) -> String {
    after(rules, strain, hands, trick).legal_plays().to_string()
}

fn refused(rules: &PlayRules, strain: &str, hands: &str, trick: &str, card: &str) -> PlayError {
    let state = after(rules, strain, hands, trick);
    let card: Card = card.parse().unwrap();
    assert!(!state.legal_plays().contains(card));
    state.play(card).unwrap_err()
}

const FORCED: &PlayRules = &RuleSet::BGA.options().play;
const FREE: &PlayRules = &RuleSet::CONTREE.options().play;

#[test]
fn follow_suit() {
    let hands = "AC TC | 7C JH | KC 7D | QC 7S";
    assert_eq!(legal(FORCED, "H", hands, ""), "TC AC");
    assert_eq!(legal(FORCED, "H", hands, "AC"), "7C");
    assert!(matches!(refused(FORCED, "H", hands, "AC", "JH"), PlayError::MustFollow(_)));
    assert!(matches!(refused(FORCED, "H", hands, "AC", "KC"), PlayError::NotInHand(_)));
    // A plain suit need not be beaten.
    assert_eq!(legal(FORCED, "H", "7C 8D | AC 9C | KC 7D | QC 7S", "7C"), "9C AC");
}

#[test]
fn beat_a_trump_led() {
    let hands = "9H 7C | JH AH | TH KH | 7H 8H";
    assert_eq!(legal(FORCED, "H", hands, "9H"), "JH");
    assert!(matches!(refused(FORCED, "H", hands, "9H", "AH"), PlayError::MustBeat(_)));
    // Even when it is the partner's; and any trump when none is higher.
    assert_eq!(legal(FORCED, "H", "TH 7C | 7H 8C | AH KH | QH 8H", "TH 7H"), "AH");
    assert_eq!(legal(FORCED, "H", hands, "9H JH"), "TH KH");
    // In all trump any suit led; in no trump none.
    assert_eq!(legal(FORCED, "TA", "9C 7H | JC AC | 7D 8D | 9D TD", "9C"), "JC");
    assert_eq!(legal(FORCED, "SA", "9C 7H | JC AC | 7D 8D | 9D TD", "9C"), "JC AC");
}

#[test]
fn trump_and_overtrump() {
    let hands = "AC 7D | 8H JD | 9H 7H | QH AS";
    assert_eq!(legal(FORCED, "H", hands, "AC"), "8H");
    assert!(matches!(refused(FORCED, "H", hands, "AC", "JD"), PlayError::MustTrump(_)));
    assert_eq!(legal(FORCED, "H", hands, "AC 8H"), "9H");
    assert!(matches!(refused(FORCED, "H", hands, "AC 8H", "7H"), PlayError::MustOvertrump(_)));
    // Seat 3's partner, seat 1, is beaten by seat 2, an enemy with the nine: a lower trump is forced, or free.
    assert_eq!(legal(FORCED, "H", hands, "AC 8H 9H"), "QH");
    assert!(matches!(refused(FORCED, "H", hands, "AC 8H 9H", "AS"), PlayError::MustTrump(_)));
    assert_eq!(legal(FREE, "H", hands, "AC 8H 9H"), "QH AS");
    // Or forbidden, unless nothing else is left.
    let forbidden = &RuleSet::BGA.with_settings(["play.undertrump=forbidden"]).unwrap().play;
    assert_eq!(legal(forbidden, "H", hands, "AC 8H"), "9H");
    assert_eq!(legal(forbidden, "H", hands, "AC 8H 9H"), "AS");
    assert!(matches!(refused(forbidden, "H", hands, "AC 8H 9H", "QH"), PlayError::MustNotUndertrump(_)));
    assert_eq!(legal(forbidden, "H", "AC 7D | 8H JD | 9H 7H | QH TH", "AC 8H 9H"), "TH QH");
    // Under the partner's trump, too: over it, or another suit; a plain card of the partner may be trumped by any.
    assert_eq!(legal(forbidden, "H", "7C 7D 8D | 9H JD KD | 8C AS KS | QH JH 7S", "7C 9H 8C"), "JH 7S");
    assert_eq!(legal(forbidden, "H", "7C 7D | JH JD | 8C AS | QH TH", "7C JH 8C"), "TH QH");
    assert_eq!(legal(forbidden, "H", "AC 7D | 7C JD | 9H AS | QC 8S", "AC 7C"), "9H AS");
    // Neither follow nor trump; no trump and all trump.
    assert_eq!(legal(FORCED, "H", "AC 7D | 8S JD | 9H 7H | QH AS", "AC"), "JD 8S");
    assert_eq!(legal(FORCED, "SA", hands, "AC"), "JD 8H");
    assert_eq!(legal(FORCED, "TA", hands, "AC"), "JD 8H");
}

#[test]
fn the_partner_is_winning() {
    // Seat 2's partner holds the trick by the ace.
    let plain = "AC 7D | 7C JD | 9H AS | QC 8S";
    assert_eq!(legal(FORCED, "H", plain, "AC 7C"), "9H AS");
    // By a trump: anything; a hand of trumps only need not go over it, but under `overtrump`.
    let trumped = "7C 7D | QH JD | 8C AS | KH 9H";
    assert_eq!(legal(FORCED, "H", trumped, "7C QH 8C"), "9H KH");
    let hands = "7C 7D | KH JD | 8C AS | 9H 8H";
    assert_eq!(legal(FORCED, "H", hands, "7C KH 8C"), "8H 9H");
    let overtrump = &RuleSet::BGA.with_settings(["play.partner_trump=overtrump"]).unwrap().play;
    assert_eq!(legal(overtrump, "H", hands, "7C KH 8C"), "9H");
    assert!(matches!(refused(overtrump, "H", hands, "7C KH 8C", "8H"), PlayError::MustOvertrump(_)));
    assert_eq!(legal(overtrump, "H", "7C 7D | KH JD | 8C AS | 9H 8S", "7C KH 8C"), "9H 8S");
    assert_eq!(legal(overtrump, "H", "7C 7D | JH JD | 8C AS | 9H 8H", "7C JH 8C"), "8H 9H");
    let always = &RuleSet::BGA.with_settings(["play.partner_trump=always"]).unwrap().play;
    assert_eq!(legal(always, "H", plain, "AC 7C"), "9H");
    assert!(matches!(refused(always, "H", plain, "AC 7C", "AS"), PlayError::MustTrump(_)));
    assert_eq!(legal(always, "H", trumped, "7C QH 8C"), "9H KH");
    assert_eq!(legal(always, "H", hands, "7C KH 8C"), "9H");
    assert!(matches!(refused(always, "H", hands, "7C KH 8C", "8H"), PlayError::MustOvertrump(_)));
    // Under the partner's jack a lower trump is forced, not a discard; without trumps anything goes.
    assert_eq!(legal(always, "H", "7C 7D | JH JD | 8C AS | 9H 8S", "7C JH 8C"), "9H");
    assert_eq!(legal(always, "H", "7C 7D | JH JD | 8C AS | 9D 8S", "7C JH 8C"), "9D 8S");
    // The second player's partner has not played.
    assert_eq!(legal(FORCED, "H", trumped, "7C"), "QH");
}

#[test]
fn highest_trump_else_highest_of_the_suit_led() {
    for (strain, trick, winner) in [
        ("H", "7C AC TC KC", 1),
        ("H", "TC AD KC 7H", 3),
        ("H", "9H AH JH TH", 2),
        ("C", "8D TD JD KD", 1),
        ("SA", "7C AD AH AS", 0),
        ("SA", "TC JC AC 9C", 2),
        ("TA", "TC JD AC 9C", 3),
        ("TA", "7C JD JH JS", 0),
    ] {
        let cards: Vec<&str> = trick.split(' ').collect();
        let state = after(FORCED, strain, &cards.join(" | "), &cards[..3].join(" "));
        let (next, finished) = state.play(cards[3].parse().unwrap()).unwrap();
        assert_eq!(finished.unwrap().winner.index(), winner, "{strain}: {trick}");
        assert_eq!(next.leader().index(), winner);
        assert!(next.is_over() && next.legal_plays().is_empty());
        assert!(matches!(next.check("7C".parse().unwrap()), Err(PlayError::Over(_))));
    }
}

#[test]
fn illegal_plays_leave_the_deal_as_it_was() {
    let rules = RuleSet::COINCHE_MELDS;
    let hands = "7C 8C 9C JD JH JS JC TC | AC KC QC 7D 8D 9D TD QD | KD AD 7H 8H 9H TH QH KH | AH 7S 8S 9S TS QS KS AS";
    let deal = Deal::from_hands(&rules.deal, Seat::S3, parse_hands(hands).unwrap(), None).unwrap();
    let mut state = DealState::new(&rules, &deal);
    let card: Card = "JC".parse().unwrap();
    assert_eq!(state.play(card), Err(IllegalPlay::NotPlaying(card)));
    for call in ["80C", "P", "P", "P"] {
        state.call(call.parse().unwrap()).unwrap();
    }
    let wrong = state.play("AC".parse::<Card>().unwrap());
    assert!(matches!(wrong, Err(IllegalPlay::Card(PlayError::NotInHand(_)))));
    // Four jacks and 7 to T share the jack: announcing nothing is no choice.
    assert_eq!(state.meld_options(Seat::S0).len(), 2);
    let silent = Play { melds: Some(Melds::NONE), ..Play::from(card) };
    assert_eq!(state.play(silent), Err(IllegalPlay::Melds));
    assert!(state.announced_melds()[Seat::S0].is_empty());
    assert_eq!((state.turn(), state.legal_plays().len()), (Turn::Play(Seat::S0), 8));
    let second = state.meld_options(Seat::S0)[1];
    state.play(Play { melds: Some(second), ..Play::from(card) }).unwrap();
    assert_eq!(state.announced_melds()[Seat::S0], second);
    assert_eq!(state.view(Seat::S1).played(), CardSet::only(card));
}
