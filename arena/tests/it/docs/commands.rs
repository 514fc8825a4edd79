//! Every command of the pages runs, from an empty folder for each page, with small numbers.
//!
//! Commands stand in blocks of the language `sh`. Those of the arena are run in order, so that what one writes is there
//! for the next. A comment `<!-- not run: REASON -->` before a block leaves it out, and `<!-- run with: WORDS -->` adds
//! words to each of its commands. `cargo test`, `build`, `doc`, `bench` and `install` are steps of continuous
//! integration themselves, and `arena bench` takes longest and has a test of its own (`commands::cli`).

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use std::{env, fs, thread};

use assert_cmd::cargo::cargo_bin;

use super::{Page, files, root};

/// The largest numbers of what takes time, by flag or parameter.
const AT_MOST: [(&str, &str, u64); 12] = [
    ("--runs ", "", 1),
    ("--shards ", "", 4),
    ("--deals ", "", 30),
    ("--max-deals ", "", 256),
    ("--control-deals ", "", 1000),
    ("--pairs ", "", 1000),
    ("--worlds ", "", 20),
    ("--rounds ", "", 1),
    ("worlds=", "", 2),
    ("iterations=", "", 20),
    ("time=", "ms", 1),
    ("--time ", "s", 1),
];

/// What is added to a command where it does not say it, by its name: its own default takes long.
const ADDED: [(&str, &[&str]); 15] = [
    ("selfcheck", &["--runs 1"]),
    ("run", &["--deals 30"]),
    ("sprt", &["--max-deals 256", "--first 128", "--every 128"]),
    ("tune", &["--deals 100", "--batch 25", "--verify 20"]),
    ("bidding", &["--deals 5"]),
    ("stats", &[]),
    ("label", &[]),
    ("fit", &["--deals 1000", "--rounds 1"]),
    ("train", &["--deals 30", "--rounds 1"]),
    ("check-bot", &["--deals 2"]),
    ("advise", &["--worlds 20"]),
    ("judge", &[]),
    ("system worth", &["--deals 30"]),
    ("system diff", &["--deals 30"]),
    ("system learn", &["--deals 30", "--held 30", "--rounds 1", "--opponent rules"]),
];

/// Splits a line before the first of these signs that stands in no quotes.
fn split_at_sign<'a>(line: &'a str, signs: &[&str]) -> (&'a str, &'a str) {
    let mut quote = None;
    for (at, letter) in line.char_indices() {
        if let Some(open) = quote {
            quote = (open != letter).then_some(open);
        } else if letter == '\'' || letter == '"' {
            quote = Some(letter);
        } else if signs.iter().any(|sign| line[at..].starts_with(sign)) {
            return line.split_at(at);
        }
    }
    (line, "")
}

/// Lets a bot that searches look at two worlds, where it has no budget of its own; tells whether it is there.
fn few_worlds(text: &mut String, bot: &str) -> bool {
    let mut from = 0;
    while let Some(at) = text[from..].find(bot).map(|at| from + at + bot.len()) {
        let end = text[at..].find([' ', '+', '\'']).map_or(text.len(), |end| at + end);
        let params = &text[at..end];
        if params.is_empty() {
            text.insert_str(at, ":worlds=2");
        } else if params.starts_with(':') && !params.contains("worlds=") && !params.contains("time=") {
            text.insert_str(at + 1, "worlds=2,");
        }
        from = at;
    }
    from > 0
}

