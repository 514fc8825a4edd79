//! The differences between bots.

use coinche_inference::holm;
use coinche_selfplay::document::columns::{BOT_A, BOT_B, DEALS, DIFFERENCE, P_VALUE, SD};
use coinche_selfplay::document::draw::{Mark, forest};
use coinche_selfplay::document::pairings::{self, drawn};
use coinche_selfplay::document::{Block, Picture, Section, Table, measured, named, p_text, signed};

use super::Place;
use crate::report::source::{Met, Run, Source};
use coinche_runs::figures::between;

/// The maximum number of intervals in a picture.
const MOST_MARKS: usize = 40;

fn pairings_table(run: &Run, place: Place, met: &[Met<'_>]) -> Table {
    let p_values: Vec<_> = met.iter().map(|met| met.points.and_then(|points| points.p_value())).collect();
    // Without a p-value there is no comparison.
    let mut corrected = holm(&p_values.iter().copied().flatten().collect::<Vec<_>>()).into_iter();
    let rows = met.iter().zip(p_values).map(|(met, p)| (met, p, p.and_then(|_| corrected.next())));
    let differing = named("differing", "pairs that differ: the two legs do not add up to 0");
    let sd_leg = measured("sd_leg", "points", "standard deviation of the difference in one leg");
    let p_holm = named("p_holm", "`p_value`, corrected for the number of pairings (Holm)");
    Table::of(place.name("differences"), "", rows)
        .text(BOT_A.head("A"), |(met, ..)| run.form.name(met.ends[0]))
        .text(BOT_B.head("B"), |(met, ..)| run.form.name(met.ends[1]))
        .count(DEALS.head("pairs"), |(met, ..)| met.points.map_or(0, |points| points.pairs))
        .count(differing.head("differ"), |(met, ..)| met.points.map_or(0, |points| points.differing))
        .estimate(DIFFERENCE.head("A − B"), |(met, ..)| met.points)
        .plain(SD.head("sd of a pair"), |(met, ..)| met.points.and_then(|points| points.sd))
        .plain(sd_leg.head("sd of a leg"), |(met, ..)| met.points.and_then(|points| points.leg_sd))
        .chance(P_VALUE.head("p"), |(_, p, _)| *p)
        .chance(p_holm.head("p (Holm)"), |(.., holm)| *holm)
        .build()
}

fn matrix(run: &Run, place: Place, met: &[Met<'_>]) -> Block {
    let form = &run.form;
    let bots = if met.len() == 1 || form.crossplay.is_some() { 0 } else { form.bots.len() };
    let between = |bot, other| between(met, bot, other);
    let every_two = (0..bots).flat_map(|bot| (0..bots).map(move |other| (bot, other)));
    let rows = every_two.filter_map(|(bot, other)| Some((bot, other, between(bot, other)?)));
    let table = Table::of(place.name("matrix"), "", rows)
        .text(BOT_A.head("bot"), |(bot, ..)| form.name(*bot))
        .text(BOT_B.head("against"), |(_, other, _)| form.name(*other))
        .estimate(DIFFERENCE.head("points"), |(.., points)| *points)
        .build();
    if bots == 0 {
        return Block::Table(table);
    }
    let order = form.by_strength();
    let title = |rank: usize| format!("{} {}", rank + 1, form.bots[order[rank]]);
    let tip = |rank, other| format!("{} against {}", title(rank), title(other));
    let ranked = |rank: usize, other: usize| between(order[rank], order[other]);
    let shown = pairings::matrix("", "", [0..bots, 0..bots], title, ranked);
    let svg = drawn("Points of the bot on the left against the bot above", &shown, tip, 1.0);
    let caption = format!(
        "Points per {} of the bot on the left against the bot above. Blue: ahead; orange: behind; grey: the 95 % interval contains 0.",
        form.unit
    );
    Block::Picture(Picture::new(svg, caption, table))
}

/// Compares the opponents of a gauntlet with each other.
fn opponents(run: &Run, place: Place) -> Option<Block> {
    let form = &run.form;
    if form.opponents.is_empty() {
        return None;
    }
    let (unit, first) = (&form.unit, form.name(0));
    let caption = format!("Points per {unit} of A less those of B, both against {first} on the same deals");
    let less = measured("difference", "points", "points of A against the first bot less those of B");
    let table = Table::of(place.name("opponents"), caption, &form.opponents)
        .text(BOT_A.head("A"), |found| form.name(found.a))
        .text(BOT_B.head("B"), |found| form.name(found.b))
        .estimate(less.head("A − B"), |found| found.points);
    Some(table.block())
}

/// Compares the bots of a run.
pub(super) fn section(run: &Run, place: Place) -> Section {
    let met = run.form.met();
    let unit = &run.form.unit;
    let table = pairings_table(run, place, &met);
    let mark = |met: &Met<'_>| Mark::of(run.form.versus(met.ends), met.reported());
    let order = run.form.by_strength();
    let rank = |bot: &usize| order.iter().position(|other| other == bot);
    let mut ranked: Vec<_> = met.iter().collect();
    ranked.sort_by_key(|met| met.ends.each_ref().map(rank));
    let marks: Vec<_> = ranked.into_iter().filter_map(mark).take(MOST_MARKS).collect();
    let left = met.len() - marks.len();
    let more = if left > 0 { format!(" The other {left} are in the table.") } else { String::new() };
    let caption = format!(
        "Paired differences with 95 % confidence intervals. Right of 0 the first bot is ahead, left of 0 the second; \
         grey intervals contain 0.{more}"
    );
    let svg = forest("Paired differences", &format!("points per {unit}"), &marks);
    let mut blocks = vec![Block::Picture(Picture::new(svg, caption, table)), matrix(run, place, &met)];
    if let [only] = met.as_slice() {
        if let Some(points) = only.points {
            let [first, second] = points.leg_means.map(signed);
            let [a, b] = only.ends.map(|bot| run.form.name(bot));
            let p = points.p_value().map_or_else(String::new, |p| {
                format!(" Under the hypothesis of no difference, {}.", p_text(p))
            });
            blocks.push(Block::Text(format!(
                "{a} − {b} is {first} when {a} sits North–South (seats 0 and 2) and {second} when it sits East–West (seats 1 and 3).{p}"
            )));
        }
    } else {
        blocks.extend(opponents(run, place));
    }
    place.section("differences", "Who is ahead", blocks)
}

/// A difference of a report: its number, the bots, how it was tested, the number of pairs, and the difference.
type Reported = (usize, [String; 2], &'static str, u64, (f64, Option<f64>));

/// Compares several runs and tests.
pub(super) fn overview(sources: &[Source]) -> Section {
    let mut rows: Vec<Reported> = Vec::new();
    let mut units = Vec::new();
    for (report, source) in (1..).zip(sources) {
        match source {
            Source::Run(run) => {
                units.push(run.form.unit.as_str());
                rows.extend(run.form.met().iter().filter_map(|met| {
                    let points = met.reported()?;
                    let names = met.ends.map(|bot| run.form.name(bot));
                    Some((report, names, "", points.pairs, (points.mean, points.half_width)))
                }));
            }
            // Matches won are percentages, not points.
            Source::Test(test) if test.is_of_matches() => {}
            Source::Test(test) => {
                units.push("deal");
                let names = [0, 1].map(|bot: usize| test.bots[bot].clone());
                rows.extend(test.estimate.map(|estimate| {
                    (report, names, " (sequential)", estimate.pairs, (estimate.mean, estimate.half_width))
                }));
            }
        }
    }
    let mark =
        |(report, [a, b], how, _, points): &Reported| Mark::of(format!("{report}. {a} − {b}{how}"), *points);
    let marks: Vec<_> = rows.iter().filter_map(mark).take(MOST_MARKS).collect();
    let report = measured("report", "from 1", "number of the report on the page");
    let table = Table::of("overview", "", rows)
        .count(report, |(report, ..)| *report)
        .text(BOT_A.head("A"), |(_, [a, _], ..)| a.clone())
        .text(BOT_B.head("B"), |(_, [_, b], ..)| b.clone())
        .count(DEALS.head("pairs"), |(.., pairs, _)| *pairs)
        .estimate(DIFFERENCE.head("A − B"), |(.., difference)| *difference)
        .build();
    units.dedup();
    let unit = if let [unit] = units[..] { unit } else { "deal or match" };
    let svg = forest("Paired differences of all reports", &format!("points per {unit}"), &marks);
    let caption = "Paired differences of all reports, with 95 % confidence intervals. Compare them only if seed, rules \
                   and number of deals are the same.";
    Section::new("overview", "Overview", vec![Block::Picture(Picture::new(svg, caption, table))])
}
