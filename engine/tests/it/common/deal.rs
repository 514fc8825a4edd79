//! One deal, compared with the rule book at every step.

use coinche_conformance as book;
use coinche_engine::rules::DealMethod;
use coinche_engine::{
    AuctionState, AuctionTurn, Bid, BidValue, BySeat, Call, Card, CardSet, Contract, Deal, DealState, Deck,
    LegalCalls, Meld, Outcome, Play, Seat, Strain, Suit, Team, Turn,
};

use super::book::{from_card, from_cards, to_calls, to_card, to_cards, to_contract, to_meld, to_strain};
use super::rng::Rng;
use super::rules::BothRules;

/// The dealing of `docs/rules.md`, "Deal", position by position: who gets each of the cards dealt before the auction.
pub(crate) fn owners(packets: impl Iterator<Item = usize>, dealer: Seat) -> Vec<usize> {
    let mut owners = Vec::new();
    for packet in packets {
        for step in 1..=4 {
            for _ in 0..packet {
                owners.push((dealer.index() + step) % 4);
            }
        }
    }
    owners
}

/// A deck; often one that gives long suits or many cards of a rank, for melds and slams.
pub(crate) fn random_deck(rules: &BothRules, rng: &mut Rng, dealer: Seat) -> Deck {
    let mut cards: Vec<Card> = Card::all().collect();
    if rng.chance(60) {
        rng.shuffle(&mut cards);
    } else {
        if rng.chance(30) {
            cards.sort_by_key(|card| card.rank().index());
        } else {
            cards = CardSet::FULL.natural().collect();
            cards.rotate_left(8 * rng.below(4));
        }
        for _ in 0..rng.below(24) {
            let (a, b) = (rng.below(32), rng.below(32));
            cards.swap(a, b);
        }
    }
    // Each seat has a part of the list in a row, so that neighbours come to one hand.
    let owners = owners(rules.engine.deal.packets.iter(), dealer);
    let each = owners.len() / 4;
    let mut taken = [0; 4];
    let mut deck: Vec<Card> = Vec::new();
    for owner in owners {
        deck.push(cards[owner * each + taken[owner]]);
        taken[owner] += 1;
    }
    deck.extend(&cards[4 * each..]);
    Deck::from_cards(deck.try_into().unwrap()).unwrap()
}

/// A call: passes often, bids mostly low, coinches sometimes.
pub(crate) fn random_call(rng: &mut Rng, legal: &LegalCalls) -> Call {
    let double = [Call::Surcoinche, Call::Coinche].into_iter().find(|call| legal.contains(*call));
    if let Some(double) = double
        && rng.chance(30)
    {
        return double;
    }
    let others = legal.len() - legal.bids();
    let passes: Vec<Call> = legal.iter().take(others).filter(|call| Some(*call) != double).collect();
    if legal.bids() > 0 && (passes.is_empty() || rng.chance(35)) {
        let bids = if rng.chance(15) { legal.bids() } else { legal.bids().min(14) };
        return legal.nth(others + rng.below(bids)).unwrap();
    }
    rng.pick(&passes)
}

/// Makes one random call or play, with any belote and melds that may be announced; false when the deal is over.
pub(crate) fn random_step(rng: &mut Rng, state: &mut DealState) -> bool {
    match state.turn() {
        Turn::Over => return false,
        Turn::Call(_) => drop(state.call(random_call(rng, &state.legal_calls())).unwrap()),
        Turn::Play(seat) => {
            let legal = state.legal_plays();
            let card = legal.nth(rng.below(legal.len())).unwrap();
            let melds = rng.pick(&state.meld_options(seat));
            state.play(Play { card, announce_belote: rng.chance(60), melds: Some(melds) }).unwrap();
        }
    }
    true
}

