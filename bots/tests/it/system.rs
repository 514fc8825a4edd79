//! Systems as text: what is wrong with a file, what the shipped ones are for, what their calls mean.

use std::sync::Arc;

use coinche_bots::system::{Moment, SHIPPED, System};
use coinche_bots::worlds::{CallReader, Component, OpponentModel, Weigher, Worlds};
use coinche_bots::{Agent, Bidder, Registry, SystemBidder};
use coinche_engine::rules::DealMethod;
use coinche_engine::{
    Bid, Call, Card, CardSet, Deal, DealState, Deck, Key, Rank, RuleSet, Seat, Strain, Suit, Turn,
};

use crate::common::{fitted_rule_sets, size};

/// A file with a rule of these lines.
fn file(rule: &str) -> String {
    format!("name = \"x\"\n[[rule]]\n{rule}\n")
}

fn error(text: &str) -> String {
    System::read(text, &[]).expect_err(text).to_string()
}

#[test]
fn what_is_wrong_is_named_with_line_column_and_remedy() {
    let cases = [
        ("name = 3", "line 1, column 8: invalid type: integer"),
        ("name = \"x\"\nrule = 3", "line 2, column 8:"),
        ("nam = \"x\"", "line 1, column 1: unknown field `nam`"),
        (
            "name = \"x\"\nfloor = \"dd\"",
            "line 2, column 9: `floor` cannot be `dd`: expected rules, table, net or pass",
        ),
        (
            "name = \"x\"\nfor = [\"bga\", \"contre\"]",
            "line 2, column 15: `contre` is not a preset (did you mean `contree`?)",
        ),
        ("name = \"x\"\n[numbers]\nn = \"y\"", "line 3, column 5: expected a whole number, or a table"),
        (
            "name = \"x\"\n[numbers]\nn = { value = 9, from = 1, to = 3 }",
            "line 3, column 5: `n` = 9 is not in its range 1 to 3",
        ),
        ("name = \"x\"\n[numbers]\naces = 3", "line 3, column 8: `aces` already has a meaning"),
        ("name = \"x\"\n[numbers]\nJ9 = 3", "line 3, column 6: `J9` is not a name"),
        (
            "name = \"x\"\n[define]\na = \"b + 1\"\nb = \"c\"\nc = \"2 * a\"",
            "line 5, column 10: `a` is defined by itself: a → b → c → a",
        ),
        (
            "name = \"x\"\n[define]\na = \"acess\"",
            "line 3, column 6: `acess` is no word of systems, and neither under [define] nor under [numbers] (did you mean `aces`?)",
        ),
    ];
    let rules = [
        ("call = 80\nwhen = \"J and\"", "line 4, column 14: expected a condition or a number, found the end"),
        (
            "call = 80\nwhen = \"J and trumps\"",
            "line 4, column 15: `trumps` is a number, and a condition is needed: compare it, as in `trumps >= 1`",
        ),
        ("call = 80\nwhen = \"aces\"", "line 4, column 9: `aces` is a number"),
        ("call = 80\nwhen = \"trumps >= 3 J\"", "line 4, column 21: expected an operator"),
        ("call = 80\nwhen = '''\nJ and\n  trump_s >= 3'''", "line 6, column 3: `trump_s` is no word"),
        (
            "call = 80\nwhen = \"9A\"",
            "line 4, column 9: expected a word for cards that begins with a letter, such as `J9` or `nine`, found `9A`",
        ),
        ("call = 80\nwhen = \"J § 3\"", "line 4, column 11: `§` has no meaning here"),
        ("call = 80\nwhen = \"aces >= 1000000\"", "line 4, column 17: 1000000 is too large"),
        (
            "call = 80\nwhen = \"aces / voids = 1\"",
            "line 4, column 16: only a number from 1 up can be divided by",
        ),
        ("call = 80\nwhen = \"anny(J)\"", "line 4, column 9: `anny(` is no function (did you mean `any`?)"),
        ("call = 80\nwhen = \"min(1) = 1\"", "line 4, column 9: `min` takes 2 in its parentheses, not 1"),
        ("call = 80\nwhen = \"(J\"", "line 4, column 11: expected `)`, found the end"),
        ("call = 80\nwhen = \"trump(J=8, J=6) > 3\"", "line 4, column 20: `J` already has a meaning"),
        (
            "call = \"pass\"\nwhen = \"aces = 0 and trumps < 3\"",
            "line 4, column 22: `trumps` is about a suit, and here none is in question: look at one with any(…)",
        ),
        (
            "call = 90\nin = \"SA\"\nwhen = \"J and aces >= 3\"",
            "line 5, column 9: `J` is about a trump suit, and this rule is for SA or TA alone",
        ),
        ("call = 85", "line 3, column 8: 85 is not a level"),
        ("call = \"80 or 90\"", "line 3, column 9: `80` is a number"),
        ("call = \"aces >= 3\"", "line 3, column 8: expected a level"),
        ("call = 80\nin = \"hearts\"", "line 4, column 6: `in` cannot be `hearts`"),
        ("call = 80\nin = \"none\"", "line 3, column 8: a bid names a suit"),
        ("call = 80\nwhat = 3", "unknown field `what`"),
        ("when = \"J\"", "missing field `call`"),
        ("call = 80\nname = \"\"", "line 4, column 8: `name` must have 1 to 80 characters"),
        ("call = 80\nname = \"a\"\n[[rule]]\ncall = 90\nname = \"a\"", "two rules have the name `a`"),
    ];
    for (text, expected) in cases {
        assert!(error(text).contains(expected), "{text}\n  {}\n  {expected}", error(text));
    }
    for (rule, expected) in rules {
        let found = error(&file(rule));
        assert!(found.contains(expected), "{rule}\n  {found}\n  {expected}");
    }
}

