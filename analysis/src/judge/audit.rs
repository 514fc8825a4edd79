//! The audit: what people at a table call foolish, whatever the hidden cards make of it.

use std::sync::LazyLock;

use coinche_bots::system::{Moment, System, text_of};
use coinche_engine::record::{Record, Step, replay_steps};
use coinche_engine::{Bid, BySeat, Call, Card, DealState, Seat, Strain, Suit, Turn, View};

/// What is counted, with how it is told.
pub(super) const HABITS: [(&str, &str); 4] = [
    ("points_thrown", "points thrown into a lost trick"),
    ("partners_discard", "led what the partner threw away"),
    ("master_ruffed", "a master kept until it was ruffed"),
    ("bare_bid", "a bid without its honour"),
];
const THROWN: usize = 0;
const DISCARDED: usize = 1;
const RUFFED: usize = 2;
/// The one that bids have, and not cards.
pub(super) const BARE: usize = 3;

/// What was done once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Habit {
    pub(super) seat: Seat,
    /// Which of [`HABITS`].
    pub(super) which: usize,
    /// The card that did it, as a number of the cards chosen among several; none of a bid.
    pub(super) decision: Option<usize>,
}

/// What is found in a deal.
#[derive(Debug, Default)]
pub(super) struct Audit {
    pub(super) habits: Vec<Habit>,
    /// By seat, the bids in which a strain was first named by its side.
    pub(super) bids: BySeat<u32>,
}

/// What a bid of a strain is expected to show: the promises of the style `natural`.
static PROMISES: LazyLock<System> = LazyLock::new(|| {
    let text = text_of("natural").expect("the style comes with the program");
    System::read(&text, &[]).expect("the style of the repository is right")
});

/// A master that was not led when it could be, and the card that was.
type Kept = Vec<(Card, usize)>;

/// Audits a record.
pub(super) fn audit(record: &Record) -> Audit {
    let mut audit = Audit::default();
    let mut kept: BySeat<Kept> = BySeat::default();
    let mut decisions = 0;
    replay_steps(record, &mut |state: &DealState, step: &Step| {
        let (Turn::Call(seat) | Turn::Play(seat)) = state.turn() else { return };
        let view = state.view(seat);
        match step {
            Step::Call(Call::Bid(bid)) => audit.bid(state, &view, *bid),
            Step::Call(_) => {}
            Step::Play(play) => {
                let chosen = (state.legal_plays().len() > 1).then_some(decisions);
                decisions += usize::from(chosen.is_some());
                if let Some(decision) = chosen {
                    audit.card(&view, play.card, decision);
                    keep(&view, play.card, decision, &mut kept[seat]);
                }
                audit.ruff(&view, play.card, &mut kept);
            }
        }
    });
    audit
}

impl Audit {
    fn note(&mut self, seat: Seat, habit: usize, decision: Option<usize>) {
        self.habits.push(Habit { seat, which: habit, decision });
    }

    /// A bid that names a strain for its side without what it shows.
    fn bid(&mut self, state: &DealState, view: &View<'_>, bid: Bid) {
        let seat = view.seat();
        let named = |(caller, call): &(Seat, Call)| {
            caller.team() == seat.team() && matches!(call, Call::Bid(other) if other.strain == bid.strain)
        };
        if view.auction().calls().iter().any(named) {
            return;
        }
        self.bids[seat] += 1;
        let moment = Moment::of(view, &state.legal_calls());
        if !PROMISES.keeping_promises(&moment, view.first_hand()).has_strain(bid.strain) {
            self.note(seat, BARE, None);
        }
    }

    fn card(&mut self, view: &View<'_>, card: Card, decision: usize) {
        if view.cheaper_loser(card).is_some() {
            self.note(view.seat(), THROWN, Some(decision));
        }
        if view.cards_in_trick() == 0 && leads_a_discard(view, card) {
            self.note(view.seat(), DISCARDED, Some(decision));
        }
    }

    /// A trump on a trick in which the other side plays a master that it could have led before.
    fn ruff(&mut self, view: &View<'_>, card: Card, kept: &mut BySeat<Kept>) {
        let trick: Vec<(Seat, Card)> = view.trick().chain([(view.seat(), card)]).collect();
        if trick.len() < 4 {
            return;
        }
        let Some(trump) = view.strain().and_then(Strain::trump) else { return };
        let winner = winner(view, card);
        for (seat, card) in &trick {
            let Some(at) = kept[*seat].iter().position(|(master, _)| master == card) else { continue };
            let (_, decision) = kept[*seat].remove(at);
            let ruffed = winner.1.suit() == trump && winner.0.team() != seat.team();
            if ruffed && card.suit() != trump && trick[0].1.suit() == card.suit() {
                self.note(*seat, RUFFED, Some(decision));
            }
        }
    }
}

/// The card that wins the trick under way once this one, the fourth, is played.
fn winner(view: &View<'_>, card: Card) -> (Seat, Card) {
    let strain = view.strain().expect("cards are played");
    let (seat, best) = view.winning().expect("three cards were played");
    let beats = if card.suit() == best.suit() {
        strain.strength(card) > strain.strength(best)
    } else {
        strain.trump() == Some(card.suit())
    };
    if beats { (view.seat(), card) } else { (seat, best) }
}

/// Remembers the masters of other suits that the leader did not lead.
fn keep(view: &View<'_>, card: Card, decision: usize, kept: &mut Kept) {
    let Some(strain) = view.strain().filter(|strain| strain.trump().is_some()) else { return };
    if view.cards_in_trick() > 0 {
        return;
    }
    for master in strain.masters(view.hand(), view.unseen()) {
        let is_plain = strain.trump() != Some(master.suit()) && master.suit() != card.suit();
        if is_plain && kept.iter().all(|(known, _)| *known != master) {
            kept.push((master, decision));
        }
    }
}

/// Tests if a lead is of a plain suit that the partner threw away, where another suit that it did not throw could be led.
fn leads_a_discard(view: &View<'_>, card: Card) -> bool {
    let Some(strain) = view.strain() else { return false };
    let partner = view.seat().partner();
    let thrown = |suit: Suit| {
        view.tricks().iter().any(|trick| {
            let its = trick.cards[trick.leader.distance_to(partner)];
            its.suit() == suit && trick.cards[0].suit() != suit && strain.trump() != Some(suit)
        })
    };
    let is_other = |other: Card| strain.trump() != Some(other.suit()) && !thrown(other.suit());
    thrown(card.suit())
        && !view.is_void(partner, card.suit())
        && !strain.masters(view.hand(), view.unseen()).contains(card)
        && view.hand().into_iter().any(is_other)
}
