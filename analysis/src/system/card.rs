//! What the calls of any bidder promise, from the hands with which it makes them: a system card for a bidder without rules.
//!
//! Four seats of the bidder bid random deals. The hands at each turn of a common auction are sorted by their call, which
//! gives the figures of a check by sampling, and conditions in the words of the language of systems describe each call.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use coinche_bots::BotSpec;
use coinche_engine::{
    Call, Card, CardSet, Deal, DealState, Deck, Key, LegalCalls, Rank, RuleSet, Seat, Secrets, Seed, Suit,
    Turn, View,
};
use coinche_selfplay::base::progress::Meter;
use coinche_selfplay::document::columns::HANDS;
use coinche_selfplay::document::field::OrBlank;
use coinche_selfplay::{
    Block, Cell, Document, ProgressMode, Section, Table, measured, named, percent, thousands,
};
use rayon::prelude::*;

use super::coverage::{FIRST, SuitNames};
use super::document::{WITH, ranks, share};
use crate::typed::Language;

/// How many auctions are shown, the most frequent first.
const AUCTIONS: usize = 24;
/// How often an auction must come for its calls to be described.
const LEAST_TURNS: usize = 200;
/// How often a call must be made for it to be described.
const LEAST_CALLS: usize = 30;
/// The share of a call's hands for which its words hold, at least.
const HOLDS: f64 = 0.9;
/// How many hands at a turn are asked how many of them call so, at most.
const MOST_HANDS: usize = 20_000;
/// How many conditions describe a call, at most.
const MOST_CONDITIONS: usize = 3;
/// How many times as many of the hands that meet one more condition must call so.
const GAIN: f64 = 1.05;

/// What is examined.
#[derive(Debug)]
pub struct CardSettings {
    /// The bidder.
    pub bidder: BotSpec,
    /// The rules.
    pub rules: RuleSet,
    /// The seed.
    pub seed: Seed,
    /// How many deals are bid.
    pub deals: u64,
}

/// A hand and what was called with it, suits renamed: those that were bid first, in order.
#[derive(Debug, Clone)]
struct Made {
    call: String,
    hand: CardSet,
    /// The suit of the call.
    suit: Option<Suit>,
}

/// The turns after the same calls.
#[derive(Debug, Default)]
struct Turns {
    made: Vec<Made>,
    /// How many suits were bid.
    named: usize,
    /// `opening`, `own`, `partner` or `opponents`: who made the last bid.
    over: &'static str,
}

/// By the calls before, with suits named in order.
type Auctions = BTreeMap<String, Turns>;

/// What was found.
#[derive(Debug)]
pub struct SystemCard {
    auctions: Auctions,
    turns: usize,
}

/// Bids the deals.
pub fn card(settings: &CardSettings) -> SystemCard {
    let secrets = Secrets::from(&settings.seed);
    let meter = Meter::new(ProgressMode::Auto, settings.deals);
    let parts: Vec<Vec<(String, Turns)>> = (0..settings.deals)
        .into_par_iter()
        .map_init(
            || settings.bidder.build(),
            |bot, index| {
                bot.start();
                bid_out(settings, &secrets, index, |view, legal, key| bot.bidder.call(view, legal, key))
            },
        )
        .collect();
    meter.finish();
    let mut found = SystemCard { auctions: BTreeMap::new(), turns: 0 };
    for (auction, turn) in parts.into_iter().flatten() {
        found.turns += 1;
        match found.auctions.entry(auction) {
            Entry::Vacant(first) => drop(first.insert(turn)),
            Entry::Occupied(mut turns) => turns.get_mut().made.extend(turn.made),
        }
    }
    found
}

