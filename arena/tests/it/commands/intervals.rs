//! Every `±` of every command: the same for the same quantity on the same deals, and never 0.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};
use serde_json::Value;

use crate::common::{run, stderr, stdout};

/// What is played once, with the bots `A` and `B`, before the commands that read it.
const PLAYED: [&str; 8] = [
    "run A B --deals 60 --seed 1 --records full --out run",
    "run A B --deals 60 --seed 1 --shard 1/2 --out part1",
    "run A B --deals 60 --seed 1 --shard 2/2 --out part2",
    "run A random --deals 60 --seed 1 --records full --out a",
    "run B random --deals 60 --seed 1 --out b",
    "bidding A B --play rules --deals 60 --seed 1 --shard 1/2 --out bid1",
    "bidding A B --play rules --deals 60 --seed 1 --shard 2/2 --out bid2",
    "run A B random --deals 60 --seed 1 --out all",
];

/// All commands that print an interval.
const PRINT: [&str; 24] = [
    "run A B --deals 60 --seed 1 --out again",
    "run A B --deals 60 --seed 1 --split",
    "run A B --deals 60 --seed 1 --format crossplay",
    "run random A B --format gauntlet --deals 60 --seed 1 --out gauntlet",
    "run A B --freeze play=rules --deals 60 --seed 1",
    "merge part1 part2 --out merged",
    "merge bid1 bid2",
    "report run --out run.html --markdown run.md --csv run-csv",
    "report all --markdown all.md",
    "compare a b --markdown compare.md --csv compare-csv",
    "leaderboard board.toml --out board --progress none",
    "sprt A B --lower 0 --upper 2000 --first 60 --every 60 --max-deals 60 --seed 1",
    "tune B --param caution=-10..20:5 --deals 60 --batch 10 --seed 1",
    "bidding A B --play rules --deals 60 --seed 1 --markdown bidding.md --csv bidding-csv",
    "judge run",
    "judge run --json",
    "stats run",
    "stats hands --deals 20 --seed 1",
    "stats run --compare a",
    "advise --hand AS,KS,QS,JS,TS,9S,8S,7S --worlds 20 --seed 1",
    "selfcheck self --runs 2 --seed 1",
    "system worth jack-or-nine --deals 60 --seed 1 --opponent rules",
    "system diff jack-or-nine sound-beginner --deals 60 --seed 1 --opponent rules",
    "system learn --rules contree --deals 400 --held 100 --rounds 1 --seed 1 --opponent rules --out found.toml",
];

/// All commands that print none.
const PRINT_NONE: [&str; 19] = [
    "new-bot",
    "play",
    "serve",
    "power",
    "plan",
    "status",
    "verify",
    "show",
    "export",
    "import",
    "solve",
    "label",
    "fit",
    "train",
    "bots",
    "rules",
    "check-bot",
    "engine",
    "bench",
];

/// Returns all that stands after `±` where it is 0.
fn zeros(text: &str) -> Vec<&str> {
    let after = text.split('±').skip(1).map(|rest| rest.trim_start().split([' ', '|', '\n', '<']).next());
    after.flatten().filter(|half| half.parse() == Ok(0.0)).collect()
}

/// Collects the half widths of a document of JSON.
fn half_widths(value: &Value, found: &mut Vec<f64>) {
    match value {
        Value::Object(fields) => {
            found.extend(fields.get("half_width").and_then(Value::as_f64));
            fields.values().for_each(|value| half_widths(value, found));
        }
        Value::Array(values) => values.iter().for_each(|value| half_widths(value, found)),
        _ => {}
    }
}

/// Plays all commands with two bots; returns what each printed.
fn outputs(directory: &Path, a: &str, b: &str) -> Vec<String> {
    let entry = |name: &str, bot: &str| {
        format!("[[entry]]\nname = \"{name}\"\nbot = \"{bot}\"\nabout = \"it plays\"\nclasses = [\"fast\"]\n")
    };
    let head = "anchor = \"B\"\nrules = [\"bga\"]\n[[class]]\nname = \"fast\"\nlimit = \"1s\"\ndeals = 60\nseed = 1\n";
    let board = format!("{head}{}{}", entry("A", a), entry("B", b));
    fs::write(directory.join("board.toml"), board).unwrap();
    let play = |words: &&str| {
        let words: Vec<_> = words
            .split(' ')
            .map(|word| match word {
                "A" => a,
                "B" => b,
                word => word,
            })
            .collect();
        // A test that accepts the lower bound has a code of its own.
        let done = run(directory, &words.join(" ")).code(if words[0] == "sprt" { 10 } else { 0 });
        stdout(&done) + &stderr(&done)
    };
    PLAYED.par_iter().for_each(|words| drop(play(words)));
    PRINT.par_iter().map(play).collect()
}

/// Returns the text of the file that a command wrote.
fn file(directory: &Path, name: &str) -> String {
    fs::read_to_string(directory.join(name)).unwrap()
}

