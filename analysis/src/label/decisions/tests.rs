//! Rows against a slow replay of the deal, and files against what was written into them.
#![allow(clippy::unwrap_used, reason = "a test may fail at once")]

use core::ops::Range;

use coinche_bots::{Agent, BotInfo, CardPlayer, Registry};
use coinche_engine::solver::Solver;
use coinche_engine::{
    BidValue, Card, CardSet, Deal, DealState, Deck, Goal, Key, Outcome, Seat, Suit, Turn, View,
};

use super::columns::{NONE, schema};
use super::*;
use crate::label::dealer;

fn settings(rules: RuleSet, words: &[&str]) -> Settings {
    let registry = Registry::builtin();
    Settings {
        rules,
        bots: words.iter().map(|bot| registry.parse(bot).unwrap()).collect(),
        stray: 0.25,
        which: DecisionKinds::All,
        suits: SuitNames::Canonical,
        format: LabelFormat::Npy,
        seed: "7".parse().unwrap(),
        deals: 1,
        chunk: 1,
        shard: None,
    }
}

fn rows(settings: &Settings, deals: Range<u64>) -> Vec<Vec<Decision>> {
    let mut table = Table::new(settings);
    deals.map(|deal| table.play((&settings.seed).into(), deal).unwrap()).collect()
}

/// The start of a deal.
fn start(settings: &Settings, deal: u64) -> DealState {
    let rules = &settings.rules;
    DealState::new(rules, &Deal::new(&rules.deal, Deck::shuffled(&settings.seed, deal), dealer(deal)))
}

/// What the side of a seat scores more than the other; a slam is that of a side, not of one player.
fn difference(state: &DealState, seat: Seat) -> i32 {
    let Some(Outcome::Played { mut result, .. }) = state.outcome() else { return 0 };
    if let Some(solo) = Seat::ALL.into_iter().find(|seat| result.tricks[*seat] == 8) {
        let [first, second] = solo.team().seats();
        (result.tricks[first], result.tricks[second]) = (4, 4);
    }
    let score = result.score(state.rules()).points;
    score[seat.team()] - score[seat.team().other()]
}

/// Plays a card, then a line of best play to the end, and counts the score.
fn value(state: &DealState, seat: Seat, card: Card) -> i32 {
    let mut state = state.clone();
    state.play(card).unwrap();
    if let Some(play) = state.play_state().filter(|play| !play.is_over()).copied() {
        let (mut solver, mut line) = (Solver::new(), Vec::new());
        solver.set_prizes(coinche_engine::ByTeam([1; 2]));
        solver.line(&state.rules().clone(), &play, |_, card| line.push(card));
        for card in line {
            state.play(card).unwrap();
        }
    }
    difference(&state, seat)
}

/// Replays a deal from its rows and recounts everything; returns how many values were compared.
fn recount(settings: &Settings, deal: u64, rows: &[Decision]) -> usize {
    let (space, encoder) = (ActionSpace::new(&settings.rules), settings.encoder());
    let mut state = start(settings, deal);
    let mut compared = 0;
    for (number, row) in rows.iter().enumerate() {
        let (Turn::Call(seat) | Turn::Play(seat)) = state.turn() else { panic!("{deal}: too many rows") };
        assert_eq!((row.deal, usize::from(row.number)), (deal, number));
        assert_eq!((row.seat, row.dealer), (seat as u8, dealer(deal) as u8));
        let mut obs = [0; Encoder::WORDS];
        let order = encoder.encode(&state.view(seat), &mut obs);
        assert_eq!(row.obs, obs);
        for action in 0..space.len() {
            let is_legal = row.mask.0[space.rename(action, order).unwrap()] == 1;
            assert_eq!(is_legal, space.is_legal(&state, action), "{deal}, {number}: {action}");
        }
        let is_generale = state.contract().is_some_and(|it| it.goal == Goal::Bid(BidValue::GENERALE));
        for card in CardSet::FULL {
            let found = row.values[order.rename(CardSet::only(card)).first().unwrap().index()];
            if state.legal_plays().contains(card) && !is_generale {
                assert_eq!(i32::from(found), value(&state, seat, card), "{deal}, {number}: {card}");
                compared += 1;
            } else {
                assert_eq!(found, NONE);
            }
        }
        space.apply(&mut state, space.rename(row.played.into(), order.inverse()).unwrap()).unwrap();
    }
    assert_eq!(state.turn(), Turn::Over);
    let outcome = |seat: Seat| match state.outcome() {
        Some(Outcome::Played { score, .. }) => score.points[seat.team()] - score.points[seat.team().other()],
        _ => 0,
    };
    for row in rows {
        assert_eq!(row.outcome, outcome(Seat::from_index(row.seat.into())));
    }
    compared
}

