//! The page: standings by rules and class, the cost of strangers, the entries, and how to enter.

use core::slice::from_ref;
use std::collections::BTreeSet;
use std::path::Path;

use coinche_selfplay::document::columns::{APART, BOT, COST, TOGETHER};
use coinche_selfplay::document::draw::{Mark, forest};
use coinche_selfplay::document::field::{Signs, Value};
use coinche_selfplay::document::pairings::{self, drawn};
use coinche_selfplay::{
    Block, Document, Picture, Section, Table, VERSION, measured, micros, named, p_text, thousands, with_half,
};

use super::partners::Partners;
use super::plan::Class;
use super::standings::{Standing, Standings};
use super::table::{self, CLASS, ENTRY, RULES};
use super::{Leaderboard, enter};
use coinche_runs::figures::Mean;
use coinche_runs::verdict::programs_lines;

/// Formats a limit: `20 µs`.
fn limit_text(class: &Class) -> String {
    let text = format!("{:?}", class.limit);
    let digits = text.bytes().take_while(|letter| letter.is_ascii_digit() || *letter == b'.').count();
    let (number, unit) = text.split_at(digits);
    format!("{number} {unit}")
}

/// Formats a class.
pub(super) fn class_text(class: &Class) -> String {
    format!("{}: at most {} a decision", class.name, limit_text(class))
}

pub(super) fn name(board: &Leaderboard, entry: usize) -> &str {
    &board.plan.entries[entry].name
}

/// The entry that is rated first in a class among those within its limit, and whether it beats each of the others there.
struct Leader<'a> {
    rules: &'a str,
    limit: String,
    first: &'a Standing,
    is_shown: bool,
}

/// Finds the leader of each class, by rules.
fn leaders(board: &Leaderboard) -> Vec<Leader<'_>> {
    let rules = board.plan.rules.iter().enumerate();
    let classes = rules.flat_map(|(number, (preset, _))| {
        board.standings.iter().filter(move |of| of.rules == number).map(move |of| (preset, of))
    });
    let leaders = classes.filter_map(|(rules, of)| {
        let class = &board.plan.classes[of.class];
        let mut fair = of.rows.iter().filter(|row| !row.time.is_over(class.limit) && !row.is_void);
        let first = fair.next()?;
        let is_ahead = |other: &Standing| {
            of.direct(first.entry, other.entry).is_some_and(|it| it.mean > 0.0 && it.is_decided())
        };
        let is_shown = fair.all(is_ahead);
        Some(Leader { rules, limit: limit_text(class), first, is_shown })
    });
    leaders.collect()
}

/// Names the leader of each class, a sentence for each of the rules.
pub(super) fn verdicts(board: &Leaderboard) -> Vec<String> {
    let anchor = name(board, board.plan.anchor);
    let leaders = leaders(board);
    let by_rules = leaders.chunk_by(|one, next| one.rules == next.rules).map(|of_rules| {
        let lead = |Leader { limit, first, is_shown, .. }: &Leader<'_>| {
            let shown = if *is_shown { "" } else { ", not shown to be first" };
            let points = with_half(first.rating.mean, first.rating.half_width);
            format!("{} within {limit} ({points}{shown})", name(board, first.entry))
        };
        let leads: Vec<_> = of_rules.iter().map(lead).collect();
        let rules = of_rules[0].rules;
        format!("{rules}: the highest ratings are {}, in points per deal above {anchor}.", leads.join(", "))
    });
    by_rules.collect()
}

/// Shows the leaders in a table, and says what the figures of the page mean.
fn best(board: &Leaderboard) -> Section {
    let anchor = name(board, board.plan.anchor);
    let caption = format!("The highest rating in each class, in points per deal above {anchor}, ± 95 %.");
    let table = Table::of("best", caption, leaders(board))
        .text("rules", |it| it.rules)
        .text("within", |it| it.limit.clone())
        .text("best", |it| name(board, it.first.entry))
        .estimate("rating", |it| it.first.rating)
        .flag("beats every other", |it| it.is_shown)
        .build();
    let ratings = format!(
        "Each two entries of a class play the same deals in both seatings. A rating is fitted to all of these differences by \
         least squares, in points per deal above {anchor}, which is in every class; its 95 % interval counts what \
         pairings on the same deals have in common. Ratings of different classes are against different opponents."
    );
    let nash = "Nash share: how often the equilibrium strategy picks each entry when two players each choose an entry of the class; an \
                entry can be rated below another and still be worth choosing.";
    let worst = "The worst opponent is the one against whom an entry scores least: of several that are alike it is chosen by chance, and \
                 its figure is then somewhat too low.";
    let texts = [ratings, nash.to_owned(), worst.to_owned()].map(Block::Text);
    let blocks =
        [Block::Display(table), Block::Fold("How to read the figures".to_owned())].into_iter().chain(texts);
    Section::new("best", "Best by time limit", blocks.collect())
}

