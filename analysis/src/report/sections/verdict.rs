//! The verdict in a sentence, and its scope.

use coinche_bots::says_sees_all;
use coinche_selfplay::document::model::rate;
use coinche_selfplay::{FreezeText, bound, plain, plus_minus, signed, thousands, with_half};

use super::crossplay;
use crate::report::source::{Met, Run, TestForm, rules_text};
use coinche_runs::verdict::{Forfeits, cheaters_line, differing, headline, scored_more, too_few};

/// Returns the scope: number of deals, seed and rules.
fn scope(run: &Run) -> String {
    let form = &run.form;
    let several = if form.of_matches() { "matches" } else { "deals" };
    let played = match form.done {
        1 => format!("1 {}", form.unit),
        n => format!("{} {several}", thousands(n)),
    };
    let short = if form.done < form.asked {
        format!(" (stopped early; {} requested)", thousands(form.asked))
    } else {
        String::new()
    };
    let shard = form.shard.as_ref().map_or_else(String::new, |shard| format!(", shard {shard}"));
    let (rules, _) = rules_text(&form.rules);
    let given = form.freeze.as_ref().and_then(FreezeText::in_words);
    let given = given.map_or_else(String::new, |given| format!(", {given}"));
    format!(
        "{played} in pairs{short}{shard}, seed {}, rules {rules}{given}. Each was played twice with the same cards \
             and the teams swapped. Differences are in points per {}; ± is a 95 % confidence interval.",
        form.seed, form.unit
    )
}

/// Returns the sentence about two bots.
fn of_pairing(run: &Run, met: &Met<'_>) -> String {
    let [a, b] = met.ends.map(|bot| run.form.name(bot));
    let unit = &run.form.unit;
    match met.reported() {
        None => format!("{a} and {b} played no deals."),
        Some(points) if points.is_decided() => {
            let (winner, loser) = if points.mean > 0.0 { (a, b) } else { (b, a) };
            let half = points.half_width.map_or_else(String::new, |half| plus_minus(half, 1));
            format!("{winner} beats {loser} by {}{half} points per {unit}.", plain(points.mean.abs()))
        }
        Some(points) => {
            let few = too_few(&points).map_or_else(String::new, |few| format!("{few}; "));
            let scored = scored_more([&a, &b], (points.mean, points.half_width), unit);
            format!("No significant difference: {few}{scored}.")
        }
    }
}