/// What one deal showed, so that a run can say what it has seen.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Seen {
    pub(crate) thrown_in: u64,
    pub(crate) coinched: u64,
    pub(crate) slams: u64,
    pub(crate) melds: u64,
    pub(crate) belotes: u64,
    pub(crate) held: u64,
}

/// Plays a random deal and compares every step; returns the state at its end.
pub(crate) fn play_compared(rules: &BothRules, rng: &mut Rng, seen: &mut Seen) -> DealState {
    let dealer = Seat::from_index(rng.below(4));
    let deck = random_deck(rules, rng, dealer);
    let deal = Deal::new(&rules.engine.deal, deck, dealer);
    check_dealing(rules, &deal);
    let mut state = DealState::new(&rules.engine, &deal);
    auction(rules, rng, &mut state);
    let Some(contract) = state.contract() else {
        seen.thrown_in += 1;
        assert_eq!(state.outcome(), Some(Outcome::ThrownIn));
        return state;
    };
    check_completion(rules, &deal, contract.declarer, state.hands());
    let announced = check_melds(rules, rng, &state);
    let mut belotes = Belotes::new(rules, contract.strain, state.hands());
    let (tricks, card_points) = tricks(rules, rng, &mut state, contract.strain, &announced, &mut belotes);
    check_score(rules, &state, &contract, tricks, card_points, belotes.points(), seen);
    state
}

/// The belotes of a deal by the words of `docs/rules.md`, "Belote": who has one, and what its holder said.
struct Belotes {
    automatic: bool,
    /// A card that is discarded in all trump cannot be the first.
    not_discarded: bool,
    /// By suit: the holder, and what was said at the first of the two cards.
    of_suit: [Option<(Seat, Option<bool>)>; 4],
}

impl Belotes {
    fn new(rules: &BothRules, strain: Strain, hands: &BySeat<CardSet>) -> Self {
        let each_suit = rules.json_of("belote.all_trump") != "none";
        let exists =
            rules.json_of("belote.scored") == true || rules.json_of("belote.counts_for_contract") == true;
        let not_discarded = strain == Strain::AllTrump && rules.json_of("belote.all_trump") == "no-discard";
        let of_suit = Suit::ALL.map(|suit| {
            let is_one = strain == Strain::of(suit) || (strain == Strain::AllTrump && each_suit);
            let holder = Seat::ALL.into_iter().find(|seat| couple(suit).is_subset(hands[*seat]));
            holder.filter(|_| is_one && exists).map(|holder| (holder, None))
        });
        Self { automatic: rules.json_of("belote.announce") == "automatic", not_discarded, of_suit }
    }

    /// A card is played with or without the word: only at the first of the two does it count.
    fn played(&mut self, seat: Seat, card: Card, led: Suit, says_so: bool) {
        let may_say = !self.not_discarded || card.suit() == led;
        if let Some((holder, said)) = &mut self.of_suit[card.suit().index()]
            && *holder == seat
            && couple(card.suit()).contains(card)
            && said.is_none()
        {
            *said = Some(may_say && (self.automatic || says_so));
        }
    }

    fn check(&self, state: &DealState) {
        for (suit, right) in Suit::ALL.into_iter().zip(self.of_suit) {
            let found = state.belote(suit).map(|belote| (belote.seat, belote.announced));
            assert_eq!(found, right, "belote of {suit}");
        }
    }

    fn points(&self) -> [i32; 2] {
        let mut points = [0; 2];
        for (holder, said) in self.of_suit.into_iter().flatten() {
            points[holder.index() % 2] += if said.unwrap() { 20 } else { 0 };
        }
        points
    }
}

fn couple(suit: Suit) -> CardSet {
    format!("K{suit} Q{suit}").parse().unwrap()
}

