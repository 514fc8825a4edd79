//! `deals-*.jsonl`: whole deal records, played at random.

use super::auctions::random_call;
use super::melds::{announce, counted, rich_hands};
use super::rng::Rng;
use super::{Lines, contract_record, line};
use crate::auction::{Auction, Contract, Turn, legal_calls};
use crate::cards::{Card, Strain, Suit, deck, hand_text};
use crate::options::{AllTrumpBelote, Announce, Method};
use crate::play::{card_points, last_trick_points, legal_cards, trick_winner};
use crate::record::{Record, RecordBelote, RecordTrick, SuitBelote};
use crate::referee::{belotes, is_discarded};
use crate::rules::{NamedRules, Rules};
use crate::score::{Deal, score_deal};

/// The cards of a deal in the order in which they are handed out.
struct Stock {
    cards: Vec<Card>,
    /// A seat with all trumps of a suit, if the deal is made for a slam.
    strong: Option<(usize, Suit)>,
}

fn random_stock(rules: &Rules, rng: &mut Rng) -> Stock {
    let mut cards = deck();
    rng.shuffle(&mut cards);
    let first: usize = rules.deal.packets.iter().sum::<u32>() as usize;
    if rules.melds.enabled && rules.deal.method != Method::TurnUp && rng.chance(60) {
        let hands = rich_hands(rng);
        let part = |cards: fn(&[Card], usize) -> &[Card]| -> Vec<Card> {
            hands.iter().flat_map(|hand| cards(hand, first).to_vec()).collect()
        };
        cards = [part(|hand, first| &hand[..first]), part(|hand, first| &hand[first..])].concat();
    }
    if !rng.chance(25) {
        return Stock { cards, strong: None };
    }
    // All of a suit to one seat; in a turn-up deal five, the turned card and the two after it.
    let (seat, suit) = (rng.below(4), *rng.pick(&Suit::ALL));
    let places: Vec<usize> = match rules.deal.method {
        Method::Full => (8 * seat..8 * seat + 8).collect(),
        Method::TurnUp => (5 * seat..5 * seat + 5).chain(20..23).collect(),
        Method::Split => {
            let (rest, then) = (8 - first, 4 * first);
            (first * seat..first * seat + first)
                .chain(then + rest * seat..then + rest * seat + rest)
                .collect()
        }
    };
    let (trumps, mut rest): (Vec<Card>, Vec<Card>) = cards.into_iter().partition(|card| card.suit == suit);
    for (&place, &trump) in places.iter().zip(&trumps) {
        rest.insert(place.min(rest.len()), trump);
    }
    Stock { cards: rest, strong: Some((seat, suit)) }
}

/// What a seat says. In a deal made for a slam the strong seat alone bids.
fn call(rng: &mut Rng, turn: &Turn, strong: Option<(usize, Suit)>) -> String {
    let may_pass = turn.calls.iter().any(|call| call == "P");
    let Some((seat, suit)) = strong.filter(|_| may_pass) else {
        return random_call(rng, turn);
    };
    if turn.seat == seat {
        let own: Vec<&String> = turn
            .calls
            .iter()
            .filter(|call| *call == "XX" || *call == "TAKE" || call.ends_with(suit.letter()))
            .collect();
        return match own.as_slice() {
            [] => "P".to_owned(),
            [.., last] if rng.chance(40) => (*last).clone(),
            some => (*rng.pick(some)).clone(),
        };
    }
    let doubles = turn.calls.iter().any(|call| call == "X");
    if doubles && rng.chance(40) { "X".to_owned() } else { "P".to_owned() }
}

/// The hands after the auction: in a turn-up deal the taker gets the turned card and two more.
fn dealt(rules: &Rules, stock: &Stock, dealer: usize, taker: Option<usize>) -> Vec<Vec<Card>> {
    let cards = &stock.cards;
    if rules.deal.method == Method::Full {
        return cards.chunks(8).map(<[Card]>::to_vec).collect();
    }
    if rules.deal.method == Method::Split {
        let first = rules.deal.packets.iter().sum::<u32>() as usize;
        let mut hands: Vec<Vec<Card>> = cards[..4 * first].chunks(first).map(<[Card]>::to_vec).collect();
        if taker.is_some() {
            for (hand, rest) in hands.iter_mut().zip(cards[4 * first..].chunks(8 - first)) {
                hand.extend(rest);
            }
        }
        return hands;
    }
    let mut hands: Vec<Vec<Card>> = cards[..20].chunks(5).map(<[Card]>::to_vec).collect();
    if let Some(taker) = taker {
        let mut rest = cards[20..].iter().copied();
        hands[taker].extend(rest.by_ref().take(3));
        for seat in (1..=4).map(|step| (dealer + step) % 4).filter(|&seat| seat != taker) {
            hands[seat].extend(rest.by_ref().take(3));
        }
    }
    hands
}

