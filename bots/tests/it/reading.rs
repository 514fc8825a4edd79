//! By whose calls the bidders that search read those of the others, and what chances they tell.

use coinche_bots::{Agent as _, Bidder, Choice, Registry, Thought};
use coinche_engine::rules::DealMethod;
use coinche_engine::{Call, Deal, DealState, Deck, Key, RuleSet, Seat, Turn};

use crate::common::size;

fn bidder(spec: &str) -> Box<dyn Bidder> {
    Registry::builtin().parse(&format!("{spec}+rules")).unwrap().build().bidder
}

/// What a bidder calls and thinks at every turn of auctions that `rules` bids.
fn decisions(spec: &str, rules: &RuleSet, deals: u64) -> Vec<(Call, Option<Thought>)> {
    let (mut asked, mut others) = (bidder(spec), bidder("rules"));
    let mut made = Vec::new();
    for index in 0..deals {
        let dealer = Seat::from_index(usize::try_from(index % 4).unwrap());
        let mut state = DealState::new(rules, &Deal::new(&rules.deal, Deck::shuffled(19, index), dealer));
        while let Turn::Call(seat) = state.turn() {
            let (view, legal) = (state.view(seat), state.legal_calls());
            let key = Key::decisions(19, index, seat).and(state.auction().calls().len() as u64);
            asked.start();
            made.push((asked.call(&view, &legal, key), asked.thought().cloned()));
            let call = others.call(&view, &legal, key);
            state.call(call).unwrap();
        }
    }
    made
}

#[test]
fn a_model_that_is_named_is_read_by_and_the_own_one_is_the_default() {
    for rules in [RuleSet::BGA, RuleSet::COINCHE_MELDS, RuleSet::BELOTE] {
        for (spec, own, others) in [
            ("dd:worlds=2,pool=6", "table", ["rules", "net", "system:name=jack-or-nine"]),
            ("mc:worlds=3,pool=6", "net", ["rules", "table", "system:name=jack-or-nine"]),
            ("mc:worlds=3,pool=6,bids=table", "table", ["rules", "net", "system"]),
            ("ismcts:iterations=3,pool=6", "net", ["rules", "table", "system:name=jack-or-nine"]),
        ] {
            let deals = size(3, 20);
            let said = decisions(spec, &rules, deals);
            for same in
                ["model=own", "model=own,partner=own", &format!("model={own}"), &format!("partner={own}")]
            {
                assert_eq!(said, decisions(&format!("{spec},{same}"), &rules, deals), "{spec}, {same}");
            }
            let mut of_partner = 0;
            for other in others {
                let differs =
                    |setting: &str| decisions(&format!("{spec},{setting}={other}"), &rules, deals) != said;
                // In the turn-up game there may be nothing but passes to read.
                assert!(differs("model") || rules == RuleSet::BELOTE, "{spec}, {other}");
                of_partner += u32::from(differs("partner"));
            }
            assert!(of_partner > 0 || rules == RuleSet::BELOTE, "{spec}");
        }
    }
}

#[test]
fn nothing_is_read_where_nothing_is_to_be() {
    let said = |spec: &str| decisions(spec, &RuleSet::BGA, 3);
    let nothing = said("mc:worlds=4,read=none");
    assert_eq!(nothing, said("mc:worlds=4,read=none,model=rules,partner=system"));
    assert_ne!(nothing, said("mc:worlds=4"));
}

#[test]
fn what_is_no_model_is_refused() {
    let error = |spec: &str| Registry::builtin().parse(spec).unwrap_err().to_string();
    for bidder in ["dd", "mc", "ismcts"] {
        assert!(error(&format!("{bidder}:model=dd+rules")).contains("rules, table, net, or a system"));
        assert!(error(&format!("{bidder}:partner=systems+rules")).contains("as model"));
        assert!(error(&format!("{bidder}:partner=system:name=x+rules")).contains("there is no system `x`"));
        let unread = error(&format!("{bidder}:model=system:file=none.toml+rules"));
        assert!(unread.contains("cannot read the system none.toml"), "{unread}");
    }
    // A parameter of both halves is for both, and has the values that both take.
    assert!(Registry::builtin().parse("mc:worlds=2,model=table,partner=system").is_ok());
    assert!(error("mc:worlds=2,model=own").contains("`model` cannot be `own`"));
}

