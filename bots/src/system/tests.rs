//! The steps of expressions against a slow, literal twin; expressions printed and read; what is wrong, named.

use coinche_engine::{
    Auction, BidValue, ByTeam, Call, Card, CardSet, Deal, DealState, Deck, Goal, Key, Melds, Rank, RuleSet,
    Seat, Stake, Strain, Suit, Turn,
};
use proptest::prelude::*;

use super::code::{Eval, Hand};
use super::syntax::{Expr, Function, Node, Sign};
use super::{Moment, SHIPPED, System, Word, expression};

/// A seat before a call, as a person would look at it: lists of cards and calls.
struct Seen<'a> {
    rules: &'a RuleSet,
    cards: Vec<Card>,
    auction: &'a Auction,
    dealer: Seat,
    seat: Seat,
    turned: Option<Card>,
    score: ByTeam<i32>,
    next: Option<BidValue>,
}

/// The suits beside the trump suit.
fn sides(strain: Option<Strain>) -> Vec<Suit> {
    Suit::ALL.into_iter().filter(|suit| strain.and_then(Strain::trump) != Some(*suit)).collect()
}

impl Seen<'_> {
    fn points(&self, value: BidValue) -> i32 {
        if value == BidValue::CAPOT {
            return self.rules.contract.capot.into();
        }
        if value == BidValue::GENERALE {
            return self.rules.contract.generale.into();
        }
        let points = i32::from(value.as_points().unwrap());
        points - points % 10
    }

    /// The bids of a seat: points, strain, and how many calls were made before.
    fn bids(&self, of: impl Fn(Seat) -> bool) -> Vec<(i32, Strain, usize)> {
        let calls = self.auction.calls().iter().enumerate();
        let bids = calls.filter(|(_, (seat, _))| of(*seat)).filter_map(|(n, (_, call))| match call {
            Call::Bid(bid) => Some((self.points(bid.value), bid.strain, n)),
            _ => None,
        });
        bids.collect()
    }

    fn mine(&self) -> Vec<(i32, Strain, usize)> {
        self.bids(|seat| seat == self.seat)
    }

    fn partners(&self) -> Vec<(i32, Strain, usize)> {
        self.bids(|seat| seat == self.seat.partner())
    }

    fn theirs(&self) -> Vec<(i32, Strain, usize)> {
        self.bids(|seat| seat.team() != self.seat.team())
    }

    fn in_suit(&self, suit: Suit) -> Vec<Rank> {
        self.cards.iter().filter(|card| card.suit() == suit).map(|card| card.rank()).collect()
    }

    fn beside(&self, rank: Rank, strain: Option<Strain>) -> i32 {
        let sides = sides(strain);
        let of = self.cards.iter().filter(|card| card.rank() == rank && sides.contains(&card.suit()));
        i32::try_from(of.count()).unwrap()
    }

    /// Cards that no card outside of the hand beats in its suit.
    fn masters(&self, suits: &[Suit], strain: Option<Strain>) -> i32 {
        let strain = strain.unwrap_or(Strain::NoTrump);
        let beats = |other: Card, card: Card| {
            other.suit() == card.suit()
                && !self.cards.contains(&other)
                && strain.strength(other) > strain.strength(card)
        };
        let of = self.cards.iter().filter(|card| suits.contains(&card.suit()));
        i32::try_from(of.filter(|card| !Card::all().any(|other| beats(other, **card))).count()).unwrap()
    }

    fn spoke(&self, seat: Seat) -> bool {
        self.auction.calls().iter().any(|(other, _)| *other == seat)
    }

    fn passed(&self, seat: Seat) -> bool {
        self.spoke(seat) && self.bids(|other| other == seat).is_empty()
    }

    #[expect(clippy::too_many_lines, reason = "a line for each word")]
    fn word(&self, word: Word, strain: Option<Strain>) -> i32 {
        let number = |count: usize| i32::try_from(count).unwrap();
        let trump = strain.and_then(Strain::trump);
        let length = |suit| self.in_suit(suit).len();
        let sides = sides(strain);
        let (mine, partners, theirs) = (self.mine(), self.partners(), self.theirs());
        let all = self.bids(|_| true);
        let last = |bids: &[(i32, Strain, usize)]| bids.last().map_or(0, |bid| bid.0);
        let has_bid = |bids: &[(i32, Strain, usize)]| {
            i32::from(strain.is_some_and(|strain| bids.iter().any(|bid| bid.1 == strain)))
        };
        let contract = self.auction.state().contract();
        let by = contract.map(|contract| contract.declarer);
        let stake = contract.map(|contract| contract.stake);
        let raised = |ours: &[(i32, Strain, usize)], by: &[(i32, Strain, usize)]| {
            i32::from(by.iter().any(|bid| ours.iter().any(|first| first.1 == bid.1 && first.2 < bid.2)))
        };
        let turned = |rank| i32::from(self.turned.is_some_and(|card| card.rank() == rank));
        let opener = all.first().map(|bid| self.auction.calls()[bid.2].0);
        let auction = &self.rules.auction;
        let turn_up = self.rules.preset_name().is_some_and(|name| name.starts_with("belote"));
        let bids = |has: bool| i32::from(has && !turn_up);
        match word {
            Word::Trumps | Word::Length => trump.map_or(0, |suit| number(length(suit))),
            Word::Belote => trump.map_or(0, |suit| {
                let held = self.in_suit(suit);
                i32::from(held.contains(&Rank::King) && held.contains(&Rank::Queen))
            }),
            Word::TrumpPoints => trump.map_or(0, |suit| {
                let points = |rank: &Rank| {
                    i32::from(self.rules.cards.points(Strain::of(suit), Card::new(suit, *rank)))
                };
                self.in_suit(suit).iter().map(points).sum::<i32>()
            }),
            Word::Aces => self.beside(Rank::Ace, strain),
            Word::Tens => self.beside(Rank::Ten, strain),
            Word::GuardedTens => {
                let guarded = |suit: &&Suit| self.in_suit(**suit).contains(&Rank::Ten) && length(**suit) > 1;
                number(sides.iter().filter(guarded).count())
            }
            Word::Kings => self.beside(Rank::King, strain),
            Word::Queens => self.beside(Rank::Queen, strain),
            Word::Jacks => self.beside(Rank::Jack, strain),
            Word::Nines => self.beside(Rank::Nine, strain),
            Word::Voids => number(sides.iter().filter(|suit| length(**suit) == 0).count()),
            Word::Singletons => number(sides.iter().filter(|suit| length(**suit) == 1).count()),
            Word::Doubletons => number(sides.iter().filter(|suit| length(**suit) == 2).count()),
            Word::Longest => number(sides.iter().map(|suit| length(*suit)).max().unwrap()),
            Word::SideMasters => self.masters(&sides, strain),
            Word::Masters => self.masters(&Suit::ALL, strain),
            Word::Losers => number(self.cards.len()) - self.masters(&Suit::ALL, strain),
            Word::Points => {
                let strain = strain.unwrap_or(Strain::NoTrump);
                self.cards.iter().map(|card| i32::from(self.rules.cards.points(strain, *card))).sum()
            }
            Word::Melds if !self.rules.melds.enabled => 0,
            Word::Melds => {
                let cards: CardSet = self.cards.iter().copied().collect();
                Melds::best(&self.rules.melds, cards).points(&self.rules.melds).into()
            }
            Word::Cards => number(self.cards.len()),
            Word::IsSuit => i32::from(trump.is_some()),
            Word::IsSa => i32::from(strain == Some(Strain::NoTrump)),
            Word::IsTa => i32::from(strain == Some(Strain::AllTrump)),
            Word::IsTurned => i32::from(self.turned.is_some_and(|card| trump == Some(card.suit()))),
            Word::OfPartner => has_bid(&partners),
            Word::OfMine => has_bid(&mine),
            Word::OfTheirs => has_bid(&theirs),
            Word::IsNew => 1 - has_bid(&all),
            Word::Opening => i32::from(all.is_empty()),
            Word::Position => {
                let mut seat = self.dealer.next();
                let mut place = 1;
                while seat != self.seat {
                    (seat, place) = (seat.next(), place + 1);
                }
                place
            }
            Word::Round => {
                1 + number(self.auction.calls().iter().filter(|(seat, _)| *seat == self.seat).count())
            }
            Word::Bids => number(all.len()),
            Word::MyBids => number(mine.len()),
            Word::PartnerBids => number(partners.len()),
            Word::TheirBids => number(theirs.len()),
            Word::IOpened => i32::from(opener == Some(self.seat)),
            Word::PartnerOpened => i32::from(opener == Some(self.seat.partner())),
            Word::TheyOpened => i32::from(opener.is_some_and(|seat| seat.team() != self.seat.team())),
            Word::IPassed => i32::from(self.passed(self.seat)),
            Word::PartnerPassed => i32::from(self.passed(self.seat.partner())),
            Word::TheirPasses => number(
                Seat::ALL.iter().filter(|it| it.team() != self.seat.team() && self.passed(**it)).count(),
            ),
            Word::PartnerWaited => {
                let waited =
                    |(seat, call): &(Seat, Call)| *seat == self.seat.partner() && *call == Call::Wait;
                i32::from(self.auction.calls().iter().any(waited))
            }
            Word::Level => match contract.map(|contract| contract.goal) {
                Some(Goal::Bid(value)) => self.points(value),
                _ => 0,
            },
            Word::MyLevel => last(&mine),
            Word::PartnerLevel => last(&partners),
            Word::PartnerFirst => partners.first().map_or(0, |bid| bid.0),
            Word::PartnerJump => partners.last().map_or(0, |bid| {
                let before: Vec<_> = all.iter().filter(|other| other.2 < bid.2).collect();
                let values: Vec<i32> =
                    self.auction.state().ladder().iter().map(|value| self.points(value)).collect();
                let rung = |points: i32| values.iter().position(|value| *value == points).unwrap();
                number(rung(bid.0) - before.last().map_or(0, |other| rung(other.0) + 1))
            }),
            Word::TheirLevel => last(&theirs),
            Word::Next => self.next.map_or(0, |value| self.points(value)),
            Word::OurBid => i32::from(by.is_some_and(|seat| seat.team() == self.seat.team())),
            Word::TheirBid => i32::from(by.is_some_and(|seat| seat.team() != self.seat.team())),
            Word::PartnersBid => i32::from(by == Some(self.seat.partner())),
            Word::PartnerRaised => raised(&mine, &partners),
            Word::PartnerChanged => partners.last().map_or(0, |bid| {
                let before = mine.iter().rfind(|mine| mine.2 < bid.2);
                i32::from(before.is_some_and(|before| before.1 != bid.1))
            }),
            Word::IRaised => raised(&partners, &mine),
            Word::Coinched => i32::from(stake == Some(Stake::Coinche)),
            Word::Surcoinched => i32::from(stake == Some(Stake::Surcoinche)),
            Word::Offered => i32::from(self.auction.state().turn().is_offer()),
            Word::SecondRound => i32::from(turn_up && self.auction.calls().len() >= 4),
            Word::TurnedJack => turned(Rank::Jack),
            Word::TurnedNine => turned(Rank::Nine),
            Word::TurnedAce => turned(Rank::Ace),
            Word::OurScore => self.score[self.seat.team()],
            Word::TheirScore => self.score[self.seat.team().other()],
            Word::Target => i32::try_from(self.rules.game.target).unwrap(),
            Word::Lowest => bids(true) * i32::from(auction.lowest / 10 * 10),
            Word::Highest => bids(true) * i32::from(auction.highest.unwrap_or(990)),
            Word::TurnUp => i32::from(turn_up),
            Word::HasSa => bids(auction.no_trump),
            Word::HasTa => bids(auction.all_trump),
            Word::HasCapot => bids(auction.capot),
            Word::HasGenerale => bids(auction.generale),
            Word::HasWait => bids(auction.signal_pass),
            Word::HasCoinche => bids(true),
            Word::HasMelds => i32::from(self.rules.melds.enabled && self.rules.melds.counts_for_contract),
        }
    }

    fn value(&self, node: &Node, strain: Option<Strain>) -> i64 {
        let value = |node: &Node| self.value(node, strain);
        let truth = i64::from;
        let of_suit = |node: &Node, suit: Suit| self.value(node, Some(Strain::of(suit)));
        match &node.expr {
            Expr::Number(number) => (*number).into(),
            Expr::Truth(is) => truth(*is),
            Expr::Cards(ranks) => {
                let Some(suit) = strain.and_then(Strain::trump) else { return 0 };
                let held = self.in_suit(suit);
                truth(Rank::ALL.iter().all(|rank| ranks >> rank.index() & 1 == 0 || held.contains(rank)))
            }
            Expr::Name(name) => self.word(Word::find(name).unwrap(), strain).into(),
            Expr::Not(inner) => truth(value(inner) == 0),
            Expr::Minus(inner) => -value(inner),
            Expr::Binary(sign, a, b) => {
                let (a, b) = (value(a), value(b));
                match sign {
                    Sign::Or => truth(a != 0 || b != 0),
                    Sign::And => truth(a != 0 && b != 0),
                    Sign::Less => truth(a < b),
                    Sign::AtMost => truth(a <= b),
                    Sign::More => truth(a > b),
                    Sign::AtLeast => truth(a >= b),
                    Sign::Equal => truth(a == b),
                    Sign::Unequal => truth(a != b),
                    Sign::Plus => a + b,
                    Sign::Minus => a - b,
                    Sign::Times => a * b,
                    Sign::Over => a.div_euclid(b),
                }
            }
            Expr::In(parts) => {
                let [what, low, high] = &**parts;
                truth(value(low) <= value(what) && value(what) <= value(high))
            }
            Expr::Call(function, arguments) => {
                let first = &arguments[0];
                let others = sides(strain);
                let at = |strain: Option<Strain>| strain.map_or(0, |strain| self.value(first, Some(strain)));
                let last = |bids: Vec<(i32, Strain, usize)>| bids.last().map(|bid| bid.1);
                let holds = |suits: &[Suit]| {
                    i64::try_from(suits.iter().filter(|suit| of_suit(first, **suit) != 0).count()).unwrap()
                };
                let most = |suits: &[Suit]| suits.iter().map(|suit| of_suit(first, *suit)).max().unwrap();
                match function {
                    Function::Any => truth(holds(&Suit::ALL) > 0),
                    Function::Every => truth(holds(&Suit::ALL) == 4),
                    Function::Count => holds(&Suit::ALL),
                    Function::Most => most(&Suit::ALL),
                    Function::Others => holds(&others),
                    Function::MostOther => most(&others),
                    Function::Partner => at(last(self.partners())),
                    Function::Mine => at(last(self.mine())),
                    Function::Theirs => at(last(self.theirs())),
                    Function::Contract => at(self.auction.state().contract().map(|it| it.strain)),
                    Function::Turned => at(self.turned.map(|card| Strain::of(card.suit()))),
                    Function::Min => value(first).min(value(&arguments[1])),
                    Function::Max => value(first).max(value(&arguments[1])),
                    Function::If => value(&arguments[if value(first) == 0 { 2 } else { 1 }]),
                }
            }
            Expr::Weigh(true, weights) => {
                let Some(suit) = strain.and_then(Strain::trump) else { return 0 };
                let held = self.in_suit(suit);
                weights.iter().filter(|(rank, _)| held.contains(rank)).map(|(_, weight)| value(weight)).sum()
            }
            Expr::Weigh(false, weights) => weights
                .iter()
                .map(|(rank, weight)| value(weight) * i64::from(self.beside(*rank, strain)))
                .sum(),
        }
    }
}

