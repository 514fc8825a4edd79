//! The contracts bid, and their outcomes.

mod tables;

use std::collections::BTreeMap;

use coinche_engine::{Call, Stake, Strain};
use coinche_inference::merge;
use coinche_selfplay::document::model::rate;
use coinche_selfplay::records::read::record::{Leg, Played};
use serde::{Deserialize, Serialize};

use crate::stats::cells::{Average, Share, Unit};
use crate::stats::level::Level;
use crate::stats_hands::HandClass;
use coinche_runs::job::pairs;

pub(super) use tables::blocks;

/// The grouping of contracts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
enum Group {
    All,
    Level(Level),
    /// By the index of the strain.
    Strain(usize),
    Both(Level, usize),
    /// The declarer's bidding position, counted from 1.
    Position(u8),
    Hand(HandClass),
}

/// Some contracts, with their outcomes.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Outcome {
    made: Share,
    made_when_coinched: Share,
    coinched: Share,
    surcoinched: Share,
    /// Of the declaring side.
    score: Average,
    /// The same less the other side's score.
    difference: Average,
    points: Average,
}

merge! { Outcome { made, made_when_coinched, coinched, surcoinched, score, difference, points } }

impl Outcome {
    fn add(&mut self, unit: Unit, leg: &Leg<'_>, played: &Played) {
        let side = played.declarers();
        let [own, other] = [leg.score[side], leg.score[side.other()]];
        let coinched = played.stake != Stake::Plain;
        self.made.add(unit, played.made);
        if coinched {
            self.made_when_coinched.add(unit, played.made);
        }
        self.coinched.add(unit, coinched);
        self.surcoinched.add(unit, played.stake == Stake::Surcoinche);
        self.score.add(unit, own);
        self.difference.add(unit, own - other);
        self.points.add(unit, i32::from(played.card_points[side]));
    }
}

/// The contracts of one bot.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Contracts {
    #[serde(with = "pairs")]
    groups: BTreeMap<Group, Outcome>,
    /// How often a bid was made, whatever the final contract.
    #[serde(with = "pairs")]
    said: BTreeMap<(Level, usize), u64>,
    /// Whether the bot declared, of the deals that it played.
    pub(super) declared: Share,
    /// Whether the deal was passed out.
    pub(super) thrown_in: Share,
    /// The points of the contracts that have a number of points.
    pub(super) height: Average,
}

merge! { Contracts { groups, said, declared, thrown_in, height } }

/// Says how many of their contracts the bots made, the most first.
pub(super) fn headline(bots: &[(&str, &Contracts)]) -> Option<String> {
    let made = |(bot, of): &(&str, &Contracts)| {
        let made = of.all()?.0;
        Some((made.share()?, format!("{bot} {}", rate(made.share()?, made.interval()))))
    };
    let mut bots: Vec<_> = bots.iter().filter_map(made).collect();
    bots.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    bots.truncate(4);
    let texts: Vec<_> = bots.into_iter().map(|(_, text)| text).collect();
    (!texts.is_empty()).then(|| format!("Contracts made: {}.", texts.join(", ")))
}

impl Contracts {
    /// Adds a deal in which the bot was one of the players.
    pub(super) fn add_seated(&mut self, unit: Unit, thrown_in: bool, declared: bool) {
        self.thrown_in.add(unit, thrown_in);
        self.declared.add(unit, declared);
    }

    /// Adds a bid.
    pub(super) fn add_call(&mut self, call: Call) {
        if let Call::Bid(bid) = call {
            let (level, strain) = (Level::of(Some(bid.value)), bid.strain.index());
            *self.said.entry((level, strain)).or_default() += 1;
            // A bid that never became a contract has a row too.
            for group in [Group::Level(level), Group::Strain(strain), Group::Both(level, strain)] {
                self.groups.entry(group).or_default();
            }
        }
    }

    /// Tests if all strains exist.
    pub(super) fn is_sound(&self) -> bool {
        let of_groups = self.groups.keys().filter_map(|group| match group {
            Group::Strain(strain) | Group::Both(_, strain) => Some(*strain),
            Group::All | Group::Level(_) | Group::Position(_) | Group::Hand(_) => None,
        });
        of_groups.chain(self.said.keys().map(|(_, strain)| *strain)).all(|strain| strain < Strain::ALL.len())
    }

    /// Adds a contract of which the bot was the declarer.
    pub(super) fn add(&mut self, unit: Unit, leg: &Leg<'_>, played: &Played) {
        let (level, strain) = (Level::of(played.aim.value), played.aim.strain);
        let class = HandClass::of(leg.hands[played.declarer], strain);
        let groups = [
            Group::All,
            Group::Level(level),
            Group::Strain(strain.index()),
            Group::Both(level, strain.index()),
            Group::Position(leg.position(played.declarer)),
            Group::Hand(class),
        ];
        for group in groups {
            self.groups.entry(group).or_default().add(unit, leg, played);
        }
        if let Some(points) = level.points() {
            self.height.add(unit, points.into());
        }
    }

    /// Returns how often a contract was made and coinched, and its mean scores, for comparisons.
    pub(super) fn all(&self) -> Option<(&Share, &Share, &Share, &Average, &Average)> {
        let all = self.groups.get(&Group::All)?;
        Some((&all.made, &all.coinched, &all.surcoinched, &all.score, &all.points))
    }

    /// Returns the number of contracts by level, with all of them.
    pub(super) fn levels(&self) -> impl Iterator<Item = (Level, u64)> {
        self.groups.iter().filter_map(|(group, outcome)| match group {
            Group::Level(level) => Some((*level, outcome.made.count())).filter(|(_, count)| *count > 0),
            _ => None,
        })
    }

    /// Returns the share of a part of the contracts, with its interval.
    pub(super) fn share_of(&self, contracts: u64) -> Option<[f64; 3]> {
        self.groups.get(&Group::All)?.made.of_part(contracts)
    }
}

/// Returns the name of a bidding position.
pub(super) const fn position_name(position: u8) -> &'static str {
    match position {
        1 => "1st",
        2 => "2nd",
        3 => "3rd",
        4 => "dealer",
        _ => "any",
    }
}
