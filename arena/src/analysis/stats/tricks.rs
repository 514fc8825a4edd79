//! Points by trick, and what the first lead is worth.

use std::collections::BTreeMap;

use coinche_selfplay::document::column::Column;
use coinche_selfplay::document::draw::{GridCell, grid};
use coinche_selfplay::document::model::{Block, Cell, Picture, Table};
use coinche_selfplay::records::read::record::Played;
use serde::{Deserialize, Serialize};

use super::cells::{Average, Compared, Merge, Share, Unit};
use super::columns;
use crate::analysis::stats_hands::Kind;
use crate::run::part::pairs;

/// One trick of many deals, as the declarers see it.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct TrickOf {
    points: Average,
    won: Share,
    /// Points in the trick, whoever takes it.
    value: Average,
}

impl Merge for TrickOf {
    fn absorb(&mut self, other: &Self) {
        self.points.absorb(&other.points);
        self.won.absorb(&other.won);
        self.value.absorb(&other.value);
    }
}

/// What the first lead does.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct FirstLead {
    /// Whether the declarers lead.
    led: Share,
    /// Points of the declarers: when they lead, and when the defenders do.
    points: Compared,
    /// Contracts made, in the same order.
    made: Compared,
    shares: [Share; 2],
}

impl Merge for FirstLead {
    fn absorb(&mut self, other: &Self) {
        self.led.absorb(&other.led);
        self.points.absorb(&other.points);
        self.made.absorb(&other.made);
        self.shares.absorb(&other.shares);
    }
}

/// The plays of one declarer, by the kind of strain.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Plays {
    #[serde(with = "pairs")]
    tricks: BTreeMap<Kind, [TrickOf; 8]>,
    #[serde(with = "pairs")]
    first: BTreeMap<Kind, FirstLead>,
}

impl Plays {
    /// Adds a play of which the bot was the declarer.
    pub(super) fn add(&mut self, unit: Unit, played: &Played) {
        let (kind, side) = (Kind::of(played.aim.strain), played.declarers());
        let tricks = self.tricks.entry(kind).or_default();
        for ((cell, trick), points) in tricks.iter_mut().zip(&played.tricks).zip(played.points) {
            let won = trick.winner.team() == side;
            cell.points.add(unit, if won { points.into() } else { 0 });
            cell.won.add(unit, won);
            cell.value.add(unit, points.into());
        }
        let first = self.first.entry(kind).or_default();
        let defenders_lead = played.tricks[0].leader.team() != side;
        first.led.add(unit, !defenders_lead);
        first.points.add(unit, defenders_lead, played.card_points[side].into());
        first.made.add(unit, defenders_lead, played.made.into());
        first.shares[usize::from(defenders_lead)].add(unit, played.made);
    }
}

impl Merge for Plays {
    fn absorb(&mut self, other: &Self) {
        self.tricks.absorb(&other.tricks);
        self.first.absorb(&other.first);
    }
}

fn by_trick(bots: &[(&str, &Plays)]) -> Block {
    let heads = [
        Column::text("bot"),
        Column::text("strain_kind").head("strain"),
        Column::count("trick"),
        Column::count("contracts").head("plays"),
        Column::estimate("card_points").head("points"),
        Column::estimate("won").head("wins"),
        Column::number("card_points_in_trick").head("in it"),
    ];
    let caption = "By trick: card points the declarers take in it (including the bonus of the last trick), how often they win \
                   it, and the points in it";
    let mut table = Table::new("tricks", caption, &heads);
    for (bot, plays) in bots {
        for (kind, tricks) in &plays.tricks {
            for (n, trick) in (1..).zip(tricks) {
                let mut row = vec![Cell::text(*bot), Cell::text(kind.name()), Cell::Count(n)];
                row.push(Cell::Count(trick.won.count()));
                row.push(columns::mean(&trick.points));
                row.push(columns::share(&trick.won));
                row.push(Cell::maybe(trick.value.mean(), |mean| Cell::Plain(mean.mean)));
                table.rows.push(row);
            }
        }
    }
    Block::Table(table)
}

fn first_lead(bots: &[(&str, &Plays)]) -> Block {
    let heads = [
        Column::text("bot"),
        Column::text("strain_kind").head("strain"),
        Column::count("contracts_declarers_lead").head("declarers lead"),
        Column::number("card_points_declarers_lead").head("points"),
        Column::number("made_declarers_lead").head("made"),
        Column::count("contracts_defenders_lead").head("defenders lead"),
        Column::number("card_points_defenders_lead").head("points then"),
        Column::number("made_defenders_lead").head("made then"),
        Column::estimate("card_points_difference").head("difference"),
        Column::estimate("made_difference").head("of made"),
    ];
    let caption = "Value of the opening lead: declarers' card points and contracts made when the declarers lead and when the \
                   defenders lead, and the differences";
    let mut table = Table::new("first-lead", caption, &heads);
    for (bot, plays) in bots {
        for (kind, first) in &plays.first {
            let mut row = vec![Cell::text(*bot), Cell::text(kind.name())];
            let (counts, means) = (first.points.counts(), first.points.means());
            for n in 0..2 {
                row.push(Cell::Count(counts[n]));
                row.push(Cell::maybe(means[n], |mean| Cell::Plain(mean.mean)));
                row.push(Cell::maybe(first.shares[n].share(), Cell::Share));
            }
            row.push(columns::signed(first.points.difference()));
            row.push(Cell::maybe(first.made.difference(), |made| {
                Cell::Gap(made.mean, made.half_width.map(|half| [made.mean - half, made.mean + half]))
            }));
            table.rows.push(row);
        }
    }
    Block::Table(table)
}

fn picture(bots: &[(&str, &Plays)]) -> Option<Block> {
    let heads = [
        Column::text("bot"),
        Column::text("strain_kind").head("strain"),
        Column::count("trick"),
        Column::number("card_points").head("points"),
        Column::number("won").head("wins"),
    ];
    let mut numbers = Table::new("trick-points", "", &heads);
    let mut rows = Vec::new();
    for (bot, plays) in bots {
        for (kind, tricks) in &plays.tricks {
            let mut cells = Vec::new();
            for (n, trick) in (1u64..).zip(tricks) {
                let (points, won) = (trick.points.mean()?.mean, trick.won.share()?);
                numbers.rows.push(vec![
                    Cell::text(*bot),
                    Cell::text(kind.name()),
                    Cell::Count(n),
                    Cell::Plain(points),
                    Cell::Share(won),
                ]);
                cells.push(GridCell {
                    shade: columns::shade(won, false),
                    text: format!("{points:.1}"),
                    below: format!("{:.0} %", 100.0 * won),
                    tip: format!("{bot}, {}, trick {n}: {points:.2} points", kind.name()),
                });
            }
            // A long name is cut at its end: the strain is what it must not lose.
            rows.push((format!("{}, {bot}", kind.name()), cells));
        }
    }
    let columns: Vec<_> = (1..=8).map(|n| n.to_string()).collect();
    let svg = grid("Declarers' points by trick", &columns, &rows);
    let caption = "Card points the declarers take in each trick; below, how often they win it.";
    Some(if rows.is_empty() {
        Block::Table(numbers)
    } else {
        Block::Picture(Picture::new(svg, caption, numbers))
    })
}

/// Returns tables and pictures.
pub(super) fn blocks(bots: &[(&str, &Plays)]) -> Vec<Block> {
    let mut blocks: Vec<_> = picture(bots).into_iter().collect();
    blocks.extend([by_trick(bots), first_lead(bots)]);
    blocks
}
