//! The published rule sets (`docs/rules.md`, "Rules"), each as what it changes in another.
//!
//! They are constants, which cannot be validated where they are written: a test does it.

use super::{
    Announce, AuctionRules, BeloteAllTrump, BeloteCoinched, BeloteFailed, BeloteRules, Bids, BothReached,
    ClosedBy, CoincheMode, ContractRules, DealMethod, DealRules, DeclarersPart, DefendersPart, FailedPart,
    Finish, FloorOf, MadeScore, MatchRules, MeldContest, MeldEqual, MeldRules, MeldTie, Multiplied,
    OverCoinche, Packets, PartnerTrump, PassedOut, PlayRules, Rotation, Rounding, RuleOptions, RuleSet,
    ScoreRow, ScoringRules, Shuffle, Slam, Tie, Undertrump,
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
    /// The presets of Belote and Coinche by name, the default first: those to which bots were fitted.
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

    /// All presets by name: those of Belote and Coinche, then their relatives.
    pub const ALL: [(&'static str, Self); 9] = {
        let mut all = [("belot", Self::BELOT); 9];
        let mut at = 0;
        while at < Self::PRESETS.len() {
            all[at] = Self::PRESETS[at];
            at += 1;
        }
        all
    };

    /// Coinche as on Board Game Arena: the default.
    pub const BGA: Self = Self(RuleOptions {
        deal: DealRules {
            method: DealMethod::Full,
            shuffle: Shuffle::Uniform,
            packets: packets(&[3, 2, 3]),
            rotation: Rotation::Clockwise,
            misdeal_penalty: 0,
            misdeal_credit: 0,
            passed_out: PassedOut::Next,
            reshuffle: 0,
            least_cut: 2,
        },
        cards: CardRules { no_trump: [19, 10, 4, 3, 2, 0, 0, 0], all_trump: [14, 9, 6, 5, 3, 1, 0, 0] },
        auction: AuctionRules {
            bids: Bids::Values,
            lowest: 82,
            highest: Some(160),
            no_trump: true,
            all_trump: true,
            capot: true,
            generale: false,
            signal_pass: false,
            coinche: CoincheMode::InTurn,
            over_coinche: OverCoinche::Closed,
            closed_by: ClosedBy::None,
        },
        contract: ContractRules {
            capot: 250,
            generale: 500,
            floor: 0,
            floor_of: FloorOf::All,
            margin: 0,
            majority: false,
        },
        play: PlayRules { undertrump: Undertrump::Forced, partner_trump: PartnerTrump::Any },
        belote: BeloteRules {
            announce: Announce::Automatic,
            counts_for_contract: true,
            failed: BeloteFailed::Holder,
            coinched: BeloteCoinched::Holder,
            all_trump: BeloteAllTrump::None,
            multiplied: Multiplied::Nobody,
            scored: true,
        },
        melds: MeldRules {
            enabled: false,
            announce: Announce::Automatic,
            contest: MeldContest::ByKind,
            equal: MeldEqual::Trumps,
            tie: MeldTie::Neither,
            no_trump: true,
            coinched: BeloteCoinched::Holder,
            carre_of_aces: 100,
            counts_for_contract: true,
            multiplied: false,
        },
        scoring: ScoringRules {
            made: MadeScore::TricksAndBid,
            failed: 160,
            failed_slam: false,
            failed_bid: true,
            slam: Slam::Instead,
            unbid_slam: 162,
            solo_slam: 162,
            flat_capot: 0,
            rounding: Rounding::None,
            last_trick: 10,
            last_trick_no_trump: 10,
            last_trick_all_trump: 10,
            factor_no_trump: 1,
            factor_all_trump: 1,
            plain: row(1, 1),
            coinche: row(2, 2),
            surcoinche: row(4, 4),
        },
        game: MatchRules {
            target: 2000,
            deals: 0,
            exceed: false,
            both_reached: BothReached::MostPoints,
            tie: Tie::Failed,
            slam_wins: true,
            finish: Finish::Any,
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
        rules.deal.shuffle = Shuffle::Cut;
        rules.deal.packets = packets(&[3, 3, 2]);
        rules.deal.rotation = Rotation::Counterclockwise;
        rules.deal.misdeal_penalty = 50;
        rules.auction.lowest = 80;
        rules.auction.highest = None;
        rules.auction.no_trump = false;
        rules.auction.all_trump = false;
        rules.auction.generale = true;
        rules.auction.signal_pass = true;
        rules.belote.announce = Announce::Voluntary;
        rules.belote.multiplied = Multiplied::All;
        rules.melds.enabled = true;
        rules.melds.contest = MeldContest::ByPoints;
        rules.melds.carre_of_aces = 0;
        rules.melds.multiplied = true;
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

    /// Belot as played in Bulgaria: five cards, contracts without value in a fixed order, three more cards, points in tens.
    pub const BELOT: Self = {
        let mut rules = Self::BGA.0;
        rules.deal.method = DealMethod::Split;
        rules.deal.packets = packets(&[3, 2]);
        rules.deal.rotation = Rotation::Counterclockwise;
        rules.cards.no_trump = [11, 10, 4, 3, 2, 0, 0, 0];
        rules.cards.all_trump = [20, 14, 11, 10, 4, 3, 0, 0];
        rules.auction.bids = Bids::Strains;
        rules.auction.capot = false;
        rules.auction.over_coinche = OverCoinche::Open;
        rules.play.undertrump = Undertrump::Free;
        rules.belote.announce = Announce::Voluntary;
        rules.belote.failed = BeloteFailed::Defenders;
        rules.belote.coinched = BeloteCoinched::Winner;
        rules.belote.all_trump = BeloteAllTrump::NoDiscard;
        rules.melds.enabled = true;
        rules.melds.no_trump = false;
        rules.melds.coinched = BeloteCoinched::Winner;
        rules.scoring.made = MadeScore::Tricks;
        rules.scoring.slam = Slam::Added;
        rules.scoring.unbid_slam = 90;
        rules.scoring.solo_slam = 90;
        rules.scoring.rounding = Rounding::Tenths;
        rules.scoring.factor_no_trump = 2;
        let takes_all = ScoreRow {
            made_declarers: DeclarersPart::All,
            made_defenders: DefendersPart::None,
            failed_defenders: FailedPart::All,
            ..row(2, 2)
        };
        rules.scoring.plain = ScoreRow { failed_defenders: FailedPart::All, ..row(1, 1) };
        rules.scoring.coinche = takes_all;
        rules.scoring.surcoinche = ScoreRow { tricks: 4, contract: 4, ..takes_all };
        rules.game.target = 151;
        rules.game.tie = Tie::Hanging;
        rules.game.slam_wins = false;
        Self(rules)
    };

    const fn with_melds(mut self) -> Self {
        self.0.melds.enabled = true;
        self
    }

    /// Returns the preset of this name.
    pub fn preset(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|(preset, _)| *preset == name).map(|(_, rules)| *rules)
    }

    /// Returns the name of the preset that the rules are equal to, if any.
    pub fn preset_name(&self) -> Option<&'static str> {
        Self::ALL.iter().find(|(_, rules)| rules == self).map(|(name, _)| *name)
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
        for (name, rules) in RuleSet::ALL {
            assert_eq!(rules.options().validate(), Ok(rules), "{name}");
        }
    }
}
