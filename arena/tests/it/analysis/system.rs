//! `arena system`: what calls promise against hands counted one by one, what is said of a file, what is refused.

use std::collections::BTreeMap;
use std::fs;

use coinche_bots::system::{Moment, SHIPPED, System};
use coinche_engine::{Auction, ByTeam, Call, CardSet, RuleSet, Seat};
use serde_json::Value;

use crate::common::{arena, fails, printed_json, run, size, stdout};

/// A file in which two rules overlap, one is never first, one never holds, and one is for other rules.
const CLUB: &str = "name = \"Club\"\nfloor = \"pass\"\nfor = [\"contree\"]\n\
    [[rule]]\nname = \"both\"\nwhen = \"opening and J9 and trumps >= 4\"\ncall = 90\n\
    [[rule]]\nname = \"shadowed\"\nwhen = \"opening and J9A and trumps >= 4\"\ncall = 110\n\
    [[rule]]\nname = \"never\"\nwhen = \"opening and trumps >= 9\"\ncall = 120\n\
    [[rule]]\nname = \"no trump\"\nin = \"SA\"\nwhen = \"has_sa and aces = 4\"\ncall = 80\n";

fn counts(table: &str) -> BTreeMap<String, u64> {
    let mut rows = csv::Reader::from_reader(table.as_bytes());
    let head: Vec<String> = rows.headers().unwrap().iter().map(str::to_owned).collect();
    let at = |name: &str| head.iter().position(|column| column == name).unwrap();
    let (call, hands) = (at("call"), at("hands"));
    rows.records()
        .map(|row| row.unwrap())
        .map(|row| (row[call].to_owned(), row[hands].parse().unwrap()))
        .collect()
}

#[test]
fn promises_are_those_of_all_hands_one_by_one() {
    // Five cards each, so that all 201,376 hands can be gone through.
    let rules = RuleSet::BELOTE;
    let text = "name = \"x\"\n[[rule]]\nwhen = \"turned_nine and is_turned and J and trumps >= 3\"\ncall = \"take\"\n\
        [[rule]]\nwhen = \"second_round and J and aces >= 1\"\ncall = \"take\"\n";
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("x.toml"), text).unwrap();
    run(dir.path(), "system check x.toml --rules belote --deals 10 --seed 1 --csv tables").success();
    let system = System::read(text, &[]).unwrap();
    let mut compared = 0;
    for n in 1..=16 {
        let table = fs::read_to_string(dir.path().join(format!("tables/promises-{n}.csv"))).unwrap();
        let counted = counts(&table);
        assert_eq!(counted.values().sum::<u64>(), 169_911);
        // Jack and nine, turned up: the fifth and sixth rank from the top, in both rounds.
        let [card, passes] = [if n < 11 { "JH" } else { "9H" }, ["P P P P", ""][n % 2]];
        if ![9, 10, 11, 12].contains(&n) {
            continue;
        }
        let turned = card.parse().unwrap();
        let mut auction = Auction::new(&rules, Seat::S3, Some(coinche_engine::Suit::Hearts));
        for call in passes.split_whitespace() {
            auction.call(call.parse().unwrap()).unwrap();
        }
        let legal = auction.state().legal_calls();
        let moment = Moment::new(&rules, &auction, Seat::S3, Some(turned), Seat::S0, ByTeam([0; 2]), &legal);
        let mut literal: BTreeMap<String, u64> = BTreeMap::new();
        let mut bits: u64 = 0b11111;
        while bits < 1 << 32 {
            let hand = CardSet::from_bits(u32::try_from(bits).unwrap());
            if !hand.contains(turned) {
                let call = match system.decide(&moment, hand).map(|claim| claim.call) {
                    None => "(no rule)",
                    Some(Call::Take) => "take",
                    Some(_) => "take another suit",
                };
                *literal.entry(call.to_owned()).or_default() += 1;
            }
            // The next number with as many bits.
            let low = bits & bits.wrapping_neg();
            let next = bits + low;
            bits = next | ((bits ^ next) >> (2 + low.trailing_zeros()));
        }
        assert_eq!(counted, literal, "{card} {passes}");
        compared += 1;
    }
    assert_eq!(compared, 4);
}

