//! Dealing, gathering and cutting against a literal description of the rules (`docs/rules.md`, "Deal"), and the decks of a
//! seed, which are frozen in `tests/data/decks.txt`.
//!
//! `COINCHE_BLESS=1 cargo test -p coinche-engine --test it dealing` writes the file anew. A change there
//! changes every published result.

use std::fmt::Write as _;
use std::path::PathBuf;

use crate::common::deal::{owners, random_call, random_deck};
use crate::common::rng::Rng;
use crate::common::rules::BothRules;
use coinche_engine::rules::{DealMethod, DealRules};
use coinche_engine::{
    Auction, AuctionState, BySeat, Card, CardSet, Deal, DealError, DealState, Deck, HandsError, Outcome,
    PlayState, RuleSet, Seat, Strain, Suit, Team, Trick, Turn, first_dealer,
};
use proptest::prelude::*;

fn texts(cards: &[Card]) -> Vec<String> {
    cards.iter().map(Card::to_string).collect()
}

/// A pile of cards that lies on the table: the last of the list is on top.
type Pile = Vec<String>;

/// "Each team's tricks are stacked in the order won (cards in the order played, later tricks on top),
/// and the pile of the side that took the last trick goes on top of the other. The deck is not turned."
fn gathered(tricks: &[Trick]) -> Pile {
    let mut piles: [Pile; 2] = [Vec::new(), Vec::new()];
    for trick in tricks {
        for card in trick.cards {
            piles[trick.winner.index() % 2].push(card.to_string());
        }
    }
    let last = tricks[7].winner.index() % 2;
    let mut deck = piles[1 - last].clone();
    deck.extend(piles[last].clone());
    deck
}

/// "After a passed-out deal the four hands are stacked in order of play from the dealer's left, each in
/// the order dealt"; what was not dealt out lies under them as it was.
fn gathered_thrown_in(rules: &BothRules, deal: &Deal) -> Pile {
    let dealt = texts(deal.deck().cards());
    let owners = owners(rules.engine.deal.packets.iter(), deal.dealer());
    let mut pile: Pile = dealt[owners.len()..].iter().rev().cloned().collect();
    for step in 1..=4 {
        let seat = (deal.dealer().index() + step) % 4;
        for (owner, card) in owners.iter().zip(&dealt) {
            if *owner == seat {
                pile.push(card.clone());
            }
        }
    }
    pile
}

/// Takes up a pile: the top card comes first.
fn taken_up(mut pile: Pile) -> Vec<String> {
    pile.reverse();
    pile
}

/// Plays a random deal to its end.
fn played(rules: &BothRules, rng: &mut Rng) -> DealState {
    let dealer = Seat::from_index(rng.below(4));
    let deal = Deal::new(&rules.engine.deal, random_deck(rules, rng, dealer), dealer);
    let mut state = DealState::new(&rules.engine, &deal);
    loop {
        match state.turn() {
            Turn::Over => return state,
            Turn::Call(_) => drop(state.call(random_call(rng, &state.legal_calls())).unwrap()),
            Turn::Play(_) => {
                let legal = state.legal_plays();
                state.play(legal.nth(rng.below(legal.len())).unwrap()).unwrap();
            }
        }
    }
}

proptest! {
    #[test]
    fn the_deck_is_gathered_as_the_rules_say(seed in any::<u64>()) {
        let mut rng = Rng::new(seed);
        let rules = BothRules::random(&mut rng);
        let state = played(&rules, &mut rng);
        let deck = state.to_past().gather();
        let right = if state.outcome() == Some(Outcome::ThrownIn) {
            prop_assert_eq!(deck, Deck::gather_thrown_in(state.deal()));
            gathered_thrown_in(&rules, state.deal())
        } else {
            prop_assert_eq!(deck, Deck::gather(state.tricks().try_into().unwrap()));
            gathered(state.tricks())
        };
        prop_assert_eq!(texts(deck.cards()), taken_up(right));
        prop_assert_eq!(Deck::from_cards(*deck.cards()), Some(deck));
    }

    #[test]
    fn a_cut_puts_the_top_under_the_rest(seed in any::<u64>(), n in 0..=32usize, game in 0..5u64) {
        let mut rng = Rng::new(seed);
        let deck = rng.deck();
        let cards = texts(deck.cards());
        prop_assert_eq!(texts(deck.cut(n).cards()), [&cards[n..], &cards[..n]].concat());
        let least = rng.between(1, 16);
        let rules = RuleSet::COINCHEE.with(|options| options.deal.least_cut = u16::try_from(least).unwrap()).unwrap();
        let cut = deck.cut_for_match(&rules.deal, seed, game, 3);
        let top = deck.cards().iter().position(|card| *card == cut.cards()[0]).unwrap();
        prop_assert!((least..=32 - least).contains(&i32::try_from(top).unwrap()), "{}", top);
        prop_assert_eq!(cut, deck.cut(top));
    }

    #[test]
    fn from_hands_is_the_inverse_of_dealing(seed in any::<u64>()) {
        let mut rng = Rng::new(seed);
        let rules = BothRules::random(&mut rng);
        let (dealer, taker) = (rng.pick(&Seat::ALL), rng.pick(&Seat::ALL));
        let deal = Deal::new(&rules.engine.deal, rng.deck(), dealer);
        let hands = deal.complete(taker);
        let turned = deal.turned().map(|card| (card, taker));
        let again = Deal::from_hands(&rules.engine.deal, dealer, hands, turned).unwrap();
        prop_assert_eq!(again.complete(taker), hands);
        prop_assert_eq!((again.dealer(), again.turned()), (dealer, deal.turned()));
        if rules.engine.deal.method == DealMethod::Full {
            prop_assert_eq!(again.hands(), deal.hands());
        }
        let mut short = hands;
        short[taker] = short[taker].without(short[taker].first().unwrap());
        prop_assert!(Deal::from_hands(&rules.engine.deal, dealer, short, turned).is_err());
    }
}

