//! Programs as bots: they play what they would play inside, and do no harm whatever they do.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::common::{arena, fails, json, run, signal, stdout};
use coinche_arena::Unit;
use coinche_bots::Registry;
use coinche_engine::RuleSet;
use coinche_engine::record::{Fault, FaultKind};
use coinche_engine::rules::Announce;
use coinche_protocol::{MixedTable, StderrLog};
use coinche_selfplay::{JsonLines, LegResult, PlayedDeal, Schedule, Scribe};

/// The records of deals, under the names `a` and `b`, and the faults.
struct Records {
    form: JsonLines,
    lines: Vec<u8>,
    faults: Vec<Fault>,
    pairs: u64,
}

impl Scribe for Records {
    fn deal(&mut self, deal: &PlayedDeal<'_>) {
        self.form.push(&mut self.lines, deal);
        self.faults.extend_from_slice(deal.faults);
    }

    fn pair(&mut self, index: u64, _legs: &[LegResult; 2]) {
        assert_eq!(index, self.pairs);
        self.pairs += 1;
    }
}

fn play(rules: &RuleSet, unit: Unit, pairs: u64, bots: [&str; 2]) -> Records {
    play_at(table(rules, unit, pairs, bots), rules, pairs)
}

fn table(rules: &RuleSet, unit: Unit, pairs: u64, bots: [&str; 2]) -> MixedTable {
    let bots = bots.map(|bot| Registry::builtin().parse(bot).unwrap());
    MixedTable::new(rules, Schedule { secrets: 11.into(), unit, pairs }, bots, &StderrLog::none())
}

fn play_at(mut table: MixedTable, rules: &RuleSet, pairs: u64) -> Records {
    let (form, lines) = (JsonLines::new(rules, ["a", "b"], None), Vec::new());
    let mut records = Records { form, lines, faults: Vec::new(), pairs: 0 };
    let middle = pairs / 3;
    table.play_pairs(0..middle, &mut records).unwrap();
    table.play_pairs(middle..pairs, &mut records).unwrap();
    assert_eq!(records.pairs, pairs);
    records
}

/// A bot that is the program itself: `engine("batch=1", "rules")`.
fn engine(options: &str, bot: &str) -> String {
    let program = assert_cmd::cargo::cargo_bin("arena");
    let comma = if options.is_empty() { "" } else { "," };
    format!("cmd:{options}{comma}run='{}' engine {bot}", program.display())
}

#[test]
fn an_engine_plays_as_the_bot_that_it_is() {
    let silent = RuleSet::COINCHE_MELDS.with(|options| options.melds.announce = Announce::Voluntary);
    for (name, rules) in RuleSet::PRESETS.into_iter().chain([("voluntary melds", silent.unwrap())]) {
        for (bot, other) in [("rules", "rules"), ("random:pass=0.6", "rules")] {
            let inside = play(&rules, Unit::Deal, 40, [bot, other]);
            let outside = play(&rules, Unit::Deal, 40, [&engine("", bot), other]);
            assert!(inside.lines == outside.lines, "{name}, {bot}");
            assert!(outside.faults.is_empty());
        }
    }
}

/// How many deals of each process are overheard, with a belote in some.
const DEALS: usize = 24;

/// What each process of a round robin of programs was sent: its lines.
fn overheard(programs: usize, rules: &str) -> Vec<String> {
    let place = tempfile::tempdir().unwrap();
    fs::write(place.path().join("rules.toml"), rules).unwrap();
    let program = assert_cmd::cargo::cargo_bin("arena");
    let hear = |n| format!("cmd:name=p{n},run=sh -c 'tee heard.$$ | {} engine random'", program.display());
    let mut command = arena(place.path());
    command.arg("run").args((0..programs).map(hear)).args([
        "--format",
        "round-robin",
        "--rules",
        "rules.toml",
    ]);
    let deals = DEALS.to_string();
    command
        .args(["--deals", &deals, "--seed", "1", "--threads", "1", "--progress", "none"])
        .assert()
        .success();
    let files = fs::read_dir(place.path()).unwrap().map(|file| file.unwrap().path());
    let heard = files.filter(|path| path.to_string_lossy().contains("heard."));
    // Each program was tried once, without a question.
    heard.map(|path| fs::read_to_string(path).unwrap()).filter(|lines| lines.contains("\"id\":")).collect()
}

