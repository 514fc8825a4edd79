//! The engine against the conformance suite: every line of `conformance/data/*.jsonl`.
//!
//! Reads the files only: nothing here depends on the rule book that wrote them.

use std::collections::BTreeMap;
use std::path::Path;

use coinche_engine::record::{Record, RulesRecord, replay};
use coinche_engine::rules::Shuffle;
use coinche_engine::{
    Auction, AuctionTurn, Bid, BidValue, BySeat, ByTeam, Call, Card, CardSet, Contract, Deal, DealResult,
    DealScore, Deck, Goal, MatchState, Meld, Melds, PlayState, RuleSet, Seat, Stake, Strain, Suit, Team,
    Trick,
};
use serde_json::Value;

/// Runs a check on every line of the files of one topic, and returns how many there were.
fn each_line(topic: &str, check: impl Fn(&RuleSet, &Value)) -> usize {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../conformance/data");
    let mut files: BTreeMap<String, String> = BTreeMap::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        if name.starts_with(topic) {
            files.insert(name, std::fs::read_to_string(entry.path()).unwrap());
        }
    }
    let mut lines = 0;
    for (name, text) in files {
        for (number, line) in text.lines().enumerate() {
            let value: Value = serde_json::from_str(line).unwrap();
            let rules: RulesRecord = serde_json::from_value(value["rules"].clone()).unwrap();
            let rules = rules.rules().unwrap();
            let checked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| check(&rules, &value)));
            assert!(checked.is_ok(), "{name}, line {}: {line}", number + 1);
            lines += 1;
        }
    }
    lines
}

fn text<'a>(value: &'a Value, field: &str) -> &'a str {
    value[field].as_str().unwrap_or_else(|| panic!("{field} is a text"))
}

fn list(value: &Value) -> &Vec<Value> {
    value.as_array().unwrap()
}

fn int<T: TryFrom<i64>>(value: &Value) -> T {
    T::try_from(value.as_i64().unwrap()).ok().unwrap()
}

fn seat(value: &Value) -> Seat {
    Seat::ALL[int::<usize>(value)]
}

fn by_team<T: TryFrom<i64>>(value: &Value) -> ByTeam<T> {
    ByTeam([int(&value[0]), int(&value[1])])
}

fn cards(text: &str) -> Vec<Card> {
    text.split_whitespace().map(|card| card.parse().unwrap()).collect()
}

/// A position in which `hand` is to play after the cards of `trick`; the other cards lie so that each
/// card of the trick could be played.
fn position(rules: &RuleSet, strain: Strain, leader: Seat, trick: &[Card], hand: CardSet) -> PlayState {
    let rest = !(hand | trick.iter().copied().collect());
    let allowed = companions(rules, strain, trick, rest);
    // Those with the fewest cards to choose from first.
    let mut places: Vec<usize> = (0..trick.len()).collect();
    places.sort_by_key(|place| allowed[*place].len());
    let mut hands = BySeat([CardSet::EMPTY; 4]);
    hands[leader.plus(trick.len())] = hand;
    let mut left = rest;
    for place in places {
        // Cards that the others cannot have first.
        let mut candidates: Vec<Card> = (allowed[place] & left).into_iter().collect();
        candidates.sort_by_key(|card| allowed.iter().filter(|cards| cards.contains(*card)).count());
        let cards: CardSet = candidates.into_iter().take(hand.len() - 1).collect();
        assert_eq!(cards.len(), hand.len() - 1, "the position can be reached");
        hands[leader.plus(place)] = cards.with(trick[place]);
        left -= cards;
    }
    for place in trick.len() + 1..4 {
        let cards: CardSet = left.into_iter().take(hand.len()).collect();
        hands[leader.plus(place)] = cards;
        left -= cards;
    }
    let state = PlayState::new(&rules.play, strain, hands, leader);
    trick.iter().fold(state, |state, card| state.play(*card).unwrap().0)
}