#[test]
fn a_check_names_what_never_applies_and_what_overlaps() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("club.toml"), CLUB).unwrap();
    let text = stdout(&run(dir.path(), "system check club.toml --deals 300 --seed 1 --csv tables").success());
    assert!(text.contains("3 of 4 rules apply under "), "{text}");
    assert!(text.contains("2 rules never made a call: `shadowed` (line 8), `never` (line 12)."), "{text}");
    assert!(text.contains("never first: earlier rules take its hands"), "{text}");
    assert!(text.contains("left out under these rules"), "{text}");
    let overlaps = fs::read_to_string(dir.path().join("tables/overlaps.csv")).unwrap();
    // Jack, nine and ace with one or more others of the suit, in one suit at least.
    assert!(overlaps.contains("both,shadowed,"), "{overlaps}");
    let promised = counts(&fs::read_to_string(dir.path().join("tables/promises-1.csv")).unwrap());
    assert_eq!(promised.values().sum::<u64>(), 10_518_300);
    // The jack and the nine of one suit and two to six others of it, or of two suits: 4 · (C(30, 6) less those with fewer than
    // two more of the suit) less the hands with both of two suits, which are counted twice.
    let one: u64 = 4 * (2..=6).map(|more| binomial(6, more) * binomial(24, 6 - more)).sum::<u64>();
    let two = 6 * binomial(6, 2) * binomial(6, 2);
    assert_eq!(promised["90 in a suit"], one - two);
    for threads in &[1, 3][..size(1, 2)] {
        let words = format!("system check club.toml --deals 300 --seed 1 --threads {threads}");
        let again = stdout(&run(dir.path(), &words).success());
        assert_eq!(again.lines().next(), text.lines().next());
        assert!(text.starts_with(again.trim_end()), "the same for any number of threads");
    }
}

fn binomial(n: u64, k: u64) -> u64 {
    (0..k).fold(1, |value, i| value * (n - i) / (i + 1))
}

#[test]
fn a_call_is_explained_by_its_rule() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("club.toml"), CLUB).unwrap();
    let explain = |hand: &str, more: &[&str]| {
        let mut program = arena(dir.path());
        program.args(["system", "explain", "club.toml", "--hand", hand]).args(more);
        stdout(&program.assert().success())
    };
    let text = explain("JS 9S AS 7S AD KD 7C 8C", &[]);
    assert!(text.starts_with("90S: both (rule 1 of club.toml)."), "{text}");
    assert!(text.contains("Line 4, in ♠: when opening and J9 and trumps >= 4 → 90."), "{text}");
    assert!(text.contains("Later rules that would apply too: shadowed (110S)."), "{text}");
    let floor = explain("JS 9S AS 7D AD KD 7C 8C", &[]);
    assert!(floor.starts_with("P: no rule of Club applies, so that the floor (pass) calls."), "{floor}");
    let of_net = CLUB.replace("floor = \"pass\"", "floor = \"net\"");
    fs::write(dir.path().join("net.toml"), of_net).unwrap();
    let hand = "JS 9S AS 7D AD KD 7C 8C";
    let words = ["system", "explain", "net.toml", "--hand", hand];
    let of_net = stdout(&arena(dir.path()).args(words).assert().success());
    let words = ["advise", hand, "--rules", "contree", "--by", "net", "--worlds", "1", "--json"];
    let net: Value = printed_json(&arena(dir.path()).args(words).assert().success());
    let start = format!(
        "{}: no rule of Club applies, so that the floor (net) calls.",
        net["advice"].as_str().unwrap()
    );
    assert!(of_net.starts_with(&start) && net["advice"] != "P", "{of_net}");
    let checked = stdout(&run(dir.path(), "system check net.toml --deals 20 --seed 1").success());
    assert!(
        checked.contains("the floor (net) the rest") && checked.contains("the floor (net) called"),
        "{checked}"
    );
    let json: Value = serde_json::from_str(&explain("JS 9S AS 7S AD KD 7C 8C", &["--json"])).unwrap();
    assert_eq!(
        (&json["call"], &json["rules"][0]["line"], &json["hands"]),
        (&"90S".into(), &4.into(), &10_518_300.into())
    );
}

