//! The document of losses.

use coinche_inference::ratio::{Mean, Ratio};
use coinche_selfplay::document::columns::{
    BOT, BOT_A, BOT_B, CALL, CAUSE, KNOWN_LOSING, SCORE_LOSING, SCORE_LOST_EACH, SCORE_LOST_KNOWN,
    SCORE_LOST_KNOWN_EACH,
};
use coinche_selfplay::{
    Block, Column, Document, Estimate, Table, TableOf, amount, measured, named, thousands, with_half,
};

use super::Settings;
use super::auction::CAUSES;
use super::audit::HABITS;
use super::decision::groups;
use super::knowing::PARTS;
use super::totals::{BotTotals, CALLS, Running, Sizes, Totals, of_a_side};

/// Explains how to read the numbers.
pub(super) const NOTE: &str = "Losses are double dummy: a sound decision that the hidden cards happen to \
punish counts as a loss. Only differences between bots on the same deals are meaningful.";

/// The columns of comparisons, by [`super::totals::MEASURES`].
fn compared() -> [Column; 5] {
    let lost_known = "score lost by its cards according to the bot of `--by`";
    [
        measured("cards_card_points_lost", "card points", "card points lost by the cards of a side in a leg")
            .head("card play, card points"),
        measured("cards_score_lost", "points", "score lost by its cards").head("card play, score"),
        measured("auction_score_lost", "points", "score lost by its auction").head("auction, score"),
        measured("cards_score_lost_known", "points", lost_known).head("card play, score, as far as known"),
        measured("calls_score_lost_known", "points", "score lost by its calls according to that bot")
            .head("calls, score, as far as known"),
    ]
}

/// Returns the tables, with their scope.
pub fn document(settings: &Settings, totals: &Totals) -> Document {
    let (deals, legs) = (thousands(totals.units), thousands(totals.legs));
    let sample = match settings.sample {
        1.0 => String::new(),
        sample => format!(", a sample of {sample} with seed {}", settings.seed),
    };
    let mut scope = vec![format!(
        "{deals} deals, {legs} legs, {} passed out{sample}. ± is a 95 % confidence interval with the deal as the unit.",
        thousands(totals.thrown_in)
    )];
    for (count, what) in [
        (totals.forfeited, "forfeited, omitted"),
        (totals.unscored, "without score losses: no exact value, see docs/judge.md"),
        (totals.wrong_lines, "invalid records, omitted"),
    ] {
        if count > 0 {
            scope.push(format!("{}: {what}.", thousands(count)));
        }
    }
    scope.push(NOTE.to_owned());
    if let Some(by) = &settings.by {
        scope.push(format!("\"As far as known\": the loss estimated by {by} from what the seat could know."));
    }
    let mut blocks = vec![Block::Table(lost(totals)), Block::Table(comparisons(totals))];
    for (n, bot) in totals.bots.iter().enumerate() {
        let name = if totals.bots.len() > 1 { format!("cards-{}", n + 1) } else { "cards".to_owned() };
        blocks.push(Block::Heading(format!("Cards of {}", bot.name)));
        blocks.push(Block::Table(cards(name, Some(bot), totals.sizes())));
    }
    if totals.bots.is_empty() {
        blocks.push(Block::Table(cards("cards".to_owned(), None, totals.sizes())));
    }
    if settings.audit {
        blocks.push(Block::Heading("What people call foolish".to_owned()));
        blocks.push(Block::Table(audited(totals)));
    }
    let titled =
        [("Calls, as far as known", calls(totals)), ("Losses in the auction, by cause", auctions(totals))];
    for (title, table) in titled {
        if !table.rows.is_empty() {
            blocks.push(Block::Heading(title.to_owned()));
        }
        blocks.push(Block::Table(table));
    }
    let verdicts = headline(totals).into_iter().collect();
    Document { verdicts, scope, command: "judge", ..Document::of_blocks("Cost of each decision", blocks) }
}

/// Says what the cards of the bots lost, the least first, and of two bots the paired difference.
fn headline(totals: &Totals) -> Option<String> {
    /// The score lost by the cards, of the measures.
    const CARDS: usize = 1;
    let size = totals.sizes().of(CARDS);
    let of_a_leg = |mean: Mean| mean.times(of_a_side(CARDS));
    let lost = |bot: &BotTotals| Some((bot.name.clone(), of_a_leg(bot.measures[CARDS].mean_of(size)?)));
    let mut bots: Vec<_> = totals.bots.iter().filter_map(lost).collect();
    bots.sort_by(|(_, a), (_, b)| a.mean.total_cmp(&b.mean));
    let text = |mean: &Mean| amount(mean.mean, mean.half_width);
    if bots.is_empty() {
        return None;
    }
    let lost: Vec<_> = bots.iter().take(4).map(|(bot, mean)| format!("{bot} {}", text(mean))).collect();
    let pair = totals.pairs.iter().next().filter(|_| totals.pairs.len() == 1);
    let pair = pair.and_then(|((a, b), pair)| {
        let mean = pair[CARDS].difference(size).map(of_a_leg)?;
        let [a, b] = [a, b].map(|bot| &totals.bots[*bot].name);
        Some(format!("; {a} − {b} {}", with_half(mean.mean, mean.half_width)))
    });
    let lost = lost.join(", ");
    Some(format!("Score lost by the cards of a side in a leg: {lost}{}.", pair.unwrap_or_default()))
}

