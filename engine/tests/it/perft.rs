//! Counts of all ways to go on, for plays and auctions, in `tests/data/*.perft`.
//!
//! A block of a file is a line `rules PRESET SETTING…`, a line with the deal, and lines `DEPTH COUNT`:
//!
//! ```text
//! rules bga play.undertrump=free
//! play H 2 | 7C JH … | … | … | …          strain, leader, hands of seats 0 to 3
//! auction 3 9H                             dealer, turned card (or -)
//! ```
//!
//! The counts are those of the literal rule book and are written by it:
//! `COINCHE_BLESS=1 cargo test -p coinche-engine --test it perft`. In a normal run the engine counts all
//! lines up to [`ENGINE_CAP`], the rule book again those up to [`BOOK_CAP`].

use std::fmt::Write as _;
use std::path::PathBuf;

use crate::common::book::{to_card, to_cards, to_strain};
use crate::common::rng::Rng;
use coinche_conformance as book;
use coinche_engine::perft::{perft_auction, perft_play};
use coinche_engine::{
    AuctionState, BySeat, Card, CardSet, Deal, PlayState, RuleSet, Seat, Strain, parse_hands,
};

/// The highest count that the engine repeats in a normal run.
const ENGINE_CAP: u64 = 3_000_000;
/// The highest count that the rule book repeats in a normal run.
const BOOK_CAP: u64 = 3_000;
/// The highest count that the rule book is asked for when the files are written.
const BLESS_CAP: u64 = 4_000_000;

/// What is counted.
#[derive(Debug, Clone)]
enum Root {
    Play { strain: Strain, leader: Seat, hands: BySeat<CardSet> },
    Auction { dealer: Seat, turned: Option<Card> },
}

#[derive(Debug, Clone)]
struct Block {
    /// `PRESET SETTING…`
    rules: String,
    root: Root,
    counts: Vec<(u32, u64)>,
}

impl Block {
    fn new(rules: &str, root: Root) -> Self {
        Self { rules: rules.to_owned(), root, counts: Vec::new() }
    }

    fn rules(&self) -> RuleSet {
        let mut words = self.rules.split(' ');
        let preset = RuleSet::preset(words.next().unwrap()).unwrap();
        preset.with_settings(words).unwrap()
    }

    fn parse(text: &str) -> Self {
        let mut lines = text.lines();
        let rules = lines.next().unwrap().strip_prefix("rules ").unwrap();
        let root = lines.next().unwrap();
        let root = if let Some(play) = root.strip_prefix("play ") {
            let (head, hands) = play.split_once(" | ").unwrap();
            let (strain, leader) = head.split_once(' ').unwrap();
            let hands = parse_hands(hands).unwrap();
            Root::Play { strain: strain.parse().unwrap(), leader: leader.parse().unwrap(), hands }
        } else {
            let (dealer, turned) = root.strip_prefix("auction ").unwrap().split_once(' ').unwrap();
            Root::Auction { dealer: dealer.parse().unwrap(), turned: turned.parse().ok() }
        };
        let counts = lines.map(|line| {
            let (depth, count) = line.split_once(' ').unwrap();
            (depth.parse().unwrap(), count.parse().unwrap())
        });
        Self { counts: counts.collect(), ..Self::new(rules, root) }
    }

    fn print(&self) -> String {
        let mut text = format!("rules {}\n", self.rules);
        match &self.root {
            Root::Play { strain, leader, hands } => {
                let [a, b, c, d] = hands.0;
                writeln!(text, "play {strain} {leader} | {a} | {b} | {c} | {d}").unwrap();
            }
            Root::Auction { dealer, turned } => {
                let turned = turned.map_or("-".to_owned(), |card| card.to_string());
                writeln!(text, "auction {dealer} {turned}").unwrap();
            }
        }
        for (depth, count) in &self.counts {
            writeln!(text, "{depth} {count}").unwrap();
        }
        text
    }

    fn engine_count(&self, depth: u32) -> u64 {
        let rules = self.rules();
        match &self.root {
            Root::Play { strain, leader, hands } => {
                perft_play(&PlayState::new(&rules.play, *strain, *hands, *leader), depth)
            }
            Root::Auction { dealer, turned } => {
                perft_auction(&AuctionState::new(&rules, *dealer, turned.map(Card::suit)), depth)
            }
        }
    }

    fn book_count(&self, depth: u32) -> u64 {
        let rules = book::Rules::from_json(&serde_json::to_value(self.rules()).unwrap()).unwrap();
        match &self.root {
            Root::Play { strain, leader, hands } => {
                let hands = hands.0.map(to_cards);
                book_plays(&rules, to_strain(*strain), &hands, leader.index(), &[], depth)
            }
            Root::Auction { dealer, turned } => {
                book_calls(&rules, dealer.index(), turned.map(to_card), &mut Vec::new(), depth)
            }
        }
    }
}

fn book_plays(
    rules: &book::Rules,
    strain: book::Strain,
    hands: &[Vec<book::Card>; 4],
    leader: usize,
    trick: &[book::Card],
    depth: u32,
) -> u64 {
    if trick.len() == 4 {
        let winner = (leader + book::trick_winner(strain, trick)) % 4;
        return book_plays(rules, strain, hands, winner, &[], depth);
    }
    let seat = (leader + trick.len()) % 4;
    if depth == 0 || hands[seat].is_empty() {
        return 1;
    }
    let legal = book::legal_cards(rules, strain, &hands[seat], trick);
    let mut count = 0;
    for card in legal {
        let mut next = hands.clone();
        next[seat].retain(|held| *held != card);
        count += book_plays(rules, strain, &next, leader, &[trick, &[card]].concat(), depth - 1);
    }
    count
}