#[test]
fn what_is_wrong_is_refused_by_every_command_that_takes_bots() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("bad.toml"), CLUB.replace("trumps >= 9", "trump_s >= 9")).unwrap();
    fs::write(dir.path().join("sa.toml"), CLUB.replace("has_sa and ", "")).unwrap();
    let failed = |words: &str| {
        let assert = run(dir.path(), words).code(2);
        String::from_utf8(assert.get_output().stderr.clone()).unwrap()
    };
    let commands = [
        "run system:file=FILE+rules rules --rules contree --deals 2 --out r",
        "bidding system:file=FILE rules --rules contree --deals 2",
        "stats --bot system:file=FILE+rules --rules contree --deals 2",
        "tune system:file=FILE+rules --param x=0..1 --rules contree --deals 10 --batch 10",
        "sprt system:file=FILE+rules rules --rules contree --lower 0 --upper 5 --out s",
        "advise --hand JS,9S,AS,7S,AD,KD,7C,8C --by system:file=FILE --rules contree",
        "advise --hand JS,9S,AS,7S,AD,KD,7C,8C --partner system:file=FILE --rules contree",
        "label --decisions --by system:file=FILE+rules --rules contree --deals 2 --out l",
        "play --partner system:file=FILE+rules --rules contree",
        "run rules random --freeze auction=system:file=FILE --rules contree --deals 2 --out f",
        "system check FILE --rules contree",
    ];
    for command in commands {
        let bad = failed(&command.replace("FILE", "bad.toml"));
        assert!(bad.contains("bad.toml: line 14, column 21: `trump_s` is no word"), "{command}\n{bad}");
        if !command.starts_with("tune") {
            let sa = failed(&command.replace("FILE", "sa.toml"));
            assert!(sa.contains("sa.toml: line 18, column 6: rule `no trump` is for SA"), "{command}\n{sa}");
            assert!(sa.contains("`has_sa and`"), "{command}\n{sa}");
        }
    }
    assert!(failed("system check clubb").contains("no system of this name"));
    assert!(failed("system show sound-beginer").contains("did you mean `sound-beginner`"));
}

#[cfg(unix)]
#[test]
fn an_engine_refuses_rules_that_the_system_is_not_for() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("sa.toml"), CLUB.replace("has_sa and ", "")).unwrap();
    let engine = format!("exec '{}' engine system:file=sa.toml+rules\n", env!("CARGO_BIN_EXE_arena"));
    fs::write(dir.path().join("engine.sh"), engine).unwrap();
    let mut program = arena(dir.path());
    program.args(["run", "cmd:sh engine.sh", "rules", "--rules", "contree", "--deals", "2", "--out", "e"]);
    let failed = program.assert().failure();
    let text = String::from_utf8_lossy(&failed.get_output().stderr).into_owned();
    assert!(text.contains("rule `no trump` is for SA"), "{text}");
}

#[test]
fn shipped_systems_are_listed_shown_and_checked() {
    let dir = tempfile::tempdir().unwrap();
    let list = stdout(&run(dir.path(), "system list").success());
    let json: Value = printed_json(&run(dir.path(), "system list --json").success());
    assert_eq!(json.as_array().unwrap().len(), SHIPPED.len());
    for shipped in SHIPPED {
        assert!(list.contains(&format!("{}\n", shipped.name)));
        let shown = stdout(&run(dir.path(), &format!("system show {}", shipped.name)).success());
        assert_eq!(shown, shipped.text);
    }
    let words = stdout(&run(dir.path(), "system words").success());
    for word in coinche_bots::system::Word::ALL {
        assert!(words.contains(word.name()), "{}", word.name());
    }
    let french = stdout(&run(dir.path(), "system words --language french").success());
    for word in coinche_bots::system::Word::ALL {
        assert!(french.contains(word.name()), "{}", word.name());
        assert!(french.lines().all(|line| !line.ends_with(word.doc())), "{}: {french}", word.doc());
    }
    for english in [" the ", "Words", "Functions:", " of "] {
        assert!(words.contains(english) && !french.contains(english), "{english}: {french}");
    }
}

#[test]
fn mistakes_of_a_file_are_told_in_french() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("club.toml"), "name = \"Club\"\n[[rule]]\nwhen = \"trumps >\"\ncall = 80\n")
        .unwrap();
    let fault =
        "club.toml\u{a0}: ligne 3, colonne 17\u{a0}: il faut une condition ou un nombre au lieu de la fin";
    for words in [
        "system print club.toml",
        "advise JS_9S --by system:file=club.toml",
        "play --partner system:file=club.toml",
    ] {
        fails(run(dir.path(), &format!("{words} --language fr")), 2, &["erreur\u{a0}: ", fault]);
    }
}

