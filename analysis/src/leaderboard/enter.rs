//! How to enter the leaderboard, and where a bot that is not entered would rank.

use core::slice::from_ref;
use std::path::Path;

use coinche_selfplay::{Block, Document, Section, Table, with_half};

use super::page::{class_text, name};
use super::{Leaderboard, table};

/// Explains how to enter, with the commands.
pub(super) fn section(board: &Leaderboard, file: &Path) -> Section {
    let file = file.display();
    let class = board.plan.classes.first().map_or("", |class| class.name.as_str());
    let blocks = vec![
        Block::text(
            "An entry is a bot of the arena with any parameters, or your own program in any language: it reads questions and \
             writes answers, a line of JSON each (docs/protocol.md; examples/bots has two to copy). To see where it would \
             stand in a class:",
        ),
        Block::Code(format!("arena leaderboard {file} --enter 'cmd:python3 examples/bots/simple.py' --class {class}")),
        Block::text(
            "This plays your program against every entry of the class, on the same deals, and prints its rating, rank and \
             worst opponent. Of the others nothing is played again: their sums are in leaderboard.json.",
        ),
        Block::Text(format!("To enter it for good, add it to {file} and give the command without --enter:")),
        Block::Code(format!(
            "[[entry]]\nname = \"mine\"\nbot = \"cmd:python3 examples/bots/simple.py\"\nabout = \"what it does, in one \
             line\"\nclasses = [\"{class}\"]"
        )),
        Block::text("Then send a pull request. It has:"),
        Block::Items(vec![
            format!("the lines in {file}, and the files that the command wrote beside it;"),
            "where the source of the program is, at which commit, under a licence by which others may run it, and how it is \
             built;"
                .to_owned(),
            "its mean time per decision on one core, and on which processor: the arena does not see the time of a program."
                .to_owned(),
        ]),
        Block::text(
            "A decision must follow from the question and its seed alone, so that whoever plays the runs again gets the same \
             figures; bots of the arena have a number of worlds or iterations, not a limit of time.",
        ),
    ];
    Section::new("enter", "How to enter", blocks)
}

/// Returns the rank that a bot not entered would have in a class, under each of the rules.
pub fn entrant(board: &Leaderboard, entry: usize) -> Document {
    let [anchor, own] = [board.plan.anchor, entry].map(|entry| name(board, entry));
    let mut document = Document { command: "leaderboard", ..Document::default() };
    document.title = format!("{own} on the leaderboard");
    for (n, of) in board.standings.iter().enumerate() {
        let class = &board.plan.classes[of.class];
        let of_class = &class.name;
        let Some((rank, row)) = of.rows.iter().enumerate().find(|(_, row)| row.entry == entry) else {
            continue;
        };
        let preset = &board.plan.rules[of.rules].0;
        if row.is_void {
            document.verdicts.push(format!(
                "{preset}, {of_class}: undecided: {own} forfeited more than 5 % of the legs against another entry."
            ));
            continue;
        }
        let (rank, all, worst) = (rank + 1, of.rows.len(), name(board, row.worst.0));
        let [points, points_there] = [row.rating, row.worst.1].map(|it| with_half(it.mean, it.half_width));
        document.verdicts.push(format!(
            "{preset}, {of_class}: {own} is rated {rank} of {all}, {points} points per deal above {anchor}; worst against \
             {worst} ({points_there})."
        ));
        let others = of.rows.iter().filter(|other| other.entry != entry);
        let others = others.filter_map(|other| Some((other.entry, of.between(entry, other.entry)?)));
        let met = Table::of(format!("met-{}", n + 1), "", others)
            .text("against", |(other, _)| name(board, *other))
            .count("deals", |(_, points)| points.pairs)
            .estimate("points", |(_, points)| *points)
            .build();
        let standings = table::standings(board, from_ref(of), &format!("standings-{}", n + 1));
        let blocks = vec![
            Block::Table(Table { caption: format!("{} with it:", class_text(class)), ..standings }),
            Block::Table(Table { caption: format!("{own} against each:"), ..met }),
        ];
        document.sections.push(Section::new(preset.as_str(), preset.as_str(), blocks));
    }
    document
}
