//! How to reproduce a result.

use coinche_engine::Seed;
use coinche_engine::record::RulesRecord;
use coinche_selfplay::document::{Block, Section};

use super::Place;
use crate::report::source::{Run, TestForm, rules_text};
use coinche_protocol::ProgramInfo;
use coinche_runs::figures::RunJson;

/// Describes how to reproduce a result, given command, commit and version.
fn section(
    [command, commit, version]: [&str; 3],
    seed: &Seed,
    rules: &RulesRecord,
    programs: &[ProgramInfo],
    config: bool,
    place: Place,
) -> Section {
    let (rules, settings) = rules_text(rules);
    let mut items =
        vec![format!("commit {commit}, version {version}"), format!("seed {seed}"), format!("rules {rules}")];
    items.extend(settings.into_iter().map(|setting| format!("with {setting}")));
    items.extend(programs.iter().map(|ProgramInfo { bot, name, version, .. }| {
        let version =
            if version.is_empty() { "of unknown version".to_owned() } else { format!("version {version}") };
        format!("{bot} is the program {name}, {version}")
    }));
    if config {
        items.push("config.toml in the run's directory has all settings: arena run --config FILE".to_owned());
    }
    if commit.contains("+changes") {
        items.push("built from sources with uncommitted changes".to_owned());
    }
    let blocks = vec![
        Block::text(
            "The same command at the same commit gives byte-identical results, with any number of threads:",
        ),
        Block::Code(command.to_owned()),
        Block::Items(items),
    ];
    place.section("reproduce", "How to reproduce", blocks)
}

/// Describes how to reproduce a run.
pub(super) fn of_run(run: &Run, place: Place) -> Section {
    let RunJson { command, commit, version, seed, rules, timing, .. } = &run.form;
    let config = run.path.join("config.toml").is_file();
    section([command, commit, version], seed, rules, &timing.programs, config, place)
}

/// Describes how to reproduce a test.
pub(super) fn of_test(test: &TestForm, place: Place) -> Section {
    let TestForm { command, commit, version, seed, rules, .. } = test;
    // Its config.toml is that of a run of all deals that the test may play.
    section([command, commit, version], seed, rules, &[], false, place)
}
