//! Rule sets as data.
//!
//! [`RuleOptions`] is a plain `Copy` struct of named options, in which anything can be set. A [`RuleSet`]
//! holds options that [`RuleOptions::validate`] has accepted, and changes only by functions that validate, so
//! that nothing else is ever played. The published rule sets are its presets ([`RuleSet::ALL`]). No code
//! asks which preset it plays, only what an option says. Every field has one path
//! (`scoring.coinche.contract`), listed with its legal values in [`FIELDS`]; with the feature `serde` a rule
//! set is read from and written to TOML, and single fields are set by path.

mod fields;
#[cfg(feature = "serde")]
mod forms;
#[cfg(feature = "serde")]
mod initial;
mod options;
mod presets;

pub use crate::strain::CardRules;
pub use fields::{FIELDS, Field};
pub use options::{
    Announce, BeloteAllTrump, BeloteCoinched, BeloteFailed, Bids, BothReached, ClosedBy, CoincheMode,
    DealMethod, DeclarersPart, DefendersPart, FailedPart, Finish, FloorOf, MadeScore, MeldContest, MeldEqual,
    MeldTie, Multiplied, OverCoinche, PartnerTrump, PassedOut, Rotation, Rounding, Shuffle, Slam, Tie,
    Undertrump,
};

use core::fmt;
use core::ops::Deref;

use crate::{BidValue, Stake, Strain};

/// The sizes of the packets in which cards are dealt, in order; `3-2-3`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "Vec<u8>", into = "Vec<u8>"))]
pub struct Packets([u8; 8]);

impl Packets {
    /// Returns the packets of these sizes, or `None` for more than eight or an empty one.
    pub const fn new(sizes: &[u8]) -> Option<Self> {
        let mut packets = [0; 8];
        if sizes.len() > 8 {
            return None;
        }
        let mut index = 0;
        while index < sizes.len() {
            if sizes[index] == 0 || sizes[index] > 8 {
                return None;
            }
            packets[index] = sizes[index];
            index += 1;
        }
        Some(Self(packets))
    }

    /// Iterates over the sizes.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.iter().take_while(|size| **size > 0).map(|size| usize::from(*size))
    }

    /// Returns the number of cards of all packets.
    #[inline]
    pub const fn total(&self) -> usize {
        // The sum of eight bytes, each at most 8, comes out in the top byte of the product.
        (u64::from_le_bytes(self.0).wrapping_mul(0x0101_0101_0101_0101) >> 56) as usize
    }
}

#[cfg(feature = "serde")]
impl TryFrom<Vec<u8>> for Packets {
    type Error = &'static str;

    fn try_from(sizes: Vec<u8>) -> Result<Self, Self::Error> {
        Self::new(&sizes).ok_or("expected up to eight packets of 1 to 8 cards")
    }
}

#[cfg(feature = "serde")]
impl From<Packets> for Vec<u8> {
    fn from(packets: Packets) -> Self {
        packets.0.into_iter().take_while(|size| *size > 0).collect()
    }
}

