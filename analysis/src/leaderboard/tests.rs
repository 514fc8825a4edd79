//! Tests that the repository's leaderboard page matches its sums, and its sums match its file.

use std::fs;
use std::path::{Path, PathBuf};

use coinche_bots::Registry;
use coinche_runs::Confine;

use super::{Draw, JSON, Leaderboard, Results, Stored, Table, page, read};

fn published(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../results/leaderboard").join(name)
}

#[test]
fn the_published_page_is_that_of_the_published_sums() {
    let registry = Registry::builtin();
    let mut plan = read(&published("leaderboard.toml"), &registry).unwrap();
    Draw::revealed(&published(""), &plan).unwrap().expect("it was played on a drawn seed").seed(&mut plan);
    let nowhere = tempfile::tempdir().unwrap();
    let table =
        Table { out: nowhere.path(), threads: Some(1), confine: Some(Confine::Full), registry: &registry };
    let boards = plan.boards(table).unwrap();
    let stored = Stored::read(&published(JSON)).unwrap();
    let mut results = Results::default();
    for board in &boards {
        let missing: Vec<_> =
            results.take(board, &stored).unwrap().iter().map(|job| job.run.clone()).collect();
        assert!(
            missing.is_empty(),
            "repeat the command of results/leaderboard: these were not played: {missing:?}"
        );
    }
    let board = Leaderboard::new(plan, boards, results).unwrap();
    let markdown = page::document(&board, Path::new("results/leaderboard/leaderboard.toml")).to_markdown();
    assert!(markdown == fs::read_to_string(published("README.md")).unwrap(), "repeat the command");
}
