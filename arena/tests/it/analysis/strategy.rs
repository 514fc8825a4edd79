//! `arena stats` of records: its numbers are those of a slow count over replayed records, wherever they come from.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::common::{arena, contents, csv_rows, fails, run, stdout};
use coinche_engine::record::{Record, Step, replay_steps};
use coinche_engine::{
    AuctionTurn, BidValue, BySeat, ByTeam, Call, Card, CardSet, Contract, Goal, Rank, RuleSet, Seat, Stake,
    Strain, Suit, Team, Turn,
};

/// How often, or sums: by table and row, in words.
type Sums = BTreeMap<String, f64>;

/// What the replay of a record showed.
struct Replayed {
    record: Record,
    rules: RuleSet,
    calls: Vec<(Seat, Call)>,
    /// All cards in order, with who played them.
    cards: Vec<(Seat, Card)>,
    hands: BySeat<CardSet>,
}

impl Replayed {
    fn new(line: &str) -> Self {
        let record = Record::from_json(line).unwrap();
        let (mut calls, mut cards) = (Vec::new(), Vec::new());
        let found =
            replay_steps(&record, |state, step| match (step, state.turn(), state.auction().state().turn()) {
                // An offer that is declined is no call.
                (
                    Step::Call(Call::Pass),
                    _,
                    AuctionTurn::OfferCoinche(_) | AuctionTurn::OfferSurcoinche(_),
                ) => {}
                (Step::Call(call), Turn::Call(seat), _) => calls.push((seat, *call)),
                (Step::Play(play), Turn::Play(seat), _) => cards.push((seat, play.card)),
                other => panic!("{other:?}"),
            });
        assert!(found.is_empty(), "{found:?}: {line}");
        let hands = record.hands;
        Self { rules: record.rules.rules().unwrap(), record, calls, cards, hands }
    }

    fn bot(&self, seat: Seat) -> &str {
        &self.record.bots[seat]
    }

    fn position(&self, seat: Seat) -> &'static str {
        ["dealer", "1st", "2nd", "3rd"][self.record.dealer.distance_to(seat)]
    }
}

fn plural(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// The class of a hand in a strain, in words.
fn class(hand: CardSet, strain: Strain) -> [String; 2] {
    let has = |rank, suit| hand.contains(Card::new(suit, rank));
    let length = |suit| hand.of(suit).len();
    let Some(trump) = strain.trump() else {
        let ((top, what), (second, behind)) = if strain == Strain::NoTrump {
            ((Rank::Ace, "ace"), (Rank::Ten, "ten"))
        } else {
            ((Rank::Jack, "jack"), (Rank::Nine, "nine"))
        };
        let tops = Suit::ALL.into_iter().filter(|suit| has(top, *suit));
        let seconds = tops.clone().filter(|suit| has(second, *suit)).count();
        let longest = Suit::ALL.map(length).into_iter().max().unwrap();
        let holding = format!("{} {}", plural(tops.count(), what), plural(seconds, behind));
        return [holding, format!("longest {longest}")];
    };
    let mut tops = String::new();
    for (rank, letter) in [(Rank::Jack, 'J'), (Rank::Nine, '9'), (Rank::Ace, 'A')] {
        if has(rank, trump) {
            tops.push(letter);
        }
    }
    let low = length(trump) - tops.len();
    let holding = match (tops.is_empty(), low) {
        (true, low) => format!("{low} low"),
        (_, 0) => tops,
        (_, low) => format!("{tops}+{low}"),
    };
    let others = || Suit::ALL.into_iter().filter(|suit| *suit != trump);
    let aces = others().filter(|suit| has(Rank::Ace, *suit)).count();
    let voids = others().filter(|suit| length(*suit) == 0).count();
    [holding, format!("{} {}", plural(aces, "ace"), plural(voids, "void"))]
}

/// Level and strain of a contract or a bid.
fn level_of(bid: &str) -> (String, Strain) {
    let bid = bid.replace(' ', "");
    let strain = Strain::ALL.into_iter().rev().find(|strain| bid.ends_with(strain.code())).unwrap();
    (bid.strip_suffix(strain.code()).unwrap().to_owned(), strain)
}

const fn kind(strain: Strain) -> &'static str {
    match strain {
        Strain::NoTrump => "SA",
        Strain::AllTrump => "TA",
        _ => "suit",
    }
}