#[test]
fn calls_have_french_names_too() {
    for (english, french) in
        [("pass", "passe"), ("coinche", "contre"), ("surcoinche", "Surcontre"), ("take", "prend")]
    {
        let rule = |call: &str| System::read(&file(&format!("call = \"{call}\"\nwhen = \"aces >= 1\"")), &[]);
        // Under these rules both are for the same games.
        let fits = |call: &str| {
            let system = rule(call).unwrap();
            RuleSet::PRESETS.map(|(_, rules)| system.is_for(&rules, 0))
        };
        assert_eq!(fits(english), fits(french), "{french}");
    }
}

#[test]
fn what_is_too_much_is_refused_and_not_computed() {
    let nested = format!("call = 80\nwhen = \"{}J{}\"", "(".repeat(200), ")".repeat(200));
    assert!(error(&file(&nested)).contains("nested more than"));
    let long = format!("call = 80\nwhen = \"{}\"", vec!["J"; 5000].join(" or "));
    assert!(error(&file(&long)).contains("nested more than"));
    // Each definition doubles the one before.
    let mut text = "name = \"x\"\n[define]\nd0 = \"aces\"\n".to_owned();
    for n in 1..60 {
        let before = n - 1;
        text = text + "d" + &n.to_string() + &format!(" = \"d{before} + d{before}\"\n");
    }
    assert!(error(&text).contains("takes more than"), "{}", error(&text));
    // As deep as it may be: a chain in the first place of chains is read, printed and asked without much stack.
    let mut deep = "aces".to_owned();
    for sign in [" + 1", " - 1"].into_iter().cycle().take(50) {
        deep = format!("({deep}{})", sign.repeat(2).trim_end());
    }
    deep = deep.replacen("1 + 1)", "1)", 1);
    let small = std::thread::Builder::new().stack_size(1 << 20);
    let read = small.spawn(move || {
        let node = coinche_bots::system::expression(&deep).unwrap();
        assert_eq!(coinche_bots::system::expression(&node.to_string()), Ok(node));
        let system = System::read(&file(&format!("call = 80\nbest = \"{deep}\"")), &[]).unwrap();
        let state = after(&RuleSet::CONTREE, "", 1);
        let view = state.view(Seat::S0);
        let moment = Moment::of(&view, &state.legal_calls());
        assert!(system.decide(&moment, view.hand()).is_some());
    });
    assert!(read.unwrap().join().is_ok());
    let many = "[[rule]]\ncall = 80\n".repeat(500);
    assert!(error(&format!("name = \"x\"\n{many}")).contains("more than 400 rules"));
    assert!(error(&"#".repeat(300_000)).contains("more than 200000 bytes"));
}