/// Declares sections of the options: in a rule file each must have all its fields and no other.
macro_rules! sections {
    ($($(#[$meta:meta])* pub struct $name:ident { $($fields:tt)* })*) => {$(
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
        pub struct $name { $($fields)* }
    )*};
}

sections! {
    /// The section `deal`.
    pub struct DealRules {
        /// How the cards come to the players.
        pub method: DealMethod,
        /// Where the order of the deck comes from.
        pub shuffle: Shuffle,
        /// The packets before the auction: eight cards in a full deal, five in a turn-up deal, one to seven in a split one.
        pub packets: Packets,
        /// Which way round the seats are drawn.
        pub rotation: Rotation,
        /// What the dealer's team loses for a misdeal, points.
        pub misdeal_penalty: u16,
        /// What the other team gets for it, points.
        #[cfg_attr(feature = "serde", serde(default = "initial::zero", skip_serializing_if = "initial::is_zero"))]
        pub misdeal_credit: u16,
        /// Who deals after a deal in which nobody bids.
        #[cfg_attr(feature = "serde", serde(default = "initial::passed_out", skip_serializing_if = "initial::is_passed_out"))]
        pub passed_out: PassedOut,
        /// Where the deck is only cut: after how many deals passed out in a row it is shuffled; 0: never.
        #[cfg_attr(feature = "serde", serde(default = "initial::zero", skip_serializing_if = "initial::is_zero"))]
        pub reshuffle: u16,
        /// The least number of cards in each part of a cut, in `1..=16`.
        #[cfg_attr(feature = "serde", serde(default = "initial::two", skip_serializing_if = "initial::is_two"))]
        pub least_cut: u16,
    }

    /// The section `auction`.
    pub struct AuctionRules {
        /// What is bid.
        #[cfg_attr(feature = "serde", serde(default = "initial::bids", skip_serializing_if = "initial::is_bids"))]
        pub bids: Bids,
        /// The lowest bid, points in `1..=990`.
        pub lowest: u16,
        /// The highest number that can be bid; `None` (written `none`): tens up to 990.
        #[cfg_attr(feature = "serde", serde(with = "forms::highest"))]
        pub highest: Option<u16>,
        /// Whether no trump can be bid.
        pub no_trump: bool,
        /// Whether all trump can be bid.
        pub all_trump: bool,
        /// Whether capot can be bid.
        pub capot: bool,
        /// Whether générale can be bid.
        pub generale: bool,
        /// Whether there is a second kind of pass.
        pub signal_pass: bool,
        /// When a bid can be doubled.
        pub coinche: CoincheMode,
        /// What may be said over a coinche.
        pub over_coinche: OverCoinche,
        /// Which bid ends the auction.
        #[cfg_attr(feature = "serde", serde(default = "initial::closed_by", skip_serializing_if = "initial::is_closed_by"))]
        pub closed_by: ClosedBy,
    }

    /// The section `contract`: what a bid is worth and needs.
    pub struct ContractRules {
        /// The value of a bid capot.
        pub capot: u16,
        /// The value of a bid générale.
        pub generale: u16,
        /// The points that a lower bid must make nevertheless; 0: its own value is enough.
        pub floor: u16,
        /// Which points must reach it.
        #[cfg_attr(feature = "serde", serde(default = "initial::floor_of", skip_serializing_if = "initial::is_floor_of"))]
        pub floor_of: FloorOf,
        /// How many points more than its value a bid of points must make.
        #[cfg_attr(feature = "serde", serde(default = "initial::zero", skip_serializing_if = "initial::is_zero"))]
        pub margin: u16,
        /// Whether the declarers need, too, more points than the defenders.
        pub majority: bool,
    }

    /// The section `play`.
    pub struct PlayRules {
        /// Whether a player who cannot overtrump must undertrump.
        pub undertrump: Undertrump,
        /// What a player must do who cannot follow when the partner is winning.
        pub partner_trump: PartnerTrump,
    }

    /// The section `belote`.
    pub struct BeloteRules {
        /// How it becomes known.
        pub announce: Announce,
        /// Whether it helps to make the contract.
        pub counts_for_contract: bool,
        /// Who scores the declarers' belote when the contract fails.
        pub failed: BeloteFailed,
        /// Who scores it when the bid was coinched.
        pub coinched: BeloteCoinched,
        /// What it is in all trump.
        pub all_trump: BeloteAllTrump,
        /// Whether it is multiplied by the stake's factor of the contract.
        #[cfg_attr(feature = "serde", serde(with = "forms::multiplied"))]
        pub multiplied: Multiplied,
        /// Whether it is scored; if it does not count for the contract either, there is no belote.
        #[cfg_attr(feature = "serde", serde(default = "initial::yes", skip_serializing_if = "initial::is_yes"))]
        pub scored: bool,
    }

    /// The section `melds`.
    pub struct MeldRules {
        /// Whether melds are announced.
        pub enabled: bool,
        /// Whether the holder may keep silent.
        #[cfg_attr(feature = "serde", serde(default = "automatic"))]
        pub announce: Announce,
        /// How the melds of the two sides compete.
        pub contest: MeldContest,
        /// What decides between sequences of equal points.
        #[cfg_attr(feature = "serde", serde(default = "initial::equal", skip_serializing_if = "initial::is_equal"))]
        pub equal: MeldEqual,
        /// Who wins when nothing does.
        #[cfg_attr(feature = "serde", serde(default = "initial::tie", skip_serializing_if = "initial::is_tie"))]
        pub tie: MeldTie,
        /// Whether there are melds in no trump.
        #[cfg_attr(feature = "serde", serde(default = "initial::yes", skip_serializing_if = "initial::is_yes"))]
        pub no_trump: bool,
        /// Who scores them when the bid was coinched.
        #[cfg_attr(feature = "serde", serde(default = "initial::coinched", skip_serializing_if = "initial::is_coinched"))]
        pub coinched: BeloteCoinched,
        /// Points of four aces; 0: they are no meld.
        pub carre_of_aces: u16,
        /// Whether melds help to make the contract.
        pub counts_for_contract: bool,
        /// Whether they are multiplied by the stake's factor of the contract.
        pub multiplied: bool,
    }

    /// One row of the score table: what a stake makes of tricks and contract.
    pub struct ScoreRow {
        /// The factor of the trick part, own or flat.
        pub tricks: u16,
        /// The factor of the contract's value.
        pub contract: u16,
        /// The declarers' trick part when made.
        pub made_declarers: DeclarersPart,
        /// The defenders' trick part when made.
        pub made_defenders: DefendersPart,
        /// The defenders' trick part when failed.
        pub failed_defenders: FailedPart,
    }

    /// The section `scoring`.
    pub struct ScoringRules {
        /// What the declarers score for a made contract.
        pub made: MadeScore,
        /// The flat trick part of the defenders of a failed contract.
        pub failed: u16,
        /// Whether the defenders of a failed contract score their slam instead of the flat part.
        pub failed_slam: bool,
        /// Whether the contract's value is added for a failed contract.
        pub failed_bid: bool,
        /// What all eight tricks are worth: a number of points, or card points and that number.
        #[cfg_attr(feature = "serde", serde(default = "initial::slam", skip_serializing_if = "initial::is_slam"))]
        pub slam: Slam,
        /// The trick points of a side that took all eight tricks, last trick included.
        pub unbid_slam: u16,
        /// The trick points of a side one player of which took all eight tricks.
        pub solo_slam: u16,
        /// What a bid capot scores flat, times the stake's factor of the contract; 0: as any contract.
        pub flat_capot: u16,
        /// How trick points are rounded.
        pub rounding: Rounding,
        /// Points of the last trick with a trump suit.
        pub last_trick: u16,
        /// Points of the last trick in no trump.
        pub last_trick_no_trump: u16,
        /// Points of the last trick in all trump.
        pub last_trick_all_trump: u16,
        /// The factor of card points and last trick in no trump.
        #[cfg_attr(feature = "serde", serde(default = "initial::one", skip_serializing_if = "initial::is_one"))]
        pub factor_no_trump: u16,
        /// The same in all trump.
        #[cfg_attr(feature = "serde", serde(default = "initial::one", skip_serializing_if = "initial::is_one"))]
        pub factor_all_trump: u16,
        /// The row of a bid that was not coinched.
        pub plain: ScoreRow,
        /// The row of a coinched bid.
        pub coinche: ScoreRow,
        /// The row of a surcoinched bid.
        pub surcoinche: ScoreRow,
    }

    /// The section `match`.
    pub struct MatchRules {
        /// The points that end a match.
        pub target: u32,
        /// The played deals that end a match for both sides, instead of points; 0: points do.
        #[cfg_attr(feature = "serde", serde(default = "initial::zero", skip_serializing_if = "initial::is_zero"))]
        pub deals: u16,
        /// Whether the target must be exceeded, not only reached.
        pub exceed: bool,
        /// Who wins when both sides are there.
        pub both_reached: BothReached,
        /// What a tie is where a contract needs more points than the other side.
        pub tie: Tie,
        /// Whether a deal in which one side takes all eight tricks can end the match.
        #[cfg_attr(feature = "serde", serde(default = "initial::yes", skip_serializing_if = "initial::is_yes"))]
        pub slam_wins: bool,
        /// What a side must have done in the deal in which it wins the match.
        #[cfg_attr(feature = "serde", serde(default = "initial::finish", skip_serializing_if = "initial::is_finish"))]
        pub finish: Finish,
    }

    /// All options of the rule family (`docs/rules.md`, "Where published rules differ"), with any values in them.
    ///
    /// What is played is a [`RuleSet`]: options that were validated.
    ///
    /// ```
    /// use coinche_engine::RuleSet;
    /// use coinche_engine::rules::RuleOptions;
    ///
    /// let mut options: RuleOptions = *RuleSet::COINCHE.options();
    /// options.game.target = 2000;
    /// assert_eq!(options.validate()?.game.target, 2000);
    /// options.auction.lowest = 0;
    /// assert!(options.validate().is_err());
    /// # Ok::<(), coinche_engine::rules::RuleError>(())
    /// ```
    pub struct RuleOptions {
        /// Dealing.
        pub deal: DealRules,
        /// The points of the cards.
        pub cards: CardRules,
        /// The auction.
        pub auction: AuctionRules,
        /// What a bid is worth and needs.
        pub contract: ContractRules,
        /// Playing the cards.
        pub play: PlayRules,
        /// King and queen of trumps.
        pub belote: BeloteRules,
        /// Sequences and carrés.
        pub melds: MeldRules,
        /// The score of a deal.
        pub scoring: ScoringRules,
        /// The match.
        #[cfg_attr(feature = "serde", serde(rename = "match"))]
        pub game: MatchRules,
    }
}

impl DealRules {
    /// Tests if the packets give each player the cards that the method deals before the auction.
    #[inline]
    pub const fn is_valid(&self) -> bool {
        let (least, most) = self.method.cards();
        least <= self.packets.total() && self.packets.total() <= most
    }

    /// Returns where the deck may be cut: how many cards the upper part may have.
    pub fn cut_places(&self) -> core::ops::RangeInclusive<usize> {
        let least = usize::from(self.least_cut).clamp(1, 16);
        least..=32 - least
    }
}

/// What holds in rule sets that were written before melds could be held back.
#[cfg(feature = "serde")]
const fn automatic() -> Announce {
    Announce::Automatic
}

impl BeloteRules {
    /// Tests if there is a belote: if it is scored or counts for the contract.
    #[inline]
    pub const fn exists(&self) -> bool {
        self.scored || self.counts_for_contract
    }
}

impl MeldRules {
    /// Tests if there are melds in a strain.
    #[inline]
    pub const fn in_strain(&self, strain: Strain) -> bool {
        self.enabled && (self.no_trump || !matches!(strain, Strain::NoTrump))
    }
}

impl ScoringRules {
    /// Returns the row of a stake.
    pub const fn row(&self, stake: Stake) -> &ScoreRow {
        match stake {
            Stake::Plain => &self.plain,
            Stake::Coinche => &self.coinche,
            Stake::Surcoinche => &self.surcoinche,
        }
    }

    /// Returns the points of the last trick in a strain.
    #[inline]
    pub const fn last_trick_in(&self, strain: Strain) -> u16 {
        match strain {
            Strain::NoTrump => self.last_trick_no_trump,
            Strain::AllTrump => self.last_trick_all_trump,
            _ => self.last_trick,
        }
    }

    /// Returns the factor of card points and last trick in a strain.
    #[inline]
    pub const fn factor_in(&self, strain: Strain) -> u16 {
        match strain {
            Strain::NoTrump => self.factor_no_trump,
            Strain::AllTrump => self.factor_all_trump,
            _ => 1,
        }
    }

    /// Divides what a side scores by ten, rounded by the strain so that 162, 258 and 260 points keep their sum: with a trump
    /// suit from 7 on up, in all trump from 5 on; a 6, in all trump a 4, goes up for the side that has less.
    pub(crate) const fn tenths(strain: Strain, points: i32, has_less: bool) -> i32 {
        let (pivot, up) = match strain {
            Strain::NoTrump => (5, true),
            Strain::AllTrump => (4, has_less),
            _ => (6, has_less),
        };
        let digit = points % 10;
        points / 10 + (digit > pivot || (digit == pivot && up)) as i32
    }

    /// Rounds trick points, of the defenders if the others have the rest; not to tenths, which are of all that a side scores.
    pub const fn round(&self, points: u16) -> u16 {
        match self.rounding {
            Rounding::None | Rounding::Tenths => points,
            Rounding::NearestTen | Rounding::Complement => (points + 5) / 10 * 10,
            Rounding::NearestTenDown => (points + 4) / 10 * 10,
        }
    }
}

/// A rule set that can be played: options that are in range and agree with each other.
///
/// Reads as the [`RuleOptions`] in it. It is made from options by [`RuleOptions::validate`], from another
/// rule set by [`RuleSet::with`], from text or by name; reading with serde validates too.
///
/// ```
/// use coinche_engine::RuleSet;
/// use coinche_engine::rules::Shuffle;
///
/// let rules = RuleSet::preset("coinchee").expect("a preset");
/// assert_eq!(rules.deal.shuffle, Shuffle::Cut);
/// assert_eq!(rules.preset_name(), Some("coinchee"));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(into = "RuleOptions"))]
pub struct RuleSet(RuleOptions);

impl Deref for RuleSet {
    type Target = RuleOptions;

    fn deref(&self) -> &RuleOptions {
        &self.0
    }
}

impl TryFrom<RuleOptions> for RuleSet {
    type Error = RuleError;

    fn try_from(options: RuleOptions) -> Result<Self, RuleError> {
        options.validate()
    }
}

impl From<RuleSet> for RuleOptions {
    fn from(rules: RuleSet) -> Self {
        rules.0
    }
}

/// A field of a rule set with a value that no rule allows.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{field}` cannot be {value}: expected {legal}")]
pub struct RuleError {
    /// The path of the field, as `auction.lowest`.
    pub field: String,
    /// The value that was given.
    pub value: String,
    /// What is legal there.
    pub legal: String,
}

impl RuleOptions {
    /// Returns the rule set of these options, if they are in range and agree with each other.
    ///
    /// # Errors
    ///
    /// Names the first field that is not legal, its value and what would be.
    pub fn validate(&self) -> Result<RuleSet, RuleError> {
        let error = |field: &str, value: &dyn fmt::Display, legal: &str| {
            Err(RuleError { field: field.to_owned(), value: value.to_string(), legal: legal.to_owned() })
        };
        for field in FIELDS {
            if let Some((value, range)) = (field.number)(self)
                && !range.contains(&value)
            {
                return error(field.path, &value, field.legal);
            }
        }
        if !self.deal.is_valid() {
            let cards = match self.deal.method.cards() {
                (least, most) if least == most => most.to_string(),
                (least, most) => format!("{least} to {most}"),
            };
            let given = format!("{} cards in all", self.deal.packets.total());
            return error("deal.packets", &given, &format!("packets of {cards} cards in all"));
        }
        for (path, table) in
            [("cards.no_trump", &self.cards.no_trump), ("cards.all_trump", &self.cards.all_trump)]
        {
            let points: u16 = table.iter().map(|points| u16::from(*points)).sum();
            if points > CardRules::MOST {
                let given = format!("a suit of {points} points");
                return error(path, &given, "eight numbers that add up to at most 100");
            }
        }
        if self.auction.highest.is_some_and(|highest| highest < self.auction.lowest) {
            let highest = self.auction.highest.unwrap_or_default();
            let legal = format!("at least `auction.lowest`, {}", self.auction.lowest);
            return error("auction.highest", &highest, &legal);
        }
        self.agree_with_the_method()?;
        Ok(RuleSet(*self))
    }

    /// Refuses what the way of dealing and bidding rules out: bids of points without values, ties with them.
    fn agree_with_the_method(&self) -> Result<(), RuleError> {
        const TURN_UP: &str = "(`deal.method` is turn-up: a take has no value)";
        const STRAINS: &str = "(`auction.bids` is strains: bids have no value)";
        let refused = |field: &str, value: &str, legal: String| {
            Err(RuleError { field: field.to_owned(), value: value.to_owned(), legal })
        };
        let auction = &self.auction;
        if auction.over_coinche == OverCoinche::Open && auction.coinche == CoincheMode::AnyTime {
            let legal = "`closed` or `raise` (`auction.coinche` is any-time)";
            return refused("auction.over_coinche", auction.over_coinche.word(), legal.to_owned());
        }
        if self.has_values() {
            const VALUES: &str = "(`auction.bids` is values and `deal.method` is not turn-up: a bid of points is made or fails)";
            if !matches!(self.game.tie, Tie::Failed | Tie::Made) {
                return refused("match.tie", self.game.tie.word(), format!("`failed` or `made` {VALUES}"));
            }
            if self.scoring.rounding == Rounding::Tenths {
                let legal = format!("`none`, `nearest-ten`, `nearest-ten-down` or `complement` {VALUES}");
                return refused("scoring.rounding", "tenths", legal);
            }
            return Ok(());
        }
        let is_turn_up = self.deal.method == DealMethod::TurnUp;
        let why = if is_turn_up { TURN_UP } else { STRAINS };
        for (field, is_on) in [
            ("auction.capot", auction.capot),
            ("auction.generale", auction.generale),
            ("auction.signal_pass", is_turn_up && auction.signal_pass),
        ] {
            if is_on {
                return refused(field, "true", format!("false {why}"));
            }
        }
        if self.scoring.made != MadeScore::Tricks {
            return refused("scoring.made", self.scoring.made.word(), format!("`tricks` {why}"));
        }
        Ok(())
    }

    /// Tests if what is bid has a value: not in a turn-up game, nor where strains alone are bid. A contract without value
    /// ([`Goal::Majority`](crate::Goal)) needs more points than the other side.
    #[inline]
    pub const fn has_values(&self) -> bool {
        matches!((self.deal.method, self.auction.bids), (DealMethod::Full | DealMethod::Split, Bids::Values))
    }
}

impl RuleSet {
    /// Returns the options.
    pub const fn options(&self) -> &RuleOptions {
        &self.0
    }

    /// Returns the rules with some options changed, which are validated together.
    ///
    /// ```
    /// use coinche_engine::RuleSet;
    ///
    /// let rules = RuleSet::BGA.with(|options| options.game.target = 500)?;
    /// assert_eq!(rules.game.target, 500);
    /// assert!(RuleSet::BGA.with(|options| options.deal.packets = RuleSet::BELOTE.deal.packets).is_err());
    /// # Ok::<(), coinche_engine::rules::RuleError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Names the first field that is not legal, its value and what would be.
    pub fn with(&self, change: impl FnOnce(&mut RuleOptions)) -> Result<Self, RuleError> {
        let mut options = self.0;
        change(&mut options);
        options.validate()
    }

    /// Returns the value `V` of a bid in the score: its points, or what a slam is worth.
    pub const fn bid_worth(&self, value: BidValue) -> u16 {
        match value {
            BidValue::CAPOT => self.0.contract.capot,
            BidValue::GENERALE => self.0.contract.generale,
            _ => match value.as_points() {
                Some(points) => points,
                None => 0,
            },
        }
    }

    /// Returns the points of a trick-taking side's cards, the last trick not included.
    #[inline]
    pub const fn card_points(&self, strain: Strain, card: crate::Card) -> u16 {
        self.0.cards.points(strain, card)
    }

    /// Returns what a side with all tricks has in a strain, where `number` is that of the slam.
    pub(crate) fn slam(&self, strain: Strain, number: u16) -> u16 {
        match self.0.scoring.slam {
            Slam::Instead => number,
            Slam::Added => self.all_points(strain) * self.0.scoring.factor_in(strain) + number,
        }
    }

    /// Returns all card points of a strain with the last trick: 162 in most rule sets.
    #[inline]
    pub fn all_points(&self, strain: Strain) -> u16 {
        self.0.cards.points_of(strain, crate::CardSet::FULL) + self.0.scoring.last_trick_in(strain)
    }

    /// Tests if a strain can be bid.
    pub const fn allows_strain(&self, strain: Strain) -> bool {
        match strain {
            Strain::NoTrump => self.0.auction.no_trump,
            Strain::AllTrump => self.0.auction.all_trump,
            _ => true,
        }
    }
}