/// Shows ratings as intervals; an entry over its limit is marked.
fn ratings(board: &Leaderboard, of: &Standings, number: usize) -> Picture {
    let limit = board.plan.classes[of.class].limit;
    let label = |n: usize, row: &Standing| {
        let time = if row.time.timed > 0 { format!(", {}", micros(row.time.mean)) } else { String::new() };
        let over = if row.time.is_over(limit) { ", over the limit" } else { "" };
        let void = if row.is_void { ", forfeited too many legs" } else { "" };
        format!("{} {}{time}{over}{void}", n + 1, name(board, row.entry))
    };
    let mark = |(n, row)| Mark::of(label(n, row), row.rating);
    let marks: Vec<_> = of.rows.iter().enumerate().filter_map(mark).collect();
    let anchor = name(board, board.plan.anchor);
    let svg = forest("Ratings", &format!("points per deal above {anchor}"), &marks);
    let caption = format!(
        "Ratings with 95 % intervals, in points per deal above {anchor}; beside the name the mean processor time of a \
         decision, here as measured. Grey intervals contain 0."
    );
    Picture::new(svg, caption, table::standings(board, from_ref(of), &format!("standings-{number}")))
}

/// Draws the matrix of some entries; `sign` is −1 where values above 0 are losses.
fn drawn_matrix<V: Value<Signs>>(
    board: &Leaderboard,
    what: &str,
    order: &[usize],
    word: &str,
    between: impl Fn(usize, usize) -> V,
    sign: f64,
) -> String {
    let title = |n: usize| format!("{} {}", n + 1, name(board, order[n]));
    let shown = pairings::matrix("", "", [0..order.len(), 0..order.len()], title, between);
    drawn(what, &shown, |a, b| format!("{} {word} {}", title(a), title(b)), sign)
}

/// Shows the results between all entries.
fn matrix(board: &Leaderboard, of: &Standings, number: usize) -> Picture {
    let (rules, class) = (&board.plan.rules[of.rules].0, &board.plan.classes[of.class].name);
    let order: Vec<usize> = of.rows.iter().map(|row| row.entry).collect();
    let between = |a: usize, b: usize| of.between(order[a], order[b]);
    let what = "Points of the entry on the left against the one above";
    let svg = drawn_matrix(board, what, &order, "against", between, 1.0);
    let every_two = (0..order.len()).flat_map(|a| (a + 1..order.len()).map(move |b| (a, b)));
    let pairs = every_two.filter_map(|(a, b)| Some((order[a], order[b], between(a, b)?)));
    let caption = "Points per deal of the entry on the left against the one above. Blue: ahead; orange: behind; grey: the \
                   95 % interval contains 0.";
    let difference = measured("difference", "points", "paired difference, `entry` less `against`");
    let table = Table::of(format!("pairs-{number}"), "", pairs)
        .text(RULES.only_in_files(), |_| rules)
        .text(CLASS.only_in_files(), |_| class)
        .text(ENTRY, |(a, ..)| name(board, *a))
        .text(named("against", "name of the other"), |(_, b, _)| name(board, *b))
        .count(measured("deals", "from 2", "deals, each in two legs"), |(.., points)| points.pairs)
        .estimate(difference.head("points"), |(.., points)| *points)
        .build();
    Picture::new(svg, caption, table)
}

fn class_blocks(board: &Leaderboard, of: &Standings, number: usize) -> Vec<Block> {
    let class = &board.plan.classes[of.class];
    let (deals, pairings, seed) = (thousands(class.deals), of.pairs.len(), &class.seed);
    let played = format!("{deals} deals for each of {pairings} pairings, in both seatings, seed {seed}.");
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
    if of.pairs.len() > 1 {
        blocks.push(Block::Text(of.cycles.clone()));
    }
    blocks
}