struct Count(Sums);

impl Count {
    fn add(&mut self, key: &str, number: f64) {
        *self.0.entry(key.to_owned()).or_default() += number;
    }

    fn some(&mut self, row: &str, parts: &[(&str, f64)]) {
        self.add(&format!("{row} n"), 1.0);
        for (what, number) in parts {
            self.add(&format!("{row} {what}"), *number);
        }
    }
}

fn truth(so: bool) -> f64 {
    f64::from(u8::from(so))
}

fn number(count: usize) -> f64 {
    f64::from(u32::try_from(count).unwrap())
}

/// Counts everything from records that are replayed.
fn expected(records: &[Replayed]) -> Sums {
    let mut count = Count(Sums::new());
    for replayed in records {
        seated(&mut count, replayed);
        calls(&mut count, replayed);
        shapes(&mut count, replayed);
        if replayed.record.contract.is_some() {
            contract(&mut count, replayed);
        }
    }
    count.0
}

fn seated(count: &mut Count, it: &Replayed) {
    let contract = it.record.contract.as_ref();
    let mut bots = it.record.bots.0.to_vec();
    bots.sort();
    bots.dedup();
    for bot in bots {
        let declares = contract.is_some_and(|contract| it.record.bots[contract.declarer] == bot);
        let parts = [("passed_out", truth(contract.is_none())), ("declared", truth(declares))];
        count.some(&format!("bots|{bot}"), &parts);
    }
}

fn calls(count: &mut Count, it: &Replayed) {
    for (seat, call) in &it.calls {
        if let Call::Bid(bid) = call {
            let (level, strain) = level_of(&bid.to_string());
            let bot = it.bot(*seat);
            for key in [
                "all||||".to_owned(),
                format!("level|{level}|||"),
                format!("strain||{strain}||"),
                format!("level and strain|{level}|{strain}||"),
            ] {
                count.add(&format!("contracts|{bot}|{key} bids"), 1.0);
            }
        }
    }
    for (n, (seat, call)) in it.calls.iter().enumerate() {
        let (bot, position) = (it.bot(*seat), it.position(*seat));
        if let Some(turned) = it.record.turned {
            let row = format!("takes|{bot}|{}|{position}|{}", n / 4 + 1, turned.rank().letter());
            count.some(&row, &[("taken", truth(!call.is_pass()))]);
        } else {
            for position in ["any", position] {
                count.some(&format!("opening-seats|{bot}|{position}"), &[("passed", truth(call.is_pass()))]);
            }
        }
        if !call.is_pass() {
            answer(count, it, n);
            break;
        }
    }
}

