//! What to do with a trick that somebody else has led.

use coinche_engine::{Card, CardSet, Seat};

use super::discard::{give, throw};
use super::table::Table;

/// Plays to a trick that `winner` is winning with `best`.
pub(super) fn follow(table: &Table<'_>, winner: Seat, best: Card) -> Card {
    let beating = table.legal & table.beating(best);
    if winner == table.me.partner() {
        help_partner(table, best, beating)
    } else if beating.is_empty() {
        throw(table, table.legal)
    } else if table.is_last() {
        win_as_last(table, beating)
    } else {
        win_early(table, best, beating)
    }
}

/// The partner is winning: gives points when the trick is ours, takes over when it is in danger.
fn help_partner(table: &Table<'_>, best: Card, beating: CardSet) -> Card {
    let under = table.legal - beating;
    if table.is_last() || stands(table, best) {
        // Taking over from the partner gains nothing, unless there is no other card.
        return if under.is_empty() { cheapest_winner(table, beating) } else { give(table, under) };
    }
    let sure = beating & table.masters;
    let follows = table.trumps.contains(best) || !table.next_ruffs(best.suit());
    if follows && !sure.is_empty() {
        return pick_sure(table, sure);
    }
    if under.is_empty() { cheapest_winner(table, beating) } else { throw(table, under) }
}

/// Whether the player behind me cannot, as far as anyone can tell, beat the partner's card.
fn stands(table: &Table<'_>, best: Card) -> bool {
    let next = table.me.next();
    let higher = table.strain.above(best) & table.unseen;
    let can_top = !higher.is_empty() && !table.view.is_void(next, best.suit());
    !can_top && !table.ruffs(next, best.suit())
}

/// As last to play: takes the trick with points that might be lost later, keeping the masters.
fn win_as_last(table: &Table<'_>, beating: CardSet) -> Card {
    let spare = beating - table.masters;
    if spare.is_empty() {
        cheapest_winner(table, beating)
    } else {
        // The strongest card that is no master is the one with the most points.
        table.highest(spare)
    }
}

/// With players still to come: takes the trick with a card that nobody can beat, else keeps low.
fn win_early(table: &Table<'_>, best: Card, beating: CardSet) -> Card {
    let suit = beating.first().expect("there is a winning card").suit();
    let ruffing = table.trumps.contains(Card::new(suit, best.rank())) && !table.trumps.contains(best);
    if ruffing {
        return cheapest_winner(table, beating);
    }
    let sure = beating & table.masters;
    if !table.attacking && table.strain.orders_as_trump(suit) && suit == best.suit() {
        // Trumps are being drawn: the smallest card that must be played, the master takes another.
        return cheapest_winner(table, beating);
    }
    if !sure.is_empty() && !table.next_ruffs(suit) {
        return pick_sure(table, sure);
    }
    if table.slam {
        // Points do not matter, every trick does.
        return pick_sure(table, beating);
    }
    let under = table.legal - beating;
    if under.is_empty() { cheapest_winner(table, beating) } else { throw(table, under) }
}

/// Of winning cards in one suit the weakest.
fn cheapest_winner(table: &Table<'_>, beating: CardSet) -> Card {
    let suit = beating.last().expect("there is a winning card").suit();
    table.lowest(beating.of(suit))
}

/// Of cards that win for sure the one with the most points, which is the strongest.
fn pick_sure(table: &Table<'_>, sure: CardSet) -> Card {
    let suit = sure.last().expect("there is a winning card").suit();
    table.highest(sure.of(suit))
}
