//! The verdict on two bots in words.

use coinche_engine::rules::Shuffle;
use coinche_inference::{Estimate, least_p_value};
use coinche_selfplay::document::model::rate;
use coinche_selfplay::{Encounter, Tally, Unit, amount, plus_minus, thousands};

use super::bots::percent;
use super::names;
use crate::config::{RunConfig, rules_in_words};
use crate::control::Controlled;

/// Returns the scope of the figures: how much was played, under which seed and rules.
pub(super) fn scope(config: &RunConfig, n: u64) -> String {
    let unit = config.unit;
    let played =
        format!("{} {} in pairs", thousands(n), if n == 1 { unit.singular() } else { unit.plural() });
    let range = config.range();
    let asked = range.end - range.start;
    let shard = config.shard.map_or_else(String::new, |shard| format!(", shard {shard}"));
    let short =
        if n < asked { format!(" (stopped early; {} requested)", thousands(asked)) } else { String::new() };
    let (rules, _) = rules_in_words(&config.rules);
    let given = config.freeze.in_words().map_or_else(String::new, |given| format!(", {given}"));
    let control = config.control.as_ref().map_or_else(String::new, |control| format!(", control {control}"));
    format!("{played}{short}{shard}, seed {}, rules {rules}{given}{control}", config.seed)
}

/// Returns the sentence on a difference in points, and the level of its interval if it has one.
pub(super) fn points_sentence(
    config: &RunConfig,
    encounter: Encounter,
    estimate: &Estimate,
) -> (String, &'static str) {
    const LEVEL: &str = " (95 %)";
    let [a, b] = names(config, encounter);
    let unit = config.unit.singular();
    let Some(half) = estimate.half_width else {
        let mean = estimate.mean;
        let sentence = if estimate.sd.is_none() {
            format!("No significant difference: A − B = {mean:+.1} points after one {unit}")
        } else {
            "Nothing can be said: no leg has a difference in points".to_owned()
        };
        return (sentence, "");
    };
    let [first, second] = config.pair(encounter).map(ToString::to_string);
    if first == second && estimate.differing == 0 {
        let pairs = thousands(estimate.pairs);
        return (format!("No difference: A and B are both {first}, and none of {pairs} pairs differs"), "");
    }
    let half = plus_minus(half, 1);
    if estimate.is_decided() {
        let (winner, loser) = if estimate.mean > 0.0 { (a, b) } else { (b, a) };
        let mean = estimate.mean.abs();
        (format!("{winner} beats {loser} by {mean:.1}{half} points per {unit}"), LEVEL)
    } else {
        let few = too_few(estimate).map_or_else(String::new, |few| format!("{few}; "));
        let scored = scored_more([&a, &b], (estimate.mean, estimate.half_width), unit);
        (format!("No significant difference: {few}{scored}"), LEVEL)
    }
}

/// Says which of two bots scored more, and by how much; in their order if neither did.
pub fn scored_more([a, b]: [&str; 2], (mean, half): (f64, Option<f64>), unit: &str) -> String {
    let [more, less] = if mean < 0.0 { [b, a] } else { [a, b] };
    format!("{more} scored {} points per {unit} more than {less}", amount(mean.abs(), half))
}

/// Returns a note if too few pairs differ for any difference to be significant.
pub fn too_few(estimate: &Estimate) -> Option<String> {
    let Estimate { pairs, differing, .. } = *estimate;
    (least_p_value(differing) > 0.05).then(|| match differing {
        0 => format!("none of {} pairs differs", thousands(pairs)),
        1 => format!("1 of {} pairs differs, too few to decide", thousands(pairs)),
        n => format!("{n} of {} pairs differ, too few to decide", thousands(pairs)),
    })
}

/// Returns the sentence on how many pairs differ.
pub fn differing(points: &Estimate, wins: Option<&Estimate>) -> String {
    let Estimate { pairs, differing, .. } = *points;
    let share = |n| percent(n, pairs);
    let all = format!("{} of {} pairs differ", thousands(differing), thousands(pairs));
    match wins.map(|wins| wins.differing) {
        None => format!("{all} ({})", share(differing)),
        Some(won) => {
            format!(
                "{all} in points ({}), {} in matches won ({})",
                share(differing),
                thousands(won),
                share(won)
            )
        }
    }
}

/// Returns the sentence on a difference in matches won.
fn wins_sentence(config: &RunConfig, encounter: Encounter, tally: &Tally, estimate: &Estimate) -> String {
    let [a, b] = names(config, encounter);
    let won = [0, 1].map(|side| tally.sides[side].matches_won);
    let legs = 2 * tally.wins.pairs;
    let [share, low, high] = estimate.share_won();
    // By the displayed interval: that of the mean has no width if every leg ended alike.
    let is_decided = low > 0.5 || high < 0.5;
    let shown = |share, low, high| rate(share, Some([low, high]));
    let drawn = if tally.drawn > 0 {
        format!(", {} without a winner", thousands(tally.drawn))
    } else {
        String::new()
    };
    // The winner's count comes first.
    let [first, second] = if is_decided && estimate.mean < 0.0 { [1, 0] } else { [0, 1] };
    let counts = format!(
        "{} to {}{drawn}, of {} matches in both seatings",
        thousands(won[first]),
        thousands(won[second]),
        thousands(legs)
    );
    if is_decided {
        let (winner, loser, share) = if estimate.mean > 0.0 {
            (a, b, shown(share, low, high))
        } else {
            (b, a, shown(1.0 - share, 1.0 - high, 1.0 - low))
        };
        format!("{winner} beats {loser} in {share} of the matches (95 %): {counts}")
    } else {
        format!(
            "No significant difference in matches won: {a} wins {} (95 %): {counts}",
            shown(share, low, high)
        )
    }
}

/// Returns which bot is ahead, one sentence each on matches and on points.
pub(super) fn verdicts(
    config: &RunConfig,
    encounter: Encounter,
    tally: &Tally,
    controlled: Option<&Controlled>,
) -> Vec<String> {
    let scope = scope(config, tally.points.pairs);
    let Some(points) = tally.points.estimate() else {
        return vec![format!("no deals were played: {scope}")];
    };
    let points = controlled.map_or(points, Controlled::estimate);
    let wins = tally.wins.estimate();
    let wins = wins.map(|wins| wins_sentence(config, encounter, tally, &wins));
    let (points, level) = points_sentence(config, encounter, &points);
    wins.into_iter().chain([format!("{points}{level}, {scope}")]).collect()
}

/// Returns the details behind the verdict: each leg by itself, and the gains of the pairs.
pub(super) fn details(config: &RunConfig, tally: &Tally) -> Vec<String> {
    let Some(points) = tally.points.estimate() else { return Vec::new() };
    let [first, second] = points.leg_means;
    let mut details = vec![
        format!("A − B: {first:+.1} with A North–South (seats 0, 2), {second:+.1} with A East–West"),
        differing(&points, tally.wins.estimate().as_ref()),
    ];
    if let (Some(sd), Some(leg_sd)) = (points.sd, points.leg_sd) {
        details.push(format!("standard deviation: {sd:.1} per pair, {leg_sd:.1} per single leg"));
    }
    if config.unit == Unit::Deal && config.rules.deal.shuffle == Shuffle::Cut {
        let text = "every deal starts from a shuffled deck; with --match the deck is only cut";
        details.push(text.to_owned());
    }
    details
}
