//! All figures as JSON.

use coinche_bots::BotSpec;
use serde_json::{Value, json};

use super::auction::CAUSES;
use super::audit::HABITS;
use super::decision::groups;
use super::knowing::PARTS;
use super::totals::{BotTotals, CALLS, Cell, Habits, MEASURES, Sizes, Totals, of_a_side};
use super::{Settings, document};
use coinche_inference::ratio::{Mean, Ratio};

/// Returns all figures of the judge, described in `docs/judge.md`.
pub fn json(settings: &Settings, totals: &Totals) -> Value {
    let sizes = totals.sizes();
    let audited = |it: &BotTotals| {
        let mut value = bot(it, sizes);
        if settings.audit {
            value["audit"] = audit(it, sizes);
        }
        value
    };
    let bots: Vec<_> = totals.bots.iter().map(audited).collect();
    let mut comparisons = Vec::new();
    for ((a, b), pair) in &totals.pairs {
        let [a, b] = [a, b].map(|bot| &totals.bots[*bot].name);
        let mut line = json!({ "a": a, "b": b });
        for (n, measure) in MEASURES.iter().enumerate() {
            let difference = pair[n].difference(sizes.of(n)).map(|mean| mean.times(of_a_side(n)));
            line[measure] = json!({ "deals": pair[n].deals(), "difference": mean(difference) });
        }
        comparisons.push(line);
    }
    json!({
        "v": 1,
        "judge": "open-cards",
        "by": settings.by.as_ref().map(BotSpec::as_str),
        "note": document::NOTE,
        "sample": settings.sample,
        "seed": settings.seed,
        "deals": totals.units,
        "legs": totals.legs,
        "thrown_in": totals.thrown_in,
        "forfeited": totals.forfeited,
        "unscored": totals.unscored,
        "wrong_lines": totals.wrong_lines,
        "bots": bots,
        "comparisons": comparisons,
    })
}

fn bot(bot: &BotTotals, sizes: Sizes) -> Value {
    let mut cards = json!({});
    for ((dimension, name), cell) in groups().zip(&bot.cells) {
        let value = group(cell, sizes);
        if dimension == "all" {
            cards["all"] = value;
        } else {
            cards[dimension][name] = value;
        }
    }
    let mut auction = json!({});
    for ((name, ratio), losing) in CAUSES.iter().chain(&["all"]).zip(&bot.auction).zip(bot.auction_losing) {
        auction[name.replace(' ', "_")] = part(ratio, losing, sizes.score);
    }
    let mut a_side = json!({});
    for (n, (measure, ratio)) in MEASURES.iter().zip(&bot.measures).enumerate() {
        a_side[measure] = mean(ratio.mean_of(sizes.of(n)).map(|mean| mean.times(of_a_side(n))));
    }
    let calls: serde_json::Map<String, Value> = CALLS
        .iter()
        .zip(&bot.calls)
        .map(|(kind, (ratio, losing))| ((*kind).to_owned(), known(ratio, *losing, sizes.known)))
        .collect();
    json!({
        "bot": bot.name, "lost_by_a_side_in_a_leg": a_side, "cards": cards, "auction": auction, "calls": calls,
    })
}

/// What people call foolish: how often, of how many, and what each cost.
fn audit(bot: &BotTotals, sizes: Sizes) -> Value {
    let one = |habit: &Habits| {
        json!({
            "times": habit.often.sum(),
            "of": habit.often.count(),
            "share": mean(habit.often.mean_of(1.0)),
            "points": mean(habit.points.mean_of(sizes.points)),
            "score": mean(habit.score.mean_of(sizes.score)),
        })
    };
    let habits = HABITS.iter().zip(&bot.habits).map(|((name, _), habit)| ((*name).to_owned(), one(habit)));
    Value::Object(habits.collect())
}

fn group(cell: &Cell, sizes: Sizes) -> Value {
    json!({
        "points": part(&cell.points, cell.points_losing, sizes.points),
        "score": part(&cell.score, cell.score_losing, sizes.score),
        "known": known(&cell.known, cell.known_losing, sizes.known),
    })
}

/// The same for losses according to a bot, which are not integers; null if none was asked.
fn known(ratio: &Ratio, losing: u64, size: f64) -> Value {
    if ratio.count() == 0 {
        return Value::Null;
    }
    json!({
        "count": ratio.count(),
        "deals": ratio.deals,
        "lost": mean(ratio.mean_of(size).map(|mean| mean.times(1.0 / f64::from(PARTS)))),
        "losing": losing,
    })
}

/// Formats a mean: the count, how many lose, and how much those lose.
fn part(ratio: &Ratio, losing: u64, size: f64) -> Value {
    json!({
        "count": ratio.count(),
        "deals": ratio.deals,
        "sum": ratio.sum(),
        "lost": mean(ratio.mean_of(size)),
        "losing": losing,
    })
}

fn mean(mean: Option<Mean>) -> Value {
    json!(mean)
}
