//! Laws of the basic types: what is printed is read back, sets behave as sets, points add up, cards are
//! neither lost nor doubled.

use std::collections::BTreeSet;

use crate::common::rng::Rng;
use crate::common::rules::BothRules;
use coinche_engine::rules::FIELDS;
use coinche_engine::{
    Bid, BidValue, BySeat, Call, Card, CardSet, Ladder, PlayState, Rank, RuleSet, Seat, Strain, Suit, Team,
    parse_hands,
};
use proptest::prelude::*;
use proptest::sample::select;

fn card() -> impl Strategy<Value = Card> {
    (0..32usize).prop_map(|index| Card::try_from_index(index).unwrap())
}

fn set() -> impl Strategy<Value = CardSet> {
    any::<u32>().prop_map(CardSet::from_bits)
}

fn bid() -> impl Strategy<Value = Bid> {
    let value = prop_oneof![
        8 => (1..=990u16).prop_map(|points| BidValue::points(points).unwrap()),
        1 => Just(BidValue::CAPOT),
        1 => Just(BidValue::GENERALE),
    ];
    (value, select(&Strain::ALL[..])).prop_map(|(value, strain)| Bid::new(value, strain))
}

fn call() -> impl Strategy<Value = Call> {
    prop_oneof![
        select(vec![Call::Pass, Call::Wait, Call::Coinche, Call::Surcoinche, Call::Take]),
        select(&Suit::ALL[..]).prop_map(Call::TakeIn),
        bid().prop_map(Call::Bid),
    ]
}

/// Presets and random overrides.
fn rules() -> impl Strategy<Value = BothRules> {
    any::<u64>().prop_map(|seed| BothRules::random(&mut Rng::new(seed)))
}

/// The short form by suit.
fn short_form(cards: CardSet) -> String {
    let suits = Suit::ALL.map(|suit| {
        let ranks: String = cards.of(suit).into_iter().rev().map(|card| card.rank().letter()).collect();
        format!("{}:{}", suit.letter(), if ranks.is_empty() { "-" } else { &ranks })
    });
    suits.join(" ")
}

/// The same cards as others may write them.
fn sloppy(text: &str) -> String {
    text.replace('T', "10").to_lowercase().replace(' ', "  ")
}