#[test]
fn what_the_rules_do_not_have_is_refused_unless_it_is_left_out() {
    let check = |rule: &str, rules: &RuleSet| System::read(&file(rule), &[]).unwrap().check(rules);
    let refused = |rule: &str, rules: &RuleSet| check(rule, rules).unwrap_err().to_string();
    let sa = refused("in = \"SA\"\ncall = 80\nwhen = \"aces >= 3\"", &RuleSet::CONTREE);
    assert!(
        sa.starts_with("line 3, column 6: rule `rule 1` is for SA") && sa.contains("`has_sa and`"),
        "{sa}"
    );
    assert_eq!(check("in = \"SA\"\ncall = 80\nwhen = \"aces >= 3\"", &RuleSet::BGA), Ok(()));
    // Left out: then there must be another rule.
    let guarded = "in = \"suits, TA\"\ncall = 80\nwhen = \"has_ta and jacks >= 3\"";
    assert!(refused(guarded, &RuleSet::CONTREE).contains("add a rule whose call is a level"));
    assert_eq!(check(&format!("{guarded}\n[[rule]]\ncall = 90"), &RuleSet::CONTREE), Ok(()));
    let cases = [
        ("call = \"capot\"", "calls capot", "has_capot"),
        ("call = \"wait\"", "calls wait", "has_wait"),
        ("call = 170", "calls 170", "highest >= 170"),
    ];
    let no_capot = RuleSet::BGA.with(|rules| rules.auction.capot = false).unwrap();
    for (rule, what, guard) in cases {
        let text = refused(rule, &no_capot);
        assert!(text.contains(what) && text.contains(guard), "{text}");
        assert_eq!(check(&format!("{rule}\nwhen = \"{guard}\"\n[[rule]]\ncall = 80"), &no_capot), Ok(()));
    }
    assert!(refused("call = 80", &RuleSet::BELOTE).contains("add a rule whose call is `take`"));
    assert!(refused("call = \"take\"", &RuleSet::BGA).contains("add a rule whose call is a level"));
    let bot = |spec: &str| Registry::builtin().parse(spec).unwrap();
    assert!(bot("rules").check_rules(&RuleSet::BELOTE).is_ok());
    assert!(bot("system+rules").check_rules(&RuleSet::BELOTE).is_ok());
}

#[test]
fn a_broken_file_is_no_bot() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("club.toml");
    let parse = |params: &str| Registry::builtin().parse(&format!("system:{params}+rules"));
    let refused = |params: &str| parse(params).unwrap_err().to_string();
    let named = format!("file={}", path.display());
    assert!(refused(&named).contains("cannot read the system"));
    std::fs::write(&path, file("call = 80\nwhen = \"acess >= 1\"")).unwrap();
    assert!(refused(&named).contains("club.toml: line 4, column 9: `acess`"), "{}", refused(&named));
    std::fs::write(&path, [0xff, 0xfe]).unwrap();
    assert!(refused(&named).contains("cannot read the system"));
    let text = "name = \"x\"\n[numbers]\nleast = { value = 3, from = 1, to = 5 }\n[[rule]]\nwhen = \"trumps >= least\"\ncall = 80\n";
    std::fs::write(&path, text).unwrap();
    let spec = parse(&named).unwrap();
    assert_eq!(spec.param("least").unwrap().as_deref(), Some("3"));
    assert!(spec.with_param("least", "4").unwrap().as_str().ends_with(",least=4+rules"));
    assert!(spec.with_param("least", "6").unwrap_err().to_string().contains("1 to 5"));
    assert!(spec.with_param("least", "1.5").unwrap_err().to_string().contains("whole numbers from 1 to 5"));
    assert!(spec.with_param("most", "1").unwrap_err().to_string().contains("least"));
    assert!(refused(&format!("{named},most=3")).contains("no parameter `most`"));
    assert!(refused(&format!("{named},name=x")).contains("leave out `name`"));
    assert!(refused("name=sound-beginer").contains("did you mean `sound-beginner`?"));
}

