//! The bodies of the fuzz targets: each takes any bytes, and panics only where the program has a bug.
//!
//! The fuzz targets run them with libFuzzer, and `arena/tests/it/fuzz_bodies.rs` on damaged samples, from other seeds each time.

use core::convert::Infallible;
use std::io::{BufReader, Cursor};

use bytes::Bytes;
use coinche_arena::check_part;
use coinche_bots::Registry;
use coinche_bots::system::{Moment, System, expression};
use coinche_bots::table::BiddingTable;
use coinche_engine::rules::{DealMethod, RuleOptions};
use coinche_engine::solver::Position;
use coinche_engine::{Auction, ByTeam, Card, Deck, Rank, RuleSet, Seat, Suit, parse_hands};
use coinche_selfplay::base::columns::parquet::ParquetTable;
use coinche_selfplay::base::files::checksums::{Checksums, sealed};
use coinche_selfplay::records::label::{Label, deal_of};
use coinche_selfplay::records::lines::next_line;
use coinche_selfplay::records::pbn;
use coinche_selfplay::records::pbn::Kept;
use coinche_selfplay::records::read::ReadRecordError;
use coinche_selfplay::records::read::record::Leg;
use coinche_selfplay::records::summary::{ReadError, Rows, SummaryFile, schemas};

use coinche_analysis::advise::{Asked, Question};
use coinche_analysis::label;
use coinche_analysis::stats_hands;
use coinche_analysis::train;
use coinche_analysis::typed;
pub use coinche_protocol::fuzz::{arena_lines, bot_lines};
use coinche_runs::audit::{Audit, Told};
use coinche_runs::{Job, RulesText, RunFile, State, Totals};