/// For each card of a trick, the cards beside which it could be played: tried out in hands of two.
fn companions(rules: &RuleSet, strain: Strain, trick: &[Card], rest: CardSet) -> Vec<CardSet> {
    // A card that is tried may lie in an earlier hand as well, so the hands are laid in unchecked.
    let any = BySeat::from_fn(|seat| CardSet::suit(Suit::ALL[seat.index()]).into_iter().take(2).collect());
    let start = PlayState::new(&rules.play, strain, any, Seat::S0);
    let mut allowed: Vec<CardSet> = Vec::new();
    for (place, card) in trick.iter().enumerate() {
        let beside = |other: &Card| {
            let hands = BySeat::from_fn(|seat| {
                let own = trick.get(seat.index()).map_or(CardSet::EMPTY, |card| CardSet::only(*card));
                let earlier = allowed.get(seat.index()).and_then(|cards| cards.first());
                let companion = own.with(earlier.unwrap_or(*other));
                if own.is_empty() { any[seat] } else { companion }
            });
            let state = start.with_hands_unchecked(&hands);
            let before = trick[..place].iter().fold(state, |state, card| state.play(*card).unwrap().0);
            before.check(*card).is_ok()
        };
        let cards = rest.into_iter().filter(beside).collect();
        allowed.push(cards);
    }
    allowed
}

#[test]
fn plays() {
    let lines = each_line("plays", |rules, line| {
        let strain: Strain = text(line, "strain").parse().unwrap();
        let (leader, trick) = (seat(&line["leader"]), cards(text(line, "trick")));
        if text(line, "kind") == "legal" {
            let hand: CardSet = text(line, "hand").parse().unwrap();
            let legal: CardSet = text(line, "legal").parse().unwrap();
            let state = position(rules, strain, leader, &trick, hand);
            assert_eq!(state.legal_plays(), legal);
            for card in Card::all() {
                assert_eq!(state.check(card).is_ok(), legal.contains(card), "{card}");
            }
        } else {
            let hands = BySeat::from_fn(|seat| CardSet::only(trick[leader.distance_to(seat)]));
            let mut state = PlayState::new(&rules.play, strain, hands, leader);
            for card in &trick[..3] {
                state = state.play(*card).unwrap().0;
            }
            let finished = state.play(trick[3]).unwrap().1.unwrap();
            assert_eq!(finished.winner, seat(&line["winner"]));
            let points: u16 = trick.iter().map(|card| rules.card_points(strain, *card)).sum();
            assert_eq!(points, int::<u16>(&line["points"]));
            assert_eq!(rules.cards.points_of(strain, finished.cards), points);
        }
    });
    assert!(lines > 1000, "{lines}");
}

#[test]
fn auctions() {
    let lines = each_line("auctions", |rules, line| {
        let turned = line["turned"].as_str().map(|card| card.parse::<Card>().unwrap().suit());
        let mut auction = Auction::new(rules, seat(&line["dealer"]), turned);
        for call in list(&line["calls"]) {
            let said: Call = call[1].as_str().unwrap().parse().unwrap();
            assert_eq!(auction.call(said).unwrap(), seat(&call[0]));
        }
        let state = auction.state();
        if line["turn"].is_null() {
            assert_eq!(state.turn(), AuctionTurn::Over);
            let contract = state.contract().filter(|_| !line["contract"].is_null());
            assert_eq!(state.contract(), contract);
            if let Some(contract) = contract {
                assert_eq!(contract, contract_of(&line["contract"]));
            } else {
                assert!(line["contract"].is_null());
            }
        } else {
            let turn = &line["turn"];
            assert_eq!(state.turn().seat(), Some(seat(&turn["seat"])));
            let speaks = matches!(state.turn(), AuctionTurn::Speak(_));
            assert_eq!(!speaks, turn["offer"].as_bool().unwrap());
            let mut legal: Vec<String> = state.legal_calls().iter().map(|call| call.to_string()).collect();
            let mut right: Vec<&str> = text(turn, "legal").split(',').collect();
            legal.sort_unstable();
            right.sort_unstable();
            assert_eq!(legal, right);
        }
    });
    assert!(lines > 1000, "{lines}");
}

