//! Which card to lead.

use coinche_engine::{Call, Card, CardSet, Suit};

use super::table::Table;

/// Leads to the next trick.
pub(super) fn lead(table: &Table<'_>) -> Card {
    if table.attacking
        && let Some(card) = draw_trumps(table)
    {
        return card;
    }
    cash_master(table).unwrap_or_else(|| exit(table))
}

/// As declarers: draws trumps while an opponent may hold one.
fn draw_trumps(table: &Table<'_>) -> Option<Card> {
    let mine = table.hand & table.trumps;
    if mine.is_empty() || !table.opponents_may_hold_trump() {
        return None;
    }
    let sure = mine & table.masters;
    if !sure.is_empty() {
        return Some(table.highest(sure));
    }
    // Without the master: a low one to the partner who bid, or with another behind it to drive the
    // master out.
    (table.declarer != table.me || mine.len() >= 2).then(|| table.lowest(mine))
}

/// Cashes a master in a suit that no opponent is known to ruff, the one that is safest first.
fn cash_master(table: &Table<'_>) -> Option<Card> {
    let mut best: Option<(usize, Card)> = None;
    let trumps_out = table.opponents_may_hold_trump();
    for suit in Suit::ALL {
        let masters = (table.masters - table.trumps).of(suit);
        if masters.is_empty() || (trumps_out && table.opponent_ruffs(suit)) {
            continue;
        }
        // The more cards of the suit are out, the likelier everybody follows.
        let safety = table.unseen.of(suit).len() + 1;
        if best.is_none_or(|(other, _)| safety > other) {
            best = Some((safety, table.highest(masters)));
        }
    }
    best.map(|(_, card)| card)
}

/// Nothing better: a low card that gives little away.
fn exit(table: &Table<'_>) -> Card {
    let called = partners_calls(table);
    Table::cheapest(table.legal, |card| exit_cost(table, card, called))
}

/// The cards of the suits that the partner has bid, other than trump: there it has something.
fn partners_calls(table: &Table<'_>) -> CardSet {
    let partner = table.me.partner();
    let bids = table.view.auction().calls().iter().filter(|(seat, _)| *seat == partner);
    bids.fold(CardSet::EMPTY, |called, (_, call)| match call {
        Call::Bid(bid) => called | bid.strain.trump().map_or(CardSet::EMPTY, CardSet::suit),
        _ => called,
    }) - table.trumps
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
fn exit_cost(table: &Table<'_>, card: Card, called: CardSet) -> i32 {
    let suit = table.hand.of(card.suit());
    let mut cost = 2 * table.points(card);
    if table.trumps.contains(card) {
        cost += TRUMP_LEAD;
    } else if suit.len() == 1 && !(table.hand & table.trumps).is_empty() {
        cost -= SINGLETON;
    }
    let top = table.highest(suit);
    if top != card && table.points(top) >= 10 && !table.masters.contains(top) {
        cost += FROM_UNDER_TEN;
    }
    if table.opponent_ruffs(card.suit()) {
        cost -= FORCED_RUFF;
    }
    if called.contains(card) {
        cost -= PARTNERS_CALL;
    }
    cost
}
