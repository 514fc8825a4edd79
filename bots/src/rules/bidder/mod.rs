//! The bidder of `rules`: counts what its hand makes in every strain, and says so.
//!
//! Three steps, a file each: what the hand is worth ([`evaluate`]), what the others have shown
//! ([`auction`]), what a contract would score ([`stakes`]). This file makes a call of them;
//! [`turn_up`] does it for the turn-up game, [`strains`] where bids have no value.

mod auction;
mod evaluate;
mod stakes;
mod strains;
mod style;
mod turn_up;
mod weights;

use coinche_engine::{
    Bid, BidValue, Call, Contract, Goal, Key, LegalCalls, Melds, Seat, Stake, Strain, View,
};

use crate::{Agent, Bidder, ParamError, ParamInfo, Params};
use auction::AuctionSummary;
use evaluate::{defence, help, losers, own, support};
use style::{Margins, Style};

/// The standard deviation of a side's points, as predicted by the declarer's hand alone.
const DEVIATION_ALONE: i32 = 250;
/// The same when the partner has shown its hand.
const DEVIATION_TOLD: i32 = 190;

/// What a strain loses, in tenths of points, when the opponents have bid it themselves.
const TRUMPS_BID_AGAINST: i32 = 100;

/// Bids by evaluation of the hand.
#[derive(Debug, Clone, Copy, Default)]
pub struct RulesBidder {
    style: Style,
}

impl RulesBidder {
    /// The parameters in the registry.
    pub const PARAMS: &'static [ParamInfo] = style::PARAMS;

    /// Reads the parameters, and returns how to make the bidder.
    ///
    /// # Errors
    ///
    /// When a parameter is out of range.
    pub fn maker(params: &Params) -> Result<impl Fn() -> Self + Send + Sync + use<>, ParamError> {
        let this = Self { style: Style::from_params(params)? };
        Ok(move || this)
    }
}

impl Agent for RulesBidder {}

impl Bidder for RulesBidder {
    fn call(&mut self, view: &View<'_>, legal: &LegalCalls, _key: Key) -> Call {
        let call = self.style.call(view, legal);
        // Who must bid bids what is least bad.
        if legal.contains(call) { call } else { self.style.eager().call(view, legal) }
    }
}

impl Style {
    fn call(&self, view: &View<'_>, legal: &LegalCalls) -> Call {
        match view.turned() {
            Some(turned) => turn_up::call(view, turned, legal, self),
            None if view.rules().has_values() => BiddingTurn::new(view, legal, self).call(),
            None => strains::call(view, legal, self),
        }
    }
}

/// What a bidder considers at one turn.
struct BiddingTurn<'a> {
    view: &'a View<'a>,
    legal: &'a LegalCalls,
    style: &'a Style,
    summary: AuctionSummary,
    me: Seat,
    /// What the own side makes in each strain by the own hand alone, in tenths.
    own: [i32; 6],
    /// What melds and opponents add to that in every strain, in tenths.
    common: i32,
}

/// A contract that the own side could play.
#[derive(Debug, Clone, Copy)]
struct Prospect {
    strain: Strain,
    /// The points expected, in tenths.
    mean: i32,
    deviation: i32,
}

impl<'a> BiddingTurn<'a> {
    fn new(view: &'a View<'a>, legal: &'a LegalCalls, style: &'a Style) -> Self {
        let rules = view.rules();
        let melds = if rules.melds.enabled && rules.melds.counts_for_contract {
            i32::from(Melds::best(&rules.melds, view.hand()).points(&rules.melds)) * style.melds / 10
        } else {
            0
        };
        let (summary, me) = (AuctionSummary::new(view, style), view.seat());
        let opposed = if summary.has_bid(me.team().other()) { style.competition } else { 0 };
        let common = melds - opposed;
        let own = own(view.hand()).map(|value| value + common);
        Self { view, legal, style, summary, me, own, common }
    }

    /// Makes the call.
    fn call(&self) -> Call {
        let standing = self.view.auction().state().contract();
        match standing {
            Some(contract) if contract.declarer.team() == self.me.team() => self.over_own(contract),
            Some(contract) => self.over_theirs(contract),
            None => self.open(),
        }
    }

    /// Nobody has bid: opens when the hand is worth the lowest bid.
    fn open(&self) -> Call {
        let best = self.best_prospect();
        self.slam(best).or_else(|| self.bid_up_to(best)).unwrap_or_else(|| self.pass())
    }

    /// The own side's bid stands: raises when there is more to tell.
    fn over_own(&self, contract: Contract) -> Call {
        if self.legal.contains(Call::Surcoinche) && self.gains_by_surcoinche(contract) {
            return Call::Surcoinche;
        }
        if contract.stake != Stake::Plain {
            return Call::Pass;
        }
        let here = self.prospect(contract.strain);
        let best = self.best_prospect();
        let chosen = if best.mean > here.mean + self.style.change { best } else { here };
        self.slam(chosen).or_else(|| self.bid_up_to(chosen)).unwrap_or_else(|| self.pass())
    }

    /// The opponents' bid stands: overbids it, coinches it, or lets it be.
    fn over_theirs(&self, contract: Contract) -> Call {
        if self.legal.contains(Call::Coinche) && self.gains_by_coinche(contract) {
            return Call::Coinche;
        }
        let best = self.best_prospect();
        self.slam(best)
            .or_else(|| self.bid_up_to(best))
            .or_else(|| self.overbid(contract, best))
            .unwrap_or_else(|| self.pass())
    }

