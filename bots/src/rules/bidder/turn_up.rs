//! The turn-up game: to take or to pass, with five cards and the turned one.

use coinche_engine::{Call, Card, LegalCalls, Melds, Suit, View};

use super::Style;
use super::evaluate::own_of_six;

/// Takes when the side can expect enough more than half of the points, else passes.
pub(super) fn call(view: &View<'_>, turned: Card, legal: &LegalCalls, style: &Style) -> Call {
    let six = view.hand().with(turned);
    let rules = &view.rules().melds;
    let melds =
        if rules.enabled { i32::from(Melds::best(rules, six).points(rules)) * style.melds / 10 } else { 0 };
    let takes = |suit: Suit, needed: i32| own_of_six(six, suit) + melds >= needed;
    if legal.contains(Call::Take) {
        return if takes(turned.suit(), style.take) { Call::Take } else { Call::Pass };
    }
    // The second round: the best of the other suits.
    let best = Suit::ALL
        .into_iter()
        .filter(|suit| legal.contains(Call::TakeIn(*suit)))
        .max_by_key(|suit| own_of_six(six, *suit));
    match best {
        Some(suit) if takes(suit, style.take_in) => Call::TakeIn(suit),
        _ => Call::Pass,
    }
}