/// A command with small numbers.
pub(super) fn small(command: &str, added: &str) -> String {
    let (command, rest) = split_at_sign(command, &["|", ">", "&&"]);
    let mut text = command.trim_end().to_owned();
    for (flag, unit, most) in AT_MOST {
        let mut from = 0;
        while let Some(at) = text[from..].find(flag).map(|at| from + at + flag.len()) {
            let end = text[at..].find(|letter: char| !letter.is_alphanumeric() && letter != '_');
            let end = end.map_or(text.len(), |end| at + end);
            let least = text[at..end].parse::<u64>().is_ok_and(|value| value < most);
            if !least && text[at..end].starts_with(|letter: char| letter.is_ascii_digit()) {
                text.replace_range(at..end, &format!("{most}{unit}"));
            }
            from = at;
        }
    }
    let mut name = text.split_whitespace().nth(1).unwrap_or_default().to_owned();
    if name == "system" {
        name = text.split_whitespace().skip(1).take(2).collect::<Vec<_>>().join(" ");
    }
    let defaults = ADDED.iter().find(|(command, _)| *command == name).map_or(&[][..], |(_, words)| words);
    // The flags of `check-bot` stand before the program's words.
    let at = if name == "check-bot" { "arena check-bot".len() } else { text.len() };
    // What these say already excludes other numbers.
    let free = ![" --config", " --check", " --time"].iter().any(|flag| text.contains(flag));
    let words: Vec<&str> = defaults
        .iter()
        .copied()
        .filter(|words| free && !text.contains(words.split(' ').next().unwrap()))
        .filter(|words| {
            let no_rounds =
                ["train reading", " --rows", " --from-rows"].iter().any(|flag| text.contains(flag));
            !(no_rounds && words.starts_with("--rounds"))
        })
        .filter(|words| !(text.contains(" --from-rows") && words.starts_with("--deals")))
        .chain([added])
        .filter(|words| !words.is_empty())
        .collect();
    if !words.is_empty() {
        text.insert_str(at, &format!(" {}", words.join(" ")));
    }
    if text.contains(" --control ") && !text.contains("--control-deals ") {
        text.push_str(" --control-deals 1000");
    }
    let mut search = false;
    for bot in ["pimc", "alphamu"] {
        search |= few_worlds(&mut text, bot);
    }
    if ["fit", "train"].contains(&name.as_str()) {
        // The fewest that they take, and some for each shard of rows.
        let deals = match text.contains("train cards") {
            true if text.contains("--rows") => "--deals 400",
            true => "--deals 100",
            false => "--deals 1000",
        };
        text = text.replace("--deals 30", deals);
    } else if text.contains(" --match") || search {
        let deals = if search { "--deals 1" } else { "--deals 2" };
        text = text.replace("--deals 30", deals).replace("--max-deals 256", "--max-deals 128");
    }
    format!("{text} {rest}").trim_end().to_owned()
}

/// The commands of a page, with their lines: those of the arena, with small numbers. Others are errors.
fn commands(page: &Page, wrong: &mut Vec<String>) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for block in page.blocks().into_iter().filter(|block| block.language.starts_with("sh")) {
        let added = match block.remark.and_then(|remark| remark.split_once(':')) {
            Some(("not run", reason)) if !reason.trim().is_empty() => continue,
            Some(("run with", words)) => words.trim(),
            _ => "",
        };
        let mut whole = String::new();
        for (number, line) in block.lines.iter().enumerate() {
            whole += line.trim();
            if let Some(begun) = whole.strip_suffix('\\') {
                whole = begun.trim_end().to_owned() + " ";
                continue;
            }
            let line = std::mem::take(&mut whole);
            let command = split_at_sign(&line, &["# "]).0.trim().replace("cargo run --release -- ", "arena ");
            let mut words = command.split_whitespace();
            match (words.next(), words.next()) {
                (None, _)
                | (Some("cargo"), Some("test" | "build" | "doc" | "bench" | "install"))
                | (Some("arena"), Some("bench")) => {}
                (Some("arena"), Some(_)) => found.push((block.line + number, small(&command, added))),
                _ => wrong.push(format!(
                    "{}:{}: {command}: no command of the arena; `<!-- not run: REASON -->` before the block leaves it out",
                    page.path,
                    block.line + number
                )),
            }
        }
    }
    found
}

/// Copies a folder: a command that writes into it changes nothing in the repository.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap();
        if path.is_dir() && name != "target" {
            copy(&path, &to.join(name));
        } else if path.is_file() {
            fs::copy(&path, to.join(name)).unwrap();
        }
    }
}

/// An empty folder, but for the examples of the repository, which commands name.
pub(super) fn folder() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    copy(&root().join("examples"), &dir.path().join("examples"));
    dir
}

pub(super) fn shell(command: &str, directory: &Path) -> Output {
    let program = env::var_os("COINCHE_ARENA").map_or_else(|| cargo_bin("arena"), PathBuf::from);
    let path = format!("{}:{}", program.parent().unwrap().display(), env::var("PATH").unwrap_or_default());
    let mut shell = Command::new("sh");
    shell.args(["-c", command]).current_dir(directory).env("PATH", path).stdin(Stdio::null());
    shell.output().unwrap()
}

/// Verdicts of a sequential test are exit codes of their own.
pub(super) fn is_success(command: &str, code: Option<i32>) -> bool {
    let others: &[i32] = match command.split(' ').nth(1) {
        Some("sprt") => &[10, 11],
        // That a figure did not come true is for the job of every night.
        Some("selfcheck") => &[1],
        _ => &[],
    };
    code.is_some_and(|code| code == 0 || others.contains(&code))
}