/// Bids a deal, and returns its turns.
fn bid_out(
    settings: &CardSettings,
    secrets: &Secrets,
    index: u64,
    mut bid: impl FnMut(&View<'_>, &LegalCalls, Key) -> Call,
) -> Vec<(String, Turns)> {
    let rules = &settings.rules;
    let dealer = Seat::from_index(usize::try_from(index % 4).unwrap_or(0));
    let mut state = DealState::new(rules, &Deal::new(&rules.deal, Deck::shuffled(*secrets, index), dealer));
    let mut names = SuitNames::of_turned(state.deal().turned().map(Card::suit));
    let (mut said, mut turns) = (String::new(), Vec::new());
    while let Turn::Call(seat) = state.turn() {
        let (view, legal) = (state.view(seat), state.legal_calls());
        let at = state.auction().calls().len() as u64;
        let call = if legal.len() == 1 {
            Call::Pass
        } else {
            let call = bid(&view, &legal, Key::decisions(*secrets, index, seat).and(at));
            let over = match state.auction().state().contract() {
                None => "opening",
                Some(contract) if contract.declarer == seat => "own",
                Some(contract) if contract.declarer.team() == seat.team() => "partner",
                Some(_) => "opponents",
            };
            let order = names.order();
            let hand = order.iter().zip(Suit::ALL).fold(CardSet::EMPTY, |hand, (suit, name)| {
                hand | view
                    .first_hand()
                    .of(*suit)
                    .into_iter()
                    .map(|card| Card::new(name, card.rank()))
                    .collect()
            });
            let renamed = |suit: Suit| Suit::ALL[order.iter().position(|it| *it == suit).unwrap_or(0)];
            let suit = suit_of(call, &view).map(renamed);
            let made = Made { call: names.clone().call(call), hand, suit };
            let before = if said.is_empty() { FIRST.to_owned() } else { said.clone() };
            turns.push((before, Turns { made: vec![made], named: names.len(), over }));
            call
        };
        if !said.is_empty() {
            said.push(' ');
        }
        said.push_str(&names.call(call));
        if state.call(call).is_err() {
            break;
        }
    }
    turns
}

fn suit_of(call: Call, view: &View<'_>) -> Option<Suit> {
    match call {
        Call::Bid(bid) => bid.strain.trump(),
        Call::TakeIn(suit) => Some(suit),
        Call::Take => view.turned().map(Card::suit),
        Call::Pass | Call::Wait | Call::Coinche | Call::Surcoinche => None,
    }
}

/// A condition in the words of the language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Condition {
    Trumps(u32),
    FewTrumps(u32),
    Jack,
    Nine,
    Ace,
    JackOrNine,
    JackNineOrAce,
    Belote,
    Aces(u32),
    FewAces(u32),
    /// No suit has jack or nine; none has so many cards and one of them; none has the jack and so many.
    NoHonour,
    NoLength(u32),
    NoJack(u32),
}

impl Condition {
    fn all() -> impl Iterator<Item = Self> {
        let fixed = [Self::Jack, Self::Nine, Self::Ace, Self::JackOrNine, Self::JackNineOrAce, Self::Belote];
        let numbers = (1..=6).map(Self::Trumps).chain((1..=4).map(Self::FewTrumps));
        let aces = (1..=4).map(Self::Aces).chain((0..=2).map(Self::FewAces));
        let none =
            [Self::NoHonour].into_iter().chain((2..=4).map(Self::NoLength)).chain((2..=4).map(Self::NoJack));
        fixed.into_iter().chain(numbers).chain(aces).chain(none)
    }

    /// Tests if it needs a trump suit.
    const fn is_of_suit(self) -> bool {
        !matches!(
            self,
            Self::Aces(_) | Self::FewAces(_) | Self::NoHonour | Self::NoLength(_) | Self::NoJack(_)
        )
    }