fn answer(count: &mut Count, it: &Replayed, opened: usize) {
    let (Call::Bid(opening), Some((_, Call::Pass | Call::Wait)), Some((seat, call))) =
        (it.calls[opened].1, it.calls.get(opened + 1), it.calls.get(opened + 2))
    else {
        return;
    };
    let Some(suit) = opening.strain.trump() else { return };
    if *seat != it.calls[opened].0.partner() {
        return;
    }
    let answer = match call {
        Call::Pass => "pass".to_owned(),
        Call::Wait => "wait".to_owned(),
        Call::Bid(bid) if bid.strain == opening.strain => {
            match (bid.value.as_points(), opening.value.as_points()) {
                (Some(now), Some(82)) => format!("+{}", now - 80),
                (Some(now), Some(before)) => format!("+{}", now - before),
                _ => level_of(&bid.to_string()).0,
            }
        }
        Call::Bid(bid) if bid.strain.trump().is_some() => "another suit".to_owned(),
        Call::Bid(bid) => bid.strain.code().to_owned(),
        _ => return,
    };
    let hand = it.hands[*seat];
    let has = |rank| truth(hand.contains(Card::new(suit, rank)));
    let aces = number((hand & CardSet::rank(Rank::Ace)).len()) - has(Rank::Ace);
    let team = seat.team();
    let side = it.record.contract.filter(|contract| contract.declarer.team() == team);
    let points = if side.is_some() { f64::from(it.record.card_points[team]) } else { 0.0 };
    let score = it.record.score;
    for opening in ["any".to_owned(), level_of(&opening.to_string()).0] {
        let row = format!("answers-all|{}|{opening}|{answer}", it.bot(*seat));
        count.some(
            &row,
            &[
                ("jack", has(Rank::Jack)),
                ("nine", has(Rank::Nine)),
                ("ace", has(Rank::Ace)),
                ("trumps", number(hand.of(suit).len())),
                ("aces", aces),
                ("declared", truth(side.is_some())),
                ("made", truth(side.is_some() && it.record.made == Some(true))),
                ("card_points", points),
                ("score_difference", f64::from(score[team] - score[team.other()])),
            ],
        );
    }
}

fn shapes(count: &mut Count, it: &Replayed) {
    if it.hands.0.iter().any(|hand| hand.len() != 8) {
        return;
    }
    for hand in it.hands.0 {
        let mut lengths = Suit::ALL.map(|suit| hand.of(suit).len());
        lengths.sort_unstable();
        let [d, c, b, a] = lengths;
        let pair = |first, second| {
            Suit::ALL
                .iter()
                .any(|suit| hand.contains(Card::new(*suit, first)) && hand.contains(Card::new(*suit, second)))
        };
        let four = Rank::ALL.iter().any(|rank| (hand & CardSet::rank(*rank)).len() == 4);
        count.add(&format!("shapes|{a}-{b}-{c}-{d} times"), 1.0);
        for (what, so) in [
            ("no card of a suit", d == 0),
            ("jack and nine of a suit", pair(Rank::Jack, Rank::Nine)),
            ("ace and ten of a suit", pair(Rank::Ace, Rank::Ten)),
            ("four of a rank", four),
        ] {
            count.add(&format!("shapes|{what} times"), truth(so));
        }
    }
}

fn contract(count: &mut Count, it: &Replayed) {
    let record = &it.record;
    let contract = record.contract.as_ref().unwrap();
    let (level, strain) = level_of(&contract.bid_code());
    let declarer = contract.declarer;
    let (bot, side, made) = (it.bot(declarer), declarer.team(), record.made.unwrap());
    let [holding, rest] = class(it.hands[declarer], strain);
    let coinched = contract.stake != Stake::Plain;
    let parts = [
        ("made", truth(made)),
        ("coinched", truth(coinched)),
        ("surcoinched", truth(contract.stake == Stake::Surcoinche)),
        ("made_when_coinched", truth(made && coinched)),
        ("score", record.score[side].into()),
        ("score_difference", (record.score[side] - record.score[side.other()]).into()),
        ("card_points", record.card_points[side].into()),
    ];
    for key in [
        "all||||".to_owned(),
        format!("level|{level}|||"),
        format!("strain||{strain}||"),
        format!("level and strain|{level}|{strain}||"),
        format!("position|||{}|", it.position(declarer)),
        format!("hand||||{holding}, {rest}"),
    ] {
        count.some(&format!("contracts|{bot}|{key}"), &parts);
    }
    let points = format!("points-histogram|{bot}|{level}|{}|{} n", kind(strain), record.card_points[side]);
    count.add(&points, 1.0);
    play(count, it, strain, declarer);
    rates(count, it, strain, declarer, &level);
}