#[test]
fn every_place_of_a_cut_occurs() {
    let deck = Deck::sorted();
    let mut places = [0; 32];
    for deal in 0..2900 {
        places[deck.cut_for_match(&RuleSet::COINCHEE.deal, 5, 0, deal).cards()[0].index()] += 1;
    }
    assert_eq!((places[0], places[1], places[31]), (0, 0, 0));
    // 100 expected, standard deviation 10.
    assert!(places[2..31].iter().all(|n| (50..150).contains(n)), "{places:?}");
}

#[test]
fn decks_of_a_seed_are_frozen() {
    let deck = |deck: Deck| texts(deck.cards()).join(" ");
    let mut text = String::new();
    for index in 0..10 {
        writeln!(text, "shuffled 0 {index}: {}", deck(Deck::shuffled(0, index))).unwrap();
    }
    let far = Deck::shuffled(u64::MAX, u64::MAX);
    writeln!(text, "shuffled {} {0}: {}", u64::MAX, deck(far)).unwrap();
    for (game, deal) in [(0, 0), (0, 1), (1, 0), (7, 12)] {
        let shuffled = Deck::shuffled_for_match(0, game, deal);
        writeln!(text, "shuffled_for_match 0 {game} {deal}: {}", deck(shuffled)).unwrap();
        let cut = Deck::sorted().cut_for_match(&RuleSet::COINCHEE.deal, 0, game, deal);
        writeln!(text, "cut_for_match 0 {game} {deal}: {}", cut.cards()[0].index()).unwrap();
    }
    let dealers: Vec<String> = (0..32).map(|game| first_dealer(0, game).to_string()).collect();
    writeln!(text, "first_dealer 0 0–31: {}", dealers.join("")).unwrap();
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/decks.txt");
    if std::env::var_os("COINCHE_BLESS").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    let frozen = std::fs::read_to_string(path).unwrap();
    for (found, right) in text.lines().zip(frozen.lines()) {
        assert_eq!(found, right, "the stream of a seed has changed");
    }
    assert_eq!(text.len(), frozen.len());
}

#[test]
fn decks_of_matches_and_deals_differ() {
    let mut decks: Vec<String> =
        (0..50).map(|index| texts(Deck::shuffled(1, index).cards()).concat()).collect();
    for game in 0..10 {
        decks.extend((0..5).map(|deal| texts(Deck::shuffled_for_match(1, game, deal).cards()).concat()));
    }
    decks.sort_unstable();
    decks.dedup();
    assert_eq!(decks.len(), 100);
    let seats = Team::ALL.map(|team| (0..400).filter(|game| first_dealer(9, *game).team() == team).count());
    assert!(seats.iter().all(|n| *n > 150), "{seats:?}");
}

/// The sorted deck, dealt under a rule set.
fn dealt(rules: &RuleSet) -> Deal {
    Deal::new(&rules.deal, Deck::sorted(), Seat::S3)
}

/// Whether a call panics, in release builds too.
fn panics<T>(call: impl FnOnce() -> T + std::panic::UnwindSafe) -> bool {
    std::panic::catch_unwind(call).is_err()
}

#[test]
fn a_deal_is_played_only_under_the_rules_that_dealt_it() {
    let mut refused = 0;
    for (_, rules) in RuleSet::ALL {
        for (_, other) in RuleSet::ALL {
            let alike = (rules.deal.method, rules.deal.packets) == (other.deal.method, other.deal.packets);
            let deal = dealt(&other);
            assert_eq!(deal.is_dealt_by(&rules.deal), alike);
            assert_eq!(DealState::try_new(&rules, &deal).err(), (!alike).then_some(DealError::OtherRules));
            assert_eq!(panics(|| DealState::new(&rules, &deal)), !alike);
            assert_eq!(panics(|| DealState::new(&rules, &dealt(&rules)).restart(&deal)), !alike);
            refused += u32::from(!alike);
        }
    }
    // Two presets turn a card up, one of the other six deals in other packets, and one deals the rest later.
    assert_eq!(refused, 2 * (2 * 6 + 5 + 8));
}