/// Returns the table of one bot's cards, or an empty one; a judging bot's estimates are included for people
/// only if one was asked.
fn cards(name: String, bot: Option<&BotTotals>, sizes: Sizes) -> Table {
    let asked = bot.is_some_and(|bot| bot.cells[0].known.count() > 0);
    let groups = bot.into_iter().flat_map(|bot| groups().zip(&bot.cells).map(|it| (&*bot.name, it)));
    let groups = groups.filter(|(_, (_, cell))| cell.points.count() > 0);
    let rows = groups.map(move |(bot, ((dimension, name), cell))| {
        let points = Losses::of(&cell.points, cell.points_losing, sizes.points, 1.0);
        let score = Losses::of(&cell.score, cell.score_losing, sizes.score, 1.0);
        (bot, dimension, name, points, score, Losses::of(&cell.known, cell.known_losing, sizes.known, KNOWN))
    });
    let by = "`all`, `trick`, `role`, `place`, `kind` or `strain`";
    let losing = "share of the decisions that lose card points";
    let lost = "mean card points lost by a decision";
    let each = "mean card points lost where any are lost";
    let table = Table::of(name, "", rows)
        .text(BOT.only_in_files(), |(bot, ..)| *bot)
        .text(named("by", by).only_in_files(), |(_, dimension, ..)| *dimension)
        .text(named("group", "the group of cards").head("cards"), |(_, dimension, name, ..)| match *dimension
        {
            "all" => "all cards".to_owned(),
            "trick" | "place" => format!("{dimension} {name}"),
            _ => (*name).to_owned(),
        })
        .count(named("decisions", "decisions"), |(_, _, _, points, ..)| points.decisions);
    let points = [
        measured("card_points_lost", "card points", lost).head("points lost"),
        named("card_points_losing", losing).head("losing"),
        measured("card_points_lost_each", "card points", each).head("each"),
    ];
    let lost = measured("score_lost", "points", "mean score of the deal lost by a decision");
    let score = [lost, SCORE_LOSING.head("losing"), SCORE_LOST_EACH.head("each")];
    let table = with_losses(table, points, |(_, _, _, points, ..)| *points);
    let table = with_losses(table, score, |(.., score, _)| *score);
    let known = known_columns("as far as known").map(|column| column.shown_if(asked));
    with_losses(table, known, |(.., known)| *known).build()
}

/// Returns the table of what people call foolish.
fn audited(totals: &Totals) -> Table {
    let caption = "How often in 1,000 cards chosen among several, or in 1,000 bids that name a strain for the side, and what each cost by the solver.";
    let Sizes { points: most, score, .. } = totals.sizes();
    let rows =
        totals.bots.iter().flat_map(|bot| HABITS.iter().zip(&bot.habits).map(move |it| (&*bot.name, it)));
    let of = |ratio: &Running, size: f64, by: f64| {
        with_interval(ratio.mean_of(size).map(|mean| mean.times(by)), false)
    };
    let often =
        measured("per_1000", "per 1,000", "how often in 1,000 cards chosen among several, or in 1,000 bids");
    let points =
        measured("card_points_lost_each", "card points", "mean card points that it lost by the solver");
    let lost = measured("score_lost_each", "points", "mean score of the deal that it lost by the solver");
    Table::of("audit", caption, rows)
        .text(BOT, |(bot, _)| *bot)
        .text(named("habit", "what was done").head(""), |(_, ((_, about), _))| *about)
        .count(named("times", "how often it was done"), |(_, (_, habit))| habit.often.sum().unsigned_abs())
        .interval(often, move |(_, (_, habit))| of(&habit.often, 1.0, 1000.0))
        .interval(points.head("points lost each"), move |(_, (_, habit))| of(&habit.points, most, 1.0))
        .interval(lost, move |(_, (_, habit))| of(&habit.score, score, 1.0))
        .build()
}

/// Returns the table of calls according to a bot; without rows if none was asked, or it had no opinion.
fn calls(totals: &Totals) -> Table {
    let bots = totals.bots.iter().filter(|bot| bot.calls[0].0.count() > 0);
    let rows = bots.flat_map(|bot| {
        let size = totals.sizes().known;
        let known = move |(ratio, losing): &(Running, u64)| Losses::of(ratio, *losing, size, KNOWN);
        CALLS.iter().zip(bot.calls.iter().map(known)).map(|(kind, known)| (&*bot.name, *kind, known))
    });
    let table = Table::of("calls", "", rows)
        .text(BOT, |(bot, ..)| *bot)
        .text(CALL, |(_, kind, _)| *kind)
        .count(named("calls", "how many calls"), |(.., known)| known.decisions);
    with_losses(table, known_columns("score lost, as far as known"), |(.., known)| *known).build()
}