fn check_dealing(rules: &BothRules, deal: &Deal) {
    let mut hands = [CardSet::EMPTY; 4];
    let owners = owners(rules.engine.deal.packets.iter(), deal.dealer());
    for (owner, card) in owners.iter().zip(deal.deck().cards()) {
        hands[*owner] = hands[*owner].with(*card);
    }
    assert_eq!(deal.hands().0, hands);
    let turned = (rules.engine.deal.method == DealMethod::TurnUp).then(|| deal.deck().cards()[20]);
    assert_eq!(deal.turned(), turned);
}

/// Turn-up: the taker gets the turned card and two more, the others three, from the dealer's left.
fn check_completion(rules: &BothRules, deal: &Deal, taker: Seat, hands: &BySeat<CardSet>) {
    let mut expected = deal.hands().0;
    if rules.engine.deal.method == DealMethod::TurnUp {
        let mut rest = deal.deck().cards()[20..].to_vec();
        expected[taker.index()] = expected[taker.index()].with(rest.remove(0));
        for step in 1..=4 {
            let seat = (deal.dealer().index() + step) % 4;
            let n = if seat == taker.index() { 2 } else { 3 };
            expected[seat].extend(rest.drain(..n));
        }
        assert!(rest.is_empty());
    }
    if rules.engine.deal.method == DealMethod::Split {
        let first = expected[0].len();
        let mut rest = deal.deck().cards()[4 * first..].iter().copied();
        for step in 1..=4 {
            expected[(deal.dealer().index() + step) % 4].extend(rest.by_ref().take(8 - first));
        }
    }
    assert_eq!(hands.0, expected);
}

/// Compares who speaks and what may be called, or the end; returns if the auction is over.
pub(crate) fn check_auction(
    rules: &BothRules,
    state: &AuctionState,
    dealer: usize,
    turned: Option<book::Card>,
    said: &[(Seat, Call)],
) -> bool {
    let (turn, legal) = (state.turn(), state.legal_calls());
    let right = book::legal_calls(&rules.book, dealer, turned, &to_calls(said)).unwrap();
    if let book::Auction::Turn(mut right) = right {
        assert_eq!(turn.seat().map(Seat::index), Some(right.seat), "{said:?} {:?}", rules.engine);
        assert_eq!(!matches!(turn, AuctionTurn::Speak(_)), right.offer, "{said:?} {:?}", rules.engine);
        let mut calls: Vec<String> = legal.iter().map(|call| call.to_string()).collect();
        assert_eq!(calls.len(), legal.len());
        calls.sort_unstable();
        right.calls.sort_unstable();
        assert_eq!(calls, right.calls, "{said:?} {:?}", rules.engine);
        assert!(legal.iter().all(|call| legal.contains(call)));
        return false;
    }
    let contract = if let book::Auction::Contract(contract) = right { Some(contract) } else { None };
    assert_eq!(turn, AuctionTurn::Over, "{said:?} {:?}", rules.engine);
    assert!(legal.is_empty() && legal.iter().next().is_none());
    assert_eq!(state.contract().as_ref().map(to_contract), contract, "{said:?} {:?}", rules.engine);
    true
}

fn auction(rules: &BothRules, rng: &mut Rng, state: &mut DealState) {
    let dealer = state.deal().dealer().index();
    let turned = state.deal().turned().map(to_card);
    let mut said: Vec<(Seat, Call)> = Vec::new();
    // A sample: the list of all calls that are not legal is long.
    let try_illegal = rng.chance(3);
    while !check_auction(rules, state.auction().state(), dealer, turned, &said) {
        let legal = state.legal_calls();
        assert_eq!(legal, state.auction().state().legal_calls());
        if try_illegal {
            refuse_illegal_calls(state, &legal);
        }
        let call = random_call(rng, &legal);
        let seat = state.call(call).unwrap();
        said.push((seat, call));
        let listed: Vec<_> = said_without_declined(&said, state);
        assert_eq!(state.auction().calls(), listed);
    }
}