#[test]
fn what_a_process_is_sent_says_nothing_of_other_seats() {
    let rules = "base = \"coinche\"\n[belote]\nannounce = \"voluntary\"\n";
    let processes = overheard(3, rules);
    // Three pairings of two sides, with a process for each seat.
    assert_eq!(processes.len(), 24);
    let (mut deals, mut belotes) = (BTreeSet::new(), 0);
    for lines in &processes {
        let field = |text: &'static str| {
            let fields = lines.split(text).skip(1);
            fields.map(|rest| rest.split([',', '"']).next().unwrap()).collect::<Vec<_>>()
        };
        let ids = field("\"id\":");
        assert!(
            ids.iter().map(|id| id.parse::<usize>().unwrap()).eq(1..=ids.len()),
            "it counts what it is asked"
        );
        belotes += field("\"kind\":\"belote").len();
        let own: BTreeSet<String> = field("\"deal\":\"").into_iter().map(str::to_owned).collect();
        assert_eq!(own.len(), DEALS);
        assert!(
            own.into_iter().all(|deal| deals.insert(deal)),
            "another process has the same deal under this name"
        );
        let mut seats = field("\"kind\":\"play\",\"seat\":");
        seats.dedup();
        assert_eq!(seats.len(), 1, "one seat of one leg");
    }
    assert!(belotes > 10, "{belotes}");
    // The same run uses the same names.
    let again = overheard(3, rules).concat();
    assert!(deals.iter().all(|deal| again.contains(deal.as_str())));
}

#[test]
fn a_program_can_be_one_half_of_a_bot_and_both_sides() {
    let rules = RuleSet::BGA_JA;
    let inside = play(&rules, Unit::Deal, 20, ["rules+random", "random+rules"]);
    let [one, other] = [engine("", "rules"), engine("processes=1", "random")];
    for bots in [
        [format!("{one}+random"), format!("random+{one}")],
        [format!("rules+{other}"), format!("{other}+rules")],
        [format!("{one}+{other}"), format!("{other}+{one}")],
        [engine("", "rules+random"), engine("batch=1", "random+rules")],
    ] {
        let outside = play(&rules, Unit::Deal, 20, [&bots[0], &bots[1]]);
        assert!(inside.lines == outside.lines, "{bots:?}");
    }
}

#[test]
fn whole_matches_are_the_same() {
    for rules in [RuleSet::COINCHEE, RuleSet::BELOTE_MELDS] {
        let inside = play(&rules, Unit::Match, 3, ["random:pass=0.6", "rules"]);
        for options in ["", "batch=1"] {
            let outside = play(&rules, Unit::Match, 3, [&engine(options, "random:pass=0.6"), "rules"]);
            assert!(inside.lines == outside.lines);
        }
    }
}

#[test]
fn voluntary_belotes_and_choices_of_melds_are_asked() {
    let announce = coinche_engine::rules::Announce::Voluntary;
    let rules = RuleSet::COINCHE_MELDS.with(|options| options.belote.announce = announce).unwrap();
    let inside = play(&rules, Unit::Deal, 300, ["random", "random"]);
    let outside = play(&rules, Unit::Deal, 300, [&engine("", "random"), &engine("", "random")]);
    assert!(inside.lines == outside.lines);
    // Those words are answered too.
    let spoilt = play(&rules, Unit::Deal, 3000, [&engine("", "random --inject illegal/7"), "random"]);
    for word in ["the call", "the card", "the word on the belote", "the announcement"] {
        assert!(spoilt.faults.iter().any(|fault| fault.detail == format!("{word} \"ZZ\"")), "{word}");
    }
    assert!(spoilt.faults.iter().all(|fault| fault.kind == FaultKind::Illegal));
}

