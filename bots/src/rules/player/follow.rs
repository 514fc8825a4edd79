//! What to do with a trick that somebody else has led.

use coinche_engine::{Card, CardSet, Seat};

use super::context::PlayContext;
use super::discard::{give, throw};

/// Plays to a trick that `winner` is winning with `best`.
pub(super) fn follow(context: &PlayContext<'_>, winner: Seat, best: Card) -> Card {
    let beating = context.legal & context.beating(best);
    if winner == context.me.partner() {
        help_partner(context, best, beating)
    } else if beating.is_empty() {
        throw(context, context.legal)
    } else if context.is_last() {
        win_as_last(context, beating)
    } else {
        win_early(context, best, beating)
    }
}

/// The partner is winning: gives points when the trick is ours, takes over when it is in danger.
fn help_partner(context: &PlayContext<'_>, best: Card, beating: CardSet) -> Card {
    let under = context.legal - beating;
    if context.is_last() || stands(context, best) {
        // Taking over from the partner gains nothing, unless there is no other card.
        return if under.is_empty() { cheapest_winner(context, beating) } else { give(context, under) };
    }
    let sure = beating & context.masters;
    let follows = context.trumps.contains(best) || !context.next_ruffs(best.suit());
    if follows && !sure.is_empty() {
        return pick_sure(context, sure);
    }
    if under.is_empty() { cheapest_winner(context, beating) } else { throw(context, under) }
}

/// Whether the player behind me cannot, as far as anyone can tell, beat the partner's card.
fn stands(context: &PlayContext<'_>, best: Card) -> bool {
    let next = context.me.next();
    let higher = context.strain.above(best) & context.unseen;
    let can_top = !higher.is_empty() && !context.view.is_void(next, best.suit());
    !can_top && !context.ruffs(next, best.suit())
}

/// As last to play: takes the trick with points that might be lost later, keeping the masters.
fn win_as_last(context: &PlayContext<'_>, beating: CardSet) -> Card {
    let spare = beating - context.masters;
    if spare.is_empty() {
        cheapest_winner(context, beating)
    } else {
        // The strongest card that is no master is the one with the most points.
        context.highest(spare)
    }
}

/// With players still to come: takes the trick with a card that nobody can beat, else keeps low.
fn win_early(context: &PlayContext<'_>, best: Card, beating: CardSet) -> Card {
    let suit = beating.first().expect("there is a winning card").suit();
    let ruffing = context.trumps.contains(Card::new(suit, best.rank())) && !context.trumps.contains(best);
    if ruffing {
        return cheapest_winner(context, beating);
    }
    let sure = beating & context.masters;
    if !context.attacking && context.strain.orders_as_trump(suit) && suit == best.suit() {
        // Trumps are being drawn: the smallest card that must be played, the master takes another.
        return cheapest_winner(context, beating);
    }
    if !sure.is_empty() && !context.next_ruffs(suit) {
        return pick_sure(context, sure);
    }
    if context.slam {
        // Points do not matter, every trick does.
        return pick_sure(context, beating);
    }
    let under = context.legal - beating;
    if under.is_empty() { cheapest_winner(context, beating) } else { throw(context, under) }
}

/// Of winning cards in one suit the weakest.
fn cheapest_winner(context: &PlayContext<'_>, beating: CardSet) -> Card {
    let suit = beating.last().expect("there is a winning card").suit();
    context.lowest(beating.of(suit))
}

/// Of cards that win for sure the one with the most points, which is the strongest.
fn pick_sure(context: &PlayContext<'_>, sure: CardSet) -> Card {
    let suit = sure.last().expect("there is a winning card").suit();
    context.highest(sure.of(suit))
}