fn contract_of(value: &Value) -> Contract {
    let bid = text(value, "bid");
    let (strain, goal) = if let Some(suit) = bid.strip_prefix("TAKE") {
        (suit.parse().unwrap(), Goal::Majority)
    } else {
        let bid: Bid = bid.parse().unwrap();
        (bid.strain, Goal::Bid(bid.value))
    };
    let stake = Stake::ALL.into_iter().find(|stake| stake.name() == text(value, "stake")).unwrap();
    Contract { declarer: seat(&value["declarer"]), strain, goal, stake }
}

/// Melds as `kind cards points`, sorted.
fn meld_texts(melds: impl Iterator<Item = Meld>, rules: &RuleSet) -> Vec<String> {
    let mut texts: Vec<String> =
        melds.map(|meld| format!("{} {} {}", meld.kind, meld.cards, meld.points(&rules.melds))).collect();
    texts.sort();
    texts
}

fn listed_melds(melds: &Value) -> Vec<String> {
    let mut texts: Vec<String> = list(melds)
        .iter()
        .map(|meld| format!("{} {} {}", text(meld, "kind"), text(meld, "cards"), meld["points"]))
        .collect();
    texts.sort();
    texts
}

#[test]
fn melds() {
    let lines = each_line("melds", |rules, line| {
        for seat in Seat::ALL {
            let hand: CardSet = line["hands"][seat.index()].as_str().unwrap().parse().unwrap();
            let mut right: Vec<Vec<String>> =
                list(&line["choices"][seat.index()]).iter().map(listed_melds).collect();
            if !rules.melds.in_strain(text(line, "strain").parse().unwrap()) {
                assert_eq!(right, [Vec::<String>::new()]);
                continue;
            }
            let mut options: Vec<Vec<String>> = Melds::options(&rules.melds, hand)
                .iter()
                .map(|option| meld_texts(option.iter(), rules))
                .collect();
            assert_eq!(options[0], right[0]);
            assert_eq!(meld_texts(Melds::best(&rules.melds, hand).iter(), rules), right[0]);
            options.sort();
            right.sort();
            assert_eq!(options, right);
        }
        let strain: Strain = text(line, "strain").parse().unwrap();
        let of = |seat_asked: Seat, counting: bool| -> Vec<Meld> {
            list(&line["announced"])
                .iter()
                .filter(|meld| seat(&meld["seat"]) == seat_asked)
                .filter(|meld| !counting || meld["counts"].as_bool().unwrap())
                .map(|meld| Meld::of(text(meld, "cards").parse().unwrap()).unwrap())
                .collect()
        };
        let announced = BySeat::from_fn(|seat| Melds::from_melds(&of(seat, false)).unwrap());
        let leader = if line["leader"].is_null() { Seat::S0 } else { seat(&line["leader"]) };
        let scored = Melds::contest(&rules.melds, strain, leader, announced);
        let mut points = ByTeam([0u16; 2]);
        for (seat, melds) in scored.iter() {
            let right = of(seat, true);
            assert_eq!(meld_texts(melds.iter(), rules), meld_texts(right.into_iter(), rules));
            points[seat.team()] += melds.points(&rules.melds);
        }
        assert_eq!(points, by_team(&line["points"]));
    });
    assert!(lines > 300, "{lines}");
}

#[test]
fn scores() {
    let lines = each_line("scores", |rules, line| {
        let tricks = BySeat::from_fn(|seat| int(&line["tricks"][seat.index()]));
        let result = DealResult {
            contract: contract_of(&line["contract"]),
            card_points: by_team(&line["card_points"]),
            tricks,
            belote: by_team(&line["belote"]),
            melds: by_team(&line["melds"]),
        };
        let right = DealScore {
            made: line["made"].as_bool().unwrap(),
            points: by_team(&line["score"]),
            held: int(&line["held"]),
            slam: Team::ALL.into_iter().find(|team| result.tricks_won()[*team] == 8),
        };
        assert_eq!(result.score(rules), right);
    });
    assert!(lines > 2000, "{lines}");
}