proptest! {
    #[test]
    fn cards_survive_print_and_parse(card in card()) {
        prop_assert_eq!(card.to_string().parse::<Card>().unwrap(), card);
        prop_assert_eq!(sloppy(&card.to_string()).parse::<Card>().unwrap(), card);
        prop_assert_eq!(Card::new(card.suit(), card.rank()), card);
        prop_assert_eq!(Card::try_from_index(card.index()), Some(card));
        prop_assert_eq!(card.suit().to_string().parse::<Suit>().unwrap(), card.suit());
        prop_assert_eq!(card.suit().symbol().to_string().parse::<Suit>().unwrap(), card.suit());
        prop_assert_eq!(card.rank().to_string().parse::<Rank>().unwrap(), card.rank());
        prop_assert_eq!(Rank::NATURAL[card.rank().natural_index()], card.rank());
    }

    #[test]
    fn hands_survive_print_and_parse(cards in set()) {
        prop_assert_eq!(cards.to_string().parse::<CardSet>().unwrap(), cards);
        prop_assert_eq!(sloppy(&cards.to_string()).parse::<CardSet>().unwrap(), cards);
        prop_assert_eq!(short_form(cards).parse::<CardSet>().unwrap(), cards);
        prop_assert_eq!(sloppy(&short_form(cards)).parse::<CardSet>().unwrap(), cards);
        let only_full = short_form(cards).split(' ').filter(|part| !part.ends_with('-')).collect::<Vec<_>>().join(" ");
        prop_assert_eq!(only_full.parse::<CardSet>().unwrap(), cards);
    }

    #[test]
    fn deals_survive_print_and_parse(a in set(), b in set(), c in set()) {
        let hands = BySeat([a, b - a, c - a - b, !(a | b | c)]);
        let text = hands.0.map(|hand| hand.to_string()).join(" | ");
        prop_assert_eq!(parse_hands(&text).unwrap(), hands);
    }

    #[test]
    fn calls_survive_print_and_parse(call in call(), bid in bid()) {
        prop_assert_eq!(call.to_string().parse::<Call>().unwrap(), call);
        prop_assert_eq!(call.to_string().to_lowercase().parse::<Call>().unwrap(), call);
        prop_assert_eq!(bid.to_string().parse::<Bid>().unwrap(), bid);
        prop_assert_eq!(bid.strain.to_string().to_lowercase().parse::<Strain>().unwrap(), bid.strain);
        prop_assert_eq!(bid.value.as_points().is_none(), bid.value >= BidValue::CAPOT);
    }

    #[test]
    fn rules_survive_print_and_parse(rules in rules()) {
        let engine = rules.engine;
        prop_assert_eq!(RuleSet::from_toml(&engine.to_toml()).unwrap(), engine);
        let json = serde_json::to_string(&engine).unwrap();
        prop_assert_eq!(serde_json::from_str::<RuleSet>(&json).unwrap(), engine);
        // All fields by `--set`, in any order: they are checked together.
        let settings: Vec<String> = FIELDS
            .iter()
            .rev()
            .map(|field| format!("{} = {}", field.path, rules.json_of(field.path).to_string().trim_matches('"')))
            .collect();
        let set = RuleSet::CONTREE.with_settings(settings.iter().map(String::as_str));
        prop_assert_eq!(set.unwrap(), engine);
    }

    #[test]
    fn ladders_rise(rules in rules()) {
        let ladder = Ladder::new(&rules.engine);
        let values: Vec<BidValue> = ladder.iter().collect();
        prop_assert_eq!(values.len(), ladder.len());
        prop_assert!(values.is_sorted_by(|a, b| a < b), "{:?}", values);
        for (index, value) in values.iter().enumerate() {
            prop_assert_eq!(ladder.value(index), Some(*value));
            prop_assert_eq!(ladder.index_of(*value), Some(index));
        }
        prop_assert_eq!(ladder.value(ladder.len()), None);
        for points in (1..=990).filter_map(BidValue::points).filter(|value| !values.contains(value)) {
            prop_assert_eq!(ladder.index_of(points), None);
        }
    }

    #[test]
    fn sets_are_sets(a in set(), b in set(), card in card()) {
        let list = |set: CardSet| set.into_iter().map(Card::index).collect::<BTreeSet<usize>>();
        let (x, y) = (list(a), list(b));
        prop_assert_eq!(list(a | b), &x | &y);
        prop_assert_eq!(list(a & b), &x & &y);
        prop_assert_eq!(list(a - b), &x - &y);
        prop_assert_eq!(list(a ^ b), &x ^ &y);
        prop_assert_eq!(!(a | b), !a & !b);
        prop_assert_eq!(a.is_subset(b), x.is_subset(&y));
        prop_assert_eq!(a.is_disjoint(b), x.is_disjoint(&y));
        prop_assert_eq!(a.len(), x.len());
        prop_assert_eq!(a.contains(card), x.contains(&card.index()));
        prop_assert_eq!(a.first().map(Card::index), x.first().copied());
        prop_assert_eq!(a.last().map(Card::index), x.last().copied());
        let mut changed = a;
        prop_assert_eq!(changed.insert(card), !a.contains(card));
        prop_assert_eq!(changed, a.with(card));
        prop_assert!(changed.remove(card) && !changed.remove(card));
        prop_assert_eq!(changed, a.without(card));
        let mut assigned = a;
        assigned |= b;
        assigned -= CardSet::only(card);
        assigned &= a;
        prop_assert_eq!(assigned, a.without(card));
    }

    #[test]
    fn sets_iterate_in_order(a in set()) {
        let cards: Vec<Card> = a.into_iter().collect();
        prop_assert!(cards.is_sorted_by_key(|card| card.index()));
        prop_assert_eq!(cards.iter().copied().collect::<CardSet>(), a);
        prop_assert_eq!(a.into_iter().len(), cards.len());
        let mut back: Vec<Card> = a.into_iter().rev().collect();
        back.reverse();
        prop_assert_eq!(&back, &cards);
        for (n, card) in cards.iter().enumerate() {
            prop_assert_eq!(a.nth(n), Some(*card));
        }
        prop_assert_eq!(a.nth(cards.len()), None);
        let natural: Vec<Card> = a.natural().collect();
        let key = |card: &Card| (card.suit().index(), card.rank().natural_index());
        prop_assert!(natural.is_sorted_by_key(key));
        prop_assert_eq!(natural.len(), a.len());
        let of: CardSet = Suit::ALL.into_iter().fold(CardSet::EMPTY, |all, suit| all | a.of(suit));
        prop_assert_eq!(of, a);
    }

    #[test]
    fn subsets_are_all_subsets(a in set()) {
        let small: CardSet = a.into_iter().take(8).collect();
        let subsets: Vec<CardSet> = small.subsets().collect();
        prop_assert_eq!(subsets.len(), 1 << small.len());
        prop_assert!(subsets.iter().all(|subset| subset.is_subset(small)));
        let different: BTreeSet<u32> = subsets.iter().map(|subset| subset.bits()).collect();
        prop_assert_eq!(different.len(), subsets.len());
        prop_assert_eq!((subsets[0], subsets[subsets.len() - 1]), (CardSet::EMPTY, small));
    }

    #[test]
    fn cards_are_neither_lost_nor_doubled(seed in any::<u64>(), size in 1..=8usize) {
        let mut rng = Rng::new(seed);
        let rules = BothRules::random(&mut rng).engine;
        let (strain, leader) = (rng.pick(&Strain::ALL), rng.pick(&Seat::ALL));
        let deck = rng.deck();
        let hands = BySeat::from_fn(|seat| {
            deck.cards()[8 * seat.index()..][..size].iter().copied().collect::<CardSet>()
        });
        let all = hands.0.iter().fold(CardSet::EMPTY, |all, hand| all | *hand);
        let mut state = PlayState::new(&rules.play, strain, hands, leader);
        while !state.is_over() {
            let on_table: Vec<Card> = state.trick().map(|(_, card)| card).collect();
            let parts = Seat::ALL.map(|seat| state.hand(seat)).into_iter()
                .chain(Team::ALL.map(|team| state.taken(team)))
                .chain([on_table.iter().copied().collect()]);
            let (mut union, mut number) = (CardSet::EMPTY, 0);
            for part in parts {
                union |= part;
                number += part.len();
            }
            prop_assert_eq!((union, number), (all, 4 * size));
            let legal = state.legal_plays();
            prop_assert!(!legal.is_empty() && legal.is_subset(state.hand(state.to_play())));
            for card in Card::all() {
                prop_assert_eq!(state.check(card).is_ok(), legal.contains(card));
                prop_assert_eq!(state.is_legal(card), legal.contains(card));
                let unchanged = state;
                prop_assert_eq!(state.play(card).is_ok(), legal.contains(card));
                prop_assert_eq!(state, unchanged);
            }
            let card = legal.nth(rng.below(legal.len())).unwrap();
            state.play_unchecked(card);
        }
        prop_assert!(state.legal_plays().is_empty());
        let tricks = Team::ALL.map(|team| usize::from(state.tricks_won(team)));
        prop_assert_eq!(tricks[0] + tricks[1], size);
        let points = state.card_points(&rules).0;
        let cards = rules.cards.points_of(strain, all);
        prop_assert_eq!(points[0] + points[1], cards + rules.scoring.last_trick_in(strain));
        let one_by_one: u16 = all.into_iter().map(|card| rules.card_points(strain, card)).sum();
        prop_assert_eq!(cards, one_by_one);
    }

    #[test]
    fn strength_orders_a_suit(strain in select(&Strain::ALL[..]), cards in set(), suit in select(&Suit::ALL[..])) {
        let cards = cards.of(suit);
        let by_strength = |card: &Card| strain.strength(*card);
        prop_assert_eq!(strain.highest(cards), cards.into_iter().max_by_key(by_strength));
        prop_assert_eq!(strain.lowest(cards), cards.into_iter().min_by_key(by_strength));
        for card in cards {
            let above = strain.above(card);
            prop_assert!(above.is_subset(CardSet::suit(suit)) && !above.contains(card));
            prop_assert_eq!(above.len(), 7 - usize::from(strain.strength(card)));
        }
    }
}

#[test]
fn seats_go_round() {
    for seat in Seat::ALL {
        assert_eq!(seat.to_string().parse::<Seat>().unwrap(), seat);
        assert_eq!(seat.partner().partner(), seat);
        assert_eq!(seat.partner().team(), seat.team());
        assert_eq!(seat.next().team(), seat.team().other());
        assert!(seat.team().seats().contains(&seat));
        for other in Seat::ALL {
            assert_eq!(seat.plus(seat.distance_to(other)), other);
        }
    }
    for text in ["", "4", "-1", "S0", "00"] {
        assert!(text.parse::<Seat>().is_err(), "{text}");
    }
}
