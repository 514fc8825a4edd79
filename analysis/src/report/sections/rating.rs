//! One rating of many bots.

use coinche_inference::{BOOTSTRAP_BLOCKS, Blocks, BradleyTerry, MatchCounts, Pairing, StatsError, rate};
use coinche_selfplay::base::Result;
use coinche_selfplay::document::columns::{BEST, BOT, RATING};
use coinche_selfplay::document::draw::{Mark, forest};
use coinche_selfplay::document::{Block, Picture, Section, Table, measured, named, p_text};

use super::Place;
use crate::cycles::cycles;
use crate::report::source::{Met, Run};
use coinche_runs::figures::{JointBot, between, joint_bots, nash};

/// The number of bootstrap draws; the seed is fixed, so that the page is the same every time.
const DRAWS: usize = 2000;
const SEED: u64 = 1;

/// The table of ratings from points.
fn ratings_table(place: Place, bots: &[JointBot]) -> Table {
    let low = "ends of the bootstrap’s 95 % interval of `rating`";
    let skill = measured("nash_skill", "points", "expected difference against the Nash average, at most 0");
    let share = named("nash_share", "share of the bot in the Nash average");
    Table::of(place.name("rating"), "", bots)
        .text(BOT, |it| &it.bot)
        .estimate(RATING.head("points"), |it| (it.rating, Some(it.half_width)))
        .signed(measured("bootstrap_low", "points", low), |it| it.bootstrap.map(|[low, _]| low))
        .signed(measured("bootstrap_high", "points", low), |it| it.bootstrap.map(|[_, high]| high))
        .share(BEST.head("best in"), |it| it.best)
        .share(share.head("Nash share"), |it| it.nash_weight)
        .signed(skill.head("Nash skill"), |it| it.nash_skill)
        .build()
}

/// The table of ratings from matches.
fn elo_table(place: Place, bots: &[JointBot]) -> Table {
    let caption = "Elo ratings from matches won (Bradley–Terry model, mean 0).";
    let elo = measured("elo", "Elo", "rating from matches won (Bradley–Terry), the mean of all 0");
    let rows = bots.iter().filter_map(|it| Some((&it.bot, it.elo?)));
    Table::of(place.name("elo"), caption, rows)
        .text(BOT, |(bot, _)| *bot)
        .estimate(elo.head("Elo"), |(_, [elo, half])| (*elo, Some(*half)))
        .build()
}

/// Rates the bots by the matches that they won; `None` where deals are played.
fn elo(run: &Run, met: &[Met<'_>]) -> Result<Option<BradleyTerry>, StatsError> {
    if !run.form.of_matches() {
        return Ok(None);
    }
    let counts = met.iter().map(|met| {
        let [wins, losses] = [0, 1].map(|side: usize| met.figures.by_bot[side].matches_won);
        MatchCounts { a: met.ends[0], b: met.ends[1], wins, losses, draws: met.figures.drawn }
    });
    let blocks = run.blocks.as_ref().and_then(|blocks| blocks.wins.as_ref());
    let covariance = blocks.filter(|blocks| blocks.len() >= 2).map(Blocks::covariance).transpose()?;
    BradleyTerry::fit(run.form.bots.len(), &counts.collect::<Vec<_>>(), covariance.as_ref(), 0.95).map(Some)
}

/// Rates more than two bots.
pub(super) fn section(run: &Run, place: Place) -> Result<Section> {
    let bots = run.form.bots.len();
    let met = run.form.met();
    let empty = || [ratings_table(place, &[]), elo_table(place, &[])].map(Block::Table).to_vec();
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
    let nash = nash(bots, |bot, other| Some(between(&met, bot, other)?.0))?;
    let names = (0..bots).map(|bot| run.form.name(bot));
    let elo = elo(run, &met)?;
    let mut figures = joint_bots(names, &ratings, bootstrap.as_ref(), elo.as_ref(), nash.as_ref());
    let elo = elo_table(place, &figures);
    figures.sort_by(|a, b| b.rating.total_cmp(&a.rating));
    let mark = |it: &JointBot| {
        let mark = Mark::of(&it.bot, (it.rating, Some(it.half_width)))?;
        Some(Mark { interval: it.bootstrap.or(mark.interval), ..mark })
    };
    let marks: Vec<_> = figures.iter().filter_map(mark).collect();
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
        vec![Block::Picture(Picture::new(svg, caption, ratings_table(place, &figures))), Block::Text(how)];
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
        blocks.push(Block::Text(cycles(bots, &pairings, |bot| run.form.name(bot))));
    }
    blocks.push(Block::Table(elo));
    Ok(place.section("rating", "Rating", blocks))
}
