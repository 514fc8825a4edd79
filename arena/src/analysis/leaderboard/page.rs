//! The page: standings by rules and class, what strangers cost, the entries, and how to enter.

use std::collections::BTreeSet;
use std::path::Path;

use coinche_selfplay::base::VERSION;
use coinche_selfplay::base::style::thousands;
use coinche_selfplay::document::column::Column;
use coinche_selfplay::document::draw::{GridCell, Ink, Mark, forest, grid};
use coinche_selfplay::document::model::{
    Block, Cell, Document, Picture, Section, Table, micros, p_text, plain, signed, with_half,
};

use super::Leaderboard;
use super::enter;
use super::partners::Partners;
use super::plan::Class;
use super::standings::{Standing, Standings};
use super::table::{self, estimate};
use crate::analysis::report::shade;
use crate::run::figures::Mean;

/// A limit as people read it: `20 µs`.
fn limit_text(class: &Class) -> String {
    let text = format!("{:?}", class.limit);
    let digits = text.bytes().take_while(|letter| letter.is_ascii_digit() || *letter == b'.').count();
    let (number, unit) = text.split_at(digits);
    format!("{number} {unit}")
}

/// A class as people read it.
pub(super) fn class_text(class: &Class) -> String {
    format!("{}: at most {} a decision", class.name, limit_text(class))
}

pub(super) fn name(board: &Leaderboard, entry: usize) -> &str {
    &board.plan.entries[entry].name
}

/// Says who leads in which class, a sentence for each of the rules.
pub(super) fn verdicts(board: &Leaderboard) -> Vec<String> {
    let anchor = name(board, board.plan.anchor);
    let rules = board.plan.rules.iter().enumerate().filter_map(|(rules, (preset, _))| {
        let leads = board.standings.iter().filter(|of| of.rules == rules).filter_map(|of| {
            let class = &board.plan.classes[of.class];
            let first = of.rows.iter().find(|row| !row.time.is_over(class.limit))?;
            let points = with_half(first.rating.mean, Some(first.rating.half_width));
            let limit = limit_text(class);
            Some(format!("{} within {limit} ({points})", name(board, first.entry)))
        });
        let leads: Vec<_> = leads.collect();
        (!leads.is_empty()).then(|| {
            format!("{preset}: rated first are {}, in points per deal above {anchor}.", leads.join(", "))
        })
    });
    rules.collect()
}

fn mark(label: String, mean: Mean) -> Mark {
    Mark {
        label,
        shown: with_half(mean.mean, Some(mean.half_width)),
        mean: mean.mean,
        interval: Some([mean.mean - mean.half_width, mean.mean + mean.half_width]),
        ink: Ink::of(mean.mean, Some(mean.half_width)),
    }
}

/// Ratings as intervals; an entry over its limit is marked.
fn ratings(board: &Leaderboard, of: &Standings, number: usize) -> Picture {
    let limit = board.plan.classes[of.class].limit;
    let label = |n: usize, row: &Standing| {
        let time = if row.time.timed > 0 { format!(", {}", micros(row.time.mean)) } else { String::new() };
        let over = if row.time.is_over(limit) { ", over the limit" } else { "" };
        format!("{} {}{time}{over}", n + 1, name(board, row.entry))
    };
    let marks: Vec<_> = of.rows.iter().enumerate().map(|(n, row)| mark(label(n, row), row.rating)).collect();
    let anchor = name(board, board.plan.anchor);
    let svg = forest("Ratings", &format!("points per deal above {anchor}"), &marks);
    let caption = format!(
        "Ratings with 95 % intervals, in points per deal above {anchor}; beside the name the mean processor time of a \
         decision, here as measured. Grey intervals contain 0."
    );
    Picture::new(svg, caption, table::standings(board, of, &format!("standings-{number}")))
}