#[test]
fn matches() {
    let lines = each_line("matches", |rules, line| {
        let mut game = MatchState::new(rules, seat(&line["dealer"]));
        for (event, state) in list(&line["events"]).iter().zip(list(&line["states"])) {
            match text(event, "event") {
                "thrown-in" => game.add_thrown_in(),
                "misdeal" => {
                    assert_eq!(game.dealer(), seat(&event["dealer"]));
                    game.misdeal();
                }
                _ => {
                    let team = |of: &str| event[of].as_u64().map(|team| Team::ALL[usize::from(team == 1)]);
                    let winner = team("winner").unwrap();
                    let made = event["held"] == 0 && event["failed"] != true;
                    let score = DealScore {
                        made,
                        points: by_team(&event["score"]),
                        held: int(&event["held"]),
                        slam: team("slam"),
                    };
                    game.add(&score, if made { winner } else { winner.other() });
                }
            }
            assert_eq!(game.dealer(), seat(&state["dealer"]));
            assert_eq!(game.score(), by_team(&state["totals"]));
            assert_eq!(game.held(), int::<i32>(&state["held"]));
            assert_eq!(game.winner().map(|team| team.index() as u64), state["winner"].as_u64());
        }
    });
    assert!(lines > 200, "{lines}");
}

#[test]
fn decks() {
    let hands =
        |value: &Value| BySeat::from_fn(|seat| value[seat.index()].as_str().unwrap().parse().unwrap());
    let deck = |text: &str| Deck::from_cards(cards(text).try_into().unwrap()).unwrap();
    let lines = each_line("decks", |rules, line| {
        let before = deck(text(line, "deck"));
        let deal = Deal::new(&rules.deal, before, seat(&line["dealer"]));
        assert_eq!(deal.hands(), &hands(&line["hands"]));
        assert_eq!(deal.turned(), line["turned"].as_str().map(|card| card.parse().unwrap()));
        if !line["taker"].is_null() {
            assert_eq!(deal.complete(seat(&line["taker"])), hands(&line["completed"]));
        }
        if line["tricks"].is_null() {
            assert_eq!(rules.deal.shuffle, Shuffle::Uniform);
            return;
        }
        let tricks: Vec<Trick> = serde_json::from_value(line["tricks"].clone()).unwrap();
        let after = match <&[Trick; 8]>::try_from(&tricks[..]) {
            Ok(tricks) => Deck::gather(tricks),
            Err(_) => Deck::gather_thrown_in(&deal),
        };
        assert_eq!(after, deck(text(line, "gathered")));
        assert_eq!(after.cut(int(&line["cut"])), deck(text(line, "next")));
    });
    assert!(lines > 40, "{lines}");
}

#[test]
fn deals() {
    let lines = each_line("deals", |_, line| {
        let record = Record::from_json(&line.to_string()).unwrap();
        assert_eq!(replay(&record), []);
        assert_eq!(Record::from_json(&record.to_json()).unwrap(), record);
    });
    assert!(lines > 200, "{lines}");
}

#[test]
fn bid_values_of_the_suite_are_on_the_ladder() {
    each_line("scores", |rules, line| {
        let contract = contract_of(&line["contract"]);
        if let Goal::Bid(value) = contract.goal {
            let worth = match value {
                BidValue::CAPOT => rules.contract.capot,
                BidValue::GENERALE => rules.contract.generale,
                points => points.as_points().unwrap(),
            };
            assert_eq!(contract.worth(rules), worth);
            assert!(coinche_engine::Ladder::new(rules).index_of(value).is_some(), "{value}");
        }
    });
}