    /// A bid that may well fail, where letting the opponents play is expected to cost more.
    fn overbid(&self, contract: Contract, best: Prospect) -> Option<Call> {
        let Goal::Bid(theirs) = contract.goal else { return None };
        let lowest = self.legal.lowest_value()?;
        let best = Prospect { mean: best.mean - self.margins(best).caution, ..best };
        // What fails three times out of four is not even a sacrifice.
        if best.mean + best.deviation < 10 * i32::from(lowest.as_points()?) {
            return None;
        }
        let lost = self.net(theirs, Stake::Plain, self.their_mean(contract), DEVIATION_TOLD);
        let won = self.net(lowest, Stake::Plain, best.mean, best.deviation);
        (won + lost > self.style.overbid).then_some(self.legal_bid(lowest, best.strain)).flatten()
    }

    /// What the own side makes in a strain, by the own hand and by what the partner has shown.
    #[inline]
    fn prospect(&self, strain: Strain) -> Prospect {
        let (own, team) = (self.own[strain.index()], self.me.team());
        let (mut mean, deviation) = match self.summary.shown(team, strain) {
            None if self.summary.waits(self.me.partner()) => (own + self.style.signalled, DEVIATION_ALONE),
            None => (own, DEVIATION_ALONE),
            Some(shown) if shown.opener == self.me => (own + shown.support, DEVIATION_TOLD),
            Some(shown) => (shown.own + support(self.view.hand(), strain) + self.common, DEVIATION_TOLD),
        };
        if self.summary.shown(team.other(), strain).is_some() {
            mean -= TRUMPS_BID_AGAINST;
        }
        Prospect { strain, mean, deviation }
    }

    /// The strain in which the own side makes the most.
    fn best_prospect(&self) -> Prospect {
        let rules = self.view.rules();
        let mut best = self.prospect(Strain::Clubs);
        for strain in &Strain::ALL[1..] {
            if rules.allows_strain(*strain) {
                let prospect = self.prospect(*strain);
                if prospect.mean > best.mean {
                    best = prospect;
                }
            }
        }
        best
    }

    const fn margins(&self, prospect: Prospect) -> Margins {
        if prospect.deviation == DEVIATION_TOLD { self.style.raise } else { self.style.opening }
    }

    /// The highest bid that the prospect supports.
    fn bid_up_to(&self, prospect: Prospect) -> Option<Call> {
        let margins = self.margins(prospect);
        let lowest = self.legal.lowest_value()?;
        let below = |value: &BidValue, margin: i32| {
            value.as_points().is_some_and(|points| 10 * i32::from(points) <= prospect.mean - margin)
        };
        if !below(&lowest, margins.willing) {
            return None;
        }
        let value =
            self.legal.values().take_while(|value| below(value, margins.jump)).last().unwrap_or(lowest);
        self.legal_bid(value, prospect.strain)
    }

    /// A capot with a hand that loses no trick; a générale when that is certain.
    fn slam(&self, prospect: Prospect) -> Option<Call> {
        let losers = losers(self.view.hand(), prospect.strain);
        if losers.likely > self.style.capot_losers {
            return None;
        }
        let alone = if losers.at_worst == 0 { BidValue::GENERALE } else { BidValue::CAPOT };
        self.legal_bid(alone, prospect.strain).or_else(|| self.legal_bid(BidValue::CAPOT, prospect.strain))
    }

    /// The bid, if it is legal.
    fn legal_bid(&self, value: BidValue, strain: Strain) -> Option<Call> {
        let call = Call::Bid(Bid::new(value, strain));
        self.legal.contains(call).then_some(call)
    }

    /// Passes, with the signal for a hand that would help a bid of the partner's.
    fn pass(&self) -> Call {
        let first = !self.view.auction().calls().iter().any(|(seat, _)| *seat == self.me);
        let silent = !self.summary.has_bid(self.me.team());
        if first && silent && self.legal.contains(Call::Wait) && help(self.view.hand()) >= self.style.signal {
            Call::Wait
        } else {
            Call::Pass
        }
    }

    /// The points, in tenths, that the opponents make in their contract.
    fn their_mean(&self, contract: Contract) -> i32 {
        let told = self.summary.shown(contract.declarer.team(), contract.strain);
        let shown = told.map_or(0, |shown| shown.own + shown.support);
        shown + defence(self.view.hand(), contract.strain)
    }

    /// Whether a coinche of the opponents' contract is expected to gain.
    fn gains_by_coinche(&self, contract: Contract) -> bool {
        let Goal::Bid(value) = contract.goal else { return false };
        let mean = self.their_mean(contract) + self.style.coinche;
        // No score table pays for doubling what is made two times out of three.
        if value.as_points().is_some_and(|points| mean >= 10 * i32::from(points) + DEVIATION_TOLD / 2) {
            return false;
        }
        let plain = self.net(value, Stake::Plain, mean, DEVIATION_TOLD);
        let coinched = self.net(value, Stake::Coinche, mean, DEVIATION_TOLD);
        coinched < plain
    }

    /// Whether a surcoinche of the own contract is expected to gain.
    fn gains_by_surcoinche(&self, contract: Contract) -> bool {
        let Goal::Bid(value) = contract.goal else { return false };
        let prospect = self.prospect(contract.strain);
        let mean = prospect.mean - self.style.surcoinche;
        let coinched = self.net(value, Stake::Coinche, mean, prospect.deviation);
        let surcoinched = self.net(value, Stake::Surcoinche, mean, prospect.deviation);
        surcoinched > coinched
    }

    /// What the declarers of a contract are expected to win.
    fn net(&self, value: BidValue, stake: Stake, mean: i32, deviation: i32) -> i32 {
        let chance = match value.as_points() {
            Some(points) => stakes::chance(mean, deviation, points.into()),
            None => 800,
        };
        stakes::net(self.view.rules(), value, stake, chance, mean)
    }
}

#[cfg(test)]
mod tests;
