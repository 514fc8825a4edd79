//! What each bit of an observation means.

/// A group of bits of an observation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Feature {
    /// Its name.
    pub name: &'static str,
    /// Its first bit.
    pub start: usize,
    /// The number of its bits.
    pub len: usize,
    /// What the bits mean, the lowest first.
    pub meaning: &'static str,
}

/// The places of the parts, in words of 32 bits. Sets of cards come first: the suits of all of them are renamed together.
pub(super) mod word {
    pub(in super::super) const HAND: usize = 0;
    pub(in super::super) const TRICK: usize = 1;
    pub(in super::super) const PLAYED: usize = 5;
    pub(in super::super) const SHOWN: usize = 9;
    pub(in super::super) const EXCLUDED: usize = 12;
    pub(in super::super) const TRICKS: usize = 15;
    pub(in super::super) const TURNED: usize = 23;
    /// How many words are sets of cards.
    pub(in super::super) const CARDS: usize = 24;
    pub(in super::super) const SITUATION: usize = 24;
    pub(in super::super) const VALUE: usize = 25;
    pub(in super::super) const WINNERS: usize = 26;
    pub(in super::super) const POINTS: usize = 27;
    pub(in super::super) const MATCH: usize = 28;
    pub(in super::super) const ANNOUNCED: usize = 29;
    pub(in super::super) const AUCTION: usize = 30;
    pub(in super::super) const CALLS: usize = 12;
    pub(in super::super) const ALL: usize = AUCTION + CALLS;
}

/// The first bits of parts of a word, from the lowest.
pub(super) mod bit {
    // In the word of the situation.
    pub(in super::super) const DEALER: u32 = 0;
    pub(in super::super) const TURN: u32 = 4;
    pub(in super::super) const STAGE: u32 = 8;
    pub(in super::super) const DECLARER: u32 = 13;
    pub(in super::super) const STRAIN: u32 = 17;
    pub(in super::super) const STAKE: u32 = 23;
    pub(in super::super) const GOAL: u32 = 25;
    pub(in super::super) const WINNING: u32 = 27;
    pub(in super::super) const HELD: u32 = 31;
    // In the word of a call.
    pub(in super::super) const PLAIN_CALL: u32 = 4;
    pub(in super::super) const CALL_STRAIN: u32 = 9;
    pub(in super::super) const LEVEL: u32 = 15;
    /// The number of levels told apart; the last stands for all above it.
    pub(in super::super) const LEVELS: u32 = 15;
    pub(in super::super) const CAPOT: u32 = 30;
    pub(in super::super) const GENERALE: u32 = 31;
}

const fn words(name: &'static str, word: usize, words: usize, meaning: &'static str) -> Feature {
    Feature { name, start: 32 * word, len: 32 * words, meaning }
}

const fn part(name: &'static str, word: usize, bit: u32, len: usize, meaning: &'static str) -> Feature {
    Feature { name, start: 32 * word + bit as usize, len, meaning }
}

/// All features of [`super::Encoder`], in the order of their bits, without gaps.
///
/// A set of cards has a bit for each card at `8 * suit + rank`, suits in the order of the encoding. Seats are relative: 0 is the
/// own seat, 1 the next in the order of play, 2 the partner.
pub const FEATURES: &[Feature] = &[
    words("hand", word::HAND, 1, "the cards in the own hand"),
    words("trick", word::TRICK, 4, "the card of each seat in the trick under way, own seat first"),
    words("played", word::PLAYED, 4, "all cards that each seat has played, own seat first"),
    words(
        "shown",
        word::SHOWN,
        3,
        "cards that seats 1, 2, 3 certainly still hold: turned, of a belote, of melds",
    ),
    words("excluded", word::EXCLUDED, 3, "unseen cards that seats 1, 2, 3 certainly do not hold"),
    words("tricks", word::TRICKS, 8, "the cards of tricks 1 to 8, that under way included"),
    words("turned", word::TURNED, 1, "the card turned up, in the turn-up game"),
    part("dealer", word::SITUATION, bit::DEALER, 4, "the seat of the dealer"),
    part("turn", word::SITUATION, bit::TURN, 4, "the seat whose turn it is; none when the deal is over"),
    part(
        "stage",
        word::SITUATION,
        bit::STAGE,
        5,
        "auction; its second round (turn-up game); a coinche is offered; a surcoinche is offered; play",
    ),
    part("declarer", word::SITUATION, bit::DECLARER, 4, "the seat of the last bid or take"),
    part("strain", word::SITUATION, bit::STRAIN, 6, "its strain: the four suits, no trump, all trump"),
    part("stake", word::SITUATION, bit::STAKE, 2, "coinched (and not surcoinched); surcoinched"),
    part("goal", word::SITUATION, bit::GOAL, 2, "capot; générale"),
    part("winning", word::SITUATION, bit::WINNING, 4, "the seat that is winning the trick under way"),
    part("held", word::SITUATION, bit::HELD, 1, "points wait for the winner of the deal"),
    words("value", word::VALUE, 1, "the last bid is of at least 10, 20, … 320 points"),
    words("winners", word::WINNERS, 1, "the seats that won tricks 1 to 8, four bits each"),
    part("points", word::POINTS, 0, 16, "the own side has taken at least 10, 20, … 160 card points"),
    part("points_other", word::POINTS, 16, 16, "the same of the other side"),
    part(
        "match",
        word::MATCH,
        0,
        16,
        "the own side has at least 1, 2, … 16 sixteenths of the target of the match",
    ),
    part("match_other", word::MATCH, 16, 16, "the same of the other side"),
    part("melds", word::ANNOUNCED, 0, 16, "each seat announced a tierce, fifty, hundred, carré"),
    part("belotes", word::ANNOUNCED, 16, 16, "each seat announced the belote of each suit"),
    words(
        "auction",
        word::AUCTION,
        word::CALLS,
        "the last 12 calls, the oldest first, a word each: seat (4 bits); pass, signal pass, coinche, surcoinche, take (5); \
         strain of a bid or take (6); level of a bid, the lowest first, the 15th for all above it (15); capot; générale",
    ),
];