#[test]
fn an_auction_has_a_turned_suit_in_the_turn_up_game_only() {
    for (rules, turned) in [(RuleSet::BGA, Some(Suit::Hearts)), (RuleSet::BELOTE, None)] {
        assert_eq!(AuctionState::try_new(&rules, Seat::S0, turned), Err(DealError::Turned));
        assert_eq!(Auction::try_new(&rules, Seat::S0, turned), Err(DealError::Turned));
        assert!(panics(|| Auction::new(&rules, Seat::S0, turned)));
        let right = if turned.is_some() { None } else { Some(Suit::Hearts) };
        let auction = Auction::try_new(&rules, Seat::S0, right);
        assert_eq!(auction, Ok(Auction::new(&rules, Seat::S0, right)));
        assert!(panics(|| auction.unwrap().restart(&rules, Seat::S0, turned)));
    }
}

#[test]
fn packets_make_the_hands_of_the_method() {
    let full = RuleSet::BGA.deal;
    for (_, rules) in RuleSet::ALL {
        let deal = DealRules { packets: rules.deal.packets, ..full };
        let wrong = rules.deal.method != DealMethod::Full;
        let error = wrong.then_some(DealError::Packets { cards: 5, expected: 8 });
        assert_eq!(Deal::try_new(&deal, Deck::sorted(), Seat::S0).err(), error);
        assert_eq!(panics(|| Deal::new(&deal, Deck::sorted(), Seat::S0)), wrong);
        assert_eq!(RuleSet::BGA.with(|options| options.deal = deal).is_err(), wrong);
    }
    let twelve = DealRules { packets: coinche_engine::rules::Packets::new(&[3, 2, 3, 4]).unwrap(), ..full };
    let error = RuleSet::BGA.with(|options| options.deal = twelve).unwrap_err();
    assert_eq!(
        error.to_string(),
        "`deal.packets` cannot be 12 cards in all: expected packets of 8 cards in all"
    );
}

#[test]
fn hands_of_a_play_are_of_one_size_and_share_no_card() {
    let rules = RuleSet::BGA.play;
    let hands = *dealt(&RuleSet::BGA).hands();
    let start = |hands| PlayState::try_new(&rules, Strain::Hearts, hands, Seat::S0);
    assert_eq!(start(hands), Ok(PlayState::new(&rules, Strain::Hearts, hands, Seat::S0)));
    let four_times = BySeat([hands[Seat::S2]; 4]);
    let mut shared = hands;
    shared[Seat::S1] = hands[Seat::S1].without("TC".parse().unwrap()).with("7C".parse().unwrap());
    let mut short = hands;
    short[Seat::S3] = short[Seat::S3].without(short[Seat::S3].first().unwrap());
    let nine = BySeat::from_fn(|seat| hands[seat] | CardSet::only("7C".parse().unwrap()));
    for wrong in [four_times, shared, short, nine] {
        let error = start(wrong).unwrap_err();
        assert!(panics(|| PlayState::new(&rules, Strain::Hearts, wrong, Seat::S0)), "{error}");
        let is_size = matches!(error, HandsError::Size { seat: Seat::S3, cards: 7, expected: 8 });
        assert_eq!(is_size, wrong == short, "{error}");
        let from_hands = Deal::from_hands(&RuleSet::BGA.deal, Seat::S0, wrong, None);
        assert_eq!(from_hands, Err(DealError::Hands(error)));
    }
    let error = start(shared).unwrap_err().to_string();
    assert_eq!(error, "7C is in the hands of seats 0 and 1");
}

#[test]
fn a_view_imagines_hands_of_the_right_sizes_only() {
    let rules = RuleSet::BGA;
    let mut state = DealState::new(&rules, &dealt(&rules));
    for call in ["82C", "P", "P", "P"] {
        state.call(call.parse().unwrap()).unwrap();
    }
    state.play(state.legal_plays().first().unwrap()).unwrap();
    let play = *state.play_state().unwrap();
    let real = BySeat::from_fn(|seat| play.hand(seat));
    let view = state.view(Seat::S1);
    assert_eq!(view.imagine_play(&real), Some(play));
    let mut others = real;
    others.0.swap(2, 3);
    assert_eq!(view.imagine_play(&others), Some(play.with_hands_unchecked(&others)));
    others.0.swap(0, 3);
    assert_eq!(view.imagine_play(&others), None);
    others = real;
    others[Seat::S2] = others[Seat::S3];
    assert_eq!(view.imagine_play(&others), None);
}