/// The calls without those passes that answered an offer, found by replaying.
fn said_without_declined(said: &[(Seat, Call)], state: &DealState) -> Vec<(Seat, Call)> {
    let turned = state.deal().turned().map(Card::suit);
    let mut auction = coinche_engine::AuctionState::new(state.rules(), state.deal().dealer(), turned);
    let mut listed = Vec::new();
    for (seat, call) in said {
        if matches!(auction.turn(), AuctionTurn::Speak(_)) || *call != Call::Pass {
            listed.push((*seat, *call));
        }
        auction.call(*call).unwrap();
    }
    listed
}

fn refuse_illegal_calls(state: &DealState, legal: &LegalCalls) {
    let values =
        (1..=990).filter_map(BidValue::points).chain([BidValue::NONE, BidValue::CAPOT, BidValue::GENERALE]);
    let bids = values.flat_map(|value| Strain::ALL.map(|strain| Call::Bid(Bid::new(value, strain))));
    let others = [Call::Pass, Call::Wait, Call::Coinche, Call::Surcoinche, Call::Take];
    let suits = Suit::ALL.map(Call::TakeIn);
    for call in bids.chain(others).chain(suits).filter(|call| !legal.contains(*call)) {
        let mut auction = *state.auction().state();
        assert!(auction.call(call).is_err(), "{call}");
        assert_eq!(auction, *state.auction().state());
    }
}

/// Compares the choices of every hand, and chooses; returns what is announced.
fn check_melds(rules: &BothRules, rng: &mut Rng, state: &DealState) -> BySeat<coinche_engine::Melds> {
    let points = |meld: &Meld| meld.points(&rules.engine.melds);
    BySeat::from_fn(|seat| {
        let options = state.meld_options(seat);
        let strain = to_strain(state.contract().unwrap().strain);
        let expected = book::choices(&rules.book, strain, &to_cards(state.hands()[seat]));
        let mut texts: Vec<Vec<String>> = Vec::new();
        for option in &options {
            let melds: Vec<_> = option.iter().map(|meld| to_meld(&meld, points(&meld))).collect();
            texts.push(sorted_melds(&melds));
        }
        let right: Vec<Vec<String>> = expected.iter().map(|choice| sorted_melds(choice)).collect();
        assert_eq!(texts[0], right[0], "the default of {}", state.hands()[seat]);
        let (mut all, mut all_right) = (texts, right);
        all.sort();
        all_right.sort();
        assert_eq!(all, all_right, "choices of {}", state.hands()[seat]);
        if rng.chance(60) { options[0] } else { rng.pick(&options) }
    })
}

fn sorted_melds(melds: &[book::Meld]) -> Vec<String> {
    let mut texts: Vec<String> = melds.iter().map(|meld| format!("{meld:?}")).collect();
    texts.sort();
    texts
}

