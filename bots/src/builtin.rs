//! The bots of this crate, by name.

use crate::{
    AlphaMuPlayer, BotInfo, DdBidder, IsmctsPlayer, McPlayer, PimcPlayer, RandomBidder, RandomPlayer,
    RulesBidder, RulesPlayer, SolverPlayer, TableBidder,
};

/// Returns all bots of this crate.
pub(crate) fn bots() -> [BotInfo; 9] {
    [
        BotInfo::new(
            "alphamu",
            "like pimc, but chooses its next cards without assuming it knows the other hands (αμ)",
        )
        .player(AlphaMuPlayer::PARAMS, AlphaMuPlayer::maker),
        BotInfo::new(
            "dd",
            "bids by search: samples deals that fit, continues the auction in each and solves the contract",
        )
        .bidder(DdBidder::PARAMS, DdBidder::maker),
        BotInfo::new("ismcts", "plays by information-set Monte Carlo tree search over sampled deals")
            .player(IsmctsPlayer::PARAMS, IsmctsPlayer::maker),
        BotInfo::new(
            "mc",
            "plays out sampled deals with a policy, and plays the card with the best mean score",
        )
        .player(McPlayer::PARAMS, McPlayer::maker),
        BotInfo::new("open", "sees all hands and plays double dummy: not a fair player, but an upper bound")
            .open_player(&[], |_| Ok(SolverPlayer::new)),
        BotInfo::new(
            "pimc",
            "solves sampled deals that fit what the seat knows, and plays the card with the best mean score",
        )
        .player(PimcPlayer::PARAMS, PimcPlayer::maker),
        BotInfo::new(
            "random",
            "makes random legal calls (biased towards passing) and plays random legal cards",
        )
        .bidder(RandomBidder::PARAMS, RandomBidder::maker)
        .player(&[], |_| Ok(|| RandomPlayer)),
        BotInfo::new("rules", "plays like an average club player: counts trumps, masters and voids")
            .bidder(RulesBidder::PARAMS, RulesBidder::maker)
            .player(&[], |_| Ok(|| RulesPlayer)),
        BotInfo::new("table", "bids with a table of what hands make and calls gain, fitted to played deals")
            .bidder(TableBidder::PARAMS, TableBidder::maker),
    ]
}
