//! What the tests of the bots share.

use coinche_engine::RuleSet;
use coinche_engine::rules::{
    Announce, CoincheMode, MadeScore, OverCoinche, PartnerTrump, RuleOptions, Tie, Undertrump,
};

/// Tells whether the tests are to take their long form: `COINCHE_LONG=1`, as the nightly run sets it.
pub(crate) fn long() -> bool {
    std::env::var_os("COINCHE_LONG").is_some_and(|value| !value.is_empty() && value != "0")
}

/// Returns how much of something a test does: in the quick form, or in the long one.
pub(crate) fn size<T>(quick: T, long_form: T) -> T {
    if long() { long_form } else { quick }
}

/// All presets, and rule sets that reach what no preset has.
pub(crate) fn rule_sets() -> Vec<(String, RuleSet)> {
    let mut all = fitted_rule_sets();
    all.push(("belot".to_owned(), RuleSet::BELOT));
    all
}

/// The same without those that fitted bidders do not know, in which suits have a rank.
pub(crate) fn fitted_rule_sets() -> Vec<(String, RuleSet)> {
    let mut all: Vec<_> = RuleSet::PRESETS.iter().map(|(name, rules)| ((*name).to_owned(), *rules)).collect();
    let mut add = |name: &str, base: RuleSet, change: &dyn Fn(&mut RuleOptions)| {
        all.push((name.to_owned(), base.with(change).unwrap()));
    };
    add("bga with melds that may be kept silent", RuleSet::BGA, &|rules| {
        rules.melds.enabled = true;
        rules.melds.announce = Announce::Voluntary;
    });
    add("bga for the bid alone", RuleSet::BGA, &|rules| rules.scoring.made = MadeScore::Bid);
    add("raise over a coinche", RuleSet::BGA_JA, &|rules| {
        rules.auction.over_coinche = OverCoinche::Raise;
        rules.auction.generale = true;
    });
    add("coinchee at any time", RuleSet::COINCHEE, &|rules| {
        rules.auction.coinche = CoincheMode::AnyTime;
        rules.auction.all_trump = true;
        rules.auction.no_trump = true;
        rules.belote.all_trump = coinche_engine::rules::BeloteAllTrump::EachSuit;
    });
    add("80 that needs 82, flat capot", RuleSet::CONTREE, &|rules| {
        rules.contract.floor = 82;
        rules.contract.majority = true;
        rules.scoring.flat_capot = 500;
        rules.auction.coinche = CoincheMode::Off;
    });
    add("belote, free", RuleSet::BELOTE_MELDS, &|rules| {
        rules.game.tie = Tie::Held;
        rules.play.undertrump = Undertrump::Free;
        rules.play.partner_trump = PartnerTrump::Overtrump;
    });
    add("trump over the partner", RuleSet::BELOTE, &|rules| {
        rules.play.partner_trump = PartnerTrump::Always;
    });
    add("one bid only", RuleSet::COINCHE, &|rules| {
        rules.auction.lowest = 160;
        rules.auction.highest = Some(160);
        rules.auction.capot = false;
    });
    all
}