#[test]
fn threads_and_batches_change_no_byte() {
    let dir = tempfile::tempdir().unwrap();
    let inside =
        run(dir.path(), "run rules random --deals 60 --seed 5 --records full --out inside").success();
    drop(inside);
    let read = |out: &str| fs::read_to_string(dir.path().join(out).join("records.jsonl")).unwrap();
    for (n, (threads, options)) in
        [("1", ""), ("2", ""), ("3", "batch=1"), ("2", "processes=1,batch=7")].into_iter().enumerate()
    {
        let (bot, out) = (engine(options, "rules"), format!("out{n}"));
        let words = ["run", &bot, "random", "--deals", "60", "--seed", "5", "--records", "full"];
        let more = ["--threads", threads, "--out", &out, "--progress", "none"];
        let assert = arena(dir.path()).args(words).args(more).assert().success();
        // The command can be given to a shell again.
        assert!(stdout(&assert).starts_with("arena run \"cmd:"), "{}", stdout(&assert));
        // A bot of the registry has the name by which the program calls itself.
        assert!(
            read(&out).replace("\"rules-2\"", "\"rules\"") == read("inside"),
            "{threads} threads, {options}"
        );
    }
    run(dir.path(), "run --config out0/config.toml --out again").success();
    // It is told who played, and how long that took to start; of a merged run as well.
    for n in [1, 2] {
        let words = format!("--deals 60 --seed 5 --shard {n}/2 --out part{n} --progress none");
        let mut command = arena(dir.path());
        command.args(["run", &engine("", "rules"), "random"]).args(words.split(' ')).assert().success();
    }
    run(dir.path(), "merge part1 part2 --out whole").success();
    for out in ["out0", "whole"] {
        let value = json(&dir.path().join(out).join("run.json"));
        let [program] = &value["timing"]["programs"].as_array().unwrap()[..] else { panic!("{value:#}") };
        assert_eq!((&program["bot"], &program["name"]), (&value["bots"][0], &"rules".into()));
        assert_eq!(program["version"], env!("CARGO_PKG_VERSION"));
        assert!(program["start_seconds"].as_f64().unwrap() > 0.0);
        run(dir.path(), &format!("report {out} --markdown {out}.md")).success();
        let page = fs::read_to_string(dir.path().join(format!("{out}.md"))).unwrap();
        assert!(
            page.contains(&format!("is the program rules, version {}", env!("CARGO_PKG_VERSION"))),
            "{page}"
        );
    }
    assert!(read("again") == read("out0"));
}

#[test]
fn thoughts_are_in_the_record() {
    let inside = play(&RuleSet::BGA, Unit::Deal, 5, ["rules", "rules"]);
    for options in ["", "batch=1"] {
        let bot = engine(options, "rules --inject think/3");
        let outside = play(&RuleSet::BGA, Unit::Deal, 5, [&bot, "rules"]);
        let text = String::from_utf8(outside.lines).unwrap();
        let mut thoughts = 0;
        let mut plain = String::new();
        for line in text.lines() {
            let record: serde_json::Value = serde_json::from_str(line).unwrap();
            let leg = record["leg"].as_u64().unwrap();
            for thought in record["thoughts"].as_array().into_iter().flatten() {
                assert_eq!((&thought["points"], &thought["chance"]), (&(-12.5).into(), &0.25.into()));
                assert_eq!(thought["seat"].as_u64().unwrap() % 2, leg);
                assert!(thought["decision"].as_u64().unwrap() < 20);
                thoughts += 1;
            }
            let end = line.find(",\"thoughts\"").map_or(line.to_owned(), |at| line[..at].to_owned() + "}");
            plain += &(end + "\n");
            assert!(
                coinche_engine::record::replay(&coinche_engine::record::Record::from_json(line).unwrap())
                    .is_empty()
            );
        }
        assert!(thoughts > 30, "{thoughts}");
        assert!(plain.as_bytes() == inside.lines);
    }
}

#[test]
fn bots_of_ours_think_the_same_outside() {
    let spec = "rules+pimc:worlds=3,pool=2";
    let inside = play(&RuleSet::BGA, Unit::Deal, 6, [spec, "rules"]);
    assert!(memchr::memmem::find(&inside.lines, b"\"thoughts\":[{\"seat\":").is_some());
    let outside = play(&RuleSet::BGA, Unit::Deal, 6, [&engine("", spec), "rules"]);
    assert!(outside.lines == inside.lines);
    // What a bot inside thinks is kept too where the other is a program.
    let both = play(&RuleSet::BGA, Unit::Deal, 6, [spec, &engine("", "rules")]);
    assert!(both.lines == inside.lines);
}

/// What an injected fault leads to: the kind of fault, what its detail contains.
const INJECTED: [(&str, FaultKind, &str); 10] = [
    ("hang", FaultKind::Timeout, "no answer within 1s"),
    ("mute", FaultKind::Timeout, "no answer within 1s"),
    ("crash", FaultKind::Crash, "ended with exit code 3"),
    ("abort", FaultKind::Crash, "ended by signal 6"),
    ("half", FaultKind::Crash, "ended with exit code 0 in the middle of a line: \"{\\\"type\\\":\\\"batch"),
    ("garbage", FaultKind::Protocol, "not a JSON object: \"bestmove JH\""),
    ("illegal", FaultKind::Illegal, "\"ZZ\""),
    ("wrong-id", FaultKind::Protocol, "which was not asked"),
    ("flood", FaultKind::Protocol, "type \"ready\", expected `move`"),
    ("huge", FaultKind::Protocol, "a line longer than 1048576 bytes: \"xxx"),
];

