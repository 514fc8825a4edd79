//! The differences between bots.

use coinche_inference::holm;
use coinche_selfplay::document::column::{measured, named};
use coinche_selfplay::document::columns::{BOT_A, BOT_B, DEALS, DIFFERENCE, P_VALUE, SD};
use coinche_selfplay::document::draw::{GridCell, Ink, Mark, forest, grid};
use coinche_selfplay::document::model::{Block, Picture, Section, Table, p_text, plain, signed, with_half};

use super::{Place, mark, verdict};
use crate::report::source::{Met, Run, Source};

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

/// Returns the colour class of a difference, relative to the largest one.
pub fn shade(mean: f64, largest: f64, decided: bool) -> String {
    if !decided || largest <= 0.0 {
        return "d0".to_owned();
    }
    #[expect(clippy::cast_possible_truncation, reason = "1 to 4")]
    let step = (mean.abs() / largest * 4.0).ceil().clamp(1.0, 4.0) as i32;
    format!("d{}", if mean < 0.0 { -step } else { step })
}

fn matrix(run: &Run, place: Place, met: &[Met<'_>]) -> Block {
    let bots = run.form.bots.len();
    let largest =
        met.iter().filter_map(|met| met.points).fold(0.0, |most: f64, points| most.max(points.mean.abs()));
    let title = |bot: usize| format!("{} {}", bot + 1, run.form.bots[bot]);
    let table = |rows: Vec<(usize, usize, f64, Option<f64>)>| {
        Table::of(place.name("matrix"), "", rows)
            .text(BOT_A.head("bot"), |(bot, ..)| run.form.name(*bot))
            .text(BOT_B.head("against"), |(_, other, ..)| run.form.name(*other))
            .estimate(DIFFERENCE.head("points"), |(.., mean, half)| (*mean, *half))
            .build()
    };
    if met.len() == 1 || run.form.crossplay.is_some() {
        return Block::Table(table(Vec::new()));
    }
    let (mut numbers, mut rows) = (Vec::new(), Vec::new());
    for bot in 0..bots {
        let mut cells = vec![GridCell::default(); bots];
        for met in met {
            let (other, sign) = match met.ends {
                [a, b] if a == bot => (b, 1.0),
                [a, b] if b == bot => (a, -1.0),
                _ => continue,
            };
            let Some(points) = met.points else { continue };
            let mean = sign * points.mean;
            cells[other] = GridCell {
                shade: shade(mean, largest, points.is_decided()),
                text: signed(mean),
                below: points.half_width.map_or_else(String::new, |half| format!("± {}", plain(half))),
                tip: format!(
                    "{} against {}: {}",
                    title(bot),
                    title(other),
                    with_half(mean, points.half_width)
                ),
            };
            numbers.push((bot, other, mean, points.half_width));
        }
        rows.push((title(bot), cells));
    }
    let columns: Vec<_> = (1..=bots).map(|bot| bot.to_string()).collect();
    let svg = grid("Points of the bot on the left against the bot above", &columns, &rows);
    let caption = format!(
        "Points per {} of the bot on the left against the bot above. Blue: ahead; orange: behind; grey: the 95 % interval contains 0.",
        run.form.unit
    );
    Block::Picture(Picture::new(svg, caption, table(numbers)))
}

/// Compares the opponents of a gauntlet with each other.
fn opponents(run: &Run, place: Place) -> Option<Block> {
    let form = &run.form;
    if form.opponents.is_empty() {
        return None;
    }
    let caption = format!(
        "Points per {} of A less those of B, both against {} on the same deals",
        form.unit,
        form.name(0)
    );
    let less = measured("difference", "points", "points of A against the first bot less those of B");
    let table = Table::of(place.name("opponents"), caption, &form.opponents)
        .text(BOT_A.head("A"), |found| form.name(found.a))
        .text(BOT_B.head("B"), |found| form.name(found.b))
        .estimate(less.head("A − B"), |found| found.points)
        .build();
    Some(Block::Table(table))
}

/// Compares the bots of a run.
pub(super) fn section(run: &Run, place: Place) -> Section {
    let met = run.form.met();
    let unit = &run.form.unit;
    let table = pairings_table(run, place, &met);
    let marks: Vec<Mark> =
        met.iter().filter_map(|met| mark(run.form.versus(met.ends), met)).take(MOST_MARKS).collect();
    let left = met.len() - marks.len();
    let more = if left > 0 { format!(" The other {left} are in the table.") } else { String::new() };
    let caption = format!(
        "Paired differences with 95 % confidence intervals. Right of 0 the first bot is ahead, left of 0 the second; \
         grey intervals contain 0.{more}"
    );
    let svg = forest("Paired differences", &format!("points per {unit}"), &marks);
    let mut blocks = vec![Block::Picture(Picture::new(svg, caption, table))];
    let matrix = matrix(run, place, &met);
    if let [only] = met.as_slice() {
        blocks.push(matrix);
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
        blocks.push(matrix);
        blocks.push(Block::Items(met.iter().map(|met| verdict::of_pairing(run, met)).collect()));
        blocks.extend(opponents(run, place));
    }
    place.section("differences", "Who is ahead", blocks)
}

/// Compares several runs and tests.
pub(super) fn overview(sources: &[Source]) -> Section {
    let mut rows = Vec::new();
    let mut marks = Vec::new();
    let mut units = Vec::new();
    for (n, source) in sources.iter().enumerate() {
        let mut row = |a: String, b: String, pairs: u64, mean: f64, half: Option<f64>| {
            rows.push((n + 1, a, b, pairs, (mean, half)));
        };
        match source {
            Source::Run(run) => {
                units.push(run.form.unit.clone());
                for met in run.form.met() {
                    let [a, b] = met.ends.map(|bot| run.form.name(bot));
                    if let Some(points) = met.reported() {
                        row(a, b, points.pairs, points.mean, points.half_width);
                    }
                    marks.extend(mark(format!("{}. {}", n + 1, run.form.versus(met.ends)), &met));
                }
            }
            // Matches won are percentages, not points.
            Source::Test(test) if test.is_of_matches() => {}
            Source::Test(test) => {
                units.push("deal".to_owned());
                if let Some(estimate) = test.estimate {
                    let [a, b] = [&test.bots[0], &test.bots[1]];
                    row(a.clone(), b.clone(), estimate.pairs, estimate.mean, estimate.half_width);
                    marks.push(Mark {
                        label: format!("{}. {a} − {b} (sequential)", n + 1),
                        shown: with_half(estimate.mean, estimate.half_width),
                        mean: estimate.mean,
                        interval: estimate
                            .half_width
                            .map(|half| [estimate.mean - half, estimate.mean + half]),
                        ink: Ink::of(estimate.mean, estimate.half_width),
                    });
                }
            }
        }
    }
    let report = measured("report", "from 1", "number of the report on the page");
    let table = Table::of("overview", "", rows)
        .count(report, |(report, ..)| *report)
        .text(BOT_A.head("A"), |(_, a, ..)| a.clone())
        .text(BOT_B.head("B"), |(_, _, b, ..)| b.clone())
        .count(DEALS.head("pairs"), |(.., pairs, _)| *pairs)
        .estimate(DIFFERENCE.head("A − B"), |(.., difference)| *difference)
        .build();
    marks.truncate(MOST_MARKS);
    units.dedup();
    let unit = if units.len() == 1 {
        format!("points per {}", units[0])
    } else {
        "points per deal or match".to_owned()
    };
    let svg = forest("Paired differences of all reports", &unit, &marks);
    let caption = "Paired differences of all reports, with 95 % confidence intervals. Compare them only if seed, rules \
                   and number of deals are the same.";
    let blocks = vec![Block::Picture(Picture::new(svg, caption, table))];
    Section { id: "overview".to_owned(), title: "Overview".to_owned(), blocks }
}