/// A random expression: a condition or a number, of the words of the language.
fn random(key: &mut Key, depth: u32, condition: bool) -> Node {
    let mut draw = |n: usize| {
        *key = key.and(1);
        key.below(n)
    };
    let words = |condition: bool| {
        let kind = if condition { super::WordKind::Condition } else { super::WordKind::Number };
        Word::ALL.iter().filter(move |word| word.kind() == kind)
    };
    let choice = if depth == 0 { draw(3) } else { draw(12) };
    let pick = draw(words(condition).count());
    let name = Expr::Name(words(condition).nth(pick).unwrap().name().to_owned());
    let number = i32::try_from(draw(12)).unwrap();
    let ranks = u8::try_from(1 + draw(255)).unwrap();
    let at = draw(64);
    let sub = |key: &mut Key, condition| Box::new(random(key, depth - 1, condition));
    let compares = [Sign::Less, Sign::AtMost, Sign::More, Sign::AtLeast, Sign::Equal, Sign::Unequal];
    let looks = [Function::Partner, Function::Mine, Function::Theirs, Function::Contract, Function::Turned];
    let expr = match (condition, choice) {
        (true, 0 | 1) | (false, 0) => name,
        (true, 2) if at % 8 == 0 => Expr::Truth(at % 16 == 0),
        (true, 2) => Expr::Cards(ranks),
        (false, 1 | 2) => Expr::Number(number),
        (true, 3) => Expr::Not(sub(key, true)),
        (true, 4 | 5) => Expr::Binary(Sign::And, sub(key, true), sub(key, true)),
        (true, 6) => Expr::Binary(Sign::Or, sub(key, true), sub(key, true)),
        (true, 7 | 8) => Expr::Binary(compares[at % 6], sub(key, at % 7 == 0), sub(key, false)),
        (true, 9) => Expr::In(Box::new([*sub(key, false), *sub(key, false), *sub(key, false)])),
        (true, 10) => Expr::Call([Function::Any, Function::Every][at % 2], vec![*sub(key, true)]),
        (false, 3) => Expr::Minus(sub(key, false)),
        (false, 4) => Expr::Binary(Sign::Plus, sub(key, false), sub(key, at % 5 == 0)),
        (false, 5) => Expr::Binary(Sign::Minus, sub(key, false), sub(key, false)),
        (false, 6) => Expr::Binary(Sign::Times, sub(key, false), sub(key, false)),
        (false, 7) => {
            let divisor = Node::new(Expr::Number(number + 1), at);
            Expr::Binary(Sign::Over, sub(key, false), Box::new(divisor))
        }
        (false, 8) => {
            let ranks = Rank::ALL.into_iter().filter(|rank| ranks >> rank.index() & 1 == 1);
            Expr::Weigh(at % 2 == 0, ranks.map(|rank| (rank, *sub(key, false))).collect())
        }
        (false, 9) => Expr::Call([Function::Count, Function::Others][at % 2], vec![*sub(key, true)]),
        (false, 10) if at % 2 == 0 => {
            Expr::Call([Function::Min, Function::Max][at / 2 % 2], vec![*sub(key, false), *sub(key, false)])
        }
        (false, 10) => Expr::Call([Function::Most, Function::MostOther][at / 2 % 2], vec![*sub(key, false)]),
        _ if at % 3 == 0 => {
            Expr::Call(Function::If, vec![*sub(key, true), *sub(key, condition), *sub(key, condition)])
        }
        _ => Expr::Call(looks[at % 5], vec![*sub(key, condition)]),
    };
    Node::new(expr, at)
}