#[test]
fn rows_are_what_a_slow_replay_finds() {
    let mut silent = 0;
    for (name, rules) in RuleSet::PRESETS {
        let settings = settings(rules, &["rules", "table+rules"]);
        let all = rows(&settings, 0..8);
        let compared: usize = (0..).zip(&all).map(|(deal, rows)| recount(&settings, deal, rows)).sum();
        assert!(compared > 100, "{name}: {compared} values");
        silent += all.iter().flatten().filter(|row| (32..40).contains(&row.played)).count();
    }
    // A belote that is not announced is an action of its own, and no longer in the values.
    let voluntary = RuleSet::BGA.with_settings(["belote.announce=voluntary"]).unwrap();
    let registry = Registry::builtin().with(quiet()).unwrap();
    let quiet = Settings {
        bots: vec![registry.parse("rules+quiet").unwrap()],
        stray: 0.0,
        ..settings(voluntary, &["rules"])
    };
    for (deal, rows) in (0..).zip(rows(&quiet, 0..12)) {
        recount(&quiet, deal, &rows);
        silent += rows.iter().filter(|row| (32..40).contains(&row.played)).count();
    }
    assert!(silent > 0);
}

/// Plays the first card and keeps silent.
struct Quiet;

impl Agent for Quiet {}

impl CardPlayer for Quiet {
    fn play(&mut self, _: &View<'_>, legal: CardSet, _: Key) -> Card {
        legal.first().unwrap()
    }

    fn announce_belote(&mut self, _: &View<'_>, _: Card, _: Key) -> bool {
        false
    }
}

fn quiet() -> BotInfo {
    BotInfo::new("quiet", "announces nothing").player(&[], |_| Ok(|| Quiet))
}

#[test]
fn names_of_suits_are_exchanged_everywhere_or_nowhere() {
    let canonical = settings(RuleSet::COINCHE, &["rules", "random:pass=0.6"]);
    let dealt = Settings { suits: SuitNames::Dealt, ..canonical.clone() };
    let space = ActionSpace::new(&canonical.rules);
    let orders: Vec<_> = permutations().collect();
    let (mut renamed, mut trumps) = (0, 0);
    for (there, here) in rows(&canonical, 0..12).iter().flatten().zip(rows(&dealt, 0..12).iter().flatten()) {
        assert_eq!(
            (there.deal, there.number, there.stray, there.outcome),
            (here.deal, here.number, here.stray, here.outcome)
        );
        // Some permutation of the suits makes everything of one row that of the other.
        let is_same = |order: &&coinche_engine::encoding::SuitOrder| {
            let mut mask = here.mask.0.clone();
            space.rename_mask(&mut mask, **order);
            let cards = |words: &[u32]| -> Vec<u32> {
                words[..24].iter().map(|word| order.rename(CardSet::from_bits(*word)).bits()).collect()
            };
            let values =
                (0..32).all(|card| there.values[space.rename(card, **order).unwrap()] == here.values[card]);
            values
                && mask == there.mask.0
                && cards(&here.obs) == there.obs[..24]
                && space.rename(here.played.into(), **order) == Some(there.played.into())
        };
        let order = orders.iter().find(is_same).expect("a permutation");
        renamed += usize::from(order.suits() != Suit::ALL);
        trumps += usize::from(there.obs[24] >> 17 & 1 == 1);
    }
    assert!(renamed > 50 && trumps > 50, "{renamed} of {trumps}");
}

fn permutations() -> impl Iterator<Item = coinche_engine::encoding::SuitOrder> {
    (0..256).filter_map(|n| {
        let suits = [0, 2, 4, 6].map(|shift| Suit::from_index(n >> shift & 3));
        coinche_engine::encoding::SuitOrder::new(suits)
    })
}