    fn holds(self, hand: CardSet, suit: Option<Suit>) -> bool {
        let own = suit.map_or(CardSet::EMPTY, |suit| hand.of(suit));
        let has = |rank: Rank| !(own & CardSet::rank(rank)).is_empty();
        let count = |cards: CardSet| cards.bits().count_ones();
        let aces = || count((hand - own) & CardSet::rank(Rank::Ace));
        let none = |meets: &dyn Fn(Option<Suit>) -> bool| !Suit::ALL.into_iter().map(Some).any(meets);
        match self {
            Self::Trumps(least) => count(own) >= least,
            Self::FewTrumps(most) => count(own) <= most,
            Self::Jack => has(Rank::Jack),
            Self::Nine => has(Rank::Nine),
            Self::Ace => has(Rank::Ace),
            Self::JackOrNine => has(Rank::Jack) || has(Rank::Nine),
            Self::JackNineOrAce => has(Rank::Jack) || has(Rank::Nine) || has(Rank::Ace),
            Self::Belote => has(Rank::King) && has(Rank::Queen),
            Self::Aces(least) => aces() >= least,
            Self::FewAces(most) => aces() <= most,
            Self::NoHonour => none(&|suit| Self::JackOrNine.holds(hand, suit)),
            Self::NoLength(least) => {
                none(&|suit| Self::JackOrNine.holds(hand, suit) && Self::Trumps(least).holds(hand, suit))
            }
            Self::NoJack(least) => {
                none(&|suit| Self::Jack.holds(hand, suit) && Self::Trumps(least).holds(hand, suit))
            }
        }
    }

    fn text(self) -> String {
        match self {
            Self::Trumps(least) => format!("trumps >= {least}"),
            Self::FewTrumps(most) => format!("trumps <= {most}"),
            Self::Jack => "J".to_owned(),
            Self::Nine => "nine".to_owned(),
            Self::Ace => "A".to_owned(),
            Self::JackOrNine => "(J or nine)".to_owned(),
            Self::JackNineOrAce => "(J or nine or A)".to_owned(),
            Self::Belote => "belote".to_owned(),
            Self::Aces(least) => format!("aces >= {least}"),
            Self::FewAces(most) => format!("aces <= {most}"),
            Self::NoHonour => "not any(J or nine)".to_owned(),
            Self::NoLength(least) => format!("not any((J or nine) and length >= {least})"),
            Self::NoJack(least) => format!("not any(J and length >= {least})"),
        }
    }
}

/// The words for a call: which conditions, for how many of its hands they hold, and how many hands for which they hold call so.
#[derive(Debug, Clone, Default)]
struct Words {
    conditions: Vec<Condition>,
    holds: f64,
    calls: f64,
}

impl Words {
    fn text(&self) -> String {
        self.conditions.iter().map(|condition| condition.text()).collect::<Vec<_>>().join(" and ")
    }
}

impl Turns {
    /// The hands of each call.
    fn calls(&self) -> BTreeMap<&str, Vec<&Made>> {
        let mut calls: BTreeMap<&str, Vec<&Made>> = BTreeMap::new();
        for made in &self.made {
            calls.entry(&made.call).or_default().push(made);
        }
        calls
    }

    /// What a call tells on average to somebody who knows the calls before it, in nats: the entropy of the calls, since the hand decides
    /// the call.
    fn nats(&self) -> f64 {
        let all = self.made.len() as f64;
        self.calls().values().map(|made| made.len() as f64 / all).map(|share| -share * libm::log(share)).sum()
    }

    /// Describes a call: condition by condition, that which most of its hands meet and the fewest others.
    fn describe(&self, made: &[&Made]) -> Words {
        let Some(first) = made.first() else { return Words::default() };
        // In a turn-up game the suit turned up is named.
        let new = &Suit::ALL[self.named.min(4)..];
        let suits: Vec<Option<Suit>> = match first.suit {
            // Any suit that was not bid could have been called.
            Some(suit) if new.contains(&suit) => new.iter().copied().map(Some).collect(),
            other => vec![other],
        };
        let turns = &self.made[..self.made.len().min(MOST_HANDS)];
        let calls = share(made.len() as u64, self.made.len() as u64);
        let mut words = Words { holds: 1.0, calls, ..Words::default() };
        while words.conditions.len() < MOST_CONDITIONS {
            let fits = |it: &Condition| first.suit.is_some() || !it.is_of_suit();
            let more = Condition::all().filter(fits).filter_map(|it| {
                let conditions: Vec<Condition> = words.conditions.iter().copied().chain([it]).collect();
                let meets = |hand: CardSet, suit| conditions.iter().all(|it| it.holds(hand, suit));
                let own = made.iter().filter(|made| meets(made.hand, made.suit)).count();
                let holds = share(own as u64, made.len() as u64);
                if holds < HOLDS {
                    return None;
                }
                let (mut all, mut so) = (0, 0);
                for turn in turns {
                    if suits.iter().any(|suit| meets(turn.hand, *suit)) {
                        all += 1;
                        so += u64::from(turn.call == first.call);
                    }
                }
                Some(Words { conditions, holds, calls: share(so, all) })
            });
            match more.max_by(|a, b| a.calls.total_cmp(&b.calls)) {
                Some(more) if more.calls >= words.calls * GAIN => words = more,
                _ => break,
            }
        }
        words
    }
}