/// Random moments of auctions under a preset, with the hand of whose turn it is.
fn moments(rules: &RuleSet, index: u64, mut look: impl FnMut(&DealState, Seat)) {
    let mut key = Key::from_bits(index);
    let dealer = Seat::from_index(usize::try_from(index % 4).unwrap());
    let deal = Deal::new(&rules.deal, Deck::shuffled(9, index), dealer);
    let mut state = DealState::new(rules, &deal);
    let score = i32::try_from(index % 900).unwrap();
    state.set_match(ByTeam([score, 2 * score]), 0, &[]);
    while let Turn::Call(seat) = state.turn() {
        look(&state, seat);
        key = key.and(1);
        let legal = state.legal_calls();
        // Low bids and passes: long auctions.
        let call =
            if key.happens(0.5) { Call::Pass } else { legal.nth(key.below(legal.len().min(9))).unwrap() };
        state.call(call).unwrap();
    }
}

/// How many random expressions are compared under each preset.
fn count() -> u64 {
    if std::env::var_os("COINCHE_LONG").is_some() { 3_000 } else { 150 }
}

#[test]
fn expressions_are_what_they_literally_say() {
    let (mut compared, mut holds) = (0_u64, 0_u64);
    for (name, rules) in RuleSet::PRESETS {
        for index in 0..count() {
            let mut key = Key::from_bits(index).and(7);
            let node = random(&mut key, 4, index % 2 == 0);
            let file = format!("name = \"x\"\n[[rule]]\nin = \"suits\"\ncall = \"pass\"\nbest = '{node}'\n");
            // What is too long is refused.
            let Ok(system) = System::read(&file, &[]) else { continue };
            moments(&rules, index, |state, seat| {
                let (view, legal) = (state.view(seat), state.legal_calls());
                let moment = Moment::of(&view, &legal);
                let cards = moment.cards(view.first_hand());
                let melds = if rules.melds.enabled {
                    Melds::best(&rules.melds, cards).points(&rules.melds).into()
                } else {
                    0
                };
                let hand = Hand { cards, melds };
                let eval = Eval { ops: &system.ops, moment: &moment, card_rules: &rules.cards, hand };
                let seen = Seen {
                    rules: &rules,
                    cards: cards.into_iter().collect(),
                    auction: view.auction(),
                    dealer: view.dealer(),
                    seat,
                    turned: view.turned(),
                    score: view.match_score(),
                    next: legal.lowest_value(),
                };
                for strain in Strain::ALL.into_iter().map(Some).chain([None]) {
                    let slow = seen.value(&node, strain);
                    // Large products stay at the end of what there is.
                    if slow.abs() < i64::from(i32::MAX) / 1000 {
                        let fast = i64::from(eval.value(system.rules[0].best.unwrap(), strain));
                        assert_eq!(fast, slow, "{name}, {strain:?}, {:?}: {node}", view.auction().calls());
                        compared += 1;
                        holds += u64::from(slow != 0);
                    }
                }
            });
        }
    }
    assert!(compared > 20 * count() && holds * 5 > compared, "{compared} values, {holds} not 0");
}

