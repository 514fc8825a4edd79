//! The command that a run prints repeats it, whatever its rules are.

use std::fs;

use coinche_engine::RuleSet;
use coinche_engine::rules::FIELDS;

use crate::common::{Random, arena, run, size, stderr, stdout};

/// A whole rule set whose fields are those of random presets; `None` if there is no such game.
fn mixed(random: &mut Random) -> Option<RuleSet> {
    let mut pick = || RuleSet::ALL[random.below(RuleSet::ALL.len())].1;
    let base = pick();
    let settings: Vec<_> = FIELDS
        .iter()
        .map(|field| {
            let of = if pick() == base { pick() } else { base };
            let table = toml::Value::Table(of.to_table());
            let value = field.path.split('.').fold(&table, |table, part| &table[part]).clone();
            format!("{}={value}", field.path)
        })
        .collect();
    RuleSet::default().with_settings(settings.iter().map(String::as_str)).ok()
}

#[test]
fn the_printed_command_of_any_whole_rule_set_gives_the_same_run() {
    let dir = tempfile::tempdir().unwrap();
    let mut random = Random::fresh();
    let (mut tried, mut whole) = (0, 0);
    // Rules in which each field has an effect are rare.
    while tried < size(20, 300) || (whole == 0 && tried < 1_000) {
        let Some(rules) = mixed(&mut random) else { continue };
        tried += 1;
        fs::write(dir.path().join("mine.toml"), rules.to_toml()).unwrap();
        let first =
            run(dir.path(), "run random random:pass=0.5 --deals 2 --seed 1 --rules mine.toml --out a")
                .success();
        let command = stdout(&first).lines().next().unwrap().to_owned();
        whole += usize::from(command.matches("--set").count() == FIELDS.len());
        let words = shlex::split(&command).unwrap();
        arena(dir.path()).args(&words[1..]).args(["--progress", "none", "--out", "b"]).assert().success();
        for file in ["part.json", "summary.csv", "config.toml"] {
            let [a, b] = ["a", "b"].map(|out| fs::read(dir.path().join(out).join(file)).unwrap());
            assert!(a == b, "{file}: {command}");
        }
        for out in ["a", "b"] {
            fs::remove_dir_all(dir.path().join(out)).unwrap();
        }
    }
    assert!(whole > 0, "no field was without effect");
}

/// The published pages that come with the program are played, single deals and matches, and verified.
#[test]
fn every_published_page_is_played() {
    for page in coinche_runs::RulePage::ALL {
        let dir = tempfile::tempdir().unwrap();
        for (out, words) in [("d", "--deals 12"), ("m", "--match --deals 1")] {
            let words =
                format!("run rules random --rules {} {words} --seed 1 --records full --out {out}", page.name);
            run(dir.path(), &words).success();
            run(dir.path(), &format!("verify {out}")).success();
        }
        let listed = stdout(&run(dir.path(), "rules").success());
        assert!(listed.contains(page.name) && listed.contains(page.address().unwrap()), "{listed}");
    }
}

/// What a rule file says of matches is noted where single deals are played, and kept where matches are.
#[test]
fn the_match_of_a_rule_file_is_noted_or_kept() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("mine.toml"), "base = \"belote\"\n[match]\ntarget = 701\n").unwrap();
    let deals = run(dir.path(), "run rules random --rules mine.toml --deals 2 --seed 1 --out a").success();
    let note = "note: match.target of the rules has no effect on single deals, which are written with that of `belote`";
    assert!(stderr(&deals).contains(note), "{}", stderr(&deals));
    let set = "run rules random --set deal.misdeal_penalty=160 --deals 2 --seed 1 --out b";
    assert!(stderr(&run(dir.path(), set).success()).contains("nobody misdeals"));
    run(dir.path(), "run rules random --rules mine.toml --match --deals 1 --seed 1 --out c").success();
    let config = |out: &str| fs::read_to_string(dir.path().join(out).join("config.toml")).unwrap();
    assert!(!config("a").contains("701") && config("c").contains("701"), "{}", config("c"));
}