fn play(count: &mut Count, it: &Replayed, strain: Strain, declarer: Seat) {
    let (bot, side) = (it.bot(declarer), declarer.team());
    let (mut mine, mut first) = (0.0, false);
    for n in 0..8 {
        let cards: CardSet =
            it.cards[4 * n..4 * n + 4].iter().fold(CardSet::EMPTY, |all, (_, card)| all.with(*card));
        let last = if n == 7 { it.rules.scoring.last_trick_in(strain) } else { 0 };
        let points = f64::from(it.rules.cards.points_of(strain, cards) + last);
        // Who leads next has won.
        let winner = it.cards.get(4 * n + 4).map_or(it.record.tricks[7].winner, |next| next.0);
        let won = winner.team() == side;
        mine += if won { points } else { 0.0 };
        first |= n == 0 && won;
        let row = format!("tricks|{bot}|{}|{}", kind(strain), n + 1);
        count.some(
            &row,
            &[
                ("card_points", if won { points } else { 0.0 }),
                ("won", truth(won)),
                ("card_points_in_trick", points),
            ],
        );
    }
    assert!((mine - f64::from(it.record.card_points[side])).abs() < 1e-9);
    let (leader, card) = it.cards[0];
    let (leads, made) = (leader.team() == side, it.record.made == Some(true));
    let row = format!("first-lead|{bot}|{}|{}", kind(strain), if leads { "declarers" } else { "defenders" });
    count.some(&row, &[("points", mine), ("made", truth(made))]);
    let partner_bid = it.calls.iter().any(|(seat, call)| {
        *seat == leader.partner() && matches!(call, Call::Bid(bid) if bid.strain.trump() == Some(card.suit()))
    });
    let lone = it.hands[leader].of(card.suit()).len() == 1;
    let name = match card.rank() {
        _ if strain.trump() == Some(card.suit()) => "trump",
        _ if partner_bid => "partner's suit",
        Rank::Ace => {
            if lone {
                "lone ace"
            } else {
                "ace"
            }
        }
        _ if lone => "singleton",
        Rank::Ten => "ten",
        Rank::King | Rank::Queen | Rank::Jack => "king, queen, jack",
        _ => "nine, eight, seven",
    };
    let own = if leads { mine } else { f64::from(it.record.card_points[side.other()]) };
    let row = format!("leads|{}|{}|{name}", it.bot(leader), if leads { "declarers" } else { "defenders" });
    count.some(&row, &[("made", truth(made)), ("card_points", own), ("first_trick", truth(first == leads))]);
}

fn rates(count: &mut Count, it: &Replayed, strain: Strain, declarer: Seat, level: &str) {
    let (bot, record) = (it.bot(declarer), &it.record);
    let (side, made) = (declarer.team(), record.made == Some(true));
    let mut add = |what: &str, so: bool| {
        count.add(&format!("rates|{bot}|{what} n"), 1.0);
        count.add(&format!("rates|{bot}|{what} times"), truth(so));
    };
    if strain.trump().is_some() {
        let belote = record.belote.as_ref();
        let own = belote.is_some_and(|belote| belote.seat.team() == side);
        add("belote in one hand", belote.is_some());
        add("belote of the declarers", own);
        if let Some(belote) = belote {
            add("belote announced", belote.announced);
        }
        add(if own { "made with belote" } else { "made without belote" }, made);
    }
    add("capot bid", level == "CAPOT");
    if level == "CAPOT" {
        add("capot made", made);
    }
    if level != "CAPOT" && level != "GENERALE" {
        add("all tricks, not bid", record.tricks_won[side] == 8);
    }
    add("all tricks by the defenders", record.tricks_won[side.other()] == 8);
    add("générale bid", level == "GENERALE");
    if level == "GENERALE" {
        add("générale made", made);
    }
    add("all tricks by the declarer alone", record.tricks.iter().all(|trick| trick.winner == declarer));
    if it.rules.melds.enabled {
        let counted = |team: Team| {
            let melds = record.melds.iter().filter(|meld| meld.counts && meld.seat.team() == team);
            melds.map(|meld| f64::from(meld.points)).sum::<f64>()
        };
        let (own, other) = (counted(side), counted(side.other()));
        add("melds announced", !record.melds.is_empty());
        add("melds that count for the declarers", own > 0.0);
        if own > 0.0 {
            add("made with melds of the declarers", made);
        }
        count.add(&format!("melds|{bot}|declarers points"), own);
        count.add(&format!("melds|{bot}|defenders points"), other);
    }
}