#[test]
fn numbers_change_what_is_called() {
    let text = "name = \"x\"\nfloor = \"pass\"\n[numbers]\nleast = 3\n[[rule]]\nwhen = \"trumps >= least\"\ncall = 80\n";
    let hand: CardSet = "7H 8H QH KC AC 7D 8D 7S".parse().unwrap();
    for (least, bids) in [(3, true), (4, false)] {
        let system = System::read(text, &[("least".to_owned(), least)]).unwrap();
        let deal = Deal::new(&RuleSet::CONTREE.deal, Deck::sorted(), Seat::S3);
        let mut state = DealState::new(&RuleSet::CONTREE, &deal);
        state.suppose(Seat::S0, hand);
        let moment = Moment::of(&state.view(Seat::S0), &state.legal_calls());
        assert_eq!(system.decide(&moment, hand).is_some(), bids);
    }
}

/// The state in which a seat is to call after these calls, with any cards.
fn after(rules: &RuleSet, calls: &str, index: u64) -> DealState {
    let deal = Deal::new(&rules.deal, Deck::shuffled(5, index), Seat::S3);
    let mut state = DealState::new(rules, &deal);
    for call in calls.split_whitespace() {
        state.call(call.parse().unwrap()).unwrap();
    }
    state
}

#[test]
fn levels_are_tens_of_the_ladder() {
    let calls = |call: &str, rules: &RuleSet, before: &str| {
        let system = System::read(&file(&format!("call = \"{call}\"\nwhen = \"J\"")), &[]).unwrap();
        let state = after(rules, before, 1);
        let hand: CardSet = "JH 9H AH 7C 8C 7D 8D 7S".parse().unwrap();
        let Turn::Call(seat) = state.turn() else { unreachable!() };
        let moment = Moment::of(&state.view(seat), &state.legal_calls());
        system.decide(&moment, hand).map(|claim| claim.call.to_string())
    };
    let some = |text: &str| Some(text.to_owned());
    assert_eq!(calls("80", &RuleSet::BGA, ""), some("82H"));
    assert_eq!(calls("82", &RuleSet::CONTREE, ""), some("80H"));
    assert_eq!(calls("90", &RuleSet::BGA, ""), some("90H"));
    assert_eq!(calls("80", &RuleSet::BGA, "82C"), None);
    assert_eq!(calls("level + 10", &RuleSet::BGA, "82C"), some("90H"));
    assert_eq!(calls("level + 20", &RuleSet::BGA, "82C"), some("100H"));
    assert_eq!(calls("next", &RuleSet::BGA, "110C"), some("120H"));
    assert_eq!(calls("90 + 9 * aces", &RuleSet::CONTREE, ""), some("90H"));
    assert_eq!(calls("level + 50", &RuleSet::CONTREE, "160C"), None);
    assert_eq!(calls("500", &RuleSet::CONTREE, "150C"), some("160H"));
    assert_eq!(calls("capot", &RuleSet::CONTREE, "160C"), some("CAPOTH"));
    assert_eq!(calls("70", &RuleSet::CONTREE, ""), None);
}

#[test]
fn the_best_suit_has_an_order_that_no_name_changes() {
    let system = System::read(&file("call = 80\nwhen = \"trumps >= 2\""), &[]).unwrap();
    let called = |hand: &str, before: &str| {
        let state = after(&RuleSet::CONTREE, before, 1);
        let Turn::Call(seat) = state.turn() else { unreachable!() };
        let moment = Moment::of(&state.view(seat), &state.legal_calls());
        system.decide(&moment, hand.parse().unwrap()).unwrap().call.to_string()
    };
    // The most points as trump; then more cards; then the stronger ones.
    assert_eq!(called("JC 7C AD TD KD QD 7H 7S", ""), "80D");
    assert_eq!(called("JC AC 7C AD TD KD 7H 7S", ""), "80C");
    assert_eq!(called("9C 7C AD QD 8H 7H 8S 7S", ""), "80C");
    assert_eq!(called("KC 8C 7C KD 8D 7H 8S QS", ""), "80C");
    assert_eq!(called("KC 8C KD 7D QH 8H QS 7S", ""), "80C");
    assert_eq!(called("KD 8D KC 7C QS 8S QH 7H", ""), "80D");
}