#[test]
fn every_interval_is_the_same_everywhere_and_has_a_width() {
    for [a, b] in [["rules:capot=5", "rules"], ["table+rules", "rules"]] {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path();
        let texts = outputs(path, a, b);
        for (words, text) in PRINT.iter().zip(&texts) {
            assert!(zeros(text).is_empty(), "{a}, {b}: arena {words}\n{text}");
            let is_silent = ["judge run --json", "selfcheck", "merge part1", "report all"]
                .iter()
                .any(|it| words.starts_with(it));
            assert!(is_silent || text.contains('±'), "arena {words}\n{text}");
        }
        for page in ["run.html", "run.md", "all.md", "compare.md", "bidding.md", "board/README.md"] {
            let text = file(path, page);
            assert!(text.contains('±') && zeros(&text).is_empty(), "{a}, {b}: {page}: {:?}", zeros(&text));
        }
        let json = |name: &str| -> Value { serde_json::from_str(&file(path, name)).unwrap() };
        for name in ["run/run.json", "gauntlet/run.json", "merged/run.json", "judge"] {
            let mut found = Vec::new();
            let printed = || {
                // What follows is the progress.
                let mut values =
                    serde_json::Deserializer::from_str(&texts[at("judge run --json")]).into_iter();
                values.next().unwrap().unwrap()
            };
            half_widths(&if name == "judge" { printed() } else { json(name) }, &mut found);
            assert!(!found.is_empty() && found.iter().all(|half| *half > 0.0), "{a}, {b}: {name}: {found:?}");
        }
        same(path, &texts, [a, b], &json);
    }
}

/// Returns the place of a command in the list.
fn at(words: &str) -> usize {
    PRINT.iter().position(|it| *it == words).unwrap()
}

/// Tests if a figure is in a text, and in each of its sentences on a difference.
fn says(text: &str, figure: &str) -> bool {
    let is_sentence = |line: &&str| {
        ["points per deal (95 %)", "points per deal more than", "A − B = "].iter().any(|it| line.contains(it))
    };
    text.contains(figure) && text.lines().filter(is_sentence).all(|line| line.contains(figure))
}

/// Asserts that a quantity has the same interval wherever it is printed.
fn same(path: &Path, texts: &[String], [a, b]: [&str; 2], json: &dyn Fn(&str) -> Value) {
    let points = |run: &Value| {
        [&run["figures"]["points"]["mean"], &run["figures"]["points"]["half_width"]]
            .map(|it| it.as_f64().unwrap())
    };
    let run = json("run/run.json");
    let [mean, half] = points(&run);
    assert_eq!(json("merged/run.json")["figures"]["points"], run["figures"]["points"]);
    let leaders = fs::read_dir(path.join("board/runs/bga/fast")).unwrap().next().unwrap().unwrap().path();
    let leader = crate::common::json(&leaders.join("run.json"));
    let printed = |mean: f64, half: f64| format!("{:.1} ± {half:.1}", mean.abs() + 0.0);
    let own = printed(mean, half);
    for (words, text) in PRINT.iter().zip(texts) {
        let of_run =
            ["run A B --deals 60 --seed 1 --", "report run", "sprt"].iter().any(|it| words.starts_with(it));
        assert!(!of_run || says(text, &own), "{a}, {b}: {own} is not what arena {words} prints:\n{text}");
    }
    for page in ["run.html", "run.md", "all.md"] {
        assert!(file(path, page).contains(&own), "{a}, {b}: {own} is not in {page}");
    }
    let [mean, half] = points(&leader);
    assert!(file(path, "board/README.md").contains(&printed(mean, half)), "{a}, {b}: leaderboard");
    // The ends of the intervals in CSV.
    let ends = |table: &str| {
        let line = file(path, table).lines().nth(1).unwrap().to_owned();
        line.split(',').filter_map(|cell| cell.parse::<f64>().ok()).collect::<Vec<_>>()
    };
    let near = |numbers: &[f64], end: f64| numbers.iter().any(|it| (it - end).abs() < 1e-9);
    let [mean, half] = points(&run);
    for end in [mean - half, mean + half] {
        assert!(near(&ends("run-csv/differences.csv"), end), "{a}, {b}: {end}");
    }
    // Two opponents of a third bot: together and in two runs.
    let opponents = &json("gauntlet/run.json")["opponents"][0]["points"];
    let [mean, half] = ["mean", "half_width"].map(|it| opponents[it].as_f64().unwrap());
    let compared = &texts[at("compare a b --markdown compare.md --csv compare-csv")];
    assert!(says(compared, &printed(mean, half)), "{a}, {b}: {mean} ± {half}:\n{compared}");
    // Bidders, whose cards one player plays.
    let frozen = &texts[at("run A B --freeze play=rules --deals 60 --seed 1")];
    let frozen = frozen.split(" points per deal ").next().unwrap();
    let words: Vec<&str> = frozen.split(' ').collect();
    let of_bidders = words[words.len() - 3..].join(" ");
    for words in [
        "bidding A B --play rules --deals 60 --seed 1 --markdown bidding.md --csv bidding-csv",
        "merge bid1 bid2",
    ] {
        let text = &texts[at(words)];
        assert!(
            says(text, &of_bidders),
            "{a}, {b}: {of_bidders} is not in what arena {words} prints:\n{text}"
        );
    }
}

#[test]
fn every_command_is_known_to_print_intervals_or_none() {
    let help = stdout(&run(Path::new("."), "--help").success());
    let listed = help
        .lines()
        .filter_map(|line| line.strip_prefix("  ")?.split_once("  "))
        .map(|(name, _)| name.trim());
    let listed: BTreeSet<_> =
        listed.filter(|name| name.starts_with(|it: char| it.is_ascii_lowercase())).collect();
    let shell = ["completions", "man"];
    let known = PRINT.iter().map(|words| words.split(' ').next().unwrap());
    let known: BTreeSet<_> = known.chain(PRINT_NONE).chain(shell).collect();
    assert_eq!(
        listed, known,
        "a new command: put it in PRINT, or in PRINT_NONE if none of its outputs has an interval"
    );
    for command in PRINT_NONE {
        let help = stdout(&run(Path::new("."), &format!("{command} --help")).success());
        assert!(!help.contains('±'), "{command} prints intervals");
    }
}
