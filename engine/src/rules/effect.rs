//! Fields that decide nothing, given the others: setting one is refused instead of ignored.
//!
//! A rule set always has all fields, so the fields of what cannot happen under it have some value too: those of
//! coinches where nobody may coinche, say. Such a value is harmless as it stands, but whoever sets it expects another
//! game. [`idle`] finds that out where fields are set by name.

use crate::{BidValue, Strain};

use super::{
    CoincheMode, DealMethod, DeclarersPart, FailedPart, MadeScore, MeldContest, Rounding, RuleOptions,
    RuleSet, ScoreRow, ScoringRules,
};

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
    "auction." "contract." "cards.no_trump" "cards.all_trump" "belote.coinched" "belote.all_trump" "melds.no_trump"
    "melds.coinched" "scoring.failed_bid" "scoring.flat_capot" "scoring.last_trick_no_trump"
    "scoring.last_trick_all_trump" "scoring.factor_no_trump" "scoring.factor_all_trump" "scoring.coinche."
    "scoring.surcoinche.":
        rules => rules.is_turn_up(),
        "in a turn-up game a player takes a suit: there are no bids of points, no SA, no TA and no coinche \
              (`deal.method` is turn-up)";
    "auction.lowest" "auction.highest" "auction.capot" "auction.generale" "contract." "scoring.failed_bid"
    "scoring.flat_capot":
        rules => !rules.has_values(),
        "bids have no value (`auction.bids` is strains)";
    "match.target" "match.exceed" "match.slam_wins": rules => rules.game.deals > 0,
        "a match ends after a number of deals (`match.deals`)";
    "match.tie": rules => rules.has_values(),
        "a bid of points is made or fails (`deal.method` is full or split, and `auction.bids` is values)";
    "auction.over_coinche" "belote.coinched" "melds.coinched" "scoring.coinche." "scoring.surcoinche.":
        rules => rules.auction.coinche == CoincheMode::Off,
        "nobody may coinche (`auction.coinche` is off)";
    "cards.no_trump" "melds.no_trump" "scoring.last_trick_no_trump" "scoring.factor_no_trump": rules => !rules.auction.no_trump,
        "SA cannot be bid (`auction.no_trump` is false)";
    "cards.all_trump" "belote.all_trump" "scoring.last_trick_all_trump" "scoring.factor_all_trump": rules => !rules.auction.all_trump,
        "TA cannot be bid (`auction.all_trump` is false)";
    "contract.capot" "scoring.flat_capot": rules => !rules.auction.capot,
        "capot cannot be bid (`auction.capot` is false)";
    "contract.capot": rules => rules.scoring.flat_capot > 0,
        "a bid capot scores `scoring.flat_capot` instead";
    "contract.generale": rules => !rules.auction.generale,
        "générale cannot be bid (`auction.generale` is false)";
    "contract.floor": rules => rules.contract.floor <= rules.auction.lowest,
        "every bid is at least as high (`auction.lowest`)";
    "melds.equal": rules => rules.melds.contest == MeldContest::ByKind,
        "the longest sequence wins, whatever is trump (`melds.contest` is by-kind)";
    "melds.announce" "melds.contest" "melds.equal" "melds.tie" "melds.no_trump" "melds.coinched" "melds.carre_of_aces" "melds.counts_for_contract" "melds.multiplied":
        rules => !rules.melds.enabled,
        "there are no melds (`melds.enabled` is false)";
    "belote.multiplied" "melds.multiplied": rules => rules.scoring.rounding == Rounding::Tenths,
        "all that a side scores is multiplied by the factor of the tricks (`scoring.rounding` is tenths)";
    "belote.multiplied" "melds.multiplied": rules => rules.rows().all(|row| row.contract == 1),
        "the factor of the contract is 1 for every stake (`scoring.plain.contract` and its like)";
    "scoring.plain.contract" "scoring.coinche.contract" "scoring.surcoinche.contract":
        rules => !rules.has_values() && !rules.multiplies_announcements(),
        "no value is bid, and neither belote nor melds are multiplied";
    "scoring.failed": rules => {
            let is_made_flat = |row: &ScoreRow| row.made_declarers == DeclarersPart::Flat && rules.scoring.made != MadeScore::Bid;
            rules.rows().all(|row| row.failed_defenders != FailedPart::Flat && !is_made_flat(row))
        },
        "tricks are always scored (`failed_defenders` and `made_declarers` are own or all for every stake)";
    "scoring.failed_slam":
        rules => {
            let slams = [rules.scoring.unbid_slam, rules.scoring.solo_slam];
            let as_failed = |slam| rules.slams(slam).all(|points| rules.scoring.round(points) == rules.scoring.failed);
            let is_flat = |row: &ScoreRow| row.failed_defenders == FailedPart::Flat;
            slams.into_iter().all(as_failed) || !rules.rows().any(is_flat)
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
        !matches!(self.scoring.rounding, Rounding::Tenths)
            && (self.belote.multiplied || (self.melds.enabled && self.melds.multiplied))
    }

    /// Iterates over what all tricks are worth in each strain that can be played, where this is the number of a slam.
    fn slams(&self, number: u16) -> impl Iterator<Item = u16> {
        let rules = RuleSet(*self);
        Strain::ALL
            .into_iter()
            .filter(move |strain| rules.allows_strain(*strain))
            .map(move |strain| rules.slam(strain, number))
    }

    /// Returns the row of a field by its path.
    fn row_of(&self, path: &str) -> &ScoreRow {
        match path.split('.').nth(1) {
            Some("coinche") => &self.scoring.coinche,
            Some("surcoinche") => &self.scoring.surcoinche,
            _ => &self.scoring.plain,
        }
    }

    /// Tests if the tricks of both sides are always worth what `scoring.failed` is, slams too where they are asked for.
    fn all_are_flat(&self, slams_too: bool) -> bool {
        let rules = RuleSet(*self);
        let scoring = &self.scoring;
        let is_failed = |points: u16| scoring.round(points) == scoring.failed;
        let strains = || Strain::ALL.into_iter().filter(|strain| rules.allows_strain(*strain));
        let slams = [scoring.unbid_slam, scoring.solo_slam];
        strains().all(|strain| is_failed(rules.all_points(strain) * scoring.factor_in(strain)))
            && (!slams_too || slams.into_iter().all(|slam| self.slams(slam).all(is_failed)))
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
    let is_flat = |part: FailedPart| part == FailedPart::Flat;
    let all_as_flat = "all tricks are worth as much as `scoring.failed`";
    if path.ends_with(".failed_defenders") {
        let parts = both.map(|rules| rules.row_of(path).failed_defenders);
        let one_is_flat = is_flat(parts[0]) != is_flat(parts[1]) && parts.contains(&FailedPart::All);
        return (one_is_flat && options.all_are_flat(!options.scoring.failed_slam)).then_some(all_as_flat);
    }
    if path.ends_with(".made_declarers") {
        let parts = both.map(|rules| rules.row_of(path).made_declarers);
        let of_all = [DeclarersPart::Flat, DeclarersPart::All].iter().all(|part| parts.contains(part));
        return (of_all && options.all_are_flat(true)).then_some(all_as_flat);
    }
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
    let least = |rules: &RuleOptions| rules.slams(slam(rules)).min().unwrap_or_default();
    let is_ten = |limit: u16| limit.is_multiple_of(10) || both.iter().all(|rules| least(rules) >= limit);
    let in_tens = is_ten(options.auction.lowest)
        && is_ten(options.contract.floor)
        && (!options.melds.enabled || options.melds.carre_of_aces.is_multiple_of(10));
    let in_tenths = options.scoring.rounding == Rounding::Tenths;
    let rounded = in_tenths || (options.scoring.round(10) == 10 && options.scoring.round(11) == 10);
    // What is shown of a number of points: rounded, and above which tens it is.
    let shown = |rules: &RuleOptions| -> Vec<(i32, u16)> {
        let strains = Strain::ALL.into_iter().filter(|strain| RuleSet(*rules).allows_strain(*strain));
        let part = |(strain, points): (Strain, u16)| {
            if in_tenths {
                (ScoringRules::tenths(strain, points.into(), false), points.div_ceil(10))
            } else {
                (options.scoring.round(points).into(), points / 10)
            }
        };
        strains.zip(rules.slams(slam(rules))).map(part).collect()
    };
    let is_same = shown(before) == shown(options);
    (rounded && in_tens && is_same)
        .then_some("trick points are rounded to tens (`scoring.rounding`), also these")
}

/// Returns why a field decides nothing: under `options`, and also under these with the value that it had `before`.
pub(super) fn idle(path: &str, options: &RuleOptions, before: &RuleOptions) -> Option<&'static str> {
    if before.validate().is_err() && options.validate().is_ok() {
        // The rules need it.
        return None;
    }
    let is_meant =
        |field: &&'static str| *field == path || (field.ends_with('.') && path.starts_with(*field));
    IDLE.iter()
        .find(|idle| idle.fields.iter().any(is_meant) && (idle.when)(options) && (idle.when)(before))
        .map(|idle| idle.why)
        .or_else(|| same(path, options, before))
}
