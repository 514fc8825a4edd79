//! The turn-up game: to take or to pass, with five cards and the turned one, and to double a take.

use coinche_engine::{Bid, BidValue, Call, Card, LegalCalls, Melds, Stake, Strain, Suit, View};

use super::Style;
use super::evaluate::{first_cards, own_of_six};

/// Takes when the side can expect enough more than half of the points, doubles a take when it holds as much itself, else passes.
pub(super) fn call(view: &View<'_>, turned: Card, legal: &LegalCalls, style: &Style) -> Call {
    let six = view.hand().with(turned);
    let rules = &view.rules().melds;
    let melds =
        if rules.enabled { i32::from(Melds::best(rules, six).points(rules)) * style.melds / 10 } else { 0 };
    let of = |cards, strain: Strain| match strain.trump() {
        Some(suit) => own_of_six(cards, suit),
        None => first_cards(cards)[strain.index()],
    };
    let takes = |strain: Strain, needed: i32| of(six, strain) + melds >= needed;
    if let Some(contract) = view.auction().state().contract() {
        // What this hand would make as the taker, without the turned card: that of the other side is in its place.
        let own = of(view.hand(), contract.strain) + melds;
        let margin = match contract.stake {
            Stake::Plain => style.coinche - DEFENDS,
            _ => style.surcoinche,
        };
        let sure = own >= style.take + margin;
        let double = [Call::Coinche, Call::Surcoinche].into_iter().find(|call| legal.contains(*call));
        return double.filter(|_| sure).unwrap_or(Call::Pass);
    }
    if legal.contains(Call::Take) {
        return if takes(turned.suit().into(), style.take) { Call::Take } else { Call::Pass };
    }
    // The second round: the best of the other strains.
    let suits = Suit::ALL.into_iter().map(|suit| (Strain::of(suit), Call::TakeIn(suit)));
    let others = [Strain::NoTrump, Strain::AllTrump]
        .map(|strain| (strain, Call::Bid(Bid::new(BidValue::NONE, strain))));
    let best = suits
        .chain(others)
        .filter(|(_, call)| legal.contains(*call))
        .max_by_key(|(strain, _)| of(six, *strain));
    match best {
        Some((strain, call)) if takes(strain, style.take_in) => call,
        _ => Call::Pass,
    }
}

/// How much less than for a take a hand needs to double one in its own strain, in tenths of points.
const DEFENDS: i32 = 100;