fn crossplay_blocks(board: &Leaderboard, of: &Partners, number: usize) -> Vec<Block> {
    let rules = &board.plan.rules[of.rules].0;
    let table = Table::of(format!("partners-{number}"), "", &of.pairs)
        .text(RULES.only_in_files(), |_| rules)
        .text(ENTRY, |([a, _], _)| name(board, *a))
        .text(named("partner", "name of the other"), |([_, b], _)| name(board, *b))
        .signed(APART.head("each with itself"), |(_, strangers)| strangers.apart)
        .signed(TOGETHER, |(_, strangers)| strangers.together)
        .estimate(COST, |(_, strangers)| strangers.cost)
        .build();
    let order: Vec<usize> = of.rows.iter().map(|(entry, _)| *entry).collect();
    let between = |a: usize, b: usize| of.between(order[a], order[b]);
    let svg = drawn_matrix(board, "What two entries lose as partners", &order, "with", between, -1.0);
    let caption = "What two entries lose as partners, in points per deal: the mean of both, each with itself as partner, less \
                   the two together. Orange: they lose; blue: they gain; grey: the 95 % interval contains 0.";
    let means = Table::of(format!("strangers-{number}"), "", &of.rows)
        .text(RULES.only_in_files(), |_| rules)
        .text(ENTRY, |(entry, _)| name(board, *entry))
        .estimate(COST.about("mean of `cost` over all partners"), |(_, cost)| *cost)
        .build();
    let mark =
        |(n, (entry, cost)): (usize, &(usize, Mean))| Mark::of(format!("{n} {}", name(board, *entry)), *cost);
    let marks: Vec<_> = (1..).zip(&of.rows).filter_map(mark).collect();
    let shown = forest("Mean cost of a stranger", "points per deal", &marks);
    let all = "The mean of these costs over all partners, with 95 % intervals over deals.";
    vec![
        Block::Heading(rules.clone()),
        Block::Picture(Picture::new(svg, caption, table)),
        Block::Picture(Picture::new(shown, all, means)),
    ]
}

fn entries(board: &Leaderboard) -> Section {
    let classes = |number: usize| {
        let classes = board.plan.classes.iter().filter(|class| class.entries.contains(&number));
        classes.map(|class| class.name.as_str()).collect::<Vec<_>>().join(", ")
    };
    let table = Table::of("entries", "", board.plan.entries.iter().enumerate())
        .text(ENTRY, |(_, entry)| &entry.name)
        .text(BOT, |(_, entry)| entry.bot.as_str())
        .text(named("classes", "the classes in which it plays"), |(number, _)| classes(*number))
        .text(named("about", "what it is, in a line"), |(_, entry)| &entry.about)
        .build();
    Section::new("entries", "Entries", vec![Block::Table(table)])
}

fn reproduce(board: &Leaderboard, file: &Path) -> Section {
    let runs = board.boards.iter().flat_map(|of| &of.jobs).filter_map(|job| board.results.of(job));
    let commits: BTreeSet<_> = runs.map(|played| played.commit.clone()).collect();
    let commits = commits.into_iter().collect::<Vec<_>>().join(", ");
    let blocks = vec![
        Block::text(
            "One command plays what is missing and writes this page again; it can be stopped and repeated. With --fresh it plays \
             everything itself and takes nothing from leaderboard.json. All but the times is the same on every machine, with \
             any number of threads:",
        ),
        Block::Code(format!("arena leaderboard {} --fresh", file.display())),
        Block::Items(vec![
            format!("played by commit {commits}, written by version {VERSION}"),
            "every pairing is a run below runs/, which arena verify checks and arena report shows".to_owned(),
        ]),
    ];
    Section::new("reproduce", "How to reproduce", blocks)
}

/// Makes the page.
pub(super) fn document(board: &Leaderboard, file: &Path) -> Document {
    let mut sections = vec![best(board)];
    for (rules, (preset, _)) in board.plan.rules.iter().enumerate() {
        let of_rules = board.standings.iter().enumerate().filter(|(_, of)| of.rules == rules);
        let blocks = of_rules.flat_map(|(n, of)| class_blocks(board, of, n + 1)).collect();
        sections.push(Section::new(preset.as_str(), preset.as_str(), blocks));
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
        sections.push(Section::new("crossplay", "Cross-play", [vec![Block::Text(text)], blocks].concat()));
    }
    sections.extend([entries(board), enter::section(board, file), reproduce(board, file)]);
    let configs = board.boards.iter().flat_map(|of| &of.jobs).map(|job| &job.config);
    let seen: BTreeSet<_> = configs
        .flat_map(|config| programs_lines(config.sandbox().as_deref(), &config.of_one_process()))
        .collect();
    let leaders = leaders(board);
    let shown = leaders.iter().filter(|leader| leader.is_shown).count();
    let verdict = match shown {
        0 => "In no class one bot beats every other".to_owned(),
        _ => format!("In {shown} of {} classes one bot beats every other", leaders.len()),
    };
    Document {
        title: "Leaderboard".to_owned(),
        command: "leaderboard",
        verdicts: vec![verdict],
        scope: seen.into_iter().collect(),
        sections,
        ..Document::default()
    }
}
