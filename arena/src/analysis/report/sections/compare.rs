//! Who is how far ahead of whom.

use coinche_inference::holm;
use coinche_selfplay::document::column::Column;
use coinche_selfplay::document::draw::{GridCell, Ink, Mark, forest, grid};
use coinche_selfplay::document::model::{
    Block, Cell, Picture, Section, Table, p_text, plain, signed, with_half,
};

use super::{Place, mark, verdict};
use crate::analysis::report::source::{Met, Run, Source};

/// The most intervals of a picture.
const MOST_MARKS: usize = 40;

fn pairings_table(run: &Run, place: Place, met: &[Met<'_>]) -> Table {
    let heads = [
        Column::text("bot_a").head("A"),
        Column::text("bot_b").head("B"),
        Column::count("deals").head("pairs"),
        Column::count("differing").head("differ"),
        Column::estimate("difference").head("A − B"),
        Column::number("sd").head("sd of a pair"),
        Column::number("sd_leg").head("sd of a leg"),
        Column::number("p_value").head("p"),
        Column::number("p_holm").head("p (Holm)"),
    ];
    let mut table = Table::new(place.name("differences"), "", &heads);
    let p_values: Vec<_> = met.iter().map(|met| met.points.and_then(|points| points.p_value())).collect();
    // What has no p-value is no comparison.
    let mut corrected = holm(&p_values.iter().copied().flatten().collect::<Vec<_>>()).into_iter();
    for (met, p) in met.iter().zip(p_values) {
        let [a, b] = met.ends.map(|bot| Cell::Text(run.form.name(bot)));
        let points = met.points;
        table.rows.push(vec![
            a,
            b,
            Cell::Count(points.map_or(0, |points| points.pairs)),
            Cell::Count(points.map_or(0, |points| points.differing)),
            Cell::maybe(points, |points| Cell::estimate(points.mean, points.half_width, 1)),
            Cell::maybe(points.and_then(|points| points.sd), Cell::Plain),
            Cell::maybe(points.and_then(|points| points.leg_sd), Cell::Plain),
            Cell::maybe(p, Cell::Chance),
            Cell::maybe(p.and_then(|_| corrected.next()), Cell::Chance),
        ]);
    }
    table
}

/// The class of the colour of a difference, out of the largest one.
pub(crate) fn shade(mean: f64, largest: f64, decided: bool) -> String {
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
    let heads = [
        Column::text("bot_a").head("bot"),
        Column::text("bot_b").head("against"),
        Column::estimate("difference").head("points"),
    ];
    let mut table = Table::new(place.name("matrix"), "", &heads);
    if met.len() == 1 || run.form.crossplay.is_some() {
        return Block::Table(table);
    }
    let mut rows = Vec::new();
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
            table.rows.push(vec![
                Cell::Text(run.form.name(bot)),
                Cell::Text(run.form.name(other)),
                Cell::estimate(mean, points.half_width, 1),
            ]);
        }
        rows.push((title(bot), cells));
    }
    let columns: Vec<_> = (1..=bots).map(|bot| bot.to_string()).collect();
    let svg = grid("Points of the bot on the left against the bot above", &columns, &rows);
    let caption = format!(
        "Points per {} of the bot on the left against the bot above. Blue: ahead; orange: behind; grey: the 95 % interval contains 0.",
        run.form.unit
    );
    Block::Picture(Picture::new(svg, caption, table))
}

/// Compares the opponents of a gauntlet with each other.
fn opponents(run: &Run, place: Place) -> Option<Block> {
    let form = &run.form;
    if form.opponents.is_empty() {
        return None;
    }
    let heads = [
        Column::text("bot_a").head("A"),
        Column::text("bot_b").head("B"),
        Column::estimate("difference").head("A − B"),
    ];
    let caption = format!(
        "Points per {} of A less those of B, both against {} on the same deals",
        form.unit,
        form.name(0)
    );
    let mut table = Table::new(place.name("opponents"), caption, &heads);
    for found in &form.opponents {
        let points = found.points;
        table.rows.push(vec![
            Cell::Text(form.name(found.a)),
            Cell::Text(form.name(found.b)),
            Cell::estimate(points.mean, Some(points.half_width), 1),
        ]);
    }
    Some(Block::Table(table))
}

/// Compares the bots of a run.
pub(super) fn section(run: &Run, place: Place) -> Section {
    let met = run.form.met();
    let unit = &run.form.unit;
    let mut table = pairings_table(run, place, &met);
    let marks: Vec<Mark> =
        met.iter().filter_map(|met| mark(run.form.versus(met.ends), met)).take(MOST_MARKS).collect();
    let left = met.len() - marks.len();
    let more = if left > 0 { format!(" The other {left} are in the table.") } else { String::new() };
    let caption = format!(
        "Paired differences with 95 % confidence intervals. Right of 0 the first bot is ahead, left of 0 the second; \
         grey intervals contain 0.{more}"
    );
    let svg = forest("Paired differences", &format!("points per {unit}"), &marks);
    table.caption = String::new();
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
    let mut table = Table::new(
        "overview",
        "",
        &[
            Column::count("report"),
            Column::text("bot_a").head("A"),
            Column::text("bot_b").head("B"),
            Column::count("deals").head("pairs"),
            Column::estimate("difference").head("A − B"),
        ],
    );
    let mut marks = Vec::new();
    let mut units = Vec::new();
    for (n, source) in sources.iter().enumerate() {
        let mut row = |a: String, b: String, pairs: u64, mean: f64, half: Option<f64>| {
            table.rows.push(vec![
                Cell::Count(n as u64 + 1),
                Cell::Text(a),
                Cell::Text(b),
                Cell::Count(pairs),
                Cell::estimate(mean, half, 1),
            ]);
        };
        match source {
            Source::Run(run) => {
                units.push(run.form.unit.clone());
                for met in run.form.met() {
                    let [a, b] = met.ends.map(|bot| run.form.name(bot));
                    if let Some(points) = met.told() {
                        row(a, b, points.pairs, points.mean, points.half_width);
                    }
                    marks.extend(mark(format!("{}. {}", n + 1, run.form.versus(met.ends)), &met));
                }
            }
            // Of matches won: percentages, which are no points.
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