#[test]
fn shipped_systems_are_right_under_the_presets_that_they_are_for() {
    let mut last = "";
    for shipped in SHIPPED {
        assert!(last < shipped.name, "in alphabetical order");
        last = shipped.name;
        let system =
            System::read(shipped.text, &[]).unwrap_or_else(|error| panic!("{}: {error}", shipped.name));
        assert!(!system.presets().is_empty() && !system.about().is_empty() && !system.source().is_empty());
        for (preset, rules) in RuleSet::PRESETS {
            let checked = system.check(&rules);
            if system.presets().contains(&preset) {
                assert_eq!(checked, Ok(()), "{} under {preset}", shipped.name);
            }
        }
        // Every file of the folder is shipped.
        let path = format!("{}/systems/{}.toml", env!("CARGO_MANIFEST_DIR"), shipped.name);
        assert_eq!(std::fs::read_to_string(path).unwrap(), shipped.text);
    }
    let folder = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/systems")).unwrap();
    let files =
        folder.filter(|entry| entry.as_ref().unwrap().path().extension().is_some_and(|it| it == "toml"));
    assert_eq!(files.count(), SHIPPED.len());
}

#[test]
fn shipped_systems_call_legally_under_all_rules() {
    for (name, rules) in fitted_rule_sets() {
        for shipped in SHIPPED {
            let mut bidder = SystemBidder::new(Arc::new(shipped.read()));
            for index in 0..size(20, 200) {
                let dealer = Seat::from_index(usize::try_from(index % 4).unwrap());
                let deal = Deal::new(&rules.deal, Deck::shuffled(6, index), dealer);
                let mut state = DealState::new(&rules, &deal);
                while let Turn::Call(seat) = state.turn() {
                    let call = bidder.call(&state.view(seat), &state.legal_calls(), Key::from_bits(0));
                    assert!(state.call(call).is_ok(), "{} {name}: {call}", shipped.name);
                }
            }
        }
    }
}

#[test]
fn what_no_rule_covers_is_called_as_the_floor_calls() {
    let mut differ = 0;
    for (name, rules) in fitted_rule_sets() {
        let mut auctions = Vec::new();
        for floor in ["rules", "table", "net"] {
            let text = format!(
                "name = \"x\"\nfloor = \"{floor}\"\n[[rule]]\nwhen = \"aces > 4\"\ncall = \"pass\"\n"
            );
            let system = Arc::new(System::read(&text, &[]).unwrap());
            assert_eq!(system.floor().name(), floor);
            let mut bidder = SystemBidder::new(system);
            let mut other = Registry::builtin().parse(&format!("{floor}+rules")).unwrap().build().bidder;
            for index in 0..size(12, 100) {
                let dealer = Seat::from_index(usize::try_from(index % 4).unwrap());
                let deal = Deal::new(&rules.deal, Deck::shuffled(7, index), dealer);
                let mut state = DealState::new(&rules, &deal);
                bidder.start();
                other.start();
                while let Turn::Call(seat) = state.turn() {
                    let (view, legal) = (state.view(seat), state.legal_calls());
                    let call = bidder.call(&view, &legal, Key::from_bits(0));
                    assert_eq!(call, other.call(&view, &legal, Key::from_bits(0)), "{name}, {floor}");
                    state.call(call).unwrap();
                    auctions.push((floor, index, call));
                }
            }
        }
        let of = |floor| {
            auctions.iter().filter(move |(other, ..)| *other == floor).map(|(_, n, call)| (*n, *call))
        };
        // In the turn-up game the network says what the table says.
        if rules.deal.method == DealMethod::TurnUp {
            assert!(of("table").eq(of("net")), "{name}");
        } else {
            differ += u32::from(!of("rules").eq(of("net"))) + u32::from(!of("table").eq(of("net")));
        }
    }
    assert!(differ > 10, "{differ}");
}

/// The suit after this one, with all others.
fn renamed(card: Card) -> Card {
    Card::new(Suit::from_index((card.suit().index() + 1) % 4), card.rank())
}

fn renamed_call(call: Call) -> Call {
    match call {
        Call::Bid(bid) => {
            let next = |suit: Suit| Strain::of(Suit::from_index((suit.index() + 1) % 4));
            Call::Bid(Bid::new(bid.value, bid.strain.trump().map_or(bid.strain, next)))
        }
        Call::TakeIn(suit) => Call::TakeIn(Suit::from_index((suit.index() + 1) % 4)),
        other => other,
    }
}

