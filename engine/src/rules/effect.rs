//! Fields that decide nothing, given the others: setting one is refused instead of ignored.
//!
//! A rule set always has all fields, so the fields of what cannot happen under it have some value too: those of
//! coinches where nobody may coinche, say. Such a value is harmless as it stands, but whoever sets it expects another
//! game. [`idle`] finds that out where fields are set by name.

use super::{CoincheMode, DealMethod, FailedPart, MadeScore, RuleOptions, ScoreRow};

/// Fields, when they decide nothing, and why.
struct Idle {
    /// Paths; one that ends in a dot stands for all fields of the section.
    fields: &'static [&'static str],
    when: fn(&RuleOptions) -> bool,
    why: &'static str,
}

const IDLE: &[Idle] = &[
    Idle {
        fields: &[
            "auction.",
            "contract.",
            "cards.all_trump",
            "belote.coinched",
            "belote.all_trump",
            "scoring.failed_bid",
            "scoring.flat_capot",
            "scoring.last_trick_no_trump",
            "scoring.last_trick_all_trump",
            "scoring.coinche.",
            "scoring.surcoinche.",
        ],
        when: RuleOptions::is_turn_up,
        why: "in a turn-up game a player takes a suit: there are no bids of points, no SA, no TA and no coinche \
              (`deal.method` is turn-up)",
    },
    Idle {
        fields: &["match.tie"],
        when: |rules| !rules.is_turn_up(),
        why: "a bid of points is made or fails; only a turn-up game has ties (`deal.method` is full)",
    },
    Idle {
        fields: &["auction.over_coinche", "belote.coinched", "scoring.coinche.", "scoring.surcoinche."],
        when: |rules| rules.auction.coinche == CoincheMode::Off,
        why: "nobody may coinche (`auction.coinche` is off)",
    },
    Idle {
        fields: &["scoring.last_trick_no_trump"],
        when: |rules| !rules.auction.no_trump,
        why: "SA cannot be bid (`auction.no_trump` is false)",
    },
    Idle {
        fields: &["cards.all_trump", "belote.all_trump", "scoring.last_trick_all_trump"],
        when: |rules| !rules.auction.all_trump,
        why: "TA cannot be bid (`auction.all_trump` is false)",
    },
    Idle {
        fields: &["contract.capot", "scoring.flat_capot"],
        when: |rules| !rules.auction.capot,
        why: "capot cannot be bid (`auction.capot` is false)",
    },
    Idle {
        fields: &["contract.capot"],
        when: |rules| rules.scoring.flat_capot > 0,
        why: "a bid capot scores `scoring.flat_capot` instead",
    },
    Idle {
        fields: &["contract.generale"],
        when: |rules| !rules.auction.generale,
        why: "générale cannot be bid (`auction.generale` is false)",
    },
    Idle {
        fields: &["contract.floor"],
        when: |rules| rules.contract.floor <= rules.auction.lowest,
        why: "every bid is at least as high (`auction.lowest`)",
    },
    Idle {
        fields: &[
            "melds.announce",
            "melds.contest",
            "melds.carre_of_aces",
            "melds.counts_for_contract",
            "melds.multiplied",
        ],
        when: |rules| !rules.melds.enabled,
        why: "there are no melds (`melds.enabled` is false)",
    },
    Idle {
        fields: &["belote.multiplied", "melds.multiplied"],
        when: |rules| rules.rows().all(|row| row.contract == 1),
        why: "the factor of the contract is 1 for every stake (`scoring.plain.contract` and its like)",
    },
    Idle {
        fields: &["scoring.plain.contract"],
        when: |rules| rules.is_turn_up() && !rules.multiplies_announcements(),
        why: "in a turn-up game no value is bid, and neither belote nor melds are multiplied",
    },
    Idle {
        fields: &["scoring.failed"],
        when: |rules| rules.rows().all(|row| row.failed_defenders == FailedPart::Own),
        why: "the defenders always score their own tricks (`failed_defenders` is own for every stake)",
    },
    Idle {
        fields: &["scoring.failed_slam"],
        when: |rules| {
            let [slam, solo] = [rules.scoring.unbid_slam, rules.scoring.solo_slam];
            let as_failed = |points| rules.scoring.round(points) == rules.scoring.failed;
            let is_flat = |row: &ScoreRow| row.failed_defenders == FailedPart::Flat;
            (as_failed(slam) && as_failed(solo)) || !rules.rows().any(is_flat)
        },
        why: "all eight tricks are worth as much as `scoring.failed` (`scoring.unbid_slam`, `scoring.solo_slam`)",
    },
    Idle {
        fields: &[
            "scoring.plain.made_declarers",
            "scoring.coinche.made_declarers",
            "scoring.surcoinche.made_declarers",
        ],
        when: |rules| rules.scoring.made == MadeScore::Bid,
        why: "a made contract scores the bid without the tricks (`scoring.made` is bid)",
    },
];

impl RuleOptions {
    pub(super) fn is_turn_up(&self) -> bool {
        self.deal.method == DealMethod::TurnUp
    }

    /// Tests if the factor of the contract is applied to belote or melds.
    const fn multiplies_announcements(&self) -> bool {
        self.belote.multiplied || (self.melds.enabled && self.melds.multiplied)
    }

    /// Iterates over the rows of the stakes that a contract can have.
    fn rows(&self) -> impl Iterator<Item = &ScoreRow> {
        let is_doubled = !self.is_turn_up() && self.auction.coinche != CoincheMode::Off;
        let scoring = &self.scoring;
        [&scoring.plain, &scoring.coinche, &scoring.surcoinche].into_iter().take(if is_doubled {
            3
        } else {
            1
        })
    }
}

/// Returns why a field decides nothing: under `options`, and also under these with the value that it had `before`.
pub(super) fn idle(path: &str, options: &RuleOptions, before: &RuleOptions) -> Option<&'static str> {
    let is_meant =
        |field: &&'static str| *field == path || (field.ends_with('.') && path.starts_with(*field));
    IDLE.iter()
        .find(|idle| idle.fields.iter().any(is_meant) && (idle.when)(options) && (idle.when)(before))
        .map(|idle| idle.why)
}