/// A call of a common auction.
struct Row<'a> {
    auction: &'a str,
    call: &'a str,
    made: Vec<&'a Made>,
    turns: usize,
    words: Words,
}

impl Row<'_> {
    /// The number that so many per cent of the hands do not exceed.
    fn quantile(&self, percent: usize, number: impl Fn(&Made) -> u32) -> u32 {
        let mut numbers: Vec<u32> = self.made.iter().map(|made| number(made)).collect();
        numbers.sort_unstable();
        let at = percent * numbers.len() / 100;
        numbers.get(at.min(numbers.len().saturating_sub(1))).copied().unwrap_or(0)
    }

    fn spread(&self, number: impl Fn(&Made) -> u32) -> String {
        let mean = self.made.iter().map(|made| f64::from(number(made))).sum::<f64>() / self.made.len() as f64;
        let [low, high] = [5, 95].map(|percent| self.quantile(percent, &number));
        if low == high { format!("{low} ({mean:.1})") } else { format!("{low}–{high} ({mean:.1})") }
    }

    fn with(&self, condition: Condition) -> OrBlank<f64> {
        let has = self.made.iter().filter(|made| condition.holds(made.hand, made.suit)).count();
        OrBlank(
            self.made.first().and_then(|made| made.suit).map(|_| share(has as u64, self.made.len() as u64)),
        )
    }
}

fn trumps(made: &Made) -> u32 {
    made.suit.map_or(0, |suit| made.hand.of(suit).bits().count_ones())
}

fn aces(made: &Made) -> u32 {
    (0..=4).rev().find(|least| Condition::Aces(*least).holds(made.hand, made.suit)).unwrap_or(0)
}

impl SystemCard {
    /// The most frequent auctions.
    fn common(&self) -> Vec<(&str, &Turns)> {
        let mut all: Vec<(&str, &Turns)> =
            self.auctions.iter().map(|(auction, turns)| (auction.as_str(), turns)).collect();
        all.retain(|(_, turns)| turns.made.len() >= LEAST_TURNS);
        all.sort_by_key(|(auction, turns)| (core::cmp::Reverse(turns.made.len()), *auction));
        all
    }

    fn rows<'a>(auction: &'a str, turns: &'a Turns) -> Vec<Row<'a>> {
        let calls = turns.calls().into_iter().filter(|(_, made)| made.len() >= LEAST_CALLS);
        let mut rows: Vec<Row<'a>> = calls
            .collect::<Vec<_>>()
            .into_par_iter()
            .map(|(call, made)| {
                let words = turns.describe(&made);
                Row { auction, call, made, turns: turns.made.len(), words }
            })
            .collect();
        rows.sort_by_key(|row| core::cmp::Reverse(row.made.len()));
        rows
    }