#[test]
fn every_word_is_literally_what_it_says() {
    let mut seen_both = 0;
    for word in Word::ALL {
        let file =
            format!("name = \"x\"\n[[rule]]\nin = \"suits\"\ncall = \"pass\"\nbest = '{}'\n", word.name());
        let system = System::read(&file, &[]).unwrap();
        let mut values = std::collections::BTreeSet::new();
        for (name, rules) in RuleSet::PRESETS {
            for index in 0..12 {
                moments(&rules, index, |state, seat| {
                    let (view, legal) = (state.view(seat), state.legal_calls());
                    let moment = Moment::of(&view, &legal);
                    let cards = moment.cards(view.first_hand());
                    let best = Melds::best(&rules.melds, cards).points(&rules.melds).into();
                    let hand = Hand { cards, melds: if rules.melds.enabled { best } else { 0 } };
                    let eval = Eval { ops: &system.ops, moment: &moment, card_rules: &rules.cards, hand };
                    let seen = Seen {
                        rules: &rules,
                        cards: cards.into_iter().collect(),
                        auction: view.auction(),
                        dealer: view.dealer(),
                        seat,
                        turned: view.turned(),
                        score: view.match_score(),
                        next: legal.lowest_value(),
                    };
                    for strain in Strain::ALL.into_iter().map(Some).chain([None]) {
                        let fast = eval.value(system.rules[0].best.unwrap(), strain);
                        assert_eq!(fast, seen.word(*word, strain), "{name}, {}, {strain:?}", word.name());
                        values.insert(fast);
                    }
                });
            }
        }
        seen_both += usize::from(values.len() > 1);
    }
    // All words vary over the presets, but that any bid can be coinched holds in each that has bids.
    assert!(seen_both >= Word::ALL.len() - 2, "{seen_both} of {}", Word::ALL.len());
}

