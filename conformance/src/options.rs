//! The named values that fields of a rule set can take, as they are written in JSON.

use serde::{Deserialize, Serialize};

/// Declares an enum whose values are written in kebab case.
macro_rules! options {
    ($($(#[$meta:meta])* $name:ident { $($(#[$vmeta:meta])* $value:ident = $text:literal,)+ })+) => {
        $(
            $(#[$meta])*
            #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
            pub enum $name {
                $($(#[$vmeta])* #[serde(rename = $text)] $value,)+
            }
        )+
    };
}

options! {
    /// `deal.method`: how a deal goes.
    Method {
        /// Eight cards each, then the auction.
        Full = "full",
        /// Five cards each and one turned up, then the rest to the taker and the others.
        TurnUp = "turn-up",
        /// So many cards each as the packets have, then the auction, then the rest.
        Split = "split",
    }
    /// `deal.shuffle`: where the order of the deck comes from.
    Shuffle {
        /// A new uniform permutation for every deal.
        Uniform = "uniform",
        /// The deck is gathered and cut.
        Cut = "cut",
    }
    /// `deal.rotation`: the direction of play, which only names the seats.
    Rotation {
        /// To the left.
        Clockwise = "clockwise",
        /// To the right.
        Counterclockwise = "counterclockwise",
    }
    /// `deal.passed_out`: who deals when nobody bid.
    PassedOut {
        /// The player after the dealer.
        Next = "next",
        /// The dealer.
        Same = "same",
        /// Somebody always bids: the last to speak has to.
        Never = "never",
    }
    /// `auction.bids`: what a bid says.
    Bids {
        /// A value and a strain.
        Values = "values",
        /// A strain alone.
        Strains = "strains",
    }
    /// `auction.coinche`: when a coinche may be said.
    Coinche {
        /// At one's turn to speak.
        InTurn = "in-turn",
        /// At one's turn, and right after every bid of an opponent.
        AnyTime = "any-time",
        /// Never.
        Off = "off",
    }
    /// `auction.over_coinche`: what may follow a coinche.
    OverCoinche {
        /// Passes and a surcoinche only.
        Closed = "closed",
        /// The coinched side may bid higher too, which cancels the coinche.
        Raise = "raise",
        /// Everybody may bid higher, which cancels coinche and surcoinche.
        Open = "open",
    }
    /// `auction.closed_by`: the bid that is the last call.
    ClosedBy {
        /// None is.
        None = "none",
        /// A capot or a générale.
        Slam = "slam",
        /// Any bid.
        Bid = "bid",
    }
    /// `play.undertrump`: what a player does who cannot overtrump.
    Undertrump {
        /// Plays a lower trump.
        Forced = "forced",
        /// Plays anything.
        Free = "free",
        /// Plays no lower trump, over the partner's either, unless the hand has nothing else to play.
        Forbidden = "forbidden",
    }
    /// `contract.floor_of`: which points must reach the floor.
    FloorOf {
        /// Tricks, belotes and melds, as far as they count for the contract.
        All = "all",
        /// The tricks'.
        Tricks = "tricks",
    }
    /// `play.partner_trump`: a player who cannot follow and whose partner is winning.
    PartnerTrump {
        /// Plays anything.
        Any = "any",
        /// Plays anything; but with nothing but trumps must overtrump the partner's trump if possible.
        Overtrump = "overtrump",
        /// Must trump and overtrump all the same.
        Always = "always",
    }
    /// `belote.announce`, `melds.announce`: whether the holder may be silent.
    Announce {
        /// Always announced.
        Automatic = "automatic",
        /// The holder chooses.
        Voluntary = "voluntary",
    }
    /// `belote.failed`: who scores the declarers' belote when the contract fails.
    FailedBelote {
        /// The declarers.
        Holder = "holder",
        /// The defenders.
        Defenders = "defenders",
    }
    /// `belote.coinched`, `melds.coinched`: who scores a belote, or melds, when the bid was coinched.
    CoinchedBelote {
        /// As in a deal that was not coinched.
        Holder = "holder",
        /// The side that won the deal.
        Winner = "winner",
    }
    /// `belote.all_trump`: belotes in all trump.
    AllTrumpBelote {
        /// None.
        None = "none",
        /// King and queen of each suit.
        EachSuit = "each-suit",
        /// The same, but it cannot be announced with a card that is discarded.
        NoDiscard = "no-discard",
    }
    /// `melds.equal`: what decides between sequences of equal points.
    MeldEqual {
        /// Trumps, then the higher card.
        Trumps = "trumps",
        /// The higher card, then trumps.
        Height = "height",
    }
    /// `melds.tie`: who wins when nothing decides.
    MeldTie {
        /// Nobody.
        Neither = "neither",
        /// Who has announced first.
        First = "first",
    }
    /// `melds.contest`: which melds count.
    Contest {
        /// Sequences against sequences, carrés against carrés.
        ByKind = "by-kind",
        /// The single strongest meld decides for all.
        ByPoints = "by-points",
    }
    /// `scoring.made`: what the declarers of a made contract score.
    Made {
        /// Trick part and V.
        TricksAndBid = "tricks+bid",
        /// V alone.
        Bid = "bid",
        /// The trick part alone.
        Tricks = "tricks",
    }
    /// `scoring.slam`: what the worth of a slam does to the card points.
    Slam {
        /// Takes their place.
        Instead = "instead",
        /// Is added to them.
        Added = "added",
    }
    /// `scoring.rounding`: rounding of T in the score.
    Rounding {
        /// None.
        None = "none",
        /// To the nearest ten, 5 up.
        NearestTen = "nearest-ten",
        /// To the nearest ten, 5 down.
        NearestTenDown = "nearest-ten-down",
        /// The defenders' to the nearest ten, 5 up; the declarers' to what is left of all, rounded.
        Complement = "complement",
        /// The whole score in tens.
        Tenths = "tenths",
    }
    /// `made_declarers` of a stake: the trick part of the declarers of a made contract.
    MadeDeclarers {
        /// `scoring.failed`.
        Flat = "flat",
        /// Their own T.
        Own = "own",
        /// The T of both sides.
        All = "all",
    }
    /// `made_defenders` of a stake: the trick part of the defenders of a made contract.
    MadeDefenders {
        /// Their own T.
        Own = "own",
        /// Nothing.
        None = "none",
    }
    /// `failed_defenders` of a stake: the trick part of the defenders of a failed contract.
    FailedDefenders {
        /// `scoring.failed`.
        Flat = "flat",
        /// Their own T.
        Own = "own",
        /// The T of both sides.
        All = "all",
    }
    /// `match.both_reached`: who wins when both sides have reached the target.
    BothReached {
        /// The higher total; a tie: another deal.
        MostPoints = "most-points",
        /// One more deal, then the higher total; a tie: again.
        ExtraDeal = "extra-deal",
        /// The higher total; a tie: the side that won the last deal.
        LastWinner = "last-winner",
    }
    /// `match.tie`: a tie of the made test of a contract without value.
    Tie {
        /// The contract has failed.
        Failed = "failed",
        /// The takers' points are held for the winner of the next deal.
        Held = "held",
        /// All that the takers, or under a coinche its winner, would score is held.
        Hanging = "hanging",
        /// The contract is made.
        Made = "made",
    }
    /// `match.finish`: what keeps a side from winning the match with a deal.
    Finish {
        /// Nothing.
        Any = "any",
        /// To have no trick.
        Trick = "trick",
        /// To have no trick, or a failed contract.
        Unfailed = "unfailed",
    }
    /// The word `winner`, of `belote.multiplied`.
    WinnerWord {
        /// Only the winner's.
        Winner = "winner",
    }
    /// The word `none`, of `auction.highest`.
    NoneWord {
        /// No highest value.
        None = "none",
    }
}

/// `belote.multiplied`: whether a belote is multiplied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Multiplied {
    /// All are, or none.
    All(bool),
    /// The word `winner`: that which the winner of the deal scores.
    Winner(WinnerWord),
}

/// `auction.highest`: the highest value that can be bid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Highest {
    /// Values up to this one.
    Value(i32),
    /// The word `none`: values up to 990.
    Unlimited(NoneWord),
}
