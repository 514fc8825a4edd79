//! Figures in the text of pages are what their commands print.
//!
//! A comment `<!-- figures: arena run … -->` before a paragraph, list or table names the commands that give its figures: of each
//! command one line, and `{bga,contree}` stands for both. Every interval (`76.4 ± 1.8`) of the block must be in their output, or on
//! a page of `results/` that the block links to; every percentage must be one of their output, perhaps rounded. Commands whose bots have a limit of time give other figures each time: theirs must
//! agree within the intervals.
//!
//! The long form runs the commands as they stand, for minutes. The quick form runs them with few deals and compares with
//! `tests/figures.txt`: if a bot, a rule or an estimator has changed, the figures are older than the program, and the test names the
//! pages. `COINCHE_LONG=1 COINCHE_BLESS=1` checks all of them and writes that file again; `COINCHE_ARENA=target/release/arena` makes that
//! three times as fast.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use super::commands::{folder, is_success, shell, small};
use super::{Page, files, root};
use crate::common::long;

/// A mean without its sign, and half the width of its interval, as they are printed.
type Figure = (String, String);

/// A paragraph, list or table with intervals.
struct Claims {
    page: String,
    line: usize,
    text: String,
    commands: Vec<String>,
}

/// The number that a text ends with or begins with, as printed.
fn number(text: &str, at_end: bool) -> &str {
    let is_part = |letter: char| letter.is_ascii_digit() || letter == '.' || letter == ',';
    let number = if at_end {
        text.rfind(|letter| !is_part(letter))
            .map_or(text, |at| text[at..].trim_start_matches(|l| !is_part(l)))
    } else {
        text.find(|letter| !is_part(letter)).map_or(text, |at| &text[..at])
    };
    number.trim_matches([',', '.'])
}

/// The intervals in a text, in order.
fn figures(text: &str) -> Vec<Figure> {
    let plain = text.replace(['*', '`'], "");
    let parts: Vec<&str> = plain.split(" ± ").collect();
    let pairs = parts.windows(2).map(|both| (number(both[0], true), number(both[1], false)));
    pairs
        .filter(|(mean, width)| !mean.is_empty() && !width.is_empty())
        .map(|(mean, width)| (mean.to_owned(), width.to_owned()))
        .collect()
}

/// The percentages in a text: `64 %`, and `60, 79 and 92 %`.
fn percentages(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let plain = text.replace('*', "");
    let mut parts: Vec<&str> = plain.split(" %").collect();
    parts.pop();
    for mut rest in parts {
        loop {
            let one = number(rest, true);
            if one.is_empty() || !rest.ends_with(one) {
                break;
            }
            found.push(one.to_owned());
            rest = &rest[..rest.len() - one.len()];
            let joined = [", ", " and ", " and not ", "–"].iter().find_map(|word| rest.strip_suffix(word));
            let Some(shorter) = joined else { break };
            rest = shorter;
        }
    }
    found
}

/// Tests if a number as printed is another one, perhaps with fewer decimals.
fn is_rounded(said: &str, printed: &str) -> bool {
    let decimals =
        said.split_once('.').map_or(0, |(_, after)| i32::try_from(after.len()).expect("a few digits"));
    let value = |text: &str| text.replace(',', "").parse::<f64>().unwrap_or(f64::NAN);
    (value(said) - value(printed)).abs() <= 0.5001 * 10_f64.powi(-decimals)
}

/// Replaces the first `{a,b}` by each of its words, and so on.
fn expanded(command: &str) -> Vec<String> {
    let Some((before, rest)) = command.split_once('{') else { return vec![command.to_owned()] };
    let (words, after) = rest.split_once('}').expect("braces are closed");
    words.split(',').flat_map(|word| expanded(&format!("{before}{word}{after}"))).collect()
}

