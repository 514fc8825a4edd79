//! The bots of this crate, by name.

use crate::system::SystemBidder;
use crate::{
    AlphaMuPlayer, BotInfo, Champion, DdBidder, IsmctsBidder, IsmctsPlayer, McBidder, McPlayer, NetBidder,
    NetPlayer, Params, PimcPlayer, RandomBidder, RandomPlayer, RulesBidder, RulesPlayer, SolverPlayer,
    TableBidder, style, system,
};

/// A bot without its halves: its name, what it does in a sentence, and in some more.
fn entry(name: &'static str, about: &'static str, details: &'static str) -> BotInfo {
    BotInfo::new(name, about).with_details(details)
}

/// The name of a bot that bids by a system, unless a bot of this crate has it.
fn name_of_system(params: &Params) -> Option<(String, &'static [&'static str])> {
    SystemBidder::called(params).filter(|(name, _)| bots().iter().all(|bot| bot.name() != name))
}

/// Returns all bots of this crate, by name.
pub(crate) fn bots() -> [BotInfo; 12] {
    [
        entry(
            "alphamu",
            "like pimc, but chooses its next cards without assuming it knows the other hands (αμ)",
            "Samples deals that fit what the seat knows and searches them together: its own next cards must \
             be the same in all of them, which repairs pimc's habit of relying on knowledge that it will \
             not have (strategy fusion). m is the depth; docs/search.md compares it with pimc.",
        )
        .player(AlphaMuPlayer::PARAMS, AlphaMuPlayer::maker),
        Champion::info(),
        entry(
            "dd",
            "bids by search: samples deals that fit, continues the auction in each and solves the contract",
            "For each sensible call it samples deals that fit the auction, continues the auction in them \
             with the calls of table, and solves the resulting contracts double dummy. Slower than table, \
             and stronger where it was measured (docs/bidders.md).",
        )
        .bidder(DdBidder::PARAMS, DdBidder::maker)
        .for_rules(Params::check_trained),
        entry(
            "ismcts",
            "bids and plays by information-set Monte Carlo tree search over sampled deals",
            "Every iteration samples a deal that fits, descends the common tree by UCB1, and plays out the \
             rest with a policy. It plays the card that was visited most, or one with the same mean score \
             and more card points. As a bidder it is mc with a tree of its own later calls.",
        )
        .bidder(IsmctsBidder::PARAMS, IsmctsBidder::maker)
        .for_rules(Params::check_trained)
        .player(IsmctsPlayer::PARAMS, IsmctsPlayer::maker),
        entry(
            "mc",
            "plays out sampled deals with a policy: the call or card with the best mean score",
            "Flat Monte Carlo: in every sampled deal the policy plays out each legal card, without search. \
             With tricks below 8 the policy plays that many tricks, and the rest is solved double dummy. As \
             a bidder it continues the auction in every deal with the calls of net, table or rules, and \
             plays the contract out with rules.",
        )
        .bidder(McBidder::PARAMS, McBidder::maker)
        .player(McPlayer::PARAMS, McPlayer::maker),
        entry(
            "net",
            "bids and plays by small neural networks, trained against many bidders",
            "Computes what each call gains over a pass, and what each card is worth, by networks that were \
             trained on deals of many bidders; it samples nothing. `arena train bidding` and `arena train \
             cards` make networks of your own: net:file=mine.safetensors,cards=other.safetensors.",
        )
        .bidder(NetBidder::PARAMS, style::net)
        .for_rules(Params::check_trained)
        .player(NetPlayer::PARAMS, NetPlayer::maker),
        entry(
            "open",
            "sees all hands and plays double dummy: not a fair player, but an upper bound",
            "It makes no mistakes, double dummy. Use it to see how much better card play could get at most.",
        )
        .open_player(&[], |_| Ok(SolverPlayer::default)),
        entry(
            "pimc",
            "solves sampled deals that fit what the seat knows, and plays the card with the best mean score",
            "Perfect information Monte Carlo: samples deals that fit the calls and cards so far, weighted \
             by how likely the others would have called and played so, solves each double dummy (net plays \
             the first three tricks out), and plays the card with the best mean score of the deal. docs/search.md describes it and measures it \
             against the others.",
        )
        .player(PimcPlayer::PARAMS, PimcPlayer::maker),
        entry(
            "random",
            "makes random legal calls (biased towards passing) and plays random legal cards",
            "A baseline, and a fast opponent for a test of a set-up.",
        )
        .bidder(RandomBidder::PARAMS, RandomBidder::maker)
        .player(&[], |_| Ok(|| RandomPlayer)),
        entry(
            "rules",
            "plays like an average club player: counts trumps, masters and voids",
            "A fast reference opponent without search. Rules of thumb decide what it bids, how it answers \
             its partner, when it coinches, and what it leads and follows with. The parameters make it \
             bolder or more careful.",
        )
        .bidder(RulesBidder::PARAMS, RulesBidder::maker)
        .player(&[], |_| Ok(|| RulesPlayer)),
        entry(
            "system",
            "bids by a system that people wrote: rules in order, each with a condition and a call",
            "Bids by the first rule that applies, of a file that says what partners have agreed; what no rule \
             covers is left to its floor. The numbers of the file are parameters too. `arena system` lists the \
             built-in ones, checks a file and explains a call; docs/user/systems.md describes the format.",
        )
        .bidder(SystemBidder::PARAMS, SystemBidder::maker)
        .more_params(system::numbers)
        .for_rules(SystemBidder::fits)
        .called_by(name_of_system),
        entry(
            "table",
            "bids with a table of what hands make and calls gain, fitted to played deals",
            "Looks up what hands like its own made in played deals under the same kind of rules, and what \
             each call was worth. `arena fit` makes a table of your own, used as table:file=mine.txt.",
        )
        .bidder(TableBidder::PARAMS, TableBidder::maker)
        .for_rules(Params::check_trained),
    ]
}
