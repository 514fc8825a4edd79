//! `arena verify` and `arena show` on records good and bad.

use std::fs;
use std::path::Path;

use crate::common::{arena, fails, run, stdout};

/// What to do to which line.
type Change<'a> = (usize, &'a dyn Fn(&str) -> String);

/// Makes a file of records with some lines changed.
fn spoil(directory: &Path, records: &str, changes: &[Change<'_>]) {
    let mut lines: Vec<String> = records.lines().map(str::to_owned).collect();
    for (line, change) in changes {
        lines[*line] = change(&lines[*line]);
    }
    fs::write(directory.join("spoilt.jsonl"), lines.join("\n")).unwrap();
}

fn records(directory: &Path, flags: &str) -> String {
    run(directory, &format!("run random random --seed 12 --records full --out run {flags}")).success();
    fs::read_to_string(directory.join("run/records.jsonl")).unwrap()
}

#[test]
fn every_disagreement_is_named_and_the_rest_is_checked() {
    let dir = tempfile::tempdir().unwrap();
    let text = records(dir.path(), "--deals 40");
    let played: Vec<usize> = text
        .lines()
        .enumerate()
        .filter(|(_, line)| line.contains("\"made\":t") || line.contains("\"made\":f"))
        .map(|(n, _)| n)
        .collect();
    let [a, b, c, d] = played[..4] else { panic!("four deals are played") };
    let replace = |from: &'static str, to: &'static str| {
        move |line: &str| {
            let changed = line.replacen(from, to, 1);
            assert_ne!(changed, line);
            changed
        }
    };
    let winner = |line: &str| {
        let at = line.find("\"winner\":").unwrap() + 9;
        let other = (line.as_bytes()[at] - b'0' + 1) % 4;
        format!("{}{other}{}", &line[..at], &line[at + 1..])
    };
    let score = replace("\"score\":[", "\"score\":[1");
    let no_dealer = replace("\"dealer\":", "\"croupier\":");
    let garbage = |_: &str| "{\"v\":1,".to_owned();
    let version = replace("\"v\":1", "\"v\":2");
    spoil(dir.path(), &text, &[(a, &winner), (b, &score), (c, &no_dealer), (d, &version), (79, &garbage)]);
    let assert = run(dir.path(), "verify spoilt.jsonl").code(1);
    let found = stdout(&assert);
    let line = |n: usize| {
        let head = format!("line {}: ", n + 1);
        found.lines().find(|line| line.starts_with(&head)).unwrap_or_else(|| panic!("{head} in {found}"))
    };
    let deal = |n: usize| format!("deal {} leg {}", n / 2, n % 2);
    assert!(line(a).contains(&deal(a)) && line(a).contains("trick 1") && line(a).contains("win"), "{found}");
    assert!(line(b).contains(&deal(b)) && line(b).contains("score"), "{found}");
    assert!(line(c).contains("dealer"), "{found}");
    assert!(line(d).contains("version 2"), "{found}");
    assert!(line(79).contains("not a deal record"), "{found}");
    assert!(
        found.ends_with("77 records, 2 of them with 2 disagreements; 3 lines are not records\n"),
        "{found}"
    );
}

#[test]
fn verify_reads_the_standard_input_and_odd_files() {
    let dir = tempfile::tempdir().unwrap();
    let text = records(dir.path(), "--deals 20");
    let verify = |input: Vec<u8>| arena(dir.path()).args(["verify", "-"]).write_stdin(input).assert();
    let right = "40 records, all agree with their rules\n";
    assert_eq!(stdout(&verify(text.clone().into_bytes()).success()), right);
    assert_eq!(stdout(&verify(text.replace('\n', "\r\n\r\n").into_bytes()).success()), right);
    let mut odd = text.clone().into_bytes();
    odd.extend([0xff, 0xfe, b'\n']);
    odd.extend(vec![b'x'; 5_000_000]);
    odd.extend(b"\n\x00\n");
    odd.extend(text.as_bytes());
    let assert = verify(odd).code(1);
    let found = stdout(&assert);
    assert!(found.contains("line 41: not a deal record: not UTF-8"), "{found}");
    assert!(found.contains("line 42: ") && found.contains("line 43: "));
    assert!(
        found.ends_with("80 records, 0 of them with 0 disagreements; 3 lines are not records\n"),
        "{found}"
    );
}

#[test]
fn verify_follows_matches() {
    let dir = tempfile::tempdir().unwrap();
    let text = records(dir.path(), "--match --deals 3 --rules belote");
    let lines: Vec<&str> = text.lines().collect();
    let at = lines.iter().position(|line| line.contains("\"deal_in_match\":3")).unwrap();
    let check = |lines: Vec<String>, part: &str| {
        fs::write(dir.path().join("m.jsonl"), lines.join("\n")).unwrap();
        let found = stdout(&run(dir.path(), "verify m.jsonl").code(1));
        assert!(found.contains(part), "`{part}` is not in {found}");
    };
    let owned = || lines.iter().map(|line| (*line).to_owned()).collect::<Vec<_>>();
    let mut score = owned();
    score[at] = score[at].replace("\"match_score\":[", "\"match_score\":[9");
    check(score, "match_score: the record has");
    let mut missing = owned();
    missing.remove(at);
    check(missing, "deal 4 of the match follows deal 2");
    // A misdeal costs the dealer's team 50 points, which the deals after it go on from.
    let rules = coinche_engine::RuleSet::BELOTE.with_settings(["deal.misdeal_penalty=50"]).unwrap();
    let rules = format!("\"rules\":{}", serde_json::to_string(&rules).unwrap());
    let game = |line: &str| {
        line[line.find("\"match\":").unwrap()..line.find(",\"deal_in_match\"").unwrap()].to_owned()
    };
    let leg = |line: &str| line.contains("\"leg\":0") && game(line) == game(lines[at]);
    let dealer = |line: &str| line.as_bytes()[line.find("\"dealer\":").unwrap() + 9] - b'0';
    let penalised = usize::from(dealer(lines[at]) % 2);
    let misdealt = |penalty: i32| -> Vec<String> {
        let with_rules = |line: &&str| line.replace("\"rules\":\"belote\"", &rules);
        let mut changed: Vec<String> = lines[..at].iter().filter(|line| leg(line)).map(with_rules).collect();
        for (n, line) in lines[at..].iter().filter(|line| leg(line)).take(2).enumerate() {
            let mut record: serde_json::Value = serde_json::from_str(&with_rules(line)).unwrap();
            let score = &mut record["match_score"][penalised];
            *score = (score.as_i64().unwrap() - i64::from(penalty)).into();
            if n == 0 {
                record["misdeals"] = 1.into();
            }
            changed.push(record.to_string());
        }
        changed
    };
    fs::write(dir.path().join("m.jsonl"), misdealt(50).join("\n")).unwrap();
    run(dir.path(), "verify m.jsonl").success();
    check(misdealt(0), "match_score: the record has");
    let mut alone: serde_json::Value = serde_json::from_str(lines[at]).unwrap();
    alone.as_object_mut().unwrap().remove("match");
    alone["misdeals"] = 2.into();
    check(vec![alone.to_string()], "misdeals: only a match counts them");
    // A part from the middle has nothing to follow from.
    fs::write(dir.path().join("part.jsonl"), lines[at..].join("\n")).unwrap();
    run(dir.path(), "verify part.jsonl").success();
}

#[test]
fn show_draws_a_deal() {
    let dir = tempfile::tempdir().unwrap();
    let text = records(dir.path(), "--deals 40 --rules coinche-melds");
    let place =
        text.lines().position(|line| line.contains("\"made\":true") && line.contains("\"kind\"")).unwrap();
    let (deal, leg) = (place / 2, place % 2);
    let shown =
        stdout(&run(dir.path(), &format!("show run/records.jsonl --deal {deal} --leg {leg}")).success());
    for part in [
        &format!("Deal {deal}, leg {leg}, rules coinche-melds"),
        "South (0)",
        "Contract: ",
        "trick",
        "› leads, * wins",
        "Meld: ",
        "Result: made",
        "Score: South/North",
    ] {
        assert!(shown.contains(part), "`{part}` is not in {shown}");
    }
    assert!(!shown.contains("Against the rules"));
    let both = stdout(&run(dir.path(), &format!("show run/records.jsonl --deal {deal}")).success());
    assert!(both.contains(", leg 0, ") && both.contains(", leg 1, ") && both.contains(&shown));
    fails(run(dir.path(), "show run/records.jsonl --deal 40"), 2, &["no deal 40", "80 records"]);
    fails(run(dir.path(), "show run/records.jsonl --deal 0 --match 1"), 2, &["no deal 0, of match 1"]);
    spoil(dir.path(), &text, &[(place, &|line: &str| line.replace("\"score\":[", "\"score\":[1"))]);
    let wrong = stdout(&run(dir.path(), &format!("show spoilt.jsonl --deal {deal}")).success());
    assert!(wrong.contains("Against the rules: deal"));
    spoil(dir.path(), &text, &[(place, &|line: &str| line.replace("\"hands\":[\"", "\"hands\":[\"1X "))]);
    fails(
        run(dir.path(), &format!("show spoilt.jsonl --deal {deal} --leg {leg}")),
        2,
        &["spoilt.jsonl", "line", "1X"],
    );
}

#[test]
fn show_draws_deals_of_all_presets() {
    let dir = tempfile::tempdir().unwrap();
    for preset in ["bga", "bga-ja", "belote-melds", "coinchee", "contree"] {
        let flags = format!(
            "run random:pass=0.6 random --match --deals 2 --seed 1 --records full --rules {preset} --out {preset}"
        );
        run(dir.path(), &flags).success();
        let shown =
            stdout(&run(dir.path(), &format!("show {preset}/records.jsonl --match 1 --deal 0")).success());
        assert!(shown.contains("deal 0 of match 1 at 0 to 0"), "{shown}");
        assert!(!shown.contains("Against the rules"), "{shown}");
    }
}

#[test]
fn misdeals_are_shown() {
    let dir = tempfile::tempdir().unwrap();
    let text = records(dir.path(), "--deals 1 --match --set match.target=100");
    for (misdeals, told) in
        [(0, " deals\n"), (1, " deals after a misdeal\n"), (3, " deals after 3 misdeals\n")]
    {
        let line = text.lines().next().unwrap().replacen('{', &format!("{{\"misdeals\":{misdeals},"), 1);
        fs::write(dir.path().join("one.jsonl"), line).unwrap();
        let shown = stdout(&run(dir.path(), "show one.jsonl --deal 0").success());
        assert!(shown.lines().next().is_some_and(|head| format!("{head}\n").ends_with(told)), "{shown}");
    }
}