/// Everyone against everyone.
fn matrix(board: &Leaderboard, of: &Standings, number: usize) -> Picture {
    let columns = [
        Column::text("rules").only_in_files(),
        Column::text("class").only_in_files(),
        Column::text("entry"),
        Column::text("against"),
        Column::count("deals"),
        Column::estimate("difference").head("points"),
    ];
    let mut table = Table::new(format!("pairs-{number}"), "", &columns);
    let (rules, class) = (&board.plan.rules[of.rules].0, &board.plan.classes[of.class].name);
    let largest = of.pairs.iter().fold(0.0, |most: f64, (_, points)| most.max(points.mean.abs()));
    let order: Vec<usize> = of.rows.iter().map(|row| row.entry).collect();
    let title = |n: usize| format!("{} {}", n + 1, name(board, order[n]));
    let mut rows = Vec::new();
    for a in 0..order.len() {
        let mut cells = Vec::new();
        for b in 0..order.len() {
            let Some(points) = of.between(order[a], order[b]) else {
                cells.push(GridCell::default());
                continue;
            };
            if a < b {
                table.rows.push(vec![
                    Cell::text(rules.clone()),
                    Cell::text(class.clone()),
                    Cell::text(name(board, order[a])),
                    Cell::text(name(board, order[b])),
                    Cell::Count(points.pairs),
                    Cell::estimate(points.mean, points.half_width, 1),
                ]);
            }
            cells.push(GridCell {
                shade: shade(points.mean, largest, points.is_decided()),
                text: signed(points.mean),
                below: points.half_width.map_or_else(String::new, |half| format!("± {}", plain(half))),
                tip: format!(
                    "{} against {}: {}",
                    title(a),
                    title(b),
                    with_half(points.mean, points.half_width)
                ),
            });
        }
        rows.push((title(a), cells));
    }
    let heads: Vec<_> = (1..=order.len()).map(|n| n.to_string()).collect();
    let svg = grid("Points of the entry on the left against the one above", &heads, &rows);
    let caption = "Points per deal of the entry on the left against the one above. Blue: ahead; orange: behind; grey: the \
                   95 % interval contains 0.";
    Picture::new(svg, caption, table)
}

fn class_blocks(board: &Leaderboard, of: &Standings, number: usize) -> Vec<Block> {
    let class = &board.plan.classes[of.class];
    let played = format!(
        "{} deals for each of {} pairings, in both seatings, seed {}.",
        thousands(class.deals),
        of.pairs.len(),
        class.seed
    );
    let mut blocks = vec![Block::Heading(class_text(class)), Block::Text(played)];
    blocks.push(Block::Picture(ratings(board, of, number)));
    if of.pairs.len() > 1 {
        blocks.push(Block::Picture(matrix(board, of, number)));
    }
    if let Some(fit) = of.fit {
        blocks.push(Block::Text(format!(
            "Goodness of fit: {}. A small p means that one rating per entry does not explain all pairings.",
            p_text(fit)
        )));
    }
    blocks
}

fn crossplay_blocks(board: &Leaderboard, of: &Partners, number: usize) -> Vec<Block> {
    let columns = [
        Column::text("rules").only_in_files(),
        Column::text("entry"),
        Column::text("partner"),
        Column::number("apart").head("each with itself"),
        Column::number("together"),
        Column::estimate("cost"),
    ];
    let rules = &board.plan.rules[of.rules].0;
    let mut table = Table::new(format!("partners-{number}"), "", &columns);
    for ([a, b], strangers) in &of.pairs {
        table.rows.push(vec![
            Cell::text(rules.clone()),
            Cell::text(name(board, *a)),
            Cell::text(name(board, *b)),
            Cell::Signed(strangers.apart),
            Cell::Signed(strangers.together),
            estimate(strangers.cost),
        ]);
    }
    let largest = of.pairs.iter().fold(0.0, |most: f64, (_, it)| most.max(it.cost.mean.abs()));
    let order: Vec<usize> = of.rows.iter().map(|(entry, _)| *entry).collect();
    let title = |n: usize| format!("{} {}", n + 1, name(board, order[n]));
    let cell = |a: usize, b: usize| {
        let Some(cost) = of.between(order[a], order[b]) else { return GridCell::default() };
        GridCell {
            // What is lost is orange.
            shade: shade(0.0 - cost.mean, largest, cost.is_decided()),
            text: signed(cost.mean),
            below: format!("± {}", plain(cost.half_width)),
            tip: format!("{} with {}: {}", title(a), title(b), with_half(cost.mean, Some(cost.half_width))),
        }
    };
    let rows: Vec<_> =
        (0..order.len()).map(|a| (title(a), (0..order.len()).map(|b| cell(a, b)).collect())).collect();
    let heads: Vec<_> = (1..=order.len()).map(|n| n.to_string()).collect();
    let svg = grid("What two entries lose as partners", &heads, &rows);
    let caption = "What two entries lose as partners, in points per deal: the mean of both, each with itself as partner, less \
                   the two together. Orange: they lose; blue: they gain; grey: the 95 % interval contains 0.";
    let costs = Table::new(
        format!("strangers-{number}"),
        "",
        &[Column::text("rules").only_in_files(), Column::text("entry"), Column::estimate("cost")],
    );
    let mut means = costs;
    let mut marks = Vec::new();
    for (n, (entry, cost)) in of.rows.iter().enumerate() {
        let named = name(board, *entry);
        means.rows.push(vec![Cell::text(rules.clone()), Cell::text(named), estimate(*cost)]);
        marks.push(mark(format!("{} {named}", n + 1), *cost));
    }
    let shown = forest("Mean cost of a stranger", "points per deal", &marks);
    let all = "The mean of these costs over all partners, with 95 % intervals over deals.";
    vec![
        Block::Heading(rules.clone()),
        Block::Picture(Picture::new(svg, caption, table)),
        Block::Picture(Picture::new(shown, all, means)),
    ]
}