#[test]
fn a_call_is_explained_in_french_to_people_alone() {
    let dir = tempfile::tempdir().unwrap();
    let explain = |words: &str| {
        let hand = "JS,9S,AS,TS,AD,KD,7C,8C";
        let words = format!("system explain jack-or-nine --rules contree --hand {hand} {words}");
        stdout(&run(dir.path(), &words).success())
    };
    assert!(explain("--csv english").contains("jack and nine"));
    let french = explain("--csv french --language french");
    assert!(french.contains("écrit dans french") && !french.contains("written"), "{french}");
    assert!(!french.contains("jack and nine") && french.contains("le valet et le neuf"), "{french}");
    assert!(french.contains("1\u{202f}775\u{202f}712") && french.contains("16,9 %"), "{french}");
    let files =
        ["english", "french"].map(|name| fs::read(dir.path().join(name).join("promises.csv")).unwrap());
    assert_eq!(files[0], files[1]);
}

#[test]
fn numbers_of_a_file_are_tuned() {
    let dir = tempfile::tempdir().unwrap();
    let numbers = "[numbers]\nleast = { value = 4, from = 2, to = 6 }\n[[rule]]\nname = \"both\"";
    let text =
        CLUB.replacen("[[rule]]\nname = \"both\"", numbers, 1).replacen("trumps >= 4", "trumps >= least", 1);
    fs::write(dir.path().join("club.toml"), text).unwrap();
    let words = "tune system:file=club.toml+rules --against rules --param least=2..6 --deals 40 --batch 20 --verify 10 \
        --seed 1 --rules contree --out t --progress none";
    let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(stdout(&run(dir.path(), &words).success()).contains("least"));
    let failed =
        run(dir.path(), &words.replace("least=2..6", "least=1..6").replace("--out t", "--out u")).code(2);
    assert!(
        String::from_utf8_lossy(&failed.get_output().stderr)
            .contains("`least` = 1 is not in its range 2 to 6")
    );
}

#[test]
fn advice_takes_the_partner_to_hold_what_its_system_says() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("club.toml"), CLUB).unwrap();
    let jack = |more: &[&str]| -> f64 {
        let mut program = arena(dir.path());
        let hand =
            ["advise", "--hand", "TC AC 7D KH TH QS 8S 7S", "--auction", "90H P", "--rules", "contree"];
        program.args(hand).args(["--seed", "1", "--worlds", "10"]).args(more);
        let text = stdout(&program.assert().success());
        let row = text
            .lines()
            .find(|line| line.starts_with("H ") && line.contains(" partner "))
            .unwrap()
            .to_owned();
        let share = row.split('%').next().unwrap().split_whitespace().last().unwrap();
        share.parse().unwrap()
    };
    let (guessed, agreed) = (jack(&[]), jack(&["--partner", "system:file=club.toml"]));
    assert!(agreed > 85.0 && agreed > guessed + 10.0, "{guessed} {agreed}");
}

/// What is learned depends on neither threads nor interruptions; a state of another search, or a damaged one, is refused by name.
#[test]
fn what_is_learned_is_the_same_for_any_threads_and_goes_on() {
    let dir = tempfile::tempdir().unwrap();
    let words = "system learn --rules contree --deals 400 --held 200 --max-rules 9 --seed 1 --opponent rules \
                 --opponent system:name=jack-or-nine --progress none";
    let learn = |more: &str| {
        // Words that cost much: most of the time is for what they gain.
        let price = if more.contains("--price") { "" } else { "--price 0.3" };
        run(dir.path(), &format!("{words} {price} {more}"))
    };
    let read = |name: &str| fs::read(dir.path().join(name)).unwrap();
    let whole = stdout(&learn("--rounds 2 --threads 2 --out a.toml").success());
    learn("--rounds 1 --threads 1 --out b.toml").success();
    let first = read("b.toml");
    let again = stdout(&learn("--rounds 2 --threads 1 --out b.toml").success());
    assert_eq!(again, whole.replace("a.toml", "b.toml"));
    for [a, b] in [["a.toml", "b.toml"], ["a.json", "b.json"]] {
        assert!(read(a) == read(b), "{a}");
    }
    assert!(first != read("b.toml"));
    let state: Value = serde_json::from_slice(&read("a.json")).unwrap();
    assert_eq!(state["learned"]["stages"].as_array().unwrap().len(), 3);
    assert_eq!(state["learned"]["text"].as_str().unwrap().as_bytes(), read("a.toml"));
    let page = String::from_utf8(read("a.html")).unwrap();
    assert!(page.contains("picture-length") && page.contains("Learned: a.toml"), "{page}");
    // It is a system like any other.
    run(dir.path(), "run system:file=a.toml+rules rules --rules contree --deals 4 --seed 1 --records none")
        .success();
    let before = read("a.toml");
    fails(learn("--rounds 2 --price 0.1 --out a.toml"), 2, &["a.json", "price"]);
    fails(learn("--rounds 2 --from jack-or-nine --out a.toml"), 2, &["a.json", "another system"]);
    fails(learn("--rounds 2 --out a.txt"), 2, &["a.txt must end in .toml"]);
    fails(learn("--price=-1 --out c.toml"), 2, &["price: -1"]);
    fails(learn("--opponent nobody --out c.toml"), 2, &["opponent", "nobody"]);
    fails(learn("--teacher nobody --out c.toml"), 2, &["teacher", "nobody"]);
    fails(learn("--teacher rules --out c.toml"), 2, &["teacher: `rules` does not report", "table"]);
    fails(learn("--rounds 2 --teacher table --out a.toml"), 2, &["a.json", "teacher"]);
    fs::rename(dir.path().join("b.json"), dir.path().join("c.json")).unwrap();
    fails(learn("--rounds 2 --out b.toml"), 2, &["b.toml is there, and b.json"]);
    let mut state = read("a.json");
    state[200] ^= 1;
    fs::write(dir.path().join("a.json"), state).unwrap();
    fails(learn("--rounds 2 --out a.toml"), 1, &["a.json"]);
    assert!(read("a.toml") == before);
}

