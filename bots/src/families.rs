//! Rule sets in which bids are worth alike.

use coinche_engine::RuleSet;
use coinche_engine::rules::{Bids, CoincheMode, DealMethod, PassedOut};

/// How many families of rule sets there are.
pub const FAMILIES: usize = 4;

/// The family of a rule set, in which calls gain alike: trump suits alone; SA and TA too; melds; melds that a
/// coinche multiplies.
pub(crate) fn family(rules: &RuleSet) -> usize {
    if rules.melds.enabled {
        2 + usize::from(rules.melds.multiplied)
    } else {
        usize::from(rules.auction.no_trump || rules.auction.all_trump)
    }
}

/// Returns what of the rules table and networks have not met: they were fitted to auctions of values by whole hands, and to those of
/// the turn-up game, in which everybody may pass, and a suit is taken for good.
pub(crate) fn untrained(rules: &RuleSet) -> Option<&'static str> {
    let (auction, turn_up) = (&rules.auction, rules.deal.method == DealMethod::TurnUp);
    if turn_up && auction.coinche != CoincheMode::Off {
        Some("a take may be coinched (`auction.coinche` with `deal.method` turn-up)")
    } else if turn_up && (auction.no_trump || auction.all_trump) {
        Some("SA or TA is taken (`auction.no_trump`, `auction.all_trump` with `deal.method` turn-up)")
    } else {
        wordless(rules)
    }
}

/// Returns what of the rules the language of systems has no words for.
pub(crate) fn wordless(rules: &RuleSet) -> Option<&'static str> {
    if rules.auction.bids == Bids::Strains && rules.deal.method != DealMethod::TurnUp {
        Some("bids have no value (`auction.bids` is strains)")
    } else if rules.deal.method == DealMethod::Split {
        Some("cards are dealt after the auction (`deal.method` is split)")
    } else if rules.deal.passed_out == PassedOut::Never {
        Some("the last to speak must bid (`deal.passed_out` is never)")
    } else {
        None
    }
}