/// Reports forfeited legs if they exceed 1 % in some pairing.
fn of_forfeits(run: &Run, met: &[Met<'_>]) -> Option<Forfeits> {
    let pairings: Vec<_> = met.iter().map(|met| [met.figures.forfeited, met.figures.legs]).collect();
    let mut bots: Vec<_> = (0..run.form.bots.len()).map(|bot| (run.form.name(bot), 0)).collect();
    for met in met {
        for (bot, figures) in met.ends.into_iter().zip(&met.figures.by_bot) {
            let forfeits = figures.faults.iter().filter(|(kind, _)| *kind != "illegal");
            bots[bot].1 += forfeits.map(|(_, count)| count).sum::<u64>();
        }
    }
    Forfeits::of(&pairings, &bots)
}

/// Returns the sentence about matches won.
fn of_wins(run: &Run, met: &Met<'_>) -> Option<String> {
    let wins = met.wins?;
    let [a, b] = met.ends.map(|bot| run.form.name(bot));
    let [won, lost] = [0, 1].map(|side| thousands(met.figures.by_bot[side].matches_won));
    let [share, low, high] = wins.share_won();
    let drawn = match met.figures.drawn {
        0 => String::new(),
        n => format!(", {} had no winner", thousands(n)),
    };
    let decided = if low > 0.5 || high < 0.5 { "" } else { "; no significant difference in matches" };
    let share = rate(share, Some([low, high]));
    Some(format!("{a} won {won} matches and {b} {lost}{drawn}: {share} for {a}{decided}."))
}

/// Reports what the control explains, and the difference without it.
fn of_control(run: &Run, met: &Met<'_>) -> Option<String> {
    let (control, plain) = (run.form.control.as_ref()?, met.points?);
    let [a, b] = &control.bots;
    Some(format!(
        "Adjusted by the control {a} − {b}, whose difference is {} on {} other deals and {} on these: that leaves {:.0} % \
         of the variance. Without it A − B is {}.",
        signed(control.mean),
        thousands(control.deals),
        signed(control.mean_in_run),
        100.0 * control.variance_left,
        with_half(plain.mean, plain.half_width)
    ))
}

/// Reports the gain from playing in pairs.
fn of_pairs(met: &Met<'_>) -> Option<String> {
    let points = met.points?;
    let (sd, leg) = (points.sd?, points.leg_sd?);
    let gain = if sd > 0.0 {
        let times = leg * leg / (2.0 * sd * sd);
        format!("; pairing is worth {} times as many unpaired legs", plain(times))
    } else {
        String::new()
    };
    Some(format!("Standard deviation: {} per pair, {} per single leg{gain}.", plain(sd), plain(leg)))
}

/// Names the bots that see all hands.
fn of_cheaters(bots: &[String]) -> Option<String> {
    let cheats = |name: &&String| says_sees_all(name);
    cheaters_line(&bots.iter().filter(cheats).cloned().collect::<Vec<_>>())
}

/// Returns the verdict on a run, and its scope.
pub(super) fn of_run(run: &Run) -> (String, Vec<String>) {
    let met = run.form.met();
    let (verdict, lines) = of_play(run, &met);
    (headline(of_forfeits(run, &met).as_ref(), verdict), lines)
}

fn of_play(run: &Run, met: &[Met<'_>]) -> (String, Vec<String>) {
    let mut lines = vec![scope(run)];
    lines.extend(run.form.seen_lines());
    if let [only] = met {
        lines.extend(of_wins(run, only));
        lines.extend(only.points.map(|points| format!("{}.", differing(&points, only.wins.as_ref()))));
        lines.extend(of_pairs(only));
        lines.extend(of_control(run, only));
        return (of_pairing(run, only), lines);
    }
    if let Some(figures) = &run.form.crossplay {
        return (crossplay::verdict(figures, &run.form.unit), lines);
    }
    let decided = met.iter().filter(|met| met.points.is_some_and(|points| points.is_decided())).count();
    let best = best(run, met);
    (format!("{best}{decided} of {} differences are significant.", met.len()), lines)
}

/// Names the bot that is ahead of all its opponents with the entire interval.
fn best(run: &Run, met: &[Met<'_>]) -> String {
    let beats_all = |bot: usize| {
        let mut own = met.iter().filter(|met| met.ends.contains(&bot)).peekable();
        own.peek().is_some()
            && own.all(|met| {
                let sign = if met.ends[0] == bot { 1.0 } else { -1.0 };
                met.points.is_some_and(|points| points.is_decided() && sign * points.mean > 0.0)
            })
    };
    let everybody = run.form.format.as_deref() == Some("round-robin");
    match (0..run.form.bots.len()).find(|bot| beats_all(*bot)) {
        Some(bot) if everybody => format!("{} beats every other bot; ", run.form.name(bot)),
        Some(0) => format!("{} beats every bot it met; ", run.form.name(0)),
        _ => "No bot beats all others; ".to_owned(),
    }
}

/// Returns the verdict of a sequential test, and its scope.
pub(super) fn of_test(test: &TestForm) -> (String, Vec<String>) {
    let [a, b] = [&test.bots[0], &test.bots[1]];
    let deals = test.looks.last().map_or(0, |look| look.deals);
    let (lower, upper, unit) = (bound(test.plan.lower), bound(test.plan.upper), test.unit());
    let decision = match test.decision.as_str() {
        "upper" => format!("the upper bound of {upper} {unit} is accepted over {lower}"),
        "lower" => format!("the lower bound of {lower} {unit} is accepted over {upper}"),
        "undecided" => format!("undecided between {lower} and {upper} {unit}"),
        _ => "the test was stopped before a decision".to_owned(),
    };
    let decision = format!("{a} − {b}: {decision}.");
    let bots: Vec<_> = test.bots.iter().cloned().zip(test.forfeited).collect();
    let note = Forfeits::of(&[[test.forfeited.iter().sum(), test.legs]], &bots);
    let decision = headline(note.as_ref(), decision);
    let (rules, _) = rules_text(&test.rules);
    let given = test.freeze.as_ref().and_then(FreezeText::in_words);
    let given = given.map_or_else(String::new, |given| format!(", {given}"));
    let (deals, units) = (thousands(deals), if test.is_of_matches() { "matches" } else { "deals" });
    let (seed, alpha, beta) = (&test.seed, test.plan.alpha, test.plan.beta);
    let scope = format!(
        "Sequential test after {deals} {units} in pairs, seed {seed}, rules {rules}{given}. Error probabilities: {alpha} of \
         accepting the upper bound when the lower one is true, {beta} of the opposite."
    );
    let differ = test.estimate.map(|estimate| {
        format!("{} of {} pairs differ.", thousands(estimate.differing), thousands(estimate.pairs))
    });
    (decision, std::iter::once(scope).chain(of_cheaters(&test.bots)).chain(differ).collect())
}
