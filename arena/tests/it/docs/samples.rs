//! What a page shows as output is what the program prints: blocks of the language `text` whose first line is a command.
//!
//! `…` stands for lines that are left out. Lines that differ from place to place (`commit`, `written to`) are left out, too. A remark
//! `<!-- typed: a, b -->` before the block says what a person types. Other blocks of this language are no samples: the remark
//! `<!-- example: REASON -->` says why. With `COINCHE_BLESS=1` the pages are written anew; review the difference.

use std::fs;

use super::{Page, files, root};
use crate::common::{arena, stdout};

/// What a page shows of a command's output.
fn shown(command: &str, typed: Option<&str>) -> Vec<String> {
    let dir = tempfile::tempdir().unwrap();
    let words = shlex::split(command).expect("quotes are closed");
    let mut program = arena(dir.path());
    program.args(&words[1..]);
    let typed = typed.map(|typed| typed.replace(", ", "\n") + "\n");
    program.write_stdin(typed.unwrap_or_default());
    let mut lines = vec![command.to_owned(), String::new()];
    for line in stdout(&program.assert()).lines() {
        let local = ["commit ", "written to "].iter().any(|start| line.starts_with(start));
        let blank = line.is_empty() && lines.last().is_some_and(String::is_empty);
        if !local && !blank && line != command {
            lines.push(line.trim_end().to_owned());
        }
    }
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    lines
}

/// Tests if a sample is made of these lines, in order, but for those that `…` stands for.
fn is_abridged(sample: &[&str], now: &[String]) -> bool {
    let mut rest = now;
    let mut parts = sample.split(|line| *line == "…");
    let first = parts.next().expect("there is a part");
    let begins = |rest: &[String], part: &[&str]| {
        rest.len() >= part.len() && rest.iter().zip(part).all(|(a, b)| a == b)
    };
    if !begins(rest, first) || (!sample.contains(&"…") && rest.len() != first.len()) {
        return false;
    }
    rest = &rest[first.len()..];
    for part in parts {
        let Some(at) = (0..=rest.len()).find(|at| begins(&rest[*at..], part)) else { return false };
        rest = &rest[at + part.len()..];
    }
    sample.last() == Some(&"…") || rest.is_empty()
}

/// The page with its samples as they are printed now.
fn printed(page: &Page) -> String {
    let mut lines: Vec<String> = page.text.lines().map(str::to_owned).collect();
    // From the last on, so that lines keep their numbers.
    for block in page.blocks().iter().rev() {
        let samples =
            block.language == "text" && block.lines.first().is_some_and(|line| line.starts_with("arena "));
        if !samples {
            let is_example = block.remark.is_some_and(|remark| remark.starts_with("example: "));
            assert!(
                block.language != "text" || is_example || page.path.starts_with(".github/"),
                "{}:{}: begin a sample with its command, or say `<!-- example: REASON -->`",
                page.path,
                block.line
            );
            continue;
        }
        let mut now = shown(block.lines[0], block.remark.and_then(|remark| remark.strip_prefix("typed: ")));
        if is_abridged(&block.lines, &now) {
            continue;
        }
        if block.lines.last() == Some(&"…") {
            now.truncate(block.lines.len() - 1);
            now.push("…".to_owned());
        }
        let first = block.line - 1;
        lines.splice(first..first + block.lines.len(), now);
    }
    lines.join("\n") + "\n"
}

#[test]
fn samples_may_leave_lines_out() {
    let now = ["a", "b", "c", "d"].map(str::to_owned);
    for (sample, fits) in [
        ("a b c d", true),
        ("a … d", true),
        ("a b …", true),
        ("a c d", false),
        ("a … c", false),
        ("a b c", false),
    ] {
        assert_eq!(is_abridged(&sample.split(' ').collect::<Vec<_>>(), &now), fits, "{sample}");
    }
}

#[test]
fn samples_are_what_is_printed() {
    let (bless, mut samples) = (std::env::var_os("COINCHE_BLESS").is_some(), 0);
    for page in files(&[".md"]).iter().filter(|page| !page.path.starts_with("results/")) {
        let is_sample = |line: &&str| line.starts_with("arena ");
        samples += page.text.split("```text\n").skip(1).filter(is_sample).count();
        let now = printed(page);
        if bless && now != page.text {
            fs::write(root().join(&page.path), now).unwrap();
        } else {
            for (old, new) in page.text.lines().zip(now.lines()) {
                assert_eq!(old, new, "{}: COINCHE_BLESS=1 writes it anew", page.path);
            }
            assert_eq!(page.text.lines().count(), now.lines().count(), "{}", page.path);
        }
    }
    assert!(samples >= 3, "{samples} samples");
}
