//! Points by trick, and the value of the opening lead.

use std::collections::BTreeMap;

use coinche_inference::merge;
use coinche_selfplay::document::columns::{BOT, CONTRACTS, STRAIN_KIND, TRICK};
use coinche_selfplay::document::draw::{GridCell, grid, shade};
use coinche_selfplay::records::read::record::Played;
use coinche_selfplay::{Block, Column, Picture, Table, measured, named};
use serde::{Deserialize, Serialize};

use super::cells::{Average, Compared, Share, Unit};
use crate::stats_hands::Kind;
use coinche_runs::job::pairs;

/// One trick over many deals, from the declarers' view.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct TrickOf {
    points: Average,
    won: Share,
    /// Points in the trick, whoever wins it.
    value: Average,
}

merge! { TrickOf { points, won, value } }

/// The effect of the opening lead.
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

merge! { FirstLead { led, points, made, shares } }

/// The plays of one declarer, by the kind of strain.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Plays {
    #[serde(with = "pairs")]
    tricks: BTreeMap<Kind, [TrickOf; 8]>,
    #[serde(with = "pairs")]
    first: BTreeMap<Kind, FirstLead>,
}

merge! { Plays { tricks, first } }

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

const POINTS: Column =
    measured("card_points", "card points", "mean card points that the declarers take in the trick");
const WON: Column = named("won", "share of the tricks that the declarers win");

fn by_trick(bots: &[(&str, &Plays)]) -> Block {
    let caption = "By trick: card points the declarers take in it (including the bonus of the last trick), how often they win \
                   it, and the points in it";
    let rows = bots.iter().flat_map(|(bot, plays)| {
        plays.tricks.iter().flat_map(move |(kind, tricks)| {
            (1u64..).zip(tricks).map(move |(n, trick)| (*bot, kind.name(), n, trick))
        })
    });
    let value =
        measured("card_points_in_trick", "card points", "mean card points in the trick, whoever takes it");
    Table::of("tricks", caption, rows)
        .text(BOT, |(bot, ..)| *bot)
        .text(STRAIN_KIND.head("strain"), |(_, kind, ..)| *kind)
        .count(TRICK, |(_, _, n, _)| *n)
        .count(CONTRACTS.head("plays"), |(.., trick)| trick.won.count())
        .mean(POINTS.head("points"), |(.., trick)| &trick.points)
        .rate(WON.head("wins"), |(.., trick)| &trick.won)
        .plain(value.head("in it"), |(.., trick)| &trick.value)
        .block()
}

/// The columns by leader: contracts, points, contracts made.
const LEAD: [[Column; 3]; 2] = [
    [
        named("contracts_declarers_lead", "contracts in which this side leads first"),
        measured("card_points_declarers_lead", "card points", "mean card points of the declarers in these"),
        named("made_declarers_lead", "share of these that was made"),
    ],
    [
        named("contracts_defenders_lead", "contracts in which this side leads first"),
        measured("card_points_defenders_lead", "card points", "mean card points of the declarers in these"),
        named("made_defenders_lead", "share of these that was made"),
    ],
];

fn first_lead(bots: &[(&str, &Plays)]) -> Block {
    let caption = "Value of the opening lead: declarers' card points and contracts made when the declarers lead and when the \
                   defenders lead, and the differences";
    let rows = bots
        .iter()
        .flat_map(|(bot, plays)| plays.first.iter().map(|(kind, first)| (*bot, kind.name(), first)));
    let [[leading, points, made], [defending, points_then, made_then]] = LEAD;
    let less = "`card_points_declarers_lead` less `card_points_defenders_lead`";
    let points_difference = measured("card_points_difference", "card points", less);
    let made_difference =
        named("made_difference", "`made_declarers_lead` less `made_defenders_lead`").head("of made");
    Table::of("first-lead", caption, rows)
        .text(BOT, |(bot, ..)| *bot)
        .text(STRAIN_KIND.head("strain"), |(_, kind, _)| *kind)
        .count(leading.head("declarers lead"), |(.., first)| first.points.counts()[0])
        .plain(points.head("points"), |(.., first)| first.points.means()[0])
        .share(made.head("made"), |(.., first)| &first.shares[0])
        .count(defending.head("defenders lead"), |(.., first)| first.points.counts()[1])
        .plain(points_then.head("points then"), |(.., first)| first.points.means()[1])
        .share(made_then.head("made then"), |(.., first)| &first.shares[1])
        .estimate(points_difference.head("difference"), |(.., first)| first.points.difference())
        .gap(made_difference, |(.., first)| {
            let made = first.made.difference()?;
            Some((made.mean, made.half_width.map(|half| [made.mean - half, made.mean + half])))
        })
        .block()
}

fn picture(bots: &[(&str, &Plays)]) -> Option<Block> {
    let mut numbers = Vec::new();
    let mut rows = Vec::new();
    for (bot, plays) in bots {
        for (kind, tricks) in &plays.tricks {
            let mut cells = Vec::new();
            for (n, trick) in (1u64..).zip(tricks) {
                let (points, won) = (trick.points.mean()?.mean, trick.won.share()?);
                numbers.push((*bot, kind.name(), n, points, won));
                cells.push(GridCell {
                    shade: shade(won, false),
                    text: format!("{points:.1}"),
                    below: format!("{:.0} %", 100.0 * won),
                    tip: format!("{bot}, {}, trick {n}: {points:.2} points", kind.name()),
                });
            }
            // A long name is truncated at its end, so the strain comes first.
            rows.push((format!("{}, {bot}", kind.name()), cells));
        }
    }
    let columns: Vec<_> = (1..=8).map(|n| n.to_string()).collect();
    let svg = grid("Declarers' points by trick", &columns, &rows);
    let caption = "Card points the declarers take in each trick; below, how often they win it.";
    let numbers = Table::of("trick-points", "", numbers)
        .text(BOT, |(bot, ..)| *bot)
        .text(STRAIN_KIND.head("strain"), |(_, kind, ..)| *kind)
        .count(TRICK, |(_, _, n, ..)| *n)
        .plain(POINTS.head("points"), |(.., points, _)| *points)
        .share(WON.head("wins"), |(.., won)| *won)
        .build();
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
