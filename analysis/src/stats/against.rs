//! Two inputs side by side: differences with intervals.

use coinche_engine::rules::DealMethod;
use coinche_selfplay::document::columns::{BOT, SHAPE, SHARE_DIFFERENCE, SHARE_EXPECTED};
use coinche_selfplay::document::draw::{Ink, Mark, forest};
use coinche_selfplay::{Block, Cell, Picture, Section, Table, named};

use super::Counted;
use super::cells::{Average, Share};
use super::level::Level;
use super::shapes::{self, FEATURES};
use super::totals::OfBot;

/// Returns the difference A − B of two shares of independent inputs with its interval: Newcombe's hybrid score
/// interval (1998, *Statistics in Medicine* 17, method 10), with effective numbers of trials.
fn difference(a: &Share, b: &Share) -> Option<[f64; 3]> {
    of_shares(a.share().zip(a.interval())?, b.share().zip(b.interval())?)
}

#[expect(clippy::unnecessary_wraps, reason = "what is computed from what may be missing")]
fn of_shares(a: (f64, [f64; 2]), b: (f64, [f64; 2])) -> Option<[f64; 3]> {
    let ((a, [a_low, a_high]), (b, [b_low, b_high])) = (a, b);
    let difference = a - b;
    let [down, up] = [[a - a_low, b_high - b], [a_high - a, b - b_low]].map(|[x, y]| libm::hypot(x, y));
    Some([difference, difference - down, difference + up])
}

/// Returns the same for two means.
fn of_means(a: &Average, b: &Average) -> Option<[f64; 3]> {
    let (a, b) = (a.mean()?, b.mean()?);
    let half = libm::hypot(a.half_width?, b.half_width?);
    let difference = a.mean - b.mean;
    Some([difference, difference - half, difference + half])
}

/// A figure of a bot in both inputs, each with its count, and the difference.
struct Row<'a> {
    bot: &'a str,
    what: String,
    cases: [u64; 2],
    values: [Cell; 2],
    difference: Option<[f64; 3]>,
    /// Formats a difference of shares or of means as a cell.
    cell: fn([f64; 3]) -> Cell,
}

/// Returns a difference of shares.
const fn apart([difference, low, high]: [f64; 3]) -> Cell {
    Cell::Gap(difference, Some([low, high]))
}

/// Returns a difference of means, centred in its interval.
const fn means_apart([difference, _, high]: [f64; 3]) -> Cell {
    Cell::estimate(difference, Some(high - difference), 1)
}

fn of_share<'a>(bot: &'a str, what: &str, a: &Share, b: &Share) -> Row<'a> {
    let values = [a, b].map(|share| Cell::maybe(share.share(), Cell::Share));
    let cases = [a, b].map(Share::count);
    Row { bot, what: what.to_owned(), cases, values, difference: difference(a, b), cell: apart }
}

fn of_mean<'a>(bot: &'a str, what: &str, a: &Average, b: &Average) -> Row<'a> {
    let values = [a, b].map(|mean| Cell::maybe(mean.mean(), |mean| Cell::Plain(mean.mean)));
    let cases = [a, b].map(Average::count);
    Row { bot, what: what.to_owned(), cases, values, difference: of_means(a, b), cell: means_apart }
}

/// Returns the rows of one bot: its bids and their outcomes.
fn of_bot<'a>(name: &'a str, a: &OfBot, b: &OfBot) -> Vec<Row<'a>> {
    let (one, two) = (&a.contracts, &b.contracts);
    let mut rows = vec![
        of_share(name, "passed out", &one.thrown_in, &two.thrown_in),
        of_share(name, "declares", &one.declared, &two.declared),
    ];
    if let (Some(one), Some(two)) = (one.all(), two.all()) {
        rows.push(of_share(name, "made", one.0, two.0));
        rows.push(of_share(name, "coinched", one.1, two.1));
        rows.push(of_share(name, "surcoinched", one.2, two.2));
        rows.push(of_mean(name, "score of the declarers", one.3, two.3));
        rows.push(of_mean(name, "card points of the declarers", one.4, two.4));
    }
    rows.push(of_mean(name, "points bid", &one.height, &two.height));
    let slams = a.rates.slams().into_iter().zip(b.rates.slams());
    for (what, (one, two)) in ["capot bid", "all tricks, not bid"].into_iter().zip(slams) {
        rows.push(of_share(name, what, one, two));
    }
    rows.extend(levels(name, a, b));
    rows
}