/// Tests if two suits are alike in a hand, so that either may be taken.
fn has_twins(hand: CardSet) -> bool {
    let ranks = |suit: Suit| hand.of(suit).into_iter().map(Card::rank).collect::<Vec<_>>();
    let all = Suit::ALL.map(ranks);
    (0..4).any(|a| (0..a).any(|b| all[a] == all[b]))
}

#[test]
fn renaming_suits_renames_calls() {
    let mut compared = 0;
    for (name, rules) in RuleSet::PRESETS {
        for shipped in SHIPPED {
            let system = shipped.read();
            for index in 0..size(30, 300) {
                let deal = Deal::new(&rules.deal, Deck::shuffled(7, index), Seat::S2);
                let deck = Deck::from_cards(deal.deck().cards().map(renamed)).unwrap();
                let mut state = DealState::new(&rules, &deal);
                let mut other = DealState::new(&rules, &Deal::new(&rules.deal, deck, Seat::S2));
                let mut key = Key::from_bits(index);
                while let Turn::Call(seat) = state.turn() {
                    let decide = |state: &DealState| {
                        let (view, legal) = (state.view(seat), state.legal_calls());
                        let claim = system.decide(&Moment::of(&view, &legal), view.first_hand());
                        claim.map(|claim| (claim.rule, claim.call))
                    };
                    let (one, two) = (decide(&state), decide(&other));
                    if !has_twins(state.view(seat).hand()) {
                        let expected = one.map(|(rule, call)| (rule, renamed_call(call)));
                        assert_eq!(two, expected, "{} {name} {index}", shipped.name);
                        compared += 1;
                    }
                    key = key.and(1);
                    let call = one.map_or(Call::Pass, |(_, call)| call);
                    state.call(call).unwrap();
                    other.call(renamed_call(call)).unwrap();
                }
            }
        }
    }
    assert!(compared > 500, "{compared}");
}

#[test]
fn worlds_hold_what_the_calls_promise() {
    // The partner opens 100 with jack, nine and ace of trumps, and with nothing else.
    let text =
        "name = \"x\"\nfloor = \"pass\"\n[[rule]]\nwhen = \"opening and J9A and trumps >= 4\"\ncall = 100\n";
    let system = Arc::new(System::read(text, &[]).unwrap());
    let bidder = || SystemBidder::new(Arc::clone(&system));
    let (mut drawn, mut promised) = (0, 0);
    for index in 0..size(6, 40) {
        let hand: CardSet = "7C 8C TC AD 7D KH QS 8S".parse().unwrap();
        let mut state = after(&RuleSet::CONTREE, "100H P", index);
        state.suppose(Seat::S2, hand);
        let view = state.view(Seat::S2);
        let worlds = Worlds::of(&view);
        let mut rng = Key::from_bits(index).rng();
        let mut model = OpponentModel::new(Box::new(bidder()), None);
        let mut weigher = Weigher::new(&worlds, &mut model);
        let (mut all, mut with) = (0.0, 0.0);
        for _ in 0..size(4_000, 20_000) {
            let hands = worlds.hands(&mut rng);
            let weight = weigher.weight(&worlds, &hands, 0.0, &mut rng);
            let hearts = hands[Seat::S0].of(Suit::Hearts);
            let has = |rank| hearts.contains(Card::new(Suit::Hearts, rank));
            let holds = has(Rank::Jack) && has(Rank::Nine) && has(Rank::Ace) && hearts.len() >= 4;
            assert!(weight > 0.0, "no call leaves no world");
            all += weight;
            with += if holds { weight } else { 0.0 };
        }
        drawn += 1;
        promised += usize::from(with / all > 0.5);
    }
    assert_eq!(drawn, promised);
}

