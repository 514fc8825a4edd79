//! How the rest of a deal is played out.

use coinche_engine::{BidValue, Contract, Goal, PlayState, RuleSet, Team};

use crate::search::Payoff;
use crate::{CardPlayer, NetPlayer, ParamError, ParamInfo, Params, RulesPlayer};

/// The parameter that says who plays the rest of a deal.
pub(crate) const POLICY_PARAM: ParamInfo = params! {
    "policy" = "rules", "random, or the name of a bot that plays without randomness and memory: rules or net",
        "who plays out a deal: random legal cards, or a bot that only sees its own hand";
}[0];

/// Who plays the rest of a deal.
#[derive(Debug, Clone)]
pub(crate) enum PlayPolicy {
    /// Any legal card, all alike.
    Random,
    /// `rules` at all four seats.
    Rules(RulesPlayer),
    /// The network at all four seats.
    Net(Box<NetPlayer>),
}

impl PlayPolicy {
    /// Reads the parameter.
    pub(crate) fn from_params(params: &Params) -> Result<Self, ParamError> {
        match params.text("policy") {
            "random" => Ok(Self::Random),
            "rules" => Ok(Self::Rules(RulesPlayer)),
            "net" => Ok(Self::Net(Box::default())),
            _ => Err(params.illegal("policy")),
        }
    }

    /// Returns the player at all four seats; `None` where cards are random.
    pub(crate) fn player(&mut self) -> Option<&mut dyn CardPlayer> {
        match self {
            Self::Random => None,
            Self::Rules(player) => Some(player),
            Self::Net(player) => Some(&mut **player),
        }
    }
}

/// Returns the score at the end of a deal, the side's of the payoff less the other's, and whether the contract
/// was made.
pub(crate) fn result(payoff: &Payoff, rules: &RuleSet, contract: Contract, end: &PlayState) -> (i32, bool) {
    let side = payoff.side();
    let points = i32::from(end.card_points(rules)[side]);
    let Some(winner) = Team::ALL.into_iter().find(|team| end.tricks_won(*team) == 8) else {
        return (payoff.at(points), payoff.is_made_at(points));
    };
    let alone = winner.seats().into_iter().find(|seat| end.tricks_by(*seat) == 8);
    if let Some(result) = alone.and_then(|seat| payoff.alone(seat)) {
        return result;
    }
    // A partner's trick spoils a générale, which the payoff takes to be made by any slam.
    let is_spoiled = contract.goal == Goal::Bid(BidValue::GENERALE)
        && winner == contract.declarer.team()
        && alone != Some(contract.declarer);
    let points = match is_spoiled {
        true => points,
        false if winner == side => points + 1,
        false => points - 1,
    };
    (payoff.at(points), payoff.is_made_at(points))
}