/// How often each level is bid.
fn levels<'a>(name: &'a str, a: &OfBot, b: &OfBot) -> Vec<Row<'a>> {
    let count = |of: &OfBot, wanted: Level| {
        of.contracts.levels().find(|(level, _)| *level == wanted).map_or(0, |(_, count)| count)
    };
    let mut all: Vec<_> = a.contracts.levels().chain(b.contracts.levels()).map(|(level, _)| level).collect();
    all.sort_unstable();
    all.dedup();
    let rows = all.into_iter().map(|level| {
        let counts = [count(a, level), count(b, level)];
        let shares = [a.contracts.share_of(counts[0]), b.contracts.share_of(counts[1])];
        let with_ends = |share: [f64; 3]| (share[0], [share[1], share[2]]);
        let difference = shares[0].zip(shares[1]).and_then(|(a, b)| of_shares(with_ends(a), with_ends(b)));
        let values = shares.map(|share| Cell::maybe(share, |[share, ..]| Cell::Share(share)));
        Row { bot: name, what: format!("level {level}"), cases: counts, values, difference, cell: apart }
    });
    rows.collect()
}

fn contracts(a: &Counted, b: &Counted) -> Block {
    let caption =
        "Contracts bid and made in A and B, and the difference A − B with its 95 % confidence interval";
    let mut rows = vec![of_share("all", "passed out", &a.totals.thrown_in, &b.totals.thrown_in)];
    for (name, of_a) in &a.totals.bots {
        if let Some((_, of_b)) = b.totals.bots.iter().find(|(other, _)| other == name) {
            rows.extend(of_bot(name, of_a, of_b));
        }
    }
    let clear = named("clear", "whether the interval leaves 0 out");
    Table::of("against", caption, rows)
        .text(BOT, |row| row.bot)
        .text(named("what", "what is counted"), |row| row.what.clone())
        .count(named("cases_a", "cases in the input").head("A n"), |row| row.cases[0])
        .number(named("value_a", "share (0–1) or mean in the input").head("A"), |row| row.values[0].clone())
        .count(named("cases_b", "cases in the input").head("B n"), |row| row.cases[1])
        .number(named("value_b", "share (0–1) or mean in the input").head("B"), |row| row.values[1].clone())
        .interval(named("difference", "A − B"), |row| row.difference.map(row.cell))
        .flag(clear, |row| row.difference.is_some_and(|[_, low, high]| low > 0.0 || high < 0.0))
        .block()
}

fn shapes(a: &Counted, b: &Counted) -> Vec<Block> {
    let caption = "Hand shapes in A and B, and the difference A − B in percentage points with its 95 % confidence interval";
    let known = [a, b].iter().all(|counted| counted.rules.deal.method == DealMethod::Full);
    let (mut rows, mut marks) = (Vec::new(), Vec::new());
    for feature in 0..FEATURES {
        let [one, two] = [a, b].map(|counted| counted.totals.shapes.share(feature));
        let difference = difference(one, two);
        rows.push((feature, one, two, difference));
        if let Some([difference, low, high]) = difference.map(|all| all.map(|share| 100.0 * share)) {
            let ink = Ink::of(difference, Some(0.5 * (high - low)));
            let (label, shown) = (shapes::name(feature), format!("{difference:+.2} %"));
            marks.push(Mark { label, shown, mean: difference, interval: Some([low, high]), ink });
        }
    }
    let table = Table::of("against-shapes", caption, rows)
        .text(SHAPE.head("hands with"), |(feature, ..)| shapes::name(*feature))
        .rate(named("share_a", "share in the input").head("A"), |(_, a, ..)| *a)
        .rate(named("share_b", "share in the input").head("B"), |(_, _, b, _)| *b)
        .gap(SHARE_DIFFERENCE.head("difference"), |(.., difference)| *difference)
        .share(SHARE_EXPECTED, |(feature, ..)| known.then(|| shapes::expected(*feature)))
        .build();
    let svg = forest("Hand shapes in A and B", "share in A minus share in B, percentage points", &marks);
    let caption =
        "Difference in how often a hand has each shape in A and in B, with 95 % confidence intervals.";
    shapes::with_table(Picture::new(svg, caption, table))
}

/// Returns the section with the comparison.
pub(super) fn section(a: &Counted, b: &Counted) -> Section {
    let independent =
        "The two are treated as independent; if they share deals, the intervals are conservative.";
    let words = format!("A: {} B: {} {independent}", a.sentence(), b.sentence());
    let mut blocks = vec![Block::Text(words), contracts(a, b)];
    blocks.extend(shapes(a, b));
    Section::new("against", "Comparison", blocks)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_of_shares_are_those_of_newcombe() {
        // Newcombe's example of 56 of 70 and 48 of 80: 0.2000, from 0.0524 to 0.3339.
        let [mut a, mut b] = [Share::default(); 2];
        (1..=70).for_each(|unit| a.add(unit, unit <= 56));
        (1..=80).for_each(|unit| b.add(unit, unit <= 48));
        let [difference, low, high] = difference(&a, &b).unwrap();
        assert!((difference - 0.2).abs() < 1e-9);
        assert!((low - 0.0524).abs() < 2e-3 && (high - 0.3339).abs() < 2e-3, "{low} {high}");
    }
}