#[test]
fn the_partners_system_is_read_of_the_partner_alone() {
    let text =
        "name = \"x\"\nfloor = \"pass\"\n[[rule]]\nwhen = \"opening and J9A and trumps >= 4\"\ncall = 100\n";
    let system = Arc::new(System::read(text, &[]).unwrap());
    let rules = || Registry::builtin().parse("rules").unwrap().build().bidder;
    let mut alone = OpponentModel::new(rules(), None);
    let mut agreed = OpponentModel::new(rules(), None).with_partner(vec![Component {
        weight: 1.0,
        reader: CallReader::Bot(Box::new(SystemBidder::new(system))),
    }]);
    let (mut differ, mut compared) = (0, 0);
    // The opener's partner, and the opponent who is asked before.
    for (seat, calls) in [(Seat::S2, "100H P"), (Seat::S1, "100H")] {
        let state = after(&RuleSet::CONTREE, calls, 3);
        let view = state.view(seat);
        let worlds = Worlds::of(&view);
        let mut rng = Key::from_bits(4).rng();
        for _ in 0..200 {
            let deal = worlds.deal(&mut rng);
            let hearts = deal.hands()[Seat::S0].of(Suit::Hearts);
            let has = |rank| hearts.contains(Card::new(Suit::Hearts, rank));
            let promised = has(Rank::Jack) && has(Rank::Nine) && has(Rank::Ace) && hearts.len() >= 4;
            let weights = [agreed.weight(&view, &deal), alone.weight(&view, &deal)];
            if seat == Seat::S1 {
                assert_eq!(weights[0].to_bits(), weights[1].to_bits(), "an opponent's call is no agreement");
                compared += 1;
            } else {
                differ += usize::from(weights[0].to_bits() != weights[1].to_bits());
                // The opponent's pass is read alike by both.
                assert!(promised || weights[0] <= 0.03, "{}", weights[0]);
            }
        }
    }
    assert!(compared == 200 && differ > 20, "{compared} {differ}");
}

#[test]
fn searches_read_calls_by_a_system() {
    let parse = |spec: &str| Registry::builtin().parse(spec);
    for spec in [
        "rules+pimc:worlds=2,model=table",
        "rules+pimc:worlds=2,model=system:name=colver-balanced,partner=rules",
        "system+mc:worlds=2,partner=system",
    ] {
        assert!(parse(spec).is_ok(), "{spec}");
    }
    let error = |spec: &str| parse(spec).unwrap_err().to_string();
    assert!(error("rules+pimc:model=dd").contains("rules, table, net, or a system"));
    assert!(error("rules+pimc:model=systems").contains("rules, table, net, or a system"));
    assert!(error("rules+pimc:partner=system:name=x").contains("there is no system `x`"));
    let drawn = error("system:name=drawn-007");
    assert!(drawn.contains("drawn-N (N: 0 to 999999999, without leading zeros)"), "{drawn}");
    assert!(error("rules+pimc:partner=system:file=none.toml").contains("cannot read the system none.toml"));
}

#[test]
fn what_is_wrong_with_a_promise_is_named_with_its_place() {
    let promise = |lines: &str| format!("name = \"x\"\n[[promise]]\n{lines}\n");
    for (lines, expected) in [
        ("when = \"opening\"", "line 2, column 1: missing field `shows`"),
        ("shows = \"trumps\"", "line 3, column 10: `trumps` is a number, and a condition is needed"),
        ("shows = \"J\"\ncall = 80", "line 4, column 1: unknown field `call`"),
        (
            "in = \"partner\"\nshows = \"J\"",
            "line 3, column 6: a promise is about bids of some strains: `in` must be suits, SA, TA, or several with commas between, not `partner`",
        ),
        ("in = \"SA\"\nshows = \"trumps > 2\"", "line 4, column 10: "),
    ] {
        let text = error(&promise(lines));
        assert!(text.starts_with(expected), "{lines}: {text}");
    }
    let promises = System::read(&promise("shows = \"J\""), &[]).unwrap();
    assert!(promises.rules().is_empty());
    // Nor does it claim anything of any hand.
    let state = DealState::new(&RuleSet::BGA, &Deal::new(&RuleSet::BGA.deal, Deck::shuffled(1, 1), Seat::S0));
    let Turn::Call(seat) = state.turn() else { panic!("a call") };
    let moment = Moment::of(&state.view(seat), &state.legal_calls());
    let hands = [state.view(seat).first_hand()];
    assert!(promises.claims(&moment, hands[0]).is_empty());
    let mut at = promises.at(&moment);
    at.claims(&hands, |_, claims| assert!(claims.is_empty()));
}