/// A target: its name, and its body.
pub type Target = (&'static str, fn(&[u8]));

/// All targets.
pub const TARGETS: [Target; 16] = [
    ("bot_lines", bot_lines),
    ("arena_lines", arena_lines),
    ("totals", totals),
    ("labels", labels),
    ("label_parquet", label_parquet),
    ("card_rows", card_rows),
    ("bidding_table", bidding_table),
    ("system", system),
    ("pbn", pbn_text),
    ("table_csv", table_csv),
    ("table_parquet", table_parquet),
    ("positions", positions),
    ("questions", questions),
    ("config", config),
    ("records", records),
    ("recount", recount),
];

/// `part.json` of every job, and `checksums.txt`.
pub fn totals(data: &[u8]) {
    if let Ok(sums) = Checksums::parse(data) {
        assert_eq!(Checksums::parse(sums.to_text().as_bytes()).ok(), Some(sums));
    }
    // With a sum that is right: what is behind it is to be reached.
    let text = String::from_utf8_lossy(data);
    let text =
        text.rsplit_once(",\"crc\":").map_or_else(|| text.to_string(), |(text, _)| format!("{text}}}"));
    let Ok(state) = State::parse(sealed(&text).as_bytes()) else { return };
    let again = State::parse(&state.to_json()).expect("what was read is written and read again");
    assert_eq!(again.to_json(), state.to_json());
    drop(state.contradictions_of_run());
    let file: Result<RunFile, _> = state.identity.settings.clone().try_into();
    let config = file.ok().and_then(|file| file.check(&Registry::builtin()).ok());
    if config.as_ref().is_some_and(|config| config.encounters().len() >= 64) {
        return;
    }
    if let Some(config) = config.filter(|_| state.job == Job::Run) {
        let _ = state.restore("x".as_ref(), &config);
    }
    let _ = check_part(&state, &Registry::builtin());
    let _ = label::Chunks::of(&state).and_then(|chunks| label::Files::of(&state, &chunks));
}

/// Rows of labels as comma-separated values.
pub fn labels(data: &[u8]) {
    let _ = stats_hands::read_csv("x".as_ref(), data, |_| ());
}

/// Rows of labels as Parquet.
pub fn label_parquet(data: &[u8]) {
    let _ = stats_hands::read_parquet("x".as_ref(), Bytes::copy_from_slice(data), |_| ());
}

/// Rows that the network of the card player learns from.
pub fn card_rows(data: &[u8]) {
    let _ = train::cards::dataset::Loaded::of_file(Bytes::copy_from_slice(data));
}

/// The file of a bidding table.
pub fn bidding_table(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else { return };
    match BiddingTable::from_text(text) {
        Ok(table) => assert_eq!(BiddingTable::from_text(&table.to_text()), Ok(table)),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// The file of a bidding system; and each of its lines as an expression.
pub fn system(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else { return };
    for line in text.lines().take(200) {
        // Between quotation marks stand most expressions.
        for part in line.split('"') {
            if let Ok(node) = expression(part) {
                assert_eq!(expression(&node.to_string()).ok(), Some(node), "{part}");
            }
        }
    }
    match System::read(text, &[]) {
        Err(error) => assert!(!error.to_string().is_empty()),
        Ok(system) => {
            for (_, rules) in RuleSet::PRESETS {
                if let Err(error) = system.check(&rules) {
                    assert!(!error.to_string().is_empty());
                }
                let turned = (rules.deal.method == DealMethod::TurnUp).then_some(Suit::Hearts);
                let auction = Auction::new(&rules, Seat::S3, turned);
                let legal = auction.state().legal_calls();
                let card = turned.map(|suit| Card::new(suit, Rank::Jack));
                let score = ByTeam([0; 2]);
                let moment = Moment::new(&rules, &auction, Seat::S3, card, Seat::S0, score, &legal);
                let cards = if turned.is_some() { 5 } else { 8 };
                let hand = Deck::shuffled(1, 1).cards().iter().copied().take(cards).collect();
                if let Some(claim) = system.decide(&moment, hand) {
                    assert!(legal.contains(claim.call));
                }
            }
        }
    }
}

/// Records as text for people.
pub fn pbn_text(data: &[u8]) {
    let mut reader = pbn::Reader::new(BufReader::new(data));
    while let Ok(Some(kept)) = reader.next_record() {
        let text = pbn::print(&kept);
        let again = pbn::Reader::new(text.as_bytes()).next_record();
        assert_eq!(again.ok().flatten(), Some(kept), "{text}");
    }
}

/// A summary table, or records, as `export` reads them.
pub fn table_csv(data: &[u8]) {
    let Ok(Some(table)) = SummaryFile::of_csv(Box::new(Cursor::new(data.to_vec()))) else { return };
    let read: Result<(), ReadError<Infallible>> = table.each_batch(1 << 16, |rows| {
        let mut text = rows.schema.header().into_bytes();
        rows.push_csv(&mut text);
        Ok(())
    });
    drop(read);
}

/// A summary table as Parquet.
pub fn table_parquet(data: &[u8]) {
    let Ok(table) = ParquetTable::open(Bytes::copy_from_slice(data), &schemas()) else { return };
    for group in 0..table.groups() {
        if let Ok(columns) = table.read(group) {
            columns.push_csv(&mut Vec::new());
        }
    }
}

/// Positions and deals, a line each, and cards and calls as people type them.
pub fn positions(data: &[u8]) {
    let mut input = data;
    while let Ok(Some(line)) = next_line(&mut input) {
        let Ok(text) = str::from_utf8(&line) else { continue };
        if let Ok(position) = text.parse::<Position>() {
            assert_eq!(position.to_string().parse(), Ok(position), "{text}");
        }
        let _ = (parse_hands(text), typed::call(text), typed::hand_by_suit(text), typed::suit(text));
        let reader = typed::CardReader::of(text);
        for card in reader.cards(text).into_iter().flatten() {
            assert!(Card::all().any(|other| other == card));
        }
        let words: Vec<&str> = text.split_whitespace().collect();
        if !words.is_empty() {
            let (taken, _) = typed::next_call(&words);
            assert!((1..=words.len()).contains(&taken), "{text}");
        }
    }
}

/// A question to `advise`: the first byte chooses the rules, the second what else is said, then a line for each flag.
pub fn questions(data: &[u8]) {
    let [rules, flags, rest @ ..] = data else { return };
    let Ok(text) = str::from_utf8(rest) else { return };
    let (_, rules) = RuleSet::PRESETS[usize::from(*rules) % RuleSet::PRESETS.len()];
    let mut lines = text.lines();
    let mut next = |bit: u8| lines.next().filter(|_| flags >> bit & 1 == 1);
    let [hand, auction] = [next(0), next(1)].map(Option::unwrap_or_default);
    let [tricks, turned, melds, shown, belote] = [2, 3, 4, 5, 6].map(next);
    let belotes: Vec<String> = belote.into_iter().map(str::to_owned).collect();
    let seat = |text: Option<&str>| text.and_then(|text| text.parse::<Seat>().ok());
    let (dealer, seat, offered) = (seat(lines.next()), seat(lines.next()), seat(lines.next()));
    let asked = Asked {
        hand,
        auction,
        tricks,
        turned,
        dealer: dealer.unwrap_or(Seat::S3),
        seat,
        offered,
        score: "0,0",
        melds,
        shown,
        belotes: &belotes,
    };
    match Question::read(&rules, &asked) {
        Ok(question) => assert!(question.view().hand().len() <= 8),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// A configuration of `arena run`.
pub fn config(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else { return };
    let Ok(file) = toml::from_str::<RunFile>(text) else { return };
    // Nothing is read but this text.
    if text.contains("file") || text.contains(".toml") || text.contains('/') {
        return;
    }
    let registry = Registry::builtin();
    let Ok(config) = file.check(&registry) else { return };
    let text = config.to_toml().expect("a configuration is plain data");
    let again: RunFile = toml::from_str(&text).expect("what is written is read");
    let again = again.check(&registry).expect("what is written is a configuration");
    assert_eq!(again.to_toml().ok(), Some(text));
    assert!(!config.command().is_empty());
}

/// Rows of a table or lines of records as `verify` counts them, of deals and of matches, of one encounter and of three.
pub fn recount(data: &[u8]) {
    let rows = Rows::Text(data.to_vec());
    for (bots, rules, matches) in [(2, "bga", false), (3, "coinche-melds", false), (2, "belote", true)] {
        let file = RunFile {
            bots: Some(vec!["random".to_owned(); bots]),
            matches: Some(matches),
            rules: Some(RulesText::Name(rules.to_owned())),
            ..RunFile::default()
        };
        let config = file.check(&Registry::builtin()).expect("a configuration");
        for are_records in [false, true] {
            let mut audit = Audit::new(&config, are_records);
            let mut lines = data.split(|byte| *byte == b'\n').filter_map(|line| Kept::from_json(line).ok());
            let added = if are_records {
                lines.try_for_each(|kept| audit.add(&Told::of_record(&kept.record, kept.pairing)))
            } else {
                audit.add_rows(&rows)
            };
            if let Err(error) = added {
                assert!(!error.to_string().is_empty());
            }
            let found = audit.differences(&Totals::new(&config));
            assert!(found.iter().all(|difference| difference.contains("the recount")), "{found:?}");
        }
    }
}

/// Records as the statistics read them, and as `export` does: what both read they read alike.
pub fn records(data: &[u8]) {
    let rules = RuleOptions::from(RuleSet::BGA).validate().unwrap_or(RuleSet::BGA);
    for line in data.split(|byte| *byte == b'\n') {
        let kept = Kept::from_json(line);
        if let Ok(kept) = &kept {
            assert_eq!(Kept::from_json(kept.to_json().as_bytes()).as_ref().ok(), Some(kept));
            assert_eq!(deal_of(line), Some(kept.record.deal));
            assert_eq!(Label::read(line).ok().map(|label| label.deal), Some(kept.record.deal));
        }
        let same = |_: &str| Ok::<(), ReadRecordError>(());
        if let Ok(leg) = Leg::read(line, &rules, "\"bga\"", same) {
            assert!(leg.auction.len() <= line.len());
        }
    }
}