#[test]
fn commands_run() {
    let results = |path: &str| path.starts_with("results/");
    let pages: Vec<Page> = files(&[".md"]).into_iter().filter(|page| !results(&page.path)).collect();
    let python = Command::new("python3").arg("--version").output().is_ok();
    let mut wrong = Vec::new();
    let work: Vec<_> = pages.iter().map(|page| (page, commands(page, &mut wrong))).collect();
    let (next, all) = (AtomicUsize::new(0), work.iter().map(|(_, lines)| lines.len()).sum::<usize>());
    let (wrong, times) = (Mutex::new(wrong), Mutex::new(Vec::<(Duration, String)>::new()));
    // A check of a program or a system writes nothing, and takes seconds: once is enough.
    let checked = Mutex::new(BTreeSet::new());
    let take = || {
        while let Some((page, lines)) = work.get(next.fetch_add(1, Ordering::Relaxed)) {
            let dir = folder();
            for (number, command) in lines.iter().filter(|(_, line)| python || !line.contains("python3")) {
                let is_check =
                    ["arena check-bot", "arena system check"].iter().any(|it| command.starts_with(it));
                if is_check && !checked.lock().unwrap().insert(command) {
                    continue;
                }
                let began = Instant::now();
                let output = shell(command, dir.path());
                times.lock().unwrap().push((began.elapsed(), format!("{}:{number}: {command}", page.path)));
                if !is_success(command, output.status.code()) {
                    let said = String::from_utf8_lossy(&output.stderr).into_owned();
                    wrong
                        .lock()
                        .unwrap()
                        .push(format!("{}:{number}: {command}: {}\n{said}", page.path, output.status));
                }
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(take);
        }
    });
    let mut times = times.into_inner().unwrap();
    times.sort();
    for (time, command) in times.iter().rev().take(12) {
        println!("{:6.2} s  {command}", time.as_secs_f64());
    }
    let wrong = wrong.into_inner().unwrap();
    assert!(wrong.is_empty(), "commands that fail:\n{}", wrong.join("\n"));
    assert!(all > 80, "{all} commands");
}

#[test]
fn every_command_is_on_a_page_for_users() {
    let help = shell("arena --help", Path::new("."));
    let help = String::from_utf8(help.stdout).unwrap();
    // `  run        Play bots …`: a name in small letters, indented by two.
    let names = help.lines().filter_map(|line| {
        let line =
            line.strip_prefix("  ").filter(|line| line.starts_with(|letter: char| letter.is_lowercase()))?;
        line.split_once("  ").map(|(name, _)| name)
    });
    let names: Vec<&str> = names.filter(|name| *name != "help").collect();
    assert!(names.len() >= 20, "{names:?}");
    let pages: String = files(&[".md"])
        .into_iter()
        .filter(|page| page.path.starts_with("docs/user/"))
        .map(|page| page.text)
        .collect();
    let missing: Vec<_> = names.iter().filter(|name| !pages.contains(&format!("arena {name}"))).collect();
    assert!(missing.is_empty(), "no page of docs/user has: {missing:?}");
}

#[test]
fn numbers_are_made_small() {
    assert_eq!(small("arena run a b", ""), "arena run a b --deals 30");
    assert_eq!(small("arena run a b --deals 10k --match", ""), "arena run a b --deals 2 --match");
    assert_eq!(small("arena run a b --deals 4", "--seed 1"), "arena run a b --deals 4 --seed 1");
    assert_eq!(small("arena run a:worlds=200,time=5ms", ""), "arena run a:worlds=2,time=1ms --deals 30");
    assert_eq!(
        small("arena run a+pimc a+pimc:equity=on", ""),
        "arena run a+pimc:worlds=2 a+pimc:worlds=2,equity=on --deals 1"
    );
    assert_eq!(small("arena export x | head", ""), "arena export x | head");
    assert_eq!(small("arena train cards --out x", ""), "arena train cards --out x --deals 100 --rounds 1");
    assert_eq!(small("arena train cards --rows --deals 9k", ""), "arena train cards --rows --deals 400");
    assert_eq!(small("arena system diff a b", ""), "arena system diff a b --deals 30");
    assert_eq!(small("arena fit --deals 5000", ""), "arena fit --deals 1000 --rounds 1");
    let plan = small("arena plan 'run a b --deals 10M' --shards 64 --for hq --out p", "");
    assert_eq!(plan, "arena plan 'run a b --deals 30' --shards 4 --for hq --out p");
    assert_eq!(small("arena check-bot python3 a.py", ""), "arena check-bot --deals 2 python3 a.py");
    assert_eq!(split_at_sign("arena solve 'H # 2' # the value", &["# "]).0, "arena solve 'H # 2' ");
}

#[test]
fn a_command_that_cannot_be_run_is_named() {
    let page = |text: &str| Page { path: "p.md".to_owned(), text: text.to_owned() };
    let mut wrong = Vec::new();
    let fine = "```sh\narena bots\ncargo test\n```\n<!-- not run: minutes -->\n```sh\nmake\n```\n";
    assert_eq!(commands(&page(fine), &mut wrong), [(2, "arena bots".to_owned())]);
    assert!(wrong.is_empty());
    commands(&page("```sh\narena bots\nmake all\n```\n"), &mut wrong);
    assert!(wrong[0].starts_with("p.md:3: make all"), "{wrong:?}");
}
