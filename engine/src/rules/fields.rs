//! The list of all fields: path, legal values, meaning.

use core::ops::RangeInclusive;

use super::RuleOptions;

/// The value of a number and the range it must lie in.
type NumberInRange = Option<(u32, RangeInclusive<u32>)>;

/// A field of a rule set, for people: error messages, `arena rules`, the documentation.
#[derive(Debug, Clone, Copy)]
pub struct Field {
    /// The path, as `auction.lowest`.
    pub path: &'static str,
    /// The legal values in words.
    pub legal: &'static str,
    /// What the field decides.
    pub doc: &'static str,
    /// The value and its range, where the field is a number.
    pub(super) number: fn(&RuleOptions) -> NumberInRange,
}

macro_rules! fields {
    ($($path:literal : $legal:literal, $doc:literal $(, $rules:ident => $value:expr, $range:expr)?;)*) => {
        /// All fields of a rule set, in the order of its sections.
        pub const FIELDS: &[Field] = &[$(Field {
            path: $path,
            legal: $legal,
            doc: $doc,
            number: fields!(@number $($rules => $value, $range)?),
        }),*];
    };
    (@number) => { |_| None };
    (@number $rules:ident => $value:expr, $range:expr) => { |$rules| Some((u32::from($value), $range)) };
}