/// The blocks of a page that have intervals, or commands that give some.
fn claims(page: &Page) -> Vec<Claims> {
    let mut found: Vec<Claims> = Vec::new();
    let (mut commands, mut comment, mut last) = (Vec::new(), None::<String>, None);
    for (number, line) in page.prose() {
        let text = line.trim();
        if let Some(open) = comment.as_mut() {
            *open += "\n";
            *open += text;
        } else if let Some(begun) = text.strip_prefix("<!-- figures:") {
            comment = Some(begun.to_owned());
        } else if text.is_empty() {
            // A paragraph that ends with a colon and what follows it are one block.
            let goes_on = last.is_some() && found.last().is_some_and(|block| block.text.ends_with(":\n"));
            last = goes_on.then_some(number);
        } else {
            if last.is_none_or(|last| last + 1 != number) || !commands.is_empty() {
                let (page, commands) = (page.path.clone(), std::mem::take(&mut commands));
                found.push(Claims { page, line: number, text: String::new(), commands });
            }
            last = Some(number);
            let block = found.last_mut().expect("a block has begun");
            block.text += line;
            block.text += "\n";
        }
        if let Some(whole) = comment.take_if(|text| text.ends_with("-->")) {
            let lines = whole.trim_end_matches("-->").lines().map(str::trim).filter(|line| !line.is_empty());
            commands.extend(lines.flat_map(expanded));
        }
    }
    found.retain(|block| !block.commands.is_empty() || !figures(&block.text).is_empty());
    found
}

fn all_claims() -> Vec<Claims> {
    let is_page =
        |page: &&Page| !["results/", "arena/tests/"].iter().any(|start| page.path.starts_with(start));
    files(&[".md"]).iter().filter(is_page).flat_map(claims).collect()
}

/// What the pages of `results/` say that a block links to.
fn linked(block: &Claims) -> String {
    let targets = block.text.split("](").skip(1).filter_map(|rest| rest.split([')', '#']).next());
    let here = root().join(&block.page);
    targets
        .filter(|target| target.contains("results/"))
        .filter_map(|target| fs::read_to_string(here.parent()?.join(target)).ok())
        .collect()
}

fn output(command: &str, directory: &Path) -> String {
    let output = shell(command, directory);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(is_success(command, output.status.code()), "{command}: {}\n{said}", output.status);
    String::from_utf8(output.stdout).unwrap()
}

/// Tests if two intervals could be of the same figure.
fn agree(one: &Figure, other: &Figure) -> bool {
    let value = |text: &str| text.replace(',', "").parse::<f64>().unwrap();
    (value(&one.0) - value(&other.0)).abs() <= value(&one.1).hypot(value(&other.1)) * 1.5
}

/// The intervals of a block that nothing confirms.
fn wrong(block: &Claims, outputs: &BTreeMap<String, String>) -> Vec<String> {
    let (mut exact, mut timed) = (figures(&linked(block)), Vec::new());
    for command in &block.commands {
        let found = figures(&outputs[command]);
        if command.contains("time=") { timed.extend(found) } else { exact.extend(found) }
    }
    let printed: Vec<String> =
        block.commands.iter().flat_map(|command| percentages(&outputs[command])).collect();
    let said = figures(&block.text).into_iter();
    let unconfirmed =
        said.filter(|figure| !exact.contains(figure) && !timed.iter().any(|other| agree(figure, other)));
    let mut wrong: Vec<_> = unconfirmed.map(|(mean, width)| format!("{mean} ± {width}")).collect();
    if linked(block).is_empty() && !block.commands.is_empty() {
        let said = percentages(&block.text).into_iter();
        wrong.extend(
            said.filter(|said| !printed.iter().any(|other| is_rounded(said, other)))
                .map(|said| format!("{said} %")),
        );
    }
    wrong.iter().map(|figure| format!("{}:{}: {figure}", block.page, block.line)).collect()
}

/// The commands with few deals, whose answer is the same each time, and what they give.
fn small_forms(claims: &[Claims]) -> String {
    let mut lines = String::from(
        "# The commands behind the figures of the pages, with few deals: written by the test docs::figures.\n",
    );
    let mut seen = BTreeSet::new();
    for block in claims {
        let dir = folder();
        for command in block
            .commands
            .iter()
            .filter(|command| !command.contains("time=") && seen.insert(command.as_str()))
        {
            let given = figures(&output(&small(command, ""), dir.path()));
            let given: Vec<_> =
                given.iter().take(8).map(|(mean, width)| format!("{mean} ± {width}")).collect();
            writeln!(lines, "{}\t{command}\t{}", block.page, given.join("; ")).unwrap();
        }
    }
    lines
}

