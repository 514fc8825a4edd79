//! The columns that several tables share, described once.

use super::column::{Column, measured};

macro_rules! columns {
    ($($constant:ident: $name:literal $(in $unit:literal)?, $about:literal;)*) => {$(
        #[doc = concat!("`", $name, "`: ", $about, ".")]
        pub const $constant: Column = measured($name, concat!($($unit)?), $about);
    )*};
}

columns! {
    BOT: "bot", "the bot, as it is named on the command line";
    BOT_A: "bot_a", "the bots of a pair";
    BOT_B: "bot_b", "the bots of a pair";
    PARTNER: "partner", "the bot of the other seat of the side";
    RANK: "rank" in "from 1", "place in the ranking";
    PART: "part", "which part of the difference: `all`, `same contract`, `other contract`, `faults` or `nothing`";
    SIDE: "side", "`declarers` or `defenders`";
    CAUSE: "cause", "cause of the loss: one of ten, see [judge](../judge.md)";
    DEAL: "deal" in "from 0", "number of the deal in the run";
    LEG: "leg" in "0, 1", "the seating: the same cards, the bots’ seats exchanged";
    PAIRING: "pairing" in "from 0", "number of the pairing in `run.json`; empty in a match of two bots";
    MATCH: "match" in "from 0", "number of the match; empty without `--match`";
    SEAT: "seat" in "0–3", "the seat, in order of play";
    PLAYER: "player", "`partner`, `left` or `right`";
    TRICK: "trick" in "1–8", "number of the trick";
    PLACE: "place" in "1–4", "place of the card in the trick";
    CARD: "card", "the card, as in records: `TD`";
    CALL: "call", "`all`, `pass`, `bid` or `coinche`";
    LEVEL: "level", "the height of the bid: its points, `CAPOT`, `GENERALE` or `TAKE`";
    STRAIN: "strain", "`C D H S SA TA`";
    STRAIN_KIND: "strain_kind", "`suit`, `SA` or `TA`";
    POSITION: "position", "place of the player in the order of speaking; `any` for all";
    CONTRACTS: "contracts", "contracts played";
    PASSED_OUT: "passed_out", "share of deals that were passed out";
    DECLARED: "declared", "share of the cases in which the bot’s side declares";
    MADE: "made", "share of the contracts that were made";
    COINCHED: "coinched", "share of the contracts that were coinched";
    SURCOINCHED: "surcoinched", "share of the contracts that were surcoinched";
    MADE_WHEN_COINCHED: "made_when_coinched", "share made of the coinched contracts";
    SCORE: "score" in "points", "mean score of the side";
    SCORE_DIFFERENCE: "score_difference" in "points", "mean of own side’s score less the other side’s";
    CARD_POINTS: "card_points" in "card points", "mean card points of the side";
    QUANTILE: "q" in "card points", "the least number of points that so many per cent do not exceed";
    HOLDING: "holding", "trumps in the best suit or tops, in few letters: `J9+2`";
    REST: "rest", "what else is in the hand";
    HANDS: "hands", "hands";
    ACES: "aces", "aces of other suits";
    VOIDS: "voids", "suits without a card";
    SHAPE: "shape", "lengths of the suits, or what is in the hand";
    SHARE_EXPECTED: "expected", "share in a deck that is shuffled well, exact";
    SHARE_DIFFERENCE: "share_difference", "share less the expected one; of two inputs, A − B";
    TIMES: "times", "in how many of them it was so";
    TRIALS: "trials", "independent trials that tell as much: from the spread over deals";
    DEALS: "deals", "deals played in both seatings; with `--match`, matches";
    DEALS_OF_CAUSE: "deals", "deals with that cause";
    SHARE_OF_DEALS: "share", "share of the deals";
    DIFFERENCE: "difference" in "points", "mean paired difference A − B, a deal (a match, with `--match`)";
    DEAL_DIFFERENCE: "difference" in "points", "paired difference A − B of the deal or match";
    DIFFERENCE_LEG0: "difference_leg0" in "points", "difference A − B in the leg";
    DIFFERENCE_LEG1: "difference_leg1" in "points", "difference A − B in the leg";
    SD: "sd" in "points", "standard deviation of the paired difference";
    P_VALUE: "p_value", "chance of a difference at least as large if there is none";
    RATING: "rating" in "points", "points above the mean of all bots, least squares over all pairings";
    BEST: "best", "share of bootstrap draws in which the bot is rated best";
    APART: "apart" in "points", "mean of both bots, each with itself as partner";
    TOGETHER: "together" in "points", "the two as partners";
    COST: "cost" in "points", "`apart` less `together`";
    SCORE_LOST_EACH: "score_lost_each" in "points", "mean score lost where anything is lost";
    SCORE_LOSING: "score_losing", "share that loses score";
    SCORE_LOST_KNOWN: "score_lost_known" in "points",
        "score lost according to the bot of `--by`; empty without one";
    KNOWN_LOSING: "known_losing", "share that loses by that";
    SCORE_LOST_KNOWN_EACH: "score_lost_known_each" in "points", "mean of those";
}