fn entries(board: &Leaderboard) -> Section {
    let columns = ["entry", "bot", "classes", "about"].map(Column::text);
    let mut table = Table::new("entries", "", &columns);
    for (number, entry) in board.plan.entries.iter().enumerate() {
        let classes = board.plan.classes.iter().filter(|class| class.entries.contains(&number));
        let classes: Vec<_> = classes.map(|class| class.name.as_str()).collect();
        table.rows.push(vec![
            Cell::text(entry.name.clone()),
            Cell::text(entry.bot.as_str()),
            Cell::text(classes.join(", ")),
            Cell::text(entry.about.clone()),
        ]);
    }
    section("entries", "Entries", vec![Block::Table(table)])
}

pub(super) fn section(id: &str, title: &str, blocks: Vec<Block>) -> Section {
    Section { id: id.to_owned(), title: title.to_owned(), blocks }
}

fn reproduce(board: &Leaderboard, file: &Path) -> Section {
    let runs = board.boards.iter().flat_map(|of| &of.jobs).filter_map(|job| board.results.of(job));
    let commits: BTreeSet<_> = runs.map(|played| played.commit.clone()).collect();
    let commits = commits.into_iter().collect::<Vec<_>>().join(", ");
    let blocks = vec![
        Block::Text(
            "One command plays what is missing and writes this page again; it can be stopped and repeated. With --fresh it plays \
             everything itself and takes nothing from leaderboard.json. All but the times is the same on every machine, with \
             any number of threads:"
                .to_owned(),
        ),
        Block::Code(format!("arena leaderboard {} --fresh", file.display())),
        Block::Items(vec![
            format!("played by commit {commits}, written by version {VERSION}"),
            "every pairing is a run below runs/, which arena verify checks and arena report shows".to_owned(),
        ]),
    ];
    section("reproduce", "How to reproduce", blocks)
}

/// Makes the page.
pub(super) fn document(board: &Leaderboard, file: &Path) -> Document {
    let anchor = name(board, board.plan.anchor);
    let mut sections = Vec::new();
    for (rules, (preset, _)) in board.plan.rules.iter().enumerate() {
        let of_rules = board.standings.iter().enumerate().filter(|(_, of)| of.rules == rules);
        let blocks = of_rules.flat_map(|(n, of)| class_blocks(board, of, n + 1)).collect();
        sections.push(section(preset, preset, blocks));
    }
    let blocks: Vec<_> =
        board.partners.iter().enumerate().flat_map(|(n, of)| crossplay_blocks(board, of, n + 1)).collect();
    if let (false, Some(crossplay)) = (blocks.is_empty(), &board.plan.crossplay) {
        let text = format!(
            "What an entry loses with a partner of another kind, which means something else by its calls. {} deals for each two \
             of them, against two of {}, seed {}.",
            thousands(crossplay.deals),
            name(board, crossplay.against),
            crossplay.seed
        );
        sections.push(section("crossplay", "Cross-play", [vec![Block::Text(text)], blocks].concat()));
    }
    sections.extend([entries(board), enter::section(board, file), reproduce(board, file)]);
    let scope = vec![
        format!(
            "Each two entries of a class play the same deals in both seatings. A rating is fitted to all of these differences by \
             least squares, in points per deal above {anchor}, which is in every class; its 95 % interval counts what \
             pairings on the same deals have in common. Ratings of different classes are against different opponents."
        ),
        "The worst opponent is the one against whom an entry scores least: of several that are alike it is chosen by chance, and \
         its figure is then somewhat too low."
            .to_owned(),
    ];
    Document {
        title: "Leaderboard".to_owned(),
        command: "leaderboard",
        verdicts: verdicts(board),
        scope,
        sections,
    }
}