#[test]
fn whatever_a_program_does_the_run_goes_on() {
    for (injected, kind, detail) in INJECTED {
        let began = Instant::now();
        let one_in = if kind == FaultKind::Timeout { 150 } else { 80 };
        let bot = format!("rules --inject {injected}/{one_in}");
        // Long enough for a busy machine, where nothing hangs.
        let timeout = if kind == FaultKind::Timeout { "timeout=1s" } else { "timeout=60s" };
        let one = play(&RuleSet::BGA, Unit::Deal, 6, [&engine(&format!("{timeout},batch=1"), &bot), "rules"]);
        assert!(!one.faults.is_empty(), "{injected}");
        for fault in &one.faults {
            assert_eq!(fault.kind, kind, "{injected}: {fault:?}");
            assert!(fault.detail.contains(detail), "{injected}: {fault:?}");
        }
        // A batch is not to blame, the question is. (Numbers of questions differ.)
        let many = play(&RuleSet::BGA, Unit::Deal, 6, [&engine(timeout, &bot), "rules"]);
        if injected == "wrong-id" {
            assert_eq!(many.faults.len(), one.faults.len());
        } else {
            assert!(many.lines == one.lines, "{injected}: {:?} {:?}", many.faults, one.faults);
        }
        assert!(began.elapsed() < Duration::from_secs(40), "{injected}: {:?}", began.elapsed());
    }
}

#[test]
fn forfeits_are_verified_and_standard_errors_kept() {
    let dir = tempfile::tempdir().unwrap();
    let run = |injected: &str, out: &str| {
        let bot = engine("timeout=60s", &format!("rules --inject {injected}"));
        let words = ["run", &bot, "rules", "--deals", "8", "--seed", "5", "--records", "full", "--out", out];
        arena(dir.path()).args(words).args(["--progress", "none"]).assert().code(&[0, 11][..]);
        let records = format!("verify {out}/records.jsonl");
        crate::common::run(dir.path(), &records).success();
        let kept = fs::read_dir(dir.path().join(out).join("stderr"));
        kept.map(|files| files.map(|file| fs::read(file.unwrap().path()).unwrap()).collect::<Vec<_>>())
    };
    let kept = run("crash/100", "crash").unwrap();
    assert!(String::from_utf8_lossy(&kept[0]).contains("(arena) ended with exit code 3"));
    // A program that says a lot there is not wrong, and does not fill the disk.
    let kept = run("stderr/100", "stderr").unwrap();
    assert_eq!(kept.len(), 1);
    assert!(kept[0].len() > 1 << 20 && kept[0].len() < (1 << 20) + 100, "{}", kept[0].len());
    let records = fs::read_to_string(dir.path().join("stderr/records.jsonl")).unwrap();
    assert!(records.lines().all(|line| line.contains("\"faults\":[]")));
    assert!(run("illegal/100", "quiet").is_err(), "nothing was said");
}

#[test]
fn what_is_said_without_a_question_counts_for_the_next() {
    for options in ["timeout=60s,batch=1", "timeout=60s"] {
        let bot = engine(options, "rules --inject chatter/20");
        let records = play(&RuleSet::BGA, Unit::Deal, 6, [&bot, "rules"]);
        assert!(!records.faults.is_empty());
        for fault in &records.faults {
            assert_eq!(fault.kind, FaultKind::Protocol);
            assert!(fault.detail.contains("question 0, which was not asked"), "{fault:?}");
        }
    }
}

#[test]
fn with_forfeits_a_program_that_always_fails_loses_every_deal_in_bounded_time() {
    let began = Instant::now();
    let bot = engine("", "rules --inject crash/1");
    let forfeit = |pairs, bot: &str| {
        play_at(table(&RuleSet::BGA, Unit::Deal, pairs, [bot, "rules"]).forfeit(), &RuleSet::BGA, pairs)
    };
    let records = forfeit(4, &bot);
    assert_eq!(records.faults.len(), 8);
    assert!(records.faults.iter().all(|fault| fault.kind == FaultKind::Crash));
    // A program that greets no more is given up.
    let dir = tempfile::tempdir().unwrap();
    let once = dir.path().join("once");
    let script = format!(
        "if test -e '{0}'; then exit 5; fi; touch '{0}'; exec '{1}' engine rules --inject crash/1",
        once.display(),
        assert_cmd::cargo::cargo_bin("arena").display()
    );
    fs::write(dir.path().join("bot.sh"), script).unwrap();
    let bot = format!("cmd:processes=1,run=sh '{}'", dir.path().join("bot.sh").display());
    let records = forfeit(30, &bot);
    assert_eq!(records.faults.len(), 60);
    assert!(
        records.faults[59].detail.contains("cannot be started: ended with exit code 5"),
        "{:?}",
        records.faults
    );
    assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
}

