//! One rating of many bots.

use coinche_inference::{BOOTSTRAP_BLOCKS, Pairing};
use coinche_selfplay::document::columns::{BEST, BOT, RATING};
use coinche_selfplay::document::draw::{Mark, forest};
use coinche_selfplay::{Block, Picture, Section, Table, measured, named, p_text, thousands};

use super::Place;
use crate::cycles::cycles;
use crate::report::source::Run;
use coinche_runs::figures::JointBot;

/// The table of ratings from points.
fn ratings_table(place: Place, bots: &[JointBot]) -> Table {
    let low = "ends of the bootstrap’s 95 % interval of `rating`";
    let skill = measured("nash_skill", "points", "expected difference against the Nash average, at most 0");
    let share = named("nash_share", "share of the bot in the Nash average");
    Table::of(place.name("rating"), "", bots)
        .text(BOT, |it| &it.bot)
        .estimate(RATING.head("points"), |it| (it.rating, it.half_width))
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

/// Rates more than two bots.
pub(super) fn section(run: &Run, place: Place) -> Section {
    let bots = run.form.bots.len();
    let met = run.form.met();
    let empty = || [ratings_table(place, &[]), elo_table(place, &[])].map(Block::Table).to_vec();
    if bots < 3 || run.form.crossplay.is_some() {
        return place.section("rating", "Rating", empty());
    }
    let pairings: Option<Vec<_>> =
        met.iter().map(|met| Pairing::new(met.ends[0], met.ends[1], &met.points?)).collect();
    let Some((pairings, joint)) = pairings.zip(run.form.joint.as_ref()) else {
        let text = "Ratings need at least two deals per pairing.".to_owned();
        let blocks = [vec![Block::Text(text)], empty()].concat();
        return place.section("rating", "Rating", blocks);
    };
    let mut figures = joint.bots.clone();
    figures.iter_mut().enumerate().for_each(|(bot, it)| it.bot = run.form.name(bot));
    let has_nash = figures.iter().any(|it| it.nash_weight.is_some());
    let elo = elo_table(place, &figures);
    figures.sort_by(|a, b| b.rating.total_cmp(&a.rating));
    let mark = |it: &JointBot| {
        let mark = Mark::of(&it.bot, (it.rating, it.half_width))?;
        Some(Mark { interval: it.bootstrap.or(mark.interval), ..mark })
    };
    let marks: Vec<_> = figures.iter().filter_map(mark).collect();
    let svg = forest("Ratings", &format!("points per {} above the mean of all bots", run.form.unit), &marks);
    let how = match joint.bootstrap {
        Some([blocks, draws]) => format!(
            "Bootstrap low and high come from {} resamples of {} blocks of deals; “best in” is the share of resamples in \
             which the bot ranks first.",
            thousands(draws as u64),
            thousands(blocks as u64)
        ),
        None => format!("No bootstrap: it needs at least {BOOTSTRAP_BLOCKS} blocks of deals."),
    };
    let caption = "One rating per bot, fitted to all paired differences by least squares: the expected difference of two \
                   bots is the difference of their ratings. The mean is 0.";
    let mut blocks =
        vec![Block::Picture(Picture::new(svg, caption, ratings_table(place, &figures))), Block::Text(how)];
    if let Some(fit) = joint.fit {
        blocks.push(Block::Text(format!(
            "Goodness of fit: {}. A small p means that one rating per bot does not explain all pairings; see the matrix.",
            p_text(fit)
        )));
    }
    blocks.push(Block::text(if has_nash {
        "Nash share: how often the equilibrium strategy picks each bot when two players each choose a bot to play with. \
         Nash skill: the expected difference against that strategy; 0 for the bots in it."
    } else {
        "Nash averaging and cycles need every pairing: --format round-robin."
    }));
    if has_nash {
        blocks.push(Block::Text(cycles(bots, &pairings, |bot| run.form.name(bot))));
    }
    blocks.push(Block::Table(elo));
    place.section("rating", "Rating", blocks)
}
