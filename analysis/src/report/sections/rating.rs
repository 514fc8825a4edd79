//! One rating of many bots.

use coinche_inference::{
    BOOTSTRAP_BLOCKS, Blocks, BootstrapRating, BradleyTerry, MatchCounts, MatchRating, Pairing, StatsError,
    intransitive_triples, nash_average, rate,
};
use coinche_selfplay::base::error::ArenaError;
use coinche_selfplay::document::column::{measured, named};
use coinche_selfplay::document::columns::{BEST, BOT, RATING};
use coinche_selfplay::document::draw::{Mark, forest};
use coinche_selfplay::document::model::{Block, Picture, Section, Table, p_text};

use super::Place;
use crate::report::source::{Met, Run};

/// The number of bootstrap draws; the seed is fixed, so that the page is the same every time.
const DRAWS: usize = 2000;
const SEED: u64 = 1;

/// Returns the row of the Nash equilibrium, if every two bots have met.
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

/// A rating from points, with its bootstrap and Nash averaging results.
struct Row {
    bot: String,
    rating: f64,
    half_width: f64,
    drawn: Option<BootstrapRating>,
    nash: Option<[f64; 2]>,
}

/// The table of ratings from points.
fn ratings_table(place: Place, rows: Vec<Row>) -> Table {
    let low = "ends of the bootstrap’s 95 % interval of `rating`";
    let skill = "expected difference against the Nash average, at most 0";
    Table::of(place.name("rating"), "", rows)
        .text(BOT, |row| row.bot.clone())
        .estimate(RATING.head("points"), |row| (row.rating, Some(row.half_width)))
        .signed(measured("bootstrap_low", "points", low), |row| row.drawn.map(|drawn| drawn.interval[0]))
        .signed(measured("bootstrap_high", "points", low), |row| row.drawn.map(|drawn| drawn.interval[1]))
        .share(BEST.head("best in"), |row| row.drawn.map(|drawn| drawn.best))
        .share(named("nash_share", "share of the bot in the Nash average").head("Nash share"), |row| {
            row.nash.map(|[share, _]| share)
        })
        .signed(measured("nash_skill", "points", skill).head("Nash skill"), |row| {
            row.nash.map(|[_, skill]| skill)
        })
        .build()
}

/// The table of ratings from matches.
fn elo_table(place: Place, rows: Vec<(String, MatchRating)>) -> Table {
    let caption = "Elo ratings from matches won (Bradley–Terry model, mean 0).";
    let elo = measured("elo", "Elo", "rating from matches won (Bradley–Terry), the mean of all 0");
    Table::of(place.name("elo"), caption, rows)
        .text(BOT, |(bot, _)| bot.clone())
        .estimate(elo.head("Elo"), |(_, rating)| (rating.elo, Some(rating.half_width)))
        .build()
}

fn matches(run: &Run, met: &[Met<'_>], place: Place) -> Result<Table, StatsError> {
    if !run.form.of_matches() {
        return Ok(elo_table(place, Vec::new()));
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
    let rows = fit.ratings.into_iter().enumerate().map(|(bot, rating)| (run.form.name(bot), rating));
    Ok(elo_table(place, rows.collect()))
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
    let empty =
        || [ratings_table(place, Vec::new()), elo_table(place, Vec::new())].map(Block::Table).to_vec();
    if bots < 3 || run.form.crossplay.is_some() {
        return Ok(place.section("rating", "Rating", empty()));
    }
    let pairings: Option<Vec<_>> =
        met.iter().map(|met| Pairing::new(met.ends[0], met.ends[1], &met.points?)).collect();
    let Some(pairings) = pairings else {
        let text = "Ratings need at least two deals per pairing.".to_owned();
        let blocks = [vec![Block::Text(text)], empty()].concat();
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
    let (mut rows, mut marks) = (Vec::new(), Vec::new());
    for bot in order {
        let rating = ratings.ratings[bot];
        let drawn = bootstrap.as_ref().map(|bootstrap| bootstrap.ratings[bot]);
        rows.push(Row {
            bot: run.form.name(bot),
            rating: rating.rating,
            half_width: rating.half_width,
            drawn,
            nash: nash.as_ref().map(|nash| [nash.weights[bot], nash.skills[bot]]),
        });
        let points = (rating.rating, Some(rating.half_width));
        let mark = Mark::of(run.form.name(bot), points);
        marks.extend(mark.map(|mark| Mark {
            interval: drawn.map_or(mark.interval, |drawn| Some(drawn.interval)),
            ..mark
        }));
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
    let mut blocks =
        vec![Block::Picture(Picture::new(svg, caption, ratings_table(place, rows))), Block::Text(how)];
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
        // Bonferroni correction over the pairings, so that an intransitive triple is not an artefact of many
        // comparisons.
        let level = 1.0 - 0.05 / f64::from(u32::try_from(pairings.len()).unwrap_or(u32::MAX));
        let triples = intransitive_triples(bots, &pairings, level);
        blocks.push(Block::Text(triples_text(run, &triples, level)));
    }
    blocks.push(Block::Table(matches(run, &met, place)?));
    Ok(place.section("rating", "Rating", blocks))
}