#[test]
fn what_is_wrong_from_the_start_is_told_before_the_run() {
    let dir = tempfile::tempdir().unwrap();
    for (bot, parts) in [
        ("cmd:./nowhere --fast".to_owned(), &["cmd:./nowhere", "`./nowhere --fast`", "check-bot"] as &[&str]),
        ("rules+cmd:cat".to_owned(), &["without `name`"]),
        ("cmd:true".to_owned(), &["ended with exit code 0"]),
        (engine("start=100ms", "rules --inject no-hello"), &["not ready within 100ms"]),
        (engine("", "rules --inject bad-hello"), &["protocol 7"]),
        (engine("", "rules --inject no-start"), &["exit code 4"]),
        (engine("depth=3", "rules"), &["no option `depth`", "it offers none", "timeout"]),
        ("cmd:timeout=3,run=x".to_owned(), &["`timeout`", "3600s"]),
        ("cmd:".to_owned(), &["cmd:COMMAND"]),
    ] {
        let assert = arena(dir.path()).args(["run", &bot, "rules", "--deals", "2", "--out", "x"]).assert();
        fails(assert, 2, parts);
        assert!(!dir.path().join("x").exists());
    }
    fails(run(dir.path(), "engine cmd:x"), 2, &["is a program"]);
    fails(run(dir.path(), "engine wizard"), 2, &["wizard"]);
}

/// The processes whose command line has this in it.
fn processes(mark: &str) -> Vec<String> {
    let entries = fs::read_dir("/proc").unwrap();
    let lines = entries.filter_map(|entry| fs::read(entry.ok()?.path().join("cmdline")).ok());
    let lines = lines.map(|line| String::from_utf8_lossy(&line).replace('\0', " "));
    lines.filter(|line| line.contains(mark) && !line.contains(" run ")).collect()
}