/// Returns the table of auctions by cause; causes without any loss are left out.
fn auctions(totals: &Totals) -> Table {
    let rows = totals.bots.iter().flat_map(|bot| {
        CAUSES.iter().chain(&["all"]).enumerate().map(move |(n, cause)| (&*bot.name, *cause, n, bot))
    });
    let rows = rows.filter(|(_, cause, n, _)| {
        *cause == "all" || totals.bots.iter().any(|bot| bot.auction_losing[*n] > 0)
    });
    let size = totals.sizes().score;
    let rows = rows.map(|(name, cause, n, bot)| {
        (name, cause, Losses::of(&bot.auction[n], bot.auction_losing[n], size, 1.0))
    });
    let lost = measured("score_lost", "points", "mean score lost per side and auction");
    let table = Table::of("auctions", "", rows)
        .text(BOT, |(bot, ..)| *bot)
        .text(CAUSE.head("auction"), |(_, cause, _)| *cause)
        .count(named("auctions", "auctions, by side"), |(.., losses)| losses.decisions);
    let columns =
        [lost.head("score lost per side"), SCORE_LOSING.head("losing"), SCORE_LOST_EACH.head("each")];
    with_losses(table, columns, |(.., losses)| *losses).build()
}

/// Tests if a measure has data; some only come from a judging bot.
fn is_measured(totals: &Totals, n: usize) -> bool {
    n < 3 || totals.bots.iter().any(|bot| bot.measures[n].count() > 0)
}

/// Returns the loss per leg of a side, by bot.
fn lost(totals: &Totals) -> Table {
    let sizes = totals.sizes();
    let mut table =
        Table::of("lost", "", &totals.bots).text(BOT.head("loss per side and leg"), |bot| bot.name.clone());
    for (n, column) in compared().into_iter().enumerate() {
        table = table.interval(column.shown_if(is_measured(totals, n)), move |bot| {
            with_interval(bot.measures[n].mean_of(sizes.of(n)).map(|mean| mean.times(of_a_side(n))), false)
        });
    }
    table.build()
}

/// Returns the comparisons of each two bots, on the deals that both played.
fn comparisons(totals: &Totals) -> Table {
    let caption = "Loss per side and leg, A − B, paired:";
    let sizes = totals.sizes();
    let mut table = Table::of("comparisons", caption, &totals.pairs)
        .text(BOT_A.head("A"), |((a, _), _)| totals.bots[*a].name.clone())
        .text(BOT_B.head("B"), |((_, b), _)| totals.bots[*b].name.clone());
    for (n, column) in compared().into_iter().enumerate() {
        table = table.interval(column.shown_if(is_measured(totals, n)), move |(_, pair)| {
            with_interval(pair[n].difference(sizes.of(n)).map(|mean| mean.times(of_a_side(n))), true)
        });
    }
    table.build()
}

/// Adds columns of losses: the mean, the share that loses, and the mean of those.
fn with_losses<'a, I: IntoIterator>(
    table: TableOf<'a, I>,
    [mean, losing, each]: [Column; 3],
    of: impl Fn(&I::Item) -> Losses + Copy + 'a,
) -> TableOf<'a, I> {
    let table = table.interval(mean, move |row| of(row).mean);
    table.share(losing, move |row| of(row).losing).plain(each, move |row| of(row).each)
}

/// The columns of losses according to a bot.
fn known_columns(head: &'static str) -> [Column; 3] {
    [SCORE_LOST_KNOWN.head(head), KNOWN_LOSING.head("losing"), SCORE_LOST_KNOWN_EACH.head("each")]
}

/// The unit of losses according to a bot, in points.
const KNOWN: f64 = 1.0 / PARTS as f64;

/// Losses of some decisions: the count, the mean, the share that loses, and the mean of those.
#[derive(Clone, Copy)]
struct Losses {
    decisions: u64,
    mean: Option<Estimate>,
    losing: Option<f64>,
    each: Option<f64>,
}

impl Losses {
    /// Returns those of a ratio whose unit is so many points.
    fn of(ratio: &Ratio, losing: u64, size: f64, by: f64) -> Self {
        let mean = ratio.mean_of(size);
        let each = (mean.is_some() && losing > 0).then(|| by * ratio.sum() as f64 / losing as f64);
        let share = mean.map(|_| losing as f64 / ratio.count() as f64);
        let mean = with_interval(mean.map(|mean| mean.times(by)), false);
        Self { decisions: ratio.count(), mean, losing: share, each }
    }
}

fn with_interval(mean: Option<Mean>, signed: bool) -> Option<Estimate> {
    mean.map(|Mean { mean, half_width }| Estimate { mean, half_width, digits: 2, signed })
}