#[test]
fn every_interval_has_a_command_or_a_result() {
    let claims = all_claims();
    let nowhere = |block: &&Claims| block.commands.is_empty();
    let found: Vec<_> =
        claims.iter().filter(nowhere).flat_map(|block| wrong(block, &BTreeMap::new())).collect();
    assert!(
        found.is_empty(),
        "without `<!-- figures: COMMAND -->`, and on no page of results/ that is linked:\n{}",
        found.join("\n")
    );
    assert!(claims.iter().filter(|block| !block.commands.is_empty()).count() >= 10);
}

#[test]
fn figures_are_as_old_as_the_program() {
    let claims = all_claims();
    let path = root().join("arena/tests/figures.txt");
    if long() {
        let mut outputs = BTreeMap::new();
        for block in &claims {
            let dir = folder();
            for command in &block.commands {
                outputs.entry(command.clone()).or_insert_with(|| output(command, dir.path()));
            }
        }
        let found: Vec<_> = claims.iter().flat_map(|block| wrong(block, &outputs)).collect();
        let given = outputs.iter().map(|(command, text)| {
            let given = figures(text);
            format!(
                "{command}: {}",
                given.iter().map(|(mean, width)| format!("{mean} ± {width}")).collect::<Vec<_>>().join("; ")
            )
        });
        let given: Vec<_> = given.collect();
        assert!(
            found.is_empty(),
            "not what the commands print:\n{}\n\nthey print:\n{}",
            found.join("\n"),
            given.join("\n")
        );
    }
    let now = small_forms(&claims);
    if long() && std::env::var_os("COINCHE_BLESS").is_some() {
        fs::write(&path, &now).unwrap();
    }
    let then = fs::read_to_string(&path).unwrap_or_default();
    let changed: Vec<_> = now.lines().filter(|line| !then.lines().any(|old| old == *line)).collect();
    assert!(
        changed.is_empty() && now.lines().count() == then.lines().count(),
        "figures older than the program, or commands that were not run (COINCHE_LONG=1 COINCHE_BLESS=1 checks them all):\n{}",
        changed.join("\n")
    );
}

#[test]
fn figures_are_read_from_text() {
    let text = "beats by **76.4 ± 1.8** points, −1,203.5 ± 20, and +0.5 ± 0.25).";
    let read = figures(text);
    assert_eq!(
        read,
        [("76.4", "1.8"), ("1,203.5", "20"), ("0.5", "0.25")].map(|(a, b)| (a.to_owned(), b.to_owned()))
    );
    assert_eq!(percentages("in 60, 79 and **92 %**, of 3 about 4.5 % and"), ["92", "79", "60", "4.5"]);
    assert_eq!(
        (is_rounded("60", "59.6"), is_rounded("59.5", "59.6"), is_rounded("60", "60.6")),
        (true, false, false)
    );
    assert_eq!(expanded("a {b,c} {d,e}"), ["a b d", "a b e", "a c d", "a c e"]);
    let page = Page {
        path: "p.md".to_owned(),
        text: "x 1 ± 2\n\n<!-- figures: arena a\narena b {c,d} -->\n* y\n* 3 ± 4\nz\n\nno figure\n"
            .to_owned(),
    };
    let found = claims(&page);
    assert_eq!(found.len(), 2);
    assert_eq!(
        (found[1].line, &found[1].commands[..]),
        (5, &["arena a", "arena b c", "arena b d"].map(str::to_owned)[..])
    );
    assert_eq!(wrong(&found[0], &BTreeMap::new()), ["p.md:1: 1 ± 2"]);
    let outputs =
        |text: &str| found[1].commands.iter().map(|command| (command.clone(), text.to_owned())).collect();
    assert_eq!(wrong(&found[1], &outputs("A − B +3 ± 4")), [""; 0]);
    assert_eq!(wrong(&found[1], &outputs("3 ± 5")), ["p.md:5: 3 ± 4"]);
    assert!(agree(&("3".to_owned(), "4".to_owned()), &("5".to_owned(), "1".to_owned())));
}