/// Plays all tricks; returns tricks by seat and card points by team, counted by the rule book.
fn tricks(
    rules: &BothRules,
    rng: &mut Rng,
    state: &mut DealState,
    strain: Strain,
    announced: &BySeat<coinche_engine::Melds>,
    belotes: &mut Belotes,
) -> ([usize; 4], [i32; 2]) {
    let book_strain = to_strain(strain);
    let mut leader = (state.deal().dealer().index() + 1) % 4;
    let mut hands = state.hands().0.map(to_cards);
    let (mut won, mut points) = ([0; 4], [0; 2]);
    for number in 0..8 {
        let mut table: Vec<book::Card> = Vec::new();
        for place in 0..4 {
            let seat = (leader + place) % 4;
            assert_eq!(state.turn(), Turn::Play(Seat::from_index(seat)));
            let play = *state.play_state().unwrap();
            assert_eq!(play.hand(Seat::from_index(seat)), from_cards(&hands[seat]));
            let legal = book::legal_cards(&rules.book, book_strain, &hands[seat], &table);
            let legal = from_cards(&legal);
            assert_eq!(state.legal_plays(), legal, "{strain}: {table:?} {:?}", hands[seat]);
            for card in Card::all() {
                assert_eq!(play.check(card).is_ok(), legal.contains(card), "{card} {strain} {table:?}");
            }
            if !table.is_empty() {
                let best = (leader + book::trick_winner(book_strain, &table)) % 4;
                assert_eq!(play.winning().map(|(seat, _)| seat.index()), Some(best));
            }
            let card = legal.nth(rng.below(legal.len())).unwrap();
            let melds = (number == 0).then(|| announced[Seat::from_index(seat)]);
            // Drawn anew for each card, so that some speak at the second of the two, too late.
            let announce_belote = rng.chance(50);
            state.play(Play { card, announce_belote, melds }).unwrap();
            let led = table.first().map_or(card.suit(), |led| from_card(*led).suit());
            belotes.played(Seat::from_index(seat), card, led, announce_belote);
            belotes.check(state);
            hands[seat].retain(|held| *held != to_card(card));
            table.push(to_card(card));
        }
        let winner = (leader + book::trick_winner(book_strain, &table)) % 4;
        assert_eq!(state.tricks()[number].winner.index(), winner);
        won[winner] += 1;
        let worth: i32 = table.iter().map(|card| book::card_points(&rules.book, book_strain, *card)).sum();
        points[winner % 2] += worth;
        if number == 7 {
            points[winner % 2] += last_trick(rules, strain);
        }
        assert_eq!(state.play_state().unwrap().card_points(&rules.engine).0.map(i32::from), points);
        leader = winner;
    }
    assert_eq!(state.turn(), Turn::Over);
    (won, points)
}

fn last_trick(rules: &BothRules, strain: Strain) -> i32 {
    match strain {
        Strain::NoTrump => rules.book.scoring.last_trick_no_trump,
        Strain::AllTrump => rules.book.scoring.last_trick_all_trump,
        _ => rules.book.scoring.last_trick,
    }
}

fn check_score(
    rules: &BothRules,
    state: &DealState,
    contract: &Contract,
    tricks: [usize; 4],
    card_points: [i32; 2],
    belote: [i32; 2],
    seen: &mut Seen,
) {
    let mut announced: Vec<(usize, book::Meld)> = Vec::new();
    for (seat, melds) in state.announced_melds().iter() {
        for meld in melds.iter() {
            announced.push((seat.index(), to_meld(&meld, meld.points(&rules.engine.melds))));
        }
    }
    let leader = state.deal().dealer().next().index();
    let counts = book::contest(&rules.book, to_strain(contract.strain), leader, &announced);
    let mut melds = [0; 2];
    for ((seat, meld), counts) in announced.iter().zip(&counts) {
        if *counts {
            melds[seat % 2] += meld.points;
        }
    }
    let deal = book::Deal { contract: to_contract(contract), tricks, card_points, belote, melds };
    let expected = book::score_deal(&rules.book, &deal);
    let Some(Outcome::Played { result, score }) = state.outcome() else { panic!("the deal is over") };
    assert_eq!(result.melds.0.map(i32::from), melds);
    assert_eq!(result.belote.0.map(i32::from), belote);
    assert_eq!(result.card_points.0.map(i32::from), card_points);
    assert_eq!(result.tricks.0.map(usize::from), tricks);
    let found = book::Outcome { made: score.made, score: score.points.0, held: score.held };
    assert_eq!(found, expected, "{result:?}");
    assert_eq!(
        score.slam,
        (0..2).find(|team| tricks[*team] + tricks[team + 2] == 8).map(|team| Team::ALL[team])
    );
    seen.coinched += u64::from(contract.stake != coinche_engine::Stake::Plain);
    seen.slams += u64::from(Team::ALL.iter().any(|team| state.play_state().unwrap().tricks_won(*team) == 8));
    seen.melds += u64::from(melds != [0, 0]);
    seen.belotes += u64::from(belote != [0, 0]);
    seen.held += u64::from(score.held != 0);
}
