//! Tests that the repository's leaderboard page matches its sums, and its sums match its file.

use std::fs;
use std::path::{Path, PathBuf};

use coinche_bots::Registry;
use coinche_runs::Confine;

use super::{Board, Draw, JSON, Leaderboard, Results, Stored, Table, page, read};

fn published(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../results/leaderboard").join(name)
}

#[test]
fn the_published_page_is_that_of_the_published_sums() {
    let registry = Registry::builtin();
    let mut plan = read(&published("leaderboard.toml"), &registry).unwrap();
    Draw::revealed(&published(""), &plan).unwrap().expect("it was played on a drawn seed").seed(&mut plan);
    let nowhere = tempfile::tempdir().unwrap();
    let stored = Stored::read(&published(JSON)).unwrap();
    let boards = |confine| {
        plan.boards(Table { out: nowhere.path(), threads: Some(1), confine, registry: &registry }).unwrap()
    };
    let missing = |board: &Board, results: &mut Results, confined_too: bool| -> Vec<String> {
        let missing = results.take(board, &stored, confined_too).unwrap();
        missing.iter().map(|job| job.run.clone()).collect()
    };
    // They serve whoever enters a bot without a sandbox, and are not taken for sums of programs that ran free.
    for board in &boards(None) {
        assert_eq!(missing(board, &mut Results::default(), true), [""; 0]);
        let strict = missing(board, &mut Results::default(), false);
        assert!(strict.iter().all(|run| run.contains("simple")), "{strict:?}");
        assert_eq!(strict.is_empty(), board.class.is_none());
    }
    let boards = boards(Some(Confine::Full));
    let mut results = Results::default();
    for board in &boards {
        let missing = missing(board, &mut results, false);
        assert!(
            missing.is_empty(),
            "repeat the command of results/leaderboard: these were not played: {missing:?}"
        );
    }
    let board = Leaderboard::new(plan.clone(), boards, results).unwrap();
    let markdown = page::document(&board, Path::new("results/leaderboard/leaderboard.toml")).to_markdown();
    assert!(markdown == fs::read_to_string(published("README.md")).unwrap(), "repeat the command");
}
