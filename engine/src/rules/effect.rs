//! Fields that decide nothing, given the others: setting one is refused instead of ignored.
//!
//! A rule set always has all fields, so the fields of what cannot happen under it have some value too: those of
//! coinches where nobody may coinche, say. Such a value is harmless as it stands, but whoever sets it expects another
//! game. [`idle`] finds that out where fields are set by name.

use crate::BidValue;

use super::{CoincheMode, DealMethod, FailedPart, MadeScore, RuleOptions, ScoreRow};

/// Fields, when they decide nothing, and why.
struct Idle {
    /// Paths; one that ends in a dot stands for all fields of the section.
    fields: &'static [&'static str],
    when: fn(&RuleOptions) -> bool,
    why: &'static str,
}

/// Declares them: `fields: rules => when they decide nothing, why;`.
macro_rules! idle {
    ($($($field:literal)+: $rules:ident => $when:expr, $why:literal;)*) => {
        const IDLE: &[Idle] =
            &[$(Idle { fields: &[$($field),+], when: |$rules: &RuleOptions| $when, why: $why }),*];
    };
}

idle! {
    "auction." "contract." "cards.all_trump" "belote.coinched" "belote.all_trump" "scoring.failed_bid"
    "scoring.flat_capot" "scoring.last_trick_no_trump" "scoring.last_trick_all_trump" "scoring.coinche."
    "scoring.surcoinche.":
        rules => rules.is_turn_up(),
        "in a turn-up game a player takes a suit: there are no bids of points, no SA, no TA and no coinche \
              (`deal.method` is turn-up)";
    "match.tie": rules => !rules.is_turn_up(),
        "a bid of points is made or fails; only a turn-up game has ties (`deal.method` is full)";
    "auction.over_coinche" "belote.coinched" "scoring.coinche." "scoring.surcoinche.":
        rules => rules.auction.coinche == CoincheMode::Off,
        "nobody may coinche (`auction.coinche` is off)";
    "scoring.last_trick_no_trump": rules => !rules.auction.no_trump,
        "SA cannot be bid (`auction.no_trump` is false)";
    "cards.all_trump" "belote.all_trump" "scoring.last_trick_all_trump": rules => !rules.auction.all_trump,
        "TA cannot be bid (`auction.all_trump` is false)";
    "contract.capot" "scoring.flat_capot": rules => !rules.auction.capot,
        "capot cannot be bid (`auction.capot` is false)";
    "contract.capot": rules => rules.scoring.flat_capot > 0,
        "a bid capot scores `scoring.flat_capot` instead";
    "contract.generale": rules => !rules.auction.generale,
        "générale cannot be bid (`auction.generale` is false)";
    "contract.floor": rules => rules.contract.floor <= rules.auction.lowest,
        "every bid is at least as high (`auction.lowest`)";
    "melds.announce" "melds.contest" "melds.carre_of_aces" "melds.counts_for_contract" "melds.multiplied":
        rules => !rules.melds.enabled,
        "there are no melds (`melds.enabled` is false)";
    "belote.multiplied" "melds.multiplied": rules => rules.rows().all(|row| row.contract == 1),
        "the factor of the contract is 1 for every stake (`scoring.plain.contract` and its like)";
    "scoring.plain.contract": rules => rules.is_turn_up() && !rules.multiplies_announcements(),
        "in a turn-up game no value is bid, and neither belote nor melds are multiplied";
    "scoring.failed": rules => rules.rows().all(|row| row.failed_defenders == FailedPart::Own),
        "the defenders always score their own tricks (`failed_defenders` is own for every stake)";
    "scoring.failed_slam":
        rules => {
            let [slam, solo] = [rules.scoring.unbid_slam, rules.scoring.solo_slam];
            let as_failed = |points| rules.scoring.round(points) == rules.scoring.failed;
            let is_flat = |row: &ScoreRow| row.failed_defenders == FailedPart::Flat;
            (as_failed(slam) && as_failed(solo)) || !rules.rows().any(is_flat)
        },
        "all eight tricks are worth as much as `scoring.failed` (`scoring.unbid_slam`, `scoring.solo_slam`)";
    "scoring.plain.made_declarers" "scoring.coinche.made_declarers" "scoring.surcoinche.made_declarers":
        rules => rules.scoring.made == MadeScore::Bid,
        "a made contract scores the bid without the tricks (`scoring.made` is bid)";
}

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
        let rows = [&scoring.plain, &scoring.coinche, &scoring.surcoinche];
        rows.into_iter().take(if is_doubled { 3 } else { 1 })
    }
}

/// Returns why a value says only what the one `before` says.
fn same(path: &str, options: &RuleOptions, before: &RuleOptions) -> Option<&'static str> {
    let both = [before, options];
    let are_alike = |of: &dyn Fn(&RuleOptions) -> u16| of(before) == of(options);
    let highest = |rules: &RuleOptions| {
        let highest = rules.auction.highest.unwrap_or(BidValue::MAX_POINTS);
        (highest / 10 * 10).max(rules.auction.lowest)
    };
    let slam: fn(&RuleOptions) -> u16 = match path {
        "auction.highest" => {
            return are_alike(&highest).then_some(
                "bids are `auction.lowest` and the multiples of ten above it, so that the highest bid stays the same",
            );
        }
        "scoring.unbid_slam" => |rules| rules.scoring.unbid_slam,
        "scoring.solo_slam" => |rules| rules.scoring.solo_slam,
        _ => return None,
    };
    // Bids and bonuses are tens, so that the made test does not see what rounding takes away; but of these fields.
    let is_ten = |limit: u16| limit.is_multiple_of(10) || both.iter().all(|rules| slam(rules) >= limit);
    let in_tens = is_ten(options.auction.lowest)
        && is_ten(options.contract.floor)
        && (!options.melds.enabled || options.melds.carre_of_aces.is_multiple_of(10));
    let rounded = options.scoring.round(10) == 10 && options.scoring.round(11) == 10;
    let is_same =
        are_alike(&|rules| options.scoring.round(slam(rules))) && are_alike(&|rules| slam(rules) / 10);
    (rounded && in_tens && is_same)
        .then_some("trick points are rounded to tens (`scoring.rounding`), also these")
}

/// Returns why a field decides nothing: under `options`, and also under these with the value that it had `before`.
pub(super) fn idle(path: &str, options: &RuleOptions, before: &RuleOptions) -> Option<&'static str> {
    let is_meant =
        |field: &&'static str| *field == path || (field.ends_with('.') && path.starts_with(*field));
    IDLE.iter()
        .find(|idle| idle.fields.iter().any(is_meant) && (idle.when)(options) && (idle.when)(before))
        .map(|idle| idle.why)
        .or_else(|| same(path, options, before))
}