/// Says calls until the auction is over; declined offers are not listed.
fn auction(
    rules: &Rules,
    rng: &mut Rng,
    dealer: usize,
    stock: &Stock,
) -> (Vec<(usize, String)>, Option<Contract>) {
    let turned = (rules.deal.method == Method::TurnUp).then(|| stock.cards[20]);
    let mut said = Vec::new();
    let mut listed = Vec::new();
    loop {
        match legal_calls(rules, dealer, turned, &said).expect("only legal calls are said") {
            Auction::Turn(turn) => {
                let call = (turn.seat, call(rng, &turn, stock.strong));
                if !(turn.offer && call.1 == "P") {
                    listed.push(call.clone());
                }
                said.push(call);
            }
            Auction::Contract(contract) => return (listed, Some(contract)),
            Auction::ThrownIn => return (listed, None),
        }
    }
}

/// Plays all tricks at random; gives them with tricks by seat and card points by team.
pub(super) fn play(
    rules: &Rules,
    rng: &mut Rng,
    strain: Strain,
    first: usize,
    hands: &[Vec<Card>],
) -> (Vec<RecordTrick>, [usize; 4], [i32; 2]) {
    let mut left = hands.to_vec();
    let mut leader = first;
    let (mut tricks, mut won, mut points) = (Vec::new(), [0; 4], [0; 2]);
    for number in 0..8 {
        let mut table: Vec<Card> = Vec::new();
        for place in 0..4 {
            let seat = (leader + place) % 4;
            let card = *rng.pick(&legal_cards(rules, strain, &left[seat], &table));
            left[seat].retain(|&held| held != card);
            table.push(card);
        }
        let winner = (leader + trick_winner(strain, &table)) % 4;
        won[winner] += 1;
        points[winner % 2] += table.iter().map(|&card| card_points(rules, strain, card)).sum::<i32>();
        if number == 7 {
            points[winner % 2] += last_trick_points(rules, strain);
        }
        tricks.push(RecordTrick { leader, cards: table.iter().map(Card::to_string).collect(), winner });
        leader = winner;
    }
    (tricks, won, points)
}

/// Plays one deal at random.
pub(super) fn random_record(rules: &NamedRules, rng: &mut Rng, number: usize) -> Record {
    let set = &rules.rules;
    let dealer = number % 4;
    let stock = random_stock(set, rng);
    let (calls, contract) = auction(set, rng, dealer, &stock);
    let hands = dealt(set, &stock, dealer, contract.map(|contract| contract.declarer));
    let mut record = Record {
        v: 1,
        deal: u64::try_from(number).expect("a small number"),
        leg: 0,
        rules: rules.clone(),
        dealer,
        bots: vec!["random".to_owned(); 4],
        hands: hands.iter().map(|hand| hand_text(hand)).collect(),
        turned: (set.deal.method == Method::TurnUp).then(|| stock.cards[20].to_string()),
        auction: calls,
        contract: contract.as_ref().map(contract_record),
        melds: Vec::new(),
        belote: None,
        belotes: Vec::new(),
        tricks: Vec::new(),
        tricks_won: Some([0, 0]),
        card_points: Some([0, 0]),
        made: None,
        score: [0, 0],
        held: None,
        faults: Vec::new(),
    };
    if let Some(contract) = contract {
        played(&mut record, rng, contract, &hands);
    }
    record
}

/// Fills in what comes after the auction.
fn played(record: &mut Record, rng: &mut Rng, contract: Contract, hands: &[Vec<Card>]) {
    let rules = record.rules.clone();
    let set = &rules.rules;
    let strain = contract.bid.strain;
    if set.melds.enabled {
        record.melds = announce(&rules, rng, strain, (record.dealer + 1) % 4, hands);
    }
    let (said, announced): (Vec<_>, _) = (belotes(set, strain, hands), set.belote.announce);
    let said: Vec<_> = said
        .into_iter()
        .map(|(seat, suit)| (seat, suit, announced == Announce::Automatic || rng.chance(80)))
        .collect();
    let (tricks, won, card_points) = play(set, rng, strain, (record.dealer + 1) % 4, hands);
    record.tricks = tricks;
    let mut belote = [0, 0];
    for (seat, suit, announced) in said {
        let announced = announced && !is_discarded(set, strain, record, suit);
        if announced {
            belote[seat % 2] += 20;
        }
        match strain {
            Strain::Suit(_) => record.belote = Some(RecordBelote { seat, announced }),
            _ => record.belotes.push(SuitBelote { seat, suit: suit.letter().to_string(), announced }),
        }
    }
    let melds = counted(&record.melds);
    let outcome = score_deal(set, &Deal { contract, tricks: won, card_points, belote, melds });
    record.tricks_won = Some([won[0] + won[2], won[1] + won[3]]);
    record.card_points = Some(card_points);
    record.made = Some(outcome.made);
    record.score = outcome.score;
    record.held = (outcome.held != 0).then_some(outcome.held);
}

pub(super) fn write(rules: &NamedRules, rng: &mut Rng, size: usize, lines: &mut Lines) {
    for number in 0..size {
        let mut record = random_record(rules, rng, number);
        // Where all trump has belotes, that is what the lines are about.
        while rules.name.is_none()
            && rules.rules.belote.all_trump != AllTrumpBelote::None
            && record.belotes.is_empty()
        {
            record = random_record(rules, rng, number);
        }
        lines.push(line(&record));
    }
}
