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
                    if spec != "ismcts:iterations=2" || rules.deal.method == DealMethod::TurnUp {
                        assert_eq!(option.chance, other.chance, "{name}, {spec}");
                        continue;
                    }
                    let (Some(chance), Some(other)) = (option.chance, other.chance) else {
                        assert_eq!(option.chance, other.chance);
                        continue;
                    };
                    let odds = |chance: f64| (chance / (1.0 - chance)).ln();
                    let lines = [0.15 + 0.85 * odds(other), 0.25 + 0.8 * odds(other)];
                    let is_bid = matches!(option.choice, Choice::Call(Call::Bid(_)));
                    let line = lines[usize::from(!is_bid)];
                    // The chances are told with few digits.
                    assert!(
                        (odds(chance) - line).abs() < 0.02 + 0.02 * line.abs(),
                        "{name}: {chance} of {other}"
                    );
                    let twin = lines[usize::from(is_bid)];
                    told_apart += u32::from((odds(chance) - line).abs() < (odds(chance) - twin).abs());
                }
            }
        }
    }
    assert!(compared > 1000 && told_apart > 200, "{compared} {told_apart}");
}