/// A table as it was written: by row, by the name of the column.
fn table(directory: &Path, name: &str) -> Vec<BTreeMap<String, String>> {
    let path = directory.join(format!("{name}.csv"));
    if !path.exists() {
        return Vec::new();
    }
    csv_rows(&path)
}

/// Counts and sums of the tables, by the same names.
fn found(directory: &Path) -> Sums {
    let mut sums = Sums::new();
    let mut add = |table_name: &str, keys: &[&str], n: &str, parts: &[&str]| {
        for row in table(directory, table_name) {
            let number = |column: &str| row[column].parse::<f64>().unwrap_or_default();
            let keys: Vec<_> = keys.iter().map(|key| row[*key].as_str()).collect();
            let name = format!("{table_name}|{}", keys.join("|"));
            sums.insert(format!("{name} n"), number(n));
            for part in parts {
                sums.insert(format!("{name} {part}"), number(n) * number(part));
            }
        }
    };
    add("bots", &["bot"], "legs", &["passed_out", "declared"]);
    add("opening-seats", &["bot", "position"], "hands", &["passed"]);
    add("takes", &["bot", "round", "position", "turned"], "hands", &["taken"]);
    let answers = ["jack", "nine", "ace", "trumps", "aces", "declared", "score_difference"];
    add("answers-all", &["bot", "opening", "answer"], "hands", &answers);
    let lead_keys = ["bot", "side", "lead"];
    add("leads", &lead_keys, "leads", &["made", "card_points", "first_trick"]);
    add(
        "tricks",
        &["bot", "strain_kind", "trick"],
        "contracts",
        &["card_points", "won", "card_points_in_trick"],
    );
    add("points-histogram", &["bot", "level", "strain_kind", "card_points"], "contracts", &[]);
    for row in table(directory, "contracts") {
        let number = |column: &str| row[column].parse::<f64>().unwrap_or_default();
        let hand = [&row["holding"], &row["rest"]].map(String::as_str).join(", ");
        let hand = if hand == ", " { "" } else { &hand };
        let name = format!(
            "contracts|{}|{}|{}|{}|{}|{hand}",
            row["bot"], row["by"], row["level"], row["strain"], row["position"]
        );
        let n = number("contracts");
        sums.insert(format!("{name} n"), n);
        for part in ["made", "coinched", "surcoinched", "score", "score_difference", "card_points"] {
            sums.insert(format!("{name} {part}"), n * number(part));
        }
        sums.insert(
            format!("{name} made_when_coinched"),
            n * number("coinched") * number("made_when_coinched"),
        );
        sums.insert(format!("{name} bids"), number("bids"));
    }
    for row in table(directory, "answers-all") {
        let number = |column: &str| row[column].parse::<f64>().unwrap_or_default();
        let name = format!("answers-all|{}|{}|{}", row["bot"], row["opening"], row["answer"]);
        for part in ["made", "card_points"] {
            sums.insert(format!("{name} {part}"), number("hands") * number("declared") * number(part));
        }
    }
    for row in table(directory, "first-lead") {
        let number = |column: &str| row[column].parse::<f64>().unwrap_or_default();
        for (side, [n, points, made]) in [
            ("declarers", ["contracts_declarers_lead", "card_points_declarers_lead", "made_declarers_lead"]),
            ("defenders", ["contracts_defenders_lead", "card_points_defenders_lead", "made_defenders_lead"]),
        ] {
            let name = format!("first-lead|{}|{}|{side}", row["bot"], row["strain_kind"]);
            sums.insert(format!("{name} n"), number(n));
            sums.insert(format!("{name} points"), number(n) * number(points));
            sums.insert(format!("{name} made"), number(n) * number(made));
        }
    }
    for row in table(directory, "rates") {
        let name = format!("rates|{}|{}", row["bot"], row["what"]);
        sums.insert(format!("{name} n"), row["cases"].parse().unwrap());
        sums.insert(format!("{name} times"), row["times"].parse().unwrap());
    }
    for row in table(directory, "melds") {
        let sum =
            row["contracts"].parse::<f64>().unwrap() * row["meld_points"].parse::<f64>().unwrap_or_default();
        sums.insert(format!("melds|{}|{} points", row["bot"], row["side"]), sum);
    }
    for row in table(directory, "shapes") {
        sums.insert(format!("shapes|{} times", row["shape"]), row["times"].parse().unwrap());
    }
    sums
}

