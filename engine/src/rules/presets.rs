//! The published rule sets (`docs/rules.md`, "Rules"), each as what it changes in another.
//!
//! They are constants, which cannot be validated where they are written: a test does it.

use super::{
    Announce, AuctionRules, BeloteAllTrump, BeloteCoinched, BeloteFailed, BeloteRules, BothReached,
    CoincheMode, ContractRules, DealMethod, DealRules, DeclarersPart, DefendersPart, FailedPart, MadeScore,
    MatchRules, MeldContest, MeldRules, OverCoinche, Packets, PartnerTrump, PlayRules, Rotation, Rounding,
    RuleOptions, RuleSet, ScoreRow, ScoringRules, Shuffle, Tie, Undertrump,
};
use crate::rules::CardRules;

const fn packets(sizes: &[u8]) -> Packets {
    Packets::new(sizes).expect("sizes of a preset")
}

const fn row(tricks: u16, contract: u16) -> ScoreRow {
    ScoreRow {
        tricks,
        contract,
        made_declarers: DeclarersPart::Own,
        made_defenders: DefendersPart::Own,
        failed_defenders: FailedPart::Flat,
    }
}

impl RuleSet {
    /// The presets by name, the default first.
    pub const PRESETS: [(&'static str, Self); 8] = [
        ("bga", Self::BGA),
        ("bga-ja", Self::BGA_JA),
        ("belote", Self::BELOTE),
        ("belote-melds", Self::BELOTE_MELDS),
        ("coinche", Self::COINCHE),
        ("coinche-melds", Self::COINCHE_MELDS),
        ("coinchee", Self::COINCHEE),
        ("contree", Self::CONTREE),
    ];

    /// Coinche as on Board Game Arena: the default.
    pub const BGA: Self = Self(RuleOptions {
        deal: DealRules {
            method: DealMethod::Full,
            shuffle: Shuffle::Uniform,
            packets: packets(&[3, 2, 3]),
            rotation: Rotation::Clockwise,
            misdeal_penalty: 0,
        },
        cards: CardRules { all_trump: [14, 9, 6, 5, 3, 1, 0, 0] },
        auction: AuctionRules {
            lowest: 82,
            highest: Some(160),
            no_trump: true,
            all_trump: true,
            capot: true,
            generale: false,
            signal_pass: false,
            coinche: CoincheMode::InTurn,
            over_coinche: OverCoinche::Closed,
        },
        contract: ContractRules { capot: 250, generale: 500, floor: 0, majority: false },
        play: PlayRules { undertrump: Undertrump::Forced, partner_trump: PartnerTrump::Any },
        belote: BeloteRules {
            announce: Announce::Automatic,
            counts_for_contract: true,
            failed: BeloteFailed::Holder,
            coinched: BeloteCoinched::Holder,
            all_trump: BeloteAllTrump::None,
            multiplied: false,
        },
        melds: MeldRules {
            enabled: false,
            announce: Announce::Automatic,
            contest: MeldContest::ByKind,
            carre_of_aces: 100,
            counts_for_contract: true,
            multiplied: false,
        },
        scoring: ScoringRules {
            made: MadeScore::TricksAndBid,
            failed: 160,
            failed_slam: false,
            failed_bid: true,
            unbid_slam: 162,
            solo_slam: 162,
            flat_capot: 0,
            rounding: Rounding::None,
            last_trick: 10,
            last_trick_no_trump: 10,
            last_trick_all_trump: 10,
            plain: row(1, 1),
            coinche: row(2, 2),
            surcoinche: row(4, 4),
        },
        game: MatchRules {
            target: 2000,
            exceed: false,
            both_reached: BothReached::MostPoints,
            tie: Tie::Failed,
        },
    });

    /// Coinche according to a Japanese guide to Board Game Arena: any-time coinche, bids up to 180.
    pub const BGA_JA: Self = {
        let mut rules = Self::BGA.0;
        rules.cards.all_trump = [13, 9, 6, 5, 3, 2, 0, 0];
        rules.auction.highest = Some(180);
        rules.auction.coinche = CoincheMode::AnyTime;
        rules.belote.announce = Announce::Voluntary;
        Self(rules)
    };

    /// Coinche, plain.
    pub const COINCHE: Self = {
        let mut rules = Self::BGA.0;
        rules.auction.lowest = 80;
        rules.auction.no_trump = false;
        rules.auction.all_trump = false;
        rules.belote.announce = Announce::Voluntary;
        rules.scoring.failed = 162;
        rules.scoring.coinche = ScoreRow {
            made_declarers: DeclarersPart::All,
            made_defenders: DefendersPart::None,
            failed_defenders: FailedPart::Own,
            ..row(1, 2)
        };
        rules.scoring.surcoinche = row(1, 3);
        rules.game.target = 1000;
        rules.game.both_reached = BothReached::LastWinner;
        Self(rules)
    };

    /// Coinche with melds.
    pub const COINCHE_MELDS: Self = Self::COINCHE.with_melds();

    /// Classic Belote, the turn-up game.
    pub const BELOTE: Self = {
        let mut rules = Self::COINCHE.0;
        rules.deal.method = DealMethod::TurnUp;
        rules.deal.packets = packets(&[3, 2]);
        rules.auction.capot = false;
        rules.auction.coinche = CoincheMode::Off;
        rules.scoring.made = MadeScore::Tricks;
        rules.scoring.failed_slam = true;
        rules.scoring.unbid_slam = 252;
        rules.scoring.solo_slam = 252;
        rules.scoring.coinche = row(2, 2);
        rules.scoring.surcoinche = row(4, 4);
        rules.game.target = 501;
        rules.game.both_reached = BothReached::ExtraDeal;
        Self(rules)
    };

    /// Classic Belote with melds.
    pub const BELOTE_MELDS: Self = Self::BELOTE.with_melds();

    /// Coinchée: melds, générale, a deck that is only cut, scores rounded.
    pub const COINCHEE: Self = {
        let mut rules = Self::BGA.0;
        rules.deal = DealRules {
            method: DealMethod::Full,
            shuffle: Shuffle::Cut,
            packets: packets(&[3, 3, 2]),
            rotation: Rotation::Counterclockwise,
            misdeal_penalty: 50,
        };
        rules.auction.lowest = 80;
        rules.auction.highest = None;
        rules.auction.no_trump = false;
        rules.auction.all_trump = false;
        rules.auction.generale = true;
        rules.auction.signal_pass = true;
        rules.belote.announce = Announce::Voluntary;
        rules.belote.multiplied = true;
        rules.melds = MeldRules {
            enabled: true,
            announce: Announce::Automatic,
            contest: MeldContest::ByPoints,
            carre_of_aces: 0,
            counts_for_contract: true,
            multiplied: true,
        };
        rules.scoring.unbid_slam = 250;
        rules.scoring.solo_slam = 500;
        rules.scoring.rounding = Rounding::NearestTen;
        rules.game.target = 1000;
        Self(rules)
    };

    /// Contrée under federation rules, as a published engine of the game implements it.
    pub const CONTREE: Self = {
        let mut rules = Self::BGA.0;
        rules.auction.lowest = 80;
        rules.auction.no_trump = false;
        rules.auction.all_trump = false;
        rules.play.undertrump = Undertrump::Free;
        rules.belote.failed = BeloteFailed::Defenders;
        rules.belote.coinched = BeloteCoinched::Winner;
        rules.scoring.failed = 162;
        rules.scoring.unbid_slam = 252;
        rules.scoring.solo_slam = 252;
        let all =
            ScoreRow { made_declarers: DeclarersPart::All, made_defenders: DefendersPart::None, ..row(1, 2) };
        rules.scoring.coinche = all;
        rules.scoring.surcoinche = ScoreRow { contract: 3, ..all };
        Self(rules)
    };

    const fn with_melds(mut self) -> Self {
        self.0.melds.enabled = true;
        self
    }

    /// Returns the preset of this name.
    pub fn preset(name: &str) -> Option<Self> {
        Self::PRESETS.iter().find(|(preset, _)| *preset == name).map(|(_, rules)| *rules)
    }

    /// Returns the name of the preset that the rules are equal to, if any.
    pub fn preset_name(&self) -> Option<&'static str> {
        Self::PRESETS.iter().find(|(_, rules)| rules == self).map(|(name, _)| *name)
    }
}

impl Default for RuleSet {
    /// Returns [`RuleSet::BGA`].
    fn default() -> Self {
        Self::BGA
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn presets_are_valid() {
        for (name, rules) in RuleSet::PRESETS {
            assert_eq!(rules.options().validate(), Ok(rules), "{name}");
        }
    }
}