proptest! {
    #[test]
    fn expressions_are_read_as_they_are_printed(bits: u64, depth in 0_u32..6, condition: bool) {
        let node = random(&mut Key::from_bits(bits), depth, condition);
        let text = node.to_string();
        prop_assert_eq!(expression(&text).ok(), Some(node), "{}", text);
    }

    #[test]
    fn no_text_makes_the_parser_panic(text in "[a-zJ9AT0-9()<>=!+*/., -]{0,60}") {
        if let Ok(node) = expression(&text) {
            prop_assert_eq!(expression(&node.to_string()).ok(), Some(node));
        }
    }
}

/// A system of random rules: conditions, levels and preferences.
fn random_system(index: u64) -> Option<System> {
    let mut key = Key::from_bits(index).and(11);
    let rule = |at: usize| {
        let mut node = |condition| {
            key = key.and(2);
            random(&mut key, 3, condition)
        };
        let (when, best, level) = (node(true), node(false), node(false));
        let (place, call) = [
            ("suits", format!("{}", 80 + at * 10)),
            ("suits", format!("90 + ({level})")),
            ("mine", format!("100 + ({level})")),
            ("partner", format!("{}", 90 + at * 20)),
            ("suits", "take".to_owned()),
        ][at % 5]
            .clone();
        format!("[[rule]]\nin = \"{place}\"\nwhen = '{when}'\nbest = '{best}'\ncall = '{call}'\n")
    };
    let rules: String = (0..6).map(rule).collect();
    System::read(&format!("name = \"x\"\nfloor = \"pass\"\n{rules}"), &[]).ok()
}

