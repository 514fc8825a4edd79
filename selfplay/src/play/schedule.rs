//! The schedule of deals, legs and seats: a pure function of the configuration.
//!
//! The unit is a *pair of legs*: the same cards and the same dealer twice, with the teams exchanged. In leg 0 side A
//! sits at seats 0 and 2 and side B at 1 and 3; in leg 1 it is the other way round. With more than two bots every
//! encounter plays every pair, one after the other. Randomness depends only on the seed and the index, so nothing here
//! depends on threads, on the order of play or on the number of deals.

use core::fmt;

use clap::ValueEnum;
use coinche_engine::rules::DealRules;
use coinche_engine::{BySeat, Deal, Deck, Key, Purpose, Seat, Secrets, Team, first_dealer};
use serde::{Deserialize, Serialize};

/// The most deals in a match: a match not won by then (if all bots always pass) ends without a winner.
///
/// It also numbers the deals of a run of matches: deal `d` of match `m` is deal `1000 m + d`.
pub const MAX_DEALS_IN_MATCH: u64 = 1000;

/// One of the two sides that are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Side {
    /// The bot named first.
    A,
    /// The bot named second.
    B,
}

impl Side {
    /// Both sides.
    pub const ALL: [Self; 2] = [Self::A, Self::B];

    /// Returns the index, 0 or 1.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns the other side.
    pub const fn other(self) -> Self {
        Self::ALL[1 - self as usize]
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(["A", "B"][*self as usize])
    }
}

/// The unit of play, each played twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Single deals.
    Deal,
    /// Whole matches.
    Match,
}

impl Unit {
    /// Returns the English plural.
    pub const fn plural(self) -> &'static str {
        ["deals", "matches"][self as usize]
    }

    /// Returns the English singular.
    pub const fn singular(self) -> &'static str {
        ["deal", "match"][self as usize]
    }

    /// Returns the English singular and plural.
    pub const fn names(self) -> [&'static str; 2] {
        [self.singular(), self.plural()]
    }
}

/// Which bots meet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Two bots.
    Match,
    /// Every two of the bots play each other.
    RoundRobin,
    /// The first bot plays each of the others.
    Gauntlet,
    /// Every partnership of two of the bots plays the same opponents.
    Crossplay,
}

/// Two bots that meet, by their indices in the run: `a` is side A.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Encounter {
    /// The bot of side A.
    pub a: usize,
    /// The bot of side B.
    pub b: usize,
}

impl Encounter {
    /// Returns the bot of a side.
    pub const fn bot(self, side: Side) -> usize {
        [self.a, self.b][side as usize]
    }
}

impl Format {
    /// Returns the name on the command line.
    pub const fn name(self) -> &'static str {
        ["match", "round-robin", "gauntlet", "crossplay"][self as usize]
    }

    /// Returns the encounters in the order in which they play every deal: the lower index is side A.
    ///
    /// For cross-play `bots` counts teams: the first is the pair that all others play against.
    ///
    /// ```
    /// use coinche_selfplay::play::schedule::Format;
    ///
    /// let pairs = |format: Format| format.encounters(3).iter().map(|e| (e.a, e.b)).collect::<Vec<_>>();
    /// assert_eq!(pairs(Format::RoundRobin), [(0, 1), (0, 2), (1, 2)]);
    /// assert_eq!(pairs(Format::Gauntlet), [(0, 1), (0, 2)]);
    /// ```
    pub fn encounters(self, bots: usize) -> Vec<Encounter> {
        let last = match self {
            Self::RoundRobin => bots,
            Self::Match | Self::Gauntlet | Self::Crossplay => bots.min(1),
        };
        (0..last).flat_map(|a| (a + 1..bots).map(move |b| Encounter { a, b })).collect()
    }
}