    /// The calls of an auction.
    fn table(number: usize, auction: &str, turns: &Turns) -> Table {
        let count = turns.made.len();
        let turn = match auction {
            FIRST => "First to speak".to_owned(),
            calls => format!("After {calls}"),
        };
        let caption =
            format!("{turn}: {} turns; a call tells {:.2} nats.", thousands(count as u64), turns.nats());
        let mut table = Table::of(format!("card-{}", number + 1), caption, Self::rows(auction, turns))
            .text(
                named("auction", "the calls before the turn, suits named in order").only_in_files(),
                |row| row.auction,
            )
            .text(
                named("call", "the call, its suit named as in the auction, the next letter a new one"),
                |row| row.call,
            )
            .count(HANDS, |row| row.made.len() as u64)
            .share(named("share", "share of the hands"), |row| share(row.made.len() as u64, row.turns as u64))
            .plain(measured("nats", "nats", "what the call tells: minus the logarithm of its share"), |row| {
                -libm::log(share(row.made.len() as u64, row.turns as u64))
            })
            .text(named("trumps", "5 % to 95 % of the hands, and the mean: number of trumps"), |row| {
                OrBlank(row.made.first().and_then(|made| made.suit).map(|_| row.spread(trumps)))
            });
        let held = [Condition::Jack, Condition::Nine, Condition::Ace, Condition::Belote];
        let with = "share of these hands with the card of the trump suit, or its king and queen";
        for ((name, cards), condition) in WITH.into_iter().zip(held) {
            table = table.share(named(name, with).head(ranks(cards, Language::English)), move |row| {
                row.with(condition)
            });
        }
        let holds = "share of the call’s hands for which the words hold";
        let calls = "share of the hands at the turn for which they hold that make the call";
        table
            .text(named("aces", "5 % to 95 % of the hands, and the mean: aces beside"), |row| {
                row.spread(aces)
            })
            .text(named("words", "the call in the language of systems").head("in words"), |row| {
                row.words.text()
            })
            .share(named("holds", holds), |row| row.words.holds)
            .share(named("so_called", calls).head("so called"), |row| row.words.calls)
            .build()
    }

    /// What calls tell, by the bid that stands.
    fn information(&self) -> Table {
        let kinds = [
            ("opening", "before any bid"),
            ("partner", "over the partner’s bid"),
            ("own", "over one’s own bid"),
            ("opponents", "over the opponents’ bid"),
            ("all", "all"),
        ];
        let common = self.common();
        let rows = kinds.map(|(kind, title)| {
            let of = common.iter().filter(|(_, turns)| kind == "all" || turns.over == kind);
            let (turns, nats) = of.fold((0, 0.0), |(sum, nats), (_, turns)| {
                let count = turns.made.len();
                (sum + count, nats + count as f64 * turns.nats())
            });
            (title, turns, nats)
        });
        let caption = format!(
            "What a call tells to somebody who knows the calls before it and no card: the logarithm of how many times fewer hands are left. From auctions that came {LEAST_TURNS} times or more."
        );
        Table::of("information", caption, rows)
            .text(named("turn", "whose bid stood"), |(title, ..)| *title)
            .count(named("turns", "turns in these auctions"), |(_, turns, _)| *turns as u64)
            .number(
                measured("nats", "nats", "mean information of a call").head("nats a call"),
                |(_, turns, nats)| Cell::Number(nats / (*turns).max(1) as f64, 2),
            )
            .build()
    }