#[test]
fn chance_takes_its_share_and_each_bot_its_seats() {
    let all = Settings { stray: 0.15, ..settings(RuleSet::BGA, &["rules", "table+rules", "random"]) };
    let played = rows(&all, 0..60);
    let strays = played.iter().flatten().filter(|row| row.stray).count();
    let number = played.iter().map(Vec::len).sum::<usize>();
    assert!((12 * number..18 * number).contains(&(100 * strays)), "{strays} of {number}");
    // Only what is written goes astray: the auction of the same deals without is that of the bots.
    let none = rows(&Settings { stray: 0.0, ..all.clone() }, 0..20);
    let cards = rows(&Settings { which: DecisionKinds::Cards, stray: 1.0, ..all.clone() }, 0..20);
    for (none, cards) in none.iter().zip(&cards) {
        assert!(cards.iter().all(|row| row.stray && row.played < 32));
        let first = none.iter().find(|row| row.played < 40);
        assert_eq!(first.map(|row| row.obs), cards.first().map(|row| row.obs));
        assert_eq!(first.map(|row| row.values), cards.first().map(|row| row.values));
    }
    let calls = rows(&Settings { which: DecisionKinds::Calls, stray: 0.0, ..all.clone() }, 0..20);
    for (none, calls) in none.iter().zip(&calls) {
        let written: Vec<_> = none.iter().filter(|row| row.played >= 40).cloned().collect();
        assert_eq!(&written, calls);
    }
    // Every bot sits at every seat now and then.
    let secrets = Secrets::from(&all.seed);
    let mut seen = [[0; 3]; 4];
    for deal in 0..60 {
        for seat in 0..4 {
            let bot = secrets.key(coinche_engine::Purpose::Experiment, deal, seat).below(3);
            seen[usize::try_from(seat).unwrap()][bot] += 1;
        }
    }
    assert!(seen.iter().flatten().all(|times| *times > 5), "{seen:?}");
}

/// Panics at its first heart, and would play otherwise ever after.
struct Moody(bool);

impl Agent for Moody {}

impl CardPlayer for Moody {
    fn play(&mut self, _: &View<'_>, legal: CardSet, _: Key) -> Card {
        if self.0 {
            return legal.last().unwrap();
        }
        let card = legal.first().unwrap();
        self.0 = card.suit() == Suit::Hearts;
        assert!(!self.0, "not again");
        card
    }
}

#[test]
fn a_bot_that_crashes_takes_only_its_deal_with_it() {
    let info = BotInfo::new("moody", "panics").player(&[], |_| Ok(|| Moody(false)));
    let registry = Registry::builtin().with(info).unwrap();
    let moody = registry.parse("rules+moody").unwrap();
    let settings = Settings { bots: vec![moody], ..settings(RuleSet::BGA, &["rules"]) };
    let mut table = Table::new(&settings);
    let mut play = |deal| table.play((&settings.seed).into(), deal);
    let played: Vec<_> = (0..12).map(&mut play).collect();
    let again: Vec<_> = (0..12).rev().map(&mut play).collect();
    assert!(played.iter().eq(again.iter().rev()));
    let crashed: Vec<_> = played.iter().filter_map(|deal| deal.as_ref().err()).collect();
    assert!(!crashed.is_empty());
    for error in crashed {
        let DealError::Crash(Crash { bot, why }) = error else { panic!("{error:?}") };
        assert!(bot == "rules+moody" && why.contains("not again"), "{bot}: {why}");
    }
}

#[test]
fn a_score_without_a_place_is_an_error() {
    let rules = RuleSet::BGA.with_settings(["scoring.failed=10000"]).unwrap();
    let settings = Settings { stray: 0.4, ..settings(rules, &["rules", "random"]) };
    let mut table = Table::new(&settings);
    let mut play = |deal| table.play((&settings.seed).into(), deal);
    let errors: Vec<_> = (0..40).filter_map(|deal| play(deal).err()).collect();
    assert!(!errors.is_empty());
    assert!(errors.iter().all(|error| matches!(error, DealError::Score(score) if score.abs() > 32_767)));
}

#[test]
fn a_score_that_falls_with_points_has_no_values() {
    // A side with every trick has less than one that lost a trick without points: as long as that may happen.
    let rules = RuleSet::BGA.with_settings(["scoring.unbid_slam=100"]).unwrap();
    let settings = Settings { which: DecisionKinds::Cards, stray: 0.0, ..settings(rules, &["rules"]) };
    let played: Vec<_> = rows(&settings, 0..20).into_iter().filter(|rows| !rows.is_empty()).collect();
    assert!(played.len() > 10);
    let has_values = |row: &Decision| row.values.iter().any(|value| *value != NONE);
    assert!(played.iter().all(|rows| !has_values(&rows[0])));
    assert!(played.iter().filter(|rows| has_values(&rows[31])).count() > 10);
}