/// Plays, counts both ways, and returns how many numbers there were.
fn agree(directory: &Path, name: &str, flags: &str) -> usize {
    let words = format!("run random:pass=0.6 rules --seed 3 --records full --threads 1 {flags} --out {name}");
    run(directory, &words).success();
    run(directory, &format!("stats {name} --progress none --csv {name}/csv")).success();
    let text = fs::read_to_string(directory.join(name).join("records.jsonl")).unwrap();
    let records: Vec<_> = text.lines().map(Replayed::new).collect();
    let (expected, found) = (expected(&records), found(&directory.join(name).join("csv")));
    let zero = |sums: &Sums, key: &str| sums.get(key).copied().unwrap_or_default();
    for key in expected.keys().chain(found.keys()) {
        let [slow, fast] = [zero(&expected, key), zero(&found, key)];
        assert!(
            (slow - fast).abs() < 1e-6 * slow.abs().max(1.0),
            "{name}: {key}: {fast}, counted slowly {slow}"
        );
    }
    // Every contract is of one level, strain, seat and hand; every thrown-in deal is of none.
    let all = |by: &str| {
        found.iter().filter(|(key, _)| key.contains(by) && key.ends_with(" n")).map(|it| it.1).sum::<f64>()
    };
    for by in ["|level|", "|strain|", "|level and strain|", "|position|", "|hand|"] {
        assert!((all("|all|") - all(by)).abs() < 1e-9, "{name}: {by}");
    }
    let thrown_in = records.iter().filter(|it| it.record.contract.is_none()).count();
    assert!((all("|all|") - number(records.len() - thrown_in)).abs() < 1e-9, "{name}");
    found.len()
}

#[test]
fn totals_are_those_of_a_slow_count_under_all_rules() {
    let dir = tempfile::tempdir().unwrap();
    for (name, _) in RuleSet::PRESETS {
        assert!(agree(dir.path(), name, &format!("--deals 60 --rules {name}")) > 200, "{name}");
    }
    let belotes = "--deals 40 --set belote.all_trump=each-suit --set auction.coinche=any-time";
    assert!(agree(dir.path(), "belotes", belotes) > 500);
    assert!(agree(dir.path(), "cut", "--deals 4 --rules coinchee --match") > 500);
}