    /// Creates the report.
    pub fn document(&self, settings: &CardSettings) -> Document {
        let common = self.common();
        let shown: usize = common.iter().take(AUCTIONS).map(|(_, turns)| turns.made.len()).sum();
        let name = settings.bidder.name();
        let rules = settings.rules.preset_name().unwrap_or("rules of one's own");
        let tables = common.iter().take(AUCTIONS).enumerate();
        let tables =
            tables.map(|(number, (auction, turns))| Block::Table(Self::table(number, auction, turns)));
        Document {
            title: format!("What the calls of {name} promise"),
            command: "system check",
            verdicts: vec![format!(
                "What its calls promise is counted over {} deals that {name} bid at all seats",
                thousands(settings.deals)
            )],
            scope: vec![
                format!(
                    "Rules {rules}, seed {}, {} turns with a choice.",
                    settings.seed,
                    thousands(self.turns as u64)
                ),
                match common.len().min(AUCTIONS) {
                    0 => format!("No auction came {LEAST_TURNS} times: more deals are needed (`--deals`)."),
                    number => format!(
                        "Auctions below: {number}, with {} of them; a, b, c, d are suits in the order in which they were bid.",
                        percent(share(shown as u64, self.turns as u64))
                    ),
                },
            ],
            sections: vec![
                Section::new("information", "What calls tell", vec![Block::Table(self.information())]),
                Section::new("promises", "What each call promises", tables.collect()),
            ],
            ..Document::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use coinche_bots::Registry;
    use coinche_bots::system::System;

    use super::*;

    fn card_of(bidder: &str, deals: u64) -> SystemCard {
        let bidder = Registry::builtin().parse_bidder(bidder).unwrap();
        card(&CardSettings { bidder, rules: RuleSet::CONTREE, seed: Seed::from(3), deals })
    }

    #[test]
    fn all_words_are_of_the_language() {
        for condition in Condition::all() {
            let text = format!(
                "name = \"x\"\n[[rule]]\nname = \"x\"\nwhen = \"{}\"\ncall = \"80\"\n",
                condition.text()
            );
            assert!(System::read(&text, &[]).is_ok(), "{}: {:?}", condition.text(), System::read(&text, &[]));
        }
    }

    #[test]
    fn a_system_seen_from_outside_promises_what_its_rules_say() {
        let found = card_of("system:name=colver-conventional", 4_000);
        let exact = super::super::SystemFile::read("colver-conventional").unwrap();
        let scenes = super::super::scene::openings(&exact.system, &RuleSet::CONTREE);
        let counted = super::super::promise::count(&exact.system, &scenes[0]);
        // Its floor passes.
        let passes = &counted.promises[&super::super::promise::Kind::Floor];
        let expected = share(passes.hands, counted.hands);
        let turns = &found.auctions[FIRST];
        let seen = share(turns.calls()["P"].len() as u64, turns.made.len() as u64);
        // Four standard deviations.
        let error = 4.0 * (expected * (1.0 - expected) / turns.made.len() as f64).sqrt();
        assert!((seen - expected).abs() < error, "{seen} {expected} ± {error}");
        // Its hands are those of the seat, and what they have in common is told in words.
        assert_eq!(turns.made.len(), 4_000);
        let words = turns.describe(&turns.calls()["80a"]);
        assert!(words.holds >= HOLDS && words.calls > 0.5, "{words:?}");
    }

    #[test]
    fn the_suit_turned_up_and_strains_alone_have_letters() {
        let said = |rules: RuleSet| {
            let bidder = Registry::builtin().parse_bidder("rules").unwrap();
            let found = card(&CardSettings { bidder, rules, seed: Seed::from(3), deals: 400 });
            found.auctions.values().flat_map(|turns| turns.made.clone()).collect::<Vec<_>>()
        };
        let takes = said(RuleSet::BELOTE);
        // What is turned up is a, the others are b.
        assert!(takes.iter().filter(|made| made.call == "TAKE").all(|made| made.suit == Some(Suit::ALL[0])));
        assert!(takes.iter().any(|made| made.call == "TAKE b" && made.suit.is_some()));
        assert!(takes.iter().all(|made| ["P", "TAKE", "TAKE b"].contains(&&*made.call)));
        assert!(said(RuleSet::BELOT).iter().any(|made| made.call == "a"));
    }

    #[test]
    fn suits_are_those_of_the_auction() {
        // Who raises the partner's suit has it: suits are renamed with the hand.
        let found = card_of("system:name=sound-beginner", 3_000);
        let turns = &found.auctions["80a P"];
        let raises = &turns.calls()["90a"];
        assert!(raises.len() > 20 && raises.iter().all(|made| made.suit == Some(Suit::ALL[0])));
        let mean = raises.iter().map(|made| f64::from(trumps(made))).sum::<f64>() / raises.len() as f64;
        assert!(mean > 1.6, "{mean}");
        assert!(turns.nats() > 0.0 && turns.nats() < 3.0);
    }
}