fields! {
    "deal.method": "`full`, `turn-up` or `split`", "eight cards before the auction; five and one turned up; or those of the packets, the rest after the auction";
    "deal.shuffle": "`uniform` or `cut`", "every deal shuffled, or the deck only gathered and cut";
    "deal.packets": "a list of packet sizes that add up to 8 (`full`), 5 (`turn-up`) or 1 to 7 (`split`)", "how many cards are dealt at a time";
    "deal.rotation": "`clockwise` or `counterclockwise`", "which way round the seats are named and drawn";
    "deal.misdeal_penalty": "0 to 10000", "points the dealer's team loses for a misdeal, which only records from elsewhere have", r => r.deal.misdeal_penalty, 0..=10_000;
    "deal.misdeal_credit": "0 to 10000", "points the other team gets for it", r => r.deal.misdeal_credit, 0..=10_000;
    "deal.passed_out": "`next`, `same` or `never`", "who deals after a deal in which nobody bids: the next player, or the same one; never: who speaks last must bid";
    "deal.reshuffle": "0 to 100", "after how many deals passed out in a row the deck is shuffled instead of cut; 0: never", r => r.deal.reshuffle, 0..=100;
    "deal.least_cut": "1 to 16", "how many cards each part of the cut deck has at least", r => r.deal.least_cut, 1..=16;
    "cards.no_trump": "eight numbers that add up to at most 100, for A T K Q J 9 8 7", "points of a suit in no trump";
    "cards.all_trump": "eight numbers that add up to at most 100, for J 9 A T K Q 8 7", "points of a suit in all trump";
    "auction.bids": "`values` or `strains`", "a bid is a value and a strain; or a strain alone, above the last in the order C D H S SA TA, and needs more points than the other side";
    "auction.lowest": "1 to 990", "the lowest bid; above it the multiples of ten", r => r.auction.lowest, 1..=990;
    "auction.highest": "1 to 990, or `none`", "the highest bid in points; none: 990", r => r.auction.highest.unwrap_or(990), 1..=990;
    "auction.no_trump": "true or false", "no trump (SA) can be bid; in a turn-up game, taken in the second round";
    "auction.all_trump": "true or false", "all trump (TA) can be bid; in a turn-up game, taken in the second round";
    "auction.capot": "true or false", "capot can be bid";
    "auction.generale": "true or false", "générale can be bid";
    "auction.signal_pass": "true or false", "there is a second kind of pass, W";
    "auction.coinche": "`in-turn`, `any-time` or `off`", "when a bid or take can be doubled";
    "auction.over_coinche": "`closed`, `raise` or `open`", "over a coinche nobody may bid, the coinched side may raise, or anybody may bid (over a surcoinche too)";
    "auction.closed_by": "`none`, `slam` or `bid`", "the bid that ends the auction, so that nobody may bid more or coinche: none, a capot or générale, or the first";
    "contract.capot": "1 to 10000", "the value V of a bid capot", r => r.contract.capot, 1..=10_000;
    "contract.generale": "1 to 10000", "the value V of a bid générale", r => r.contract.generale, 1..=10_000;
    "contract.floor": "0 to 990", "lower bids must make this many points; 0: no such rule", r => r.contract.floor, 0..=990;
    "contract.floor_of": "`all` or `tricks`", "which points must reach the floor: all that count for the contract, or those of the tricks";
    "contract.margin": "0 to 990", "points that a bid must make beyond its value", r => r.contract.margin, 0..=990;
    "contract.majority": "true or false", "the declarers also need more points than the defenders";
    "play.undertrump": "`forced`, `free` or `forbidden`", "a player who cannot overtrump must still play a trump; may discard; or must, also under the partner's trump, unless all cards are trumps";
    "play.partner_trump": "`any`, `overtrump` or `always`", "cannot follow, the partner winning: any card; a hand of trumps only goes over the partner's; or always trump and overtrump";
    "belote.announce": "`automatic` or `voluntary`", "belote is always announced, or the holder chooses";
    "belote.counts_for_contract": "true or false", "belote counts for the contract";
    "belote.failed": "`holder` or `defenders`", "who scores the declarers' belote when the contract fails";
    "belote.coinched": "`holder` or `winner`", "who scores belote when the bid was coinched";
    "belote.all_trump": "`none`, `each-suit` or `no-discard`", "belote in all trump: none; king and queen of each suit; the same, unless the first of them is a discard";
    "belote.multiplied": "true, false or `winner`", "belote is multiplied by the stake's factor of the contract; or only that of the side that wins the deal";
    "belote.scored": "true or false", "belote is scored; if it does not count for the contract either, there is none";
    "melds.enabled": "true or false", "melds are announced and scored";
    "melds.announce": "`automatic` or `voluntary`", "melds are always announced, or the holder may keep silent";
    "melds.contest": "`by-kind` or `by-points`", "sequences and carrés compete separately, or the strongest meld takes all";
    "melds.equal": "`trumps` or `height`", "of sequences of equal points the one in trumps is stronger, then the higher; or first the higher";
    "melds.tie": "`neither` or `first`", "of equal melds neither scores, or the side that has announced one first";
    "melds.no_trump": "true or false", "there are melds in no trump";
    "melds.coinched": "`holder` or `winner`", "who scores melds when the bid was coinched";
    "melds.carre_of_aces": "0 to 1000", "points of four aces; 0: no meld", r => r.melds.carre_of_aces, 0..=1000;
    "melds.counts_for_contract": "true or false", "melds count for the contract";
    "melds.multiplied": "true or false", "melds are multiplied by the stake's factor of the contract";
    "scoring.made": "`tricks+bid`, `bid` or `tricks`", "what the declarers score for a made contract";
    "scoring.failed": "0 to 10000", "the defenders' flat trick part for a failed contract", r => r.scoring.failed, 0..=10_000;
    "scoring.failed_slam": "true or false", "defenders with all eight tricks score their slam instead";
    "scoring.failed_bid": "true or false", "the value of the bid is added for a failed contract";
    "scoring.slam": "`instead` or `added`", "the two numbers that follow stand instead of card points, or are added to them";
    "scoring.unbid_slam": "0 to 10000", "trick points of a side with all eight tricks", r => r.scoring.unbid_slam, 0..=10_000;
    "scoring.solo_slam": "0 to 10000", "trick points of a side if one player took all eight tricks", r => r.scoring.solo_slam, 0..=10_000;
    "scoring.flat_capot": "0 to 10000", "a bid capot scores this flat; 0: as any contract", r => r.scoring.flat_capot, 0..=10_000;
    "scoring.rounding": "`none`, `nearest-ten`, `nearest-ten-down`, `complement` or `tenths`", "rounding of trick points: 5 goes up, or down; the defenders' alone, 5 up, and the declarers have the rest; or all that a side scores in tens, rounded by the strain";
    "scoring.last_trick": "0 to 1000", "points of the last trick with a trump suit", r => r.scoring.last_trick, 0..=1000;
    "scoring.last_trick_no_trump": "0 to 1000", "points of the last trick in no trump", r => r.scoring.last_trick_no_trump, 0..=1000;
    "scoring.last_trick_all_trump": "0 to 1000", "points of the last trick in all trump", r => r.scoring.last_trick_all_trump, 0..=1000;
    "scoring.factor_no_trump": "1 to 10", "factor of card points and last trick in no trump", r => r.scoring.factor_no_trump, 1..=10;
    "scoring.factor_all_trump": "1 to 10", "factor of card points and last trick in all trump", r => r.scoring.factor_all_trump, 1..=10;
    "scoring.plain.tricks": "0 to 100", "factor of the trick part", r => r.scoring.plain.tricks, 0..=100;
    "scoring.plain.contract": "0 to 100", "factor of the contract's value", r => r.scoring.plain.contract, 0..=100;
    "scoring.plain.made_declarers": "`own`, `all` or `flat`", "declarers' trick part when made; flat: `scoring.failed`";
    "scoring.plain.made_defenders": "`own` or `none`", "defenders' trick part when made";
    "scoring.plain.failed_defenders": "`flat`, `own` or `all`", "defenders' trick part when failed";
    "scoring.coinche.tricks": "0 to 100", "the same, if coinched", r => r.scoring.coinche.tricks, 0..=100;
    "scoring.coinche.contract": "0 to 100", "the same, if coinched", r => r.scoring.coinche.contract, 0..=100;
    "scoring.coinche.made_declarers": "`own`, `all` or `flat`", "the same, if coinched";
    "scoring.coinche.made_defenders": "`own` or `none`", "the same, if coinched";
    "scoring.coinche.failed_defenders": "`flat`, `own` or `all`", "the same, if coinched";
    "scoring.surcoinche.tricks": "0 to 100", "the same, if surcoinched", r => r.scoring.surcoinche.tricks, 0..=100;
    "scoring.surcoinche.contract": "0 to 100", "the same, if surcoinched", r => r.scoring.surcoinche.contract, 0..=100;
    "scoring.surcoinche.made_declarers": "`own`, `all` or `flat`", "the same, if surcoinched";
    "scoring.surcoinche.made_defenders": "`own` or `none`", "the same, if surcoinched";
    "scoring.surcoinche.failed_defenders": "`flat`, `own` or `all`", "the same, if surcoinched";
    "match.target": "1 to 1000000", "the points that end a match", r => r.game.target, 1..=1_000_000;
    "match.deals": "0 to 1000", "the played deals that end the match for both sides, instead of points; 0: points do", r => r.game.deals, 0..=1000;
    "match.exceed": "true or false", "the target must be exceeded, not just reached";
    "match.both_reached": "`most-points`, `extra-deal` or `last-winner`", "who wins when both sides reach the target";
    "match.tie": "`failed`, `held`, `hanging` or `made`", "a tie where more points than the other side's are needed: failed; the takers' tricks and melds wait; or their belotes too; or made";
    "match.slam_wins": "true or false", "a deal in which one side takes all tricks can end the match; if not, the leader's score and one more is the new target";
    "match.finish": "`any`, `trick` or `unfailed`", "a side wins the match only at the end of a deal in which it took a trick; and has not failed with a contract";
}