/// One seating of a deal or match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Leg {
    /// The number of the deal or match.
    pub index: u64,
    /// The number of the seating, 0 or 1.
    pub leg: u32,
    /// The dealer; of a match, the first dealer.
    pub dealer: Seat,
    /// The side at each seat.
    pub sides: BySeat<Side>,
}

impl Leg {
    /// Returns the team of a side.
    pub const fn team(&self, side: Side) -> Team {
        Team::ALL[side as usize ^ self.leg as usize & 1]
    }

    /// Returns the side of a team.
    pub const fn side(&self, team: Team) -> Side {
        Side::ALL[team as usize ^ self.leg as usize & 1]
    }
}

/// The schedule of a run.
///
/// ```
/// use coinche_selfplay::play::schedule::{Schedule, Side, Unit};
///
/// let schedule = Schedule { secrets: 42.into(), unit: Unit::Deal, pairs: 10 };
/// let legs: Vec<_> = schedule.legs().collect();
/// assert_eq!(legs.len(), 20);
/// assert_eq!(legs[0].dealer, legs[1].dealer);
/// assert_eq!(legs[0].sides[legs[0].dealer], Side::A);
/// assert_eq!(legs[1].sides[legs[1].dealer], Side::B);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Schedule {
    /// The source of the cards and of the bots' randomness, made from a seed.
    pub secrets: Secrets,
    /// The unit of play.
    pub unit: Unit,
    /// The number of units, each played in two legs.
    pub pairs: u64,
}

impl Schedule {
    /// Returns the two legs of a pair.
    pub fn pair(&self, index: u64) -> [Leg; 2] {
        let dealer = match self.unit {
            Unit::Deal => Seat::from_index((index % 4) as usize),
            Unit::Match => first_dealer(self.secrets, index),
        };
        let [a, b] = Side::ALL;
        [
            Leg { index, leg: 0, dealer, sides: BySeat([a, b, a, b]) },
            Leg { index, leg: 1, dealer, sides: BySeat([b, a, b, a]) },
        ]
    }

    /// Iterates over all legs in order.
    pub fn legs(&self) -> impl Iterator<Item = Leg> {
        let this = *self;
        (0..this.pairs).flat_map(move |index| this.pair(index))
    }

    /// Deals the cards of single deal `index`.
    ///
    /// Where the deck is only cut between deals, a single deal is the first of its match: a shuffled deck.
    #[inline]
    pub fn deal(&self, rules: &DealRules, index: u64) -> Deal {
        let dealer = Seat::from_index((index % 4) as usize);
        Deal::new(rules, Deck::shuffled(self.secrets, index), dealer)
    }

    /// Returns the keys of all seats' decisions in single deal `index`, or in the first deal of match `index`.
    ///
    /// Both legs share them, so the legs of a pair differ only by what the bots did, and a bot against itself scores
    /// the same in both.
    #[inline]
    pub fn keys(&self, index: u64) -> BySeat<Key> {
        self.secrets.decisions(index)
    }

    /// Tests if pair `index` belongs to a sample of this share of all pairs.
    ///
    /// The answer depends only on the seed and the index; a larger sample contains every smaller one.
    pub fn is_sampled(&self, index: u64, share: f64) -> bool {
        share >= 1.0 || self.secrets.key(Purpose::Sample, index, 0).happens(share)
    }

    /// Returns the keys of all seats' decisions in deal `deal` of match `index`.
    pub fn match_keys(&self, index: u64, deal: u64) -> BySeat<Key> {
        self.secrets.decisions(index).map(|key| key.and(deal))
    }

    /// Returns the identifier of a deal that the program at a seat receives. It does not reveal the number of the deal
    /// in the run, and nobody else receives it: neither another seat, nor the other leg, nor another pairing, which
    /// `table` names ([`Lineup::names`](crate::play::lineup::Lineup::names)).
    pub fn identifier(&self, deal: u64, leg: u32, seat: Seat, table: &str) -> u64 {
        self.secrets.identifier(deal, u64::from(leg) << 2 | seat as u64, table)
    }
}
