//! The result of a search: what was learned round by round, for a terminal, pages and files.

use std::collections::BTreeMap;

use coinche_selfplay::document::draw::{Curve, curve};
use coinche_selfplay::{Block, Cell, Document, Picture, Section, Table, measured, named, with_half};

use super::{Kept, Learned, Points, Settings};
use crate::typed::Language;

/// The most changes that are listed; the file beside the system has all.
const MOST: usize = 15;

fn points(points: &Points) -> (f64, Option<f64>) {
    (points.mean, Some(points.half_width))
}

/// Draws the score over the number of rules: of each number the last system.
fn by_length(learned: &Learned) -> Picture {
    // What it began with was not learned.
    let learned = &learned.stages[usize::from(learned.rounds() > 0)..];
    let by_rules: BTreeMap<usize, &Points> =
        learned.iter().map(|stage| (stage.rules, &stage.score)).collect();
    let scored: Vec<(f64, &Points)> =
        by_rules.into_iter().map(|(rules, score)| (rules as f64, score)).collect();
    let band: Vec<[f64; 2]> =
        scored.iter().map(|(_, it)| [it.mean - it.half_width, it.mean + it.half_width]).collect();
    let svg = curve(&Curve {
        title: "score over the number of rules",
        what: "points per deal",
        across: "rules",
        points: &scored.iter().map(|(rules, it)| [*rules, it.mean]).collect::<Vec<_>>(),
        band: &band,
        levels: &[],
    });
    let caption = "What the system scores with so many rules, on deals that no round sees; the band is the 95 % interval.";
    let table = Table::of("length", caption, scored)
        .number(named("rules", "the number of rules"), |(rules, _)| Cell::Number(*rules, 0))
        .estimate(
            measured("score", "points", "mean score of the system’s side less the other side’s"),
            |(_, score)| points(score),
        )
        .build();
    Picture::new(svg, caption, table)
}

/// Creates the report of a search whose system is written to a file.
pub fn document(settings: &Settings, learned: &Learned, file: &str) -> Document {
    let [first, last] =
        [learned.stages.first(), learned.stages.last()].map(|stage| stage.expect("it was started"));
    let score = |stage: &super::Stage| with_half(stage.score.mean, Some(stage.score.half_width));
    let verdict = format!(
        "{file}: {} rules; it scores {} points per deal against its opponents, and {} when it was begun.",
        last.rules,
        score(last),
        score(first)
    );
    let held = coinche_selfplay::thousands(settings.held);
    let caption = format!("The system after each round, and its score on {held} deals that no round sees.");
    let rounds = Table::of("rounds", caption, learned.stages.iter().enumerate())
        .count(measured("round", "from 1", "the round; 0: the start"), |(round, _)| *round)
        .count(named("rules", "the number of rules"), |(_, stage)| stage.rules)
        .count(named("words", "words, numbers and signs of its rules and definitions"), |(_, stage)| {
            stage.words
        })
        .estimate(
            measured("score", "points", "mean score of the system’s side less the other side’s"),
            |(_, stage)| points(&stage.score),
        )
        .build();
    let mut kept: Vec<&Kept> = learned.kept.iter().collect();
    kept.sort_by(|a, b| b.gain.mean.total_cmp(&a.gain.mean));
    let caption = format!(
        "The changes that gained most on the deals of their round, of {} that were kept: as the best of many each gains less on \
         others.",
        kept.len()
    );
    let kept = Table::of("kept", caption, kept.into_iter().take(MOST))
        .count(measured("round", "from 1", "the round"), |kept| kept.round)
        .text(named("change", "what was changed"), |kept| kept.what.clone())
        .estimate(measured("gain", "points", "points per deal that it gained"), |kept| points(&kept.gain))
        .build();
    Document {
        title: format!("Learned: {file}"),
        command: "system learn",
        verdicts: vec![verdict],
        scope: vec![settings.meeting.scope(Language::English)],
        sections: vec![
            Section::new("rounds", "Rounds", vec![Block::Picture(by_length(learned)), Block::Table(rounds)]),
            Section::new("changes", "Changes", vec![Block::Table(kept)]),
        ],
        ..Document::default()
    }
}
