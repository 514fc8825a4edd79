//! Rule sets in which bids are worth alike.

use coinche_engine::RuleSet;

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