#[test]
fn live_deals_and_records_in_any_form_tell_the_same() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path();
    let play = "rules random:pass=0.6 --deals 60 --seed 3 --records full";
    run(path, &format!("run {play} --out plain")).success();
    run(path, &format!("run {play} --lines jsonl.zst --out packed")).success();
    let text = fs::read(path.join("plain/records.jsonl")).unwrap();
    let read = |words: &str, csv: &str| {
        let mut command = arena(path);
        command.args(words.split(' ')).args(["--progress", "none", "--csv", csv]).write_stdin(text.clone());
        let told = stdout(&command.assert().success());
        // A line says where it is from, the last where it went.
        let of_this = |line: &&str| line.contains(", rules ") || line.starts_with("written");
        let told: Vec<_> = told.lines().filter(|line| !of_this(line)).map(str::to_owned).collect();
        (told, contents(&path.join(csv)))
    };
    let expected = read("stats plain", "one");
    assert!(expected.1.contains_key("opening-classes.csv"));
    for (n, words) in [
        "stats packed --threads 3",
        "stats -",
        "stats plain/records.jsonl --threads 1",
        "stats --deals 60 --seed 3 --bot rules --bot random:pass=0.6",
    ]
    .iter()
    .enumerate()
    {
        assert_eq!(read(words, &format!("other{n}")), expected, "{words}");
    }
    // One bot alone has the rows that it has among all.
    let (_, alone) = read("stats plain --of rules", "alone");
    for (name, bytes) in alone {
        let all = expected.1.get(&name).map(|bytes| String::from_utf8(bytes.clone()).unwrap());
        let text = String::from_utf8(bytes).unwrap();
        // Pictures of the second bot have a number of their own.
        for line in text.lines().filter(|_| {
            !name.starts_with("made") && !name.starts_with("opens") && !name.starts_with("declared")
        }) {
            assert!(all.as_ref().unwrap().lines().any(|other| other == line), "{name}: {line}");
            assert!(!line.starts_with("random"), "{name}: {line}");
        }
    }
}

#[test]
fn two_inputs_stand_side_by_side() {
    let dir = tempfile::tempdir().unwrap();
    let flags = "--deals 4 --match --rules coinchee --bot rules --threads 1 --progress none";
    let words = format!(
        "stats {flags} --seed 1 --compare-set deal.shuffle=uniform --csv csv --out page.html --markdown p.md --svg svg --parquet pq"
    );
    let text = stdout(&run(dir.path(), &words).success());
    assert!(
        text.contains("Comparison") && text.contains("rules coinchee with deal.shuffle=uniform"),
        "{text}"
    );
    let rows = table(&dir.path().join("csv"), "against-shapes");
    assert_eq!(rows.len(), 19);
    for row in rows {
        let number = |column: &str| row[column].parse::<f64>().unwrap();
        assert!((number("share_a") - number("share_b") - number("share_difference")).abs() < 1e-9);
        let [low, high] = ["share_difference_low", "share_difference_high"].map(number);
        assert!(low <= number("share_difference") && number("share_difference") <= high);
    }
    let page = fs::read_to_string(dir.path().join("page.html")).unwrap();
    assert!(page.contains("Comparison") && page.contains("Hand shapes"));
    assert!(contents(&dir.path().join("svg")).contains_key("against-shapes-difference.svg"));
    assert!(contents(&dir.path().join("pq")).contains_key("contracts.parquet"));
    // Of equal inputs nothing differs.
    run(dir.path(), "run rules rules --deals 20 --seed 1 --records full --out a").success();
    run(dir.path(), "stats a --against a --csv same --progress none").success();
    for row in table(&dir.path().join("same"), "against") {
        assert!(["", "0.0"].contains(&row["difference"].as_str()) && row["clear"] == "false", "{row:?}");
    }
}

