//! `leaderboard.json`: the figures for programs, and the sums of all runs, so that they need not be played
//! again.
//!
//! Everything but `times` is the same for the same file and commit.

use std::collections::BTreeMap;

use coinche_selfplay::base::files::checksums::sealed;
use serde::Serialize;
use serde_json::{Value, json};

use super::Leaderboard;
use super::jobs::Job;
use super::partners::Partners;
use super::played::VERSION;
use super::standings::Standings;

/// Formats a list with one element per line.
fn lines<T: Serialize>(elements: impl IntoIterator<Item = T>) -> String {
    let line = |element| serde_json::to_string(&element).expect("figures are numbers, texts and lists");
    let lines: Vec<_> = elements.into_iter().map(line).collect();
    if lines.is_empty() { "[]".to_owned() } else { format!("[\n{}\n]", lines.join(",\n")) }
}

fn standings(board: &Leaderboard, of: &Standings) -> Vec<Value> {
    let (rules, class) = (&board.plan.rules[of.rules].0, &board.plan.classes[of.class].name);
    let name = |entry: usize| &board.plan.entries[entry].name;
    let rows = of.rows.iter().enumerate().map(|(n, row)| {
        json!({
            "rules": rules, "class": class, "rank": n + 1, "entry": name(row.entry),
            "bot": board.plan.entries[row.entry].bot.as_str(),
            "rating": row.rating, "above_mean": row.above_mean,
            "worst": { "entry": name(row.worst.0), "points": row.worst.1 },
            "nash_share": row.nash_share, "faults": row.faults, "is_void": row.is_void,
        })
    });
    rows.collect()
}

fn partners(board: &Leaderboard, of: &Partners) -> Vec<Value> {
    let rules = &board.plan.rules[of.rules].0;
    let name = |entry: usize| &board.plan.entries[entry].name;
    let rows = of.pairs.iter().map(|([a, b], strangers)| {
        json!({
            "rules": rules, "entries": [name(*a), name(*b)], "apart": strangers.apart,
            "together": strangers.together, "cost": strangers.cost,
        })
    });
    let means =
        of.rows.iter().map(|(entry, cost)| json!({ "rules": rules, "entry": name(*entry), "cost": *cost }));
    rows.chain(means).collect()
}

fn decision_times(board: &Leaderboard) -> Vec<Value> {
    let rows = board.standings.iter().flat_map(|of| {
        let class = &board.plan.classes[of.class];
        of.rows.iter().map(move |row| {
            json!({
                "rules": board.plan.rules[of.rules].0, "class": class.name,
                "entry": board.plan.entries[row.entry].name, "timed": row.time.timed,
                "microseconds": row.time.mean, "over": row.time.is_over(class.limit),
            })
        })
    });
    rows.collect()
}

/// Writes the file.
pub(crate) fn to_json(board: &Leaderboard) -> String {
    let quoted = |text: &str| Value::from(text).to_string();
    let jobs = board.boards.iter().flat_map(|of| &of.jobs);
    let runs = jobs.filter_map(|job| Some((job, board.results.of(job)?)));
    let time = |job: &Job| format!("{}: {}", quoted(&job.run), json!(board.results.times_of(job)));
    let (times, runs): (Vec<_>, Vec<_>) = runs.map(|(job, played)| (time(job), played)).unzip();
    sealed(&format!(
        "{{\n\"v\": {VERSION},\n\"anchor\": {},\n\"seeds\": {},\n\"standings\": {},\n\"crossplay\": {},\n\"runs\": {},\n\"decisions\": {},\n\
         \"times\": {{\n{}\n}}\n}}\n",
        quoted(&board.plan.entries[board.plan.anchor].name),
        json!(board.plan.seeds().collect::<BTreeMap<_, _>>()),
        lines(board.standings.iter().flat_map(|of| standings(board, of))),
        lines(board.partners.iter().flat_map(|of| partners(board, of))),
        lines(runs),
        lines(decision_times(board)),
        times.join(",\n"),
    ))
}