fn book_calls(
    rules: &book::Rules,
    dealer: usize,
    turned: Option<book::Card>,
    calls: &mut Vec<(usize, String)>,
    depth: u32,
) -> u64 {
    if depth == 0 {
        return 1;
    }
    let book::Auction::Turn(turn) = book::legal_calls(rules, dealer, turned, calls).unwrap() else {
        return 1;
    };
    if depth == 1 {
        return turn.calls.len() as u64;
    }
    let mut count = 0;
    for call in turn.calls {
        calls.push((turn.seat, call));
        count += book_calls(rules, dealer, turned, calls, depth - 1);
        calls.pop();
    }
    count
}

/// Random hands of `cards` cards each.
fn hands(rng: &mut Rng, cards: usize) -> BySeat<CardSet> {
    let deck = rng.deck();
    BySeat::from_fn(|seat| deck.cards()[8 * seat.index()..][..cards].iter().copied().collect())
}

fn play_blocks() -> Vec<Block> {
    let mut rng = Rng::new(32);
    let mut blocks = Vec::new();
    let rules =
        ["bga", "bga play.partner_trump=overtrump", "contree", "contree play.partner_trump=overtrump"];
    for cards in [8, 5, 4, 3] {
        for strain in Strain::ALL {
            for rules in rules {
                let (leader, hands) = (Seat::from_index(rng.below(4)), hands(&mut rng, cards));
                blocks.push(Block::new(rules, Root::Play { strain, leader, hands }));
                // Without a trump suit the rules do not differ.
                if strain.trump().is_none() {
                    break;
                }
            }
        }
    }
    // Trumps over the partner, too.
    for (cards, strain) in
        [8, 5, 4, 3].into_iter().flat_map(|cards| Strain::SUITS.map(|strain| (cards, strain)))
    {
        for rules in ["bga play.partner_trump=always", "contree play.partner_trump=always"] {
            let (leader, hands) = (Seat::from_index(rng.below(4)), hands(&mut rng, cards));
            blocks.push(Block::new(rules, Root::Play { strain, leader, hands }));
        }
    }
    // One suit in each hand, and a hand of trumps only.
    let sorted = *Deal::new(&RuleSet::BGA.deal, coinche_engine::Deck::sorted(), Seat::S3).hands();
    for strain in Strain::ALL {
        blocks.push(Block::new("bga", Root::Play { strain, leader: Seat::S0, hands: sorted }));
    }
    blocks
}

fn auction_blocks() -> Vec<Block> {
    let mut blocks = Vec::new();
    for (index, (name, rules)) in RuleSet::PRESETS.into_iter().enumerate() {
        let turned =
            (rules.deal.method == coinche_engine::rules::DealMethod::TurnUp).then(|| "9H".parse().unwrap());
        blocks.push(Block::new(name, Root::Auction { dealer: Seat::from_index(index), turned }));
    }
    // Short ladders, counted to the end of the auction.
    let short = "auction.lowest=150 auction.highest=160 auction.capot=false \
        auction.no_trump=false auction.all_trump=false";
    for settings in [
        "bga",
        "bga auction.coinche=off",
        "bga auction.coinche=any-time",
        "bga auction.over_coinche=raise",
        "bga auction.over_coinche=raise auction.coinche=any-time",
        "coinche auction.signal_pass=true",
        "coinche auction.signal_pass=true auction.coinche=any-time auction.over_coinche=raise",
    ] {
        let rules = format!("{settings} {short}");
        blocks.push(Block::new(&rules, Root::Auction { dealer: Seat::S1, turned: None }));
    }
    let two =
        "coinche auction.lowest=155 auction.highest=155 auction.coinche=any-time auction.over_coinche=raise";
    blocks.push(Block::new(two, Root::Auction { dealer: Seat::S0, turned: None }));
    blocks
}

fn path(file: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(file)
}

/// Writes a file anew, all depths up to the cap or to the end.
fn bless(file: &str, mut blocks: Vec<Block>) {
    let mut text = "Source: counted by the literal rule book, coinche-conformance; written by\n\
        COINCHE_BLESS=1 cargo test -p coinche-engine --test it perft\n"
        .to_owned();
    for block in &mut blocks {
        let mut last = 0;
        for depth in 1..=32 {
            let count = block.book_count(depth);
            block.counts.push((depth, count));
            let growth = count / last.max(1) + 1;
            if count == last || count * growth > BLESS_CAP {
                break;
            }
            last = count;
        }
        text.push('\n');
        text.push_str(&block.print());
    }
    std::fs::write(path(file), text).unwrap();
}

fn check(file: &str, blocks: &[Block]) {
    if std::env::var_os("COINCHE_BLESS").is_some() {
        bless(file, blocks.to_vec());
    }
    let text = std::fs::read_to_string(path(file)).unwrap();
    assert!(text.starts_with("Source: "), "{file}");
    let found: Vec<Block> = text.split("\n\n").skip(1).map(|block| Block::parse(block.trim_end())).collect();
    assert_eq!(found.len(), blocks.len(), "{file}");
    let (mut engine, mut rule_book) = (0, 0);
    for block in found {
        for (depth, count) in &block.counts {
            if *count <= ENGINE_CAP {
                assert_eq!(block.engine_count(*depth), *count, "depth {depth}\n{}", block.print());
                engine += 1;
            }
            if *count <= BOOK_CAP {
                assert_eq!(block.book_count(*depth), *count, "depth {depth}\n{}", block.print());
                rule_book += 1;
            }
        }
    }
    assert!(engine > 40 && rule_book > 20, "{file}: {engine} and {rule_book} lines");
}

#[test]
fn plays() {
    check("plays.perft", &play_blocks());
}

#[test]
fn auctions() {
    check("auctions.perft", &auction_blocks());
}