#[test]
fn what_is_no_record_is_named_with_its_line() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path();
    fails(run(path, "stats"), 2, &["expected records", "--deals 10000 --bot rules"]);
    fails(run(path, "stats nowhere.jsonl"), 2, &["cannot read nowhere.jsonl"]);
    fails(run(path, "stats ."), 2, &["has no records.jsonl", "--records full"]);
    fails(run(path, "stats a --deals 3"), 2, &["cannot be used with"]);
    fails(run(path, "stats --bot rules"), 2, &["--deals"]);
    fails(run(path, "stats --deals 0"), 2, &["deals: 0 is not in 1 to"]);
    fails(run(path, "stats --deals 3 --bot wizard"), 2, &["`wizard`", "random, rules"]);
    fails(
        run(path, "stats --deals 3 --bot rules --of random --progress none"),
        2,
        &["--of", "the bots are rules"],
    );
    run(path, "run rules random --deals 3 --seed 1 --records full --out a").success();
    run(path, "run rules random --deals 3 --seed 1 --records full --rules coinche --out b").success();
    fails(
        run(path, "stats a b --progress none"),
        1,
        &[
            "b/records.jsonl is damaged: line 1: its rules are coinche, but those of a/records.jsonl, line 1, are bga",
        ],
    );
    fails(run(path, "stats a --threads 0"), 2, &["threads: 0"]);
    let text = fs::read_to_string(path.join("a/records.jsonl")).unwrap();
    let try_text = |text: &str, parts: &[&str]| {
        fs::write(path.join("x.jsonl"), text).unwrap();
        let code = if parts[0].starts_with("no deal") { 2 } else { 1 };
        fails(run(path, "stats x.jsonl --progress none"), code, parts);
    };
    try_text("", &["no deal records in x.jsonl"]);
    try_text("\n  \n", &["no deal records in x.jsonl"]);
    try_text("# a page\n", &["x.jsonl", "line 1: not a deal record: expected value"]);
    try_text("{}\n", &["line 1: not a deal record: missing field `rules`"]);
    try_text(&text[..text.len() - 9], &["line 6: not a deal record: EOF"]);
    try_text(&text.replacen("\"v\":1", "\"v\":2", 1), &["line 1: record version 2"]);
    try_text(&text.replacen("\"v\":1", "\"w\":1", 1), &["line 1: not a deal record: missing field `v`"]);
    try_text(&text.replacen("\"rules\":\"bga\"", "\"rules\":\"poker\"", 1), &["line 1: rules:", "`poker`"]);
    try_text(&text.replacen("\"dealer\":0", "\"dealer\":4", 1), &["line 1: not a deal record: seat 4"]);
    // What a record says twice must agree.
    let played = text.lines().find(|line| line.contains("\"contract\":{")).unwrap();
    let record = Record::from_json(played).unwrap();
    let refused = |change: &dyn Fn(&mut Record), why: &str| {
        let mut record = record.clone();
        change(&mut record);
        try_text(&record.to_json(), &["line 1: ", why]);
    };
    refused(&|record| record.card_points = ByTeam([80, 81]), "card_points is");
    refused(&|record| record.tricks_won = ByTeam([4, 5]), "tricks_won is");
    refused(&|record| record.tricks.truncate(7), "7 tricks, expected 8");
    let apart = (0..7).find(|n| record.tricks[*n].leader != record.tricks[n + 1].leader).unwrap();
    refused(&|record| record.tricks.swap(apart, apart + 1), "leads, but it is seat");
    refused(&|record| record.tricks[5].cards.swap(0, 1), "does not have");
    refused(&|record| record.hands.0.swap(0, 1), "does not have");
    refused(&|record| record.hands[Seat::S0] = record.hands[Seat::S1], "does not have");
    let other = Goal::Bid(BidValue::points(110).unwrap());
    refused(
        &|record| {
            record.contract =
                record.contract.map(|it| Contract { strain: Strain::NoTrump, goal: other, ..it });
        },
        "not the last bid",
    );
    refused(&|record| record.contract.as_mut().unwrap().stake = Stake::Surcoinche, "the stake is surcoinche");
    let stake = record.contract.unwrap().stake;
    let twice = played.replacen(&format!("\"stake\":\"{stake}\""), "\"stake\":\"twice\"", 1);
    try_text(&twice, &["line 1: ", "`twice` is not a stake"]);
    refused(
        &|record| record.contract = None,
        "contract, tricks and outcome must all be there, or none of them",
    );
    let (seat, call) = record.auction[0];
    let half = played.replacen(&format!("[{seat},\"{call}\"]"), &format!("[{seat},\"81,5H\"]"), 1);
    try_text(&half, &["line 1: ", "`81,5H` is not a call"]);
    // The records of a deal stand together.
    let lines: Vec<_> = text.lines().collect();
    try_text(&[lines[4], lines[0]].join("\n"), &["line 2: deal 0 comes after deal 2"]);
}
