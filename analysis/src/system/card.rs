//! What the calls of any bidder promise, from the hands with which it makes them: a system card for a bidder without rules.
//!
//! Four seats of the bidder bid random deals. The hands at each turn of a common auction are sorted by their call, which
//! gives the figures of a check by sampling, and conditions in the words of the language of systems describe each call.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::LazyLock;

use coinche_bots::BotSpec;
use coinche_engine::{Call, Card, CardSet, Key, LegalCalls, RuleSet, Secrets, Seed, Suit, Turn, View};
use coinche_selfplay::base::progress::Meter;
use coinche_selfplay::document::columns::HANDS;
use coinche_selfplay::document::field::OrBlank;
use coinche_selfplay::{
    Block, Cell, Document, ProgressMode, Section, Table, measured, named, percent, thousands,
};
use rayon::prelude::*;

use super::coverage::{FIRST, SuitNames, dealt};
use super::document::{WITH, ranks, share};
use super::promise::Held;
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

impl Made {
    fn held(&self) -> Held {
        Held::of(self.hand, self.suit)
    }
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
    let mut state = dealt(&settings.rules, secrets, index);
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
            let renamed = |suit: Suit| Suit::ALL[order.iter().position(|it| *it == suit).unwrap_or(0)];
            let hand = view.first_hand().into_iter().map(|card| Card::new(renamed(card.suit()), card.rank()));
            let (hand, suit) = (hand.collect(), suit_of(call, &view).map(renamed));
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
struct Condition {
    text: String,
    /// Whether it needs a trump suit.
    is_of_suit: bool,
    holds: Box<dyn Fn(CardSet, Option<Suit>) -> bool + Send + Sync>,
}

impl Condition {
    fn new(
        is_of_suit: bool,
        text: impl Into<String>,
        holds: impl Fn(&Held) -> bool + Send + Sync + 'static,
    ) -> Self {
        let holds = Box::new(move |hand, suit| holds(&Held::of(hand, suit)));
        Self { text: text.into(), is_of_suit, holds }
    }

