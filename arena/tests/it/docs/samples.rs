//! What a page shows as output is what the program prints: blocks of the language `text` whose first line is a command.
//!
//! `…` at the end stands for the rest. Lines that differ from place to place (`commit`, `written to`) are left out. With
//! `COINCHE_BLESS=1` the pages are written anew; review the difference.

use std::fs;

use super::{Page, files, root};
use crate::common::{arena, stdout};

/// What a page shows of a command's output.
fn shown(command: &str) -> Vec<String> {
    let dir = tempfile::tempdir().unwrap();
    let words = shlex::split(command).expect("quotes are closed");
    let mut program = arena(dir.path());
    program.args(&words[1..]);
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

/// The page with its samples as they are printed now.
fn printed(page: &Page) -> String {
    let mut lines: Vec<String> = page.text.lines().map(str::to_owned).collect();
    // From the last on, so that lines keep their numbers.
    for block in page.blocks().iter().rev() {
        let samples =
            block.language == "text" && block.lines.first().is_some_and(|line| line.starts_with("arena "));
        if !samples {
            continue;
        }
        let mut now = shown(block.lines[0]);
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
