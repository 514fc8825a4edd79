//! Strains alone: to name one in which the side makes more than the other, often by the first cards of a hand.

use coinche_engine::{Bid, BidValue, Call, Contract, LegalCalls, Melds, Stake, Strain, View};

use super::Style;
use super::evaluate::{defence, first_cards, support};

/// Half of all points, in tenths; the evaluation knows games of 162.
const HALF: i32 = 810;

/// Names the best strain when the side can expect enough more than half of the points, coinches what falls short of it.
#[inline(never)]
pub(super) fn call(view: &View<'_>, legal: &LegalCalls, style: &Style) -> Call {
    let hand = view.hand();
    let own = first_cards(hand);
    let rules = view.rules();
    let of_melds = |strain: Strain| {
        let melds = || i32::from(Melds::best(&rules.melds, hand).points(&rules.melds)) * style.melds / 10;
        if rules.melds.in_strain(strain) && rules.melds.counts_for_contract { melds() } else { 0 }
    };
    let standing = view.auction().state().contract();
    let partner = |contract: &Contract| contract.declarer.team() == view.seat().team();
    let needed = match standing {
        Some(contract) if partner(&contract) => {
            style.take - OPENS + support(hand, contract.strain) + 10 * CHANGE
        }
        Some(_) => style.take + style.competition,
        None => style.take - OPENS,
    };
    let value = |strain: Strain| own[strain.index()] + of_melds(strain);
    let best = Strain::ALL
        .into_iter()
        .filter(|strain| legal.has_strain(*strain))
        .max_by_key(|strain| value(*strain));
    let shown = |contract: &Contract| style.take - OPENS + SHOWN + defence(hand, contract.strain);
    match (standing, best) {
        (Some(contract), _) if partner(&contract) && contract.stake == Stake::Coinche => {
            let sure = value(contract.strain) >= style.take + style.surcoinche;
            if sure && legal.contains(Call::Surcoinche) { Call::Surcoinche } else { Call::Pass }
        }
        (Some(contract), _)
            if legal.contains(Call::Coinche) && shown(&contract) + style.coinche < HALF - DOUBTFUL =>
        {
            Call::Coinche
        }
        (_, Some(strain)) if value(strain) >= needed => Call::Bid(Bid::new(BidValue::NONE, strain)),
        _ => Call::Pass,
    }
}

/// How much less the first bid needs, in tenths of points: nobody has shown strength.
const OPENS: i32 = 80;
/// What a change of the partner's strain must gain, in points.
const CHANGE: i32 = 10;
/// What a bid shows above the least that it needs, in tenths of points.
const SHOWN: i32 = 90;
/// How far below half of the points a contract must fall for a coinche, in tenths of points.
const DOUBTFUL: i32 = 60;