    /// The condition that this one holds in no suit.
    fn in_none(self) -> Self {
        let text = format!("not any({})", self.text);
        let holds = move |hand, _| !Suit::ALL.into_iter().any(|suit| (self.holds)(hand, Some(suit)));
        Self { text, is_of_suit: false, holds: Box::new(holds) }
    }
}

/// All conditions.
static CONDITIONS: LazyLock<Vec<Condition>> = LazyLock::new(|| {
    let is_honour = |it: &Held| it.with[0] || it.with[1];
    let mut all = vec![
        Condition::new(true, "J", |it| it.with[0]),
        Condition::new(true, "nine", |it| it.with[1]),
        Condition::new(true, "A", |it| it.with[2]),
        Condition::new(true, "(J or nine)", is_honour),
        Condition::new(true, "(J or nine or A)", move |it| is_honour(it) || it.with[2]),
        Condition::new(true, "belote", |it| it.with[3]),
    ];
    let least = |n| Condition::new(true, format!("trumps >= {n}"), move |it| it.trumps >= n);
    let most = |n| Condition::new(true, format!("trumps <= {n}"), move |it| it.trumps <= n);
    all.extend((1..=6).map(least).chain((1..=4).map(most)));
    let least = |n| Condition::new(false, format!("aces >= {n}"), move |it| it.aces >= n);
    let most = |n| Condition::new(false, format!("aces <= {n}"), move |it| it.aces <= n);
    all.extend((1..=4).map(least).chain((0..=2).map(most)));
    let honour = |n| {
        let text = format!("(J or nine) and length >= {n}");
        Condition::new(true, text, move |it| is_honour(it) && it.trumps >= n)
    };
    let jack = |n| {
        let text = format!("J and length >= {n}");
        Condition::new(true, text, move |it| it.with[0] && it.trumps >= n)
    };
    all.push(Condition::new(true, "J or nine", is_honour).in_none());
    all.extend((2..=4).map(honour).chain((2..=4).map(jack)).map(Condition::in_none));
    all
});

/// The words for a call: which conditions, for how many of its hands they hold, and how many hands for which they hold call so.
#[derive(Clone, Default)]
struct Words {
    conditions: Vec<&'static Condition>,
    holds: f64,
    calls: f64,
}

impl Words {
    fn text(&self) -> String {
        self.conditions.iter().map(|condition| &*condition.text).collect::<Vec<_>>().join(" and ")
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
            let fits = |it: &&Condition| first.suit.is_some() || !it.is_of_suit;
            let more = CONDITIONS.iter().filter(fits).filter_map(|it| {
                let conditions: Vec<&Condition> = words.conditions.iter().copied().chain([it]).collect();
                let meets = |hand: CardSet, suit| conditions.iter().all(|it| (it.holds)(hand, suit));
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
    fn spread(&self, number: impl Fn(Held) -> u32) -> String {
        let mut numbers: Vec<u32> = self.made.iter().map(|made| number(made.held())).collect();
        numbers.sort_unstable();
        let mean = numbers.iter().copied().map(f64::from).sum::<f64>() / numbers.len() as f64;
        // The number that so many per cent of the hands do not exceed.
        let [low, high] = [5, 95].map(|percent| {
            let at = percent * numbers.len() / 100;
            numbers.get(at.min(numbers.len().saturating_sub(1))).copied().unwrap_or(0)
        });
        if low == high { format!("{low} ({mean:.1})") } else { format!("{low}–{high} ({mean:.1})") }
    }

    /// Returns a value that only exists for calls with a suit.
    fn of_suit<V>(&self, value: impl FnOnce() -> V) -> OrBlank<V> {
        OrBlank(self.made.first().and_then(|made| made.suit).map(|_| value()))
    }

    /// The share of the hands with the cards of a place in [`WITH`].
    fn with(&self, cards: usize) -> OrBlank<f64> {
        let has = self.made.iter().filter(|made| made.held().with[cards]).count();
        self.of_suit(|| share(has as u64, self.made.len() as u64))
    }

    /// The share of the hands at the turn that are called so.
    fn share(&self) -> f64 {
        share(self.made.len() as u64, self.turns as u64)
    }
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
            .share(named("share", "share of the hands"), Row::share)
            .plain(measured("nats", "nats", "what the call tells: minus the logarithm of its share"), |row| {
                -libm::log(row.share())
            })
            .text(named("trumps", "5 % to 95 % of the hands, and the mean: number of trumps"), |row| {
                row.of_suit(|| row.spread(|held| held.trumps))
            });
        let with = "share of these hands with the card of the trump suit, or its king and queen";
        for (n, (name, cards)) in WITH.into_iter().enumerate() {
            table =
                table.share(named(name, with).head(ranks(cards, Language::English)), move |row| row.with(n));
        }
        let holds = "share of the call’s hands for which the words hold";
        let calls = "share of the hands at the turn for which they hold that make the call";
        table
            .text(named("aces", "5 % to 95 % of the hands, and the mean: aces beside"), |row| {
                row.spread(|held| held.aces)
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
        for Condition { text: when, .. } in CONDITIONS.iter() {
            let text = format!("name = \"x\"\n[[rule]]\nname = \"x\"\nwhen = \"{when}\"\ncall = \"80\"\n");
            assert!(System::read(&text, &[]).is_ok(), "{when}: {:?}", System::read(&text, &[]));
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
        assert!(words.holds >= HOLDS && words.calls > 0.5, "{}", words.text());
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
        let mean = raises.iter().map(|made| f64::from(made.held().trumps)).sum::<f64>() / raises.len() as f64;
        assert!(mean > 1.6, "{mean}");
        assert!(turns.nats() > 0.0 && turns.nats() < 3.0);
    }
}
