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
            "solves worlds as pimc does, but chooses its next cards without knowing the world (αμ)",
        )
        .player(AlphaMuPlayer::PARAMS, AlphaMuPlayer::maker),
        BotInfo::new(
            "dd",
            "bids by deals that fit the calls so far: lets the auction go on in each and solves the contract",
        )
        .bidder(DdBidder::PARAMS, DdBidder::maker),
        BotInfo::new(
            "ismcts",
            "grows a tree of information sets over worlds that fit, and plays the card visited most",
        )
        .player(IsmctsPlayer::PARAMS, IsmctsPlayer::maker),
        BotInfo::new(
            "mc",
            "plays worlds that fit out by a policy, and plays the card of the best mean score",
        )
        .player(McPlayer::PARAMS, McPlayer::maker),
        BotInfo::new(
            "open",
            "sees all hands and plays by the exact solver: no fair player, but an upper bound for them",
        )
        .open_player(&[], |_| Ok(SolverPlayer::new)),
        BotInfo::new(
            "pimc",
            "solves worlds that fit what the seat knows, and plays the card of the best mean score",
        )
        .player(PimcPlayer::PARAMS, PimcPlayer::maker),
        BotInfo::new(
            "random",
            "uniform over legal calls (biased to pass, so that auctions end) and legal cards",
        )
        .bidder(RandomBidder::PARAMS, RandomBidder::maker)
        .player(&[], |_| Ok(|| RandomPlayer)),
        BotInfo::new("rules", "plays like an average club player: counts trumps, masters and voids")
            .bidder(RulesBidder::PARAMS, RulesBidder::maker)
            .player(&[], |_| Ok(|| RulesPlayer)),
        BotInfo::new(
            "table",
            "bids by a table of what hands make and what calls gain, fitted to played deals",
        )
        .bidder(TableBidder::PARAMS, TableBidder::maker),
    ]
}