/// What four bots call, with the state before each call.
fn auctions(bot: &str, rules: &RuleSet, deals: u64, mut each: impl FnMut(&DealState, Seat, Call)) {
    let mut bidder = Registry::builtin().parse_bidder(bot).unwrap().build().bidder;
    for index in 0..deals {
        let dealer = Seat::from_index(usize::try_from(index % 4).unwrap());
        let mut state = DealState::new(rules, &Deal::new(&rules.deal, Deck::shuffled(9, index), dealer));
        bidder.start();
        while let Turn::Call(seat) = state.turn() {
            let call = bidder.call(&state.view(seat), &state.legal_calls(), Key::from_bits(0));
            each(&state, seat, call);
            state.call(call).unwrap();
        }
    }
}

#[test]
fn natural_bids_show_what_they_name() {
    // By the cards themselves: a suit that its side names first has its jack or nine, no trump an ace, all trump a jack.
    let shows = |state: &DealState, seat: Seat, bid: Bid| {
        let hand = state.view(seat).first_hand();
        let has = |rank: Rank| !(hand & CardSet::rank(rank)).is_empty();
        let named = state.auction().calls().iter().any(|(caller, call)| {
            caller.team() == seat.team() && matches!(call, Call::Bid(other) if other.strain == bid.strain)
        });
        named
            || match bid.strain {
                Strain::NoTrump => has(Rank::Ace),
                Strain::AllTrump => has(Rank::Jack),
                strain => {
                    let suit = hand.of(strain.trump().unwrap());
                    !(suit & (CardSet::rank(Rank::Jack) | CardSet::rank(Rank::Nine))).is_empty()
                }
            }
    };
    let (mut all, mut others) = (0, 0);
    for (name, rules) in fitted_rule_sets() {
        let count = |bot: &str| {
            let (mut bids, mut bare) = (0, 0);
            auctions(bot, &rules, size(400, 4000), |state, seat, call| {
                if let Call::Bid(bid) = call {
                    bids += 1;
                    bare += u32::from(!shows(state, seat, bid));
                }
            });
            (bids, bare)
        };
        for bot in ["champion:style=natural", "net:style=natural", "system:name=natural"] {
            let (bids, bare) = count(bot);
            assert_eq!(bare, 0, "{name}, {bot}, of {bids}");
            assert!(bids > 0 || rules.deal.method == DealMethod::TurnUp, "{name}, {bot}");
            all += bids;
        }
        others += count("net").1;
    }
    assert!(all > 10_000 && others > 100, "{all} {others}");
}

#[test]
fn the_floor_keeps_promises_whoever_it_is() {
    // Nobody may bid a suit without its ace: a promise that cuts into what every floor bids.
    for floor in ["rules", "table", "net"] {
        let text = format!("name = \"x\"\nfloor = \"{floor}\"\n[[promise]]\nshows = \"A\"\n");
        let mut bidder = SystemBidder::new(Arc::new(System::read(&text, &[]).unwrap()));
        let (mut bids, mut others) = (0, 0);
        auctions(&format!("{floor}+rules"), &RuleSet::BGA, size(300, 3000), |state, seat, free| {
            bidder.start();
            let call = bidder.call(&state.view(seat), &state.legal_calls(), Key::from_bits(0));
            others += u32::from(call != free);
            if let Call::Bid(bid) = call
                && let Some(suit) = bid.strain.trump()
            {
                bids += 1;
                assert!(state.view(seat).first_hand().contains(Card::new(suit, Rank::Ace)), "{floor}");
            }
        });
        assert!(bids > 50 && others > 50, "{floor}: {bids} {others}");
    }
}

#[test]
fn styles_are_files_with_promises() {
    let registry = Registry::builtin();
    let refused = |spec: &str| registry.parse(spec).map(drop).unwrap_err().to_string();
    let text = refused("champion:style=relay");
    assert!(text.contains("cannot read relay") && text.contains("free, natural, or the file"), "{text}");
    let file = format!("{}/../systems/sound-beginner.toml", env!("CARGO_MANIFEST_DIR"));
    let text = refused(&format!("net:style={file}+rules"));
    assert!(text.contains("has no [[promise]]"), "{text}");
    assert!(registry.parse("champion:style=natural,time=1ms").is_ok());
    // Each name once, though both halves know it.
    let text = refused("champion:styl=natural");
    assert!(text.ends_with("expected style, time"), "{text}");
}