#[test]
fn differences_of_systems_add_up_and_rules_are_worth_what_they_are_missed_for() {
    let dir = tempfile::tempdir().unwrap();
    let deals = "--rules contree --deals 300 --seed 1 --opponent rules";
    let text = stdout(
        &run(dir.path(), &format!("system diff jack-or-nine sound-beginner {deals} --csv diff")).success(),
    );
    assert!(text.contains("Sound beginner") && text.contains("points per deal"), "{text}");
    let sum = |name: &str, column: &str| -> f64 {
        let mut reader = csv::Reader::from_path(dir.path().join(name)).unwrap();
        let at = reader.headers().unwrap().iter().position(|head| head == column).unwrap();
        reader.records().map(|row| row.unwrap()[at].parse::<f64>().unwrap()).sum()
    };
    let [by_rule, by_call] = ["diff/rules.csv", "diff/calls.csv"].map(|name| sum(name, "gain"));
    assert!((by_rule - by_call).abs() < 1e-6 && by_rule != 0.0, "{by_rule} {by_call}");
    let same = stdout(&run(dir.path(), &format!("system diff jack-or-nine jack-or-nine {deals}")).success());
    assert!(same.contains("No significant difference"), "{same}");
    run(dir.path(), &format!("system worth jack-or-nine {deals} --csv worth")).success();
    let calls = sum("worth/worth.csv", "calls");
    assert!(calls > 300.0, "{calls}");
    assert!(sum("worth/worth.csv", "worth") != 0.0);
    // The page for players tells the same, with a hand for each rule that called.
    for (language, csv) in [("english", "print"), ("french", "french")] {
        let words = format!("system print jack-or-nine {deals} --csv {csv} --language {language}");
        run(dir.path(), &words).success();
    }
    let pages = ["opening", "partners_bid", "their_bid", "others"].map(|name| format!("print/{name}.csv"));
    let pages = pages.iter().filter(|name| dir.path().join(name).exists());
    let [mut worth, mut share] = [0.0; 2];
    for page in pages {
        worth += sum(page, "worth");
        share += sum(page, "share");
    }
    assert!((worth - sum("worth/worth.csv", "worth")).abs() < 1e-6, "{worth}");
    assert!((share - sum("worth/worth.csv", "share")).abs() < 1e-6, "{share}");
    let openings = fs::read_to_string(dir.path().join("print/opening.csv")).unwrap();
    // Tables for programs are in English.
    assert_eq!(fs::read_to_string(dir.path().join("french/opening.csv")).unwrap(), openings);
    assert!(openings.contains(" · ") && openings.contains("→ 80 "), "{openings}");
    fails(run(dir.path(), "system print jack-or-nine --rules belote --deals 10"), 2, &["jack-or-nine"]);
    fails(run(dir.path(), "system print jack-or-nine --seed 1"), 2, &["--seed: ", "--deals N"]);
    fails(run(dir.path(), "system worth jack-or-nine --rules belote --deals 10"), 2, &["jack-or-nine"]);
    for words in ["worth jack-or-nine", "diff jack-or-nine jack-or-nine", "learn --out x.toml"] {
        let words = format!("system {words} --rules belot --deals 20");
        fails(run(dir.path(), &words), 2, &["bids have no value"]);
    }
}