/// What is in a column of an array of NumPy, from a header read by hand.
fn read_npy(bytes: &[u8]) -> (Vec<(String, usize, Vec<u8>)>, usize) {
    assert_eq!(bytes[..8], *b"\x93NUMPY\x01\x00");
    let length = usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
    let (header, mut data) = (str::from_utf8(&bytes[10..10 + length]).unwrap(), &bytes[10 + length..]);
    assert!(header.ends_with('\n') && (10 + length).is_multiple_of(64));
    let (descr, rest) = header.strip_prefix("{'descr': [").unwrap().split_once("], ").unwrap();
    let shape = rest.trim_end().strip_prefix("'fortran_order': False, 'shape': (").unwrap();
    let rows: usize = shape.strip_suffix(",), }").unwrap().parse().unwrap();
    let mut fields = Vec::new();
    for field in descr.trim_end_matches(", ").split("), (") {
        let field = field.trim_matches(['(', ')', ',']);
        let parts: Vec<_> = field.split(", ").map(|part| part.trim_matches(['\'', '(', ',', ')'])).collect();
        let size: usize = parts[1][2..].parse().unwrap();
        let times: usize = parts.get(2).map_or(1, |times| times.parse().unwrap());
        fields.push((parts[0].to_owned(), size * times, Vec::new()));
    }
    for _ in 0..rows {
        for (_, size, bytes) in &mut fields {
            let (value, rest) = data.split_at(*size);
            bytes.extend(value);
            data = rest;
        }
    }
    assert!(data.is_empty());
    (fields, rows)
}

#[test]
fn arrays_and_parquet_have_the_columns() {
    use ::parquet::file::reader::{FileReader, SerializedFileReader};
    use ::parquet::record::Field;

    let settings = settings(RuleSet::BGA, &["rules", "table+rules"]);
    let rows: Vec<_> = rows(&settings, 0..5).into_iter().flatten().collect();
    let actions = ActionSpace::new(&settings.rules).len();
    for rows in [&rows[..], &[]] {
        let columns = Batch::of(schema(actions), rows.to_vec());
        assert!(columns.iter().map(Result::unwrap).zip(rows).all(|(mut row, written): (Decision, _)| {
            row.mask.0.truncate(actions);
            row == *written
        }));
        let (fields, number) = read_npy(&npy(&columns));
        assert_eq!(number, rows.len());
        assert!(fields.iter().map(|it| &it.0).eq(columns.schema.columns.iter().map(|it| &*it.name)));
        let reader = SerializedFileReader::new(bytes::Bytes::from(encode(&columns).unwrap())).unwrap();
        let mut read: Vec<Vec<u8>> = vec![Vec::new(); fields.len()];
        for row in reader.get_row_iter(None).unwrap() {
            for ((name, field), bytes) in row.unwrap().get_column_iter().zip(&mut read) {
                match field {
                    Field::UByte(number) => bytes.push(*number),
                    Field::UShort(number) => bytes.extend(number.to_le_bytes()),
                    Field::ULong(number) => bytes.extend(number.to_le_bytes()),
                    Field::Int(number) => bytes.extend(number.to_le_bytes()),
                    Field::Bool(flag) => bytes.push((*flag).into()),
                    Field::Bytes(value) => bytes.extend(value.data()),
                    other => panic!("{name}: {other}"),
                }
            }
        }
        assert!(fields.iter().map(|(_, _, bytes)| bytes).eq(&read));
    }
    // The bits of the mask, the lowest first.
    let (fields, _) = read_npy(&npy(&Batch::of(schema(actions), rows.clone())));
    let (name, size, mask) = &fields[5];
    assert_eq!((&**name, *size), ("mask", actions.div_ceil(8)));
    for (row, bytes) in rows.iter().zip(mask.chunks(*size)) {
        for (action, legal) in row.mask.0.iter().enumerate() {
            assert_eq!(bytes[action / 8] >> (action % 8) & 1, *legal);
        }
        assert_eq!(row.mask.0[usize::from(row.played)], 1);
    }
}
