//! Rates of belotes, slams and melds.

use coinche_engine::{CardSet, Rank};
use coinche_inference::merge;
use coinche_selfplay::document::columns::{BOT, CONTRACTS, SIDE, TIMES};
use coinche_selfplay::records::read::record::{Leg, Played};
use coinche_selfplay::{Block, Table, measured, named};
use serde::{Deserialize, Serialize};

use super::cells::{Average, Share, Unit};
use super::level::Level;

/// The rates, each with its base.
const WHAT: [(&str, &str); 15] = [
    ("belote in one hand", "suit contracts"),
    ("belote of the declarers", "suit contracts"),
    ("belote announced", "belotes"),
    ("made with belote", "suit contracts"),
    ("made without belote", "suit contracts"),
    ("capot bid", "contracts"),
    ("capot made", "capots bid"),
    ("all tricks, not bid", "contracts not of a slam"),
    ("all tricks by the defenders", "contracts"),
    ("générale bid", "contracts"),
    ("générale made", "générales bid"),
    ("all tricks by the declarer alone", "contracts"),
    ("melds announced", "contracts"),
    ("melds that count for the declarers", "contracts"),
    ("made with melds of the declarers", "contracts"),
];

/// The rates of one declarer.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Rates {
    /// By [`WHAT`].
    shares: [Share; WHAT.len()],
    /// Points of melds that count: the declarers', the defenders'.
    melds: [Average; 2],
}

merge! { Rates { shares, melds } }

impl Rates {
    /// Adds a play of which the bot was the declarer.
    pub(super) fn add(&mut self, unit: Unit, leg: &Leg<'_>, played: &Played) {
        let side = played.declarers();
        let mut add = |what: usize, hit: bool| self.shares[what].add(unit, hit);
        if let Some(trump) = played.aim.strain.trump() {
            let pair = CardSet::rank(Rank::King).of(trump) | CardSet::rank(Rank::Queen).of(trump);
            let holder = leg.hands.iter().find(|(_, hand)| pair.is_subset(**hand)).map(|(seat, _)| seat);
            let own = holder.is_some_and(|seat| seat.team() == side);
            add(0, holder.is_some());
            add(1, own);
            if holder.is_some() {
                add(2, played.belote.is_some_and(|(_, announced)| announced));
            }
            add(if own { 3 } else { 4 }, played.made);
        }
        let level = Level::of(played.aim.value);
        add(5, level == Level::CAPOT);
        if level == Level::CAPOT {
            add(6, played.made);
        }
        let slam = level == Level::CAPOT || level == Level::GENERALE;
        let all = played.tricks_of_team(side) == 8;
        if !slam {
            add(7, all);
        }
        add(8, played.tricks_of_team(side.other()) == 8);
        add(9, level == Level::GENERALE);
        if level == Level::GENERALE {
            add(10, played.made);
        }
        add(11, played.tricks_of(played.declarer) == 8);
        add(12, played.any_melds);
        add(13, played.melds[side] > 0);
        if played.melds[side] > 0 {
            add(14, played.made);
        }
        self.melds[0].add(unit, played.melds[side].into());
        self.melds[1].add(unit, played.melds[side.other()].into());
    }

    /// Returns the shares of capots bid, and of slams made without a bid.
    pub(super) const fn slams(&self) -> [&Share; 2] {
        [&self.shares[5], &self.shares[7]]
    }
}

/// Returns the table; rates that do not exist under the rules are left out.
pub(super) fn blocks(bots: &[(&str, &Rates)], melds: bool) -> Vec<Block> {
    let rows = bots.iter().flat_map(|(bot, rates)| {
        let counted = WHAT.iter().zip(&rates.shares);
        counted
            .filter(|((what, _), share)| share.count() > 0 && (melds || !what.contains("melds")))
            .map(|((what, of), share)| (*bot, *what, *of, share))
    });
    let rates = Table::of("rates", "Belotes, slams and melds by declaring bot", rows)
        .text(BOT, |(bot, ..)| *bot)
        .text(named("what", "what is counted"), |(_, what, ..)| *what)
        .text(named("of", "of which cases"), |(_, _, of, _)| *of)
        .count(named("cases", "how many cases").head("number"), |(.., share)| share.count())
        .count(TIMES, |(.., share)| share.hits())
        .rate(named("share", "share of the cases"), |(.., share)| *share)
        .build();
    let rows = bots.iter().filter(|_| melds).flat_map(|(bot, rates)| {
        ["declarers", "defenders"].into_iter().zip(&rates.melds).map(|(side, mean)| (*bot, side, mean))
    });
    let points = measured("meld_points", "points", "mean points of the melds that count").head("points");
    let melds = Table::of("melds", "Mean points of counted melds", rows)
        .text(BOT, |(bot, ..)| *bot)
        .text(SIDE, |(_, side, _)| *side)
        .count(CONTRACTS, |(.., points)| points.count())
        .mean(points, |(.., points)| *points)
        .build();
    [rates, melds].map(Block::Table).to_vec()
}