#[cfg(target_os = "linux")]
#[test]
fn no_process_is_left_behind() {
    let dir = tempfile::tempdir().unwrap();
    let link = dir.path().join("left-behind");
    symlink(assert_cmd::cargo::cargo_bin("arena"), &link).unwrap();
    let mark = link.to_str().unwrap();
    // One that stays when told to quit, and one that leaves a process of its own.
    let script = format!("(sleep 600; echo {mark}) & exec '{mark}' engine rules");
    fs::write(dir.path().join("left-behind.sh"), script).unwrap();
    for (n, bot) in [
        format!("cmd:'{mark}' engine rules --inject stay"),
        format!("cmd:'{mark}' engine rules --inject hang/60"),
        format!("cmd:sh '{mark}.sh'"),
    ]
    .into_iter()
    .enumerate()
    {
        let bot = bot.replace("cmd:", "cmd:timeout=1s,run=");
        let out = format!("out{n}");
        let words =
            ["run", &bot, "rules", "--deals", "3", "--seed", "1", "--out", &out, "--progress", "none"];
        let began = Instant::now();
        arena(dir.path()).args(words).assert().code(&[0, 11][..]);
        assert!(began.elapsed() < Duration::from_secs(20));
        assert_eq!(processes(mark), [""; 0], "{bot}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn an_interrupted_run_ends_in_good_order() {
    let dir = tempfile::tempdir().unwrap();
    let link = dir.path().join("interrupted");
    symlink(assert_cmd::cargo::cargo_bin("arena"), &link).unwrap();
    let bot = format!("cmd:'{}' engine rules", link.display());
    let child = std::process::Command::new(assert_cmd::cargo::cargo_bin("arena"))
        .args(["run", &bot, "random", "--deals", "1000000000", "--seed", "6", "--records", "full"])
        .args(["--out", "out", "--progress", "none"])
        .current_dir(dir.path())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let began = Instant::now();
    let records = dir.path().join("out/records.jsonl");
    while fs::metadata(&records).map_or(0, |file| file.len()) < 100_000 {
        assert!(began.elapsed() < Duration::from_secs(50), "nothing is written");
        std::thread::sleep(Duration::from_millis(10));
    }
    signal(&child, "-INT");
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    assert!(fs::read_to_string(records).unwrap().lines().all(|line| line.contains("\"faults\":[]")));
    assert_eq!(processes(link.to_str().unwrap()), [""; 0]);
}

#[test]
fn check_bot_tells_what_is_wrong() {
    let dir = tempfile::tempdir().unwrap();
    let check = |words: &str| {
        let program = assert_cmd::cargo::cargo_bin("arena");
        let line = format!("check-bot --deals 2 --seed 1 {} engine rules {words}", program.display());
        arena(dir.path()).args(line.split_whitespace()).assert()
    };
    let good = stdout(&check("").success());
    assert!(good.contains("ok    start          rules 0.1.0 by coinche"), "{good}");
    assert!(good.contains("the same moves for the same seeds") && good.contains("in batches"), "{good}");
    assert!(!good.contains("WRONG"));
    for (injected, parts) in [
        (
            "illegal/20",
            &["WRONG bga", "illegal: the c", "asked: {\"type\":\"batch\"", "it said: {\"type\""] as &[_],
        ),
        ("garbage/20", &["protocol: not a JSON object", "it said: bestmove JH"]),
        ("crash/20", &["crash: ended with exit code 3"]),
        ("bad-hello", &["WRONG start", "protocol 7", "it said: {\"type\":\"hello\",\"protocol\":7"]),
        ("stay", &["note  quit"]),
    ] {
        let assert = check(&format!("--inject {injected}"));
        let assert = if injected == "stay" { assert.success() } else { assert.code(1) };
        for part in parts {
            assert!(stdout(&assert).contains(part), "{injected}: {part}: {}", stdout(&assert));
        }
    }
    let options = format!("timeout=1s,run={} engine rules", assert_cmd::cargo::cargo_bin("arena").display());
    arena(dir.path()).args(["check-bot", "--deals", "2", &options]).assert().success();
    let only = stdout(
        &arena(dir.path())
            .args(["check-bot", "--deals", "2", "--rules", "contree", &options])
            .assert()
            .success(),
    );
    assert!(only.contains("ok    contree") && !only.contains("bga"), "{only}");
    fails(arena(dir.path()).args(["check-bot", "rules+rules"]).assert(), 2, &["not one program"]);
}

#[test]
fn the_log_is_kept_by_bot() {
    let dir = tempfile::tempdir().unwrap();
    let rules = RuleSet::BGA;
    let bots = [engine("", "rules --inject stderr/500"), engine("", "random --inject stderr/500")];
    let specs = bots.each_ref().map(|bot| Registry::builtin().parse(bot).unwrap());
    let schedule = Schedule { secrets: 2.into(), unit: Unit::Deal, pairs: 20 };
    let log = StderrLog::in_directory(&dir.path().join("log"));
    let (form, lines) = (JsonLines::new(&rules, ["a", "b"], None), Vec::new());
    let mut records = Records { form, lines, faults: Vec::new(), pairs: 0 };
    MixedTable::new(&rules, schedule, specs, &log).play_pairs(0..20, &mut records).unwrap();
    assert!(records.faults.is_empty());
    let files: Vec<_> =
        fs::read_dir(dir.path().join("log")).unwrap().map(|file| file.unwrap().path()).collect();
    assert_eq!(files.len(), 2, "{files:?}");
    let text = fs::read_to_string(&files[0]).unwrap();
    assert!(text.lines().next().unwrap().starts_with("seat "), "{text}");
}

/// The worked exchange of the documentation is one that took place.
#[test]
fn the_page_shows_what_is_said() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/protocol.md");
    let page = fs::read_to_string(page).unwrap();
    let exchange = page.split("```text\n").nth(1).unwrap().split("```").next().unwrap();
    let rules = serde_json::to_string(&RuleSet::BGA).unwrap();
    let (mut asked, mut expected) = (String::new(), Vec::new());
    for line in exchange.lines().filter(|line| !line.is_empty()) {
        match line.split_at(2) {
            ("> ", line) => asked += &(line.replace("{…}", &rules) + "\n"),
            ("< ", line) => expected.push(serde_json::from_str::<serde_json::Value>(line).unwrap()),
            _ => panic!("{line}"),
        }
    }
    let dir = tempfile::tempdir().unwrap();
    let assert = arena(dir.path()).args(["engine", "rules"]).write_stdin(asked).assert().success();
    let said: Vec<serde_json::Value> =
        stdout(&assert).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(said, expected);
    assert_eq!(expected.len(), 4);
}