/// What `net` tells of a chance, by the table of the file: between its tenths by a line.
fn corrected(preset: &str, is_bid: bool, chance: f64) -> f64 {
    let rows = include_str!("../../data/scores.txt").lines();
    let row = { rows }.find(|row| row.starts_with(&format!("net {preset} "))).unwrap();
    let words = row.split(' ').skip(if is_bid { 9 } else { 19 }).take(10);
    let known = (0..).zip(words).map(|(n, word)| [f64::from(10 * n + 5), word.parse().unwrap()]);
    let known: Vec<[f64; 2]> = [[0.0, 0.0]].into_iter().chain(known).chain([[100.0, 0.0]]).collect();
    let between = known.windows(2).find(|two| 100.0 * chance <= two[1][0]).unwrap();
    let share = (100.0 * chance - between[0][0]) / (between[1][0] - between[0][0]);
    chance + (between[0][1] * (1.0 - share) + between[1][1] * share) / 100.0
}

#[test]
fn the_chances_of_playouts_are_those_of_the_guide_or_a_line_of_them() {
    let (mut compared, mut told_apart) = (0, 0);
    for (name, rules) in RuleSet::PRESETS {
        for (spec, guide) in [
            ("mc:worlds=2", "net"),
            ("ismcts:iterations=2", "net"),
            ("ismcts:iterations=2,bids=table", "table"),
            ("mc:worlds=2,bids=table", "table"),
            ("mc:worlds=2,bids=rules", "table"),
        ] {
            let told = decisions(spec, &rules, 6);
            for ((_, told), (_, of_guide)) in told.into_iter().zip(decisions(guide, &rules, 6)) {
                // A guide that considers a pass alone tells nothing.
                let (Some(told), Some(of_guide)) = (told, of_guide) else { continue };
                for option in told.options {
                    let other = of_guide.options.iter().find(|it| it.choice == option.choice).unwrap();
                    compared += u32::from(option.chance.is_some());
                    // In the turn-up game the network says what the table says, which nothing was fitted to.
                    let is_net = guide == "net" && rules.deal.method != DealMethod::TurnUp;
                    let (Some(chance), Some(other), true) = (option.chance, other.chance, is_net) else {
                        assert_eq!(option.chance, other.chance, "{name}, {spec}");
                        continue;
                    };
                    // The network corrects what it tells; who asks it starts from what it says before that.
                    let is_bid = matches!(option.choice, Choice::Call(Call::Bid(_)));
                    let odds = |chance: f64| (chance / (1.0 - chance)).ln();
                    let off = |[shift, factor]: [f64; 2]| {
                        let before = 1.0 / (1.0 + (-(odds(chance) - shift) / factor).exp());
                        (odds(corrected(name, is_bid, before)) - odds(other)).abs()
                    };
                    if spec.starts_with("mc") {
                        assert!(off([0.0, 1.0]) < 1e-6, "{name}: {chance} of {other}");
                        continue;
                    }
                    // The chances are told with few digits.
                    let lines = [[0.15, 0.85], [0.25, 0.8]];
                    let line = off(lines[usize::from(!is_bid)]);
                    assert!(line < 0.03 + 0.03 * odds(other).abs(), "{name}: {chance} of {other}");
                    told_apart += u32::from(line < off(lines[usize::from(is_bid)]));
                }
            }
        }
    }
    assert!(compared > 1000 && told_apart > 200, "{compared} {told_apart}");
}
