//! The options that are one of a few words.

/// Declares options that are one of a few words: the enum, its words and its serde form.
macro_rules! choices {
    ($($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident = $word:literal,)* })*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        pub enum $name {
            $($(#[$vdoc])* #[cfg_attr(feature = "serde", serde(rename = $word))] $variant,)*
        }

        impl $name {
            /// The words of the option, as written in a rule file.
            pub const WORDS: &'static [&'static str] = &[$($word),*];

            /// Returns the word of this choice.
            pub const fn word(self) -> &'static str {
                Self::WORDS[self as usize]
            }
        }
    )*};
}

choices! {
    /// How the cards come to the players (`deal.method`).
    DealMethod {
        /// All eight cards before the auction.
        Full = "full",
        /// Five cards and one turned up; the rest after the auction.
        TurnUp = "turn-up",
        /// The cards of the packets; the rest after the auction.
        Split = "split",
    }
    /// Where the order of the deck comes from (`deal.shuffle`).
    Shuffle {
        /// Every deal is an independent uniform permutation.
        Uniform = "uniform",
        /// Shuffled once for a match, then only gathered and cut.
        Cut = "cut",
    }
    /// Which way round the seats are named and drawn (`deal.rotation`).
    Rotation {
        /// To the left.
        Clockwise = "clockwise",
        /// To the right.
        Counterclockwise = "counterclockwise",
    }
    /// Who deals after a deal in which nobody bids (`deal.passed_out`).
    PassedOut {
        /// The next player.
        Next = "next",
        /// The same dealer.
        Same = "same",
        /// There is no such deal: who speaks last must bid.
        Never = "never",
    }
    /// What is bid (`auction.bids`).
    Bids {
        /// A value and a strain.
        Values = "values",
        /// A strain, above the last in the order C D H S SA TA.
        Strains = "strains",
    }
    /// When a bid can be doubled (`auction.coinche`).
    CoincheMode {
        /// At one's turn.
        InTurn = "in-turn",
        /// Besides, right after every bid of the other side.
        AnyTime = "any-time",
        /// Never.
        Off = "off",
    }
    /// What may be said over a coinche (`auction.over_coinche`).
    OverCoinche {
        /// Nobody may bid.
        Closed = "closed",
        /// The coinched side may raise its bid, which lifts the coinche.
        Raise = "raise",
        /// Anybody may bid higher, over a surcoinche too, which lifts both.
        Open = "open",
    }
    /// Which bid ends the auction, so that nobody may bid more or coinche (`auction.closed_by`).
    ClosedBy {
        /// None.
        None = "none",
        /// A capot or générale.
        Slam = "slam",
        /// The first one.
        Bid = "bid",
    }
    /// Whether a player who cannot overtrump must undertrump (`play.undertrump`).
    Undertrump {
        /// A trump must still be played.
        Forced = "forced",
        /// Anything may be played.
        Free = "free",
        /// Anything but a lower trump must be played, over the partner's trump too.
        Forbidden = "forbidden",
    }
    /// Which points `contract.floor` asks for (`contract.floor_of`).
    FloorOf {
        /// All that count for the contract.
        All = "all",
        /// Those of the tricks.
        Tricks = "tricks",
    }
    /// What a player must do who cannot follow when the partner is winning (`play.partner_trump`).
    PartnerTrump {
        /// Nothing.
        Any = "any",
        /// A hand of trumps only must overtrump the partner's trump if possible.
        Overtrump = "overtrump",
        /// Trump and overtrump, as if an opponent were winning.
        Always = "always",
    }
    /// How a belote or a meld becomes known (`belote.announce`, `melds.announce`).
    Announce {
        /// Always announced.
        Automatic = "automatic",
        /// The holder chooses: of a belote at the first of its two cards, of melds at the first card.
        Voluntary = "voluntary",
    }
    /// Who scores the declarers' belote when the contract fails (`belote.failed`).
    BeloteFailed {
        /// The team that held it.
        Holder = "holder",
        /// The defenders.
        Defenders = "defenders",
    }
    /// Who scores a belote or melds when the bid was coinched (`belote.coinched`, `melds.coinched`).
    BeloteCoinched {
        /// The team that held them, unless the contract fails.
        Holder = "holder",
        /// The team that won the deal.
        Winner = "winner",
    }
    /// What a belote is in all trump (`belote.all_trump`).
    BeloteAllTrump {
        /// Nothing.
        None = "none",
        /// King and queen of each suit.
        EachSuit = "each-suit",
        /// The same, unless the first of the two is a discard.
        NoDiscard = "no-discard",
    }
    /// Whose belote is multiplied by the stake's factor of the contract (`belote.multiplied`).
    Multiplied {
        /// Nobody's.
        Nobody = "false",
        /// Every belote.
        All = "true",
        /// The one that the winner of the deal scores.
        Winner = "winner",
    }
    /// How the melds of the two sides compete (`melds.contest`).
    MeldContest {
        /// Sequences against sequences, carrés against carrés.
        ByKind = "by-kind",
        /// The side with the single strongest meld scores all of its melds.
        ByPoints = "by-points",
    }
    /// What comes next where melds of the contest by points have equal points and are both sequences (`melds.equal`).
    MeldEqual {
        /// Trumps, then the higher top card.
        Trumps = "trumps",
        /// The higher top card, then trumps.
        Height = "height",
    }
    /// Who wins a contest of melds that are equal (`melds.tie`).
    MeldTie {
        /// Nobody.
        Neither = "neither",
        /// The side that has announced one of them first.
        First = "first",
    }
    /// What the declarers score for a made contract (`scoring.made`).
    MadeScore {
        /// Their tricks and the value of the bid.
        TricksAndBid = "tricks+bid",
        /// The value of the bid.
        Bid = "bid",
        /// Their tricks.
        Tricks = "tricks",
    }
    /// What a side with all eight tricks gets (`scoring.slam`).
    Slam {
        /// `scoring.unbid_slam` or `scoring.solo_slam` in place of its card points.
        Instead = "instead",
        /// The same on top of its card points.
        Added = "added",
    }
    /// How trick points are rounded (`scoring.rounding`).
    Rounding {
        /// Not at all.
        None = "none",
        /// To the nearest ten, 5 goes up.
        NearestTen = "nearest-ten",
        /// To the nearest ten, 5 goes down.
        NearestTenDown = "nearest-ten-down",
        /// The defenders to the nearest ten, 5 goes up; the declarers have the rest of all points, rounded.
        Complement = "complement",
        /// All that a side scores, in tens, by the strain.
        Tenths = "tenths",
    }
    /// The trick part of the declarers' score for a made contract (`….made_declarers`).
    DeclarersPart {
        /// The number of `scoring.failed`.
        Flat = "flat",
        /// Their own tricks.
        Own = "own",
        /// The tricks of both sides.
        All = "all",
    }
    /// The defenders' score when the contract is made (`….made_defenders`).
    DefendersPart {
        /// Their own tricks.
        Own = "own",
        /// Nothing.
        None = "none",
    }
    /// The trick part of the defenders' score for a failed contract (`….failed_defenders`).
    FailedPart {
        /// The number of `scoring.failed`.
        Flat = "flat",
        /// Their own tricks.
        Own = "own",
        /// The tricks of both sides.
        All = "all",
    }
    /// Who wins when a deal takes both sides to the target (`match.both_reached`).
    BothReached {
        /// The higher total; a tie is one more deal.
        MostPoints = "most-points",
        /// One more deal, then the higher total; a tie is one more again.
        ExtraDeal = "extra-deal",
        /// The higher total; a tie goes to the winner of the last deal.
        LastWinner = "last-winner",
    }
    /// What a tie is where a contract needs more points than the other side (`match.tie`).
    Tie {
        /// The contract has failed.
        Failed = "failed",
        /// The takers' tricks and melds wait for the winner of the next deal.
        Held = "held",
        /// All points that the takers would score wait, belotes too.
        Hanging = "hanging",
        /// The contract is made; also where a bid of points needs more than the other side, too.
        Made = "made",
    }
    /// What a side must have done in the last deal to win the match by its points (`match.finish`).
    Finish {
        /// Nothing.
        Any = "any",
        /// Taken a trick.
        Trick = "trick",
        /// Taken a trick, and not failed with a contract.
        Unfailed = "unfailed",
    }
}

impl DealMethod {
    /// Returns the least and the largest number of cards that each player can get before the auction.
    #[inline]
    pub const fn cards(self) -> (usize, usize) {
        match self {
            Self::Full => (8, 8),
            Self::TurnUp => (5, 5),
            Self::Split => (1, 7),
        }
    }
}
