//! Two inputs side by side: what changes, with intervals.

use coinche_engine::rules::DealMethod;
use coinche_selfplay::document::column::Column;
use coinche_selfplay::document::draw::{Ink, Mark, forest};
use coinche_selfplay::document::model::{Block, Cell, Picture, Section, Table};

use super::Counted;
use super::cells::{Average, Share};
use super::columns;
use super::level::Level;
use super::shapes::{self, FEATURES};
use super::totals::OfBot;

/// Returns the difference A − B of two shares of independent inputs with its interval: Newcombe's hybrid score
/// interval (1998, *Statistics in Medicine* 17, method 10), of effective numbers of trials.
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

/// The same of two means.
fn of_means(a: &Average, b: &Average) -> Option<[f64; 3]> {
    let (a, b) = (a.mean()?, b.mean()?);
    let half = libm::hypot(a.half_width?, b.half_width?);
    let difference = a.mean - b.mean;
    Some([difference, difference - half, difference + half])
}

/// The row of some figure; the difference is of shares or of means.
fn row(
    bot: &str,
    what: String,
    [a, b]: [(u64, Cell); 2],
    difference: Option<[f64; 3]>,
    cell: fn([f64; 3]) -> Cell,
) -> Vec<Cell> {
    let clear = difference.is_some_and(|[_, low, high]| low > 0.0 || high < 0.0);
    vec![
        Cell::text(bot),
        Cell::text(what),
        Cell::Count(a.0),
        a.1,
        Cell::Count(b.0),
        b.1,
        Cell::maybe(difference, cell),
        Cell::Flag(clear),
    ]
}

/// A difference of shares.
const fn gap([difference, low, high]: [f64; 3]) -> Cell {
    Cell::Gap(difference, Some([low, high]))
}

/// A difference of means, in the middle of its interval.
const fn apart([difference, _, high]: [f64; 3]) -> Cell {
    Cell::estimate(difference, Some(high - difference), 1)
}

fn of_share(bot: &str, what: &str, a: &Share, b: &Share) -> Vec<Cell> {
    let cells = [a, b].map(|share| (share.count(), Cell::maybe(share.share(), Cell::Share)));
    row(bot, what.to_owned(), cells, difference(a, b), gap)
}

fn of_mean(bot: &str, what: &str, a: &Average, b: &Average) -> Vec<Cell> {
    let cells = [a, b].map(|mean| (mean.count(), Cell::maybe(mean.mean(), |mean| Cell::Plain(mean.mean))));
    row(bot, what.to_owned(), cells, of_means(a, b), apart)
}

/// The rows of one bot: what is bid, and what comes of it.
fn of_bot(name: &str, a: &OfBot, b: &OfBot) -> Vec<Vec<Cell>> {
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
    for (what, (one, two)) in
        ["capot bid", "all tricks, not bid"].into_iter().zip(a.rates.slams().into_iter().zip(b.rates.slams()))
    {
        rows.push(of_share(name, what, one, two));
    }
    rows.extend(levels(name, a, b));
    rows
}

/// How often each level is bid.
fn levels(name: &str, a: &OfBot, b: &OfBot) -> Vec<Vec<Cell>> {
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
        let cells = [0, 1].map(|n| (counts[n], Cell::maybe(shares[n], |[share, ..]| Cell::Share(share))));
        row(name, format!("level {level}"), cells, difference, gap)
    });
    rows.collect()
}

fn contracts(a: &Counted, b: &Counted) -> Block {
    let caption =
        "Contracts bid and made in A and B, and the difference A − B with its 95 % confidence interval";
    let heads = [
        Column::text("bot"),
        Column::text("what"),
        Column::count("cases_a").head("A n"),
        Column::number("value_a").head("A"),
        Column::count("cases_b").head("B n"),
        Column::number("value_b").head("B"),
        Column::estimate("difference"),
        Column::flag("clear"),
    ];
    let mut table = Table::new("against", caption, &heads);
    table.rows.push(of_share("all", "passed out", &a.totals.thrown_in, &b.totals.thrown_in));
    for (name, of_a) in &a.totals.bots {
        if let Some((_, of_b)) = b.totals.bots.iter().find(|(other, _)| other == name) {
            table.rows.extend(of_bot(name, of_a, of_b));
        }
    }
    Block::Table(table)
}

fn shapes(a: &Counted, b: &Counted) -> Vec<Block> {
    let heads = [
        Column::text("shape").head("hands with"),
        Column::estimate("share_a").head("A"),
        Column::estimate("share_b").head("B"),
        Column::estimate("share_difference").head("difference"),
        Column::number("expected"),
    ];
    let caption = "Hand shapes in A and B, and the difference A − B in percentage points with its 95 % confidence interval";
    let mut table = Table::new("against-shapes", caption, &heads);
    let mut marks = Vec::new();
    for feature in 0..FEATURES {
        let [one, two] = [a, b].map(|counted| counted.totals.shapes.share(feature));
        let difference = difference(one, two);
        let mut row = vec![Cell::text(shapes::name(feature)), columns::share(one), columns::share(two)];
        row.push(Cell::maybe(difference, gap));
        let known = [a, b].iter().all(|counted| counted.rules.deal.method == DealMethod::Full);
        row.push(if known { Cell::Share(shapes::expected(feature)) } else { Cell::Empty });
        table.rows.push(row);
        if let Some([difference, low, high]) = difference.map(|all| all.map(|share| 100.0 * share)) {
            let half = 0.5 * (high - low);
            marks.push(Mark {
                label: shapes::name(feature),
                shown: format!("{difference:+.2} %"),
                mean: difference,
                interval: Some([low, high]),
                ink: Ink::of(difference, Some(half)),
            });
        }
    }
    let svg = forest("Hand shapes in A and B", "share in A minus share in B, percentage points", &marks);
    let caption =
        "Difference in how often a hand has each shape in A and in B, with 95 % confidence intervals.";
    let mut picture = Picture::new(svg, caption, table.clone());
    "against-shapes-difference".clone_into(&mut picture.name);
    let shown = Table { name: "against-shapes-shown".to_owned(), ..table };
    vec![Block::Picture(picture), Block::Display(shown)]
}

/// Returns the section that compares.
pub(super) fn section(a: &Counted, b: &Counted) -> Section {
    let words = format!(
        "A: {} B: {} The two are treated as independent; if they share deals, the intervals are conservative.",
        a.sentence(),
        b.sentence()
    );
    let mut blocks = vec![Block::Text(words), contracts(a, b)];
    blocks.extend(shapes(a, b));
    Section { id: "against".to_owned(), title: "Comparison".to_owned(), blocks }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_of_shares_are_those_of_newcombe() {
        // His example of 56 of 70 and 48 of 80: 0.2000, from 0.0524 to 0.3339.
        let [mut a, mut b] = [Share::default(); 2];
        (1..=70).for_each(|unit| a.add(unit, unit <= 56));
        (1..=80).for_each(|unit| b.add(unit, unit <= 48));
        let [difference, low, high] = difference(&a, &b).unwrap();
        assert!((difference - 0.2).abs() < 1e-9);
        assert!((low - 0.0524).abs() < 2e-3 && (high - 0.3339).abs() < 2e-3, "{low} {high}");
    }
}
