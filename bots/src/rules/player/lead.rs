//! Which card to lead.

use coinche_engine::{Call, Card, CardSet, Suit};

use super::context::PlayContext;

/// Leads to the next trick.
pub(super) fn lead(context: &PlayContext<'_>) -> Card {
    if context.attacking
        && let Some(card) = draw_trumps(context)
    {
        return card;
    }
    cash_master(context).unwrap_or_else(|| exit(context))
}

/// As declarers: draws trumps while an opponent may hold one.
fn draw_trumps(context: &PlayContext<'_>) -> Option<Card> {
    let mine = context.hand & context.trumps;
    if mine.is_empty() || !context.opponents_may_hold_trump() {
        return None;
    }
    let sure = mine & context.masters;
    if !sure.is_empty() {
        return Some(context.highest(sure));
    }
    // Without the master: a low one to the partner who bid, or with another behind it to drive the
    // master out.
    (context.declarer != context.me || mine.len() >= 2).then(|| context.lowest(mine))
}

/// Cashes a master in a suit that no opponent is known to ruff, the one that is safest first.
fn cash_master(context: &PlayContext<'_>) -> Option<Card> {
    let mut best: Option<(usize, Card)> = None;
    let trumps_out = context.opponents_may_hold_trump();
    for suit in Suit::ALL {
        let masters = (context.masters - context.trumps).of(suit);
        if masters.is_empty() || (trumps_out && context.opponent_ruffs(suit)) {
            continue;
        }
        // The more cards of the suit are out, the likelier everybody follows.
        let safety = context.unseen.of(suit).len() + 1;
        if best.is_none_or(|(other, _)| safety > other) {
            best = Some((safety, context.highest(masters)));
        }
    }
    best.map(|(_, card)| card)
}

/// Nothing better: a low card that gives little away.
fn exit(context: &PlayContext<'_>) -> Card {
    let called = partners_calls(context);
    PlayContext::cheapest(context.legal, |card| exit_cost(context, card, called))
}

/// The cards of the suits that the partner has bid, other than trump: there it has something.
fn partners_calls(context: &PlayContext<'_>) -> CardSet {
    let partner = context.me.partner();
    let bids = context.view.auction().calls().iter().filter(|(seat, _)| *seat == partner);
    bids.fold(CardSet::EMPTY, |called, (_, call)| match call {
        Call::Bid(bid) => called | bid.strain.trump().map_or(CardSet::EMPTY, CardSet::suit),
        _ => called,
    }) - context.trumps
}

/// What it gains to lead a suit that the partner has bid.
const PARTNERS_CALL: i32 = 10;
/// What it costs to lead a trump that is no master: the side that wants trumps drawn has drawn them.
const TRUMP_LEAD: i32 = 12;
/// What it costs to lead from under a ten, or the like: it is bare afterwards, or the trick is given away.
const FROM_UNDER_TEN: i32 = 6;
/// What it gains, holding trumps, to lead a singleton: the next round is ruffed.
const SINGLETON: i32 = 3;
/// What it gains to make an opponent ruff, who then has a trump less.
const FORCED_RUFF: i32 = 5;

/// What it costs to lead a card that will not win.
fn exit_cost(context: &PlayContext<'_>, card: Card, called: CardSet) -> i32 {
    let suit = context.hand.of(card.suit());
    let mut cost = 2 * context.points(card);
    if context.trumps.contains(card) {
        cost += TRUMP_LEAD;
    } else if suit.len() == 1 && !(context.hand & context.trumps).is_empty() {
        cost -= SINGLETON;
    }
    let top = context.highest(suit);
    if top != card && context.points(top) >= 10 && !context.masters.contains(top) {
        cost += FROM_UNDER_TEN;
    }
    if context.opponent_ruffs(card.suit()) {
        cost -= FORCED_RUFF;
    }
    if called.contains(card) {
        cost -= PARTNERS_CALL;
    }
    cost
}