/// Functions of one suit from one end of the numbers to the other, and sums over suits that leave them.
const LARGE: &str = "name = \"x\"\nfloor = \"pass\"\n\
    [[rule]]\nin = \"suits\"\nwhen = \"if(J, 90000 * 90000, -90000 * 90000) > 90000 * 20000\"\ncall = \"80\"\n\
    [[rule]]\nin = \"suits\"\nwhen = \"(90 * trump(8=90000, Q=90000) + 90 * contract(trump(7=90000, Q=90000))) * 90 > 90000 * 16000\"\n\
    call = \"next\"\n";

#[test]
fn many_hands_are_answered_as_one() {
    let (mut compared, mut some) = (0_u64, 0_u64);
    let shipped = SHIPPED.iter().map(|it| System::read(it.text, &[]).unwrap());
    let large = System::read(LARGE, &[]).unwrap();
    let systems: Vec<System> =
        shipped.chain([large]).chain((0..count() / 3).filter_map(random_system)).collect();
    assert!(systems.len() > SHIPPED.len() + 20);
    for (number, system) in (0..).zip(&systems) {
        for (name, rules) in RuleSet::PRESETS {
            moments(&rules, number, |state, seat| {
                let (view, legal) = (state.view(seat), state.legal_calls());
                let moment = Moment::of(&view, &legal);
                let mut at = system.at(&moment);
                let alike = at.sevens_are_eights();
                let hands: Vec<CardSet> = (0..70)
                    .map(|deal| {
                        let dealt = Deal::new(&rules.deal, Deck::shuffled(number, deal), view.dealer());
                        dealt.hands()[seat]
                    })
                    .filter(|hand| view.turned().is_none_or(|card| !hand.contains(card)))
                    .collect();
                let mut next = hands.iter();
                at.claims(&hands, |hand, claims| {
                    assert_eq!(Some(&hand), next.next());
                    assert_eq!(claims, system.claims(&moment, hand), "{name}, {hand}, {:?}", system.rules());
                    compared += 1;
                    some += u64::from(!claims.is_empty());
                    // A seven that counts as an eight: the same rules in as many strains.
                    for suit in Suit::ALL {
                        if alike[usize::from(super::code::byte(hand, suit))] && view.turned().is_none() {
                            let other =
                                hand.without(Card::new(suit, Rank::Seven)).with(Card::new(suit, Rank::Eight));
                            let rules =
                                |claims: &[super::Claim]| claims.iter().map(|it| it.rule).collect::<Vec<_>>();
                            assert_eq!(
                                rules(claims),
                                rules(&system.claims(&moment, other)),
                                "{name}, {hand}"
                            );
                        }
                    }
                });
                assert_eq!(next.next(), None);
            });
        }
    }
    assert!(some * 10 > compared, "{some} of {compared}");
}
