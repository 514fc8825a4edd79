//! One rating of many bots.

use coinche_inference::{
    BOOTSTRAP_BLOCKS, Blocks, BradleyTerry, MatchCounts, Pairing, StatsError, intransitive_triples,
    nash_average, rate,
};
use coinche_selfplay::base::error::ArenaError;
use coinche_selfplay::document::column::Column;
use coinche_selfplay::document::draw::{Ink, Mark, forest};
use coinche_selfplay::document::model::{Block, Cell, Picture, Section, Table, p_text, with_half};

use super::Place;
use crate::analysis::report::source::{Met, Run};

/// How often blocks are drawn, and with which seed: so that the page is the same every time.
const DRAWS: usize = 2000;
const SEED: u64 = 1;

/// The row of the equilibrium, where every two bots have met.
fn nash(bots: usize, met: &[Met<'_>]) -> Result<Option<coinche_inference::NashAverage>, StatsError> {
    let mut rows = vec![vec![None; bots]; bots];
    for met in met {
        let [a, b] = met.ends;
        if let Some(points) = met.points {
            (rows[a][b], rows[b][a]) = (Some(points.mean), Some(-points.mean));
        }
    }
    (0..bots).for_each(|bot| rows[bot][bot] = Some(0.0));
    let rows: Option<Vec<Vec<f64>>> = rows.into_iter().map(|row| row.into_iter().collect()).collect();
    rows.map(|rows| nash_average(&rows)).transpose()
}

/// Starts the table of ratings from points, and that of ratings from matches.
fn empty_tables(place: Place) -> [Table; 2] {
    let points = [
        Column::text("bot"),
        Column::estimate("rating").head("points"),
        Column::number("bootstrap_low"),
        Column::number("bootstrap_high"),
        Column::number("best").head("best in"),
        Column::number("nash_share").head("Nash share"),
        Column::number("nash_skill").head("Nash skill"),
    ];
    let elo = [Column::text("bot"), Column::estimate("elo").head("Elo")];
    let caption = "Elo ratings from matches won (Bradley–Terry model, mean 0).";
    [Table::new(place.name("rating"), "", &points), Table::new(place.name("elo"), caption, &elo)]
}

fn matches(run: &Run, met: &[Met<'_>], mut table: Table) -> Result<Table, StatsError> {
    if !run.form.of_matches() {
        return Ok(table);
    }
    let counts: Vec<_> = met
        .iter()
        .map(|met| {
            let [wins, losses] = [0, 1].map(|side: usize| met.figures.by_bot[side].matches_won);
            MatchCounts { a: met.ends[0], b: met.ends[1], wins, losses, draws: met.figures.drawn }
        })
        .collect();
    let blocks = run.blocks.as_ref().and_then(|blocks| blocks.wins.as_ref());
    let covariance = blocks.filter(|blocks| blocks.len() >= 2).map(Blocks::covariance).transpose()?;
    let fit = BradleyTerry::fit(run.form.bots.len(), &counts, covariance.as_ref(), 0.95)?;
    for (bot, rating) in fit.ratings.iter().enumerate() {
        let name = Cell::Text(run.form.name(bot));
        table.rows.push(vec![name, Cell::estimate(rating.elo, Some(rating.half_width), 1)]);
    }
    Ok(table)
}

fn triples_text(run: &Run, triples: &[[usize; 3]], level: f64) -> String {
    let [many, shown] = [triples.len(), triples.len().min(10)];
    if many == 0 {
        return format!(
            "No cycles: there are no three bots A, B, C where A beats B, B beats C and C beats A, each at the {} level.",
            coinche_selfplay::document::model::percent(level)
        );
    }
    let names: Vec<_> = triples[..shown]
        .iter()
        .map(|[a, b, c]| {
            let [a, b, c] = [a, b, c].map(|bot| run.form.name(*bot));
            format!("{a} beats {b}, {b} beats {c}, {c} beats {a}")
        })
        .collect();
    let more = if many > shown { format!("; and {} more", many - shown) } else { String::new() };
    format!("Cycles, which no single rating can express: {}{more}.", names.join("; "))
}

/// Rates more than two bots.
pub(super) fn section(run: &Run, place: Place) -> Result<Section, ArenaError> {
    let bots = run.form.bots.len();
    let met = run.form.met();
    let [mut table, elo] = empty_tables(place);
    if bots < 3 || run.form.crossplay.is_some() {
        return Ok(place.section("rating", "Rating", [table, elo].map(Block::Table).to_vec()));
    }
    let pairings: Option<Vec<_>> =
        met.iter().map(|met| Pairing::new(met.ends[0], met.ends[1], &met.points?)).collect();
    let Some(pairings) = pairings else {
        let text = "Ratings need at least two deals per pairing.".to_owned();
        let blocks = [vec![Block::Text(text)], [table, elo].map(Block::Table).to_vec()].concat();
        return Ok(place.section("rating", "Rating", blocks));
    };
    let blocks = run.blocks.as_ref().map(|blocks| &blocks.points).filter(|blocks| blocks.len() >= 2);
    let covariance = blocks.map(Blocks::covariance).transpose()?;
    let ratings = rate(bots, &pairings, covariance.as_ref(), 0.95)?;
    let drawn = blocks.filter(|blocks| blocks.len() >= BOOTSTRAP_BLOCKS);
    let bootstrap = drawn.map(|blocks| blocks.bootstrap(DRAWS, SEED, 0.95)).transpose()?;
    let nash = nash(bots, &met)?;
    let mut order: Vec<usize> = (0..bots).collect();
    order.sort_by(|a, b| ratings.ratings[*b].rating.total_cmp(&ratings.ratings[*a].rating));
    let mut marks = Vec::new();
    for bot in order {
        let rating = ratings.ratings[bot];
        let drawn = bootstrap.as_ref().map(|bootstrap| bootstrap.ratings[bot]);
        let interval = drawn
            .map_or([rating.rating - rating.half_width, rating.rating + rating.half_width], |drawn| {
                drawn.interval
            });
        table.rows.push(vec![
            Cell::Text(run.form.name(bot)),
            Cell::estimate(rating.rating, Some(rating.half_width), 1),
            Cell::maybe(drawn, |drawn| Cell::Signed(drawn.interval[0])),
            Cell::maybe(drawn, |drawn| Cell::Signed(drawn.interval[1])),
            Cell::maybe(drawn, |drawn| Cell::Share(drawn.best)),
            Cell::maybe(nash.as_ref(), |nash| Cell::Share(nash.weights[bot])),
            Cell::maybe(nash.as_ref(), |nash| Cell::Signed(nash.skills[bot])),
        ]);
        marks.push(Mark {
            label: run.form.name(bot),
            shown: with_half(rating.rating, Some(rating.half_width)),
            mean: rating.rating,
            interval: Some(interval),
            ink: Ink::of(rating.rating, Some(rating.half_width)),
        });
    }
    let svg = forest("Ratings", &format!("points per {} above the mean of all bots", run.form.unit), &marks);
    let how = match (&bootstrap, &covariance) {
        (Some(bootstrap), _) => format!(
            "Bootstrap low and high come from {} resamples of {} blocks of deals; “best in” is the share of resamples in \
             which the bot ranks first.",
            coinche_selfplay::base::style::thousands(bootstrap.draws as u64),
            coinche_selfplay::base::style::thousands(bootstrap.blocks as u64)
        ),
        (None, Some(_)) => {
            format!("No bootstrap: it needs at least {BOOTSTRAP_BLOCKS} blocks of deals.")
        }
        (None, None) => {
            "No bootstrap: the run has no sums by block of deals. Pairings are treated as independent, so \
                         the intervals are somewhat too narrow."
                .to_owned()
        }
    };
    let caption = "One rating per bot, fitted to all paired differences by least squares: the expected difference of two \
                   bots is the difference of their ratings. The mean is 0.";
    let mut blocks = vec![Block::Picture(Picture::new(svg, caption, table)), Block::Text(how)];
    if let Some(fit) = ratings.fit {
        blocks.push(Block::Text(format!(
            "Goodness of fit: {}. A small p means that one rating per bot does not explain all pairings; see the matrix.",
            p_text(fit)
        )));
    }
    blocks.push(Block::Text(if nash.is_some() {
        "Nash share: how often the equilibrium strategy picks each bot when two players each choose a bot to play with. \
         Nash skill: the expected difference against that strategy; 0 for the bots in it."
            .to_owned()
    } else {
        "Nash averaging and cycles need every pairing: --format round-robin.".to_owned()
    }));
    if nash.is_some() {
        // Bonferroni over the pairings, so that a triple is no accident of many comparisons.
        let level = 1.0 - 0.05 / f64::from(u32::try_from(pairings.len()).unwrap_or(u32::MAX));
        let triples = intransitive_triples(bots, &pairings, level);
        blocks.push(Block::Text(triples_text(run, &triples, level)));
    }
    blocks.push(Block::Table(matches(run, &met, elo)?));
    Ok(place.section("rating", "Rating", blocks))
}
